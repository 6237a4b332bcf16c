//! Sessions of opencode, as `opencode export` writes them: messages with parts, in one JSON document.

use serde_json::Value;

use super::detect::Found;
use super::formats::{Detection, Format, Words};
use super::keys::{list, non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Role, SessionBuilder, SessionFormat, ToolResult};
use crate::parse::Kind;
use crate::text::JsonMap;
use crate::wire::ToolCall;

pub(super) static FORMAT: Format = Format {
    kind: "opencode-session",
    names: &["opencode", "opencode-session"],
    title: "opencode",
    rank: 60,
    // A message that lost its `info` looks like one of a compact transcript.
    may_be: |kind| matches!(kind, Kind::Compact | Kind::Unknown),
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "an opencode session",
    entry: ("message", "messages"),
    plural: "opencode sessions",
    sentence: "this is an opencode session",
    unit: "messages",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"parts\""],
    known_by: &[&["info", "messages"]],
    entry_of: |value, _| found(is_message(value.get("messages")?.get(0)?)),
    root_of: |root| {
        // The first message may have lost its role.
        let messages = root.items().first().unwrap_or(root).get("messages")?.items();
        found(messages.iter().take(4).any(|message| is_message(&message.to_value())))
    },
    ..Detection::NONE
};

fn is_message(message: &Value) -> bool {
    message.get("parts").is_some_and(Value::is_array)
        && message
            .get("info")
            .is_some_and(|info| info.get("role").is_some() && info.get("sessionID").is_some())
}

fn found(is_session: bool) -> Option<Found> {
    is_session
        .then(|| Found::certain(&FORMAT, "its `messages` have `info` and `parts`, like sessions of opencode"))
}

static SESSIONS: SessionFormat = SessionFormat {
    name: "opencode",
    entries: "messages",
    head: "info",
    read: read_message,
    ..SessionFormat::BASE
};

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    SESSIONS.read_request(request)
}

/// The keys of parts that the message has as well.
const TAKEN: &[&str] = &["sessionID", "messageID"];

/// Whether an answer has anything of a model.
fn has_output(message: &Value) -> bool {
    let mut kinds = list(message, "parts").iter().filter_map(|part| text(part, "type"));
    kinds.any(|kind| matches!(kind, "text" | "reasoning" | "tool"))
}

fn read_message(entry: &Value, session: &mut SessionBuilder) -> Role {
    let info = entry.get("info").cloned().unwrap_or_default();
    session.set_time(info.get("time").and_then(|time| time.get("created")));
    match text(&info, "role") {
        Some("user") => {
            let mut others = non_null_except(&info, &["role", "sessionID"]);
            // The program adds texts of its own.
            let is_typed = |part: &&Value| {
                text(part, "type") == Some("text")
                    && ["synthetic", "ignored"].iter().all(|key| part.get(*key) != Some(&Value::Bool(true)))
            };
            let (typed, added): (Vec<_>, Vec<_>) = list(entry, "parts").iter().partition(is_typed);
            let texts: Vec<&str> = typed.iter().filter_map(|part| text(part, "text")).collect();
            let rest =
                typed.iter().map(|part| Value::from(non_null_except(part, &[TAKEN, &["text"]].concat())));
            let parts: Vec<Value> = rest.chain(added.into_iter().cloned()).collect();
            others.put("parts", parts.into());
            session.message("user", texts.join("\n"), others);
        }
        Some("assistant") => {
            let tools = || list(entry, "parts").iter().filter(|part| text(part, "type") == Some("tool"));
            let count = |key: &str| info.get("tokens")?.get(key)?.as_u64();
            let cache = |key: &str| info.get("tokens")?.get("cache")?.get(key)?.as_u64();
            let call = |part: &Value| ToolCall {
                arguments: part
                    .get("state")
                    .and_then(|state| state.get("input"))
                    .cloned()
                    .unwrap_or_default(),
                ..ToolCall::from_keys(part, "callID", "tool", &[])
            };
            let (cached, written, reasoning) = (cache("read"), cache("write"), count("reasoning"));
            let mut others = non_null_except(&info, &["id", "role", "modelID", "finish", "sessionID"]);
            let known = ["text", "reasoning", "tool", "step-start", "step-finish"];
            let taken = [TAKEN, &["text", "callID", "tool", "state", "tokens"]].concat();
            others.extend(session::other_parts(entry, "parts", &known, &taken));
            if let Some(error) = info.get("error").filter(|error| !error.is_null() && !has_output(entry)) {
                let message =
                    error.get("data").and_then(|data| text(data, "message")).or_else(|| text(error, "name"));
                others.extend(non_null_except(&info, &["role", "sessionID"]));
                session.failure(message, others);
                return Role::Step;
            }
            session.answer(Answer {
                key: None,
                id: text(&info, "id").map(str::to_owned),
                model: text(&info, "modelID").map(str::to_owned),
                content: session::joined(entry, "parts", "text", "text"),
                reasoning: session::joined(entry, "parts", "reasoning", "text"),
                calls: tools().map(call).collect(),
                usage: session::usage(
                    session::total(count("input"), &[cached, written]),
                    session::total(count("output"), &[reasoning]),
                    [cached, written],
                    reasoning,
                ),
                finish_reason: info.get("finish").cloned(),
                others,
            });
            for part in tools() {
                let state = part.get("state").cloned().unwrap_or_default();
                let (content, is_error) = match text(&state, "status") {
                    Some("completed") => (state.get("output"), false),
                    Some("error") => (state.get("error"), true),
                    _ => continue,
                };
                let others = non_null_except(&state, &["status", "input", "output", "error"]);
                let content = content.cloned().unwrap_or_default();
                let time = state.get("time").and_then(|time| session::from_milliseconds(time.get("end")?));
                session.result(&call(part), ToolResult { content, is_error, time, others });
            }
        }
        _ => return Role::Other,
    }
    Role::Step
}
