//! Changes of the context and of visibility, each at its turn.

use crate::text::{JsonMap, Table, sort_by_key};
use serde_json::{Map, Value};

use super::agent_run::TurnSource;
use super::group::Group;
use super::{Fact, FactKind};
use crate::write::state_changes_entry;

/// What changed where.
#[derive(Debug, Default)]
pub(super) struct Changes<'f> {
    /// The context before the first turn.
    pub initial: Map<String, Value>,
    /// The context of each of several parallel agents, by name.
    pub of_agents: Table<&'f str, Map<String, Value>>,
    /// The context after the last turn, for a reader of the turns in order.
    pub end: Map<String, Value>,
    /// Messages that were there from the start and hidden before the first turn, or shown, by their places.
    pub visible: Table<(usize, usize), bool>,
    turns: Table<usize, OfTurn<'f>>,
    /// Values without a place in the format: another came in the same turn.
    pub lost: Vec<&'f Fact>,
    /// The facts that set keys before the first turn, by agent and key, the last of each.
    first: Table<(&'f str, &'f str), &'f Fact>,
    /// The context of each agent as far as its changes are known; the key is empty for a run on its
    /// own.
    own: Table<&'f str, Map<String, Value>>,
}

/// The agent that owns the context of a run; empty for a run on its own, or the outermost.
pub(super) fn agent<'f>(group: &Group<'f>, agent_run: usize) -> &'f str {
    let agent = group.agent_runs.get(agent_run).and_then(|found| found.agent);
    agent.filter(|_| group.is_several()).unwrap_or_default()
}

/// The changes of one turn.
#[derive(Debug, Default)]
struct OfTurn<'f> {
    set: Map<String, Value>,
    removed: Vec<String>,
    visible: Map<String, Value>,
    /// The facts that set keys, the last of each.
    by: Table<&'f str, &'f Fact>,
}

impl<'f> Changes<'f> {
    /// Applies the changes in the order of observation. Each agent has a context of its own. No change moves
    /// before the previous one, so that the turns, read in order, end in the same state.
    pub(super) fn new(group: &Group<'f>, initial: &Map<String, Value>) -> Self {
        let mut all: Vec<(u64, usize, &'f Fact, Option<TurnSource>)> = Vec::new();
        for (agent_run, found) in group.agent_runs.iter().enumerate() {
            let numbered =
                found.changes.iter().map(|(fact, source)| (fact.seq.unwrap_or(0), agent_run, *fact, *source));
            all.extend(numbered);
        }
        sort_by_key(&mut all, |(seq, ..)| *seq);
        let mut changes = Self { initial: initial.clone(), ..Self::default() };
        for (agent_run, found) in group.agent_runs.iter().enumerate() {
            let context = found.entered.and_then(|fact| fact.get("context")).and_then(Value::as_object);
            let Some(context) = context else { continue };
            match agent(group, agent_run) {
                "" => changes.initial.extend(context.clone()),
                // An agent that is entered again keeps its context.
                agent => drop(changes.of_agents.entry(agent).or_insert_with(|| context.clone())),
            }
        }
        changes.own.clone_from(&changes.of_agents);
        changes.own.insert("", changes.initial.clone());
        let mut context_at: Table<&'f str, Option<usize>> = Table::new();
        let mut visible_at = None;
        for (_, agent_run, fact, source) in all {
            let place = source.and_then(|source| group.places.get(&(agent_run, source)).copied());
            match fact.kind {
                FactKind::ContextChanged => {
                    let agent = agent(group, agent_run);
                    let at = context_at.entry(agent).or_default();
                    *at = place.max(*at);
                    changes.context(agent, *at, fact);
                }
                _ => {
                    let Some(at) =
                        group.agent_runs.get(agent_run).and_then(|it| it.message_of(fact.text("message")))
                    else {
                        continue;
                    };
                    let created = group.agent_runs.get(agent_run).and_then(|it| it.messages.get(at)?.turn);
                    let created = created.and_then(|source| group.places.get(&(agent_run, source)).copied());
                    visible_at = place.max(visible_at).max(created);
                    changes.visibility(group, (agent_run, at), visible_at, fact.flag("visible"));
                }
            }
        }
        changes.end = changes.initial.clone();
        for turn in changes.turns.values() {
            changes.end.extend(turn.set.clone());
            for key in &turn.removed {
                changes.end.shift_remove(key);
            }
        }
        changes
    }

    fn context(&mut self, agent: &'f str, at: Option<usize>, fact: &'f Fact) {
        let key = fact.text("key");
        let value = fact.get("value").filter(|_| !fact.flag("unset"));
        let own = self.own.entry(agent).or_default();
        let known = match value {
            Some(value) => own.insert(key.to_owned(), value.clone()),
            None => own.shift_remove(key),
        };
        let Some(at) = at else {
            self.lost.extend(self.first.insert((agent, key), fact));
            let first = match agent {
                "" => &mut self.initial,
                agent => self.of_agents.entry(agent).or_default(),
            };
            match value {
                Some(value) => first.put(key, value.clone()),
                None => drop(first.shift_remove(key)),
            }
            return;
        };
        let turn = self.turns.entry(at).or_default();
        let before = turn.by.insert(key, fact);
        self.lost.extend(before);
        match value {
            Some(value) => {
                if before.is_some() {
                    turn.removed.retain(|removed| removed != key);
                }
                if turn.set.contains_key(key) || known.as_ref() != Some(value) {
                    turn.set.put(key, value.clone());
                }
            }
            None => {
                turn.set.shift_remove(key);
                if known.is_some() {
                    turn.removed.push(key.to_owned());
                }
            }
        }
    }

    fn visibility(&mut self, group: &Group<'f>, message: (usize, usize), at: Option<usize>, visible: bool) {
        let Some(at) = at else {
            self.visible.insert(message, visible);
            return;
        };
        if let Some(id) = group.ids.id(message.0, message.1) {
            self.turns.entry(at).or_default().visible.put(id, visible.into());
        }
    }

    /// The changes of a turn in written form.
    pub(super) fn turn_changes(&self, place: usize) -> Option<Value> {
        let turn = self.turns.get(&place)?;
        let removed = turn.removed.iter().map(String::as_str);
        state_changes_entry(&turn.set, removed, turn.visible.clone()).unless_empty()
    }

    /// The messages that a turn shows and hides, by the ids that are written.
    pub(super) fn visibility_changes(&self, place: usize) -> impl Iterator<Item = (&str, bool)> {
        let visible = self.turns.get(&place).into_iter().flat_map(|turn| &turn.visible);
        visible.map(|(id, visible)| (id.as_str(), visible.as_bool().unwrap_or(true)))
    }

    /// The final visibility of each message, by its written id; without those that are as at creation.
    pub(super) fn last_visible(&self) -> Table<&str, bool> {
        let changes = self.turns.values().flat_map(|turn| &turn.visible);
        changes.map(|(id, visible)| (id.as_str(), visible.as_bool().unwrap_or(true))).collect()
    }
}
