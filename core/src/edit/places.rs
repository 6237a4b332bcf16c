//! Where a document refers to its messages and calls.

use super::op::{Part, Path, join};
use crate::expand::CompactLine;
use crate::model::{ROLES, message_id};
use crate::parse::{Kind, Node};

/// One message of a document.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub id: String,
    /// Whether the id is written, or follows from the position.
    pub has_id: bool,
    /// The path of the message.
    pub path: Path,
    /// Whether it is written there, or filled in there.
    pub written: bool,
    /// The step that makes it; 0 is the initial store. In a compact document, the number of the item.
    pub step: usize,
}

/// One place that names a message or a call.
#[derive(Clone, Debug)]
pub(super) struct IdReference {
    pub id: String,
    pub what: ReferenceKind,
    /// The path of the id: a value, or a key.
    pub path: Path,
    /// What is removed with the message.
    pub whole: Path,
    pub form: ReferenceForm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReferenceKind {
    Message,
    Call,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReferenceForm {
    Value,
    Key,
    /// `#id` in a compact `tool:` line.
    Shorthand,
}

/// An id as written; a number counts as its digits.
pub(super) fn id_of(node: &Node) -> Option<String> {
    crate::parse::read::spanned_text(node).map(|id| id.value.to_string())
}

/// The messages of the document in order.
pub(super) fn members(root: &Node, kind: Kind) -> Vec<Member> {
    let mut found = Vec::new();
    let mut push = |node: Option<&Node>, path: Path, step: usize| {
        let id = node.and_then(|node| node.present("id")).and_then(id_of);
        let made_up = message_id(found.len() + 1);
        let (has_id, written) = (id.is_some(), node.is_some());
        found.push(Member { id: id.unwrap_or(made_up), has_id, path, written, step });
    };
    if kind == Kind::Compact {
        for (index, item) in items(root.get("messages")).iter().enumerate() {
            let main = item.entries().iter().map(|entry| &*entry.key.text);
            let other =
                main.clone().any(|key| matches!(key, "context" | "unset" | "expect" | "hide" | "show"));
            if other && !item.entries().iter().any(|entry| ROLES.contains(&&*entry.key.text)) {
                continue;
            }
            // The `id` of a tool's answer is that of its call.
            let names_itself = !item.entries().iter().any(|entry| &*entry.key.text == "tool");
            let path = vec!["messages".into(), index.into()];
            push(Some(item).filter(|_| names_itself), path, index);
        }
        for member in &mut found {
            member.written = true;
        }
        return found;
    }
    for (index, message) in
        items(root.get("initial_state").and_then(|state| state.get("message_store"))).iter().enumerate()
    {
        push(Some(message), vec!["initial_state".into(), "message_store".into(), index.into()], 0);
    }
    for (store, message) in agent_messages(root) {
        push(Some(message), store, 0);
    }
    for (index, turn) in items(root.get("execution")).iter().enumerate() {
        let path = vec!["execution".into(), index.into(), "message_created".into()];
        let created = turn.present("message_created");
        let filled = kind == Kind::Partial
            && ["llm_response", "tool_call"].iter().any(|key| turn.present(key).is_some());
        if created.is_some() || filled {
            push(created, path, index + 1);
        }
    }
    found
}

/// The initial messages of agents, and their places.
fn agent_messages(root: &Node) -> impl Iterator<Item = (Path, &Node)> {
    let agents = root.get("agents").map(Node::entries).unwrap_or_default();
    agents.iter().flat_map(|agent| {
        let path = vec!["agents".into(), Part::Key(agent.key.text.to_string()), "message_store".into()];
        let messages = items(agent.value.get("message_store")).iter().enumerate();
        messages.map(move |(index, message)| (join(&path, index), message))
    })
}

pub(super) fn items(node: Option<&Node>) -> &[Node] {
    node.map(Node::items).unwrap_or_default()
}

/// Every place that names a message or a call.
pub(super) fn id_references(root: &Node, kind: Kind) -> Vec<IdReference> {
    let mut found = Found { named: Vec::new() };
    if kind == Kind::Compact {
        found.compact(root);
        return found.named;
    }
    if let Some(state) = root.get("initial_state") {
        let path = vec!["initial_state".into(), "message_store".into()];
        for (index, message) in items(state.get("message_store")).iter().enumerate() {
            found.message(message, join(&path, index));
        }
    }
    for (path, message) in agent_messages(root) {
        found.message(message, path);
    }
    for (index, turn) in items(root.get("execution")).iter().enumerate() {
        found.turn(turn, vec!["execution".into(), index.into()]);
    }
    if let Some(end) = root.get("final_state") {
        let path: Path = vec!["final_state".into()];
        for list in ["message_store", "visible_messages"] {
            let path = join(&path, list);
            for (index, item) in items(end.get(list)).iter().enumerate() {
                found.reference(item, join(&path, index), &["ref", "id"]);
            }
        }
        found.assertions(end.get("assertions"), &join(&path, "assertions"));
    }
    found.named
}

struct Found {
    named: Vec<IdReference>,
}

impl Found {
    fn push(
        &mut self,
        what: ReferenceKind,
        node: Option<&Node>,
        path: Path,
        whole: &Path,
        form: ReferenceForm,
    ) {
        if let Some(id) = node.and_then(id_of) {
            self.named.push(IdReference { id, what, path, whole: whole.clone(), form });
        }
    }

    /// An item that names a message: a text, or a map with one of `keys`.
    fn reference(&mut self, item: &Node, path: Path, keys: &[&str]) {
        if !item.is_map() {
            return self.push(ReferenceKind::Message, Some(item), path.clone(), &path, ReferenceForm::Value);
        }
        if let Some(key) = keys.iter().find(|key| item.present(key).is_some()) {
            self.push(ReferenceKind::Message, item.get(key), join(&path, *key), &path, ReferenceForm::Value);
        }
    }

    fn call(&mut self, node: &Node, key: &str, path: &Path) {
        let path = join(path, key);
        self.push(ReferenceKind::Call, node.get(key), path.clone(), &path, ReferenceForm::Value);
    }

    fn calls(&mut self, node: &Node, path: &Path) {
        let path = join(path, "tool_calls");
        for (index, call) in items(node.get("tool_calls")).iter().enumerate() {
            self.call(call, "id", &join(&path, index));
        }
    }

    fn message(&mut self, message: &Node, path: Path) {
        self.calls(message, &path);
        self.call(message, "tool_call_id", &path);
        if let Some(response) = message.get("tool_response") {
            self.call(response, "tool_call_id", &join(&path, "tool_response"));
        }
    }

    fn turn(&mut self, turn: &Node, path: Path) {
        let sent = join(&path, "messages_sent_to_llm");
        for (index, item) in items(turn.get("messages_sent_to_llm")).iter().enumerate() {
            let path = join(&sent, index);
            self.reference(item, path.clone(), &["ref"]);
            if item.is_map() {
                self.message(item, path);
            }
        }
        if let Some(response) = turn.get("llm_response") {
            self.calls(response, &join(&path, "llm_response"));
        }
        if let Some(tool) = turn.get("tool_call") {
            self.call(tool, "id", &join(&path, "tool_call"));
        }
        if let Some(created) = turn.get("message_created") {
            self.message(created, join(&path, "message_created"));
        }
        let visible = turn.get("state_changes").and_then(|changes| changes.get("visible"));
        let path = join(&join(&path, "state_changes"), "visible");
        for entry in visible.map(Node::entries).unwrap_or_default() {
            let id = entry.key.text.to_string();
            let path = join(&path, Part::Key(id.clone()));
            let whole = path.clone();
            self.named.push(IdReference {
                id,
                what: ReferenceKind::Message,
                path,
                whole,
                form: ReferenceForm::Key,
            });
        }
    }

    /// Assertions in full, or in short: the message may be next to the one word or below it.
    fn assertions(&mut self, node: Option<&Node>, path: &Path) {
        for (index, item) in items(node).iter().enumerate() {
            self.assertion(item, &join(path, index));
        }
    }

    fn assertion(&mut self, item: &Node, whole: &Path) {
        self.push(
            ReferenceKind::Message,
            item.present("message"),
            join(whole, "message"),
            whole,
            ReferenceForm::Value,
        );
        for entry in item.entries().iter().filter(|entry| entry.value.is_map()) {
            let path = join(&join(whole, &*entry.key.text), "message");
            self.push(
                ReferenceKind::Message,
                entry.value.present("message"),
                path,
                whole,
                ReferenceForm::Value,
            );
        }
    }

    fn compact(&mut self, root: &Node) {
        let list: Path = vec!["messages".into()];
        for (index, item) in items(root.get("messages")).iter().enumerate() {
            let path = join(&list, index);
            let tool = item.as_str().and_then(|text| CompactLine::new(text).tool);
            if let Some(id) = tool.and_then(|tool| tool.id) {
                let (what, whole) = (ReferenceKind::Call, path.clone());
                self.named.push(IdReference {
                    id: id.text.to_owned(),
                    what,
                    path,
                    whole,
                    form: ReferenceForm::Shorthand,
                });
                continue;
            }
            for key in ["hide", "show"] {
                let Some(ids) = item.present(key) else { continue };
                let below = join(&path, key);
                self.push(ReferenceKind::Message, Some(ids), below.clone(), &path, ReferenceForm::Value);
                for (number, id) in ids.items().iter().enumerate() {
                    let whole = join(&below, number);
                    let alone = ids.items().len() == 1;
                    self.push(
                        ReferenceKind::Message,
                        Some(id),
                        whole.clone(),
                        if alone { &path } else { &whole },
                        ReferenceForm::Value,
                    );
                }
            }
            if item.present("tool").is_some() {
                self.call(item, "id", &path);
            }
            if let Some(expect) = item.present("expect") {
                let path = join(&path, "expect");
                self.assertions(Some(expect), &path);
                if expect.is_map() {
                    let whole = join(&list, index);
                    self.push(
                        ReferenceKind::Message,
                        expect.present("message"),
                        join(&path, "message"),
                        &whole,
                        ReferenceForm::Value,
                    );
                    for entry in expect.entries().iter().filter(|entry| entry.value.is_map()) {
                        let path = join(&join(&path, &*entry.key.text), "message");
                        self.push(
                            ReferenceKind::Message,
                            entry.value.present("message"),
                            path,
                            &whole,
                            ReferenceForm::Value,
                        );
                    }
                }
            }
        }
        self.assertions(root.get("assertions"), &vec!["assertions".into()]);
    }
}
