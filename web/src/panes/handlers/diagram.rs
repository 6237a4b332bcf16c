//! A state machine as a diagram. The table next to it has the same data.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use transcript_core::view::{HandlerView, Utf16Range};

use crate::state::{Drawing, DrawnState, MachinePosition, STATE_HEIGHT, Simulation, draw, machine_position};
use crate::strings::{fill, text};
use crate::tenths::Tenths;

#[component]
pub(super) fn Diagram(machine: HandlerView, agent: String) -> impl IntoView {
    let simulation = Simulation::here();
    let drawing = draw(&machine, text::way_next());
    if drawing.states.is_empty() {
        return ().into_any();
    }
    let places: Vec<Utf16Range> = machine.rows.iter().map(|row| row.place).collect();
    let label = fill(text::diagram_of(), &[("agent", &agent)]);
    let place =
        Memo::new(move |_| simulation.report.with(|report| machine_position(&machine, report, &agent)));
    let Drawing { states, transitions, left, width, height } = drawing;
    let transitions = transitions.into_iter().map(|transition| {
        let from = transition.from.clone();
        let path = transition.path.clone();
        let class = move || {
            let is_taken = place
                .with(|place: &MachinePosition| place.taken.iter().any(|(a, b)| *a == from && *b == path));
            if is_taken { "way way-taken" } else { "way" }
        };
        let (route, (x, y)) = (transition.route.clone(), transition.route.at);
        view! {
            <g class=class>
                <path class="way-line" d=route.line />
                <path class="way-head" d=route.head />
                <text x=px(x) y=px(y) text-anchor=route.anchor>{transition.words}</text>
            </g>
        }
        .into_any()
    });
    let transitions: Vec<AnyView> = transitions.collect();
    let states: Vec<AnyView> =
        states.into_iter().map(|state| state_view(simulation, place, state, &places)).collect();
    let now = move || {
        place.with(|place| {
            let current = place.current.clone().unwrap_or_default();
            match (&place.before, place.taken.is_empty()) {
                (Some(before), false) => fill(text::state_moved(), &[("before", before), ("now", &current)]),
                _ => fill(text::state_now(), &[("now", &current)]),
            }
        })
    };
    view! {
        <figure class="diagram">
            <figcaption>
                <span role="status">{now}</span>
            </figcaption>
            <div class="diagram-scroll">
                <svg
                    viewBox=format!("{} 0 {} {}", Tenths(left), Tenths(width), Tenths(height))
                    width=px(width)
                    height=px(height)
                    role="group"
                    aria-label=label
                >
                    {transitions}
                    {states}
                </svg>
            </div>
        </figure>
    }
    .into_any()
}

fn state_view(
    simulation: Simulation,
    place: Memo<MachinePosition>,
    state: DrawnState,
    places: &[Utf16Range],
) -> AnyView {
    let DrawnState { name, shown, x, y, width, reached, row } = state;
    let in_source = row.and_then(|row| places.get(row).copied());
    let show = move || {
        if let Some(place) = in_source {
            simulation.show(place);
        }
    };
    let mine = name.clone();
    let is_current = Memo::new(move |_| place.with(|place| place.current.as_deref() == Some(&*mine)));
    let word = match (row, reached) {
        (None, _) => text::state_unknown(),
        (Some(_), false) => text::state_unreached(),
        (Some(_), true) => "",
    };
    let class = move || {
        let mut class = "state".to_owned();
        class.push_str(if is_current.get() { " state-current" } else { "" });
        class.push_str(if word.is_empty() { "" } else { " state-dead" });
        class
    };
    let label = move || {
        let current = if is_current.get() { text::state_current() } else { "" };
        // It begins with the visible text.
        let seen = if word.is_empty() { name.clone() } else { format!("{name} {word}") };
        [&*seen, current].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
    };
    let press = move |event: KeyboardEvent| {
        if matches!(&*event.key(), "Enter" | " ") {
            event.prevent_default();
            show();
        }
    };
    let below = (!word.is_empty()).then(|| {
        view! { <text class="state-word" x=px(x) y=px(y + STATE_HEIGHT + 14.0) text-anchor="middle">{word}</text> }
    });
    view! {
        <g
            class=class
            role="button"
            tabindex="0"
            aria-label=label
            aria-current=move || is_current.get().then_some("true")
            on:click=move |_| show()
            on:keydown=press
        >
            <rect x=px(x - width / 2.0) y=px(y) width=px(width) height=px(STATE_HEIGHT) rx="8" />
            <text x=px(x) y=px(y + STATE_HEIGHT / 2.0 + 4.5) text-anchor="middle">{shown}</text>
            {below}
        </g>
    }
    .into_any()
}

fn px(length: f64) -> String {
    Tenths(length).to_string()
}
