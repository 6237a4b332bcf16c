//! Sessions of iFlow CLI: records nearly as Claude Code's. Answers repeat calls of the answer before, and form no chain.

use serde_json::Value;

use super::formats::{Detection, Format, Words};
use super::keys::{non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Role, SessionBuilder, SessionFormat, detected};
use crate::text::JsonMap;

pub(super) static FORMAT: Format = Format {
    kind: "iflow-session",
    names: &["iflow", "iflow-session"],
    title: "iFlow CLI",
    rank: 61,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "an iFlow session",
    entry: ("record", "records"),
    plural: "iFlow sessions",
    sentence: "this is a session of iFlow",
    unit: "records",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"session-"],
    known_by: &[&["uuid", "parentUuid", "sessionId", "toolUseResult"]],
    entry_of: |value, _| {
        let id = text(value, "sessionId").and_then(|id| id.strip_prefix("session-"));
        let is_record = id.is_some_and(|id| id.len() == 36) && value.get("message").is_some();
        detected(&FORMAT, is_record, "its `sessionId` begins with `session-`, like sessions of iFlow")
    },
    ..Detection::NONE
};

static SESSIONS: SessionFormat = SessionFormat { name: "iflow", read: read_record, ..SessionFormat::BASE };

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    SESSIONS.read_request(request)
}

fn read_record(entry: &Value, session: &mut SessionBuilder) -> Role {
    let Some(message) = entry.get("message") else { return Role::Other };
    let mut message = message.clone();
    let is_answer = text(&message, "role") == Some("assistant");
    if let Some(Value::Array(parts)) = message.get_mut("content") {
        for part in parts.iter_mut() {
            unwrap_response(part);
        }
        // Each call is repeated by the answer after it.
        parts.retain(|part| {
            text(part, "type") != Some("tool_use") || !text(part, "id").is_some_and(|id| session.has_call(id))
        });
        if parts.is_empty() && is_answer && session.key.is_none() {
            return Role::Other;
        }
    }
    // Answers that follow each other are one.
    let key = session.key.clone().filter(|_| is_answer).or_else(|| text(entry, "uuid").map(str::to_owned));
    session.key = key.clone().filter(|_| is_answer);
    let usage = message.get("usage").cloned().unwrap_or_default();
    let count = |key: &str| usage.get(key).and_then(Value::as_u64).filter(|count| *count > 0);
    let answer = Answer {
        key,
        id: text(&message, "id").map(str::to_owned),
        model: text(&message, "model").map(str::to_owned),
        usage: session::usage(count("input_tokens"), count("output_tokens"), [None; 2], None),
        finish_reason: message.get("stop_reason").filter(|reason| !reason.is_null()).cloned(),
        ..Answer::default()
    };
    let mut others = non_null_except(entry, &["type", "timestamp", "message"]);
    let taken: &[&str] = if is_answer {
        &["id", "type", "role", "content", "model", "stop_reason"]
    } else {
        &["role", "content"]
    };
    others.extend(non_null_except(&message, taken));
    session::blocks(&message, others, answer, session)
}

/// Puts the response of a tool in the place of the record about it.
fn unwrap_response(part: &mut Value) {
    let Some(content) = part.get("content").filter(|content| content.get("responseParts").is_some()).cloned()
    else {
        return;
    };
    let response = content.get("responseParts").and_then(|parts| parts.get("functionResponse"));
    let response = response.and_then(|found| found.get("response")).cloned().unwrap_or_default();
    let error = response.get("error").cloned();
    let output = error.clone().or_else(|| response.get("output").cloned());
    let Some(map) = part.as_object_mut() else { return };
    map.put("content", output.unwrap_or(response));
    map.put("is_error", error.is_some().into());
    map.put_some("resultDisplay", content.get("resultDisplay").cloned());
}
