//! What several agents did, and what followed from what: the events of the open log, or those of the open transcript.
//!
//! The author holds the log. Here is the drawing, the rows that were visible, and the selected event, which
//! the address names with `e`; the order of the events is in `o`.

use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use transcript_core::text::Table;
use transcript_core::view::question::{
    AboutEvent, CallOf, ConeOfEvent, EventFingerprint, EventLanes, EventRows, FindEvent, ShuffleEvents,
    StartEvents,
};
use transcript_core::view::{EventAbout, EventView};

use super::lanes::{Cone, Lanes, Order};
use super::ptr_arc::PtrArc;
use super::route::View;
use super::selection::ADDRESS_PAUSE;
use super::share::{ShareError, export};
use super::workspace::Workspace;
use crate::io;
use crate::io::authoring::WorkerHandle;
use crate::io::timer::Debounce;
use crate::strings::{fill, group, text};

/// The keys of the address.
const EVENT: &str = "e";
const ORDER: &str = "o";
const RECORDED: &str = "rec";

/// The most characters that are shown of an event which an address names in vain.
const NAME: usize = 40;
/// The number of rows of one request.
const PIECE: usize = 128;
/// Quiet time before the log is replayed for its fingerprint.
const QUIET: u64 = 200;

/// Rows by the order and the place of their first one; nothing for those on their way.
type Rows = Table<(bool, usize), Option<PtrArc<Vec<EventView>>>>;

/// The state of the events. Copies share it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Agents {
    /// The log, once it is read.
    pub(crate) log: RwSignal<Option<PtrArc<Lanes>>>,
    /// Why it is missing.
    pub(crate) failed: RwSignal<Option<String>>,
    /// Whether the document is the log, and not a transcript that one was made of.
    pub(crate) is_source: RwSignal<bool>,
    /// The event that is selected.
    pub(crate) selected: RwSignal<Option<u32>>,
    /// The event in the address that the log does not have, while it is shown.
    pub(crate) missed: RwSignal<Option<String>>,
    /// All details of it.
    pub(crate) about: RwSignal<Option<PtrArc<EventAbout>>>,
    /// The event under the pointer.
    pub(crate) hovered: RwSignal<Option<u32>>,
    /// What belongs to that one, or to the one selected.
    pub(crate) cone: RwSignal<Option<PtrArc<Cone>>>,
    /// What the replay comes to.
    pub(crate) fingerprint: RwSignal<Option<String>>,
    /// A note about what shuffling the lines changed.
    pub(crate) note: RwSignal<Option<String>>,
    rows: RwSignal<Rows>,
    handle: StoredValue<Option<Rc<WorkerHandle<StartEvents>>>, LocalStorage>,
    /// The number of the newest question for each of: the log, the event, the cone.
    newest: StoredValue<[u32; 3]>,
    /// The order and the fingerprint before the lines were shuffled.
    before: StoredValue<Option<(String, Option<String>)>>,
    shuffles: StoredValue<u32>,
    quiet: Debounce,
}

impl Agents {
    pub(super) fn new() -> Self {
        Self {
            log: RwSignal::default(),
            failed: RwSignal::default(),
            is_source: RwSignal::new(false),
            selected: RwSignal::default(),
            missed: RwSignal::default(),
            about: RwSignal::default(),
            hovered: RwSignal::default(),
            cone: RwSignal::default(),
            fingerprint: RwSignal::default(),
            note: RwSignal::default(),
            rows: RwSignal::default(),
            handle: StoredValue::new_local(None),
            newest: StoredValue::new([0; 3]),
            before: StoredValue::default(),
            shuffles: StoredValue::new(0),
            quiet: Debounce::new(),
        }
    }

    /// The number of a new question of one of the three kinds, which overtakes those before.
    fn asks(self, kind: usize) -> u32 {
        let count = |newest: &mut [u32; 3]| {
            newest.get_mut(kind).map_or(0, |newest| {
                *newest += 1;
                *newest
            })
        };
        self.newest.try_update_value(count).unwrap_or_default()
    }

