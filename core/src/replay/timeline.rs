//! The state at every step, found without walking there.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::model::{Content, Message, Sent, Text, Transcript, Turn};

/// A run, indexed so that the state at any step costs no walk through the steps before it.
///
/// Step 0 is the initial state; step N is the N-th entry of `execution`. A key's value and a
/// message's visibility are found by binary search in their own histories.
#[derive(Clone, Debug)]
pub struct Timeline {
    transcript: Transcript,
    stored: Vec<Stored>,
    by_id: BTreeMap<Text, usize>,
    /// Every key of the context in the order of its first appearance, with its history.
    context: Vec<(String, History)>,
    /// The number of stored messages after each step.
    counts: Vec<usize>,
}

/// The values of one context key: the step, and the value from then on, `None` once removed.
type History = Vec<(usize, Option<Value>)>;

/// A message of the store with what happened to it.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The message.
    pub message: Message,
    /// The step that created it; 0 for the initial store.
    pub created: usize,
    /// When it was hidden or shown: the step, and whether it was visible from then on.
    visibility: Vec<(usize, bool)>,
}

impl Stored {
    /// Whether the model can see the message after `step`.
    #[must_use]
    pub fn visible_at(&self, step: usize) -> bool {
        self.last_change(step).is_none_or(|(_, visible)| visible)
    }

    /// The step that last changed the visibility, up to `step`; the creation counts.
    #[must_use]
    pub fn last_change(&self, step: usize) -> Option<(usize, bool)> {
        let count = self.visibility.partition_point(|&(at, _)| at <= step);
        self.visibility.get(count.checked_sub(1)?).copied()
    }

    /// Whether `step` changed the visibility of the message after its creation.
    #[must_use]
    pub fn changed_at(&self, step: usize) -> bool {
        step > self.created && self.last_change(step).is_some_and(|(at, _)| at == step)
            || self.visibility.iter().filter(|&&(at, _)| at == step).count() > 1
    }
}

/// Context and store after one step.
#[derive(Clone, Debug)]
pub struct StepState<'t> {
    /// The context.
    pub context: Map<String, Value>,
    /// The store, oldest first, with whether the model can see each message.
    pub store: Vec<(&'t Stored, bool)>,
}

/// One message as the model was sent it.
#[derive(Clone, Debug)]
pub struct SentMessage<'t> {
    /// The message; `None` for a reference to a message that does not exist.
    pub message: Option<&'t Message>,
    /// Whether the message lies in the store.
    pub is_stored: bool,
    /// The text the model saw instead of the store's.
    pub content: Option<&'t Content>,
}

impl SentMessage<'_> {
    /// The text the model saw.
    #[must_use]
    pub fn seen(&self) -> Option<&Content> {
        self.content.or_else(|| self.message?.content.as_ref())
    }
}

impl Timeline {
    /// Indexes a run.
    #[must_use]
    pub fn new(transcript: Transcript) -> Self {
        let mut timeline = Self {
            stored: Vec::new(),
            by_id: BTreeMap::new(),
            context: Vec::new(),
            counts: Vec::with_capacity(transcript.turns.len() + 1),
            transcript: Transcript::default(),
        };
        let mut keys = BTreeMap::new();
        for message in &transcript.initial {
            timeline.store(message, 0);
        }
        for (key, value) in &transcript.context {
            timeline.set(&mut keys, key, 0, Some(value.clone()));
        }
        timeline.counts.push(timeline.stored.len());
        for (index, turn) in transcript.turns.iter().enumerate() {
            timeline.turn(turn, index + 1, &mut keys);
        }
        timeline.transcript = transcript;
        timeline
    }

