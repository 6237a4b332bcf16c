//! Buttons to step through the run.

use leptos::prelude::*;

use super::labels;
use crate::state::{SPEEDS, Workspace};
use crate::strings::{group, text};
use crate::tenths::Tenths;
use crate::ui::{IconButton, icons};

#[component]
pub(crate) fn Transport() -> impl IntoView {
    let workspace = Workspace::here();
    let at_first = Signal::derive(move || workspace.place().0 == 0);
    let at_last = Signal::derive(move || {
        let (place, last) = workspace.place();
        place == last
    });
    let long = move || labels::position_text(workspace);
    view! {
        <div class="transport" role="group" aria-label=text::transport()>
            <IconButton icon=icons::FIRST label=text::step_first() disabled=at_first press=move || {
                workspace.step_to_end(false);
            } />
            <IconButton icon=icons::PREVIOUS label=text::step_previous() disabled=at_first press=move || {
                workspace.step_by(-1);
            } />
            <span class="transport-at" title=long>
                {move || {
                    let (at, of) = workspace.numbers();
                    format!("{}/{}", group(at), group(of))
                }}
            </span>
            {move || {
                let (icon, label) = match workspace.playback.playing.get() {
                    true => (icons::PAUSE, text::pause()),
                    false => (icons::PLAY, text::play()),
                };
                view! { <IconButton icon label press=move || workspace.toggle_play() /> }
            }}
            <IconButton icon=icons::NEXT label=text::step_next() disabled=at_last press=move || {
                workspace.step_by(1);
            } />
            <IconButton icon=icons::LAST label=text::step_last() disabled=at_last press=move || {
                workspace.step_to_end(true);
            } />
            <Speed />
        </div>
    }
}

/// How fast it plays; pressed, the next speed.
#[component]
fn Speed() -> impl IntoView {
    let workspace = Workspace::here();
    let playback = workspace.playback;
    let next = move |_| match playback.speed.get_untracked() + 1 < SPEEDS.len() {
        true => workspace.change_speed(1),
        false => playback.speed.set(0),
    };
    view! {
        <button type="button" class="transport-speed" title=text::speed() on:click=next>
            <span class="visually-hidden">{text::speed()}</span>
            {move || format!(" {}×", Tenths(playback.factor()))}
        </button>
    }
}