    fn is_newest(self, kind: usize, number: u32) -> bool {
        self.newest.with_value(|newest| newest.get(kind) == Some(&number))
    }

    fn set(self, handle: WorkerHandle<StartEvents>, log: Lanes) {
        self.handle.set_value(Some(Rc::new(handle)));
        self.rows.set(Table::new());
        // The places of the log before are not those of this one; the address still has the name.
        self.selected.set(None);
        self.missed.set(None);
        self.about.set(None);
        self.hovered.set(None);
        self.cone.set(None);
        self.fingerprint.set(None);
        self.failed.set(None);
        self.log.set(Some(PtrArc::new(log)));
    }

    fn fail(self, reason: String) {
        self.handle.set_value(None);
        self.log.set(None);
        self.selected.set(None);
        self.about.set(None);
        self.cone.set(None);
        self.failed.set(Some(reason));
    }

    /// Asks about the shown log. Without an answer the worker has ended, and the log with it: the view says why.
    async fn ask<Q: CallOf<StartEvents>>(self, question: Q) -> Option<Q::Answer> {
        let handle = self.handle.get_value()?;
        match handle.ask(question).await {
            Ok(answer) => Some(answer),
            Err(error) => {
                let is_shown =
                    self.handle.with_value(|now| now.as_ref().is_some_and(|now| Rc::ptr_eq(now, &handle)));
                if is_shown {
                    self.fail(error.to_string());
                }
                None
            }
        }
    }

    /// The row at a place of an order, once loaded.
    pub(crate) fn row(self, order: Order, place: usize) -> Option<EventView> {
        let start = place / PIECE * PIECE;
        let key = (order == Order::Recorded, start);
        match self.rows.with(|rows| rows.get(&key).cloned()) {
            Some(piece) => piece?.get(place - start).cloned(),
            None => {
                self.ask_rows(order, start);
                None
            }
        }
    }

    fn ask_rows(self, order: Order, start: usize) {
        let key = (order == Order::Recorded, start);
        let Some(log) = self.log.get_untracked() else { return };
        self.rows.update_untracked(|rows| drop(rows.insert(key, None)));
        let events = log.events_at(order, start, PIECE);
        spawn_local(async move {
            let answer = self.ask(EventRows { events }).await;
            // Nothing is kept of a log that is no longer shown.
            let is_now = self.log.with_untracked(|now| now.as_ref() == Some(&log));
            if let Some(piece) = answer.filter(|_| is_now) {
                self.rows.update(|rows| drop(rows.insert(key, Some(PtrArc::new(piece)))));
            }
        });
    }
}

impl Workspace {
    /// The order that the address names.
    pub(crate) fn order(self) -> Order {
        let is_recorded = self.route.with(|route| route.key(ORDER).as_deref() == Some(RECORDED));
        if is_recorded { Order::Recorded } else { Order::Topological }
    }

    /// Shows the events in that order.
    pub(crate) fn set_order(self, order: Order) {
        let word = (order == Order::Recorded).then_some(RECORDED);
        self.route.update(|route| *route = std::mem::take(route).with_key(ORDER, word));
        self.addressing.run(ADDRESS_PAUSE, move || self.write_address());
    }

