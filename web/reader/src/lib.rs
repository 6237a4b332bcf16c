//! What the page asks about the open document: its problems, its steps, and one step in full.
//!
//! It runs in a worker (`worker.js`), so that a person can type while a long text is read. Text comes in, JSON goes out;
//! offsets in it are UTF-16 code units, as the browser counts. Long lists come in pieces.

mod chat;
mod clock;
mod entries;
mod filter;
mod fixes;
mod history;
mod link;
mod nested_run;
mod read;
mod repeats;
mod step;
mod store_vs_sent;
mod strip;
mod timeline;
mod totals;
mod tree;

use read::ReadDocument;
use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::text::Table;
use transcript_core::view::{Prices, Refusal};
use wasm_bindgen::prelude::wasm_bindgen;

pub use read::{ENTRIES, PIECE};

/// The documents that the page is about, by the numbers it gave them.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Reader {
    documents: Table<u32, ReadDocument>,
}

#[wasm_bindgen]
impl Reader {
    /// None yet.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a text and keeps it under a number. The answer holds the pieces of the rows and of the problems that begin
    /// at these places.
    pub fn read(&mut self, number: u32, text: &str, rows: &[u32], problems: &[u32]) -> String {
        let read = ReadDocument::new(text);
        let answer = read.answer(rows, problems);
        self.documents.insert(number, read);
        json!(answer).to_string()
    }

    /// The piece of the `rows`, the `problems` or the `entries` that begins at a place.
    #[must_use]
    pub fn piece(&self, number: u32, what: &str, start: u32) -> Option<String> {
        let read = self.documents.get(&number)?;
        Some(read.piece(what, start).to_string())
    }

    /// The step of the row at a place; of its lists of messages the last page.
    #[must_use]
    pub fn step(&mut self, number: u32, at: usize, page: usize) -> Option<String> {
        let detail = self.documents.get_mut(&number)?.step(at)?;
        Some(json!(step::answer(detail, page)).to_string())
    }

    /// A page of the messages of that step: of the `store`, of those `sent`, or of those `withheld`.
    #[must_use]
    pub fn messages(
        &mut self,
        number: u32,
        at: usize,
        what: &str,
        start: usize,
        page: usize,
    ) -> Option<String> {
        let detail = self.documents.get_mut(&number)?.step(at)?;
        Some(Value::Array(step::messages(detail, what, start, page)).to_string())
    }

    /// What a tab of the inspector shows of that step. The `request` is a [`TabRequest`](transcript_core::view::TabRequest) in JSON.
    #[must_use]
    pub fn look(&mut self, number: u32, at: usize, request: &str) -> Option<String> {
        let request = serde_json::from_str(request).ok()?;
        Some(self.documents.get_mut(&number)?.look(at, request)?.to_string())
    }

    /// The places of the rows that match the query, as a text of numbers in JSON. `prices` is a table, or empty.
    #[must_use]
    pub fn find(&self, number: u32, typed: &str, prices: &str) -> Option<String> {
        Some(Value::String(self.documents.get(&number)?.find(typed, prices)).to_string())
    }

    /// The first rows that match the query, each with its place and text. `prices` is a table, or empty.
    #[must_use]
    pub fn offer(&self, number: u32, typed: &str, most: usize, prices: &str) -> Option<String> {
        Some(json!(self.documents.get(&number)?.offer(typed, most, prices)).to_string())
    }

    /// The place of the nearest row in one direction with a `fault`, of the same `kind`, or that is an `llm_call`.
    #[must_use]
    pub fn seek(&self, number: u32, at: usize, forward: bool, what: &str) -> Option<String> {
        self.documents.get(&number)?.seek(at, forward, what).map(|at| at.to_string())
    }

    /// The run at the top (`run` is empty), or the one inside the step of that path with its dot, as a drawing;
    /// `timed` in the scale of time, if its steps tell when they began.
    #[must_use]
    pub fn strip(&self, number: u32, run: &str, timed: bool) -> Option<String> {
        Some(json!(self.documents.get(&number)?.strip(run, timed)).to_string())
    }

    /// What the whole run consists of and what it took. `prices` is a table, or empty.
    #[must_use]
    pub fn totals(&self, number: u32, prices: &str) -> Option<String> {
        Some(json!(self.documents.get(&number)?.totals(prices)).to_string())
    }

    /// Where each step is in time, and where the run repeats itself.
    #[must_use]
    pub fn timeline(&self, number: u32) -> Option<String> {
        Some(self.documents.get(&number)?.timeline().to_string())
    }

    /// What is wrong with a table of prices, as a text in JSON; empty when nothing is.
    #[must_use]
    pub fn price_error(&self, prices: &str) -> String {
        Value::String(Prices::parse(prices).err().unwrap_or_default()).to_string()
    }

    /// The one edit that carries out a fix of a problem.
    #[must_use]
    pub fn fix(&self, number: u32, problem: usize, fix: usize) -> Option<String> {
        fixes::edit_of_fix(self.documents.get(&number)?, problem, fix).map(|edit| json!(edit).to_string())
    }

    /// The one edit that carries out every fix that is certain.
    #[must_use]
    pub fn fixed(&self, number: u32) -> Option<String> {
        fixes::edit_of_certain_fixes(self.documents.get(&number)?).map(|edit| json!(edit).to_string())
    }

    /// Why bytes are not opened.
    #[must_use]
    pub fn refuse(&self, bytes: &[u8]) -> String {
        let document = Document::open_bytes(bytes, &Limits::default());
        let found = document.diagnostics().first();
        let refusal = Refusal {
            reason: found.map(|found| found.message.clone()),
            help: found.and_then(|found| found.help.clone()),
        };
        json!(refusal).to_string()
    }

    /// The page is done with that document.
    pub fn forget(&mut self, number: u32) {
        self.documents.remove(&number);
    }
}
