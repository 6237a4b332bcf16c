//! The runs that are written into one transcript: one agent, or several side by side.

use crate::text::{Table, json, sort_by_key};
use serde_json::Value;

use super::agent_run::{AgentRun, TurnSource};
use super::call_ids::{CallIds, Renamed};
use super::ids::{self, Ids};
use super::order;
use super::recorder::Run;
use super::{Fact, Options, body};
use crate::write::Entries;

/// A turn: the agent run it belongs to, and its source there.
pub(super) type Turn = (usize, TurnSource);

/// The runs that are written into one transcript.
#[derive(Debug)]
pub(super) struct Group<'f> {
    /// The outermost first, then agent by agent in order of appearance.
    pub agent_runs: Vec<AgentRun<'f>>,
    /// The ids of the runs.
    pub runs: Vec<&'f str>,
    pub turns: Vec<Turn>,
    /// The place of each turn, from 0.
    pub places: Table<Turn, usize>,
    pub ids: Ids,
    pub call_ids: CallIds<'f>,
    /// The first message of each id, in any run.
    by_id: Table<&'f str, (usize, usize)>,
    /// For each agent run, the messages by their fingerprints.
    fingerprints: Table<usize, Table<String, Vec<usize>>>,
}

/// The facts of a run with derived data.
pub(super) struct Part<'f> {
    pub run: &'f str,
    pub agent: Option<&'f str>,
    pub facts: Vec<&'f Fact>,
    /// The tool calls that other agents carry out, with the number of their first fact.
    pub nested: Vec<(&'f str, u64)>,
}

