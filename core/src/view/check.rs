//! Assertions and their outcomes, as plain data.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::check::{Evidence, Outcome, Run, Status, check_all};
use crate::diagnostic::render::{TerminalStyle, terminal};
use crate::diagnostic::{Diagnostic, InvalidInput, Severity, codes};
use crate::document::{Document, StepRef};
use crate::text::{Place, Span, is_visible_char, json_line, sort_by_key};

/// The most pieces of evidence that are shown of one assertion to a person.
const SHOWN: usize = 5;

/// The message for a document whose assertions cannot be checked against anything.
const UNREAD: &str = "the document contains no complete run";

/// The outcome of one assertion, and its place.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "CheckOutcome"))]
pub struct CheckView {
    /// Its outcome.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// The place of the assertion.
    pub place: Place,
}

impl std::ops::Deref for CheckView {
    type Target = Outcome;

    fn deref(&self) -> &Outcome {
        &self.outcome
    }
}

impl Document {
    /// Holds the assertions of the document, those of runs inside it included, against its own run; one
    /// outcome, an error, when the text holds no run that can be read whole.
    ///
    /// ```
    /// use transcript_core::document::{Document, Limits};
    /// let text = "messages: ['user: Hi', 'assistant: It is 72°F']\nassertions: [{contains: '73'}]";
    /// let outcomes = Document::open(text, &Limits::default()).check();
    /// assert_eq!(outcomes[0].message, "`msg_002` does not contain `73`");
    /// assert_eq!((outcomes[0].place.line, outcomes[0].place.column), (2, 14));
    /// ```
    #[must_use]
    pub fn check(&self) -> Vec<CheckView> {
        let Some(timeline) = self.timeline().filter(|_| self.is_whole()) else {
            return self.without_run();
        };
        let run = Run::from_transcript(timeline.transcript());
        self.to_views(check_all(timeline.transcript(), &run))
    }

    /// Holds the assertions of the document against an actual run, as [`Run::from_value`] reads it.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::document::{Document, Limits};
    /// let text = "messages: ['user: Hi', 'assistant: Hello']\nassertions: [{message_count: 2}]";
    /// let document = Document::open(text, &Limits::default());
    /// let outcomes = document.check_run(&json!({"messages": [{"role": "user", "content": "Hi"}]})).unwrap();
    /// assert_eq!(outcomes[0].message, "there is 1 message, expected 2");
    /// ```
    ///
    /// # Errors
    /// What is wrong with the provided run, and where.
    pub fn check_run(&self, run: &Value) -> Result<Vec<CheckView>, InvalidInput> {
        let run = Run::from_value(run)?;
        let timeline = self.timeline().filter(|_| self.is_whole());
        Ok(timeline.map_or_else(
            || self.without_run(),
            |timeline| self.to_views(check_all(timeline.transcript(), &run)),
        ))
    }

    /// Holds the assertions of the document against the run of another one.
    ///
    /// ```
    /// use transcript_core::document::{Document, Limits};
    /// let open = |text: &str| Document::open(text, &Limits::default());
    /// let expected = open("messages: ['user: Hi', 'assistant: Hello']\nassertions: [{contains: Hello}]");
    /// let outcomes = expected.check_against(&open("messages: ['user: Hi', 'assistant: Good day']"));
    /// assert_eq!(outcomes[0].message, "`msg_002` does not contain `Hello`");
    /// ```
    #[must_use]
    pub fn check_against(&self, other: &Document) -> Vec<CheckView> {
        let Some(own) = self.timeline().filter(|_| self.is_whole()) else { return self.without_run() };
        let Some(other) = other.timeline().filter(|_| other.is_whole()) else {
            return self.uncheckable("the other document contains no complete run");
        };
        self.to_views(check_all(own.transcript(), &Run::from_transcript(other.transcript())))
    }

