//! Spans in other forms than that of OTLP: as the console exporter of Python prints them, one JSON map each over several lines, one
//! behind the other; as SDKs, any-agent and Phoenix write them.

use serde_json::{Map, Value};

use super::openinference::KIND;
use crate::parse::Node;
use crate::text::{JsonMap, json, text_or_json};

/// Whether a map is such a span.
pub(super) fn is_span(root: &Node) -> bool {
    let has = |key: &str, id: &str| root.get(key).is_some_and(|context| context.get(id).is_some());
    has("context", "trace_id") || has("spanContext", "traceId")
}

/// The spans in a map: in the list `spans`, or in lists under any keys.
pub(super) fn listed(root: &Node) -> Option<Vec<&Node>> {
    let lists =
        || root.entries().iter().map(|entry| entry.value.items()).filter(|list| list.iter().any(is_span));
    match root.get("spans").map(Node::items).filter(|spans| spans.iter().any(is_span)) {
        Some(spans) => Some(spans.iter().collect()),
        None => Some(lists().flatten().collect()).filter(|spans: &Vec<&Node>| !spans.is_empty()),
    }
}

/// The same for data.
pub(super) fn is_console_span(value: &Value) -> bool {
    let has = |key: &str| value.get(key).is_some();
    let trace = value.get("context").and_then(|context| context.get("trace_id"));
    let is_console = trace.is_some() && has("start_time") && (has("attributes") || has("span_kind"));
    is_console || has("spanContext") && has("attributes")
}

/// An id: a text, or the number that it is in Python.
fn id(value: Option<&Value>) -> Value {
    let id = value.map(text_or_json).unwrap_or_default();
    Value::from(id.trim_start_matches("0x"))
}

/// The span with its ids in the form of OTLP.
pub(super) fn as_otlp(span: &Value) -> Value {
    let mut out = span.as_object().cloned().unwrap_or_default();
    let context = out.shift_remove("context").or_else(|| out.shift_remove("spanContext"));
    let mut context = context.and_then(|context| context.as_object().cloned()).unwrap_or_default();
    let mut ids = Map::new();
    for (key, from) in [("traceId", "trace_id"), ("spanId", "span_id")] {
        let own = context.shift_remove(from).or_else(|| context.shift_remove(key));
        ids.put(key, id(own.as_ref()));
    }
    let around =
        out.shift_remove("parent").or_else(|| out.shift_remove("parentSpanContext")).unwrap_or_default();
    let parent = out.shift_remove("parent_id").or_else(|| out.shift_remove("parentSpanId"));
    let parent = parent.or_else(|| around.get("span_id").or(around.get("spanId")).cloned());
    ids.put("parentSpanId", id(parent.filter(|parent| !parent.is_null()).as_ref()));
    context.retain(|key, value| key != "trace_state" || *value != "[]");
    for (key, from) in [("start_time", "startTime"), ("end_time", "endTime")] {
        // Seconds and nanoseconds.
        if let Some(Value::Array(parts)) = out.get(from)
            && let [Some(seconds), Some(rest)] = [0, 1].map(|at| parts.get(at).and_then(Value::as_u64))
        {
            out.put(key, format!("{seconds}.{rest:09}").into());
        }
    }
    // Phoenix has the kind and the status next to the attributes, which may be nested.
    let mut attributes = Map::new();
    flatten(out.get("attributes").unwrap_or(&Value::Null), "", DEPTH, &mut attributes);
    if let Some(Value::String(kind)) = out.get("span_kind") {
        attributes.entry(KIND).or_insert_with(|| kind.as_str().into());
    }
    if !attributes.is_empty() {
        out.put("attributes", attributes.into());
    }
    if let Some(code) = out.shift_remove("status_code") {
        let message = out.shift_remove("status_message").unwrap_or_default();
        out.put("status", json!({"code": code, "message": message}));
    }
    if !context.is_empty() {
        ids.put("context", Value::Object(context));
    }
    // It is that of the whole process.
    out.shift_remove("resource");
    out.retain(|_, value| !value.as_array().is_some_and(Vec::is_empty));
    ids.extend(out);
    Value::Object(ids)
}

/// The maximum nesting depth of attributes.
const DEPTH: usize = 16;

/// Attributes by their full names.
fn flatten(value: &Value, head: &str, depth: usize, out: &mut Map<String, Value>) {
    let mut inner = |key: &str, value: &Value| {
        let name = if head.is_empty() { key.to_owned() } else { format!("{head}.{key}") };
        flatten(value, &name, depth.saturating_sub(1), out);
    };
    match value {
        Value::Object(map) if depth > 0 && !map.is_empty() => {
            map.iter().for_each(|(key, value)| inner(key, value))
        }
        Value::Array(items) if depth > 0 && items.iter().any(Value::is_object) => {
            items.iter().enumerate().for_each(|(at, value)| inner(&at.to_string(), value));
        }
        Value::Null => {}
        value if !head.is_empty() => out.put(head, value.clone()),
        _ => {}
    }
}
