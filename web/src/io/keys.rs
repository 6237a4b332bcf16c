//! The keyboard, wherever the focus is.

use leptos::ev::{self, KeyboardEvent};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// A key as pressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// What the key means on this keyboard, as the browser names it.
    pub(crate) name: String,
    /// Ctrl, or Command.
    pub(crate) command: bool,
    pub(crate) shift: bool,
    /// Whether the key goes into a text field or an open dialog, where letters are not commands.
    pub(crate) taken: bool,
}

impl Key {
    fn of(event: &KeyboardEvent) -> Self {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let taken = target.is_some_and(|element| {
            const FIELDS: &str = "textarea, input, select, [contenteditable], dialog[open]";
            element.closest(FIELDS).ok().flatten().is_some()
        });
        let command = event.ctrl_key() || event.meta_key();
        Self { name: event.key(), command, shift: event.shift_key(), taken }
    }
}

/// Calls back on every key; a key that is answered with `true` does nothing else.
pub(crate) fn on_key(pressed: impl Fn(&Key) -> bool + 'static) {
    window_event_listener(ev::keydown, move |event| {
        if !event.default_prevented()
            && !event.is_composing()
            && !event.alt_key()
            && pressed(&Key::of(&event))
        {
            event.prevent_default();
        }
    });
}
