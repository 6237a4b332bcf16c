//! Detects and reads spans of OpenTelemetry.

use serde_json::Value;

use super::super::detect::Found;
use super::super::formats::{Detection, Format, Words};
use super::super::runs::{Refusal, Request, Runs};
use super::{console, otel_spans};
use crate::parse::Node;

pub(in super::super) static FORMAT: Format = Format {
    kind: "otel-spans",
    names: &["otel", "otlp", "otel-spans"],
    title: "OpenTelemetry",
    rank: 30,
    ..Format::BASE
};

pub(in super::super) static WORDS: Words = Words {
    run: "OpenTelemetry spans",
    entry: ("span", "spans"),
    nouns: ("log has", "trace"),
    plural: "OpenTelemetry spans",
    sentence: "these are OpenTelemetry spans",
    unit: "spans",
    ..Words::BASE
};

pub(in super::super) static DETECTION: Detection = Detection {
    keys: &["\"resourceSpans\"", "\"trace_id\"", "\"spanContext\""],
    known_by: &[&["trace_id", "span_id", "attributes", "start_time"]],
    entry_of,
    root_of,
    ..Detection::NONE
};

const OTLP: &str = "it has `resourceSpans`, like OTLP";

fn entry_of(value: &Value, is_first: bool) -> Option<Found> {
    if value.get("resourceSpans").is_some_and(Value::is_array) {
        return Some(Found::certain(&FORMAT, OTLP));
    }
    if is_first && value.get("spans").and_then(|spans| spans.get(0)).is_some_and(console::is_console_span) {
        return Some(Found::certain(&FORMAT, "it has `spans` with trace ids, like OpenTelemetry spans"));
    }
    let which = if is_first { "first entry" } else { "entry" };
    let reason = format!("its {which} has a `context` with a `trace_id`, like OpenTelemetry spans in Python");
    console::is_console_span(value).then(|| Found::certain(&FORMAT, &reason))
}

fn root_of(root: &Node) -> Option<Found> {
    if root.get("resourceSpans").is_some() {
        return Some(Found::certain(&FORMAT, OTLP));
    }
    let reason = "it has a `context` with a `trace_id`, like OpenTelemetry spans in Python";
    if console::listed(root).is_some() {
        return Some(Found::certain(
            &FORMAT,
            "it has lists of spans with trace ids, like OpenTelemetry spans",
        ));
    }
    let is_so = console::is_span(root) && root.get("start_time").is_some();
    is_so.then(|| Found::certain(&FORMAT, reason))
}

pub(in super::super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    Ok(otel_spans(&request.file()).into_runs(request))
}
