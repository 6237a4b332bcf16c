//! Steps and frames: how each begins, continues and ends.

use serde_json::{Map, Value};

use super::agent::Fact;
use super::answer::Answer;
use super::engine::{Engine, validate_answer};
use super::input::Profile;
use super::machine::{Current, Simulation};
use super::message::{SimMessage, SimResponse};
use super::report::{SimError, StepReport};
use super::run::{Conversation, Frame, Phase, Run, Tick};
use super::sequence;
use super::step::{Op, Step};
use crate::encoding::python;
use crate::model::call_id;
use crate::text::json;
use crate::wire::ToolCall;

/// The default number of turns of a conversation.
const TURNS: u64 = 20;

impl Simulation {
    pub(super) fn begin(&mut self, step: &Step) {
        let agents: Vec<String> = step.agents.iter().map(|agent| self.key(*agent)).collect();
        let report = StepReport { op: step.op.name().into(), agents, ..StepReport::default() };
        self.current = Some(Current { report, ..Current::default() });
        let Some(&agent) = step.agents.first() else { return };
        match step.op {
            Op::Call | Op::Execute | Op::MockCall => self.begin_run(step, agent),
            Op::MockExecute => match self.input.profile {
                Profile::GoodAgent => self.play_queue(step, agent),
                Profile::Default => self.begin_run(step, agent),
            },
            Op::Conversation => self.begin_conversation(step),
            Op::Reenter => {
                if let Some(session) = self.sessions.get_mut(agent) {
                    session.engine.reenter(step.reset);
                    session.entry += 1;
                    session.call_count = 0;
                    session.used = 0;
                }
            }
            Op::Append => self.append_incoming(agent, &step.role, step.content.clone().unwrap_or_default()),
            Op::SetContext => self.set_context(agent, step),
            Op::Pending => {
                let pending = self.agents.get(agent).map(|agent| agent.pending.clone());
                self.note(|report| report.pending = pending);
            }
            Op::Validate => {
                let issues = self.agents.get(agent).map(|agent| sequence::issues(&agent.messages));
                self.note(|report| report.issues = issues);
            }
        }
    }

    fn note(&mut self, change: impl FnOnce(&mut StepReport)) {
        if let Some(current) = &mut self.current {
            change(&mut current.report);
        }
    }

    fn begin_run(&mut self, step: &Step, agent: usize) {
        let spec = self.input.agents.get(agent);
        let max = step.max_iterations.or(spec.map(|spec| spec.max_iterations)).unwrap_or(0);
        let mut run = Run::new(agent, max);
        run.schema = step.output_schema.clone().or_else(|| spec?.output_schema.clone());
        run.input = step.content.clone().map(|content| (step.role.clone(), content));
        run.kwargs.clone_from(&step.kwargs);
        run.single = step.op == Op::MockCall;
        self.stack.push(Frame::Run(Box::new(run)));
    }

    fn set_context(&mut self, agent: usize, step: &Step) {
        let Some(found) = self.agents.get_mut(agent) else { return };
        found.context.extend(step.context.clone());
        for key in &step.remove {
            found.context.shift_remove(key);
        }
        let (set, removed) = (step.context.clone(), step.remove.clone());
        self.fact(agent, Fact::ContextChanged { agent, set, removed });
    }

    /// `MockAgent.execute` of the library: returns the queue, without model, tools and history.
    fn play_queue(&mut self, step: &Step, agent: usize) {
        if let Some(content) = step.content.clone() {
            self.append_incoming(agent, &step.role, content);
        }
        let session = self.sessions.get(agent);
        let responses = match session.map(|session| &session.engine) {
            Some(Engine::Queue { responses, .. }) => responses.clone(),
            _ => return,
        };
        for response in responses {
            let i = self.agents.get(agent).map_or(0, |agent| agent.yielded);
            // The library skips any other type.
            if !matches!(&*response.kind, "" | "message" | "tool_call") {
                if let Some(agent) = self.agents.get_mut(agent) {
                    agent.yielded += 1;
                }
                continue;
            }
            match self.queued_message(response) {
                Ok(mut message) => {
                    message.i = i;
                    message.agent = self.key(agent);
                    if let Some(agent) = self.agents.get_mut(agent) {
                        agent.yielded += 1;
                    }
                    if self.consume(message) {
                        return;
                    }
                }
                Err(error) => {
                    if let Some(current) = &mut self.current {
                        current.error = Some(error);
                    }
                    return;
                }
            }
        }
    }

