//! Builds conversations from the requests and responses of model calls.
//!
//! An agent sends its history again with every request. New in a request is what happened before it: results
//! of tools, and messages of the user. Messages are identified by their content, and equal ones by their
//! count.

mod linear;
mod message_ids;
mod normalize;
mod notes;
mod receive;
mod sent;

use std::collections::VecDeque;

use serde_json::{Map, Value};

use super::run_builder::RunBuilder;
use super::unanswered;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::{AGENT_SETTINGS, Content, ToolRun, turn_call_id};
use crate::parse::json_exactly;
use crate::text::{JsonMap, Set, Span, Table, json, text_or_json};
use crate::time::{Instant, moment};
use crate::wire::{Message, ModelRequest, ModelResponse, ToolCall, parse_logged_arguments};
use crate::write::{self, Entries, tool_call_entry};
pub(super) use receive::ResultMatch;

/// A model call: a request and its outcome.
#[derive(Clone, Debug)]
pub(super) struct Exchange {
    /// The line of it, from 1, and its place in the text.
    pub line: u32,
    pub span: Span,
    /// Who called; empty where that is not known.
    pub agent: String,
    /// The number of its conversation, from 0.
    pub lane: usize,
    /// Whether the log contains the request.
    pub is_request_known: bool,
    /// The request, with the history that the vendor keeps.
    pub request: ModelRequest,
    pub outcome: Outcome,
    pub time: Option<String>,
    /// Other data of the call.
    pub about: Map<String, Value>,
}

impl Exchange {
    /// A call in a file with one agent and one conversation that does not contain complete requests.
    pub(super) fn single_agent(
        (line, span): (u32, Span),
        request: ModelRequest,
        outcome: Outcome,
        time: Option<String>,
        about: Map<String, Value>,
    ) -> Self {
        let agent = String::new();
        Self { line, span, agent, lane: 0, is_request_known: false, request, outcome, time, about }
    }
}

/// The outcome of a model call.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    Answer(Box<ModelResponse>),
    Error(Map<String, Value>),
}

/// The outcome of a tool call, if the log has more than the message to the model.
#[derive(Clone, Debug, Default)]
pub(super) struct ToolOutcome {
    /// The result, where it has more than the message to the model.
    pub result: Option<Value>,
    pub error: Option<String>,
    pub time: Option<String>,
    /// Other known data.
    pub about: Map<String, Value>,
}

/// A message of the store.
#[derive(Clone, Debug)]
struct StoredMessage {
    id: String,
    key: String,
    role: String,
}

/// One of several conversations of a run.
#[derive(Debug, Default)]
struct Lane {
    /// The messages by their content.
    by_key: Table<String, Vec<usize>>,
    /// The message that has a call, by the id of the call.
    by_call: Table<String, usize>,
    /// Calls without a result so far, with the agents that made them.
    open: VecDeque<ToolCall>,
    /// Calls of messages without a response in this log: the history began before the recording.
    history_calls: VecDeque<ToolCall>,
    /// How often models were called when one was called here last.
    call_count: usize,
    /// The local ids of calls, by their ids from the model: one that it used twice has two.
    ids: Table<String, Vec<String>>,
    agent: String,
}

/// A run: one conversation, or several side by side.
#[derive(Debug, Default)]
pub(super) struct Conversation {
    run: RunBuilder,
    stored: Vec<StoredMessage>,
    lanes: Vec<Lane>,
    /// The index of the current lane.
    at: usize,
    /// How often models were called.
    call_count: usize,
    /// The turns that were sent every message before them, each with how many these are.
    sent_all: Vec<(usize, usize)>,
    /// How many references to messages all turns have.
    references: usize,
    /// The time of the last turn that has one.
    last: Option<Instant>,
    /// The ids of all calls.
    call_ids: Set<String>,
    /// The ids of the calls that have a result.
    answered_calls: Set<String>,
    /// How tools ran, by the ids of their calls.
    tool_outcomes: Table<String, ToolOutcome>,
    /// How the calls of the next answer ran, by their places in it.
    next: Vec<(usize, ToolOutcome)>,
    pending: notes::PendingResults,
    /// How many results are missing before each model call, with the place of the call.
    missing: Vec<(usize, Span)>,
    /// The place of the entry that is being added.
    span: Span,
    notes: notes::Notes,
    /// The tools that each agent has called.
    called_tools: Vec<(String, Vec<String>)>,
    /// The settings of the first call of each agent.
    agents: Vec<(String, Map<String, Value>)>,
    linear: linear::LinearState,
}

