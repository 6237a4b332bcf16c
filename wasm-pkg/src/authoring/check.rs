//! The outcomes of the assertions of a document.

use serde_json::Value;

use super::input::{OperationInput, data};

/// The assertions held against the document's own run: an [`OutcomeList`](transcript_core::view::OutcomeList).
pub(super) fn run(input: &OperationInput<'_>) -> Value {
    data(&input.document().list_outcomes())
}

#[cfg(test)]
mod tests {
    use super::super::author;
    use serde_json::Value;

    #[test]
    fn outcomes_have_lines_and_evidence_has_steps() {
        let text =
            "messages: ['user: Hi', 'assistant: Hello']\nassertions: [{contains: Bye}, {message_count: 2}]";
        let answer: Value =
            serde_json::from_str(&author("check", text.as_bytes(), b"", "").unwrap()).unwrap();
        let outcomes = answer["outcomes"].as_array().unwrap();
        assert_eq!(outcomes.len(), 2);
        assert_eq!((&outcomes[0]["status"], &outcomes[0]["line"]), (&"failed".into(), &2.into()));
        assert_eq!(outcomes[0]["evidence"][0]["step"], "1");
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
