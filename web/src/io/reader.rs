//! The worker that reads the source, which the page loads with the first document or when a person stirs.

use leptos::prelude::{WindowListenerHandle, window_event_listener_untyped};
use serde_json::Value;
use std::cell::RefCell;
use transcript_core::view::{
    FoundStep, ReadAnswer, Refusal, RunStrip, RunTotals, StepAnswer, TabRequest, TextEdit,
};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Event, MouseEvent};

use super::decode::decode;
use super::json::read_json;
use super::prices;
use super::workers::{self, WorkerError};

const WORKER: &str = "data-reader";

/// The first events of a user, before anything is opened.
const ACTIVITY_EVENTS: [&str; 4] = ["pointermove", "pointerdown", "keydown", "dragenter"];

/// Called when the worker fails.
type FailureHandler = Box<dyn Fn(WorkerError)>;

thread_local! {
    static ON_FAILURE: RefCell<Option<FailureHandler>> = const { RefCell::new(None) };
    static AWAITED: RefCell<Vec<WindowListenerHandle>> = const { RefCell::new(Vec::new()) };
}

/// The handle of a document that the worker holds. Dropping it frees the document there.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DocumentHandle(u32);

impl DocumentHandle {
    /// The document of that number. None has zero.
    pub(crate) fn new(number: u32) -> Self {
        Self(number)
    }

    pub(crate) fn number(&self) -> u32 {
        self.0
    }
}

impl Drop for DocumentHandle {
    fn drop(&mut self) {
        if self.0 > 0 {
            workers::notify(WORKER, &["forget".into(), self.0.into()]);
        }
    }
}

/// Calls `handler` whenever the worker fails. The next question restarts it.
pub(crate) fn on_failure(handler: impl Fn(WorkerError) + 'static) {
    ON_FAILURE.set(Some(Box::new(handler)));
}

/// Loads the worker: `now`, or on the first interaction. The first screen alone never loads it.
pub(crate) fn warm(now: bool) {
    let awaited = AWAITED.take();
    if now {
        workers::warm(WORKER);
    } else {
        AWAITED.set(ACTIVITY_EVENTS.map(|sign| window_event_listener_untyped(sign, on_activity)).into());
    }
    for listener in awaited {
        listener.remove();
    }
}

fn on_activity(event: Event) {
    // A browser reports a pointer that lies still when the page appears below it.
    let is_still = |event: &MouseEvent| event.movement_x() == 0 && event.movement_y() == 0;
    if event.type_() != "pointermove" || !is_still(event.unchecked_ref()) {
        warm(true);
    }
}

/// Reads a text under that number; with the answer come the pieces that begin at these rows and problems.
pub(crate) async fn read(number: u32, text: &str, rows: &[u32], problems: &[u32]) -> Option<ReadAnswer> {
    let list = |starts: &[u32]| js_sys::Uint32Array::from(starts).into();
    ask("read", number, &[text.into(), list(rows), list(problems)]).await.map(|answer| decode(&answer))
}

/// The piece of the `rows` or `problems` of a document that begins there.
pub(crate) async fn piece(number: u32, what: &str, start: u32) -> Option<Value> {
    ask("piece", number, &[what.into(), start.into()]).await
}

/// The step of the row at `at`; of its lists the last page of `page` messages.
pub(crate) async fn step(number: u32, at: usize, page: usize) -> Option<StepAnswer> {
    ask("step", number, &[at.into(), page.into()]).await.map(|answer| decode(&answer))
}

/// Another page of one of these lists.
pub(crate) async fn messages(number: u32, at: usize, what: &str, start: usize, page: usize) -> Option<Value> {
    ask("messages", number, &[at.into(), what.into(), start.into(), page.into()]).await
}

/// What a tab of the inspector shows of that step.
pub(crate) async fn look(number: u32, at: usize, request: &TabRequest) -> Option<Value> {
    let request = serde_json::to_string(request).unwrap_or_default();
    ask("look", number, &[at.into(), request.into()]).await
}

/// The edit of a fix of a problem, or of every fix that is certain.
pub(crate) async fn fix(number: u32, fix: Option<(usize, usize)>) -> Option<TextEdit> {
    let edit = match fix {
        Some((problem, fix)) => ask("fix", number, &[problem.into(), fix.into()]).await,
        None => ask("fixed", number, &[]).await,
    };
    edit.map(|edit| decode(&edit))
}

/// The table of prices, if the query may be about costs.
async fn prices_for(typed: &str) -> String {
    if typed.to_ascii_lowercase().contains("cost") { prices::table().await } else { String::new() }
}

/// The places of the rows that match the query, separated by spaces.
pub(crate) async fn find(number: u32, typed: &str) -> Option<String> {
    let prices = prices_for(typed).await;
    ask("find", number, &[typed.into(), prices.into()]).await.map(|answer| decode(&answer))
}

/// The first rows that match the query.
pub(crate) async fn offer(number: u32, typed: &str, most: usize) -> Option<Vec<FoundStep>> {
    let prices = prices_for(typed).await;
    ask("offer", number, &[typed.into(), most.into(), prices.into()]).await.map(|answer| decode(&answer))
}

/// The place of the nearest row in one direction with a `fault`, of the same `kind`, or that is an `llm_call`.
pub(crate) async fn seek(number: u32, at: usize, forward: bool, what: &str) -> Option<usize> {
    ask("seek", number, &[at.into(), forward.into(), what.into()])
        .await
        .map(|answer| decode::<u32>(&answer) as usize)
}

/// The run at the top, or the one inside the step of that path with its dot, as a drawing; `timed` in the
/// scale of time.
pub(crate) async fn strip(number: u32, run: &str, timed: bool) -> Option<RunStrip> {
    ask("strip", number, &[run.into(), timed.into()]).await.map(|answer| decode(&answer))
}

/// What the whole run consists of, what it took and, by this table, what it cost.
pub(crate) async fn totals(number: u32, prices: String) -> Option<RunTotals> {
    ask("totals", number, &[prices.into()]).await.map(|answer| decode(&answer))
}

/// Where each step is in time, and where the run repeats itself.
pub(crate) async fn timeline(number: u32) -> Option<Value> {
    ask("timeline", number, &[]).await
}

/// What is wrong with a table of prices; empty when nothing is.
pub(crate) async fn price_error(table: &str) -> Option<String> {
    send(&["price_error".into(), table.into()]).await.map(|answer| decode(&answer))
}

/// Why bytes are not opened.
pub(crate) async fn refuse(bytes: &[u8]) -> Option<Refusal> {
    send(&["refuse".into(), js_sys::Uint8Array::from(bytes).into()]).await.map(|answer| decode(&answer))
}

async fn ask(method: &str, number: u32, rest: &[JsValue]) -> Option<Value> {
    // Of no document there is nothing to say, and no worker has to come for that.
    if number == 0 {
        return None;
    }
    let mut parts: Vec<JsValue> = vec![method.into(), number.into()];
    parts.extend_from_slice(rest);
    send(&parts).await
}

/// The answer; nothing when there is none, or when the worker failed, which [`on_failure`] reports.
async fn send(parts: &[JsValue]) -> Option<Value> {
    let error = match workers::ask(WORKER, parts).await {
        Ok(answer) => match read_json(&answer) {
            Ok(answer) => return Some(answer).filter(|answer: &Value| !answer.is_null()),
            Err(error) => WorkerError::Unreadable(error.to_string()),
        },
        Err(error) => error,
    };
    workers::stop(WORKER);
    ON_FAILURE.with_borrow(|handler| {
        if let Some(handler) = handler {
            handler(error);
        }
    });
    None
}
