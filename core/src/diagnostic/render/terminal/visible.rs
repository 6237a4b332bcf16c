//! Text that a terminal neither obeys nor hides, and its width there.

use unicode_width::UnicodeWidthChar;

use crate::text::is_visible_char;

/// `text` on one line, with a symbol for each character that a terminal would not show.
pub(super) fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        push(&mut out, c);
    }
    out
}

/// Appends `c` in a visible form: tabs as four spaces, other controls of ASCII as their Unicode
/// symbols, and other invisible characters by number.
pub(super) fn push(out: &mut String, c: char) {
    match c {
        '\t' => out.push_str("    "),
        '\0'..='\u{1f}' => out.extend(char::from_u32(0x2400 + u32::from(c))),
        '\u{7f}' => out.push('␡'),
        _ if is_visible_char(c) => out.push(c),
        _ => out.push_str(&format!("<U+{:04X}>", u32::from(c))),
    }
}

/// The number of columns of [`push`] for `c`.
pub(super) fn width(c: char) -> usize {
    match c {
        '\t' => 4,
        '\0'..='\u{1f}' | '\u{7f}' => 1,
        _ if is_visible_char(c) => c.width().unwrap_or(0),
        '\0'..='\u{ffff}' => "<U+FFFF>".len(),
        '\u{10000}'..='\u{fffff}' => "<U+FFFFF>".len(),
        _ => "<U+10FFFF>".len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_or_hide_becomes_a_symbol() {
        assert_eq!(visible("\u{1b}[31mred\u{7}\r\n\0\u{7f}"), "␛[31mred␇␍␊␀␡");
        assert_eq!(
            visible("\u{85}\u{9b}\u{200b}\u{202e}\u{2028}\u{feff}\u{e0041}"),
            "<U+0085><U+009B><U+200B><U+202E><U+2028><U+FEFF><U+E0041>"
        );
        assert_eq!(visible("a\tb é 漢 👩\u{200d}🚀 e\u{301}"), "a    b é 漢 👩\u{200d}🚀 e\u{301}");
    }

    #[test]
    fn widths_are_those_of_the_symbols() {
        for (c, columns) in
            [('a', 1), ('é', 1), ('漢', 2), ('😀', 2), ('\u{301}', 0), ('\t', 4), ('\u{1b}', 1)]
        {
            assert_eq!(width(c), columns, "{c:?}");
        }
        for c in ['\u{7f}', '\u{85}', '\u{202e}', '\u{ffff}', '\u{e0041}'] {
            assert_eq!(width(c), visible(&c.to_string()).chars().count(), "{c:?}");
        }
    }
}
