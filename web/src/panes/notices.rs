//! Messages about failures: whole sentences with a next step.

use leptos::prelude::*;

use super::remote::{InVain, UnderWay};
use crate::io;
use crate::io::workers::WorkerError;
use crate::state::{FileState, Opening, SaveState, Source, Workspace};
use crate::strings::{fill, group, text};
use crate::ui::{Dialog, Icon, IconButton, icons};

/// The banner of a document that is not kept.
#[component]
pub(crate) fn NotSaved() -> impl IntoView {
    let workspace = Workspace::here();
    let file = workspace.served;
    let reason = move || {
        let reason = match (file.state.get(), workspace.saved.get()) {
            (Some(FileState::Failed(reason)), _) | (None, SaveState::Failed(reason)) => reason,
            (Some(_), _) if file.gone.get() && file.is_unsaved() => text::server_gone().to_owned(),
            _ => return None,
        };
        Some(fill(text::not_saved_banner(), &[("reason", &reason)]))
    };
    move || {
        reason().map(|reason| {
            view! {
                <div class="banner" role="alert">
                    <Icon path=icons::WARNING />
                    <span>{reason}</span>
                    <button type="button" on:click=move |_| workspace.download()>{text::download_now()}</button>
                </div>
            }
        })
    }
}

/// The banner of a source that is not read.
#[component]
pub(crate) fn NotRead() -> impl IntoView {
    let workspace = Workspace::here();
    let message = move || {
        let reason = match workspace.reading.failed.get().filter(|_| workspace.editing())? {
            WorkerError::NotLoaded => text::reader_not_loaded().to_owned(),
            error => fill(text::reader_stopped(), &[("reason", &error.to_string())]),
        };
        Some(fill(text::reader_failed(), &[("reason", &reason)]))
    };
    move || {
        message().map(|message| {
            view! {
                <div class="banner" role="alert">
                    <Icon path=icons::WARNING />
                    <span>{message}</span>
                    <button type="button" on:click=move |_| workspace.read_again()>{text::try_again()}</button>
                </div>
            }
        })
    }
}

/// What to do about a file that something else has written meanwhile.
#[component]
pub(crate) fn Conflict() -> impl IntoView {
    let workspace = Workspace::here();
    let theirs = workspace.served.theirs;
    let title = Signal::derive(move || fill(text::conflict(), &[("name", &workspace.name.get())]));
    let body = move || {
        theirs.get().map(|theirs| {
            let button = |word: &'static str, press: fn(Workspace)| {
                view! { <button type="button" class="button" on:click=move |_| press(workspace)>{word}</button> }.into_any()
            };
            let is_there = theirs.text.is_some();
            let take = is_there.then(|| button(text::conflict_take(), Workspace::take_theirs));
            view! {
                <p>{if is_there { text::conflict_reason() } else { text::conflict_removed() }}</p>
                {is_there.then_some(text::conflict_kept())}
                <p class="dialog-actions">
                    {take}
                    {button(text::conflict_overwrite(), Workspace::overwrite_theirs)}
                </p>
            }
        })
    };
    view! {
        <Dialog title open=Signal::derive(move || theirs.with(Option::is_some)) close=move || theirs.set(None)>
            {body}
        </Dialog>
    }
}

/// The banner of a document that another tab has changed.
#[component]
pub(crate) fn ChangedElsewhere() -> impl IntoView {
    let workspace = Workspace::here();
    view! {
        <Show when=move || workspace.elsewhere.get() && workspace.editing()>
            <div class="banner" role="status">
                <Icon path=icons::WARNING />
                <span>{text::changed_elsewhere()}</span>
            </div>
        </Show>
    }
}

/// The banner of a page with a newer version.
#[component]
pub(crate) fn Outdated() -> impl IntoView {
    let outdated = RwSignal::new(false);
    io::page::on_outdated(move || outdated.set(true));
    view! {
        <Show when=move || outdated.get()>
            <div class="banner banner-info" role="status">
                <Icon path=icons::INFO />
                <span>{text::outdated()}</span>
                <button type="button" on:click=move |_| io::page::renew()>{text::outdated_reload()}</button>
                <IconButton icon=icons::CLOSE label=text::close() press=move || outdated.set(false) />
            </div>
        </Show>
    }
}

/// The banner of a document that came in a link.
#[component]
pub(crate) fn SharedCopy() -> impl IntoView {
    let workspace = Workspace::here();
    let is_shared = move || {
        !workspace.is_read_only()
            && workspace.saved.with(|saved| *saved == SaveState::Shared)
            && workspace.editing()
    };
    view! {
        <Show when=is_shared>
            <div class="banner banner-info" role="status">
                <Icon path=icons::INFO />
                <span>{text::shared_banner()}</span>
                <button type="button" on:click=move |_| workspace.keep_shared()>{text::shared_keep()}</button>
            </div>
        </Show>
    }
}

/// In place of the panes while there is no document.
#[component]
pub(crate) fn Unavailable() -> impl IntoView {
    let workspace = Workspace::here();
    let is_web = move || workspace.route.with(|route| matches!(route.source, Source::Web(_)));
    let content = move || match workspace.opening.get() {
        Opening::Failed(reason) => view! {
            <div role="alert">
                <Icon path=icons::WARNING />
                <p>{reason}</p>
            </div>
            <Show when=is_web>
                <InVain />
            </Show>
            <Show when=move || workspace.route.with(|route| matches!(route.source, Source::Inline(_)))>
                <button type="button" class="button" on:click=move |_| workspace.paste_instead()>
                    {text::paste_instead()}
                </button>
            </Show>
        }
        .into_any(),
        _ if is_web() => view! { <UnderWay /> }.into_any(),
        _ => view! { <p role="status">{text::loading()}</p> }.into_any(),
    };
    view! {
        <main class="unavailable">
            <h1 class="visually-hidden">{text::product()}</h1>
            {content}
            <a class="button" href="#/gallery">{text::back_to_gallery()}</a>
        </main>
    }
}

/// A file that was not opened, over the document that stays.
#[component]
pub(crate) fn NotOpened() -> impl IntoView {
    let workspace = Workspace::here();
    let refusal = workspace.refusal;
    let title = Signal::derive(move || {
        let name = refusal.with(|refusal| refusal.as_ref().map(|refusal| refusal.name.clone()));
        fill(text::not_opened(), &[("name", &name.unwrap_or_default())])
    });
    let body = move || {
        refusal.get().map(|refusal| {
            let size =
                (refusal.size > 0).then(|| fill(text::not_opened_size(), &[("n", &group(refusal.size))]));
            view! {
                <p class="refusal-reason">{refusal.reason}</p>
                <p>{refusal.help}</p>
                <p>{size} " " {text::nothing_lost()}</p>
            }
        })
    };
    view! {
        <Dialog title open=Signal::derive(move || refusal.with(Option::is_some)) close=move || refusal.set(None)>
            {body}
        </Dialog>
    }
}

/// Over everything while a file hangs above the window.
#[component]
pub(crate) fn DropHint(hovering: RwSignal<bool>) -> impl IntoView {
    view! {
        <div class="drop-hint" hidden=move || !hovering.get()>
            <p>{text::drop_here()}</p>
        </div>
    }
}
