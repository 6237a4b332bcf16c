//! A recorder that lives on the Rust side.

use serde_json::Value;
use transcript_core::view::{Recording, RecoveredJournal};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::answer;

/// A recording under way.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RecorderHandle {
    recording: Recording,
    recovered: Option<RecoveredJournal>,
}

#[wasm_bindgen]
impl RecorderHandle {
    /// Begins to record; the options are JSON text.
    ///
    /// # Errors
    /// When an option is none, or has a value that it cannot have.
    pub fn begin(options: &str) -> Result<Self, JsError> {
        let recording = Recording::begin(options)?;
        Ok(Self { recording, recovered: None })
    }

    /// Begins with the facts of a journal.
    ///
    /// # Errors
    /// As [`RecorderHandle::begin`].
    pub fn resume(options: &str, journal: &str) -> Result<Self, JsError> {
        let resumed = Recording::resume(options, journal);
        let (recording, recovered) = resumed?;
        Ok(Self { recording, recovered: Some(recovered) })
    }

    /// What the journal held that it began with, as a JSON map.
    #[must_use]
    pub fn recovered(&self) -> String {
        answer::json(&self.recovered)
    }

    /// The line before those of the facts in a journal.
    #[must_use]
    pub fn header(&self) -> String {
        self.recording.header()
    }

    /// Takes a fact; JSON in and out.
    pub fn observe(&mut self, fact: &str) -> String {
        answer::json(&self.recording.observe(fact))
    }

    /// The events between the agents, as a JSON map or null.
    #[must_use]
    pub fn events(&self) -> String {
        answer::json(&self.recording.events())
    }

    /// What was recorded so far, as a JSON map. `options` are a JSON map: the `format` of its texts, `yaml` or `json`, and
    /// the `name` and the time, `created`, of a recording that has none.
    #[must_use]
    pub fn finish(&self, options: &str) -> String {
        let options: Value = serde_json::from_str(options).unwrap_or_default();
        let word = |key: &str| options.get(key).and_then(Value::as_str);
        let format = word("format").unwrap_or_default();
        answer::json(&self.recording.finish_as(format, word("name"), word("created")))
    }
}