    /// The place in the document's text of a piece of evidence about the document's own run; `None` if the evidence
    /// refers to no step or message.
    #[must_use]
    pub fn evidence_place(&self, evidence: &Evidence) -> Option<Place> {
        let StepRef { run, step, .. } = self.find(evidence.step.as_deref()?)?;
        let timeline = &run.timeline;
        let message = evidence.message.as_ref().and_then(|id| timeline.message(id));
        let own = message.map(|stored| stored.message.span).filter(|span| *span != Span::default());
        let turn = || timeline.turn_at(step).map(|turn| turn.span);
        let span = own.or_else(turn).or(run.initial)?;
        Some(Place::new(self.text(), self.lines(), span))
    }

    /// The assertions that do not hold, as a compiler would print them, each with its evidence. `own` means that the
    /// outcomes are about the document's own run, so that the evidence has places in the text.
    ///
    /// ```
    /// use transcript_core::diagnostic::render::TerminalStyle;
    /// use transcript_core::document::{Document, Limits};
    /// let text = "messages: ['user: Hi', 'assistant: It is 72°F']\nassertions: [{equals: It is 73°F}]";
    /// let document = Document::open(text, &Limits::default());
    /// let errors = document.check_text("run.yaml", &document.check(), true, TerminalStyle::Plain);
    /// assert!(errors.starts_with("error[T503]: `msg_002` has another text\n --> run.yaml:2:14\n"), "{errors}");
    /// let evidence = "= step 1, msg_002 (run.yaml:1:24), character 8: expected \"It is 73°F\", found \"It is 72°F\"";
    /// assert!(errors.contains(evidence), "{errors}");
    /// ```
    #[must_use]
    pub fn check_text(&self, file: &str, outcomes: &[CheckView], own: bool, style: TerminalStyle) -> String {
        let mut out = String::new();
        for outcome in outcomes.iter().filter(|outcome| outcome.status != Status::Passed) {
            let code = outcome.code.unwrap_or_default();
            let span = self.fault(outcome).map_or(outcome.outcome.span, |found| found.span);
            let mut found = Diagnostic::new(code, Severity::Error, span, outcome.message.clone());
            if let Some(description) = &outcome.description {
                found = found.label(description.clone());
            }
            found.help.clone_from(&outcome.help);
            out.push_str(terminal(file, self.text(), self.lines(), &[found], style).trim_end());
            out.push('\n');
            for evidence in outcome.evidence.iter().take(SHOWN) {
                let place = self.evidence_place(evidence).filter(|_| own);
                out.push_str(&format!("  = {}\n", describe_evidence(evidence, file, place)));
            }
            let more = outcome.evidence.len().saturating_sub(SHOWN) + outcome.omitted;
            if more > 0 {
                out.push_str(&format!("  = and {more} more\n"));
            }
            out.push('\n');
        }
        out
    }

    /// The findings of the document that these outcomes of its assertions do not report already.
    ///
    /// ```
    /// use transcript_core::document::{Document, Limits};
    /// let text = "messages: ['user: Hi', 'assistant: 72']\nassertions: [{contains: '73'}]\ntgas: [x]";
    /// let document = Document::open(text, &Limits::default());
    /// let codes = document.diagnostics().iter().map(|found| found.code).collect::<Vec<_>>();
    /// assert_eq!(codes, ["T503", "T103"]);
    /// let left = document.unreported(&document.check());
    /// assert_eq!(left.iter().map(|found| found.code).collect::<Vec<_>>(), ["T103"]);
    /// ```
    #[must_use]
    pub fn unreported(&self, outcomes: &[CheckView]) -> Vec<Diagnostic> {
        let failed = outcomes.iter().filter(|outcome| outcome.status != Status::Passed);
        // Assertions do not lie in each other.
        let mut failed: Vec<Span> = failed.map(|outcome| outcome.outcome.span).collect();
        sort_by_key(&mut failed, |span| span.start);
        let is_covered = |found: &Diagnostic| match found.code {
            // For an actual run, only the outcomes decide whether an assertion holds.
            codes::ASSERTION_CANNOT_HOLD | codes::ASSERTION_TOOL => self.is_whole(),
            codes::UNKNOWN_ASSERTION | codes::ASSERTION_FIELDS | codes::ASSERTION_QUERY => {
                let next = failed.partition_point(|span| span.start <= found.span.start);
                let last = next.checked_sub(1).and_then(|last| failed.get(last));
                last.is_some_and(|span| found.span.end <= span.end)
            }
            _ => false,
        };
        self.diagnostics().iter().filter(|found| !is_covered(found)).cloned().collect()
    }

