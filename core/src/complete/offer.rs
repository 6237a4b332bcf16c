//! Collects completions: those that match the typed text, in the notation of the place.

use serde_json::Value;

use super::place::Place;
use super::{Completion, CompletionKind};
use crate::parse::Style;
use crate::text::{Set, Span, sort_by};
use crate::write;

/// The completions of one place.
pub(super) struct Offer<'p> {
    pub text: &'p str,
    pub offset: usize,
    pub place: &'p Place,
    found: Vec<Completion>,
    labels: Set<String>,
}

/// A completion before it is written out.
#[derive(Clone, Debug)]
pub(super) struct Item<'i> {
    pub label: &'i str,
    pub kind: CompletionKind,
    pub detail: &'i str,
    pub doc: &'i str,
}

impl<'p> Offer<'p> {
    pub(super) fn new(text: &'p str, offset: usize, place: &'p Place) -> Self {
        Self { text, offset, place, found: Vec::new(), labels: Set::new() }
    }

    /// The typed part of the token, up to the offset.
    pub(super) fn typed(&self) -> &'p str {
        self.text.get(self.place.inner.start as usize..self.offset).unwrap_or("")
    }

    /// Offers a text to be written unchanged in place of `span`, if its label matches the typed text.
    pub(super) fn raw(&mut self, item: &Item<'_>, typed: &str, span: Span, insert: String, caret: usize) {
        let Some(rank) = rank(item.label, typed) else { return };
        if !self.labels.insert(item.label.to_owned()) {
            return;
        }
        self.found.push(Completion {
            label: item.label.to_owned(),
            kind: item.kind,
            detail: item.detail.to_owned(),
            documentation: item.doc.to_owned(),
            span,
            caret: u32::try_from(caret).unwrap_or(u32::MAX),
            insert,
            sort: format!("{rank}{:04}", self.found.len()),
        });
    }

    /// Offers a text to be written inside the quotes of the place; `typed` is the typed text in the same
    /// quoting.
    pub(super) fn within(&self, text: &str) -> String {
        match self.place.quote {
            Style::Single if !self.place.json => text.replace('\'', "''"),
            Style::Double => {
                let whole = Value::from(text).to_string();
                whole.get(1..whole.len() - 1).unwrap_or_default().to_owned()
            }
            _ => text.to_owned(),
        }
    }

    /// Offers a text like [`Offer::raw`], inside the quotes of the place; the caret is `back` bytes before
    /// its end, which need no escapes.
    pub(super) fn inside(&mut self, item: &Item<'_>, typed: &str, span: Span, text: &str, back: usize) {
        let typed = match self.place.quote {
            Style::Single => typed.replace("''", "'"),
            Style::Double => typed.replace("\\\"", "\""),
            _ => typed.to_owned(),
        };
        let insert = self.within(text);
        let caret = insert.len() - back;
        self.raw(item, &typed, span, insert, caret);
    }

    /// Offers a key.
    pub(super) fn key(&mut self, item: &Item<'_>) {
        let place = self.place;
        let name = match place.quote {
            Style::Plain if !place.json => plain(item.label),
            _ => self.quoted(item.label),
        };
        let colon = if place.colon { "" } else { ": " };
        let insert = format!("{}{name}{colon}", place.prefix);
        let caret = insert.len();
        self.raw(item, self.typed(), place.span, insert, caret);
    }

    /// Offers the first key of a map that has not begun.
    pub(super) fn first_key(&mut self, item: &Item<'_>) {
        if self.place.flow || self.place.json {
            let name = if self.place.json { self.quoted(item.label) } else { plain(item.label) };
            let insert = format!("{}{{{name}: }}", self.place.prefix);
            let caret = insert.len() - 1;
            self.raw(item, self.typed(), self.place.span, insert, caret);
        } else {
            self.key(item);
        }
    }

    /// Offers a text as a value.
    pub(super) fn value(&mut self, item: &Item<'_>) {
        let insert = match self.place.quote {
            Style::Plain if !self.place.json => plain(item.label),
            _ => self.quoted(item.label),
        };
        self.data(item, &insert);
    }

    /// Offers a value to be written unchanged, without the quotes of the place.
    pub(super) fn data(&mut self, item: &Item<'_>, written: &str) {
        let insert = format!("{}{written}", self.place.prefix);
        let caret = insert.len();
        self.raw(item, self.typed(), self.place.span, insert, caret);
    }

    fn quoted(&self, text: &str) -> String {
        if self.place.quote == Style::Single && !self.place.json {
            format!("'{}'", text.replace('\'', "''"))
        } else {
            Value::from(text).to_string()
        }
    }

    /// The completions in order.
    pub(super) fn finish(mut self) -> Vec<Completion> {
        sort_by(&mut self.found, |one, other| one.sort.cmp(&other.sort));
        for (index, completion) in self.found.iter_mut().enumerate() {
            completion.sort = format!("{index:05}");
        }
        self.found
    }
}

/// How well a label matches the typed text: 0 when it begins with it, 1 when it contains it.
fn rank(label: &str, typed: &str) -> Option<u8> {
    let (label, typed) = (label.to_lowercase(), typed.trim().to_lowercase());
    if label.starts_with(&typed) {
        return Some(0);
    }
    label.contains(&typed).then_some(1)
}

/// A text as a YAML scalar, in quotes where it needs them.
fn plain(text: &str) -> String {
    let written = write::yaml(&crate::text::json!([text]));
    let line = written.trim_end().trim_start_matches("- ");
    let is_simple = !line.contains('\n') && !line.contains([',', '[', ']', '{', '}']) && !line.contains(": ");
    if is_simple { line.to_owned() } else { Value::from(text).to_string() }
}
