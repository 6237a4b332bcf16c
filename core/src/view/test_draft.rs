//! A transcript for a test: the run up to a step, with assertions that hold on it.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::travel::TravelProblem;
use crate::check::{Run, Status, Suggestion, check, suggest};
use crate::document::Document;
use crate::model::{Assertion, Transcript};
use crate::text::Span;
use crate::travel::travel;

/// A transcript for a test, or why there is none.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TestDraft {
    /// The transcript as YAML in the full form.
    pub text: Option<String>,
    /// What can be asserted of the run.
    pub suggestions: Vec<SuggestedAssertion>,
    /// Why there is no transcript.
    pub problem: Option<TravelProblem>,
}

/// An assertion that holds on the run.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SuggestedAssertion {
    /// The assertion in the short form, such as `tool_called: weather`.
    pub label: String,
    /// Whether most tests of such a run want it.
    pub is_usual: bool,
}

impl Document {
    /// The transcript for a test of the run up to and including the step `until`, or of the whole run. It has the assertions of the
    /// document, and those of the suggestions that `chosen` names by their place; without `chosen`, the usual ones.
    ///
    /// ```
    /// use transcript_core::document::{Document, Limits};
    /// let text = "messages: ['user: Hi', 'assistant:call time()', 'tool:time: noon', 'assistant: Noon.']";
    /// let document = Document::open(text, &Limits::default());
    /// let draft = document.test_draft(Some("2"), None);
    /// assert_eq!(draft.suggestions[0].label, "tool_called: time");
    /// let text = draft.text.unwrap();
    /// assert!(text.contains("type: tool_called") && !text.contains("Noon."));
    /// let problem = document.test_draft(Some("9"), None).problem.unwrap();
    /// assert_eq!(problem.message, "there is no step `9`; the run has 3 steps");
    /// ```
    #[must_use]
    pub fn test_draft(&self, until: Option<&str>, chosen: Option<&[usize]>) -> TestDraft {
        let changes = until.map_or_else(|| json!([]), |step| json!({ "fork": { "at": step } }));
        let (run, changes) = match self.travellable(&changes) {
            Ok(found) => found,
            Err(problem) => return TestDraft::from_problem(problem),
        };
        let last = run.turns.len().to_string();
        if until.is_none_or(|step| step == last) {
            return self.drafted(run.clone(), chosen);
        }
        match travel(run, &changes) {
            Ok(new) => self.drafted(new.transcript, chosen),
            Err(error) => TestDraft::from_problem(error.into()),
        }
    }

    fn drafted(&self, mut run: Transcript, chosen: Option<&[usize]>) -> TestDraft {
        let finished = Run::from_transcript(&run);
        let mut suggestions = suggest(&finished);
        if let Some(end) = &mut run.end {
            suggestions.retain(|found| end.assertions.iter().all(|known| known.data != found.assertion));
            // Those about later steps do not hold on a run that ends before.
            let mut outcomes = check(&end.assertions, &finished).into_iter();
            end.assertions
                .retain(|_| outcomes.next().is_some_and(|outcome| outcome.status == Status::Passed));
        }
        let is_chosen =
            |(at, found): &(usize, &Suggestion)| chosen.map_or(found.is_usual, |chosen| chosen.contains(at));
        let assertions = suggestions.iter().enumerate().filter(is_chosen);
        let assertions: Vec<Assertion> = assertions
            .map(|(_, found)| Assertion {
                data: found.assertion.clone(),
                message: None,
                span: Span::empty(0),
            })
            .collect();
        if !assertions.is_empty() {
            run.end.get_or_insert_default().assertions.extend(assertions);
        }
        TestDraft {
            suggestions: suggestions.iter().map(SuggestedAssertion::from).collect(),
            ..match self.written(&mut run) {
                Ok(text) => TestDraft { text: Some(text), ..TestDraft::default() },
                Err(problem) => TestDraft::from_problem(problem),
            }
        }
    }
}

impl TestDraft {
    fn from_problem(problem: TravelProblem) -> Self {
        Self { problem: Some(problem), ..Self::default() }
    }
}

impl From<&Suggestion> for SuggestedAssertion {
    fn from(found: &Suggestion) -> Self {
        let mut values = found.assertion.values();
        let name = values.next().and_then(Value::as_str).unwrap_or_default();
        let label = match values.next() {
            Some(Value::Array(list)) => {
                let list: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
                format!("{name}: {}", list.join(", "))
            }
            Some(Value::String(text)) => format!("{name}: {text}"),
            Some(value) => format!("{name}: {value}"),
            None => name.to_owned(),
        };
        Self { label, is_usual: found.is_usual }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Limits;

    const RUN: &str = "messages:\n  - 'user: Hi'\n  - 'assistant:call time()'\n  - 'tool:time: noon'\n  - 'assistant: Noon.'\n\
                       assertions: [no_errors]\n";

    fn asserted(until: Option<&str>, chosen: Option<&[usize]>) -> Vec<String> {
        let draft = Document::open(RUN, &Limits::default()).test_draft(until, chosen);
        let text = draft.text.unwrap();
        let written = Document::open(&text, &Limits::default());
        assert!(written.diagnostics().is_empty(), "{text}");
        let end = written.timeline().unwrap().transcript().end.as_ref().unwrap();
        end.assertions.iter().map(|assertion| assertion.data["type"].as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn the_usual_assertions_join_those_of_the_document() {
        assert_eq!(asserted(None, None), ["no_errors", "tool_called"]);
    }

    #[test]
    fn a_person_chooses_others() {
        let draft = Document::open(RUN, &Limits::default()).test_draft(None, None);
        let labels: Vec<&str> = draft.suggestions.iter().map(|found| found.label.as_str()).collect();
        assert_eq!(labels, ["tool_called: time", "final_response_contains: Noon.", "max_turns: 3"]);
        assert_eq!(asserted(None, Some(&[1, 2])), ["no_errors", "final_response_contains", "max_turns"]);
        assert_eq!(asserted(None, Some(&[])), ["no_errors"]);
    }

    #[test]
    fn the_run_ends_with_the_step() {
        let draft = Document::open(RUN, &Limits::default()).test_draft(Some("1"), Some(&[]));
        let text = draft.text.unwrap();
        assert!(text.contains("turn: 1") && !text.contains("turn: 2"), "{text}");
        // A run that ends where it ends is no fork.
        let whole = |until| Document::open(RUN, &Limits::default()).test_draft(until, None).text;
        assert_eq!(whole(Some("3")), whole(None));
    }

    #[test]
    fn a_text_without_a_run_has_no_draft() {
        let draft = Document::open("messages: [", &Limits::default()).test_draft(None, None);
        assert_eq!(draft.text, None);
        assert!(draft.problem.unwrap().message.contains("no complete run"));
    }
}
