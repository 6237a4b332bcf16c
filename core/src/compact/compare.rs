//! The differences between two pieces of full data.

use serde_json::{Map, Value};

use super::defaults::{follows, is_nothing};
use super::loss::{Loss, LossKind, Owner};
use crate::model::{Field, Shape, Text};
use crate::parse::{Node, json_text};
use crate::text::Span;

/// The maximum number of keys of an open map that are reported individually.
const MAX_KEYS: usize = 200;

/// One step down into data.
#[derive(Clone, Copy)]
enum Step<'k> {
    Key(&'k str),
    Index(usize),
}

/// One compared part of a transcript: a message, a turn, a map of the top level.
pub(super) struct Piece<'p> {
    /// Its path in the full form.
    pub path: String,
    pub owner: Owner,
    /// Its node, if the source has it.
    pub node: Option<&'p Node>,
    /// Its place.
    pub span: Span,
    /// The id of the message that a turn creates.
    pub created: Option<Text>,
}

/// Collects differences.
pub(super) struct Comparison<'p, 'k> {
    pub piece: &'p Piece<'p>,
    pub losses: &'p mut Vec<Loss>,
    steps: Vec<Step<'k>>,
}

impl<'p, 'k> Comparison<'p, 'k> {
    pub(super) fn new(piece: &'p Piece<'p>, losses: &'p mut Vec<Loss>) -> Self {
        Self { piece, losses, steps: Vec::new() }
    }

    /// Reports a difference at one key of the piece.
    pub(super) fn differs(&mut self, key: &'k str, kind: LossKind) {
        self.steps.push(Step::Key(key));
        self.record_loss(kind);
        self.steps.pop();
    }

    /// Compares data of one shape.
    pub(super) fn values(&mut self, original: &'k Value, rebuilt: &'k Value, shape: &Shape) {
        match (original, rebuilt, shape) {
            (Value::Object(a), Value::Object(b), Shape::Map(fields)) => self.maps(a, b, fields),
            (Value::Object(_), Value::Object(_), Shape::TextOr(inner)) => {
                self.values(original, rebuilt, inner)
            }
            (Value::Object(a), Value::Object(b), Shape::Open | Shape::OpenOf(_))
                if a.len().max(b.len()) <= MAX_KEYS =>
            {
                self.open_maps(a, b);
            }
            (Value::Array(a), Value::Array(b), Shape::List(inner)) if a.len() == b.len() => {
                for (at, (a, b)) in a.iter().zip(b).enumerate() {
                    self.steps.push(Step::Index(at));
                    self.values(a, b, inner);
                    self.steps.pop();
                }
            }
            _ if self.are_same(original, rebuilt) => {}
            _ => self.record_loss(LossKind::Changed),
        }
    }

    fn maps(&mut self, original: &'k Map<String, Value>, rebuilt: &'k Map<String, Value>, fields: &[Field]) {
        let parent = self.steps.iter().rev().find_map(|step| match step {
            Step::Key(key) => Some(*key),
            Step::Index(_) => None,
        });
        let field = |key: &str| fields.iter().find(|field| field.name == key);
        let has_value =
            |key: &str, value: &Value| !field(key).is_some_and(|field| is_nothing(key, value, field.shape));
        for (key, a) in original {
            let b = rebuilt.get(key).filter(|b| !b.is_null());
            self.steps.push(Step::Key(key));
            match (has_value(key, a), b) {
                // All of them, although the key is there.
                (true, Some(b)) if is_arguments(key) && !has_value(key, b) => {
                    self.record_loss(LossKind::Lost);
                }
                (true, Some(b)) => self.values(a, b, field(key).map_or(&Shape::Any, |field| field.shape)),
                (true, None) => self.record_loss(LossKind::Lost),
                (false, Some(b)) if has_value(key, b) && !follows(parent.unwrap_or(""), key) => {
                    self.record_loss(LossKind::Added);
                }
                (false, _) => {}
            }
            self.steps.pop();
        }
        for (key, b) in rebuilt {
            if !original.contains_key(key) && has_value(key, b) && !follows(parent.unwrap_or(""), key) {
                self.differs(key, LossKind::Added);
            }
        }
    }

    fn open_maps(&mut self, original: &'k Map<String, Value>, rebuilt: &'k Map<String, Value>) {
        for (key, a) in original {
            match rebuilt.get(key) {
                Some(b) if a == b => {}
                Some(_) => self.differs(key, LossKind::Changed),
                None => self.differs(key, LossKind::Lost),
            }
        }
        for key in rebuilt.keys().filter(|key| !original.contains_key(*key)) {
            self.differs(key, LossKind::Added);
        }
    }

    /// Whether two values are equal. Arguments may be data or its JSON text; two texts must be identical,
    /// since one is what the model wrote.
    fn are_same(&self, original: &Value, rebuilt: &Value) -> bool {
        let is_arguments = matches!(self.steps.last(), Some(Step::Key(key)) if is_arguments(key));
        match (original, rebuilt) {
            (Value::String(_), Value::String(_)) => original == rebuilt,
            (Value::String(text), data) | (data, Value::String(text)) if is_arguments => {
                json_text(text).is_some_and(|parsed| parsed == *data)
            }
            _ => original == rebuilt,
        }
    }

    fn record_loss(&mut self, kind: LossKind) {
        let mut path = self.piece.path.clone();
        let mut what = String::new();
        let mut owner = &self.piece.owner;
        let created = self.piece.created.clone().map(Owner::Message);
        let mut node = self.piece.node;
        for (at, step) in self.steps.iter().enumerate() {
            match step {
                Step::Key(key) => {
                    push_key(&mut path, key);
                    match &created {
                        Some(created) if at == 0 && *key == "message_created" && self.steps.len() > 1 => {
                            owner = created;
                        }
                        _ => push_key(&mut what, key),
                    }
                    node = node.and_then(|node| node.get(key)).or(node.filter(|_| kind == LossKind::Added));
                }
                Step::Index(index) => {
                    path.push_str(&format!("[{index}]"));
                    node = node.and_then(|node| node.items().get(*index));
                }
            }
        }
        let span = node.map_or(self.piece.span, |node| node.span);
        // The parts at the top level have no name of their own.
        let what = if matches!(owner, Owner::Document) { path.as_str() } else { what.as_str() };
        self.losses.push(Loss::new(kind, &path, span, owner, what));
    }
}

fn is_arguments(key: &str) -> bool {
    matches!(key, "arguments" | "parameters")
}

/// Appends a key to a path: `.key`, or `["a key"]` if it is not a word.
fn push_key(path: &mut String, key: &str) {
    let is_word = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '_');
    match (is_word, path.is_empty()) {
        (true, true) => path.push_str(key),
        (true, false) => path.extend([".", key]),
        (false, _) => path.push_str(&format!("[{}]", Value::from(key))),
    }
}
