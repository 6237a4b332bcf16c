//! Tasks of Cline and of its relatives, such as Roo Code: messages in Anthropic's form, for the model
//! (`api_conversation_history.json`) or with data on the session (the SDK), or what the panel shows (`ui_messages.json`).

mod panel;

use serde_json::Value;

use super::formats::{Detection, Format, Words};
use super::keys::{list, non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Role, SessionBuilder, SessionFormat, detected};
use crate::parse::Kind;

pub(super) static FORMAT: Format = Format {
    kind: "cline-task",
    names: &["cline", "cline-task", "roo-code"],
    title: "Cline, Roo Code",
    rank: 61,
    may_be: |kind| matches!(kind, Kind::ChatLog | Kind::Unknown),
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "a Cline task",
    entry: ("message", "messages"),
    plural: "Cline and Roo Code tasks",
    sentence: "this is a task of Cline or Roo Code",
    unit: "messages",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"say\"", "\"ask\"", "\"ts\"", "<task>", "<environment_details>"],
    known_by: &[&["ts", "type", "say", "text"], &["sessionId", "messages", "updated_at"]],
    entry_of: |value, is_first| {
        let has = |key: &str| value.get(key).is_some();
        let is_shown =
            has("ts") && text(value, "type").is_some_and(|kind| matches!(kind, "say" | "ask") && has(kind));
        let begins = |part: &Value| {
            let text = text(part, "text").unwrap_or_default();
            text.starts_with("<task>") || text.starts_with("<user_message>")
        };
        let content = list(value, "content");
        let is_sent = has("role") && !content.is_empty();
        let is_sent = is_sent && (has("ts") || is_first && content.iter().any(begins));
        let shown = "it has messages with `ts` and `say` or `ask`, like tasks of Cline";
        let sent = "its messages have `ts` or tags of Cline";
        detected(&FORMAT, is_shown, shown).or_else(|| detected(&FORMAT, is_sent, sent))
    },
    root_of: |root| {
        let keys = ["sessionId", "messages", "version", "updated_at"];
        let reason = "it has `sessionId`, `messages` and `updated_at`, like sessions of Cline's SDK";
        detected(&FORMAT, keys.iter().all(|key| root.get(key).is_some()), reason)
    },
    ..Detection::NONE
};

static SESSIONS: SessionFormat = SessionFormat {
    name: "cline",
    entries: "messages",
    // Results of tools that the program has itself are texts of the user, or not shown.
    has_results: false,
    read: read_message,
    ..SessionFormat::BASE
};

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    SESSIONS.read_request(request)
}

fn read_message(entry: &Value, session: &mut SessionBuilder) -> Role {
    session.set_time(entry.get("ts"));
    if entry.get("role").is_none() {
        return panel::read_shown(entry, session);
    }
    let info = entry.get("modelInfo").cloned().unwrap_or_default();
    let metrics = entry.get("metrics").cloned().unwrap_or_default();
    let tokens = metrics.get("tokens").cloned().unwrap_or_default();
    let count = |key: &str| metrics.get(key)?.as_u64();
    let task = |key: &str| tokens.get(key)?.as_u64();
    let usage = match metrics.get("tokens") {
        // `prompt` leaves out what is cached.
        Some(_) => {
            let input = session::total(task("prompt"), &[task("cached")]);
            session::usage(input, task("completion"), [None; 2], None)
        }
        None => {
            let cache = [count("cacheReadTokens"), count("cacheWriteTokens")];
            session::usage(count("inputTokens"), count("outputTokens"), cache, None)
        }
    };
    let answer = Answer {
        id: text(entry, "id").map(str::to_owned),
        model: text(&info, "id").or_else(|| text(&info, "modelId")).map(str::to_owned),
        usage,
        ..Answer::default()
    };
    let is_answer = text(entry, "role") == Some("assistant");
    let taken: &[&str] =
        if is_answer { &["role", "content", "ts", "id"] } else { &["role", "content", "ts"] };
    session::blocks(entry, non_null_except(entry, taken), answer, session)
}
