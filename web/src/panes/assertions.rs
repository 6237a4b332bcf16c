//! The assertions of the document, and their outcomes.

use leptos::prelude::*;
use serde_json::Value;
use transcript_core::check::Status;
use transcript_core::view::{ListedEvidence, ListedOutcome, PlayMode};

use super::compare::text_view;
use super::running::RunSummary;
use crate::io;
use crate::state::{Dock, PtrArc, Tab, Workspace};
use crate::strings::{fill, group, text};
use crate::ui::{Icon, icons, one_line};

/// The most assertions to show, and the most to show of the evidence of one.
const SHOWN: usize = 300;
const EVIDENCE: usize = 5;
/// The most characters of an expected or an actual value.
const VALUE: usize = 160;

/// The two lists that share the pane, and which one is visible.
#[component]
pub(super) fn DockTabs() -> impl IntoView {
    let workspace = Workspace::here();
    let tab = move |dock: Dock, word: &'static str| {
        view! {
            <button
                type="button"
                class="dock-tab"
                id=(dock == Dock::Problems).then_some("dock-tab")
                aria-pressed=move || (workspace.dock.get() == dock).to_string()
                on:click=move |_| workspace.dock.set(dock)
            >
                {word}
            </button>
        }
    };
    let total = move || {
        let (held, all) = workspace.assertions.total()?;
        let summary = if held == all { text::assertions_total() } else { text::assertions_total_fail() };
        Some(fill(summary, &[("n", &group(held)), ("of", &group(all))]))
    };
    view! {
        <span class="dock-tabs" role="group" aria-label=text::dock()>
            {tab(Dock::Problems, text::problems())}
            {tab(Dock::Assertions, text::assertions())}
            {tab(Dock::Determinism, text::determinism())}
            {tab(Dock::Log, text::log())}
            <span class="dock-total muted">{total}</span>
        </span>
    }
}

/// The chip in the bar, once the document has assertions.
#[component]
pub(super) fn AssertionChip() -> impl IntoView {
    let workspace = Workspace::here();
    let chip = move || {
        let (held, all) = workspace.assertions.total().filter(|(_, all)| *all > 0)?;
        let (class, icon) = match held == all {
            true => ("severity-ok", icons::OK),
            false => ("severity-error", icons::ERROR),
        };
        let summary = fill(text::chip_assertions(), &[("n", &group(held)), ("of", &group(all))]);
        let long = fill(text::assertions_held(), &[("n", &group(held)), ("of", &group(all))]);
        Some(view! {
            <button
                type="button"
                class=format!("verdict proof-chip {class}")
                title=long
                on:click=move |_| {
                    workspace.dock.set(Dock::Assertions);
                    workspace.tab.set(Tab::Problems);
                    io::page::focus("assertions-list");
                }
            >
                <Icon path=icon />
                <span class="verdict-word">{summary}</span>
            </button>
        })
    };
    view! { {chip} }
}

#[component]
pub(super) fn Assertions() -> impl IntoView {
    let workspace = Workspace::here();
    let outcomes = workspace.assertions.outcomes;
    // One that was just written is brought into sight.
    Effect::new(move || {
        outcomes.track();
        if workspace.assertions.newest.with(Option::is_some) {
            request_animation_frame(|| io::page::show("assertion-fresh"));
        }
    });
    // Handlers made another run, which is what the assertions are about then.
    let of_run = move || {
        let played = workspace.run_result().filter(|played| played.mode != PlayMode::Strict)?;
        played.answer.ok.then(|| Ok(PtrArc::new(played.answer.outcomes.clone())))
    };
    let content = move || match of_run().or_else(|| outcomes.get()) {
        None => view! { <p class="muted" role="status">{text::checking()}</p> }.into_any(),
        Some(Err(error)) => view! { <p role="alert">{error.to_string()}</p> }.into_any(),
        Some(Ok(outcomes)) if outcomes.is_empty() => {
            view! { <p class="muted">{text::assertions_none()}</p> }.into_any()
        }
        Some(Ok(outcomes)) => {
            let held = outcomes.iter().filter(|outcome| outcome.status == Status::Passed).count();
            let summary =
                fill(text::assertions_held(), &[("n", &group(held)), ("of", &group(outcomes.len()))]);
            let more = outcomes.len().saturating_sub(SHOWN);
            let rows = outcomes.iter().take(SHOWN).map(|outcome| row(workspace, outcome)).collect_view();
            view! {
                <p role="status">{summary}</p>
                <ul class="assertions" aria-label=text::assertions()>{rows}</ul>
                {(more > 0).then(|| view! { <p class="muted">{fill(text::show_more(), &[("n", &group(more))])}</p> })}
            }
            .into_any()
        }
    };
    view! {
        <div class="assertions-pane" id="assertions-list" tabindex="0" role="region" aria-label=text::assertions()>
            <RunSummary />
            {content}
        </div>
    }
}

fn row(workspace: Workspace, outcome: &ListedOutcome) -> AnyView {
    let (class, icon, summary) = match outcome.status {
        Status::Passed => ("severity-ok", icons::OK, text::assertion_holds()),
        Status::Failed => ("severity-error", icons::ERROR, text::assertion_fails()),
        Status::Error => ("severity-warning", icons::WARNING, text::assertion_unknown()),
    };
    let step = outcome.evidence.iter().find_map(|evidence| evidence.step.clone());
    let place = step.as_ref().map(|step| fill(text::assertion_step(), &[("step", step)]));
    let nowhere = place.is_none();
    let select = move |_| {
        let Some(step) = &step else { return };
        let at = workspace.steps.with_untracked(|steps| steps.at_path(step));
        if let Some(at) = at {
            workspace.select(at);
            workspace.tab.set(Tab::Steps);
        }
    };
    let lines = outcome.evidence.iter().take(EVIDENCE).filter_map(|evidence| {
        let ListedEvidence { path, expected, actual, text: pieces, .. } = evidence;
        let value = |value: &Option<Value>, template: &str| {
            value.as_ref().map(|value| fill(template, &[("value", &one_line(value, VALUE))]))
        };
        let parts = [
            path.clone(),
            value(expected, text::assertion_expected()),
            value(actual, text::assertion_actual()),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let differs =
            (!pieces.is_empty()).then(|| view! { <div class="assertion-diff">{text_view(pieces)}</div> });
        (!parts.is_empty())
            .then(|| view! { <span class="assertion-evidence">{parts.join(" · ")}</span> {differs} })
    });
    let described = outcome.description.as_deref().filter(|description| !description.is_empty());
    let named = described.unwrap_or(&outcome.kind).to_owned();
    let help = outcome.help.clone();
    let line = u64::from(outcome.line);
    let newest = workspace.assertions.newest.get();
    let fresh = newest.is_some_and(|(first, last)| (first..=last).contains(&line));
    view! {
        <li class:assertion-fresh=fresh id=fresh.then_some("assertion-fresh")>
            <button type="button" class=format!("assertion {class}") disabled=nowhere on:click=select>
                <Icon path=icon />
                <b>{summary}</b>
                <code>{named}</code>
                <span class="assertion-message">{outcome.message.clone()}</span>
                <span class="assertion-place">{place}</span>
            </button>
            {lines.collect_view()}
            {help.map(|help| view! { <span class="assertion-evidence">{help}</span> })}
        </li>
    }
    .into_any()
}
