//! A second count of the logs of a folder, made without our readers.

use serde::Deserialize;
use serde_json::Error;

use super::Opened;

/// The counts of one log; one that is absent or null is a matter of judgement and is not compared.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Expected {
    /// The path below the folder.
    pub file: String,
    /// Conversations in it.
    pub conversations: Option<usize>,
    /// Responses of a model.
    pub model_answers: Option<usize>,
    /// Tool calls in these.
    pub tool_calls: Option<usize>,
    /// Results of calls.
    pub tool_results: Option<usize>,
    /// Results that are failures.
    pub failed_results: Option<usize>,
}

/// Reads the lines of a file of counts.
///
/// # Errors
/// When a line is not JSON or has no `file`.
pub fn read_expected(text: &str) -> Result<Vec<Expected>, Error> {
    text.lines().filter(|line| !line.trim().is_empty()).map(serde_json::from_str).collect()
}

impl Expected {
    /// How a log differs from its counts, such as `calls 3, expected 4`.
    #[must_use]
    pub fn differences(&self, opened: &Opened) -> Vec<String> {
        let counts = &opened.counts;
        let pairs = [
            ("conversations", counts.conversations, self.conversations),
            ("answers", counts.answers, self.model_answers),
            ("calls", counts.calls, self.tool_calls),
            ("results", counts.results, self.tool_results),
            ("failed", counts.failed, self.failed_results),
        ];
        let differs = |(name, got, expected): (&str, usize, Option<usize>)| {
            expected
                .filter(|expected| *expected != got)
                .map(|expected| format!("{name} {got}, expected {expected}"))
        };
        pairs.into_iter().filter_map(differs).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::open_log;

    const LOG: &[u8] = br#"[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello!"}]"#;

    #[test]
    fn counts_that_are_null_are_not_compared() {
        let opened = open_log("chat.json", LOG);
        let lines = "{\"file\":\"chat.json\",\"model_answers\":1,\"tool_calls\":null}\n\n{\"file\":\"chat.json\",\"model_answers\":2}\n";
        let expected = read_expected(lines).unwrap();
        assert_eq!(expected.len(), 2);
        assert_eq!(expected[0].differences(&opened), Vec::<String>::new());
        assert_eq!(expected[1].differences(&opened), ["answers 1, expected 2"]);
    }

    #[test]
    fn a_file_that_is_no_log_has_a_reason() {
        let opened = open_log("notes.txt", b"nothing of interest");
        assert_eq!((opened.kind.as_str(), opened.counts.steps), ("unknown", 0));
        assert!(opened.reason.is_some());
        assert_eq!(open_log("a.bin", b"\xff\xfe\x00").reason.as_deref(), Some("it is not UTF-8 text"));
    }
}
