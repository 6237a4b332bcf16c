//! Parts of a step that are shown on request.

use std::sync::Arc;

use leptos::prelude::*;

use super::Bands;
use crate::io;
use crate::panes::lazy_panes::{self, LazyView};
use crate::strings::text;

/// The most messages of a list that is not folded.
pub(super) const FEW: usize = 5;

/// A part that is shown on request; `children` says what it is.
#[component]
pub(super) fn Fold(
    open: RwSignal<bool>,
    body: Arc<dyn Fn() -> AnyView + Send + Sync>,
    children: Children,
) -> impl IntoView {
    let toggle = move |event| {
        let is_open = io::page::is_open(&event);
        // A part that is open at first says so, too.
        if open.get_untracked() != is_open {
            open.set(is_open);
        }
    };
    view! {
        <details class="fold" open=open.get_untracked() on:toggle=toggle>
            <summary>{children()}</summary>
            {move || open.get().then(|| body())}
        </details>
    }
}

/// What changed since the request before, of a request with `count` messages.
#[component]
pub(super) fn ChangesFold(count: usize) -> impl IntoView {
    let bands: Bands = expect_context();
    let open = if count > FEW { bands.changes } else { bands.short_changes };
    let body = Arc::new(|| view! { <LazyView pane=lazy_panes::prompt_changes() /> }.into_any());
    view! { <Fold open body><h4>{text::prompt_changes()}</h4></Fold> }
}
