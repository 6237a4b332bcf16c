//! What the page loads when a person brings the logs of other programs: zip files are unpacked, logs become
//! transcripts, events stand in their order.
//!
//! It runs in a worker (`worker.js`), so that the page stays quick and its first load small. Bytes come in, JSON goes
//! out.

mod archive;
mod given;
mod words;

use given::Given;
use wasm_bindgen::prelude::wasm_bindgen;

/// The files a person gave at once.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Logs {
    given: Given,
}

#[wasm_bindgen]
impl Logs {
    /// None yet.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a file; of a zip file what is in it.
    pub fn add(&mut self, path: &str, bytes: Vec<u8>) {
        self.given.add(path, bytes);
    }

    /// Whether a file of that name and size is not to be read at all, which is noted then.
    pub fn refuses(&mut self, path: &str, size: f64) -> bool {
        self.given.refuses(path, size)
    }

    /// What comes of the files, of which session where they are of several, as JSON. `from` is the program that wrote
    /// them, in the words of `ImportOptions`, where their content shall not tell.
    #[must_use]
    pub fn answer(&self, session: Option<String>, from: Option<String>) -> String {
        self.given.answer(session.as_deref(), from.as_deref()).to_string()
    }

    /// The text of a file that was read.
    #[must_use]
    pub fn text(&self, path: &str) -> Option<String> {
        self.given.text(path).map(str::to_owned)
    }
}
