//! The worker that writes, changes, compares and simulates, which the page loads when something of that is wanted.
//!
//! It is built of the same crate as `authoring.wasm` of the npm package: the same input gives the same bytes there and here.

use serde_json::Value;
use wasm_bindgen::JsValue;

use super::json::read_json;
use super::workers::{self, WorkerError};

const WORKER: &str = "data-author";

/// Carries out an operation of `wasm-pkg/src/authoring` on one text or two.
///
/// # Errors
///
/// When the operation is misused or the worker does not come. A text with mistakes is no error: its answer says so.
pub(crate) async fn run_operation(
    operation: &str,
    text: &str,
    other: &str,
    options: &Value,
) -> Result<Value, WorkerError> {
    let options = options.to_string();
    let parts = ["author", operation, text, other, &options].map(JsValue::from_str);
    read(&workers::ask(WORKER, &parts).await?)
}

/// Runs an operation with the parts of [`run_operation`], from a script; the answer is JSON for it.
pub(super) async fn forward(mut parts: Vec<JsValue>) -> Result<JsValue, JsValue> {
    parts.insert(0, "author".into());
    let answer = workers::ask(WORKER, &parts).await;
    answer.map(JsValue::from).map_err(|error| error.to_string().into())
}

/// The handle of an object that the worker holds. Dropping it frees the object there.
#[derive(Debug)]
pub(crate) struct WorkerHandle {
    key: u32,
}

impl WorkerHandle {
    /// Begins a `simulation`, a `rerun` or `events` of that text; see the handles of `wasm-pkg/src`.
    ///
    /// # Errors
    ///
    /// When it cannot begin.
    pub(crate) async fn begin(kind: &str, text: &str, options: &Value) -> Result<Self, WorkerError> {
        let options = options.to_string();
        let parts = ["hold", kind, text, &options].map(JsValue::from_str);
        let key = workers::ask(WORKER, &parts).await?;
        match key.parse() {
            Ok(key) => Ok(Self { key }),
            Err(_) => Err(WorkerError::Unreadable(key)),
        }
    }

    /// Carries out a call of it by name.
    ///
    /// # Errors
    ///
    /// When there is no such call, or the handle does not expect its argument now.
    pub(crate) async fn call(&self, method: &str, argument: &Value) -> Result<Value, WorkerError> {
        let argument = argument.to_string();
        let parts = ["call".into(), self.key.into(), method.into(), argument.into()];
        read(&workers::ask(WORKER, &parts).await?)
    }
}

impl Drop for WorkerHandle {
    fn drop(&mut self) {
        let key = self.key;
        leptos::task::spawn_local(async move {
            drop(workers::ask(WORKER, &["drop".into(), key.into()]).await);
        });
    }
}

fn read(answer: &str) -> Result<Value, WorkerError> {
    read_json(answer).map_err(|error| WorkerError::Unreadable(error.to_string()))
}
