//! Notes on steps: the comments on the lines above them.

/// The begin of a comment with settings, which is no note.
pub(crate) const SETTINGS: &str = "transcript:";
/// The most bytes of a line before a value that is an item of a list, and the most lines between its dash and its text.
const LONGEST: usize = 256;
const LINES: usize = 4;

/// The note on the step whose value begins at `start`: the comments directly above its item of the list that are indented
/// like it. `None` without one, and for an item that shares its line with others, as in JSON.
///
/// ```
/// use transcript_core::parse::note_at;
/// let text = "messages:\n  # Why so late?\n  - 'assistant: Hi'\n";
/// assert_eq!(note_at(text, text.find('\'').unwrap()).as_deref(), Some("Why so late?"));
/// assert_eq!(note_at("{\"messages\": [\"assistant: Hi\"]}", 14), None);
/// ```
#[must_use]
pub fn note_at(text: &str, start: usize) -> Option<String> {
    let line = line_of_item(text, start)?;
    let indent = text.get(line..line + text.get(line..)?.find('-')?)?;
    let mut top = line;
    while let Some(above) = text.get(..top)?.strip_suffix('\n') {
        let begin = above.rfind('\n').map_or(0, |at| at + 1);
        if !above.get(begin..)?.strip_prefix(indent).is_some_and(|rest| rest.starts_with('#')) {
            break;
        }
        top = begin;
    }
    let mut note = String::new();
    for comment in text.get(top..line)?.lines() {
        let comment = comment.get(indent.len() + 1..)?;
        let comment = comment.strip_prefix(' ').unwrap_or(comment);
        if !comment.trim_start().starts_with(SETTINGS) {
            note.push_str(comment.trim_end());
            note.push('\n');
        }
    }
    let note = note.trim();
    (!note.is_empty()).then(|| note.to_owned())
}

/// The begin of the line with the dash of the item whose value begins at `start`. The text of a block begins on a later line.
pub(crate) fn line_of_item(text: &str, start: usize) -> Option<usize> {
    let mut end = start;
    for _ in 0..LINES {
        let head = text.get(..end)?;
        let window = head.floor_char_boundary(head.len().saturating_sub(LONGEST));
        let line = window + head.get(window..)?.rfind('\n')? + 1;
        let before = head.get(line..)?.trim_start_matches(' ');
        if let Some(rest) = before.strip_prefix('-') {
            // A tag, an anchor or the sign of a block may follow the dash; behind a bracket it is the dash of something else.
            let rest = rest.trim();
            let is_item = rest.is_empty() || rest.starts_with(['&', '!', '|', '>', '#']);
            return (is_item && !rest.contains(['{', '['])).then_some(line);
        }
        if !before.trim().is_empty() {
            return None;
        }
        end = line - 1;
    }
    None
}