    /// Follows the document wherever its agents are shown.
    pub(super) fn follow_agents(self) {
        let agents = self.agents;
        let sees = Memo::new(move |_| self.editing() && self.view() == View::Agents);
        let opened = StoredValue::new(0);
        let read = StoredValue::new(None::<PtrArc<str>>);
        Effect::new(move || {
            let current = self.current.get();
            if !sees.get() || !current.is_read {
                return;
            }
            let revision = &current.revision;
            if opened.get_value() != revision.opening {
                opened.set_value(revision.opening);
                read.set_value(None);
                agents.note.set(None);
                agents.before.set_value(None);
                agents.log.set(None);
                agents.failed.set(None);
            }
            if read.with_value(|read| read.as_ref() != Some(&revision.text)) {
                read.set_value(Some(revision.text.clone()));
                let holds_events = current.other.as_deref() == Some("event-log")
                    || current.other.is_some() && revision.text.contains("_inter_agent_events");
                spawn_local(self.read_events(revision.text.clone(), holds_events));
            }
        });
        // The address names the event; the log says which one it is.
        let named = Memo::new(move |_| self.route.with(|route| route.key(EVENT)));
        Effect::new(move || {
            let (log, name) = (agents.log.get(), named.get());
            let Some(log) = log else { return };
            spawn_local(self.find_event(log, name));
        });
        let wanted = Memo::new(move |_| (agents.log.get(), agents.selected.get()));
        Effect::new(move || {
            let (log, selected) = wanted.get();
            match (log, selected) {
                (Some(_), Some(event)) => spawn_local(self.ask_about(event)),
                _ => agents.about.set(None),
            }
        });
        let single = Memo::new(move |_| (agents.log.get(), agents.hovered.get().or(agents.selected.get())));
        Effect::new(move || {
            let (log, single) = single.get();
            match (log, single) {
                (Some(log), Some(event)) => spawn_local(self.ask_cone(log, event)),
                _ => {
                    agents.asks(2);
                    agents.cone.set(None);
                }
            }
        });
    }

    async fn read_events(self, source: PtrArc<str>, holds_events: bool) {
        let agents = self.agents;
        let number = agents.asks(0);
        let load = async {
            let log = match holds_events {
                true => source,
                false => export(&source, "events", false).await?.text.into(),
            };
            let handle = WorkerHandle::begin(&log, StartEvents).await?;
            let lanes = handle.ask(EventLanes).await?;
            Ok::<_, ShareError>((handle, Lanes::new(lanes)))
        };
        let loaded = load.await;
        if !agents.is_newest(0, number) {
            return;
        }
        agents.is_source.set(holds_events);
        match loaded {
            Ok((handle, log)) => {
                agents.set(handle, log);
                agents.quiet.run(QUIET, move || spawn_local(self.ask_fingerprint(number)));
            }
            Err(error) => agents.fail(error.to_string()),
        }
    }

    /// Replays the log; after a shuffle a note says what stayed the same.
    async fn ask_fingerprint(self, number: u32) {
        let agents = self.agents;
        let print = agents.ask(EventFingerprint).await.flatten();
        if !agents.is_newest(0, number) {
            return;
        }
        agents.fingerprint.set(print.clone());
        let Some((order, before)) = agents.before.try_update_value(Option::take).flatten() else { return };
        let Some(log) = agents.log.get_untracked() else { return };
        let same = log.order_print == order && before == print;
        let template = match (same, &print) {
            (true, Some(_)) => text::shuffled(),
            (true, None) => text::shuffled_order(),
            (false, _) => text::shuffled_other(),
        };
        let print = print.unwrap_or_default();
        let short: String = print.chars().take(12).collect();
        agents.note.set(Some(fill(template, &[("n", &group(log.ordered)), ("print", &short)])));
    }

    async fn find_event(self, log: PtrArc<Lanes>, name: Option<String>) {
        let agents = self.agents;
        let Some(name) = name else {
            agents.missed.set(None);
            agents.selected.set(None);
            return;
        };
        // A manual selection gets its name only now.
        let is_known = agents.about.with_untracked(|about| {
            let known = about.as_ref().filter(|about| event_name(about) == name);
            known.is_some_and(|about| {
                agents.selected.get_untracked().is_some_and(|event| about.event == event)
            })
        });
        if is_known {
            return;
        }
        let selected = agents.selected.get_untracked();
        let place = agents.ask(FindEvent { id: &name }).await;
        let is_now = agents.log.with_untracked(|now| now.as_ref() == Some(&log))
            && agents.selected.get_untracked() == selected
            && self.route.with_untracked(|route| route.key(EVENT)).as_deref() == Some(&name);
        if is_now {
            let is_missed = place == Some(None);
            agents.missed.set(is_missed.then(|| name.chars().take(NAME).collect()));
            agents.selected.set(place.flatten());
        }
    }

