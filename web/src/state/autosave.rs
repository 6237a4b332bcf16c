//! Keeping every keystroke.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::ptr_arc::PtrArc;
use super::workspace::SaveState;
use crate::io::store::{self, Meta};
use crate::io::{clock, timer};

/// Up to this size every keystroke is handed to the browser at once, so that not even a tab that is
/// killed loses one. Above it, handing over takes longer than a keystroke, and waits for a pause.
const SMALL: usize = 1 << 16;
const PAUSE: u64 = 300;

/// The writer of the open document. The browser keeps writes in the order they were handed over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Autosave {
    waiting: StoredValue<Option<(Meta, PtrArc<str>)>>,
    pause: timer::Debounce,
    /// The number of the newest text, so that only its state is shown.
    newest: StoredValue<u32>,
    /// The document of that text; empty when another one is on screen.
    document: StoredValue<String>,
    state: RwSignal<SaveState>,
}

impl Autosave {
    pub(crate) fn new(state: RwSignal<SaveState>) -> Self {
        Self {
            waiting: StoredValue::new(None),
            pause: timer::Debounce::new(),
            newest: StoredValue::new(0),
            document: StoredValue::default(),
            state,
        }
    }

    /// Another document is on screen: of the one before only a failure is shown.
    pub(crate) fn leave(self) {
        self.flush();
        self.newest.update_value(|newest| *newest += 1);
        self.document.update_value(String::clear);
    }

    /// Asks for `text` to be kept.
    pub(crate) fn keep(self, meta: Meta, text: PtrArc<str>) {
        let small = text.len() <= SMALL;
        self.newest.update_value(|newest| *newest += 1);
        self.document.set_value(meta.id.clone());
        self.state.set(SaveState::Saving);
        self.waiting.set_value(Some((meta, text)));
        if small {
            self.flush();
        } else {
            self.pause.run(PAUSE, move || self.flush());
        }
    }

    /// Hands over now what still waits.
    pub(crate) fn flush(self) {
        self.pause.cancel();
        let Some((meta, text)) = self.waiting.try_update_value(Option::take).flatten() else { return };
        let number = self.newest.get_value();
        spawn_local(async move {
            let is_newest = || self.newest.get_value() == number;
            // A later text of the same document is on its way, or there: this one must not come after it.
            let is_late = || !is_newest() && self.document.with_value(|document| *document == meta.id);
            let mut kept = store::put(&meta, &text).await;
            // Earlier texts go before the document does.
            if kept.is_err() && !is_late() && super::revisions::make_room().await && !is_late() {
                kept = store::put(&meta, &text).await;
            }
            match kept {
                Err(_) if is_late() => {}
                Err(error) => self.state.set(SaveState::Failed(error.to_string())),
                Ok(()) if is_newest() => self.state.set(SaveState::Saved(clock::now())),
                Ok(()) => {}
            }
        });
    }
}
