//! Runs of LangSmith: chains, model calls and tool calls, each with its parent run. `dotted_order` gives
//! their order. Messages of LangChain are constructors with their arguments; others are those of vendors.

mod adapt;
mod format;
mod message;

use serde_json::{Map, Value};

use super::files::LogFile;
use super::keys::entries_where;
use super::records::Records;
use super::session;
use super::traces::span::{ModelCallData, Traced};
use super::traces::{Origin, Traces};
use super::values::Entry;
use crate::diagnostic::codes;
use crate::parse::{Data, Node};
use crate::text::{JsonMap, Table, json, kind_name};
use crate::time::moment;
use crate::wire::{ModelRequest, ModelResponse, Protocol, is_blank};
pub(super) use format::{
    AUTOGEN, AUTOGEN_DETECTION, AUTOGEN_WORDS, BRAINTRUST, BRAINTRUST_DETECTION, BRAINTRUST_WORDS, DETECTION,
    FORMAT, LANGFUSE, LANGFUSE_DETECTION, LANGFUSE_WORDS, MLFLOW, MLFLOW_DETECTION, MLFLOW_WORDS, WORDS,
    read,
};

const HELP: &str = "`LANGSMITH_HIDE_INPUTS` and `LANGSMITH_HIDE_OUTPUTS` hide inputs and outputs";

/// The maximum nesting depth of runs; deeper ones stay part of the run around them.
const DEPTH: usize = 64;

/// Reads runs; each trace of them is a run.
///
/// ```
/// use transcript_core::import::{LogFile, read_as};
/// let text = r#"[{"id": "a", "trace_id": "t", "name": "Chat", "run_type": "llm", "dotted_order": "1a",
///     "inputs": {"messages": [{"role": "user", "content": "Hi"}]},
///     "outputs": {"choices": [{"message": {"role": "assistant", "content": "Hello!"}}]}}]"#;
/// let read = read_as("langsmith", &[LogFile { path: "runs.json", text }]).unwrap();
/// assert_eq!(read.names, [("t".to_owned(), "Hi".to_owned())]);
/// let imported = read.imported(Some(0));
/// assert_eq!(imported.transcript["execution"][0]["llm_response"]["content"], "Hello!");
/// ```
pub(super) fn langsmith_runs(file: &LogFile<'_>, format: &'static str) -> Traces {
    let mut records = Records::read(file);
    let roots = std::mem::take(&mut records.roots);
    let mut found: Vec<Entry> = Vec::new();
    let mut heads: Table<String, (u32, Value)> = Table::new();
    let is_cut = |node: &Node| records.is_cut(node, file.text);
    for root in &roots {
        // An export may have its runs under a key.
        let is_list = |node: &&Node| matches!(node.data, Data::Seq(_));
        let lists = ["runs", "observations", "post", "patch"]
            .into_iter()
            .filter_map(|key| root.get(key).filter(is_list));
        let data = root.get("data");
        let spans = data.unwrap_or(root).get("spans").filter(is_list);
        let lists: Vec<&Node> = lists.chain(spans).collect();
        if let Some(trace) = root.get("trace").filter(|_| !lists.is_empty()) {
            let id = trace.get("id").and_then(Node::as_str).unwrap_or_default().to_owned();
            heads.insert(id, (records.entry(trace).line, trace.to_value()));
        }
        if let Some(info) = root.get("info").filter(|_| !lists.is_empty()) {
            // It was the id of a request in the second version.
            let id = info.get("trace_id").or_else(|| info.get("request_id")).and_then(Node::as_str);
            let mut about = records.entry(root);
            if let Some(Value::Object(data)) = about.value.get_mut("data") {
                data.shift_remove("spans");
            }
            heads.insert(id.unwrap_or_default().to_owned(), (about.line, about.value));
        }
        if lists.is_empty() {
            flat(root, None, (&records, &is_cut), &mut found, DEPTH);
        }
        for run in lists.into_iter().flat_map(Node::items) {
            flat(run, None, (&records, &is_cut), &mut found, DEPTH);
        }
    }
    let found = join(found, &mut records);
    let mut found: Vec<Entry> = found
        .into_iter()
        .enumerate()
        .map(|(at, mut record)| {
            adapt::as_run(&mut record.value, at + 1);
            record
        })
        .collect();
    records.clean(&mut found);
    let (mut runs, unrecognized): (Vec<Entry>, Vec<Entry>) =
        found.into_iter().partition(|record| record.value.get("run_type").is_some_and(Value::is_string));
    for record in &unrecognized {
        let message = match &record.value {
            Value::Object(_) => "this is not a run; it is kept in `metadata`".to_owned(),
            other => format!("expected a run, found {}; it is kept in `metadata`", kind_name(other)),
        };
        records.warn(codes::LOG_ENTRY, record.span, message, "a run needs a `run_type`");
    }
    // A run without an order stays after the one before it.
    let mut last = String::new();
    let mut keyed: Vec<((String, usize), Entry)> = Vec::new();
    for (at, run) in runs.drain(..).enumerate() {
        if let Some(order) = run.value.get("dotted_order").and_then(Value::as_str) {
            order.clone_into(&mut last);
        }
        keyed.push(((last.clone(), at), run));
    }
    crate::text::sort_by(&mut keyed, |(a, _), (b, _)| a.cmp(b));
    let mut names: Vec<(String, String)> = Vec::new();
    let mut places: Table<String, usize> = Table::new();
    let mut spans = Vec::new();
    for (_, run) in keyed {
        let text = |key: &str| run.value.get(key).and_then(Value::as_str);
        let trace = text("trace_id").or_else(|| text("id")).unwrap_or_default().to_owned();
        let at = *places.entry(trace.clone()).or_insert_with(|| {
            names.push((trace.clone(), text("name").unwrap_or_default().to_owned()));
            names.len() - 1
        });
        spans.push((at, traced(run)));
    }
    let unrecognized = unrecognized.into_iter().map(|record| (record.line, record.value)).collect();
    Traces::new(records, Origin { format, help: HELP }, names, spans, heads, unrecognized)
}

