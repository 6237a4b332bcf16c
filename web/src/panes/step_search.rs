//! The search field for steps.

use leptos::prelude::*;

use crate::io;
use crate::state::Workspace;
use crate::strings::{fill, group, text};
use crate::ui::{IconButton, icons};

#[component]
pub(crate) fn StepSearch() -> impl IntoView {
    let workspace = Workspace::here();
    let found = move || {
        workspace.step_search.matches.with(|matches| {
            let matches = matches.as_ref()?;
            let count = group(matches.len());
            let at = workspace.at.get();
            Some(match matches.binary_search(&at) {
                Ok(place) => fill(text::found_at(), &[("at", &group(place + 1)), ("n", &count)]),
                Err(_) => fill(text::found(), &[("n", &count)]),
            })
        })
    };
    let none = Signal::derive(move || {
        workspace
            .step_search
            .matches
            .with(|matches| matches.as_ref().is_none_or(|matches| matches.is_empty()))
    });
    let key = move |event: leptos::ev::KeyboardEvent| match event.key().as_str() {
        "Enter" => {
            event.prevent_default();
            workspace.step_to_match(!event.shift_key());
        }
        "Escape" => {
            workspace.search_steps("");
            io::page::focus("steps-list");
        }
        _ => {}
    };
    view! {
        <div class="step-search" role="search">
            <input
                type="search"
                id="steps-filter"
                placeholder=text::look_for_hint()
                aria-label=text::look_for()
                title=text::look_for_long()
                spellcheck="false"
                autocomplete="off"
                prop:value=move || workspace.step_search.typed.get()
                on:input=move |event| workspace.search_steps(&event_target_value(&event))
                on:keydown=key
            />
            <span class="step-search-found" role="status">{found}</span>
            <IconButton icon=icons::PREVIOUS label=text::previous_match() disabled=none press=move || {
                workspace.step_to_match(false);
            } />
            <IconButton icon=icons::NEXT label=text::next_match() disabled=none press=move || {
                workspace.step_to_match(true);
            } />
        </div>
    }
}
