//! The tree of `handlers` as typed data.

use super::message::arguments;
use super::{content, spanned_text};
use crate::model::handlers::{
    Condition, ConditionKind, Handler, HandlerKind, Handlers, MockResponse, Outcome, Rule, State, Test,
    TestKind, Transition, find_test,
};
use crate::model::{Spanned, Text, ToolCall, key_aliases};
use crate::parse::{Data, Entry, Node};
use crate::text::Span;

/// The known keys of a response; the others are kept as written.
const READ: [&str; 8] =
    ["content", "role", "tool_calls", "type", "tool_name", "tool_arguments", "tool_result", "tool_call_id"];

/// Reads the value of `handlers`.
///
/// ```
/// use transcript_core::model::handlers::HandlerKind;
/// use transcript_core::parse::{Limits, parse, read};
/// let text = "handlers: {bot: {type: queue, responses: [Hi, Bye]}}";
/// let root = parse(text, &Limits::default()).root.unwrap();
/// let handlers = read::handlers(root.get("handlers").unwrap());
/// assert!(matches!(handlers.agents[0].1.kind, HandlerKind::Queue { .. }));
/// ```
#[must_use]
pub fn handlers(node: &Node) -> Handlers {
    // A handler of another kind is reported elsewhere; an empty one lacks a type like any other.
    let fits = |entry: &&Entry| entry.value.is_map() || entry.value.is_null();
    let agents = node.entries().iter().filter(fits).map(|entry| (name(entry), handler(&entry.value)));
    let agents = agents.collect();
    Handlers { agents, span: node.span }
}

fn name(entry: &Entry) -> Spanned<Text> {
    Spanned { value: entry.key.text.clone(), span: entry.key.span }
}

/// The value of a key, by its name in the format or by a common other name.
fn meant<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    node.present(key).or_else(|| key_aliases(key).find_map(|name| node.present(name)))
}

fn handler(node: &Node) -> Handler {
    let text = |key: &str| meant(node, key).and_then(spanned_text);
    let answer = |key: &str| meant(node, key).map(response);
    let inner = |key: &str| node.present(key).filter(|inner| inner.is_map()).map(handler).map(Box::new);
    let number = |key: &str| {
        let node = meant(node, key)?;
        node.as_i64().map(|value| Spanned { value, span: node.span })
    };
    let type_name = text("type");
    let kind = match type_name.as_ref().map_or("", |name| &*name.value) {
        "queue" => HandlerKind::Queue { responses: list(node, "responses", |item| Some(response(item))) },
        "conditional" => {
            HandlerKind::Conditional { rules: list(node, "rules", rule), default: answer("default") }
        }
        "transcript" => {
            HandlerKind::Transcript { entries: list(node, "entries", entry), source: text("source") }
        }
        "state_machine" => HandlerKind::StateMachine { initial: text("initial"), states: states(node) },
        "composite" => HandlerKind::Composite {
            strategy: text("strategy"),
            handlers: list(node, "handlers", |item| item.is_map().then(|| handler(item))),
        },
        "tool_sequence" => {
            HandlerKind::ToolSequence { calls: list(node, "calls", call), then: answer("then") }
        }
        "repeat" => HandlerKind::Repeat { respond: answer("respond"), times: number("times") },
        "fail" => HandlerKind::Fail {
            times: number("times"),
            error: node.present("error").map(Node::to_value),
            then: inner("then"),
        },
        "recording" => HandlerKind::Recording { handler: inner("handler"), save_as: text("save_as") },
        _ => HandlerKind::Unknown,
    };
    Handler { kind, type_name, span: node.span }
}

/// The readable items of the list under `key`, with the place of the list. If all are unreadable, each is
/// reported, and the list does not count as empty.
fn list<T>(node: &Node, key: &str, read: impl Fn(&Node) -> Option<T>) -> Option<Spanned<Vec<T>>> {
    let node = meant(node, key)?;
    let Data::Seq(items) = &node.data else { return None };
    let value: Vec<T> = items.iter().filter_map(read).collect();
    (items.is_empty() || !value.is_empty()).then_some(Spanned { value, span: node.span })
}

fn rule(node: &Node) -> Option<Rule> {
    node.is_map().then(|| Rule {
        when: when(node),
        respond: meant(node, "respond").map(response),
        handler: node.present("handler").filter(|inner| inner.is_map()).map(handler),
        span: node.span,
    })
}

/// The condition. An empty one is unfinished, and so never holds.
fn when(node: &Node) -> Option<Condition> {
    let empty = || std::iter::once("when").chain(key_aliases("when")).find_map(|name| node.get(name));
    meant(node, "when").or_else(empty).map(condition)
}

