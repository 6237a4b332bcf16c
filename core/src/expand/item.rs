//! One entry of `messages`: a string or a map.

use serde_json::{Map, Value};

use super::shorthand::{self, CallPart, CompactLine, Fault, Part};
use super::value::value;
use super::{map_item, slip};
use crate::diagnostic::{Applicability, Diagnostic, Severity, closest, codes};
use crate::model::{Assertion, Content, Message, Role, Spanned, Text, ToolCall};
use crate::parse::read::spanned_text;
use crate::parse::{Data, Key, Limits, Node};
use crate::text::Locator;
use crate::text::{Span, json_line};
use crate::write;

/// The content of one entry.
#[derive(Debug)]
pub(super) enum Item {
    /// A message that is not the answer of a tool, and its written id, if any. A call without a written id
    /// has none yet.
    Message(Option<Spanned<Text>>, Message),
    Result(ResultItem),
    Context(Map<String, Value>),
    Unset(Vec<Spanned<Text>>),
    Expect(Vec<Assertion>),
    Visibility(Vec<(Spanned<Text>, bool)>),
}

/// A tool's answer.
#[derive(Debug)]
pub(super) struct ResultItem {
    /// The tool; `None` for a `tool:` line without a name.
    pub name: Option<Spanned<Text>>,
    /// The call it answers, when the document names one.
    pub id: Option<Spanned<Text>>,
    pub message_id: Option<Spanned<Text>>,
    pub result: Value,
    /// The place of the run that the result names, when it names one.
    pub named_at: Span,
    pub is_error: bool,
    pub hidden: bool,
    pub agent: Option<Text>,
}

/// Reads one entry; `None` when it cannot be read, which is reported.
pub(super) fn item(source: &str, node: &Node, limits: &Limits, found: &mut Vec<Diagnostic>) -> Option<Item> {
    match &node.data {
        Data::Str(text) => string(source, node, text, limits, found),
        Data::Map(_) => map_item::item(source, node, found),
        _ => {
            let message = format!("message: expected a string or a map, found {}", node.kind_name());
            let help = "write it as `\"user: the text\"`";
            found.push(Diagnostic::new(codes::BAD_SHORTHAND, Severity::Error, node.span, message).help(help));
            None
        }
    }
}

fn string(
    source: &str,
    node: &Node,
    text: &str,
    limits: &Limits,
    found: &mut Vec<Diagnostic>,
) -> Option<Item> {
    let locator = Locator::new(source, node.span, text);
    let place = |(start, end)| locator.place(start, end);
    let line = CompactLine::new(text);
    if let Some(fault) = &line.fault {
        found.push(bad_shorthand(source, node, fault, place(fault.at)));
        return None;
    }
    let role = Role::new(line.role.text);
    let content = line.content.text;
    let content_at = || place((line.content.at, text.len()));
    if line.tool.is_none() && line.calls.is_none() {
        let blank = text.get(..line.content.at).is_some_and(|head| head.ends_with(' '));
        found.extend(slip::check_message_text(&role, content, blank, content_at));
    }
    let hidden = line.is_hidden();
    let agent = line.agent().map(Text::from);
    if role != Role::Tool {
        let content = line.calls.is_none().then(|| Content::Text(content.into()));
        let calls = line.calls.unwrap_or_default();
        let message = Message {
            content,
            tool_calls: calls.into_iter().map(|call| tool_call(call, place)).collect(),
            agent,
            visible: !hidden,
            ..message(role, node.span, node.span)
        };
        return Some(Item::Message(None, message));
    }
    let named_at = content_at();
    let is_error = line.tool.is_some_and(|tool| tool.is_error);
    let result = match is_error {
        true => Value::String(content.to_owned()),
        false => value(content, named_at, limits, found),
    };
    let spanned = |part: Part<'_>| Spanned { value: Text::from(part.text), span: place(part.range()) };
    Some(Item::Result(ResultItem {
        name: line.tool.map(|tool| spanned(tool.name)),
        id: line.tool.and_then(|tool| tool.id).map(spanned),
        message_id: None,
        result,
        named_at,
        is_error,
        hidden,
        agent,
    }))
}

/// A message that gets its id later.
pub(super) fn message(role: Role, role_span: Span, span: Span) -> Message {
    Message::new(Text::from("").into(), Spanned { value: role, span: role_span }, span)
}

fn tool_call(call: CallPart<'_>, place: impl Fn((usize, usize)) -> Span) -> ToolCall {
    let name = Spanned { value: call.name.text.into(), span: place(call.name.range()) };
    let span = place((call.name.at, call.end.unwrap_or(call.name.at)));
    ToolCall::new(name, Value::Object(call.arguments), span)
}

