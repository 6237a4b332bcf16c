//! Completions and hovers as plain data with lines and columns.

use serde::{Deserialize, Serialize};

use crate::complete::{Assist, Completion, CompletionKind, Hover};
use crate::document::Limits;
use crate::expand;
use crate::parse::{self, Kind};
use crate::text::{LineIndex, Place, Span};

/// A completion at a place, with the edit that inserts it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Completion"))]
#[serde(rename_all = "camelCase")]
pub struct CompletionView {
    /// What it is called in the list.
    pub label: String,
    /// What it is.
    #[cfg_attr(feature = "typescript", ts(inline))]
    pub kind: CompletionKind,
    /// A few words next to the label.
    pub detail: String,
    /// What it is for, in Markdown.
    pub documentation: String,
    /// What is replaced.
    #[serde(flatten)]
    pub range: Place,
    /// The text that is there afterwards.
    pub text: String,
    /// Where in `text`, in bytes of UTF-8, the author goes on.
    pub caret: u32,
    /// Puts the list in order when compared as text.
    pub sort: String,
}

/// The description of what is at a place.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Hover"))]
#[serde(rename_all = "camelCase")]
pub struct HoverView {
    /// The text that it describes.
    #[serde(flatten)]
    pub range: Place,
    /// What is known, in Markdown.
    pub text: String,
}

/// The completions at the byte `offset` of `text`, the most likely first. `lines` are the lines of `text`.
///
/// ```
/// use transcript_core::text::LineIndex;
/// use transcript_core::document::Limits;
/// use transcript_core::view::completions;
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

/// What is known of what stands at the byte `offset` of `text`, whose lines are `lines`; of an item of a compact
/// document also what it expands to.
///
/// ```
/// use transcript_core::text::LineIndex;
/// use transcript_core::document::Limits;
/// use transcript_core::view::hover;
/// let text = "messages: ['user: Hi']";
/// let found = hover(text, &LineIndex::new(text), 13, &Limits::default()).unwrap();
/// assert_eq!((found.range.column, found.range.end_column), (13, 17));
/// assert!(found.text.ends_with("Expands to the initial message `msg_001`."));
/// ```
#[must_use]
pub fn hover(text: &str, lines: &LineIndex, offset: usize, limits: &Limits) -> Option<HoverView> {
    let known = Assist::new(text, limits).hover(offset);
    let expansion = expansion(text, offset, limits);
    let Hover { span, text: known } = match (known, expansion) {
        (Some(known), Some((_, more))) => Hover { text: format!("{}\n\n{more}", known.text), ..known },
        (Some(known), None) => known,
        (None, found) => found.map(|(span, text)| Hover { span, text })?,
    };
    Some(HoverView { range: Place::new(text, lines, span), text: known })
}

/// What the item of a compact document at `offset` expands to, in Markdown, and where it stands.
fn expansion(text: &str, offset: usize, limits: &Limits) -> Option<(Span, String)> {
    if text.len() > limits.bytes {
        return None;
    }
    let root = parse::parse(text, limits).root.filter(|root| parse::detect(root) == Kind::Compact)?;
    let items = root.get("messages")?.items();
    let item = items.iter().find(|item| item.span.touches(offset)).map(|item| item.span)?;
    let (transcript, _) = expand::compact(text, &root, limits);
    if let Some(message) = transcript.initial.iter().find(|message| message.span == item) {
        let id = &message.id.value;
        return Some((item, format!("Expands to the initial message `{id}`.")));
    }
    let made = transcript.turns.iter().enumerate().find_map(|(at, turn)| {
        let message = turn.created.as_ref().filter(|message| message.span == item)?;
        Some((at + 1, turn.kind.value.name(), &message.id.value))
    });
    let (number, kind, id) = made?;
    Some((item, format!("Expands to `{id}` and turn {number} (`{kind}`).")))
}
