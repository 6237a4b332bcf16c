//! Messages and turns in written form.

use serde_json::{Map, Value};

use super::agent_run::{AgentRun, Call, Tool, TurnSource};
use super::group::{Group, Turn, message_of};
use super::{FactKind, Options, body, calls};
use crate::model::{Content, ToolRun};
use crate::text::JsonMap;
use crate::write::{self, Entries, nested_result_entry};

/// A message; `visible` is whether it is visible from the start, `since` the time of its turn.
pub(super) fn message(
    group: &Group<'_>,
    (agent_run, at): (usize, usize),
    options: &Options,
    visible: Option<bool>,
    since: Option<&str>,
) -> Value {
    let Some(found) = group.agent_runs.get(agent_run) else { return Value::Null };
    let Some(message) = found.messages.get(at) else { return Value::Null };
    let fact = message.fact;
    let tool = match message.turn {
        Some(TurnSource::Tool(tool)) => found.tools.get(tool),
        _ => None,
    };
    let mut out = Entries::default();
    out.put("id", group.ids.id(agent_run, at).map(Value::from));
    out.put("ulid", group.ids.ulid(agent_run, at).map(Value::from));
    out.put("role", fact.get("role").cloned());
    out.put("timestamp", fact.at.as_deref().filter(|at| Some(*at) != since).map(Value::from));
    out.put("agent", found.agent.filter(|_| group.is_several()).map(Value::from));
    let source = message
        .turn
        .filter(|source| matches!(source, TurnSource::Tool(_)))
        .unwrap_or(TurnSource::Message(at));
    let host = fact.get("tool_call_id");
    let is_result = fact.text("role") == "tool";
    let answers =
        group.call_ids.answers(agent_run, source).or_else(|| group.call_ids.uncalled(agent_run, source));
    let answers = answers.map(Value::from);
    // A result without a call has no id; the host's id goes into the metadata.
    let lost = host.filter(|_| is_result && answers.is_none());
    out.put("tool_call_id", if is_result { answers } else { host.cloned() });
    let declared = tool.and_then(|tool| tool.declared).or_else(|| found.answered_by(at));
    let declared = declared.and_then(|declared| calls::name(declared.call)).map(Value::from);
    let named = || tool.map(body::tool_name).filter(|name| !name.is_empty()).map(Value::from);
    out.put(
        "tool_name",
        declared
            .filter(|_| is_result && lost.is_none())
            .or_else(|| fact.get("tool_name").cloned())
            .or_else(named),
    );
    out.put("content", Some(body::content(found, message, options)));
    let by = found.call_source(TurnSource::Message(at));
    let calls = found.calls_of(by).iter().enumerate();
    let calls: Vec<Value> =
        calls.map(|(at, call)| calls::stored(call, group.call_ids.id(agent_run, by, at))).collect();
    out.put("tool_calls", (!calls.is_empty()).then_some(Value::Array(calls)));
    for key in ["reasoning", "refusal", "citations", "annotations", "usage"] {
        out.put(key, fact.get(key).cloned());
    }
    let own = fact.get("visible").and_then(Value::as_bool);
    out.put("visible", Value::from(visible.or(own).unwrap_or(true)));
    let mut metadata = fact.get("metadata").cloned();
    if let Some(id) = lost {
        let entries = metadata.get_or_insert_with(|| Value::Object(Map::new()));
        if let Some(entries) = entries.as_object_mut() {
            entries.put("tool_call_id", id.clone());
        }
    }
    out.put("metadata", metadata);
    out.into_value()
}

/// The data of a tool's result about the agent that carried it out.
pub(super) struct Nested {
    pub agent: Option<String>,
    /// `nested_transcript` or `nested_transcript_ref`.
    pub key: &'static str,
    pub run: Value,
}

