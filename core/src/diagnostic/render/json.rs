//! Diagnostics as plain data with lines and columns: the machine contract of page, package and command line.

use serde::{Deserialize, Serialize};

use super::super::{Applicability, Diagnostic, Severity, codes};
use crate::text::{LineIndex, Place};

/// One diagnostic with every place as line, column and byte offset.
///
/// Lines and columns count from 1, columns in Unicode scalar values; ends are exclusive; offsets
/// are UTF-8 bytes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// The name of the file, from the caller.
    pub file: String,
    /// The rule's code.
    #[serde(deserialize_with = "codes::deserialize_code")]
    pub code: codes::CodeName,
    /// How grave it is.
    pub severity: Severity,
    /// The headline.
    pub message: String,
    /// Where it is.
    #[serde(flatten)]
    pub place: Place,
    /// The remedy.
    pub help: Option<String>,
    /// Other places that explain it.
    pub related: Vec<RelatedJson>,
    /// Edits that would fix it.
    pub fixes: Vec<FixJson>,
}

/// A second place of a [`Problem`].
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RelatedJson {
    /// What is there.
    pub message: String,
    /// Where it starts.
    pub line: u32,
    /// Where it starts.
    pub column: u32,
    /// Where it starts, in bytes.
    pub offset: u32,
    /// Where it ends, in bytes.
    pub end_offset: u32,
}

/// A fix of a [`Problem`].
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FixJson {
    /// Its effect.
    pub title: String,
    /// Whether it may be applied without confirmation.
    pub applicability: Applicability,
    /// The edits, in order of place.
    pub edits: Vec<EditJson>,
}

/// One edit of a [`FixJson`], in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EditJson {
    /// Where the replaced text starts, in bytes.
    pub offset: u32,
    /// Where the replaced text ends, in bytes.
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