fn states(node: &Node) -> Option<Spanned<Vec<State>>> {
    let node = node.present("states").filter(|states| states.is_map())?;
    let state = |entry: &Entry| State {
        name: name(entry),
        respond: meant(&entry.value, "respond").map(response),
        transitions: transitions(&entry.value),
        next: meant(&entry.value, "next").and_then(spanned_text),
    };
    Some(Spanned { value: node.entries().iter().map(state).collect(), span: node.span })
}

/// The transitions of a state. A map of states with their conditions, as in the Python library, is reported
/// but accepted.
fn transitions(state: &Node) -> Vec<Transition> {
    let ways = state.present("transitions").map(Node::entries).unwrap_or_default();
    let way = |entry: &Entry| Transition {
        to: Some(name(entry)),
        when: Some(condition(&entry.value)),
        span: Span { start: entry.key.span.start, end: entry.value.span.end },
    };
    match list(state, "transitions", transition) {
        Some(list) => list.value,
        None => ways.iter().map(way).collect(),
    }
}

fn transition(node: &Node) -> Option<Transition> {
    node.is_map().then(|| Transition {
        to: node.present("to").and_then(spanned_text),
        when: when(node),
        span: node.span,
    })
}

/// An entry of a conversation: as a response, or as `[role, text, {...}]`.
fn entry(node: &Node) -> Option<MockResponse> {
    let Data::Seq(parts) = &node.data else { return Some(response(node)) };
    let mut entry = parts.get(2).map(response).unwrap_or_default();
    entry.role = parts.first().and_then(spanned_text);
    entry.content = content(parts.get(1));
    entry.span = node.span;
    if let Some(text) = parts.get(1) {
        templates(text, &mut entry.templates);
    }
    Some(entry)
}

/// Reads a response: its text, or a map.
pub(crate) fn response(node: &Node) -> MockResponse {
    let mut response = MockResponse { span: node.span, ..MockResponse::default() };
    templates(node, &mut response.templates);
    if !node.is_map() {
        response.content = content(Some(node));
        response.is_empty = node.is_null();
        return response;
    }
    response.content = content(meant(node, "content"));
    response.role = node.present("role").and_then(spanned_text);
    response.type_name = node.present("type").and_then(spanned_text).map(|name| name.value);
    response.tool_calls = list(node, "tool_calls", call).map_or_else(Vec::new, |list| list.value);
    if let Some(name) = node.present("tool_name").and_then(spanned_text) {
        response.tool_calls.push(ToolCall {
            id: node.present("tool_call_id").and_then(spanned_text),
            outcome: node.get("tool_result").map(result),
            ..ToolCall::new(name, arguments(node.get("tool_arguments")), node.span)
        });
    }
    let is_read = |key: &str| {
        READ.contains(&key)
            || (node.present("content").is_none() && key_aliases("content").any(|name| name == key))
    };
    let others = node.entries().iter().filter(|entry| !is_read(&entry.key.text));
    response.extra = others.map(|entry| (entry.key.text.to_string(), entry.value.to_value())).collect();
    let calls = node
        .present("tool_calls")
        .filter(|calls| !matches!(&calls.data, Data::Seq(items) if items.is_empty()));
    let has_content = meant(node, "content").is_some_and(|content| content.as_str() != Some(""));
    response.is_empty = !has_content
        && calls.is_none()
        && node.present("tool_name").is_none()
        && response
            .extra
            .iter()
            .all(|(key, value)| value.is_null() || matches!(&**key, "usage" | "metadata" | "model"));
    response
}

/// A call in any of the shapes that are written: `{name, arguments}`, `{tool_name, arguments}`,
/// `{name, parameters}`, `{function: {...}}`, `[name, arguments]`.
fn call(node: &Node) -> Option<ToolCall> {
    let span = node.span;
    if let Data::Seq(pair) = &node.data {
        let name = pair.first().and_then(spanned_text)?;
        return Some(ToolCall::new(name, arguments(pair.get(1)), span));
    }
    let function = node.present("function").unwrap_or(node);
    let error = node.present("error").map(|error| Box::new(Outcome::Error(error.to_value())));
    let name = function
        .present("name")
        .or_else(|| function.present("tool_name").or_else(|| meant(function, "name")))
        .and_then(spanned_text)?;
    let arguments = arguments(function.present("parameters").or_else(|| meant(function, "arguments")));
    Some(ToolCall {
        id: node.present("id").and_then(spanned_text),
        outcome: error.or_else(|| node.get("result").map(result)),
        ..ToolCall::new(name, arguments, span)
    })
}

fn result(node: &Node) -> Box<Outcome> {
    Box::new(Outcome::Result(node.to_value()))
}

/// Collects the texts below a node that contain `{{`.
fn templates(node: &Node, found: &mut Vec<Spanned<Text>>) {
    match &node.data {
        Data::Str(text) if text.contains("{{") => {
            found.push(Spanned { value: text.clone(), span: node.span });
        }
        Data::Seq(items) => items.iter().for_each(|item| templates(item, found)),
        Data::Map(entries) => entries.iter().for_each(|entry| templates(&entry.value, found)),
        _ => {}
    }
}

