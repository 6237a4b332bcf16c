//! A model call: its request, its answer, and the message made of the answer.

use serde_json::{Map, Value};

use super::agent::Fact;
use super::answer::Answer;
use super::engine::{Engine, validate_answer};
use super::input::Profile;
use super::limits::size;
use super::machine::{HostAnswer, Simulation, Waiting};
use super::report::{ModelAnswer, ModelCall, SimError};
use super::run::{Phase, Run, Tick};
use super::sequence;
use crate::mock::{FunctionResults, MockContext, Trace};
use crate::model::call_id;
use crate::parse::json_text;
use crate::text::{JsonMap, json};
use crate::validate::misfits;
use crate::wire::ToolCall;

impl Simulation {
    pub(super) fn call_model(&mut self, run: &mut Run) -> Tick {
        if let Some(error) = self.over_limit() {
            return Tick::Failed(error);
        }
        let Some(agent) = self.agents.get(run.agent) else { return Tick::Ended };
        let Some(spec) = self.input.agents.get(agent.spec) else { return Tick::Ended };
        if spec.strict {
            let issues = sequence::issues(&agent.messages);
            if !issues.is_empty() {
                let name = spec.name.as_deref().unwrap_or("AnonymousAgent");
                let issues: String = issues.iter().map(|issue| format!("\n  - {issue}")).collect();
                let message = format!("Message sequence validation failed for {name}:{issues}");
                return Tick::Failed(SimError::new("ValidationError", message));
            }
        }
        let index = agent.spec;
        let tools: Vec<String> = spec.tools.iter().map(|tool| tool.name.clone()).collect();
        let call = ModelCall {
            step: self.at,
            iteration: run.iteration,
            nested: agent.depth > 0,
            sent: agent.messages.len(),
            replacement: agent.instead.clone(),
            kwargs: run.kwargs.clone(),
            tools,
            output_schema: run.schema.clone(),
            agent: run.agent,
            ..ModelCall::default()
        };
        self.counts.model_calls += 1;
        let Some(session) = self.sessions.get_mut(index) else { return Tick::Ended };
        session.call_count += 1;
        run.model_call = session.calls.len();
        session.calls.push(ModelCall { call_count: session.call_count, entry: session.entry, ..call });
        self.log_event(run.agent, "llm:complete:before", Value::Null);
        let Some(session) = self.sessions.get_mut(index) else { return Tick::Ended };
        if matches!(session.engine, Engine::External) {
            self.waiting = Some(Waiting::Response);
            run.phase = Phase::AwaitResponse;
            return Tick::Wait;
        }
        run.functions = FunctionResults::default();
        self.attempt(run)
    }

    /// Has the handler answer, as far as that is possible without calling a function of the host.
    fn attempt(&mut self, run: &mut Run) -> Tick {
        let profile = self.input.profile;
        let Some(agent) = self.agents.get_mut(run.agent) else { return Tick::Ended };
        let Some(spec) = self.input.agents.get(agent.spec) else { return Tick::Ended };
        let Some(session) = self.sessions.get_mut(agent.spec) else { return Tick::Ended };
        let tools: Vec<String> = spec.tools.iter().map(|tool| tool.name.clone()).collect();
        // The replacement of the instructions is in place while the handler runs.
        let own = agent.apply_override();
        let context = MockContext {
            agent: Some(spec.name.as_deref().unwrap_or(&spec.key)),
            messages: agent.canonical.messages(),
            iteration: if profile == Profile::GoodAgent { 0 } else { run.iteration },
            call_count: session.call_count,
            model: spec.model.as_deref(),
            tools: &tools,
            context: &agent.context,
            kwargs: &run.kwargs,
        };
        let mut trace = Trace::default();
        let answer = session.engine.answer(&context, &agent.canonical, profile, &mut trace, &run.functions);
        agent.restore_instructions(own);
        if let Some(call) = session.calls.get_mut(run.model_call) {
            call.trace = trace;
        }
        match answer {
            Ok(answer) => self.handle_answer(run, answer),
            Err(question) => {
                run.question = Some(question);
                self.waiting = Some(Waiting::Function);
                run.phase = Phase::AwaitFunction;
                Tick::Wait
            }
        }
    }

    /// Continues with the result of a function in the handler.
    pub(super) fn resume_with_function(&mut self, run: &mut Run) -> Tick {
        let Some(HostAnswer::Function(outcome)) = self.host_answer.take() else { return Tick::Wait };
        if let Some(question) = run.question.take() {
            run.functions.add(question.function, outcome);
        }
        self.attempt(run)
    }

    /// The host has answered.
    pub(super) fn resume_with_response(&mut self, run: &mut Run) -> Tick {
        let answer = match self.host_answer.take() {
            Some(HostAnswer::Response(value)) => match Answer::read(&value, self.input.profile) {
                Ok(answer) => validate_answer(answer),
                Err(fault) => Err(SimError::new(fault.kind, fault.message)),
            },
            Some(HostAnswer::ResponseError(error)) => Err(error),
            Some(HostAnswer::Tool(_) | HostAnswer::Function(_)) | None => return Tick::Wait,
        };
        self.handle_answer(run, answer)
    }

    fn over_limit(&self) -> Option<SimError> {
        let limits = &self.input.limits;
        let message = if self.counts.model_calls >= limits.model_calls {
            format!("more than {} model calls", limits.model_calls)
        } else if self.counts.bytes > limits.total_bytes {
            format!("more than {} bytes of messages", limits.total_bytes)
        } else {
            return None;
        };
        Some(SimError::new("LimitError", message))
    }

