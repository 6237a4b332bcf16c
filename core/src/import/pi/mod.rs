//! Sessions of pi: a header, and then an entry on each line. Entries form a tree; the last line is the end of the current branch.

use serde_json::Value;

use super::detect::Found;
use super::formats::{Detection, Format, Words};
use super::keys::{list, non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Role, SessionBuilder, SessionFormat, ToolResult};
use crate::wire::ToolCall;

pub(super) static FORMAT: Format = Format {
    kind: "pi-session",
    names: &["pi", "pi-session"],
    title: "pi",
    run: "a pi session",
    entry: ("entry", "entries"),
    rank: 60,
    ..Format::BASE
};

pub(super) static WORDS: Words =
    Words { plural: "pi sessions", sentence: "this is a pi session", unit: "entries", ..Words::BASE };

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"session\"", "\"toolResult\""],
    known_by: &[&["type", "id", "timestamp", "cwd"]],
    entry_of: |value, is_first| {
        let has = |key: &str| value.get(key).is_some();
        let is_header = is_first && text(value, "type") == Some("session") && has("id") && has("cwd");
        is_header.then(|| {
            Found::certain(&FORMAT, "its first line has `type: session` and `cwd`, like sessions of pi")
        })
    },
    ..Detection::NONE
};

static SESSIONS: SessionFormat = SessionFormat {
    name: "pi",
    entries: "",
    head: "",
    // The header has an id, but is in no tree.
    choose: |entries| session::last_branch(entries, "id", "parentId"),
    read: read_entry,
};

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    SESSIONS.read_request(request)
}

fn read_entry(entry: &Value, session: &mut SessionBuilder) -> Role {
    let Some(message) = entry.get("message").filter(|_| text(entry, "type") == Some("message")) else {
        return Role::Other;
    };
    let content = message.get("content").cloned().unwrap_or_default();
    match text(message, "role") {
        Some("user") => session.message(
            "user",
            plain(&content),
            non_null_except(message, &["role", "content", "timestamp"]),
        ),
        Some("assistant") => {
            let call = |part: &Value| ToolCall::from_keys(part, "id", "name", &["arguments"]);
            let calls = list(message, "content").iter().filter(|part| text(part, "type") == Some("toolCall"));
            let count = |key: &str| message.get("usage")?.get(key)?.as_u64();
            let (cached, written) = (count("cacheRead"), count("cacheWrite"));
            let taken = ["role", "content", "model", "stopReason", "timestamp", "responseId"];
            session.answer(Answer {
                id: text(message, "responseId").map(str::to_owned),
                model: text(message, "model").map(str::to_owned),
                content: session::joined(message, "content", "text", "text"),
                reasoning: session::joined(message, "content", "thinking", "thinking"),
                calls: calls.map(call).collect(),
                usage: session::usage(
                    count("input")
                        .map(|input| input + cached.unwrap_or_default() + written.unwrap_or_default()),
                    count("output"),
                    cached,
                    None,
                ),
                finish_reason: message.get("stopReason").cloned(),
                others: non_null_except(message, &taken),
            });
        }
        Some("toolResult") => {
            let result = ToolResult {
                content: plain(&content),
                is_error: message.get("isError") == Some(&Value::Bool(true)),
                others: non_null_except(
                    message,
                    &["role", "content", "isError", "toolCallId", "toolName", "timestamp"],
                ),
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
