//! What several agents did: lanes with the events in their order, the same as a table, and the selected event.

mod event;
mod lanes;
mod table;

use leptos::prelude::*;
use transcript_core::events::EVENT_TYPES;

pub(crate) use event::EventPane;

use self::lanes::Frame;
use self::table::Table;
use crate::state::{Lanes, Order, PtrArc, Workspace};
use crate::strings::{count, fill, group, text};
use crate::ui::{Icon, icons};

/// The looks of the types of events, in the order of [`EVENT_TYPES`]; the last is that of any other.
const CLASSES: [&str; EVENT_TYPES.len() + 1] =
    ["role-user", "role-user", "role-assistant", "role-tool", "role-tool", "role-system", "role-other"];

/// The type of an event in words; one that is not known keeps its own name.
fn word_of(kind: &str) -> String {
    match EVENT_TYPES.iter().position(|known| *known == kind) {
        Some(at) => text::event_kind(at).to_owned(),
        None if kind.is_empty() => text::event_kind(usize::MAX).to_owned(),
        None => kind.to_owned(),
    }
}

/// The first letters of an id.
fn short(id: &str) -> String {
    id.chars().take(8).collect()
}

#[component]
pub(crate) fn AgentsPane() -> impl IntoView {
    let workspace = Workspace::here();
    let agents = workspace.agents;
    let facts = move || {
        agents.log.get().map(|log| {
            let events = count(text::events_one(), text::events_many(), log.len());
            let lanes = count(text::agents_one(), text::agents_many(), log.agents.len());
            format!("{events} · {lanes}")
        })
    };
    let has_log = Memo::new(move |_| agents.log.with(|log| log.as_ref().is_some_and(|log| log.len() > 0)));
    let none = move || {
        let is_there = agents.log.with(Option::is_some);
        match agents.failed.get() {
            None if !is_there => {
                view! { <p class="muted empty" role="status">{text::agents_reading()}</p> }.into_any()
            }
            reason => nothing(reason),
        }
    };
    view! {
        <section class="pane pane-agents" id="pane-agents" aria-label=text::view_agents()>
            <header class="pane-head">
                <h2>{text::view_agents()}</h2>
                <span class="pane-facts">{facts}</span>
            </header>
            <Show when=move || has_log.get() fallback=none>
                <LogSummary />
                <Frame />
                <Table />
            </Show>
        </section>
    }
}

/// The hint for a document without events.
fn nothing(reason: Option<String>) -> AnyView {
    let reason = reason.map(|reason| fill(text::no_events_reason(), &[("reason", &reason)]));
    view! {
        <div class="empty">
            <h3>{text::no_events()}</h3>
            {reason.map(|reason| view! { <p>{reason}</p> })}
            <p>{text::no_events_hint()}</p>
            <p>
                <a href="#/agents?d=ex:event_log_dag">"event_log_dag"</a>
            </p>
        </div>
    }
    .into_any()
}

/// The choice of the order, its effect, and the problems of the log.
#[component]
fn LogSummary() -> impl IntoView {
    let workspace = Workspace::here();
    let agents = workspace.agents;
    let choice = move |order: Order, word: &'static str, hint: &'static str| {
        let pressed = move || if workspace.order() == order { "true" } else { "false" };
        view! {
            <button type="button" class="button" title=hint aria-pressed=pressed on:click=move |_| workspace.set_order(order)>
                {word}
            </button>
        }
    };
    let of_log =
        move |text: fn(&Lanes) -> Option<String>| move || agents.log.get().and_then(|log| text(&log));
    let moved = of_log(|log| {
        Some(match log.moved {
            0 => text::moved_none().to_owned(),
            moved => count(text::moved_one(), text::moved_many(), moved),
        })
    });
    let early =
        of_log(|log| (log.early > 0).then(|| count(text::early_one(), text::early_many(), log.early)));
    let print = move || {
        agents.fingerprint.get().map(|print| {
            let shown: String = print.chars().take(12).collect();
            let long = fill(text::fingerprint_long(), &[("print", &print)]);
            view! { <span class="agents-print" title=long>{fill(text::fingerprint(), &[("print", &shown)])}</span> }
        })
    };
    let shuffle = move || {
        agents.is_source.get().then(|| {
            view! {
                <button type="button" class="button" title=text::shuffle_hint() on:click=move |_| workspace.shuffle_lines()>
                    {text::shuffle()}
                </button>
            }
        })
    };
    view! {
        <div class="agents-tools">
            <div class="agents-order" role="group" aria-label=text::order()>
                {choice(Order::Topological, text::order_topological(), text::order_topological_hint())}
                {choice(Order::Recorded, text::order_recorded(), text::order_recorded_hint())}
            </div>
            {shuffle}
            <p class="agents-facts">
                <span class="agents-moved">{moved}</span>
                <span class="agents-early">{early}</span>
                {print}
            </p>
        </div>
        <p class="agents-note" role="status">
            {move || agents.note.get()}
        </p>
        {move || agents.log.get().and_then(|log| errors(workspace, &log))}
    }
}

/// The first error of the log.
fn errors(workspace: Workspace, log: &PtrArc<Lanes>) -> Option<AnyView> {
    if log.is_ok {
        return None;
    }
    let first = log.first_error.as_ref().map(|(message, line)| {
        fill(text::log_error_first(), &[("line", &group(*line)), ("message", message)])
    });
    let held = log.len() - log.ordered;
    let held = (held > 0).then(|| fill(text::lanes_held(), &[("held", &group(held))]));
    let is_source = workspace.agents.is_source.get();
    let show = is_source.then(|| {
        view! {
            <button type="button" on:click=move |_| workspace.show_first_problem()>
                {text::show_in_source()}
            </button>
        }
    });
    Some(
        view! {
            <div class="banner banner-error agents-errors" role="status">
                <Icon path=icons::ERROR />
                <span>
                    {count(text::log_errors_one(), text::log_errors_many(), log.errors)} " " {first} " " {held}
                </span>
                {show}
            </div>
        }
        .into_any(),
    )
}
