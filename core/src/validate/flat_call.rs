//! T108 and T103 for calls in other programs' form: with the name next to the id, or one call alone
//! under `tool_call`. One diagnostic describes the expected form, instead of one for each key.

use serde_json::{Map, Value};

use super::fixes::word;
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::model::{Field, ToolCall};
use crate::parse::{Entry, Kind, Node};
use crate::text::JsonMap;
use crate::write;

/// The form of a call in help texts.
const FORM: &str = "{id: call_001, function: {name: weather, arguments: {city: Rome}}}";

/// Keys that other programs use for the result of a call.
const RETURNED: [&str; 5] = ["output", "result", "response", "error", "observation"];

/// Whether the keys are those of a call; if so, reports a call with its name next to its id, which needs no
/// other diagnostic.
pub(super) fn check(
    source: &str,
    at: &Node,
    fields: &[Field],
    place: &str,
    found: &mut Vec<Diagnostic>,
) -> bool {
    // Calls of mock handlers may have their name in either place.
    if !fields.iter().any(|field| field.required && field.name == "function") || at.get("function").is_some()
    {
        return false;
    }
    let Some(name) = at.entries().iter().find(|entry| is_name(entry)) else { return false };
    let message = format!("{place} has its `{}` next to its `id`, not in a `function`", name.key.text);
    let diagnostic = Diagnostic::new(codes::MISSING_KEY, Severity::Error, name.key.span, message);
    let Some(call) = converted(at) else {
        found.push(diagnostic.help(help(at)));
        return true;
    };
    let text = replacement(source, at, &call);
    let diagnostic = diagnostic.help(format!("write `{}`", render_call(&call)));
    found.push(diagnostic.fix(fix_applicability(source, at), "move it to `function`", at.span, text));
    true
}

/// Reports one call under `tool_call` in a map that has `tool_calls`; returns whether `entry` is one.
pub(super) fn alone(
    source: &str,
    entry: &Entry,
    fields: &[Field],
    is_there: impl Fn(&str) -> bool,
    place: &str,
    found: &mut Vec<Diagnostic>,
) -> bool {
    let has = |name: &str| fields.iter().any(|field| field.name == name);
    let call = &entry.value;
    if &*entry.key.text != "tool_call" || !has("tool_calls") || !call.is_map() {
        return false;
    }
    let message = format!("{place} needs a list `tool_calls`, not `tool_call`");
    let diagnostic = Diagnostic::new(codes::UNKNOWN_KEY, Severity::Error, entry.key.span, message);
    let form = |call: &str| format!("write `tool_calls: [{call}]`");
    let whole = if call.get("function").is_some() { Some(call.to_value()) } else { converted(call) };
    let is_returned = call.entries().iter().any(|entry| RETURNED.contains(&&*entry.key.text));
    found.push(match whole {
        Some(whole) if !is_there("tool_calls") && !is_returned => {
            let help = form(&render_call(&whole));
            let key = word(source, "tool_calls");
            let list = Value::Array(vec![whole]);
            let text = if key.starts_with('"') { write::json_line(&list) } else { write::inline(&list) };
            let span = crate::text::Span { start: entry.key.span.start, end: call.span.end };
            let title = "change to a list";
            diagnostic.help(help).fix(fix_applicability(source, call), title, span, format!("{key}: {text}"))
        }
        _ if is_returned => diagnostic.help(self::help(call)),
        _ => diagnostic.help(form(FORM)),
    });
    true
}

/// Whether a call of a full or partial document has its name next to its id.
///
/// Such a call has its own diagnostic; whether it is answered can only be checked once it is fixed.
pub(super) fn is_flat(source: &str, kind: Kind, call: &ToolCall) -> bool {
    let (whole, name) = (call.span, call.name.span);
    let is_inside = whole.start < name.start && name.end <= whole.end;
    let head = source.get(whole.start as usize..name.start as usize).unwrap_or("");
    kind != Kind::Compact
        && is_inside
        && !["function:", "function\"", "function'"].iter().any(|key| head.contains(key))
}

/// The call on one line, or another that is shorter.
fn render_call(call: &Value) -> String {
    let text = write::inline(call);
    if text.len() > 120 { FORM.to_owned() } else { text }
}

fn is_name(entry: &Entry) -> bool {
    matches!(&*entry.key.text, "name" | "tool_name" | "tool") && entry.value.as_str().is_some()
}

fn help(call: &Node) -> String {
    if call.entries().iter().any(|entry| RETURNED.contains(&&*entry.key.text)) {
        return format!(
            "write `{FORM}`, and the result in another turn: `{{type: tool_call, tool_call: {{id: call_001, tool_name: weather, parameters: {{city: Rome}}, result: sunny}}}}`"
        );
    }
    format!("write `{FORM}`")
}

