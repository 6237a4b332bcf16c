//! The records of a conversation as its steps.

use serde_json::{Map, Value, json};

use super::record::Record;
use crate::import::steps::{Step, What};
use crate::import::talk::Ran;
use crate::import::wire::{self, Answered, Protocol};
use crate::text::Table;

/// An answer of the model that may stand on several lines.
struct Part<'r> {
    first: &'r Record,
    /// What the further lines say that the first one does not.
    more: Vec<Value>,
    body: Map<String, Value>,
    blocks: Vec<Value>,
    is_error: bool,
}

/// The steps of a conversation; `inner` gives the run that a call was, where an agent carried it out.
pub(super) fn steps(
    records: &[&Record],
    common: &Map<String, Value>,
    inner: &mut dyn FnMut(&str) -> Option<Ran>,
) -> Vec<Step> {
    let mut parts: Vec<Result<Part<'_>, &Record>> = Vec::new();
    let mut by_id: Table<&str, usize> = Table::new();
    for record in records {
        if !record.is_of_model() {
            parts.push(Err(record));
            continue;
        }
        let known = record.answer_id().and_then(|id| by_id.get(id)).copied();
        match known.and_then(|at| parts.get_mut(at)) {
            Some(Ok(part)) => part.add(record, common),
            _ => {
                if let Some(id) = record.answer_id() {
                    by_id.insert(id, parts.len());
                }
                parts.push(Ok(Part::of(record)));
            }
        }
    }
    let mut out = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Ok(part) => out.push(part.step(common)),
            Err(record) => said(record, common, inner, &mut out),
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

impl<'r> Part<'r> {
    fn of(record: &'r Record) -> Self {
        let message = record.message();
        let mut body = message.and_then(Value::as_object).cloned().unwrap_or_default();
        body.shift_remove("content");
        Self {
            first: record,
            more: Vec::new(),
            body,
            blocks: message.map(blocks).unwrap_or_default(),
            is_error: record.raw.get("isApiErrorMessage") == Some(&Value::Bool(true)),
        }
    }

    /// Takes a further line of the answer: its blocks, and the figures, which are those of the last line.
    fn add(&mut self, record: &Record, common: &Map<String, Value>) {
        let message = record.message().cloned().unwrap_or_default();
        let id = |block: &Value| block.get("id").cloned();
        for block in blocks(&message) {
            let is_known = self
                .blocks
                .iter()
                .any(|known| *known == block || (id(&block).is_some() && id(known) == id(&block)));
            if !is_known {
                self.blocks.push(block);
            }
        }
        for (key, value) in message.as_object().into_iter().flatten() {
            if key != "content" && !value.is_null() {
                self.body.insert(key.clone(), value.clone());
            }
        }
        let mut about = record.about(common);
        about.retain(|key, value| self.first.raw.get(key) != Some(value));
        about.insert("line".to_owned(), record.line.into());
        self.more.push(Value::Object(about));
    }

    fn step(self, common: &Map<String, Value>) -> Step {
        let Self { first, more, mut body, blocks, is_error } = self;
        let (line, span, time) = (first.line, first.span, first.time());
        let mut about = first.about(common);
        if !more.is_empty() {
            about.insert("lines".to_owned(), Value::Array(more));
        }
        if is_error {
            let text =
                blocks.iter().filter_map(|block| block.get("text")?.as_str()).collect::<Vec<_>>().join("\n");
            let mut error = Map::new();
            error.insert("type".to_owned(), "api_error".into());
            error.insert("message".to_owned(), text.into());
            error.insert("line".to_owned(), line.into());
            body.retain(|key, value| !matches!(key.as_str(), "role" | "type") && !value.is_null());
            error.insert("body".to_owned(), Value::Object(body));
            error.extend(about.into_iter().filter(|(key, _)| key != "isApiErrorMessage"));
            return Step { line, span, time, what: What::Failed(error) };
        }
        let model = body.get("model").and_then(Value::as_str).map(str::to_owned);
        body.insert("content".to_owned(), Value::Array(blocks));
        let answered = Protocol::Anthropic.answered(&Value::Object(body));
        let answered: Answered = answered.unwrap_or_default();
        let asked = wire::Asked { model, ..wire::Asked::default() };
        Step { line, span, time, what: What::Answer(Box::new(answered), Box::new(asked), about) }
    }
}

/// What a person said, and what tools returned.
fn said(
    record: &Record,
    common: &Map<String, Value>,
    inner: &mut dyn FnMut(&str) -> Option<Ran>,
    out: &mut Vec<Step>,
) {
    let Some(message) = record.message() else { return };
    let mut about = record.about(common);
    about.insert("line".to_owned(), record.line.into());
    // The message may say more than its role and its content.
    for (key, value) in message.as_object().into_iter().flatten() {
        if !matches!(key.as_str(), "role" | "content") && !value.is_null() {
            about.entry(key.clone()).or_insert_with(|| value.clone());
        }
    }
    if let Some(more) = wire::more(message.get("content")) {
        about.insert("parts".to_owned(), more);
    }
    for (at, mut message) in wire::anthropic_messages(message).into_iter().enumerate() {
        // What is said of the line is said once, of the first message in it.
        match at {
            0 => message.others.extend(std::mem::take(&mut about)),
            _ => drop(message.others.insert("line".to_owned(), record.line.into())),
        }
        let mut ran = message.answers.as_deref().and_then(&mut *inner).unwrap_or_default();
        if let Some(result) = ran.result.as_mut().and_then(Value::as_object_mut) {
            result.insert("response".to_owned(), message.content.clone());
        }
        let (line, span, time) = (record.line, record.span, record.time());
        out.push(Step { line, span, time, what: What::Said(Box::new(message), ran) });
    }
}
