//! The input of an operation.

use serde::Serialize;
use serde_json::{Map, Value, json};
use transcript_core::diagnostic::InvalidInput;
use transcript_core::diagnostic::render::problems;
use transcript_core::document::{Document, Options};

use crate::options;

/// One call of an operation.
pub(super) struct OperationInput<'a> {
    text: &'a [u8],
    other: &'a [u8],
    /// The name of the document's file, for diagnostics.
    pub file: String,
    /// The name of the second document's file.
    pub other_file: String,
    /// How documents are opened.
    pub options: Options,
    /// The operation's own options. It takes them out; options that are left are misuse.
    own: Map<String, Value>,
}

impl<'a> OperationInput<'a> {
    pub(super) fn new(text: &'a [u8], other: &'a [u8], options: &str) -> Result<Self, InvalidInput> {
        let mut own = options::map(options)?;
        let options = options::take(&mut own)?;
        let mut input = Self { text, other, file: String::new(), other_file: String::new(), options, own };
        input.file = input.word("file");
        input.other_file = input.word("otherFile");
        Ok(input)
    }

    /// The document.
    pub(super) fn document(&self) -> Document {
        Document::open_bytes_with(self.text, &self.options)
    }

    /// The second document.
    pub(super) fn other(&self) -> Document {
        Document::open_bytes_with(self.other, &self.options)
    }

    /// The bytes of the document.
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.text
    }

    /// The text, if it is one and is not too large; else the answer with the reason.
    pub(super) fn text(&self) -> Result<&'a str, Value> {
        match std::str::from_utf8(self.text) {
            Ok(text) if Document::too_large(text.len(), &self.options.limits).is_none() => Ok(text),
            _ => Err(json!({ "ok": false, "text": null, "diagnostics": self.diagnostics(&self.document()) })),
        }
    }

    /// The second text, if it is one and is not too large.
    pub(super) fn other_text(&self) -> Option<&'a str> {
        let text = std::str::from_utf8(self.other).ok()?;
        Document::too_large(text.len(), &self.options.limits).is_none().then_some(text)
    }

    /// The diagnostics of the first document as data.
    pub(super) fn diagnostics(&self, document: &Document) -> Value {
        diagnostics(&self.file, document)
    }

    /// Takes an option out; null when it is missing.
    pub(super) fn take(&mut self, name: &str) -> Value {
        self.own.remove(name).unwrap_or_default()
    }

    /// Takes a text out; a missing one is empty.
    pub(super) fn word(&mut self, name: &str) -> String {
        self.take(name).as_str().unwrap_or_default().to_owned()
    }

    /// Takes a boolean out; a missing one is false.
    pub(super) fn flag(&mut self, name: &str) -> bool {
        self.take(name) == Value::Bool(true)
    }

    /// Takes several options out, each under another name, as a map for the core.
    pub(super) fn map(&mut self, names: &[(&str, &str)]) -> Value {
        let mut out = Map::new();
        for (name, inner) in names {
            let value = self.take(name);
            if !value.is_null() {
                out.insert((*inner).to_owned(), value);
            }
        }
        Value::Object(out)
    }

    /// Whether all options were taken.
    pub(super) fn finish(&self) -> Result<(), InvalidInput> {
        match self.own.keys().next() {
            Some(name) => Err(format!("unknown option `{name}`").into()),
            None => Ok(()),
        }
    }
}

/// The diagnostics of a document as data; `file` is its name in them.
pub(super) fn diagnostics(file: &str, document: &Document) -> Value {
    data(&problems(file, document.text(), document.lines(), document.diagnostics()))
}

/// The core's plain data as JSON data, which it can always be.
pub(super) fn data(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// `answer` with further entries.
pub(super) fn with<const N: usize>(answer: &impl Serialize, entries: [(&str, Value); N]) -> Value {
    let mut answer = data(answer);
    if let Value::Object(map) = &mut answer {
        for (key, value) in entries {
            map.insert(key.to_owned(), value);
        }
    }
    answer
}
