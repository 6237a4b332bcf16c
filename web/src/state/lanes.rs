//! A log of events as the page draws it: the actions of agents in order, and their causes.
//!
//! Events are named by their places in the text, from 0.

use transcript_core::view::{EventCone, LanesView, unpack_numbers};

/// The order of the events from left to right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Order {
    /// Each after those it followed from.
    #[default]
    Topological,
    /// As in the text.
    Recorded,
}

/// The events in one order.
#[derive(Debug, Default)]
struct Sequence {
    events: Vec<u32>,
    /// The place of each event, from 0.
    places: Vec<u32>,
    /// The places of the events of each lane, in order.
    by_lane: Vec<Vec<u32>>,
}

impl Sequence {
    fn new(events: Vec<u32>, lanes: &[u32], agents: usize) -> Self {
        let mut places = vec![0; events.len()];
        let mut by_lane = vec![Vec::new(); agents];
        for (&event, place) in events.iter().zip(0_u32..) {
            if let Some(slot) = places.get_mut(event as usize) {
                *slot = place;
            }
            let lane = lanes.get(event as usize).copied().unwrap_or_default();
            if let Some(lane) = by_lane.get_mut(lane as usize) {
                lane.push(place);
            }
        }
        Self { events, places, by_lane }
    }
}

/// The answer of the author to `lanes` of a log; see `view/lanes.rs` of the core.
#[derive(Debug, Default)]
pub(crate) struct Lanes {
    pub(crate) agents: Vec<String>,
    pub(crate) is_ok: bool,
    /// How many events have a place in the topological order; the others wait for a cycle.
    pub(crate) ordered: usize,
    pub(crate) moved: usize,
    pub(crate) early: usize,
    pub(crate) errors: usize,
    /// The message of the first error and its line.
    pub(crate) first_error: Option<(String, usize)>,
    /// The same for the same order of the same events.
    pub(crate) order_print: String,
    lanes: Vec<u32>,
    kinds: Vec<u32>,
    ready: Vec<u32>,
    topological: Sequence,
    recorded: Sequence,
    /// Each event with one that it followed from, by the first of them.
    arrows: Vec<(u32, u32)>,
    /// The same the other way round.
    back: Vec<(u32, u32)>,
    cycles: Vec<(u32, u32)>,
    faults: Vec<u32>,
}

fn pairs(text: &str) -> Vec<(u32, u32)> {
    let flat = unpack_numbers(text);
    flat.chunks_exact(2).filter_map(|pair| Some((*pair.first()?, *pair.get(1)?))).collect()
}

fn ends(pairs: &[(u32, u32)], of: u32) -> impl Iterator<Item = u32> {
    let from = pairs.partition_point(|(one, _)| *one < of);
    pairs.iter().skip(from).take_while(move |(one, _)| *one == of).map(|(_, other)| *other)
}

impl Lanes {
    pub(crate) fn new(view: LanesView) -> Self {
        let lanes = unpack_numbers(&view.lanes);
        let count = u32::try_from(lanes.len()).unwrap_or(u32::MAX);
        let arrows = pairs(&view.arrows);
        let mut back: Vec<(u32, u32)> = arrows.iter().map(|(child, parent)| (*parent, *child)).collect();
        back.sort_unstable();
        let mut cycles = pairs(&view.cycles);
        cycles.sort_unstable();
        Self {
            topological: Sequence::new(unpack_numbers(&view.order), &lanes, view.agents.len()),
            recorded: Sequence::new((0..count).collect(), &lanes, view.agents.len()),
            is_ok: view.ok,
            ordered: view.ordered,
            moved: view.moved,
            early: view.early,
            errors: view.errors,
            first_error: view.first_error.map(|error| (error.message, error.line as usize)),
            order_print: view.order_print,
            kinds: unpack_numbers(&view.kinds),
            ready: unpack_numbers(&view.ready),
            faults: unpack_numbers(&view.faults),
            agents: view.agents,
            lanes,
            arrows,
            back,
            cycles,
        }
    }

    fn sequence(&self, order: Order) -> &Sequence {
        match order {
            Order::Topological => &self.topological,
            Order::Recorded => &self.recorded,
        }
    }

