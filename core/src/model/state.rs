//! The fold of a run: context and store after each turn.

use serde_json::{Map, Value};

use super::{Message, Text, Transcript, Turn};

/// Context and store at one moment of a run.
///
/// ```
/// use transcript_core::model::{State, Transcript};
/// let state = State::initial(&Transcript::default());
/// assert!(state.store.is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The context.
    pub context: Map<String, Value>,
    /// The ids of all messages, oldest first, with whether the model can see them.
    pub store: Vec<(Text, bool)>,
}

impl State {
    /// The state before the first turn.
    #[must_use]
    pub fn initial(transcript: &Transcript) -> Self {
        let store = transcript.initial.iter().map(Self::entry).collect();
        Self { context: transcript.context.clone(), store }
    }

    fn entry(message: &Message) -> (Text, bool) {
        (message.id.value.clone(), message.visible)
    }

    /// Goes on by one turn: its message is stored, then its changes take hold.
    pub fn apply(&mut self, turn: &Turn) {
        if let Some(created) = &turn.created {
            self.store.push(Self::entry(created));
        }
        for (key, value) in &turn.changes.context {
            self.context.insert(key.clone(), value.clone());
        }
        for key in &turn.changes.removed {
            self.context.shift_remove(&**key);
        }
        for (id, visible) in &turn.changes.visible {
            for entry in self.store.iter_mut().filter(|entry| entry.0 == id.value) {
                entry.1 = *visible;
            }
        }
    }

    /// The ids of the messages that the model can see, oldest first.
    pub fn visible(&self) -> impl Iterator<Item = &Text> {
        self.store.iter().filter(|entry| entry.1).map(|entry| &entry.0)
    }
}
