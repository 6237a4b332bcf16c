//! Builds the run of one agent from the entries of a log.

use serde_json::{Value, json};

use super::entries::Entries;
use super::unanswered;
use crate::model::VERSION;
use crate::text::{Set, json_line};
use crate::wire::ToolCall;
use crate::wire::openai_chat::encode_call;

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
        let id = format!("msg_{:03}", self.messages);
        Entries::default()
            .with("id", Value::from(id))
            .with("role", Value::from(role))
            .with("content", content)
    }

    fn turn(&self, kind: &str, time: Option<&str>) -> Entries {
        Entries::default()
            .with("turn", Value::from(self.turns.len() + 1))
            .with("type", Value::from(kind))
            .with("timestamp", time.map(Value::from))
    }

    /// How often the model was called so far, failures among them.
    pub(super) fn model_call_count(&self) -> usize {
        self.answers
    }

    /// Adds what a person or the system said: before the first turn, or as a turn of its own.
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

    /// Adds an answer of the model, of which `response` says more than its `content` and calls.
    pub(super) fn add_response(
        &mut self,
        content: &str,
        calls: &[ToolCall],
        response: Entries,
        time: Option<&str>,
    ) {
        self.answers += 1;
        let listed = |is_text: bool| {
            let list = calls.iter().map(|one| match is_text {
                true => encode_call(&one.id, &one.name, json_line(&one.arguments).into()),
                false => encode_call(&one.id, &one.name, one.arguments.clone()),
            });
            (!calls.is_empty()).then(|| list.collect::<Value>())
        };
        let mut written = Entries::default().with("role", Value::from("assistant"));
        written.put("content", Value::from(content));
        written.put("tool_calls", listed(true));
        written.0.extend(response.0);
        let mut message = self.message("assistant", content.into());
        message.put("tool_calls", listed(false));
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
        let content = match visible_result {
            Value::String(text) => text,
            visible_result => json_line(&visible_result),
        };
        let mut message = self.message("tool", content.into());
        let content = message.0.shift_remove("content");
        message.put("tool_call_id", Value::from(call.id.as_str()));
        message.put("tool_name", Value::from(call.name.as_str()));
        message.put("content", content);
        message.put("visible", Value::Bool(true));
        message.put("metadata", metadata);
        let ran = json!({
            "id": call.id,
            "tool_name": call.name,
            "parameters": call.arguments,
            "result": result,
            "success": error.is_none(),
            "error": error,
        });
        let turn =
            self.turn("tool_call", time).with("tool_call", ran).with("message_created", message.into_value());
        self.turns.push(turn.into_value());
    }

    /// Notes which calls have no result, by their ids.
    pub(super) fn note_unanswered(&mut self, ids: &Set<String>) {
        unanswered::mark_unanswered(unanswered::created_messages(&mut self.turns), ids);
    }

    /// The run as a transcript. What the model was sent is nowhere in it: no log tells that.
    pub(super) fn transcript(self, metadata: Entries, tools: Vec<String>) -> Value {
        let mut store = Vec::with_capacity(self.messages);
        let mut visible = Vec::with_capacity(self.messages);
        for number in 1..=self.messages {
            let id = format!("msg_{number:03}");
            store.push(json!({ "ref": id }));
            visible.push(Value::from(id));
        }
        let mut config = Entries::default();
        config.put("tools", (!tools.is_empty()).then(|| Value::from(tools)));
        json!({
            "version": VERSION,
            "metadata": metadata.into_value(),
            "agent_config": config.into_value(),
            "initial_state": {"context": {}, "message_store": self.initial},
            "execution": self.turns,
            "final_state": {"context": {}, "message_store": store, "visible_messages": visible},
        })
    }
}