/// Reads a condition.
pub(crate) fn condition(node: &Node) -> Condition {
    let kind = match &node.data {
        Data::Str(text) => ConditionKind::Expression(text.clone()),
        Data::Map(entries) => ConditionKind::Tests(entries.iter().map(test).collect()),
        _ => ConditionKind::Unknown,
    };
    Condition { kind, span: node.span }
}

fn test(entry: &Entry) -> Test {
    let value = &entry.value;
    let parts = || value.items().iter().map(condition).collect();
    let kind = match (&*entry.key.text, find_test(&entry.key.text)) {
        ("all", _) => TestKind::All(parts()),
        ("any", _) => TestKind::Any(parts()),
        ("not", _) => TestKind::Not(Box::new(condition(value))),
        (_, Some(test)) => TestKind::Named(test.name, value.to_value()),
        (_, None) => TestKind::Unknown,
    };
    Test { name: name(entry), kind, value_span: value.span }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::parse::{Limits, parse};

    fn first(text: &str) -> HandlerKind {
        let root = parse(text, &Limits::default()).root.unwrap();
        handlers(&root).agents.remove(0).1.kind
    }

    #[test]
    fn every_shape_of_a_call_is_read() {
        let text = "a: {type: tool_sequence, calls: [
            {name: f, arguments: {x: 1}}, {tool_name: f, arguments: {x: 1}}, {name: f, parameters: {x: 1}},
            [f, {x: 1}], {function: {name: f, arguments: '{\"x\": 1}'}}, {name: f, arguments: {x: 1}, result: 2}]}";
        let HandlerKind::ToolSequence { calls: Some(calls), then: None } = first(text) else { panic!() };
        assert_eq!(calls.value.len(), 6);
        for call in &calls.value {
            assert_eq!((&*call.name.value, &call.arguments), ("f", &json!({"x": 1})));
        }
        assert_eq!(calls.value[5].outcome.as_deref(), Some(&Outcome::Result(json!(2))));
        assert_eq!(calls.value[3].outcome, None);
    }

    #[test]
    fn a_response_keeps_what_it_carries() {
        let text =
            "a: {type: queue, responses: [Hi, {content: '{{ last_user }}', reasoning: hm, usage: {t: 1}},
            {type: tool_call, tool_name: f, tool_arguments: {x: 1}, tool_result: null}]}";
        let HandlerKind::Queue { responses: Some(responses) } = first(text) else { panic!() };
        let [text, full, python] = responses.value.as_slice() else { panic!() };
        assert_eq!(text.content, Some(crate::model::Content::Text("Hi".into())));
        assert_eq!(Value::Object(full.extra.clone()), json!({"reasoning": "hm", "usage": {"t": 1}}));
        assert_eq!(full.templates.len(), 1);
        assert_eq!(python.tool_calls[0].outcome.as_deref(), Some(&Outcome::Result(Value::Null)));
        assert!(python.extra.is_empty());
    }

    #[test]
    fn entries_of_a_conversation_may_be_lists() {
        let text = "a: {type: transcript, entries: [[assistant, Looking, {tool_calls: [[f, {}]]}], {content: Done}]}";
        let HandlerKind::Transcript { entries: Some(entries), .. } = first(text) else { panic!() };
        assert_eq!(entries.value[0].role.as_ref().map(|role| &*role.value), Some("assistant"));
        assert_eq!(entries.value[0].content, Some(crate::model::Content::Text("Looking".into())));
        assert_eq!(&*entries.value[0].tool_calls[0].name.value, "f");
        assert_eq!(entries.value[1].role, None);
    }

    #[test]
    fn conditions_are_maps_of_tests_or_expressions() {
        let text = "a: {type: conditional, rules: [{when: {all: [{call_count: 1}, {not: {last_role: tool}}], nope: 1}},
            {when: 'call_count == `2`'}, {when: {}}, {when: {ignore_case: true}}, {when: null}]}";
        let HandlerKind::Conditional { rules: Some(rules), default: None } = first(text) else { panic!() };
        let whens: Vec<&Condition> = rules.value.iter().filter_map(|rule| rule.when.as_ref()).collect();
        let ConditionKind::Tests(tests) = &whens[0].kind else { panic!() };
        let TestKind::All(parts) = &tests[0].kind else { panic!() };
        let ConditionKind::Tests(count) = &parts[0].kind else { panic!() };
        assert_eq!(count[0].kind, TestKind::Named("call_count", json!(1)));
        assert_eq!(tests[1].kind, TestKind::Unknown);
        assert_eq!(whens[1].kind, ConditionKind::Expression("call_count == `2`".into()));
        let always: Vec<bool> = whens.iter().map(|when| when.is_always()).collect();
        assert_eq!(always, [false, false, true, true, false]);
        assert_eq!(whens[4].kind, ConditionKind::Unknown);
    }
}
