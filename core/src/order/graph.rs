//! The dependencies between events, in flat lists.

use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::encoding::exact::{self, Raw};
use crate::events::{Findings, Log, Uuid};
use crate::text::Span;

/// The events of a log as the nodes of a graph, by their index in the log, with arrows from parents to
/// children.
///
/// The lists are flat: a million events take some 30 MB.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The places of the events in the order of their ids.
    by_rank: Vec<u32>,
    /// The place of each event in `by_rank`.
    rank: Vec<u32>,
    parents: Arrows,
    children: Arrows,
}

/// For each node, the other ends of its arrows: one list of all ends, and where those of a node begin.
#[derive(Clone, Debug, Default)]
struct Arrows {
    begins: Vec<u32>,
    ends: Vec<u32>,
}

impl Arrows {
    /// Sorts pairs of a node and an end by the node; the ends of a node keep their order.
    fn new(nodes: usize, pairs: &[(u32, u32)], flipped: bool) -> Self {
        let pair = |&(child, parent): &(u32, u32)| if flipped { (parent, child) } else { (child, parent) };
        let mut begins = vec![0_u32; nodes + 1];
        for (node, _) in pairs.iter().map(pair) {
            if let Some(count) = begins.get_mut(node as usize + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for begin in &mut begins {
            sum += *begin;
            *begin = sum;
        }
        let mut next = begins.clone();
        let mut ends = vec![0; pairs.len()];
        for (node, end) in pairs.iter().map(pair) {
            if let Some(next) = next.get_mut(node as usize)
                && let Some(slot) = ends.get_mut(*next as usize)
            {
                *slot = end;
                *next += 1;
            }
        }
        Self { begins, ends }
    }

    fn targets(&self, node: u32) -> &[u32] {
        let begin = |node: u32| self.begins.get(node as usize).copied().unwrap_or(0) as usize;
        self.ends.get(begin(node)..begin(node.saturating_add(1))).unwrap_or_default()
    }
}

impl Graph {
    /// Finds the parents of all events. An event with an unknown parent counts as one without; an id of two
    /// events refers to the first.
    ///
    /// ```
    /// use transcript_core::events::Log;
    /// use transcript_core::order::{Graph, kahn};
    /// let event = |id: u32, parent: &str| format!(
    ///     "{{\"event_id\": \"00000000-0000-4000-8000-{id:012}\", \"parent_event_id\": {parent}}}\n"
    /// );
    /// let log = Log::read(event(1, "\"00000000-0000-4000-8000-000000000002\"") + &event(2, "null"));
    /// let graph = Graph::from_log(&log);
    /// assert_eq!((graph.parents(0), kahn(&graph)), (&[1][..], vec![1, 0]));
    /// ```
    #[must_use]
    pub fn from_log(log: &Log) -> Self {
        Self::checked(log, &mut Findings::default())
    }

    /// The same, and reports duplicate ids and parents that are not in the log.
    #[must_use]
    pub fn checked(log: &Log, found: &mut Findings) -> Self {
        let events = log.events();
        let mut ids: Vec<(Option<Uuid>, u32)> =
            events.iter().zip(0..).map(|(event, place)| (event.id, place)).collect();
        // Events without an id come last, in the order of the lines.
        ids.sort_unstable_by_key(|(id, place)| (id.is_none(), *id, *place));
        for pair in ids.windows(2) {
            if let [(Some(one), first), (Some(other), second)] = pair
                && one == other
            {
                duplicate(log, *first, *second, found);
            }
        }
        let known = ids.partition_point(|(id, _)| id.is_some());
        let known = ids.get(..known).unwrap_or_default();
        let find = |id: Uuid| {
            let at = known.partition_point(|(own, _)| *own < Some(id));
            known.get(at).filter(|(own, _)| *own == Some(id)).map(|(_, place)| *place)
        };
        let mut pairs = Vec::with_capacity(events.len());
        for (event, child) in events.iter().zip(0_u32..) {
            let Some(id) = event.parent else { continue };
            match find(id) {
                Some(parent) => pairs.push((child, parent)),
                None => dangling(log, child, id, found),
            }
        }
        for &(child, id) in log.joins() {
            match find(id) {
                // Duplicates are one arrow.
                Some(parent) if pairs.iter().rev().take(8).any(|pair| *pair == (child, parent)) => {}
                Some(parent) => pairs.push((child, parent)),
                None => dangling(log, child, id, found),
            }
        }
        let by_rank: Vec<u32> = ids.iter().map(|(_, place)| *place).collect();
        drop(ids);
        let mut rank = vec![0; events.len()];
        for (place, at) in by_rank.iter().zip(0_u32..) {
            if let Some(slot) = rank.get_mut(*place as usize) {
                *slot = at;
            }
        }
        let parents = Arrows::new(events.len(), &pairs, false);
        let children = Arrows::new(events.len(), &pairs, true);
        Self { by_rank, rank, parents, children }
    }

    /// How many events there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rank.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rank.is_empty()
    }

    /// The events that an event followed from.
    #[must_use]
    pub fn parents(&self, event: u32) -> &[u32] {
        self.parents.targets(event)
    }

    /// The events that followed from an event.
    #[must_use]
    pub fn children(&self, event: u32) -> &[u32] {
        self.children.targets(event)
    }

    /// The rank of an event among all, sorted by id.
    #[must_use]
    pub fn rank(&self, event: u32) -> u32 {
        self.rank.get(event as usize).copied().unwrap_or(u32::MAX)
    }

    /// The event at a place among all, sorted by their ids.
    #[must_use]
    pub fn at_rank(&self, rank: u32) -> u32 {
        self.by_rank.get(rank as usize).copied().unwrap_or(u32::MAX)
    }

    /// How many events each one waits for.
    pub(super) fn waits(&self) -> Vec<u32> {
        let counts = (0..self.len()).map(|event| {
            let event = u32::try_from(event).unwrap_or(u32::MAX);
            u32::try_from(self.parents(event).len()).unwrap_or(u32::MAX)
        });
        counts.collect()
    }
}

/// The place of the id of an event, or of the event itself.
fn place_of(log: &Log, event: u32) -> Span {
    let fields = log.fields(event as usize);
    fields.event_id.map_or_else(
        || log.events().get(event as usize).map(|event| event.span).unwrap_or_default(),
        |id| id.span(),
    )
}

/// Where an event names another that it followed from: its parent, or an item of `also_after`.
pub(super) fn named_at(log: &Log, event: u32, id: Uuid) -> Span {
    let fields = log.fields(event as usize);
    let is_it = |raw: &Raw<'_>| raw.as_text().and_then(|text| Uuid::new(&text)) == Some(id);
    if let Some(parent) = fields.parent_event_id.filter(is_it) {
        return parent.span();
    }
    let mut found = None;
    if let Some(after) = fields.also_after {
        // It was read over before.
        _ = exact::items(after.text, 0, &mut |item| {
            if found.is_none() && is_it(&item) {
                found = Some(Raw { text: item.text, start: after.start + item.start }.span());
            }
        });
    }
    found.unwrap_or_else(|| place_of(log, event))
}

fn duplicate(log: &Log, first: u32, second: u32, found: &mut Findings) {
    found.add(codes::DUPLICATE_EVENT, Severity::Error, || {
        let id = log.events().get(second as usize).and_then(|event| event.id).unwrap_or_default();
        let message = format!("duplicate event id `{id}`");
        Diagnostic::new(codes::DUPLICATE_EVENT, Severity::Error, place_of(log, second), message)
            .related(place_of(log, first), "this is the first")
    });
}

fn dangling(log: &Log, child: u32, id: Uuid, found: &mut Findings) {
    found.add(codes::DANGLING_PARENT, Severity::Error, || {
        let span = named_at(log, child, id);
        let message = format!("unknown parent event `{id}`");
        Diagnostic::new(codes::DANGLING_PARENT, Severity::Error, span, message)
    });
}
