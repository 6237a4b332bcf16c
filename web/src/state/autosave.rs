//! Keeping every keystroke.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::shared::Shared;
use super::workspace::SaveState;
use crate::io::store::{self, Meta};
use crate::io::{clock, timer};

/// Above this size a write waits for a pause in typing, since handing the text over takes longer.
const LARGE: usize = 1 << 20;
const PAUSE: i32 = 400;

/// The writer of the open document. One write runs at a time, and the newest text always follows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Autosave {
    waiting: StoredValue<Option<(Meta, Shared<str>)>>,
    writing: StoredValue<bool>,
    state: RwSignal<SaveState>,
}

impl Autosave {
    pub(crate) fn new(state: RwSignal<SaveState>) -> Self {
        Self { waiting: StoredValue::new(None), writing: StoredValue::new(false), state }
    }

    /// Asks for `text` to be kept. It is under way before this returns, unless it is large.
    pub(crate) fn keep(self, meta: Meta, text: Shared<str>) {
        let large = text.len() > LARGE;
        self.state.set(SaveState::Saving);
        self.waiting.set_value(Some((meta, text)));
        if !self.writing.get_value() {
            self.writing.set_value(true);
            spawn_local(async move {
                if large {
                    timer::sleep(PAUSE).await;
                }
                self.write().await;
            });
        }
    }

    /// Writes now what still waits.
    pub(crate) fn flush(self) {
        if self.waiting.with_value(Option::is_some) {
            spawn_local(self.write());
        }
    }

    async fn write(self) {
        while let Some((meta, text)) = self.waiting.try_update_value(Option::take).flatten() {
            let outcome = store::put(&meta, &text).await;
            // Newer text is waiting: what is said of it is said after its own write.
            if self.waiting.with_value(Option::is_some) {
                continue;
            }
            self.state.set(match outcome {
                Ok(()) => SaveState::Saved(clock::now()),
                Err(reason) => SaveState::Failed(reason),
            });
        }
        self.writing.set_value(false);
    }
}