    fn turn(&mut self, turn: &Turn, step: usize, keys: &mut BTreeMap<String, usize>) {
        if let Some(created) = &turn.created {
            self.store(created, step);
        }
        for (key, value) in &turn.changes.context {
            self.set(keys, key, step, Some(value.clone()));
        }
        for key in &turn.changes.removed {
            self.set(keys, key, step, None);
        }
        for (id, visible) in &turn.changes.visible {
            let stored = self.by_id.get(&id.value).and_then(|&at| self.stored.get_mut(at));
            if let Some(stored) = stored.filter(|stored| stored.visible_at(step) != *visible) {
                stored.visibility.push((step, *visible));
            }
        }
        self.counts.push(self.stored.len());
    }

    fn store(&mut self, message: &Message, step: usize) {
        self.by_id.entry(message.id.value.clone()).or_insert(self.stored.len());
        let visibility = vec![(step, message.visible)];
        self.stored.push(Stored { message: message.clone(), created: step, visibility });
    }

    fn set(&mut self, keys: &mut BTreeMap<String, usize>, key: &str, step: usize, value: Option<Value>) {
        let at = *keys.entry(key.to_owned()).or_insert_with(|| {
            self.context.push((key.to_owned(), Vec::new()));
            self.context.len() - 1
        });
        if let Some((_, history)) = self.context.get_mut(at) {
            history.push((step, value));
        }
    }

    /// The run.
    #[must_use]
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// The number of steps, the initial state not counted.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.transcript.turns.len()
    }

    /// The turn of `step`; `None` for the initial state and past the end.
    #[must_use]
    pub fn turn_at(&self, step: usize) -> Option<&Turn> {
        self.transcript.turns.get(step.checked_sub(1)?)
    }

    /// Every message that is ever stored, oldest first.
    #[must_use]
    pub fn stored(&self) -> &[Stored] {
        &self.stored
    }

    /// The store after `step`, oldest first.
    #[must_use]
    pub fn store_at(&self, step: usize) -> &[Stored] {
        let count = self.counts.get(step).or(self.counts.last()).copied().unwrap_or(0);
        self.stored.get(..count).unwrap_or_default()
    }

    /// The value of a context key after `step`.
    fn value_at(history: &[(usize, Option<Value>)], step: usize) -> Option<&Value> {
        let count = history.partition_point(|&(at, _)| at <= step);
        history.get(count.checked_sub(1)?)?.1.as_ref()
    }

    /// The context after `step`, keys in the order of their first appearance.
    #[must_use]
    pub fn context_at(&self, step: usize) -> Map<String, Value> {
        let live = self
            .context
            .iter()
            .filter_map(|(key, history)| Some((key.clone(), Self::value_at(history, step)?.clone())));
        live.collect()
    }

    /// Context and store after `step`; steps past the end give the end.
    #[must_use]
    pub fn state(&self, step: usize) -> StepState<'_> {
        let store = self.store_at(step).iter().map(|stored| (stored, stored.visible_at(step))).collect();
        StepState { context: self.context_at(step), store }
    }

    /// The message of that id.
    #[must_use]
    pub fn message(&self, id: &str) -> Option<&Stored> {
        self.by_id.get(id).and_then(|&at| self.stored.get(at))
    }

    /// What the model was sent in `step`; `None` when that is not recorded.
    #[must_use]
    pub fn sent(&self, step: usize) -> Option<Vec<SentMessage<'_>>> {
        let stored = |message| SentMessage { message: Some(message), is_stored: true, content: None };
        match &self.turn_at(step)?.sent {
            Sent::Unrecorded => None,
            Sent::Visible => {
                let before = step - 1;
                let visible = self.store_at(before).iter().filter(|message| message.visible_at(before));
                Some(visible.map(|found| stored(&found.message)).collect())
            }
            Sent::List(items) => Some(
                items
                    .iter()
                    .map(|item| match (&item.reference, &item.inline) {
                        (Some(id), _) => SentMessage {
                            message: self.message(&id.value).map(|found| &found.message),
                            is_stored: true,
                            content: item.content.as_ref(),
                        },
                        (None, inline) => {
                            SentMessage { message: inline.as_ref(), is_stored: false, content: None }
                        }
                    })
                    .collect(),
            ),
        }
    }
}
