//! An entry of `messages` that is a map, for what a string cannot express.

use serde_json::Value;

use super::expect;
use super::item::{Item, ResultItem, calls, message};
use crate::diagnostic::{Applicability, Diagnostic, Severity, closest, codes};
use crate::model::{Content, ITEMS, ItemKind, Message, ROLES, Role, Shape, Spanned, Text, item_kind};
use crate::parse::read::spanned_text;
use crate::parse::{self, Data, Node};

/// Reads one map; `None` when it cannot be read, which is reported.
pub(super) fn item(source: &str, node: &Node, found: &mut Vec<Diagnostic>) -> Option<Item> {
    let main = node.entries().iter().find_map(|entry| Some((entry, item_kind(&entry.key.text)?)));
    let Some((main, kind)) = main else {
        let diagnostic = chat_message(source, node).or_else(|| unquoted(source, node));
        found.push(diagnostic.unwrap_or_else(|| no_main_key(source, node)));
        return None;
    };
    let name = kind.name;
    check_other_keys(source, node, kind, found);
    let value = &main.value;
    Some(match name {
        "context" => {
            if !value.is_map() {
                found.push(wrong_kind("context", value, "a map"));
                return None;
            }
            Item::Context(value.to_map())
        }
        "expect" => Item::Expect(expect::assertions(value, found)),
        "unset" => Item::Unset(names(name, value, "a key of the context, or a list of keys", found)),
        "hide" | "show" => {
            let ids = names(name, value, "the id of a message, or a list of ids", found);
            Item::Visibility(ids.into_iter().map(|id| (id, name == "show")).collect())
        }
        "tool" => Item::Result(answer(source, node, value, found)),
        role => {
            let message = Message {
                content: text(source, role, value, found),
                tool_calls: node.present("call").map(|call| calls(source, call, found)).unwrap_or_default(),
                visible: !is_hidden(source, node, found),
                agent: agent(node, found),
                ..message(Role::new(role), main.key.span, node.span)
            };
            Item::Message(id(node, "id", found), message)
        }
    })
}

/// One text or a list of texts.
fn names(key: &str, value: &Node, wanted: &str, found: &mut Vec<Diagnostic>) -> Vec<Spanned<Text>> {
    let names = if value.items().is_empty() { std::slice::from_ref(value) } else { value.items() };
    if let Some(bad) = names.iter().find(|name| spanned_text(name).is_none()) {
        found.push(wrong_kind(key, bad, wanted));
    }
    names.iter().filter_map(spanned_text).collect()
}

/// Reports the keys that are not allowed together with `main`: they would be lost.
fn check_other_keys(source: &str, node: &Node, kind: &ItemKind, found: &mut Vec<Diagnostic>) {
    let main = kind.name;
    let allowed: Vec<&str> = kind.other_keys.iter().map(|field| field.name).collect();
    for entry in node.entries() {
        let key: &str = &entry.key.text;
        if key == main || allowed.contains(&key) {
            continue;
        }
        let span = entry.key.span;
        let diagnostic = if item_kind(key).is_some() {
            let message = format!("an item has both `{main}` and `{key}`");
            Diagnostic::new(codes::BAD_SHORTHAND, Severity::Error, span, message).help("write two items")
        } else {
            let message = format!("`{key}` is not allowed next to `{main}`");
            let diagnostic = Diagnostic::new(codes::UNKNOWN_KEY, Severity::Error, span, message);
            match other_word(key, &allowed).or_else(|| closest(key, allowed.iter().copied())) {
                Some(meant) => diagnostic.did_you_mean("rename to", source, span, meant),
                None if allowed.is_empty() => diagnostic.help("no other keys are allowed"),
                None => diagnostic.help(format!("allowed keys: {}", list(&allowed))),
            }
        };
        found.push(diagnostic);
    }
}

/// The name here for a key that chat APIs name differently.
fn other_word(key: &str, allowed: &[&str]) -> Option<&'static str> {
    const WORDS: [(&str, &str); 6] = [
        ("tool_calls", "call"),
        ("tool_call", "call"),
        ("content", "result"),
        ("output", "result"),
        ("response", "result"),
        ("tool_call_id", "id"),
    ];
    WORDS.into_iter().find(|(theirs, ours)| *theirs == key && allowed.contains(ours)).map(|(_, ours)| ours)
}

