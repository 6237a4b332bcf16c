//! The run in time: a row and a bar for each step, on an axis without idle time.

mod row;

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::labels::duration_text;
use super::read::ReadRows;
use crate::io;
use crate::state::{PtrArc, RunTimeline, Workspace, next_of};
use crate::strings::{count, fill, group, text};
use crate::tenths::Tenths;
use crate::ui::VirtualList;

/// The height of one row, in pixels: to see many at once, and to touch one.
const ROW: f64 = 28.0;
const TOUCHED_ROW: f64 = 44.0;
/// The most idle times that are marked in the bars.
const MARKED: usize = 40;

/// What the reader knows of the run in time; nothing before it has answered.
fn follow(workspace: Workspace) -> RwSignal<Option<PtrArc<RunTimeline>>> {
    let shown = Memo::new(move |_| workspace.readable.with(|readable| readable.current.clone()));
    let timeline = RwSignal::new(None);
    Effect::new(move || {
        let wanted = shown.get();
        spawn_local(async move {
            let answer = io::reader::timeline(wanted.document.number()).await;
            // The timeline may be out of sight by now.
            if shown.try_get_untracked() == Some(wanted) {
                timeline.set(answer.map(|answer| PtrArc::new(RunTimeline::read(&answer))));
            }
        });
    });
    timeline
}

#[component]
pub(crate) fn TimelinePane() -> impl IntoView {
    let workspace = Workspace::here();
    let ReadRows { rows, folds } = expect_context();
    let timeline = follow(workspace);
    let render = move |place: usize| {
        let at = rows.with(|rows| rows.row(place))?;
        let listed = workspace.steps.with(|steps| steps.row(at))?;
        // Until the answer comes, rows have no times.
        let timeline = timeline.get().unwrap_or_else(|| PtrArc::new(RunTimeline::default()));
        Some(row::row_view(workspace, at, listed, &timeline, folds))
    };
    let at_place = move |place: usize| rows.with_untracked(|rows| rows.row(place));
    let list = move || {
        view! {
            <VirtualList
                id="read-list"
                label=text::timeline_label()
                count=Signal::derive(move || rows.with(|rows| rows.len()))
                selected=Signal::derive(move || rows.with(|rows| rows.place(workspace.at.get())))
                row_height=if workspace.narrow.get() { TOUCHED_ROW } else { ROW }
                render=Arc::new(move |place| render(place).into_any())
                choose=Arc::new(move |place| {
                    if let Some(at) = at_place(place) {
                        workspace.select(at);
                    }
                })
                enter=Arc::new(move |place| {
                    let Some(at) = at_place(place) else { return };
                    // A hidden step cannot stay selected.
                    workspace.select(at);
                    let step = workspace.steps.with_untracked(|steps| steps.row(at)).map(|row| row.step);
                    match step.filter(|step| step.children > 0) {
                        Some(step) => folds.fold(&step.path),
                        None => workspace.inspect(),
                    }
                })
            />
        }
    };
    view! {
        {move || timeline.get().map(|timeline| head(workspace, &timeline))}
        <div
            class="timeline"
            style:--gaps=move || timeline.get().map(|timeline| gaps(&timeline)).unwrap_or_default()
        >
            {list}
        </div>
    }
}

/// What there is to say of the whole run, and the run in one drawing.
fn head(workspace: Workspace, timeline: &PtrArc<RunTimeline>) -> AnyView {
    let jump = |rows: &[u32], label: String| {
        let rows = rows.to_vec();
        let press = move |_| {
            if let Some(next) = next_of(&rows, workspace.at.get_untracked()) {
                workspace.select(next);
            }
        };
        view! { <button type="button" class="compare-chip" on:click=press>{label}</button> }
    };
    let (retries, loops) = (timeline.retries.as_slice(), timeline.loops.as_slice());
    let retry = (!retries.is_empty()).then(|| {
        jump(retries, count(text::timeline_retries_one(), text::timeline_retries_many(), retries.len()))
    });
    let looped = (!loops.is_empty())
        .then(|| jump(loops, count(text::timeline_loops_one(), text::timeline_loops_many(), loops.len())));
    let mut facts = Vec::new();
    if retries.is_empty() && loops.is_empty() {
        facts.push(text::timeline_no_repeats().to_owned());
    }
    if !timeline.is_timed() {
        facts.push(text::timeline_no_times().to_owned());
    }
    if timeline.parallel > 1 {
        facts.push(fill(text::timeline_parallel(), &[("n", &group(timeline.parallel))]));
    }
    if !timeline.gaps.is_empty() {
        facts.push(fill(text::timeline_idle_out(), &[("time", &duration_text(timeline.idle()))]));
    }
    view! {
        <div class="timeline-facts" role="group" aria-label=text::timeline_repeats()>
            {retry}
            {looped}
            <span class="read-facts">{facts.join(" · ")}</span>
        </div>
        {timeline.is_timed().then(|| overview(workspace, timeline))}
    }
    .into_any()
}

/// The whole run, a lane for each step that ran at the same time as others. The list says the same in words.
fn overview(workspace: Workspace, timeline: &PtrArc<RunTimeline>) -> AnyView {
    const CLASSES: [&str; 4] = ["timeline-message", "timeline-tool", "timeline-model", "timeline-failed"];
    let paths = timeline.paths.iter().zip(CLASSES);
    let paths: Vec<AnyView> =
        paths.map(|(path, class)| view! { <path class=class d=path.clone() /> }.into_any()).collect();
    let (columns, lanes) = (timeline.columns, timeline.lanes);
    let end = duration_text(timeline.since_first(timeline.length));
    let begin = io::clock::date(timeline.first);
    let timeline = timeline.clone();
    let here = move || {
        let (place, _) = timeline.span(workspace.at.get())?;
        let left = format!("{}%", Tenths(timeline.percent(place)));
        Some(view! { <span class="timeline-here" style:left=left></span> })
    };
    view! {
        <div class="timeline-overview" aria-hidden="true">
            <svg
                viewBox=format!("0 0 {columns} {}", lanes * 10)
                preserveAspectRatio="none"
                style:height=format!("{}px", (lanes * 6).max(12))
            >
                {paths}
            </svg>
            {here}
        </div>
        <p class="timeline-ends"><span>{begin}</span><span>{end}</span></p>
    }
    .into_any()
}

/// The idle times as the background of a bar.
fn gaps(timeline: &RunTimeline) -> String {
    let stops: Vec<String> = timeline
        .gaps
        .iter()
        .take(MARKED)
        .map(|gap| {
            let from = Tenths(timeline.percent(gap.place));
            let to = Tenths(timeline.percent(gap.place + gap.width));
            format!("transparent {from}%,var(--raised) {from}% {to}%,transparent {to}%")
        })
        .collect();
    if stops.is_empty() {
        return "none".to_owned();
    }
    format!("linear-gradient(to right,{})", stops.join(","))
}
