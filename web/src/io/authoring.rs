//! The worker that writes, changes, compares and simulates, which the page loads when something of that is wanted.
//!
//! It is built of the same crate as `authoring.wasm` of the npm package: the same input gives the same bytes there and here.

use std::marker::PhantomData;

use serde_json::Value;
use transcript_core::view::question::{CallOf, Operation, Start};
use wasm_bindgen::JsValue;

use super::decode::decode;
use super::json::read_json;
use super::workers::{self, WorkerError};

const WORKER: &str = "data-author";

/// Asks about a text.
///
/// # Errors
///
/// When the question is misused or the worker does not come. A text with mistakes is no error: its answer says so.
pub(crate) fn ask<Q: Operation>(question: Q) -> impl Future<Output = Result<Q::Answer, WorkerError>> {
    let parts = parts_of(question.name(), question.text(), question.other(), question.options());
    async { Ok(decode(&send(parts).await?)) }
}

/// The same for a script; the answer is JSON for it.
pub(super) async fn ask_for_script(question: impl Operation) -> Result<JsValue, JsValue> {
    let parts = parts_of(question.name(), question.text(), question.other(), question.options());
    answer_script(parts).await
}

/// Asks what a script asks: an operation, one text or two, and options in JSON. The answer is JSON for it.
pub(super) async fn forward(mut parts: Vec<JsValue>) -> Result<JsValue, JsValue> {
    parts.insert(0, "author".into());
    answer_script(parts).await
}

async fn answer_script(parts: Vec<JsValue>) -> Result<JsValue, JsValue> {
    let answer = workers::ask(WORKER, &parts).await;
    answer.map(JsValue::from).map_err(|error| error.to_string().into())
}

#[inline(never)]
fn parts_of(operation: &str, text: &str, other: &str, options: Value) -> Vec<JsValue> {
    ["author", operation, text, other, &options.to_string()].map(JsValue::from_str).into()
}

/// The handle of an object that the worker holds, made with `S`. Dropping it frees the object there.
#[derive(Debug)]
pub(crate) struct WorkerHandle<S> {
    key: HeldKey,
    made_with: PhantomData<S>,
}

impl<S: Start> WorkerHandle<S> {
    /// Begins one with that text.
    ///
    /// # Errors
    ///
    /// When it cannot begin.
    pub(crate) async fn begin(text: &str, start: S) -> Result<Self, WorkerError> {
        let key = hold(S::KIND, text, start.options()).await?;
        Ok(Self { key, made_with: PhantomData })
    }

    /// Asks it.
    ///
    /// # Errors
    ///
    /// When it does not expect the question now.
    pub(crate) fn ask<Q: CallOf<S>>(
        &self,
        question: Q,
    ) -> impl Future<Output = Result<Q::Answer, WorkerError>> {
        let parts = self.key.parts_of(question.name(), question.options());
        async { Ok(decode(&send(parts).await?)) }
    }
}

/// The key of an object that the worker holds.
#[derive(Debug)]
struct HeldKey(u32);

impl HeldKey {
    #[inline(never)]
    fn parts_of(&self, method: &str, argument: Value) -> Vec<JsValue> {
        vec!["call".into(), self.0.into(), method.into(), argument.to_string().into()]
    }
}

impl Drop for HeldKey {
    fn drop(&mut self) {
        // The object of a worker that has ended is gone with it; another one must not be started for this.
        workers::notify(WORKER, &["drop".into(), self.0.into()]);
    }
}

async fn hold(kind: &str, text: &str, options: Value) -> Result<HeldKey, WorkerError> {
    let options = options.to_string();
    let parts = ["hold", kind, text, &options].map(JsValue::from_str);
    let key = workers::ask(WORKER, &parts).await?;
    match key.parse() {
        Ok(key) => Ok(HeldKey(key)),
        Err(_) => Err(WorkerError::Unreadable(key)),
    }
}

/// The answer of the worker as data.
async fn send(parts: Vec<JsValue>) -> Result<Value, WorkerError> {
    let answer = workers::ask(WORKER, &parts).await?;
    read_json(&answer).map_err(|error| WorkerError::Unreadable(error.to_string()))
}

#[cfg(test)]
mod tests;
