//! The output of `codex exec --json`: events of threads and turns, and items that begin, change and complete.
//! Each item that ran something is a call with its result; the program's prompt is not included.

use std::collections::VecDeque;

use serde_json::{Map, Value};

use super::{Reader, Record, assistant_item};
use crate::import::conversation::ToolOutcome;
use crate::import::items::{self, ResponseBuilder};
use crate::import::keys::{non_null_except, text};
use crate::import::steps::{Step, StepKind};
use crate::text::{JsonMap, Set, Table, json, json_line};
use crate::wire::{self, Message};

/// The kinds of events.
pub(super) const KINDS: [&str; 8] = [
    "thread.started",
    "turn.started",
    "turn.completed",
    "turn.failed",
    "item.started",
    "item.updated",
    "item.completed",
    "error",
];

/// Items that ran something.
const CALLS: [&str; 5] =
    ["command_execution", "file_change", "mcp_tool_call", "collab_tool_call", "web_search"];

/// Items that are not part of a conversation.
const OTHER_ITEMS: [&str; 2] = ["todo_list", "error"];

/// The kind of an event, if a value is one.
pub(super) fn event_kind(value: &Value) -> Option<&str> {
    let kind = text(value, "type")?;
    let is_so = match kind {
        "thread.started" => value.get("thread_id").is_some(),
        "item.started" | "item.updated" | "item.completed" => item(value).is_some(),
        "turn.completed" => value.get("usage").is_some(),
        _ => false,
    };
    is_so.then_some(kind)
}

/// The item of an event, which has an id and a type.
fn item(raw: &Value) -> Option<&Value> {
    raw.get("item").filter(|item| text(item, "id").is_some() && text(item, "type").is_some())
}

/// The completed items by id; several of one id, such as outputs of commands, are in order.
pub(super) fn completed_items(records: &[Record]) -> Table<String, VecDeque<Value>> {
    let mut out: Table<String, VecDeque<Value>> = Table::new();
    for record in records.iter().filter(|record| record.kind == "item.completed") {
        if let Some(item) = item(&record.raw) {
            out.entry(text(item, "id").unwrap_or_default().to_owned()).or_default().push_back(item.clone());
        }
    }
    out
}

impl Reader {
    pub(super) fn exec(&mut self, record: Record) {
        match record.kind.as_str() {
            "thread.started" if self.session.is_none() => {
                let mut session = wire::non_empty_except(&record.raw, &["type", "thread_id"]);
                session.put_some("id", record.raw.get("thread_id").cloned());
                session.put("line", record.line.into());
                self.session = Some(session);
                self.mark_used(&record);
            }
            "turn.completed" => self.turn_ends(record),
            "turn.failed" | "error" => {
                let error = record.raw.get("error").unwrap_or(&record.raw);
                let message = text(error, "message").map(str::to_owned);
                let last = self.steps.last().and_then(|step| match &step.kind {
                    StepKind::Failed(error) => error.get("message")?.as_str(),
                    _ => None,
                });
                let mut more = wire::non_empty_except(&record.raw, &["type", "message", "error"]);
                more.extend(wire::non_empty_except(error, &["type", "message"]));
                // A turn fails with the error that was logged before.
                if self.gathered.is_none()
                    && message.is_some()
                    && message.as_deref() == last
                    && more.is_empty()
                {
                    self.log.report.streamed.push(record.line);
                    return;
                }
                self.fail(&record, message, more);
            }
            "thread.started" | "turn.started" => {
                self.flush();
                self.begun = Set::new();
                self.keep_unmapped(record);
            }
            _ => match item(&record.raw).cloned() {
                Some(item) => self.read_item(record, &item),
                None => self.keep_unmapped(record),
            },
        }
    }

    /// The usage of the turn, kept with its last answer: it is the sum of all answers in it.
    fn turn_ends(&mut self, record: Record) {
        self.flush();
        let step = self.answer.and_then(|at| self.steps.get_mut(at));
        let Some(Step { kind: StepKind::Response(_, _, about), .. }) = step else {
            return self.keep_unmapped(record);
        };
        if about.contains_key("turn_completed") {
            return self.keep_unmapped(record);
        }
        let mut rest = wire::non_empty_except(&record.raw, &["type"]);
        rest.put("line", record.line.into());
        about.put("turn_completed", Value::Object(rest));
        self.mark_used(&record);
    }

