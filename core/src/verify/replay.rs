//! The replay of a log, which requests the results of tools from its host.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::agent::{Agent, OpenCall};
use super::callers::callers;
use super::trace_writer::TraceWriter;
use super::{Outcome, TRACE_VERSION, TraceRetention};
use crate::encoding::exact::{self, Exact, Raw};
use crate::events::{Event, EventKind, Fields, Log, PayloadHash, Shape};
use crate::order::{Graph, OrderKind};
use crate::text::{Set, Table, sort_by_key};

/// The name of an answer that is missing from the recording.
struct MissingAnswer(String);

/// The answer of an agent.
#[derive(Default)]
struct Response {
    answer: Option<Exact>,
    /// Whether a handler gave the recorded answer.
    as_recorded: Option<bool>,
    failure: Option<String>,
}

impl Response {
    fn failed(message: String) -> Self {
        Self { failure: Some(message), ..Self::default() }
    }
}

/// How many failures are kept; the trace has all of them.
const KEPT: usize = 100;

/// How a log is replayed.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// In which order.
    pub order: OrderKind,
    /// The names of the tools that the host runs; all others return the recorded result.
    pub live: Set<String>,
    /// The agents with answers from the host's handlers; all others give the recorded answers.
    pub agents: Set<String>,
    /// How much of the trace is kept.
    pub keep: TraceRetention,
}

/// The next request to the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayRequest {
    /// To run a tool and [`Replay::answer`].
    Tool {
        /// The event of the call.
        event: String,
        /// The agent that calls.
        agent: String,
        /// The tool.
        tool: String,
        /// The id of the call, if it has one.
        call: Option<String>,
        /// The arguments as JSON text; `{}` if not recorded.
        arguments: String,
    },
    /// To have an agent answer, and [`Replay::answer`] with the content.
    Response {
        /// The event of the answer.
        event: String,
        /// The agent.
        agent: String,
        /// Messages it received and sent since its last request, or from the beginning: a list as JSON text.
        messages: String,
    },
    /// Nothing: the trace is whole.
    Done,
}

/// A place at which the replay could not do what the log records.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "EventFailure"))]
pub struct Failure {
    /// The id of the event, or the step.
    pub event: String,
    /// The problem, as a clause.
    pub message: String,
}

/// The results of a replay, in addition to its trace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ReplaySummary"))]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// How many events were replayed.
    pub events: usize,
    /// How often a tool was run.
    pub tool_call_count: usize,
    /// How often a handler answered.
    pub answered: usize,
    /// How many of these tools and answers gave a different result than recorded.
    pub changed_results: usize,
    /// How many failures there were.
    pub failed: usize,
    /// The first of them.
    pub failures: Vec<Failure>,
}

/// The replay of one log. It runs no code of the host: [`Replay::advance`] returns the tool to run or the
/// agent to answer next, and [`Replay::answer`] takes the result.
#[derive(Clone, Debug)]
pub struct Replay {
    log: Rc<Log>,
    order: Vec<u32>,
    settings: Settings,
    at: usize,
    /// The request to the host that has no answer yet.
    request: Option<ReplayRequest>,
    done: bool,
    agents: Vec<Agent>,
    /// How many answers of a list were used, by the key of the list.
    used: Table<String, usize>,
    /// The callers of calls with returns that other agents report, by the places of the returns.
    callers: Table<u32, u32>,
    trace: TraceWriter,
    summary: Summary,
}