/// Joins the records of one run: its start and what is known at its end, where a log has both.
fn join(found: Vec<Entry>, records: &mut Records) -> Vec<Entry> {
    let mut places: Table<String, usize> = Table::new();
    let mut out: Vec<Entry> = Vec::new();
    for record in found {
        let value = &record.value;
        // A row of Braintrust has a flag, an update of LangSmith has no kind.
        let is_update = value.get("_is_merge") == Some(&Value::Bool(true))
            || value.get("run_type").is_none_or(Value::is_null) && value.get("dotted_order").is_some();
        let id = value.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
        let known = places.get(&id).and_then(|at| out.get_mut(*at)).filter(|_| is_update);
        if let (Some(known), Value::Object(update)) =
            (known.and_then(|known| known.value.as_object_mut()), value)
        {
            records.report.entries += 1;
            records.report.streamed.push(record.line);
            merge(known, update);
            continue;
        }
        places.entry(id).or_insert(out.len());
        out.push(record);
    }
    out
}

/// Sets the values of an update; maps are joined.
fn merge(known: &mut Map<String, Value>, update: &Map<String, Value>) {
    for (key, value) in update.iter().filter(|(_, value)| !is_blank(value)) {
        match (known.get_mut(key), value) {
            (Some(Value::Object(known)), Value::Object(more)) => known.extend(more.clone()),
            _ => drop(known.insert(key.clone(), value.clone())),
        }
    }
}

/// A run with those in it, each by itself.
fn flat(
    node: &Node,
    above: Option<(&str, &str)>,
    (records, is_cut): (&Records, &dyn Fn(&Node) -> bool),
    found: &mut Vec<Entry>,
    depth: usize,
) {
    let inner = node.get("child_runs").map(Node::items).unwrap_or_default();
    if inner.is_empty() && node.get("run_type").is_some() && is_cut(node) {
        let cut = records.cut_entry(node);
        return found.extend(cut.map(|entry| Entry { value: json!({ "cut": entry.value }), ..entry }));
    }
    let mut record = records.entry(node);
    let id = node.get("id").and_then(Node::as_str).unwrap_or_default();
    let mut trace = node.get("trace_id").and_then(Node::as_str).unwrap_or(id);
    if let Value::Object(run) = &mut record.value {
        if let Some((parent, of)) = above {
            run.entry("parent_run_id").or_insert_with(|| parent.into());
            run.entry("trace_id").or_insert_with(|| of.into());
            trace = node.get("trace_id").and_then(Node::as_str).unwrap_or(of);
        }
        if depth > 0 && !inner.is_empty() {
            run.shift_remove("child_runs");
        }
    }
    found.push(record);
    if depth > 0 {
        inner.iter().for_each(|child| flat(child, Some((id, trace)), (records, is_cut), found, depth - 1));
    }
}

