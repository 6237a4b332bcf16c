//! One entry of `messages`: a string or a map.

use serde_json::{Map, Value};

use super::shorthand::{self, Call, Cursor, Fault, Flags, Line};
use super::value::value;
use super::{map_item, slip};
use crate::diagnostic::{Applicability, Diagnostic, Severity, closest, codes};
use crate::model::{Assertion, Content, Role, Spanned, Text};
use crate::parse::read::spanned_text;
use crate::parse::{Data, Key, Limits, Node};
use crate::text::Locator;
use crate::text::{Span, json_line};
use crate::write;

/// What one entry says.
#[derive(Debug)]
pub(super) enum Item {
    Message(MessageItem),
    Result(ResultItem),
    Context(Map<String, Value>),
    Unset(Vec<Spanned<Text>>),
    Expect(Vec<Assertion>),
    Visibility(Vec<(Spanned<Text>, bool)>),
}

/// A message that is not a tool's answer.
#[derive(Debug)]
pub(super) struct MessageItem {
    pub role: Spanned<Role>,
    pub content: Option<Content>,
    pub calls: Vec<CallItem>,
    pub hidden: bool,
    pub agent: Option<Text>,
    pub id: Option<Spanned<Text>>,
}

/// A call inside a message.
#[derive(Debug)]
pub(super) struct CallItem {
    /// The id, when the document gives one.
    pub id: Option<Spanned<Text>>,
    pub name: Spanned<Text>,
    pub arguments: Value,
    pub span: Span,
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
    /// Where the run stands that the result names, when it names one.
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
            let message = format!("a message is {}, not a text or a map", node.kind_name());
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
    let line = match shorthand::line(text) {
        Ok(line) => line,
        Err(fault) => {
            found.push(bad_shorthand(source, node, &fault, place(fault.at)));
            return None;
        }
    };
    if let Line::Say { role, text: said, .. } = &line {
        let start = text.len() - said.len();
        let blank = text.get(..start).is_some_and(|head| head.ends_with(' '));
        found.extend(slip::check_message_text(role, said, blank, || place((start, text.len()))));
    }
    Some(match line {
        Line::Say { role: Role::Tool, flags, text: said } => {
            let start = text.len() - said.len();
            let named_at = place((start, text.len()));
            let result = value(said, named_at, limits, found);
            let Flags { hidden, agent } = flags;
            Item::Result(ResultItem {
                name: None,
                id: None,
                message_id: None,
                result,
                named_at,
                is_error: false,
                hidden,
                agent: agent.map(Text::from),
            })
        }
        Line::Say { role, flags, text: said } => Item::Message(MessageItem {
            role: Spanned { value: role, span: node.span },
            content: Some(Content::Text(said.into())),
            calls: Vec::new(),
            hidden: flags.hidden,
            agent: flags.agent.map(Text::from),
            id: None,
        }),
        Line::Calls { flags, calls } => Item::Message(MessageItem {
            role: Spanned { value: Role::Assistant, span: node.span },
            content: None,
            calls: calls.into_iter().map(|call| call_item(call, place)).collect(),
            hidden: flags.hidden,
            agent: flags.agent.map(Text::from),
            id: None,
        }),
        Line::Result { name, name_at, id, is_error, text: said, text_at } => {
            let named_at = place((text_at, text.len()));
            let result =
                if is_error { Value::String(said.to_owned()) } else { value(said, named_at, limits, found) };
            Item::Result(ResultItem {
                name: Some(Spanned { value: name.into(), span: place(name_at) }),
                id: id.map(|(id, start, end)| Spanned { value: id.into(), span: place((start, end)) }),
                message_id: None,
                result,
                named_at,
                is_error,
                hidden: false,
                agent: None,
            })
        }
    })
}

fn call_item(call: Call, place: impl Fn((usize, usize)) -> Span) -> CallItem {
    CallItem {
        id: None,
        name: Spanned { value: call.name.into(), span: place(call.name_at) },
        arguments: Value::Object(call.arguments),
        span: place(call.at),
    }
}