    /// How many events there are.
    pub(crate) fn len(&self) -> usize {
        self.lanes.len()
    }

    /// The event at a place of an order, from 0.
    pub(crate) fn event_at(&self, order: Order, place: usize) -> Option<u32> {
        self.sequence(order).events.get(place).copied()
    }

    /// The events of some places of an order.
    pub(crate) fn events_at(&self, order: Order, start: usize, count: usize) -> Vec<u32> {
        self.sequence(order).events.iter().skip(start).take(count).copied().collect()
    }

    /// The place of an event in an order, from 0.
    pub(crate) fn place(&self, order: Order, event: u32) -> usize {
        self.sequence(order).places.get(event as usize).map_or(0, |place| *place as usize)
    }

    /// The places of the events of a lane, in order.
    pub(super) fn places_of(&self, order: Order, lane: usize) -> &[u32] {
        self.sequence(order).by_lane.get(lane).map(Vec::as_slice).unwrap_or_default()
    }

    pub(crate) fn lane(&self, event: u32) -> usize {
        self.lanes.get(event as usize).map_or(0, |lane| *lane as usize)
    }

    /// The agent of an event.
    pub(crate) fn agent(&self, event: u32) -> &str {
        self.agents.get(self.lane(event)).map_or("", String::as_str)
    }

    /// The place of its type in the table of the core.
    pub(crate) fn kind(&self, event: u32) -> usize {
        self.kinds.get(event as usize).map_or(0, |kind| *kind as usize)
    }

    /// How many events could have come at its place in the topological order; nothing of one that waits for a cycle.
    pub(crate) fn ready(&self, event: u32) -> usize {
        self.ready.get(self.place(Order::Topological, event)).map_or(0, |count| *count as usize)
    }

    pub(crate) fn is_faulty(&self, event: u32) -> bool {
        self.faults.binary_search(&event).is_ok()
    }

    /// Whether the event waits for that other one in a cycle.
    pub(super) fn is_in_cycle(&self, event: u32, parent: u32) -> bool {
        self.cycles.binary_search(&(event, parent)).is_ok()
    }

    /// Each event with one that it followed from.
    pub(super) fn arrows(&self) -> &[(u32, u32)] {
        &self.arrows
    }

    /// The first event that this one followed from.
    pub(crate) fn parent(&self, event: u32) -> Option<u32> {
        ends(&self.arrows, event).next()
    }

    /// Of the events that followed from this one the first in the order.
    pub(crate) fn child(&self, order: Order, event: u32) -> Option<u32> {
        ends(&self.back, event).min_by_key(|child| self.place(order, *child))
    }

    /// The next event of the same lane, or the one before.
    pub(crate) fn along(&self, order: Order, event: u32, forward: bool) -> Option<u32> {
        let places = self.places_of(order, self.lane(event));
        let at = places.binary_search(&u32::try_from(self.place(order, event)).ok()?).ok()?;
        let next = if forward { at.checked_add(1) } else { at.checked_sub(1) }?;
        self.event_at(order, *places.get(next)? as usize)
    }

    /// The event of a lane that is nearest to a place, if it is no farther than `reach`.
    pub(crate) fn nearest(&self, order: Order, lane: usize, place: f64, reach: f64) -> Option<u32> {
        let places = self.places_of(order, lane);
        let after = places.partition_point(|one| f64::from(*one) < place);
        let around = [after.checked_sub(1), Some(after)].into_iter().flatten();
        let around = around.filter_map(|at| places.get(at)).copied();
        let far = |one: &u32| (f64::from(*one) - place).abs();
        let found = around.min_by(|a, b| far(a).total_cmp(&far(b)))?;
        (far(&found) <= reach).then(|| self.event_at(order, found as usize)).flatten()
    }
}

/// An event with all that it followed from, and all that followed from it.
#[derive(Debug, Default)]
pub(crate) struct Cone {
    pub(crate) of: u32,
    pub(crate) past: usize,
    pub(crate) future: usize,
    has: Vec<Option<Part>>,
}

/// How an event relates to the one of the cone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Itself,
    Past,
    Future,
}

