//! Chats of Qwen Code: records in a tree, with messages in Gemini's form.

use serde_json::Value;

use super::formats::{Detection, Format, Words};
use super::keys::{list, non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Role, SessionBuilder, SessionFormat, detected};
use crate::text::JsonMap;

pub(super) static FORMAT: Format = Format {
    kind: "qwen-code-session",
    names: &["qwen-code", "qwen-code-session"],
    title: "Qwen Code",
    rank: 61,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "a Qwen Code session",
    entry: ("record", "records"),
    plural: "Qwen Code sessions",
    sentence: "this is a Qwen Code session",
    unit: "records",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"parentUuid\""],
    known_by: &[&["uuid", "parentUuid", "type", "message", "usageMetadata"]],
    entry_of: |value, _| {
        let has_parts = value.get("message").is_some_and(|message| message.get("parts").is_some());
        let is_record = value.get("uuid").is_some() && has_parts;
        detected(
            &FORMAT,
            is_record,
            "its records have a `uuid` and messages with `parts`, like Qwen Code sessions",
        )
    },
    ..Detection::NONE
};

static SESSIONS: SessionFormat = SessionFormat {
    name: "qwen-code",
    choose: |entries| session::last_branch(entries, "uuid", "parentUuid"),
    read: read_record,
    ..SessionFormat::BASE
};

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    SESSIONS.read_request(request)
}

fn read_record(entry: &Value, session: &mut SessionBuilder) -> Role {
    let kind = text(entry, "type").unwrap_or_default();
    let subtype = text(entry, "subtype");
    if subtype == Some("custom_title")
        && let Some(title) = entry.get("systemPayload").and_then(|payload| payload.get("customTitle"))
    {
        session.head.put("title", title.clone());
    }
    let is_step = matches!(kind, "user" | "assistant" | "tool_result") && subtype != Some("notification");
    let Some(message) = entry.get("message").filter(|message| is_step && !list(message, "parts").is_empty())
    else {
        return Role::Other;
    };
    let count = |key: &str| entry.get("usageMetadata")?.get(key)?.as_u64();
    let thoughts = count("thoughtsTokenCount");
    let answer = Answer {
        key: text(entry, "uuid").filter(|id| !id.contains("REDACTED")).map(str::to_owned),
        model: text(entry, "model").map(str::to_owned),
        usage: session::usage(
            count("promptTokenCount"),
            session::total(count("candidatesTokenCount"), &[thoughts]),
            [count("cachedContentTokenCount"), None],
            thoughts,
        ),
        ..Answer::default()
    };
    let taken: &[&str] = if kind == "assistant" {
        &["type", "timestamp", "message", "model"]
    } else {
        &["type", "timestamp", "message"]
    };
    session::parts(message, non_null_except(entry, taken), answer, session)
}
