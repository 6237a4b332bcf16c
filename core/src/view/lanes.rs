//! A log of events as it is drawn: a lane for each agent, the events in it by their places, and arrows between them.
//!
//! Events are named by their places in the text, from 0, for two may have one id and some have none. Lists that are as long
//! as the log are packed as [`pack_numbers`] does.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::answers::ListedProblem;
use super::{EventLog, EventView, pack_numbers};
use crate::diagnostic::Severity;
use crate::diagnostic::render::Problem;
use crate::events::KINDS;
use crate::order::{OrderKind, choices, cycles, explain, future, past};
use crate::text::content_key;
use crate::verify::{ReplayRequest, Settings, TraceRetention};

/// How many children or rivals of an event are named.
const NAMED: usize = 50;

/// What is drawn of a log.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LanesView {
    /// Whether the log has no errors, so that it can be replayed.
    pub ok: bool,
    /// The agents, in the order in which they first come: the lanes.
    pub agents: Vec<String>,
    /// The lane of each event.
    pub lanes: String,
    /// The place of the type of each event in [`KINDS`]; their number for any other type.
    pub kinds: String,
    /// The events in the default order, then those that have no place in it.
    pub order: String,
    /// How many have a place in the order; the others wait for a cycle.
    pub ordered: usize,
    /// How many events could have come at each place of the order.
    pub ready: String,
    /// An event and one that it followed from, one pair after the other, by the first of them.
    pub arrows: String,
    /// Those of them that close cycles.
    pub cycles: String,
    /// The events with errors in them.
    pub faults: String,
    /// A hash of the ids of the ordered events in this order: the same for the same order.
    pub order_print: String,
    /// The number of events with another position in the order than in the text.
    pub moved: usize,
    /// The number of events that are in the text before one of their parents.
    pub early: usize,
    /// How many errors there are.
    pub errors: usize,
    /// The first error, as it would be reported.
    pub first_error: Option<ListedProblem>,
}

/// An event in a few words, so that another can refer to it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EventName {
    /// Its place in the text, from 0.
    pub event: u32,
    /// The id; empty when it cannot be read.
    pub id: String,
    /// Its agent.
    pub agent: String,
    /// Its type as it is written.
    #[serde(rename = "type")]
    pub kind: String,
}

/// All details of one event.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EventAbout {
    /// Its place in the text, from 0.
    pub event: u32,
    /// Whether its id names it: it has one, and is the first that does.
    pub is_named: bool,
    /// Its row.
    pub row: EventView,
    /// Why it has its place in the order, in a sentence; nothing of what waits for a cycle.
    pub why: Option<String>,
    /// The events that could have come at its place, by their ids, itself among them; at most fifty.
    pub ready: Vec<EventName>,
    /// How many these are in all.
    pub ready_count: usize,
    /// The events that it followed from.
    pub parents: Vec<EventName>,
    /// The events that followed from it; at most fifty.
    pub children: Vec<EventName>,
    /// How many these are in all.
    pub child_count: usize,
    /// What is wrong with it.
    pub problems: Vec<ListedProblem>,
    /// Its data.
    pub data: Option<Value>,
}

/// All events before and after one event, each list a text of numbers, nearest first.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct EventCone {
    /// The events that it followed from, however far off.
    pub past: String,
    /// The events that followed from it.
    pub future: String,
}

impl EventLog {
    fn all(&self) -> impl Iterator<Item = u32> + use<> {
        (0..self.graph.len()).filter_map(|event| u32::try_from(event).ok())
    }