    fn handle_answer(&mut self, run: &mut Run, answer: Result<Answer, SimError>) -> Tick {
        let limit = self.input.limits.message_bytes;
        let answer = answer.and_then(|answer| {
            let calls = answer.response.tool_calls.iter().map(|call| size(&call.arguments)).sum::<u64>();
            let carried = answer.response.extra.values().map(size).sum::<u64>();
            let bytes = size(&answer.response.content).saturating_add(calls).saturating_add(carried);
            if bytes > limit {
                let message = format!("a response of {bytes} bytes, more than {limit}");
                return Err(SimError::new("LimitError", message));
            }
            Ok(answer)
        });
        let session = self.agents.get(run.agent).map_or(0, |agent| agent.spec);
        match answer {
            Err(error) => {
                self.log_event(run.agent, "llm:error", json!({ "error": error.message }));
                if let Some(call) = self.call_mut(session, run.model_call) {
                    call.error = Some(error.clone());
                }
                self.fact(run.agent, Fact::ModelCalled { session, call: run.model_call, message: None });
                Tick::Failed(error)
            }
            Ok(answer) => self.accept(run, session, answer),
        }
    }

    fn call_mut(&mut self, session: usize, call: usize) -> Option<&mut ModelCall> {
        self.sessions.get_mut(session)?.calls.get_mut(call)
    }

    fn accept(&mut self, run: &mut Run, session: usize, answer: Answer) -> Tick {
        let content = answer.content();
        let calls = answer.response.tool_calls.into_iter().map(|call| {
            let id = self.call_id(call.id.as_ref().map(|id| &*id.value));
            if let Some(outcome) = &call.outcome {
                self.outcomes.insert(id.clone(), (**outcome).clone());
            }
            ToolCall { id, ..ToolCall::from(&call) }
        });
        let calls: Vec<ToolCall> = calls.collect();
        self.counts.responses += 1;
        let mut carries = answer.response.extra;
        let mut message = self.message("assistant", content.clone());
        let problem = match self.input.profile {
            Profile::GoodAgent => {
                let usage = || json!({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15});
                carries.entry("usage").or_insert_with(usage);
                (message.carries, message.extra) = library_message_extra(&carries, &run.kwargs);
                None
            }
            Profile::Default => {
                let problem = match &run.schema {
                    Some(schema) if calls.is_empty() => structured(schema, &content, &mut carries).err(),
                    _ => None,
                };
                message.carries = message_extra(&carries);
                problem
            }
        };
        let id = format!("mock-{:03}", self.counts.responses);
        if let Some(found) = self.sessions.get_mut(session) {
            found.used += 1;
            if let Some(call) = found.calls.get_mut(run.model_call) {
                call.response = Some(ModelAnswer { id, content, tool_calls: calls.clone(), carries });
            }
        }
        self.log_event(run.agent, "llm:complete:after", Value::Null);
        message.tool_calls = calls;
        message.i = run.yielded;
        run.yielded += 1;
        run.iteration += 1;
        let at = self.agents.get(run.agent).map_or(0, |agent| agent.messages.len());
        self.fact(run.agent, Fact::ModelCalled { session, call: run.model_call, message: Some(at) });
        self.append(run.agent, message);
        if let Some(error) = problem {
            return Tick::Failed(error);
        }
        let pending = self.agents.get(run.agent).map(|agent| agent.pending.clone()).unwrap_or_default();
        run.queue = pending.into();
        run.phase = if run.single || run.queue.is_empty() { Phase::Finish } else { Phase::Tools };
        Tick::Yield(run.agent, at)
    }

    /// The answer's id for its call, unless another call has it; else the next one.
    fn call_id(&mut self, own: Option<&str>) -> String {
        if let Some(id) = own.filter(|id| !id.is_empty())
            && self.ids.insert(id.to_owned())
        {
            return id.to_owned();
        }
        let id = self.counts.calls.next_free(call_id, &|id| self.ids.contains(id));
        self.ids.insert(id.clone());
        id
    }
}

/// The data of an answer that its message keeps.
fn message_extra(carries: &Map<String, Value>) -> Map<String, Value> {
    const KEPT: [&str; 7] =
        ["usage", "citations", "annotations", "refusal", "reasoning", "metadata", "parsed"];
    let kept = carries.iter().filter(|(key, _)| KEPT.contains(&key.as_str()));
    kept.map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// What the library keeps of an answer: refusal and reasoning are lost, metadata and arguments of the call
/// become fields of the message.
fn library_message_extra(
    carries: &Map<String, Value>,
    kwargs: &Map<String, Value>,
) -> (Map<String, Value>, Map<String, Value>) {
    let mut out = Map::new();
    for key in ["usage", "citations", "annotations"] {
        let Some(mut value) = carries.get(key).cloned() else { continue };
        if key == "annotations" {
            for note in value.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
                note.entry("metadata").or_insert_with(|| json!({}));
            }
        }
        out.put(key, value);
    }
    let mut extra = carries.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default();
    extra.extend(kwargs.clone());
    (out, extra)
}

/// Reads an answer as data and holds it to its schema.
fn structured(schema: &Value, content: &Value, carries: &mut Map<String, Value>) -> Result<(), SimError> {
    let parsed = match (carries.get("parsed"), content) {
        (Some(parsed), _) => parsed.clone(),
        (None, Value::String(text)) => json_text(text).ok_or_else(|| {
            SimError::new("OutputSchemaError", "the response is not JSON, although there is a schema")
        })?,
        (None, other) => other.clone(),
    };
    let faults = misfits(schema, &parsed, "the response");
    if !faults.is_empty() {
        return Err(SimError::new("OutputSchemaError", faults.join("; ")));
    }
    carries.put("parsed", parsed);
    Ok(())
}
