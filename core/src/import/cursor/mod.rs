//! Transcripts of Cursor's agent: a message on each line, without ids, times, models and results of tools. Its database has all
//! of them.

mod store;

use serde_json::Value;

use super::detect::Found;
use super::formats::{Detection, Format, Words};
use super::keys::{list, non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Role, SessionBuilder, SessionFormat};
use crate::wire::ToolCall;
pub(super) use store::{STORE, STORE_DETECTION, STORE_WORDS, read_store};

pub(super) static FORMAT: Format = Format {
    kind: "cursor-transcript",
    names: &["cursor", "cursor-transcript"],
    title: "Cursor",
    rank: 70,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "a Cursor transcript",
    entry: ("message", "messages"),
    plural: "Cursor transcripts",
    sentence: "this is a Cursor transcript",
    unit: "messages",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"message\""],
    known_by: &[&["role", "message"]],
    entry_of: |value, _| {
        let map = value.as_object()?;
        let is_message =
            map.len() == 2 && map.contains_key("role") && !list(map.get("message")?, "content").is_empty();
        is_message.then(|| {
            Found::certain(&FORMAT, "its lines have `role` and `message` alone, like transcripts of Cursor")
        })
    },
    ..Detection::NONE
};

static SESSIONS: SessionFormat =
    SessionFormat { name: "cursor", has_results: false, read: read_message, ..SessionFormat::BASE };

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    SESSIONS.read_request(request)
}

fn read_message(entry: &Value, session: &mut SessionBuilder) -> Role {
    let Some(message) = entry.get("message") else { return Role::Other };
    let content = session::joined(message, "content", "text", "text");
    let mut others = non_null_except(entry, &["role", "message"]);
    others.extend(non_null_except(message, &["content"]));
    let taken = ["text", "id", "name", "input"];
    others.extend(session::other_parts(message, "content", &["text", "tool_use"], &taken));
    match text(entry, "role") {
        Some("user") => session.message("user", user_query(&content), others),
        Some("assistant") => {
            let calls = list(message, "content").iter().filter(|part| text(part, "type") == Some("tool_use"));
            let calls = calls.map(|part| ToolCall::from_keys(part, "id", "name", &["input"])).collect();
            session.answer(Answer { content, calls, others, ..Answer::default() });
        }
        _ => return Role::Other,
    }
    Role::Step
}

/// What the user wrote, without the tag around it; the whole text if there is more than that.
fn user_query(content: &str) -> &str {
    let query =
        content.trim().strip_prefix("<user_query>").and_then(|rest| rest.strip_suffix("</user_query>"));
    query.map_or(content, str::trim)
}
