//! The full form of a document, or why there is none.

use serde_json::Value;

use super::open::{Document, Writing};
use super::recognized::Form;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::text::Span;
use crate::write::{self, NestedMode};

/// The maximum memory for a reference to a sent message while the full form is made and written.
/// `tests/package/node/memory.test.mjs` checks it against the memory of the wasm module.
const REFERENCE_BYTES: u64 = 560;

/// The memory for a full form: wasm has 4 GiB, which also holds the text and its tree.
const ROOM: u64 = 3 << 30;

impl Document {
    /// Why a document of handlers alone cannot be used as a run.
    pub(crate) fn handlers_refused(&self) -> Option<Diagnostic> {
        (self.form() == Form::Handlers).then(|| {
            let message = "this document has mock handlers, but no run";
            let found = Diagnostic::new(codes::NOT_A_TRANSCRIPT, Severity::Error, Span::empty(0), message);
            found.help("add `messages:` or `execution:`")
        })
    }

    /// Why a readable text has no full form: it would exceed the limits, or has no run.
    #[must_use]
    pub fn expansion_refused(&self) -> Option<Diagnostic> {
        if let Some(refused) = self.handlers_refused() {
            return Some(refused);
        }
        let transcript = self.timeline().filter(|_| self.is_readable())?.transcript();
        // What a full or partial document already contains costs nothing more when it is written
        // again.
        if self.source().is_none() { self.too_many(write::references(transcript)) } else { None }
    }

    /// Why a run with so many references has no full form: that would exceed the limits.
    pub(crate) fn too_many(&self, references: usize) -> Option<Diagnostic> {
        too_many_sent(references, self.expanded, ROOM)
    }

    /// The full transcript as data, if the text could be read and its full form is not refused as too
    /// large.
    ///
    /// A full transcript is its own data, unknown keys in their places included.
    #[must_use]
    pub fn expanded(&self) -> Option<Value> {
        let transcript = self.timeline().filter(|_| self.is_readable())?.transcript();
        if self.expansion_refused().is_some() {
            return None;
        }
        Some(match (self.source(), self.form()) {
            (Some(source), Form::Full) => source.to_value(),
            (Some(source), _) => write::completed(&source.to_value(), transcript),
            (None, _) => write::transcript(transcript),
        })
    }

    /// The full transcript as data, written according to `writing`.
    ///
    /// ```
    /// use transcript_core::document::{Document, Limits, Writing};
    /// use transcript_core::write::Dedupe;
    /// let text = "messages: ['user: the same', 'assistant: Hm?', 'user: the same', 'assistant: Oh']";
    /// let document = Document::open(text, &Limits::default());
    /// let writing = Writing { dedupe: Some(Dedupe { larger_than: 5 }), ..Writing::default() };
    /// let data = document.expanded_with(&writing).unwrap();
    /// assert_eq!(data["blobs"].as_object().unwrap().len(), 1);
    /// ```
    #[must_use]
    pub fn expanded_with(&self, writing: &Writing) -> Option<Value> {
        let mut data = self.expanded()?;
        if let Some(mode) = writing.nested {
            data = write::nested(&data, &write::Nesting { mode, files: self.files(), bytes: self.bytes });
        }
        if let Some(dedupe) = &writing.dedupe {
            data = write::dedupe(&data, dedupe);
        }
        Some(data)
    }

    /// The full transcript with every run of another agent inline.
    pub(crate) fn whole(&self) -> Option<Value> {
        self.expanded_with(&Writing { nested: Some(NestedMode::Inline), dedupe: None })
    }

    /// The full transcript of [`Document::expanded`] as YAML, with the notes on steps.
    #[must_use]
    pub fn expanded_yaml(&self) -> Option<String> {
        self.expanded_yaml_with(&Writing::default())
    }

    /// The full transcript of [`Document::expanded_with`] as YAML, with the notes on steps.
    #[must_use]
    pub fn expanded_yaml_with(&self, writing: &Writing) -> Option<String> {
        self.expanded_with(writing).map(|value| self.noted(write::yaml(&value)))
    }

    /// The full transcript of [`Document::expanded`] as JSON with two spaces of indentation.
    #[must_use]
    pub fn expanded_json(&self) -> Option<String> {
        self.expanded().map(|value| write::json(&value))
    }
}

/// Refuses a full form that would name `count` messages as sent: more than `limit`, or more than fit into `room`
/// bytes of memory.
fn too_many_sent(count: usize, limit: usize, room: u64) -> Option<Diagnostic> {
    let refused = |message: String, help: &str| {
        Diagnostic::new(codes::EXPANSION_LIMIT, Severity::Error, Span::empty(0), message).help(help)
    };
    let named = format!("the full form would list {count} sent messages");
    let bytes = (count as u64).saturating_mul(REFERENCE_BYTES);
    if bytes > room {
        let [needed, room] = [bytes, room].map(|bytes| bytes.div_ceil(1 << 20));
        return Some(refused(
            format!("{named}, which need about {needed} MiB of memory; {room} are available"),
            "split the run, or hide messages that the model no longer sees",
        ));
    }
    (count > limit).then(|| {
        refused(
            format!("{named}; the limit is {limit}"),
            "split the run, hide messages that the model no longer sees, or raise the limit on expansion (`maxExpanded`, `--max-expanded`)",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::{REFERENCE_BYTES, too_many_sent};

    #[test]
    fn what_no_memory_could_hold_is_refused_whatever_the_limit() {
        let room = 1000 * REFERENCE_BYTES;
        assert!(too_many_sent(1000, 1000, room).is_none());
        let limited = too_many_sent(1000, 999, room).unwrap();
        assert!(limited.message.ends_with("list 1000 sent messages; the limit is 999"));
        assert!(limited.help.unwrap().contains("raise the limit"));
        let full = too_many_sent(1001, usize::MAX, room).unwrap();
        assert!(full.message.contains("MiB of memory; "), "{}", full.message);
        assert!(!full.help.unwrap().contains("raise the limit"));
        assert!(too_many_sent(usize::MAX, usize::MAX, u64::MAX - 1).is_some());
    }
}