    /// The one outcome of assertions that cannot be read, or about a run that cannot.
    fn uncheckable(&self, message: &str) -> Vec<CheckView> {
        self.to_views(vec![Outcome::undecidable(message, Some("fix the errors first"))])
    }

    /// The one outcome about a document without a complete run.
    fn without_run(&self) -> Vec<CheckView> {
        match self.handlers_refused() {
            Some(refused) => {
                self.to_views(vec![Outcome::undecidable(&refused.message, refused.help.as_deref())])
            }
            None => self.uncheckable(UNREAD),
        }
    }

    fn to_views(&self, mut outcomes: Vec<Outcome>) -> Vec<CheckView> {
        for outcome in outcomes.iter_mut().filter(|outcome| outcome.status == Status::Error) {
            if let Some(found) = self.finding(outcome) {
                outcome.message.clone_from(&found.message);
                outcome.help.clone_from(&found.help);
            }
        }
        let place = |span| Place::new(self.text(), self.lines(), span);
        outcomes.into_iter().map(|outcome| CheckView { place: place(outcome.span), outcome }).collect()
    }

    /// The finding of the rules about an assertion that cannot be read: the rules know the expected form.
    fn finding(&self, outcome: &Outcome) -> Option<&Diagnostic> {
        let is_unread = |code: &str| matches!(code, codes::UNKNOWN_ASSERTION | codes::ASSERTION_FIELDS);
        outcome.code.filter(|code| is_unread(code))?;
        self.findings(outcome).next()
    }

    /// The finding of the rules that an outcome repeats: it knows the place in the assertion.
    fn fault(&self, outcome: &Outcome) -> Option<&Diagnostic> {
        self.findings(outcome)
            .find(|found| outcome.status == Status::Error && found.message == outcome.message)
    }

    /// The errors in an assertion with the code of its outcome.
    fn findings(&self, outcome: &Outcome) -> impl Iterator<Item = &Diagnostic> {
        let (code, end) = (outcome.code, outcome.span.end);
        let next = self.diagnostics().partition_point(|found| found.span.start < outcome.span.start);
        let after = self.diagnostics().iter().skip(next);
        let inside = after.take_while(move |found| found.span.end <= end);
        inside.filter(move |found| Some(found.code) == code && found.severity == Severity::Error)
    }
}

/// A piece of evidence in words.
fn describe_evidence(evidence: &Evidence, file: &str, place: Option<Place>) -> String {
    let mut head: Vec<String> = Vec::new();
    if let Some(step) = &evidence.step {
        head.push(format!("step {step}"));
    }
    head.extend(evidence.message.as_ref().map(ToString::to_string));
    let mut out = head.join(", ");
    if let Some(place) = place {
        out.push_str(&format!(" ({file}:{}:{})", place.line, place.column));
    }
    let value =
        |word: &str, value: &Option<_>| value.as_ref().map(|value| format!("{word} {}", json_line(value)));
    let values: Vec<String> =
        value("expected", &evidence.expected).into_iter().chain(value("found", &evidence.actual)).collect();
    for (separator, part) in
        [(", ", evidence.path.clone()), (": ", (!values.is_empty()).then(|| values.join(", ")))]
    {
        if let Some(part) = part {
            if !out.is_empty() {
                out.push_str(separator);
            }
            out.push_str(&part);
        }
    }
    // Text of a run must not control the terminal.
    out.chars().map(|c| if is_visible_char(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}
