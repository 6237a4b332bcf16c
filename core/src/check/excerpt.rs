//! Excerpts of long texts.

use std::ops::Range;

use crate::text::folded;

/// The maximum length of an excerpt, and of the text on each side of a place.
const LONGEST: usize = 240;
const AROUND: usize = 40;

/// The text, cut after its beginning if it is long.
pub(super) fn beginning(text: &str) -> String {
    cut(text, LONGEST)
}

/// A text within a sentence: on one line, and short.
pub(super) fn one_line_excerpt(text: &str) -> String {
    cut(text, 80).replace('\n', " ")
}

fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or("")),
    }
}

/// The text at `range`, with its surroundings.
pub(super) fn around(text: &str, range: &Range<usize>) -> String {
    let (before, rest) = text.split_at_checked(range.start).unwrap_or((text, ""));
    let (found, after) = rest.split_at_checked(range.len()).unwrap_or((rest, ""));
    let start = before.char_indices().rev().nth(AROUND - 1).map_or(0, |(at, _)| at);
    let mut out = String::new();
    if start > 0 {
        out.push('…');
    }
    out.push_str(before.get(start..).unwrap_or(""));
    out.push_str(&cut(found, LONGEST));
    out.push_str(&cut(after, AROUND));
    out
}

/// The place of a text in another one, with or without regard to case.
pub(super) fn find(text: &str, pattern: &str, ignore_case: bool) -> Option<Range<usize>> {
    if !ignore_case {
        return text.find(pattern).map(|at| at..at + pattern.len());
    }
    let (lower, wanted) = (folded(text), folded(pattern));
    let at = lower.find(&wanted)?;
    let end = at + wanted.len();
    // A letter may have another length in the other case.
    let mut length = 0;
    let mut start = None;
    for (place, c) in text.char_indices() {
        if length >= at && start.is_none() {
            start = Some(place);
        }
        if length >= end {
            return Some(start?..place);
        }
        length += c.to_lowercase().map(char::len_utf8).sum::<usize>();
    }
    Some(start.unwrap_or(text.len())..text.len())
}

/// The nearest match of a pattern that a text does not contain: in other case, or else its longest word.
pub(super) fn nearest(text: &str, pattern: &str) -> Option<Range<usize>> {
    let words = pattern.split_whitespace().filter(|word| word.chars().count() > 2);
    let longest = words.max_by_key(|word| word.len());
    find(text, pattern, true).or_else(|| find(text, longest?, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_text_itself() {
        let found =
            |text: &str, pattern: &str| find(text, pattern, true).map(|at| text.get(at).unwrap().to_owned());
        assert_eq!(found("İstanbul IS big", "is b"), Some("IS b".to_owned()));
        assert_eq!(found("STRASSE", "strasse").as_deref(), Some("STRASSE"));
        assert_eq!(found("É", "é").as_deref(), Some("É"));
        assert_eq!(found("ΟΔΟΣ ΜΑΣ", "σ").as_deref(), Some("Σ"));
        assert_eq!(found("ΟΔΟΣ", "οδος").as_deref(), Some("ΟΔΟΣ"));
        assert_eq!(found("abc", ""), Some(String::new()));
        assert_eq!(found("abc", "d"), None);
    }

    #[test]
    fn excerpts_are_cut_at_characters() {
        let text = "é".repeat(100) + "needle" + &"ü".repeat(100);
        let at = find(&text, "needle", false).unwrap();
        let shown = around(&text, &at);
        assert_eq!(shown, format!("…{}needle{}…", "é".repeat(40), "ü".repeat(40)));
        assert_eq!(around("a needle b", &(2..8)), "a needle b");
        assert_eq!(one_line_excerpt("a\nb"), "a b");
        assert_eq!(beginning(&"x".repeat(300)).chars().count(), 241);
    }

    #[test]
    fn the_nearest_is_the_longest_word() {
        let at = nearest("the weather in Rome", "Weather of Paris").unwrap();
        assert_eq!("the weather in Rome".get(at), Some("weather"));
        assert_eq!(nearest("abc", "x y"), None);
    }
}
