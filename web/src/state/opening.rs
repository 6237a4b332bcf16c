//! Opens a document, and shows why it cannot be opened.

use std::fmt;

use transcript_core::document::Limits;

use super::inline::LinkError;
use crate::io;
use crate::io::files::UnreadableFile;
use crate::io::page::FetchError;
use crate::io::store::StorageError;
use crate::strings::{fill, group, text};

/// In bytes.
const LARGE: usize = 1 << 20;

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

/// Why the document that an address names is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OpenError {
    /// The address names none.
    NoSource,
    /// The address names something else.
    UnknownSource(String),
    NoExample(String),
    /// The file of the example did not come.
    ExampleNotLoaded(FetchError),
    /// This device keeps no such document.
    NotKept,
    /// This device keeps no such earlier text.
    NoEarlier,
    Storage(StorageError),
    Link(LinkError),
}

impl From<StorageError> for OpenError {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

/// A whole sentence.
impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&match self {
            Self::NoSource => text::no_source().to_owned(),
            Self::UnknownSource(name) => fill(text::no_such_source(), &[("name", name)]),
            Self::NoExample(name) => fill(text::no_example(), &[("name", name)]),
            Self::ExampleNotLoaded(error) => {
                fill(text::example_not_loaded(), &[("reason", &error.to_string())])
            }
            Self::NotKept => text::no_local().to_owned(),
            Self::NoEarlier => text::no_earlier().to_owned(),
            Self::Storage(error) => fill(text::store_unreadable(), &[("reason", &error.to_string())]),
            Self::Link(error) => return error.fmt(f),
        })
    }
}

/// A file that was not opened, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) name: String,
    pub(crate) reason: String,
    pub(crate) help: Option<String>,
    pub(crate) size: usize,
}

impl From<UnreadableFile> for Refusal {
    fn from(file: UnreadableFile) -> Self {
        Self { name: file.name, reason: text::not_read().to_owned(), help: None, size: 0 }
    }
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

/// Whether bytes are the start of a document that is too large, but may be a log in JSON that can be cut.
pub(crate) fn may_be_cut(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start();
    bytes.len() > Limits::default().bytes && matches!(text.first(), Some(b'{' | b'['))
}

/// Whether the text is JSON of a size that takes a while to read, and so may be a long log.
pub(crate) fn may_be_large_log(text: &str) -> bool {
    text.len() > LARGE && text.trim_start_matches('\u{feff}').trim_ascii_start().starts_with(['{', '['])
}

/// Why the bytes of a file are refused, of one that is not too large in the core's words.
pub(crate) async fn refusal(name: &str, bytes: &[u8], size: usize) -> Refusal {
    let limit = Limits::default().bytes;
    if bytes.len() > limit {
        return Refusal {
            name: name.to_owned(),
            reason: fill(text::too_large(), &[("n", &group(limit))]),
            help: Some(text::too_large_help().to_owned()),
            // For gzip, only the fact that it is too large is known.
            size: if size > bytes.len() { size } else { 0 },
        };
    }
    let answer = io::reader::refuse(bytes).await;
    let (reason, help) = answer.map_or((None, None), |answer| (answer.reason, answer.help));
    Refusal {
        name: name.to_owned(),
        reason: reason.unwrap_or_else(|| text::not_read().to_owned()),
        help,
        size,
    }
}

/// A text field holds line ends as LF whatever is put into it, so that offsets agree only after this.
pub(crate) fn unify_line_ends(text: &str) -> Decoded {
    if !text.contains('\r') {
        return Decoded { text: text.to_owned(), crlf: false };
    }
    let pairs = text.matches("\r\n").count();
    let crlf = pairs == text.matches('\r').count() && pairs == text.matches('\n').count();
    Decoded { text: text.replace("\r\n", "\n").replace('\r', "\n"), crlf }
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
