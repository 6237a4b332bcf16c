//! Notes on steps: the comments on the lines above them.

/// The begin of a comment with settings, which is no note.
pub(crate) const SETTINGS: &str = "transcript:";
/// The most bytes of a line before a value that is an item of a list.
const LONGEST: usize = 256;

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
    let head = text.get(..start)?;
    let window = head.floor_char_boundary(head.len().saturating_sub(LONGEST));
    let mut end = match head.get(window..)?.rfind('\n') {
        Some(at) => window + at + 1,
        None => return None,
    };
    let before = head.get(end..)?;
    let column = before.len() - before.trim_start_matches(' ').len();
    let (indent, rest) = before.split_at_checked(column)?;
    // A tag and an anchor may follow the dash.
    let is_item = rest.strip_prefix("- ")?.split_whitespace().all(|word| word.starts_with(['&', '!']));
    if !is_item {
        return None;
    }
    let mut lines = Vec::new();
    while let Some(above) = text.get(..end)?.strip_suffix('\n') {
        let line = above.rfind('\n').map_or(0, |at| at + 1);
        let comment = above.get(line..)?.strip_prefix(indent).and_then(|rest| rest.strip_prefix('#'));
        let Some(comment) = comment else { break };
        lines.push(comment.strip_prefix(' ').unwrap_or(comment).trim_end());
        end = line;
    }
    lines.reverse();
    lines.retain(|line| !line.starts_with(SETTINGS));
    Some(lines.join("\n").trim().to_owned()).filter(|note| !note.is_empty())
}