    fn queued_message(&mut self, response: Answer) -> Result<SimMessage, SimError> {
        if let Some(tool) = &response.tool {
            let mut message = self.message("tool", python::str(&tool.result).into());
            message.tool_call_id = Some(self.counts.calls.next_free(call_id, &|_| false));
            message.tool_name = Some(tool.name.clone());
            message.tool_response = Some(SimResponse {
                response: tool.result.clone(),
                parameters: tool.arguments.clone(),
                success: true,
                error: None,
            });
            return Ok(message);
        }
        let response = validate_answer(response)?;
        let role = response.role();
        let speaker = if matches!(role, "user" | "system") { role } else { "assistant" };
        let mut message = self.message(speaker, response.content());
        if role == "assistant" {
            for call in &response.response.tool_calls {
                let id = self.counts.calls.next_free(call_id, &|_| false);
                message.tool_calls.push(ToolCall { id, ..ToolCall::from(call) });
            }
            let kept = |key: &str| {
                let value = response.response.extra.get(key)?.clone();
                Some((key.to_owned(), value))
            };
            let keys = ["citations", "annotations", "refusal", "reasoning"];
            message.carries = keys.into_iter().filter_map(kept).collect();
        }
        Ok(message)
    }

    fn begin_conversation(&mut self, step: &Step) {
        self.participants.clone_from(&step.agents);
        if step.agents.len() > 2 {
            self.introduce(&step.agents);
        }
        let mut system = Map::new();
        for &agent in &step.agents {
            let Some(found) = self.agents.get(agent) else { continue };
            let last = found.messages.iter().rfind(|message| message.role == "system");
            let text = match &found.instead {
                Some((_, text)) => Some(text.clone()),
                None => last.map(SimMessage::text),
            };
            system.insert(self.key(agent), text.map_or(Value::Null, Value::String));
        }
        self.note(|report| report.system_inside = system);
        for (agent, role, content) in &step.inside {
            self.append_incoming(*agent, role, content.clone());
        }
        self.stack.push(Frame::Conversation(Conversation {
            agents: step.agents.clone(),
            at: 0,
            turn: 0,
            max_iterations: step.max_iterations.unwrap_or(TURNS),
            kwargs: step.kwargs.clone(),
            has_answered: true,
        }));
    }

    /// Adds the other agents of a group to the instructions of each.
    fn introduce(&mut self, agents: &[usize]) {
        let names: Vec<String> = agents
            .iter()
            .enumerate()
            .map(|(place, agent)| match self.spec(*agent).and_then(|spec| spec.name.clone()) {
                Some(name) => name,
                None if self.input.profile == Profile::GoodAgent => format!("Agent_{place}"),
                None => self.key(*agent),
            })
            .collect();
        for (place, (&agent, name)) in agents.iter().zip(&names).enumerate() {
            let others = names.iter().enumerate().filter(|(other, _)| *other != place);
            let others: Vec<String> = others.map(|(_, name)| format!("@{name}")).collect();
            let suffix = format!(
                "You are @{name} in a chat-room style conversation with {} other agents: {}. Conversations happen in a round-robin form. You may directly tag other agents using the @name syntax. You may skip responding to a particular round if you wish by responding `skip`.",
                others.len(),
                others.join(", ")
            );
            let good_agent = self.input.profile == Profile::GoodAgent;
            let Some(found) = self.agents.get_mut(agent) else { continue };
            let Some(at) = found.messages.iter().rposition(|message| message.role == "system") else {
                continue;
            };
            let own = found.messages.get(at).map(SimMessage::text).unwrap_or_default();
            let text = match good_agent {
                // The library's mock makes a text of the parts as Python prints them.
                true => {
                    let part = |text: String| {
                        format!("type='text' metadata={{}} text={}", python::repr(&Value::String(text)))
                    };
                    format!("{}\n{}", part(own), part(suffix))
                }
                false => format!("{own}\n\n{suffix}"),
            };
            found.instead = Some((at, text));
        }
    }

    /// Passes a message to the consumer of the step; returns whether it needs no more.
    pub(super) fn consume(&mut self, message: SimMessage) -> bool {
        let enough = self.input.steps.get(self.at).and_then(|step| step.break_after);
        let Some(current) = &mut self.current else { return false };
        current.yielded.push(message);
        let is_enough = enough.is_some_and(|enough| current.yielded.len() as u64 >= enough);
        if is_enough {
            self.stack.clear();
        }
        is_enough
    }

