//! Detects and reads runs of LangSmith.

use serde_json::Value;

use super::super::detect::Found;
use super::super::formats::{Detection, Format, Words};
use super::super::runs::{Refusal, Request, Runs};
use super::super::session::detected;
use super::adapt::{is_mlflow_span, is_observation, is_recorded, is_row};
use super::langsmith_runs;
use crate::parse::Node;

pub(in super::super) static FORMAT: Format = Format {
    kind: "langsmith-runs",
    names: &["langsmith", "langsmith-runs"],
    title: "LangSmith",
    rank: 40,
    ..Format::BASE
};

pub(in super::super) static WORDS: Words = Words {
    run: "LangSmith runs",
    entry: ("run", "runs"),
    nouns: ("log has", "trace"),
    plural: "LangSmith runs",
    sentence: "these are LangSmith runs",
    unit: "runs",
    ..Words::BASE
};

pub(in super::super) static DETECTION: Detection = Detection {
    keys: &["\"run_type\""],
    known_by: &[&["run_type", "inputs", "outputs", "trace_id"]],
    entry_of,
    root_of,
    ..Detection::NONE
};

fn entry_of(value: &Value, is_first: bool) -> Option<Found> {
    let batch = value.get("post").or(value.get("patch")).and_then(|runs| runs.get(0));
    let value = batch.unwrap_or(value);
    let kind = value.get("run_type").and_then(Value::as_str)?;
    let is_so = ["dotted_order", "trace_id", "inputs"].iter().any(|key| value.get(key).is_some());
    let which = if is_first { "first entry" } else { "entry" };
    let reason = format!("its {which} has the `run_type` `{kind}`, like LangSmith runs");
    is_so.then(|| Found::certain(&FORMAT, &reason))
}

fn root_of(root: &Node) -> Option<Found> {
    let has = |key: &str| root.get(key).is_some();
    let is_run = |list: &Node| list.items().first().is_some_and(|run| run.get("dotted_order").is_some());
    if ["post", "patch"].iter().any(|key| root.get(key).is_some_and(is_run)) {
        return Some(Found::certain(
            &FORMAT,
            "it has `post` or `patch` with runs, like batches of LangSmith",
        ));
    }
    let is_so = has("run_type") && (has("dotted_order") || has("inputs"));
    let reason = "it has `run_type` and `inputs`, like LangSmith runs";
    is_so.then(|| Found::certain(&FORMAT, reason))
}

pub(in super::super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    let format = request.format.names.first().copied().unwrap_or_default();
    Ok(langsmith_runs(&request.file(), format).into_runs(request))
}

pub(in super::super) static LANGFUSE: Format = Format {
    kind: "langfuse-trace",
    names: &["langfuse", "langfuse-trace"],
    title: "Langfuse",
    rank: 40,
    ..Format::BASE
};

pub(in super::super) static LANGFUSE_WORDS: Words = Words {
    run: "a Langfuse trace",
    entry: ("observation", "observations"),
    nouns: ("file has", "trace"),
    plural: "Langfuse traces",
    sentence: "this is a Langfuse trace",
    unit: "observations",
    ..Words::BASE
};

pub(in super::super) static LANGFUSE_DETECTION: Detection = Detection {
    keys: &["\"traceId\""],
    known_by: &[&["trace", "observations"]],
    entry_of: |value, _| {
        langfuse(is_observation(value.get("observations").and_then(|all| all.get(0)).unwrap_or(value)))
    },
    root_of: |root| langfuse(root.get("trace").is_some() && root.get("observations").is_some()),
    ..Detection::NONE
};

fn langfuse(is_so: bool) -> Option<Found> {
    detected(&LANGFUSE, is_so, "it has observations with `traceId`, like traces of Langfuse")
}

pub(in super::super) static BRAINTRUST: Format = Format {
    kind: "braintrust-logs",
    names: &["braintrust", "braintrust-logs"],
    title: "Braintrust",
    rank: 40,
    ..Format::BASE
};

pub(in super::super) static BRAINTRUST_WORDS: Words = Words {
    run: "Braintrust logs",
    entry: ("row", "rows"),
    nouns: ("file has", "trace"),
    plural: "Braintrust logs",
    sentence: "these are Braintrust logs",
    unit: "rows",
    ..Words::BASE
};

pub(in super::super) static BRAINTRUST_DETECTION: Detection = Detection {
    keys: &["\"root_span_id\""],
    known_by: &[&["root_span_id", "span_id", "span_attributes"]],
    entry_of: |value, _| {
        let reason = "its rows have `span_id` and `root_span_id`, like logs of Braintrust";
        detected(&BRAINTRUST, is_row(value), reason)
    },
    ..Detection::NONE
};

pub(in super::super) static AUTOGEN: Format = Format {
    kind: "autogen-recording",
    names: &["autogen", "autogen-recording"],
    title: "AutoGen",
    rank: 40,
    ..Format::BASE
};

pub(in super::super) static AUTOGEN_WORDS: Words = Words {
    run: "a recording of AutoGen",
    entry: ("call", "calls"),
    plural: "recordings of AutoGen",
    sentence: "this is a recording of AutoGen",
    unit: "calls",
    ..Words::BASE
};

pub(in super::super) static AUTOGEN_DETECTION: Detection = Detection {
    keys: &["\"SystemMessage\"", "\"UserMessage\""],
    known_by: &[&["mode", "messages", "response"]],
    entry_of: |value, _| {
        let reason = "its entries have `mode`, `messages` and `response`, like recordings of AutoGen";
        detected(&AUTOGEN, is_recorded(value), reason)
    },
    ..Detection::NONE
};

pub(in super::super) static MLFLOW: Format = Format {
    kind: "mlflow-traces",
    names: &["mlflow", "mlflow-traces"],
    title: "MLflow",
    // Its spans may look like those of OpenTelemetry.
    rank: 20,
    ..Format::BASE
};

pub(in super::super) static MLFLOW_WORDS: Words = Words {
    run: "an MLflow trace",
    entry: ("span", "spans"),
    nouns: ("file has", "trace"),
    plural: "MLflow traces",
    sentence: "this is an MLflow trace",
    unit: "spans",
    ..Words::BASE
};

pub(in super::super) static MLFLOW_DETECTION: Detection = Detection {
    keys: &["\"mlflow.traceRequestId\""],
    known_by: &[&["info", "data"]],
    entry_of: |value, _| {
        let spans = value.get("data").unwrap_or(value).get("spans");
        mlflow(is_mlflow_span(spans.and_then(|spans| spans.get(0)).unwrap_or(value)))
    },
    root_of: |root| mlflow(has_mlflow_spans(root)),
    ..Detection::NONE
};

fn has_mlflow_spans(root: &Node) -> bool {
    let spans = root.get("data").unwrap_or(root).get("spans").map(Node::items).unwrap_or_default();
    let attributes = spans.first().unwrap_or(root).get("attributes");
    attributes.is_some_and(|all| all.get("mlflow.traceRequestId").is_some())
}

fn mlflow(is_so: bool) -> Option<Found> {
    detected(&MLFLOW, is_so, "its spans have `mlflow.traceRequestId`, like traces of MLflow")
}
