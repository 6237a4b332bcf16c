//! Sessions of pi: a header, and then an entry on each line. Entries form a tree; the last line is the end of the current branch.

use serde_json::Value;

use super::detect::Found;
use super::formats::{Detection, Format, Words};
use super::keys::{list, non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Role, SessionBuilder, SessionFormat, ToolResult};
use crate::wire::ToolCall;

pub(super) static FORMAT: Format =
    Format { kind: "pi-session", names: &["pi", "pi-session"], title: "pi", rank: 60, ..Format::BASE };

pub(super) static WORDS: Words = Words {
    run: "a pi session",
    entry: ("entry", "entries"),
    plural: "pi sessions",
    sentence: "this is a pi session",
    unit: "entries",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"session\"", "\"toolResult\"", "\"parentId\""],
    known_by: &[&["type", "id", "timestamp", "cwd"]],
    entry_of: |value, is_first| {
        let has = |key: &str| value.get(key).is_some();
        let kind = text(value, "type");
        if is_first && kind == Some("session") && has("id") && has("cwd") {
            let reason = "its first line has `type: session` and `cwd`, like sessions of pi";
            return Some(Found::certain(&FORMAT, reason));
        }
        // Other programs have lines of this type, too, with roles and keys of Anthropic's messages.
        let message =
            value.get("message").filter(|_| kind == Some("message") && has("id") && has("parentId"));
        let is_message = message.is_some_and(|message| {
            let is_answer = ["provider", "stopReason"].iter().all(|key| message.get(*key).is_some());
            is_answer || text(message, "role") == Some("toolResult")
        });
        let reason = "it has lines of `type: message` with `id` and `parentId`, like sessions of pi";
        is_message.then(|| Found { is_certain: false, ..Found::certain(&FORMAT, reason) })
    },
    ..Detection::NONE
};

static SESSIONS: SessionFormat = SessionFormat {
    name: "pi",
    // The header has an id, but is in no tree.
    choose: |entries| session::last_branch(entries, "id", "parentId"),
    read: read_entry,
    ..SessionFormat::BASE
};

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    SESSIONS.read_request(request)
}

fn read_entry(entry: &Value, session: &mut SessionBuilder) -> Role {
    if text(entry, "type") == Some("session") {
        session.head.extend(non_null_except(entry, &[]));
        return Role::Head;
    }
    let Some(message) = entry.get("message").filter(|_| text(entry, "type") == Some("message")) else {
        return Role::Other;
    };
    let content = message.get("content").cloned().unwrap_or_default();
    let others = |taken: &[&str]| {
        let mut others = non_null_except(entry, &["type", "message", "timestamp"]);
        others.extend(non_null_except(message, &[&["role", "content", "timestamp"], taken].concat()));
        others
    };
    match text(message, "role") {
        Some("user") => session.message("user", plain(&content), others(&[])),
        Some("assistant") => {
            let call = |part: &Value| ToolCall::from_keys(part, "id", "name", &["arguments"]);
            let calls = list(message, "content").iter().filter(|part| text(part, "type") == Some("toolCall"));
            let count = |key: &str| message.get("usage")?.get(key)?.as_u64();
            let (cached, written) = (count("cacheRead"), count("cacheWrite"));
            let mut others = others(&["model", "stopReason", "responseId"]);
            let parts = ["text", "thinking", "toolCall"];
            let taken = ["text", "thinking", "id", "name", "arguments"];
            others.extend(session::other_parts(message, "content", &parts, &taken));
            let error = text(message, "errorMessage").filter(|_| list(message, "content").is_empty());
            if error.is_some() && message.get("content").is_some_and(Value::is_array) {
                others.shift_remove("errorMessage");
                others.extend(non_null_except(message, &["role", "content", "timestamp", "errorMessage"]));
                session.failure(error, others);
                return Role::Step;
            }
            session.answer(Answer {
                key: None,
                id: text(message, "responseId").map(str::to_owned),
                model: text(message, "model").map(str::to_owned),
                content: session::joined(message, "content", "text", "text"),
                reasoning: session::joined(message, "content", "thinking", "thinking"),
                calls: calls.map(call).collect(),
                usage: session::usage(
                    session::total(count("input"), &[cached, written]),
                    count("output"),
                    [cached, written],
                    None,
                ),
                finish_reason: message.get("stopReason").cloned(),
                others,
            });
        }
        Some("toolResult") => {
            let result = ToolResult {
                content: plain(&content),
                is_error: message.get("isError") == Some(&Value::Bool(true)),
                others: others(&["isError", "toolCallId", "toolName"]),
                ..ToolResult::default()
            };
            session.result(&ToolCall::from_keys(message, "toolCallId", "toolName", &[]), result);
        }
        _ => return Role::Other,
    }
    Role::Step
}

/// A text for a list of parts that are all texts.
fn plain(content: &Value) -> Value {
    let is_text = |part: &Value| text(part, "type") == Some("text");
    match content.as_array() {
        Some(parts) if parts.iter().all(is_text) => {
            parts.iter().filter_map(|part| text(part, "text")).collect::<Vec<_>>().join("\n").into()
        }
        _ => content.clone(),
    }
}
