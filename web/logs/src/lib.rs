//! What the page loads when a person brings the logs of other programs: zip files are unpacked, logs become
//! transcripts, events stand in their order.
//!
//! It runs in a worker (`worker.js`), so that the page stays quick and its first load small. Bytes come in, JSON goes
//! out.

mod archive;
#[cfg(feature = "eval")]
mod eval;
#[cfg(not(feature = "eval"))]
#[path = "no_eval.rs"]
mod eval;
mod given;
mod large;
mod words;
#[cfg(feature = "eval")]
mod zstandard;

use given::Given;
use large::Large;
use wasm_bindgen::prelude::wasm_bindgen;

/// The files a person gave at once.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Logs {
    given: Given,
    /// The file that they are, where it is too large to be read whole.
    large: Option<Large>,
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

    /// Whether a file of that name and size is not to be read at all, which is noted then. A zip file may be larger.
    pub fn refuses(&mut self, path: &str, size: f64, is_zip: bool) -> bool {
        self.given.refuses(path, size, is_zip)
    }

    /// What comes of the files, of which session where they are of several, as JSON. `from` is the program that wrote
    /// them, in the words of `ImportOptions`, where their content shall not tell.
    #[must_use]
    pub fn answer(&mut self, session: Option<String>, from: Option<String>) -> String {
        let Some(large) = &self.large else {
            return self.given.answer(session.as_deref(), from.as_deref()).to_string();
        };
        large
            .first()
            .unwrap_or_else(|| {
                let mut answer = self.given.answer(session.as_deref(), from.as_deref());
                large.tell(&mut answer);
                answer
            })
            .to_string()
    }

    /// Shows the next bytes of a file that is too large to be read whole, all of which are shown before any are cut.
    pub fn look(&mut self, path: &str, chunk: &[u8]) {
        self.large.get_or_insert_with(|| Large::new(path)).look(chunk);
    }

    /// Begins to cut the file that was shown, or that part of it. Whether its bytes are to be given once more.
    #[wasm_bindgen(js_name = beginCut)]
    pub fn begin_cut(&mut self, part: Option<String>) -> bool {
        self.large.as_mut().is_some_and(|large| large.begin(part.as_deref()))
    }

    /// Takes the next bytes of the file that is cut.
    pub fn cut(&mut self, chunk: &[u8]) {
        if let Some(large) = &mut self.large {
            large.take(chunk);
        }
    }

    /// Takes what is left of the file as the one that was given. Whether all its bytes are to be given once more instead,
    /// since too much was left.
    #[wasm_bindgen(js_name = cutAgain)]
    pub fn cut_again(&mut self) -> bool {
        let Some(large) = &mut self.large else { return false };
        let Some((path, bytes)) = large.done() else { return true };
        self.given = Given::default();
        self.given.add(&path, bytes);
        false
    }

    /// The text of a file that was read.
    #[must_use]
    pub fn text(&self, path: &str) -> Option<String> {
        self.given.text(path).map(str::to_owned)
    }
}
