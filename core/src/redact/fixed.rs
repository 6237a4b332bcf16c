//! What gives a document its form and is never taken for a secret: the keys and words of the format, and in
//! shorthand roles, flags and names.

use crate::expand::is_name;
use crate::model::{
    ASSERTION_FIELDS, ASSERTION_TYPES, COMPACT, HANDLERS_DOCUMENT, ITEMS, ROLES, Shape, TRANSCRIPT,
};
use crate::parse::Node;
use crate::text::{Set, sort_by_key};

/// The keys of the format and the texts that it gives a meaning.
pub(super) fn format_words() -> Set<&'static str> {
    let mut words: Set<&str> = ROLES.into_iter().collect();
    words.extend(["id", "call", "hidden", "agent", "error", "$binary", "$blob"]);
    words.extend(ITEMS.iter().map(|item| item.name));
    words.extend(ASSERTION_FIELDS.iter().map(|field| field.name));
    words.extend(ASSERTION_TYPES.iter().map(|kind| kind.name));
    let mut seen = Set::new();
    let mut open: Vec<&'static Shape> = vec![&TRANSCRIPT, &COMPACT, &HANDLERS_DOCUMENT];
    while let Some(shape) = open.pop() {
        if !seen.insert(std::ptr::from_ref(shape).addr()) {
            continue;
        }
        match shape {
            Shape::OneOf(known) | Shape::Known(known) => words.extend(known.iter().map(|word| word.name)),
            Shape::Map(fields) => {
                words.extend(fields.iter().map(|field| field.name));
                open.extend(fields.iter().map(|field| field.shape));
            }
            Shape::Tagged(key, variants) => {
                words.insert(key);
                words.extend(variants.iter().map(|variant| variant.name));
                open.extend(variants.iter().map(|variant| variant.shape));
            }
            Shape::Either(shapes) => open.extend(shapes.iter()),
            Shape::OpenOf(inner) | Shape::Keyed(_, inner) | Shape::List(inner) | Shape::TextOr(inner) => {
                open.push(inner);
            }
            _ => {}
        }
    }
    words
}

/// How a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As it stands.
    Text,
    /// As an entry of a compact list.
    Line,
    /// As calls.
    Calls,
}

/// Where the texts in shorthand begin, in order.
pub(super) fn shorthand(root: &Node) -> Vec<(u32, Form)> {
    let mut found = Vec::new();
    for item in root.get("messages").map(Node::items).unwrap_or_default() {
        if item.as_str().is_some() {
            found.push((item.span.start, Form::Line));
        } else if let Some(call) = item.get("call").filter(|call| call.as_str().is_some()) {
            found.push((call.span.start, Form::Calls));
        }
    }
    sort_by_key(&mut found, |(start, _)| *start);
    found
}

/// The parts of a text that stay, in order, and whether literals without quotes stand between them.
pub(super) fn parts(text: &str, form: Form) -> (Vec<(usize, usize)>, Option<usize>) {
    let mut calls_at = 0;
    let mut fixed = Vec::new();
    if form == Form::Text {
        return (fixed, None);
    }
    if form == Form::Line {
        let named =
            text.strip_prefix("tool:").is_some_and(|rest| rest.starts_with(|c: char| !c.is_whitespace()));
        let after = |at: usize, wanted: char| {
            text.get(at..).and_then(|rest| rest.find(wanted)).map(|found| at + found + 1)
        };
        let word = text.find(|c| !is_name(c)).unwrap_or(text.len());
        let colon = if named {
            after("tool:".len(), ':')
        } else if text.get(word..).is_some_and(|rest| rest.starts_with('(')) {
            after(word, ')')
                .filter(|at| text.get(*at..).is_some_and(|rest| rest.starts_with(':')))
                .map(|at| at + 1)
        } else {
            Some(word + 1).filter(|_| text.get(word..).is_some_and(|rest| rest.starts_with(':')))
        };
        let role = if named { "tool" } else { text.get(..word).unwrap_or("") };
        let Some(colon) = colon.filter(|_| ROLES.contains(&role)) else { return (fixed, None) };
        fixed.push((0, colon));
        let rest = text.get(colon..).unwrap_or("");
        if role != "assistant"
            || !rest.strip_prefix("call").is_some_and(|rest| rest.starts_with(char::is_whitespace))
        {
            return (fixed, None);
        }
        calls_at = colon + "call".len();
        fixed.push((colon, calls_at));
    }
    let mut quote = None;
    let mut skip = false;
    let mut start = calls_at;
    for (at, c) in text.char_indices().filter(|(at, _)| *at >= calls_at) {
        let next = at + c.len_utf8();
        match quote {
            Some(_) if skip => skip = false,
            Some(_) if c == '\\' => skip = true,
            Some(open) if c == open => {
                quote = None;
                start = next;
            }
            Some(_) => {}
            None if matches!(c, '\'' | '"') => quote = Some(c),
            None if matches!(c, '(' | '=') => {
                fixed.push((start, next));
                start = next;
            }
            None if !is_name(c) || matches!(c, '[' | '{' | ']' | '}') => start = next,
            None => {}
        }
    }
    (fixed, Some(calls_at))
}
