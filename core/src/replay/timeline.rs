//! The state at every step, found without walking there.

use serde_json::{Map, Value};

use crate::model::{Content, Effects, Message, Sent, SentItem, State, Text, Transcript, Turn};
use crate::text::{Set, Table};

/// A run, indexed so that the state at any step costs no walk through the steps before it.
///
/// Step 0 is the initial state; step N is the N-th entry of `execution`. A key's value and a
/// message's visibility are found by binary search in their own histories, which record the changes
/// of each turn according to [`State`].
#[derive(Clone, Debug)]
pub struct Timeline {
    transcript: Transcript,
    stored: Vec<Stored>,
    /// Every period of every key of the context, in order of begin: a key that is removed and set
    /// again begins a new one.
    context: Vec<(String, History)>,
    /// The same for agents with a context of their own, by key.
    agents: Vec<(Text, Table<String, History>)>,
    /// The number of stored messages after each step.
    counts: Vec<usize>,
    /// The state after the last step.
    end: State,
    /// The steps that changed a key, in order, each with the place of the key's life in `context`.
    context_steps: Vec<(usize, usize)>,
    /// The steps that changed whether a message is visible, in order, each with its place in the store.
    visible_steps: Vec<(usize, usize)>,
}

/// The values of one context key: the step, and the value from then on, `None` once removed.
type History = Vec<(usize, Option<Value>)>;

/// A stored message with its changes.
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
    /// Whether the model can see the message after `step`. [`Timeline::sent`] returns what step N was sent:
    /// it uses N - 1.
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

/// The differences between the states after two steps.
#[derive(Clone, Debug)]
pub struct StateChange<'t> {
    /// The keys of the context that have another value.
    pub context: Vec<ContextChange<'t>>,
    /// The same for the agents' own contexts that changed, by agent.
    pub agents: Vec<(&'t str, Vec<ContextChange<'t>>)>,
    /// The added messages, oldest first.
    pub stored: &'t [Stored],
    /// The messages that are not yet stored, if the other step is earlier.
    pub removed: &'t [Stored],
    /// The messages, there at both steps, that were hidden (`false`) or shown (`true`).
    pub visibility: Vec<(&'t Stored, bool)>,
}

/// A key of the context with another value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContextChange<'t> {
    /// The key.
    pub key: &'t str,
    /// Its value at the first step; `None` if absent.
    pub before: Option<&'t Value>,
    /// Its value at the other step; `None` if absent.
    pub after: Option<&'t Value>,
}

/// The entries of steps from `from` to `to`, those included.
fn entries_between(entries: &[(usize, usize)], from: usize, to: usize) -> &[(usize, usize)] {
    let first = entries.partition_point(|&(step, _)| step < from);
    let end = entries.partition_point(|&(step, _)| step <= to);
    entries.get(first..end).unwrap_or_default()
}

