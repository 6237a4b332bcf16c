//! The outcomes of the assertions of a document.

use serde_json::{Value, json};
use transcript_core::check::Status;
use transcript_core::diff::parts;
use transcript_core::document::Document;
use transcript_core::view::CheckView;

use super::input::{OperationInput, data};

/// The assertions held against the document's own run.
pub(super) fn run(input: &OperationInput<'_>) -> Value {
    let document = input.document();
    let outcomes: Vec<Value> =
        document.check().iter().map(|outcome| outcome_data(&document, outcome)).collect();
    json!({ "outcomes": outcomes })
}

/// An outcome, its evidence with places in the text and, where two texts differ, the pieces of both.
fn outcome_data(document: &Document, outcome: &CheckView) -> Value {
    let mut value = data(outcome);
    let list = value.get_mut("evidence").and_then(Value::as_array_mut);
    for (evidence, item) in outcome.outcome.evidence.iter().zip(list.into_iter().flatten()) {
        let Some(item) = item.as_object_mut() else { continue };
        if let Some(place) = document.evidence_place(evidence) {
            item.insert("place".to_owned(), data(&place));
        }
        if let (Status::Failed, Some(Value::String(expected)), Some(Value::String(actual))) =
            (outcome.outcome.status, &evidence.expected, &evidence.actual)
        {
            item.insert("text".to_owned(), data(&parts(expected, actual)));
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::super::author;
    use serde_json::Value;

    #[test]
    fn outcomes_and_evidence_have_places() {
        let text =
            "messages: ['user: Hi', 'assistant: Hello']\nassertions: [{contains: Bye}, {message_count: 2}]";
        let answer: Value =
            serde_json::from_str(&author("check", text.as_bytes(), b"", "").unwrap()).unwrap();
        let outcomes = answer["outcomes"].as_array().unwrap();
        assert_eq!(outcomes.len(), 2);
        assert_eq!((&outcomes[0]["status"], &outcomes[0]["place"]["line"]), (&"failed".into(), &2.into()));
        assert_eq!(outcomes[0]["evidence"][0]["place"]["line"], 1);
        assert_eq!(outcomes[1]["status"], "passed");
    }

    #[test]
    fn two_texts_that_differ_are_split_into_pieces() {
        let text = "messages: ['user: Hi', 'assistant: It is 71']\nassertions: [{equals: It is 72}]";
        let answer: Value =
            serde_json::from_str(&author("check", text.as_bytes(), b"", "").unwrap()).unwrap();
        let evidence = &answer["outcomes"][0]["evidence"][0];
        let kinds: Vec<&str> =
            evidence["text"].as_array().unwrap().iter().filter_map(|part| part["kind"].as_str()).collect();
        assert_eq!(kinds, ["same", "removed", "added"], "{evidence}");
    }

    #[test]
    fn a_text_without_a_run_is_an_error() {
        let answer: Value = serde_json::from_str(&author("check", b"- [", b"", "").unwrap()).unwrap();
        assert_eq!(answer["outcomes"][0]["status"], "error");
    }
}
