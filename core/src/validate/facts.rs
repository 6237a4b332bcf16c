//! Data for the rules: messages by id, calls and the turns that answer them.

use std::cell::Cell;

use super::comparisons::Comparisons;
use super::tools::Tools;
use super::written_assertion::{WrittenAssertion, written};
use crate::diagnostic::{closest_id, closest_ids};
use crate::model::{Message, Role, Spanned, Text, ToolCall, Transcript};
use crate::parse::{Kind, Node};
use crate::text::{Span, Table};

/// A run with its messages and calls indexed.
pub(super) struct Facts<'t> {
    pub transcript: &'t Transcript,
    pub kind: Kind,
    /// The text that the places are in; empty when the run was not read from one.
    pub source: &'t str,
    /// The tree of the document, or of the nested run.
    pub root: Option<&'t Node>,
    /// The written turns of a full or partial document.
    turns: &'t [Node],
    /// The tools and agents that are declared.
    pub tools: Tools<'t>,
    /// The assertions, each with its written fields.
    pub assertions: Vec<WrittenAssertion<'t>>,
    /// Every stored message with the step that created it; 0 is the initial store.
    pub messages: Vec<(usize, &'t Message)>,
    /// The first message of each id, as an index into `messages`.
    pub by_id: Table<&'t str, usize>,
    /// For each message the first one of its id: itself, unless two have one id.
    pub first_message: Vec<usize>,
    /// Every call of the model with its step.
    pub calls: Vec<(usize, &'t ToolCall)>,
    /// The first call of each id, as an index into `calls`.
    pub call_by_id: Table<&'t str, usize>,
    /// For each call the first one of its id: itself, unless two have one id.
    first_call: Vec<usize>,
    /// For the first call of each id the first result, as an index into `results`; [`Facts::result_of`] finds it for any
    /// call of that id.
    first_result: Vec<Option<usize>>,
    /// Every result with its step.
    pub results: Vec<ResultFact<'t>>,
    pub comparisons: Comparisons,
    /// The remaining work for schemas and searches of assertions.
    pub work: Cell<usize>,
}

/// The maximum work for schemas and assertions in one run, in steps and bytes; anything past that
/// counts as right. One comparison of data counts as sixteen.
pub(super) const WORK: usize = 50_000_000;

/// A tool's result, from a tool turn or a tool message outside one.
pub(super) struct ResultFact<'t> {
    pub step: usize,
    pub id: Option<&'t Spanned<Text>>,
    /// The first call of that id, as an index into the calls.
    pub call: Option<usize>,
    pub tool: Option<&'t str>,
    /// Whether the program called the tool itself, so that there is no call to answer.
    pub is_of_host: bool,
    /// The span of the result.
    pub span: Span,
}

impl<'t> Facts<'t> {
    pub(super) fn new(
        source: &'t str,
        root: Option<&'t Node>,
        transcript: &'t Transcript,
        kind: Kind,
    ) -> Self {
        let turns = root.and_then(|root| root.get("execution")).map(Node::items).unwrap_or_default();
        let mut facts = Self {
            transcript,
            kind,
            source,
            root,
            turns,
            tools: Tools::new(root, turns),
            assertions: written(root, transcript),
            messages: Vec::new(),
            by_id: Table::new(),
            first_message: Vec::new(),
            calls: Vec::new(),
            call_by_id: Table::new(),
            first_call: Vec::new(),
            first_result: Vec::new(),
            results: Vec::new(),
            comparisons: Comparisons::default(),
            work: Cell::new(WORK),
        };
        for message in transcript.first_messages() {
            facts.message(0, message);
            facts.calls(0, &message.tool_calls);
            facts.result_message(0, message);
        }
        for (index, turn) in transcript.turns.iter().enumerate() {
            let step = index + 1;
            // The answer and the message made of it hold the same calls; one of them may be missing.
            let answered =
                turn.response.as_ref().map(|response| response.tool_calls.as_slice()).unwrap_or_default();
            let stored =
                turn.created.as_ref().map(|created| created.tool_calls.as_slice()).unwrap_or_default();
            facts.calls(step, if answered.is_empty() { stored } else { answered });
            if let Some(tool) = &turn.tool {
                let (id, name) = (tool.id.as_ref(), Some(&*tool.name.value).filter(|name| !name.is_empty()));
                let is_of_host = tool.is_of_host();
                let span = id.map_or(tool.name.span, |id| id.span);
                facts.results.push(ResultFact { step, id, call: None, tool: name, is_of_host, span });
            }
            if let Some(created) = &turn.created {
                facts.message(step, created);
                if turn.tool.is_none() {
                    facts.result_message(step, created);
                }
            }
        }
        facts.match_results();
        facts
    }

    /// Finds the call of each result once, for all rules. A result may come before its call.
    fn match_results(&mut self) {
        self.first_result = vec![None; self.calls.len()];
        for (index, result) in self.results.iter_mut().enumerate() {
            result.call = result.id.and_then(|id| self.call_by_id.get(&*id.value)).copied();
            if let Some(first) = result.call.and_then(|call| self.first_result.get_mut(call)) {
                first.get_or_insert(index);
            }
        }
    }

