//! Questions about documents.

use serde_json::Value;

use super::{Operation, Question};
use crate::diff::Part;
use crate::edit::Change;
use crate::text::json;
use crate::view::{
    CardList, Compaction, Comparison, DeterminismReport, EditAnswer, HandlersView, OutcomeList, PlayMode,
    PlayResult,
};

/// The document as cards.
#[derive(Clone, Copy, Debug)]
pub struct ListCards<'a> {
    /// The document.
    pub text: &'a str,
}

impl Question for ListCards<'_> {
    type Answer = CardList;

    fn name(&self) -> &'static str {
        "cards"
    }
}

impl Operation for ListCards<'_> {
    fn text(&self) -> &str {
        self.text
    }
}

/// The outcomes of the assertions of the document about its own run.
#[derive(Clone, Copy, Debug)]
pub struct Check<'a> {
    /// The document.
    pub text: &'a str,
}

impl Question for Check<'_> {
    type Answer = OutcomeList;

    fn name(&self) -> &'static str {
        "check"
    }
}

impl Operation for Check<'_> {
    fn text(&self) -> &str {
        self.text
    }
}

/// The document with a change.
#[derive(Clone, Copy, Debug)]
pub struct Edit<'a> {
    /// The document.
    pub text: &'a str,
    /// The change.
    pub change: &'a Change,
}

impl Question for Edit<'_> {
    type Answer = EditAnswer;

    fn name(&self) -> &'static str {
        "edit"
    }

    fn options(&self) -> Value {
        json!({ "change": self.change.to_value() })
    }
}

impl Operation for Edit<'_> {
    fn text(&self) -> &str {
        self.text
    }
}

/// The compact form of the document, whatever it loses.
#[derive(Clone, Copy, Debug)]
pub struct Compact<'a> {
    /// The document.
    pub text: &'a str,
    /// Whether it is written as JSON.
    pub json: bool,
}

impl Question for Compact<'_> {
    type Answer = Compaction;

    fn name(&self) -> &'static str {
        "compact"
    }

    fn options(&self) -> Value {
        json!({ "force": true, "json": self.json })
    }
}

impl Operation for Compact<'_> {
    fn text(&self) -> &str {
        self.text
    }
}

/// The document played.
#[derive(Clone, Copy, Debug)]
pub struct Play<'a> {
    /// The document.
    pub text: &'a str,
    /// How.
    pub mode: PlayMode,
}

impl Question for Play<'_> {
    type Answer = PlayResult;

    fn name(&self) -> &'static str {
        "play"
    }

    fn options(&self) -> Value {
        json!({ "mode": self.mode.name() })
    }
}

impl Operation for Play<'_> {
    fn text(&self) -> &str {
        self.text
    }
}

/// Whether the document gives the same when it is run twice.
#[derive(Clone, Copy, Debug)]
pub struct RunTwice<'a> {
    /// The document.
    pub text: &'a str,
    /// The name of its file.
    pub file: &'a str,
    /// How a log is shuffled for the second run.
    pub seed: u32,
}

impl Question for RunTwice<'_> {
    type Answer = DeterminismReport;

    fn name(&self) -> &'static str {
        "twice"
    }

    fn options(&self) -> Value {
        json!({ "seed": self.seed, "file": self.file })
    }
}

impl Operation for RunTwice<'_> {
    fn text(&self) -> &str {
        self.text
    }
}

/// The handlers of the document as tables.
#[derive(Clone, Copy, Debug)]
pub struct ListHandlers<'a> {
    /// The document.
    pub text: &'a str,
}

impl Question for ListHandlers<'_> {
    type Answer = HandlersView;

    fn name(&self) -> &'static str {
        "handlers"
    }
}

impl Operation for ListHandlers<'_> {
    fn text(&self) -> &str {
        self.text
    }
}

/// Two documents side by side.
#[derive(Clone, Copy, Debug)]
pub struct Compare<'a> {
    /// The document on the left.
    pub left: &'a str,
    /// The document on the right.
    pub right: &'a str,
    /// The names of their files.
    pub files: [&'a str; 2],
    /// What is ignored, by the names and paths of a comparison; `None` for nothing, and of imported logs for what
    /// differs in all of them.
    pub ignore: Option<&'a [String]>,
}

impl Question for Compare<'_> {
    type Answer = Comparison;

    fn name(&self) -> &'static str {
        "compare"
    }

    fn options(&self) -> Value {
        let [left, right] = self.files;
        json!({ "ignore": self.ignore, "file": left, "otherFile": right })
    }
}

impl Operation for Compare<'_> {
    fn text(&self) -> &str {
        self.left
    }

    fn other(&self) -> &str {
        self.right
    }
}

/// What two texts share, whatever they are; nothing when one of them is too large.
#[derive(Clone, Copy, Debug)]
pub struct CompareTexts<'a> {
    /// The text on the left.
    pub left: &'a str,
    /// The text on the right.
    pub right: &'a str,
}

impl Question for CompareTexts<'_> {
    type Answer = Option<Vec<Part>>;

    fn name(&self) -> &'static str {
        "parts"
    }
}

impl Operation for CompareTexts<'_> {
    fn text(&self) -> &str {
        self.left
    }

    fn other(&self) -> &str {
        self.right
    }
}
