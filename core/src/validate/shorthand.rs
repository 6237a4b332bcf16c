//! The place of an argument in a compact call: `weather(city='Rome', days=2)`.

use crate::expand::{self, Part};
use crate::text::Span;

/// The places of the name and of the value of an argument in the call at `call`.
pub(super) fn argument(source: &str, call: Span, name: &str) -> (Option<Span>, Option<Span>) {
    let (calls, _) = expand::calls(call.slice(source));
    let mut parts = calls.iter().flat_map(|call| &call.parts);
    let part = parts.find(|part| part.name.text == name && part.value.is_some());
    let span = |part: Part<'_>| {
        let (start, end) = part.range();
        Span::new(call.start as usize + start, call.start as usize + end)
    };
    (part.map(|part| span(part.name)), part.and_then(|part| part.value).map(span))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_is_found_in_its_call() {
        let source = "x weather(city='Rome, (IT)', days = [1, 2],é=\"a\")";
        let found = |name| {
            let (key, value) = argument(source, Span::new(2, source.len()), name);
            (key.map(|span| span.slice(source)), value.map(|span| span.slice(source)))
        };
        assert_eq!(found("city"), (Some("city"), Some("'Rome, (IT)'")));
        assert_eq!(found("days"), (Some("days"), Some("[1, 2]")));
        assert_eq!(found("é"), (Some("é"), Some("\"a\"")));
        assert_eq!(found("IT"), (None, None));
    }
}
