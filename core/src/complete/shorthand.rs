//! Places inside the strings of a compact list.

use serde_json::Value;

use super::CompletionKind;
use super::names::{Argument, Declared, Tool, arguments};
use super::offer::{Item, Offer};
use crate::expand::{self, CallPart, CompactLine};
use crate::model::ITEMS;
use crate::parse::Style;
use crate::text::Span;

/// Offers completions in an item, or in the text of `call` when `only_calls`.
pub(super) fn complete(offer: &mut Offer<'_>, declared: &Declared, only_calls: bool) {
    let typed = offer.typed();
    if only_calls {
        return in_calls(offer, declared, typed, &expand::calls(typed).0);
    }
    let line = CompactLine::new(typed);
    if line.tool.is_some() || typed == "tool:" {
        return answer(offer, declared, typed, &line);
    }
    if line.flags_open {
        return flags(offer, declared, typed, &line);
    }
    let Some(colon) = line.colon else {
        if line.flags.is_empty() {
            roles(offer, declared, typed);
        }
        return;
    };
    let after = typed.get(colon..).unwrap_or("");
    if line.role.text == "assistant" && ":call".starts_with(after) {
        let start = offer.offset - after.len();
        let item = item(
            "call",
            CompletionKind::Value,
            "tools",
            "The model calls tools: `call weather(location='NYC')`.",
        );
        let typed = after.get(1..).unwrap_or("");
        let insert = ":call ";
        offer.raw(&item, typed, Span::new(start, offer.offset), insert.to_owned(), insert.len());
    } else if let Some(calls) = &line.calls {
        in_calls(offer, declared, typed, calls);
    }
}

fn item<'i>(label: &'i str, kind: CompletionKind, detail: &'i str, doc: &'i str) -> Item<'i> {
    Item { label, kind, detail, doc }
}

/// The beginning of an item, which is put in quotes if it is not yet.
fn roles(offer: &mut Offer<'_>, declared: &Declared, typed: &str) {
    let place = offer.place;
    let rest = offer.text.get(offer.offset..place.inner.end as usize).unwrap_or("");
    let has_colon = rest.starts_with([':', '('])
        || rest
            .find([':', '(', ' '])
            .is_some_and(|at| rest.get(at..).is_some_and(|tail| tail.starts_with([':', '('])));
    let word_end = rest.find([':', '(', ' ']).unwrap_or(rest.len());
    let span = Span::new(place.inner.start as usize, offer.offset + word_end);
    let mut write = |label: &str, kind, doc: &str, text: &str| {
        let item = item(label, kind, "", doc);
        if has_colon {
            let name = text.split(':').next().unwrap_or(text);
            return offer.raw(&item, typed, span, name.to_owned(), name.len());
        }
        if place.quote != Style::Plain {
            let close = if place.closed { String::new() } else { quote(place.quote).to_string() };
            let text = offer.within(text);
            let caret = text.len();
            return offer.raw(&item, typed, span, text + &close, caret);
        }
        let insert = format!("{}{}", place.prefix, Value::from(text));
        let caret = insert.len() - 1;
        offer.raw(&item, typed, place.span, insert, caret);
    };
    for kind in ITEMS.iter().take(5).filter(|kind| kind.name != "tool") {
        write(kind.name, CompletionKind::Value, &kind.doc, &format!("{}: ", kind.name));
        if kind.name == "assistant" && !has_colon {
            let doc = "The model calls tools: `assistant:call weather(location='NYC')`.";
            write("assistant:call", CompletionKind::Value, doc, "assistant:call ");
        }
    }
    if has_colon {
        return write("tool", CompletionKind::Value, "A tool result.", "tool");
    }
    for tool in declared.tool_names() {
        let doc = format!("A result of `{}`.", tool.name);
        write(&format!("tool:{}", tool.name), CompletionKind::Tool, &doc, &format!("tool:{}: ", tool.name));
    }
    write("tool", CompletionKind::Value, "A tool result: `tool:weather: {temp: 72}`.", "tool:");
}

fn quote(quote: Style) -> char {
    if quote == Style::Single { '\'' } else { '"' }
}

fn flags(offer: &mut Offer<'_>, declared: &Declared, typed: &str, line: &CompactLine<'_>) {
    let word = line.flags.last().and_then(|flag| typed.get(flag.at..)).unwrap_or("");
    let (typed, is_agent) = word.strip_prefix("agent=").map_or((word, false), |name| (name, true));
    let span = Span::new(offer.offset - typed.len(), offer.offset);
    if is_agent {
        for agent in declared.agents() {
            let item = item(&agent.name, CompletionKind::Name, &agent.detail, &agent.doc);
            offer.inside(&item, typed, span, &agent.name, 0);
        }
        return;
    }
    let hidden = item("hidden", CompletionKind::Value, "flag", "The message is hidden from the model.");
    offer.raw(&hidden, typed, span, "hidden".to_owned(), 6);
    let agent = item("agent", CompletionKind::Value, "flag", "The agent it belongs to: `agent=NAME`.");
    offer.raw(&agent, typed, span, "agent=".to_owned(), 6);
}

