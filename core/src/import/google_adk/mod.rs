//! Sessions of Google's Agent Development Kit: events in order, with the agent of each.

use serde_json::{Map, Value};

use super::detect::Found;
use super::formats::{Detection, Format, Words};
use super::keys::{list, non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Role, SessionBuilder, SessionFormat, ToolResult};
use crate::parse::Node;
use crate::text::JsonMap;
use crate::wire::ToolCall;
use crate::wire::gemini::{self, field};

pub(super) static FORMAT: Format = Format {
    kind: "google-adk-session",
    names: &["google-adk", "google-adk-session"],
    title: "Google ADK",
    rank: 60,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "a Google ADK session",
    entry: ("event", "events"),
    plural: "Google ADK sessions",
    sentence: "this is a Google ADK session",
    unit: "events",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"invocation_id\"", "\"invocationId\""],
    known_by: &[&["id", "events", "last_update_time"]],
    entry_of: |value, _| {
        found(is_event(value.get("events").and_then(|events| events.get(0)).unwrap_or(value)))
    },
    root_of: |root| {
        let first = root.items().first().unwrap_or(root);
        found(first.get("events")?.items().first().map(Node::to_value).is_some_and(|event| is_event(&event)))
    },
    ..Detection::NONE
};

fn is_event(event: &Value) -> bool {
    field(event, "invocationId").is_some() && event.get("author").is_some()
}

fn found(is_session: bool) -> Option<Found> {
    let reason = "its events have `author` and `invocation_id`, like sessions of Google ADK";
    session::detected(&FORMAT, is_session, reason)
}

static SESSIONS: SessionFormat =
    SessionFormat { name: "google-adk", entries: "events", read: read_event, ..SessionFormat::BASE };

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    SESSIONS.read_request(request)
}

fn read_event(entry: &Value, session: &mut SessionBuilder) -> Role {
    // The pieces of a stream are in the whole event as well.
    if entry.get("partial") == Some(&Value::Bool(true)) {
        return Role::Other;
    }
    session.set_moment(entry.get("timestamp"));
    let content = entry.get("content").cloned().unwrap_or_default();
    let parts = list(&content, "parts");
    let mut others = non_null_except(entry, &["content", "timestamp"]);
    others.retain(|_, value| !value.as_object().is_some_and(Map::is_empty));
    let read = gemini::answer(parts);
    let known = ["text", "thought", "function_call", "functionCall", "function_response", "functionResponse"];
    let rest = parts.iter().map(|part| non_null_except(part, &known)).filter(|part| !part.is_empty());
    let rest: Vec<Value> = rest.map(Value::from).collect();
    if !rest.is_empty() {
        others.put("parts", rest.into());
    }
    let results: Vec<&Value> = parts.iter().filter_map(|part| field(part, "functionResponse")).collect();
    if text(entry, "author") == Some("user") && results.is_empty() {
        session.message("user", read.texts.join("\n"), others);
        return Role::Step;
    }
    for result in &results {
        let (content, is_error) = gemini::result_value(result, "result");
        let result_step = ToolResult { content, is_error, time: None, others: others.clone() };
        session.result(&ToolCall::from_keys(result, "id", "name", &[]), result_step);
    }
    if !results.is_empty() && read.texts.is_empty() && read.calls.is_empty() {
        return Role::Step;
    }
    if parts.is_empty() {
        let error = field(entry, "errorCode");
        let message = field(entry, "errorMessage").or(error).and_then(Value::as_str);
        if error.is_some() {
            session.failure(message, others);
            return Role::Step;
        }
        return Role::Other;
    }
    let counts = field(entry, "usageMetadata");
    let count = |key: &str| field(counts?, key)?.as_u64();
    let thought = count("thoughtsTokenCount");
    session.answer(Answer {
        model: field(entry, "modelVersion").and_then(Value::as_str).map(str::to_owned),
        content: read.texts.join("\n"),
        reasoning: read.thoughts.join("\n"),
        calls: read.calls,
        usage: session::usage(
            count("promptTokenCount"),
            session::total(count("candidatesTokenCount"), &[thought]),
            [count("cachedContentTokenCount"), None],
            thought,
        ),
        finish_reason: field(entry, "finishReason").cloned(),
        others,
        ..Answer::default()
    });
    Role::Step
}