/// The key that identifies a message: its role, content and calls, without client metadata.
pub(super) fn message_key(message: &Message) -> String {
    let calls =
        message.calls.iter().map(|call| json!([call.id, call.name, parse_logged_arguments(&call.arguments)]));
    let calls: Value = calls.collect();
    let (role, id) = (Value::from(message.role.as_str()), json!(message.tool_call_id));
    format!("[{role},{},{calls},{id}]", message.content)
}

/// The run of a tool, in the form of a turn.
fn tool_run(call: &ToolCall, result: &Value, error: Option<&str>) -> Value {
    let error = error.map(|error| Content::Text(error.into()));
    let parameters = parse_logged_arguments(&call.arguments);
    write::tool_run(&ToolRun::new(Some(&call.id), &call.name, parameters, result.clone(), error))
}

/// A message in written form: one of the store has an id.
fn message_entry(id: Option<String>, message: &Message, agent: &str) -> Entries {
    let is_stored = id.is_some();
    let calls = message
        .calls
        .iter()
        .map(|call| tool_call_entry(&call.id, &call.name, parse_logged_arguments(&call.arguments)));
    Entries::default()
        .with("id", id.map(Value::from))
        .with("role", Value::from(message.role.as_str()))
        .with("agent", (!agent.is_empty()).then(|| agent.into()))
        .with("tool_call_id", message.tool_call_id.as_deref().map(Value::from))
        .with("tool_name", message.name.as_deref().map(Value::from))
        .with("content", message.content.clone())
        .with("tool_calls", (!message.calls.is_empty()).then(|| calls.collect::<Value>()))
        .with("visible", is_stored.then_some(Value::Bool(true)))
        .with("metadata", (!message.others.is_empty()).then(|| message.others.clone().into()))
}

/// The result and error of a tool call. The tool's own outcome takes precedence over the message to the model.
fn result_and_error(
    message: &Message,
    result: Option<Value>,
    error: Option<String>,
) -> (Value, Option<String>) {
    let parsed = || match &message.content {
        Value::String(text) => json_exactly(text).unwrap_or_else(|| text.as_str().into()),
        other => other.clone(),
    };
    let error = error.or_else(|| message.is_error.then(|| text_or_json(&message.content)));
    let result = match &error {
        Some(_) => result.unwrap_or_default(),
        None => result.unwrap_or_else(parsed),
    };
    (result, error)
}

/// Makes the assistant message of a response.
pub(super) fn message_from_response(answer: &ModelResponse) -> Message {
    Message { calls: answer.calls.clone(), ..Message::new("assistant", answer.content.as_str()) }
}

impl Conversation {
    /// Sets the outcome of a tool call with its result in the next request.
    pub(super) fn set_tool_outcome(&mut self, call: &str, tool_outcome: ToolOutcome) {
        self.tool_outcomes.insert(call.to_owned(), tool_outcome);
    }

    /// Sets the outcomes of the calls of the next response by position: a model may use one id for several calls.
    pub(super) fn set_next_tool_outcomes(&mut self, tool_outcome: Vec<(usize, ToolOutcome)>) {
        self.next = tool_outcome;
    }

    fn lane(&self) -> Option<&Lane> {
        self.lanes.get(self.at)
    }

    fn lane_mut(&mut self) -> &mut Lane {
        if self.lanes.len() <= self.at {
            self.lanes.resize_with(self.at + 1, Lane::default);
        }
        let at = self.at;
        // The list was made long enough above.
        #[expect(clippy::indexing_slicing, reason = "the list is longer than the place")]
        &mut self.lanes[at]
    }

    /// A turn that begins. A time before that of the previous turn, as in parallel work, is left out.
    fn turn(&mut self, kind: &str, agent: &str, time: Option<&str>) -> Entries {
        let read = time.and_then(|time| moment(&time.into()));
        let is_later = time.is_some_and(|time| self.is_in_order(time));
        let time = time.filter(|_| is_later);
        self.last = read.filter(|_| is_later).map(|read| read.instant).or(self.last);
        self.run.turn(kind, agent, time)
    }

