//! The style sheet of the panes that are hidden at first.

use std::cell::RefCell;

use js_sys::{Function, Promise};
use leptos::prelude::document;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlElement;

thread_local! {
    static LOADED: RefCell<Option<Promise>> = const { RefCell::new(None) };
}

/// Starts to load it, unless it is loaded; the result is there when it is.
///
/// # Errors
///
/// When it did not come. The next call tries again.
pub(crate) fn load() -> impl Future<Output = Result<(), JsValue>> {
    let begin = || {
        Promise::new(&mut |resolve, reject| {
            if let Err(error) = append(&resolve, &reject) {
                drop(reject.call1(&JsValue::NULL, &error));
            }
        })
    };
    let loaded = LOADED.with_borrow_mut(|loaded| loaded.get_or_insert_with(begin).clone());
    async { JsFuture::from(loaded).await.map(drop).inspect_err(|_| LOADED.set(None)) }
}

/// Adds the link to the sheet that the page names.
fn append(loaded: &Function, failed: &Function) -> Result<(), JsValue> {
    let named = document().get_element_by_id("app").and_then(|app| app.get_attribute("data-panes"));
    let link: HtmlElement = document().create_element("link")?.unchecked_into();
    link.set_attribute("rel", "stylesheet")?;
    link.set_onload(Some(loaded));
    link.set_onerror(Some(failed));
    link.set_attribute("href", &format!("./{}.css", named.unwrap_or_default()))?;
    document().head().ok_or(JsValue::NULL)?.append_child(&link).map(drop)
}
