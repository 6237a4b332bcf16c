//! Conversations of ChatGPT: the file of its data export, or one of them. Messages form a tree; `current_node` is the end of the
//! shown branch.

use serde_json::{Map, Value};

use super::detect::Found;
use super::formats::{Detection, Format, Words};
use super::keys::{list, non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{
    Answer, Branch, Role, Session, SessionBuilder, SessionFormat, ToolResult, all, detected,
};
use super::values::Entry;
use crate::parse::{Node, json_exactly};
use crate::text::{JsonMap, Table, json};
use crate::wire::ToolCall;

pub(super) static FORMAT: Format = Format {
    kind: "chatgpt-conversations",
    names: &["chatgpt", "chatgpt-conversations"],
    title: "ChatGPT",
    rank: 60,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "a ChatGPT conversation",
    entry: ("message", "messages"),
    plural: "ChatGPT conversations",
    sentence: "these are ChatGPT conversations",
    unit: "messages",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"mapping\""],
    known_by: &[&["mapping", "current_node"]],
    entry_of: |value, _| found(&|key| value.get(key).is_some()),
    root_of: |root| {
        let first = root.items().first().unwrap_or(root);
        found(&|key| first.get(key).is_some())
    },
    ..Detection::NONE
};

fn found(has: &dyn Fn(&str) -> bool) -> Option<Found> {
    let reason = "it has `mapping`, like conversations of ChatGPT";
    let is_so =
        has("mapping") && ["current_node", "conversation_id", "create_time"].iter().any(|key| has(key));
    detected(&FORMAT, is_so, reason)
}

static CONVERSATIONS: SessionFormat = SessionFormat {
    name: "chatgpt",
    entries: "mapping",
    choose: all,
    read: read_node,
    ..SessionFormat::BASE
};

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    CONVERSATIONS.read_parts(request, |records, roots| {
        let session = |root: &Node| {
            let Session { head, branch } = Session::from_node(records, root, "mapping");
            let branch = shown_branch(branch.chosen, head.get("current_node").and_then(Value::as_str));
            Session { head, branch }
        };
        roots.iter().map(session).collect()
    })
}

/// The branch that a node ends, or the last one; thoughts of the model belong to its next message.
fn shown_branch(entries: Vec<Entry>, end: Option<&str>) -> Branch {
    let id = |entry: &Entry| text(&entry.value, "id").map(str::to_owned);
    let last = entries.last().and_then(id);
    let mut places = Table::new();
    for (place, entry) in entries.iter().enumerate() {
        places.extend(id(entry).map(|id| (id, place)));
    }
    let mut wanted = end.filter(|id| places.contains_key(*id)).map(str::to_owned).or(last);
    let mut entries: Vec<Option<Entry>> = entries.into_iter().map(Some).collect();
    let mut path = Vec::new();
    // An entry is taken once, so that a circle ends.
    while let Some(id) = &wanted {
        let place = places.get(id).copied();
        let Some(entry) = place.and_then(|place| entries.get_mut(place)?.take()) else { break };
        wanted = text(&entry.value, "parent").map(str::to_owned);
        path.push(entry);
    }
    let others = entries.into_iter().flatten().collect();
    let mut branch = Branch { others, ..Branch::default() };
    let mut thoughts: Vec<Entry> = Vec::new();
    for mut entry in path.into_iter().rev() {
        let message = entry.value.get("message");
        let is_answer = message.is_some_and(|message| author(message) == Some("assistant"));
        let kind = message.and_then(|message| text(message.get("content")?, "content_type"));
        if is_answer && matches!(kind, Some("thoughts" | "reasoning_recap")) {
            thoughts.push(entry);
            continue;
        }
        if !is_answer {
            branch.chosen.append(&mut thoughts);
        } else if !thoughts.is_empty()
            && let Some(node) = entry.value.as_object_mut()
        {
            branch.repeated.extend(thoughts.iter().map(|entry| entry.line));
            node.put("thoughts", thoughts.drain(..).map(|entry| entry.value).collect());
        }
        branch.chosen.push(entry);
    }
    branch.chosen.append(&mut thoughts);
    branch
}