    /// Adds a message to the store, and returns it in stored form.
    fn store(&mut self, message: &Message, agent: &str) -> Entries {
        let id = self.next_id();
        self.linear.ids.note(&id);
        let at = self.stored.len();
        let key = message_key(message);
        let lane = self.lane_mut();
        lane.by_key.entry(key.clone()).or_default().push(at);
        for call in &message.calls {
            lane.by_call.insert(call.id.clone(), at);
        }
        self.stored.push(StoredMessage { id: id.clone(), key, role: message.role.clone() });
        if let Some(call) = message.tool_call_id.as_ref().filter(|_| message.role == "tool") {
            self.answered_calls.insert(call.clone());
        }
        message_entry(Some(id), message, agent)
    }

    /// Adds a message that a model was sent: before the first turn, or as a turn of its own; the result of an open call
    /// as the run of its tool.
    fn append_message(&mut self, message: &Message, agent: &str, time: Option<&str>) {
        let by_id = |call: &ToolCall| Some(&call.id) == message.tool_call_id.as_ref();
        // Before calls had ids, they were answered by name.
        let by_name =
            |call: &ToolCall| message.tool_call_id.is_none() && message.name.as_ref() == Some(&call.name);
        let is_tool = message.role == "tool";
        let open = self.lane_mut().open.iter().position(|call| is_tool && (by_id(call) || by_name(call)));
        let Some(open) = open else {
            let is_nameless = is_tool && message.tool_call_id.is_none();
            let is_free = |call: &ToolCall| by_name(call) && !self.answered_calls.contains(&call.id);
            let answered_call = self
                .lane()
                .filter(|_| is_nameless)
                .and_then(|lane| lane.history_calls.iter().position(is_free));
            let answered_call = answered_call.and_then(|at| self.lane_mut().history_calls.remove(at));
            let named = answered_call.map(|call| Message { tool_call_id: Some(call.id), ..message.clone() });
            let named = named.or_else(|| self.without_unknown_call(message));
            let mut created = self.store(named.as_ref().unwrap_or(message), agent);
            if !self.run.has_turns() {
                created.put("timestamp", time.map(Value::from));
            }
            let created = created.into_value();
            if named.is_some() {
                self.index_as(message);
            }
            self.lane_mut().history_calls.extend(message.calls.iter().cloned());
            if self.run.has_turns() {
                let turn = self.turn("message", agent, time);
                self.run.push_turn(turn, Some(created));
            } else {
                self.run.initial.push(created);
            }
            return;
        };
        let Some(call) = self.lane_mut().open.remove(open) else { return };
        let tool_outcome = self.tool_outcomes.remove(&call.id).unwrap_or_default();
        let mut named =
            Message { tool_call_id: Some(call.id.clone()), name: Some(call.name.clone()), ..message.clone() };
        named.others.extend(tool_outcome.about);
        let (result, error) = result_and_error(message, tool_outcome.result, tool_outcome.error);
        let run = tool_run(&call, &result, error.as_deref());
        let time = tool_outcome.time.as_deref().or(time);
        let turn = self.turn("tool_call", agent, time).with("tool_call", run);
        let created = self.store(&named, agent).into_value();
        if message.tool_call_id.is_none() {
            self.index_as(message);
        }
        self.run.push_turn(turn, Some(created));
    }

    /// Indexes the last message under its original key too, so that a result without a call id is recognized again.
    fn index_as(&mut self, message: &Message) {
        let at = self.stored.len().saturating_sub(1);
        self.lane_mut().by_key.entry(message_key(message)).or_default().push(at);
    }

