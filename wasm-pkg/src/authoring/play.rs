//! A document played in one of the modes of a run.

use serde_json::Value;
use transcript_core::diagnostic::InvalidInput;
use transcript_core::view::{PlayMode, play_document};

use super::input::{OperationInput, data};

/// Takes `mode`: `strict`, `mocked-tools` or `property`; answers what became of the steps and of the assertions.
pub(super) fn run(input: &mut OperationInput<'_>) -> Result<Value, InvalidInput> {
    let name = input.word("mode");
    let mode = PlayMode::new(&name)
        .ok_or_else(|| format!("unknown mode `{name}`; use `strict`, `mocked-tools` or `property`"))?;
    Ok(data(&play_document(&input.document(), mode, &input.options)))
}

#[cfg(test)]
mod tests {
    use super::super::author;
    use serde_json::Value;

    #[test]
    fn a_recording_is_played_against_itself() {
        let text = b"messages: ['user: Hi', 'assistant: Hello!']\nassertions: [{contains: Hello}]";
        let answer = author("play", text, b"", r#"{"mode": "strict"}"#).unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(answer["steps"][0]["status"], "matched");
        assert_eq!(answer["outcomes"][0]["status"], "passed");
        assert!(author("play", text, b"", r#"{"mode": "lax"}"#).unwrap_err().to_string().contains("`lax`"));
    }
}
