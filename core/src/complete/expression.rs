//! Inside an expression: the variables it sees and the functions it may call.

use super::CompletionKind;
use super::offer::{Item, Offer};
use crate::model::Variable;
use crate::parse::Style;
use crate::query::function_names;
use crate::text::Span;

/// Offers completions in a quoted expression that sees `variables`.
pub(super) fn complete(offer: &mut Offer<'_>, variables: &[Variable]) {
    if offer.place.quote == Style::Plain {
        return;
    }
    let before = offer.typed();
    let word = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let typed = before.get(word.len()..).unwrap_or("");
    // Strings and data contain no names, and a point precedes keys of data.
    let is_open = |quote: char| word.matches(quote).count() % 2 == 1;
    if is_open('\'') || is_open('`') || word.ends_with('.') || typed.starts_with(|c: char| c.is_ascii_digit())
    {
        return;
    }
    let span = Span::new(offer.offset - typed.len(), offer.offset);
    for variable in variables {
        let kind = CompletionKind::Name;
        let item = Item { label: variable.name, kind, detail: variable.kind, doc: &variable.doc };
        offer.inside(&item, typed, span, variable.name, 0);
    }
    // Without typed text, the names of the data come without the many functions.
    for name in function_names().filter(|_| !typed.is_empty()) {
        let item = Item { label: name, kind: CompletionKind::Value, detail: "function", doc: "" };
        offer.inside(&item, typed, span, name, 0);
    }
}
