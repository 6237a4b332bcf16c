//! Conversations of Cursor, as the reader of `state.vscdb` gives them, with their messages ("bubbles").

use serde_json::Value;

use super::super::detect::Found;
use super::super::formats::{Detection, Format, Words};
use super::super::keys::{non_null_except, text};
use super::super::runs::{Refusal, Request, Runs};
use super::super::session::{self, Answer, Role, SessionBuilder, SessionFormat, ToolResult};
use crate::parse::json_exactly;
use crate::text::JsonMap;
use crate::wire::{ToolCall, parse_logged_arguments};

pub(in super::super) static STORE: Format = Format {
    kind: "cursor-store",
    names: &["cursor-store"],
    title: "Cursor (state.vscdb)",
    rank: 60,
    ..Format::BASE
};

pub(in super::super) static STORE_WORDS: Words = Words {
    run: "a Cursor conversation",
    entry: ("message", "messages"),
    nouns: ("database has", "conversation"),
    plural: "Cursor databases",
    sentence: "these are Cursor conversations",
    unit: "messages",
    ..Words::BASE
};

pub(in super::super) static STORE_DETECTION: Detection = Detection {
    keys: &["\"composerId\""],
    known_by: &[&["composerId", "conversation"]],
    entry_of: |value, _| found(&|key| value.get(key).is_some()),
    root_of: |root| found(&|key| root.get(key).is_some()),
    text_of: |text| found(&|_| text.starts_with("{\"composerId\":\"")),
    ..Detection::NONE
};

fn found(has: &dyn Fn(&str) -> bool) -> Option<Found> {
    let is_one = has("composerId") && has("conversation");
    session::detected(&STORE, is_one, "it has `composerId` and `conversation`, like the database of Cursor")
}

static CONVERSATIONS: SessionFormat =
    SessionFormat { name: "cursor", entries: "conversation", read: read_bubble, ..SessionFormat::BASE };

pub(in super::super) fn read_store<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    CONVERSATIONS.read_request(request)
}

fn read_bubble(entry: &Value, session: &mut SessionBuilder) -> Role {
    let timing = entry.get("timingInfo");
    let started = timing.and_then(|timing| timing.get("clientStartTime"));
    session.set_moment(entry.get("createdAt").or(started));
    let content = text(entry, "text").or_else(|| text(entry, "rawText")).unwrap_or_default();
    let taken = ["type", "text", "thinking", "tokenCount", "modelInfo", "toolFormerData", "createdAt", "_v"];
    let mut others = non_null_except(entry, &taken);
    match entry.get("type") {
        Some(kind) if *kind == 1 || *kind == "user" => {
            session.message("user", content, others);
            return Role::Step;
        }
        Some(kind) if *kind == 2 || *kind == "ai" => {}
        _ => return Role::Other,
    }
    let tool = entry.get("toolFormerData").filter(|tool| text(tool, "name").is_some());
    let model = entry.get("modelInfo").and_then(|info| text(info, "modelName"));
    let configured = session.head.get("modelConfig").and_then(|config| text(config, "modelName"));
    session.model = configured.map(str::to_owned);
    let tokens = |key: &str| entry.get("tokenCount")?.get(key)?.as_u64().filter(|count| *count > 0);
    let thinking = entry.get("thinking").map(|thinking| thinking.as_str().or_else(|| text(thinking, "text")));
    let mut answer = Answer {
        model: model.or_else(|| text(entry, "modelType")).map(str::to_owned),
        content: content.to_owned(),
        reasoning: thinking.flatten().unwrap_or_default().to_owned(),
        usage: session::usage(tokens("inputTokens"), tokens("outputTokens"), [None; 2], None),
        ..Answer::default()
    };
    let Some(tool) = tool else {
        if answer.content.is_empty() && answer.reasoning.is_empty() {
            return Role::Other;
        }
        answer.others = others;
        // What is thought comes before the text or the call that it leads to.
        match answer.content.is_empty() {
            true => session.begin_answer(answer),
            false => session.answer(answer),
        }
        return Role::Step;
    };
    let arguments = tool.get("rawArgs").filter(|arguments| **arguments != "").or(tool.get("params"));
    let call = ToolCall {
        arguments: parse_logged_arguments(arguments.unwrap_or(&Value::Null)),
        ..ToolCall::from_keys(tool, "toolCallId", "name", &[])
    };
    let error = tool.get("error").filter(|error| !error.is_null() && **error != "");
    let output = if error.is_some() { "error" } else { "result" };
    let rest = non_null_except(tool, &["toolCallId", "name", "rawArgs", output]);
    others.put("tool", rest.into());
    answer.calls.push(call.clone());
    answer.others = others;
    session.answer(answer);
    if let Some(output) = error.or(tool.get("result")).filter(|output| !output.is_null()) {
        let content = output.as_str().and_then(json_exactly).unwrap_or_else(|| output.clone());
        let is_error = error.is_some() || text(tool, "status") == Some("error");
        session.result(&call, ToolResult { content, is_error, ..ToolResult::default() });
    }
    Role::Step
}
