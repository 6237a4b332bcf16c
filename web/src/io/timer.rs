//! Things done later.

use std::time::Duration;

use leptos::leptos_dom::helpers::{TimeoutHandle, set_timeout_with_handle};
use leptos::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// One thing to be done after a quiet while; asking again starts the while anew.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Debounce(StoredValue<Option<TimeoutHandle>>);

impl Debounce {
    pub(crate) fn new() -> Self {
        Self(StoredValue::new(None))
    }

    pub(crate) fn run(self, milliseconds: u64, task: impl FnOnce() + 'static) {
        self.cancel();
        let handle = set_timeout_with_handle(task, Duration::from_millis(milliseconds));
        self.0.set_value(handle.ok());
    }

    pub(crate) fn cancel(self) {
        if let Some(handle) = self.0.try_update_value(Option::take).flatten() {
            handle.clear();
        }
    }
}

/// Waits.
pub(crate) async fn sleep(milliseconds: i32) {
    let promise = js_sys::Promise::new(&mut |resolve, _| {
        // Without a timer there is nothing to wait for: the promise is settled at once.
        if window().set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, milliseconds).is_err() {
            drop(resolve.call0(&wasm_bindgen::JsValue::NULL));
        }
    });
    drop(JsFuture::from(promise).await);
}
