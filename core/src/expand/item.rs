//! One entry of `messages`: a string or a map.

use serde_json::{Map, Value};

use super::expect;
use super::locate::locate;
use super::shorthand::{self, Call, Cursor, Fault, Flags, Line};
use super::unknown_key;
use crate::diagnostic::{Applicability, Diagnostic, Severity, closest, codes};
use crate::model::{Assertion, Content, ROLES, Role, Spanned, Text};
use crate::parse::read::{content, spanned_text};
use crate::parse::{self, Data, Limits, Node};
use crate::text::Span;

/// What one entry says.
#[derive(Debug)]
pub(super) enum Item {
    Message(Said),
    Result(Answer),
    Context(Map<String, Value>),
    Expect(Vec<Assertion>),
    Visibility(Vec<(Spanned<Text>, bool)>),
}

/// A message that is not a tool's answer.
#[derive(Debug)]
pub(super) struct Said {
    pub role: Spanned<Role>,
    pub content: Option<Content>,
    pub calls: Vec<Called>,
    pub hidden: bool,
    pub agent: Option<Text>,
    pub id: Option<Spanned<Text>>,
}

/// A call inside a message.
#[derive(Debug)]
pub(super) struct Called {
    pub name: Spanned<Text>,
    pub arguments: Value,
    pub span: Span,
}

/// A tool's answer.
#[derive(Debug)]
pub(super) struct Answer {
    /// The tool; `None` for a `tool:` line without a name.
    pub name: Option<Spanned<Text>>,
    pub id: Option<Spanned<Text>>,
    pub result: Value,
    pub is_error: bool,
    pub hidden: bool,
    pub agent: Option<Text>,
}

