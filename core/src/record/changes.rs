//! Changes of the context and of what is visible, each at the turn it belongs to.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::group::Group;
use super::story::What;
use super::{Fact, FactKind};

/// What changed where.
#[derive(Debug, Default)]
pub(super) struct Changes<'f> {
    /// The context before the first turn.
    pub initial: Map<String, Value>,
    /// That of the agents that stand side by side, by story.
    pub of_agents: BTreeMap<usize, Map<String, Value>>,
    /// The context after the last turn.
    pub end: Map<String, Value>,
    /// Messages that were there from the start and hidden before the first turn, or shown, by their places.
    pub visible: BTreeMap<(usize, usize), bool>,
    turns: BTreeMap<usize, OfTurn>,
    /// Values that the format has no place for: another came in the same turn.
    pub lost: Vec<&'f Fact>,
    /// The facts that set keys before the first turn, by story and key, the last of each.
    first: BTreeMap<(usize, &'f str), &'f Fact>,
}

/// What one turn changes.
#[derive(Debug, Default)]
struct OfTurn {
    set: Map<String, Value>,
    removed: Vec<String>,
    visible: Map<String, Value>,
    /// The facts that set keys, the last of each.
    by: BTreeMap<String, usize>,
}

impl<'f> Changes<'f> {
    /// Goes through the changes in the order in which they were observed. None goes back behind the one before
    /// it, so that reading the turns in order ends where the run ended.
    pub(super) fn new(group: &Group<'f>, initial: &Map<String, Value>) -> Self {
        let mut all: Vec<(u64, usize, &'f Fact, Option<What>)> = Vec::new();
        for (story, found) in group.stories.iter().enumerate() {
            let numbered =
                found.changes.iter().map(|(fact, what)| (fact.seq.unwrap_or(0), story, *fact, *what));
            all.extend(numbered);
        }
        all.sort_by_key(|(seq, ..)| *seq);
        let mut changes = Self { initial: initial.clone(), ..Self::default() };
        for (story, found) in group.stories.iter().enumerate() {
            let context = found.entered.and_then(|fact| fact.get("context")).and_then(Value::as_object);
            let Some(context) = context else { continue };
            match found.agent.filter(|_| group.is_several()) {
                Some(_) => {
                    changes.of_agents.insert(story, context.clone());
                }
                None => changes.initial.extend(context.clone()),
            }
        }
        changes.end = changes.initial.clone();
        let mut facts: Vec<&'f Fact> = Vec::new();
        let (mut context_at, mut visible_at) = (None, None);
        for (_, story, fact, what) in all {
            let place = what.and_then(|what| group.places.get(&(story, what)).copied());
            match fact.kind {
                FactKind::ContextChanged => {
                    context_at = place.max(context_at);
                    facts.push(fact);
                    changes.context(group, story, context_at, facts.len() - 1, &facts);
                }
                _ => {
                    let Some(at) =
                        group.stories.get(story).and_then(|it| it.message_of(fact.text("message")))
                    else {
                        continue;
                    };
                    let created = group.stories.get(story).and_then(|it| it.messages.get(at)?.turn);
                    let created = created.and_then(|what| group.places.get(&(story, what)).copied());
                    visible_at = place.max(visible_at).max(created);
                    changes.visibility(group, (story, at), visible_at, fact.flag("visible"));
                }
            }
        }
        changes
    }

    fn context(
        &mut self,
        group: &Group<'f>,
        story: usize,
        at: Option<usize>,
        this: usize,
        facts: &[&'f Fact],
    ) {
        let Some(&fact) = facts.get(this) else { return };
        let key = fact.text("key");
        let value = fact.get("value").filter(|_| !fact.flag("unset"));
        let Some(at) = at else {
            let before = self.first.insert((story, key), fact);
            self.lost.extend(before);
            let is_own = group.is_several() && group.stories.get(story).is_some_and(|it| it.agent.is_some());
            let contexts = match is_own {
                true => [Some(self.of_agents.entry(story).or_default()), None],
                false => [Some(&mut self.initial), Some(&mut self.end)],
            };
            for context in contexts.into_iter().flatten() {
                match value {
                    Some(value) => drop(context.insert(key.to_owned(), value.clone())),
                    None => drop(context.shift_remove(key)),
                }
            }
            return;
        };
        let turn = self.turns.entry(at).or_default();
        let before = turn.by.insert(key.to_owned(), this).and_then(|before| facts.get(before));
        self.lost.extend(before.copied());
        match value {
            Some(value) => {
                if before.is_some() {
                    turn.removed.retain(|removed| removed != key);
                }
                if turn.set.contains_key(key) || self.end.get(key) != Some(value) {
                    turn.set.insert(key.to_owned(), value.clone());
                }
                self.end.insert(key.to_owned(), value.clone());
            }
            None => {
                turn.set.shift_remove(key);
                if self.end.shift_remove(key).is_some() {
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
            self.turns.entry(at).or_default().visible.insert(id.to_owned(), visible.into());
        }
    }

    /// The changes of a turn as they are written.
    pub(super) fn of_turn(&self, place: usize) -> Option<Value> {
        let turn = self.turns.get(&place)?;
        let mut out = Map::new();
        if !turn.set.is_empty() {
            out.insert("context".to_owned(), Value::Object(turn.set.clone()));
        }
        if !turn.removed.is_empty() {
            let removed = turn.removed.iter().map(|key| Value::from(key.as_str()));
            out.insert("context_removed".to_owned(), removed.collect());
        }
        if !turn.visible.is_empty() {
            out.insert("visible".to_owned(), Value::Object(turn.visible.clone()));
        }
        (!out.is_empty()).then_some(Value::Object(out))
    }

    /// Whether each message can be seen in the end, by the ids that are written; those that are not here as they
    /// were created.
    pub(super) fn last_visible(&self) -> BTreeMap<&str, bool> {
        let changes = self.turns.values().flat_map(|turn| &turn.visible);
        changes.map(|(id, visible)| (id.as_str(), visible.as_bool().unwrap_or(true))).collect()
    }
}