/// The tool's run in written form, and the same for its message, which has no nested run.
pub(super) fn tool_run(
    tool: &Tool<'_>,
    id: Option<&str>,
    is_of_host: bool,
    message: Option<&Value>,
    nested: Option<Nested>,
) -> (Value, Option<Value>) {
    let error = body::error(tool);
    let returned = tool.end.and_then(|end| end.get("result")).cloned();
    // A result that was not observed is that of the message.
    let reported = || message.and_then(|message| message.get("content")).cloned();
    let result = match (&tool.end, &error) {
        (None, None) => reported(),
        _ => returned,
    };
    let parameters = body::parameters(tool);
    let is_nested = nested.is_some();
    let result = match nested {
        None => result.unwrap_or_default(),
        Some(nested) => {
            let mut out = nested_result_entry(nested.agent.as_deref(), None);
            match result {
                Some(Value::Object(entries))
                    if entries.get("type").is_some_and(|kind| kind == "nested_agent_result") =>
                {
                    out.0.extend(entries);
                }
                result => out.put("response", result),
            }
            out.put(nested.key, Some(nested.run));
            out.into_value()
        }
    };
    let error = error.as_ref().map(Content::from);
    let mut run = ToolRun::new(id, body::tool_name(tool), parameters, result, error);
    run.caller = is_of_host.then(|| "host".into());
    let response = (!is_nested).then(|| write::tool_response(&run));
    (write::tool_run(&run), response)
}

/// The answer of a model, or its failure: the key and its value.
pub(super) fn answer(group: &Group<'_>, agent_run: usize, at: usize) -> Option<(&'static str, Value)> {
    let found = group.agent_runs.get(agent_run)?;
    let call = found.calls.get(at)?;
    let calls = found.calls_of(TurnSource::Call(at)).iter().enumerate();
    let calls = calls
        .map(|(index, call)| calls::raw(call, group.call_ids.id(agent_run, TurnSource::Call(at), index)));
    Some(answered(found, call, calls.collect()))
}

fn answered(agent_run: &AgentRun<'_>, call: &Call<'_>, calls: Vec<Value>) -> (&'static str, Value) {
    // An answer that was not reported is that of the message made of it.
    let message = call.message.and_then(|at| agent_run.messages.get(at)).map(|message| message.fact);
    let Some(end) = call.end.or(message) else {
        let mut out = Entries::default();
        out.put("type", Value::from("unanswered"));
        out.put("message", Value::from("no response was recorded"));
        // What had come in by then is no answer.
        out.put("chunks", chunks(call));
        return ("llm_error", out.into_value());
    };
    if end.kind == FactKind::ModelFailed {
        let mut out = Entries::default();
        match end.get("error") {
            Some(Value::Object(error)) => out.0.extend(error.clone()),
            error => {
                out.put("type", Value::from("api_error"));
                out.put(
                    "message",
                    error.map(|error| super::agent_run::comparable_content(Some(error)).into()),
                );
            }
        }
        // An interrupted stream got this far; individually reported pieces are more exact than those of the
        // error.
        out.put("chunks", chunks(call));
        return ("llm_error", out.into_value());
    }
    let mut out = Entries::default();
    out.put("role", Value::from("assistant"));
    out.0.put("content", end.get("content").cloned().unwrap_or_default());
    let raw = if calls.is_empty() { Value::Null } else { Value::Array(calls) };
    out.0.put("tool_calls", raw);
    for key in ["reasoning", "refusal", "citations", "annotations", "parsed"] {
        out.put(key, end.get(key).cloned());
    }
    out.put("chunks", chunks(call));
    for key in ["finish_reason", "model", "id", "usage", "metadata"] {
        out.put(key, end.get(key).cloned());
    }
    ("llm_response", out.into_value())
}

fn chunks(call: &Call<'_>) -> Option<Value> {
    let chunk = |delta: &&Value| match delta {
        delta @ Value::Object(_) => (*delta).clone(),
        delta => {
            let mut out = Entries::default();
            out.put("text", Value::from(super::agent_run::comparable_content(Some(delta))));
            out.into_value()
        }
    };
    (!call.chunks.is_empty()).then(|| call.chunks.iter().map(chunk).collect())
}

/// The recorded times of a turn, the beginning first.
pub(super) fn times<'f>(group: &Group<'f>, (agent_run, source): Turn) -> Vec<&'f str> {
    let Some(found) = group.agent_runs.get(agent_run) else { return Vec::new() };
    let (begin, end) = match source {
        TurnSource::Call(at) => found.calls.get(at).map_or((None, None), |call| (Some(call.fact), call.end)),
        TurnSource::Tool(at) => found.tools.get(at).map_or((None, None), |tool| (tool.begin, tool.end)),
        TurnSource::Message(_) => (None, None),
    };
    let message = message_of(found, source).and_then(|at| found.messages.get(at)).map(|message| message.fact);
    [begin, end, message].into_iter().flatten().filter_map(|fact| fact.at.as_deref()).collect()
}