impl<'f> Group<'f> {
    pub(super) fn new(parts: &[Part<'f>], options: &Options) -> Self {
        let mut order: Vec<usize> = (0..parts.len()).collect();
        let mut first_of: Table<&str, usize> = Table::new();
        for (at, part) in parts.iter().enumerate() {
            first_of.entry(part.agent.unwrap_or_default()).or_insert(at);
        }
        sort_by_key(&mut order, |&at| {
            let agent = parts.get(at).and_then(|part| part.agent);
            (agent.is_some(), first_of.get(agent.unwrap_or_default()).copied(), at)
        });
        let parts: Vec<&Part<'f>> = order.into_iter().filter_map(|at| parts.get(at)).collect();
        let agent_runs = parts.iter().map(|part| AgentRun::new(part.agent, &part.facts, &part.nested));
        let mut agent_runs: Vec<AgentRun<'f>> = agent_runs.collect();
        let first = agent_runs.iter().map(AgentRun::first_turn).min().unwrap_or(u64::MAX);
        for (agent_run, part) in agent_runs.iter_mut().zip(&parts) {
            agent_run.assign_turns(&part.facts, first);
        }
        let turns = arranged(&agent_runs);
        let places = turns.iter().enumerate().map(|(place, turn)| (*turn, place)).collect();
        let mut group = Self {
            agent_runs,
            runs: parts.iter().map(|part| part.run).collect(),
            turns,
            places,
            ids: Ids::default(),
            call_ids: CallIds::default(),
            by_id: Table::new(),
            fingerprints: Table::new(),
        };
        let stored = group.stored();
        for (place, id) in &stored {
            group.by_id.entry(id).or_insert(*place);
        }
        let suffixes = group.suffixes();
        group.ids = Ids::new(&stored, &suffixes, options.ulids);
        group.call_ids = CallIds::new(&group.agent_runs, &group.order(), &suffixes);
        if group.mark_unanswered_calls() {
            group.turns = arranged(&group.agent_runs);
            group.places = group.turns.iter().enumerate().map(|(place, turn)| (*turn, place)).collect();
            group.call_ids = CallIds::new(&group.agent_runs, &group.order(), &suffixes);
        }
        group
    }

    /// The messages that were there from the start, and the turns after them.
    fn order(&self) -> Vec<Turn> {
        let mut order: Vec<Turn> = Vec::new();
        for (at, agent_run) in self.agent_runs.iter().enumerate() {
            let initial = agent_run.messages.iter().enumerate().filter(|(_, message)| message.turn.is_none());
            order.extend(initial.map(|(message, _)| (at, TurnSource::Message(message))));
        }
        order.extend(&self.turns);
        order
    }

    /// Marks calls without an outcome as unanswered if the agent's model was called again after them, or any
    /// agent's model after initial calls: providers refuse a history with an open call. Returns whether there
    /// are any.
    fn mark_unanswered_calls(&mut self) -> bool {
        let mut last_of: Table<Option<&str>, usize> = Table::new();
        for (place, &(at, source)) in self.turns.iter().enumerate() {
            if let (TurnSource::Call(_), Some(agent_run)) = (source, self.agent_runs.get(at)) {
                last_of.insert(agent_run.agent, place);
            }
        }
        let mut lost = self.call_ids.unanswered();
        lost.retain(|(at, by, _)| match self.places.get(&(*at, *by)) {
            Some(place) => {
                let agent = self.agent_runs.get(*at).and_then(|agent_run| agent_run.agent);
                last_of.get(&agent).is_some_and(|last| last > place)
            }
            None => !last_of.is_empty(),
        });
        for (at, by, index) in &lost {
            if let Some(agent_run) = self.agent_runs.get_mut(*at) {
                agent_run.mark_unanswered(*by, *index);
            }
        }
        !lost.is_empty()
    }

    /// The suffix for the ids of each run: the name of its agent, or its own id if the agent has several
    /// runs.
    fn suffixes(&self) -> Vec<String> {
        let mut runs: Table<Option<&str>, usize> = Table::new();
        for agent_run in &self.agent_runs {
            *runs.entry(agent_run.agent).or_default() += 1;
        }
        let names = self.agent_runs.iter().zip(&self.runs).map(|(agent_run, run)| match agent_run.agent {
            Some(agent) if runs.get(&agent_run.agent) == Some(&1) => ids::suffix(agent),
            _ => ids::suffix(run),
        });
        names.collect()
    }

    /// The calls with other ids than their hosts', for look-up.
    pub(super) fn renamed(&self, runs: &Table<String, Run>) -> Option<Value> {
        let note = |agent_run: usize, host: &str, written: &str| {
            let agent = self.agent_runs.get(agent_run).and_then(|agent_run| agent_run.agent);
            let mut out = Entries::default();
            out.put("agent", agent.map(Value::from));
            out.put("id", Value::from(host));
            out.put("written", Value::from(written));
            out.into_value()
        };
        let mut all = Vec::new();
        // An id that the host reused may have been renamed twice, to differ from the calls of other runs.
        let mut again: Table<(usize, &str), &str> = Table::new();
        for (agent_run, run) in self.runs.iter().enumerate() {
            for (host, own) in runs.get(*run).into_iter().flat_map(|run| &run.reused.renamed) {
                again.insert((agent_run, own), host);
            }
        }
        for Renamed { agent_run, host, written } in &self.call_ids.renamed {
            let host = again.remove(&(*agent_run, *host)).unwrap_or(host);
            all.push(note(*agent_run, host, written));
        }
        all.extend(again.into_iter().map(|((agent_run, own), host)| note(agent_run, host, own)));
        (!all.is_empty()).then_some(Value::Array(all))
    }

    /// The tool runs with an id of no model call, or of one that has its result.
    pub(super) fn uncalled(&self) -> Option<Value> {
        let mut out = Vec::new();
        for (place, &(agent_run, source)) in self.turns.iter().enumerate() {
            let TurnSource::Tool(at) = source else { continue };
            let tool = self.agent_runs.get(agent_run).and_then(|found| found.tools.get(at));
            let has_id = self
                .call_ids
                .answers(agent_run, source)
                .or_else(|| self.call_ids.uncalled(agent_run, source));
            if let Some(tool) = tool.filter(|_| has_id.is_none()) {
                out.push(json!({"turn": place + 1, "id": tool.id}));
            }
        }
        (!out.is_empty()).then_some(Value::Array(out))
    }

    /// Whether there are several parallel runs.
    pub(super) fn is_several(&self) -> bool {
        self.agent_runs.len() > 1
    }

    /// The places of all messages in the order of the store, with the host's ids.
    pub(super) fn stored(&self) -> Vec<((usize, usize), &'f str)> {
        let mut out = Vec::new();
        for (agent_run, found) in self.agent_runs.iter().enumerate() {
            let initial = found.messages.iter().enumerate().filter(|(_, message)| message.turn.is_none());
            out.extend(initial.map(|(at, message)| ((agent_run, at), message.fact.text("id"))));
        }
        for (agent_run, source) in &self.turns {
            let Some(found) = self.agent_runs.get(*agent_run) else { continue };
            if let Some(at) = message_of(found, *source)
                && let Some(message) = found.messages.get(at)
            {
                out.push(((*agent_run, at), message.fact.text("id")));
            }
        }
        out
    }

    /// Whether a message is in the store when a turn begins.
    pub(super) fn is_before(&self, (agent_run, at): (usize, usize), turn: Turn) -> bool {
        let message = self.agent_runs.get(agent_run).and_then(|found| found.messages.get(at));
        let created = message.and_then(|message| self.places.get(&(agent_run, message.turn?)));
        created.is_none_or(|created| self.places.get(&turn).is_none_or(|turn| created < turn))
    }

    /// The message that a host's id means to a run: its own, else that of another.
    pub(super) fn resolve_id(&self, agent_run: usize, id: &str) -> Option<(usize, usize)> {
        let own =
            self.agent_runs.get(agent_run).and_then(|found| found.message_of(id)).map(|at| (agent_run, at));
        own.or_else(|| self.by_id.get(id).copied())
    }

    /// The message with that fingerprint that the run of a turn has stored before it: the last in front of a place, else the last of
    /// all.
    pub(super) fn find_same(
        &mut self,
        turn: Turn,
        fingerprint: &str,
        end: usize,
        options: &Options,
    ) -> Option<usize> {
        let agent_run = turn.0;
        let found = self.agent_runs.get(agent_run)?;
        self.fingerprints.entry(agent_run).or_insert_with(|| {
            let mut by_fingerprint: Table<String, Vec<usize>> = Table::new();
            for (at, message) in found.messages.iter().enumerate() {
                let fact = message.fact;
                let content = body::content(found, message, options);
                let calls = body::tool_calls(found, at);
                let fingerprint =
                    body::fingerprint(fact.text("role"), Some(&content), calls, fact.text("tool_call_id"));
                by_fingerprint.entry(fingerprint).or_default().push(at);
            }
            by_fingerprint
        });
        let places = self.fingerprints.get(&agent_run)?.get(fingerprint)?;
        // They are in the order in which they were stored.
        let stored = places.partition_point(|place| self.is_before((agent_run, *place), turn));
        let places = places.get(..stored)?;
        let in_front = places.partition_point(|place| *place < end);
        places.get(..in_front)?.last().or(places.last()).copied()
    }
}

/// The turns of all agent runs in order.
fn arranged(agent_runs: &[AgentRun<'_>]) -> Vec<Turn> {
    let mut turns: Vec<(u64, usize, TurnSource)> = Vec::new();
    for (at, agent_run) in agent_runs.iter().enumerate() {
        turns.extend(order::turns(agent_run).into_iter().map(|(seq, source)| (seq, at, source)));
    }
    // Each run keeps its own order, since its numbers never decrease.
    sort_by_key(&mut turns, |(seq, at, _)| (*seq, *at));
    turns.into_iter().map(|(_, at, source)| (at, source)).collect()
}

/// The message that a turn creates.
pub(super) fn message_of(agent_run: &AgentRun<'_>, source: TurnSource) -> Option<usize> {
    match source {
        TurnSource::Call(at) => agent_run.calls.get(at)?.message,
        TurnSource::Tool(at) => agent_run.tools.get(at)?.message,
        TurnSource::Message(at) => Some(at),
    }
}
