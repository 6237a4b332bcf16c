//! The events of a session of GitHub Copilot CLI (`events.jsonl`).

use serde_json::Value;

use super::detect::Found;
use super::formats::{Detection, Format, Words};
use super::keys::{list, non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Role, SessionBuilder, SessionFormat, ToolResult};
use crate::text::JsonMap;
use crate::wire::ToolCall;

pub(super) static FORMAT: Format = Format {
    kind: "copilot-cli-session",
    names: &["copilot-cli", "copilot-cli-session"],
    title: "Copilot CLI",
    rank: 60,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "a Copilot CLI session",
    entry: ("event", "events"),
    plural: "Copilot CLI sessions",
    sentence: "this is a Copilot CLI session",
    unit: "events",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"session.start\"", "\"copilot-agent\"", "\"assistant.message\""],
    known_by: &[&["type", "data", "id", "timestamp", "parentId"]],
    entry_of: |value, _| {
        let is_start = text(value, "type") == Some("session.start")
            && value.get("data").is_some_and(|data| text(data, "producer") == Some("copilot-agent"));
        if is_start {
            return Some(Found::certain(&FORMAT, "its `session.start` is of `copilot-agent`"));
        }
        let is_event = matches!(text(value, "type"), Some("user.message" | "assistant.message"))
            && ["data", "id", "timestamp", "parentId"].iter().all(|key| value.get(*key).is_some());
        let reason = "it has events with `data` and `parentId`, like sessions of Copilot CLI";
        is_event.then(|| Found { is_certain: false, ..Found::certain(&FORMAT, reason) })
    },
    ..Detection::NONE
};

static SESSIONS: SessionFormat =
    SessionFormat { name: "copilot-cli", read: read_event, ..SessionFormat::BASE };

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    SESSIONS.read_request(request)
}

fn read_event(entry: &Value, session: &mut SessionBuilder) -> Role {
    let Some(data) = entry.get("data").filter(|data| data.is_object()) else { return Role::Other };
    // Messages of agents that a tool runs are no part of this conversation.
    if data.get("parentToolCallId").is_some_and(|id| !id.is_null()) {
        return Role::Other;
    }
    let content = text(data, "content").unwrap_or_default();
    let others = |taken: &[&str]| {
        let mut others = non_null_except(entry, &["type", "data", "timestamp"]);
        others.extend(non_null_except(data, taken));
        others
    };
    let kind = text(entry, "type").unwrap_or_default();
    match kind {
        "session.start" => {
            session.model = model(data, "selectedModel");
            session.head.extend(others(&[]));
            return Role::Head;
        }
        "session.model_change" | "session.auto_mode_resolved" => {
            let key = if kind == "session.model_change" { "newModel" } else { "chosenModel" };
            session.model = model(data, key).or_else(|| session.model.take());
            return Role::Other;
        }
        "system.message" => session.message("system", content, others(&["role", "content"])),
        // What the model was sent has reminders around what the user wrote.
        "user.message" => {
            let sent = if text(data, "transformedContent") == Some(content) {
                "transformedContent"
            } else {
                "content"
            };
            session.message("user", content, others(&["content", sent]));
        }
        "assistant.message" => {
            let call = |call: &Value| ToolCall::from_keys(call, "toolCallId", "name", &["arguments"]);
            let taken = ["content", "model", "toolRequests", "reasoningText", "outputTokens", "apiCallId"];
            let mut others = others(&taken);
            others.extend(session::other_parts(
                data,
                "toolRequests",
                &[],
                &["toolCallId", "name", "arguments"],
            ));
            session.answer(Answer {
                key: None,
                id: text(data, "apiCallId").map(str::to_owned),
                model: text(data, "model").map(str::to_owned),
                content: content.to_owned(),
                reasoning: text(data, "reasoningText").unwrap_or_default().to_owned(),
                calls: list(data, "toolRequests").iter().map(call).collect(),
                usage: session::usage(
                    None,
                    data.get("outputTokens").and_then(Value::as_u64),
                    [None; 2],
                    None,
                ),
                finish_reason: None,
                others,
            });
        }
        "tool.execution_complete" => {
            let is_error = data.get("success") == Some(&Value::Bool(false));
            let has_error = is_error && data.get("error").is_some_and(|error| !error.is_null());
            let (part, key) = if has_error { ("error", "message") } else { ("result", "content") };
            let mut others = others(&["toolCallId", "toolName", "success", part]);
            let mut content = data.get(part).cloned().unwrap_or_default();
            if let Some(main) = content.get(key).cloned() {
                let detail = |value: &Value| *value != main;
                let mut rest = non_null_except(&content, &[key]);
                rest.retain(|_, value| detail(value));
                if !rest.is_empty() {
                    others.put(part, rest.into());
                }
                content = main;
            }
            let result = ToolResult { content, is_error, others, ..ToolResult::default() };
            session.result(&ToolCall::from_keys(data, "toolCallId", "toolName", &[]), result);
        }
        _ => return Role::Other,
    }
    Role::Step
}

/// The model under a key; `auto` is none.
fn model(data: &Value, key: &str) -> Option<String> {
    text(data, key).filter(|model| *model != "auto").map(str::to_owned)
}