    /// What is drawn of the log.
    ///
    /// ```
    /// use transcript_core::view::EventLog;
    /// let event = |id: u32, agent: &str, parent: u32| format!(
    ///     "{{\"event_id\": \"00000000-0000-4000-8000-{id:012}\", \"agent_id\": \"{agent}\", \"parent_event_id\": \"00000000-0000-4000-8000-{parent:012}\"}}\n"
    /// );
    /// let lanes = EventLog::open(event(2, "bob", 1) + &event(1, "amy", 9) + &event(3, "bob", 1)).lanes();
    /// assert_eq!((lanes.agents, lanes.lanes), (vec!["bob".to_owned(), "amy".to_owned()], "0 1 0".to_owned()));
    /// assert_eq!((&*lanes.order, &*lanes.ready, &*lanes.arrows), ("1 0 2", "1 2 1", "0 1 2 1"));
    /// assert_eq!((lanes.moved, lanes.early), (2, 1));
    /// ```
    #[must_use]
    pub fn lanes(&self) -> LanesView {
        let events = self.log.events();
        let mut has_place = vec![false; events.len()];
        for event in &self.kahn {
            if let Some(slot) = has_place.get_mut(*event as usize) {
                *slot = true;
            }
        }
        let left = has_place.iter().zip(0..).filter(|(has, _)| !**has).map(|(_, event)| event);
        let order: Vec<u32> = self.kahn.iter().copied().chain(left).collect();
        let kind = |event: &crate::events::Event| {
            let at = KINDS.iter().position(|row| row.kind == event.kind);
            u32::try_from(at.unwrap_or(KINDS.len())).unwrap_or_default()
        };
        let arrows = self
            .all()
            .flat_map(|event| self.graph.parents(event).iter().flat_map(move |parent| [event, *parent]));
        let closing = cycles(&self.graph, &self.kahn).into_iter().flat_map(|cycle| {
            let next: Vec<u32> = cycle.0.iter().skip(1).chain(cycle.0.first()).copied().collect();
            cycle.0.into_iter().zip(next).flat_map(|(event, parent)| [event, parent])
        });
        let problems = self.problems("");
        let errors = problems.iter().filter(|problem| problem.severity == Severity::Error);
        let first_error = errors.clone().next().map(ListedProblem::from);
        let mut faults: Vec<u32> = errors
            .filter_map(|problem| {
                // The events stand one after the other.
                let at = events.partition_point(|event| event.span.end <= problem.place.offset);
                let event = events.get(at).filter(|event| event.span.start <= problem.place.offset)?;
                (!event.span.is_empty()).then(|| u32::try_from(at).ok()).flatten()
            })
            .collect();
        faults.sort_unstable();
        faults.dedup();
        LanesView {
            ok: self.is_ok(),
            agents: self.log.agents().to_vec(),
            lanes: pack_numbers(events.iter().map(|event| event.agent)),
            kinds: pack_numbers(events.iter().map(kind)),
            ordered: self.kahn.len(),
            order_print: content_key(&Value::from(self.order(OrderKind::Kahn))),
            ready: pack_numbers(choices(&self.graph)),
            arrows: pack_numbers(arrows),
            cycles: pack_numbers(closing),
            faults: pack_numbers(faults),
            moved: order.iter().zip(0..).filter(|(event, place)| *event != place).count(),
            early: self
                .all()
                .filter(|event| self.graph.parents(*event).iter().any(|parent| parent >= event))
                .count(),
            errors: self.findings.count(Severity::Error),
            first_error,
            order: pack_numbers(order),
        }
    }

    /// The rows of some events, by their places in the text; what is no event is left out.
    #[must_use]
    pub fn rows_of(&self, events: &[u32]) -> Vec<EventView> {
        let (places, layers) = self.places(&self.kahn);
        let known = events.iter().filter(|event| (**event as usize) < places.len());
        known.map(|event| self.row(*event, &places, &layers)).collect()
    }

    /// The place in the text of the event of that id, or of the line-like name `#12`, which counts from 1.
    #[must_use]
    pub fn place_of(&self, name: &str) -> Option<u32> {
        match name.strip_prefix('#') {
            Some(number) => {
                let event = number.parse::<u32>().ok()?.checked_sub(1)?;
                ((event as usize) < self.graph.len()).then_some(event)
            }
            None => self.find(name),
        }
    }

