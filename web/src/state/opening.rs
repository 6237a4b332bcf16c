//! How a document comes onto the screen, and what is said when it cannot.

use transcript_core::document::Limits;

use super::decode;
use crate::io;
use crate::strings::{fill, group, text};

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

/// Whether bytes are the begin of a document that is too large, but may be a log in JSON, of which enough can be shown.
pub(crate) fn may_be_cut(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start();
    bytes.len() > Limits::default().bytes && matches!(text.first(), Some(b'{' | b'['))
}

/// Why the bytes of a file are refused, of one that is not too large in the core's words.
pub(crate) async fn refusal(name: &str, bytes: &[u8], size: usize) -> Refusal {
    let limit = Limits::default().bytes;
    if bytes.len() > limit {
        return Refusal {
            name: name.to_owned(),
            reason: fill(text::too_large(), &[("n", &group(limit))]),
            help: Some(text::too_large_help().to_owned()),
            // Of what is in gzip no more is known than that it is too much.
            size: if size > bytes.len() { size } else { 0 },
        };
    }
    let refusal_reply = io::reader::refuse(bytes).await.unwrap_or_default();
    Refusal {
        name: name.to_owned(),
        reason: decode::optional_text(&refusal_reply, "reason")
            .unwrap_or_else(|| text::not_read().to_owned()),
        help: decode::optional_text(&refusal_reply, "help"),
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
