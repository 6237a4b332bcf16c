//! The run as a conversation to read: messages in Markdown, tool calls in one line, runs of other agents inside.

mod entry;
mod message;
mod rows;
mod summary;
mod tool;

use std::sync::Arc;

use leptos::prelude::*;

use super::labels;
use super::step_search::StepSearch;
use super::steps::{MissingStep, Stale, no_steps};
use crate::state::Workspace;
use crate::strings::text;
use crate::ui::FlowList;

use rows::{Folds, ReadRows};

/// The height of a row that was not measured yet, in pixels.
const ESTIMATE: f64 = 96.0;

#[component]
pub(crate) fn ReadPane() -> impl IntoView {
    let workspace = Workspace::here();
    let folds = Folds::new();
    let rows = Memo::new(move |_| {
        let (steps, found) = (workspace.steps.get(), workspace.step_search.matches.get());
        // A search shows what it finds alone, wherever that is.
        match found {
            Some(found) => ReadRows::found(steps, &found),
            None => ReadRows::new(steps, &folds.unfolded.get()),
        }
    });
    // A step of a run inside another one shows that run.
    Effect::new(move || {
        let at = workspace.at.get();
        let is_hidden =
            workspace.step_search.matches.with(Option::is_none) && rows.with(|rows| rows.place(at).is_none());
        if is_hidden {
            let path = workspace.steps.with(|steps| steps.path(at).map(str::to_owned));
            folds.unfold_around(&path.unwrap_or_default());
        }
    });
    let length = Signal::derive(move || rows.with(ReadRows::len));
    let selected = Signal::derive(move || rows.with(|rows| rows.place(workspace.at.get())));
    let revision = Signal::derive(move || workspace.current.with(|current| current.revision.opening));
    let row = move |place: usize| {
        let at = rows.with(|rows| rows.row(place));
        at.and_then(|at| {
            let (row, entry) = workspace.steps.with(|steps| Some((steps.row(at)?, steps.entry(at)?)))?;
            Some(view! { <entry::Entry at row entry folds /> })
        })
        .into_any()
    };
    let is_empty = move || length.get() == 0 && workspace.is_read();
    view! {
        <section class="pane pane-read" id="pane-read" aria-label=text::view_read()>
            <header class="pane-head">
                <h2>{text::view_read()}</h2>
                <span class="pane-facts">{move || labels::position_text(workspace)}</span>
            </header>
            <summary::Summary />
            <StepSearch />
            <Stale />
            <MissingStep template=text::no_such_step() />
            <Show when=is_empty>
                <div class="empty">{move || no_rows(workspace)}</div>
            </Show>
            <FlowList
                id="read-list"
                label=text::read_label()
                count=length
                selected
                revision
                estimate=ESTIMATE
                render=Arc::new(row)
                choose=Arc::new(move |place| {
                    if let Some(at) = rows.with_untracked(|rows| rows.row(place)) {
                        workspace.select(at);
                    }
                })
            />
        </section>
    }
}

/// Why there is nothing to read.
fn no_rows(workspace: Workspace) -> AnyView {
    if workspace.step_search.matches.with(Option::is_some) {
        return view! {
            <p>{text::read_nothing_found()}</p>
            <p>
                <button type="button" class="button" on:click=move |_| workspace.search_steps("")>{text::read_show_all()}</button>
            </p>
        }
        .into_any();
    }
    no_steps(workspace)
}
