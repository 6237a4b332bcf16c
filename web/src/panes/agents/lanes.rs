//! The lanes: a canvas as large as its frame; the visible part is redrawn whenever something changes.

use leptos::ev::{KeyboardEvent, MouseEvent, PointerEvent, WheelEvent};
use leptos::html::{Canvas, Div};
use leptos::prelude::*;

use super::CLASSES;
use crate::io;
use crate::state::{HEAD, Highlight, Ink, LANE, Settings, Viewport, WIDEST, Workspace, draw_lanes};
use crate::strings::{fill, group, text};
use crate::tenths::Tenths;
use crate::ui::{IconButton, icons};

/// How much closer one step of zooming is.
const STEP: f64 = 1.5;
/// The opacity outside of the cone.
const FAINT: f64 = 0.3;
/// The room of a scroll bar below the lanes, and of the border around them.
const BAR: f64 = 22.0;

/// The custom property of the style sheet with the color.
fn color(ink: Ink) -> &'static str {
    match ink {
        Ink::Ground => "--bg",
        Ink::Grid => "--raised",
        Ink::Lane => "--border",
        Ink::Arrow | Ink::Other => "--border-strong",
        Ink::Early => "--warn",
        Ink::Fault => "--error",
        Ink::Task => "--role-user",
        Ink::Response => "--role-assistant",
        Ink::Tool => "--role-tool",
        Ink::State => "--role-system",
        Ink::Chosen => "--accent",
        Ink::Words => "--fg",
        Ink::Quiet => "--fg-muted",
    }
}

