//! The worker that reads the logs of other programs, which the page loads when the first one comes.

use std::cell::RefCell;

use js_sys::{Array, Object, Promise, Reflect};
use leptos::prelude::document;
use transcript_core::view::LogAnswer;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};

use super::decode::decode;
use super::folder::PickedFile;
use super::json::read_json;
use super::workers::WorkerError;

/// A question of which a [`LogAnswer`] follows.
#[derive(Debug)]
pub(crate) enum Question {
    /// Reads these files.
    Files(Vec<PickedFile>),
    /// Reads this named text, of the program that a person chose, if any.
    Text(String, String, Option<&'static str>),
    /// Reads this session of the last files, with the same program.
    Session(String, Option<&'static str>),
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
pub(crate) async fn ask(question: Question) -> Result<LogAnswer, WorkerError> {
    if matches!(question, Question::Files(_) | Question::Text(..)) {
        stop();
    }
    read(&send(&started()?, message(question)?).await?)
}

/// The text of one of the last files.
///
/// # Errors
///
/// When the worker refuses, fails or does not load.
pub(crate) async fn text_of(path: String) -> Result<String, WorkerError> {
    send(&started()?, object(&[("text", path.into())])?).await
}

/// Asks a worker of its own, which ends then: what is being read goes on.
///
/// # Errors
///
/// When the worker refuses, fails or does not load.
pub(crate) async fn ask_apart(question: Question) -> Result<LogAnswer, WorkerError> {
    let message = message(question)?;
    let worker = start("data-logs")?;
    let answer = send(&worker, message).await;
    worker.terminate();
    read(&answer?)
}

fn started() -> Result<Worker, JsValue> {
    if let Some(worker) = WORKER.with_borrow(Clone::clone) {
        return Ok(worker);
    }
    let worker = start("data-logs")?;
    WORKER.set(Some(worker.clone()));
    Ok(worker)
}

fn read(answer: &str) -> Result<LogAnswer, WorkerError> {
    let answer = read_json(answer).map_err(|error| WorkerError::Unreadable(error.to_string()))?;
    Ok(decode(&answer))
}

async fn send(worker: &Worker, message: JsValue) -> Result<String, WorkerError> {
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

fn object(entries: &[(&str, JsValue)]) -> Result<JsValue, JsValue> {
    let object = Object::new();
    for (key, value) in entries {
        Reflect::set(&object, &(*key).into(), value)?;
    }
    Ok(object.into())
}

fn message(question: Question) -> Result<JsValue, JsValue> {
    match question {
        Question::Files(files) => {
            let list = Array::new();
            for picked in files {
                list.push(&object(&[("path", picked.path.into()), ("file", picked.file.into())])?);
            }
            object(&[("files", list.into())])
        }
        Question::Text(path, text, from) => {
            let file = object(&[("path", path.into()), ("text", text.into())])?;
            object(&[("files", Array::of1(&file).into()), ("from", from.into())])
        }
        Question::Session(session, from) => object(&[("session", session.into()), ("from", from.into())]),
    }
}
