//! The steps of a conversation of records.

use serde_json::{Map, Value};

use super::record::Record;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::import::conversation::ToolOutcome;
use crate::import::keys::non_null_except;
use crate::import::steps::{Step, StepKind};
use crate::text::{JsonMap, Table, json};
use crate::wire::{self, ModelResponse, Protocol};

/// An answer of the model, on one or more lines.
struct Part<'r> {
    first: &'r Record,
    /// The additional data of the later lines.
    more: Vec<Value>,
    body: Map<String, Value>,
    blocks: Vec<Value>,
    /// The places of the blocks that have an id.
    by_id: Table<String, usize>,
    is_error: bool,
}

/// The steps of a conversation of records, each with the first record of its answer; `inner` gives the run of
/// a call that an agent carried out.
pub(super) fn steps(
    records: &[(&Record, Option<usize>)],
    common: &Map<String, Value>,
    found: &mut Vec<Diagnostic>,
    inner: &mut dyn FnMut(&str) -> Option<ToolOutcome>,
) -> Vec<Step> {
    let mut parts: Vec<Result<Part<'_>, &Record>> = Vec::new();
    let mut by_answer: Table<usize, usize> = Table::new();
    for (record, answer) in records {
        if !record.is_of_model() {
            parts.push(Err(record));
            continue;
        }
        let known = answer.and_then(|answer| by_answer.get(&answer)).copied();
        match known.and_then(|at| parts.get_mut(at)) {
            Some(Ok(part)) => part.add(record, common, found),
            _ => {
                by_answer.extend(answer.map(|answer| (answer, parts.len())));
                parts.push(Ok(Part::from_record(record)));
            }
        }
    }
    let mut out = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Ok(part) => out.push(part.into_step(common)),
            Err(record) => user_steps(record, common, inner, &mut out),
        }
    }
    out
}

/// Content as blocks.
fn blocks(message: &Value) -> Vec<Value> {
    match message.get("content") {
        Some(Value::Array(blocks)) => blocks.clone(),
        Some(Value::String(text)) => vec![json!({"type": "text", "text": text})],
        _ => Vec::new(),
    }
}

/// The id of a call block.
fn id(block: &Value) -> Option<&str> {
    block.get("id").and_then(Value::as_str).filter(|id| !id.is_empty())
}

impl<'r> Part<'r> {
    fn from_record(record: &'r Record) -> Self {
        let message = record.message();
        let mut body = message.and_then(Value::as_object).cloned().unwrap_or_default();
        body.shift_remove("content");
        let blocks = message.map(blocks).unwrap_or_default();
        let mut by_id: Table<String, usize> = Table::new();
        for (at, block) in blocks.iter().enumerate() {
            by_id.extend(id(block).map(|id| (id.to_owned(), at)));
        }
        Self {
            first: record,
            more: Vec::new(),
            body,
            blocks,
            by_id,
            is_error: record.raw.get("isApiErrorMessage") == Some(&Value::Bool(true)),
        }
    }

    /// Adds another line of the answer: its blocks, and the figures, which are those of the last line. A line
    /// may repeat blocks at its start; of a block with an id, the last form is complete.
    fn add(&mut self, record: &Record, common: &Map<String, Value>, found: &mut Vec<Diagnostic>) {
        let message = record.message().cloned().unwrap_or_default();
        let further = blocks(&message);
        let is_one = |(known, block): (&Value, &Value)| {
            known == block || id(known).is_some_and(|known| id(block) == Some(known))
        };
        let repeats = |count: &usize| {
            let last = self.blocks.iter().skip(self.blocks.len().saturating_sub(*count));
            last.zip(&further).all(is_one)
        };
        let count = (1..=further.len().min(self.blocks.len())).rev().find(repeats).unwrap_or(0);
        let begin = self.blocks.len() - count;
        let before = self.blocks.len();
        let mut replaced = Vec::new();
        for (at, block) in further.into_iter().enumerate() {
            let place = id(&block).and_then(|id| self.by_id.get(id)).copied();
            let place = place.filter(|place| *place < before).or((at < count).then_some(begin + at));
            match place.and_then(|place| self.blocks.get_mut(place)) {
                Some(known) if *known == block => {}
                Some(known) => {
                    let message =
                        format!("the call `{}` differs on this line", id(&block).unwrap_or_default());
                    let note = Diagnostic::new(codes::LOG_PAIR, Severity::Warning, record.span, message);
                    found.push(note.help("this one is used; the earlier one is kept with the response"));
                    replaced.push(std::mem::replace(known, block));
                }
                None => {
                    self.by_id.extend(id(&block).map(|id| (id.to_owned(), self.blocks.len())));
                    self.blocks.push(block);
                }
            }
        }
        self.body.extend(non_null_except(&message, &["content"]));
        let mut about = record.about(common);
        about.retain(|key, value| self.first.raw.get(key) != Some(value));
        if !replaced.is_empty() {
            about.put("replaced", Value::Array(replaced));
        }
        about.put("line", record.line.into());
        self.more.push(Value::Object(about));
    }

    fn into_step(self, common: &Map<String, Value>) -> Step {
        let Self { first, more, mut body, blocks, is_error, .. } = self;
        let (line, span, time) = (first.line, first.span, first.time());
        let mut about = first.about(common);
        if !more.is_empty() {
            about.put("lines", Value::Array(more));
        }
        if is_error {
            let text =
                blocks.iter().filter_map(|block| block.get("text")?.as_str()).collect::<Vec<_>>().join("\n");
            let mut error = Map::new();
            error.put("type", "api_error".into());
            error.put("message", text.into());
            error.put("line", line.into());
            body.retain(|key, value| !matches!(key.as_str(), "role" | "type") && !value.is_null());
            error.put("body", Value::Object(body));
            error.extend(about.into_iter().filter(|(key, _)| key != "isApiErrorMessage"));
            return Step { line, span, time, kind: StepKind::Failed(error) };
        }
        let model = body.get("model").and_then(Value::as_str).map(str::to_owned);
        body.put("content", Value::Array(blocks));
        let response = Protocol::Anthropic.parse_response(&Value::Object(body));
        let response: ModelResponse = response.unwrap_or_default();
        let request = wire::ModelRequest { model, ..wire::ModelRequest::default() };
        Step { line, span, time, kind: StepKind::Response(Box::new(response), Box::new(request), about) }
    }
}

/// Messages of the user, and results of tools.
fn user_steps(
    record: &Record,
    common: &Map<String, Value>,
    inner: &mut dyn FnMut(&str) -> Option<ToolOutcome>,
    out: &mut Vec<Step>,
) {
    let Some(message) = record.message() else { return };
    let mut about = record.about(common);
    about.put("line", record.line.into());
    // The message may have more than its role and its content.
    for (key, value) in non_null_except(message, &["role", "content"]) {
        about.entry(key).or_insert(value);
    }
    if let Some(more) = wire::extra_parts(message.get("content")) {
        about.put("parts", more);
    }
    for (at, mut message) in wire::anthropic_messages(message).into_iter().enumerate() {
        // The first message of the line has the metadata of the line.
        match at {
            0 => message.others.extend(std::mem::take(&mut about)),
            _ => message.others.put("line", record.line.into()),
        }
        let mut tool_outcome = message.tool_call_id.as_deref().and_then(&mut *inner).unwrap_or_default();
        if let Some(result) = tool_outcome.result.as_mut().and_then(Value::as_object_mut) {
            result.put("response", message.content.clone());
        }
        let (line, span, time) = (record.line, record.span, record.time());
        out.push(Step { line, span, time, kind: StepKind::Message(Box::new(message), tool_outcome) });
    }
}
