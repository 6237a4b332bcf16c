//! Sessions of Continue: items with a message, its context and the states of its calls.

use serde_json::Value;

use super::formats::{Detection, Format, Words};
use super::keys::{list, non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Role, SessionBuilder, SessionFormat, ToolResult, detected};
use crate::parse::Node;
use crate::text::JsonMap;
use crate::wire::ToolCall;

pub(super) static FORMAT: Format = Format {
    kind: "continue-session",
    names: &["continue", "continue-session"],
    title: "Continue",
    rank: 61,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "a Continue session",
    entry: ("item", "items"),
    plural: "Continue sessions",
    sentence: "this is a session of Continue",
    unit: "items",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    known_by: &[&["sessionId", "title", "workspaceDirectory", "history"]],
    root_of: |root: &Node| {
        let keys = ["sessionId", "workspaceDirectory", "history"];
        let reason = "it has `workspaceDirectory` and `history`, like sessions of Continue";
        detected(&FORMAT, keys.iter().all(|key| root.get(key).is_some()), reason)
    },
    ..Detection::NONE
};

static SESSIONS: SessionFormat =
    SessionFormat { name: "continue", entries: "history", read: read_item, ..SessionFormat::BASE };

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    SESSIONS.read_request(request)
}

fn read_item(entry: &Value, session: &mut SessionBuilder) -> Role {
    let Some(message) = entry.get("message") else { return Role::Other };
    let mut others = non_null_except(entry, &["message"]);
    let content = session::plain(message.get("content").unwrap_or(&Value::Null));
    let more = non_null_except(message, &["role", "content", "toolCalls", "toolCallId", "id", "usage"]);
    others.extend(more);
    let written = content.as_str().unwrap_or_default().to_owned();
    match text(message, "role").unwrap_or_default() {
        "assistant" => {
            let calls = list(message, "toolCalls");
            // No answer came.
            if calls.is_empty() && written.is_empty() && content.as_str().is_some() {
                return Role::Other;
            }
            let functions: Vec<Value> = calls
                .iter()
                .map(|call| {
                    let mut function = non_null_except(call.get("function").unwrap_or(&Value::Null), &[]);
                    function.put_some("id", call.get("id").cloned());
                    function.into()
                })
                .collect();
            if !content.is_string() && !content.is_null() {
                others.put("content", content);
            }
            let count = |keys: [&str; 2]| {
                let usage = message.get("usage")?;
                keys.iter().find_map(|key| usage.get(*key)?.as_u64())
            };
            let logs = list(entry, "promptLogs").last();
            session.answer(Answer {
                id: text(message, "id").map(str::to_owned),
                model: logs
                    .and_then(|log| text(log.get("completionOptions")?, "model"))
                    .or_else(|| text(logs?, "modelTitle"))
                    .map(str::to_owned),
                content: written,
                calls: session::calls(&functions, ("id", "name", "arguments")),
                usage: session::usage(
                    count(["promptTokens", "prompt_tokens"]),
                    count(["completionTokens", "completion_tokens"]),
                    [None; 2],
                    None,
                ),
                others,
                ..Answer::default()
            });
            for state in list(entry, "toolCallStates") {
                read_state(state, session);
            }
        }
        "thinking" => {
            session.begin_answer(Answer { reasoning: written, others, ..Answer::default() });
        }
        "tool" => {
            let call = ToolCall::from_keys(message, "toolCallId", "", &[]);
            if session.has_result(&call.id) {
                return Role::Other;
            }
            session.result(&call, ToolResult { content, others, ..ToolResult::default() });
        }
        role => {
            others.put_some("id", text(message, "id").map(Value::from));
            session.message(role, content, others);
        }
    }
    Role::Step
}

/// Adds the result of a call that has ended.
fn read_state(state: &Value, session: &mut SessionBuilder) {
    let status = text(state, "status").unwrap_or_default();
    let output = list(state, "output");
    if !matches!(status, "done" | "errored" | "canceled") || output.is_empty() && status == "done" {
        return;
    }
    let texts: Vec<&str> = output.iter().filter_map(|item| text(item, "content")).collect();
    let result =
        ToolResult { content: texts.join("\n").into(), is_error: status != "done", ..ToolResult::default() };
    session.result(&ToolCall::from_keys(state, "toolCallId", "", &[]), result);
}
