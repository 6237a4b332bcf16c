//! Numbers in texts that are JSON, such as the arguments of calls: where such a text is read as data, a number that no 64 bits
//! hold is kept as a text, and that is told where the text stands.

use super::wire;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::{Data, Node, json_tree};
use crate::text::{Set, Span};

/// How deep JSON stands in texts of JSON, at most, as far as it is looked into.
const DEPTH: usize = 4;

/// Tells of the numbers in the texts of a tree, of each once.
pub(super) fn told(root: &Node) -> Vec<Diagnostic> {
    let mut seeker = Seeker { seen: Set::new(), found: Vec::new() };
    seeker.tree(root, None, DEPTH);
    seeker.found
}

/// The same, with what reading the tree told of its own numbers.
pub(super) fn all(root: &Node, read: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let own = read.into_iter().filter(|found| found.code == codes::LOSSY_SCALAR);
    own.chain(told(root)).collect()
}

struct Seeker {
    seen: Set<String>,
    found: Vec<Diagnostic>,
}

impl Seeker {
    /// Looks into the texts of a tree; `place` is where the text stands that it was read from.
    fn tree(&mut self, node: &Node, place: Option<Span>, depth: usize) {
        match &node.data {
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
        if wire::looks_so(text) {
            for line in text.lines().filter_map(|line| line.strip_prefix("data:")) {
                self.json(line, place, depth);
            }
            return;
        }
        self.json(text, place, depth);
    }

    fn json(&mut self, text: &str, place: Span, depth: usize) {
        let text = text.trim();
        // A word that is a number itself is told as well; other texts are no JSON.
        if !text.starts_with(['{', '[', '-']) && !text.starts_with(|first: char| first.is_ascii_digit()) {
            return;
        }
        let parsed = json_tree(text);
        let Some(root) = parsed.root.filter(|_| parsed.well_formed) else { return };
        for found in parsed.diagnostics.iter().filter(|found| found.code == codes::LOSSY_SCALAR) {
            let written = found.span.slice(text);
            if self.seen.insert(written.to_owned()) {
                let message =
                    format!("`{written}` in the JSON of this text is too large for a number of 64 bits");
                let help = "where the text is read as data, the number is kept as a text";
                let found = Diagnostic::new(codes::LOSSY_SCALAR, Severity::Warning, place, message);
                self.found.push(found.help(help));
            }
        }
        self.tree(&root, Some(place), depth - 1);
    }
}

/// Whether a text may have such a number: one of many digits, or with a large exponent.
fn may_have(text: &str) -> bool {
    let (mut digits, mut exponent) = (0_u32, None);
    text.bytes().any(|byte| {
        match byte {
            b'0'..=b'9' => {
                digits += 1;
                exponent = exponent.map(|count| count + 1);
            }
            b'e' | b'E' if digits > 0 => (digits, exponent) = (0, Some(0)),
            b'+' | b'-' if exponent == Some(0) => {}
            _ => (digits, exponent) = (0, None),
        }
        digits >= 19 || exponent.is_some_and(|count| count >= 3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<String> {
        told(&Node { span: Span::new(3, 4), data: Data::Str(text.into()) })
            .into_iter()
            .map(|found| format!("{} {}", found.span.start, found.message))
            .collect()
    }

    #[test]
    fn numbers_in_texts_are_found_at_any_depth() {
        let told = |number: &str| {
            vec![format!("3 `{number}` in the JSON of this text is too large for a number of 64 bits")]
        };
        let large = "12345678901234567890123";
        assert_eq!(of(&format!("{{\"a\": {large}, \"b\": {large}}}")), told(large));
        assert_eq!(of(&format!(r#"[{{"arguments": "{{\"id\": {large}}}"}}]"#)), told(large));
        assert_eq!(of(large), told(large));
        assert_eq!(of("[1e400]"), told("1e400"));
        assert_eq!(of("data: {\"a\": 1E+400}\n\ndata: [DONE]\n"), told("1E+400"));
        for sound in [
            "{\"a\": 1714557600000000000}",
            "[1e3, 2.5e-7]",
            &format!("the number {large}"),
            "[1",
            "beef01e999",
        ] {
            assert_eq!(of(sound), Vec::<String>::new(), "{sound}");
        }
    }
}
