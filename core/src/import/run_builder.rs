//! Builds the run of one agent from the entries of a log.

use serde_json::{Map, Value};

use super::unanswered;
use crate::model::{Content, ToolRun};
use crate::text::{Set, json_line, text_or_json};
use crate::wire::ToolCall;
use crate::write::{
    self, Entries, TranscriptParts, final_state_entry, initial_state_entry, tool_call_entry, turn_entry,
};

/// Builds the run of one agent.
#[derive(Debug, Default)]
pub(super) struct RunBuilder {
    initial: Vec<Value>,
    turns: Vec<Value>,
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
    fn message(&mut self, role: &str, content: Value) -> Entries {
        self.messages += 1;
        Entries::default()
            .with("id", Value::from(message_id(self.messages)))
            .with("role", Value::from(role))
            .with("content", content)
    }

    fn turn(&self, kind: &str, time: Option<&str>) -> Entries {
        turn_entry(self.turns.len() + 1, kind, None, time)
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
        let is_first = self.turns.is_empty();
        let mut message = self.message(role, text.into());
        if is_first {
            message.put("timestamp", time.map(Value::from));
        }
        message.put("visible", Value::Bool(true));
        message.put("metadata", metadata);
        match is_first {
            true => self.initial.push(message.into_value()),
            false => {
                let turn = self.turn("message", time).with("message_created", message.into_value());
                self.turns.push(turn.into_value());
            }
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
        let turn = self.turn("llm_call", time);
        let turn =
            turn.with("llm_response", written.into_value()).with("message_created", message.into_value());
        self.turns.push(turn.into_value());
    }

    /// Adds a call of the model that failed.
    pub(super) fn add_failure(&mut self, error: Entries, time: Option<&str>) {
        self.answers += 1;
        let turn = self.turn("llm_call", time).with("llm_error", error.into_value());
        self.turns.push(turn.into_value());
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
        let turn = self.turn("tool_call", time).with("tool_call", write::tool_run(&run));
        let turn = turn.with("message_created", message.into_value());
        self.turns.push(turn.into_value());
    }

    /// Notes which calls have no result, by their ids.
    pub(super) fn note_unanswered(&mut self, ids: &Set<String>) {
        unanswered::mark_unanswered(unanswered::created_messages(&mut self.turns), ids);
    }

    /// The run as a transcript. The messages that the model was sent are not in it: no log has them.
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

fn message_id(number: usize) -> String {
    format!("msg_{number:03}")
}
