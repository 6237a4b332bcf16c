//! The selected event: its place and why, its causes, its effects, and its content.

use leptos::prelude::*;
use transcript_core::view::{EventAbout, EventName, ListedProblem};

use super::{short, word_of};
use crate::state::Workspace;
use crate::strings::{fill, group, text};
use crate::ui::JsonTree;

#[component]
pub(crate) fn EventPane() -> impl IntoView {
    let workspace = Workspace::here();
    let agents = workspace.agents;
    let title = move || {
        agents.about.get().map(|about| {
            let kind = word_of(&about.row.kind);
            fill(text::event_link(), &[("agent", &about.row.agent), ("kind", &kind)])
        })
    };
    let body = move || match agents.about.get() {
        None => {
            let missed = agents.missed.get().map(|id| fill(text::no_such_event(), &[("id", &id)]));
            view! {
                <p role="status">{missed}</p>
                <p class="muted">{text::no_event()}</p>
            }
            .into_any()
        }
        Some(about) => body(workspace, &about),
    };
    // What a screen reader says when the selection moves in the lanes.
    let text_parts = move || {
        let about = agents.about.get()?;
        let mut text_parts = vec![title()?];
        text_parts.extend(place_of(workspace, &about));
        text_parts.push(about.row.summary.clone());
        text_parts.extend(about.why.clone());
        text_parts.retain(|part| !part.is_empty());
        Some(text_parts.join(", "))
    };
    view! {
        <section class="pane pane-event" id="pane-event" aria-label=text::event()>
            <header class="pane-head">
                <h2>{text::event()}</h2>
                <span class="pane-facts">{title}</span>
            </header>
            <div class="event-body" id="event-body" tabindex="0" role="group" aria-label=text::event()>
                {body}
            </div>
            <p class="visually-hidden" role="status">{text_parts}</p>
        </section>
    }
}

fn place_of(workspace: Workspace, about: &EventAbout) -> Option<String> {
    let of = workspace.agents.log.with(|log| log.as_ref().map(|log| log.ordered))?;
    Some(match about.row.place {
        None => text::event_no_place().to_owned(),
        Some(place) => {
            let layer = about.row.layer.map(group).unwrap_or_default();
            fill(text::event_places(), &[("place", &group(place)), ("of", &group(of)), ("layer", &layer)])
        }
    })
}

/// Other events, each to be gone to.
fn links(workspace: Workspace, events: &[EventName], count: usize) -> AnyView {
    if events.is_empty() {
        return view! { <p class="muted">{text::event_nothing()}</p> }.into_any();
    }
    let more = count.saturating_sub(events.len());
    let items: Vec<AnyView> = events
        .iter()
        .map(|one| {
            let EventName { event, id, agent, kind } = one.clone();
            let words = fill(text::event_link(), &[("agent", &agent), ("kind", &word_of(&kind))]);
            view! {
                <li>
                    <button type="button" class="link-button" on:click=move |_| workspace.select_event(event)>
                        {words}
                        " "
                        <code title=id.clone()>{short(&id)}</code>
                    </button>
                </li>
            }
            .into_any()
        })
        .collect();
    let more = (more > 0)
        .then(|| view! { <li class="muted">{fill(text::event_more(), &[("n", &group(more))])}</li> });
    view! { <ul class="event-links">{items} {more}</ul> }.into_any()
}

fn body(workspace: Workspace, about: &EventAbout) -> AnyView {
    let log = workspace.agents.log.get();
    let total = log.as_ref().map_or(0, |log| log.len());
    let recorded = about.event as usize + 1;
    let row = &about.row;
    let line = group(row.at.line as usize);
    let recorded = fill(
        text::event_recorded_at(),
        &[("place", &group(recorded)), ("of", &group(total)), ("line", &line)],
    );
    let fact = |name: &'static str, value: String| {
        (!value.is_empty()).then(|| view! { <div><dt>{name}</dt> <dd>{value}</dd></div> })
    };
    let ready = about.ready_count;
    let tie = (ready > 1).then(|| {
        let text_parts = fill(text::event_tie(), &[("n", &group(ready)), ("id", &row.id)]);
        view! {
            <p class="event-text">{text_parts}</p>
            {links(workspace, &about.ready, ready)}
        }
    });
    let problem = |problem: &ListedProblem| {
        let line = group(problem.line as usize);
        let text_parts = fill(text::log_error_first(), &[("line", &line), ("message", &problem.message)]);
        let (code, help) = (problem.code.clone(), problem.help.clone());
        view! {
            <li>
                <code>{code}</code> " " {text_parts} " " <span class="muted">{help}</span>
            </li>
        }
        .into_any()
    };
    let problems: Vec<AnyView> = about.problems.iter().map(problem).collect();
    let problems = (!problems.is_empty()).then(|| {
        view! {
            <h3 class="event-wrong">{text::event_problems()}</h3>
            <ul class="event-problems">{problems}</ul>
        }
    });
    let data = about.data.clone();
    let place = place_of(workspace, about).unwrap_or_default();
    view! {
        {problems}
        <dl class="event-facts">
            {fact(text::event_place(), place)} {fact(text::event_recorded(), recorded)}
            {fact(text::event_agent(), row.agent.clone())} {fact(text::event_type(), row.kind.clone())}
            {fact(text::event_id(), row.id.clone())} {fact(text::event_time(), row.timestamp.clone().unwrap_or_default())}
        </dl>
        <h3>{text::event_why()}</h3>
        <p class="event-text">{about.why.clone()}</p>
        {tie}
        <h3>{text::event_parents()}</h3>
        {links(workspace, &about.parents, about.parents.len())}
        <h3>{text::event_children()}</h3>
        {links(workspace, &about.children, about.child_count)}
        {data.map(|data| view! { <h3>{text::event_data()}</h3> <JsonTree value=data /> })}
    }
    .into_any()
}
