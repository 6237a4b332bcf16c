//! The run as a conversation to read: messages in Markdown, tool calls in one line, runs of other agents inside.

mod cost;
mod entry;
mod folds;
mod follow;
mod message;
mod summary;
mod tool;

use std::sync::Arc;

use leptos::prelude::*;
use transcript_core::view::{ListedStep, ReadEntry};

use super::labels;
use super::lazy_panes::{self, LazyView};
use super::step_search::StepSearch;
use super::steps::{MissingStep, Stale, no_steps};
use crate::state::{ShareDialog, Workspace};
use crate::strings::text;
use crate::ui::{FlowList, FlowRows};

use folds::unfolded_rows;
pub(super) use folds::{Folds, ReadRows};

/// The height of a row that was not measured yet, in pixels; the style sheet agrees.
const ESTIMATE: f64 = 96.0;

#[component]
pub(crate) fn ReadPane() -> impl IntoView {
    let workspace = Workspace::here();
    let folds = Folds::new();
    let totals = summary::follow_totals(workspace);
    let opening = Memo::new(move |_| workspace.readable.with(|readable| readable.current.revision.opening));
    // What a person opened in one document is not about the next one.
    Effect::new(move |before: Option<u32>| {
        let opening = opening.get();
        if before.is_some_and(|before| before != opening) {
            folds.clear();
        }
        opening
    });
    let rows = Memo::new(move |_| {
        let (steps, found) = (workspace.steps.get(), workspace.step_search.matches.get());
        // A search shows what it finds alone, wherever that is.
        match found {
            Some(found) => FlowRows::Some(Arc::from(found.as_slice())),
            None => unfolded_rows(&steps, &folds.unfolded.get()),
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
    let row = move |at: usize| {
        // While another text of the same document is read, a row keeps what it shows.
        let content = Memo::new(move |before: Option<&Option<(u32, ListedStep, ReadEntry)>>| {
            let now = workspace.steps.with(|steps| steps.row(at).zip(steps.entry(at)));
            let opening = opening.get();
            let kept = before.cloned().flatten().filter(|(of, ..)| *of == opening);
            let now = now.map(|(mut row, entry)| {
                // The place in the source moves when something is added above, which is no reason to make the row again.
                (row.step.span, row.step.line) = Default::default();
                (opening, row, entry)
            });
            now.or(kept)
        });
        let entry =
            move || content.get().map(|(_, row, entry)| view! { <entry::Entry at row entry folds totals /> });
        entry.into_any()
    };
    provide_context(ReadRows { rows, folds });
    // The address has it, so that a link shows the same.
    let is_timeline =
        Memo::new(move |_| workspace.route.with(|route| route.key("as").as_deref() == Some("timeline")));
    let list = move || match is_timeline.get() {
        true => view! { <LazyView pane=lazy_panes::timeline() /> }.into_any(),
        false => view! {
            <FlowList
                id="read-list"
                label=text::read_label()
                rows
                selected=Signal::derive(move || Some(workspace.at.get()))
                estimate=ESTIMATE
                keeps_end=Signal::derive(move || workspace.follow.is_on.get() && workspace.may_follow())
                render=Arc::new(row)
                choose=Arc::new(move |at| workspace.select(at))
            />
        }
        .into_any(),
    };
    let is_empty = move || rows.with(FlowRows::len) == 0 && workspace.is_read();
    view! {
        <section class="pane pane-read" id="pane-read" aria-label=text::view_read()>
            <header class="pane-head">
                <h2>{text::view_read()}</h2>
                <span class="pane-facts">{move || labels::position_text(workspace)}</span>
                <follow::Follow />
                <button
                    type="button"
                    class="button"
                    title=text::timeline_long()
                    aria-pressed=move || is_timeline.get().to_string()
                    on:click=move |_| workspace.address_key("as", (!is_timeline.get_untracked()).then_some("timeline"))
                >
                    {text::timeline()}
                </button>
                <button
                    type="button"
                    class="button"
                    on:click=move |_| workspace.sharing.set(Some(ShareDialog::Test))
                >
                    {text::make_test()}
                </button>
            </header>
            <summary::Summary totals />
            <StepSearch />
            <Stale />
            <MissingStep template=text::no_such_step() />
            <Show when=is_empty>
                <div class="empty">{move || no_rows(workspace)}</div>
            </Show>
            {list}
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
