//! The note on a step: the dialog in which it is written, and the note as it is shown.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;
use transcript_core::edit::Change;

use super::lazy_panes::{self, LazyView};
use crate::io;
use crate::state::Workspace;
use crate::strings::{fill, text};
use crate::ui::{Dialog, Icon, icons};

#[component]
pub(crate) fn NoteDialog() -> impl IntoView {
    let workspace = Workspace::here();
    let noting = workspace.noting;
    let path =
        move || noting.with(|target| target.as_ref().map(|(path, _)| path.clone()).unwrap_or_default());
    let title = Signal::derive(move || fill(text::note_on_step(), &[("step", &path())]));
    let open = Signal::derive(move || noting.with(Option::is_some));
    view! {
        <Dialog title open close=move || noting.set(None)>
            <Show when=move || open.get()>
                <LazyView pane=lazy_panes::note() />
            </Show>
        </Dialog>
    }
}

#[component]
pub(super) fn Body() -> impl IntoView {
    let workspace = Workspace::here();
    let (step, old) = workspace.noting.get_untracked().unwrap_or_default();
    let typed = RwSignal::new(old.clone());
    let failure = RwSignal::new(None::<String>);
    let save = move |text: String| {
        let change = Change::SetNote { step: step.clone(), text };
        spawn_local(async move {
            match workspace.change(vec![change]).await {
                Ok(_) => workspace.noting.set(None),
                Err(error) => failure.set(Some(error.to_string())),
            }
        });
    };
    let remove = save.clone();
    let send = save.clone();
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        save(typed.get_untracked());
    };
    Effect::new(move || io::page::focus("note-text"));
    view! {
        <form class="step-change" on:submit=submit>
            {move || {
                failure.get().map(|why| view! { <p class="severity-error" role="alert"><Icon path=icons::ERROR />{why}</p> })
            }}
            <label for="note-text">{text::note_label()}</label>
            <textarea
                id="note-text"
                rows="4"
                prop:value=move || typed.get()
                on:input=move |event| typed.set(event_target_value(&event))
                on:keydown=move |event| {
                    if event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) {
                        event.prevent_default();
                        event.stop_propagation();
                        send(typed.get_untracked());
                    }
                }
            ></textarea>
            <p class="muted">{text::note_hint()}</p>
            <p class="dialog-actions">
                <button type="submit">{text::note_save()}</button>
                {(!old.is_empty())
                    .then(|| view! { <button type="button" on:click=move |_| remove(String::new())>{text::note_remove()}</button> })}
            </p>
        </form>
    }
}
