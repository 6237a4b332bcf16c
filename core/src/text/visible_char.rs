//! Which characters are visible to a reader of the text.

/// Whether `c` may be shown to people unchanged.
///
/// Invisible are controls, line separators, the byte order mark, noncharacters, and characters that
/// show nothing or reorder their surroundings, such as bidirectional marks, zero-width spaces and
/// tags: they hide the content of a text. The joiners U+200C and U+200D are allowed, since they shape
/// words and emoji.
///
/// ```
/// use transcript_core::text::is_visible_char;
/// assert!(is_visible_char('é') && is_visible_char('漢') && is_visible_char(' '));
/// assert!(!is_visible_char('\t') && !is_visible_char('\u{1b}') && !is_visible_char('\u{202e}'));
/// ```
#[must_use]
pub fn is_visible_char(c: char) -> bool {
    !matches!(
        c,
        '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{200e}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{fffe}'..='\u{ffff}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}
