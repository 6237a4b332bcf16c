//! Questions about other forms of a document, and their answers.

use serde::Deserialize;
use serde_json::Value;

use super::{Operation, Question};
use crate::text::json;
use crate::view::{Bundle, ProblemLine, RedactedItem, StaleBlobView, TestDraft};

/// The text without its secrets.
#[derive(Clone, Copy, Debug)]
pub struct Redact<'a> {
    /// The text.
    pub text: &'a str,
    /// The kinds of secrets; `None` for those that are looked for by default.
    pub kinds: Option<&'a [String]>,
}

impl Question for Redact<'_> {
    type Answer = RedactedText;

    fn name(&self) -> &'static str {
        "redact"
    }

    fn options(&self) -> Value {
        json!({ "kinds": self.kinds })
    }
}

impl Operation for Redact<'_> {
    fn text(&self) -> &str {
        self.text
    }
}

/// A [`Redaction`](crate::view::Redaction), or the problems of a text that has none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct RedactedText {
    /// The text.
    pub text: Option<String>,
    /// The secrets, in order of their first places.
    pub items: Vec<RedactedItem>,
    /// The blobs whose names are no longer the hashes of their content.
    pub stale_blobs: Vec<StaleBlobView>,
    /// Whether the text reads as a document of another form than before.
    pub form_changed: bool,
    /// Why there is no text.
    pub diagnostics: Vec<ProblemLine>,
}

/// The document in another form.
#[derive(Clone, Copy, Debug)]
pub struct Export<'a> {
    /// The document.
    pub text: &'a str,
    /// The name of the form.
    pub to: &'a str,
    /// Whether it has hidden messages, too.
    pub all: bool,
}

impl Question for Export<'_> {
    type Answer = ExportedText;

    fn name(&self) -> &'static str {
        "exportTranscript"
    }

    fn options(&self) -> Value {
        json!({ "to": self.to, "all": self.all })
    }
}

impl Operation for Export<'_> {
    fn text(&self) -> &str {
        self.text
    }
}

/// An [`ExportView`](crate::view::ExportView) without its single losses, with the problems that the package adds.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ExportedText {
    /// The text.
    pub text: Option<String>,
    /// The losses in few lines.
    pub summary: Vec<String>,
    /// The problems of the document.
    pub diagnostics: Vec<ProblemLine>,
}

/// The transcript for a test.
#[derive(Clone, Copy, Debug)]
pub struct DraftTest<'a> {
    /// The document.
    pub text: &'a str,
    /// The path of the last step; empty for the whole run.
    pub until: &'a str,
    /// The places of the suggested assertions that it gets; `None` for the usual ones.
    pub chosen: Option<&'a [usize]>,
}

impl Question for DraftTest<'_> {
    type Answer = TestDraft;

    fn name(&self) -> &'static str {
        "testDraft"
    }

    fn options(&self) -> Value {
        json!({ "until": self.until, "chosen": self.chosen })
    }
}

impl Operation for DraftTest<'_> {
    fn text(&self) -> &str {
        self.text
    }
}

/// A zip file of the document and of the runs of other agents in it.
#[derive(Clone, Copy, Debug)]
pub struct BundleRuns<'a> {
    /// The document.
    pub text: &'a str,
    /// The name of its file.
    pub file: &'a str,
}

impl Question for BundleRuns<'_> {
    type Answer = Bundle;

    fn name(&self) -> &'static str {
        "bundle"
    }

    fn options(&self) -> Value {
        json!({ "file": self.file })
    }
}

impl Operation for BundleRuns<'_> {
    fn text(&self) -> &str {
        self.text
    }
}
