//! Diagnostics as plain data with lines and columns: the machine contract of page, package and command line.

use serde::{Deserialize, Serialize};

use super::super::{Applicability, Diagnostic, Severity, codes};
use crate::text::{LineIndex, Place};

/// One diagnostic with its place.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Diagnostic"))]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// The name of the file, as in the input.
    pub file: String,
    /// The code of the rule, such as `T201`.
    #[serde(deserialize_with = "codes::deserialize_code")]
    pub code: codes::CodeName,
    /// How grave it is.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub message: String,
    /// Where it is.
    #[serde(flatten)]
    pub place: Place,
    /// The remedy, if one is known.
    pub help: Option<String>,
    /// Other places that explain it.
    pub related: Vec<RelatedJson>,
    /// Edits that would fix it.
    pub fixes: Vec<FixJson>,
}

/// A second place of a [`Problem`].
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "RelatedPlace"))]
#[serde(rename_all = "camelCase")]
pub struct RelatedJson {
    /// What is there.
    pub message: String,
    /// The line it starts in.
    pub line: u32,
    /// The column it starts in.
    pub column: u32,
    /// Where it starts, in bytes of UTF-8.
    pub offset: u32,
    /// Where it ends, in bytes of UTF-8.
    pub end_offset: u32,
}

/// Edits that mend a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Fix"))]
#[serde(rename_all = "camelCase")]
pub struct FixJson {
    /// Its effect.
    pub title: String,
    /// Whether it may be applied without review.
    pub applicability: Applicability,
    /// The edits, in order of place.
    pub edits: Vec<EditJson>,
}

/// Replaces the text between two places with `text`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Edit"))]
#[serde(rename_all = "camelCase")]
pub struct EditJson {
    /// Where the replaced text starts, in bytes of UTF-8.
    pub offset: u32,
    /// Where it ends.
    pub end_offset: u32,
    /// The text that is there afterwards.
    pub text: String,
}

/// The diagnostics of `text` as plain data, in the same order.
#[must_use]
pub fn problems(file: &str, text: &str, lines: &LineIndex, diagnostics: &[Diagnostic]) -> Vec<Problem> {
    diagnostics.iter().map(|diagnostic| problem(file, text, lines, diagnostic)).collect()
}

fn problem(file: &str, text: &str, lines: &LineIndex, diagnostic: &Diagnostic) -> Problem {
    Problem {
        file: file.to_owned(),
        code: diagnostic.code,
        severity: diagnostic.severity,
        message: diagnostic.message.clone(),
        place: Place::new(text, lines, diagnostic.span),
        help: diagnostic.help.clone(),
        related: diagnostic
            .related
            .iter()
            .map(|related| {
                let at = lines.position(text, related.span.start as usize);
                RelatedJson {
                    message: related.message.clone(),
                    line: at.line,
                    column: at.column,
                    offset: related.span.start,
                    end_offset: related.span.end,
                }
            })
            .collect(),
        fixes: diagnostic
            .fixes
            .iter()
            .map(|fix| FixJson {
                title: fix.title.clone(),
                applicability: fix.applicability,
                edits: fix
                    .edits
                    .iter()
                    .map(|edit| EditJson {
                        offset: edit.span.start,
                        end_offset: edit.span.end,
                        text: edit.text.clone(),
                    })
                    .collect(),
            })
            .collect(),
    }
}