    fn message(&mut self, step: usize, message: &'t Message) {
        let first = *self.by_id.entry(&message.id.value).or_insert(self.messages.len());
        self.first_message.push(first);
        self.messages.push((step, message));
    }

    fn calls(&mut self, step: usize, calls: &'t [ToolCall]) {
        for call in calls {
            let own = self.calls.len();
            let first = call.id.as_ref().map(|id| *self.call_by_id.entry(&id.value).or_insert(own));
            self.first_call.push(first.unwrap_or(own));
            self.calls.push((step, call));
        }
    }

    fn result_message(&mut self, step: usize, message: &'t Message) {
        if message.role.value == Role::Tool {
            // A line that names no tool has an empty name for one.
            let tool = message.tool_name.as_deref().filter(|name| !name.is_empty());
            let id = message.tool_call_id.as_ref();
            let span = id.map_or(message.span, |id| id.span);
            self.results.push(ResultFact { step, id, call: None, tool, is_of_host: false, span });
        }
    }

    /// The probable candidate for `word`, within the allowance.
    pub(super) fn suggest<'a>(
        &self,
        word: &str,
        candidates: impl Iterator<Item = &'a str>,
    ) -> Option<&'a str> {
        self.comparisons.suggest(word, candidates)
    }

    /// The same for ids, which are usually numbered.
    pub(super) fn suggest_id<'a>(
        &self,
        id: &str,
        candidates: impl Iterator<Item = &'a str>,
    ) -> Option<&'a str> {
        closest_id(id, self.comparisons.counted(candidates))
    }

    /// The same with another equally near id, if there is one.
    pub(super) fn suggest_ids<'a>(
        &self,
        id: &str,
        candidates: impl Iterator<Item = &'a str>,
    ) -> Option<(&'a str, Option<&'a str>)> {
        closest_ids(id, self.comparisons.counted(candidates))
    }

    /// The written turn at `index`; `None` in a compact document.
    pub(super) fn turn_node(&self, index: usize) -> Option<&'t Node> {
        self.turns.get(index)
    }

    /// The value that a way of keys leads to in the turn at `index`, unless it is absent or null.
    pub(super) fn written(&self, index: usize, way: &[&str]) -> Option<&'t Node> {
        at(self.turn_node(index)?, way)
    }

    /// Spends `work` of the allowance; returns whether there was enough.
    pub(super) fn spend(&self, work: usize) -> bool {
        let left = self.work.get();
        self.work.set(left.saturating_sub(work));
        left > work
    }

    /// The node of a call in a list of calls.
    pub(super) fn call_node(list: &'t Node, call: &ToolCall) -> Option<&'t Node> {
        let items = list.items();
        let from = items.partition_point(|item| item.span.start < call.span.start);
        items.get(from).filter(|item| item.span == call.span)
    }

    /// The message of that id with the step that created it.
    pub(super) fn find(&self, id: &str) -> Option<(usize, &'t Message)> {
        self.by_id.get(id).and_then(|&at| self.messages.get(at)).copied()
    }

    /// The call of that id with its step.
    pub(super) fn call(&self, id: &str) -> Option<(usize, &'t ToolCall)> {
        self.call_by_id.get(id).and_then(|&at| self.calls.get(at)).copied()
    }

    /// The call that a result answers by its id, with the call's step.
    pub(super) fn call_of(&self, result: &ResultFact<'_>) -> Option<(usize, &'t ToolCall)> {
        self.calls.get(result.call?).copied()
    }

    /// The first call with the id of the call at `index`, if it is a different one.
    pub(super) fn earlier_call(&self, index: usize) -> Option<&'t ToolCall> {
        let first = self.first_call.get(index).copied().filter(|first| *first != index)?;
        self.calls.get(first).map(|(_, call)| *call)
    }

    /// The first result of the call at `index`, by their id, as an index into the results.
    pub(super) fn result_of(&self, index: usize) -> Option<usize> {
        self.first_result.get(*self.first_call.get(index)?).copied().flatten()
    }

    /// The number that a person knows a step by.
    pub(super) fn turn_number(&self, step: usize) -> i64 {
        let turn = step.checked_sub(1).and_then(|index| self.transcript.turns.get(index));
        let number = turn.and_then(|turn| turn.number.as_ref()).map(|number| number.value);
        number.unwrap_or_else(|| i64::try_from(step).unwrap_or(i64::MAX))
    }
}

/// The value that a way of keys leads to, unless it is absent or null.
pub(super) fn at<'n>(node: &'n Node, way: &[&str]) -> Option<&'n Node> {
    way.iter().try_fold(node, |node, key| node.present(key))
}

/// The place of a key of `final_state`, for a diagnostic about all of its value.
pub(super) fn final_key(root: &Node, key: &str) -> Option<Span> {
    let entries = root.present("final_state")?.entries();
    entries.iter().find(|entry| &*entry.key.text == key).map(|entry| entry.key.span)
}

/// `s` after a number that is not one.
pub(super) fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