    /// The step is over.
    pub(super) fn finish(&mut self) {
        for event in std::mem::take(&mut self.background_events) {
            self.send(event);
        }
        self.participants.clear();
        self.agents.iter_mut().for_each(|agent| agent.instead = None);
        let Some(mut current) = self.current.take() else { return };
        let mut report = std::mem::take(&mut current.report);
        let step = self.input.steps.get(self.at);
        let op = step.map(|step| step.op);
        match op {
            Some(Op::Call | Op::MockCall) if current.error.is_none() => {
                let last = current.yielded.iter().rfind(|message| message.role == "assistant");
                report.returned = last.cloned();
                if last.is_none() {
                    current.error = Some(self.no_answer(current.yielded.last()));
                }
            }
            Some(Op::Execute | Op::MockExecute | Op::Conversation) => {
                report.yielded = Some(std::mem::take(&mut current.yielded));
            }
            _ => {}
        }
        report.error = current.error.map(|mut error| {
            let place = format!("steps[{}]", self.at);
            error.path = if error.path.is_empty() { place } else { format!("{place}: {}", error.path) };
            error
        });
        self.reports.push(report);
        self.at += 1;
    }

    fn no_answer(&self, last: Option<&SimMessage>) -> SimError {
        if self.input.profile == Profile::Default {
            return SimError::new("NoAnswerError", "the agent did not respond within its iterations");
        }
        let class = match last.map(|message| message.role.as_str()) {
            None => "<class 'NoneType'>",
            Some(_) => "<class 'good_agent.messages.roles.ToolMessage'>",
        };
        let message = format!("No assistant response received (last message type: {class})");
        SimError::new("RuntimeError", message)
    }

    pub(super) fn tick_conversation(&mut self, conversation: &mut Conversation) -> Tick {
        if conversation.turn >= conversation.max_iterations {
            return Tick::Ended;
        }
        let Some(&agent) = conversation.agents.get(conversation.at) else { return Tick::Ended };
        let spec = self.input.agents.get(agent);
        let mut run = Run::new(agent, spec.map_or(0, |spec| spec.max_iterations));
        run.kwargs.clone_from(&conversation.kwargs);
        conversation.has_answered = false;
        Tick::Push(Frame::Run(Box::new(run)))
    }

    pub(super) fn tick_run(&mut self, run: &mut Run) -> Tick {
        match run.phase {
            Phase::Begin => self.begin_loop(run),
            Phase::Tools => match run.queue.pop_front() {
                Some(call) => self.use_tool(run, call),
                None => {
                    run.phase = Phase::Iterate;
                    Tick::On
                }
            },
            Phase::Iterate => {
                run.phase = Phase::Finish;
                if run.iteration < run.max_iterations {
                    self.log_event(
                        run.agent,
                        "execute:iteration:before",
                        json!({"iteration": run.iteration}),
                    );
                    run.phase = Phase::CallModel;
                } else if self.input.profile == Profile::Default {
                    // The library does not report this.
                    let fields = json!({"maxIterations": run.max_iterations});
                    self.log_event(run.agent, "execute:max_iterations", fields);
                }
                Tick::On
            }
            Phase::CallModel => self.call_model(run),
            Phase::AwaitResponse => self.resume_with_response(run),
            Phase::AwaitFunction => self.resume_with_function(run),
            Phase::AwaitTool | Phase::AwaitAgent => self.resume_with_tool_result(run),
            Phase::Finish => {
                if !run.single {
                    self.log_event(run.agent, "execute:after", json!({"iterations": run.iteration}));
                }
                Tick::Ended
            }
        }
    }

    fn begin_loop(&mut self, run: &mut Run) -> Tick {
        if let Some((role, content)) = run.input.take() {
            self.append_incoming(run.agent, &role, content);
        }
        if run.schema.is_some() && self.input.profile == Profile::GoodAgent {
            let error = "Structured output mocking not yet implemented";
            self.log_event(run.agent, "llm:error", json!({ "error": error }));
            return Tick::Failed(SimError::new("NotImplementedError", error));
        }
        if run.single {
            run.phase = Phase::CallModel;
            return Tick::On;
        }
        self.log_event(run.agent, "execute:before", json!({"maxIterations": run.max_iterations}));
        let pending = self.agents.get(run.agent).map(|agent| agent.pending.clone()).unwrap_or_default();
        run.queue = pending.into();
        run.phase = Phase::Tools;
        Tick::On
    }
}