fn author(message: &Value) -> Option<&str> {
    text(message.get("author")?, "role")
}

/// The text of a content, and what it has besides.
fn content(message: &Value) -> (String, Map<String, Value>) {
    let content = message.get("content").cloned().unwrap_or_default();
    let mut texts: Vec<String> = Vec::new();
    let mut others = non_null_except(&content, &["content_type"]);
    for key in ["parts", "thoughts"] {
        let (strings, parts): (Vec<&Value>, Vec<&Value>) =
            list(&content, key).iter().partition(|part| part.is_string());
        texts.extend(strings.into_iter().filter_map(Value::as_str).map(str::to_owned));
        texts.extend(parts.iter().filter_map(|part| text(part, "content")).map(str::to_owned));
        others.shift_remove(key);
        if !parts.is_empty() {
            others.put(key, parts.into_iter().cloned().collect());
        }
    }
    for key in ["text", "result", "content", "user_profile", "user_instructions"] {
        if let Some(Value::String(text)) = others.get(key) {
            texts.push(text.clone());
            others.shift_remove(key);
        }
    }
    let kind = text(&content, "content_type").filter(|kind| *kind != "text");
    others.put_some("content_type", kind.map(Value::from));
    texts.retain(|text| !text.is_empty());
    (texts.join("\n"), others)
}

fn read_node(entry: &Value, session: &mut SessionBuilder) -> Role {
    let Some(message) = entry.get("message").filter(|message| message.is_object()) else {
        return Role::Other;
    };
    session.set_moment(message.get("create_time"));
    let (words, about) = content(message);
    let meta = message.get("metadata").cloned().unwrap_or_default();
    let mut others = non_null_except(message, &["author", "content", "create_time", "metadata", "recipient"]);
    if let Some(node) = entry.get("id").filter(|id| Some(*id) != message.get("id")) {
        others.put("node", node.clone());
    }
    for (key, value) in [("content", about), ("metadata", non_null_except(&meta, &["model_slug"]))] {
        if !value.is_empty() {
            others.put(key, value.into());
        }
    }
    let recipient = text(message, "recipient").filter(|recipient| *recipient != "all");
    match author(message) {
        Some("assistant") => {
            let thoughts = list(entry, "thoughts").iter().filter_map(|node| node.get("message"));
            let mut reasoning: Vec<String> = thoughts.map(|message| content(message).0).collect();
            if !reasoning.is_empty() {
                others.put("thoughts", entry.get("thoughts").cloned().unwrap_or_default());
            }
            let kind = message.get("content").and_then(|content| text(content, "content_type"));
            let mut words = words;
            if matches!(kind, Some("thoughts" | "reasoning_recap")) {
                reasoning.push(std::mem::take(&mut words));
            }
            let call = recipient.map(|name| {
                let words = std::mem::take(&mut words);
                let arguments = json_exactly(&words).filter(Value::is_object);
                let arguments = arguments.unwrap_or_else(|| json!({ "input": words }));
                ToolCall { id: String::new(), name: name.to_owned(), arguments }
            });
            session.answer(Answer {
                id: text(message, "id").map(str::to_owned),
                model: text(&meta, "model_slug").map(str::to_owned),
                content: words,
                reasoning: reasoning.join("\n"),
                calls: call.into_iter().collect(),
                others,
                ..Answer::default()
            });
        }
        Some("tool") => {
            let name = message.get("author").cloned().unwrap_or_default();
            let is_error = others
                .get("content")
                .is_some_and(|about| text(about, "content_type") == Some("system_error"));
            let result = ToolResult { content: words.into(), is_error, others, time: None };
            session.result(&ToolCall::from_keys(&name, "", "name", &[]), result);
        }
        // The export has messages of the system without content.
        Some(role) if !words.is_empty() || others.contains_key("content") => {
            session.message(role, words, others)
        }
        _ => return Role::Other,
    }
    Role::Step
}
