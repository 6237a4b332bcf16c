//! T221: the message of a tool's result differs from the call or its result.

use std::mem::discriminant;

use serde_json::Value;

use super::facts::Facts;
use super::fixes;
use super::rendering::contradiction;
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::model::{Content, ToolRun};
use crate::parse::{Node, difference, json_text, same};
use crate::text::json_line;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for (index, turn) in facts.transcript.turns.iter().enumerate() {
        let (Some(run), Some(created)) = (&turn.tool, &turn.created) else { continue };
        check_call(facts, index, found);
        let Some(result) = facts.written(index, &["tool_call", "result"]) else { continue };
        // Each program words a failure its own way.
        if !run.success || !facts.spend(16) {
            continue;
        }
        let result_data = run.host_result();
        let way = created.content.as_ref().and_then(|content| contradiction(&result_data, content));
        if let (Some(way), Some(content)) = (way, facts.written(index, &["message_created", "content"])) {
            let text = fixes::quoted(&Content::from_result(&result_data).to_text());
            found.push(diagnostic(facts, index, (run, result), (content, &way), text));
        }
        let Some(response) = facts.written(index, &["message_created", "tool_response", "response"]) else {
            continue;
        };
        let stated = response.to_value();
        // Some hosts write the data as its JSON.
        let read = stated.as_str().and_then(json_text);
        let is_result = |data: &Value| {
            [Some(&stated), read.as_ref()].into_iter().flatten().any(|stated| same(data, stated))
        };
        let way =
            difference(&result_data, &stated).filter(|_| !is_result(&result_data) && !is_result(&run.result));
        if let Some(way) = way {
            found.push(diagnostic(facts, index, (run, result), (response, &way), json_line(&result_data)));
        }
    }
}

/// The name, id and parameters that the message repeats of its call.
fn check_call(facts: &Facts<'_>, index: usize, found: &mut Vec<Diagnostic>) {
    let message = facts.written(index, &["message_created"]);
    let response = message.and_then(|message| message.present("tool_response"));
    for (place, key, call_key) in [
        (message, "tool_name", "tool_name"),
        (response, "tool_name", "tool_name"),
        (response, "tool_call_id", "id"),
        (response, "parameters", "parameters"),
    ] {
        let repeated = place.and_then(|place| place.present(key));
        let (Some(repeated), Some(call)) = (repeated, facts.written(index, &["tool_call", call_key])) else {
            continue;
        };
        let (stated, data) = (repeated.to_value(), call.to_value());
        // Another rule reports values of a wrong type.
        if discriminant(&stated) != discriminant(&data) {
            continue;
        }
        let Some(way) = difference(&data, &stated) else { continue };
        let way = match way.trim_start_matches('.') {
            "" => String::new(),
            way => format!(" at `{way}`"),
        };
        let message = format!("`{key}` of the message differs from the call{way}");
        let diagnostic =
            Diagnostic::new(codes::RESULT_MESSAGE_DIFFERS, Severity::Warning, repeated.span, message)
                .related(call.span, "the call")
                .help("replay uses `tool_call`: change the message to match it");
        found.push(match is_in_message(facts, index, repeated) {
            true => diagnostic.fix(
                Applicability::Suggested,
                "use the value of the call",
                repeated.span,
                json_line(&data),
            ),
            false => diagnostic,
        });
    }
}

fn diagnostic(
    facts: &Facts<'_>,
    index: usize,
    (run, result): (&ToolRun, &Node),
    (place, way): (&Node, &str),
    replacement: String,
) -> Diagnostic {
    let at = match way.trim_start_matches('.') {
        "" => String::new(),
        way => format!(" at `{way}`"),
    };
    let message = format!("the message differs from the result of `{}`{at}", run.name.value);
    let diagnostic = Diagnostic::new(codes::RESULT_MESSAGE_DIFFERS, Severity::Warning, place.span, message)
        .related(result.span, "the result")
        .help("replay uses the result: change the message to match it");
    match is_in_message(facts, index, place) && !matches!(run.host_result(), Value::Null) {
        true => diagnostic.fix(Applicability::Suggested, "use the result", place.span, replacement),
        false => diagnostic,
    }
}

/// Whether a fix may change a value: one from elsewhere, such as a blob, may belong to other messages too.
fn is_in_message(facts: &Facts<'_>, index: usize, value: &Node) -> bool {
    facts.written(index, &["message_created"]).is_some_and(|message| message.span.contains(value.span))
}
