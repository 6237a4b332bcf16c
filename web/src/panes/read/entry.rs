//! A step to read.

use leptos::prelude::*;
use transcript_core::diagnostic::Severity;
use transcript_core::view::{InnerRun, ListedStep, ReadEntry, RunTotals, Status, StepRow};

use super::cost::step_cost;
use super::folds::Folds;
use super::message::{Message, Reasoning, call_line};
use super::tool::Tool;
use crate::panes::labels;
use crate::state::Workspace;
use crate::strings::{count, fill, group, text};
use crate::ui::{Icon, icons};

#[component]
pub(super) fn Entry(
    at: usize,
    row: ListedStep,
    entry: ReadEntry,
    folds: Folds,
    totals: RwSignal<RunTotals>,
) -> impl IntoView {
    let ListedStep { step, took, inner } = row;
    let depth = step.depth;
    // A search shows the steps of inner runs as well.
    let matches = Workspace::here().step_search.matches;
    let is_searched = move || matches.with(Option::is_some);
    let meta = view! { <Meta at step=step.clone() took totals /> }.into_any();
    let content = match entry.tool {
        Some(tool) => view! { <Tool step=step.clone() tool meta folds /> }.into_any(),
        None => messages_of_step(&step, entry, meta, folds),
    };
    view! {
        <div class="entry" style:--depth=depth.to_string()>
            {step.note.clone().map(|note| view! { <p class="entry-note"><Icon path=icons::MESSAGE />{note}</p> })}
            {content}
            {(step.children > 0)
                .then_some(move || {
                    let (step, inner) = (step.clone(), inner.clone());
                    (!is_searched()).then(|| view! { <InnerRunButton at step inner folds /> })
                })}
        </div>
    }
}

/// The messages of a step, with the reasoning and the calls of the model.
fn messages_of_step(step: &StepRow, entry: ReadEntry, meta: AnyView, folds: Folds) -> AnyView {
    let ReadEntry { messages, earlier, reasoning, .. } = entry;
    let is_model = step.kind == "llm_call";
    let role = match (is_model, messages.last()) {
        (true, _) => "assistant".to_owned(),
        (false, Some(message)) => message.role.clone(),
        (false, None) => String::new(),
    };
    let several = messages.len() > 1;
    let is_start = step.kind == "initial" && messages.len() != 1;
    let look = if is_start { labels::kind_label("initial") } else { labels::role_label(&role) };
    let key = format!("{}:reasoning", step.path);
    let open = step.tools.iter().filter(|tool| tool.unanswered);
    let open: Vec<AnyView> = open.cloned().map(call_line).collect();
    // What was called follows as steps of their own.
    let names: Vec<&str> =
        step.tools.iter().filter(|tool| !tool.unanswered).map(|tool| tool.name.as_str()).collect();
    let calls = (!names.is_empty()).then(|| fill(text::read_calls(), &[("tools", &names.join(", "))]));
    let path = step.path.clone();
    let messages = messages.into_iter().enumerate().map(|(at, message)| {
        let head = several.then(|| message.role.clone());
        view! { <Message message head key=format!("{path}:{at}") folds /> }
    });
    let messages = messages.collect_view();
    view! {
        <div class=format!("entry-body {}", look.class)>
            <header class="entry-head">
                <span class="message-role"><Icon path=look.icon />{look.word}</span>
                <span class="muted">{step.agent.clone()}</span>
                <span class="muted">{calls}</span>
                {meta}
            </header>
            {reasoning.map(|reasoning| view! { <Reasoning reasoning key folds /> })}
            {(earlier > 0).then(|| view! { <p class="muted">{count(text::read_earlier_one(), text::read_earlier_many(), earlier)}</p> })}
            {messages}
            {open}
        </div>
    }
    .into_any()
}

/// The number of the step, and what it took.
#[component]
fn Meta(at: usize, step: StepRow, took: Option<f64>, totals: RwSignal<RunTotals>) -> impl IntoView {
    let workspace = Workspace::here();
    let tokens = step.tokens.map(|tokens| {
        let n = group(usize::try_from(tokens).unwrap_or(usize::MAX));
        fill(text::tokens(), &[("n", &n)])
    });
    let problem = step.problem.filter(|severity| *severity < Severity::Info).map(labels::severity_label);
    view! {
        <span class="entry-meta">
            {(step.status == Status::Failed)
                .then(|| view! { <span class="step-failed"><Icon path=icons::ERROR />{text::failed()}</span> })}
            {problem
                .map(|look| {
                    view! {
                        <span class=look.class>
                            <Icon path=look.icon />
                            <span class="visually-hidden">{look.word}</span>
                        </span>
                    }
                })}
            {took.filter(|took| *took >= 0.5).map(|took| view! { <span>{labels::duration_text(took)}</span> })}
            {tokens.map(|tokens| view! { <span>{tokens}</span> })}
            {move || totals.with(|totals| step_cost(totals, at)).map(|cost| view! { <span>{cost}</span> })}
            <span>{(step.kind != "initial").then(|| fill(text::turn(), &[("n", &step.turn.to_string())]))}</span>
            {(step.kind != "initial")
                .then(|| view! {
                    <button
                        type="button"
                        class="link-button note-button"
                        on:click=move |event| {
                            event.stop_propagation();
                            workspace.write_note(at);
                        }
                    >
                        {text::note_label()}
                    </button>
                })}
        </span>
    }
}

/// Shows or hides the run of another agent.
#[component]
fn InnerRunButton(at: usize, step: StepRow, inner: Option<InnerRun>, folds: Folds) -> impl IntoView {
    let workspace = Workspace::here();
    let path = step.path.clone();
    let is_open = move || folds.is_unfolded(&path);
    let expanded = is_open.clone();
    let path = step.path.clone();
    let agent = inner.map_or_else(|| text::sub_agent().to_owned(), |inner| inner.agent);
    let steps = count(text::steps_one(), text::steps_many(), step.children);
    view! {
        <button
            type="button"
            class="button entry-inner"
            aria-expanded=move || expanded().to_string()
            on:click=move |event| {
                event.stop_propagation();
                // A hidden step cannot stay selected.
                workspace.select(at);
                folds.fold(&path);
            }
        >
            <Icon path=icons::AGENT />
            {format!("{agent} · {steps}")}
            <span aria-hidden="true">{move || if is_open() { " ▾" } else { " ▸" }}</span>
        </button>
    }
}
