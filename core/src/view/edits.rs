//! Changes of a document as plain data: for the page, the package and the command line.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::diagnostic::render::EditJson;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::document::{Document, Limits, Options};
use crate::edit::{Change, change_and_read};
use crate::parse::Parsed;
use crate::text::{LineIndex, Span, Table};

/// The outcome of a change.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "EditResult"))]
#[serde(rename_all = "camelCase")]
pub struct EditAnswer {
    /// Whether the change was made.
    pub ok: bool,
    /// The text afterwards; the text as it was when the change was not made.
    pub text: String,
    /// The edits that lead there, in order of place and apart from each other.
    pub edits: Vec<EditJson>,
    /// What else was changed, in sentences.
    pub notes: Vec<String>,
    /// Why the change was not made.
    pub problem: Option<EditProblem>,
}

/// Why a change was not made.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct EditProblem {
    /// The kind of reason.
    #[cfg_attr(
        feature = "typescript",
        ts(type = "'unreadable' | 'path' | 'shared' | 'taken' | 'change' | 'meaning'")
    )]
    pub reason: Cow<'static, str>,
    /// What is in the way.
    pub message: String,
    /// The remedy, if one is known.
    pub help: Option<String>,
    /// Its line, from 1.
    pub line: u32,
    /// The column, from 1, in Unicode scalar values.
    pub column: u32,
    /// Where it starts, in bytes of UTF-8.
    pub offset: u32,
    /// Where it ends, in bytes of UTF-8.
    pub end_offset: u32,
}

/// Makes the change that `change` describes as data; `public/docs/edits.md` lists the shapes.
///
/// ```
/// use serde_json::json;
/// use transcript_core::document::Limits;
/// use transcript_core::view::edit;
/// let text = "messages:\n  - \"user: Hi\" # first\n  - \"assistant: Hello!\"\n";
/// let wanted = json!({"set_text": {"message": "msg_001", "text": "Good day"}});
/// let answer = edit(text, &wanted, &Limits::default());
/// assert!(answer.ok);
/// assert_eq!(answer.text, "messages:\n  - \"user: Good day\" # first\n  - \"assistant: Hello!\"\n");
/// ```
#[must_use]
pub fn edit(text: &str, change: &Value, limits: &Limits) -> EditAnswer {
    let refused = |reason: &'static str, message, help, span: Span| {
        let at = LineIndex::new(text).position(text, span.start as usize);
        let (line, column) = (at.line, at.column);
        let (offset, end_offset) = (span.start, span.end);
        let problem =
            Some(EditProblem { reason: reason.into(), message, help, line, column, offset, end_offset });
        EditAnswer { ok: false, text: text.to_owned(), edits: Vec::new(), notes: Vec::new(), problem }
    };
    let wanted = match Change::from_value(change) {
        Ok(wanted) => wanted,
        Err(why) => return refused("change", why.to_string(), None, Span::empty(0)),
    };
    match change_and_read(text, limits, &wanted) {
        Ok((mut edited, after)) => {
            if let Some(fault) = new_error(text, (&edited.text, after), limits) {
                if !wanted.is_data() && !waits(&fault) {
                    let message = format!("the change would cause an error: {}", fault.message);
                    return refused("meaning", message, fault.help, Span::empty(0));
                }
                edited.notes.push(format!("the document has a new error: {}", fault.message));
            }
            let plain = |edit: crate::diagnostic::Edit| EditJson {
                offset: edit.span.start,
                end_offset: edit.span.end,
                text: edit.text,
            };
            let edits = edited.edits.into_iter().map(plain).collect();
            EditAnswer { ok: true, text: edited.text, edits, notes: edited.notes, problem: None }
        }
        Err(refusal) => refused(refusal.reason, refusal.message, refusal.help, refusal.span),
    }
}

/// An error of a kind that the text after a change has more often than the text before. They are counted by
/// code, since a change moves places and numbers ids again.
fn new_error(before: &str, (after, parsed): (&str, Parsed), limits: &Limits) -> Option<Diagnostic> {
    let options = Options { limits: limits.clone(), ..Options::default() };
    let errors = |document: &Document| -> Vec<Diagnostic> {
        document.diagnostics().iter().filter(|found| found.severity == Severity::Error).cloned().collect()
    };
    let found = errors(&Document::from_parsed(after, parsed, &options));
    if found.is_empty() {
        return None;
    }
    let mut left: Table<&str, usize> = Table::new();
    let old = errors(&Document::open(before, limits));
    for error in &old {
        *left.entry(error.code).or_default() += 1;
    }
    let mut new = found.into_iter().filter(|error| {
        let count = left.entry(error.code).or_default();
        let is_new = *count == 0;
        *count = count.saturating_sub(1);
        is_new
    });
    // An error that a later change can fix comes last.
    let first = new.next();
    if first.as_ref().is_some_and(waits) { new.find(|error| !waits(error)).or(first) } else { first }
}

/// A call is added before its result, so that it may wait for one.
fn waits(error: &Diagnostic) -> bool {
    matches!(error.code, codes::UNANSWERED_CALL | codes::OPEN_CALL)
}
