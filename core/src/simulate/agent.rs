//! The state of an agent: its history, its open calls, and what answers for it.

use serde_json::{Map, Value};

use super::engine::Engine;
use super::message::SimMessage;
use super::report::ModelCall;
use super::tool::ToolFault;
use crate::mock::MessageHistory;
use crate::wire::ToolCall;

/// An agent with its history; every run of an agent as another's tool has a history of its own.
#[derive(Debug)]
pub(super) struct Agent {
    /// The index of its description in the input; all its histories share what answers for it.
    pub spec: usize,
    pub messages: Vec<SimMessage>,
    /// The same in the form for handlers.
    pub canonical: MessageHistory,
    /// The text that replaces its instructions during a conversation.
    pub instead: Option<(usize, String)>,
    pub context: Map<String, Value>,
    /// The context when its history began.
    pub initial_context: Map<String, Value>,
    /// How many messages its history began with.
    pub initial_count: usize,
    /// The calls without an answer, in order.
    pub pending: Vec<ToolCall>,
    /// The index of its log.
    pub log: usize,
    /// How many agents wait for it.
    pub depth: u64,
    /// The number of messages that `mock.execute` yielded.
    pub yielded: u64,
    /// The number of messages that the host has, and the text that replaced the instructions in
    /// them.
    pub reported: (usize, Option<(usize, String)>),
}

impl Agent {
    /// Puts the replacement of its instructions in place; returns the former text.
    pub(super) fn apply_override(&mut self) -> Option<String> {
        let (at, text) = self.instead.as_ref()?;
        self.canonical.replace_content(*at, text.clone())
    }

    /// The places of messages that the host has and that have changed since.
    pub(super) fn changed_messages(&self) -> impl Iterator<Item = usize> {
        let (count, before) = &self.reported;
        let places = [before, &self.instead].map(|instead| instead.as_ref().map(|(at, _)| *at));
        let [first, second] = if *before == self.instead { [None, None] } else { places };
        let is_reported = |at: &usize| at < count;
        first
            .filter(is_reported)
            .into_iter()
            .chain(second.filter(is_reported).filter(move |at| Some(*at) != first))
    }

    /// The message at a place as the model sees it.
    pub(super) fn message_for_model(&self, at: usize, good_agent: bool) -> Option<SimMessage> {
        let mut message = self.messages.get(at)?.clone();
        if let Some((_, text)) = self.instead.as_ref().filter(|(place, _)| *place == at) {
            message.content = text.clone().into();
        }
        if good_agent && message.role == "tool" {
            message.content = message.augmented().into();
        }
        Some(message)
    }

    /// Restores its own instructions.
    pub(super) fn restore_instructions(&mut self, own: Option<String>) {
        let Some((at, own)) = self.instead.as_ref().map(|(at, _)| *at).zip(own) else { return };
        self.canonical.replace_content(at, own);
    }
}

/// What answers for an agent, and the calls of its model.
#[derive(Debug)]
pub(super) struct Session {
    pub engine: Engine,
    /// The calls since the mock was entered last.
    pub call_count: u64,
    /// How often the mock was entered.
    pub entry: u64,
    /// The answers since then.
    pub used: usize,
    pub calls: Vec<ModelCall>,
}

/// The events, in order: the source of a transcript.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// The agent of a run inside a tool.
    pub agent: usize,
    pub facts: Vec<Fact>,
}

/// One fact of a run.
#[derive(Debug)]
pub(super) enum Fact {
    /// A message from outside was added.
    MessageAppended { agent: usize, message: usize },
    /// The model was called, and answered with a message or failed.
    ModelCalled { session: usize, call: usize, message: Option<usize> },
    /// A tool ran, or was taken to have run.
    ToolCalled {
        agent: usize,
        call: ToolCall,
        outcome: Result<Value, ToolFault>,
        nested: Option<usize>,
        message: usize,
    },
    /// The context of an agent changed.
    ContextChanged { agent: usize, set: Map<String, Value>, removed: Vec<String> },
}
