//! The tree of a full or partial transcript as typed data.
//!
//! Reading is lenient: the rules report values of the wrong kind, which are ignored here.

use crate::text::{JsonMap, Table};
mod handlers;
mod link;
mod message;
mod turn;

use std::sync::Arc;

use serde_json::{Map, Value};

pub use self::handlers::handlers;
pub(crate) use self::handlers::{condition, response};
pub use self::link::{FileError, FileRun, Files, HELP_NOT_PROVIDED, link, named_files, resolve_path};

use self::message::message;
use super::{Data, Entry, Key, Node};
use crate::model::{
    Agent, Assertion, Content, FinalState, Message, Spanned, Text, Transcript, UnknownKeys, message_id,
};

/// The ids that a reader makes up for messages without one.
///
/// They depend on the position alone: `msg_001` is the first message of the document, whether or
/// not the messages before the requested one have ids of their own.
#[derive(Debug, Default)]
pub struct Ids {
    messages: usize,
}

impl Ids {
    /// Counts one more message and returns the id of its position.
    pub fn next_message(&mut self) -> Text {
        self.messages += 1;
        message_id(self.messages).into()
    }
}

/// How much a document leaves to be filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// The document is complete: a turn without `message_created` created no message.
    Nothing,
    /// A partial document: every turn creates the message that its answer or result calls for.
    CreatedMessages,
}

/// Reads a full or partial transcript.
///
/// ```
/// use transcript_core::parse::{Limits, parse, read};
/// let parsed = parse("version: '1.0'\nexecution: [{turn: 1, type: llm_call}]", &Limits::default());
/// let transcript = read::transcript(&parsed.root.unwrap(), read::Fill::Nothing);
/// assert_eq!(transcript.turns.len(), 1);
/// ```
#[must_use]
pub fn transcript(root: &Node, fill: Fill) -> Transcript {
    let mut ids = Ids::default();
    let mut metadata = root.get("metadata").map(Node::to_map).unwrap_or_default();
    for key in ["name", "description", "tags", "author"] {
        if let (Some(node), false) = (root.present(key), metadata.contains_key(key)) {
            metadata.put(key, node.to_value());
        }
    }
    let state = root.get("initial_state");
    let initial = list(state, "message_store").iter().map(|node| message(node, &mut ids)).collect();
    let agents = entries(root, "agents")
        .map(|entry| (spanned_key(&entry.key), agent(&entry.value, &mut ids)))
        .collect();
    let turns = list(Some(root), "execution").iter().map(|node| turn::turn(node, fill, &mut ids)).collect();
    Transcript {
        metadata,
        config: map(Some(root), "agent_config"),
        context: map(state, "context"),
        initial,
        initial_rest: state.map(|state| rest(state, &["context", "message_store"])).unwrap_or_default(),
        agents,
        turns,
        end: root.present("final_state").map(final_state),
        nested: nested_runs(root),
        extra: extra(root),
    }
}

/// The runs under `nested` of a document of any kind, by their ids.
#[must_use]
pub fn nested_runs(root: &Node) -> Vec<(Spanned<Text>, Arc<Transcript>)> {
    entries(root, "nested").map(|entry| (spanned_key(&entry.key), nested(&entry.value))).collect()
}

/// A run inside a document, whose `node` is a map: partial unless it is marked as whole.
#[must_use]
pub fn nested(node: &Node) -> Arc<Transcript> {
    let fill = if node.get("version").is_some() { Fill::Nothing } else { Fill::CreatedMessages };
    Arc::new(transcript(node, fill))
}

/// Top-level keys outside of the run. The content of blobs is in its places already.
fn extra(root: &Node) -> Map<String, Value> {
    const KNOWN: [&str; 11] = [
        "version",
        "name",
        "description",
        "tags",
        "author",
        "metadata",
        "agent_config",
        "initial_state",
        "agents",
        "nested",
        "execution",
    ];
    let is_extra = |key: &str| !KNOWN.contains(&key) && key != "final_state";
    let extra = root.entries().iter().filter(|entry| is_extra(&entry.key.text));
    extra.map(|entry| (entry.key.text.to_string(), entry.value.to_value())).collect()
}

