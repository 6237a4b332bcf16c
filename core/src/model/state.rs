//! Folds a run: context and store after each turn.

use crate::text::Table;
use serde_json::{Map, Value};

use super::{Message, Text, Transcript, Turn};

/// Context and store at one point of a run.
///
/// Only this defines the effect of a turn. A key that is removed and set again comes last in the
/// context; an id of two messages refers to the first.
///
/// ```
/// use transcript_core::model::{State, Transcript};
/// let state = State::initial(&Transcript::default());
/// assert!(state.store().is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct State {
    context: Map<String, Value>,
    /// The contexts of agents that have their own.
    agents: Table<Text, Map<String, Value>>,
    store: Vec<(Text, bool)>,
    /// Where in the store the first message of each id lies.
    places: Table<Text, usize>,
    visible: usize,
}

/// The effects of one turn on a state, in order.
#[derive(Clone, Debug, Default)]
pub struct Effects<'t> {
    /// The message that was added to the end of the store.
    pub stored: Option<&'t Message>,
    /// Keys of the context with their new value; `None` for a removed one.
    pub context: Vec<(&'t str, Option<&'t Value>)>,
    /// The same in the context of the turn's agent; a set key is in both.
    pub own: Vec<(&'t str, Option<&'t Value>)>,
    /// Messages, by their place in the store, that were hidden (`false`) or shown (`true`).
    pub visibility: Vec<(usize, bool)>,
}

impl State {
    /// The state before the first turn.
    #[must_use]
    pub fn initial(transcript: &Transcript) -> Self {
        let mut state = Self { context: transcript.context.clone(), ..Self::default() };
        for (name, agent) in &transcript.agents {
            if let Some(context) = &agent.context {
                state.agents.insert(name.value.clone(), context.clone());
            }
        }
        for message in transcript.first_messages() {
            state.push(message);
        }
        state
    }

    fn push(&mut self, message: &Message) {
        self.places.entry(message.id.value.clone()).or_insert(self.store.len());
        self.store.push((message.id.value.clone(), message.visible));
        self.visible += usize::from(message.visible);
    }

    /// Advances by one turn: its message is stored, then its changes are applied.
    pub fn apply<'t>(&mut self, turn: &'t Turn) -> Effects<'t> {
        let mut effects = Effects { stored: turn.created.as_ref(), ..Effects::default() };
        if let Some(created) = &turn.created {
            self.push(created);
        }
        for (key, value) in &turn.changes.context {
            self.context.insert(key.clone(), value.clone());
            effects.context.push((key, Some(value)));
        }
        for key in &turn.changes.removed {
            if self.context.shift_remove(&**key).is_some() {
                effects.context.push((key, None));
            }
        }
        if let Some(own) = turn.agent.as_ref().and_then(|agent| self.agents.get_mut(agent)) {
            for (key, value) in &turn.changes.context {
                own.insert(key.clone(), value.clone());
                effects.own.push((key, Some(value)));
            }
            for key in &turn.changes.removed {
                if own.shift_remove(&**key).is_some() {
                    effects.own.push((key, None));
                }
            }
        }
        for (id, visible) in &turn.changes.visible {
            let Some(at) = self.position(&id.value) else { continue };
            let Some(entry) = self.store.get_mut(at).filter(|entry| entry.1 != *visible) else { continue };
            entry.1 = *visible;
            self.visible = if *visible { self.visible + 1 } else { self.visible.saturating_sub(1) };
            effects.visibility.push((at, *visible));
        }
        effects
    }

    /// The context.
    #[must_use]
    pub fn context(&self) -> &Map<String, Value> {
        &self.context
    }

    /// An agent's own context (`agents.NAME.context`), with the changes of its turns; `None` without one.
    #[must_use]
    pub fn context_of(&self, agent: &str) -> Option<&Map<String, Value>> {
        self.agents.get(agent)
    }

    /// The ids of all messages, oldest first, with whether the model can see them.
    #[must_use]
    pub fn store(&self) -> &[(Text, bool)] {
        &self.store
    }

    /// Where in the store the message lies that an id means.
    #[must_use]
    pub fn position(&self, id: &str) -> Option<usize> {
        self.places.get(id).copied()
    }

    /// The ids of the messages that the model can see, oldest first.
    pub fn visible(&self) -> impl Iterator<Item = &Text> {
        self.store.iter().filter(|entry| entry.1).map(|entry| &entry.0)
    }

    /// The number of messages that the model can see, without counting them.
    #[must_use]
    pub fn visible_count(&self) -> usize {
        self.visible
    }
}
