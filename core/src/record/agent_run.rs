//! One run of one agent: its facts, matched by ids.

use std::collections::VecDeque;

use serde_json::Value;

use super::out_of_order::{self, OrderedFact};
use super::{Fact, FactKind, calls};
use crate::text::{Table, sort_by_key, text_or_json};

/// The source of a turn: a model call, a tool run or a message, by its index in the agent run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TurnSource {
    Call(usize),
    Tool(usize),
    Message(usize),
}

/// A message of the store.
#[derive(Debug)]
pub(super) struct Message<'f> {
    pub fact: &'f Fact,
    /// Its position, as numbered by [`out_of_order`].
    pub seq: u64,
    /// The turn that created it; `None` if it was there before the first.
    pub turn: Option<TurnSource>,
}

/// A model call.
#[derive(Debug)]
pub(super) struct Call<'f> {
    pub fact: &'f Fact,
    /// The position of its first fact.
    pub seq: u64,
    /// The answer or the failure.
    pub end: Option<&'f Fact>,
    pub chunks: Vec<&'f Value>,
    pub message: Option<usize>,
    /// How many of the changes in [`AgentRun::seen`] preceded it.
    pub mark: usize,
    /// How many messages there were when it was made.
    pub before: usize,
}

/// The run of a tool.
#[derive(Debug)]
pub(super) struct Tool<'f> {
    pub id: &'f str,
    pub begin: Option<&'f Fact>,
    pub end: Option<&'f Fact>,
    /// The text of the result for the model, if the host worded it.
    pub words: Option<&'f Value>,
    pub message: Option<usize>,
    pub declared: Option<Declared<'f>>,
    /// The position of its first fact.
    pub seq: u64,
    /// How many messages there were then.
    pub before: usize,
}

/// Where a model made a tool call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declared<'f> {
    pub call: &'f Value,
    /// The answer or the message that holds it.
    pub by: TurnSource,
    /// Its place among the calls there.
    pub at: usize,
}

/// One run of one agent.
#[derive(Debug, Default)]
pub(super) struct AgentRun<'f> {
    pub agent: Option<&'f str>,
    pub entered: Option<&'f Fact>,
    /// Facts about the tools and the run itself.
    pub run_facts: Vec<&'f Fact>,
    pub messages: Vec<Message<'f>>,
    pub calls: Vec<Call<'f>>,
    pub tools: Vec<Tool<'f>>,
    /// Additions, and changes of visibility, of messages, by index, in the order of the facts.
    pub seen: Vec<(usize, bool)>,
    /// The changes, with the last source before each.
    pub changes: Vec<(&'f Fact, Option<TurnSource>)>,
    message_ids: Table<&'f str, usize>,
    call_ids: Table<&'f str, usize>,
    tool_ids: Table<&'f str, usize>,
    declared: Table<&'f str, Declared<'f>>,
}

