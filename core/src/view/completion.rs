//! Completions and hovers as plain data with lines and columns.

use serde::Serialize;

use super::Limits;
use crate::complete::{Assist, Completion, CompletionKind, Hover};
use crate::text::{LineIndex, Place};

/// One thing that may stand at a place, with the edit that puts it there.
///
/// Lines and columns count from 1, columns in Unicode scalar values; ends are exclusive; offsets
/// are UTF-8 bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompletionView {
    /// What it is called in the list.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// A few words beside the label.
    pub detail: String,
    /// What it is for, in Markdown.
    pub documentation: String,
    /// What is replaced.
    #[serde(flatten)]
    pub range: Place,
    /// What stands there afterwards.
    pub text: String,
    /// Where in `text`, in bytes, the author goes on.
    pub caret: u32,
    /// Puts the list in order when compared as text.
    pub sort: String,
}

/// What is known of what stands at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HoverView {
    /// What it speaks of.
    #[serde(flatten)]
    pub range: Place,
    /// What is known, in Markdown.
    pub text: String,
}

/// What may stand at the byte `offset` of `text`, whose lines are `lines`, the most likely first.
///
/// ```
/// use transcript_core::text::LineIndex;
/// use transcript_core::view::{Limits, completions};
/// let text = "execution:\n  - type: ";
/// let found = completions(text, &LineIndex::new(text), text.len(), &Limits::default());
/// let labels: Vec<&str> = found.iter().map(|one| one.label.as_str()).collect();
/// assert_eq!(labels, ["llm_call", "tool_call", "message"]);
/// assert_eq!((found[0].range.line, found[0].range.column), (2, 11));
/// ```
#[must_use]
pub fn completions(text: &str, lines: &LineIndex, offset: usize, limits: &Limits) -> Vec<CompletionView> {
    let found = Assist::new(text, limits).completions(offset);
    let view = |one: Completion| CompletionView {
        range: Place::new(text, lines, one.span),
        label: one.label,
        kind: one.kind,
        detail: one.detail,
        documentation: one.documentation,
        text: one.insert,
        caret: one.caret,
        sort: one.sort,
    };
    found.into_iter().map(view).collect()
}

/// What is known of what stands at the byte `offset` of `text`, whose lines are `lines`.
///
/// ```
/// use transcript_core::text::LineIndex;
/// use transcript_core::view::{Limits, hover};
/// let text = "messages: ['user: Hi']";
/// let found = hover(text, &LineIndex::new(text), 13, &Limits::default()).unwrap();
/// assert_eq!((found.range.column, found.range.end_column), (13, 17));
/// ```
#[must_use]
pub fn hover(text: &str, lines: &LineIndex, offset: usize, limits: &Limits) -> Option<HoverView> {
    let Hover { span, text: known } = Assist::new(text, limits).hover(offset)?;
    Some(HoverView { range: Place::new(text, lines, span), text: known })
}