/// The call in our form; `None` if a key has no known place in it.
fn converted(call: &Node) -> Option<Value> {
    let (mut outer, mut function) = (Map::new(), Map::new());
    for entry in call.entries() {
        let value = entry.value.to_value();
        match &*entry.key.text {
            "name" | "tool_name" | "tool" if is_name(entry) && !function.contains_key("name") => {
                function.put("name", value)
            }
            "arguments" | "args" | "parameters" | "input" if !function.contains_key("arguments") => {
                function.put("arguments", value)
            }
            // Some providers use their own name as the type.
            "type" if value.as_str() != Some("function") => {}
            key @ ("id" | "type" | "index") => outer.put(key, value),
            _ => return None,
        };
    }
    outer.put("function", Value::Object(function));
    Some(Value::Object(outer))
}

/// The text of the call in the place of `at`.
fn replacement(source: &str, at: &Node, call: &Value) -> String {
    if word(source, "a").starts_with('"') {
        return write::json_line(call);
    }
    if at.span.slice(source).starts_with('{') {
        return write::inline(call);
    }
    let before = source.get(..at.span.start as usize).unwrap_or("");
    let column = before.len() - before.rfind('\n').map_or(0, |end| end + 1);
    // As an item it would begin after a dash and a blank, two columns further.
    let text = write::after(call, column.saturating_sub(2), column.saturating_sub(1), true);
    text.trim().to_owned()
}

/// Comments, anchors and tags in it would be lost.
fn fix_applicability(source: &str, at: &Node) -> Applicability {
    let written = at.span.slice(source);
    if written.contains(['#', '&', '*', '!']) { Applicability::Suggested } else { Applicability::Safe }
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::{Applicability, apply};
    use crate::parse::{Limits, parse};

    /// The text after its only safe fix.
    fn fixed(text: &str) -> String {
        let root = parse(text, &Limits::default()).root.unwrap();
        let found = super::super::structure(text, &root);
        let safe = |fix: &&crate::diagnostic::Fix| fix.applicability == Applicability::Safe;
        let fixes: Vec<_> = found.iter().flat_map(|found| &found.fixes).filter(safe).collect();
        assert_eq!(fixes.len(), 1, "{found:?}");
        let text = apply(text, &fixes[0].edits).unwrap();
        let root = parse(&text, &Limits::default()).root.unwrap();
        assert!(super::super::structure(&text, &root).is_empty(), "{text}");
        text
    }

    #[test]
    fn a_flat_call_is_put_into_a_function() {
        let around =
            |calls: &str| format!("initial_state:\n  message_store:\n    - role: assistant\n{calls}");
        assert_eq!(
            fixed(&around("      tool_calls: [{id: a, name: f, arguments: {x: 1}}]\n")),
            around("      tool_calls: [{id: a, function: {name: f, arguments: {x: 1}}}]\n")
        );
        assert_eq!(
            fixed(&around(
                "      tool_calls:\n        - name: f\n          arguments:\n            x: |\n              1\n              2\n          id: a\n      content: Hi\n"
            )),
            around(
                "      tool_calls:\n        - id: a\n          function:\n            name: f\n            arguments:\n              x: |\n                1\n                2\n      content: Hi\n"
            )
        );
        assert_eq!(
            fixed(
                "{\"initial_state\": {\"message_store\": [{\"role\": \"assistant\", \"tool_calls\": [{\"name\": \"f\", \"input\": {}}]}]}}"
            ),
            "{\"initial_state\": {\"message_store\": [{\"role\": \"assistant\", \"tool_calls\": [{\"function\": {\"name\": \"f\", \"arguments\": {}}}]}]}}"
        );
    }

    #[test]
    fn one_call_becomes_a_list() {
        let around = |call: &str| format!("initial_state:\n  message_store:\n    - role: assistant\n{call}");
        let list = around("      tool_calls: [{id: a, function: {name: f, arguments: {x: 1}}}]\n");
        assert_eq!(fixed(&around("      tool_call: {id: a, name: f, arguments: {x: 1}}\n")), list);
        assert_eq!(
            fixed(&around(
                "      tool_call:\n        id: a\n        function:\n          name: f\n          arguments: {x: 1}\n"
            )),
            list
        );
    }

    #[test]
    fn what_cannot_be_put_into_it_is_left() {
        for call in ["{id: a, name: f, output: 1}", "{id: a, name: f, arguments: {x: 1}, args: {y: 1}}"] {
            let text =
                format!("initial_state: {{message_store: [{{role: assistant, tool_calls: [{call}]}}]}}");
            let root = parse(&text, &Limits::default()).root.unwrap();
            let found = super::super::structure(&text, &root);
            assert_eq!(
                found.iter().map(|found| (found.code, found.fixes.len())).collect::<Vec<_>>(),
                [("T108", 0)]
            );
        }
    }
}