impl<'f> AgentRun<'f> {
    /// Assembles the facts of a run. `nested` are the tool calls that other agents carried out, with the
    /// numbers of their first facts.
    pub(super) fn new(agent: Option<&'f str>, facts: &[&'f Fact], nested: &[(&'f str, u64)]) -> Self {
        let mut agent_run = Self { agent, ..Self::default() };
        let made = out_of_order::model_calls(facts);
        for placed in out_of_order::in_order(facts, &made) {
            agent_run.add_fact(placed, &made);
        }
        for (id, seq) in nested {
            agent_run.tool_index(id, out_of_order::order_key(*seq));
        }
        agent_run.attach();
        agent_run
    }

    fn add_fact(&mut self, OrderedFact { fact, seq }: OrderedFact<'f>, made: &Table<&'f str, &'f Fact>) {
        match fact.kind {
            FactKind::MessageAppended => {
                self.message_ids.insert(fact.text("id"), self.messages.len());
                self.declare_calls(fact, TurnSource::Message(self.messages.len()));
                let message = Message { fact, seq, turn: None };
                self.seen.push((self.messages.len(), message.is_visible()));
                self.messages.push(message);
            }
            FactKind::ModelCalled | FactKind::ModelResponded | FactKind::ModelFailed | FactKind::Chunk => {
                let Some(at) = self.call_index(fact.text("call"), seq, made) else { return };
                if fact.kind == FactKind::ModelResponded {
                    self.declare_calls(fact, TurnSource::Call(at));
                }
                let Some(call) = self.calls.get_mut(at) else { return };
                match fact.kind {
                    FactKind::Chunk => call.chunks.extend(fact.get("delta")),
                    FactKind::ModelCalled => {}
                    _ => call.end = Some(fact),
                }
            }
            FactKind::ToolCalled | FactKind::ToolReturned | FactKind::ToolFailed => {
                let at = self.tool_index(fact.text("id"), seq);
                let Some(tool) = self.tools.get_mut(at) else { return };
                match fact.kind {
                    FactKind::ToolCalled => tool.begin = Some(fact),
                    _ => tool.end = Some(fact),
                }
            }
            FactKind::ToolMessageCreated => {
                let at = self.tool_index(fact.text("id"), seq);
                if let Some(tool) = self.tools.get_mut(at) {
                    tool.words = fact.get("content");
                }
            }
            FactKind::VisibilityChanged => {
                let at = self.message_ids.get(fact.text("message"));
                self.seen.extend(at.map(|at| (*at, fact.flag("visible"))));
            }
            FactKind::AgentEntered => self.entered = Some(fact),
            FactKind::ToolsListed | FactKind::MetadataSet => self.run_facts.push(fact),
            FactKind::ContextChanged | FactKind::AgentLeft => {}
        }
    }

    fn declare_calls(&mut self, fact: &'f Fact, by: TurnSource) {
        for (at, call) in fact.list("tool_calls").iter().enumerate() {
            let Some(id) = calls::id(call) else { continue };
            let declared = Declared { call, by, at };
            // The answer is nearer to the model than its message, whichever came first.
            match (self.declared.get(id), by) {
                (Some(Declared { by: TurnSource::Message(_), .. }), TurnSource::Call(_)) | (None, _) => {
                    self.declared.insert(id, declared);
                }
                _ => {}
            }
        }
    }

    /// The model call, created if unknown; `None` if no fact made it.
    fn call_index(&mut self, id: &'f str, seq: u64, made: &Table<&'f str, &'f Fact>) -> Option<usize> {
        if let Some(&at) = self.call_ids.get(id) {
            return Some(at);
        }
        let fact = *made.get(id)?;
        let at = self.calls.len();
        self.call_ids.insert(id, at);
        let before = self.messages.len();
        let mark = self.seen.len();
        self.calls.push(Call { fact, seq, end: None, chunks: Vec::new(), message: None, mark, before });
        Some(at)
    }

    /// The tool run, created if unknown.
    fn tool_index(&mut self, id: &'f str, seq: u64) -> usize {
        if let Some(&at) = self.tool_ids.get(id) {
            return at;
        }
        let at = self.tools.len();
        self.tool_ids.insert(id, at);
        let before = self.messages.len();
        let tool =
            Tool { id, begin: None, end: None, words: None, message: None, declared: None, seq, before };
        self.tools.push(tool);
        at
    }

    /// The number of the first fact that is no message.
    pub(super) fn first_turn(&self) -> u64 {
        let calls = self.calls.first().map_or(u64::MAX, |call| call.seq);
        self.tools.iter().map(|tool| tool.seq).min().unwrap_or(u64::MAX).min(calls)
    }

    /// Notes which messages precede the first turn, and the turn of each change. `first` is the number of the
    /// first fact of any agent of the run that is no message: earlier messages are initial, and so are the
    /// instructions of an agent that joins them.
    pub(super) fn assign_turns(&mut self, facts: &[&'f Fact], first: u64) {
        let own = self.first_turn();
        let mut is_before = true;
        for (at, message) in self.messages.iter_mut().enumerate() {
            let is_instruction = matches!(message.fact.text("role"), "system" | "developer");
            is_before &=
                message.turn.is_none() && message.seq < own && (message.seq < first || is_instruction);
            if !is_before && message.turn.is_none() {
                message.turn = Some(TurnSource::Message(at));
            }
        }
        let mut now = None;
        let mut changes = Vec::with_capacity(self.changes.len());
        for fact in facts {
            match fact.kind {
                FactKind::MessageAppended => {
                    let at = self.message_of(fact.text("id"));
                    now = at.and_then(|at| self.messages.get(at)?.turn).or(now);
                }
                FactKind::ContextChanged | FactKind::VisibilityChanged => {
                    changes.push((*fact, self.changed_during(fact).or(now)));
                }
                FactKind::AgentEntered
                | FactKind::AgentLeft
                | FactKind::ToolMessageCreated
                | FactKind::ToolsListed
                | FactKind::MetadataSet => {}
                _ => {
                    let call = self.call_ids.get(fact.text("call")).map(|at| TurnSource::Call(*at));
                    now = call
                        .or_else(|| self.tool_ids.get(fact.text("id")).map(|at| TurnSource::Tool(*at)))
                        .or(now);
                }
            }
        }
        self.changes = changes;
    }

    /// The turn that a change refers to with `during`.
    fn changed_during(&self, fact: &Fact) -> Option<TurnSource> {
        let id = fact.get("during")?.as_str()?;
        let tool = self.tool_ids.get(id).map(|at| TurnSource::Tool(*at));
        tool.or_else(|| self.call_ids.get(id).map(|at| TurnSource::Call(*at)))
    }

    /// The fact of a model call.
    pub(super) fn call_fact(&self, call: &str) -> Option<&'f Fact> {
        self.call_ids.get(call).and_then(|at| self.calls.get(*at)).map(|call| call.fact)
    }

    pub(super) fn message_of(&self, id: &str) -> Option<usize> {
        self.message_ids.get(id).copied()
    }

    /// Assigns each message to the call or the tool that made it.
    fn attach(&mut self) {
        self.attach_named();
        self.attach_by_calls();
        self.attach_by_content();
        let first = self.first_turn();
        for at in 0..self.messages.len() {
            let Some(message) = self.messages.get(at) else { continue };
            if message.turn.is_some() || message.fact.text("role") != "tool" || message.seq < first {
                continue;
            }
            let (fact, seq) = (message.fact, message.seq);
            let Some(id) = fact.get("tool_call_id").and_then(Value::as_str) else { continue };
            // Without a name it is no tool run.
            let is_named = self.declared.contains_key(id) || fact.get("tool_name").is_some();
            if !self.tool_ids.contains_key(id) && !is_named {
                continue;
            }
            let of_tool = self.tool_index(id, seq);
            self.set_message(at, TurnSource::Tool(of_tool));
        }
        self.declare_again();
        for tool in &mut self.tools {
            tool.declared = self.declared.get(tool.id).copied();
        }
    }

    /// The answer or message that makes the calls of a message or answer: a message made of an answer has
    /// none of its own.
    pub(super) fn call_source(&self, source: TurnSource) -> TurnSource {
        match source {
            TurnSource::Message(at) => match self.messages.get(at).and_then(|message| message.turn) {
                Some(made @ (TurnSource::Call(_) | TurnSource::Tool(_))) => made,
                _ => source,
            },
            _ => source,
        }
    }

    /// The tool calls that an answer or a message makes: those of the answer itself, else those of its message.
    pub(super) fn calls_of(&self, source: TurnSource) -> &'f [Value] {
        let (end, message) = match source {
            TurnSource::Call(at) => self.calls.get(at).map_or((None, None), |call| (call.end, call.message)),
            TurnSource::Message(at) => (None, Some(at)),
            TurnSource::Tool(at) => (None, self.tools.get(at).and_then(|tool| tool.message)),
        };
        let own = end.map(|end| end.list("tool_calls")).unwrap_or_default();
        match message.and_then(|at| self.messages.get(at)).map(|message| message.fact) {
            Some(message) if own.is_empty() => message.list("tool_calls"),
            _ => own,
        }
    }

