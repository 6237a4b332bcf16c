//! Markdown as elements, by the script of `web/markdown`, which is loaded with the first of them.

use std::cell::RefCell;

use leptos::task::spawn_local;
use wasm_bindgen::prelude::*;
use web_sys::Element;

use super::field::load_script;

#[wasm_bindgen]
extern "C" {
    /// The script; see `web/markdown/markdown.js`.
    #[derive(Clone)]
    type Module;

    #[wasm_bindgen(method, catch)]
    fn show(this: &Module, place: &Element, text: &str) -> Result<(), JsValue>;
}

thread_local! {
    static MODULE: RefCell<Option<Module>> = const { RefCell::new(None) };
}

/// Shows Markdown inside `place`: at once if the script is there, so that a list measures the text in one form alone. Until it is
/// there, or without it, the text is shown as it is written.
pub(crate) fn show(place: Element, text: String) {
    if let Some(module) = MODULE.with_borrow(Clone::clone) {
        return drop(module.show(&place, &text));
    }
    place.set_text_content(Some(&text));
    spawn_local(async move {
        // The browser loads a script once.
        if let Ok(module) = load_script("data-markdown").await {
            let module: Module = module.unchecked_into();
            drop(module.show(&place, &text));
            MODULE.set(Some(module));
        }
    });
}
