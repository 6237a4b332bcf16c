//! The events as rows, with all that the lanes show.

use std::sync::Arc;

use leptos::prelude::*;
use transcript_core::view::EventView;

use super::{CLASSES, short, word_of};
use crate::io;
use crate::state::{ConePart, Lanes, Order, PtrArc, Tab, Workspace};
use crate::strings::{fill, group, text};
use crate::ui::VirtualList;

/// The height of one row, in pixels; the style sheet agrees.
const ROW: f64 = 28.0;

#[component]
pub(super) fn Table() -> impl IntoView {
    let workspace = Workspace::here();
    let agents = workspace.agents;
    let length = Signal::derive(move || agents.log.with(|log| log.as_ref().map_or(0, |log| log.len())));
    let selected = Signal::derive(move || {
        let log = agents.log.get()?;
        agents.selected.get().map(|event| log.place(workspace.order(), event))
    });
    let select = move |at: usize| {
        let event =
            agents.log.get_untracked().and_then(|log| log.event_at(untrack(|| workspace.order()), at));
        if let Some(event) = event {
            workspace.select_event(event);
        }
    };
    let row = move |at: usize| {
        let order = workspace.order();
        let log = agents.log.get()?;
        let event = log.event_at(order, at)?;
        let row = agents.row(order, at)?;
        let part = agents.selected.get().and_then(|selected| {
            agents.cone.with(|cone| cone.as_ref().filter(|cone| cone.of == selected)?.part(event))
        });
        Some(row_view(order, &log, event, row, part))
    };
    view! {
        <VirtualList
            id="events-list"
            label=text::events_table()
            count=length
            selected
            row_height=ROW
            render=Arc::new(move |at| row(at).into_any())
            choose=Arc::new(select)
            enter=Arc::new(move |at| {
                select(at);
                workspace.tab.set(Tab::Inspect);
                io::page::focus("event-body");
            })
        />
    }
}

fn row_view(
    order: Order,
    log: &PtrArc<Lanes>,
    event: u32,
    row: EventView,
    part: Option<ConePart>,
) -> AnyView {
    let place = row.place.map_or_else(|| text::no_place().to_owned(), group);
    let recorded = group(event as usize + 1);
    let (own, other) = match order {
        Order::Topological => (place, fill(text::row_recorded(), &[("n", &recorded)])),
        Order::Recorded => (recorded, fill(text::row_ordered(), &[("n", &place)])),
    };
    let ready = log.ready(event);
    let tie = (ready > 1).then(|| {
        let long = fill(text::tie(), &[("n", &group(ready))]);
        view! { <span title=long>{fill(text::tie_sign(), &[("n", &group(ready))])}</span> }
    });
    let kind_place = log.kind(event);
    let class = CLASSES.get(kind_place).copied().unwrap_or("role-other");
    let mark = text::EVENT_MARKS.get(kind_place).copied().unwrap_or("○");
    let after: Vec<String> = row.after.iter().map(|at| group(*at)).collect();
    let after = match after.is_empty() {
        true if row.parent.is_none() => text::row_first().to_owned(),
        true => fill(text::row_after(), &[("places", &short(row.parent.as_deref().unwrap_or_default()))]),
        false => fill(text::row_after(), &[("places", &after.join(", "))]),
    };
    let (part_class, part) = match part {
        Some(ConePart::Past) => ("event-row event-past", text::row_past()),
        Some(ConePart::Future) => ("event-row event-future", text::row_future()),
        Some(ConePart::Itself) | None => ("event-row", ""),
    };
    let fault = log.is_faulty(event).then(|| view! { <b class="event-fault">{text::row_fault()}</b> });
    let EventView { id, kind, summary, .. } = row;
    view! {
        <div class=part_class>
            <span class="event-place">{own}</span>
            " "
            <span class="event-tie">{tie}</span>
            " "
            <span class=format!("event-what {class}")>
                <span aria-hidden="true">{mark}</span>
                " "
                <b>{log.agent(event).to_owned()}</b>
                " "
                {word_of(&kind)}
                " "
                <span class="event-summary">{summary}</span>
                " "
                {fault}
            </span>
            " "
            <span class="event-after">{after}</span>
            " "
            <span class="event-part">{part}</span>
            " "
            <span class="event-other">{other}</span>
            " "
            <code class="event-id" title=id.clone()>{short(&id)}</code>
        </div>
    }
    .into_any()
}
