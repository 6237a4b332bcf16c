//! One step in time.

use leptos::prelude::*;
use transcript_core::view::{ListedStep, Status};

use crate::io;
use crate::panes::labels::{self, duration_text};
use crate::panes::read::Folds;
use crate::state::{RunTimeline, Workspace};
use crate::strings::{count, fill, text};
use crate::tenths::Tenths;
use crate::ui::Icon;

/// The row: what the step is with its marks, its bar, and how long it took. All of it is one sentence for a screen reader.
pub(super) fn row_view(
    workspace: Workspace,
    at: usize,
    listed: ListedStep,
    timeline: &RunTimeline,
    folds: Folds,
) -> AnyView {
    let ListedStep { step, inner, .. } = listed;
    let kind = labels::kind_label(&step.kind);
    let tool = step.tools.first().filter(|_| step.kind == "tool_call");
    let role =
        step.role.as_deref().filter(|_| step.kind == "message").map(|role| labels::role_label(role).word);
    let (name, subject) = match (tool, role) {
        (Some(tool), _) => (tool.name.clone(), tool.arguments.clone()),
        (None, Some(role)) => (role, step.summary.clone()),
        (None, None) => (kind.word.clone(), step.summary.clone()),
    };
    let subject = inner.map_or(subject, |inner| inner.agent);
    let mut marks = Vec::new();
    if let Some(idle) = timeline.idle_before(at) {
        let idle = fill(text::timeline_idle(), &[("time", &duration_text(idle))]);
        marks.push(("timeline-idle", idle, text::timeline_idle_long()));
    }
    if step.status == Status::Failed {
        marks.push(("timeline-mark-failed", text::failed().to_owned(), ""));
    }
    if timeline.is_retry(at) {
        marks.push(("timeline-repeat", text::timeline_retry().to_owned(), text::timeline_retry_long()));
    }
    if let Some((nth, of)) = timeline.in_loop(at) {
        let label = fill(text::timeline_loop(), &[("n", &nth.to_string()), ("of", &of.to_string())]);
        marks.push(("timeline-repeat", label, text::timeline_loop_long()));
    }
    let span = timeline.span(at);
    let took = span.filter(|(_, took)| *took > 0.0).map(|(_, took)| duration_text(took));
    let started = span.map(|(place, _)| timeline.since_first(place));
    let values = [
        ("n", step.path.as_str()),
        ("what", &name),
        ("start", &started.map(duration_text).unwrap_or_default()),
        ("took", took.as_deref().unwrap_or_default()),
    ];
    let template = match (span, &took) {
        (None, _) => text::timeline_row_untimed(),
        (Some(_), None) => text::timeline_row_start(),
        (Some(_), Some(_)) => text::timeline_row(),
    };
    let mut sentence = vec![fill(template, &values)];
    sentence.extend(marks.iter().map(|(_, label, _)| label.clone()));
    let is_open = folds.is_unfolded(&step.path);
    let fold = (step.children > 0).then(|| {
        let steps = count(text::nested_one(), text::nested_many(), step.children);
        let state = if is_open { text::timeline_unfolded() } else { text::timeline_folded() };
        sentence.push(format!("{steps}, {state}"));
        let path = step.path.clone();
        let press = move |event: leptos::ev::MouseEvent| {
            event.stop_propagation();
            // A hidden step cannot stay selected.
            workspace.select(at);
            folds.fold(&path);
        };
        view! { <span class="timeline-fold" title=steps on:click=press>{if is_open { "▾" } else { "▸" }}</span> }
    });
    let has_run = step.children > 0;
    let marks: Vec<AnyView> = marks
        .into_iter()
        .map(|(class, label, long)| {
            view! { <span class=format!("timeline-mark {class}") title=long>{label}</span> }.into_any()
        })
        .collect();
    let bar = span.map(|(place, took)| {
        let left = format!("min({}%, 100% - 2px)", Tenths(timeline.percent(place)));
        let width = format!("{}%", Tenths(timeline.percent(took)));
        view! {
            <span
                class="timeline-bar"
                class:timeline-bar-failed=step.status == Status::Failed
                class:timeline-bar-group=has_run
                style:left=left
                style:width=width
            ></span>
        }
    });
    let clock = started.map(|started| io::clock::date(timeline.first + started));
    view! {
        <div class=format!("timeline-row {}", kind.class) style:--depth=step.depth.to_string()>
            <span class="visually-hidden">{sentence.join(". ")}</span>
            <span class="timeline-what" aria-hidden="true">
                <span class="timeline-arrow">{fold}</span>
                <Icon path=kind.icon />
                <b>{name}</b>
                <span class="timeline-subject">{subject}</span>
                {marks}
            </span>
            <span class="timeline-track" aria-hidden="true" title=clock>{bar}</span>
            <span class="timeline-took" aria-hidden="true">{took}</span>
        </div>
    }
    .into_any()
}
