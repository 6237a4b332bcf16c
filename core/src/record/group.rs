//! The runs that are written into one transcript: one agent, or several side by side.

use crate::text::{Table, sort_by_key};
use serde_json::{Value, json};

use super::call_ids::{CallIds, Renamed};
use super::ids::{self, Ids};
use super::order;
use super::recorder::Run;
use super::story::{Story, What};
use super::turns::Entries;
use super::{Fact, Options, body};

/// A turn: the story it belongs to, and what it is there.
pub(super) type Turn = (usize, What);

/// The runs that are written into one transcript.
#[derive(Debug)]
pub(super) struct Group<'f> {
    /// The outermost first, then agent by agent in the order in which they came.
    pub stories: Vec<Story<'f>>,
    /// The ids of the runs.
    pub runs: Vec<&'f str>,
    pub turns: Vec<Turn>,
    /// Where each turn stands, from 0.
    pub places: Table<Turn, usize>,
    pub ids: Ids,
    pub call_ids: CallIds<'f>,
    /// The first message of each id, whichever run has it.
    by_id: Table<&'f str, (usize, usize)>,
    /// For each story, the messages by what they say.
    said: Table<usize, Table<String, Vec<usize>>>,
}

/// The facts of a run with what is known of it.
pub(super) struct Part<'f> {
    pub run: &'f str,
    pub agent: Option<&'f str>,
    pub facts: Vec<&'f Fact>,
    /// The tool calls that other agents carry out, with the number of the fact by which they began.
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
        let stories = parts.iter().map(|part| Story::new(part.agent, &part.facts, &part.nested));
        let mut stories: Vec<Story<'f>> = stories.collect();
        let first = stories.iter().map(Story::first_turn).min().unwrap_or(u64::MAX);
        for (story, part) in stories.iter_mut().zip(&parts) {
            story.settle(&part.facts, first);
        }
        let turns = arranged(&stories);
        let places = turns.iter().enumerate().map(|(place, turn)| (*turn, place)).collect();
        let mut group = Self {
            stories,
            runs: parts.iter().map(|part| part.run).collect(),
            turns,
            places,
            ids: Ids::default(),
            call_ids: CallIds::default(),
            by_id: Table::new(),
            said: Table::new(),
        };
        let stored = group.stored();
        for (place, id) in &stored {
            group.by_id.entry(id).or_insert(*place);
        }
        let suffixes = group.suffixes();
        group.ids = Ids::new(&stored, &suffixes, options.ulids);
        group.call_ids = CallIds::new(&group.stories, &group.order(), &suffixes);
        if group.lose() {
            group.turns = arranged(&group.stories);
            group.places = group.turns.iter().enumerate().map(|(place, turn)| (*turn, place)).collect();
            group.call_ids = CallIds::new(&group.stories, &group.order(), &suffixes);
        }
        group
    }

    /// The messages that were there from the start, and the turns after them.
    fn order(&self) -> Vec<Turn> {
        let mut order: Vec<Turn> = Vec::new();
        for (at, story) in self.stories.iter().enumerate() {
            let initial = story.messages.iter().enumerate().filter(|(_, message)| message.turn.is_none());
            order.extend(initial.map(|(message, _)| (at, What::Message(message))));
        }
        order.extend(&self.turns);
        order
    }

    /// Says of calls of which nothing came that they have no result, where the agent's model was called again after
    /// them, or that of any agent after those which were there from the start: providers of models refuse a history
    /// with a call that is open. Whether there are any comes back.
    fn lose(&mut self) -> bool {
        let mut last_of: Table<Option<&str>, usize> = Table::new();
        for (place, &(at, what)) in self.turns.iter().enumerate() {
            if let (What::Call(_), Some(story)) = (what, self.stories.get(at)) {
                last_of.insert(story.agent, place);
            }
        }
        let mut lost = self.call_ids.unanswered();
        lost.retain(|(at, by, _)| match self.places.get(&(*at, *by)) {
            Some(place) => {
                let agent = self.stories.get(*at).and_then(|story| story.agent);
                last_of.get(&agent).is_some_and(|last| last > place)
            }
            None => !last_of.is_empty(),
        });
        for (at, by, index) in &lost {
            if let Some(story) = self.stories.get_mut(*at) {
                story.lose(*by, *index);
            }
        }
        !lost.is_empty()
    }

    /// What tells the ids of each run from those of the others: the name of its agent, or its own id where the
    /// agent has several runs.
    fn suffixes(&self) -> Vec<String> {
        let mut runs: Table<Option<&str>, usize> = Table::new();
        for story in &self.stories {
            *runs.entry(story.agent).or_default() += 1;
        }
        let names = self.stories.iter().zip(&self.runs).map(|(story, run)| match story.agent {
            Some(agent) if runs.get(&story.agent) == Some(&1) => ids::suffix(agent),
            _ => ids::suffix(run),
        });
        names.collect()
    }

    /// The calls that have other ids than their hosts gave them, to find them by.
    pub(super) fn renamed(&self, runs: &Table<String, Run>) -> Option<Value> {
        let note = |story: usize, host: &str, written: &str| {
            let agent = self.stories.get(story).and_then(|story| story.agent);
            let mut out = Entries::default();
            out.put("agent", agent.map(Value::from));
            out.put("id", Some(host.into()));
            out.put("written", Some(written.into()));
            Value::Object(out.0)
        };
        let mut all = Vec::new();
        // What the host used again may have been renamed a second time, to be told from the calls of other runs.
        let mut again: Table<(usize, &str), &str> = Table::new();
        for (story, run) in self.runs.iter().enumerate() {
            for (host, own) in runs.get(*run).into_iter().flat_map(|run| &run.reused.renamed) {
                again.insert((story, own), host);
            }
        }
        for Renamed { story, host, written } in &self.call_ids.renamed {
            let host = again.remove(&(*story, *host)).unwrap_or(host);
            all.push(note(*story, host, written));
        }
        all.extend(again.into_iter().map(|((story, own), host)| note(story, host, own)));
        (!all.is_empty()).then_some(Value::Array(all))
    }

    /// The runs of tools whose ids would name no call of a model, or one that has its result.
    pub(super) fn uncalled(&self) -> Option<Value> {
        let mut out = Vec::new();
        for (place, &(story, what)) in self.turns.iter().enumerate() {
            let What::Tool(at) = what else { continue };
            let tool = self.stories.get(story).and_then(|found| found.tools.get(at));
            let has_id = self.call_ids.answers(story, what).or_else(|| self.call_ids.uncalled(story, what));
            if let Some(tool) = tool.filter(|_| has_id.is_none()) {
                out.push(json!({"turn": place + 1, "id": tool.id}));
            }
        }
        (!out.is_empty()).then_some(Value::Array(out))
    }

    /// Whether several runs stand side by side.
    pub(super) fn is_several(&self) -> bool {
        self.stories.len() > 1
    }

    /// The places of all messages in the order of the store, with the host's ids.
    pub(super) fn stored(&self) -> Vec<((usize, usize), &'f str)> {
        let mut out = Vec::new();
        for (story, found) in self.stories.iter().enumerate() {
            let initial = found.messages.iter().enumerate().filter(|(_, message)| message.turn.is_none());
            out.extend(initial.map(|(at, message)| ((story, at), message.fact.text("id"))));
        }
        for (story, what) in &self.turns {
            let Some(found) = self.stories.get(*story) else { continue };
            if let Some(at) = message_of(found, *what)
                && let Some(message) = found.messages.get(at)
            {
                out.push(((*story, at), message.fact.text("id")));
            }
        }
        out
    }

    /// Whether a message is in the store when a turn begins.
    pub(super) fn is_before(&self, (story, at): (usize, usize), turn: Turn) -> bool {
        let message = self.stories.get(story).and_then(|found| found.messages.get(at));
        let created = message.and_then(|message| self.places.get(&(story, message.turn?)));
        created.is_none_or(|created| self.places.get(&turn).is_none_or(|turn| created < turn))
    }

    /// The message that a host's id means to a run: its own, else that of another.
    pub(super) fn named(&self, story: usize, id: &str) -> Option<(usize, usize)> {
        let own = self.stories.get(story).and_then(|found| found.message_of(id)).map(|at| (story, at));
        own.or_else(|| self.by_id.get(id).copied())
    }

    /// The stored message of a run that says the same, after the given place if there is one.
    pub(super) fn same(&mut self, story: usize, said: &str, from: usize, options: &Options) -> Option<usize> {
        let found = self.stories.get(story)?;
        let by_words = self.said.entry(story).or_insert_with(|| {
            let mut by_words: Table<String, Vec<usize>> = Table::new();
            for (at, message) in found.messages.iter().enumerate() {
                let fact = message.fact;
                let content = body::content(found, message, options);
                let calls = body::tool_calls(found, at);
                let said =
                    body::fingerprint(fact.text("role"), Some(&content), calls, fact.text("tool_call_id"));
                by_words.entry(said).or_default().push(at);
            }
            by_words
        });
        let places = by_words.get(said)?;
        let next = places.partition_point(|place| *place < from);
        places.get(next).or(places.first()).copied()
    }
}

/// The turns of all stories in order.
fn arranged(stories: &[Story<'_>]) -> Vec<Turn> {
    let mut turns: Vec<(u64, usize, What)> = Vec::new();
    for (at, story) in stories.iter().enumerate() {
        turns.extend(order::turns(story).into_iter().map(|(seq, what)| (seq, at, what)));
    }
    // Each run's own order stays, since its numbers never go down.
    sort_by_key(&mut turns, |(seq, at, _)| (*seq, *at));
    turns.into_iter().map(|(_, at, what)| (at, what)).collect()
}

/// The message that a turn creates.
pub(super) fn message_of(story: &Story<'_>, what: What) -> Option<usize> {
    match what {
        What::Call(at) => story.calls.get(at)?.message,
        What::Tool(at) => story.tools.get(at)?.message,
        What::Message(at) => Some(at),
    }
}
