//! The border between two panes, which pointer and arrows move.

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::prelude::*;

use crate::io;

/// How far an arrow moves it, in pixels.
const ARROW: f64 = 16.0;
const NARROWEST: f64 = 0.15;
const WIDEST: f64 = 0.6;

/// `share` is that of the window's width which the pane has that this belongs to; none is the width of the style sheet,
/// which Enter gives back. A pane `at_end` has its border at its left. One `below` has it above, and a share of the
/// window's height.
#[component]
pub(crate) fn Splitter(
    label: &'static str,
    /// The width before the border was moved.
    usual: f64,
    #[prop(optional)] at_end: bool,
    #[prop(optional)] below: bool,
    share: RwSignal<Option<f64>>,
) -> impl IntoView {
    let whole = move || if below { io::page::height() } else { io::page::width() };
    let set = move |wanted: f64| share.set(Some(wanted.clamp(NARROWEST, WIDEST)));
    let dragged = move |event: PointerEvent| {
        if event.buttons() == 1 {
            let at = f64::from(if below { event.client_y() } else { event.client_x() }) / whole();
            set(if at_end || below { 1.0 - at } else { at });
        }
    };
    let key = move |event: KeyboardEvent| {
        let here = share.get_untracked().unwrap_or(usual);
        let arrow = ARROW / whole();
        let (more, less) = match (below, at_end) {
            (true, _) => ("ArrowUp", "ArrowDown"),
            (false, true) => ("ArrowLeft", "ArrowRight"),
            (false, false) => ("ArrowRight", "ArrowLeft"),
        };
        match event.key().as_str() {
            key if key == more => set(here + arrow),
            key if key == less => set(here - arrow),
            "Home" => set(NARROWEST),
            "End" => set(WIDEST),
            "Enter" => share.set(None),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let percent = move || percent_of(share.get().unwrap_or(usual));
    view! {
        <div
            class="splitter"
            class:splitter-at-end=at_end
            class:splitter-below=below
            role="separator"
            tabindex="0"
            aria-orientation=if below { "horizontal" } else { "vertical" }
            aria-label=label
            title=label
            aria-valuemin=percent_of(NARROWEST)
            aria-valuemax=percent_of(WIDEST)
            aria-valuenow=percent
            on:pointerdown=|event| io::page::hold(&event)
            on:pointermove=dragged
            on:dblclick=move |_| share.set(None)
            on:keydown=key
        ></div>
    }
}

fn percent_of(share: f64) -> u32 {
    (share * 100.0).round() as u32
}