/// `NAME#ID!: value`, after `tool:`.
fn answer(offer: &mut Offer<'_>, declared: &Declared, text: &str, line: &CompactLine<'_>) {
    if line.tool.is_some() && line.colon.is_some() {
        return;
    }
    let after = offer.text.get(offer.offset..offer.place.inner.end as usize).unwrap_or("");
    let tail = after.find(['#', '!', ':', ' ']).unwrap_or(after.len());
    let colon = if after.is_empty() { ": " } else { "" };
    let tool = line.tool.map(|tool| tool.name.text).unwrap_or_default();
    if let Some(id) = line.tool.and_then(|tool| tool.id) {
        let typed = text.get(id.at..).unwrap_or("");
        let span = Span::new(offer.offset - typed.len(), offer.offset + tail);
        for call in declared.calls().iter().filter(|call| tool.is_empty() || call.detail == tool) {
            let item = item(&call.name, CompletionKind::Call, &call.detail, &call.doc);
            offer.inside(&item, typed, span, &format!("{}{colon}", call.name), 0);
        }
        return;
    }
    let typed = text.get("tool:".len()..).unwrap_or("");
    let span = Span::new(offer.offset - typed.len(), offer.offset + tail);
    for tool in declared.tool_names() {
        let item = item(&tool.name, CompletionKind::Tool, &tool.detail, &tool.doc);
        offer.inside(&item, typed, span, &format!("{}{colon}", tool.name), 0);
    }
}

fn in_calls(offer: &mut Offer<'_>, declared: &Declared, text: &str, calls: &[CallPart<'_>]) {
    let Some(call) = calls.last().filter(|call| call.end.is_none()) else { return };
    let after = offer.text.get(offer.offset..offer.place.inner.end as usize).unwrap_or("");
    let Some(part) = call.parts.last() else {
        let typed = text.get(call.name.at..).unwrap_or("");
        let tail = after.find(['(', ',', ' ']).unwrap_or(after.len());
        let span = Span::new(offer.offset - typed.len(), offer.offset + tail);
        let parentheses = if after.get(tail..).is_some_and(|rest| rest.starts_with('(')) { "" } else { "()" };
        for tool in declared.tool_names() {
            let item = item(&tool.name, CompletionKind::Tool, &tool.detail, &tool.doc);
            let back = usize::from(!parentheses.is_empty());
            offer.inside(&item, typed, span, &format!("{}{parentheses}", tool.name), back);
        }
        return;
    };
    let Some(tool) = declared.tools().into_iter().find(|tool| tool.name == call.name.text) else { return };
    let typed = text.get(part.value.unwrap_or(part.name).at..).unwrap_or("");
    let quote = if offer.place.quote == Style::Single { '"' } else { '\'' };
    let tail = after.find(['=', ',', ')', ' ']).unwrap_or(after.len());
    let span = Span::new(offer.offset - typed.len(), offer.offset + tail);
    match part.value {
        Some(_) => argument_values(offer, &tool, part.name.text, typed, span, quote),
        None => {
            let has_value = after.get(tail..).is_some_and(|rest| rest.starts_with('='));
            let is_present = |argument: &&Argument| {
                call.parts.iter().any(|part| part.value.is_some() && part.name.text == argument.name)
            };
            for argument in arguments(&tool).iter().filter(|argument| !is_present(argument)) {
                let value = match argument.kind.as_str() {
                    _ if has_value => String::new(),
                    "string" => format!("={quote}{quote}"),
                    _ => "=".to_owned(),
                };
                let insert = format!("{}{value}", argument.name);
                let caret = insert.len() - usize::from(value.len() == 3);
                offer.raw(&argument_item(argument, &detail(argument)), typed, span, insert, caret);
            }
        }
    }
}

fn argument_values(offer: &mut Offer<'_>, tool: &Tool, name: &str, typed: &str, span: Span, quote: char) {
    let Some(argument) = arguments(tool).into_iter().find(|argument| argument.name == name) else { return };
    let bare = typed.trim_start_matches(['\\', '\'', '"']);
    let rest = offer.text.get(span.end as usize..).unwrap_or("");
    for value in &argument.values {
        let written = match value {
            Value::String(text) => literal(text, quote),
            other => other.to_string(),
        };
        let label = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        // A quote that the author has closed already is not closed again.
        let close = value.as_str().and_then(|_| written.chars().last());
        let close = close.map(|close| offer.within(close.encode_utf8(&mut [0; 4]))).unwrap_or_default();
        let has_close = !close.is_empty() && rest.starts_with(&close);
        let text = if has_close { written.get(..written.len() - 1).unwrap_or(&written) } else { &written };
        offer.inside(&item(&label, CompletionKind::Value, name, &argument.doc), bare, span, text, 0);
    }
}

/// A text as a literal of a call, in the quote that fits the place or, if it contains that, in the other.
fn literal(text: &str, quote: char) -> String {
    let other = if quote == '"' { '\'' } else { '"' };
    let quote = if text.contains(quote) && !text.contains(other) { other } else { quote };
    let text = text.replace('\\', "\\\\").replace(quote, &format!("\\{quote}"));
    format!("{quote}{text}{quote}")
}

/// The detail next to an argument.
pub(super) fn detail(argument: &Argument) -> String {
    let needed = if argument.required { "required" } else { "" };
    [argument.kind.as_str(), needed]
        .into_iter()
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(", ")
}

pub(super) fn argument_item<'i>(argument: &'i Argument, detail: &'i str) -> Item<'i> {
    item(&argument.name, CompletionKind::Argument, detail, &argument.doc)
}