fn list(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn wrong_kind(key: &str, node: &Node, wanted: &str) -> Diagnostic {
    let message = format!("`{key}`: expected {wanted}, found {}", node.kind_name());
    Diagnostic::new(codes::WRONG_TYPE, Severity::Error, node.span, message)
}

/// The text of a message. Another scalar is reported and read as its source text.
fn text(source: &str, role: &str, value: &Node, found: &mut Vec<Diagnostic>) -> Option<Content> {
    match &value.data {
        Data::Null => None,
        Data::Str(text) => Some(Content::Text(text.clone())),
        Data::Seq(_) => Some(Content::Data(value.to_value())),
        Data::Map(_) => {
            let help = match value.get("call") {
                Some(_) => format!("write `call` next to `{role}`, not inside it"),
                None => "put the text in quotes".to_owned(),
            };
            found.push(wrong_kind(role, value, "a string").help(help));
            None
        }
        Data::Bool(_) | Data::Number(_) => {
            let written = value.span.slice(source);
            let diagnostic = wrong_kind(role, value, "a string").help("put the text in quotes");
            // An alias, and what stands in quotes behind a tag, are read as something else.
            found.push(if parse::plain_scalar(written).0 == value.data {
                let quoted = Value::from(written).to_string();
                diagnostic.fix(Applicability::Safe, "put it in quotes", value.span, quoted)
            } else {
                diagnostic
            });
            Some(Content::Text(written.into()))
        }
    }
}

fn is_hidden(source: &str, node: &Node, found: &mut Vec<Diagnostic>) -> bool {
    let Some(value) = node.present("hidden") else { return false };
    value.as_bool().unwrap_or_else(|| {
        let wrong = wrong_kind("hidden", value, "a boolean");
        found.push(parse::with_remedy(wrong, source, value, &Shape::Bool, "`hidden`"));
        false
    })
}

fn agent(node: &Node, found: &mut Vec<Diagnostic>) -> Option<Text> {
    let value = node.present("agent")?;
    if value.as_str().is_none() {
        found.push(wrong_kind("agent", value, "a string"));
    }
    value.text().cloned()
}

fn id(node: &Node, key: &str, found: &mut Vec<Diagnostic>) -> Option<Spanned<Text>> {
    let value = node.present(key)?;
    let id = spanned_text(value);
    if id.is_none() {
        found.push(wrong_kind(key, value, "a string"));
    }
    id
}

/// `{tool: weather, result: {...}}`, or `error: text` instead; `id` names the call, and `message_id` the
/// message.
fn answer(source: &str, node: &Node, name: &Node, found: &mut Vec<Diagnostic>) -> ResultItem {
    let error = node.present("error");
    if let (Some(_), Some(result)) = (error, node.present("result")) {
        let message = "an item has both `result` and `error`";
        let diagnostic = Diagnostic::new(codes::BAD_SHORTHAND, Severity::Error, result.span, message);
        found.push(diagnostic.help("keep one of them"));
    }
    if name.as_str().is_none() {
        found.push(wrong_kind("tool", name, "a tool name"));
    }
    let result = node.get("result");
    let named = result.and_then(|result| result.present("nested_transcript_ref"));
    if let Some(other) = named.filter(|named| named.as_str().is_none()) {
        found.push(wrong_kind("nested_transcript_ref", other, "a string"));
    }
    ResultItem {
        name: spanned_text(name),
        id: id(node, "id", found),
        message_id: id(node, "message_id", found),
        result: error.or(result).map(Node::to_value).unwrap_or_default(),
        named_at: named.map_or(node.span, |named| named.span),
        is_error: error.is_some(),
        hidden: is_hidden(source, node, found),
        agent: agent(node, found),
    }
}

/// The diagnostic for a message as chat APIs write it, `{role: user, content: Hi}`.
fn chat_message(source: &str, node: &Node) -> Option<Diagnostic> {
    let role = node.present("role")?;
    let message = "this is a chat message, not a compact item";
    let diagnostic = Diagnostic::new(codes::BAD_SHORTHAND, Severity::Error, node.span, message);
    let one_line = !node.span.slice(source).contains('\n');
    let name = role.as_str().filter(|name| ROLES.contains(name) && *name != "tool");
    let text = node.present("content").and_then(Node::as_str).filter(|_| node.entries().len() == 2);
    Some(match (name, text) {
        (Some(name), Some(text)) => {
            let item = Value::from(format!("{name}: {text}")).to_string();
            // Comments may be between the lines of the map.
            let applicability = if one_line { Applicability::Safe } else { Applicability::Suggested };
            diagnostic.help(format!("write `{item}`")).fix(
                applicability,
                "write it in the compact form",
                node.span,
                item,
            )
        }
        _ => diagnostic
            .help("write `\"user: the text\"`, `\"assistant:call NAME(...)\"` or `\"tool:NAME: RESULT\"`"),
    })
}

/// The diagnostic for a compact string without quotes, which YAML reads as a map: `tool:weather: {...}`.
fn unquoted(source: &str, node: &Node) -> Option<Diagnostic> {
    let key: &str = &node.entries().first()?.key.text;
    let role = ROLES.into_iter().find(|role| key.starts_with(role))?;
    if !key.get(role.len()..)?.starts_with([':', '(']) {
        return None;
    }
    let line = node.span.slice(source);
    let message = format!("`{key}` is read as a key, because the quotes are missing");
    let diagnostic = Diagnostic::new(codes::BAD_SHORTHAND, Severity::Error, node.span, message);
    let diagnostic = diagnostic.help("put the whole item in quotes");
    if line.contains('\n') {
        return Some(diagnostic);
    }
    let quoted = Value::from(line).to_string();
    Some(diagnostic.fix(Applicability::Safe, "put the whole item in quotes", node.span, quoted))
}

/// The diagnostic for a map without a known key. Only its first key can be a misspelt role.
fn no_main_key(source: &str, node: &Node) -> Diagnostic {
    let names = || ITEMS.iter().map(|kind| kind.name);
    let first = node.entries().first();
    if let Some((entry, meant)) = first.and_then(|entry| Some((entry, closest(&entry.key.text, names())?))) {
        let span = entry.key.span;
        return Diagnostic::new(
            codes::UNKNOWN_ROLE,
            Severity::Error,
            span,
            format!("unknown role `{}`", entry.key.text),
        )
        .did_you_mean("rename to", source, span, meant);
    }
    let span = first.map_or(node.span, |entry| entry.key.span);
    let all: Vec<&str> = names().collect();
    Diagnostic::new(codes::BAD_SHORTHAND, Severity::Error, span, "unknown kind of item")
        .help(format!("add one of {}", list(&all)))
}