fn agent(node: &Node, ids: &mut Ids) -> Agent {
    let open = |key: &str| node.get(key).filter(|node| node.is_map()).map(Node::to_map);
    let seq = |key: &str| node.get(key).filter(|node| matches!(node.data, Data::Seq(_)));
    Agent {
        config: open("config"),
        context: open("context"),
        tools: seq("tools").map(|tools| tools.items().iter().map(Node::to_value).collect()),
        store: seq("message_store")
            .map(|store| store.items().iter().map(|node| message(node, ids)).collect()),
        rest: rest(node, &["config", "context", "tools", "message_store"]),
    }
}

fn final_state(node: &Node) -> FinalState {
    let named = |item: &Node| spanned_text(item.present("ref").or(item.present("id")).unwrap_or(item));
    let mut store = Vec::new();
    let (mut whole, mut reference_rest) = (Table::new(), Table::new());
    for item in list(Some(node), "message_store") {
        if item.present("ref").is_none() && is_message(item) {
            // A message without an id is the one of its position.
            let message = message(item, &mut Ids { messages: store.len() });
            store.push(message.id.clone());
            whole.insert(store.len() - 1, message);
        } else if let Some(id) = named(item) {
            let rest = rest(item, &[if item.present("ref").is_some() { "ref" } else { "id" }]);
            if !rest.is_empty() {
                reference_rest.insert(store.len(), rest);
            }
            store.push(id);
        }
    }
    FinalState {
        context: node.present("context").map(Node::to_map),
        store,
        whole,
        reference_rest,
        visible: node.present("visible_messages").map(|list| list.items().iter().filter_map(named).collect()),
        assertions: list(Some(node), "assertions").iter().map(assertion).collect(),
        rest: rest(node, &["context", "message_store", "visible_messages", "assertions"]),
    }
}

/// Reads one assertion.
#[must_use]
pub fn assertion(node: &Node) -> Assertion {
    Assertion {
        data: node.to_map(),
        message: node.present("message").and_then(spanned_text),
        span: node.span,
    }
}

/// The text of a node with its place; a number counts as its digits, as in ids.
pub(crate) fn spanned_text(node: &Node) -> Option<Spanned<Text>> {
    let value = match &node.data {
        Data::Str(text) => text.clone(),
        Data::Number(number) => number.to_string().into(),
        _ => return None,
    };
    Some(Spanned { value, span: node.span })
}

/// The content of a message or an answer; `None` when the node is absent or null.
pub(crate) fn content(node: Option<&Node>) -> Option<Content> {
    let node = node.filter(|node| !node.is_null())?;
    Some(match node.text() {
        Some(text) => Content::Text(text.clone()),
        None => Content::Data(node.to_value()),
    })
}

/// The text of a key of a map, unless it is absent or null.
fn text_of(node: &Node, key: &str) -> Option<Text> {
    node.present(key).and_then(spanned_text).map(|text| text.value)
}

fn spanned_key(key: &Key) -> Spanned<Text> {
    Spanned { value: key.text.clone(), span: key.span }
}

/// The entries of a map except the known ones.
fn rest(node: &Node, known: &[&str]) -> UnknownKeys {
    let mut rest = UnknownKeys::default();
    for entry in node.entries() {
        if !known.contains(&&*entry.key.text) {
            rest.insert(&*entry.key.text, entry.value.to_value());
        }
    }
    rest
}

fn list<'n>(node: Option<&'n Node>, key: &str) -> &'n [Node] {
    node.and_then(|node| node.get(key)).map(Node::items).unwrap_or_default()
}

fn entries<'n>(node: &'n Node, key: &str) -> impl Iterator<Item = &'n Entry> {
    node.get(key).map(Node::entries).unwrap_or_default().iter()
}

fn map(node: Option<&Node>, key: &str) -> Map<String, Value> {
    node.and_then(|node| node.get(key)).map(Node::to_map).unwrap_or_default()
}

/// Whether the node contains anything that counts as a message.
fn is_message(node: &Node) -> bool {
    node.present("role").is_some()
}

/// Reads a message outside the store, without counting it.
fn inline(node: &Node) -> Message {
    message(node, &mut Ids::default())
}
