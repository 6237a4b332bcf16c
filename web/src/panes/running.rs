//! Running the document: the button with its mode, the result, and the badge of a step.

use leptos::prelude::*;
use transcript_core::view::{PlayMode, PlayStatus};

use crate::state::{RunResult, Workspace, mode_label};
use crate::strings::{fill, group, text};
use crate::ui::{Icon, icons};

/// The button, and next to it the mode, which is always visible.
#[component]
pub(super) fn Run() -> impl IntoView {
    let workspace = Workspace::here();
    let playing = workspace.document_run;
    let options = PlayMode::ALL.map(|mode| {
        view! { <option value=mode.name() selected=move || playing.mode.get() == mode>{mode_label(mode)}</option> }
    });
    view! {
        <span class="run" role="group" aria-label=text::run_group()>
            <button
                type="button"
                title=text::run_title()
                disabled=move || playing.busy.get()
                on:click=move |_| workspace.run_document()
            >
                <Icon path=icons::PLAY />
                {text::run()}
            </button>
            <select
                aria-label=text::run_mode()
                prop:value=move || playing.mode.get().name()
                on:change=move |event| {
                    playing.mode.set(PlayMode::new(&event_target_value(&event)).unwrap_or_default());
                }
            >
                {options.into_iter().collect_view()}
            </select>
        </span>
    }
}

/// The result of the run, above the assertions.
#[component]
pub(super) fn RunSummary() -> impl IntoView {
    let workspace = Workspace::here();
    move || {
        if let Some(reason) = workspace.document_run.failed.get() {
            return Some(view! { <div class="run-summary" role="status"><p>{reason}</p></div> }.into_any());
        }
        workspace.run_result().map(|played| summary(workspace, &played))
    }
}

fn summary(workspace: Workspace, played: &RunResult) -> AnyView {
    let answer = &played.answer;
    if !answer.ok {
        let reason = answer.reason.as_deref().unwrap_or_default();
        let message = fill(text::run_not(), &[("mode", mode_label(played.mode)), ("reason", reason)]);
        return view! {
            <div class="run-summary" role="status">
                <p class="severity-warning"><Icon path=icons::WARNING />{message}</p>
            </div>
        }
        .into_any();
    }
    let [matched, substituted, skipped, diverged] = played.counts().map(group);
    let values = [
        ("mode", mode_label(played.mode)),
        ("matched", &*matched),
        ("substituted", &*substituted),
        ("skipped", &*skipped),
        ("diverged", &*diverged),
    ];
    let extra = answer.extra;
    let extra = (extra > 0).then(|| view! { <p>{fill(text::run_extra(), &[("n", &group(extra))])}</p> });
    let notes = answer.notes.iter();
    let notes = notes.map(|note| view! { <p class="muted">{note.clone()}</p> }).collect_view();
    let open = answer.text.is_some().then(|| {
        view! {
            <p>
                <button type="button" class="link-button" on:click=move |_| workspace.open_run_result()>
                    {text::run_open()}
                </button>
            </p>
        }
    });
    view! {
        <div class="run-summary" role="status">
            <p><b>{fill(text::run_counts(), &values)}</b></p>
            <p class="muted">{mode_hint(played.mode)}</p>
            {extra}
            {notes}
            {open}
        </div>
    }
    .into_any()
}

fn mode_hint(mode: PlayMode) -> &'static str {
    let [strict, mocked, property] = text::run_hints();
    match mode {
        PlayMode::Strict => strict,
        PlayMode::MockedTools => mocked,
        PlayMode::Property => property,
    }
}

/// The status of a step in the last run.
pub(super) fn badge(workspace: Workspace, path: &str) -> Option<AnyView> {
    let played = workspace.run_result()?;
    let step = played.step(path)?;
    let (class, icon) = match step.status {
        PlayStatus::Matched => ("severity-ok", icons::OK),
        PlayStatus::Substituted => ("severity-info", icons::SWAP),
        PlayStatus::Skipped => ("severity-warning", icons::NEXT),
        PlayStatus::Diverged => ("severity-error", icons::ERROR),
    };
    let word = text::run_status(step.status as usize);
    let title = step.why.as_ref().map(|why| fill(text::run_why(), &[("path", why)]));
    Some(
        view! { <span class=format!("run-badge {class}") title=title><Icon path=icon />{word}</span> }
            .into_any(),
    )
}
