//! Describes what is at a place.

use super::names::Declared;
use super::place::{Place, Slot, Step};
use super::tables::{self, Spot, resolve};
use super::{Assist, Hover, comment, names, place, shorthand, values};
use crate::diagnostic::codes;
use crate::expand::{CompactLine, Part};
use crate::model::{ITEMS, Shape, assertion_type, handler_type};
use crate::text::Span;

/// Describes what is at `place`, which is that of `offset`.
pub(super) fn at(assist: &Assist<'_>, place: &Place, offset: usize) -> Option<Hover> {
    let text = assist.text;
    if place.slot == Slot::Comment {
        return code(text, offset, place.span);
    }
    if place.inner.is_empty() {
        return None;
    }
    let token = place.inner.slice(text);
    let declared = assist.declared();
    if place.slot == Slot::Key {
        let (last, way) = place.levels.split_last()?;
        let found = resolve(place, way).and_then(|spot| key(declared, spot, last, token));
        let text = found.or_else(|| argument(declared, place, token))?;
        return Some(Hover { span: place.span, text });
    }
    let spot = resolve(place, &place.levels);
    if let Some(Spot::Shape(Shape::Item)) = spot {
        return in_item(text, offset, place, declared);
    }
    Some(Hover { span: place.span, text: value(declared, place, spot, token)? })
}

fn titled(name: &str, detail: &str, doc: &str) -> String {
    let detail = if detail.is_empty() { String::new() } else { format!(" ({detail})") };
    let doc = if doc.is_empty() { String::new() } else { format!("\n\n{doc}") };
    format!("`{name}`{detail}{doc}")
}

fn key(declared: &Declared, spot: Spot, level: &place::Level, name: &str) -> Option<String> {
    if let Some(found) = tables::find(spot, level, name) {
        let kind = found.shape.map_or("", values::kind);
        let detail = match (kind, found.required) {
            (kind, false) => kind.to_owned(),
            ("", true) => "required".to_owned(),
            (kind, true) => format!("{kind}, required"),
        };
        return Some(titled(name, &detail, &found.doc));
    }
    match spot {
        Spot::Shape(Shape::Keyed(..)) => message(declared, name),
        _ => None,
    }
}

fn argument(declared: &Declared, place: &Place, name: &str) -> Option<String> {
    let (tool, _) = values::tool_of(declared, place)?;
    let argument = names::arguments(&tool).into_iter().find(|argument| argument.name == name)?;
    Some(titled(name, &shorthand::detail(&argument), &argument.doc))
}

fn message(declared: &Declared, id: &str) -> Option<String> {
    let found = declared.messages().into_iter().find(|message| message.name == id)?;
    Some(titled(id, &found.detail, &found.doc))
}

fn call(declared: &Declared, id: &str) -> Option<String> {
    let found = declared.calls().into_iter().find(|call| call.name == id)?;
    Some(titled(id, "call", &format!("`{}`", found.doc)))
}

fn tool(declared: &Declared, name: &str) -> Option<String> {
    let tool = declared.tools().into_iter().find(|tool| tool.name == name)?;
    Some(titled(&names::signature(&tool), "", &tool.description))
}

fn value(declared: &Declared, place: &Place, spot: Option<Spot>, token: &str) -> Option<String> {
    let key = place.keys().next_back().unwrap_or("");
    if let Some(Spot::Shape(shape)) = spot
        && let Some(word) = shape.known_values().iter().find(|word| word.name == token)
    {
        return Some(titled(token, "", &word.doc));
    }
    if key == "type" {
        let assertion = assertion_type(token).map(|kind| kind.doc);
        let in_handlers = place.levels.iter().any(|level| level.step == Step::Key("handlers".to_owned()));
        let doc = if in_handlers { handler_type(token).map(|kind| kind.doc) } else { assertion };
        return Some(titled(token, "", &doc?));
    }
    match key {
        "tool_call_id" => call(declared, token),
        "tool" | "tools" | "tool_name" | "name" | "last_tool_name" | "tool_called" | "tool_not_called" => {
            tool(declared, token)
        }
        "id" => call(declared, token).or_else(|| message(declared, token)),
        "ref" | "message" | "visible_messages" | "hide" | "show" => message(declared, token),
        _ => None,
    }
}

/// A word of a compact string: its role, a tool, an argument, the id of a call.
fn in_item(text: &str, offset: usize, place: &Place, declared: &Declared) -> Option<Hover> {
    let inner = place.inner.slice(text);
    let at = offset.checked_sub(place.inner.start as usize)?;
    let touches = |part: &Part<'_>| part.range().0 <= at && at <= part.range().1 && !part.text.is_empty();
    let line = CompactLine::new(inner);
    let calls = line.calls.as_deref().unwrap_or_default();
    let arguments = calls.iter().flat_map(|call| call.parts.iter().map(move |part| (call, part.name)));
    let (part, text) = if touches(&line.role) {
        let kind = ITEMS.iter().take(5).find(|kind| kind.name == line.role.text)?;
        (line.role, titled(kind.name, "role", &kind.doc))
    } else if let Some(id) = line.tool.and_then(|tool| tool.id).filter(touches) {
        (id, call(declared, id.text)?)
    } else if let Some(name) =
        line.tool.map(|tool| tool.name).into_iter().chain(calls.iter().map(|call| call.name)).find(touches)
    {
        (name, tool(declared, name.text)?)
    } else {
        let (call, name) = arguments.into_iter().find(|(_, name)| touches(name))?;
        let tool = declared.tools().into_iter().find(|tool| tool.name == call.name.text)?;
        let argument = names::arguments(&tool).into_iter().find(|argument| argument.name == name.text)?;
        (name, titled(name.text, &shorthand::detail(&argument), &argument.doc))
    };
    let (start, end) = part.range();
    let start_of_line = place.inner.start as usize;
    Some(Hover { span: Span::new(start_of_line + start, start_of_line + end), text })
}

/// A code in a comment that sets levels.
fn code(text: &str, offset: usize, comment: Span) -> Option<Hover> {
    let start = comment::words_start(text, comment).filter(|start| *start <= offset)?;
    let is_end = |c: char| matches!(c, ' ' | '\t' | ',' | '=');
    let head = text.get(start..offset)?;
    let from = start + head.rfind(is_end).map_or(0, |found| found + 1);
    let tail = text.get(offset..comment.end as usize)?;
    let to = offset + tail.find(is_end).unwrap_or(tail.len());
    let found = codes::find(text.get(from..to)?)?;
    Some(Hover { span: Span::new(from, to), text: titled(found.code, &found.slug(), &found.doc) })
}
