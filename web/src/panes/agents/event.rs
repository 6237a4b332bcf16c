//! The selected event: its place and why, its causes, its effects, and its content.

use leptos::prelude::*;
use serde_json::Value;

use super::{number, short, string, word_of};
use crate::state::Workspace;
use crate::strings::{fill, group, text};
use crate::ui::JsonTree;

#[component]
pub(crate) fn EventPane() -> impl IntoView {
    let workspace = Workspace::here();
    let agents = workspace.agents;
    let title = move || {
        agents.about.get().map(|about| {
            let kind = word_of(&string(&about, "type"));
            fill(text::event_link(), &[("agent", &string(&about, "agent")), ("kind", &kind)])
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
        text_parts.push(string(&about, "summary"));
        text_parts.extend(about.get("why").and_then(Value::as_str).map(str::to_owned));
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

fn place_of(workspace: Workspace, about: &Value) -> Option<String> {
    let of = workspace.agents.log.with(|log| log.as_ref().map(|log| log.ordered))?;
    Some(match number(about, "place") {
        None => text::event_no_place().to_owned(),
        Some(place) => {
            let layer = number(about, "layer").map(group).unwrap_or_default();
            fill(text::event_places(), &[("place", &group(place)), ("of", &group(of)), ("layer", &layer)])
        }
    })
}

fn list<'v>(about: &'v Value, key: &str) -> &'v [Value] {
    about.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// Other events, each to be gone to.
fn links(workspace: Workspace, events: &[Value], count: usize) -> AnyView {
    if events.is_empty() {
        return view! { <p class="muted">{text::event_nothing()}</p> }.into_any();
    }
    let more = count.saturating_sub(events.len());
    let items: Vec<AnyView> = events
        .iter()
        .map(|one| {
            let event = number(one, "event").and_then(|event| u32::try_from(event).ok()).unwrap_or_default();
            let kind = word_of(&string(one, "type"));
            let words = fill(text::event_link(), &[("agent", &string(one, "agent")), ("kind", &kind)]);
            let id = string(one, "id");
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

fn body(workspace: Workspace, about: &Value) -> AnyView {
    let log = workspace.agents.log.get();
    let total = log.as_ref().map_or(0, |log| log.len());
    let recorded = number(about, "event").map_or(0, |event| event + 1);
    let line = about.get("at").and_then(|at| number(at, "line")).map(group).unwrap_or_default();
    let recorded = fill(
        text::event_recorded_at(),
        &[("place", &group(recorded)), ("of", &group(total)), ("line", &line)],
    );
    let fact = |name: &'static str, value: String| {
        (!value.is_empty()).then(|| view! { <div><dt>{name}</dt> <dd>{value}</dd></div> })
    };
    let ready = number(about, "readyCount").unwrap_or_default();
    let tie = (ready > 1).then(|| {
        let text_parts = fill(text::event_tie(), &[("n", &group(ready)), ("id", &string(about, "id"))]);
        view! {
            <p class="event-text">{text_parts}</p>
            {links(workspace, list(about, "ready"), ready)}
        }
    });
    let problems: Vec<AnyView> = list(about, "problems")
        .iter()
        .map(|problem| {
            let place = number(problem, "line").map(group).unwrap_or_default();
            let text_parts =
                fill(text::log_error_first(), &[("line", &place), ("message", &string(problem, "message"))]);
            let help = string(problem, "help");
            view! {
                <li>
                    <code>{string(problem, "code")}</code> " " {text_parts} " " <span class="muted">{help}</span>
                </li>
            }
            .into_any()
        })
        .collect();
    let problems = (!problems.is_empty()).then(|| {
        view! {
            <h3 class="event-wrong">{text::event_problems()}</h3>
            <ul class="event-problems">{problems}</ul>
        }
    });
    let parents = list(about, "parents");
    let data = about.get("data").filter(|data| !data.is_null()).cloned();
    let place = place_of(workspace, about).unwrap_or_default();
    view! {
        {problems}
        <dl class="event-facts">
            {fact(text::event_place(), place)} {fact(text::event_recorded(), recorded)}
            {fact(text::event_agent(), string(about, "agent"))} {fact(text::event_type(), string(about, "type"))}
            {fact(text::event_id(), string(about, "id"))} {fact(text::event_time(), string(about, "timestamp"))}
        </dl>
        <h3>{text::event_why()}</h3>
        <p class="event-text">{string(about, "why")}</p>
        {tie}
        <h3>{text::event_parents()}</h3>
        {links(workspace, parents, parents.len())}
        <h3>{text::event_children()}</h3>
        {links(workspace, list(about, "children"), number(about, "childCount").unwrap_or_default())}
        {data.map(|data| view! { <h3>{text::event_data()}</h3> <JsonTree value=data /> })}
    }
    .into_any()
}
