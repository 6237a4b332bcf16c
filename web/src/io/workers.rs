//! Workers that answer questions: the first one starts each, and a failed one is restarted.

use std::cell::RefCell;
use std::fmt;

use js_sys::{Array, Function, Promise};
use leptos::prelude::document;
use transcript_core::text::Table;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};

use crate::strings::text;

/// Why a worker gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WorkerError {
    /// Its file, or the module that the file loads, did not come.
    NotLoaded,
    /// It was stopped before it answered.
    Stopped,
    /// It ended with an error; the browser's message.
    Crashed(String),
    /// It refused the request; its message.
    Refused(String),
    /// Its answer could not be decoded, for that reason.
    Unreadable(String),
}

impl WorkerError {
    /// The error of an event of the worker. One without a reason is of a file that did not come.
    fn from_event(event: JsValue) -> Self {
        let message = event.dyn_into::<ErrorEvent>().map(|event| event.message());
        Self::with_reason(message.unwrap_or_default(), Self::Crashed)
    }

    /// Workers give no reason when their module did not come.
    fn with_reason(reason: String, kind: fn(String) -> Self) -> Self {
        if reason.is_empty() { Self::NotLoaded } else { kind(reason) }
    }
}

/// A text is the reason of a worker, an error or an event that of the browser, and `undefined` means a worker that was
/// stopped.
impl From<JsValue> for WorkerError {
    #[inline(never)]
    fn from(error: JsValue) -> Self {
        if error.is_undefined() {
            return Self::Stopped;
        }
        if let Some(reason) = error.as_string() {
            return Self::with_reason(reason, Self::Refused);
        }
        match error.dyn_into::<js_sys::Error>() {
            Ok(error) => Self::with_reason(error.message().into(), Self::Crashed),
            Err(event) => Self::from_event(event),
        }
    }
}

/// The reason without a final stop.
impl fmt::Display for WorkerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotLoaded => text::part_not_loaded(),
            Self::Stopped => "it was stopped",
            Self::Crashed(reason) | Self::Refused(reason) | Self::Unreadable(reason) => reason,
        })
    }
}

/// One worker with the questions it has not answered.
#[derive(Debug)]
struct RunningWorker {
    worker: Worker,
    /// The callbacks by the number of the question: for the answer, and for a failure.
    waiting: Table<u32, (Function, Function)>,
    _on_message: Closure<dyn Fn(MessageEvent)>,
    _on_error: Closure<dyn Fn(JsValue)>,
}

#[derive(Debug, Default)]
struct WorkerPool {
    running: Table<&'static str, RunningWorker>,
    requests: u32,
}

impl WorkerPool {
    fn started(&mut self, name: &'static str) -> Result<Worker, JsValue> {
        if let Some(running) = self.running.get(name) {
            return Ok(running.worker.clone());
        }
        let running = start(name)?;
        let worker = running.worker.clone();
        self.running.insert(name, running);
        Ok(worker)
    }
}

thread_local! {
    static WORKERS: RefCell<WorkerPool> = RefCell::default();
}

/// Asks the worker `name` at once, even before the future is polled; `parts` follow the number of the question. The name is the
/// attribute of the page with the worker's file, and a word after `#` where that file runs more than once.
///
/// # Errors
///
/// When the worker refuses, fails, is stopped or does not load.
pub(super) fn ask(
    name: &'static str,
    parts: &[JsValue],
) -> impl Future<Output = Result<String, WorkerError>> + use<> {
    let answer = post(name, parts).map(JsFuture::from);
    async { Ok(answer?.await?.as_string().unwrap_or_default()) }
}

/// Starts the worker ahead of the first question, which is then answered sooner.
pub(super) fn warm(name: &'static str) {
    // If it fails, the first question starts it again and reports a failure.
    drop(WORKERS.with_borrow_mut(|pool| pool.started(name)));
}

/// Sends the worker something that has no answer, if it is there.
pub(super) fn notify(name: &'static str, parts: &[JsValue]) {
    let worker = WORKERS.with_borrow(|pool| pool.running.get(name).map(|running| running.worker.clone()));
    if let Some(worker) = worker {
        drop(worker.post_message(&message(0, parts)));
    }
}

/// Ends the worker with everything it is about; its callers get [`WorkerError::Stopped`].
pub(super) fn stop(name: &'static str) {
    fail(name, &JsValue::UNDEFINED);
}

fn post(name: &'static str, parts: &[JsValue]) -> Result<Promise, JsValue> {
    let (number, worker) = WORKERS.with_borrow_mut(|pool| {
        pool.requests += 1;
        Ok::<_, JsValue>((pool.requests, pool.started(name)?))
    })?;
    let promise = Promise::new(&mut |done, failed| {
        WORKERS.with_borrow_mut(|pool| {
            if let Some(running) = pool.running.get_mut(name) {
                running.waiting.insert(number, (done, failed));
            }
        });
    });
    worker.post_message(&message(number, parts))?;
    Ok(promise)
}

fn message(number: u32, parts: &[JsValue]) -> Array {
    let message = Array::of1(&number.into());
    for part in parts {
        message.push(part);
    }
    message
}

/// Starts the worker named in that attribute of the page, since the name of its file changes with its content.
pub(super) fn start_file(attribute: &str) -> Result<Worker, JsValue> {
    let named = document().get_element_by_id("app").and_then(|app| app.get_attribute(attribute));
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    // Its messages are in the language of its name.
    options.set_name(&super::page::language());
    Worker::new_with_options(&format!("./{}.js", named.unwrap_or_default()), &options)
}

fn start(name: &'static str) -> Result<RunningWorker, JsValue> {
    let worker = start_file(name.split('#').next().unwrap_or(name))?;
    let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        let reply: Array = event.data().unchecked_into();
        let Some(number) = reply.get(0).as_f64() else { return fail(name, &reply.get(2)) };
        let waiting =
            WORKERS.with_borrow_mut(|pool| pool.running.get_mut(name)?.waiting.remove(&(number as u32)));
        let Some((done, failed)) = waiting else { return };
        let answer = reply.get(1);
        let outcome = match answer.is_string() {
            true => done.call1(&JsValue::NULL, &answer),
            false => failed.call1(&JsValue::NULL, &reply.get(2)),
        };
        drop(outcome);
    });
    let on_error = Closure::<dyn Fn(JsValue)>::new(move |event: JsValue| fail(name, &event));
    worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
    Ok(RunningWorker { worker, waiting: Table::new(), _on_message: on_message, _on_error: on_error })
}

fn fail(name: &'static str, error: &JsValue) {
    let Some(running) = WORKERS.with_borrow_mut(|pool| pool.running.remove(name)) else { return };
    // What it has sent by now may still come.
    running.worker.set_onmessage(None);
    running.worker.set_onerror(None);
    running.worker.terminate();
    for (_, failed) in running.waiting.values() {
        drop(failed.call1(&JsValue::NULL, error));
    }
}
