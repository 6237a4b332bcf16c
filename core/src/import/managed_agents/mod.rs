//! Events of sessions of Anthropic's managed agents, as the API returns them or wrapped in lines.

use serde_json::{Map, Value};

use super::formats::{Detection, Format, Words};
use super::keys::{list, non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Branch, Role, SessionBuilder, SessionFormat, ToolResult};
use super::values::Entry;
use crate::text::JsonMap;
use crate::wire::ToolCall;

pub(super) static FORMAT: Format = Format {
    kind: "managed-agents-session",
    names: &["managed-agents", "managed-agents-session"],
    title: "Claude Managed Agents",
    rank: 20,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "a session of a managed agent",
    entry: ("event", "events"),
    plural: "sessions of Claude Managed Agents",
    sentence: "this is a session of Claude Managed Agents",
    unit: "events",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &[
        "\"agent.message\"",
        "\"session.status_running\"",
        "\"span.model_request_start\"",
        "\"agent.tool_use\"",
    ],
    known_by: &[&["id", "processed_at", "type"]],
    entry_of: |value, _| {
        let event = event(value);
        let kind = text(event, "type").filter(|_| event.get("processed_at").is_some())?;
        let is_event = ["agent.", "user.", "session.", "span."].iter().any(|head| kind.starts_with(head));
        let reason = "its events have `processed_at` and types such as `agent.message`";
        session::detected(&FORMAT, is_event, reason)
    },
    ..Detection::NONE
};

/// An event, which may be wrapped.
fn event(value: &Value) -> &Value {
    value.get("raw").unwrap_or(value)
}

static SESSIONS: SessionFormat =
    SessionFormat { name: "managed-agents", choose: by_request, read: read_entry, ..SessionFormat::BASE };

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    SESSIONS.read_request(request)
}

fn is_of_model(kind: &str) -> bool {
    matches!(kind, "agent.message" | "agent.thinking")
        || kind.starts_with("agent.") && kind.ends_with("tool_use")
}

/// The events with those of an answer joined in its last: an answer is what the model wrote until its request ends.
fn by_request(entries: Vec<Entry>) -> Branch {
    let mut branch = Branch::default();
    let mut open: Vec<Entry> = Vec::new();
    for mut entry in entries {
        let kind = text(event(&entry.value), "type").unwrap_or_default().to_owned();
        if is_of_model(&kind) {
            open.push(entry);
            continue;
        }
        if kind == "span.model_request_end"
            && !open.is_empty()
            && let Some(end) = entry.value.as_object_mut()
        {
            branch.repeated.extend(open.iter().map(|entry| entry.line));
            end.put("events", open.drain(..).map(|entry| entry.value).collect());
        } else if kind.ends_with("tool_result") || kind.starts_with("user.") {
            branch.chosen.append(&mut open);
        }
        branch.chosen.push(entry);
    }
    branch.chosen.append(&mut open);
    branch
}

fn read_entry(entry: &Value, session: &mut SessionBuilder) -> Role {
    let event = event(entry);
    session.set_moment(event.get("processed_at").or_else(|| entry.get("time")));
    let kind = text(event, "type").unwrap_or_default();
    let others =
        |taken: &[&str]| non_null_except(event, &[&["content", "processed_at", "type"], taken].concat());
    match kind {
        "span.model_request_end" if entry.get("events").is_some() => {
            answer(list(entry, "events"), event, others(&["model_usage"]), session);
        }
        kind if is_of_model(kind) => answer(std::slice::from_ref(entry), event, Map::new(), session),
        kind if kind.ends_with("tool_result") => {
            let key = ["tool_use_id", "mcp_tool_use_id", "custom_tool_use_id"]
                .into_iter()
                .find(|key| event.get(key).is_some());
            let key = key.unwrap_or_default();
            let parts = list(event, "content");
            let is_plain = parts.iter().all(|part| text(part, "type") == Some("text"));
            let content = match event.get("content") {
                Some(content) if !is_plain => content.clone(),
                Some(_) => session::joined(event, "content", "text", "text").into(),
                None => entry.get("content").cloned().unwrap_or_default(),
            };
            let result = ToolResult {
                content,
                is_error: event.get("is_error") == Some(&Value::Bool(true)),
                others: others(&[key, "is_error"]),
                time: None,
            };
            session.result(&ToolCall::from_keys(event, key, "name", &[]), result);
        }
        "user.message" => {
            let content =
                event.get("content").or_else(|| entry.get("content")).map(plain).unwrap_or_default();
            session.message("user", content, others(&[]));
        }
        "user.define_outcome" => {
            session.message("user", text(event, "description").unwrap_or_default(), others(&["description"]));
        }
        _ => return Role::Other,
    }
    Role::Step
}

fn plain(content: &Value) -> Value {
    match content.as_array().map(Vec::as_slice) {
        Some([part]) if text(part, "type") == Some("text") => part.get("text").cloned().unwrap_or_default(),
        _ => content.clone(),
    }
}

/// Adds the answer of some events.
fn answer(events: &[Value], end: &Value, mut others: Map<String, Value>, session: &mut SessionBuilder) {
    let mut out = Answer::default();
    let mut rest = Vec::new();
    let (mut words, mut thoughts) = (Vec::new(), Vec::new());
    for one in events.iter().map(event) {
        let kind = text(one, "type").unwrap_or_default();
        let joined = session::joined(one, "content", "text", "text");
        let taken: &[&str] = match kind {
            "agent.message" => {
                words.push(joined);
                &["content"]
            }
            "agent.thinking" => {
                thoughts.push(joined);
                &["content"]
            }
            _ => {
                out.calls.push(ToolCall::from_keys(one, "id", "name", &["input"]));
                &["id", "name", "input"]
            }
        };
        rest.push(Value::from(non_null_except(one, taken)));
    }
    others.put("events", rest.into());
    thoughts.retain(|text| !text.is_empty());
    let counts = end.get("model_usage");
    let count = |key: &str| counts?.get(key)?.as_u64();
    let (cached, written) = (count("cache_read_input_tokens"), count("cache_creation_input_tokens"));
    out.usage = session::usage(
        session::total(count("input_tokens"), &[cached, written]),
        count("output_tokens"),
        [cached, written],
        None,
    );
    others.put_some("model_usage", counts.cloned());
    session.answer(Answer { content: words.join("\n"), reasoning: thoughts.join("\n"), others, ..out });
}
