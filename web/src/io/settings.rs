//! Small choices kept by the browser. Where it keeps nothing, they last as long as the page.

use leptos::prelude::window;
use web_sys::Storage;

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

fn named(name: &str) -> String {
    format!("transcript-workbench.{name}")
}

pub(crate) fn get(name: &str) -> Option<String> {
    storage()?.get_item(&named(name)).ok().flatten()
}

/// Whether the browser keeps it.
pub(crate) fn set(name: &str, value: &str) -> bool {
    storage().is_some_and(|storage| storage.set_item(&named(name), value).is_ok())
}
