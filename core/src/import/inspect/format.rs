//! Detects and reads logs of Inspect AI.

use serde_json::Value;

use super::super::detect::Found;
use super::super::formats::{Archive, Detection, Format, Words};
use super::super::runs::{Refusal, Request, Runs};
use super::inspect_log;
use crate::parse::{Kind, Node};

pub(in super::super) static FORMAT: Format = Format {
    kind: "inspect-log",
    names: &["inspect", "inspect-log"],
    title: "Inspect",
    rank: 50,
    // It has a `version`, as a transcript has.
    may_be: |kind| !matches!(kind, Kind::Full | Kind::Compact),
    ..Format::BASE
};

pub(in super::super) static WORDS: Words = Words {
    run: "an Inspect AI sample",
    entry: ("message or event", "messages and events"),
    nouns: ("log has", "sample"),
    plural: "Inspect AI logs",
    sentence: "this is an Inspect AI log",
    unit: "messages and events",
    ..Words::BASE
};

pub(in super::super) static DETECTION: Detection = Detection {
    keys: &["\"samples\"", "\"eval\""],
    known_by: &[&["eval", "plan", "samples"]],
    archive: Some(&ARCHIVE),
    entry_of: |value, _| {
        let has = |key: &str| value.get(key).is_some();
        found(value.get("eval").is_some_and(Value::is_object) && (has("plan") || has("samples")))
    },
    root_of,
    ..Detection::NONE
};

static ARCHIVE: Archive = Archive {
    paths: &["_journal/", "header.json", "samples/", "summaries.json", "reductions.json"],
    name: "an Inspect AI log archive",
    help: "convert it to JSON with `inspect log convert --to json --output-dir FOLDER FILE`",
};

fn found(is_so: bool) -> Option<Found> {
    let reason = "it has `eval` with `plan` or `samples`, like Inspect AI logs";
    is_so.then(|| Found::certain(&FORMAT, reason))
}

fn root_of(root: &Node) -> Option<Found> {
    let has = |key: &str| root.get(key).is_some();
    found(root.get("eval").is_some_and(Node::is_map) && (has("plan") || has("samples")))
}

pub(in super::super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    let read = inspect_log(&request.file());
    Ok(Runs::new(request, read.samples.clone(), move |chosen| read.imported(chosen)))
}
