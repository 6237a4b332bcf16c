//! Things done later.

use std::time::Duration;

use leptos::leptos_dom::helpers::{TimeoutHandle, set_timeout_with_handle};
use leptos::prelude::*;

/// A debounced action: asking again restarts the delay.
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
