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
    /// Whether the key presses what has the focus, as Space does a button.
    pub(crate) pressable: bool,
}

impl Key {
    fn from_event(event: &KeyboardEvent) -> Self {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let within = |places: &str| {
            let found = target.as_ref().and_then(|element| element.closest(places).ok().flatten());
            found.is_some()
        };
        // A slider takes arrows and paging keys alone.
        let taken = within("textarea, input:not([type=range]), select, [contenteditable], dialog[open]");
        let pressable = within("button, summary, a, [role=button]");
        let command = event.ctrl_key() || event.meta_key();
        Self { name: event.key(), command, shift: event.shift_key(), taken, pressable }
    }
}

/// Calls back on every key; a key that is answered with `true` does nothing else.
pub(crate) fn on_key(pressed: impl Fn(&Key) -> bool + 'static) {
    window_event_listener(ev::keydown, move |event| {
        if !event.default_prevented()
            && !event.is_composing()
            && !event.alt_key()
            && pressed(&Key::from_event(&event))
        {
            event.prevent_default();
        }
    });
}
