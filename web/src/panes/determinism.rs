//! Whether the document gives the same result each time it is run: two fingerprints, or the first difference.

use leptos::prelude::*;
use serde_json::Value;

use super::labels;
use crate::io;
use crate::state::{DeterminismReport, Workspace, list, short_fingerprint};
use crate::strings::{count, fill, text};
use crate::ui::{Icon, icons, one_line};

/// The most characters of a value.
const VALUE: usize = 400;

/// The chip in the bar, once there is a proof of the current text.
#[component]
pub(super) fn DeterminismChip() -> impl IntoView {
    let workspace = Workspace::here();
    let chip = move || {
        let DeterminismReport::Ready(answer) = workspace.determinism_report() else { return None };
        if workspace.is_determinism_stale() || word(&answer, "kind") == "none" {
            return None;
        }
        let same = answer.get("ok") == Some(&Value::Bool(true));
        let (class, icon, verdict_text) = match same {
            true => {
                let print = answer.pointer("/hashes/0").and_then(Value::as_str).unwrap_or_default();
                ("severity-ok", icons::OK, fill(text::chip_same(), &[("print", &short_fingerprint(print))]))
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
    let working = move || workspace.determinism_report() == DeterminismReport::Working;
    let is_log = move || workspace.current.with(|current| current.other.as_deref() == Some("event-log"));
    let button = move || match (workspace.determinism_report(), is_log()) {
        (DeterminismReport::Ready(_), true) => text::shuffle_again(),
        (DeterminismReport::Ready(_), false) => text::twice_again(),
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
    let answer = match workspace.determinism_report() {
        DeterminismReport::None => return ().into_any(),
        DeterminismReport::Working => {
            return view! { <p class="muted">{text::twice_working()}</p> }.into_any();
        }
        DeterminismReport::Failed(reason) => return view! { <p>{reason}</p> }.into_any(),
        DeterminismReport::Ready(answer) => answer,
    };
    if word(&answer, "kind") == "none" {
        let reason = fill(text::twice_not(), &[("reason", word(&answer, "reason"))]);
        return view! { <p class="severity-warning"><Icon path=icons::WARNING />{reason}</p> }.into_any();
    }
    let identical = answer.get("identical") == Some(&Value::Bool(true));
    let ok = answer.get("ok") == Some(&Value::Bool(true));
    let steps = answer.get("steps").and_then(Value::as_u64).unwrap_or_default() as usize;
    let number = match word(&answer, "kind") {
        "events" => count(text::events_one(), text::events_many(), steps),
        _ => count(text::steps_one(), text::steps_many(), steps),
    };
    let (class, icon, verdict) = match (ok, identical) {
        (true, _) => ("severity-ok", icons::OK, text::twice_same()),
        (false, true) => ("severity-error", icons::ERROR, text::twice_fails()),
        _ => ("severity-error", icons::ERROR, text::twice_different()),
    };
    let old = workspace
        .is_determinism_stale()
        .then(|| view! { <p class="severity-warning"><Icon path=icons::WARNING />{text::twice_old()}</p> });
    let prints =
        list(&answer, "hashes").iter().zip([text::first_run(), text::second_run()]).map(|(print, run)| {
            let print = print.as_str().unwrap_or_default().to_owned();
            view! { <dt>{run}</dt><dd><code>{print}</code></dd> }
        });
    let failures = list(&answer, "failures").iter().map(|failure| {
        let values = [("event", word(failure, "event")), ("message", word(failure, "message"))];
        view! { <li>{fill(text::twice_failure(), &values)}</li> }
    });
    let notes = list(&answer, "notes")
        .iter()
        .filter_map(Value::as_str)
        .map(|note| view! { <li>{note.to_owned()}</li> });
    let difference = answer
        .get("firstDifference")
        .filter(|difference| !difference.is_null())
        .map(|difference| difference_view(workspace, &answer, difference));
    // Of other documents there is no such command.
    let command = (word(&answer, "kind") == "events").then(|| workspace.determinism_command());
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
fn difference_view(workspace: Workspace, answer: &Value, difference: &Value) -> AnyView {
    let step = word(difference, "step").to_owned();
    let place = fill(text::difference_place(), &[("step", &step), ("path", word(difference, "path"))]);
    let cause = match word(difference, "cause") {
        "timestamp" => Some(text::cause_time()),
        "random_id" => Some(text::cause_id()),
        "random_number" => Some(text::cause_number()),
        "order" => Some(text::cause_order()),
        _ => None,
    };
    let values =
        [("first", text::first_run()), ("second", text::second_run())].into_iter().map(|(key, run)| {
            let value = match difference.get(key).filter(|value| !value.is_null()) {
                Some(value) => one_line(value, VALUE),
                None => text::compare_nothing().to_owned(),
            };
            view! { <dt>{run}</dt><dd><code>{value}</code></dd> }
        });
    let rows = list(difference, "around").iter().map(|row| {
        let (first, second) = (word(row, "first").to_owned(), word(row, "second").to_owned());
        let here = word(row, "step") == step;
        let mark = if here || first != second { "~" } else { "=" };
        view! {
            <tr class:around-here=here aria-current=here.then_some("step")>
                <td>{mark}</td>
                <th scope="row">{word(row, "step").to_owned()}</th>
                <td>{labels::kind_label(word(row, "kind")).word.to_owned()}</td>
                <td>{first}</td>
                <td>{second}</td>
            </tr>
        }
    });
    let comparable = list(answer, "runs").len() == 2;
    view! {
        <p class="first-difference"><b>{text::first_difference()}</b> " " {place}</p>
        <dl class="prints">{values.collect_view()}</dl>
        {cause.map(|cause| view! { <p><b>{text::cause()}</b> " " {cause}</p> })}
        {comparable
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

fn word<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}
