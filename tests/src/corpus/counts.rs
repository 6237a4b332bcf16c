//! What the runs of a log hold.

use serde_json::Value;
use transcript_core::view::ImportView;

/// Counts over the conversations of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Conversations, sessions, samples or branches.
    pub conversations: usize,
    /// Turns and messages before them.
    pub steps: usize,
    /// Responses of a model.
    pub answers: usize,
    /// Tool calls in these.
    pub calls: usize,
    /// Results of calls, with those whose call is not in the log.
    pub results: usize,
    /// Results that are failures.
    pub failed: usize,
    /// Entries without an equivalent, which the metadata keep.
    pub unmapped: usize,
    /// Diagnostics, and conversations that could not be read.
    pub problems: usize,
}

impl Counts {
    /// Adds one conversation.
    pub fn add(&mut self, view: &ImportView) {
        self.conversations += 1;
        self.add_run(&view.transcript);
        for file in &view.files {
            self.unmapped += file.report.kept.len();
            self.problems += file.diagnostics.len();
        }
    }

    /// Adds a run with those of its sub-agents.
    fn add_run(&mut self, run: &Value) {
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        self.steps += list(&run["initial_state"]["message_store"]).len();
        for turn in list(&run["execution"]) {
            self.steps += 1;
            if let Some(response) = turn.get("llm_response") {
                self.answers += 1;
                self.calls += list(&response["tool_calls"]).len();
            }
            // A result without a call is a message of its own.
            let created = &turn["message_created"];
            if turn["type"] == "message" && created["role"] == "tool" {
                self.results += 1;
                self.failed += usize::from(created["metadata"]["is_error"] == true);
            }
            if let Some(ran) = turn.get("tool_call") {
                self.results += 1;
                self.failed += usize::from(ran["success"] == false);
                self.add_run(&ran["result"]["nested_transcript"]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn results_that_failed_and_runs_of_sub_agents_count() {
        let transcript = json!({
            "initial_state": {"message_store": [{"role": "user", "content": "Go"}]},
            "execution": [
                {"type": "llm_call", "llm_response": {"tool_calls": [{}, {}]}},
                {"type": "tool_call", "tool_call": {"success": true, "result": {"nested_transcript": {
                    "execution": [{"type": "llm_call", "llm_response": {}}]}}}},
                {"type": "tool_call", "tool_call": {"success": false}},
                {"type": "llm_call", "llm_error": {}},
                {"type": "message", "message_created": {"role": "tool", "metadata": {"is_error": true}}},
                {"type": "message", "message_created": {"role": "user"}},
            ],
        });
        let view = ImportView { transcript, ..ImportView::default() };
        let mut counts = Counts::default();
        counts.add(&view);
        let expected = Counts {
            conversations: 1,
            steps: 8,
            answers: 2,
            calls: 2,
            results: 3,
            failed: 2,
            ..Counts::default()
        };
        assert_eq!(counts, expected);
    }
}
