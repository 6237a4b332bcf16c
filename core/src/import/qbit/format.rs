//! Detects and reads a log of qbit.

use serde_json::Value;

use super::super::detect::Found;
use super::super::files::LogFile;
use super::super::formats::{Derived, Detection, Format, Grouping, Words};
use super::super::runs::{Refusal, Request, Runs};
use super::path::{is_log, is_of_agent, session_of};
use super::summary::is_summary;
use super::{event, qbit, summary};
use crate::diagnostic::closest;

pub(in super::super) static FORMAT: Format = Format {
    kind: "qbit-log",
    names: &["qbit", "qbit-log"],
    title: "qbit",
    files: Grouping::Sessions,
    extras: &["summary", "repair"],
    rank: 90,
    is_run: |_| false,
    ..Format::BASE
};

pub(in super::super) static WORDS: Words = Words {
    run: "a qbit session log",
    entry: ("event", "events"),
    nouns: ("files are of", "session"),
    plural: "qbit logs",
    sentence: "this is a qbit session log",
    unit: "events",
    left_out: ("it is a recording", "the qbit session"),
    ..Words::BASE
};

pub(in super::super) static DETECTION: Detection = Detection {
    keys: &["\"_timestamp\"", "\"seq\""],
    known_by: &[&["_timestamp", "type", "turn_id"]],
    is_path: is_of_agent,
    is_path_of_nothing: is_log,
    session_of,
    entry_of,
    derived_of: |text| is_summary(text).then_some(&SUMMARY),
    ..Detection::NONE
};

static SUMMARY: Derived = Derived {
    reason: "it is qbit's input for its summarizer; the log is the `transcript.json` of the session",
    message: "this is qbit's input for its summarizer, not a log",
    help: "open the `transcript.json` of the session",
};

fn entry_of(value: &Value, is_first: bool) -> Option<Found> {
    let kind = value.get("type")?.as_str()?;
    let is_known = event::role(kind).is_some();
    let which = if is_first { "first event" } else { "event" };
    if value.get("_timestamp").is_some() {
        let reason = match is_known {
            true => format!("its {which}, `{kind}`, has `_timestamp` and `type`, like qbit events"),
            false => "its first entry has `_timestamp` and `type`, like qbit events".to_owned(),
        };
        return Some(Found { format: &FORMAT, is_certain: is_known, reason });
    }
    let is_envelope = value.get("seq").is_some_and(Value::is_u64) && value.get("ts").is_some();
    (is_known && is_envelope).then(|| {
        let reason = format!("its {which}, `{kind}`, has `seq`, `ts` and `type`, like qbit messages");
        Found { format: &FORMAT, is_certain: true, reason }
    })
}

/// Reads the logs of the session that is wanted.
pub(in super::super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    let mut names: Vec<(String, String)> = Vec::new();
    for name in request.files.iter().filter_map(|(file, _)| session_of(file.path)) {
        if names.iter().all(|(known, _)| known != name) {
            names.push((name.to_owned(), String::new()));
        }
    }
    let wanted = request.session;
    if let Some(wanted) = wanted.filter(|wanted| names.iter().all(|(name, _)| name != wanted)) {
        let meant = closest(wanted, names.iter().map(|(name, _)| name.as_str()));
        let help = meant.map(|meant| format!("did you mean `{meant}`?"));
        let message = format!("there is no session `{wanted}`");
        return Err(Refusal { message, help, names, ..Refusal::default() });
    }
    let mut logs = request.files_of(&FORMAT);
    logs.retain(|log| wanted.is_none() || session_of(log.path) == wanted);
    let text = main_of(&logs).filter(|_| request.summary).map(summary);
    let of = names.clone();
    let mut runs = Runs::new(request, names, move |chosen| {
        let name = chosen.filter(|_| of.len() > 1).and_then(|at| of.get(at)).map(|(name, _)| name.as_str());
        let is_own = |log: &&LogFile<'_>| name.is_none() || session_of(log.path) == name;
        qbit(&logs.iter().filter(is_own).copied().collect::<Vec<_>>())
    });
    runs.extras.summary = text;
    Ok(runs)
}

/// The log of the session itself.
fn main_of<'l, 't>(logs: &'l [LogFile<'t>]) -> Option<&'l LogFile<'t>> {
    logs.iter().find(|log| !is_of_agent(log.path)).or(logs.first())
}
