//! The diagnostic of an import that could make no step.

use serde_json::Value;

use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::import::{Format, Imported};
use crate::text::Span;

/// The most kinds of entries that are named.
const NAMED: usize = 8;

/// Reports that nothing of the files became a part of the run, unless their reader has reported that itself.
pub(super) fn nothing_understood(imported: &Imported, format: &Format) -> Option<Diagnostic> {
    let is_empty = |layer: &str, key: Option<&str>| {
        let list =
            imported.transcript.get(layer).and_then(|layer| key.map_or(Some(layer), |key| layer.get(key)));
        list.and_then(Value::as_array).is_none_or(Vec::is_empty)
    };
    let mut all = imported.files.iter().flat_map(|file| &file.diagnostics);
    if !is_empty("execution", None)
        || !is_empty("initial_state", Some("message_store"))
        || all.any(|found| found.code == codes::NOTHING_UNDERSTOOD)
    {
        return None;
    }
    let reports = || imported.files.iter().map(|file| &file.report);
    let (entries, lost): (usize, usize) =
        (reports().map(|report| report.entries).sum(), reports().map(|report| report.lost.len()).sum());
    let unit = format.words().unit;
    let message = match entries + lost {
        0 => format!("the log has no {unit}"),
        all => format!("0 of {all} {unit} understood"),
    };
    let mut kinds: Vec<&str> = Vec::new();
    for kind in reports().flat_map(|report| &report.kept).map(|kept| kept.kind.as_str()) {
        if !kind.is_empty() && !kinds.contains(&kind) && kinds.len() < NAMED {
            kinds.push(kind);
        }
    }
    let help = match (entries + lost, kinds.as_slice()) {
        (0, _) => "check that the program has written to it".to_owned(),
        (_, []) => "there are no messages or calls; everything is kept in `metadata.recording`".to_owned(),
        (_, kinds) => format!(
            "its entries have no messages or calls: `{}`; everything is kept in `metadata.recording`",
            kinds.join("`, `")
        ),
    };
    let is_grave = entries + lost > 0 && !format.may_be_empty;
    let severity = if is_grave { Severity::Error } else { Severity::Warning };
    Some(Diagnostic::new(codes::NOTHING_UNDERSTOOD, severity, Span::empty(0), message).help(help))
}
