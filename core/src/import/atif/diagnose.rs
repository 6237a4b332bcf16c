//! What the format forbids in a trajectory although it can be read: step numbers that do not ascend,
//! duplicate ids, unknown versions.

use serde_json::Value;

use super::super::records::Records;
use super::super::values::Entry;
use super::Trajectory;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::Node;
use crate::text::{Span, Table};

/// The first and the last version of the format that are known.
const MINORS: std::ops::RangeInclusive<u32> = 0..=8;

/// The places of a trajectory's identity.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Places {
    /// That of its id, else its first byte.
    pub id: Span,
    /// The place of its version, if that is unknown.
    version: Option<Span>,
}

impl Places {
    pub(super) fn from_node(node: &Node) -> Self {
        let start = node.span.start as usize;
        let id =
            ["trajectory_id", "session_id"].iter().find_map(|key| node.get(key).filter(|id| is_text(id)));
        let version = node.present("schema_version").filter(|version| !is_known(version.as_str()));
        Self {
            id: id.map_or(Span::new(start, start + 1), |id| id.span),
            version: version.map(|version| version.span),
        }
    }
}

fn is_text(node: &Node) -> bool {
    node.as_str().is_some()
}

fn is_known(version: Option<&str>) -> bool {
    let minor = version.and_then(|version| version.strip_prefix("ATIF-v1."));
    minor.is_some_and(|minor| MINORS.map(|known| known.to_string()).any(|known| known == minor))
}

/// Whether the numbers of steps differ from their order in the file.
pub(super) fn is_disordered(steps: &[Entry]) -> bool {
    let numbers = || steps.iter().filter_map(|step| step.value.get("step_id"));
    numbers().any(|number| !number.is_i64()) || !numbers().is_sorted_by_key(Value::as_i64) || {
        let mut all: Vec<Option<i64>> = numbers().map(Value::as_i64).collect();
        let count = all.len();
        all.dedup();
        all.len() < count
    }
}

/// Reports violations of the format in a trajectory.
pub(super) fn diagnose(run: &Trajectory, all: &[Trajectory], records: &mut Records) {
    if let Some(span) = run.places.version {
        let written = run.head.get("schema_version").unwrap_or(&Value::Null);
        let written = written.as_str().map_or_else(|| written.to_string(), str::to_owned);
        let message = format!("unknown version `{written}`");
        let help = "it is read as `ATIF-v1.8`; unknown keys are kept in the metadata";
        records.warn(codes::LOG_ENTRY, span, message, help);
    }
    let mut seen: Table<String, Span> = Table::new();
    let mut before: Option<i64> = None;
    for step in &run.steps {
        let Some(number) = step.value.get("step_id").filter(|number| !number.is_null()) else { continue };
        let first = *seen.entry(number.to_string()).or_insert(step.span);
        let behind = number.as_i64().zip(before).filter(|(number, before)| number < before);
        before = number.as_i64().or(before);
        let (kind, message) = match (first == step.span, behind) {
            (false, _) => {
                let kind = "steps have a duplicate `step_id`";
                (kind, format!("duplicate `step_id` {number}"))
            }
            (true, Some((_, before))) => {
                let kind = "steps come after one with a larger `step_id`";
                (kind, format!("step {number} comes after step {before}"))
            }
            (true, None) => continue,
        };
        let mut found = Diagnostic::new(codes::LOG_ENTRY, Severity::Warning, begin(step.span), message);
        if first != step.span {
            found = found.related(begin(first), "first here");
        }
        let help = "the steps are read in the order of the file; their `step_id` is kept in their metadata";
        records.kinds.add(kind, found.help(help));
    }
    let inner = run.inner.iter().map(|(id, at)| (id, all.get(*at).map(|inner| inner.places.id)));
    diagnose_duplicates(inner, "a reference uses the first one that is not used yet", records);
}

/// Reports trajectories with the id of an earlier one.
pub(super) fn diagnose_duplicates<'t>(
    all: impl Iterator<Item = (&'t String, Option<Span>)>,
    help: &str,
    records: &mut Records,
) {
    let mut seen: Table<&String, Span> = Table::new();
    for (id, span) in all.filter_map(|(id, span)| Some((id, span?))).filter(|(id, _)| !id.is_empty()) {
        let first = *seen.entry(id).or_insert(span);
        if first != span {
            let message = format!("duplicate trajectory id `{id}`");
            let found = Diagnostic::new(codes::LOG_ENTRY, Severity::Warning, span, message);
            let found = found.related(first, "first here").help(help);
            records.kinds.add("trajectories have a duplicate id", found);
        }
    }
}

/// The first byte of a step, as a whole step is long.
fn begin(span: Span) -> Span {
    Span::new(span.start as usize, span.start as usize + 1)
}
