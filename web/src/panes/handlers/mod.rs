//! The handlers of the document: what they are, a diagram of those with states, and a conversation with them.

mod chat;
mod diagram;
mod simulator;
mod spec;

use leptos::prelude::*;

pub(crate) use simulator::SimulatorPane;

use crate::state::{Simulation, Workspace};
use crate::strings::text;

/// The rules, responses and states, with a diagram of every state machine.
#[component]
pub(crate) fn HandlersPane() -> impl IntoView {
    let workspace = Workspace::here();
    let simulation = Simulation::here();
    let body = move || match simulation.spec.get() {
        None => view! { <p class="muted empty" role="status">{text::handlers_reading()}</p> }.into_any(),
        Some(spec) if spec.agents.is_empty() => view! { <Nothing /> }.into_any(),
        Some(spec) => {
            let agents = spec.agents.iter();
            agents.map(|one| spec::agent_view(simulation, &one.agent, &one.handler)).collect_view().into_any()
        }
    };
    view! {
        <section class="pane pane-handlers" id="pane-handlers" aria-label=text::view_handlers()>
            <header class="pane-head">
                <h2>{text::view_handlers()}</h2>
                <span class="pane-facts">{move || workspace.name.get()}</span>
            </header>
            <div class="handlers-body" id="handlers-body" tabindex="-1">
                {body}
            </div>
        </section>
    }
}

/// The hint for a document without handlers.
#[component]
fn Nothing() -> impl IntoView {
    let example = |name: &'static str| {
        view! {
            <li>
                <a href=format!("#/handlers?d=ex:{name}")>{name}</a>
            </li>
        }
    };
    view! {
        <div class="empty">
            <h3>{text::no_handlers()}</h3>
            <p>{text::no_handlers_hint()}</p>
            <ul class="handlers-examples">{["handler_conditional", "handler_fsm"].map(example).into_iter().collect_view()}</ul>
        </div>
    }
}
