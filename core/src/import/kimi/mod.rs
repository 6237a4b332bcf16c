//! The wire log of Kimi Code: what was added to the context, and the events of its steps. One step is one answer.

use serde_json::Value;

use super::formats::{Detection, Format, Words};
use super::keys::{non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Branch, Role, SessionBuilder, SessionFormat, ToolResult, detected};
use super::values::Entry;
use crate::wire::ToolCall;

pub(super) static FORMAT: Format =
    Format { kind: "kimi-wire", names: &["kimi", "kimi-wire"], title: "Kimi Code", rank: 61, ..Format::BASE };

pub(super) static WORDS: Words = Words {
    run: "a Kimi Code session",
    entry: ("event", "events"),
    plural: "Kimi Code sessions",
    sentence: "this is the wire log of Kimi Code",
    unit: "events",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"protocol_version\"", "\"context.append_loop_event\"", "\"context.append_message\""],
    known_by: &[&["type", "event", "time"]],
    entry_of: |value, is_first| {
        let is_head =
            is_first && text(value, "type") == Some("metadata") && value.get("protocol_version").is_some();
        let kind = text(value, "type").unwrap_or_default();
        let is_event = kind.starts_with("context.append_") && value.get("time").is_some();
        detected(
            &FORMAT,
            is_head || is_event,
            "it has `protocol_version` or `context.append_` events, like logs of Kimi Code",
        )
    },
    ..Detection::NONE
};

static SESSIONS: SessionFormat =
    SessionFormat { name: "kimi", choose, read: read_event, ..SessionFormat::BASE };

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    SESSIONS.read_request(request)
}

/// Leaves out prompts that are added to the context as well.
fn choose(entries: Vec<Entry>) -> Branch {
    let content = |entry: &Entry, holder: &str| {
        let message = entry.value.get("message").filter(|_| holder == "content").unwrap_or(&entry.value);
        message.get(holder).cloned()
    };
    let added = entries.iter().filter(|entry| text(&entry.value, "type") == Some("context.append_message"));
    let mut added: Vec<Value> = added.filter_map(|entry| content(entry, "content")).collect();
    let mut branch = Branch::default();
    for entry in entries {
        let is_prompt = matches!(text(&entry.value, "type"), Some("turn.prompt" | "turn.steer"));
        let input = content(&entry, "input").filter(|_| is_prompt);
        match added.iter().position(|added| Some(added) == input.as_ref()) {
            Some(place) => {
                added.remove(place);
                branch.repeated.push(entry.line);
            }
            None => branch.chosen.push(entry),
        }
    }
    branch
}

fn read_event(entry: &Value, session: &mut SessionBuilder) -> Role {
    session.set_time(entry.get("time"));
    let others = |taken: &[&str]| non_null_except(entry, &[&["type", "time"], taken].concat());
    match text(entry, "type").unwrap_or_default() {
        "metadata" => {
            session.head.extend(others(&[]));
            return Role::Head;
        }
        "llm.request" => session.model = text(entry, "model").map(str::to_owned),
        "turn.prompt" | "turn.steer" => {
            let input = session::plain(entry.get("input").unwrap_or(&Value::Null));
            session.message("user", input, others(&["input"]));
            return Role::Step;
        }
        "context.append_message" => {
            let Some(message) = entry.get("message") else { return Role::Other };
            let mut more = others(&["message"]);
            more.extend(non_null_except(message, &["role", "content"]));
            let content = session::plain(message.get("content").unwrap_or(&Value::Null));
            session.message(text(message, "role").unwrap_or("user"), content, more);
            return Role::Step;
        }
        "context.append_loop_event" => {
            return entry.get("event").map_or(Role::Other, |event| read_step(event, session));
        }
        _ => {}
    }
    Role::Other
}

fn read_step(event: &Value, session: &mut SessionBuilder) -> Role {
    let part = event.get("part").cloned().unwrap_or_default();
    let part_text =
        |kind: &str| text(&part, kind).filter(|_| text(&part, "type") == Some(kind)).unwrap_or_default();
    let kind = text(event, "type").unwrap_or_default();
    let key = if kind == "step.end" { "uuid" } else { "stepUuid" };
    let key = text(event, key).map(str::to_owned);
    let call = ToolCall::from_keys(event, "toolCallId", "name", &["args"]);
    let others = |taken: &[&str]| non_null_except(event, &[&["type"], taken].concat());
    match kind {
        "content.part" => {
            let (content, reasoning) = (part_text("text").to_owned(), part_text("think").to_owned());
            let taken: &[&str] = if content.is_empty() && reasoning.is_empty() { &[] } else { &["part"] };
            let others = others(taken);
            session.answer(Answer { key, content, reasoning, others, ..Answer::default() });
        }
        "tool.call" => {
            let others = others(&["toolCallId", "name", "args"]);
            session.answer(Answer { key, calls: vec![call], others, ..Answer::default() });
        }
        "tool.result" => {
            let result = event.get("result").cloned().unwrap_or_default();
            let mut others = others(&["toolCallId", "result"]);
            others.extend(non_null_except(&result, &["output", "isError"]));
            let result = ToolResult {
                content: session::plain(result.get("output").unwrap_or(&Value::Null)),
                is_error: result.get("isError") == Some(&Value::Bool(true)),
                others,
                ..ToolResult::default()
            };
            session.result(&call, result);
        }
        "step.end" => {
            let count = |key: &str| event.get("usage")?.get(key)?.as_u64();
            let (cached, written) = (count("inputCacheRead"), count("inputCacheCreation"));
            session.answer(Answer {
                key,
                id: text(event, "messageId").map(str::to_owned),
                usage: session::usage(
                    session::total(count("inputOther"), &[cached, written]),
                    count("output"),
                    [cached, written],
                    None,
                ),
                finish_reason: event.get("finishReason").cloned(),
                others: others(&["finishReason", "messageId"]),
                ..Answer::default()
            });
        }
        _ => return Role::Other,
    }
    Role::Step
}
