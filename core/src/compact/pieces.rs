//! Compares the parts of a transcript with those of its compact form.

use serde_json::{Map, Value};

use super::compare::{Comparison, Piece};
use super::item_writer::Origin;
use super::loss::{Loss, LossKind, Owner};
use super::{is_carried, is_head};
use crate::model::{Message, Sent, Shape, State, TRANSCRIPT, Transcript, Turn, VERSION};
use crate::parse::{Kind, Node, detect};
use crate::text::{JsonMap, Span, json};
use crate::write;

/// Everything in which `rebuilt`, the expansion of the compact text, differs from the transcript.
pub(super) fn losses(
    transcript: &Transcript,
    source: Option<&Node>,
    origins: &[Origin],
    rebuilt: &Transcript,
) -> Vec<Loss> {
    let mut losses = Vec::new();
    let form = source.map(detect);
    top_level(transcript, source, rebuilt, &mut losses);
    let mut made = RebuiltItems::new(rebuilt, origins);
    let store = shape(shape(&TRANSCRIPT, "initial_state"), "message_store");
    let nodes = source.and_then(|root| root.get("initial_state")?.get("message_store"));
    for (at, message) in transcript.initial.iter().enumerate() {
        let node = nodes.and_then(|nodes| nodes.items().get(at));
        let piece = Piece {
            path: format!("initial_state.message_store[{at}]"),
            owner: Owner::Message(message.id.value.clone()),
            node,
            span: node.map_or(message.span, |node| node.span),
            created: None,
        };
        match made.take(Origin::Initial(at)) {
            Some(RebuiltItem::Initial(built)) => {
                let original = node.map_or_else(|| data(message), Node::to_value);
                Comparison::new(&piece, &mut losses).values(&original, &data(built), item_of(store));
            }
            _ => losses.push(Loss::whole(&piece.path, piece.span, piece.owner)),
        }
    }
    let mut state = State::initial(transcript);
    let nodes = source.and_then(|root| root.get("execution"));
    for (at, turn) in transcript.turns.iter().enumerate() {
        let node = nodes.and_then(|nodes| nodes.items().get(at));
        let piece = Piece {
            path: format!("execution[{at}]"),
            owner: Owner::Turn(at + 1),
            node,
            span: node.map_or(turn.span, |node| node.span),
            created: turn.created.as_ref().map(|created| created.id.value.clone()),
        };
        match made.take(Origin::Turn(at)) {
            Some(RebuiltItem::Turn(built)) => {
                let original = match node {
                    Some(node) if form == Some(Kind::Partial) => {
                        write::completed_turn(&node.to_value(), turn)
                    }
                    Some(node) => node.to_value(),
                    None => bare(turn),
                };
                compare_turns(&piece, (turn, original), built, &state, &mut losses);
            }
            _ => losses.push(Loss::whole(&piece.path, piece.span, piece.owner)),
        }
        state.apply(turn);
    }
    end(transcript, source, rebuilt, &mut losses);
    losses
}

/// The messages and turns from the items of the compact text, in order.
struct RebuiltItems<'r> {
    rebuilt: &'r Transcript,
    origins: &'r [Origin],
    next: usize,
}

enum RebuiltItem<'r> {
    Initial(&'r Message),
    Turn(&'r Turn),
}

impl<'r> RebuiltItems<'r> {
    /// If an item could not be read, it is not known which; then there is no match.
    fn new(rebuilt: &'r Transcript, origins: &'r [Origin]) -> Self {
        let is_whole = rebuilt.initial.len() + rebuilt.turns.len() == origins.len();
        Self { rebuilt, origins: if is_whole { origins } else { &[] }, next: 0 }
    }

    fn take(&mut self, origin: Origin) -> Option<RebuiltItem<'r>> {
        self.origins.get(self.next).filter(|next| **next == origin)?;
        let at = self.next;
        self.next += 1;
        match self.rebuilt.initial.get(at) {
            Some(message) => Some(RebuiltItem::Initial(message)),
            None => {
                self.rebuilt.turns.get(at.checked_sub(self.rebuilt.initial.len())?).map(RebuiltItem::Turn)
            }
        }
    }
}

