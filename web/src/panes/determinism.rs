//! Whether the document gives the same result each time it is run: two fingerprints, or the first difference.

use leptos::prelude::*;
use transcript_core::verify::Cause;
use transcript_core::view::{FirstDifference, StepPair};

use super::labels;
use crate::io;
use crate::state::{DeterminismStage, Workspace, short_fingerprint};
use crate::strings::{count, fill, text};
use crate::ui::{Icon, icons, one_line};

/// The most characters of a value.
const VALUE: usize = 400;

/// The chip in the bar, once there is a proof of the current text.
#[component]
pub(super) fn DeterminismChip() -> impl IntoView {
    let workspace = Workspace::here();
    let chip = move || {
        let DeterminismStage::Ready(report) = workspace.determinism_stage() else { return None };
        if workspace.is_determinism_stale() || report.kind == "none" {
            return None;
        }
        let (class, icon, verdict_text) = match report.ok {
            true => {
                let print = report.hashes.first().map(|print| short_fingerprint(print)).unwrap_or_default();
                ("severity-ok", icons::OK, fill(text::chip_same(), &[("print", &print)]))
            }
            false => ("severity-error", icons::ERROR, text::chip_different().to_owned()),
        };
        Some(view! {
            <button
                type="button"
                class=format!("verdict proof-chip {class}")
                on:click=move |_| workspace.show_determinism()
            >
                <Icon path=icon />
                <span class="verdict-word">{verdict_text}</span>
            </button>
        })
    };
    view! { {chip} }
}

/// The tab.
#[component]
pub(super) fn Determinism() -> impl IntoView {
    let workspace = Workspace::here();
    let working = move || workspace.determinism_stage() == DeterminismStage::Working;
    let is_log = move || workspace.current.with(|current| current.other.as_deref() == Some("event-log"));
    let button = move || match (workspace.determinism_stage(), is_log()) {
        (DeterminismStage::Ready(_), true) => text::shuffle_again(),
        (DeterminismStage::Ready(_), false) => text::twice_again(),
        (_, true) => text::shuffle_and_replay(),
        _ => text::twice(),
    };
    view! {
        <div class="dock-body determinism" id="determinism" tabindex="0" role="region" aria-label=text::determinism()>
            <p class="determinism-head">
                <button type="button" class="button" disabled=working on:click=move |_| workspace.run_twice()>
                    {button}
                </button>
                <span class="muted">{move || if is_log() { text::twice_events() } else { text::twice_hint() }}</span>
            </p>
            <div role="status">{move || report_view(workspace)}</div>
        </div>
    }
}

fn report_view(workspace: Workspace) -> AnyView {
    let report = match workspace.determinism_stage() {
        DeterminismStage::None => return ().into_any(),
        DeterminismStage::Working => {
            return view! { <p class="muted">{text::twice_working()}</p> }.into_any();
        }
        DeterminismStage::Failed(reason) => return view! { <p>{reason}</p> }.into_any(),
        DeterminismStage::Ready(report) => report,
    };
    if report.kind == "none" {
        let reason = fill(text::twice_not(), &[("reason", report.reason.as_deref().unwrap_or_default())]);
        return view! { <p class="severity-warning"><Icon path=icons::WARNING />{reason}</p> }.into_any();
    }
    let number = match &*report.kind {
        "events" => count(text::events_one(), text::events_many(), report.steps),
        _ => count(text::steps_one(), text::steps_many(), report.steps),
    };
    let (class, icon, verdict) = match (report.ok, report.identical) {
        (true, _) => ("severity-ok", icons::OK, text::twice_same()),
        (false, true) => ("severity-error", icons::ERROR, text::twice_fails()),
        _ => ("severity-error", icons::ERROR, text::twice_different()),
    };
    let old = workspace
        .is_determinism_stale()
        .then(|| view! { <p class="severity-warning"><Icon path=icons::WARNING />{text::twice_old()}</p> });
    let prints = report.hashes.iter().zip([text::first_run(), text::second_run()]).map(|(print, run)| {
        let print = print.clone();
        view! { <dt>{run}</dt><dd><code>{print}</code></dd> }
    });
    let failures = report.failures.iter().map(|failure| {
        let values = [("event", &*failure.event), ("message", &*failure.message)];
        view! { <li>{fill(text::twice_failure(), &values)}</li> }
    });
    let notes = report.notes.iter().map(|note| view! { <li>{note.clone()}</li> });
    let is_comparable = report.runs.len() == 2;
    let difference = report
        .first_difference
        .as_ref()
        .map(|difference| difference_view(workspace, is_comparable, difference));
    // Of other documents there is no such command.
    let command = (report.kind == "events").then(|| workspace.determinism_command());
    let command = command.map(command_line);
    view! {
        {old}
        <p class=format!("determinism-verdict {class}")><Icon path=icon /><b>{verdict}</b> <span class="muted">{number}</span></p>
        <dl class="prints">{prints.collect_view()}</dl>
        {difference}
        <ul class="determinism-notes">{failures.collect_view()}{notes.collect_view()}</ul>
        {command}
    }
    .into_any()
}