    /// Gives each open call its known outcome. While the run continues, a placeholder turn is kept for a
    /// result that may come later. Returns how many calls have no result.
    fn close_open_calls(&mut self, agent: &str, is_end: bool) -> usize {
        let mut lost = 0;
        let lane = self.lane_mut();
        let (open, mut history_calls) =
            (std::mem::take(&mut lane.open), std::mem::take(&mut lane.history_calls));
        history_calls.retain(|call| !self.answered_calls.contains(&call.id));
        for call in history_calls.into_iter().chain(open) {
            let mut tool_outcome = self.tool_outcomes.remove(&call.id);
            // A log may show that a tool ran, but not what it returned.
            if let Some(run) = tool_outcome.take_if(|run| run.result.is_none() && run.error.is_none()) {
                self.keep_run(&call, run);
            }
            if tool_outcome.is_none() {
                lost += 1;
                if is_end {
                    continue;
                }
                let (turn, known, call_count) = (self.run.turns.len(), self.stored.len(), self.call_count);
                self.pending.insert(
                    call.id.clone(),
                    notes::PendingResult { turn, known, call_count, is_resolved: false },
                );
            }
            let tool_outcome = tool_outcome.unwrap_or_default();
            let (result, error) = match (tool_outcome.result, tool_outcome.error) {
                (None, None) => (Value::Null, Some(NO_RESULT.to_owned())),
                (result, error) => (result.unwrap_or_default(), error),
            };
            let run = tool_run(&call, &result, error.as_deref());
            let turn = self.turn("tool_call", agent, tool_outcome.time.as_deref()).with("tool_call", run);
            let content = error.clone().unwrap_or_else(|| text_or_json(&result));
            let message = Message {
                name: Some(call.name.clone()),
                others: tool_outcome.about,
                ..Message::result(Some(&call.id), content)
            };
            let created = self.store(&message, agent).into_value();
            self.run.push_turn(turn, Some(created));
        }
        lost
    }

    /// Adds the results that came after the last model call, and returns all diagnostics. `nothing` and
    /// `call` are the words for a missing result, and for a call, in the diagnostics.
    pub(super) fn finish(&mut self, nothing: &str, call: &str) -> Vec<Diagnostic> {
        let mut missing = self.missing_results();
        // Calls without a result though a model was called after them in another conversation.
        let lost = self.close();
        missing.extend(self.missing.last().filter(|_| lost > 0).map(|(_, span)| (lost, *span)));
        let message = |lost: usize| match lost {
            1 => format!("{nothing} has the result of a call before {call}"),
            lost => format!("{nothing} has the results of {lost} calls before {call}"),
        };
        let missing = missing.into_iter().map(|(lost, span)| {
            Diagnostic::new(codes::LOG_PAIR, Severity::Warning, span, message(lost)).help(unanswered::HELP)
        });
        self.take_diagnostics().into_iter().chain(missing).collect()
    }

    /// Adds the results that came after the last model call. Returns how many calls have none although
    /// another conversation called a model after them.
    pub(super) fn close(&mut self) -> usize {
        let mut lost = 0;
        for at in 0..self.lanes.len() {
            self.at = at;
            let (agent, call_count) =
                self.lane().map(|lane| (lane.agent.clone(), lane.call_count)).unwrap_or_default();
            let is_end = call_count == self.call_count;
            let open = self.close_open_calls(&agent, is_end);
            lost += if is_end { 0 } else { open };
        }
        lost
    }

    /// Adds a model call.
    pub(super) fn add_exchange(&mut self, exchange: Exchange) {
        let Exchange { line, span, agent, lane, is_request_known, request, outcome, time, about } = exchange;
        self.at = lane;
        self.span = span;
        self.lane_mut().agent.clone_from(&agent);
        self.call_count += 1;
        let messages = self.with_local_call_ids(request.messages);
        let sent = self.sent_references(&messages, &agent);
        self.lane_mut().call_count = self.call_count;
        let lost = self.close_open_calls(&agent, false);
        self.missing.push((lost, span));
        let sent = is_request_known.then(|| self.shortened(sent));
        let mut config = Entries::default();
        config.put("model", request.model.map(Value::from));
        config.put("tools", (!request.tools.is_empty()).then_some(Value::Array(request.tools)));
        let mut unfit = Map::new();
        for (key, value) in request.config {
            let is_fit = !NUMBERS.contains(&key.as_str()) || value.is_number() || value.is_null();
            let place = if is_fit { &mut config.0 } else { &mut unfit };
            place.insert(key, value);
        }
        let of_agent = self.agents.iter().find(|(name, _)| *name == agent).map(|(_, config)| config);
        match of_agent {
            Some(common) => config.0.retain(|key, value| common.get(key) != Some(value)),
            None => {
                let is_common = |key: &String| AGENT_SETTINGS.contains(&key.as_str());
                let (common, own): (Map<_, _>, Map<_, _>) =
                    config.0.into_iter().partition(|(key, _)| is_common(key));
                config.0 = own;
                self.agents.push((agent.clone(), common));
            }
        }
        let turn = self.turn("llm_call", &agent, time.as_deref());
        let mut about = about;
        if !unfit.is_empty() {
            about.put("llm_config", unfit.into());
        }
        if let Some(time) = time.filter(|_| !turn.0.contains_key("timestamp")) {
            about.put("time", time.into());
        }
        let turn = turn.with("messages_sent_to_llm", sent).with("llm_config", config.unless_empty());
        match outcome {
            Outcome::Error(error) => {
                self.next.clear();
                let mut error = error;
                error.put("line", line.into());
                error.extend(about);
                self.run.push_turn(turn.with("llm_error", Value::Object(error)), None);
            }
            Outcome::Answer(answer) => {
                let (response, created) = self.add_response(*answer, line, &agent, about);
                self.run.push_turn(turn.with("llm_response", response), Some(created));
            }
        }
    }

