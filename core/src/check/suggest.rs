//! Assertions that hold on a run, to be offered for a test of it.

use serde_json::{Map, Value};

use super::run::Run;
use crate::model::{Content, Text, assertion_type};
use crate::text::{JsonMap, Set};

/// The most tools that have an assertion of their own.
const TOOLS: usize = 6;
/// The most calls whose order is offered: nobody compares a longer list.
const CALLS: usize = 12;
/// The most characters of the last response.
const CHARACTERS: usize = 60;

/// An assertion that holds on a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// The assertion, as a full transcript has it.
    pub assertion: Map<String, Value>,
    /// Whether most tests of such a run want it: another run that does the same work satisfies it, too.
    pub is_usual: bool,
}

/// Suggests assertions for a test of `run`. Each of them holds on it. The usual ones come first.
///
/// ```
/// use transcript_core::check::{Run, suggest};
/// use transcript_core::document::{Document, Limits};
/// let text = "messages: ['user: Hi', 'assistant:call time()', 'tool:time: 12:00', 'assistant: Noon.']";
/// let document = Document::open(text, &Limits::default());
/// let suggestions = suggest(&Run::from_transcript(document.timeline().unwrap().transcript()));
/// assert_eq!(suggestions[0].assertion["tool"], "time");
/// ```
#[must_use]
pub fn suggest(run: &Run) -> Vec<Suggestion> {
    let mut seen = Set::new();
    let names = run.calls.iter().map(|call| &call.call.name.value);
    let tools: Vec<&Text> = names.clone().filter(|name| seen.insert((*name).clone())).collect();
    let mut suggestions: Vec<Suggestion> =
        tools.iter().take(TOOLS).map(|tool| suggestion("tool_called", tool.as_ref().into(), true)).collect();
    if run.errors.is_empty() && run.inside().iter().all(|(_, inside)| inside.errors.is_empty()) {
        suggestions.push(suggestion("no_errors", Value::Null, true));
    }
    if (2..=CALLS).contains(&run.calls.len()) {
        let list: Vec<Value> = names.map(|name| name.as_ref().into()).collect();
        suggestions.push(suggestion("tool_sequence", list.into(), false));
    }
    let answer = run.answer.as_ref().and_then(|answer| answer.content.as_ref());
    if let Some(Content::Text(answer)) = answer
        && let Some(line) = beginning(answer)
    {
        suggestions.push(suggestion("final_response_contains", line.into(), false));
    }
    let most = |name: &str, count: Option<u64>| {
        count.filter(|count| *count > 0).map(|count| suggestion(name, count.into(), false))
    };
    suggestions.extend(most("max_turns", run.turns));
    suggestions.extend(most("max_tokens", run.tokens));
    suggestions
}

/// An assertion of that type with the value of its short form.
fn suggestion(name: &str, value: Value, is_usual: bool) -> Suggestion {
    let mut assertion = Map::new();
    assertion.put("type", name.into());
    if let Some(field) = assertion_type(name).and_then(|kind| kind.short) {
        assertion.put(field, value);
    }
    Suggestion { assertion, is_usual }
}

/// The first line with text, or its beginning up to the end of a word.
fn beginning(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let Some((end, _)) = line.char_indices().nth(CHARACTERS) else { return Some(line.to_owned()) };
    let cut = line.get(..end)?;
    // A text without spaces is cut anywhere.
    let words = cut.rfind(char::is_whitespace).and_then(|at| cut.get(..at)).map(str::trim_end);
    Some(words.filter(|words| !words.is_empty()).unwrap_or(cut).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Status, check};
    use crate::document::{Document, Limits};
    use crate::model::Assertion;
    use crate::text::Span;

    fn suggested(text: &str) -> Vec<(String, Value, bool)> {
        let document = Document::open(text, &Limits::default());
        let run = Run::from_transcript(document.timeline().unwrap().transcript());
        let suggestions = suggest(&run);
        let assertions: Vec<Assertion> = suggestions
            .iter()
            .map(|found| Assertion { data: found.assertion.clone(), message: None, span: Span::empty(0) })
            .collect();
        for outcome in check(&assertions, &run) {
            assert_eq!(outcome.status, Status::Passed, "{}", outcome.message);
        }
        let row = |found: Suggestion| {
            let value = found.assertion.values().nth(1).cloned().unwrap_or_default();
            (found.assertion["type"].as_str().unwrap().to_owned(), value, found.is_usual)
        };
        suggestions.into_iter().map(row).collect()
    }

    #[test]
    fn a_run_with_tools_suggests_its_tools_first() {
        let text = "messages:\n  - 'user: Hi'\n  - 'assistant:call time()'\n  - 'tool:time: noon'\n  \
                    - 'assistant:call time()'\n  - 'tool:time: noon'\n  - \"assistant: It is noon.\\n\\nBye\"\n";
        let expected = [
            ("tool_called".to_owned(), "time".into(), true),
            ("no_errors".to_owned(), Value::Null, true),
            ("tool_sequence".to_owned(), Value::from(vec!["time", "time"]), false),
            ("final_response_contains".to_owned(), "It is noon.".into(), false),
            ("max_turns".to_owned(), 5.into(), false),
        ];
        assert_eq!(suggested(text), expected);
    }

    #[test]
    fn a_run_that_failed_does_not_suggest_that_it_has_no_errors() {
        let text = "execution:\n  - {turn: 1, type: tool_call, tool_call: {tool_name: a, parameters: {}, \
                    success: false, error: broken}}\n";
        assert!(!suggested(text).iter().any(|(name, ..)| name == "no_errors"));
    }

    #[test]
    fn an_empty_run_suggests_only_that_nothing_fails() {
        assert_eq!(suggested("messages: ['user: Hi']"), [("no_errors".to_owned(), Value::Null, true)]);
    }

    #[test]
    fn a_long_line_ends_with_a_word() {
        let words = "word ".repeat(20);
        assert_eq!(beginning(&words).unwrap(), "word ".repeat(12).trim_end());
        assert_eq!(beginning(&"é".repeat(99)).unwrap(), "é".repeat(CHARACTERS));
        assert_eq!(beginning(" \n\n"), None);
    }
}
