//! What the panel shows of a task. Requests begin an answer, and the parts of it follow.

use serde_json::{Map, Value};

use super::super::keys::{non_null_except, text};
use super::super::session::{self, Answer, Role, SessionBuilder, ToolResult};
use crate::wire::{ToolCall, parse_logged_arguments};

pub(super) fn read_shown(entry: &Value, session: &mut SessionBuilder) -> Role {
    let kind = text(entry, "type").unwrap_or_default();
    let kind = text(entry, kind).unwrap_or_default();
    let content = text(entry, "text").unwrap_or_default();
    let others = non_null_except(entry, &["ts", "type", "say", "ask", "text", "reasoning"]);
    let part =
        |content: &str, calls: Vec<ToolCall>, others: Map<String, Value>, key: Option<String>| Answer {
            content: content.to_owned(),
            reasoning: text(entry, "reasoning").unwrap_or_default().to_owned(),
            model: entry.get("modelInfo").and_then(|info| text(info, "modelId")).map(str::to_owned),
            calls,
            others,
            key,
            ..Answer::default()
        };
    let data = || parse_logged_arguments(entry.get("text").unwrap_or(&Value::Null));
    let key = session.key.clone();
    match kind {
        "task" | "user_feedback" => session.message("user", content, others),
        "text" if session.is_empty() => session.message("user", content, others),
        "api_req_started" => {
            let data = data();
            let count = |key: &str| data.get(key)?.as_u64();
            let (cached, written) = (count("cacheReads"), count("cacheWrites"));
            let usage = session::usage(
                session::total(count("tokensIn"), &[cached, written]),
                count("tokensOut"),
                [cached, written],
                None,
            );
            session.key = entry.get("ts").map(Value::to_string);
            let mut more = non_null_except(&data, &[]);
            more.extend(others);
            let error = text(&data, "streamingFailedMessage");
            if error.is_some() {
                session.failure(error, more);
            } else {
                session.finish();
                session.begin_answer(Answer { usage, others: more, ..Answer::default() });
            }
        }
        "reasoning" => {
            let thought = Answer { reasoning: content.to_owned(), ..part("", Vec::new(), others, key) };
            session.answer(thought);
        }
        // What the panel asks for after the result is empty.
        "text" | "completion_result" | "followup" | "plan_mode_respond" | "act_mode_respond"
            if !content.is_empty() =>
        {
            let data = data();
            let written = text(&data, "response").or_else(|| text(&data, "question")).unwrap_or(content);
            let mut more = non_null_except(&data, &["response", "question"]);
            more.extend(others);
            session.answer(part(written, Vec::new(), more, key));
        }
        "tool" | "use_mcp_server" | "browser_action" | "browser_action_launch" | "command" => {
            let data = data();
            let (name, arguments) = match kind {
                "tool" => (text(&data, "tool"), non_null_except(&data, &["tool"]).into()),
                "command" => (
                    Some("execute_command"),
                    Value::from(Map::from_iter([("command".to_owned(), content.into())])),
                ),
                "use_mcp_server" => (text(&data, "toolName"), data.clone()),
                _ => (None, data.clone()),
            };
            let name = name.unwrap_or(kind).to_owned();
            session.answer(part("", vec![ToolCall { id: String::new(), name, arguments }], others, key));
        }
        "command_output" if session.add_to_result(content) => {}
        "command_output" | "mcp_server_response" | "browser_action_result" => {
            let result = ToolResult { content: content.into(), others, ..ToolResult::default() };
            session.result(&ToolCall::default(), result);
        }
        "api_req_failed" => session.failure(Some(content), others),
        _ => return Role::Other,
    }
    Role::Step
}