/// Reads one entry; `None` when it cannot be read, which is reported.
pub(super) fn item(source: &str, node: &Node, limits: &Limits, found: &mut Vec<Diagnostic>) -> Option<Item> {
    match &node.data {
        Data::Str(text) => string(source, node, text, limits, found),
        Data::Map(_) => map(source, node, found),
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
    let place = |(start, end)| locate(source, node.span, text, start, end);
    let line = match shorthand::line(text) {
        Ok(line) => line,
        Err(fault) => {
            found.push(bad_shorthand(&fault, place(fault.at)));
            return None;
        }
    };
    Some(match line {
        Line::Say { role: Role::Tool, flags, text: said } => {
            let start = text.len() - said.len();
            let result = value(said, place((start, text.len())), limits, found);
            let Flags { hidden, agent } = flags;
            Item::Result(Answer {
                name: None,
                id: None,
                result,
                is_error: false,
                hidden,
                agent: agent.map(Text::from),
            })
        }
        Line::Say { role, flags, text: said } => Item::Message(Said {
            role: Spanned { value: role, span: node.span },
            content: Some(Content::Text(said.into())),
            calls: Vec::new(),
            hidden: flags.hidden,
            agent: flags.agent.map(Text::from),
            id: None,
        }),
        Line::Calls { flags, calls } => Item::Message(Said {
            role: Spanned { value: Role::Assistant, span: node.span },
            content: None,
            calls: calls.into_iter().map(|call| called(call, place)).collect(),
            hidden: flags.hidden,
            agent: flags.agent.map(Text::from),
            id: None,
        }),
        Line::Result { name, name_at, id, is_error, text: said, text_at } => {
            let result = if is_error {
                Value::String(said.to_owned())
            } else {
                value(said, place((text_at, text.len())), limits, found)
            };
            Item::Result(Answer {
                name: Some(Spanned { value: name.into(), span: place(name_at) }),
                id: id.map(|(id, start, end)| Spanned { value: id.into(), span: place((start, end)) }),
                result,
                is_error,
                hidden: false,
                agent: None,
            })
        }
    })
}

fn called(call: Call, place: impl Fn((usize, usize)) -> Span) -> Called {
    Called {
        name: Spanned { value: call.name.into(), span: place(call.name_at) },
        arguments: Value::Object(call.arguments),
        span: place(call.at),
    }
}

fn bad_shorthand(fault: &Fault, span: Span) -> Diagnostic {
    let code =
        if fault.message.starts_with("unknown role") { codes::UNKNOWN_ROLE } else { codes::BAD_SHORTHAND };
    let mut diagnostic = Diagnostic::new(code, Severity::Error, span, fault.message.clone());
    diagnostic.help = fault.help.clone();
    if let Some(meant) = &fault.meant {
        diagnostic = diagnostic.fix(Applicability::Suggested, format!("change to `{meant}`"), span, meant);
    }
    diagnostic
}

/// The value of a tool line: one YAML flow value when the text is one, else the text.
fn value(text: &str, span: Span, limits: &Limits, found: &mut Vec<Diagnostic>) -> Value {
    let body = text.trim();
    if !body.starts_with(['{', '[', '"', '\'']) {
        return match parse::plain_scalar(body) {
            Data::Str(_) => Value::String(text.to_owned()),
            data => Node { span, data }.to_value(),
        };
    }
    let parsed = parse::parse(body, limits);
    let whole = parsed.root.filter(|root| parsed.well_formed && root.span.len() == body.len());
    if let Some(root) =
        whole.filter(|_| parsed.diagnostics.iter().all(|fault| fault.severity != Severity::Error))
    {
        return root.to_value();
    }
    let why = parsed.diagnostics.first().map_or("it is not one flow value", |fault| &fault.message);
    let message = format!("the result looks like data but is read as text: {why}");
    let help = "close the brackets and quotes, or begin a text with another character";
    found.push(Diagnostic::new(codes::BAD_SHORTHAND, Severity::Warning, span, message).help(help));
    Value::String(text.to_owned())
}

/// The keys that a map with a role may have besides.
const MESSAGE_KEYS: [&str; 6] = ["call", "hidden", "agent", "id", "result", "error"];
/// The keys of maps that are no message.
const OTHER_KEYS: [&str; 4] = ["context", "expect", "hide", "show"];

fn map(source: &str, node: &Node, found: &mut Vec<Diagnostic>) -> Option<Item> {
    let main = node
        .entries()
        .iter()
        .find(|entry| ROLES.contains(&&*entry.key.text) || OTHER_KEYS.contains(&&*entry.key.text));
    let Some(main) = main else {
        found.push(unquoted(source, node).unwrap_or_else(|| no_main_key(node)));
        return None;
    };
    let name: &str = &main.key.text;
    let is_message = ROLES.contains(&name);
    for entry in node.entries() {
        let key: &str = &entry.key.text;
        if key != name && !(is_message && MESSAGE_KEYS.contains(&key)) {
            let allowed: &[&str] = if is_message { &MESSAGE_KEYS } else { &[] };
            let place = format!("a `{name}` item");
            found.push(unknown_key(key, entry.key.span, closest(key, allowed.iter().copied()), &place));
        }
    }
    let value = &main.value;
    Some(match name {
        "context" if value.is_map() => Item::Context(value.to_map()),
        "context" => {
            let message = format!("`context` is {}, not a map", value.kind_name());
            found.push(Diagnostic::new(codes::WRONG_TYPE, Severity::Error, value.span, message));
            return None;
        }
        "expect" => Item::Expect(expect::assertions(value, found)),
        "hide" | "show" => {
            let ids = if value.items().is_empty() { std::slice::from_ref(value) } else { value.items() };
            let ids = ids.iter().filter_map(spanned_text).map(|id| (id, name == "show")).collect();
            Item::Visibility(ids)
        }
        "tool" => Item::Result(answer(node, value)),
        role => {
            let content = content(Some(value));
            let calls = node.present("call").map(|call| calls(source, call, found)).unwrap_or_default();
            Item::Message(Said {
                role: Spanned { value: Role::new(role), span: main.key.span },
                content,
                calls,
                hidden: node.get("hidden").and_then(Node::as_bool).unwrap_or(false),
                agent: node.present("agent").and_then(spanned_text).map(|agent| agent.value),
                id: node.present("id").and_then(spanned_text),
            })
        }
    })
}

/// `{tool: weather, result: {...}}`, or `error: text` instead; `id` names the call.
fn answer(node: &Node, name: &Node) -> Answer {
    let error = node.present("error");
    Answer {
        name: spanned_text(name),
        id: node.present("id").and_then(spanned_text),
        result: error.or(node.get("result")).map(Node::to_value).unwrap_or_default(),
        is_error: error.is_some(),
        hidden: node.get("hidden").and_then(Node::as_bool).unwrap_or(false),
        agent: node.present("agent").and_then(spanned_text).map(|agent| agent.value),
    }
}

/// The value of `call`: calls as in a string, a map of `name` and `arguments`, or a list of these.
fn calls(source: &str, node: &Node, found: &mut Vec<Diagnostic>) -> Vec<Called> {
    match &node.data {
        Data::Seq(items) => items.iter().flat_map(|item| calls(source, item, found)).collect(),
        Data::Str(text) => {
            let place = |(start, end)| locate(source, node.span, text, start, end);
            match shorthand::calls(&mut Cursor::new(text)) {
                Ok(calls) => calls.into_iter().map(|call| called(call, place)).collect(),
                Err(fault) => {
                    found.push(bad_shorthand(&fault, place(fault.at)));
                    Vec::new()
                }
            }
        }
        _ => match node.present("name").and_then(spanned_text) {
            Some(name) => {
                let arguments =
                    node.get("arguments").map_or_else(|| Value::Object(Map::new()), Node::to_value);
                vec![Called { name, arguments, span: node.span }]
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

/// The diagnostic for a compact string without quotes, of which YAML makes a map: `tool:weather: {...}`.
fn unquoted(source: &str, node: &Node) -> Option<Diagnostic> {
    let key: &str = &node.entries().first()?.key.text;
    let role = ROLES.into_iter().find(|role| key.starts_with(role))?;
    if !key.get(role.len()..)?.starts_with([':', '(']) {
        return None;
    }
    let line = node.span.slice(source);
    let message = format!("`{key}` is read as a key, for want of quotes");
    let diagnostic = Diagnostic::new(codes::BAD_SHORTHAND, Severity::Error, node.span, message);
    let diagnostic = diagnostic.help("put the whole item in quotes");
    if line.contains('\n') {
        return Some(diagnostic);
    }
    let quoted = Value::from(line).to_string();
    Some(diagnostic.fix(Applicability::Suggested, "put the whole item in quotes", node.span, quoted))
}

fn no_main_key(node: &Node) -> Diagnostic {
    let names = || ROLES.into_iter().chain(OTHER_KEYS);
    let near = node.entries().iter().find_map(|entry| Some((entry, closest(&entry.key.text, names())?)));
    match near {
        Some((entry, meant)) => {
            let message = format!("unknown role `{}`", entry.key.text);
            let span = entry.key.span;
            Diagnostic::new(codes::UNKNOWN_ROLE, Severity::Error, span, message)
                .help(format!("did you mean `{meant}`?"))
                .fix(Applicability::Suggested, format!("rename to `{meant}`"), span, meant)
        }
        None => {
            let span = node.entries().first().map_or(node.span, |entry| entry.key.span);
            let all: Vec<String> = names().map(|name| format!("`{name}`")).collect();
            Diagnostic::new(
                codes::BAD_SHORTHAND,
                Severity::Error,
                span,
                "the item has no key that says what it is",
            )
            .help(format!("give it one of {}", all.join(", ")))
        }
    }
}
