//! What the page did, newest first.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::io;
use crate::state::Workspace;
use crate::strings::text;

#[component]
pub(super) fn JournalPane() -> impl IntoView {
    let workspace = Workspace::here();
    let journal = workspace.journal;
    let copied = RwSignal::new(None);
    let copy = move |_| spawn_local(async move { copied.set(Some(io::page::copy(&journal.text()).await)) });
    let word = move || match copied.get() {
        None => text::copy(),
        Some(true) => text::copied(),
        Some(false) => text::copy_refused(),
    };
    let rows = move || {
        let row = |at: f64, text: String| {
            view! {
                <li>
                    <time>{io::clock::time_to_the_second(at)}</time>
                    <span>{text}</span>
                </li>
            }
        };
        journal
            .entries
            .with(|entries| entries.iter().map(|entry| row(entry.at, entry.text.clone())).collect_view())
    };
    view! {
        <div class="dock-body" id="journal" tabindex="0" role="region" aria-label=text::log()>
            <p>
                <span class="muted">{text::log_hint()}</span>
                " "
                <button type="button" class="link-button" on:click=copy>{word}</button>
            </p>
            <ol class="journal" reversed>{rows}</ol>
        </div>
    }
}
