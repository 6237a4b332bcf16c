//! How a document comes onto the screen, and what is said when it cannot.

use transcript_core::view::{Document, Limits};

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

/// Reads the bytes of a file as the core does, or says in the core's words why not.
pub(crate) fn decode(name: &str, bytes: &[u8], size: usize) -> Result<Decoded, Refusal> {
    let limits = Limits::default();
    if let Ok(text) = std::str::from_utf8(bytes)
        && bytes.len() <= limits.bytes
    {
        return Ok(unify_line_ends(text));
    }
    let document = Document::open_bytes(bytes, &limits);
    let found = document.diagnostics().first();
    Err(Refusal {
        name: name.to_owned(),
        reason: found.map_or_else(|| text::NOT_READ.to_owned(), |found| found.message.clone()),
        help: found.and_then(|found| found.help.clone()),
        size,
    })
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
    fill(text::NO_EXAMPLE, &[("name", name)])
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
