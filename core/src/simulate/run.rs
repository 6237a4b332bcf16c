//! Frames: an agent's loop and a conversation, each a state machine that can be left at any message.

use std::collections::VecDeque;

use serde_json::{Map, Value};

use super::report::SimError;
use crate::mock::{FunctionCall, FunctionResults};
use crate::wire::ToolCall;

/// The work in progress, the innermost last.
#[derive(Debug)]
pub(super) enum Frame {
    Run(Box<Run>),
    Conversation(Conversation),
}

/// An agent's loop: open calls first, then model and tools in turn.
#[derive(Debug)]
pub(super) struct Run {
    pub agent: usize,
    pub phase: Phase,
    /// The message at the beginning: its role and content.
    pub input: Option<(String, Value)>,
    /// Calls of the model so far.
    pub iteration: u64,
    pub max_iterations: u64,
    /// Messages yielded so far.
    pub yielded: u64,
    pub kwargs: Map<String, Value>,
    pub schema: Option<Value>,
    /// One call of the model and no tools, as `MockAgent.call` does.
    pub single: bool,
    /// Calls that are still to be answered.
    pub queue: VecDeque<ToolCall>,
    /// The call that is being answered by the host or another agent.
    pub current: Option<ToolCall>,
    /// The place of the model's call that the host answers.
    pub model_call: usize,
    /// The results of the handler's functions for that call, and the function to call next.
    pub functions: FunctionResults,
    pub question: Option<FunctionCall>,
    /// How many of the calls in the queue were listed for the host ahead.
    pub reported_ahead: usize,
    /// The calls that the host may begin together with the current one.
    pub ahead: Vec<ToolCall>,
    /// The last answer of another agent that runs as a tool of this one.
    pub nested_answer: Option<Value>,
    /// The log of that agent.
    pub nested: Option<usize>,
}

impl Run {
    pub(super) fn new(agent: usize, max_iterations: u64) -> Self {
        Self {
            agent,
            phase: Phase::Begin,
            input: None,
            iteration: 0,
            max_iterations,
            yielded: 0,
            kwargs: Map::new(),
            schema: None,
            single: false,
            queue: VecDeque::new(),
            current: None,
            model_call: 0,
            functions: FunctionResults::default(),
            question: None,
            reported_ahead: 0,
            ahead: Vec::new(),
            nested_answer: None,
            nested: None,
        }
    }
}

/// The state of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Begin,
    Tools,
    Iterate,
    CallModel,
    /// The host has to answer.
    AwaitResponse,
    /// The host must call a function of the handler.
    AwaitFunction,
    /// The host has to run a tool.
    AwaitTool,
    /// Another agent is at work.
    AwaitAgent,
    Finish,
}

/// A conversation: each agent in its turn.
#[derive(Debug)]
pub(super) struct Conversation {
    pub agents: Vec<usize>,
    pub at: usize,
    pub turn: u64,
    pub max_iterations: u64,
    pub kwargs: Map<String, Value>,
    /// Whether the current agent has answered.
    pub has_answered: bool,
}

/// The next action of a frame.
#[derive(Debug)]
pub(super) enum Tick {
    /// Continues at once.
    On,
    /// Returns a message: the agent and its index in the history.
    Yield(usize, usize),
    /// Hands over to another frame.
    Push(Frame),
    /// Waits for the host.
    Wait,
    /// Is at its end.
    Ended,
    /// Fails.
    Failed(SimError),
}

impl Conversation {
    /// Passes the turn to the next agent.
    pub(super) fn next(&mut self) {
        self.at = (self.at + 1).checked_rem(self.agents.len()).unwrap_or(0);
        self.turn += 1;
    }
}
