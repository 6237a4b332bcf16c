//! The ways to look at the open document.

use leptos::prelude::*;

use super::words;
use crate::state::{View, Workspace};
use crate::strings::text;

#[component]
pub(crate) fn Views() -> impl IntoView {
    let workspace = Workspace::here();
    let link = move |(view, _): (View, &'static str)| {
        let href = move || workspace.route.with(|route| route.seen_in(view).to_string());
        let current = move || (workspace.view() == view).then_some("page");
        view! {
            <a href=href aria-current=current>
                {words::of_view(view)}
            </a>
        }
    };
    view! {
        <nav class="views" aria-label=text::VIEWS>
            {View::OF_DOCUMENTS.map(link).into_iter().collect_view()}
        </nav>
    }
}
