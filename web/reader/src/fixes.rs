//! Fixes as the one edit that a person can take back.

use transcript_core::document::Options;
use transcript_core::view::TextEdit;

use crate::read::ReadDocument;

/// The edit of one fix of one problem.
pub(crate) fn edit_of_fix(read: &ReadDocument, problem: usize, fix: usize) -> Option<TextEdit> {
    let edits = &read.problems.get(problem)?.fixes.get(fix)?.edits;
    let text = read.document.text();
    let start = edits.first()?.offset as usize;
    let mut end = start;
    let mut inserted = String::new();
    for edit in edits {
        inserted.push_str(text.get(end..edit.offset as usize)?);
        inserted.push_str(&edit.text);
        end = edit.end_offset as usize;
    }
    Some(utf16_edit(read, start, end, inserted))
}

/// The edit of every fix that is certain; nothing when they change nothing.
pub(crate) fn edit_of_certain_fixes(read: &ReadDocument) -> Option<TextEdit> {
    let text = read.document.text();
    let after = read.document.apply_safe_fixes(&Options::default()).text;
    let (start, end) = changed_range(text, &after);
    let inserted = after.get(start..after.len() - (text.len() - end))?;
    (text != after).then(|| utf16_edit(read, start, end, inserted.to_owned()))
}

fn utf16_edit(read: &ReadDocument, start: usize, end: usize, text: String) -> TextEdit {
    let utf16 = |offset| read.document.lines().utf16(read.document.text(), offset);
    TextEdit { start: utf16(start), end: utf16(end), text }
}

/// The smallest range of `before`, in bytes, that contains all changes of `after`.
fn changed_range(before: &str, after: &str) -> (usize, usize) {
    let same = |(a, b): &(char, char)| a == b;
    let length = |(c, _): (char, char)| c.len_utf8();
    let start: usize = before.chars().zip(after.chars()).take_while(same).map(length).sum();
    let (left, right) = (before.get(start..).unwrap_or_default(), after.get(start..).unwrap_or_default());
    let tail: usize = left.chars().rev().zip(right.chars().rev()).take_while(same).map(length).sum();
    (start, before.len() - tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certain_fixes_are_one_edit_of_utf_16_places() {
        // `🙂` is two units: `name: 🙂\n` has nine.
        let read = ReadDocument::new("name: 🙂\nversion: 1.0\nexecution: []\n");
        let edit = edit_of_certain_fixes(&read).unwrap();
        // `1.0` is from 18 to 21; only the quotes around it are new.
        assert_eq!((edit.start, edit.end, edit.text.as_str()), (18, 21, "\"1.0\""));
        assert_eq!(edit_of_certain_fixes(&ReadDocument::new("messages: ['user: Hi']")), None);
        assert_eq!(edit_of_fix(&read, 99, 0), None);
    }
}
