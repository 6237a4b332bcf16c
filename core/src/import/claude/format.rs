//! Detects and reads a session of Claude Code.

use serde_json::Value;

use super::super::detect::Found;
use super::super::formats::{Detection, Format, Grouping, Words};
use super::super::runs::{Refusal, Request, Runs};
use super::{ClaudeLog, ClaudeSession, is_main, is_message, is_recording};

pub(in super::super) static FORMAT: Format = Format {
    kind: "claude-code-session",
    names: &["claude-code", "claude-code-session"],
    title: "Claude Code",
    files: Grouping::Folder,
    rank: 80,
    is_run: is_main,
    ..Format::BASE
};

pub(in super::super) static WORDS: Words = Words {
    run: "a Claude Code session",
    entry: ("record", "records"),
    nouns: ("file has", "session"),
    plural: "Claude Code and Codex sessions",
    sentence: "this is a Claude Code session",
    unit: "records",
    ..Words::BASE
};

pub(in super::super) static DETECTION: Detection = Detection {
    keys: &["\"sessionId\"", "\"session_id\"", "\"parentUuid\"", "\"leafUuid\"", "\"snapshot\""],
    known_by: &[&["sessionId", "uuid", "type", "message"]],
    entry_of,
    root_of: |root| {
        let first = root.get("messages")?.items().first()?;
        let kind = first.get("message")?.get("type");
        (kind.is_some() && first.get("direction").is_some()).then(|| Found::certain(&FORMAT, RECORDING))
    },
    // Other programs have the records that are no messages too.
    entry_suffices: |value| is_message(value) || is_recording(value),
    is_look_alike: is_alike,
    ..Detection::NONE
};

const RECORDING: &str = "it has the messages between the Claude Agent SDK and Claude Code";

/// Detects a record by its keys; qbit's events have keys of their own.
fn entry_of(value: &Value, is_first: bool) -> Option<Found> {
    if value.get("_timestamp").is_some() {
        return None;
    }
    if is_first && is_recording(value) {
        return Some(Found::certain(&FORMAT, RECORDING));
    }
    let which = if is_first { "first record" } else { "record" };
    let is_certain = record_certainty(value)?;
    let reason = match is_certain {
        true => format!("its {which} has the `type` and keys of Claude Code"),
        false => format!("its {which} has `type` and `sessionId`, like Claude Code sessions"),
    };
    Some(Found { format: &FORMAT, is_certain, reason })
}

/// Whether a value is a record of a session, and whether no other format is similar.
fn record_certainty(value: &Value) -> Option<bool> {
    let kind = value.get("type")?.as_str()?;
    let has = |key: &str| value.get(key).is_some();
    match kind {
        "user" | "assistant" if is_message(value) => {
            (has("uuid") || has("parentUuid") || has("sessionId") || has("session_id")).then_some(true)
        }
        "summary" => has("leafUuid").then_some(true),
        "file-history-snapshot" => has("snapshot").then_some(true),
        "system" if has("session_id") && has("subtype") => Some(true),
        "system" | "attachment" | "progress" => (has("parentUuid") && has("uuid")).then_some(true),
        _ => (has("sessionId") && !has("payload")).then_some(false),
    }
}

/// Whether a record is of a program with nearly the format of Claude Code, where the reader would lose
/// content: messages of Qwen Code have `parts`, and answers of iFlow form no chain.
fn is_alike(value: &Value) -> bool {
    let of_qwen = value.get("message").is_some_and(|message| message.get("parts").is_some());
    let session = value.get("sessionId").and_then(Value::as_str).and_then(|id| id.strip_prefix("session-"));
    of_qwen || session.is_some_and(|id| id.len() == 36)
}

/// Reads a session: the conversation with the latest message, or the requested one; of several sessions in
/// the file, the chosen one.
pub(in super::super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    let files = request.files_of(&FORMAT);
    let mut log = ClaudeLog::read(&files, request.session);
    let sessions = log.sessions.clone();
    let ClaudeSession { ends, ids, last, imported } = log.session(log.chosen, request.session);
    let is_several = sessions.len() > 1;
    // The id of a record, or of a session.
    let is_named = |wanted: &str| {
        let mut names = ids.iter().chain(&last).chain(sessions.iter().map(|(name, _)| name));
        names.any(|name| name == wanted)
    };
    let is_chosen = request.session.map_or(!is_several, is_named);
    let last = if is_chosen { Vec::new() } else { last };
    let names = match is_several {
        true => sessions,
        false => {
            let words = sessions.into_iter().next().map(|(_, words)| words).unwrap_or_default();
            ends.into_iter().chain(last).map(|end| (end, words.clone())).collect()
        }
    };
    let mut imported = Some(imported);
    let noun = if is_several { "session" } else { "record" };
    let ends = names.clone();
    let import = move |chosen: Option<usize>| match chosen.and_then(|at| Some((at, ends.get(at)?))) {
        Some((at, (name, _))) => {
            if !is_several {
                log = ClaudeLog::read(&files, None);
            }
            log.session(at, Some(name)).imported
        }
        None => imported.take().unwrap_or_default(),
    };
    Ok(Runs { is_chosen, noun, ..Runs::new(request, names, import) })
}
