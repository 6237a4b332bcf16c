//! Sentences about keys, words and codes, which only some builds carry.

use std::fmt;
use std::ops::Deref;

use serde::{Serialize, Serializer};

/// A sentence about a key, a word or a code. It is a text, which the tables of the core hold.
///
/// ```
/// use transcript_core::text::doc;
/// assert_eq!(doc("Its description.").text(), "Its description.");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct Doc {
    /// Precedes the address of the text in the data of a wasm module, so that the build of the npm package finds it.
    #[cfg(feature = "marked-docs")]
    mark: u32,
    text: &'static str,
}

impl Doc {
    /// The text.
    #[must_use]
    pub const fn text(self) -> &'static str {
        self.text
    }
}

/// The sentence, or an empty one without the feature `docs`: a build that only opens and replays documents
/// explains no keys.
#[must_use]
pub const fn doc(sentence: &'static str) -> Doc {
    Doc {
        #[cfg(feature = "marked-docs")]
        mark: u32::from_le_bytes(*b"DOCS"),
        text: if cfg!(feature = "docs") { sentence } else { "" },
    }
}

impl Deref for Doc {
    type Target = str;

    fn deref(&self) -> &str {
        self.text
    }
}

impl fmt::Display for Doc {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.text)
    }
}

impl fmt::Debug for Doc {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.text, formatter)
    }
}

impl Serialize for Doc {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text)
    }
}
