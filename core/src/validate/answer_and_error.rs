//! T217: a model call has both an answer and an error. The rule for the types of turns reports a call with neither.

use super::facts::Facts;
use super::fixes;
use crate::diagnostic::{Applicability, Diagnostic, Fix, Severity, codes};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for (index, turn) in facts.transcript.turns.iter().enumerate() {
        let (Some(response), Some(_)) = (&turn.response, &turn.error) else { continue };
        let error = facts.written(index, &["llm_error"]).map_or(turn.span, |error| error.span);
        let message = "the model call has both a response and an error";
        let mut diagnostic = Diagnostic::new(codes::ANSWER_AND_ERROR, Severity::Warning, error, message)
            .related(response.span, "the response")
            .help("keep `llm_response` or `llm_error`; write a retry as another turn");
        for (key, title) in [("llm_error", "keep the response"), ("llm_response", "keep the error")] {
            let edit = facts.turn_node(index).and_then(|turn| fixes::remove_entry(facts.source, turn, key));
            diagnostic.fixes.extend(edit.map(|edit| Fix {
                title: title.to_owned(),
                applicability: Applicability::Suggested,
                edits: vec![edit],
            }));
        }
        found.push(diagnostic);
    }
}
