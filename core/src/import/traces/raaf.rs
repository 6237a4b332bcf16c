//! Spans of RAAF, which ports the Agents SDK to Ruby: a line when a span starts, and another one with all of it when it ends.

use serde_json::Value;

use super::super::keys::{entries_where, list, non_null_except, text};
use super::super::otel;
use super::super::values::Entry;
use super::content::generation;
use super::span::{ModelCallData, Traced};
use crate::text::{JsonMap, Table, json};
use crate::time::moment;

/// Whether a value is such a line.
pub(super) fn is_line(value: &Value) -> bool {
    let keys = ["span_id", "trace_id", "kind", "attributes"];
    matches!(text(value, "event"), Some("start" | "end"))
        && value.get("span").is_some_and(|span| keys.iter().all(|key| span.get(*key).is_some()))
}

/// The spans so far: their parents, and whether they have ended.
#[derive(Debug, Default)]
pub(super) struct Started(Table<String, (Option<String>, bool)>);

/// How many spans that have ended are passed on the way to a parent.
const STEPS: usize = 64;

/// The attributes that have a place in a run.
const TAKEN: [&str; 10] = [
    "agent.name",
    "llm.request.messages",
    "llm.request.model",
    "llm.response.content",
    "tool.name",
    "tool.arguments",
    "tool.result",
    "function.name",
    "function.input",
    "function.output",
];

impl Started {
    /// The span of an entry; `None` when it is no such line.
    pub(super) fn span(&mut self, entry: &Entry) -> Option<Traced> {
        let span = entry.value.get("span").filter(|_| is_line(&entry.value))?;
        let id = text(span, "span_id")?.to_owned();
        let is_start = text(&entry.value, "event") == Some("start");
        let none = Value::Null;
        let attributes = span.get("attributes").unwrap_or(&none);
        let first = |keys: &[&str]| keys.iter().find_map(|key| attributes.get(*key)).cloned();
        let name = |keys: &[&str]| first(keys).or_else(|| span.get("name").cloned());
        let counts = entries_where(attributes, &|key, _| key.starts_with("llm.usage."));
        let content = first(&["llm.response.content"]).or_else(|| {
            // An answer that only has calls may lack it.
            (!is_start && text(span, "status") != Some("error")).then(|| "".into())
        });
        let output = content.map(|content| json!([{"role": "assistant", "content": content}]));
        let (kind, data) = match text(span, "kind").unwrap_or_default() {
            "llm" => (
                "generation",
                json!({
                    "input": first(&["llm.request.messages"]),
                    "output": output,
                    "model": first(&["llm.request.model", "llm.model"]),
                    "usage": otel::usage(&counts, "llm.usage."),
                }),
            ),
            "tool" => (
                "function",
                json!({
                    "name": name(&["function.name", "tool.name"]),
                    "input": first(&["function.input", "tool.arguments"]),
                    "output": first(&["function.output", "tool.result"]),
                }),
            ),
            "agent" => ("agent", json!({"name": name(&["agent.name"]), "tools": first(&["agent.tools"])})),
            other => (other, json!({})),
        };
        let mut own = non_null_except(span, &["trace_id", "attributes", "events"]);
        let rest =
            entries_where(attributes, &|key, _| !TAKEN.contains(&key) && !key.starts_with("llm.usage."));
        if !rest.is_empty() {
            own.put("attributes", rest.into());
        }
        let events = list(span, "events");
        if !events.is_empty() {
            own.put("events", events.into());
        }
        let message = first(&["status.description"]).unwrap_or_else(|| "the span has an error status".into());
        let mut out = Traced {
            line: entry.line,
            span: entry.span,
            parent: self.parent(&id, text(span, "parent_id"), is_start),
            id,
            kind: kind.to_owned(),
            data,
            start: span.get("start_time").and_then(moment),
            end: span.get("end_time").and_then(moment),
            error: (text(span, "status") == Some("error")).then(|| json!({"message": message})),
            is_start,
            call: None,
            model_call: None,
            own: None,
            raw: entry.value.clone(),
        };
        if kind == "generation" {
            out.model_call = Some(Box::new(model_call(&out)));
            let is_known = out.model_call.as_ref().is_some_and(|call| call.is_request_known);
            let messages = attributes.get("llm.request.messages").filter(|_| !is_known);
            own.put_some("messages", messages.cloned());
        }
        out.own = Some(own);
        Some(out)
    }

    /// The parent of a span. One that has ended before the span started is not around it, but before it.
    fn parent(&mut self, id: &str, parent: Option<&str>, is_start: bool) -> Option<String> {
        if let Some((known, has_ended)) = self.0.get_mut(id) {
            *has_ended |= !is_start;
            return known.clone();
        }
        let mut parent = parent.map(str::to_owned);
        for _ in 0..STEPS {
            match parent.as_ref().and_then(|parent| self.0.get(parent)) {
                Some((above, true)) => parent.clone_from(above),
                _ => break,
            }
        }
        self.0.insert(id.to_owned(), (parent.clone(), !is_start));
        parent
    }
}

/// The content of a model call. No span has the calls of an answer, and requests repeat answers and results without the ids of
/// calls, so that only their other messages can be used.
fn model_call(span: &Traced) -> ModelCallData {
    let (mut request, response, mut is_request_known) = generation(span);
    if request.messages.iter().any(|message| message.role == "tool" && message.tool_call_id.is_none()) {
        request.messages.retain(|message| !matches!(&*message.role, "tool" | "assistant"));
        is_request_known = false;
    }
    ModelCallData { request, response, is_request_known, is_opaque: true, results: Vec::new() }
}
