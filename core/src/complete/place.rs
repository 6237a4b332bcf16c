//! Where a byte of a text is, found by indentation, brackets and quotes alone.
//!
//! The text is usually broken at the place itself: a key is half typed, a quote is open. So each line
//! starts afresh with its indentation, whatever is wrong above it, and the text is scanned once from
//! its first byte to its last.

use super::scan::Scanner;
use crate::parse::Style;
use crate::text::Span;

/// One step from the root to a place.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    /// The value of a key.
    Key(String),
    /// An item of a list, counted from 0.
    Item(usize),
}

/// A map or a list on the way to a place, with the step out of it.
#[derive(Clone, Debug)]
pub(super) struct Level {
    /// The frame of the scanner that it is.
    pub frame: usize,
    pub step: Step,
    /// The keys of the map, each with its value where that is a scalar.
    pub entries: Vec<(String, String)>,
}

impl Level {
    /// The scalar at `key`.
    pub(super) fn scalar(&self, key: &str) -> Option<&str> {
        let value = self.entries.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str());
        value.filter(|value| !value.is_empty())
    }
}

/// What kind of text belongs at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// A key of the map that the place is in.
    Key,
    /// A value.
    Value,
    /// Words of a comment.
    Comment,
}

/// A place in a text.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub slot: Slot,
    /// The path from the root. For a key, the last step is the typed part of the key itself.
    pub levels: Vec<Level>,
    /// The token at the place with its quotes; empty where there is none.
    pub span: Span,
    /// Where the text of the token is, without its quotes.
    pub inner: Span,
    pub quote: Style,
    /// Whether the token's quote is closed.
    pub closed: bool,
    /// Whether it is in brackets.
    pub flow: bool,
    /// Whether the document is JSON.
    pub json: bool,
    /// Whether a colon follows.
    pub colon: bool,
    /// Text to be written before the value, such as the dash of an item.
    pub prefix: String,
    /// The root's keys.
    pub root: Vec<String>,
}

impl Place {
    /// The names of the keys on the way.
    pub(super) fn keys(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.levels.iter().filter_map(|level| match &level.step {
            Step::Key(key) => Some(key.as_str()),
            Step::Item(_) => None,
        })
    }
}

/// The place of the byte at `offset`; `None` where completions are unknown.
pub(super) fn find(text: &str, offset: usize) -> Option<Place> {
    let mut scanner = Scanner::new(text, offset);
    scanner.run();
    scanner.finish()
}
