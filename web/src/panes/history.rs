//! Earlier versions of the open document: when they were, how they differ from it, and the way back.

use leptos::prelude::*;
use leptos::task::spawn_local;
use transcript_core::diff::Part;
use transcript_core::view::question::CompareTexts;

use super::compare::text_view;
use super::lazy_panes::{self, LazyView};
use crate::io;
use crate::io::revisions::Earlier;
use crate::io::store::StorageError;
use crate::state::{PtrArc, View, Workspace};
use crate::strings::{fill, group, text};
use crate::ui::{Dialog, Icon, icons};

#[component]
pub(crate) fn History() -> impl IntoView {
    let workspace = Workspace::here();
    let open = workspace.revisions.open;
    view! {
        <Dialog title=text::history() open close=move || open.set(false)>
            <Show when=move || open.get()>
                <LazyView pane=lazy_panes::history() />
            </Show>
        </Dialog>
    }
}

/// The visible version.
#[derive(Clone, Debug, PartialEq)]
struct Chosen {
    key: String,
    text: PtrArc<str>,
    /// What it has in common with the current text; nothing if that is not known.
    parts: PtrArc<Vec<Part>>,
}

#[component]
pub(super) fn Body() -> impl IntoView {
    let workspace = Workspace::here();
    let found = RwSignal::new(None::<Result<Vec<Earlier>, StorageError>>);
    let chosen = RwSignal::new(None::<Chosen>);
    let choose = move |key: String| {
        spawn_local(async move {
            let Ok(Some(text)) = io::revisions::text(&key).await else { return };
            let now = workspace.draft.get_untracked();
            let parts = io::authoring::ask(CompareTexts { left: &text, right: &now }).await;
            let parts = PtrArc::new(parts.ok().flatten().unwrap_or_default());
            let text = text.into();
            chosen.try_set(Some(Chosen { key, text, parts }));
        });
    };
    spawn_local(async move {
        let earlier = workspace.earlier().await;
        let newest =
            earlier.as_ref().ok().and_then(|earlier| earlier.first()).map(|newest| newest.key.clone());
        if found.try_set(Some(earlier)).is_none()
            && let Some(newest) = newest
        {
            choose(newest);
        }
    });
    let list = move || match found.get() {
        None => view! { <p role="status">{text::loading()}</p> }.into_any(),
        Some(Err(error)) => {
            let message = fill(text::history_failed(), &[("reason", &error.to_string())]);
            view! { <p class="severity-error" role="alert"><Icon path=icons::ERROR />{message}</p> }
                .into_any()
        }
        Some(Ok(earlier)) if earlier.is_empty() => {
            view! { <p role="status">{text::history_none()}</p> }.into_any()
        }
        Some(Ok(earlier)) => {
            let rows = earlier.into_iter().map(|earlier| row(earlier, chosen, choose)).collect_view();
            view! {
                <div class="revisions">
                    <ol class="history-list" aria-label=text::history_list()>{rows}</ol>
                    <div class="history-version">{move || chosen.get().map(|chosen| version(workspace, chosen))}</div>
                </div>
            }
            .into_any()
        }
    };
    view! {
        <p class="muted">{text::history_hint()}</p>
        {list}
    }
}

fn row(earlier: Earlier, chosen: RwSignal<Option<Chosen>>, choose: impl Fn(String) + 'static) -> AnyView {
    let template = if earlier.lines == 1 { text::history_size_one() } else { text::history_size_many() };
    let size = fill(template, &[("n", &group(earlier.lines)), ("bytes", &group(earlier.size))]);
    let key = earlier.key.clone();
    let is_chosen = move || {
        chosen.with(|chosen| chosen.as_ref().is_some_and(|chosen| chosen.key == earlier.key)).to_string()
    };
    view! {
        <li>
            <button type="button" aria-pressed=is_chosen on:click=move |_| choose(key.clone())>
                <span>{io::clock::date(earlier.at)}</span>
                <small>{size}</small>
            </button>
        </li>
    }
    .into_any()
}

fn version(workspace: Workspace, chosen: Chosen) -> AnyView {
    let is_same = *chosen.text == *workspace.draft.get_untracked();
    let difference = match is_same {
        true => view! { <p class="muted">{text::history_same()}</p> }.into_any(),
        false => text_view(&chosen.parts),
    };
    let compared = workspace.route.with_untracked(|route| {
        route.seen_in(View::Compare).with_key("b", Some(&format!("r:{}", chosen.key))).to_string()
    });
    let open = workspace.revisions.open;
    let restored = chosen.text.clone();
    let name = workspace.name.get_untracked();
    let download = move |_| {
        drop(io::page::download(&name, &workspace.with_line_ends(&chosen.text)));
    };
    view! {
        <section class="history-difference" tabindex="0" aria-label=text::history_difference()>{difference}</section>
        <div class="dialog-actions">
            <button type="button" on:click=download>{text::download_now()}</button>
            <a class="button" href=compared on:click=move |_| open.set(false)>{text::history_compare()}</a>
            <button
                type="button"
                disabled=is_same
                on:click=move |_| {
                    open.set(false);
                    workspace.restore(restored.to_string());
                }
            >
                {text::history_restore()}
            </button>
        </div>
    }
    .into_any()
}
