//! Detects and reads trajectories of harbor.

use super::super::detect::Found;
use super::super::formats::{Detection, Format, Words};
use super::super::runs::{Refusal, Request, Runs};
use super::{is_version, trajectories};
use crate::parse::Node;

pub(in super::super) static FORMAT: Format = Format {
    kind: "atif-trajectory",
    names: &["atif", "harbor", "atif-trajectory"],
    title: "ATIF (harbor)",
    rank: 20,
    ..Format::BASE
};

pub(in super::super) static WORDS: Words = Words {
    run: "a harbor trajectory",
    entry: ("step", "steps"),
    nouns: ("file has", "trajectory"),
    plural: "harbor trajectories",
    sentence: "this is a harbor trajectory",
    unit: "steps",
    ..Words::BASE
};

pub(in super::super) static DETECTION: Detection = Detection {
    keys: &["\"schema_version\""],
    known_by: &[&["schema_version", "agent", "steps"]],
    entry_of: |value, _| of_version(value.get("schema_version")?.as_str()?),
    root_of,
    ..Detection::NONE
};

fn of_version(version: &str) -> Option<Found> {
    is_version(version).then(|| Found::certain(&FORMAT, &format!("its `schema_version` is `{version}`")))
}

fn root_of(root: &Node) -> Option<Found> {
    of_version(root.get("schema_version")?.as_str()?)
}

pub(in super::super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    let read = trajectories(&request.file());
    Ok(Runs::new(request, read.runs.clone(), move |chosen| read.imported(chosen)))
}
