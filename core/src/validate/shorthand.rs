//! Where an argument of a compact call stands: `weather(city='Rome', days=2)`.

use crate::text::Span;

/// The places of the name and of the value of an argument in the call at `call`, as far as they can be
/// found without reading the call again: inside quotes and brackets, nothing is looked for.
pub(super) fn argument(source: &str, call: Span, name: &str) -> (Option<Span>, Option<Span>) {
    let written = call.slice(source);
    let base = call.start as usize;
    let (mut depth, mut quote, mut from) = (0_usize, None, 0);
    for (at, character) in written.char_indices() {
        let is_quote = matches!(character, '\'' | '"');
        match quote {
            Some(open) if open == character => quote = None,
            Some(_) => continue,
            None if is_quote => quote = Some(character),
            None => {}
        }
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends = depth == 0 && character == ')' || depth == 1 && character == ',';
        if ends && let Some((key, value)) = written.get(from..at).and_then(|pair| pair.split_once('=')) {
            let begin = base + from + key.len() - key.trim_start().len();
            if key.trim() == name {
                let start = base + from + key.len() + 1 + value.len() - value.trim_start().len();
                let key = Span::new(begin, begin + name.len());
                return (Some(key), Some(Span::new(start, start + value.trim().len())));
            }
        }
        if ends || (depth == 1 && character == '(') {
            from = at + character.len_utf8();
        }
    }
    (None, None)
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
