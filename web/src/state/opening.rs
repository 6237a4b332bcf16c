//! How a document comes onto the screen, and what is said when it cannot.

use transcript_core::view::Limits;

use super::seen;
use crate::io;
use crate::strings::{fill, text};

/// The state of the document the address names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Opening {
    #[default]
    Nothing,
    /// Being fetched from this device.
    Loading,
    Ready,
    /// It cannot be shown; the reason is a whole sentence.
    Failed(String),
}

/// A file that was not opened, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) name: String,
    pub(crate) reason: String,
    pub(crate) help: Option<String>,
    pub(crate) size: usize,
}

/// Text ready for the editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decoded {
    pub(crate) text: String,
    /// Whether every line ended in CRLF. The editor knows LF alone, and a download restores it.
    pub(crate) crlf: bool,
}

/// The text of the bytes of a file, unless they are refused.
pub(crate) fn decode(bytes: &[u8]) -> Option<Decoded> {
    let text = std::str::from_utf8(bytes).ok().filter(|_| bytes.len() <= Limits::default().bytes);
    text.map(unify_line_ends)
}

/// Why the bytes of a file are refused, in the core's words.
pub(crate) async fn refusal(name: &str, bytes: &[u8], size: usize) -> Refusal {
    let told = io::reader::refuse(bytes).await.unwrap_or_default();
    Refusal {
        name: name.to_owned(),
        reason: seen::some_text(&told, "reason").unwrap_or_else(|| text::not_read().to_owned()),
        help: seen::some_text(&told, "help"),
        size,
    }
}

/// A text field holds line ends as LF whatever it is given, so that offsets agree only after this.
pub(crate) fn unify_line_ends(text: &str) -> Decoded {
    if !text.contains('\r') {
        return Decoded { text: text.to_owned(), crlf: false };
    }
    let pairs = text.matches("\r\n").count();
    let crlf = pairs == text.matches('\r').count() && pairs == text.matches('\n').count();
    Decoded { text: text.replace("\r\n", "\n").replace('\r', "\n"), crlf }
}

/// The sentence for an example that does not exist.
pub(crate) fn no_example(name: &str) -> String {
    fill(text::no_example(), &[("name", name)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_are_unified_and_remembered_only_when_all_agree() {
        let crlf = |text: &str| unify_line_ends(text);
        assert_eq!(crlf("a\r\nb\r\n"), Decoded { text: "a\nb\n".to_owned(), crlf: true });
        assert_eq!(crlf("a\r\nb\n"), Decoded { text: "a\nb\n".to_owned(), crlf: false });
        assert_eq!(crlf("a\rb"), Decoded { text: "a\nb".to_owned(), crlf: false });
        assert_eq!(crlf("a\n"), Decoded { text: "a\n".to_owned(), crlf: false });
    }
}