fn compare_turns(
    piece: &Piece<'_>,
    (turn, mut original): (&Turn, Value),
    built: &Turn,
    state: &State,
    losses: &mut Vec<Loss>,
) {
    const SENT: &str = "messages_sent_to_llm";
    let sent = original.as_object_mut().and_then(|entries| entries.shift_remove(SENT));
    let sent = sent.filter(|sent| !sent.is_null());
    let rebuilt = bare(built);
    let mut comparison = Comparison::new(piece, losses);
    let kind = match (&turn.sent, &built.sent) {
        (Sent::Visible, Sent::Visible) => None,
        (Sent::Unrecorded, Sent::Unrecorded) if sent.is_none() => None,
        (_, Sent::Visible) => match &sent {
            None => Some(LossKind::Added),
            Some(sent) => (!is_all_visible(sent, state)).then_some(LossKind::Changed),
        },
        _ => Some(LossKind::Lost),
    };
    if let Some(kind) = kind {
        comparison.differs(SENT, kind);
    }
    comparison.values(&original, &rebuilt, item_of(shape(&TRANSCRIPT, "execution")));
}

/// Whether a list of sent messages is exactly that of the visible ones.
fn is_all_visible(sent: &Value, state: &State) -> bool {
    let Value::Array(items) = sent else { return false };
    let id = |item: &Value| match item {
        Value::Object(entries) if entries.len() == 1 => entries.get("ref").is_some_and(Value::is_string),
        other => other.is_string(),
    };
    items.len() == state.visible_count()
        && items
            .iter()
            .zip(state.visible())
            .all(|(item, visible)| id(item) && item.get("ref").unwrap_or(item).as_str() == Some(&**visible))
}

/// A turn as data, without what the model was sent.
fn bare(turn: &Turn) -> Value {
    let mut value = write::turn(turn, std::iter::empty());
    if let (Value::Object(entries), Sent::Visible) = (&mut value, &turn.sent) {
        entries.shift_remove("messages_sent_to_llm");
    }
    value
}

fn data(message: &Message) -> Value {
    write::stored_message(message)
}

fn top_level(transcript: &Transcript, source: Option<&Node>, rebuilt: &Transcript, losses: &mut Vec<Loss>) {
    let is_partial = source.is_some_and(|root| detect(root) == Kind::Partial);
    let mut compare = |key: &str, original: &Value, rebuilt: &Value, shape: &Shape| {
        let node = source.and_then(|root| key.split('.').try_fold(root, |node, key| node.get(key)));
        let span = node.or(source).map_or(Span::empty(0), |node| node.span);
        let piece = Piece { path: key.to_owned(), owner: Owner::Document, node, span, created: None };
        Comparison::new(&piece, losses).values(original, rebuilt, shape);
    };
    let known = |key: &str, typed: &Map<String, Value>| match source {
        // The extra keys at the top level of a partial document are metadata.
        Some(_) if key == "metadata" && is_partial => Value::Object(typed.clone()),
        Some(root) => {
            root.get(key).map(Node::to_value).filter(|own| !own.is_null()).unwrap_or_else(|| json!({}))
        }
        None => Value::Object(typed.clone()),
    };
    for (key, typed, built) in [
        ("metadata", &transcript.metadata, &rebuilt.metadata),
        ("agent_config", &transcript.config, &rebuilt.config),
    ] {
        compare(key, &known(key, typed), &Value::Object(built.clone()), shape(&TRANSCRIPT, key));
    }
    let state = source.and_then(|root| root.get("initial_state")).map(Node::to_value);
    let mut state = state.unwrap_or_else(|| json!({ "context": transcript.context }));
    if let Some(entries) = state.as_object_mut().filter(|_| source.is_some()) {
        entries.shift_remove("message_store");
    }
    let built = json!({ "context": rebuilt.context });
    compare("initial_state", &state, &built, shape(&TRANSCRIPT, "initial_state"));
    let Some(root) = source else {
        compare("", &json!(transcript.extra), &json!(rebuilt.extra), &Shape::Open);
        return;
    };
    let mut rest = Map::new();
    for entry in root.entries() {
        let key: &str = &entry.key.text;
        let is_moved = is_partial && transcript.metadata.get(key) == Some(&entry.value.to_value());
        let is_head = is_head(key) || key == "messages";
        if is_carried(key) || (is_head && !is_moved && !entry.value.is_null()) {
            rest.put(key, entry.value.to_value());
        }
    }
    compare("", &Value::Object(rest), &json!(rebuilt.extra), &Shape::Open);
    if root.present("version").is_some_and(|version| version.as_str() != Some(VERSION)) {
        compare("version", &Value::Null, &VERSION.into(), &Shape::Text);
    }
    if root
        .get("execution")
        .is_some_and(|turns| !turns.is_null() && turns.items().len() != transcript.turns.len())
    {
        compare("execution", &Value::Null, &json!([]), &Shape::Any);
    }
}