    /// Adds a response: returns it and its message.
    fn add_response(
        &mut self,
        mut answer: ModelResponse,
        line: u32,
        agent: &str,
        about: Map<String, Value>,
    ) -> (Value, Value) {
        for (at, call) in answer.calls.iter_mut().enumerate() {
            let wanted = match call.id.as_str() {
                "" => turn_call_id(self.run.next_turn(), at + 1),
                id => id.to_owned(),
            };
            call.id = self.new_id(&call.id, wanted);
        }
        for (place, tool_outcome) in std::mem::take(&mut self.next) {
            if let Some(call) = answer.calls.get(place) {
                self.tool_outcomes.insert(call.id.clone(), tool_outcome);
            }
        }
        self.lane_mut().open.extend(answer.calls.iter().cloned());
        let at = self.called_tools.iter().position(|(name, _)| name == agent).unwrap_or_else(|| {
            self.called_tools.push((agent.to_owned(), Vec::new()));
            self.called_tools.len() - 1
        });
        if let Some((_, known)) = self.called_tools.get_mut(at) {
            for call in &answer.calls {
                if !known.contains(&call.name) {
                    known.push(call.name.clone());
                }
            }
        }
        let message = message_from_response(&answer);
        let mut created = self.store(&message, agent);
        created.put("reasoning", answer.reasoning.as_deref().map(Value::from));
        created.put("refusal", answer.refusal.as_deref().map(Value::from));
        let raw = answer.calls.iter().map(|call| {
            let arguments = match &call.arguments {
                Value::Null => "{}".to_owned(),
                data => text_or_json(data),
            };
            tool_call_entry(&call.id, &call.name, arguments.into())
        });
        let mut metadata = Map::new();
        metadata.put("line", line.into());
        metadata.extend(about);
        metadata.extend(answer.metadata);
        let mut out = Entries::default();
        out.put("role", Value::from("assistant"));
        out.put("content", Value::from(answer.content));
        out.put("tool_calls", (!answer.calls.is_empty()).then(|| raw.collect::<Value>()));
        out.put("reasoning", answer.reasoning.map(Value::from));
        out.put("refusal", answer.refusal.map(Value::from));
        let facts =
            [("usage", answer.usage), ("finish_reason", answer.finish_reason), ("model", answer.model)];
        for (key, value) in facts {
            // A damaged log may have anything there.
            let Some(value) = value.filter(|value| !value.is_null()) else { continue };
            let is_fit = if key == "usage" { value.is_object() } else { value.is_string() };
            let place = if is_fit { &mut out.0 } else { &mut metadata };
            place.put(key, value);
        }
        out.put("id", answer.id.map(Value::from));
        out.put("chunks", (!answer.chunks.is_empty()).then_some(Value::Array(answer.chunks)));
        out.put("metadata", Value::Object(metadata));
        (out.into_value(), created.into_value())
    }

    /// Sets a configuration entry of an agent.
    pub(super) fn set_agent_setting(&mut self, agent: &str, key: &str, value: Value) {
        if let Some((_, config)) = self.agents.iter_mut().find(|(name, _)| name == agent) {
            config.entry(key).or_insert(value);
        }
    }

    /// The names of the tools that an agent has called.
    pub(super) fn called_tools(&self, agent: &str) -> &[String] {
        self.called_tools.iter().find(|(name, _)| name == agent).map_or(&[], |(_, tools)| tools)
    }
}

/// The settings of a model call that are numbers. A damaged log may have anything there, which is kept in the metadata.
const NUMBERS: [&str; 4] = ["temperature", "max_tokens", "top_p", "seed"];

/// The text for a result that no request has.
const NO_RESULT: &str = "no request has the result of this call";
