//! The worker that reads and writes the file of `transcript open`. A page that was opened in any other way loads and
//! asks nothing.

use std::cell::RefCell;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, Worker};

use super::workers;

/// An event of the worker.
#[derive(Debug)]
pub(crate) enum ServedFileEvent {
    /// The requested file.
    File {
        name: String,
        /// The same for the same file every time.
        id: String,
        found: FileVersion,
        read_only: bool,
        autosave: bool,
    },
    /// A log is to be followed, which the worker of the logs does.
    Log,
    /// Something else has written or removed the file.
    Changed(FileVersion),
    /// The text sent is in the file, which has this version.
    Saved(String),
    /// It is not, since the file is another one by now.
    Conflict(FileVersion),
    /// It is not, or the file cannot be read; empty without an answer.
    Failed(String),
    /// Whether the program that serves the file has ended.
    Gone(bool),
}

/// A file as it is on the disk.
#[derive(Debug)]
pub(crate) struct FileVersion {
    /// Empty while there is no file.
    pub(crate) version: String,
    pub(crate) bytes: Option<Vec<u8>>,
}

thread_local! {
    static WORKER: RefCell<Option<Worker>> = const { RefCell::new(None) };
}

/// Loads the file of `token` and reports its events from now on, in place of any other.
pub(crate) fn open(token: &str, on_event: impl Fn(ServedFileEvent) + 'static) {
    stop();
    let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        if let Some(event_data) = read(&event.data().unchecked_into()) {
            on_event(event_data);
        }
    });
    // Without a worker the page goes on saying that it opens the file, which is all that is known.
    if let Ok(started) = workers::start_file("data-served") {
        started.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        on_message.forget();
        drop(started.post_message(&Array::of1(&token.into())));
        WORKER.set(Some(started));
    }
}

/// Has `text` written in place of that version of the file.
pub(crate) fn save(text: &str, version: &str) {
    WORKER.with_borrow(|worker| {
        drop(worker.as_ref().map(|worker| worker.post_message(&Array::of2(&text.into(), &version.into()))));
    });
}

/// Watches the file no longer.
pub(crate) fn stop() {
    if let Some(worker) = WORKER.take() {
        worker.terminate();
    }
}

fn read(message: &Array) -> Option<ServedFileEvent> {
    let text = |at| message.get(at).as_string().unwrap_or_default();
    let found = |at| FileVersion {
        version: text(at),
        bytes: message.get(at + 1).dyn_into::<Uint8Array>().ok().map(|bytes| bytes.to_vec()),
    };
    let yes = |at| message.get(at).is_truthy();
    Some(match text(0).as_str() {
        "file" => ServedFileEvent::File {
            name: text(1),
            id: text(2),
            found: found(3),
            read_only: yes(5),
            autosave: yes(6),
        },
        "log" => ServedFileEvent::Log,
        "changed" => ServedFileEvent::Changed(found(1)),
        "saved" => ServedFileEvent::Saved(text(1)),
        "conflict" => ServedFileEvent::Conflict(found(1)),
        "failed" => ServedFileEvent::Failed(text(1)),
        "gone" => ServedFileEvent::Gone(yes(1)),
        _ => return None,
    })
}
