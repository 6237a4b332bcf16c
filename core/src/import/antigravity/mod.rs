//! Transcripts of Antigravity: a step on each line. Results are steps of their own, without the ids of their calls.

use serde_json::Value;

use super::formats::{Detection, Format, Words};
use super::keys::{list, non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Role, SessionBuilder, SessionFormat, ToolResult, detected};
use crate::wire::ToolCall;

pub(super) static FORMAT: Format = Format {
    kind: "antigravity-transcript",
    names: &["antigravity", "antigravity-transcript"],
    title: "Antigravity",
    rank: 62,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "an Antigravity transcript",
    entry: ("step", "steps"),
    plural: "Antigravity transcripts",
    sentence: "this is a transcript of Antigravity",
    unit: "steps",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"step_index\""],
    known_by: &[&["step_index", "source", "type", "status"]],
    entry_of: |value, _| {
        let is_step =
            ["step_index", "source", "type", "created_at"].iter().all(|key| value.get(*key).is_some());
        detected(
            &FORMAT,
            is_step,
            "its lines have `step_index` and `source`, like transcripts of Antigravity",
        )
    },
    ..Detection::NONE
};

static SESSIONS: SessionFormat =
    SessionFormat { name: "antigravity", has_results: false, read: read_step, ..SessionFormat::BASE };

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    SESSIONS.read_request(request)
}

fn read_step(entry: &Value, session: &mut SessionBuilder) -> Role {
    session.set_time_text(text(entry, "created_at"));
    let content = text(entry, "content").unwrap_or_default();
    let others = |taken: &[&str]| non_null_except(entry, &[&["created_at", "content"], taken].concat());
    match (text(entry, "source"), text(entry, "type")) {
        (_, Some("USER_INPUT")) => session.message("user", content, others(&[])),
        (Some("MODEL"), Some("PLANNER_RESPONSE")) => session.answer(Answer {
            content: content.to_owned(),
            reasoning: text(entry, "thinking").unwrap_or_default().to_owned(),
            calls: session::calls(list(entry, "tool_calls"), ("id", "name", "args")),
            others: others(&["thinking", "tool_calls"]),
            ..Answer::default()
        }),
        // Other steps of the model are what its tools did.
        (Some("MODEL"), Some(_)) => {
            let is_error = text(entry, "status") == Some("ERROR");
            let result = ToolResult { content: content.into(), is_error, others: others(&[]), time: None };
            session.result(&ToolCall::default(), result);
        }
        _ => return Role::Other,
    }
    Role::Step
}