/// A run as a span of a trace.
fn traced(run: Entry) -> Traced {
    let value = &run.value;
    let text =
        |key: &str| value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned);
    let of = |key: &str| value.get(key).cloned().unwrap_or_default();
    let kind = text("run_type").unwrap_or_default();
    let mut taken: Vec<&str> = vec!["trace_id", "child_runs"];
    let mut failed = None;
    let (facts, call, model_call) = match kind.as_str() {
        "llm" => {
            let model_call = model_call_data(value);
            if model_call.is_request_known {
                taken.push("inputs");
            }
            if model_call.response.is_some() {
                taken.extend([
                    "outputs",
                    "prompt_tokens",
                    "completion_tokens",
                    "total_tokens",
                    "usage_metadata",
                ]);
            }
            (json!({"type": "generation", "usage": usage(value)}), None, Some(Box::new(model_call)))
        }
        "tool" => {
            let message::ToolReturn { output, call, is_error } = message::result(&of("outputs"));
            failed = is_error.then(|| output.clone());
            // Not all of their content may be read.
            if of("outputs").as_object().is_some_and(|outputs| outputs.len() == 1) && call.is_none() {
                taken.push("outputs");
            }
            let call = call.or_else(|| {
                let extra = value.get("extra")?;
                let id = extra.get("tool_call_id").or_else(|| extra.get("metadata")?.get("tool_call_id"))?;
                id.as_str().map(str::to_owned)
            });
            let input = message::tool_arguments(&of("inputs"));
            let facts = json!({"type": "function", "name": of("name"), "input": input, "output": output});
            (facts, call, None)
        }
        kind => (json!({"type": kind, "name": of("name")}), None, None),
    };
    let own = entries_where(value, &|key, value| !taken.contains(&key) && !is_blank(value));
    Traced {
        is_start: false,
        line: run.line,
        span: run.span,
        id: text("id").unwrap_or_default(),
        parent: text("parent_run_id"),
        kind: match kind.as_str() {
            "llm" => "generation".to_owned(),
            "tool" => "function".to_owned(),
            _ => kind,
        },
        data: facts,
        start: value.get("start_time").and_then(moment),
        end: value.get("end_time").and_then(moment),
        error: text("error").map(Value::from).or(failed),
        call,
        model_call,
        own: Some(own),
        raw: value.clone(),
    }
}

/// The tokens of a call, if the run has them.
fn usage(run: &Value) -> Option<Value> {
    let own =
        run.get("outputs").and_then(|outputs| outputs.get("usage_metadata")).or(run.get("usage_metadata"));
    if let Some(own) = own.filter(|own| own.is_object()) {
        let count = |key: &str| own.get(key)?.as_u64();
        let detail = |key: &str, of: &str| own.get(key)?.get(of)?.as_u64();
        let cached = detail("input_token_details", "cache_read");
        let reasoning = detail("output_token_details", "reasoning");
        let written = detail("input_token_details", "cache_creation");
        return session::usage(count("input_tokens"), count("output_tokens"), [cached, written], reasoning);
    }
    let keys = ["prompt_tokens", "completion_tokens", "total_tokens"];
    let counts = keys.iter().filter_map(|key| {
        Some(((*key).to_owned(), run.get(*key).filter(|count| count.is_number())?.clone()))
    });
    let counts: Map<String, Value> = counts.collect();
    // An export has zeros where nothing was counted.
    counts.values().any(|count| *count != 0).then_some(Value::Object(counts))
}

