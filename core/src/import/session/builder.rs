//! The steps of one entry of a session.

use serde_json::{Map, Value};

use super::super::conversation::ToolOutcome;
use super::super::items::{At, message_step};
use super::super::keys::text;
use super::super::steps::{Step, StepKind};
use super::super::values::Entry;
use crate::text::{JsonMap, Set, Span, Table, text_or_json};
use crate::time::{from_epoch, moment};
use crate::wire::{Message, ModelRequest, ModelResponse, ToolCall};
use crate::write::Entries;

/// Collects the steps of the entries of a session, in order.
#[derive(Debug)]
pub(in super::super) struct SessionBuilder {
    at: At,
    pub(super) steps: Vec<Step>,
    /// The places of answers with a key in `steps`.
    answers: Table<String, usize>,
    /// What the model wrote before the next answer, such as its reasoning.
    begun: Option<(Answer, At)>,
    /// The key of the answer that is being read.
    pub key: Option<String>,
    /// What the session says of itself.
    pub head: Map<String, Value>,
    /// The model of answers that name none.
    pub model: Option<String>,
    /// Why there are no steps, if there are none.
    pub why_empty: Option<&'static str>,
}

/// An answer of a model. Empty texts count as absent.
#[derive(Debug, Default)]
pub(in super::super) struct Answer {
    pub id: Option<String>,
    /// The key of an answer that is several entries. All of them are one answer.
    pub key: Option<String>,
    pub model: Option<String>,
    pub content: String,
    pub reasoning: String,
    pub calls: Vec<ToolCall>,
    pub usage: Option<Value>,
    pub finish_reason: Option<Value>,
    /// Its other data.
    pub others: Map<String, Value>,
}

impl Answer {
    /// This beginning with the rest of the answer.
    fn followed_by(mut self, mut rest: Self) -> Self {
        append(&mut self.content, &rest.content);
        append(&mut self.reasoning, &rest.reasoning);
        if !self.others.is_empty() {
            let entries = rest.others.entry("entries").or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(entries) = entries {
                entries.push(self.others.into());
            }
        }
        Self {
            content: self.content,
            reasoning: self.reasoning,
            usage: rest.usage.or(self.usage),
            model: rest.model.or(self.model),
            ..rest
        }
    }
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
        let (steps, answers) = (Vec::new(), Table::new());
        Self { at, steps, answers, begun: None, key: None, head, model: None, why_empty: None }
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

    /// Sets the time of the entry to a text.
    pub(in super::super) fn set_time_text(&mut self, time: Option<&str>) {
        self.at.time = time.map(str::to_owned);
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
        self.add_message(Message { others, ..Message::new(role, content) }, self.at.clone());
    }

    fn add_message(&mut self, mut message: Message, at: At) {
        self.finish();
        message.others.put("line", self.at.line.into());
        self.steps.push(message_step(message, ToolOutcome::default(), at));
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
        let at = At { time: time.or_else(|| self.at.time.clone()), ..self.at.clone() };
        self.add_message(message, at);
    }

    /// Adds the beginning of the next answer. It is an answer of its own if none follows.
    pub(in super::super) fn begin_answer(&mut self, answer: Answer) {
        self.begun = Some((self.joined(answer), self.at.clone()));
    }

    /// What the model has begun with the rest of the answer.
    fn joined(&mut self, answer: Answer) -> Answer {
        let Some((mut begun, at)) = self.begun.take() else { return answer };
        if at.time != self.at.time {
            begun.others.put_some("time", at.time.map(Value::from));
        }
        begun.followed_by(answer)
    }

    /// Adds what the model has begun; a call without any output has failed.
    pub(in super::super) fn finish(&mut self) {
        let Some((begun, at)) = self.begun.take() else { return };
        let now = std::mem::replace(&mut self.at, at);
        match begun {
            begun if begun.content.is_empty() && begun.reasoning.is_empty() => {
                let mut others = begun.others;
                others.put_some("usage", begun.usage);
                self.failure(None, others);
            }
            begun => self.answer(begun),
        }
        self.at = now;
    }

    /// Adds a line to the result that is the last step; `false` if there is none.
    pub(in super::super) fn add_to_result(&mut self, line: &str) -> bool {
        let Some(Step { kind: StepKind::Message(message, _), .. }) = self.steps.last_mut() else {
            return false;
        };
        match &mut message.content {
            Value::String(content) if message.role == "tool" => append(content, line),
            _ => return false,
        }
        true
    }

    /// Whether one of the last answers made the call with that id.
    pub(in super::super) fn has_call(&self, id: &str) -> bool {
        self.is_recent(&|kind| {
            matches!(kind, StepKind::Response(response, ..) if response.calls.iter().any(|call| call.id == id))
        })
    }

