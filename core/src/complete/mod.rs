//! Completions at a place of a text, and descriptions of what is there.
//!
//! Both work on unfinished texts: the place is found from the text alone, and the document's declarations
//! from its readable part.

mod comment;
mod expression;
mod hover;
mod names;
mod offer;
mod place;
mod scan;
mod shorthand;
mod tables;
mod values;

use std::cell::OnceCell;

use self::names::Declared;
use self::offer::Offer;
use self::place::{Place, Slot};
use self::tables::{Spot, resolve};
use crate::parse::Limits;
use crate::text::Span;

/// The kind of a completion, for its icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum CompletionKind {
    /// A key of a map.
    Key,
    /// A value from a known list, such as a role.
    Value,
    /// A message, by its id.
    Message,
    /// A call, by its id.
    Call,
    /// A tool.
    Tool,
    /// An argument of a tool.
    Argument,
    /// A type of assertions or handlers.
    Type,
    /// A name of the author's, such as a state or an agent.
    Name,
    /// A code of a diagnostic.
    Code,
}

/// One completion at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The name in the list.
    pub label: String,
    /// Its kind.
    pub kind: CompletionKind,
    /// A few words next to the label.
    pub detail: String,
    /// Its purpose, in Markdown.
    pub documentation: String,
    /// The bytes that it replaces.
    pub span: Span,
    /// The text to insert, quoted as the place requires.
    pub insert: String,
    /// The caret's byte offset in `insert`.
    pub caret: u32,
    /// The sort key, compared as text.
    pub sort: String,
}

/// The description of what is at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The bytes that it describes.
    pub span: Span,
    /// The description, in Markdown.
    pub text: String,
}

/// A text to complete, at one place or at many.
///
/// It is read once, and only when a place needs its declarations.
#[derive(Debug)]
pub struct Assist<'t> {
    text: &'t str,
    limits: &'t Limits,
    declared: OnceCell<Declared>,
}

impl<'t> Assist<'t> {
    /// Prepares `text`, which need not be well-formed.
    #[must_use]
    pub fn new(text: &'t str, limits: &'t Limits) -> Self {
        Self { text, limits, declared: OnceCell::new() }
    }

    fn declared(&self) -> &Declared {
        self.declared.get_or_init(|| Declared::from_text(self.text, self.limits))
    }

    /// The completions at the byte `offset`, the most likely first.
    ///
    /// An offset inside a character counts as that character's start, one past the end as the end.
    #[must_use]
    pub fn completions(&self, offset: usize) -> Vec<Completion> {
        let Some((place, offset)) = self.place(offset) else { return Vec::new() };
        let mut offer = Offer::new(self.text, offset, &place);
        match place.slot {
            Slot::Comment => comment::complete(&mut offer),
            Slot::Key => {
                let Some((last, way)) = place.levels.split_last() else { return Vec::new() };
                match resolve(&place, way) {
                    Some(spot) => values::keys(&mut offer, self.declared(), spot, last),
                    None => values::arguments(&mut offer, self.declared()),
                }
            }
            Slot::Value => {
                let spot = resolve(&place, &place.levels).unwrap_or(Spot::Fields(&[]));
                // On a line of its own below the key of a list, an item begins with its dash.
                let line = self.text.get(..place.span.start as usize).unwrap_or("");
                let is_own =
                    !place.flow && line.rsplit('\n').next().is_some_and(|line| line.trim().is_empty());
                if let (true, true, Some(inner)) = (is_own, place.prefix.is_empty(), tables::listed(spot)) {
                    let begun = Place { prefix: "- ".to_owned(), ..place };
                    let mut offer = Offer::new(self.text, offset, &begun);
                    values::values(&mut offer, self.declared(), inner);
                    return offer.finish();
                }
                values::values(&mut offer, self.declared(), spot);
            }
        }
        offer.finish()
    }

    /// Describes what is at the byte `offset`: the meaning of a key or a value, the message of a reference,
    /// the description of a tool, the summary of a code.
    #[must_use]
    pub fn hover(&self, offset: usize) -> Option<Hover> {
        let (place, offset) = self.place(offset)?;
        hover::at(self, &place, offset)
    }

    fn place(&self, offset: usize) -> Option<(Place, usize)> {
        if self.text.len() > self.limits.bytes {
            return None;
        }
        let offset = self.text.floor_char_boundary(offset);
        Some((place::find(self.text, offset)?, offset))
    }
}

/// The completions at the byte `offset` of `text`, as in [`Assist::completions`].
///
/// ```
/// use transcript_core::{complete::completions, parse::Limits};
/// let text = "messages:\n  - {us";
/// let found = completions(text, text.len(), &Limits::default());
/// assert_eq!((found[0].label.as_str(), found[0].insert.as_str()), ("user", "user: "));
/// ```
#[must_use]
pub fn completions(text: &str, offset: usize, limits: &Limits) -> Vec<Completion> {
    Assist::new(text, limits).completions(offset)
}

/// Describes what is at the byte `offset` of `text`, as in [`Assist::hover`].
///
/// ```
/// use transcript_core::{complete::hover, parse::Limits};
/// let found = hover("execution:\n  - type: llm_call\n", 22, &Limits::default()).unwrap();
/// assert!(found.text.contains("A model call"));
/// ```
#[must_use]
pub fn hover(text: &str, offset: usize, limits: &Limits) -> Option<Hover> {
    Assist::new(text, limits).hover(offset)
}
