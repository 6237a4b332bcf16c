//! Sessions of Google's Agent Development Kit: events in order, with the agent of each.

use serde_json::{Map, Value};

use super::detect::Found;
use super::formats::{Detection, Format, Words};
use super::keys::{list, non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Role, SessionBuilder, SessionFormat, ToolResult};
use crate::parse::Node;
use crate::wire::ToolCall;

pub(super) static FORMAT: Format = Format {
    kind: "google-adk-session",
    names: &["google-adk", "google-adk-session"],
    title: "Google ADK",
    run: "a Google ADK session",
    entry: ("event", "events"),
    rank: 60,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
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
    either(event, "invocation_id", "invocationId").is_some() && event.get("author").is_some()
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

/// The value under either name of a key.
fn either<'v>(value: &'v Value, snake: &str, camel: &str) -> Option<&'v Value> {
    value.get(snake).or_else(|| value.get(camel)).filter(|value| !value.is_null())
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
    let of = |snake: &'static str, camel: &'static str| {
        parts.iter().filter_map(move |part| either(part, snake, camel))
    };
    let (mut words, mut thoughts, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for part in parts {
        match text(part, "text") {
            Some(text) if part.get("thought") == Some(&Value::Bool(true)) => thoughts.push(text),
            Some(text) => words.push(text),
            None => {}
        }
        let known =
            ["text", "thought", "function_call", "functionCall", "function_response", "functionResponse"];
        rest.extend(Some(non_null_except(part, &known)).filter(|part| !part.is_empty()).map(Value::from));
    }
    if !rest.is_empty() {
        others.insert("parts".to_owned(), rest.into());
    }
    let results: Vec<&Value> = of("function_response", "functionResponse").collect();
    if text(entry, "author") == Some("user") && results.is_empty() {
        session.message("user", words.join("\n"), others);
        return Role::Step;
    }
    for result in &results {
        let content = result.get("response").cloned().unwrap_or_default();
        let only = content.as_object().filter(|map| map.len() == 1);
        let is_error = only.is_some_and(|map| map.contains_key("error"));
        let only = only.and_then(|map| map.get("result").or_else(|| map.get("error"))).cloned();
        let result_others = others.clone();
        let content = only.unwrap_or(content);
        let result_step = ToolResult { content, is_error, time: None, others: result_others };
        session.result(&ToolCall::from_keys(result, "id", "name", &[]), result_step);
    }
    let calls: Vec<ToolCall> = of("function_call", "functionCall")
        .map(|call| ToolCall::from_keys(call, "id", "name", &["args"]))
        .collect();
    if !results.is_empty() && words.is_empty() && calls.is_empty() {
        return Role::Step;
    }
    if parts.is_empty() {
        let error = either(entry, "error_code", "errorCode");
        let message = either(entry, "error_message", "errorMessage").or(error).and_then(Value::as_str);
        if error.is_some() {
            session.failure(message, others);
            return Role::Step;
        }
        return Role::Other;
    }
    let counts = either(entry, "usage_metadata", "usageMetadata");
    let count = |snake: &str, camel: &str| either(counts?, snake, camel)?.as_u64();
    let thought = count("thoughts_token_count", "thoughtsTokenCount");
    session.answer(Answer {
        model: either(entry, "model_version", "modelVersion").and_then(Value::as_str).map(str::to_owned),
        content: words.join("\n"),
        reasoning: thoughts.join("\n"),
        calls,
        usage: session::usage(
            count("prompt_token_count", "promptTokenCount"),
            session::total(count("candidates_token_count", "candidatesTokenCount"), &[thought]),
            count("cached_content_token_count", "cachedContentTokenCount"),
            thought,
        ),
        finish_reason: either(entry, "finish_reason", "finishReason").cloned(),
        others,
        ..Answer::default()
    });
    Role::Step
}