impl Replay {
    /// Begins a replay of a log without errors. With errors, it replays what has a place in the order.
    ///
    /// ```
    /// use std::rc::Rc;
    /// use transcript_core::events::Log;
    /// use transcript_core::order::Graph;
    /// use transcript_core::verify::{ReplayRequest, Replay, Settings};
    /// let log = Log::read(concat!(
    ///     r#"{"event_id": "46bd969b-9530-4e7e-a4af-29b2a01eb7a2", "type": "state_transition", "agent_id": "bob", "#,
    ///     r#""timestamp_ns": 1, "parent_event_id": null, "payload_hash": "518326b679f26820", "#,
    ///     r#""from_state": "idle", "to_state": "running"}"#,
    /// ).to_owned());
    /// let graph = Graph::from_log(&log);
    /// let mut replay = Replay::new(Rc::new(log), &graph, Settings::default());
    /// assert_eq!(replay.advance(), ReplayRequest::Done);
    /// let lines: Vec<&str> = replay.trace().lines().collect();
    /// assert_eq!(lines[0], r#"{"events":1,"order":"kahn","trace":1}"#);
    /// assert_eq!(lines[2], r#"{"end_of":"bob","events":1,"open_calls":[],"open_tasks":0,"state":"running"}"#);
    /// ```
    #[must_use]
    pub fn new(log: Rc<Log>, graph: &Graph, settings: Settings) -> Self {
        let order = settings.order.sort(graph);
        let mut trace = TraceWriter::new(settings.keep);
        let mut head = trace.line();
        head.count("events", order.len());
        head.text("order", settings.order.name());
        head.count("trace", TRACE_VERSION);
        trace.add(head);
        let agents = vec![Agent::default(); log.agents().len()];
        let summary = Summary::default();
        let (request, done) = (None, false);
        let callers = callers(&log, graph);
        Self {
            log,
            order,
            settings,
            at: 0,
            request,
            done,
            agents,
            used: Table::new(),
            callers,
            trace,
            summary,
        }
    }

    /// Continues to the next request to the host, or to the end. A second call before the answer returns the
    /// same.
    #[must_use]
    pub fn advance(&mut self) -> ReplayRequest {
        let log = Rc::clone(&self.log);
        while let Some(place) = self.order.get(self.at).copied() {
            let Some(event) = log.events().get(place as usize) else { break };
            let fields = log.fields(place as usize);
            if let Some(request) = self.request.clone() {
                return request;
            }
            if let Some(request) = self.next_request(event, &fields) {
                self.request = Some(request.clone());
                return request;
            }
            self.step(place, event, &fields, None);
        }
        self.end();
        ReplayRequest::Done
    }

    /// Sets the outcome of the requested tool or handler; without a request it does nothing.
    pub fn answer(&mut self, outcome: Outcome) {
        let log = Rc::clone(&self.log);
        let place = self.order.get(self.at).copied().filter(|_| self.request.is_some());
        let Some((place, event)) = place.and_then(|place| Some((place, log.events().get(place as usize)?)))
        else {
            return;
        };
        match self.request.take() {
            Some(ReplayRequest::Response { .. }) => self.summary.answered += 1,
            _ => self.summary.tool_call_count += 1,
        }
        self.step(place, event, &log.fields(place as usize), Some(outcome));
    }

    /// The trace so far, whole after [`ReplayRequest::Done`], as far as [`Settings::keep`] keeps it.
    #[must_use]
    pub fn trace(&self) -> &str {
        &self.trace.text
    }

    /// The fingerprints of the trace, one for every [`super::TRACE_BLOCK`] lines: the SHA-256 of their bytes
    /// in hexadecimal digits. They are only there with [`TraceRetention::Prints`], and complete after
    /// [`ReplayRequest::Done`].
    #[must_use]
    pub fn prints(&self) -> &[String] {
        &self.trace.prints
    }

    /// Removes and returns the trace so far, so that a long one need not be kept.
    pub fn take_trace(&mut self) -> String {
        std::mem::take(&mut self.trace.text)
    }

