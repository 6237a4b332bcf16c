//! An icon is never alone: a word or a label stands next to it, so that it is hidden from readers.

use leptos::prelude::*;

#[component]
pub(crate) fn Icon(path: &'static str) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
            <path d=path />
        </svg>
    }
}
