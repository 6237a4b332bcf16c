//! The step list.

use std::sync::Arc;

use leptos::prelude::*;
use transcript_core::view::{InnerRun, ListedStep, Status, ToolChip};

use super::labels;
use super::running::badge;
use super::scrubber::Scrubber;
use super::step_search::StepSearch;
use super::transport::Transport;
use crate::io;
use crate::state::{Freshness, Verdict, View, Workspace};
use crate::strings::{count, fill, group, text};
use crate::ui::{Icon, IconButton, VirtualList, icons};

/// The height of one row, in pixels; the style sheet agrees.
const ROW: f64 = 56.0;

/// Why there are no steps, and the view that the document is for.
pub(super) fn no_steps(workspace: Workspace) -> AnyView {
    let of_events = workspace.current.with(|current| current.other.as_deref() == Some("event-log"));
    let other = match (workspace.is_of_handlers(), of_events) {
        (true, _) => Some((View::Handlers, text::no_steps_handlers(), text::view_handlers())),
        (_, true) => Some((View::Agents, text::logs_events(), text::view_agents())),
        _ => None,
    };
    let looked_at =
        workspace.current.with(|current| current.unrecognized.as_ref().map(labels::describe_unrecognized));
    if let Some(lines) = looked_at {
        let lines: Vec<AnyView> =
            lines.into_iter().map(|line| view! { <li>{line}</li> }.into_any()).collect();
        return view! {
            <p>{text::looked_at()}</p>
            <ul class="looked-at">{lines}</ul>
            <p class="muted">{text::looked_at_hint()}</p>
        }
        .into_any();
    }
    match other {
        Some((view, why, name)) => {
            let go = move |_| workspace.go(workspace.route.with_untracked(|route| route.seen_in(view)));
            view! {
                <p>{why}</p>
                <p>
                    <button type="button" class="button" on:click=go>{name}</button>
                </p>
            }
            .into_any()
        }
        None => view! {
            <p>{text::no_steps()}</p>
            <p class="muted">{text::no_steps_hint()}</p>
            {workspace.current.with(|current| current.is_blank()).then(|| view! { <p><InsertExample /></p> })}
        }
        .into_any(),
    }
}

/// Writes an example run into the empty document.
#[component]
pub(super) fn InsertExample() -> impl IntoView {
    let workspace = Workspace::here();
    view! {
        <button
            type="button"
            class="button"
            disabled=move || workspace.is_read_only()
            on:click=move |_| workspace.insert_example()
        >
            {text::insert_example()}
        </button>
    }
}

#[component]
pub(crate) fn StepsPane() -> impl IntoView {
    let workspace = Workspace::here();
    let length = Signal::derive(move || workspace.scope.with(|scope| scope.len()));
    let selected = Signal::derive(move || (length.get() > 0).then(|| workspace.place().0));
    let row = move |place: usize| {
        let at = workspace.scope.with(|scope| scope.row(place));
        let row = at.and_then(|at| Some((at, workspace.steps.with(|steps| steps.row(at))?)));
        row.map(|(at, row)| view! { <Row row miss=workspace.step_search.is_miss(at) at /> }).into_any()
    };
    view! {
        <section class="pane pane-steps" id="pane-steps" aria-label=text::steps()>
            <header class="pane-head">
                <h2>{text::steps()}</h2>
                <IconButton
                    icon=icons::FIX
                    label=text::change_this()
                    disabled=Signal::derive(move || length.get() < 2 || workspace.at.get() == 0)
                    press=move || workspace.change_step()
                />
                <Transport />
            </header>
            <Show when=move || !workspace.narrow.get()>
                <Scrubber />
            </Show>
            <Crumbs />
            <StepSearch />
            <Stale />
            <MissingStep template=text::no_such_step() />
            <Show when=move || length.get() == 0 && workspace.is_read()>
                <div class="empty">{move || no_steps(workspace)}</div>
            </Show>
            <VirtualList
                id="steps-list"
                label=text::steps_label()
                count=length
                selected
                row_height=ROW
                render=Arc::new(row)
                choose=Arc::new(move |place| workspace.select_place(place))
                enter=Arc::new(move |place| {
                    let Some(at) = workspace.scope.with_untracked(|scope| scope.row(place)) else { return };
                    workspace.select(at);
                    if !workspace.drill_in(at) {
                        workspace.inspect();
                    }
                })
            />
            <p class="visually-hidden" role="status">
                {move || announcement(workspace)}
            </p>
        </section>
    }
}

