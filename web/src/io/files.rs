//! Files and text that a person brings.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, Event, File, HtmlElement, HtmlInputElement, ReadableStreamDefaultReader, ReadableWritablePair,
};

use super::folder;

/// The contents of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileContents {
    pub(crate) name: String,
    /// The bytes, cut one byte past the limit.
    pub(crate) bytes: Vec<u8>,
    /// The size of the whole, in bytes; of a file in gzip, of what was read of it.
    pub(crate) size: usize,
}

/// A file that the browser cannot read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnreadableFile {
    pub(crate) name: String,
}

/// A file a person has chosen, not yet read.
pub(crate) type BrowserFile = File;

/// Whether bytes are the begin of a zip file, one of no entries among them.
pub(crate) fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// Whether bytes are the begin of what the module of logs unpacks: a zip file, one of Zstandard, or an SQLite
/// database.
pub(crate) fn is_packed(bytes: &[u8]) -> bool {
    is_zip(bytes) || bytes.starts_with(b"SQLite format 3\0") || bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd])
}

/// Reads a file, but no more than `limit` bytes and one; what is in gzip is decompressed, to no more than that.
///
/// # Errors
///
/// When the browser cannot read it.
pub(crate) async fn read(file: BrowserFile, limit: usize) -> Result<FileContents, UnreadableFile> {
    let name = file.name();
    let size = file.size();
    let read = async {
        let part = file.slice_with_f64_and_f64(0.0, size.min(limit as f64 + 1.0))?;
        let buffer = JsFuture::from(part.array_buffer()).await?;
        let bytes = js_sys::Uint8Array::new(&buffer).to_vec();
        if !bytes.starts_with(&GZIP) {
            return Ok::<_, JsValue>((bytes, size as usize));
        }
        let inner = decompress(&part, limit).await?;
        let size = inner.len();
        Ok((inner, size))
    };
    match read.await {
        Ok((bytes, size)) => {
            Ok(FileContents { name: name.strip_suffix(".gz").unwrap_or(&name).to_owned(), bytes, size })
        }
        Err(_) => Err(UnreadableFile { name }),
    }
}

/// What a file in gzip begins with.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The bytes in `packed`, at most `limit` and one, so that a small file cannot fill the memory.
async fn decompress(packed: &Blob, limit: usize) -> Result<Vec<u8>, JsValue> {
    // The bindings do not know this class.
    let class: js_sys::Function =
        js_sys::Reflect::get(&js_sys::global(), &"DecompressionStream".into())?.dyn_into()?;
    let stream = js_sys::Reflect::construct(&class, &js_sys::Array::of1(&"gzip".into()))?;
    let unpacked = packed.stream().pipe_through(stream.unchecked_ref::<ReadableWritablePair>());
    let reader: ReadableStreamDefaultReader = unpacked.get_reader().dyn_into()?;
    let mut bytes = Vec::new();
    loop {
        let chunk = JsFuture::from(reader.read()).await?;
        if js_sys::Reflect::get(&chunk, &"done".into())?.is_truthy() {
            return Ok(bytes);
        }
        let value: js_sys::Uint8Array = js_sys::Reflect::get(&chunk, &"value".into())?.dyn_into()?;
        bytes.extend(value.to_vec());
        if bytes.len() > limit {
            bytes.truncate(limit + 1);
            // The rest is not wanted; whether it could have been read does not matter any more.
            drop(reader.cancel());
            return Ok(bytes);
        }
    }
}

/// What was chosen in a file input, in which the same can be chosen again then.
pub(crate) fn chosen(event: &Event) -> Option<folder::FileSelection> {
    let input: HtmlInputElement = event.target()?.dyn_into().ok()?;
    let chosen = folder::from_file_list(&input.files()?);
    input.set_value("");
    chosen
}

/// Opens the browser's file dialog of the input of that id.
pub(crate) fn choose(id: &str) {
    if let Some(input) = document().get_element_by_id(id).and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
        input.click();
    }
}

/// Watches the whole window for files; `hovering` is whether one is above it.
pub(crate) fn on_drop(hovering: RwSignal<bool>, dropped: impl Fn(folder::FileSelection) + 'static) {
    fn carries_files(event: &ev::DragEvent) -> bool {
        event.data_transfer().is_some_and(|data| data.types().includes(&"Files".into(), 0))
    }
    let accept = move |event: ev::DragEvent| {
        if carries_files(&event) {
            event.prevent_default();
            hovering.set(true);
        }
    };
    // A drop right after the pointer reaches another element is accepted by `dragenter` alone.
    window_event_listener(ev::dragenter, accept);
    window_event_listener(ev::dragover, accept);
    window_event_listener(ev::dragleave, move |event| {
        // Leaving the window is leaving for nowhere; moving between elements is not.
        if event.related_target().is_none() {
            hovering.set(false);
        }
    });
    window_event_listener(ev::drop, move |event| {
        hovering.set(false);
        if let Some(brought) = event.data_transfer().and_then(|data| folder::from_drop(&data)) {
            event.prevent_default();
            dropped(brought);
        }
    });
}

/// Watches for text or a file pasted outside text fields.
pub(crate) fn on_paste(
    pasted_text: impl Fn(String) + 'static,
    pasted_files: impl Fn(folder::FileSelection) + 'static,
) {
    window_event_listener(ev::paste, move |event| {
        let target = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
        if target.is_some_and(|element| {
            element.closest("textarea, input, [contenteditable]").ok().flatten().is_some()
        }) {
            return;
        }
        let Some(data) = event.clipboard_data() else { return };
        if let Some(brought) = data.files().and_then(|files| folder::from_file_list(&files)) {
            pasted_files(brought);
        } else if let Ok(text) = data.get_data("text/plain")
            && !text.trim().is_empty()
        {
            pasted_text(text);
        }
    });
}