/// One message as the model was sent it.
#[derive(Clone, Debug)]
pub struct SentMessage<'t> {
    /// The message; `None` for a reference to a message that does not exist.
    pub message: Option<&'t Message>,
    /// Its index in the store; `None` if it was never stored.
    pub stored: Option<usize>,
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
        let mut state = State::initial(&transcript);
        let mut timeline = Self {
            stored: Vec::new(),
            context: Vec::new(),
            agents: Vec::new(),
            counts: Vec::with_capacity(transcript.turns.len() + 1),
            end: State::default(),
            context_steps: Vec::new(),
            visible_steps: Vec::new(),
            transcript: Transcript::default(),
        };
        let mut living = Table::new();
        for message in transcript.first_messages() {
            timeline.store(message, 0);
        }
        for (key, value) in &transcript.context {
            timeline.set(&mut living, key, 0, Some(value));
        }
        timeline.counts.push(timeline.stored.len());
        let mut places: Table<Text, usize> = Table::new();
        for (name, agent) in &transcript.agents {
            let Some(context) = &agent.context else { continue };
            places.insert(name.value.clone(), timeline.agents.len());
            let first = |(key, value): (&String, &Value)| (key.clone(), vec![(0, Some(value.clone()))]);
            timeline.agents.push((name.value.clone(), context.iter().map(first).collect()));
        }
        for (index, turn) in transcript.turns.iter().enumerate() {
            let effects = state.apply(turn);
            timeline.write_down(&effects, index + 1, &mut living);
            let place = turn.agent.as_ref().and_then(|agent| places.get(agent));
            if let Some((_, own)) = place.and_then(|&place| timeline.agents.get_mut(place)) {
                for (key, value) in effects.own {
                    own.entry(key.to_owned()).or_default().push((index + 1, value.cloned()));
                }
            }
        }
        timeline.end = state;
        timeline.transcript = transcript;
        timeline
    }

    fn write_down<'t>(&mut self, effects: &Effects<'t>, step: usize, living: &mut Table<&'t str, usize>) {
        if let Some(stored) = effects.stored {
            self.store(stored, step);
        }
        for &(key, value) in &effects.context {
            self.set(living, key, step, value);
        }
        for &(at, visible) in &effects.visibility {
            if let Some(stored) = self.stored.get_mut(at) {
                stored.visibility.push((step, visible));
                self.visible_steps.push((step, at));
            }
        }
        self.counts.push(self.stored.len());
    }

    fn store(&mut self, message: &Message, step: usize) {
        let visibility = vec![(step, message.visible)];
        self.stored.push(Stored { message: message.clone(), created: step, visibility });
    }

    /// Continues the history of a key; `living` has the place of each present key.
    fn set<'k>(
        &mut self,
        living: &mut Table<&'k str, usize>,
        key: &'k str,
        step: usize,
        value: Option<&Value>,
    ) {
        let at = match value {
            Some(_) => living.get(key).copied(),
            None => living.remove(key),
        };
        let entry = (step, value.cloned());
        match at.and_then(|at| Some((at, self.context.get_mut(at)?))) {
            Some((at, (_, history))) => {
                history.push(entry);
                self.context_steps.push((step, at));
            }
            None => {
                living.insert(key, self.context.len());
                self.context_steps.push((step, self.context.len()));
                self.context.push((key.to_owned(), vec![entry]));
            }
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

    /// The context after `step`, keys in order of insertion.
    #[must_use]
    pub fn context_at(&self, step: usize) -> Map<String, Value> {
        let live = self
            .context
            .iter()
            .filter_map(|(key, history)| Some((key.clone(), Self::value_at(history, step)?.clone())));
        live.collect()
    }

    /// The agents' own contexts (`agents.NAME.context`) after `step`: the agents in the order of the
    /// document, the keys of each in alphabetical order. A turn changes both its agent's own context and the
    /// common one.
    pub fn agent_contexts_at(&self, step: usize) -> impl Iterator<Item = (&str, Map<String, Value>)> {
        self.agents.iter().map(move |(name, own)| {
            let live = own
                .iter()
                .filter_map(|(key, history)| Some((key.clone(), Self::value_at(history, step)?.clone())));
            (&**name, live.collect())
        })
    }

    /// Context and store after `step`; for steps past the end, those at the end.
    #[must_use]
    pub fn state(&self, step: usize) -> StepState<'_> {
        let store = self.store_at(step).iter().map(|stored| (stored, stored.visible_at(step))).collect();
        StepState { context: self.context_at(step), store }
    }

    /// The first place in the store with a change of visibility in the steps `from` to `to`, inclusive.
    pub(super) fn first_change(&self, from: usize, to: usize) -> Option<usize> {
        entries_between(&self.visible_steps, from, to).iter().map(|&(_, at)| at).min()
    }

    /// The changes of the agents' own contexts, by the changes of the turns in between.
    fn agents_changed(
        &self,
        (earlier, later): (usize, usize),
        from: usize,
        to: usize,
    ) -> Vec<(&str, Vec<ContextChange<'_>>)> {
        if self.agents.is_empty() {
            return Vec::new();
        }
        let mut touched: Table<&str, Set<&str>> = Table::new();
        for turn in self.transcript.turns.get(earlier..later).unwrap_or_default() {
            let Some(agent) = &turn.agent else { continue };
            let keys = touched.entry(&**agent).or_default();
            for key in turn.changes.context.keys() {
                keys.insert(key.as_str());
            }
            for key in &turn.changes.removed {
                keys.insert(&**key);
            }
        }
        let mut out = Vec::new();
        for (name, own) in &self.agents {
            let mut changes = Vec::new();
            for key in touched.get(&**name).iter().flat_map(|keys| keys.iter()) {
                let Some(history) = own.get(*key) else { continue };
                let [before, after] = [from, to].map(|step| Self::value_at(history, step));
                if before != after {
                    changes.push(ContextChange { key, before, after });
                }
            }
            if !changes.is_empty() {
                out.push((&**name, changes));
            }
        }
        out
    }

    /// The changes from the state after one step to that after another, which may be earlier. The cost is
    /// that of the steps in between, however long the run.
    #[must_use]
    pub fn changes(&self, from: usize, to: usize) -> StateChange<'_> {
        let last = self.steps();
        let (from, to) = (from.min(last), to.min(last));
        let (earlier, later) = (from.min(to), from.max(to));
        let touched = entries_between(&self.context_steps, earlier + 1, later);
        let lives: Set<usize> = touched.iter().map(|&(_, life)| life).collect();
        // A key may have been removed and set again in between; it is listed once.
        let mut keys: Table<&str, (Option<&Value>, Option<&Value>)> = Table::new();
        let mut order = Vec::new();
        for (key, history) in lives.iter().filter_map(|&life| self.context.get(life)) {
            let [before, after] = [from, to].map(|step| Self::value_at(history, step));
            let change = keys.entry(key.as_str()).or_insert_with(|| {
                order.push(key.as_str());
                (None, None)
            });
            *change = (change.0.or(before), change.1.or(after));
        }
        let context = order.into_iter().filter_map(|key| {
            let (before, after) = *keys.get(key)?;
            (before != after).then_some(ContextChange { key, before, after })
        });
        let [known, all] = [earlier, later].map(|step| self.store_at(step).len());
        let between = self.stored.get(known..all).unwrap_or_default();
        let seen: Set<usize> = entries_between(&self.visible_steps, earlier + 1, later)
            .iter()
            .map(|&(_, at)| at)
            .filter(|&at| at < known)
            .collect();
        let visibility = seen.iter().filter_map(|&at| {
            let message = self.stored.get(at)?;
            let visible = message.visible_at(to);
            (message.visible_at(from) != visible).then_some((message, visible))
        });
        StateChange {
            context: context.collect(),
            agents: self.agents_changed((earlier, later), from, to),
            stored: if from <= to { between } else { &[] },
            removed: if from <= to { &[] } else { between },
            visibility: visibility.collect(),
        }
    }

    /// The message of that id.
    #[must_use]
    pub fn message(&self, id: &str) -> Option<&Stored> {
        self.stored.get(self.end.position(id)?)
    }

    /// What the model was sent in `step`; `None` if not recorded.
    #[must_use]
    pub fn sent<'t>(&'t self, step: usize) -> Option<Vec<SentMessage<'t>>> {
        match &self.turn_at(step)?.sent {
            Sent::Unrecorded => None,
            Sent::Visible => {
                let before = step - 1;
                let store = self.store_at(before).iter().enumerate();
                let visible = store.filter(|(_, message)| message.visible_at(before));
                let sent = |(at, found): (usize, &'t Stored)| SentMessage {
                    message: Some(&found.message),
                    stored: Some(at),
                    content: None,
                };
                Some(visible.map(sent).collect())
            }
            Sent::List(items) => Some(items.iter().map(|item| self.resolve_sent(item)).collect()),
        }
    }

    fn resolve_sent<'t>(&'t self, item: &'t SentItem) -> SentMessage<'t> {
        let Some(id) = &item.reference else {
            return SentMessage { message: item.inline.as_deref(), stored: None, content: None };
        };
        let stored = self.end.position(&id.value);
        let found = stored.and_then(|at| self.stored.get(at));
        SentMessage { message: found.map(|found| &found.message), stored, content: item.content.as_deref() }
    }
}
