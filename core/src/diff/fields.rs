//! The comparison of two values, field by field.

use serde_json::{Map, Value};

use super::align::align;
use super::hash::{DATA_KEYS, hash_value};
use super::ids::IdPairs;
use super::ignore::{ID_KEYS, Ignored, Ignores, Options, Segment};
use super::prepare::Unit;
use super::words::parts;
use super::{Change, ChangeKind, Row};
use crate::parse::Node;
use crate::text::Span;

/// A value and its place, as near as is known.
#[derive(Clone, Copy)]
pub(super) struct Located<'v> {
    value: &'v Value,
    node: Option<&'v Node>,
    span: Option<Span>,
}

impl<'v> Located<'v> {
    pub(super) fn new(value: &'v Value, node: Option<&'v Node>) -> Self {
        Self { value, node, span: node.map(|node| node.span) }
    }

    fn from_unit(unit: &'v Unit<'_>) -> Self {
        Self { value: &unit.value, node: unit.node, span: Some(unit.span) }
    }

    fn key(self, key: &str, value: &'v Value) -> Self {
        let node = self.node.and_then(|node| node.get(key));
        Self { value, node, span: node.map(|node| node.span).or(self.span) }
    }

    fn item(self, at: usize, value: &'v Value) -> Self {
        let node = self.node.and_then(|node| node.items().get(at));
        Self { value, node, span: node.map(|node| node.span).or(self.span) }
    }
}

/// The walk through both sides and its findings.
pub(super) struct Walker {
    pub ids: IdPairs,
    pub steps: (Option<usize>, Option<usize>),
    pub changes: Vec<Change>,
    ignores: Ignores,
    path: Vec<Segment>,
    /// The length of the path at which data of tools or users begins.
    data: Option<usize>,
}

impl Walker {
    pub(super) fn new(options: &Options) -> Self {
        Self {
            ids: IdPairs::new(options.literal_ids),
            steps: (None, None),
            changes: Vec::new(),
            ignores: Ignores::new(options),
            path: Vec::new(),
            data: None,
        }
    }

    pub(super) fn finish(self) -> (Vec<Change>, Vec<Ignored>) {
        (self.changes, self.ignores.report())
    }

    pub(super) fn enter(&mut self, key: &str) {
        self.path.push(Segment::Key(key.to_owned()));
    }

    pub(super) fn enter_index(&mut self, index: usize) {
        self.path.push(Segment::Index(index));
    }

    pub(super) fn leave(&mut self) {
        self.path.pop();
        if self.data.is_some_and(|data| data > self.path.len()) {
            self.data = None;
        }
    }

    /// Compares the contexts of two states.
    pub(super) fn context(
        &mut self,
        left: &Map<String, Value>,
        right: &Map<String, Value>,
        left_node: Option<&Node>,
        right_node: Option<&Node>,
    ) {
        let (left, right) = (Value::Object(left.clone()), Value::Object(right.clone()));
        self.enter("context");
        self.data = Some(self.path.len());
        self.compare(Located::new(&left, left_node), Located::new(&right, right_node));
        self.leave();
    }

    /// Compares one row of turns or messages; returns whether they are equal.
    pub(super) fn unit(&mut self, row: &Row, left: &[Unit<'_>], right: &[Unit<'_>]) -> bool {
        let before = self.changes.len();
        let (a, b) = (row.0.and_then(|at| left.get(at)), row.1.and_then(|at| right.get(at)));
        self.path.push(Segment::Index(row.0.or(row.1).unwrap_or(0)));
        match (a, b) {
            (Some(a), Some(b)) => self.compare(Located::from_unit(a), Located::from_unit(b)),
            (a, b) => self.emit(a.map(Located::from_unit), b.map(Located::from_unit)),
        }
        self.leave();
        self.changes.len() == before
    }

    /// Compares two values at the path that was entered.
    pub(super) fn compare(&mut self, left: Located<'_>, right: Located<'_>) {
        match (left.value, right.value) {
            (Value::Object(a), Value::Object(b)) => self.maps(left, right, a, b),
            (Value::Array(a), Value::Array(b)) => self.lists(left, right, a, b),
            (Value::String(a), Value::String(b)) if self.is_same_id(a, b) => {}
            (Value::Number(a), Value::Number(b)) if a.as_f64() == b.as_f64() => {}
            (a, b) if a == b => {}
            _ => self.emit(Some(left), Some(right)),
        }
    }

    fn is_same_id(&self, left: &str, right: &str) -> bool {
        let Some(Segment::Key(key)) = self.path.last().filter(|_| self.data.is_none()) else {
            return left == right;
        };
        if !ID_KEYS.contains(&key.as_str()) {
            return left == right;
        }
        let in_call = |step: &Segment| matches!(step, Segment::Key(key) if matches!(key.as_str(), "tool_calls" | "tool_call" | "tool_call_id"));
        if self.path.iter().any(in_call) {
            self.ids.same_call(left, right)
        } else {
            self.ids.same_message(left, right)
        }
    }