fn bad_shorthand(source: &str, node: &Node, fault: &Fault, span: Span) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(fault.code, Severity::Error, span, fault.message.clone());
    // What the remedy escapes stands in quotes that have escapes themselves.
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
pub(super) fn calls(source: &str, node: &Node, found: &mut Vec<Diagnostic>) -> Vec<CallItem> {
    match &node.data {
        Data::Seq(items) => items.iter().flat_map(|item| calls(source, item, found)).collect(),
        Data::Str(text) => {
            let locator = Locator::new(source, node.span, text);
            let place = |(start, end)| locator.place(start, end);
            match shorthand::calls(&mut Cursor::new(text)) {
                Ok(calls) => calls.into_iter().map(|call| call_item(call, place)).collect(),
                Err(fault) => {
                    found.push(bad_shorthand(source, node, &fault, place(fault.at)));
                    Vec::new()
                }
            }
        }
        _ => match node.present("name").and_then(spanned_text) {
            Some(name) => {
                let given = node.present("arguments");
                if let Some(other) = given.filter(|arguments| !arguments.is_map()) {
                    found.push(not_a_map(source, other));
                }
                for entry in node.entries() {
                    check_key(source, node, &entry.key, found);
                }
                let arguments = Value::Object(given.map(Node::to_map).unwrap_or_default());
                let id = node.present("id").and_then(spanned_text);
                vec![CallItem { id, name, arguments, span: node.span }]
            }
            None if node.get("function").is_some() => {
                let message = "a call has its name and arguments in a `function`";
                let help =
                    "write them beside the `id`: `{id: call_001, name: weather, arguments: {city: Rome}}`";
                found.push(
                    Diagnostic::new(codes::BAD_SHORTHAND, Severity::Error, node.span, message).help(help),
                );
                Vec::new()
            }
            None => {
                let help = "write `call: weather(location='NYC')`, or a map with `name` and `arguments`";
                let message = "a call names no tool";
                found.push(
                    Diagnostic::new(codes::BAD_SHORTHAND, Severity::Error, node.span, message).help(help),
                );
                Vec::new()
            }
        },
    }
}

/// Tells arguments that are no map; JSON text of one is mended.
fn not_a_map(source: &str, arguments: &Node) -> Diagnostic {
    let message = format!("`arguments` is {}, not a map", arguments.kind_name());
    let diagnostic = Diagnostic::new(codes::WRONG_TYPE, Severity::Error, arguments.span, message);
    let data = arguments.as_str().and_then(crate::parse::json_text).filter(Value::is_object);
    let Some(data) = data else { return diagnostic.help("write them as a map: `{city: Rome}`") };
    let text = if source.trim_start().starts_with('{') { json_line(&data) } else { write::inline(&data) };
    diagnostic.help("write them as a map").fix(
        Applicability::Safe,
        "write them as a map",
        arguments.span,
        text,
    )
}

/// Tells a key of a call that nothing is read from.
fn check_key(source: &str, call: &Node, key: &Key, found: &mut Vec<Diagnostic>) {
    const KEYS: [&str; 3] = ["name", "arguments", "id"];
    if KEYS.contains(&&*key.text) {
        return;
    }
    let is_arguments = matches!(&*key.text, "args" | "parameters" | "input" | "kwargs");
    let meant = if is_arguments { Some("arguments") } else { closest(&key.text, KEYS) };
    let message = format!("`{}` has no place in a call", key.text);
    let meant = meant.filter(|meant| call.get(meant).is_none());
    // What is meant for one of them is lost; the kind of a call and the like are no loss.
    let severity = if meant.is_some() { Severity::Error } else { Severity::Warning };
    let diagnostic = Diagnostic::new(codes::UNKNOWN_KEY, severity, key.span, message);
    found.push(match meant {
        Some(meant) => diagnostic.did_you_mean("rename to", source, key.span, meant),
        None => diagnostic.help("a call has `name`, `arguments` and `id`"),
    });
}
