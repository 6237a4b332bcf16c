//! Workers that answer questions: each is started by the first one, and a failed one is started anew.

use std::cell::RefCell;

use js_sys::{Array, Function, Promise};
use transcript_core::text::Table;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{ErrorEvent, MessageEvent, Worker};

use super::logs_worker;

/// One worker with the questions it has not answered.
#[derive(Debug)]
struct RunningWorker {
    worker: Worker,
    /// Who waits, by the number of the question: what takes the answer, and what takes a failure.
    waiting: Table<u32, (Function, Function)>,
    _on_message: Closure<dyn Fn(MessageEvent)>,
    _on_error: Closure<dyn Fn(ErrorEvent)>,
}

#[derive(Debug, Default)]
struct WorkerPool {
    running: Table<&'static str, RunningWorker>,
    requests: u32,
}

impl WorkerPool {
    fn started(&mut self, attribute: &'static str) -> Result<Worker, JsValue> {
        if let Some(running) = self.running.get(attribute) {
            return Ok(running.worker.clone());
        }
        let running = start(attribute)?;
        let worker = running.worker.clone();
        self.running.insert(attribute, running);
        Ok(worker)
    }
}

thread_local! {
    static WORKERS: RefCell<WorkerPool> = RefCell::default();
}

/// Asks the worker that the page names in `attribute`; `parts` follow the number of the question.
///
/// # Errors
///
/// Gives the worker's reason, or that of a file that did not come.
pub(super) async fn ask(attribute: &'static str, parts: &[JsValue]) -> Result<String, String> {
    let promise = post(attribute, parts).map_err(reason_of)?;
    let answer = JsFuture::from(promise).await.map_err(reason_of)?;
    Ok(answer.as_string().unwrap_or_default())
}

/// Starts the worker ahead of the first question, which is then answered sooner.
pub(super) fn warm(attribute: &'static str) {
    // One that does not come is started anew by the first question, whose failure is told.
    drop(WORKERS.with_borrow_mut(|pool| pool.started(attribute)));
}

/// Tells the worker something that has no answer, if it is there.
pub(super) fn notify(attribute: &'static str, parts: &[JsValue]) {
    let worker =
        WORKERS.with_borrow(|pool| pool.running.get(attribute).map(|running| running.worker.clone()));
    if let Some(worker) = worker {
        drop(worker.post_message(&message(0, parts)));
    }
}

/// Ends the worker with everything it is about; who waits is told so.
pub(super) fn stop(attribute: &'static str) {
    fail(attribute, "it was stopped");
}

fn post(attribute: &'static str, parts: &[JsValue]) -> Result<Promise, JsValue> {
    let (number, worker) = WORKERS.with_borrow_mut(|pool| {
        pool.requests += 1;
        Ok::<_, JsValue>((pool.requests, pool.started(attribute)?))
    })?;
    let promise = Promise::new(&mut |done, failed| {
        WORKERS.with_borrow_mut(|pool| {
            if let Some(running) = pool.running.get_mut(attribute) {
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

fn start(attribute: &'static str) -> Result<RunningWorker, JsValue> {
    let worker = logs_worker::start(attribute)?;
    let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        let reply: Array = event.data().unchecked_into();
        let number = reply.get(0).as_f64().unwrap_or_default();
        let waiting =
            WORKERS.with_borrow_mut(|pool| pool.running.get_mut(attribute)?.waiting.remove(&(number as u32)));
        let Some((done, failed)) = waiting else { return };
        let answer = reply.get(1);
        let outcome = match answer.is_string() {
            true => done.call1(&JsValue::NULL, &answer),
            false => failed.call1(&JsValue::NULL, &reply.get(2)),
        };
        drop(outcome);
    });
    let on_error = Closure::<dyn Fn(ErrorEvent)>::new(move |event: ErrorEvent| {
        fail(attribute, &event.message());
    });
    worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
    Ok(RunningWorker { worker, waiting: Table::new(), _on_message: on_message, _on_error: on_error })
}

fn fail(attribute: &'static str, reason: &str) {
    let Some(running) = WORKERS.with_borrow_mut(|pool| pool.running.remove(attribute)) else { return };
    running.worker.terminate();
    for (_, failed) in running.waiting.values() {
        drop(failed.call1(&JsValue::NULL, &reason.into()));
    }
}

fn reason_of(error: JsValue) -> String {
    error
        .as_string()
        .or_else(|| error.dyn_into::<js_sys::Error>().ok().map(|error| error.message().into()))
        .unwrap_or_default()
}