    /// The results so far.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    fn next_request(&mut self, event: &Event, fields: &Fields<'_>) -> Option<ReplayRequest> {
        if event.kind == EventKind::ResponseSent && self.is_answered_for(event) {
            let messages = self.agents.get_mut(event.agent as usize)?.take_news();
            let agent = self.log.agent(event).to_owned();
            return Some(ReplayRequest::Response { event: id_of(event), agent, messages });
        }
        if event.kind != EventKind::ToolCall {
            return None;
        }
        let tool = fields.tool_name?.as_text()?.into_owned();
        self.settings.live.contains(tool.as_str()).then(|| ReplayRequest::Tool {
            event: id_of(event),
            agent: self.log.agent(event).to_owned(),
            tool,
            call: fields.text("call_id"),
            arguments: arguments(fields),
        })
    }

    fn is_answered_for(&self, event: &Event) -> bool {
        self.settings.agents.contains(self.log.agent(event))
    }

    /// An agent's answer: that of the handler, with whether it equals the recorded one, or else the recorded
    /// one.
    fn respond(&mut self, fields: &Fields<'_>, provided: Option<&Outcome>) -> Response {
        let recorded = self.answer_of(fields);
        match (provided, recorded) {
            (None, Ok(answer)) => Response { answer, ..Response::default() },
            (None, Err(MissingAnswer(name))) => {
                Response::failed(format!("the recording has no response `{name}`"))
            }
            (Some(Outcome::Error(message)), _) => Response::failed(format!("the handler failed: {message}")),
            (Some(outcome @ Outcome::Result(answer)), recorded) => {
                let is_same = match recorded {
                    Ok(Some(recorded)) => {
                        PayloadHash::from_value(&recorded) == PayloadHash::from_value(answer)
                    }
                    _ => as_recorded(outcome, fields),
                };
                self.summary.changed_results += usize::from(!is_same);
                Response { answer: Some(answer.clone()), as_recorded: Some(is_same), failure: None }
            }
        }
    }

    /// The agent with a handler that must note an event: the one of the event, or the one that made the call.
    fn note_message(
        &mut self,
        agent: u32,
        event: &Event,
        fields: &Fields<'_>,
        live: Option<&Outcome>,
        answer: Option<&Exact>,
    ) {
        let log = Rc::clone(&self.log);
        if !log.agents().get(agent as usize).is_some_and(|name| self.settings.agents.contains(name)) {
            return;
        }
        let Some(agent) = self.agents.get_mut(agent as usize) else { return };
        match event.kind {
            EventKind::TaskReceived => {
                let name = fields.payload_ref.and_then(Raw::as_text);
                let stored = || Some(Exact::from(log.answer(&name?)?));
                let task = fields.payload.map(Exact::from).or_else(stored).unwrap_or(Exact::Null);
                let content = task.get("content").cloned().unwrap_or(task);
                agent.add_message("user", None, &content);
            }
            EventKind::ToolReturn => {
                let recorded = || fields.hashed().map(|(_, raw)| Exact::from(raw)).unwrap_or(Exact::Null);
                let result = match live {
                    Some(Outcome::Result(value)) => value.clone(),
                    Some(Outcome::Error(message)) => Exact::text(message),
                    None => recorded(),
                };
                agent.add_message("tool", fields.text("call_id").as_deref(), &result);
            }
            EventKind::ResponseSent => {
                if let Some(answer) = answer {
                    agent.add_message("assistant", None, answer);
                }
            }
            _ => {}
        }
    }

    /// Replays one event; `outcome` is that of the host's tool or handler.
    fn step(&mut self, place: u32, event: &Event, fields: &Fields<'_>, outcome: Option<Outcome>) {
        self.at += 1;
        self.summary.events += 1;
        let log = Rc::clone(&self.log);
        let response = match event.kind {
            EventKind::ResponseSent => self.respond(fields, outcome.as_ref()),
            _ => Response::default(),
        };
        let Response { answer, as_recorded: mut matches_recording, mut failure } = response;
        let provided = if outcome.is_some() { answer.as_ref() } else { None };
        let mut call_outcome = None;
        let mut caller = event.agent;
        let mut tool_outcome = None;
        if event.kind == EventKind::ToolReturn
            && let Some((agent, call)) = self.take_call(place, event, fields)
        {
            caller = agent;
            if let Some(outcome) = call.outcome {
                let is_same = as_recorded(&outcome, fields);
                matches_recording = Some(is_same);
                self.summary.changed_results += usize::from(!is_same);
                failure = failed(&outcome, fields);
                tool_outcome = Some(outcome);
            }
        }
        let mut spare = Agent::default();
        let agent = self.agents.get_mut(event.agent as usize).unwrap_or(&mut spare);
        agent.events += 1;
        let mut left_state = None;
        match event.kind {
            EventKind::TaskReceived => agent.tasks += 1,
            EventKind::ResponseSent => agent.tasks = agent.tasks.saturating_sub(1),
            EventKind::StateTransition => {
                left_state = Some(std::mem::replace(&mut agent.state, fields.text("to_state")));
            }
            EventKind::ToolCall => {
                call_outcome = outcome.as_ref().map(Outcome::to_exact);
                let call = fields.text("call_id").unwrap_or_default();
                agent.open(call, OpenCall { event: event.id, outcome: outcome.clone() });
            }
            EventKind::ToolReturn | EventKind::TaskSent | EventKind::Other => {}
        }
        let mut line = self.trace.line();
        line.text("agent_id", log.agent(event));
        line.raw("also_after", fields.also_after);
        line.put_some("answer", answer.as_ref());
        line.raw("arguments", fields.arguments);
        matches_recording.into_iter().for_each(|is_same| line.bool("as_recorded", is_same));
        line.count("at", self.at);
        line.raw("call_id", fields.call_id);
        if caller != event.agent {
            line.text("call_of", log.agents().get(caller as usize).map_or("", String::as_str));
        }
        line.raw("error", fields.error);
        line.id("event_id", event.id, "\"\"");
        failure.iter().for_each(|message| line.text("failure", message));
        line.raw("from_state", fields.from_state);
        line.count("open_calls", agent.calls.len());
        line.count("open_tasks", agent.tasks);
        line.put_some("outcome", call_outcome.as_ref());
        line.id("parent_event_id", event.parent, "null");
        line.raw("payload", fields.payload);
        line.raw("payload_hash", fields.payload_hash);
        line.raw("payload_ref", fields.payload_ref);
        line.raw("recipient_agent_id", fields.recipient_agent_id);
        line.raw("result", fields.result);
        line.raw("sender_agent_id", fields.sender_agent_id);
        line.text_or_null("state", agent.state.as_deref());
        line.raw("success", fields.success);
        line.raw("to_state", fields.to_state);
        line.raw("tool_name", fields.tool_name);
        line.text("type", &fields.kind.or(fields.event_type).and_then(Raw::as_text).unwrap_or_default());
        line.text_or_null("was_state", left_state.as_ref().unwrap_or(&agent.state).as_deref());
        self.trace.add(line);
        self.note_message(caller, event, fields, tool_outcome.as_ref(), provided);
        if let Some(message) = failure {
            self.fail(id_of(event), message);
        }
    }

    /// Removes and returns the open call of a return, with the agent that made it.
    fn take_call(&mut self, place: u32, event: &Event, fields: &Fields<'_>) -> Option<(u32, OpenCall)> {
        let id = fields.text("call_id").unwrap_or_default();
        let caller = self.callers.get(&place).copied();
        [caller, Some(event.agent)]
            .into_iter()
            .flatten()
            .find_map(|agent| Some((agent, self.agents.get_mut(agent as usize)?.calls.remove(&id)?)))
    }

    fn fail(&mut self, event: String, message: String) {
        self.summary.failed += 1;
        if self.summary.failures.len() < KEPT {
            self.summary.failures.push(Failure { event, message });
        }
    }

    /// The answer of an agent: the one in the event itself, or the recording's under its reference.
    fn answer_of(&mut self, fields: &Fields<'_>) -> Result<Option<Exact>, MissingAnswer> {
        if let Some(payload) = fields.payload {
            return Ok(Some(Exact::from(payload)));
        }
        let name = fields.payload_ref.and_then(Raw::as_text);
        let Some(name) = name.filter(|_| self.log.shape() == Shape::Recording) else { return Ok(None) };
        let Some(entry) = self.log.answer(&name) else {
            return Err(MissingAnswer(name.into_owned()));
        };
        let mut turns = Vec::new();
        let entry = match exact::items(entry.text, 0, &mut |turn| turns.push(turn)) {
            // A list has one answer for each use; the last one repeats.
            Ok(_) if !turns.is_empty() => {
                let used = self.used.entry(name.into_owned()).or_default();
                let turn = turns.get(*used).or(turns.last()).copied();
                *used += 1;
                turn.unwrap_or(entry)
            }
            _ => entry,
        };
        let entry = Exact::from(entry);
        Ok(Some(entry.get("content").cloned().unwrap_or(entry)))
    }

    /// Writes the last lines, and counts failures without a return.
    fn end(&mut self) {
        if std::mem::replace(&mut self.done, true) {
            return;
        }
        let log = Rc::clone(&self.log);
        let mut agents: Vec<(&str, Agent)> =
            log.agents().iter().map(String::as_str).zip(std::mem::take(&mut self.agents)).collect();
        sort_by_key(&mut agents, |(name, _)| *name);
        for (name, agent) in agents {
            let mut line = self.trace.line();
            line.text("end_of", name);
            line.count("events", agent.events);
            line.put("open_calls", &Exact::List(agent.calls.keys().map(|call| Exact::text(call)).collect()));
            line.count("open_tasks", agent.tasks);
            line.text_or_null("state", agent.state.as_deref());
            self.trace.add(line);
            for (_, open) in agent.calls {
                if let Some(Outcome::Error(message)) = open.outcome {
                    self.fail(
                        open.event.map(|id| id.to_string()).unwrap_or_default(),
                        format!("a tool of `{name}` failed: {message}"),
                    );
                }
            }
        }
        self.trace.end();
    }
}

