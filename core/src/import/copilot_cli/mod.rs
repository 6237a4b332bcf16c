//! The events of a session of GitHub Copilot CLI (`events.jsonl`).

use serde_json::Value;

use super::detect::Found;
use super::formats::{Detection, Format, Words};
use super::keys::{list, non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Role, SessionBuilder, SessionFormat, ToolResult};
use crate::wire::ToolCall;

pub(super) static FORMAT: Format = Format {
    kind: "copilot-cli-session",
    names: &["copilot-cli", "copilot-cli-session"],
    title: "Copilot CLI",
    run: "a Copilot CLI session",
    entry: ("event", "events"),
    rank: 60,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    plural: "Copilot CLI sessions",
    sentence: "this is a Copilot CLI session",
    unit: "events",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"session.start\"", "\"copilot-agent\""],
    known_by: &[&["type", "data", "id", "timestamp", "parentId"]],
    entry_of: |value, _| {
        let is_start = text(value, "type") == Some("session.start")
            && value.get("data").is_some_and(|data| text(data, "producer") == Some("copilot-agent"));
        is_start.then(|| Found::certain(&FORMAT, "its `session.start` is of `copilot-agent`"))
    },
    ..Detection::NONE
};

static SESSIONS: SessionFormat =
    SessionFormat { name: "copilot-cli", entries: "", head: "", choose: session::all, read: read_event };

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    SESSIONS.read_request(request)
}

fn read_event(entry: &Value, session: &mut SessionBuilder) -> Role {
    let Some(data) = entry.get("data") else { return Role::Other };
    // Messages of agents that a tool runs are no part of this conversation.
    if data.get("parentToolCallId").is_some_and(|id| !id.is_null()) {
        return Role::Other;
    }
    let content = text(data, "content").unwrap_or_default();
    match text(entry, "type") {
        Some("system.message") => {
            session.message("system", content, non_null_except(data, &["role", "content"]))
        }
        Some("user.message") => {
            // What the model was sent has reminders around what the user wrote.
            session.message("user", content, non_null_except(data, &["content"]));
        }
        Some("assistant.message") => {
            let call = |call: &Value| ToolCall::from_keys(call, "toolCallId", "name", &["arguments"]);
            let taken = ["content", "model", "toolRequests", "reasoningText", "outputTokens", "apiCallId"];
            session.answer(Answer {
                id: text(data, "apiCallId").map(str::to_owned),
                model: text(data, "model").map(str::to_owned),
                content: content.to_owned(),
                reasoning: text(data, "reasoningText").unwrap_or_default().to_owned(),
                calls: list(data, "toolRequests").iter().map(call).collect(),
                usage: session::usage(None, data.get("outputTokens").and_then(Value::as_u64), None, None),
                finish_reason: None,
                others: non_null_except(data, &taken),
            });
        }
        Some("tool.execution_complete") => {
            let is_error = data.get("success") == Some(&Value::Bool(false));
            let part = data.get(if is_error { "error" } else { "result" }).cloned().unwrap_or_default();
            let key = if is_error { "message" } else { "content" };
            let result = ToolResult {
                content: part.get(key).cloned().unwrap_or(part),
                is_error,
                others: non_null_except(data, &["toolCallId", "success"]),
            };
            session.result(&ToolCall::from_keys(data, "toolCallId", "toolName", &[]), result);
        }
        // The call is in the message before it.
        Some("tool.execution_start") => return Role::Repeated,
        _ => return Role::Other,
    }
    Role::Step
}