    /// All sources of tool calls: answers, and messages without one.
    pub(super) fn call_sources(&self) -> impl Iterator<Item = TurnSource> {
        let messages = (0..self.messages.len()).map(TurnSource::Message);
        let messages = messages.filter(|source| self.call_source(*source) == *source);
        let tools = (0..self.tools.len()).map(TurnSource::Tool);
        (0..self.calls.len()).map(TurnSource::Call).chain(tools).chain(messages)
    }

    /// Locates calls again, now that the messages of answers are known.
    fn declare_again(&mut self) {
        let mut all: Vec<(u64, TurnSource)> =
            self.call_sources().map(|source| (self.seq_of(source), source)).collect();
        sort_by_key(&mut all, |call| *call);
        self.declared = Table::new();
        for (_, by) in all {
            for (at, call) in self.calls_of(by).iter().enumerate() {
                if let Some(id) = calls::id(call) {
                    self.declared.entry(id).or_insert(Declared { call, by, at });
                }
            }
        }
    }

    /// The position of the answer, or of the message.
    fn seq_of(&self, source: TurnSource) -> u64 {
        match source {
            TurnSource::Call(at) => self.calls.get(at).map_or(0, |call| call.seq),
            TurnSource::Message(at) => self.messages.get(at).map_or(0, |message| message.seq),
            TurnSource::Tool(at) => self.tools.get(at).map_or(0, |tool| tool.seq),
        }
    }

