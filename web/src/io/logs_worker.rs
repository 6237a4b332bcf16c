//! The worker that reads the logs of other programs, which the page loads when the first one comes.

use std::cell::RefCell;

use js_sys::{Array, Object, Promise, Reflect};
use leptos::prelude::document;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};

use super::folder::PickedFile;
use super::workers::WorkerError;

/// A request to it.
#[derive(Debug)]
pub(crate) enum Question {
    /// Reads these files.
    Files(Vec<PickedFile>),
    /// Reads this named text, of the program that a person chose, if any.
    Text(String, String, Option<&'static str>),
    /// Reads this session of the last files, with the same program.
    Session(String, Option<&'static str>),
    /// The text of one of them.
    TextOf(String),
}

thread_local! {
    static WORKER: RefCell<Option<Worker>> = const { RefCell::new(None) };
}

/// Aborts the current reading. Its callers get no answer.
pub(crate) fn stop() {
    if let Some(worker) = WORKER.take() {
        worker.terminate();
    }
}

/// Asks; new files abort the current reading.
///
/// # Errors
///
/// When the worker refuses, fails or does not load.
pub(crate) async fn ask(question: Question) -> Result<String, WorkerError> {
    if matches!(question, Question::Files(_) | Question::Text(..)) {
        stop();
    }
    let worker = match WORKER.with_borrow(Clone::clone) {
        Some(worker) => worker,
        None => {
            let worker = start("data-logs")?;
            WORKER.set(Some(worker.clone()));
            worker
        }
    };
    ask_worker(&worker, question).await
}

/// Asks a worker of its own, which ends then: what is being read goes on.
///
/// # Errors
///
/// When the worker refuses, fails or does not load.
pub(crate) async fn ask_apart(question: Question) -> Result<String, WorkerError> {
    let worker = start("data-logs")?;
    let answer = ask_worker(&worker, question).await;
    worker.terminate();
    answer
}

async fn ask_worker(worker: &Worker, question: Question) -> Result<String, WorkerError> {
    let message = message(question)?;
    let mut posted = Ok(());
    let promise = Promise::new(&mut |done, failed| {
        worker.set_onmessage(Some(&done));
        worker.set_onerror(Some(&failed));
        posted = worker.post_message(&message);
    });
    posted?;
    let event = JsFuture::from(promise).await.map_err(WorkerError::from_event)?;
    let answer = event.unchecked_into::<MessageEvent>().data();
    answer.as_string().ok_or_else(|| {
        let reason = Reflect::get(&answer, &"failed".into()).ok().and_then(|reason| reason.as_string());
        WorkerError::with_reason(reason.unwrap_or_default(), WorkerError::Refused)
    })
}

/// Starts the worker named in that attribute of the page, since the name of its file changes with its content.
pub(super) fn start(attribute: &str) -> Result<Worker, JsValue> {
    let named = document().get_element_by_id("app").and_then(|app| app.get_attribute(attribute));
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    // Its messages are in the language of its name.
    options.set_name(&super::page::language());
    Worker::new_with_options(&format!("./{}.js", named.unwrap_or_default()), &options)
}

fn message(question: Question) -> Result<JsValue, JsValue> {
    let of = |entries: &[(&str, JsValue)]| {
        let object = Object::new();
        for (key, value) in entries {
            Reflect::set(&object, &(*key).into(), value)?;
        }
        Ok::<JsValue, JsValue>(object.into())
    };
    match question {
        Question::Files(files) => {
            let list = Array::new();
            for picked in files {
                list.push(&of(&[("path", picked.path.into()), ("file", picked.file.into())])?);
            }
            of(&[("files", list.into())])
        }
        Question::Text(path, text, from) => {
            let file = of(&[("path", path.into()), ("text", text.into())])?;
            of(&[("files", Array::of1(&file).into()), ("from", from.into())])
        }
        Question::Session(session, from) => of(&[("session", session.into()), ("from", from.into())]),
        Question::TextOf(path) => of(&[("text", path.into())]),
    }
}