/// The request and response of a model call.
fn model_call_data(run: &Value) -> ModelCallData {
    let inputs = run.get("inputs").unwrap_or(&Value::Null);
    let extra = run.get("extra").unwrap_or(&Value::Null);
    let parameters = extra.get("invocation_params").and_then(Value::as_object).cloned().unwrap_or_default();
    let about = extra.get("metadata").unwrap_or(&Value::Null);
    let mut request = ModelRequest::default();
    let mut is_request_known = true;
    let list = inputs.get("messages").and_then(Value::as_array);
    let prompts = inputs.get("prompts").or_else(|| inputs.get("prompt"));
    match (list, prompts) {
        (Some(list), _) => {
            // A call of several conversations has the messages of each; nearly always there is one.
            let list = match list.first() {
                Some(Value::Array(first)) if !first.first().is_some_and(Value::is_string) => first,
                _ => list,
            };
            if let Some(system) = inputs.get("system").filter(|system| !system.is_null()) {
                request.messages.push(message::system(system));
                request.head = 1;
            }
            request.messages.extend(list.iter().flat_map(message::parse_messages));
        }
        (None, Some(Value::Array(prompts))) => request.messages.extend(prompts.iter().map(message::prompt)),
        (None, Some(prompt @ Value::String(_))) => request.messages.push(message::prompt(prompt)),
        _ => is_request_known = false,
    }
    let model = ["model", "model_name"].iter().find_map(|key| parameters.get(*key)?.as_str());
    let model = model.or_else(|| inputs.get("model")?.as_str());
    request.model = model.or_else(|| about.get("ls_model_name")?.as_str()).map(str::to_owned);
    for (key, value) in parameters {
        match (key.as_str(), value) {
            ("model" | "model_name" | "_type", _) | (_, Value::Null) => {}
            ("tools", Value::Array(tools)) => {
                request.tools =
                    tools.into_iter().map(|tool| tool.get("function").cloned().unwrap_or(tool)).collect();
            }
            (_, value) => drop(request.config.insert(key, value)),
        }
    }
    let outputs = run.get("outputs").unwrap_or(&Value::Null);
    let mut response = parse_response(outputs);
    if let Some(response) = &mut response {
        response.usage = response.usage.take().or_else(|| usage(run));
    }
    ModelCallData { request, response, is_request_known, ..ModelCallData::default() }
}

/// The answer in the output of a model call: generations of LangChain, or the body of a vendor.
fn parse_response(outputs: &Value) -> Option<ModelResponse> {
    let generations = outputs.get("generations").and_then(Value::as_array);
    if let Some(first) = generations.and_then(|all| all.first()) {
        let first = match first {
            Value::Array(all) => all.first()?,
            other => other,
        };
        let mut response = match first.get("message").filter(|message| !message.is_null()) {
            Some(message) => message::answer(message),
            None => ModelResponse {
                content: first.get("text").and_then(Value::as_str).unwrap_or_default().to_owned(),
                ..ModelResponse::default()
            },
        };
        for (key, value) in
            [("generation_info", first.get("generation_info")), ("llm_output", outputs.get("llm_output"))]
        {
            if let Some(value) = value.filter(|value| !is_blank(value)) {
                response.metadata.put(key, value.clone());
            }
        }
        return Some(response);
    }
    let read = Protocol::Chat.parse_response(outputs).or_else(|| match outputs.get("output") {
        Some(Value::Array(_)) => Protocol::Responses.parse_response(outputs),
        _ => None,
    });
    let read = read.or_else(|| match outputs.get("content") {
        Some(Value::Array(_)) if outputs.get("stop_reason").is_some() => {
            Protocol::Anthropic.parse_response(outputs)
        }
        _ => None,
    });
    let inner = ["message", "output", "messages"].iter().find_map(|key| outputs.get(*key));
    let inner = match inner {
        Some(Value::Array(all)) => all.last(),
        other => other,
    };
    read.or_else(|| match (inner, outputs.get("role").or(outputs.get("content"))) {
        (Some(Value::String(message)), _) => {
            Some(ModelResponse { content: message.clone(), ..ModelResponse::default() })
        }
        (Some(inner), _) if inner.is_object() => Some(message::answer(inner)),
        (_, Some(_)) => Some(message::answer(outputs)),
        _ => None,
    })
}
