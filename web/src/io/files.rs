//! Files and text that a person brings.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Event, File, FileList, HtmlElement, HtmlInputElement};

/// What was brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Brought {
    pub(crate) name: String,
    /// The bytes, cut one byte past the limit that was asked for.
    pub(crate) bytes: Vec<u8>,
    /// The size of the whole, in bytes.
    pub(crate) size: usize,
}

/// A file a person has chosen, not yet read.
pub(crate) type Chosen = File;

fn first(files: Option<FileList>) -> Option<File> {
    files.and_then(|files| files.get(0))
}

/// Reads a file, but no more than `limit` bytes and one.
///
/// # Errors
///
/// Gives the file's name when the browser cannot read it.
pub(crate) async fn read(file: Chosen, limit: usize) -> Result<Brought, String> {
    let name = file.name();
    let size = file.size();
    let read = async {
        let part = file.slice_with_f64_and_f64(0.0, size.min(limit as f64 + 1.0))?;
        let buffer = JsFuture::from(part.array_buffer()).await?;
        Ok::<_, JsValue>(js_sys::Uint8Array::new(&buffer).to_vec())
    };
    match read.await {
        Ok(bytes) => Ok(Brought { name, bytes, size: size as usize }),
        Err(_) => Err(name),
    }
}

/// The file chosen in a file input, which can then be asked again for the same file.
pub(crate) fn chosen(event: &Event) -> Option<File> {
    let input: HtmlInputElement = event.target()?.dyn_into().ok()?;
    let file = first(input.files());
    input.set_value("");
    file
}

/// Opens the browser's file dialog of the input of that id.
pub(crate) fn choose(id: &str) {
    if let Some(input) = document().get_element_by_id(id).and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
        input.click();
    }
}

/// Watches the whole window for files: `hovering` says whether one is above it.
pub(crate) fn on_drop(hovering: RwSignal<bool>, dropped: impl Fn(File) + 'static) {
    fn carries_files(event: &ev::DragEvent) -> bool {
        event.data_transfer().is_some_and(|data| data.types().includes(&"Files".into(), 0))
    }
    window_event_listener(ev::dragover, move |event| {
        if carries_files(&event) {
            event.prevent_default();
            hovering.set(true);
        }
    });
    window_event_listener(ev::dragleave, move |event| {
        // Leaving the window is leaving for nowhere; moving between elements is not.
        if event.related_target().is_none() {
            hovering.set(false);
        }
    });
    window_event_listener(ev::drop, move |event| {
        hovering.set(false);
        if let Some(file) = event.data_transfer().and_then(|data| first(data.files())) {
            event.prevent_default();
            dropped(file);
        }
    });
}

/// Watches for text or a file pasted outside text fields.
pub(crate) fn on_paste(pasted_text: impl Fn(String) + 'static, pasted_file: impl Fn(File) + 'static) {
    window_event_listener(ev::paste, move |event| {
        let target = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
        if target.is_some_and(|element| element.closest("textarea, input").ok().flatten().is_some()) {
            return;
        }
        let Some(data) = event.clipboard_data() else { return };
        if let Some(file) = first(data.files()) {
            pasted_file(file);
        } else if let Ok(text) = data.get_data("text/plain")
            && !text.trim().is_empty()
        {
            pasted_text(text);
        }
    });
}
