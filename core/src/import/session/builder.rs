//! The steps of one entry of a session.

use serde_json::{Map, Value};

use super::super::conversation::ToolOutcome;
use super::super::items::{At, message_step};
use super::super::keys::text;
use super::super::steps::{Step, StepKind};
use super::super::values::Entry;
use crate::text::{Span, json};
use crate::time::{from_epoch, moment};
use crate::wire::{Message, ModelRequest, ModelResponse, ToolCall};
use crate::write::Entries;

/// Collects the steps of the entries of a session, in order.
#[derive(Debug)]
pub(in super::super) struct SessionBuilder {
    at: At,
    pub(super) steps: Vec<Step>,
    /// What the session says of itself.
    pub head: Map<String, Value>,
    /// The model of answers that name none.
    pub model: Option<String>,
}

/// An answer of a model. Empty texts count as absent.
#[derive(Debug, Default)]
pub(in super::super) struct Answer {
    pub id: Option<String>,
    pub model: Option<String>,
    pub content: String,
    pub reasoning: String,
    pub calls: Vec<ToolCall>,
    pub usage: Option<Value>,
    pub finish_reason: Option<Value>,
    /// Its other data.
    pub others: Map<String, Value>,
}

/// The result of a call.
#[derive(Debug, Default)]
pub(in super::super) struct ToolResult {
    pub content: Value,
    pub is_error: bool,
    /// Its time, if it is not that of the entry.
    pub time: Option<String>,
    /// Its other data.
    pub others: Map<String, Value>,
}

impl SessionBuilder {
    pub(super) fn new(head: Map<String, Value>) -> Self {
        let at = At { line: 0, span: Span::empty(0), time: None };
        Self { at, steps: Vec::new(), head, model: None }
    }

    /// Begins an entry.
    pub(super) fn begin(&mut self, entry: &Entry) {
        let time = text(&entry.value, "timestamp").map(str::to_owned);
        self.at = At { line: entry.line, span: entry.span, time };
    }

    /// Sets the time of the entry, in milliseconds since the beginning of 1970.
    pub(in super::super) fn set_time(&mut self, milliseconds: Option<&Value>) {
        self.at.time = milliseconds.and_then(from_milliseconds);
    }

    /// Sets the time of the entry, in any form.
    pub(in super::super) fn set_moment(&mut self, time: Option<&Value>) {
        self.at.time = time.and_then(moment).map(|moment| moment.text);
    }

    /// Adds a message that no model wrote.
    pub(in super::super) fn message(
        &mut self,
        role: &str,
        content: impl Into<Value>,
        others: Map<String, Value>,
    ) {
        let mut message = Message { others, ..Message::new(role, content) };
        message.others.insert("line".to_owned(), self.at.line.into());
        self.steps.push(message_step(message, ToolOutcome::default(), self.at.clone()));
    }

    /// Adds the result of a call.
    pub(in super::super) fn result(&mut self, call: &ToolCall, result: ToolResult) {
        let ToolResult { content, is_error, time, others } = result;
        let mut message = Message {
            is_error,
            others,
            ..Message::result(Some(&call.id).filter(|id| !id.is_empty()).map(String::as_str), content)
        };
        message.name = Some(call.name.clone()).filter(|name| !name.is_empty());
        message.others.insert("line".to_owned(), self.at.line.into());
        let at = At { time: time.or_else(|| self.at.time.clone()), ..self.at.clone() };
        self.steps.push(message_step(message, ToolOutcome::default(), at));
    }

    /// Adds an answer.
    pub(in super::super) fn answer(&mut self, answer: Answer) {
        let Answer { id, model, content, reasoning, calls, usage, finish_reason, others } = answer;
        let requested = model.clone().or_else(|| self.model.clone());
        let request = ModelRequest { model: requested, ..ModelRequest::default() };
        let response = ModelResponse {
            id,
            model: model.map(Value::from),
            content,
            reasoning: Some(reasoning).filter(|text| !text.is_empty()),
            calls,
            usage,
            finish_reason,
            ..ModelResponse::default()
        };
        let At { line, span, time } = self.at.clone();
        let kind = StepKind::Response(Box::new(response), Box::new(request), others);
        self.steps.push(Step { line, span, time, kind });
    }

    /// Adds a call of the model that failed.
    pub(in super::super) fn failure(&mut self, message: Option<&str>, others: Map<String, Value>) {
        let At { line, span, time } = self.at.clone();
        let error = Entries::default()
            .with("type", Value::from("api_error"))
            .with("message", message.map(Value::from))
            .with("line", Value::from(line));
        let mut error = error.0;
        error.extend(others);
        self.steps.push(Step { line, span, time, kind: StepKind::Failed(error) });
    }
}

/// The time that is so many milliseconds after the beginning of 1970.
pub(in super::super) fn from_milliseconds(milliseconds: &Value) -> Option<String> {
    let time = milliseconds.as_i64()?;
    from_epoch(time.div_euclid(1000), &format!(".{:03}", time.rem_euclid(1000)))
}

/// A count of tokens with parts of it that a log counts apart; `None` if the log lacks it.
pub(in super::super) fn total(count: Option<u64>, apart: &[Option<u64>]) -> Option<u64> {
    count.map(|count| apart.iter().flatten().fold(count, |sum, part| sum.saturating_add(*part)))
}

/// The tokens of an answer, in the form of OpenAI's Responses. `input` includes the cached tokens, `output` those for reasoning.
pub(in super::super) fn usage(
    input: Option<u64>,
    output: Option<u64>,
    cached: Option<u64>,
    reasoning: Option<u64>,
) -> Option<Value> {
    let details =
        |key: &str, count: Option<u64>| count.filter(|count| *count > 0).map(|count| json!({ (key): count }));
    Entries::default()
        .with("input_tokens", input.map(Value::from))
        .with("output_tokens", output.map(Value::from))
        .with("input_tokens_details", details("cached_tokens", cached))
        .with("output_tokens_details", details("reasoning_tokens", reasoning))
        .unless_empty()
}
