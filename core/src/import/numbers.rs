//! Numbers in JSON texts, such as the arguments of calls: when such a text is read as data, a number that 64
//! bits cannot hold exactly is kept as a text, which is reported at the place of the text.

use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::{Data, Node, json_tree};
use crate::text::{Set, Span};
use crate::wire;

/// The maximum depth of JSON inside JSON strings that is examined.
const DEPTH: usize = 4;

/// The diagnostics of a tree and of the JSON in its texts. Each number is reported once: first as data, else in a text.
pub(super) fn diagnose_numbers(text: &str, root: &Node, read: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut seeker = Seeker { own: Set::new(), seen: Set::new(), found: Vec::new() };
    for found in read {
        let is_first = found.code != codes::LOSSY_SCALAR || {
            seeker.own.insert((found.span.start, found.span.end));
            seeker.seen.insert(found.span.slice(text).to_owned())
        };
        if is_first {
            seeker.found.push(found);
        }
    }
    seeker.tree(root, None, DEPTH);
    seeker.found
}

/// The same for numbers only.
pub(super) fn all(text: &str, root: &Node, mut read: Vec<Diagnostic>) -> Vec<Diagnostic> {
    read.retain(|found| found.code == codes::LOSSY_SCALAR);
    diagnose_numbers(text, root, read)
}

/// The most that are reported one by one in a file.
const MOST: usize = 8;

/// The diagnostics of a file, in the order of their places. Many inexact values, such as numbers, are
/// reported as one, except the first few.
pub(crate) fn count_lossy(found: &[Diagnostic]) -> Vec<Diagnostic> {
    let is_lossy = |found: &Diagnostic| found.code == codes::LOSSY_SCALAR;
    let more = found.iter().filter(|found| is_lossy(found)).count().saturating_sub(MOST);
    if more < 2 {
        return found.to_vec();
    }
    let mut nth = 0;
    let counted = found.iter().filter_map(|found| {
        nth += usize::from(is_lossy(found));
        if !is_lossy(found) || nth <= MOST {
            return Some(found.clone());
        }
        (nth == MOST + 1).then(|| {
            let more = more - 1;
            let message = format!("{}; {more} more values are not exact", found.message);
            Diagnostic { message, ..found.clone() }
        })
    });
    counted.collect()
}

struct Seeker {
    /// The places of the numbers that were reported at their own place.
    own: Set<(u32, u32)>,
    seen: Set<String>,
    found: Vec<Diagnostic>,
}

impl Seeker {
    /// Examines the texts of a tree; `place` is that of the text it was read from.
    fn tree(&mut self, node: &Node, place: Option<Span>, depth: usize) {
        match &node.data {
            Data::Str(_) if place.is_none() && self.own.contains(&(node.span.start, node.span.end)) => {}
            Data::Str(text) => self.text(text, place.unwrap_or(node.span), depth),
            Data::Seq(items) => items.iter().for_each(|item| self.tree(item, place, depth)),
            Data::Map(entries) => entries.iter().for_each(|entry| self.tree(&entry.value, place, depth)),
            _ => {}
        }
    }

    fn text(&mut self, text: &str, place: Span, depth: usize) {
        if depth == 0 || !may_have(text) {
            return;
        }
        if wire::is_event_stream(text) {
            for line in text.lines().filter_map(|line| line.strip_prefix("data:")) {
                self.json(line, place, depth);
            }
            return;
        }
        self.json(text, place, depth);
    }

    fn json(&mut self, text: &str, place: Span, depth: usize) {
        let text = text.trim();
        // A text that is a number is reported too; other texts are no JSON.
        if !text.starts_with(['{', '[', '-']) && !text.starts_with(|first: char| first.is_ascii_digit()) {
            return;
        }
        let parsed = json_tree(text);
        let Some(root) = parsed.root.filter(|_| parsed.well_formed) else { return };
        for found in parsed.diagnostics.iter().filter(|found| found.code == codes::LOSSY_SCALAR) {
            let written = found.span.slice(text);
            if self.seen.insert(written.to_owned()) {
                let message = format!("`{written}` in the JSON of this text does not fit in 64 bits");
                let help = "when the text is read as data, the number is kept as a string";
                let found = Diagnostic::new(codes::LOSSY_SCALAR, Severity::Warning, place, message);
                self.found.push(found.help(help));
            }
        }
        self.tree(&root, Some(place), depth - 1);
    }
}

