//! A document that lives on the Rust side.

use transcript_core::document::Document;
use transcript_core::replay::Origin;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::checking::{Subject, check};
use crate::{answer, options, run, state, writing};

/// One opened text. Everything but its limits is an answer, never an exception.
#[wasm_bindgen]
#[derive(Debug)]
pub struct DocumentHandle {
    document: Document,
    file: String,
}

impl DocumentHandle {
    pub(crate) fn document(&self) -> &Document {
        &self.document
    }

    /// The text under the name of its file.
    pub(crate) fn origin(&self) -> Origin {
        self.document.origin(&self.file)
    }

    pub(crate) fn into_document(self) -> Document {
        self.document
    }
}

#[wasm_bindgen]
impl DocumentHandle {
    /// Opens a text; `file` is the name that diagnostics give, `options` is JSON.
    ///
    /// # Errors
    /// When the options cannot be read.
    pub fn open(text: &str, file: String, options: &str) -> Result<Self, JsError> {
        let options = options::options(options)?;
        Ok(Self { document: Document::open_with(text, &options), file })
    }

    /// Opens the bytes of a file.
    ///
    /// # Errors
    /// When the options cannot be read.
    #[wasm_bindgen(js_name = openBytes)]
    pub fn open_bytes(bytes: &[u8], file: String, options: &str) -> Result<Self, JsError> {
        let options = options::options(options)?;
        Ok(Self { document: Document::open_bytes_with(bytes, &options), file })
    }

    /// The placeholder of a document of `bytes` bytes that is too large to copy here; nothing when it
    /// is not too large.
    ///
    /// # Errors
    /// When the options cannot be read.
    #[wasm_bindgen(js_name = tooLarge)]
    pub fn too_large(bytes: usize, file: String, options: &str) -> Result<Option<Self>, JsError> {
        let options = options::options(options)?;
        Ok(Document::too_large(bytes, &options.limits).map(|document| Self { document, file }))
    }

    /// Whether there is no error.
    #[wasm_bindgen(js_name = isOk)]
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.document.is_ok()
    }

    /// Whether the whole text could be read as a transcript.
    #[wasm_bindgen(js_name = isReadable)]
    #[must_use]
    pub fn is_readable(&self) -> bool {
        self.document.is_readable()
    }

    /// Whether the whole text could be read and nothing of its run is missing, so that assertions can be held
    /// against it.
    #[wasm_bindgen(js_name = isWhole)]
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.document.is_whole()
    }

    /// The diagnostics as a JSON list.
    #[must_use]
    pub fn diagnostics(&self) -> String {
        answer::diagnostics(&self.document, &self.file)
    }

    /// Why there is no full form though the document can be read, as a JSON list.
    #[must_use]
    pub fn refusal(&self) -> String {
        answer::refusal(&self.document, &self.file)
    }

    /// The same as a compiler prints it.
    #[wasm_bindgen(js_name = renderRefusal)]
    #[must_use]
    pub fn render_refusal(&self, color: bool) -> String {
        answer::render_refusal(&self.document, &self.file, color)
    }

    /// The diagnostics as a compiler prints them.
    #[must_use]
    pub fn render(&self, color: bool) -> String {
        answer::render(&self.document, &self.file, color)
    }

    /// The card of the document as a JSON map.
    #[must_use]
    pub fn overview(&self) -> String {
        answer::overview(&self.document)
    }

    /// The rows of the step list as a JSON list.
    #[must_use]
    pub fn steps(&self) -> String {
        answer::steps(&self.document)
    }

    /// The three layers at one step as a JSON map.
    #[must_use]
    pub fn step(&self, path: &str) -> Option<String> {
        answer::step(&self.document, path)
    }

    /// The state after a step, by its path such as `2` or `2.1`, as a JSON map.
    #[must_use]
    pub fn state(&self, path: &str) -> Option<String> {
        let (timeline, step) = self.document.timeline_at(path)?;
        state::state(timeline, step).map(|state| answer::json(&state))
    }

    /// What changed between two steps of one run, by their paths, as a JSON map; a text when there are no such steps.
    #[must_use]
    pub fn changes(&self, from: &str, to: &str) -> String {
        match self.document.changes(from, to) {
            Ok(changes) => answer::json(&changes),
            Err(why) => answer::json(&why.to_string()),
        }
    }

    /// Settings, context and tool calls of the recording as a JSON map.
    #[must_use]
    pub fn expectations(&self) -> Option<String> {
        self.document.timeline().map(|timeline| answer::json(&run::expectations(timeline)))
    }

    /// The full transcript as `yaml` or `json`; `how` specifies what is written once or elsewhere, as JSON.
    ///
    /// # Errors
    /// When `how` cannot be read.
    pub fn expanded(&self, format: &str, how: &str) -> Result<Option<String>, JsError> {
        writing::expanded(&self.document, format, how).map_err(JsError::from)
    }

    /// The other files that the document names, as a JSON list.
    #[must_use]
    pub fn references(&self) -> String {
        answer::json(&self.document.references())
    }

    /// The outcomes of the assertions, held against the document's own run, as a JSON map.
    ///
    /// # Errors
    /// Never.
    pub fn check(&self, color: bool) -> Result<String, JsError> {
        self.checked(Subject::Own, color)
    }

    /// The same against an actual run, JSON in and out.
    ///
    /// # Errors
    /// What is wrong with the provided run.
    #[wasm_bindgen(js_name = checkRun)]
    pub fn check_run(&self, run: &str, color: bool) -> Result<String, JsError> {
        self.checked(Subject::Run(run), color)
    }

    /// The same against the run of another document.
    ///
    /// # Errors
    /// Never.
    #[wasm_bindgen(js_name = checkAgainst)]
    pub fn check_against(&self, other: &DocumentHandle, color: bool) -> Result<String, JsError> {
        self.checked(Subject::Other(&other.document), color)
    }

    fn checked(&self, subject: Subject<'_>, color: bool) -> Result<String, JsError> {
        check(&self.document, &self.file, subject, color).map_err(JsError::from)
    }
}
