//! T409: the message of an answer differs from the answer.

use serde_json::Value;

use super::facts::{Facts, at};
use super::fixes;
use super::rendering::{is_cut, lines, text_by_line};
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::model::{Content, Message, Response, ToolCall};
use crate::parse::{Node, difference, json_text, same};
use crate::text::{Span, json_line};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for (index, turn) in facts.transcript.turns.iter().enumerate() {
        let (Some(response), Some(created)) = (&turn.response, &turn.created) else { continue };
        let (Some(answer), Some(message)) =
            (facts.written(index, &["llm_response"]), facts.written(index, &["message_created"]))
        else {
            continue;
        };
        if turn.tool.is_some() || !facts.spend(16) {
            continue;
        }
        let details = created.details.as_deref();
        let texts = [
            ("content", &response.content, created.content.as_ref()),
            ("reasoning", &response.reasoning, details.and_then(|details| details.reasoning.as_ref())),
            ("refusal", &response.refusal, details.and_then(|details| details.refusal.as_ref())),
        ];
        for (key, answered, stored) in texts {
            let Some(stored) = stored else { continue };
            let (Some(ours), Some(theirs)) = (answer.get(key), at(message, &[key])) else { continue };
            // `null` counts as empty content.
            let nothing = Content::Text("".into());
            let answered = answered.as_ref().unwrap_or(&nothing);
            let is_elsewhere = || key == "content" && is_of_other_key(response, stored);
            if !texts_agree(answered, stored) && !is_elsewhere() {
                let summary = format!("`{key}` of the message differs from the response");
                let text = fixes::quoted(&answered.to_text());
                found.push(differs(message, (ours.span, theirs.span), summary, text));
            }
        }
        calls(message, response, created, found);
    }
}

/// Whether a stored text may come from an answer: with other blanks, without the model's thoughts, or cut.
fn texts_agree(answered: &Content, stored: &Content) -> bool {
    let is_text = |content: &Content| match content {
        Content::Data(Value::Array(parts)) => {
            parts.iter().all(|part| part.get("type").is_some_and(|kind| kind == "text"))
        }
        _ => true,
    };
    if !is_text(answered) || !is_text(stored) {
        return true;
    }
    let is_by_line = |parts: &Content, text: &Content| {
        text_by_line(parts).is_some_and(|by_line| lines(&by_line) == lines(&text.to_text()))
    };
    if is_by_line(answered, stored) || is_by_line(stored, answered) {
        return true;
    }
    let (answered, stored) = (answered.to_text(), stored.to_text());
    let data = || Some((json_text(&answered)?, json_text(&stored)?));
    let (ours, theirs) = (lines(&answered), lines(&stored));
    ours == theirs
        || lines(strip_thoughts(&answered)) == theirs
        || is_cut(&ours, &theirs)
        || data().is_some_and(|(ours, theirs)| same(&ours, &theirs))
}

/// A text without the thoughts that a model writes before it.
fn strip_thoughts(text: &str) -> &str {
    let marks = [("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<reasoning>", "</reasoning>")];
    let after =
        |(open, close): (&str, &str)| Some(text.trim_start().strip_prefix(open)?.split_once(close)?.1);
    marks.into_iter().find_map(after).unwrap_or(text)
}

/// Whether a message has the text of another key of the answer: its refusal, or its data.
fn is_of_other_key(response: &Response, stored: &Content) -> bool {
    let parsed = response.details.as_ref().and_then(|details| details.parsed.as_ref());
    let is_data =
        || parsed.is_some_and(|parsed| json_text(&stored.to_text()).is_some_and(|data| same(parsed, &data)));
    response.content.as_ref().is_none_or(|content| content.to_text().is_empty())
        && (response.refusal.as_ref().is_some_and(|refusal| texts_agree(refusal, stored)) || is_data())
}

/// Calls are matched by their ids; another rule reports ids that differ.
fn calls(message: &Node, response: &Response, created: &Message, found: &mut Vec<Diagnostic>) {
    let id = |call: &ToolCall| call.id.as_ref().map(|id| id.value.clone());
    let Some(list) = at(message, &["tool_calls"]) else { return };
    for (answered, stored) in response.tool_calls.iter().zip(&created.tool_calls) {
        let Some(node) = Facts::call_node(list, stored).filter(|_| id(answered) == id(stored)) else {
            continue;
        };
        let name = &answered.name.value;
        if answered.name.value != stored.name.value {
            let summary =
                format!("the message calls `{}`, but the response calls `{name}`", stored.name.value);
            found.push(differs(message, (answered.span, stored.name.span), summary, fixes::quoted(name)));
            continue;
        }
        // Text that is not JSON is reported as such.
        let has_text = |call: &ToolCall| arguments(call).is_string();
        if has_text(answered) || has_text(stored) {
            continue;
        }
        let written = at(node, &["function", "arguments"]).or_else(|| at(node, &["arguments"]));
        let way = difference(&arguments(answered), &arguments(stored));
        if let (Some(way), Some(written)) = (way, written) {
            let way = way.trim_start_matches('.');
            let of = if way.is_empty() { String::new() } else { format!(", at `{way}`") };
            let summary = format!("the arguments of `{name}` in the message differ from the response{of}");
            let data = json_line(&answered.arguments);
            let text = if written.as_str().is_some() { fixes::quoted(&data) } else { data };
            found.push(differs(message, (answered.span, written.span), summary, text));
        }
    }
}

/// No arguments are an empty map.
fn arguments(call: &ToolCall) -> Value {
    let is_empty = call.arguments.is_null() || call.arguments == "";
    if is_empty { Value::Object(serde_json::Map::new()) } else { call.arguments.clone() }
}

fn differs(message: &Node, (answered, stored): (Span, Span), summary: String, text: String) -> Diagnostic {
    let diagnostic = Diagnostic::new(codes::ANSWER_MESSAGE_DIFFERS, Severity::Warning, stored, summary)
        .related(answered, "the response")
        .help("replay uses the response: change the message to match it");
    // What stands elsewhere, as a blob does, may be that of other messages too.
    match message.span.contains(stored) {
        true => diagnostic.fix(Applicability::Suggested, "use the response", stored, text),
        false => diagnostic,
    }
}