/// The bar for a screen that is older than the text.
#[component]
pub(crate) fn Stale() -> impl IntoView {
    let workspace = Workspace::here();
    move || {
        let (age, since) = workspace.readable.with(|readable| (readable.age, readable.since));
        let unread = workspace.current.with(|current| current.first_unread);
        let template = match (age, unread) {
            (Freshness::Fresh, _) => return None,
            (Freshness::Stale, Some(_)) => text::stale(),
            (Freshness::Stale, None) => text::stale_error(),
            (Freshness::Partial, Some(_)) => text::partial(),
            (Freshness::Partial, None) => text::partial_error(),
        };
        let line = unread.or_else(|| workspace.current.with(|current| current.first_error()))?;
        let message =
            fill(template, &[("line", &line.to_string()), ("time", &io::clock::time_to_the_second(since))]);
        Some(view! { <p class="stale" role="status">{message}</p> })
    }
}

/// The bar for a step in the address that the run does not have, and what is shown instead.
#[component]
pub(super) fn MissingStep(template: &'static str) -> impl IntoView {
    let workspace = Workspace::here();
    let notice = move || workspace.missed_step().map(|step| fill(template, &[("step", &step)]));
    move || {
        notice().map(|notice| view! { <p class="missed" role="status"><Icon path=icons::INFO />{notice}</p> })
    }
}

/// The path from the run at the top to the visible one; each part leads back.
#[component]
fn Crumbs() -> impl IntoView {
    let workspace = Workspace::here();
    let parents = Memo::new(move |_| workspace.scope.with(|scope| scope.parents()));
    let named = move |at: usize| {
        let row = workspace.steps.with(|steps| steps.row(at));
        let inner = row.and_then(|row| row.inner);
        inner.map_or_else(|| text::sub_agent().to_owned(), |inner| inner.agent)
    };
    move || {
        let mut name = text::main_agent().to_owned();
        let mut crumbs = Vec::new();
        for parent in parents.get() {
            let label = fill(text::back_out(), &[("agent", &name)]);
            let outer = std::mem::replace(&mut name, named(parent));
            let link =
                workspace.steps.with(|steps| steps.link(parent).map(str::to_owned)).unwrap_or_default();
            // Of a dotted link the last part is the step in that run.
            let step = link.rsplit('.').next().unwrap_or_default().to_owned();
            crumbs.push(view! {
                <li>
                    <button type="button" class="crumb" title=label on:click=move |_| workspace.select(parent)>
                        {outer}
                    </button>
                </li>
                <li>{step}</li>
            });
        }
        (!crumbs.is_empty()).then(|| {
            view! {
                <nav class="crumbs" aria-label=text::drilled()>
                    <ol>
                        {crumbs}
                        <li aria-current="true"><Icon path=icons::AGENT />{name}</li>
                    </ol>
                </nav>
            }
        })
    }
}

fn announcement(workspace: Workspace) -> Option<String> {
    workspace.steps.with(|steps| {
        let row = steps.row(workspace.at.get())?.step;
        let place = labels::position_text(workspace);
        Some(format!("{place}: {}. {}", labels::kind_label(&row.kind).word, row.summary))
    })
}

