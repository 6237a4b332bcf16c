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
struct Running {
    worker: Worker,
    /// Who waits, by the number of the question: what takes the answer, and what takes a failure.
    waiting: Table<u32, (Function, Function)>,
    _heard: Closure<dyn Fn(MessageEvent)>,
    _broken: Closure<dyn Fn(ErrorEvent)>,
}

#[derive(Debug, Default)]
struct Engines {
    running: Table<&'static str, Running>,
    asked: u32,
}

impl Engines {
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
    static ENGINES: RefCell<Engines> = RefCell::default();
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
    drop(ENGINES.with_borrow_mut(|engines| engines.started(attribute)));
}

/// Tells the worker something that has no answer, if it is there.
pub(super) fn tell(attribute: &'static str, parts: &[JsValue]) {
    let worker =
        ENGINES.with_borrow(|engines| engines.running.get(attribute).map(|running| running.worker.clone()));
    if let Some(worker) = worker {
        drop(worker.post_message(&message(0, parts)));
    }
}

/// Ends the worker with everything it is about; who waits is told so.
pub(super) fn stop(attribute: &'static str) {
    fail(attribute, "it was stopped");
}

fn post(attribute: &'static str, parts: &[JsValue]) -> Result<Promise, JsValue> {
    let (number, worker) = ENGINES.with_borrow_mut(|engines| {
        engines.asked += 1;
        Ok::<_, JsValue>((engines.asked, engines.started(attribute)?))
    })?;
    let promise = Promise::new(&mut |done, failed| {
        ENGINES.with_borrow_mut(|engines| {
            if let Some(running) = engines.running.get_mut(attribute) {
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

fn start(attribute: &'static str) -> Result<Running, JsValue> {
    let worker = logs_worker::start(attribute)?;
    let heard = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        let told: Array = event.data().unchecked_into();
        let number = told.get(0).as_f64().unwrap_or_default();
        let waiting = ENGINES
            .with_borrow_mut(|engines| engines.running.get_mut(attribute)?.waiting.remove(&(number as u32)));
        let Some((done, failed)) = waiting else { return };
        let answer = told.get(1);
        let told = match answer.is_string() {
            true => done.call1(&JsValue::NULL, &answer),
            false => failed.call1(&JsValue::NULL, &told.get(2)),
        };
        drop(told);
    });
    let broken = Closure::<dyn Fn(ErrorEvent)>::new(move |event: ErrorEvent| {
        fail(attribute, &event.message());
    });
    worker.set_onmessage(Some(heard.as_ref().unchecked_ref()));
    worker.set_onerror(Some(broken.as_ref().unchecked_ref()));
    Ok(Running { worker, waiting: Table::new(), _heard: heard, _broken: broken })
}

fn fail(attribute: &'static str, reason: &str) {
    let Some(running) = ENGINES.with_borrow_mut(|engines| engines.running.remove(attribute)) else { return };
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
