//! Events of OpenHands: actions and observations (V0), the events of its SDK (V1), or the output of an evaluation, with a list of
//! events for each instance.

mod sdk;

use serde_json::{Map, Value};

use super::formats::{Detection, Format, Words};
use super::keys::{non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Role, SessionBuilder, SessionFormat, ToolResult, detected};
use crate::parse::Node;
use crate::wire::ToolCall;

pub(super) static FORMAT: Format = Format {
    kind: "openhands-events",
    names: &["openhands", "openhands-events"],
    title: "OpenHands",
    rank: 61,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "an OpenHands run",
    entry: ("event", "events"),
    plural: "OpenHands events",
    sentence: "these are events of OpenHands",
    unit: "events",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"observation\"", "\"action\"", "\"kind\""],
    known_by: &[&["id", "timestamp", "source", "action", "args"], &["instruction", "history", "git_patch"]],
    entry_of: |value, _| {
        let has = |key: &str| value.get(key).is_some();
        let is_v0 = has("source") && has("timestamp") && (has("action") && has("args") || has("observation"));
        let is_v1 = text(value, "kind").is_some_and(|kind| kind.contains("Event"))
            && has("source")
            && has("timestamp");
        let reason = "it has actions and observations, like events of OpenHands";
        detected(&FORMAT, is_v0 && !has("kind") || is_v1 || is_instance(value), reason)
    },
    root_of: |root: &Node| {
        let reason = "it has a `history` of actions, like outputs of OpenHands";
        detected(&FORMAT, root.get("history").is_some() && is_instance(&root.to_value()), reason)
    },
    ..Detection::NONE
};

/// Whether a value is the output of an evaluation.
fn is_instance(value: &Value) -> bool {
    let first = value.get("history").and_then(|history| history.get(0));
    let first = first.map(|first| first.get(0).unwrap_or(first));
    first.is_some_and(|event| ["action", "observation", "kind"].iter().any(|key| text(event, key).is_some()))
}

static SESSIONS: SessionFormat =
    SessionFormat { name: "openhands", entries: "history", read: read_event, ..SessionFormat::BASE };

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    SESSIONS.read_request(request)
}

fn read_event(event: &Value, session: &mut SessionBuilder) -> Role {
    // Older outputs have pairs of an action and its observation.
    if let Value::Array(pair) = event {
        let roles: Vec<Role> = pair.iter().map(|event| read_event(event, session)).collect();
        return if roles.iter().all(|role| *role == Role::Step) { Role::Step } else { Role::Other };
    }
    if event.get("kind").is_some() {
        return sdk::read_event(event, session);
    }
    session.set_time_text(text(event, "timestamp"));
    match (text(event, "observation"), text(event, "action")) {
        (Some("agent_state_changed" | "null" | "recall"), _) => Role::Other,
        (Some(kind), _) => read_observation(kind, event, session),
        (None, Some(kind)) => read_action(kind, event, session),
        _ => Role::Other,
    }
}

fn read_observation(kind: &str, event: &Value, session: &mut SessionBuilder) -> Role {
    let metadata = event.get("tool_call_metadata").cloned().unwrap_or_default();
    let mut call = ToolCall::from_keys(&metadata, "tool_call_id", "function_name", &[]);
    if call.id.is_empty() {
        call.id =
            event.get("cause").filter(|cause| cause.is_number()).map(Value::to_string).unwrap_or_default();
    }
    if call.id.is_empty() && kind == "error" && session.last_calls().is_empty() {
        return Role::Other;
    }
    let result = ToolResult {
        content: event.get("content").cloned().unwrap_or_default(),
        is_error: kind == "error" || event.get("success") == Some(&Value::Bool(false)),
        others: non_null_except(event, &["timestamp", "content", "tool_call_metadata"]),
        ..ToolResult::default()
    };
    session.result(&call, result);
    Role::Step
}

fn read_action(kind: &str, event: &Value, session: &mut SessionBuilder) -> Role {
    let source = text(event, "source");
    // Old events have no map of arguments.
    let args = event.get("args").unwrap_or(event);
    let content = text(args, "content").unwrap_or_default();
    // The end of a run is a call without a result, which OpenHands sends as text from then on.
    let is_end = kind == "finish";
    let taken: &[&str] = if is_end { &["timestamp"] } else { &["timestamp", "tool_call_metadata"] };
    let mut others = non_null_except(event, taken);
    let waits = args.get("wait_for_response") == Some(&Value::Bool(true));
    match kind {
        "message" if source == Some("user") || source.is_none() && !waits => {
            session.message("user", content, others);
            return Role::Step;
        }
        "system" => {
            session.message("system", content, others);
            return Role::Step;
        }
        "change_agent_state" | "recall" | "null" | "condensation" | "condensation_request" => {
            return Role::Other;
        }
        _ if source == Some("user") || source == Some("environment") => return Role::Other,
        _ => {}
    }
    let response = event.get("tool_call_metadata").and_then(|metadata| metadata.get("model_response"));
    if let Some(mut answer) = response.and_then(session::response) {
        // Each event of a response has all of it.
        if answer.id.as_ref().is_some_and(|key| session.has_key(key)) {
            answer = Answer { id: answer.id, ..Answer::default() };
        }
        if is_end {
            answer.calls.retain(|call| call.name != "finish");
            let last =
                ["final_thought", "thought"].iter().find_map(|key| text(args, key)).unwrap_or_default();
            if answer.content.is_empty() {
                last.clone_into(&mut answer.content);
            }
        }
        answer.key.clone_from(&answer.id);
        answer.others.append(&mut others);
        session.answer(answer);
        return Role::Step;
    }
    let mut answer =
        Answer { content: text(args, "thought").unwrap_or(content).to_owned(), ..Answer::default() };
    if is_end || kind == "message" {
        answer.others = others;
    } else {
        let known: &[&str] = if event.get("args").is_some() {
            &["thought"]
        } else {
            &["thought", "action", "source", "id", "message", "timestamp"]
        };
        let id = event.get("id").map(Value::to_string).unwrap_or_default();
        let arguments: Map<String, Value> = non_null_except(args, known);
        others.retain(|key, _| {
            key != "args" && !(event.get("args").is_none() && arguments.contains_key(key)) && key != "thought"
        });
        answer.calls.push(ToolCall { id, name: kind.to_owned(), arguments: arguments.into() });
        answer.others = others;
    }
    session.answer(answer);
    Role::Step
}
