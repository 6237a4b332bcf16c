//! The ids of tool calls in the output: each is one call of the file, whatever ids hosts use.

use super::agent_run::{AgentRun, TurnSource};
use super::calls;
use crate::model::call_id;
use crate::text::{Set, Table};

/// A call with another id than its host's.
#[derive(Debug)]
pub(super) struct Renamed<'f> {
    pub agent_run: usize,
    pub host: &'f str,
    pub written: String,
}

/// The ids of the calls of several runs that are written together.
#[derive(Debug, Default)]
pub(super) struct CallIds<'f> {
    /// By agent run, the source of the call, and its place there.
    made: Table<(usize, TurnSource, usize), String>,
    /// The results and the call that each answers, by agent run and source. A call has one.
    results: Table<(usize, TurnSource), (TurnSource, usize)>,
    /// The runs of tools that no model is known to have called, by agent run and turn.
    uncalled: Table<(usize, TurnSource), String>,
    pub renamed: Vec<Renamed<'f>>,
}

impl<'f> CallIds<'f> {
    /// Assigns ids to calls. `order` are messages and turns in file order; `suffixes` distinguish the agent
    /// runs if several use one id, so that the ids of a run do not depend on other runs.
    pub(super) fn new(
        agent_runs: &[AgentRun<'f>],
        order: &[(usize, TurnSource)],
        suffixes: &[String],
    ) -> Self {
        let mut out = Self::default();
        let mut first: Table<&'f str, usize> = Table::new();
        let mut shared: Set<&'f str> = Set::new();
        let makers = || order.iter().filter_map(|(at, source)| Some((*at, agent_runs.get(*at)?, *source)));
        let makers = || makers().filter(|(_, agent_run, source)| agent_run.call_source(*source) == *source);
        for (at, agent_run, source) in makers() {
            for id in agent_run.calls_of(source).iter().filter_map(calls::id) {
                if *first.entry(id).or_insert(at) != at {
                    shared.insert(id);
                }
            }
        }
        let mut taken: Set<String> = Set::new();
        let mut next: Table<String, usize> = Table::new();
        for (at, agent_run, source) in makers() {
            for (index, call) in agent_run.calls_of(source).iter().enumerate() {
                let host = calls::id(call).filter(|id| !id.is_empty());
                let own = match (host, suffixes.get(at).filter(|suffix| !suffix.is_empty())) {
                    (Some(id), Some(suffix)) if shared.contains(id) => format!("{id}_{suffix}"),
                    (Some(id), _) => id.to_owned(),
                    (None, _) => "call".to_owned(),
                };
                let mut written = own.clone();
                // A call without an id is numbered from 1, and a duplicate id from 2.
                if host.is_none() || taken.contains(&written) {
                    let number = next.entry(own.clone()).or_insert(usize::from(host.is_some()));
                    while {
                        *number += 1;
                        written = if host.is_none() { call_id(*number) } else { format!("{own}_{number}") };
                        taken.contains(&written)
                    } {}
                }
                taken.insert(written.clone());
                if let Some(host) = host.filter(|host| *host != written) {
                    out.renamed.push(Renamed { agent_run: at, host, written: written.clone() });
                }
                out.made.insert((at, source, index), written);
            }
        }
        out.answer(agent_runs, order);
        out.name_uncalled(agent_runs, order, &mut taken);
        out
    }

    /// Names the tool runs that no model called; their ids match no call.
    fn name_uncalled(
        &mut self,
        agent_runs: &[AgentRun<'f>],
        order: &[(usize, TurnSource)],
        taken: &mut Set<String>,
    ) {
        for &(at, source) in order {
            let TurnSource::Tool(tool) = source else { continue };
            let Some(tool) = agent_runs.get(at).and_then(|agent_run| agent_run.tools.get(tool)) else {
                continue;
            };
            if tool.declared.is_some() || tool.begin.is_none() || tool.id.is_empty() {
                continue;
            }
            let mut written = tool.id.to_owned();
            let mut number = 1_usize;
            while !taken.insert(written.clone()) {
                number += 1;
                written = format!("{}_{number}", tool.id);
            }
            if tool.id != written {
                self.renamed.push(Renamed { agent_run: at, host: tool.id, written: written.clone() });
            }
            self.uncalled.insert((at, source), written);
        }
    }

    /// The id of a tool run without a known model call.
    pub(super) fn uncalled(&self, agent_run: usize, source: TurnSource) -> Option<&str> {
        self.uncalled.get(&(agent_run, source)).map(String::as_str)
    }

    /// Matches results to calls: one result each, after its call. The result of a tool that ran takes
    /// precedence over the message of one that did not.
    fn answer(&mut self, agent_runs: &[AgentRun<'f>], order: &[(usize, TurnSource)]) {
        let places: Table<(usize, TurnSource), usize> =
            order.iter().enumerate().map(|(place, turn)| (*turn, place)).collect();
        let mut answered: Set<(usize, TurnSource, usize)> = Set::new();
        for of_tools in [true, false] {
            for (place, &(at, source)) in order.iter().enumerate() {
                let Some(agent_run) = agent_runs.get(at) else { continue };
                let declared = match (source, of_tools) {
                    (TurnSource::Tool(tool), true) => {
                        agent_run.tools.get(tool).and_then(|tool| tool.declared)
                    }
                    (TurnSource::Message(message), false) => agent_run.answered_by(message),
                    _ => None,
                };
                let Some(declared) = declared else { continue };
                let key = (at, declared.by, declared.at);
                let is_after = places.get(&(at, declared.by)).is_some_and(|made| *made < place);
                if is_after && self.made.contains_key(&key) && answered.insert(key) {
                    self.results.insert((at, source), (declared.by, declared.at));
                }
            }
        }
    }

    /// The calls that have no result: agent run, source, and their places there.
    pub(super) fn unanswered(&self) -> Vec<(usize, TurnSource, usize)> {
        let answered: Set<(usize, TurnSource, usize)> =
            self.results.iter().map(|((agent_run, _), (by, at))| (*agent_run, *by, *at)).collect();
        self.made.keys().filter(|key| !answered.contains(key)).copied().collect()
    }

    /// The id of a call.
    pub(super) fn id(&self, agent_run: usize, by: TurnSource, at: usize) -> Option<&str> {
        self.made.get(&(agent_run, by, at)).map(String::as_str)
    }

    /// The id of the call that a tool run or a message answers, if there is one.
    pub(super) fn answers(&self, agent_run: usize, source: TurnSource) -> Option<&str> {
        let (by, at) = *self.results.get(&(agent_run, source))?;
        self.id(agent_run, by, at)
    }
}
