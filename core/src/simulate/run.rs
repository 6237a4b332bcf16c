//! Frames: an agent's loop and a conversation, each a state machine that can be left at any message.

use std::collections::VecDeque;

use serde_json::{Map, Value};

use super::report::SimError;
use crate::mock::{FunctionCall, FunctionResults};
use crate::wire::ToolCall;

/// What is under way, the innermost last.
#[derive(Debug)]
pub(super) enum Frame {
    Run(Box<Run>),
    AgentTalk(AgentTalk),
}

/// An agent's loop: open calls first, then model and tools in turn.
#[derive(Debug)]
pub(super) struct Run {
    pub agent: usize,
    pub phase: Phase,
    /// What is said at the beginning, by whom.
    pub input: Option<(String, Value)>,
    /// Calls of the model so far.
    pub iteration: u64,
    pub max_iterations: u64,
    /// Messages given out so far.
    pub given_out: u64,
    pub kwargs: Map<String, Value>,
    pub schema: Option<Value>,
    /// One call of the model and no tools, as `MockAgent.call` does.
    pub single: bool,
    /// Calls that are still to be answered.
    pub queue: VecDeque<ToolCall>,
    /// The call that is being answered by the host or another agent.
    pub current: Option<ToolCall>,
    /// The place of the model's call that the host answers.
    pub asked: usize,
    /// What functions in the handler said of that call, and which is to be asked next.
    pub functions: FunctionResults,
    pub question: Option<FunctionCall>,
    /// How many of the calls in the queue the host was told of ahead.
    pub told_ahead: usize,
    /// The calls that the host may begin beside the current one.
    pub ahead: Vec<ToolCall>,
    /// The last thing another agent said, as a tool of this one.
    pub heard: Option<Value>,
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
            given_out: 0,
            kwargs: Map::new(),
            schema: None,
            single: false,
            queue: VecDeque::new(),
            current: None,
            asked: 0,
            functions: FunctionResults::default(),
            question: None,
            told_ahead: 0,
            ahead: Vec::new(),
            heard: None,
            nested: None,
        }
    }
}

/// Where a loop stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Begin,
    Tools,
    Iterate,
    Ask,
    /// The host was asked for an answer.
    AwaitReply,
    /// A function of the host was asked, which stands in the handler.
    AwaitFunction,
    /// The host was asked to run a tool.
    AwaitTool,
    /// Another agent is at work.
    AwaitAgent,
    Finish,
}

/// A conversation: each agent in its turn.
#[derive(Debug)]
pub(super) struct AgentTalk {
    pub agents: Vec<usize>,
    pub at: usize,
    pub turn: u64,
    pub max_iterations: u64,
    pub kwargs: Map<String, Value>,
    /// Whether the agent whose turn it is has said anything.
    pub spoke: bool,
}

/// What a frame does next.
#[derive(Debug)]
pub(super) enum Tick {
    /// Goes on at once.
    On,
    /// Gives out a message: the agent and its place in the history.
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

impl AgentTalk {
    /// The next one speaks.
    pub(super) fn next(&mut self) {
        self.at = (self.at + 1).checked_rem(self.agents.len()).unwrap_or(0);
        self.turn += 1;
    }
}