fn id_of(event: &Event) -> String {
    event.id.map(|id| id.to_string()).unwrap_or_default()
}

/// The arguments of a call, also if they are its payload: directly, or under `arguments` of a map.
fn arguments(fields: &Fields<'_>) -> String {
    if let Some(arguments) = fields.arguments.filter(|raw| !raw.is_null()) {
        return arguments.text.to_owned();
    }
    let Some(payload) = fields.payload.filter(|raw| raw.kind() == "a map") else { return "{}".to_owned() };
    let mut inner = None;
    // It was read over before.
    _ = exact::members(payload.text, 0, &mut |key, value| {
        if key.text == "\"arguments\"" {
            inner = Some(value.text);
        }
    });
    inner.unwrap_or(payload.text).to_owned()
}

/// Whether the result of a tool matches the hash in the log.
fn as_recorded(outcome: &Outcome, fields: &Fields<'_>) -> bool {
    let hash = fields.payload_hash.and_then(Raw::as_text).and_then(|text| PayloadHash::new(&text));
    match outcome {
        Outcome::Error(_) => is_failure(fields),
        Outcome::Result(value) => hash == Some(PayloadHash::from_value(value)),
    }
}

fn is_failure(fields: &Fields<'_>) -> bool {
    fields.success.is_some_and(|success| success.text == "false")
}

/// Why a return differs from the log: only one of the two tool runs failed.
fn failed(outcome: &Outcome, fields: &Fields<'_>) -> Option<String> {
    let tool = fields.text("tool_name").unwrap_or_default();
    match outcome {
        Outcome::Error(message) if !is_failure(fields) => {
            Some(format!("the tool `{tool}` failed: {message}"))
        }
        Outcome::Result(_) if is_failure(fields) => {
            Some(format!("the tool `{tool}` succeeded, but failed in the recording"))
        }
        _ => None,
    }
}
