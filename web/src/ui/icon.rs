//! An icon is never alone: a word or a label is next to it, so screen readers skip it.

use leptos::prelude::*;

#[component]
pub(crate) fn Icon(path: &'static str) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
            <path d=path />
        </svg>
    }
}