/// What does the same on the command line.
fn command_line(command: String) -> AnyView {
    let copied = RwSignal::new(false);
    let copy = {
        let command = command.clone();
        move |_| {
            let command = command.clone();
            leptos::task::spawn_local(async move { copied.set(io::page::copy(&command).await) });
        }
    };
    view! {
        <p class="determinism-command">
            <span class="muted">{text::twice_command()}</span>
            <code>{command}</code>
            <button type="button" class="link-button" on:click=copy>
                {move || if copied.get() { text::copied() } else { text::copy() }}
            </button>
        </p>
    }
    .into_any()
}

/// The first difference of two runs, its likely cause, and the steps around.
fn difference_view(workspace: Workspace, is_comparable: bool, difference: &FirstDifference) -> AnyView {
    let FirstDifference { step, path, first, second, cause, around } = difference;
    let place = fill(text::difference_place(), &[("step", step), ("path", path)]);
    let cause = cause.map(|cause| match cause {
        Cause::Timestamp => text::cause_time(),
        Cause::RandomId => text::cause_id(),
        Cause::RandomNumber => text::cause_number(),
        Cause::Order => text::cause_order(),
    });
    let values =
        [(first, text::first_run()), (second, text::second_run())].into_iter().map(|(value, run)| {
            let value = match value {
                Some(value) => one_line(value, VALUE),
                None => text::compare_nothing().to_owned(),
            };
            view! { <dt>{run}</dt><dd><code>{value}</code></dd> }
        });
    let rows = around.iter().map(|row| {
        let StepPair { step: name, kind, first, second } = row.clone();
        let here = name == *step;
        let mark = if here || first != second { "~" } else { "=" };
        view! {
            <tr class:around-here=here aria-current=here.then_some("step")>
                <td>{mark}</td>
                <th scope="row">{name}</th>
                <td>{labels::kind_label(&kind).word.to_owned()}</td>
                <td>{first}</td>
                <td>{second}</td>
            </tr>
        }
    });
    view! {
        <p class="first-difference"><b>{text::first_difference()}</b> " " {place}</p>
        <dl class="prints">{values.collect_view()}</dl>
        {cause.map(|cause| view! { <p><b>{text::cause()}</b> " " {cause}</p> })}
        {is_comparable
            .then(|| {
                view! {
                    <p>
                        <button type="button" class="button" on:click=move |_| workspace.compare_runs()>
                            {text::open_in_compare()}
                        </button>
                    </p>
                }
            })}
        <div class="around" tabindex="0" role="region" aria-label=text::around()>
            <table>
                <caption>{text::around()}</caption>
                <thead>
                    <tr>
                        <td></td>
                        {text::around_head().map(|head| view! { <th scope="col">{head}</th> }).collect_view()}
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}
