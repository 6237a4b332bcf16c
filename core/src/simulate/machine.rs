//! The simulation as a state machine: it runs until the host is needed, and never calls it.

use crate::text::{Set, Table};
use std::collections::VecDeque;

use serde::Serialize;
use serde_json::{Map, Value};

use super::agent::{Agent, Fact, Log, Session};
use super::engine::Engine;
use super::input::{Input, InputError, Profile};
use super::message::SimMessage;
use super::report::{Event, Execution, SimError, StepReport};
use super::run::{Frame, Phase, Run, Tick};
use super::tool::ToolFault;
use super::use_tool::TOO_DEEP;
use crate::diagnostic::InvalidInput;
use crate::mock::{Code, FunctionCall, latest};
use crate::model::IdCounter;
use crate::model::handlers::Outcome;
use crate::wire::ToolCall;

/// Agents and steps at work.
///
/// ```
/// use serde_json::json;
/// use transcript_core::simulate::{Progress, Simulation};
/// let input = json!({
///     "agents": [{"name": "bot", "external": true}],
///     "steps": [{"op": "call", "content": "Hi"}],
/// });
/// let mut simulation = Simulation::new(&input).unwrap();
/// let Progress::NeedsResponse { context, .. } = simulation.run() else { panic!() };
/// assert_eq!(context.messages[0].content, "Hi");
/// simulation.response(&json!("Hello!")).unwrap();
/// assert!(matches!(simulation.run(), Progress::Done));
/// assert_eq!(simulation.report().steps[0].returned.as_ref().unwrap().content, "Hello!");
/// ```
#[derive(Debug)]
pub struct Simulation {
    pub(super) input: Input,
    /// Those of the input in order, followed by those that ran as tools.
    pub(super) agents: Vec<Agent>,
    pub(super) sessions: Vec<Session>,
    pub(super) logs: Vec<Log>,
    pub(super) reports: Vec<StepReport>,
    pub(super) executions: Vec<Execution>,
    pub(super) stack: Vec<Frame>,
    /// The step that is under way, or the next one.
    pub(super) at: usize,
    pub(super) current: Option<Current>,
    pub(super) waiting: Option<Waiting>,
    pub(super) host_answer: Option<HostAnswer>,
    /// Events not yet taken.
    pub(super) events: VecDeque<Event>,
    /// Events that the library sends in the background, after all others of a step.
    pub(super) background_events: Vec<Event>,
    /// Whether the host gets each message of a history only once.
    pub(super) reports_once: bool,
    /// The agents of the conversation: each gets the messages of the others.
    pub(super) participants: Vec<usize>,
    /// The call ids in use.
    pub(super) ids: Set<String>,
    /// The results of calls that do not run, by call id, if the answer specifies them.
    pub(super) outcomes: Table<String, Outcome>,
    pub(super) counts: Counts,
}

/// Counts so far; ids follow from them, and limits apply to them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub messages: IdCounter,
    pub calls: IdCounter,
    pub responses: u64,
    pub model_calls: u64,
    pub tool_calls: u64,
    pub bytes: u64,
}

/// The step that is under way.
#[derive(Debug, Default)]
pub(super) struct Current {
    pub report: StepReport,
    pub yielded: Vec<SimMessage>,
    pub error: Option<SimError>,
}

/// What the host must supply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waiting {
    Response,
    Tool,
    Function,
}

/// What the host supplied.
#[derive(Debug)]
pub(super) enum HostAnswer {
    Response(Value),
    ResponseError(SimError),
    Tool(Result<Value, ToolFault>),
    /// The result or the exception of a function in a handler.
    Function(Result<Value, Value>),
}

/// The progress of a simulation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Progress {
    /// Code of the host has to answer for a model: call [`Simulation::response`] or [`Simulation::response_error`].
    NeedsResponse {
        /// The key of the agent.
        agent: String,
        /// The input of the model.
        context: Box<ResponseContext>,
    },
    /// The host has to run a tool: call [`Simulation::tool_result`] or [`Simulation::tool_error`].
    NeedsTool {
        /// The key of the agent.
        agent: String,
        /// The call, its arguments with defaults filled in.
        call: ToolCall,
        /// The next calls of the same answer, which the host may also begin. Their results are requested in
        /// order. Each call is listed here once.
        ahead: Vec<ToolCall>,
    },
    /// The host must call a function of a handler: call [`Simulation::function_returned`].
    NeedsFunction {
        /// The key of the agent.
        agent: String,
        /// The function, and its purpose.
        question: FunctionCall,
        /// The input of the model; `None` if another function of the same call had it.
        context: Option<Box<ResponseContext>>,
    },
    /// Something happened.
    Event {
        /// The event.
        event: Event,
    },
    /// All steps were run.
    Done,
}

