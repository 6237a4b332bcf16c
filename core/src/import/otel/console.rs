//! Spans as the console exporter of Python prints them: one JSON map each over several lines, one behind the other.

use serde_json::{Map, Value};

use crate::parse::Node;

/// Whether a map is such a span.
pub(super) fn is_span(root: &Node) -> bool {
    root.get("context").is_some_and(|context| context.get("trace_id").is_some())
}

/// The same for data: its ids are numbers.
pub(super) fn is_console_span(value: &Value) -> bool {
    let trace = value.get("context").and_then(|context| context.get("trace_id")?.as_str());
    trace.is_some_and(|trace| trace.starts_with("0x")) && value.get("start_time").is_some()
}

/// The span with its ids in the form of OTLP.
pub(super) fn as_otlp(span: &Value) -> Value {
    let mut out = span.as_object().cloned().unwrap_or_default();
    let plain = |id: Option<&Value>| {
        let id = id.and_then(Value::as_str).unwrap_or_default();
        Value::from(id.trim_start_matches("0x"))
    };
    let mut context = match out.shift_remove("context") {
        Some(Value::Object(context)) => context,
        _ => Map::new(),
    };
    let mut ids = Map::new();
    for (key, from) in [("traceId", "trace_id"), ("spanId", "span_id")] {
        ids.insert(key.to_owned(), plain(context.shift_remove(from).as_ref()));
    }
    ids.insert("parentSpanId".to_owned(), plain(out.shift_remove("parent_id").as_ref()));
    context.retain(|key, value| key != "trace_state" || *value != "[]");
    if !context.is_empty() {
        ids.insert("context".to_owned(), Value::Object(context));
    }
    // It is that of the whole process.
    out.shift_remove("resource");
    out.retain(|_, value| !value.as_array().is_some_and(Vec::is_empty));
    ids.extend(out);
    Value::Object(ids)
}
