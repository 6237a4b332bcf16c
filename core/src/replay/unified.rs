//! The lines in which two texts differ.

use imara_diff::{Algorithm, BasicLineDiffPrinter, Diff, InternedInput, UnifiedDiffConfig};

/// Shorter texts of one line are shown in full.
const LONG: usize = 80;
/// The most lines that are shown.
const LINES: usize = 60;

/// A unified diff of two texts; `None` if both are short enough to compare by eye.
///
/// A long line is compared by words, each on a line of its own, since otherwise all of it would differ.
pub(super) fn unified(expected: &str, actual: &str) -> Option<String> {
    let is_one_line = !expected.contains('\n') && !actual.contains('\n');
    if is_one_line && expected.chars().count().max(actual.chars().count()) < LONG {
        return None;
    }
    let (expected, actual) = match is_one_line {
        true => (by_words(expected), by_words(actual)),
        false => (expected.to_owned(), actual.to_owned()),
    };
    let input = InternedInput::new(expected.as_str(), actual.as_str());
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_lines(&input);
    let printer = BasicLineDiffPrinter(&input.interner);
    let text = diff.unified_diff(&printer, UnifiedDiffConfig::default(), &input).to_string();
    let mut lines = text.lines();
    let mut out: Vec<&str> = lines.by_ref().take(LINES).collect();
    let left = lines.count();
    let more = format!("... {left} more lines");
    if left > 0 {
        out.push(&more);
    }
    Some(out.join("\n"))
}

fn by_words(text: &str) -> String {
    text.split_inclusive(' ').flat_map(|word| [word.trim_end_matches(' '), "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::unified;

    #[test]
    fn long_texts_are_shown_by_their_lines() {
        assert_eq!(unified("short", "other"), None);
        let diff = unified("one\ntwo\nthree\n", "one\n2\nthree\n").unwrap();
        let signs: Vec<&str> = diff.lines().filter(|line| line.starts_with(['-', '+'])).collect();
        assert_eq!(signs, ["-two", "+2"]);
        let (long, other) = ("word ".repeat(40), "word ".repeat(20) + "new " + &"word ".repeat(20));
        let diff = unified(&long, &other).unwrap();
        assert_eq!(diff.lines().filter(|line| line.starts_with(['-', '+'])).collect::<Vec<_>>(), ["+new"]);
    }
}
