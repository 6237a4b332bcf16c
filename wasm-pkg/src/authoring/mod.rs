//! Operations that write, change and compare documents: one file each.
//!
//! An operation is a call in and an answer out, plain data both. A document with mistakes is an answer that
//! says so; an error is for misuse.

use serde_json::{Map, Value};
use transcript_core::view::Options;

use crate::options;

/// One call of an operation.
pub(crate) struct Asked<'a> {
    /// The document, as the bytes of its file.
    pub text: &'a [u8],
    /// The second document, for an operation that takes two.
    pub other: &'a [u8],
    /// The name of the document's file, for diagnostics.
    pub file: String,
    /// The name of the second document's file.
    pub other_file: String,
    /// How the documents are opened.
    pub options: Options,
    /// What else was given. An operation takes its own names out; what is left over is misuse.
    pub own: Map<String, Value>,
}

impl Asked<'_> {
    /// Takes a word out of the options of the operation's own.
    pub(crate) fn word(&mut self, name: &str) -> Option<String> {
        match self.own.remove(name) {
            Some(Value::String(word)) => Some(word),
            _ => None,
        }
    }

    /// Takes a truth value out; what is not given is false.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        self.own.remove(name) == Some(Value::Bool(true))
    }
}

/// Carries out `operation`.
///
/// # Errors
/// When there is no such operation, or its options cannot be read.
///
/// ```
/// let unknown = transcript_wasm::authoring::author("fromat", b"", b"", "");
/// assert_eq!(unknown.unwrap_err(), "there is no operation `fromat`");
/// ```
pub fn author(operation: &str, text: &[u8], other: &[u8], options: &str) -> Result<String, String> {
    let mut own = options::map(options)?;
    let options = options::take(&mut own)?;
    let mut asked = Asked { text, other, file: String::new(), other_file: String::new(), options, own };
    asked.file = asked.word("file").unwrap_or_default();
    asked.other_file = asked.word("otherFile").unwrap_or_default();
    let answer: Result<Value, String> = match operation {
        _ => Err(format!("there is no operation `{operation}`")),
    };
    let answer = answer?;
    match asked.own.keys().next() {
        Some(name) => Err(format!("there is no option `{name}`")),
        None => Ok(answer.to_string()),
    }
}