    async fn ask_about(self, event: u32) {
        let agents = self.agents;
        let number = agents.asks(1);
        let about = agents.ask(AboutEvent { event }).await.flatten();
        if !agents.is_newest(1, number) {
            return;
        }
        let name = about.as_ref().map(event_name);
        agents.about.set(about.map(PtrArc::new));
        if name.is_some() && self.route.with_untracked(|route| route.key(EVENT)) != name {
            self.route.update(|route| *route = std::mem::take(route).with_key(EVENT, name.as_deref()));
            self.addressing.run(ADDRESS_PAUSE, move || self.write_address());
        }
    }

    async fn ask_cone(self, log: PtrArc<Lanes>, event: u32) {
        let agents = self.agents;
        let number = agents.asks(2);
        let cone = agents.ask(ConeOfEvent { event }).await.flatten();
        if agents.is_newest(2, number) {
            agents.cone.set(cone.map(|cone| PtrArc::new(Cone::new(event, log.len(), &cone))));
        }
    }

    /// Selects an event by its place in the text.
    pub(crate) fn select_event(self, event: u32) {
        self.agents.hovered.set(None);
        self.agents.selected.set(Some(event));
    }

    /// Selects no event.
    pub(crate) fn select_no_event(self) {
        self.agents.selected.set(None);
        self.route.update(|route| *route = std::mem::take(route).with_key(EVENT, None));
        self.addressing.run(ADDRESS_PAUSE, move || self.write_address());
    }

    /// Moves the selection in the order of the events; it stops at both ends.
    pub(crate) fn step_event(self, by: isize) {
        let Some(log) = self.agents.log.get_untracked() else { return };
        let order = untrack(|| self.order());
        let at = self.agents.selected.get_untracked().map(|event| log.place(order, event));
        let last = log.len().saturating_sub(1);
        let next = match at {
            Some(at) => at.saturating_add_signed(by).min(last),
            None if by > 0 => 0,
            None => last,
        };
        if let Some(event) = log.event_at(order, next) {
            self.select_event(event);
        }
    }

    /// Puts the lines of the log in another order, as an edit that undo takes back.
    pub(crate) fn shuffle_lines(self) {
        let agents = self.agents;
        let Some(log) = agents.log.get_untracked() else { return };
        let seed = agents.shuffles.with_value(|count| count + 1);
        agents.shuffles.set_value(seed);
        agents.note.set(None);
        spawn_local(async move {
            let shuffled = agents.ask(ShuffleEvents { seed }).await;
            let is_now = agents.log.with_untracked(|now| now.as_ref() == Some(&log));
            let Some(shuffled) = shuffled.filter(|_| is_now) else { return };
            let draft = self.draft.get_untracked();
            // One event alone has no other order.
            if shuffled.trim_end() == draft.trim_end() {
                agents.note.set(Some(text::shuffled_nothing().to_owned()));
                return;
            }
            // Without its fingerprint it is compared with itself.
            let print = match agents.fingerprint.get_untracked() {
                Some(print) => Some(print),
                None => agents.ask(EventFingerprint).await.flatten(),
            };
            agents.before.set_value(Some((log.order_print.clone(), print)));
            let end = draft.encode_utf16().count();
            io::field::type_over(self.field, 0, end, &shuffled);
            self.read_now().await;
        });
    }

    /// Goes to the first problem of the log in its source.
    pub(crate) fn show_first_problem(self) {
        self.go(self.route.with_untracked(|route| route.seen_in(View::Edit)));
        self.show_problem(0);
    }
}

/// What the address calls an event: its id, or its place in the text where the id does not name it.
fn event_name(about: &EventAbout) -> String {
    if about.is_named { about.row.id.clone() } else { format!("#{}", about.event + 1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::decode::decode;
    use serde_json::json;

    #[test]
    fn an_event_without_a_name_of_its_own_has_its_place() {
        let about = |is_named: bool| -> EventAbout {
            decode(&json!({"event": 3, "isNamed": is_named, "row": {"id": "46bd"}}))
        };
        assert_eq!(
            (event_name(&about(true)), event_name(&about(false))),
            ("46bd".to_owned(), "#4".to_owned())
        );
    }
}
