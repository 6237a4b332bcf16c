//! The whole run in one strip: where state changed, where messages came, how many tokens went, where problems are.
//!
//! A slider is over the drawing, so pointer, touch, arrow keys and screen readers can use it. However long the run
//! is, the drawing has one path for each layer.

use leptos::prelude::*;
use leptos::task::spawn_local;
use transcript_core::view::{RunStrip, Untimed, unpack_numbers};

use super::labels;
use crate::io::reader;
use crate::state::Workspace;
use crate::strings::{fill, group, text};

#[component]
pub(crate) fn Scrubber() -> impl IntoView {
    let workspace = Workspace::here();
    let shown = Memo::new(move |_| workspace.readable.with(|readable| readable.current.clone()));
    let strip = RwSignal::new(None::<RunStrip>);
    let timed = Memo::new(move |_| workspace.route.with(|route| route.key("sc").as_deref() == Some("time")));
    Effect::new(move || {
        let wanted_strip = (shown.get(), workspace.scope.get(), timed.get());
        spawn_local(async move {
            let answer =
                reader::strip(wanted_strip.0.document.number(), &wanted_strip.1.prefix, wanted_strip.2).await;
            // The strip may be out of sight by now.
            let now = shown.try_get_untracked().zip(timed.try_get_untracked());
            if now
                .is_some_and(|(shown, timed)| (shown, workspace.scope.get_untracked(), timed) == wanted_strip)
            {
                strip.set(answer);
            }
        });
    });
    let last = move || workspace.scope.with(|scope| scope.len().saturating_sub(1));
    let position = move || labels::position_text(workspace);
    // In the scale of time the slider counts milliseconds, else steps.
    let times = Memo::new(move |_| {
        strip.with(|strip| {
            unpack_numbers(strip.as_ref().and_then(|strip| strip.times.as_deref()).unwrap_or_default())
        })
    });
    let end = move || times.with(|times| times.last().map_or_else(last, |end| *end as usize));
    let here = move || {
        let (place, _) = workspace.place();
        times.with(|times| times.get(place).map_or(place, |time| *time as usize))
    };
    let moved = move |event: leptos::ev::Event| {
        let Ok(wanted) = event_target_value(&event).parse::<usize>() else { return };
        workspace.stop_play();
        workspace.select_place(times.with_untracked(|times| nearest(times, wanted)));
    };
    let key = move |event: leptos::ev::KeyboardEvent| {
        match event.key().as_str() {
            "ArrowLeft" | "ArrowDown" => workspace.step_by(-1),
            "ArrowRight" | "ArrowUp" => workspace.step_by(1),
            _ => return,
        }
        workspace.stop_play();
        event.prevent_default();
    };
    let drawing = move || {
        let RunStrip { columns, state, messages, tokens, faults, .. } = strip.get()?;
        // The first and the last column are at the ends of the slider.
        let width = match columns {
            0..=60 => "6",
            61..=200 => "2",
            _ => "1",
        };
        let found = workspace.step_search.matches.with(|matches| {
            let scope = workspace.scope.get();
            let steps = scope.len().max(1);
            let places = matches.iter().flat_map(|found| found.iter().filter_map(|at| scope.place(*at)));
            let column = |place: usize| {
                times.with(|times| match (times.get(place), times.last()) {
                    (Some(time), Some(end)) => {
                        let share = f64::from(*time) / f64::from(*end).max(1.0);
                        (share * columns.saturating_sub(1) as f64) as usize
                    }
                    _ => place * columns / steps,
                })
            };
            let mut columns: Vec<usize> = places.map(column).collect();
            columns.dedup();
            columns.iter().map(|at| format!("M{at} 0V24")).collect::<String>()
        });
        Some(view! {
            <svg
                viewBox=format!("0 0 {} 24", columns.saturating_sub(1).max(1))
                preserveAspectRatio="none"
                stroke-width=width
                aria-hidden="true"
            >
                <path class="strip-match" d=found />
                <path class="strip-fault" d=faults />
                <path class="strip-state" d=state />
                <path class="strip-messages" d=messages />
                <path class="strip-tokens" d=tokens />
            </svg>
        })
    };
    let untimed = move || strip.with(|strip| strip.as_ref()?.untimed);
    let timed_long = move || match untimed() {
        Some(Untimed::SameTime) => text::scale_same_time().to_owned(),
        Some(Untimed::NoTimes) => text::scale_no_time().to_owned(),
        None => match strip.with(|strip| strip.as_ref().map_or(0, |strip| strip.unknown)) {
            0 => text::scale_time_long().to_owned(),
            n => fill(text::scale_time_some(), &[("n", &group(n))]),
        },
    };
    let in_time = move |wanted: bool| {
        if !wanted || untimed().is_none() {
            workspace.address_key("sc", wanted.then_some("time"));
        }
    };
    let is_timed = move || timed.get() && untimed().is_none();
    view! {
        <div class="scrubber-row" hidden=move || last() == 0>
            <div class="scrubber" title=text::scrubber_hint()>
                {drawing}
                <input
                    type="range"
                    min="0"
                    max=end
                    step="1"
                    prop:value=move || here().to_string()
                    aria-label=text::scrubber()
                    aria-valuetext=position
                    on:input=moved
                    on:keydown=key
                />
            </div>
            <div class="scale" role="group" aria-label=text::scale()>
                <button
                    type="button"
                    title=text::scale_steps_long()
                    aria-pressed=move || (!is_timed()).to_string()
                    on:click=move |_| in_time(false)
                >
                    {text::scale_steps()}
                </button>
                <button
                    type="button"
                    title=timed_long
                    aria-disabled=move || untimed().is_some().to_string()
                    aria-pressed=move || is_timed().to_string()
                    on:click=move |_| in_time(true)
                >
                    {text::scale_time()}
                    <span class="visually-hidden">{move || untimed().map(|_| timed_long())}</span>
                </button>
            </div>
        </div>
    }
}

/// The place with the nearest time; without times the place itself.
fn nearest(times: &[u32], wanted: usize) -> usize {
    let after = times.partition_point(|time| (*time as usize) < wanted);
    let distance =
        |place: usize| times.get(place).map_or(usize::MAX, |time| (*time as usize).abs_diff(wanted));
    match after.checked_sub(1) {
        _ if times.is_empty() => wanted,
        Some(before) if distance(before) <= distance(after) => before,
        _ => after,
    }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_slider_finds_the_step_that_is_nearest_in_time() {
        let times = [0, 10, 10, 100];
        let places = [0, 4, 6, 10, 54, 56, 100, 900].map(|wanted| nearest(&times, wanted));
        assert_eq!(places, [0, 0, 1, 1, 2, 3, 3, 3]);
        assert_eq!(nearest(&[], 7), 7);
    }
}
