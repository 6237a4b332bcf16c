//! Sessions of Gemini CLI: one JSON document (until 0.39), or a header and then a message on each line.

mod versions;

use serde_json::Value;

use super::detect::Found;
use super::formats::{Detection, Format, Words};
use super::keys::{list, non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Role, SessionBuilder, SessionFormat, ToolResult};
use crate::parse::Node;
use crate::text::JsonMap;
use crate::wire::ToolCall;

pub(super) static FORMAT: Format = Format {
    kind: "gemini-cli-session",
    names: &["gemini-cli", "gemini-cli-session"],
    title: "Gemini CLI",
    rank: 60,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "a Gemini CLI session",
    entry: ("message", "messages"),
    plural: "Gemini CLI sessions",
    sentence: "this is a Gemini CLI session",
    unit: "messages",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"projectHash\"", "\"gemini\""],
    known_by: &[&["sessionId", "projectHash", "messages"]],
    entry_of: |value, _| {
        let is_message = text(value, "type") == Some("gemini")
            && ["id", "content"].iter().all(|key| value.get(*key).is_some());
        found(&|key| value.get(key).is_some()).or_else(|| {
            let reason = "it has messages of `type: gemini`, like sessions of Gemini CLI";
            is_message.then(|| Found { is_certain: false, ..Found::certain(&FORMAT, reason) })
        })
    },
    root_of: |root: &Node| found(&|key| root.get(key).is_some()),
    ..Detection::NONE
};

fn found(has: &dyn Fn(&str) -> bool) -> Option<Found> {
    let is_session = has("sessionId") && has("projectHash");
    session::detected(
        &FORMAT,
        is_session,
        "it has `sessionId` and `projectHash`, like sessions of Gemini CLI",
    )
}

static SESSIONS: SessionFormat = SessionFormat {
    name: "gemini-cli",
    entries: "messages",
    choose: versions::last_versions,
    read: read_entry,
    ..SessionFormat::BASE
};

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    SESSIONS.read_request(request)
}

fn read_entry(entry: &Value, session: &mut SessionBuilder) -> Role {
    match text(entry, "type") {
        Some("user") => {
            let content = entry.get("content").cloned().unwrap_or_default();
            let others = non_null_except(entry, &["type", "content", "timestamp"]);
            session.message("user", plain(content), others);
            Role::Step
        }
        Some("gemini") => {
            read_answer(entry, session);
            Role::Step
        }
        None if entry.get("projectHash").is_some() => {
            session.head.extend(non_null_except(entry, &["messages"]));
            Role::Head
        }
        None if entry.get("$set").is_some_and(Value::is_object) => {
            let mut changes = entry.get("$set").map(|set| non_null_except(set, &[])).unwrap_or_default();
            // Each message is followed by such a line.
            let is_time = changes.keys().all(|key| key == "lastUpdated");
            changes.shift_remove("messages");
            session.head.extend(changes);
            if is_time { Role::Head } else { Role::Other }
        }
        _ => Role::Other,
    }
}

fn read_answer(entry: &Value, session: &mut SessionBuilder) {
    let is_thought = |part: &&Value| part.get("thought") == Some(&Value::Bool(true));
    let parts = list(entry, "content").iter().filter_map(|part| Some((part, text(part, "text")?)));
    let (thinking, texts): (Vec<_>, Vec<_>) = parts.partition(|(part, _)| is_thought(part));
    let join = |parts: &[(&Value, &str)], between: &str| {
        parts.iter().map(|(_, text)| *text).collect::<Vec<_>>().join(between)
    };
    let thoughts = list(entry, "thoughts").iter().map(|thought| {
        let part = |key: &str| text(thought, key).unwrap_or_default();
        format!("{}\n{}", part("subject"), part("description")).trim().to_owned()
    });
    let mut reasoning: Vec<String> = thoughts.collect();
    reasoning.extend((!thinking.is_empty()).then(|| join(&thinking, "\n")));
    let calls = list(entry, "toolCalls");
    let call = |call: &Value| ToolCall::from_keys(call, "id", "name", &["args"]);
    let count = |key: &str| entry.get("tokens")?.get(key)?.as_u64();
    let thought = count("thoughts");
    let taken = ["id", "type", "content", "timestamp", "model", "thoughts", "toolCalls"];
    let mut others = non_null_except(entry, &taken);
    others.extend(session::other_parts(entry, "content", &[], &["text", "thought"]));
    others.extend(session::other_parts(entry, "thoughts", &[], &["subject", "description"]));
    let open = calls.iter().filter(|call| result(call).is_none());
    let open: Vec<Value> = open.map(|call| non_null_except(call, &["name", "args"]).into()).collect();
    if !open.is_empty() {
        others.put("toolCalls", open.into());
    }
    session.answer(Answer {
        id: text(entry, "id").map(str::to_owned),
        model: text(entry, "model").map(str::to_owned),
        content: text(entry, "content").map_or_else(|| join(&texts, "\n"), str::to_owned),
        reasoning: reasoning.join("\n\n"),
        calls: calls.iter().map(call).collect(),
        usage: session::usage(
            count("input"),
            session::total(count("output"), &[thought]),
            [count("cached"), None],
            thought,
        ),
        others,
        ..Answer::default()
    });
    for part in calls {
        if let Some(result) = result(part) {
            session.result(&call(part), result);
        }
    }
}

/// A text for a list of parts that are all texts.
fn plain(content: Value) -> Value {
    let parts = content.as_array().map_or(&[][..], Vec::as_slice);
    let is_text = |part: &Value| part.as_object().is_some_and(|part| part.len() == 1);
    let texts: Option<Vec<&str>> =
        parts.iter().map(|part| text(part, "text").filter(|_| is_text(part))).collect();
    match texts {
        Some(texts) if content.is_array() => texts.join("\n").into(),
        _ => content,
    }
}

/// The result of a call, if it has ended: the `output` or `error` of the response, or all of it.
fn result(call: &Value) -> Option<ToolResult> {
    let status = text(call, "status").unwrap_or_default();
    let parts = call.get("result").filter(|result| !result.is_null());
    if parts.is_none() && !matches!(status, "success" | "error" | "cancelled") {
        return None;
    }
    let mut others = non_null_except(call, &["id", "name", "args", "result", "status", "timestamp"]);
    // Other states are of calls that still run.
    if !matches!(status, "success" | "error") {
        others.put("status", status.into());
    }
    let response = |part: &Value| part.get("functionResponse")?.get("response").cloned();
    let content = match parts {
        Some(Value::Array(parts)) => match parts.as_slice() {
            [part] => response(part).unwrap_or_else(|| part.clone()),
            parts => Value::Array(parts.to_vec()),
        },
        Some(part) => response(part).unwrap_or_else(|| part.clone()),
        None => Value::Null,
    };
    let only = content.as_object().filter(|map| map.len() == 1);
    let only = only.and_then(|map| map.get("output").or_else(|| map.get("error"))).cloned();
    let is_error = matches!(status, "error" | "cancelled");
    let time = text(call, "timestamp").map(str::to_owned);
    Some(ToolResult { content: only.unwrap_or(content), is_error, time, others })
}