/// Whether a text may have such a number: a whole one of 19 digits, a fraction of 16, or one with an exponent
/// of three.
fn may_have(text: &str) -> bool {
    let (mut digits, mut is_fraction, mut exponent) = (0_u32, false, None);
    text.bytes().any(|byte| {
        match byte {
            b'0'..=b'9' => {
                digits += 1;
                exponent = exponent.map(|count| count + 1);
            }
            b'.' if digits > 0 && exponent.is_none() => is_fraction = true,
            b'e' | b'E' if digits > 0 => (digits, exponent) = (0, Some(0)),
            b'+' | b'-' if exponent == Some(0) => {}
            _ => (digits, is_fraction, exponent) = (0, false, None),
        }
        digits >= if is_fraction { 16 } else { 19 } || exponent.is_some_and(|count| count >= 3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notices(text: &str) -> Vec<String> {
        diagnose_numbers("", &Node { span: Span::new(3, 4), data: Data::Str(text.into()) }, Vec::new())
            .into_iter()
            .map(|found| format!("{} {}", found.span.start, found.message))
            .collect()
    }

    #[test]
    fn numbers_in_texts_are_found_at_any_depth() {
        let counted =
            |number: &str| vec![format!("3 `{number}` in the JSON of this text does not fit in 64 bits")];
        let large = "12345678901234567890123";
        assert_eq!(notices(&format!("{{\"a\": {large}, \"b\": {large}}}")), counted(large));
        assert_eq!(notices(&format!(r#"[{{"arguments": "{{\"id\": {large}}}"}}]"#)), counted(large));
        assert_eq!(notices(large), counted(large));
        for number in ["1e400", "1e-400", "-1.5e+0400", "12345678901234567.75", "0.1234567890123456789"] {
            assert_eq!(notices(&format!("[{number}]")), counted(number));
        }
        assert_eq!(notices("data: {\"a\": 1E+400}\n\ndata: [DONE]\n"), counted("1E+400"));
        for sound in [
            "{\"a\": 1714557600000000000}",
            "[1e3, 2.5e-7, 0.30000000000000004, 1.50, 1e-300, 0.10000000000000000000]",
            &format!("the number {large}"),
            "[1",
            "beef01e999",
        ] {
            assert_eq!(notices(sound), Vec::<String>::new(), "{sound}");
        }
    }

    #[test]
    fn a_number_that_stands_several_times_is_reported_once() {
        let text = r#"{"a": 12345678901234567890123, "b": [12345678901234567890123], "c": "{\"d\": 12345678901234567890123}", "e": "12345678901234567890123"}"#;
        let parsed = json_tree(text);
        let found = diagnose_numbers(text, &parsed.root.unwrap(), parsed.diagnostics);
        let message = "`12345678901234567890123` does not fit in 64 bits and is kept as a string";
        assert_eq!(found.iter().map(|found| found.message.as_str()).collect::<Vec<_>>(), [message]);
        assert_eq!(found[0].span, Span::new(6, 29));
    }

    #[test]
    fn many_numbers_are_counted() {
        let list = |count: u64| {
            let numbers = (0..count).map(|at| format!("0.12345678901234567{at:02}1"));
            format!("[{}]", numbers.collect::<Vec<_>>().join(", "))
        };
        let lossy = |count: u64| {
            let text = list(count);
            let found = count_lossy(&json_tree(&text).diagnostics).into_iter();
            found.map(|found| (found.span.slice(&text).to_owned(), found.message)).collect::<Vec<_>>()
        };
        assert_eq!(lossy(9).len(), 9);
        let found = lossy(50);
        assert_eq!(found.len(), 9);
        assert!(found[7].1.ends_with("has more digits than 64 bits can hold and is kept as a string"));
        assert_eq!(found[8].0, "0.12345678901234567081");
        assert!(found[8].1.ends_with("as a string; 41 more values are not exact"));
    }
}
