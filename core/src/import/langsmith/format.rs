//! Detects and reads runs of LangSmith.

use serde_json::Value;

use super::super::detect::Found;
use super::super::formats::{Detection, Format, Words};
use super::super::runs::{Refusal, Request, Runs};
use super::langsmith_runs;
use crate::parse::Node;

pub(in super::super) static FORMAT: Format = Format {
    kind: "langsmith-runs",
    names: &["langsmith", "langsmith-runs"],
    title: "LangSmith",
    run: "LangSmith runs",
    entry: ("run", "runs"),
    nouns: ("log has", "trace"),
    rank: 40,
    ..Format::BASE
};

pub(in super::super) static WORDS: Words =
    Words { plural: "LangSmith runs", sentence: "these are LangSmith runs", unit: "runs", ..Words::BASE };

pub(in super::super) static DETECTION: Detection = Detection {
    keys: &["\"run_type\""],
    known_by: &[&["run_type", "inputs", "outputs", "trace_id"]],
    entry_of,
    root_of,
    broken_of: |read| root_of(&read.root),
    ..Detection::NONE
};

fn entry_of(value: &Value, is_first: bool) -> Option<Found> {
    let kind = value.get("run_type").and_then(Value::as_str)?;
    let is_so = ["dotted_order", "trace_id", "inputs"].iter().any(|key| value.get(key).is_some());
    let which = if is_first { "first entry" } else { "entry" };
    let reason = format!("its {which} has the `run_type` `{kind}`, like LangSmith runs");
    is_so.then(|| Found::certain(&FORMAT, &reason))
}

fn root_of(root: &Node) -> Option<Found> {
    let has = |key: &str| root.get(key).is_some();
    let is_so = has("run_type") && (has("dotted_order") || has("inputs"));
    let reason = "it has `run_type` and `inputs`, like LangSmith runs";
    is_so.then(|| Found::certain(&FORMAT, reason))
}

pub(in super::super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    Ok(langsmith_runs(&request.file()).into_runs(request))
}
