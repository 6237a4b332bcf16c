//! The compact form of a document, with what it would lose.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::compact::{self, Loss, LossKind};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::document::{Document, Form};
use crate::expand::NO_MESSAGE_BEFORE;
use crate::model::Text;
use crate::parse::{Limits, PieceKind, layout};
use crate::text::{LineIndex, Span};

/// The compact form of a document, or what it would lose.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Compaction {
    /// Whether the compact form has everything that the document has.
    pub ok: bool,
    /// The compact document as YAML; `None` when something would be lost and `force` is not set.
    pub text: Option<String>,
    /// Everything that would be lost, in the order of the full form.
    pub losses: Vec<LossView>,
    /// The same in few lines, losses of one kind together.
    pub summary: Vec<String>,
    /// What is lost in addition to data, without preventing the change: comments that are no notes on steps.
    pub notices: Vec<String>,
}

/// One thing that another form of the transcript would lose.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Loss"))]
#[serde(rename_all = "camelCase")]
pub struct LossView {
    /// How: it is gone, becomes another value, comes to be, is a whole message or turn, or would be refused.
    #[cfg_attr(feature = "typescript", ts(as = "LossKind", inline))]
    pub kind: Cow<'static, str>,
    /// Where it is in the full form, such as `execution[0].timestamp`.
    pub path: String,
    /// What is lost, as the end of a sentence.
    pub message: String,
    /// The id of the message that it is part of.
    pub message_id: Option<Text>,
    /// The line it starts in.
    pub line: u32,
    /// The column it starts in.
    pub column: u32,
    /// Where it starts, in bytes of UTF-8.
    pub offset: u32,
    /// Where it ends, in bytes of UTF-8.
    pub end_offset: u32,
}

impl Document {
    /// The document in the compact form. If that would lose data, there is a text only with `force`, and it
    /// lacks what the losses name. A text that cannot be read as a transcript has no compact form at all.
    ///
    /// ```
    /// use transcript_core::document::{Document, Limits};
    /// let document = Document::open("execution: [{type: llm_call, llm_response: {content: Hi}}]", &Limits::default());
    /// let compaction = document.compacted(false);
    /// assert_eq!(compaction.text, None);
    /// assert_eq!(compaction.summary, ["the absence of `messages_sent_to_llm` in turn 1"]);
    /// assert_eq!(document.compacted(true).text.unwrap(), "messages:\n  - \"assistant: Hi\"\n");
    /// ```
    #[must_use]
    pub fn compacted(&self, force: bool) -> Compaction {
        let readable = self.timeline().filter(|_| self.is_readable());
        let Some(timeline) = readable else {
            let why = "the document cannot be read as a transcript".to_owned();
            return Compaction {
                ok: false,
                text: None,
                losses: Vec::new(),
                summary: vec![why],
                notices: Vec::new(),
            };
        };
        let compacted = compact::compact(timeline.transcript(), self.source());
        let mut losses = self.unread_losses();
        let mut summary: Vec<String> = losses.iter().map(|loss| loss.message.clone()).collect();
        summary.extend(compacted.summary());
        losses.extend(compacted.losses.iter().map(|loss| self.loss_at(loss, loss.span)));
        let ok = losses.is_empty();
        let length = compacted.text.len();
        let noted = self.noted(compacted.text);
        // Those of runs inside have no place.
        let mut kept = if noted.len() > length { self.notes() } else { Vec::new() };
        kept.retain(|(path, _)| !path.contains('.'));
        let notices = self.comments(&kept).into_iter().collect();
        Compaction { ok, text: (ok || force).then_some(noted), losses, summary, notices }
    }

    /// What could not be read of the document, and so is in no other form of it.
    pub(super) fn unread_losses(&self) -> Vec<LossView> {
        let unread = self.diagnostics().iter().filter(|found| self.is_unread(found));
        unread.map(|found| self.unread(found)).collect()
    }

    /// A loss at `span`.
    pub(super) fn loss_at(&self, loss: &Loss, span: Span) -> LossView {
        let kind = match loss.kind {
            LossKind::Lost => "lost",
            LossKind::Changed => "changed",
            LossKind::Added => "added",
            LossKind::Whole => "whole",
            LossKind::Refused => "refused",
        };
        self.loss(kind, loss.path.clone(), loss.message.clone(), loss.in_message.clone(), span)
    }

    /// Whether a diagnostic is about a part of a compact document that was left out of its run.
    fn is_unread(&self, found: &Diagnostic) -> bool {
        let is_from_expansion = match found.code {
            codes::BAD_SHORTHAND | codes::UNKNOWN_ROLE | codes::UNKNOWN_KEY | codes::WRONG_TYPE => true,
            codes::UNKNOWN_REF => found.message.starts_with(NO_MESSAGE_BEFORE),
            _ => false,
        };
        is_from_expansion && self.form() == Form::Compact && found.severity == Severity::Error
    }

    fn unread(&self, found: &Diagnostic) -> LossView {
        let line = self.lines().position(self.text(), found.span.start as usize).line;
        let message = format!("unreadable text on line {line}: {}", found.message);
        self.loss("lost", "messages".to_owned(), message, None, found.span)
    }

    fn loss(
        &self,
        kind: &'static str,
        path: String,
        message: String,
        id: Option<Text>,
        span: Span,
    ) -> LossView {
        let lines: &LineIndex = self.lines();
        let at = lines.position(self.text(), span.start as usize);
        LossView {
            kind: kind.into(),
            path,
            message,
            message_id: id,
            line: at.line,
            column: at.column,
            offset: span.start,
            end_offset: span.end,
        }
    }

    /// The comments that are lost, of which notes on steps are `kept`.
    fn comments(&self, kept: &[(String, String)]) -> Option<String> {
        let limits = Limits { bytes: usize::MAX, depth: 400, ..Limits::default() };
        let pieces = layout(self.text(), &limits)?;
        let kept: usize = kept.iter().map(|(_, note)| note.lines().count()).sum();
        let comments = pieces.iter().filter(|piece| piece.kind == PieceKind::Comment).count();
        match comments.saturating_sub(kept) {
            0 => None,
            1 => Some("the document's comment".to_owned()),
            count => Some(format!("the document's {count} comments")),
        }
    }
}