    fn maps(
        &mut self,
        left: Located<'_>,
        right: Located<'_>,
        a: &Map<String, Value>,
        b: &Map<String, Value>,
    ) {
        let is_visibility =
            self.data.is_none() && matches!(self.path.last(), Some(Segment::Key(key)) if key == "visible");
        if is_visibility {
            let renamed: Map<String, Value> = a
                .iter()
                .map(|(id, shown)| {
                    let other = b.keys().find(|other| self.ids.same_message(id, other));
                    (other.unwrap_or(id).clone(), shown.clone())
                })
                .collect();
            if renamed != *b {
                self.emit(Some(left), Some(right));
            }
            return;
        }
        let is_data = self.data.is_some();
        let present = move |value: &&Value| is_data || !value.is_null();
        for (key, value) in a.iter().filter(|(_, value)| present(value)) {
            self.enter_field(key);
            let at = left.key(key, value);
            match b.get(key).filter(present) {
                Some(other) => self.compare(at, right.key(key, other)),
                None => self.emit(Some(at), None),
            }
            self.leave();
        }
        for (key, value) in b.iter().filter(|(_, value)| present(value)) {
            if a.get(key).filter(present).is_none() {
                self.enter_field(key);
                self.emit(None, Some(right.key(key, value)));
                self.leave();
            }
        }
    }

    fn enter_field(&mut self, key: &str) {
        self.enter(key);
        if self.data.is_none() && DATA_KEYS.contains(&key) {
            self.data = Some(self.path.len());
        }
    }

    /// Items that are equal belong together; between them, the first with the first.
    fn lists(&mut self, left: Located<'_>, right: Located<'_>, a: &[Value], b: &[Value]) {
        let is_data = self.data.is_some();
        let hashes =
            |items: &[Value]| items.iter().map(|item| hash_value(item, is_data)).collect::<Vec<u64>>();
        let (mut from_a, mut from_b) = (0, 0);
        for (to_a, to_b) in align(&hashes(a), &hashes(b)).into_iter().chain([(a.len(), b.len())]) {
            for far in 0..(to_a - from_a).max(to_b - from_b) {
                let at = |list: &[Value], from: usize, to: usize| {
                    (from + far < to).then_some(from + far).filter(|at| *at < list.len())
                };
                self.items(left, right, at(a, from_a, to_a), at(b, from_b, to_b), a, b);
            }
            if to_a < a.len() {
                self.items(left, right, Some(to_a), Some(to_b), a, b);
            }
            (from_a, from_b) = (to_a + 1, to_b + 1);
        }
    }

    fn items(
        &mut self,
        left: Located<'_>,
        right: Located<'_>,
        a: Option<usize>,
        b: Option<usize>,
        left_items: &[Value],
        right_items: &[Value],
    ) {
        let at_left = a.and_then(|at| Some(left.item(at, left_items.get(at)?)));
        let at_right = b.and_then(|at| Some(right.item(at, right_items.get(at)?)));
        self.path.push(Segment::Index(a.or(b).unwrap_or(0)));
        match (at_left, at_right) {
            (Some(left), Some(right)) => self.compare(left, right),
            (left, right) => self.emit(left, right),
        }
        self.leave();
    }

    /// Notes a difference at the path, unless it is ignored.
    fn emit(&mut self, left: Option<Located<'_>>, right: Option<Located<'_>>) {
        let value = |at: Option<Located<'_>>| at.map(|at| at.value.clone());
        let span = |at: Option<Located<'_>>| at.and_then(|at| at.span);
        self.note(value(left), value(right), span(left), span(right));
    }

    /// Notes a difference at the path, unless it is ignored.
    pub(super) fn note(
        &mut self,
        left: Option<Value>,
        right: Option<Value>,
        left_span: Option<Span>,
        right_span: Option<Span>,
    ) {
        if self.ignores.covers(&self.path, self.data) {
            return;
        }
        let kind = match (&left, &right) {
            (Some(_), Some(_)) => ChangeKind::Changed,
            (Some(_), None) => ChangeKind::Removed,
            _ => ChangeKind::Added,
        };
        let text = match (&left, &right) {
            (Some(Value::String(a)), Some(Value::String(b))) => parts(a, b),
            _ => Vec::new(),
        };
        let (left_step, right_step) = self.steps;
        let path = render_path(&self.path);
        let change = Change { path, kind, left, right, left_step, right_step, left_span, right_span, text };
        self.changes.push(change);
    }

    /// Drops from the changes since `from` those of the created message that repeat an earlier one.
    pub(super) fn drop_echoes(&mut self, from: usize) {
        let mut since = self.changes.split_off(from.min(self.changes.len()));
        let mut kept: Vec<Change> = Vec::with_capacity(since.len());
        for change in since.drain(..) {
            let echo = change.kind == ChangeKind::Changed
                && change.path.contains("].message_created.")
                && kept.iter().any(|other| {
                    !other.path.contains("].message_created.")
                        && (&other.left, &other.right) == (&change.left, &change.right)
                });
            if !echo {
                kept.push(change);
            }
        }
        self.changes.append(&mut kept);
    }
}

/// A path as people write it.
fn render_path(path: &[Segment]) -> String {
    let mut out = String::new();
    for step in path {
        match step {
            Segment::Index(index) => out.push_str(&format!("[{index}]")),
            Segment::Key(key) => {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(key);
            }
        }
    }
    out
}
