//! The step list.

use std::sync::Arc;

use leptos::prelude::*;
use transcript_core::view::{Status, StepRow, ToolChip};

use super::looking::Looking;
use super::running::badge;
use super::scrubber::Scrubber;
use super::transport::Transport;
use super::words;
use crate::state::{Age, Tab, Workspace};
use crate::strings::{count, fill, group, text};
use crate::ui::{Icon, IconButton, VirtualList, icons};

/// The height of one row, in pixels; the style sheet agrees.
const ROW: f64 = 56.0;

#[component]
pub(crate) fn StepsPane() -> impl IntoView {
    let workspace = Workspace::here();
    let length = Signal::derive(move || workspace.steps.with(|steps| steps.len()));
    let selected = Signal::derive(move || (length.get() > 0).then(|| workspace.at.get()));
    let row = move |at: usize| {
        let row = workspace.steps.with(|steps| steps.row(at));
        let miss = workspace.looking.is_miss(at);
        row.map(|row| view! { <Row row miss /> }).into_any()
    };
    view! {
        <section class="pane pane-steps" id="pane-steps" aria-label=text::STEPS>
            <header class="pane-head">
                <h2>{text::STEPS}</h2>
                <IconButton
                    icon=icons::FIX
                    label=text::CHANGE_THIS
                    disabled=Signal::derive(move || length.get() < 2 || workspace.at.get() == 0)
                    press=move || workspace.change_step()
                />
                <Transport />
            </header>
            <Scrubber />
            <Looking />
            <Stale />
            <Show when=move || length.get() == 0 && workspace.is_read()>
                <div class="empty">
                    <p>{text::NO_STEPS}</p>
                    <p class="muted">{text::NO_STEPS_HINT}</p>
                </div>
            </Show>
            <VirtualList
                id="steps-list"
                label=text::STEPS_LABEL
                count=length
                selected
                row_height=ROW
                render=Arc::new(row)
                choose=Arc::new(move |at| workspace.select(at))
                enter=Arc::new(move |at| {
                    workspace.select(at);
                    workspace.tab.set(Tab::Inspect);
                })
            />
            <p class="visually-hidden" role="status">
                {move || announcement(workspace)}
            </p>
        </section>
    }
}

/// The bar that says that what is on screen is older than the text.
#[component]
pub(crate) fn Stale() -> impl IntoView {
    let workspace = Workspace::here();
    move || {
        let age = workspace.readable.with(|readable| readable.age);
        let unread = workspace.current.with(|current| current.first_unread);
        let template = match (age, unread) {
            (Age::Fresh, _) => return None,
            (Age::Stale, Some(_)) => text::STALE,
            (Age::Stale, None) => text::STALE_ERROR,
            (Age::Partial, Some(_)) => text::PARTIAL,
            (Age::Partial, None) => text::PARTIAL_ERROR,
        };
        let line = unread.or_else(|| workspace.current.with(|current| current.first_error()))?;
        let message = fill(template, &[("line", &line.to_string())]);
        Some(view! { <p class="stale" role="status">{message}</p> })
    }
}

fn announcement(workspace: Workspace) -> Option<String> {
    workspace.steps.with(|steps| {
        let at = workspace.at.get();
        let row = steps.row(at)?;
        let place = fill(text::POSITION, &[("at", &group(at)), ("of", &group(steps.len() - 1))]);
        Some(format!("{place}: {}. {}", words::of_kind(&row.kind).word, row.summary))
    })
}

#[component]
fn Row(row: StepRow, miss: bool) -> impl IntoView {
    let workspace = Workspace::here();
    let ran_path = row.path.clone();
    let ran = move || badge(workspace, &ran_path);
    let changeable = row.kind != "initial";
    let path = row.path.clone();
    let kind = words::of_kind(&row.kind);
    let number = (row.kind != "initial").then(|| fill(text::TURN, &[("n", &row.turn.to_string())]));
    let role = row.role.as_deref().map(|role| words::of_role(role).word);
    let problem = row.problem.map(words::of_severity);
    let nested = (row.children > 0).then(|| count(text::NESTED_ONE, text::NESTED_MANY, row.children));
    let tokens = row.tokens.map(|tokens| {
        let n = group(usize::try_from(tokens).unwrap_or(usize::MAX));
        let long = fill(text::TOKENS_LONG, &[("n", &n)]);
        view! { <span class="step-tokens" title=long>{fill(text::TOKENS, &[("n", &n)])}</span> }
    });
    let empty = row.summary.is_empty() && row.tools.is_empty();
    let indent = format!("{}px", row.depth.min(8) * 20);
    view! {
        <div
            class=format!("step {}", kind.class)
            class:step-miss=miss
            style:margin-left=indent
            on:contextmenu=move |event| {
                // The step's own menu, with the keyboard `C`; with Shift the browser's.
                if changeable && !event.shift_key() {
                    event.prevent_default();
                    workspace.change_step_at(path.clone());
                }
            }
        >
            <span class="step-icon">
                <Icon path=kind.icon />
            </span>
            <div class="step-head">
                <span class="step-kind">{kind.word}</span>
                <span class="step-meta">{number}</span>
                <span class="step-meta">{row.agent}</span>
                <span class="step-meta">{role}</span>
                <span class="step-meta">{nested}</span>
                <span class="step-marks">
                    {ran}
                    {(row.status == Status::Failed)
                        .then(|| view! { <span class="step-failed"><Icon path=icons::ERROR />{text::FAILED}</span> })}
                    {row
                        .changes_context
                        .then(|| view! { <span class="mark-state" title=text::MARK_CONTEXT_LONG>"~ " {text::MARK_CONTEXT}</span> })}
                    {tokens}
                    {problem
                        .map(|look| {
                            view! {
                                <span class=look.class>
                                    <Icon path=look.icon />
                                    <span class="visually-hidden">{look.word}</span>
                                </span>
                            }
                        })}
                </span>
            </div>
            <div class="step-body">
                {(!row.summary.is_empty()).then(|| view! { <span class="step-summary">{row.summary}</span> })}
                {row.tools.into_iter().map(|tool| view! { <Chip tool /> }).collect_view()}
                {empty.then(|| view! { <span class="step-summary muted">{text::NO_TEXT}</span> })}
            </div>
        </div>
    }
}

#[component]
fn Chip(tool: ToolChip) -> impl IntoView {
    view! {
        <span class="chip">
            <Icon path=icons::TOOL />
            <b>{tool.name}</b>
            <span class="chip-arguments">{tool.arguments}</span>
        </span>
    }
}
