//! Word to the other tabs of this page on which document is being changed.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;
use web_sys::{BroadcastChannel, MessageEvent};

const NAME: &str = "transcript-workbench";

thread_local! {
    /// A channel does not hear itself, so that one for the page is the way to hear only others. A
    /// browser that refuses one goes without the word.
    static CHANNEL: RefCell<Option<BroadcastChannel>> = RefCell::new(BroadcastChannel::new(NAME).ok());
}

/// Notifies the other tabs that this one changes the document of that id.
pub(crate) fn announce(id: &str) {
    CHANNEL.with_borrow(|channel| {
        // There may be no receiver.
        drop(channel.as_ref().map(|channel| channel.post_message(&JsValue::from_str(id))));
    });
}

/// Calls `on_id` with the id of each document that another tab changes, as long as the page lives.
pub(crate) fn on_change(on_id: impl Fn(String) + 'static) {
    let listener = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        if let Some(id) = event.data().as_string() {
            on_id(id);
        }
    });
    CHANNEL.with_borrow(|channel| {
        if let Some(channel) = channel {
            channel.set_onmessage(Some(listener.as_ref().unchecked_ref()));
        }
    });
    listener.forget();
}
