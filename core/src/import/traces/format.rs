//! Detects and reads traces of the OpenAI Agents SDK.

use serde_json::Value;

use super::super::detect::Found;
use super::super::formats::{Detection, Format, Words};
use super::super::runs::{Refusal, Request, Runs};
use super::{Traces, is_traced, traces};

pub(in super::super) static FORMAT: Format = Format {
    kind: "openai-agents-traces",
    names: &["openai-agents", "openai-agents-traces"],
    title: "OpenAI Agents SDK",
    rank: 10,
    ..Format::BASE
};

pub(in super::super) static WORDS: Words = Words {
    run: "an OpenAI Agents SDK trace",
    entry: ("trace or span", "traces and spans"),
    nouns: ("log has", "trace"),
    plural: "OpenAI Agents SDK traces",
    sentence: "this is an OpenAI Agents SDK trace log",
    unit: "spans",
    ..Words::BASE
};

pub(in super::super) static DETECTION: Detection = Detection {
    keys: &["\"trace\"", "\"trace.span\"", "\"span_id\""],
    known_by: &[&["object", "trace_id", "span_data"], &["event", "timestamp", "span"]],
    entry_of,
    ..Detection::NONE
};

fn entry_of(value: &Value, is_first: bool) -> Option<Found> {
    let which = if is_first { "first entry" } else { "entry" };
    let reason = format!("its {which} is a trace or a span, like OpenAI Agents SDK exports");
    is_traced(value).then(|| Found::certain(&FORMAT, &reason))
}

pub(in super::super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    Ok(traces(&request.file()).into_runs(request))
}

impl Traces {
    /// The traces as runs.
    pub(in super::super) fn into_runs<'t>(mut self, request: &Request<'t>) -> Runs<'t> {
        Runs::new(request, self.traces.clone(), move |chosen| self.imported(chosen))
    }
}
