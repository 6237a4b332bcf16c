//! Assertions of a document, held against its own run or an actual one.

use serde_json::{Map, Value, json};
use transcript_core::canonical::{CanonicalMessage, Request};
use transcript_core::diagnostic::InvalidInput;
use transcript_core::diagnostic::Severity;
use transcript_core::diagnostic::render::{TerminalStyle, terminal};
use transcript_core::document::Document;
use transcript_core::view::CheckView;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::answer;

/// The other keys of a run; see `transcript_core::check::Run::from_value`.
const RUN_KEYS: [&str; 7] = ["calls", "context", "answer", "turns", "tokens", "errors", "nested"];

/// What the outcomes of a check are about.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// The document's own run.
    Own,
    /// A run as plain data, as JSON text; messages may be in the words of a framework, which `format` names.
    Run(&'a str),
    /// The run of another document.
    Other(&'a Document),
}

/// `{"outcomes", "rendered", "renderedDiagnostics"}`: the outcome of every assertion, with places for the evidence about the
/// document's own run; the outcomes that do not hold as a compiler would print them; and, printed alike, the other
/// findings of a document with errors. `renderedDiagnostics` is empty for a document without errors.
///
/// # Errors
/// What is wrong with the provided run, and where.
///
/// ```
/// use transcript_core::document::{Document, Limits};
/// use transcript_wasm::checking::{Subject, check};
/// let text = "messages: ['user: Hi', 'assistant: Hello']\nassertions: [{contains: Bye}]";
/// let document = Document::open(text, &Limits::default());
/// let answer = check(&document, "run.yaml", Subject::Own, false).unwrap();
/// assert!(answer.starts_with(r#"{"outcomes":[{"index":0,"path":"","type":"contains""#), "{answer}");
/// let run = r#"{"format": "openai-chat", "messages": [{"role": "assistant", "content": "Bye!"}]}"#;
/// let answer = check(&document, "run.yaml", Subject::Run(run), false).unwrap();
/// assert!(answer.contains(r#""status":"passed""#) && answer.ends_with(r#""rendered":"","renderedDiagnostics":""}"#), "{answer}");
/// ```
pub fn check(
    document: &Document,
    file: &str,
    subject: Subject<'_>,
    color: bool,
) -> Result<String, InvalidInput> {
    let (outcomes, own) = match subject {
        Subject::Own => (document.check(), true),
        Subject::Run(run) => (document.check_run(&read_run(run)?)?, false),
        Subject::Other(other) => (document.check_against(other), false),
    };
    let style = if color { TerminalStyle::Ansi } else { TerminalStyle::Plain };
    let rendered = document.check_text(file, &outcomes, own, style);
    let checked: Vec<Value> = outcomes.iter().map(|outcome| outcome_data(document, outcome, own)).collect();
    let mut other_findings = document.unreported(&outcomes);
    if other_findings.iter().all(|found| found.severity != Severity::Error) {
        other_findings.clear();
    }
    let others = terminal(file, document.text(), document.lines(), &other_findings, style);
    Ok(json!({ "outcomes": checked, "rendered": rendered, "renderedDiagnostics": others }).to_string())
}

/// An outcome as data, its evidence with the places in the document.
fn outcome_data(document: &Document, outcome: &CheckView, own: bool) -> Value {
    let mut value = serde_json::to_value(outcome).unwrap_or_default();
    let data = value.get_mut("evidence").and_then(Value::as_array_mut);
    for (evidence, item) in outcome.evidence.iter().zip(data.into_iter().flatten()).filter(|_| own) {
        if let (Some(place), Some(item)) = (document.evidence_place(evidence), item.as_object_mut()) {
            item.insert("place".to_owned(), serde_json::to_value(place).unwrap_or_default());
        }
    }
    value
}

/// A run with its messages in the form that assertions know.
fn read_run(json: &str) -> Result<Value, InvalidInput> {
    let data: Value = transcript_core::text::json_value(json)
        .map_err(|error| format!("the run cannot be read: {error}"))?;
    if data.get("format").is_none_or(Value::is_null) {
        return Ok(data);
    }
    let request = Request::from_value(&data).map_err(|error| error.to_string())?;
    let mut run = Map::new();
    run.insert("messages".to_owned(), request.messages().into_iter().map(message).collect());
    if let Value::Object(fields) = data {
        run.extend(fields.into_iter().filter(|(key, _)| RUN_KEYS.contains(&key.as_str())));
    }
    Ok(Value::Object(run))
}

/// A canonical message as one of a run, where a tool's message has its result.
fn message(message: CanonicalMessage) -> Value {
    let mut value = serde_json::to_value(&message).unwrap_or_default();
    if let (Some(map), Some(result)) = (value.as_object_mut(), message.result) {
        map.insert("content".to_owned(), result);
    }
    value
}

/// The messages of a request in the form that all frameworks share, as a JSON list.
///
/// # Errors
/// When it is no request in its format.
#[wasm_bindgen(js_name = canonicalMessages)]
pub fn canonical(request: &str) -> Result<String, JsError> {
    let value: Value = transcript_core::text::json_value(request)
        .map_err(|error| JsError::new(&format!("the messages cannot be read: {error}")))?;
    Ok(answer::json(&Request::from_value(&value)?.messages()))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use transcript_core::document::{Document, Limits};

    use super::{Subject, check};

    const RUN: &str = "messages:\n  - 'user: Hi'\n  - 'assistant:call f(x=1)'\n  - 'tool:f: 2'\nassertions:\n  - {tool_called: f, parameters: {x: 3}}\n";

    fn outcomes(subject: Subject<'_>) -> Value {
        let document = Document::open(RUN, &Limits::default());
        serde_json::from_str(&check(&document, "run.yaml", subject, false).unwrap()).unwrap()
    }

    #[test]
    fn evidence_about_the_own_run_has_its_place() {
        let own = outcomes(Subject::Own);
        assert_eq!(own["outcomes"][0]["status"], "failed");
        assert_eq!(own["outcomes"][0]["evidence"][0]["place"]["line"], 3);
    }

    #[test]
    fn evidence_about_another_run_has_none() {
        let run =
            r#"{"messages": [{"role": "assistant", "tool_calls": [{"name": "f", "arguments": {"x": 4}}]}]}"#;
        let actual = outcomes(Subject::Run(run));
        assert_eq!(actual["outcomes"][0]["evidence"][0]["actual"]["x"], 4);
        assert_eq!(actual["outcomes"][0]["evidence"][0].get("place"), None);
    }

    #[test]
    fn a_result_is_the_content_of_its_message() {
        let document =
            Document::open("messages: ['user: Hi']\nassertions: [{contains: '21'}]", &Limits::default());
        let run = r#"{"format": "openai-chat", "messages": [
            {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "a", "content": "{\"temp\": 21}"}]}"#;
        let answer = check(&document, "x", Subject::Run(run), false).unwrap();
        assert!(answer.contains(r#""status":"passed""#), "{answer}");
    }
}