    /// The events that an event followed from, and those that followed from it. `None` when there is no such event.
    #[must_use]
    pub fn cone(&self, event: u32) -> Option<EventCone> {
        ((event as usize) < self.graph.len()).then(|| {
            let (past, future) = (past(&self.graph, event), future(&self.graph, event));
            EventCone { past: pack_numbers(past), future: pack_numbers(future) }
        })
    }

    /// What a replay in the default order comes to, as the SHA-256 of its trace in hexadecimal digits; of a trace of more than one
    /// block, that of the list of their fingerprints. The order of the lines of the log does not matter. `None` when the log
    /// has errors, so that it cannot be replayed.
    ///
    /// ```
    /// use transcript_core::view::EventLog;
    /// let line = |id: u32| format!(
    ///     "{{\"event_id\": \"1ee49a7c-b4b0-41b3-9226-a69f4b3f16{id}\", \"type\": \"state_transition\", \"agent_id\": \"bob\", \"timestamp_ns\": 1, \"parent_event_id\": null, \"payload_hash\": \"518326b679f26820\", \"from_state\": \"a\", \"to_state\": \"b\"}}\n"
    /// );
    /// let print = |text: String| EventLog::open(text).fingerprint();
    /// assert_eq!(print(line(10) + &line(11)), print(line(11) + &line(10)));
    /// assert_ne!(print(line(10)), print(line(11)));
    /// ```
    #[must_use]
    pub fn fingerprint(&self) -> Option<String> {
        let mut replay =
            self.replay_with(Settings { keep: TraceRetention::Prints, ..Settings::default() })?;
        // The host runs nothing here, so it gets no requests.
        while !matches!(replay.advance(), ReplayRequest::Done) {}
        match replay.prints() {
            [one] => Some(one.clone()),
            several => content_key(&Value::from(several.to_vec())).strip_prefix("sha256:").map(str::to_owned),
        }
    }

    fn name(&self, event: u32) -> EventName {
        let fields = self.log.fields(event as usize);
        let kind = fields.kind.or(fields.event_type).and_then(|raw| raw.as_text());
        EventName {
            event,
            id: self.id(event),
            agent: fields.text("agent_id").unwrap_or_default(),
            kind: kind.unwrap_or_default().into_owned(),
        }
    }

    /// All details of an event, by its place in the text, and of its place in the default order.
    #[must_use]
    pub fn about(&self, event: u32) -> Option<EventAbout> {
        let span = self.log.events().get(event as usize)?.span;
        let row = self.rows_of(&[event]).into_iter().next()?;
        let place = row.place;
        let explanation = place.and_then(|place| self.explain(OrderKind::Kahn, place));
        let tie = place.and_then(|place| explain(&self.graph, OrderKind::Kahn, place.checked_sub(1)?));
        let names = |events: &[u32]| events.iter().take(NAMED).map(|event| self.name(*event)).collect();
        let children = self.graph.children(event);
        let within = |problem: &Problem| {
            (span.start..span.end).contains(&problem.place.offset)
                || problem.related.iter().any(|other| (span.start..span.end).contains(&other.offset))
        };
        Some(EventAbout {
            event,
            is_named: self.find(&row.id) == Some(event),
            why: explanation.map(|explanation| explanation.reason),
            ready: tie.as_ref().map(|tie| names(&tie.ready)).unwrap_or_default(),
            ready_count: tie.map_or(0, |tie| tie.ready_count),
            parents: names(self.graph.parents(event)),
            children: names(children),
            child_count: children.len(),
            problems: self
                .problems("")
                .iter()
                .filter(|problem| within(problem))
                .map(ListedProblem::from)
                .collect(),
            data: serde_json::from_str(span.slice(self.log.text())).ok(),
            row,
        })
    }
}
