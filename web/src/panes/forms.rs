//! The switch between the compact and the full form, and the note about it.

use leptos::prelude::*;
use transcript_core::document::Form;

use crate::state::Workspace;
use crate::strings::text;
use crate::ui::{Dialog, Icon, icons};

/// In the head of the source.
#[component]
pub(super) fn FormSwitch() -> impl IntoView {
    let workspace = Workspace::here();
    let form = move || workspace.current.with(|current| current.form);
    let choice = move |of: Form, word: &'static str| {
        view! {
            <button
                type="button"
                aria-pressed=move || (form() == of).to_string()
                disabled=move || workspace.forms.working.get()
                on:click=move |_| workspace.write_as(of)
            >
                {word}
            </button>
        }
    };
    let none = move || !matches!(form(), Form::Compact | Form::Full | Form::Partial);
    view! {
        <div class="choice" role="group" aria-label=text::form_switch() hidden=none>
            {choice(Form::Compact, text::form_to_compact())}
            {choice(Form::Full, text::form_to_full())}
        </div>
    }
}

/// Below the head: the outcome of the last switch.
#[component]
pub(super) fn FormNote() -> impl IntoView {
    let workspace = Workspace::here();
    let note = workspace.forms.note;
    let message = Memo::new(move |_| {
        let (about, message) = note.get()?;
        workspace.draft.with(|draft| *draft == about).then_some(message)
    });
    view! {
        <div class="source-note" role="status">
            {move || {
                message.get()
                    .map(|message| {
                        view! {
                            <Icon path=icons::INFO />
                            <span>{message}</span>
                            <button type="button" class="link-button" on:click=move |_| note.set(None)>{text::close()}</button>
                        }
                    })
            }}
        </div>
    }
}

/// Asks before the compact form loses anything.
#[component]
pub(crate) fn FormLosses() -> impl IntoView {
    let workspace = Workspace::here();
    let losing = workspace.forms.losing;
    let open = Signal::derive(move || losing.with(Option::is_some));
    let keep = move || losing.set(None);
    let lines = move || {
        losing.with(|losing| {
            let lines = losing.as_ref().map(|losing| losing.lines.clone()).unwrap_or_default();
            lines.into_iter().map(|line| view! { <li>{line}</li> }).collect_view()
        })
    };
    view! {
        <Dialog title=text::form_loses() open close=keep>
            <p>{text::form_loses_hint()}</p>
            <ul class="losses">{lines}</ul>
            <p class="dialog-actions">
                <button type="button" class="button" on:click=move |_| workspace.compact_anyway()>
                    {text::form_anyway()}
                </button>
                <button type="button" class="button" autofocus on:click=move |_| keep()>{text::form_keep()}</button>
            </p>
        </Dialog>
    }
}
