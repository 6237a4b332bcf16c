//! Assertions and what came of them, as plain data.

use serde::Serialize;
use serde_json::Value;

use super::document::Document;
use crate::check::{Evidence, Outcome, Run, Status, check_all};
use crate::text::Place;

/// What came of one assertion.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckView {
    /// Its place in the list of assertions of its run, counted from 0.
    pub index: usize,
    /// The step of the run of another agent that it stands in, such as `2` or `2.1`; empty at the top.
    pub path: String,
    /// Its type; empty when it has none.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it is for, in its author's words.
    pub description: Option<String>,
    /// `passed`, `failed`, or `error` when it cannot be told.
    pub status: Status,
    /// Why, in one clause.
    pub message: String,
    /// What to do about it, where something is known.
    pub help: Option<String>,
    /// What was looked at.
    pub evidence: Vec<Evidence>,
    /// How many more pieces of evidence there are.
    pub left_out: usize,
    /// The field that cannot be used, if there is one.
    pub field: Option<String>,
    /// The bytes of that field's text that are at fault, where it is a part of it: from and to.
    pub field_bytes: Option<(usize, usize)>,
    /// Where the assertion stands.
    pub place: Place,
}

impl Document {
    /// Holds the assertions of the document, those of runs inside it included, against its own run; none when the
    /// text holds no run that can be read whole.
    ///
    /// ```
    /// use transcript_core::view::{Document, Limits};
    /// let text = "messages: ['user: Hi', 'assistant: It is 72°F']\nassertions: [{contains: '73'}]";
    /// let outcomes = Document::open(text, &Limits::default()).check();
    /// assert_eq!(outcomes[0].message, "`msg_002` does not contain `73`");
    /// assert_eq!((outcomes[0].place.line, outcomes[0].place.column), (2, 14));
    /// ```
    #[must_use]
    pub fn check(&self) -> Vec<CheckView> {
        let Some(timeline) = self.timeline().filter(|_| self.is_whole()) else { return Vec::new() };
        let run = Run::of(timeline.transcript());
        self.shown(check_all(timeline.transcript(), &run))
    }

    /// Holds the assertions of the document against an actual run, as [`Run::from_value`] reads it.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::view::{Document, Limits};
    /// let text = "messages: ['user: Hi', 'assistant: Hello']\nassertions: [{message_count: 2}]";
    /// let document = Document::open(text, &Limits::default());
    /// let outcomes = document.check_run(&json!({"messages": [{"role": "user", "content": "Hi"}]})).unwrap();
    /// assert_eq!(outcomes[0].message, "there is 1 message, not 2");
    /// ```
    ///
    /// # Errors
    /// What is wrong with the run as given, and where.
    pub fn check_run(&self, run: &Value) -> Result<Vec<CheckView>, String> {
        let run = Run::from_value(run)?;
        let timeline = self.timeline().filter(|_| self.is_whole());
        Ok(timeline.map_or_else(Vec::new, |timeline| self.shown(check_all(timeline.transcript(), &run))))
    }

    fn shown(&self, outcomes: Vec<Outcome>) -> Vec<CheckView> {
        let view = |outcome: Outcome| {
            let at = outcome.fault.as_ref().and_then(|fault| fault.at.as_ref()).map(|at| (at.start, at.end));
            CheckView {
                index: outcome.assertion,
                path: outcome.path,
                kind: outcome.kind,
                description: outcome.description,
                status: outcome.status,
                message: outcome.message,
                help: outcome.help,
                evidence: outcome.evidence,
                left_out: outcome.left_out,
                field: outcome.fault.and_then(|fault| fault.field),
                field_bytes: at,
                place: Place::new(self.text(), self.lines(), outcome.span),
            }
        };
        outcomes.into_iter().map(view).collect()
    }
}
