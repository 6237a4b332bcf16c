//! The use of a tool: its arguments, its result, and the message with the result.

use serde_json::Value;

use super::agent::Fact;
use super::arguments::bind;
use super::input::Profile;
use super::limits::size;
use super::machine::{HostAnswer, Simulation, Waiting};
use super::message::SimResponse;
use super::report::{Execution, SimError};
use super::run::{Frame, Phase, Run, Tick};
use super::tool::{Source, ToolFault, canned};
use crate::encoding::python;
use crate::model::handlers::Outcome;
use crate::text::{JsonMap, json, json_line, text_or_json};
use crate::wire::ToolCall;

impl Simulation {
    /// Answers one open call.
    pub(super) fn use_tool(&mut self, run: &mut Run, call: ToolCall) -> Tick {
        let profile = self.input.profile;
        let tools = self.spec(run.agent).map(|spec| spec.tools.as_slice()).unwrap_or_default();
        let tool = tools.iter().find(|tool| tool.name == call.name).cloned();
        if profile == Profile::Default
            && let Some(outcome) = self.outcomes.get(&call.id).cloned()
        {
            self.log_call_before(run.agent, &call);
            let outcome = match outcome {
                Outcome::Result(result) => Ok(result),
                Outcome::Error(error) => Err(ToolFault::from_value(&error)),
            };
            return self.handle_tool_result(run, call, outcome);
        }
        let Some(tool) = tool else {
            let message = match profile {
                Profile::GoodAgent => format!("Tool '{}' not found", call.name),
                Profile::Default => {
                    self.log_call_before(run.agent, &call);
                    format!("unknown tool `{}`", call.name)
                }
            };
            return self.handle_tool_result(
                run,
                call,
                Err(ToolFault { kind: Some(UNKNOWN.to_owned()), message }),
            );
        };
        if self.counts.tool_calls >= self.input.limits.tool_calls {
            let limit = self.input.limits.tool_calls;
            return Tick::Failed(SimError::new("LimitError", format!("more than {limit} tool calls")));
        }
        self.counts.tool_calls += 1;
        self.log_call_before(run.agent, &call);
        if let Source::Agent(key) = &tool.source {
            return self.use_agent(run, call, key);
        }
        let arguments = match bind(&tool, &call.arguments, profile) {
            Ok(arguments) => arguments,
            Err(fault) => return self.handle_tool_result(run, call, Err(fault)),
        };
        self.executions.push(Execution {
            step: self.at,
            agent: self.key(run.agent),
            tool: call.name.clone(),
            call_id: call.id.clone(),
            arguments: Value::Object(arguments.clone()),
        });
        match &tool.source {
            Source::Canned(results) => {
                let outcome = match canned(results, &arguments) {
                    Some(result) => result.outcome.clone(),
                    None => {
                        Err(ToolFault::new(format!("no result of `{}` matches these arguments", call.name)))
                    }
                };
                self.handle_tool_result(run, call, outcome)
            }
            Source::Live | Source::Agent(_) => {
                run.current = Some(ToolCall { arguments: Value::Object(arguments), ..call.clone() });
                run.ahead.clear();
                match run.reported_ahead.checked_sub(1) {
                    Some(left) => run.reported_ahead = left,
                    None => {
                        run.ahead = self.upcoming_calls(run);
                        run.reported_ahead = run.ahead.len();
                    }
                }
                run.queue.push_front(call);
                run.phase = Phase::AwaitTool;
                self.waiting = Some(Waiting::Tool);
                Tick::Wait
            }
        }
    }

    /// The calls after the present one that the host runs too. The library runs one after the other.
    fn upcoming_calls(&self, run: &Run) -> Vec<ToolCall> {
        if self.input.profile == Profile::GoodAgent {
            return Vec::new();
        }
        let tools = self.spec(run.agent).map(|spec| spec.tools.as_slice()).unwrap_or_default();
        let left = self.input.limits.tool_calls.saturating_sub(self.counts.tool_calls);
        let left = usize::try_from(left).unwrap_or(usize::MAX);
        let live = run.queue.iter().filter(|call| !self.outcomes.contains_key(&call.id)).filter_map(|call| {
            let tool = tools.iter().find(|tool| tool.name == call.name)?;
            let arguments = bind(tool, &call.arguments, self.input.profile).ok()?;
            let is_live = matches!(tool.source, Source::Live);
            is_live.then(|| ToolCall { arguments: Value::Object(arguments), ..call.clone() })
        });
        live.take(left).collect()
    }

    /// Calls another agent, with a history of its own.
    fn use_agent(&mut self, run: &mut Run, call: ToolCall, key: &str) -> Tick {
        let Some(other) = self.input.agents.iter().position(|agent| agent.key == key) else {
            return self.handle_tool_result(run, call, Err(ToolFault::new(format!("unknown agent `{key}`"))));
        };
        if self.input.profile == Profile::GoodAgent {
            // The library forks the agent for each call, and a model that is a mock cannot be forked.
            let class = self.sessions.get(other).map_or("", |session| session.engine.class());
            let message = format!("{class} must implement _clone_init_args to support cloning");
            return self.handle_tool_result(run, call, Err(ToolFault::new(message)));
        }
        let depth = self.agents.get(run.agent).map_or(0, |agent| agent.depth) + 1;
        if depth > self.input.limits.depth {
            let error = self.too_deep(run.agent, key);
            self.handle_tool_result(run, call, Err(ToolFault::new(error.message.clone())));
            return Tick::Failed(error);
        }
        let tools = self.spec(run.agent).map(|spec| spec.tools.as_slice()).unwrap_or_default();
        let bound = match tools.iter().find(|tool| tool.name == call.name) {
            Some(tool) => bind(tool, &call.arguments, self.input.profile),
            None => Ok(serde_json::Map::new()),
        };
        let prompt = match bound {
            Err(fault) => return self.handle_tool_result(run, call, Err(fault)),
            // A tool with parameters of its own needs no prompt: the other agent gets all of them.
            Ok(bound) => match bound.get("prompt") {
                Some(Value::String(prompt)) => prompt.clone(),
                _ => json_line(&call.arguments),
            },
        };
        let fork = self.fork(other, depth);
        let spec = self.input.agents.get(other);
        let mut inner = Run::new(fork, spec.map_or(0, |spec| spec.max_iterations));
        inner.schema = spec.and_then(|spec| spec.output_schema.clone());
        inner.input = Some(("user".to_owned(), prompt.into()));
        run.nested = self.agents.get(fork).map(|fork| fork.log);
        run.nested_answer = None;
        run.queue.push_front(call);
        run.phase = Phase::AwaitAgent;
        Tick::Push(Frame::Run(Box::new(inner)))
    }

