//! T206: the arguments of a call, or the parameters of a tool run, are not a map.

use serde_json::Value;

use super::arguments_schema;
use super::facts::Facts;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::Node;
use crate::text::{Locator, Span, kind_name};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for (step, call) in facts.calls.iter().filter(|(_, call)| !call.arguments.is_object()) {
        let written = arguments_schema::arguments(facts, *step, call);
        let place = place(facts.source, &call.arguments, written, call.span);
        found.extend(not_a_map("arguments", &call.name.value, &call.arguments, place));
    }
    for (index, turn) in facts.transcript.turns.iter().enumerate() {
        let Some(run) = turn.tool.as_ref().filter(|run| !run.parameters.is_object()) else { continue };
        let written = facts.written(index, &["tool_call", "parameters"]);
        let place = place(facts.source, &run.parameters, written, run.name.span);
        found.extend(not_a_map("parameters", &run.name.value, &run.parameters, place));
    }
}

/// The place of the fault if arguments are no map: in a text the place where it stops being JSON, else the
/// whole value in `written`; `otherwise` if that is unknown.
pub(super) fn place(source: &str, value: &Value, written: Option<&Node>, otherwise: Span) -> Span {
    let Some(node) = written.filter(|node| !node.span.is_empty()) else { return otherwise };
    let broken = value.as_str().zip(node.as_str()).filter(|(value, written)| value == written);
    let place = broken.and_then(|(text, _)| {
        let at = serde_json::from_str::<Value>(text).err().and_then(|error| offset(text, &error))?;
        let (before, rest) = text.split_at_checked(at)?;
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let length = match rest.find(|c| !is_word(c)).unwrap_or(rest.len()) {
            0 => return Some((at, at + rest.chars().next()?.len_utf8())),
            length => length,
        };
        // The reader may have read the start of the word as that of `true`.
        Some((before.trim_end_matches(is_word).len(), at + length))
    });
    let text = value.as_str().unwrap_or_default();
    place.map_or(node.span, |(from, to)| Locator::new(source, node.span, text).place(from, to))
}

/// The byte where the JSON reader failed; `None` at the end of the text. Its columns count bytes, from 1.
fn offset(text: &str, error: &serde_json::Error) -> Option<usize> {
    if error.is_eof() {
        return None;
    }
    let before: usize = text.split_inclusive('\n').take(error.line().checked_sub(1)?).map(str::len).sum();
    let at = before + error.column().checked_sub(1)?;
    text.is_char_boundary(at).then_some(at)
}

/// Reports arguments that are not a map; `what` names them in the message.
pub(super) fn not_a_map(what: &str, tool: &str, value: &Value, span: Span) -> Option<Diagnostic> {
    let fault = match value {
        Value::Object(_) => return None,
        Value::String(text) => match crate::text::json_value(text) {
            Err(error) => {
                let why = error.to_string();
                let why = why.split(" at line").next().unwrap_or_default().to_lowercase();
                let why = match why.as_str() {
                    "key must be a string" => "a key is not in double quotes",
                    other => other,
                };
                format!("not JSON: {why}")
            }
            Ok(_) => kind_name(value).to_owned(),
        },
        other => kind_name(other).to_owned(),
    };
    let message = format!("{what} of `{tool}`: expected a map, found {fault}");
    let message =
        if fault.starts_with("not JSON") { format!("the {what} of `{tool}` are {fault}") } else { message };
    let help = match fault.contains("double quotes") {
        true => "write keys and strings in double quotes: `{\"query\": 1}`",
        false => "a tool cannot run with them",
    };
    Some(Diagnostic::new(codes::ARGUMENTS, Severity::Warning, span, message).help(help))
}
