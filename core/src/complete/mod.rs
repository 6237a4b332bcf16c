//! What may stand at a place of a text, and what stands there.
//!
//! Both are for texts that are being written, so that the place is told from the text alone and what the
//! document declares from as much of it as can be read.

mod comment;
mod hover;
mod names;
mod offer;
mod place;
mod scan;
mod shorthand;
mod tables;
mod values;

use self::names::Declared;
use self::offer::Offer;
use self::place::Slot;
use self::tables::{Spot, resolve};
use crate::parse::Limits;
use crate::text::Span;

pub use hover::hover;

/// What a completion is, for the sign beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub enum CompletionKind {
    /// A key of a map.
    Key,
    /// A value out of a known list, such as a role.
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

/// One thing that may stand at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What it is called in the list.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// A few words beside the label.
    pub detail: String,
    /// What it is for, in Markdown.
    pub documentation: String,
    /// The bytes that it replaces.
    pub span: Span,
    /// What stands there afterwards, quoted as the place asks for.
    pub insert: String,
    /// Where in `insert`, in bytes, the author goes on.
    pub caret: u32,
    /// Puts the list in order when compared as text.
    pub sort: String,
}

/// What is known of what stands at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The bytes that it speaks of.
    pub span: Span,
    /// What is known, in Markdown.
    pub text: String,
}

/// What may stand at the byte `offset` of `text`, the most likely first.
///
/// The text need not be well-formed. An offset inside a character counts as that character's start.
///
/// ```
/// use transcript_core::{complete::completions, parse::Limits};
/// let text = "messages:\n  - {us";
/// let found = completions(text, text.len(), &Limits::default());
/// assert_eq!((found[0].label.as_str(), found[0].insert.as_str()), ("user", "user: "));
/// ```
#[must_use]
pub fn completions(text: &str, offset: usize, limits: &Limits) -> Vec<Completion> {
    if text.len() > limits.bytes {
        return Vec::new();
    }
    let Some(place) = place::find(text, start_of_character(text, offset)) else { return Vec::new() };
    let offset = start_of_character(text, offset);
    let mut offer = Offer::new(text, offset, &place);
    match place.slot {
        Slot::Comment => comment::complete(&mut offer),
        Slot::Key => {
            let Some((last, way)) = place.levels.split_last() else { return Vec::new() };
            let declared = Declared::of(text, limits);
            match resolve(&place, way) {
                Some(spot) => values::keys(&mut offer, &declared, spot, last),
                None => values::arguments(&mut offer, &declared),
            }
        }
        Slot::Value => {
            let declared = Declared::of(text, limits);
            let spot = resolve(&place, &place.levels).unwrap_or(Spot::Fields(&[]));
            values::values(&mut offer, &declared, spot);
        }
    }
    offer.finish()
}

fn start_of_character(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
