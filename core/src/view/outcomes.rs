//! The outcomes of assertions, for a list of them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::CheckView;
use crate::check::{Evidence, Status};
use crate::diff::{Part, parts};
use crate::document::Document;
use crate::encoding::present;
use crate::model::Text;

/// The outcomes of the assertions of a document.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct OutcomeList {
    /// One for each assertion, in their order.
    pub outcomes: Vec<ListedOutcome>,
}

/// The outcome of one assertion.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct ListedOutcome {
    /// The type of the assertion, such as `contains`; empty when it has none.
    #[serde(rename = "type")]
    pub kind: String,
    /// The description of the assertion.
    pub description: Option<String>,
    /// Whether it holds.
    pub status: Status,
    /// Why, in one sentence.
    pub message: String,
    /// How to fix it.
    pub help: Option<String>,
    /// The line of the assertion, from 1.
    pub line: u32,
    /// What was examined.
    pub evidence: Vec<ListedEvidence>,
}

/// One value that an assertion examined.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct ListedEvidence {
    /// The step, such as `2` or `2.1`.
    pub step: Option<Text>,
    /// The part of it, such as `context.city`.
    pub path: Option<String>,
    /// The expected value; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub expected: Option<Value>,
    /// The actual value; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub actual: Option<Value>,
    /// The parts that two different texts share and those that they do not.
    pub text: Vec<Part>,
}

impl Document {
    /// The outcomes of [`Document::check`] for a list. Evidence of two texts that differ has their parts.
    ///
    /// ```
    /// use transcript_core::diff::PartKind;
    /// use transcript_core::document::{Document, Limits};
    /// let text = "messages: ['user: Hi', 'assistant: It is 71']\nassertions: [{equals: It is 72}]";
    /// let outcomes = Document::open(text, &Limits::default()).list_outcomes().outcomes;
    /// assert_eq!((outcomes[0].kind.as_str(), outcomes[0].line), ("equals", 2));
    /// let kinds: Vec<PartKind> = outcomes[0].evidence[0].text.iter().map(|part| part.kind).collect();
    /// assert_eq!(kinds, [PartKind::Same, PartKind::Removed, PartKind::Added]);
    /// ```
    #[must_use]
    pub fn list_outcomes(&self) -> OutcomeList {
        let with_parts = |checked: CheckView| {
            let mut listed = ListedOutcome::from(checked);
            if listed.status == Status::Failed {
                listed.evidence.iter_mut().for_each(ListedEvidence::split_texts);
            }
            listed
        };
        OutcomeList { outcomes: self.check().into_iter().map(with_parts).collect() }
    }
}

impl From<CheckView> for ListedOutcome {
    fn from(checked: CheckView) -> Self {
        let CheckView { outcome, place } = checked;
        Self {
            kind: outcome.kind,
            description: outcome.description,
            status: outcome.status,
            message: outcome.message,
            help: outcome.help,
            line: place.line,
            evidence: outcome.evidence.into_iter().map(ListedEvidence::from).collect(),
        }
    }
}

impl From<Evidence> for ListedEvidence {
    fn from(evidence: Evidence) -> Self {
        let Evidence { step, path, expected, actual, .. } = evidence;
        Self { step, path, expected, actual, text: Vec::new() }
    }
}

impl ListedEvidence {
    fn split_texts(&mut self) {
        if let (Some(Value::String(expected)), Some(Value::String(actual))) = (&self.expected, &self.actual) {
            self.text = parts(expected, actual);
        }
    }
}
