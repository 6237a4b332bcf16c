//! Conversations of Claude.ai: the file of its data export, or of a program that saves chats in their tree.

use serde_json::Value;

use super::detect::Found;
use super::formats::{Detection, Format, Words};
use super::keys::{list, non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Role, Session, SessionBuilder, SessionFormat, ToolResult, all};
use crate::parse::Node;
use crate::text::JsonMap;
use crate::wire::ToolCall;

pub(super) static FORMAT: Format = Format {
    kind: "claude-ai-conversations",
    names: &["claude-ai", "claude-ai-conversations"],
    title: "Claude.ai",
    rank: 60,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "a Claude.ai conversation",
    entry: ("message", "messages"),
    plural: "Claude.ai conversations",
    sentence: "these are Claude.ai conversations",
    unit: "messages",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"chat_messages\"", "\"parentMessageId\""],
    known_by: &[&["uuid", "chat_messages"]],
    entry_of: |value, _| {
        found(value.get("chat_messages").is_some() || is_saved(value.get("messages")?.get(0)?))
    },
    root_of: |root| {
        let first = root.items().first().unwrap_or(root);
        let saved = first.get("messages").and_then(|messages| messages.items().first());
        let is_saved = saved.is_some_and(|saved| is_saved(&saved.to_value()));
        found(first.get("chat_messages").is_some() || is_saved)
    },
    ..Detection::NONE
};

fn is_saved(message: &Value) -> bool {
    message.get("parentMessageId").is_some() && text(message, "message").is_some()
}

fn found(is_so: bool) -> Option<Found> {
    session::detected(&FORMAT, is_so, "its messages have the keys of conversations of Claude.ai")
}

static CONVERSATIONS: SessionFormat = SessionFormat {
    name: "claude-ai",
    entries: "chat_messages",
    choose: all,
    read: read_message,
    ..SessionFormat::BASE
};

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    CONVERSATIONS.read_parts(request, |records, roots| {
        let session = |root: &Node| {
            let is_export = root.get("chat_messages").is_some();
            let [key, id, parent] = match is_export {
                true => ["chat_messages", "uuid", "parent_message_uuid"],
                false => ["messages", "id", "parentMessageId"],
            };
            let Session { head, branch } = Session::from_node(records, root, key);
            Session { head, branch: session::last_branch(branch.chosen, id, parent) }
        };
        roots.iter().map(session).collect()
    })
}

fn read_message(entry: &Value, session: &mut SessionBuilder) -> Role {
    session.set_moment(entry.get("created_at"));
    let parts = list(entry, "content");
    let whole = text(entry, "text").or_else(|| text(entry, "message")).unwrap_or_default();
    let joined = session::joined(entry, "content", "text", "text");
    // The export has the text once more, with the calls left out.
    let words = if parts.is_empty() { whole.to_owned() } else { joined };
    let taken = ["sender", "role", "text", "message", "content", "created_at"];
    let mut others = non_null_except(entry, &taken);
    others.retain(|_, value| !value.as_array().is_some_and(Vec::is_empty));
    if !parts.is_empty() && whole != words && !whole.is_empty() {
        others.put("text", whole.into());
    }
    let known = ["text", "thinking", "tool_use", "tool_result"];
    let used = ["text", "thinking", "id", "name", "input", "tool_use_id", "content", "is_error"];
    others.extend(session::other_parts(entry, "content", &known, &used));
    let of = |kind: &'static str| parts.iter().filter(move |part| text(part, "type") == Some(kind));
    let call = |part: &Value| ToolCall::from_keys(part, "id", "name", &["input"]);
    match text(entry, "sender").or_else(|| text(entry, "role")) {
        Some("human" | "User") => session.message("user", words, others),
        Some("assistant" | "Claude") => {
            session.answer(Answer {
                content: words,
                reasoning: session::joined(entry, "content", "thinking", "thinking"),
                calls: of("tool_use").map(call).collect(),
                others,
                ..Answer::default()
            });
            for part in of("tool_result") {
                let content = part.get("content").cloned().unwrap_or_default();
                let is_error = part.get("is_error") == Some(&Value::Bool(true));
                let result = ToolResult { content: plain(content), is_error, ..ToolResult::default() };
                session.result(&ToolCall::from_keys(part, "tool_use_id", "name", &[]), result);
            }
        }
        _ => return Role::Other,
    }
    Role::Step
}

/// A text for a list of one part that is a text.
fn plain(content: Value) -> Value {
    match content.as_array().map(Vec::as_slice) {
        Some([part]) if part.as_object().is_some_and(|part| part.len() == 2) => {
            part.get("text").filter(|text| text.is_string()).cloned().unwrap_or(content)
        }
        _ => content,
    }
}
