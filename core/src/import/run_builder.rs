//! Builds the run of one agent from the entries of a log.

use serde_json::{Map, Value};

use super::unanswered;
use crate::model::{Content, ToolRun, message_id};
use crate::text::{Set, json_line, text_or_json};
use crate::wire::ToolCall;
use crate::write::{
    self, Entries, TranscriptParts, final_state_entry, initial_state_entry, tool_call_entry, turn_entry,
};

/// The messages and turns of a run, in their order. Importers of events and fixtures build the run with it.
/// `Conversation` takes its turns from here, and its message ids from `conversation/message_ids.rs`.
#[derive(Debug, Default)]
pub(super) struct RunBuilder {
    /// The messages before the first turn.
    pub initial: Vec<Value>,
    pub turns: Vec<Value>,
    messages: usize,
    /// How often the model was called.
    answers: usize,
}

/// The result of a tool call.
pub(super) struct ToolResult {
    /// The result, and the content that the model received.
    pub result: Value,
    pub visible_result: Value,
    pub error: Option<String>,
    pub metadata: Option<Value>,
}

impl RunBuilder {
    /// Whether there is a turn.
    pub(super) fn has_turns(&self) -> bool {
        !self.turns.is_empty()
    }

    /// The number of the next turn, from 1.
    pub(super) fn next_turn(&self) -> usize {
        self.turns.len() + 1
    }

    /// The id of the next message of a log without message ids.
    pub(super) fn new_message_id(&mut self) -> String {
        self.messages += 1;
        message_id(self.messages)
    }

    /// The next turn without its content, for [`RunBuilder::push_turn`].
    pub(super) fn turn(&self, kind: &str, agent: &str, time: Option<&str>) -> Entries {
        turn_entry(self.next_turn(), kind, Some(agent).filter(|agent| !agent.is_empty()), time)
    }

    /// Adds a turn, with the message that it created.
    pub(super) fn push_turn(&mut self, turn: Entries, message: Option<Value>) {
        self.turns.push(turn.with("message_created", message).into_value());
    }

    /// The last message; `None` if the last turn created none.
    pub(super) fn last_message(&self) -> Option<&Value> {
        match self.turns.last() {
            Some(turn) => turn.get("message_created"),
            None => self.initial.last(),
        }
    }

    /// The same, mutable.
    pub(super) fn last_message_mut(&mut self) -> Option<&mut Value> {
        match self.turns.last_mut() {
            Some(turn) => turn.get_mut("message_created"),
            None => self.initial.last_mut(),
        }
    }

    fn message(&mut self, role: &str, content: Value) -> Entries {
        Entries::default()
            .with("id", Value::from(self.new_message_id()))
            .with("role", Value::from(role))
            .with("content", content)
    }

    /// How often the model was called so far, failures among them.
    pub(super) fn model_call_count(&self) -> usize {
        self.answers
    }

    /// Adds a message of the user or the system: before the first turn, or as a turn of its own.
    pub(super) fn add_message(
        &mut self,
        role: &str,
        text: &str,
        time: Option<&str>,
        metadata: Option<Value>,
    ) {
        let message = self.message(role, text.into());
        self.push_message(message, time, metadata);
    }

    /// Adds a result without a call as a message.
    pub(super) fn add_tool_message(
        &mut self,
        tool: Option<&str>,
        content: &Value,
        time: Option<&str>,
        metadata: Option<Value>,
    ) {
        let mut message = self.message("tool", text_or_json(content).into());
        message.put("tool_name", tool.map(Value::from));
        self.push_message(message, time, metadata);
    }

    fn push_message(&mut self, mut message: Entries, time: Option<&str>, metadata: Option<Value>) {
        if !self.has_turns() {
            message.put("timestamp", time.map(Value::from));
        }
        message.put("visible", Value::Bool(true));
        message.put("metadata", metadata);
        match self.has_turns() {
            false => self.initial.push(message.into_value()),
            true => self.push_turn(self.turn("message", "", time), Some(message.into_value())),
        }
    }

    /// Adds an answer of the model; `response` has more than its `content` and calls.
    pub(super) fn add_response(
        &mut self,
        content: &str,
        calls: &[ToolCall],
        response: Entries,
        time: Option<&str>,
    ) {
        self.answers += 1;
        let listed = |arguments: fn(&Value) -> Value| {
            let list =
                calls.iter().map(|call| tool_call_entry(&call.id, &call.name, arguments(&call.arguments)));
            (!calls.is_empty()).then(|| list.collect::<Value>())
        };
        let mut written = Entries::default().with("role", Value::from("assistant"));
        written.put("content", Value::from(content));
        written.put("tool_calls", listed(|arguments| json_line(arguments).into()));
        written.0.extend(response.0);
        let mut message = self.message("assistant", content.into());
        message.put("tool_calls", listed(Value::clone));
        message.put("reasoning", written.0.get("reasoning").cloned());
        message.put("visible", Value::Bool(true));
        let turn = self.turn("llm_call", "", time).with("llm_response", written.into_value());
        self.push_turn(turn, Some(message.into_value()));
    }

    /// Adds a call of the model that failed.
    pub(super) fn add_failure(&mut self, error: Entries, time: Option<&str>) {
        self.answers += 1;
        self.push_turn(self.turn("llm_call", "", time).with("llm_error", error.into_value()), None);
    }

    /// Adds the result of a call.
    pub(super) fn add_result(&mut self, call: &ToolCall, outcome: ToolResult, time: Option<&str>) {
        let ToolResult { result, visible_result, error, metadata } = outcome;
        let mut message = self.message("tool", text_or_json(&visible_result).into());
        let content = message.0.shift_remove("content");
        message.put("tool_call_id", Value::from(call.id.as_str()));
        message.put("tool_name", Value::from(call.name.as_str()));
        message.put("content", content);
        message.put("visible", Value::Bool(true));
        message.put("metadata", metadata);
        let error = error.map(|error| Content::Text(error.into()));
        let run = ToolRun::new(Some(&call.id), &call.name, call.arguments.clone(), result, error);
        let turn = self.turn("tool_call", "", time).with("tool_call", write::tool_run(&run));
        self.push_turn(turn, Some(message.into_value()));
    }

    /// The messages that turns created.
    pub(super) fn created_messages(&mut self) -> impl Iterator<Item = &mut Value> {
        created_messages(&mut self.turns)
    }

    /// Marks in all messages which calls have no result, by their ids.
    pub(super) fn mark_unanswered(&mut self, ids: &Set<String>) {
        let created = created_messages(&mut self.turns);
        unanswered::mark_unanswered(self.initial.iter_mut().chain(created), ids);
    }

    /// The run as a transcript. It lacks the messages that the model was sent: no log has them.
    pub(super) fn transcript(self, metadata: Entries, tools: Vec<String>) -> Value {
        let ids: Vec<String> = (1..=self.messages).map(message_id).collect();
        let config = Entries::default().with("tools", (!tools.is_empty()).then(|| Value::from(tools)));
        let parts = TranscriptParts {
            metadata: metadata.into_value(),
            config: Some(config.0),
            initial_state: initial_state_entry(Map::new(), self.initial),
            turns: self.turns,
            final_state: final_state_entry(Map::new(), ids.iter().map(|id| (id.as_str(), true)), None),
            ..TranscriptParts::default()
        };
        parts.into_value()
    }
}

/// The messages that turns created, in order.
fn created_messages(turns: &mut [Value]) -> impl Iterator<Item = &mut Value> {
    turns.iter_mut().filter_map(|turn| turn.get_mut("message_created"))
}
