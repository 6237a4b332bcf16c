//! T215: a tool succeeds with an error, or fails without one.

use super::facts::Facts;
use super::fixes;
use crate::diagnostic::{Applicability, Diagnostic, Fix, Severity, codes};
use crate::model::Content;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for (index, turn) in facts.transcript.turns.iter().enumerate() {
        let Some(run) = &turn.tool else { continue };
        let success = facts.written(index, &["tool_call", "success"]).filter(|node| node.as_bool().is_some());
        let Some(success) = success else { continue };
        let is_empty = |error: &Content| matches!(error, Content::Text(text) if text.trim().is_empty());
        let has_error = run.error.as_ref().is_some_and(|error| !is_empty(error));
        let name = &run.name.value;
        if run.success && has_error {
            let message = format!("`{name}` succeeds, but has an error");
            let mut diagnostic =
                Diagnostic::new(codes::SUCCESS_AND_ERROR, Severity::Warning, success.span, message);
            if let Some(error) = facts.written(index, &["tool_call", "error"]) {
                diagnostic = diagnostic.related(error.span, "the error");
            }
            found.push(diagnostic.help("set `success: false`, or remove the error").fix(
                Applicability::Suggested,
                "set `success: false`",
                success.span,
                "false",
            ));
        } else if !run.success && !has_error {
            let message = format!("`{name}` fails without an error");
            let mut diagnostic =
                Diagnostic::new(codes::SUCCESS_AND_ERROR, Severity::Warning, success.span, message)
                    .help("add `error` with the text for the model");
            let call = facts.written(index, &["tool_call"]);
            let edit = call.filter(|call| call.get("error").is_none()).and_then(|call| {
                let content = facts.written(index, &["message_created", "content"])?.as_str()?;
                fixes::append_entry(facts.source, call, "error", &fixes::quoted(content))
            });
            diagnostic.fixes.extend(edit.map(|edit| Fix {
                title: "use the text of the message".to_owned(),
                applicability: Applicability::Suggested,
                edits: vec![edit],
            }));
            found.push(diagnostic);
        }
    }
}