impl Cone {
    /// The answer of `cone` for one of `count` events.
    pub(crate) fn new(of: u32, count: usize, cone: &EventCone) -> Self {
        let mut has = vec![None; count];
        let (past, future) = (unpack_numbers(&cone.past), unpack_numbers(&cone.future));
        for (events, part) in [(&past, Part::Past), (&future, Part::Future), (&vec![of], Part::Itself)] {
            for event in events {
                if let Some(slot) = has.get_mut(*event as usize) {
                    *slot = Some(part);
                }
            }
        }
        Self { of, past: past.len(), future: future.len(), has }
    }

    pub(crate) fn has(&self, event: u32) -> bool {
        self.part(event).is_some()
    }

    pub(crate) fn part(&self, event: u32) -> Option<Part> {
        self.has.get(event as usize).copied().flatten()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use transcript_core::view::EventLog;

    /// A log of lines `agent number parent`.
    pub(in crate::state) fn lanes(lines: &str) -> Lanes {
        let line = |line: &str| {
            let parts: Vec<&str> = line.split_whitespace().collect();
            format!(
                "{{\"event_id\": \"00000000-0000-4000-8000-{:0>12}\", \"agent_id\": \"{}\", \"type\": \"tool_call\", \
                 \"timestamp_ns\": 1, \"tool_name\": \"t\", \"call_id\": \"c{}\", \"arguments\": {{}}, \
                 \"payload_hash\": \"44136fa355b3678a\", \"parent_event_id\": \"00000000-0000-4000-8000-{:0>12}\"}}\n",
                parts[1], parts[0], parts[1], parts[2]
            )
        };
        let text: String = lines.lines().map(line).collect();
        Lanes::new(EventLog::open(text).lanes())
    }

    #[test]
    fn one_goes_along_the_lanes_and_the_arrows() {
        // Number 9 is nowhere: what followed from it followed from nothing.
        let log = lanes("bob 2 1\namy 1 9\nbob 3 1\namy 4 3");
        assert_eq!((log.agents.join(" "), log.len(), log.ordered), ("bob amy".to_owned(), 4, 4));
        assert_eq!(log.events_at(Order::Topological, 0, 9), [1, 0, 2, 3]);
        assert_eq!(log.events_at(Order::Recorded, 1, 2), [1, 2]);
        assert_eq!(log.along(Order::Topological, 0, true), Some(2));
        assert_eq!(log.along(Order::Topological, 0, false), None);
        assert_eq!(log.along(Order::Recorded, 3, false), Some(1));
        assert_eq!((log.parent(3), log.parent(1)), (Some(2), None));
        assert_eq!((log.child(Order::Topological, 1), log.child(Order::Topological, 3)), (Some(0), None));
        // Two were ready after the first; the smaller id came.
        assert_eq!([0, 1, 2].map(|event| log.ready(event)), [2, 1, 1]);
        assert_eq!(log.nearest(Order::Topological, 0, 1.4, 0.5), Some(0));
        assert_eq!(log.nearest(Order::Topological, 0, 7.0, 0.5), None);
        assert_eq!(log.nearest(Order::Topological, 7, 1.0, 9.0), None);
    }

    #[test]
    fn a_cycle_has_its_arrows_and_no_places() {
        let log = lanes("bob 1 2\nbob 2 3\nbob 3 1\namy 4 9");
        assert_eq!((log.ordered, log.is_ok), (1, false));
        assert!(log.is_in_cycle(0, 1) && log.is_in_cycle(2, 0) && !log.is_in_cycle(1, 0));
        assert_eq!((log.ready(0), log.ready(3)), (0, 1));
        assert_eq!(log.events_at(Order::Topological, 0, 9), [3, 0, 1, 2]);
    }

    #[test]
    fn a_cone_has_what_came_before_and_after() {
        let cone = EventCone { past: "1".to_owned(), future: "3 4".to_owned() };
        let cone = Cone::new(2, 6, &cone);
        assert_eq!((cone.past, cone.future), (1, 2));
        assert_eq!((0..6).filter(|event| cone.has(*event)).collect::<Vec<_>>(), [1, 2, 3, 4]);
    }
}
