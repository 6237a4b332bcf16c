//! T222: a tool result and its message disagree on whether the tool succeeded.

use super::facts::Facts;
use super::fixes;
use crate::diagnostic::{Applicability, Diagnostic, Fix, Severity, codes};
use crate::parse::Node;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for (index, turn) in facts.transcript.turns.iter().enumerate() {
        let Some(run) = &turn.tool else { continue };
        let stated = facts.written(index, &["message_created", "tool_response", "success"]);
        let Some(stated) = stated.filter(|node| node.as_bool() == Some(!run.success)) else { continue };
        let Some(call) = facts.written(index, &["tool_call"]) else { continue };
        let message = match run.success {
            true => format!("the message says that `{}` failed, but the call succeeded", run.name.value),
            false => format!("the message says that `{}` succeeded, but the call failed", run.name.value),
        };
        let diagnostic = Diagnostic::new(codes::SUCCESS_DIFFERS, Severity::Warning, stated.span, message);
        let written = call.present("success").or_else(|| call.present("error"));
        found.push(match written {
            Some(written) => diagnostic
                .related(written.span, "the call")
                .help("replay uses `tool_call`: change the message to match it")
                .fix(
                    Applicability::Suggested,
                    format!("change to `{}`", run.success),
                    stated.span,
                    run.success.to_string(),
                ),
            // A call without `success` counts as successful.
            None => without_success(facts.source, call, diagnostic),
        });
    }
}

fn without_success(source: &str, call: &Node, mut diagnostic: Diagnostic) -> Diagnostic {
    let edit = fixes::append_entry(source, call, "success", "false");
    diagnostic.fixes.extend(edit.map(|edit| Fix {
        title: "add `success: false` to the call".to_owned(),
        applicability: Applicability::Suggested,
        edits: vec![edit],
    }));
    diagnostic
        .related(call.span, "the call")
        .help("a call without `success` and `error` counts as successful; add `success: false` if it failed")
}
