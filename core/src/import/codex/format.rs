//! Detects and reads a session of Codex.

use serde_json::Value;

use super::super::detect::Found;
use super::super::formats::{Detection, Format, Words};
use super::super::runs::{Refusal, Request, Runs};
use super::{codex, documents, exec, record_certainty};
use crate::parse::Node;

pub(in super::super) static FORMAT: Format = Format {
    kind: "codex-rollout",
    names: &["codex", "codex-rollout"],
    title: "Codex",
    rank: 70,
    ..Format::BASE
};

pub(in super::super) static WORDS: Words = Words {
    run: "a Codex session",
    entry: ("record", "records"),
    nouns: ("file has", "session"),
    sentence: "this is a Codex rollout",
    unit: "records",
    ..Words::BASE
};

pub(in super::super) static DETECTION: Detection = Detection {
    keys: &[
        "\"payload\"",
        "\"record_type\"",
        "\"instructions\"",
        "\"call_id\"",
        "\"thread.started\"",
        "\"item.started\"",
        "\"item.completed\"",
        "\"session\"",
    ],
    known_by: &[&["timestamp", "type", "payload"]],
    entry_of,
    root_of,
    ..Detection::NONE
};

const DOCUMENT: &str = "it has `session` and `items`, like Codex sessions of spring 2025";

fn entry_of(value: &Value, is_first: bool) -> Option<Found> {
    if documents::is_document(value) {
        return Some(Found::certain(&FORMAT, DOCUMENT));
    }
    // qbit's events have this key alone.
    if value.get("_timestamp").is_some() {
        return None;
    }
    let which = if is_first { "first record" } else { "record" };
    if let Some(kind) = exec::event_kind(value) {
        let reason = format!("its {which} is `{kind}`, like the output of `codex exec --json`");
        return Some(Found::certain(&FORMAT, &reason));
    }
    let is_certain = record_certainty(value)?;
    let reason = match is_certain {
        true => format!("its {which} has `timestamp`, `type` and `payload`, like Codex sessions"),
        false => "it starts with the `id`, `timestamp` and `instructions` of a Codex session".to_owned(),
    };
    Some(Found { format: &FORMAT, is_certain, reason })
}

fn root_of(root: &Node) -> Option<Found> {
    documents::is_session(root).then(|| Found::certain(&FORMAT, DOCUMENT))
}

pub(in super::super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    let mut read = codex(&request.file());
    Ok(Runs::new(request, read.sessions.clone(), move |chosen| read.imported(chosen)))
}
