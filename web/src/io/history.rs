//! The address bar.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsValue;

/// The fragment with its `#`, or nothing.
pub(crate) fn fragment() -> String {
    window().location().hash().unwrap_or_default()
}

/// The address of the page without its fragment.
pub(crate) fn page() -> String {
    let whole = window().location().href().unwrap_or_default();
    whole.split('#').next().unwrap_or_default().to_owned()
}

/// Goes to an address: Back returns from it.
pub(crate) fn push(fragment: &str) {
    if let Ok(history) = window().history() {
        // A browser that refuses (too many calls, a sandboxed frame) leaves the old address standing.
        drop(history.push_state_with_url(&JsValue::NULL, "", Some(fragment)));
    }
}

/// Corrects the address of where the person already is.
pub(crate) fn replace(fragment: &str) {
    if let Ok(history) = window().history() {
        drop(history.replace_state_with_url(&JsValue::NULL, "", Some(fragment)));
    }
}

/// Calls back when the person goes back, forward, follows a link or edits the address.
pub(crate) fn on_arrival(arrived: impl Fn(String) + 'static) {
    // A change of the fragment by hand fires this as well as going back does.
    window_event_listener(ev::popstate, move |_| arrived(fragment()));
}

/// Asks before the page is left while `unsafe_to_leave` holds.
pub(crate) fn on_leaving(unsafe_to_leave: impl Fn() -> bool + 'static) {
    window_event_listener(ev::beforeunload, move |event| {
        if unsafe_to_leave() {
            event.prevent_default();
        }
    });
}

/// Calls back when the page is hidden or closed: the last moment that is sure to come.
pub(crate) fn on_hidden(hidden: impl Fn() + 'static) {
    window_event_listener(ev::visibilitychange, move |_| hidden());
}
