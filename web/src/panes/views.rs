//! The ways to look at the open document: links in a row, or a list to choose from where there is no room for a row.

use leptos::prelude::*;

use super::labels;
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
                {labels::view_label(view)}
            </a>
        }
    };
    let option = move |(view, word): (View, &'static str)| {
        view! {
            <option value=word selected=move || workspace.view() == view>
                {labels::view_label(view)}
            </option>
        }
    };
    let chosen = move |event: leptos::ev::Event| {
        let word = event_target_value(&event);
        let view = View::OF_DOCUMENTS.iter().find(|(_, known)| *known == word);
        if let Some((view, _)) = view {
            workspace.go(workspace.route.with_untracked(|route| route.seen_in(*view)));
        }
    };
    view! {
        <nav class="views" aria-label=text::views()>
            {View::OF_DOCUMENTS.map(link).into_iter().collect_view()}
        </nav>
        <select class="views-list" aria-label=text::view() prop:value=move || workspace.view().word() on:change=chosen>
            {View::OF_DOCUMENTS.map(option).into_iter().collect_view()}
        </select>
    }
}
