//! What came of the assertions of a document.

use serde_json::{Value, json};
use transcript_core::view::{CheckView, Document};

use super::asked::{Asked, data};

/// The assertions held against the document's own run.
pub(super) fn run(asked: &Asked<'_>) -> Value {
    let document = asked.document();
    let outcomes: Vec<Value> = document.check().iter().map(|outcome| told(&document, outcome)).collect();
    json!({ "outcomes": outcomes })
}

/// An outcome, its evidence with places in the text.
fn told(document: &Document, outcome: &CheckView) -> Value {
    let mut value = data(outcome);
    let shown = value.get_mut("evidence").and_then(Value::as_array_mut);
    for (evidence, shown) in outcome.outcome.evidence.iter().zip(shown.into_iter().flatten()) {
        if let (Some(place), Some(shown)) = (document.evidence_place(evidence), shown.as_object_mut()) {
            shown.insert("place".to_owned(), data(&place));
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::super::author;
    use serde_json::Value;

    #[test]
    fn assertions_are_told_with_their_places_and_those_of_the_evidence() {
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
    fn a_text_without_a_run_says_so() {
        let answer: Value = serde_json::from_str(&author("check", b"- [", b"", "").unwrap()).unwrap();
        assert_eq!(answer["outcomes"][0]["status"], "error");
    }
}
