//! Sessions of Grok CLI: an item on each line.

use serde_json::Value;

use super::formats::{Detection, Format, Words};
use super::keys::{list, non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Role, SessionBuilder, SessionFormat, ToolResult, detected};
use crate::text::JsonMap;
use crate::wire::ToolCall;

pub(super) static FORMAT: Format = Format {
    kind: "grok-session",
    names: &["grok", "grok-session"],
    title: "Grok CLI",
    rank: 62,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "a Grok session",
    entry: ("item", "items"),
    plural: "Grok sessions",
    sentence: "this is a session of Grok CLI",
    unit: "items",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"prompt_index\"", "\"model_fingerprint\"", "\"synthetic_reason\""],
    known_by: &[&["type", "content", "tool_calls", "model_id"]],
    entry_of: |value, _| {
        let has = |key: &str| value.get(key).is_some();
        let is_item = match text(value, "type") {
            Some("user") => has("prompt_index") || has("synthetic_reason"),
            Some("assistant") => has("content") && has("model_id"),
            _ => false,
        };
        detected(
            &FORMAT,
            is_item,
            "it has items with `prompt_index` or `model_id`, like sessions of Grok CLI",
        )
    },
    ..Detection::NONE
};

static SESSIONS: SessionFormat = SessionFormat { name: "grok", read: read_item, ..SessionFormat::BASE };

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    SESSIONS.read_request(request)
}

fn read_item(entry: &Value, session: &mut SessionBuilder) -> Role {
    let content = session::plain(entry.get("content").unwrap_or(&Value::Null));
    let others =
        |taken: &[&str]| non_null_except(entry, &[&["type", "content", "timestamp"], taken].concat());
    match text(entry, "type").unwrap_or_default() {
        role @ ("system" | "user") => session.message(role, content, others(&[])),
        "reasoning" => session.begin_answer(Answer {
            reasoning: session::joined(entry, "summary", "summary_text", "text"),
            others: others(&["summary"]),
            ..Answer::default()
        }),
        "assistant" => {
            let written = content.as_str().map(str::to_owned);
            let mut others = others(&["tool_calls", "model_id"]);
            if written.is_none() && !content.is_null() {
                others.put("content", content);
            }
            session.answer(Answer {
                model: text(entry, "model_id").map(str::to_owned),
                content: written.unwrap_or_else(|| session::joined(entry, "content", "text", "text")),
                calls: session::calls(list(entry, "tool_calls"), ("id", "name", "arguments")),
                others,
                ..Answer::default()
            });
        }
        "tool_result" => {
            let call = ToolCall::from_keys(entry, "tool_call_id", "", &[]);
            let is_error = entry.get("is_error") == Some(&Value::Bool(true));
            let others = others(&["tool_call_id", "is_error"]);
            session.result(&call, ToolResult { content, is_error, others, time: None });
        }
        _ => return Role::Other,
    }
    Role::Step
}
