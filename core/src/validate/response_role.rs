//! T219: an answer of the model is not the assistant's, or message turns have the answers of a run.
//!
//! The rule for created messages reports the message that an answer or a result creates.

use super::facts::Facts;
use super::fixes;
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::model::{Role, TurnKind};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    // An author of model turns may know them from messages, which a host may attribute to the assistant.
    let calls = facts.transcript.turns.iter().any(|turn| turn.kind.value == TurnKind::LlmCall);
    for (index, turn) in facts.transcript.turns.iter().enumerate() {
        let role = facts.written(index, &["llm_response", "role"]);
        if let Some((node, role)) = role.and_then(|node| Some((node, node.as_str()?)))
            && role != "assistant"
        {
            let message = format!("the model response has the role `{role}`");
            found.push(
                Diagnostic::new(codes::RESPONSE_ROLE, Severity::Error, node.span, message)
                    .help("expected the role `assistant`")
                    .fix(
                        Applicability::Safe,
                        "change to `assistant`",
                        node.span,
                        fixes::scalar(facts.source, node.span, "assistant"),
                    ),
            );
        }
        let created = turn.created.as_ref().filter(|created| !calls && created.role.value == Role::Assistant);
        if let (TurnKind::Message, None, Some(created)) = (turn.kind.value, &turn.response, created) {
            let message = "a `message` turn has an assistant message";
            found.push(
                Diagnostic::new(codes::RESPONSE_ROLE, Severity::Info, created.role.span, message)
                    .help("write a model response as an `llm_call` turn"),
            );
        }
    }
}
