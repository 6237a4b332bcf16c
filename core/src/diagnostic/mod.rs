//! A problem in a document, its place, and its fix.

mod apply_edits;
pub mod codes;
mod invalid_input;
mod quoting;
pub mod render;
mod suggest;

pub use apply_edits::{apply, without_overlap};
pub use invalid_input::InvalidInput;
pub(crate) use quoting::{plain, quoted, scalar};
pub use suggest::{closest, closest_id, unknown_key};
pub(crate) use suggest::{closest_ids, did_you_mean};

use serde::{Deserialize, Serialize};

use crate::text::{Span, sort_by};

/// How grave a diagnostic is: of an `error` the document cannot be replayed as meant, of a `warning` it probably is not, and
/// an `info` is a remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The document cannot be replayed as its author meant it.
    Error,
    /// The document works, but probably not as meant.
    Warning,
    /// A remark.
    Info,
}

impl Severity {
    /// The lower-case English word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        }
    }
}

/// One finding: a code, one headline, the place, further places, help and fixes.
///
/// Messages are lower case without a final stop, quote the user's text in backticks, name the
/// fault, and leave the remedy to `help`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule's code, such as `T201`; see the rule table of `validate`.
    pub code: &'static str,
    /// How grave it is.
    pub severity: Severity,
    /// The headline.
    pub message: String,
    /// The place of the headline.
    pub span: Span,
    /// Whether it is about the file as a whole, which is shown from its first line instead of a caret.
    pub of_file: bool,
    /// A few words printed at the caret; empty when the headline is enough.
    pub label: String,
    /// Other places that explain the fault.
    pub related: Vec<Related>,
    /// The remedy, if one is known.
    pub help: Option<String>,
    /// Text edits that would fix it.
    pub fixes: Vec<Fix>,
}

/// A second place that explains a diagnostic, with a message about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The place.
    pub span: Span,
    /// What is there.
    pub message: String,
}

/// Whether a fix may be applied without review: a `safe` one may, a `suggested` one is a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Applicability {
    /// The fix is certain.
    Safe,
    /// The fix is a guess to be offered.
    Suggested,
}

/// A named set of text edits that fixes a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The effect of the fix, as an imperative.
    pub title: String,
    /// Whether it may be applied without confirmation.
    pub applicability: Applicability,
    /// The edits, in order of place and without overlap.
    pub edits: Vec<Edit>,
}

/// The replacement of one span of the source by another text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The replaced text; an empty span inserts.
    pub span: Span,
    /// The text that is there afterwards.
    pub text: String,
}

impl Diagnostic {
    /// A diagnostic with a headline and a place; add the rest to it.
    #[must_use]
    pub fn new(code: &'static str, severity: Severity, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            message: message.into(),
            span,
            of_file: false,
            label: String::new(),
            related: Vec::new(),
            help: None,
            fixes: Vec::new(),
        }
    }

    /// The same as one about the file as a whole.
    #[must_use]
    pub fn about_the_file(mut self) -> Self {
        self.of_file = true;
        self
    }

    /// The same with a label at the caret.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The same with a remedy.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same with one more place.
    #[must_use]
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push(Related { span, message: message.into() });
        self
    }

    /// The same with the word that was probably meant at `span` of `source`: as help, and as a fix
    /// with a title that begins with `verb`. Quotes are kept.
    #[must_use]
    pub(crate) fn did_you_mean(self, verb: &str, source: &str, span: Span, meant: &str) -> Self {
        self.help(did_you_mean(meant)).fix(
            Applicability::Suggested,
            format!("{verb} `{meant}`"),
            span,
            scalar(source, span, meant),
        )
    }

    /// The same with the word that was probably meant at the diagnostic's place, or else with `help`; see
    /// [`Self::did_you_mean`].
    #[must_use]
    pub(crate) fn suggest(
        self,
        meant: Option<&str>,
        verb: &str,
        source: &str,
        help: impl Into<String>,
    ) -> Self {
        let span = self.span;
        match meant {
            Some(meant) => self.did_you_mean(verb, source, span, meant),
            None => self.help(help),
        }
    }

    /// The same with one more fix.
    #[must_use]
    pub(crate) fn with_fix(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }

    /// The same with one fix of one edit.
    #[must_use]
    pub fn fix(
        mut self,
        applicability: Applicability,
        title: impl Into<String>,
        span: Span,
        text: impl Into<String>,
    ) -> Self {
        let edits = vec![Edit { span, text: text.into() }];
        self.fixes.push(Fix { title: title.into(), applicability, edits });
        self
    }
}

/// Puts diagnostics into their canonical order: by place, then severity, code and message.
///
/// Exact duplicates are dropped, so that two rules may report one fault.
pub fn sort(diagnostics: &mut Vec<Diagnostic>) {
    sort_by(diagnostics, |a, b| {
        (a.span, a.severity, a.code, &a.message).cmp(&(b.span, b.severity, b.code, &b.message))
    });
    diagnostics.dedup();
}
