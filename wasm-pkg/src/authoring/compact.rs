//! The compact form of a transcript, or what it would lose.

use serde_json::Value;
use transcript_core::{parse, write};

use super::input::{OperationInput, with};

/// Takes `force`, and `json` for a text in JSON; answers the core's compaction with the document's diagnostics.
pub(super) fn run(input: &mut OperationInput<'_>) -> Value {
    let force = input.flag("force");
    let document = input.document();
    let mut compaction = document.compacted(force);
    if input.flag("json") {
        let root = compaction.text.and_then(|text| parse::parse(&text, &input.options.limits).root);
        compaction.text = root.map(|root| write::json(&root.to_value()));
    }
    with(&compaction, [("diagnostics", input.diagnostics(&document))])
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::author;

    #[test]
    fn a_document_in_json_stays_one() {
        let full = r#"{"messages": ["user: Hi", "assistant: Hello"], "name": "a"}"#;
        let answer = author("compact", full.as_bytes(), b"", r#"{"json": true}"#).unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let text: Value = serde_json::from_str(answer["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, json!({"name": "a", "messages": ["user: Hi", "assistant: Hello"]}));
    }
}