    /// Whether one of the last steps is the result of the call with that id.
    pub(in super::super) fn has_result(&self, id: &str) -> bool {
        self.is_recent(
            &|kind| matches!(kind, StepKind::Message(message, _) if message.tool_call_id.as_deref() == Some(id)),
        )
    }

    fn is_recent(&self, is_wanted: &dyn Fn(&StepKind) -> bool) -> bool {
        self.steps.iter().rev().take(RECENT).any(|step| is_wanted(&step.kind))
    }

    /// The last answer, if it is the last step.
    pub(in super::super) fn last_calls(&self) -> &[ToolCall] {
        match self.steps.last().map(|step| &step.kind) {
            Some(StepKind::Response(response, ..)) => &response.calls,
            _ => &[],
        }
    }

    /// Whether an answer with that key has begun.
    pub(in super::super) fn has_key(&self, key: &str) -> bool {
        self.answers.contains_key(key)
    }

    /// The texts of all answers with calls.
    pub(in super::super) fn called_texts(&self) -> Vec<String> {
        let text = |step: &Step| match &step.kind {
            StepKind::Response(response, ..) if !response.calls.is_empty() => Some(response.content.clone()),
            _ => None,
        };
        self.steps.iter().filter_map(text).collect()
    }

    /// The content of all messages, and of all answers.
    pub(in super::super) fn contents(&self) -> Set<String> {
        let content = |step: &Step| match &step.kind {
            StepKind::Message(message, _) => Some(text_or_json(&message.content)),
            StepKind::Response(response, ..) => Some(response.content.clone()),
            StepKind::Failed(_) => None,
        };
        self.steps.iter().filter_map(content).collect()
    }

    /// Whether there is no step yet.
    pub(in super::super) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Adds an answer.
    pub(in super::super) fn answer(&mut self, mut answer: Answer) {
        if let Some(key) = answer.key.take() {
            if let Some(place) = self.answers.get(&key).copied() {
                return self.add_to(place, answer);
            }
            self.answers.insert(key, self.steps.len());
        }
        answer = self.joined(answer);
        let Answer { id, model, content, reasoning, calls, usage, finish_reason, others, .. } = answer;
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

    /// Adds to the answer at that place.
    fn add_to(&mut self, place: usize, part: Answer) {
        let At { line, time: now, .. } = self.at.clone();
        let Some(Step { kind: StepKind::Response(response, request, others), time, .. }) =
            self.steps.get_mut(place)
        else {
            return;
        };
        let mut more = part.others;
        if now != *time {
            more.put_some("time", now.map(Value::from));
        }
        if part.id.is_some() && response.id.is_some() && part.id != response.id {
            more.put_some("id", part.id.as_deref().map(Value::from));
        }
        append(&mut response.content, &part.content);
        let mut reasoning = response.reasoning.take().unwrap_or_default();
        append(&mut reasoning, &part.reasoning);
        response.reasoning = Some(reasoning).filter(|text| !text.is_empty());
        let new = part.calls.into_iter().filter(|call| !response.calls.contains(call));
        let new: Vec<ToolCall> = new.collect();
        response.calls.extend(new);
        response.id = response.id.take().or(part.id);
        request.model = part.model.clone().or(request.model.take());
        response.model = part.model.map(Value::from).or(response.model.take());
        response.usage = part.usage.or(response.usage.take());
        response.finish_reason = part.finish_reason.or(response.finish_reason.take());
        if !more.is_empty() {
            more.put("line", line.into());
            let parts = others.entry("entries").or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(parts) = parts {
                parts.push(Value::Object(more));
            }
        }
    }

    /// Adds a call of the model that failed.
    pub(in super::super) fn failure(&mut self, message: Option<&str>, others: Map<String, Value>) {
        self.finish();
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

/// How many steps back calls and results are looked for.
const RECENT: usize = 64;

fn append(text: &mut String, more: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push('\n');
    }
    text.push_str(more);
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

/// The tokens of an answer, in the form of OpenAI's Responses. `input` includes the tokens read
/// from a cache and written to it, `output` those for reasoning.
pub(in super::super) fn usage(
    input: Option<u64>,
    output: Option<u64>,
    [cached, written]: [Option<u64>; 2],
    reasoning: Option<u64>,
) -> Option<Value> {
    let some = |count: Option<u64>| count.filter(|count| *count > 0).map(Value::from);
    let cache = Entries::default().with("cached_tokens", some(cached)).with("cache_creation", some(written));
    let thought = Entries::default().with("reasoning_tokens", some(reasoning));
    Entries::default()
        .with("input_tokens", input.map(Value::from))
        .with("output_tokens", output.map(Value::from))
        .with("input_tokens_details", cache.unless_empty())
        .with("output_tokens_details", thought.unless_empty())
        .unless_empty()
}
