//! Markdown as elements, by the script of `web/markdown`, which is loaded with the first of them.

use leptos::task::spawn_local;
use wasm_bindgen::prelude::*;
use web_sys::Element;

use super::field::load_script;

#[wasm_bindgen]
extern "C" {
    /// The script; see `web/markdown/markdown.js`.
    type Module;

    #[wasm_bindgen(method, catch)]
    fn show(this: &Module, place: &Element, text: &str) -> Result<(), JsValue>;
}

/// Shows Markdown inside `place`. Until the script is there, or without it, the text is shown as it is written.
pub(crate) fn show(place: Element, text: String) {
    place.set_text_content(Some(&text));
    spawn_local(async move {
        // The browser loads a script once.
        if let Ok(module) = load_script("data-markdown").await {
            drop(module.unchecked_into::<Module>().show(&place, &text));
        }
    });
}