#[component]
fn Row(row: ListedStep, miss: bool, at: usize) -> impl IntoView {
    let workspace = Workspace::here();
    let ListedStep { step: row, took, inner } = row;
    let verdict_path = row.path.clone();
    let verdict = move || asserted(workspace.verdict(&verdict_path));
    let ran_path = row.path.clone();
    let ran = move || badge(workspace, &ran_path);
    let changeable = row.kind != "initial";
    let path = row.path.clone();
    let kind = labels::kind_label(&row.kind);
    let number = (row.kind != "initial").then(|| fill(text::turn(), &[("n", &row.turn.to_string())]));
    let role = row.role.as_deref().map(|role| labels::role_label(role).word);
    let problem = row.problem.map(labels::severity_label);
    let nested = (row.children > 0).then(|| count(text::nested_one(), text::nested_many(), row.children));
    let tokens = row.tokens.map(|tokens| {
        let n = group(usize::try_from(tokens).unwrap_or(usize::MAX));
        let long = fill(text::tokens_long(), &[("n", &n)]);
        view! { <span class="step-tokens" title=long>{fill(text::tokens(), &[("n", &n)])}</span> }
    });
    let took = took.map(|took| {
        let time = labels::duration_text(took);
        let long = fill(text::took(), &[("time", &time)]);
        view! { <span class="step-tokens" title=long>{time}</span> }
    });
    let empty = row.summary.is_empty() && row.tools.is_empty();
    let is_agent = inner.is_some();
    let summary = match &inner {
        Some(inner) => fill(
            text::prompt_and_result(),
            &[("prompt", inner.prompt.as_str()), ("result", inner.result.as_str())],
        ),
        None => row.summary.clone(),
    };
    let agent = inner.map(|InnerRun { agent, .. }| {
        let long = fill(text::drill_in(), &[("agent", &agent)]);
        let enter = move |event: leptos::ev::MouseEvent| {
            event.stop_propagation();
            workspace.drill_in(at);
        };
        view! {
            <span class="step-agent" title=long on:click=enter>
                <Icon path=icons::AGENT />
                <span class="visually-hidden">{text::sub_agent()}" "</span>
                {agent}
            </span>
        }
    });
    view! {
        <div
            class=format!("step {}", kind.class)
            class:step-miss=miss
            class:step-card=is_agent
            on:click=move |_| workspace.pull_drawer()
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
                {agent}
                <span class="step-meta">{nested}</span>
                <span class="step-marks">
                    {verdict}
                    {ran}
                    {(row.status == Status::Failed)
                        .then(|| view! { <span class="step-failed"><Icon path=icons::ERROR />{text::failed()}</span> })}
                    {row
                        .changes_context
                        .then(|| view! { <span class="mark-state" title=text::mark_context_long()>"~ " {text::mark_context()}</span> })}
                    {row.note.map(|note| view! { <span title=note><Icon path=icons::MESSAGE /><span class="visually-hidden">{text::note_label()}</span></span> })}
                    {took}
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
                {(!summary.is_empty()).then(|| view! { <span class="step-summary">{summary}</span> })}
                {(!is_agent).then(|| row.tools.into_iter().map(|tool| view! { <Chip tool /> }).collect_view())}
                {empty.then(|| view! { <span class="step-summary muted">{text::no_text()}</span> })}
            </div>
        </div>
    }
}

/// Whether the assertions of a step hold.
fn asserted(verdict: Verdict) -> Option<impl IntoView> {
    let Verdict { held, failed } = verdict;
    let (class, icon, word) = match (held, failed) {
        (0, 0) => return None,
        (_, 0) => {
            ("severity-ok", icons::OK, count(text::asserted_hold_one(), text::asserted_hold_many(), held))
        }
        _ => (
            "severity-error",
            icons::ERROR,
            count(text::asserted_fail_one(), text::asserted_fail_many(), failed),
        ),
    };
    Some(view! {
        <span class=format!("step-asserted {class}") title=word.clone()>
            <Icon path=icon />
            <span class="visually-hidden">{word.clone()}</span>
        </span>
    })
}

#[component]
fn Chip(tool: ToolChip) -> impl IntoView {
    view! {
        <span class="chip">
            <Icon path=icons::TOOL />
            <b>{tool.name}</b>
            <span class="chip-arguments">{tool.arguments}</span>
            {tool.unanswered.then(|| view! { <span class="chip-unanswered">{text::unanswered()}</span> })}
        </span>
    }
}