/// The host code's view of a call, like `MockContext` in the documents.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResponseContext {
    /// The name of the agent.
    pub agent: String,
    /// Which history it is, of all that the simulation has; agents that run as tools have one for each run.
    pub history: usize,
    /// How many of its messages are left out, since the host has them; see
    /// [`Simulation::report_messages_once`].
    pub same: usize,
    /// The changed ones of them, by index: the instructions, while agents are in a group conversation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub otherwise: Vec<(usize, SimMessage)>,
    /// `lastUser`, `lastAssistant`, `lastTool`, `lastResult` and `lastRole`, as rules of the agent see them.
    #[serde(flatten)]
    pub latest: Map<String, Value>,
    /// The history; under `good-agent` tool messages have their arguments and results below the text.
    pub messages: Vec<SimMessage>,
    /// The round of the agent's loop, from 0; under `good-agent` always 0.
    pub iteration: u64,
    /// The calls of the model so far with this one.
    pub call_count: u64,
    /// The model that the agent names.
    pub model: Option<String>,
    /// The names of the tools.
    pub tools: Vec<String>,
    /// The context of the agent.
    pub context: Map<String, Value>,
    /// Other options of the call.
    pub kwargs: Map<String, Value>,
    /// The schema that the answer has to fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
}

impl Simulation {
    /// Reads the input; see the page on simulation for its form.
    ///
    /// # Errors
    /// When something in it is missing, of the wrong kind or unknown, or a handler cannot be compiled; under
    /// `good-agent` also what `agent.mock(...)` itself would raise.
    pub fn new(input: &Value) -> Result<Self, Box<InputError>> {
        Self::with_code(input, &Code::default())
    }

    /// The same with functions of the host at some places of its handlers, such as
    /// `agents[0].handler.rules[0].when`. The input's own values there are ignored.
    ///
    /// # Errors
    /// As [`Simulation::new`].
    pub fn with_code(input: &Value, code: &Code) -> Result<Self, Box<InputError>> {
        let input = Input::read(input)?;
        let mut simulation = Self {
            agents: Vec::new(),
            sessions: Vec::new(),
            logs: vec![Log::default()],
            reports: Vec::new(),
            executions: Vec::new(),
            stack: Vec::new(),
            at: 0,
            current: None,
            waiting: None,
            host_answer: None,
            events: VecDeque::new(),
            background_events: Vec::new(),
            reports_once: false,
            participants: Vec::new(),
            ids: Set::new(),
            outcomes: Table::new(),
            counts: Counts::default(),
            input,
        };
        for index in 0..simulation.input.agents.len() {
            let Some(spec) = simulation.input.agents.get(index) else { break };
            let engine = Engine::new(spec, simulation.input.profile, code)?;
            simulation.sessions.push(Session { engine, call_count: 0, entry: 1, used: 0, calls: Vec::new() });
            simulation.add_agent(index, 0, 0);
        }
        Ok(simulation)
    }

    /// From here on, reports each message of a history once, so that long runs cost only what is new: a
    /// [`ResponseContext`] leaves out the `same` messages that the host has from the previous context of the
    /// same history. The host has them from a context that it answered.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::simulate::{Progress, Simulation};
    /// let input = json!({
    ///     "agents": [{"name": "bot", "external": true}],
    ///     "steps": [{"op": "call", "content": "Hi"}, {"op": "call", "content": "Bye"}],
    /// });
    /// let mut simulation = Simulation::new(&input).unwrap();
    /// simulation.report_messages_once();
    /// simulation.run();
    /// simulation.response(&json!("Hello!")).unwrap();
    /// let Progress::NeedsResponse { context, .. } = simulation.run() else { panic!() };
    /// assert_eq!((context.same, context.messages.len()), (1, 2));
    /// ```
    pub fn report_messages_once(&mut self) {
        self.reports_once = true;
    }

