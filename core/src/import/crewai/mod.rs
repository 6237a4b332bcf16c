//! Logs of CrewAI (`output_log_file`): an entry where a task of an agent starts, and one where it ends.

use serde_json::Value;

use super::formats::{Detection, Format, Words};
use super::keys::{non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{Answer, Role, SessionBuilder, SessionFormat, detected};

pub(super) static FORMAT: Format = Format {
    kind: "crewai-log",
    names: &["crewai", "crewai-log"],
    title: "CrewAI",
    rank: 60,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "a CrewAI log",
    entry: ("entry", "entries"),
    plural: "CrewAI logs",
    sentence: "this is a CrewAI log",
    unit: "entries",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"task_name\""],
    known_by: &[&["timestamp", "task_name", "task", "agent", "status"]],
    entry_of: |value, _| {
        let is_entry = ["task_name", "task", "agent", "status"].iter().all(|key| value.get(*key).is_some());
        let reason = "its entries have `task`, `agent` and `status`, like logs of CrewAI";
        detected(&FORMAT, is_entry, reason)
    },
    ..Detection::NONE
};

static LOGS: SessionFormat = SessionFormat { name: "crewai", read: read_entry, ..SessionFormat::BASE };

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    LOGS.read_request(request)
}

fn read_entry(entry: &Value, session: &mut SessionBuilder) -> Role {
    // The time has no zone.
    session.set_moment(None);
    let others = |taken: &str| non_null_except(entry, &["status", taken]);
    match (text(entry, "status"), text(entry, "task")) {
        (Some("started"), Some(task)) => session.message("user", task.trim(), others("task")),
        (Some("completed"), _) => session.answer(Answer {
            content: text(entry, "output").unwrap_or_default().to_owned(),
            others: others("output"),
            ..Answer::default()
        }),
        _ => return Role::Other,
    }
    Role::Step
}
