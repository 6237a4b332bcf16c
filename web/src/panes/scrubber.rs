//! The whole run in one strip: where state changed, where messages came, how many tokens went, where problems are.
//!
//! A slider lies over the drawing, so that pointer, finger, arrows and readers all know what it is. However long the run
//! is, the drawing has one path for each layer.

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::Value;

use crate::io::reader;
use crate::state::Workspace;
use crate::strings::{fill, group, text};

#[component]
pub(crate) fn Scrubber() -> impl IntoView {
    let workspace = Workspace::here();
    let shown = Memo::new(move |_| workspace.readable.with(|readable| readable.current.clone()));
    let strip = RwSignal::new(Value::Null);
    Effect::new(move || {
        let asked = shown.get();
        spawn_local(async move {
            let answer = reader::strip(asked.kept.number()).await;
            if shown.with_untracked(|shown| *shown == asked) {
                strip.set(answer.unwrap_or_default());
            }
        });
    });
    let last = move || workspace.steps.with(|steps| steps.len().saturating_sub(1));
    let said = move || fill(text::POSITION, &[("at", &group(workspace.at.get())), ("of", &group(last()))]);
    let moved = move |event: leptos::ev::Event| {
        if let Ok(at) = event_target_value(&event).parse() {
            workspace.stop_play();
            workspace.select(at);
        }
    };
    let drawing = move || {
        let strip = strip.get();
        let layer = |name: &str| strip.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let columns = strip.get("columns").and_then(Value::as_u64).unwrap_or_default() as usize;
        // The first and the last column stand where the slider has its ends.
        let width = match columns {
            0..=60 => "6",
            61..=200 => "2",
            _ => "1",
        };
        let steps = workspace.steps.with(|steps| steps.len()).max(1);
        let found = workspace.looking.matches.with(|matches| {
            let mut columns: Vec<usize> =
                matches.iter().flat_map(|found| found.iter().map(|at| at * columns / steps)).collect();
            columns.dedup();
            columns.iter().map(|at| format!("M{at} 0V24")).collect::<String>()
        });
        view! {
            <svg
                viewBox=format!("0 0 {} 24", columns.saturating_sub(1).max(1))
                preserveAspectRatio="none"
                stroke-width=width
                aria-hidden="true"
            >
                <path class="strip-match" d=found />
                <path class="strip-fault" d=layer("faults") />
                <path class="strip-state" d=layer("state") />
                <path class="strip-messages" d=layer("messages") />
                <path class="strip-tokens" d=layer("tokens") />
            </svg>
        }
    };
    view! {
        <div class="scrubber" hidden=move || last() == 0 title=text::SCRUBBER_HINT>
            {drawing}
            <input
                type="range"
                min="0"
                max=last
                step="1"
                prop:value=move || workspace.at.get().to_string()
                aria-label=text::SCRUBBER
                aria-valuetext=said
                on:input=moved
            />
        </div>
    }
}
