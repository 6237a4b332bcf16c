//! Threads of LangGraph, as the reader of its checkpoints in SQLite gives them, with messages of LangChain.

use serde_json::Value;

use super::detect::Found;
use super::formats::{Detection, Format, Words};
use super::keys::text;
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Role, SessionBuilder, SessionFormat, ToolResult};
use crate::wire::langchain::{decode_message, decode_response};
use crate::wire::{Decoder, ToolCall};

pub(super) static FORMAT: Format = Format {
    kind: "langgraph-checkpoints",
    names: &["langgraph", "langgraph-checkpoints"],
    title: "LangGraph",
    rank: 60,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "a LangGraph thread",
    entry: ("message", "messages"),
    nouns: ("database has", "thread"),
    plural: "LangGraph checkpoints",
    sentence: "these are LangGraph checkpoints",
    unit: "messages",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"checkpoint_ns\""],
    known_by: &[&["thread_id", "checkpoint_ns", "messages"]],
    entry_of: |value, _| found(&|key| value.get(key).is_some()),
    root_of: |root| found(&|key| root.get(key).is_some()),
    text_of: |text| found(&|_| text.starts_with("{\"thread_id\":\"")),
    ..Detection::NONE
};

fn found(has: &dyn Fn(&str) -> bool) -> Option<Found> {
    let is_thread = ["thread_id", "checkpoint_ns", "messages"].into_iter().all(has);
    session::detected(
        &FORMAT,
        is_thread,
        "it has `thread_id` and `checkpoint_ns`, like checkpoints of LangGraph",
    )
}

static THREADS: SessionFormat =
    SessionFormat { name: "langgraph", entries: "messages", read: read_message, ..SessionFormat::BASE };

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    THREADS.read_request(request)
}

fn read_message(entry: &Value, session: &mut SessionBuilder) -> Role {
    // One that the thread no longer has.
    if matches!(text(entry, "type"), Some("replaced" | "removed")) {
        return Role::Other;
    }
    let Some(message) = decode_message(entry, &mut Decoder::default()) else { return Role::Other };
    let mut others = message.others;
    others.shift_remove("timestamp");
    match message.role.as_str() {
        "assistant" => {
            let Some(answer) = decode_response(entry) else { return Role::Other };
            let mut others = answer.metadata;
            others.shift_remove("timestamp");
            session.answer(Answer {
                key: None,
                id: answer.id,
                model: answer.model.as_ref().and_then(Value::as_str).map(str::to_owned),
                content: answer.content,
                reasoning: answer.reasoning.unwrap_or_default(),
                calls: answer.calls,
                usage: answer.usage,
                finish_reason: answer.finish_reason,
                others,
            });
        }
        "tool" => {
            let id = message.tool_call_id.unwrap_or_default();
            let call = ToolCall { id, name: message.name.unwrap_or_default(), arguments: Value::Null };
            let result =
                ToolResult { content: message.content, is_error: message.is_error, others, time: None };
            session.result(&call, result);
        }
        role => session.message(role, message.content, others),
    }
    Role::Step
}