/// The final state: what is not stated there follows from the run.
fn end(transcript: &Transcript, source: Option<&Node>, rebuilt: &Transcript, losses: &mut Vec<Loss>) {
    let mut state = State::initial(rebuilt);
    for turn in &rebuilt.turns {
        state.apply(turn);
    }
    let assertions = |transcript: &Transcript| -> Vec<Value> {
        let all = transcript.end.iter().flat_map(|end| &end.assertions);
        all.map(|assertion| Value::Object(assertion.data.clone())).collect()
    };
    let node = source.and_then(|root| root.present("final_state"));
    let mut original = match (node, source) {
        (Some(node), _) => node.to_value(),
        (None, Some(_)) => json!({}),
        (None, None) => json!({ "assertions": assertions(transcript) }),
    };
    let piece = Piece {
        path: "final_state".to_owned(),
        owner: Owner::Document,
        node,
        span: node.or(source).map_or(Span::empty(0), |node| node.span),
        created: None,
    };
    let mut built = json!({ "assertions": assertions(rebuilt) });
    let mut comparison = Comparison::new(&piece, losses);
    if let (Value::Object(original), Value::Object(built)) = (&mut original, &mut built) {
        if original.get("context").is_some_and(|stated| !stated.is_null()) {
            built.put("context", json!(state.context()));
        }
        let ids: [(&'static str, Vec<&str>); 2] = [
            ("message_store", state.store().iter().map(|(id, _)| &**id).collect()),
            ("visible_messages", state.visible().map(|id| &**id).collect()),
        ];
        for (key, ids) in ids {
            let Some(stated) = original.shift_remove(key).filter(|stated| !stated.is_null()) else {
                continue;
            };
            let is_same = stated.as_array().is_some_and(|stated| {
                stated.len() == ids.len() && stated.iter().zip(&ids).all(|(item, id)| names(item, id))
            });
            if !is_same {
                comparison.differs(key, LossKind::Changed);
            }
        }
    }
    comparison.values(&original, &built, shape(&TRANSCRIPT, "final_state"));
}

/// Whether an item of a list of messages is only the id.
fn names(item: &Value, id: &str) -> bool {
    let named = match item {
        Value::Object(entries) if entries.len() == 1 => entries.get("ref").or(entries.get("id")),
        other => Some(other),
    };
    named.and_then(Value::as_str) == Some(id)
}

/// The shape of a key.
fn shape(of: &'static Shape, key: &str) -> &'static Shape {
    match of {
        Shape::Map(fields) => {
            fields.iter().find(|field| field.name == key).map_or(&Shape::Any, |field| field.shape)
        }
        _ => &Shape::Any,
    }
}

/// The shape of the items of a list.
fn item_of(list: &'static Shape) -> &'static Shape {
    match list {
        Shape::List(inner) => inner,
        _ => &Shape::Any,
    }
}
