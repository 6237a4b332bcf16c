//! What trajectories, messages of the AI SDK, spans of OpenTelemetry, logs of Inspect and runs of LangSmith are told by.

use serde_json::Value;

use super::super::ai_sdk::devtools;
use super::super::codex;
use super::super::otel::console;
use super::super::{ai_sdk, atif};
use super::{Format, Found};
use crate::parse::Node;

/// One of these stands in each such file, as it is written there.
pub(super) const KEYS: [&str; 14] = [
    "\"schema_version\"",
    "\"parts\"",
    "\"toolInvocations\"",
    "\"toolCallId\"",
    "\"resourceSpans\"",
    "\"run_type\"",
    "\"samples\"",
    "\"eval\"",
    "\"step_number\"",
    "\"trace_id\"",
    "\"thread.started\"",
    "\"item.started\"",
    "\"item.completed\"",
    "\"session\"",
];

/// How many messages of a chat are looked at.
const LOOKED: usize = 32;

fn found(format: Format, reason: String) -> Option<Found> {
    Some(Found { format, is_certain: true, reason })
}

/// Tells one of several entries, on a line of its own or in a list, or a document, by its keys.
pub(super) fn detect_entry(value: &Value, is_first: bool) -> Option<Found> {
    let which = if is_first { "first entry" } else { "entry" };
    if let Some(version) = value.get("schema_version").and_then(Value::as_str)
        && atif::is_version(version)
    {
        return found(Format::Trajectory, format!("its `schema_version` is `{version}`"));
    }
    if value.get("resourceSpans").is_some_and(Value::is_array) {
        return found(Format::Otel, "it has `resourceSpans`, as OTLP has".to_owned());
    }
    if console::looks_so(value) {
        let reason =
            format!("its {which} has a `context` with a `trace_id`, as Python prints spans of OpenTelemetry");
        return found(Format::Otel, reason);
    }
    if let Some(kind) = value.get("run_type").and_then(Value::as_str)
        && (value.get("dotted_order").is_some()
            || value.get("trace_id").is_some()
            || value.get("inputs").is_some())
    {
        let reason = format!("its {which} is a run with the `run_type` `{kind}`, as those of LangSmith are");
        return found(Format::LangSmith, reason);
    }
    if value.get("eval").is_some_and(Value::is_object) && value.get("plan").or(value.get("samples")).is_some()
    {
        return found(Format::Inspect, INSPECT.to_owned());
    }
    if codex::documents::looks_so(value) {
        return found(Format::Codex, CODEX.to_owned());
    }
    if let Some(what) = ai_sdk::recognized_by(value) {
        return found(Format::AiSdk, format!("its {which} {what}"));
    }
    let messages = value.get("messages")?.as_array()?;
    let what = messages.iter().take(LOOKED).find_map(ai_sdk::recognized_by)?;
    found(Format::AiSdk, format!("it has `messages`, of which one {what}"))
}

const INSPECT: &str = "it has `eval` with `plan` or `samples`, as the logs of Inspect AI have";

const CODEX: &str = "it has `session` and `items`, as Codex wrote its sessions in spring 2025";

/// Tells a document by its keys, however long it is.
pub(super) fn detect_root(root: &Node) -> Option<Found> {
    if let Some(version) = root.get("schema_version").and_then(Node::as_str)
        && atif::is_version(version)
    {
        return found(Format::Trajectory, format!("its `schema_version` is `{version}`"));
    }
    let has = |key: &str| root.get(key).is_some();
    if has("resourceSpans") {
        return found(Format::Otel, "it has `resourceSpans`, as OTLP has".to_owned());
    }
    if console::is_span(root) && has("start_time") {
        let reason = "it has a `context` with a `trace_id`, as Python prints spans of OpenTelemetry";
        return found(Format::Otel, reason.to_owned());
    }
    if has("run_type") && (has("dotted_order") || has("inputs")) {
        return found(
            Format::LangSmith,
            "it has `run_type` and `inputs`, as the runs of LangSmith have".to_owned(),
        );
    }
    if codex::documents::is_session(root) {
        return found(Format::Codex, CODEX.to_owned());
    }
    if has("runs") && root.get("steps").is_some_and(|steps| steps.items().iter().any(devtools::is_step)) {
        let reason = "it has `runs` and `steps` with `run_id`, as the devtools of the AI SDK write them";
        return found(Format::AiSdkDevtools, reason.to_owned());
    }
    if root.get("eval").is_some_and(Node::is_map) && (has("plan") || has("samples")) {
        return found(Format::Inspect, INSPECT.to_owned());
    }
    let (list, whole) = match root.get("messages") {
        Some(messages) => (messages.items(), "it has `messages`, of which one"),
        None => (root.items(), "one of its entries"),
    };
    let what = list.iter().take(LOOKED).find_map(|message| ai_sdk::recognized_by(&message.to_value()))?;
    found(Format::AiSdk, format!("{whole} {what}"))
}