    /// Runs until something happens. After a `Needs…` it returns the same until the host has answered.
    pub fn poll(&mut self) -> Progress {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Progress::Event { event };
            }
            match self.advance() {
                None if self.events.is_empty() => return self.progress_needed(),
                None => {}
                Some(()) => {}
            }
        }
    }

    /// Runs until the host is needed or all steps are done; events are kept for the report alone.
    pub fn run(&mut self) -> Progress {
        loop {
            match self.poll() {
                Progress::Event { .. } => {}
                other => return other,
            }
        }
    }

    /// Answers for the model: with a text, or a response in a handler's form.
    ///
    /// # Errors
    /// When no answer is awaited.
    pub fn response(&mut self, response: &Value) -> Result<(), InvalidInput> {
        self.supply(Waiting::Response, HostAnswer::Response(response.clone()))
    }

    /// Fails in place of the model, as a handler that raises `kind` with `message`.
    ///
    /// # Errors
    /// When no answer is awaited.
    pub fn response_error(&mut self, kind: &str, message: &str) -> Result<(), InvalidInput> {
        self.fail(SimError::new(kind, message))
    }

    /// The same with all known details of the failure.
    ///
    /// # Errors
    /// When no answer is awaited.
    pub fn fail(&mut self, error: SimError) -> Result<(), InvalidInput> {
        self.supply(Waiting::Response, HostAnswer::ResponseError(error))
    }

    /// Supplies the result of a function in a handler: true or false for a condition, a text or a response
    /// for an answer. An exception is `{name, message}`.
    ///
    /// # Errors
    /// When no function is awaited.
    pub fn function_returned(&mut self, outcome: Result<Value, Value>) -> Result<(), InvalidInput> {
        self.supply(Waiting::Function, HostAnswer::Function(outcome))
    }

    /// Supplies the result of a live tool.
    ///
    /// # Errors
    /// When no tool is awaited.
    pub fn tool_result(&mut self, result: &Value) -> Result<(), InvalidInput> {
        self.supply(Waiting::Tool, HostAnswer::Tool(Ok(result.clone())))
    }

    /// Supplies the error of a live tool: a text, or a map with `type` and `message`.
    ///
    /// # Errors
    /// When no tool is awaited.
    pub fn tool_error(&mut self, error: &Value) -> Result<(), InvalidInput> {
        self.supply(Waiting::Tool, HostAnswer::Tool(Err(ToolFault::from_value(error))))
    }

    fn supply(&mut self, wanted: Waiting, answer: HostAnswer) -> Result<(), InvalidInput> {
        if self.waiting != Some(wanted) {
            let awaited = match self.waiting {
                None => "nothing is pending",
                Some(Waiting::Response) => "a model response is pending",
                Some(Waiting::Tool) => "a tool result is pending",
                Some(Waiting::Function) => "a function result is pending",
            };
            return Err(InvalidInput::NotAwaited(awaited));
        }
        self.waiting = None;
        self.host_answer = Some(answer);
        if let Some(Frame::Run(run)) = self.stack.last()
            && wanted != Waiting::Tool
            && self.reports_once
            && let Some(agent) = self.agents.get_mut(run.agent)
        {
            agent.reported = (agent.messages.len(), agent.instead.clone());
        }
        Ok(())
    }

    /// Does one thing; `None` when only the host can continue.
    fn advance(&mut self) -> Option<()> {
        if self.waiting.is_some() {
            return None;
        }
        if self.current.is_none() {
            let step = self.input.steps.get(self.at)?.clone();
            self.begin(&step);
            return Some(());
        }
        let Some(mut frame) = self.stack.pop() else {
            self.finish();
            return Some(());
        };
        let tick = match &mut frame {
            Frame::Run(run) => self.tick_run(run),
            Frame::Conversation(conversation) => self.tick_conversation(conversation),
        };
        match tick {
            Tick::On | Tick::Wait => self.stack.push(frame),
            Tick::Push(inner) => self.stack.extend([frame, inner]),
            Tick::Yield(agent, message) => {
                self.stack.push(frame);
                self.deliver(agent, message);
            }
            Tick::Ended => self.pop_ended(),
            Tick::Failed(error) => self.pop_failed(error),
        }
        Some(())
    }

    /// Passes a message from the innermost frame to the one around it, or to the consumer of the
    /// step.
    fn deliver(&mut self, agent: usize, at: usize) {
        let Some(message) = self.agents.get(agent).and_then(|agent| agent.messages.get(at)).cloned() else {
            return;
        };
        let outer = self.stack.len().checked_sub(2).and_then(|outer| self.stack.get_mut(outer));
        if let Some(Frame::Run(run)) = outer {
            if message.role == "assistant" {
                run.nested_answer = Some(message.carries.get("parsed").cloned().unwrap_or(message.content));
            }
            return;
        }
        let good_agent = self.input.profile == Profile::GoodAgent;
        if let Some(Frame::Conversation(conversation)) = outer {
            conversation.has_answered = true;
            // The library stops listening to an agent at its first answer, whether or not it calls tools.
            if good_agent && message.role == "assistant" {
                conversation.next();
                self.stack.pop();
            }
        }
        self.consume(message);
    }

    /// Removes the innermost frame, which has ended.
    fn pop_ended(&mut self) {
        let good_agent = self.input.profile == Profile::GoodAgent;
        let (round_is_over, is_conversation) = match self.stack.last_mut() {
            Some(Frame::Run(run)) => {
                let answer = run.nested_answer.take();
                let missing = || ToolFault::new("the agent did not respond");
                self.host_answer = Some(HostAnswer::Tool(answer.ok_or_else(missing)));
                return;
            }
            Some(Frame::Conversation(conversation)) => {
                let is_silent = !conversation.has_answered;
                if is_silent || !good_agent {
                    conversation.next();
                } else {
                    conversation.turn += 1;
                }
                (is_silent && conversation.at == 0, true)
            }
            None => (false, false),
        };
        if is_conversation && round_is_over {
            self.stack.pop();
        }
    }

    /// Removes the innermost frame, which has failed. An agent as a tool fails like a tool; any other
    /// failure, including agents that call each other endlessly, fails the step.
    fn pop_failed(&mut self, error: SimError) {
        while let Some(frame) = self.stack.pop() {
            if let Frame::Run(mut run) = frame
                && run.phase == Phase::AwaitAgent
            {
                let message = format!("{}: {}", error.kind, error.message);
                // No call stays open, so that the agents can be called again.
                if error.kind == TOO_DEEP {
                    if let Some(call) = run.queue.pop_front() {
                        self.handle_tool_result(&mut run, call, Err(ToolFault::new(message)));
                    }
                    continue;
                }
                self.host_answer = Some(HostAnswer::Tool(Err(ToolFault { kind: Some(error.kind), message })));
                self.stack.push(Frame::Run(run));
                return;
            }
        }
        if let Some(current) = &mut self.current {
            current.error = Some(error);
        }
    }

    /// What the host must do.
    fn progress_needed(&self) -> Progress {
        let Some(Frame::Run(run)) = self.stack.last() else { return Progress::Done };
        match self.waiting {
            None => Progress::Done,
            Some(Waiting::Response) => Progress::NeedsResponse {
                agent: self.key(run.agent),
                context: Box::new(self.response_context(run)),
            },
            Some(Waiting::Function) => match &run.question {
                None => Progress::Done,
                Some(question) => Progress::NeedsFunction {
                    agent: self.key(run.agent),
                    question: question.clone(),
                    context: run.functions.is_empty().then(|| Box::new(self.response_context(run))),
                },
            },
            Some(Waiting::Tool) => match &run.current {
                None => Progress::Done,
                Some(call) => Progress::NeedsTool {
                    agent: self.key(run.agent),
                    call: call.clone(),
                    ahead: run.ahead.clone(),
                },
            },
        }
    }

    /// The input of a run's model.
    fn response_context(&self, run: &Run) -> ResponseContext {
        let good_agent = self.input.profile == Profile::GoodAgent;
        let spec = self.spec(run.agent);
        let agent = self.agents.get(run.agent);
        let call = agent.and_then(|agent| self.sessions.get(agent.spec)?.calls.get(run.model_call));
        let same = agent.map_or(0, |agent| agent.reported.0);
        let seen = |agent: &Agent, at| agent.message_for_model(at, good_agent);
        let new =
            agent.into_iter().flat_map(|agent| (same..agent.messages.len()).filter_map(|at| seen(agent, at)));
        let otherwise = agent
            .into_iter()
            .flat_map(|agent| agent.changed_messages().filter_map(|at| Some((at, seen(agent, at)?))));
        ResponseContext {
            agent: self.name(run.agent),
            history: run.agent,
            same,
            otherwise: otherwise.collect(),
            latest: agent
                .map(|agent| latest(agent.canonical.messages(), Some(&agent.canonical)))
                .unwrap_or_default(),
            messages: new.collect(),
            iteration: if good_agent { 0 } else { run.iteration },
            call_count: call.map_or(0, |call| call.call_count),
            model: spec.and_then(|spec| spec.model.clone()),
            tools: call.map(|call| call.tools.clone()).unwrap_or_default(),
            context: agent.map(|agent| agent.context.clone()).unwrap_or_default(),
            kwargs: run.kwargs.clone(),
            output_schema: run.schema.clone(),
        }
    }

    /// Writes an event down.
    pub(super) fn log_event(&mut self, agent: usize, event: &'static str, fields: Value) {
        let event = self.event(agent, event, fields);
        self.send(event);
    }

    pub(super) fn event(&self, agent: usize, event: &'static str, fields: Value) -> Event {
        let fields = if let Value::Object(fields) = fields { fields } else { Map::new() };
        Event { event: event.into(), agent: self.key(agent), fields }
    }

    pub(super) fn send(&mut self, event: Event) {
        if let Some(current) = &mut self.current {
            current.report.events.push(event.clone());
        }
        self.events.push_back(event);
    }

    pub(super) fn fact(&mut self, agent: usize, fact: Fact) {
        let log = self.agents.get(agent).map_or(0, |agent| agent.log);
        if let Some(log) = self.logs.get_mut(log) {
            log.facts.push(fact);
        }
    }
}