    /// Why an agent is not called as a tool: too many wait for each other already. Each of them would
    /// continue to call if it got that as the failure of a tool, so the step fails.
    fn too_deep(&self, caller: usize, key: &str) -> SimError {
        let depth = self.input.limits.depth;
        let waiting = self.stack.iter().filter_map(|frame| match frame {
            Frame::Run(run) => Some(self.key(run.agent)),
            Frame::Conversation(_) => None,
        });
        let mut chain: Vec<String> = waiting.chain([self.key(caller), key.to_owned()]).collect();
        let calls = if self.key(caller) == key {
            format!("`{key}` calls itself")
        } else {
            "agents call each other".to_owned()
        };
        let left_out = chain.len().saturating_sub(6);
        if left_out > 0 {
            chain.splice(3..3 + left_out, ["…".to_owned()]);
        }
        let message = format!("{calls} more than {depth} levels deep: {}", chain.join(" -> "));
        SimError::new(TOO_DEEP, message)
    }

    /// The host or the other agent has answered the call at the front of the queue.
    pub(super) fn resume_with_tool_result(&mut self, run: &mut Run) -> Tick {
        let Some(HostAnswer::Tool(outcome)) = self.host_answer.take() else { return Tick::Wait };
        let Some(call) = run.queue.pop_front() else { return Tick::On };
        run.current = None;
        self.handle_tool_result(run, call, outcome)
    }

    fn log_call_before(&mut self, agent: usize, call: &ToolCall) {
        let fields = json!({"toolName": call.name, "toolCallId": call.id, "parameters": call.arguments});
        self.log_event(agent, "tool:call:before", fields);
    }

    /// Appends the message with the result of a tool.
    pub(super) fn handle_tool_result(
        &mut self,
        run: &mut Run,
        call: ToolCall,
        outcome: Result<Value, ToolFault>,
    ) -> Tick {
        let good_agent = self.input.profile == Profile::GoodAgent;
        let limit = self.input.limits.message_bytes;
        let bytes = outcome.as_ref().map_or_else(|fault| fault.message.len() as u64, size);
        let outcome = if bytes <= limit {
            outcome
        } else {
            let message = format!("the result of `{}` has {bytes} bytes, more than {limit}", call.name);
            Err(ToolFault { kind: Some("LimitError".to_owned()), message })
        };
        let error = outcome.as_ref().err().map(|fault| match good_agent {
            true => fault.python_text(),
            false => fault.message.clone(),
        });
        let text = match (&outcome, &error) {
            (_, Some(error)) => format!("Error: {error}"),
            (Ok(result), _) if good_agent && !result.is_string() => python::str(result),
            (Ok(result), _) => text_or_json(result),
            (Err(_), None) => String::new(),
        };
        let text = self.rendered(run.agent, &text);
        let mut fields = json!({"toolName": call.name, "toolCallId": call.id, "parameters": call.arguments});
        let (event, (key, value)) = match &error {
            Some(error) => ("tool:call:error", ("error", Value::from(error.as_str()))),
            None => ("tool:call:after", ("success", true.into())),
        };
        if let Some(fields) = fields.as_object_mut() {
            fields.put(key, value);
        }
        let event = self.event(run.agent, event, fields);
        // The library sends the event of an unknown tool last, and that of a success in the background.
        let unknown = outcome.as_ref().is_err_and(|fault| fault.kind.as_deref() == Some(UNKNOWN));
        let (first, last) = match (good_agent, error.is_some()) {
            (true, false) => {
                self.background_events.push(event);
                (None, None)
            }
            (true, true) if unknown => (None, Some(event)),
            _ => (Some(event), None),
        };
        if let Some(event) = first {
            self.send(event);
        }
        let mut message = self.message("tool", text.into());
        message.i = run.yielded;
        run.yielded += 1;
        message.tool_call_id = Some(call.id.clone());
        message.tool_name = Some(call.name.clone());
        message.tool_response = Some(SimResponse {
            response: outcome.as_ref().ok().cloned().unwrap_or_default(),
            parameters: call.arguments.clone(),
            success: error.is_none(),
            error,
        });
        let at = self.agents.get(run.agent).map_or(0, |agent| agent.messages.len());
        let nested = run.nested.take();
        self.fact(run.agent, Fact::ToolCalled { agent: run.agent, call, outcome, nested, message: at });
        self.append(run.agent, message);
        if let Some(event) = last {
            self.send(event);
        }
        run.phase = Phase::Tools;
        Tick::Yield(run.agent, at)
    }
}

/// The error of agents that call each other without an end.
pub(super) const TOO_DEEP: &str = "AgentDepthError";

/// Marks the error of a tool unknown to the agent.
const UNKNOWN: &str = "UnknownToolError";
