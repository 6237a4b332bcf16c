//! Sessions of Factory Droid: a header, and then messages with blocks as Anthropic's in a tree.

use serde_json::Value;

use super::formats::{Detection, Format, Words};
use super::keys::{list, non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Role, SessionBuilder, SessionFormat, detected};

pub(super) static FORMAT: Format = Format {
    kind: "factory-droid-session",
    names: &["factory-droid", "factory-droid-session", "droid"],
    title: "Factory Droid",
    rank: 62,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "a Factory Droid session",
    entry: ("entry", "entries"),
    plural: "Factory Droid sessions",
    sentence: "this is a Factory Droid session",
    unit: "entries",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"session_start\"", "\"message\""],
    known_by: &[&["type", "id", "owner", "version", "cwd"]],
    entry_of: |value, is_first| {
        let has = |key: &str| value.get(key).is_some();
        let kind = text(value, "type");
        let is_start = is_first && kind == Some("session_start") && has("id");
        let message =
            value.get("message").filter(|_| kind == Some("message") && has("id") && has("timestamp"));
        let is_part = |part: &Value| {
            matches!(text(part, "type"), Some("text" | "tool_use" | "tool_result" | "thinking"))
        };
        // pi has its own data in answers.
        let is_message = message.is_some_and(|message| {
            let is_other = ["provider", "stopReason", "model"].iter().any(|key| message.get(*key).is_some());
            !is_other && list(message, "content").iter().any(is_part)
        });
        let start = "its first line has `type: session_start`, like sessions of Factory Droid";
        let mut found = detected(&FORMAT, is_start || is_message, start);
        if let Some(found) = found.as_mut().filter(|_| !is_start) {
            found.is_certain = false;
            "it has lines of `type: message` with blocks, like sessions of Factory Droid"
                .clone_into(&mut found.reason);
        }
        found
    },
    ..Detection::NONE
};

static SESSIONS: SessionFormat = SessionFormat {
    name: "factory-droid",
    choose: |entries| session::last_branch(entries, "id", "parentId"),
    read: read_entry,
    ..SessionFormat::BASE
};

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    SESSIONS.read_request(request)
}

fn read_entry(entry: &Value, session: &mut SessionBuilder) -> Role {
    if text(entry, "type") == Some("session_start") {
        session.head.extend(non_null_except(entry, &["type"]));
        return Role::Head;
    }
    // What only the user sees is of the program.
    let is_sent = |message: &&Value| text(message, "visibility") != Some("user_only");
    let Some(message) = entry.get("message").filter(is_sent) else { return Role::Other };
    let mut others = non_null_except(entry, &["type", "timestamp", "message"]);
    others.extend(non_null_except(message, &["role", "content"]));
    session::blocks(message, others, Answer::default(), session)
}