#[component]
pub(super) fn Frame() -> impl IntoView {
    let workspace = Workspace::here();
    let agents = workspace.agents;
    let settings: Settings = expect_context();
    let frame: NodeRef<Div> = NodeRef::new();
    let sheet: NodeRef<Canvas> = NodeRef::new();
    let size = RwSignal::new((0.0, 0.0));
    let scrolled = RwSignal::new((0.0, 0.0));
    // Pixels for each event; none shows all of them.
    let zoom = RwSignal::new(None::<f64>);
    let scheme = RwSignal::new(0_u32);
    // Whether there are bars, and of how many arrows one is drawn.
    let drawn = RwSignal::new((false, 1_usize));
    let viewport = Memo::new(move |_| {
        let ((width, height), (left, top)) = (size.get(), scrolled.get());
        let viewport = Viewport { order: workspace.order(), scale: 1.0, left, top, width, height };
        let events = agents.log.with(|log| log.as_ref().map_or(0, |log| log.len()));
        Viewport { scale: zoom.get().unwrap_or_else(|| viewport.fitting(events)), ..viewport }
    });
    Effect::new(move || {
        if let Some(frame) = frame.get() {
            io::scroll::watch_size(&frame, size);
        }
    });
    io::canvas::on_scheme(move || {
        scheme.try_update(|scheme| *scheme += 1);
    });
    let paint = move || {
        let (Some(log), Some(viewport)) = (agents.log.get_untracked(), viewport.try_get_untracked()) else {
            return;
        };
        if viewport.width < 1.0 {
            return;
        }
        let cone = agents.cone.get_untracked();
        let singled = Highlight {
            selected: agents.selected.get_untracked(),
            hovered: agents.hovered.get_untracked(),
            cone: cone.as_deref(),
        };
        let drawing = draw_lanes(&log, &viewport, &singled);
        let Some(pen) = io::canvas::pen(sheet, viewport.width, viewport.height) else { return };
        for strokes in &drawing.strokes {
            let alpha = if strokes.is_faint { FAINT } else { 1.0 };
            pen.shape(color(strokes.ink), &strokes.path, strokes.line, alpha);
        }
        for words in &drawing.words {
            pen.draw_text(color(words.ink), &words.text, words.x, words.y, words.is_centered);
        }
        drawn.set((drawing.has_bars, drawing.one_of));
    };
    let pending = StoredValue::new(false);
    Effect::new(move || {
        agents.log.track();
        agents.selected.track();
        agents.hovered.track();
        agents.cone.track();
        settings.theme.track();
        viewport.track();
        scheme.track();
        if !pending.get_value() {
            pending.set_value(true);
            request_animation_frame(move || {
                // The frame may be gone by now.
                if pending.try_set_value(false).is_none() {
                    paint();
                }
            });
        }
    });
    // Another log is seen as a whole.
    let length = Memo::new(move |_| agents.log.with(|log| log.as_ref().map(|log| log.len())));
    Effect::new(move || {
        length.track();
        zoom.set(None);
    });
    Effect::new(move || {
        let (Some(log), Some(event)) = (agents.log.get(), agents.selected.get()) else { return };
        let (order, is_there) = (workspace.order(), size.with(|size| size.0 > 0.0));
        let now = viewport.get_untracked();
        let x = now.x(log.place(order, event) as f64);
        if is_there && !(now.gutter() + 12.0..now.width - 12.0).contains(&x) {
            io::scroll::set_left(frame, now.left + x - (now.gutter() + now.width) / 2.0);
        }
        let lane = log.lane(event) as f64 * LANE;
        io::scroll::reveal(frame, lane, lane + LANE + HEAD);
    });
    let zoom_by = move |factor: f64, at: Option<f64>| {
        let Some(log) = agents.log.get_untracked() else { return };
        let now = viewport.get_untracked();
        let chosen = agents.selected.get_untracked().map(|event| now.x(log.place(now.order, event) as f64));
        let chosen = chosen.filter(|x| (now.gutter()..now.width).contains(x));
        let x = at.or(chosen).unwrap_or((now.gutter() + now.width) / 2.0);
        let place = now.place(x);
        let whole = now.fitting(log.len());
        let scale = (now.scale * factor).min(WIDEST);
        if scale <= whole {
            zoom.set(None);
            return;
        }
        zoom.set(Some(scale));
        let then = Viewport { scale, ..now };
        // The frame has its new width then.
        request_animation_frame(move || io::scroll::set_left(frame, now.left + then.x(place) - x));
    };
    let key_down = move |event: KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let Some(log) = agents.log.get_untracked() else { return };
        let order = untrack(|| workspace.order());
        let selected = agents.selected.get_untracked();
        let next = match (event.key().as_str(), selected) {
            ("+" | "=", _) => {
                zoom_by(STEP, None);
                None
            }
            ("-", _) => {
                zoom_by(1.0 / STEP, None);
                None
            }
            ("0", _) => {
                zoom.set(None);
                None
            }
            ("Escape", Some(_)) => {
                workspace.select_no_event();
                None
            }
            ("Enter", Some(_)) => {
                io::page::focus("event-body");
                None
            }
            ("Home", _) => log.event_at(order, 0),
            ("End", _) => log.event_at(order, log.len().saturating_sub(1)),
            ("ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown", None) => log.event_at(order, 0),
            ("ArrowRight", Some(one)) => log.along(order, one, true),
            ("ArrowLeft", Some(one)) => log.along(order, one, false),
            ("ArrowUp", Some(one)) => log.parent(one),
            ("ArrowDown", Some(one)) => log.child(order, one),
            _ => return,
        };
        event.prevent_default();
        if let Some(next) = next {
            workspace.select_event(next);
        }
    };
    let under = move |event: &MouseEvent| {
        let log = agents.log.get_untracked()?;
        viewport.get_untracked().event_at(&log, f64::from(event.offset_x()), f64::from(event.offset_y()))
    };
    let moved = move |event: PointerEvent| {
        let found = under(&event);
        // A finger points at nothing before it presses.
        if event.pointer_type() != "touch" && agents.hovered.get_untracked() != found {
            agents.hovered.set(found);
        }
    };
    let wheel = move |event: WheelEvent| {
        if event.ctrl_key() || event.meta_key() {
            event.prevent_default();
            let factor = if event.delta_y() < 0.0 { STEP } else { 1.0 / STEP };
            zoom_by(factor, Some(f64::from(event.offset_x())));
        }
    };
    let whole = move || {
        let viewport = viewport.get();
        agents.log.with(|log| log.as_ref().map(|log| viewport.whole(log)).unwrap_or_default())
    };
    let cone_text = move || {
        let log = agents.log.get()?;
        let event = agents.hovered.get().or(agents.selected.get())?;
        let kind = text::event_kind(log.kind(event));
        let place = group(log.place(workspace.order(), event) + 1);
        let parts = fill(
            text::event_seen(),
            &[("place", &place), ("of", &group(log.len())), ("agent", log.agent(event)), ("kind", kind)],
        );
        let cone = agents.cone.get().filter(|cone| cone.of == event).map(|cone| {
            fill(text::event_cone(), &[("past", &group(cone.past)), ("future", &group(cone.future))])
        });
        Some([Some(parts), cone].into_iter().flatten().collect::<Vec<_>>().join(" · "))
    };
    let how = move || {
        let (has_bars, one_of) = drawn.get();
        let arrows = (one_of > 1).then(|| fill(text::lanes_arrows(), &[("n", &group(one_of))]));
        let bars = has_bars.then(|| text::lanes_bars().to_owned());
        let parts: Vec<String> = [bars, arrows].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    };
    let legend = text::event_kinds().zip(text::EVENT_MARKS).zip(CLASSES).map(|((word, mark), class)| {
        view! { <li class=class><span aria-hidden="true">{mark}</span> " " {word}</li> }
    });
    view! {
        <div
            class="lanes"
            id="agents-lanes"
            node_ref=frame
            tabindex="0"
            role="application"
            aria-label=text::lanes()
            aria-describedby="agents-lanes-hint"
            style:height=move || format!("{}px", Tenths(whole().1 + BAR))
            on:scroll=move |_| scrolled.set((io::scroll::left(frame), io::scroll::top(frame)))
            on:keydown=key_down
            on:wheel=wheel
        >
            <div
                class="lanes-space"
                style:width=move || format!("{}px", Tenths(whole().0))
                style:height=move || format!("{}px", Tenths(whole().1))
            >
                <canvas
                    node_ref=sheet
                    aria-hidden="true"
                    style:width=move || format!("{}px", Tenths(viewport.get().width))
                    style:height=move || format!("{}px", Tenths(viewport.get().height))
                    on:pointermove=moved
                    on:pointerleave=move |_| agents.hovered.set(None)
                    on:click=move |event| {
                        if let Some(found) = under(&event) {
                            workspace.select_event(found);
                        }
                    }
                ></canvas>
            </div>
        </div>
        <div class="lanes-foot">
            <p class="lanes-seen">
                <span>{cone_text}</span>
                <span class="muted">{how}</span>
            </p>
            <div class="lanes-zoom">
                <IconButton icon=icons::FARTHER label=text::farther() press=move || zoom_by(1.0 / STEP, None) />
                <IconButton icon=icons::CLOSER label=text::closer() press=move || zoom_by(STEP, None) />
                <IconButton icon=icons::WHOLE label=text::whole() press=move || zoom.set(None) />
            </div>
            <details class="lanes-legend" open=move || !workspace.narrow.get()>
                <summary>{text::lanes_legend()}</summary>
                <ul>{legend.collect_view()}</ul>
            </details>
        </div>
        <p class="visually-hidden" id="agents-lanes-hint">{text::lanes_hint()}</p>
    }
}
