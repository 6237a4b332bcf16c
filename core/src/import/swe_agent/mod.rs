//! Trajectories of SWE-agent: the messages, and the steps with their commands and observations.

use serde_json::{Map, Value};

use super::formats::{Detection, Format, Words};
use super::keys::{non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Role, SessionBuilder, SessionFormat, ToolResult, detected};
use crate::text::{JsonMap, Set, json, text_or_json};
use crate::wire::ToolCall;

pub(super) static FORMAT: Format = Format {
    kind: "swe-agent-trajectory",
    names: &["swe-agent", "swe-agent-trajectory"],
    title: "SWE-agent",
    rank: 61,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "a SWE-agent trajectory",
    entry: ("message", "messages"),
    plural: "SWE-agent trajectories",
    sentence: "this is a trajectory of SWE-agent",
    unit: "messages",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    known_by: &[&["environment", "trajectory", "history", "info"]],
    root_of: |root| {
        let first = |key: &str| root.get(key)?.items().first();
        let is_chat = first("history").is_some_and(|message| message.get("role").is_some());
        // A file that is cut lacks `info`, which comes last.
        let has_action = || first("trajectory").is_some_and(|step| step.get("action").is_some());
        let is_trajectory =
            is_chat && root.get("trajectory").is_some() && (root.get("info").is_some() || has_action());
        detected(&FORMAT, is_trajectory, "it has `trajectory` and `history`, like trajectories of SWE-agent")
    },
    ..Detection::NONE
};

static SESSIONS: SessionFormat = SessionFormat {
    name: "swe-agent",
    entries: "history",
    read: read_message,
    end: end_with_observation,
    ..SessionFormat::BASE
};

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    SESSIONS.read_request(request)
}

fn read_message(entry: &Value, session: &mut SessionBuilder) -> Role {
    if entry.get("is_demo") == Some(&Value::Bool(true)) {
        return Role::Other;
    }
    let mut message = entry.clone();
    if let Some(map) = message.as_object_mut() {
        let content = map.get("content").map(session::plain);
        map.put_some("content", content);
        map.retain(|key, _| ["role", "content", "tool_calls"].contains(&key.as_str()));
    }
    let has_calls = entry.get("tool_calls").is_some_and(Value::is_array);
    match (text(entry, "role"), text(entry, "action")) {
        // A command in the text is the call.
        (Some("assistant"), Some(action)) if !has_calls => {
            let call = ToolCall {
                id: String::new(),
                name: "bash".to_owned(),
                arguments: json!({ "command": action }),
            };
            session.answer(Answer {
                content: text(&message, "content").unwrap_or_default().to_owned(),
                calls: vec![call],
                others: non_null_except(entry, &["role", "content", "action"]),
                ..Answer::default()
            });
        }
        (Some("tool" | "user"), _) if is_result(entry, session) => {
            let id = entry.get("tool_call_ids").and_then(|ids| ids.get(0)).and_then(Value::as_str);
            let call = ToolCall { id: id.unwrap_or_default().to_owned(), ..ToolCall::default() };
            let result = ToolResult {
                content: message.get("content").cloned().unwrap_or_default(),
                others: non_null_except(entry, &["role", "content", "tool_call_ids"]),
                ..ToolResult::default()
            };
            session.result(&call, result);
        }
        _ => {
            let others = non_null_except(entry, &["role", "content", "tool_calls"]);
            return session::chat_message(&message, others, Answer::default(), session);
        }
    }
    Role::Step
}

/// Adds the observation of the last step, which may be in the trajectory alone. The steps repeat the messages of the history; what
/// a step was sent in another form, such as without an old observation, stays.
fn end_with_observation(session: &mut SessionBuilder) {
    let answers = session.called_texts();
    let contents = session.contents();
    let call = session.last_calls().first().cloned();
    let Some(Value::Array(steps)) = session.head.get_mut("trajectory") else { return };
    let is_whole = steps.len() == answers.len();
    let known = |step: &Map<String, Value>, answer: &String| {
        step.get("response").is_some_and(|response| response == answer)
    };
    for (step, answer) in steps.iter_mut().filter_map(Value::as_object_mut).zip(&answers) {
        if known(step, answer) {
            step.retain(|key, sent| match (key.as_str(), sent) {
                ("query" | "messages", Value::Array(sent)) => {
                    sent.retain(|message| !is_repeated(message, &contents));
                    !sent.is_empty()
                }
                (key, _) => !["response", "thought", "action"].contains(&key),
            });
        }
    }
    let last = steps.last_mut().and_then(Value::as_object_mut).filter(|_| is_whole && call.is_some());
    let observation = last.and_then(|step| step.shift_remove("observation"));
    if let (Some(call), Some(content)) = (call, observation) {
        session.result(&call, ToolResult { content, ..ToolResult::default() });
    }
}

/// Whether the history has a message; demonstrations are kept with it.
fn is_repeated(message: &Value, contents: &Set<String>) -> bool {
    let content = message.get("content").map(session::plain).unwrap_or_default();
    message.get("is_demo") == Some(&Value::Bool(true)) || contents.contains(&text_or_json(&content))
}

/// Whether a message is what the command of the last answer printed.
fn is_result(entry: &Value, session: &SessionBuilder) -> bool {
    text(entry, "role") == Some("tool") || session.last_calls().iter().any(|call| call.id.is_empty())
}
