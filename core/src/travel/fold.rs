//! The state of a run turn by turn, and which messages a call is sent.

use crate::model::{Message, Sent, SentItem, Spanned, State, Text, Transcript, Turn};
use crate::text::{Set, Span, Table};

/// The state of a run with the visible messages at hand, so that hidden ones cost nothing.
#[derive(Debug)]
pub(super) struct StateFold {
    pub(super) state: State,
    /// The places in the store of the visible messages.
    visible: Set<usize>,
    /// The same by agent; the key is none for messages without an agent, which all agents see.
    of_agent: Table<Option<Text>, Set<usize>>,
    /// The agent of each message of the store.
    agents: Vec<Option<Text>>,
}

/// How the list of what a call is sent is determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SentListing {
    /// It is not recorded.
    Unrecorded,
    /// All messages that are visible.
    Visible,
    /// All that are visible, some of them in other words than the store has.
    Seen,
    /// All visible messages of the agent, and those without an agent.
    OfAgent,
    /// These, for reasons that the recording does not show.
    Other,
}

impl StateFold {
    pub(super) fn new(run: &Transcript) -> Self {
        let mut fold = Self {
            state: State::initial(run),
            visible: Set::new(),
            of_agent: Table::new(),
            agents: Vec::new(),
        };
        for message in &run.initial {
            fold.add(message, None);
        }
        for (name, agent) in &run.agents {
            agent.store.iter().flatten().for_each(|message| fold.add(message, Some(&name.value)));
        }
        fold
    }

    fn add(&mut self, message: &Message, agent: Option<&Text>) {
        let at = self.agents.len();
        self.agents.push(message.agent.as_ref().or(agent).cloned());
        if message.visible {
            self.show(at, true);
        }
    }

    fn show(&mut self, at: usize, shown: bool) {
        let agent = self.agents.get(at).cloned().flatten();
        for set in [&mut self.visible, self.of_agent.entry(agent).or_default()] {
            if shown {
                set.insert(at);
            } else {
                set.remove(&at);
            }
        }
    }

    pub(super) fn apply(&mut self, turn: &Turn) {
        let effects = self.state.apply(turn);
        if let Some(message) = effects.stored {
            self.add(message, turn.agent.as_ref());
        }
        for (at, shown) in effects.visibility {
            self.show(at, shown);
        }
    }

    fn id(&self, at: usize) -> Option<&Text> {
        self.state.store().get(at).map(|(id, _)| id)
    }

    /// The places in the store of all visible messages, in order.
    pub(super) fn visible(&self) -> impl Iterator<Item = usize> {
        self.visible.iter().copied()
    }

    /// The places in the store of the visible messages of an agent and of those without one.
    fn agent_messages(&self, agent: &Text) -> Vec<usize> {
        let sets = [None, Some(agent.clone())].map(|agent| self.of_agent.get(&agent));
        let mut places: Vec<usize> = sets.into_iter().flatten().flatten().copied().collect();
        places.sort_unstable();
        places
    }

    fn agent_message_count(&self, agent: &Text) -> usize {
        let count = |agent| self.of_agent.get(&agent).map_or(0, Set::len);
        count(None) + count(Some(agent.clone()))
    }

    fn are_listed(&self, mut places: impl Iterator<Item = usize>, items: &[SentItem]) -> bool {
        items.iter().all(|item| {
            let id = places.next().and_then(|at| self.id(at));
            item.reference.as_ref().map(|named| &named.value) == id && id.is_some()
        })
    }

    /// How the list of a turn is determined.
    pub(super) fn listing(&self, turn: &Turn) -> SentListing {
        let items = match &turn.sent {
            Sent::Unrecorded => return SentListing::Unrecorded,
            Sent::Visible => return SentListing::Visible,
            Sent::List(items) => items,
        };
        if items.len() == self.visible.len() && self.are_listed(self.visible(), items) {
            let is_plain = items.iter().all(|item| item.content.is_none() && item.rest.is_empty());
            return if is_plain { SentListing::Visible } else { SentListing::Seen };
        }
        match &turn.agent {
            Some(agent) if items.len() == self.agent_message_count(agent) => {
                let is_of_agent = self.are_listed(self.agent_messages(agent).into_iter(), items);
                if is_of_agent { SentListing::OfAgent } else { SentListing::Other }
            }
            _ => SentListing::Other,
        }
    }

    /// The places of what a call with such a list is sent now; `None` if the list is not one of these
    /// sets.
    pub(super) fn resolve_listing(&self, listing: SentListing, agent: Option<&Text>) -> Option<Vec<usize>> {
        match (listing, agent) {
            (SentListing::Unrecorded | SentListing::Other, _) => None,
            (SentListing::OfAgent, Some(agent)) => Some(self.agent_messages(agent)),
            _ => Some(self.visible().collect()),
        }
    }

    /// References to the messages at these places. What `sent` has in addition to the id of a message stays, unless the
    /// message is `edited`.
    pub(super) fn items(&self, places: &[usize], sent: &[SentItem], edited: &Set<Text>) -> Vec<SentItem> {
        let named = sent.iter().filter_map(|item| Some((&item.reference.as_ref()?.value, item)));
        let by_id: Table<&Text, &SentItem> = named.filter(|(id, _)| !edited.contains(*id)).collect();
        let ids = places.iter().filter_map(|at| self.id(*at));
        ids.map(|id| by_id.get(id).map_or_else(|| reference(id), |item| SentItem::clone(item))).collect()
    }
}

/// A reference to a message.
pub(super) fn reference(id: &Text) -> SentItem {
    let span = Span::default();
    SentItem {
        reference: Some(Spanned { value: id.clone(), span }),
        content: None,
        inline: None,
        rest: crate::model::UnknownKeys::default(),
        span,
    }
}