    fn read_item(&mut self, record: Record, item: &Value) {
        let (id, kind) = (text(item, "id").unwrap_or_default(), text(item, "type").unwrap_or_default());
        let is_done = record.kind == "item.completed";
        let is_completed_later = self.done.get(id).is_some_and(|done| !done.is_empty());
        match kind {
            "agent_message" | "reasoning" if is_done => {
                self.done.get_mut(id).and_then(VecDeque::pop_front);
                let content = text(item, "text").unwrap_or_default();
                let mut own = match kind {
                    "agent_message" => assistant_item(content),
                    _ => json!({"type": "reasoning", "summary": [{"type": "summary_text", "text": content}]}),
                };
                if let Some(own) = own.as_object_mut() {
                    own.extend(non_null_except(item, &["type", "text"]));
                }
                self.add_to_response(&record, &own);
            }
            // The completed item has the whole text.
            "agent_message" | "reasoning" if is_completed_later => self.log.report.streamed.push(record.line),
            kind if CALLS.contains(&kind) || (is_call(item) && !OTHER_ITEMS.contains(&kind)) => {
                self.read_call(record, item, is_done);
            }
            kind => {
                if !OTHER_ITEMS.contains(&kind) && !matches!(kind, "agent_message" | "reasoning") {
                    let message = format!("unknown item type `{kind}`");
                    self.diagnose_unknown_kind(&record, kind.to_owned(), message);
                }
                self.keep_unmapped(record);
            }
        }
    }

    fn add_to_response(&mut self, record: &Record, item: &Value) {
        let at = record.position();
        self.gathered.get_or_insert_with(|| ResponseBuilder::new(at.clone())).add(item, &at);
        self.mark_used(record);
    }

    fn read_call(&mut self, record: Record, item: &Value, is_done: bool) {
        let id = text(item, "id").unwrap_or_default();
        let is_begun = self.begun.contains(id);
        if !is_done {
            if is_begun {
                // Each change has all of the item, as has its end.
                match self.done.get(id).is_some_and(|done| !done.is_empty()) {
                    true => self.log.report.streamed.push(record.line),
                    false => self.keep_unmapped(record),
                }
                return;
            }
            // The arguments may be known only at the end, as for a search.
            let whole = self.done.get(id).and_then(VecDeque::front).unwrap_or(item);
            let call = call(whole);
            self.begun.insert(id.to_owned());
            return self.add_to_response(&record, &call);
        }
        self.done.get_mut(id).and_then(VecDeque::pop_front);
        if !is_begun {
            self.add_to_response(&record, &call(item));
            self.log.report.used.pop();
        }
        self.begun.remove(id);
        let message = result(item, record.line);
        // The result of a call made before the gathered answer comes before it.
        match self.gathered.as_ref().is_some_and(|gathered| !gathered.has_call(id)) {
            true => {
                self.mark_used(&record);
                self.steps.push(items::message_step(message, ToolOutcome::default(), record.position()));
            }
            false => self.add_message(message, ToolOutcome::default(), &record),
        }
    }
}

/// Whether an item of an unknown kind ran something.
fn is_call(item: &Value) -> bool {
    text(item, "status").is_some()
}

/// The keys of an item that belong to its result.
const OUT: [&str; 8] = ["id", "type", "status", "tool", "aggregated_output", "exit_code", "result", "error"];

/// An item as a call: what it ran, under the name of the tool or of its kind.
fn call(item: &Value) -> Value {
    let kind = text(item, "type").unwrap_or_default();
    let arguments = match item.get("arguments").filter(|_| kind == "mcp_tool_call") {
        Some(arguments) => arguments.clone(),
        None => Value::Object(non_null_except(item, &OUT)),
    };
    json!({
        "type": "function_call",
        "call_id": item.get("id"),
        "name": text(item, "tool").unwrap_or(kind),
        "arguments": arguments,
    })
}

/// The result of the item's call.
fn result(item: &Value, line: u32) -> Message {
    let failure = item.get("error").filter(|error| !error.is_null());
    let content = match (text(item, "aggregated_output"), failure, item.get("result")) {
        (Some(printed), _, _) => printed.to_owned(),
        (None, Some(error), _) => match text(error, "message").or(error.as_str()) {
            Some(message) => message.to_owned(),
            None => json_line(error),
        },
        (None, None, Some(result)) if !result.is_null() => text_of_result(result),
        (None, None, _) => text(item, "status").unwrap_or_default().to_owned(),
    };
    let is_broken = matches!(text(item, "status"), Some("failed" | "declined"));
    let exit = item.get("exit_code").and_then(Value::as_i64);
    let mut others: Map<String, Value> = Map::new();
    for key in ["server", "status", "exit_code", "result", "error"] {
        let value = item.get(key).filter(|value| !value.is_null());
        others.put_some(key, value.cloned());
    }
    others.put("line", line.into());
    Message {
        is_error: is_broken || failure.is_some() || exit.is_some_and(|code| code != 0),
        others,
        ..Message::result(text(item, "id"), content)
    }
}

/// The text of a server's result, if it is only text.
fn text_of_result(result: &Value) -> String {
    let parts = result.get("content").and_then(Value::as_array);
    let words: Option<Vec<&str>> =
        parts.and_then(|parts| parts.iter().map(|part| text(part, "text")).collect());
    words.map_or_else(|| json_line(result), |words| words.join("\n"))
}
