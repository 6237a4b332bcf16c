//! The structure of a document, which is never taken for a secret: the keys and words of the format, and in
//! shorthand roles, flags and names.

use crate::expand::{self, CompactLine};
use crate::model::{
    ASSERTION_FIELDS, ASSERTION_TYPES, COMPACT, HANDLERS_DOCUMENT, ITEMS, ROLES, Shape, TRANSCRIPT,
};
use crate::parse::Node;
use crate::text::{Set, sort_by_key};

/// The keys and the special texts of the format.
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
    /// Unchanged.
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

/// The parts of a text that stay, in order, and where calls begin; their literals may have no quotes.
pub(super) fn parts(text: &str, form: Form) -> (Vec<(usize, usize)>, Option<usize>) {
    let mut fixed = Vec::new();
    let (calls, calls_at) = match form {
        Form::Text => return (fixed, None),
        Form::Calls => (expand::calls(text).0, 0),
        Form::Line => {
            let line = CompactLine::new(text);
            let Some(content) = line.colon.filter(|_| ROLES.contains(&line.role.text)).map(|at| at + 1)
            else {
                return (fixed, None);
            };
            fixed.push((0, content));
            let Some(calls) = line.calls else { return (fixed, None) };
            let calls_at = content + "call".len();
            fixed.push((content, calls_at));
            (calls, calls_at)
        }
    };
    // A word without a following `(` or `=` names nothing, and may be a secret.
    for call in &calls {
        fixed.extend(call.open.then(|| call.name.range()));
        let named = call.parts.iter().filter(|part| part.value.is_some());
        fixed.extend(named.map(|part| part.name.range()));
    }
    fixed.retain(|(start, end)| start < end);
    (fixed, Some(calls_at))
}