fn bad_shorthand(source: &str, node: &Node, fault: &Fault, span: Span) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(fault.code, Severity::Error, span, fault.message.clone());
    // The remedy's escapes are in quotes that have escapes themselves.
    diagnostic.help = fault.help.as_ref().map(|help| match node.span.slice(source).as_bytes().first() {
        Some(b'"') => help.replace("\\\"", "\\\\\\\"").replace("\\'", "\\\\'"),
        Some(b'\'') => help.replace("\\'", "\\''"),
        _ => help.clone(),
    });
    if let Some(meant) = &fault.meant {
        diagnostic = diagnostic.fix(Applicability::Suggested, format!("change to `{meant}`"), span, meant);
    }
    diagnostic
}

/// The value of `call`: calls as in a string, a map of `name`, `arguments` and `id`, or a list of
/// these.
pub(super) fn calls(source: &str, node: &Node, found: &mut Vec<Diagnostic>) -> Vec<ToolCall> {
    match &node.data {
        Data::Seq(items) => items.iter().flat_map(|item| calls(source, item, found)).collect(),
        Data::Str(text) => {
            let locator = Locator::new(source, node.span, text);
            let place = |(start, end)| locator.place(start, end);
            match shorthand::calls(text) {
                (calls, None) => calls.into_iter().map(|call| tool_call(call, place)).collect(),
                (_, Some(fault)) => {
                    found.push(bad_shorthand(source, node, &fault, place(fault.at)));
                    Vec::new()
                }
            }
        }
        _ => match node.present("name").and_then(spanned_text) {
            Some(name) => {
                let arguments = node.present("arguments");
                if let Some(other) = arguments.filter(|arguments| !arguments.is_map()) {
                    found.push(not_a_map(source, other));
                }
                for entry in node.entries() {
                    check_key(source, node, &entry.key, found);
                }
                let arguments = Value::Object(arguments.map(Node::to_map).unwrap_or_default());
                let id = node.present("id").and_then(spanned_text);
                vec![ToolCall { id, ..ToolCall::new(name, arguments, node.span) }]
            }
            None if node.get("function").is_some() => {
                let message = "unexpected `function` in a call";
                let help = "write `{id: call_001, name: weather, arguments: {city: Rome}}`";
                found.push(
                    Diagnostic::new(codes::BAD_SHORTHAND, Severity::Error, node.span, message).help(help),
                );
                Vec::new()
            }
            None => {
                let help = "write `call: weather(location='NYC')`, or a map with `name` and `arguments`";
                let message = "a call has no tool name";
                found.push(
                    Diagnostic::new(codes::BAD_SHORTHAND, Severity::Error, node.span, message).help(help),
                );
                Vec::new()
            }
        },
    }
}

/// Reports arguments that are not a map. JSON text of a map is fixed.
fn not_a_map(source: &str, arguments: &Node) -> Diagnostic {
    let message = format!("`arguments`: expected a map, found {}", arguments.kind_name());
    let diagnostic = Diagnostic::new(codes::WRONG_TYPE, Severity::Error, arguments.span, message);
    let data = arguments.as_str().and_then(crate::parse::json_text).filter(Value::is_object);
    let Some(data) = data else { return diagnostic.help("write a map: `{city: Rome}`") };
    let text = if source.trim_start().starts_with('{') { json_line(&data) } else { write::inline(&data) };
    diagnostic.help("write a map").fix(Applicability::Safe, "write a map", arguments.span, text)
}

/// Reports an unknown key of a call.
fn check_key(source: &str, call: &Node, key: &Key, found: &mut Vec<Diagnostic>) {
    const KEYS: [&str; 3] = ["name", "arguments", "id"];
    if KEYS.contains(&&*key.text) {
        return;
    }
    let is_arguments = matches!(&*key.text, "args" | "parameters" | "input" | "kwargs");
    let meant = if is_arguments { Some("arguments") } else { closest(&key.text, KEYS) };
    let message = format!("unknown key `{}` in a call", key.text);
    let meant = meant.filter(|meant| call.get(meant).is_none());
    // A slip of one of them is lost; the kind of a call and the like are no loss.
    let severity = if meant.is_some() { Severity::Error } else { Severity::Warning };
    let diagnostic = Diagnostic::new(codes::UNKNOWN_KEY, severity, key.span, message);
    found.push(match meant {
        Some(meant) => diagnostic.did_you_mean("rename to", source, key.span, meant),
        None => diagnostic.help("use `name`, `arguments` and `id`"),
    });
}