    /// The call that a host's id means.
    pub(super) fn declared(&self, id: &str) -> Option<Declared<'f>> {
        self.declared.get(id).copied()
    }

    /// The call that a tool's message answers without a tool run.
    pub(super) fn answered_by(&self, at: usize) -> Option<Declared<'f>> {
        let message = self.messages.get(at)?;
        let is_loose =
            !matches!(message.turn, Some(TurnSource::Tool(_))) && message.fact.text("role") == "tool";
        self.declared.get(message.fact.text("tool_call_id")).filter(|_| is_loose).copied()
    }

    /// Marks a call without an outcome as one without a result: a run of its tool.
    pub(super) fn mark_unanswered(&mut self, by: TurnSource, at: usize) {
        let Some(call) = self.calls_of(by).get(at) else { return };
        let (id, seq) = (calls::id(call).unwrap_or_default(), self.seq_of(by));
        let before = self.messages.partition_point(|message| message.seq <= seq);
        let declared = Some(Declared { call, by, at });
        self.tools.push(Tool {
            id,
            begin: None,
            end: None,
            words: None,
            message: None,
            declared,
            seq,
            before,
        });
    }

    fn set_message(&mut self, at: usize, source: TurnSource) {
        let slot = match source {
            TurnSource::Call(call) => self.calls.get_mut(call).map(|call| &mut call.message),
            TurnSource::Tool(tool) => self.tools.get_mut(tool).map(|tool| &mut tool.message),
            TurnSource::Message(_) => None,
        };
        let role = if matches!(source, TurnSource::Call(_)) { "assistant" } else { "tool" };
        let is_open =
            |message: &&mut Message<'_>| message.turn.is_none() && message.fact.text("role") == role;
        let Some(message) = self.messages.get_mut(at).filter(is_open) else { return };
        if let Some(slot) = slot.filter(|slot| slot.is_none()) {
            *slot = Some(at);
            message.turn = Some(source);
        }
    }

    /// Those with a named call or message; and the messages of tools that ran.
    fn attach_named(&mut self) {
        for at in 0..self.calls.len() {
            let named = self.calls.get(at).and_then(|call| call.end?.get("message")?.as_str());
            if let Some(message) = named.and_then(|id| self.message_of(id)) {
                self.set_message(message, TurnSource::Call(at));
            }
        }
        for at in 0..self.messages.len() {
            let Some(fact) = self.messages.get(at).map(|message| message.fact) else { continue };
            if let Some(call) = fact.get("call").and_then(Value::as_str)
                && let Some(&call) = self.call_ids.get(call)
            {
                self.set_message(at, TurnSource::Call(call));
            }
            if fact.text("role") == "tool"
                && let Some(&tool) = self.tool_ids.get(fact.text("tool_call_id"))
            {
                self.set_message(at, TurnSource::Tool(tool));
            }
        }
    }

    fn is_open_answer(&self, at: usize) -> Option<&Message<'f>> {
        self.messages
            .get(at)
            .filter(|message| message.turn.is_none() && message.fact.text("role") == "assistant")
    }

    /// An answer and a message with the same tool call belong together.
    fn attach_by_calls(&mut self) {
        for at in 0..self.messages.len() {
            let Some(message) = self.is_open_answer(at) else { continue };
            let held = message.fact.list("tool_calls").iter().filter_map(calls::id);
            let by = held.filter_map(|id| self.declared.get(id)).map(|declared| declared.by);
            if let Some(source @ TurnSource::Call(_)) =
                by.into_iter().find(|by| matches!(by, TurnSource::Call(_)))
            {
                self.set_message(at, source);
            }
        }
    }

    /// Attaches the rest: to the oldest call with the same content; else, of the calls running at the same
    /// time as the last before the message, to the oldest that has no message and did not fail.
    fn attach_by_content(&mut self) {
        let mut by_content: Table<String, VecDeque<usize>> = Table::new();
        for (at, call) in self.calls.iter().enumerate().filter(|(_, call)| call.message.is_none()) {
            if let Some(end) = call.end.filter(|end| end.kind == FactKind::ModelResponded) {
                by_content.entry(comparable_content(end.get("content"))).or_default().push_back(at);
            }
        }
        let together = self.concurrent_groups();
        // For each call that begins such a group, the next that may be free.
        let mut free: Table<usize, usize> = Table::new();
        for at in 0..self.messages.len() {
            let Some(message) = self.is_open_answer(at) else { continue };
            let seq = message.seq;
            let content = message.fact.get("content").map(|content| comparable_content(Some(content)));
            let same = content.as_ref().and_then(|content| by_content.get_mut(content));
            let began = |call: &usize| self.calls.get(*call).is_some_and(|call| call.seq < seq);
            let found = same.and_then(|calls| {
                let call = calls.front().copied().filter(began)?;
                calls.pop_front();
                Some(call)
            });
            let mut oldest = || {
                let end = self.calls.partition_point(|call| call.seq < seq);
                let begin = *together.get(end.checked_sub(1)?)?;
                let next = free.entry(begin).or_insert(begin);
                while *next < end && !self.calls.get(*next).is_some_and(Call::is_free) {
                    *next += 1;
                }
                (*next < end).then_some(*next)
            };
            if let Some(call) = found.or_else(&mut oldest) {
                self.set_message(at, TurnSource::Call(call));
            }
        }
    }

    /// For each call, the first of those it was under way together with: each began before all before it ended.
    fn concurrent_groups(&self) -> Vec<usize> {
        let mut out = Vec::with_capacity(self.calls.len());
        let (mut first, mut until) = (0, 0);
        for (at, call) in self.calls.iter().enumerate() {
            if call.seq >= until {
                first = at;
            }
            // One that never ended does not overlap with later ones.
            let end = call.end.map_or(0, |end| out_of_order::order_key(end.seq.unwrap_or_default()));
            until = end.max(until);
            out.push(first);
        }
        out
    }

    /// Messages that make other calls than the answer they were made of.
    pub(super) fn other_calls(&self) -> impl Iterator<Item = &'f Fact> {
        let ids = |calls: &'f [Value]| calls.iter().map(calls::id);
        let others = self.messages.iter().enumerate().filter(move |(at, message)| {
            let own = message.fact.list("tool_calls");
            !own.is_empty() && !ids(own).eq(ids(self.calls_of(self.call_source(TurnSource::Message(*at)))))
        });
        others.map(|(_, message)| message.fact)
    }

    /// Messages without content and without a known call: their content is lost.
    pub(super) fn empty_messages(&self) -> impl Iterator<Item = &'f Fact> {
        let empty = self.messages.iter().filter(|message| {
            let fact = message.fact;
            let is_made = matches!(message.turn, Some(TurnSource::Call(_) | TurnSource::Tool(_)));
            let has_content =
                ["content", "tool_calls", "refusal", "reasoning"].iter().any(|key| fact.get(key).is_some());
            !is_made && !has_content
        });
        empty.map(|message| message.fact)
    }
}

impl Message<'_> {
    /// Whether it is visible when it is stored.
    pub(super) fn is_visible(&self) -> bool {
        self.fact.get("visible").and_then(Value::as_bool).unwrap_or(true)
    }
}

impl Call<'_> {
    /// Whether a message can still be made of it.
    fn is_free(&self) -> bool {
        self.message.is_none() && self.end.is_none_or(|end| end.kind != FactKind::ModelFailed)
    }
}

/// The content in a form that can be compared: no content is empty content.
pub(super) fn comparable_content(content: Option<&Value>) -> String {
    content.filter(|content| !content.is_null()).map(text_or_json).unwrap_or_default()
}
