//! The devtools of the AI SDK write runs and model calls to `.devtools/generations.json`. Requests and
//! responses are JSON inside strings. A run inside a tool of another run names the model call before it.

use serde_json::Value;

use super::super::conversation::{self, ToolOutcome};
use super::super::files::LogFile;
use super::super::keys::{non_null_except, text};
use super::super::records::Records;
use super::super::traces::span::{ModelCallData, Traced};
use super::super::traces::{Origin, Traces};
use super::super::values::Entry;
use super::{Piece, model};
use crate::diagnostic::codes;
use crate::parse::{Node, json_exactly};
use crate::text::{JsonMap, Set, Table, json, kind_name, snake_case};
use crate::time::moment;
use crate::wire::{Message, ModelRequest, ModelResponse};

const ORIGIN: Origin =
    Origin { format: "ai-sdk-devtools", help: "it is empty; telemetry may be configured to omit it" };

/// The parts of a call that are JSON inside strings.
const PACKED: [&str; 7] =
    ["input", "output", "usage", "provider_options", "raw_request", "raw_response", "raw_chunks"];

/// The maximum nesting depth of runs.
const DEPTH: usize = 16;

/// Whether a map is a model call in the form of the devtools.
pub(in super::super) fn is_step(value: &Node) -> bool {
    value.get("run_id").is_some() && value.get("step_number").is_some()
}

/// Reads the runs; one that a tool of another run began is in the result of that tool, if the call is known.
///
/// ```
/// use transcript_core::import::{LogFile, read_as};
/// let text = r#"{"runs": [{"id": "r", "started_at": "2026-05-01T10:00:00.000Z"}], "steps": [{"id": "s", "run_id": "r", "step_number": 1,
///     "type": "generate", "model_id": "m", "started_at": "2026-05-01T10:00:00.100Z", "error": null,
///     "input": "{\"prompt\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Hi\"}]}]}",
///     "output": "{\"content\":[{\"type\":\"text\",\"text\":\"Hello!\"}],\"finishReason\":\"stop\"}"}]}"#;
/// let read = read_as("ai-sdk-devtools", &[LogFile { path: "generations.json", text }]).unwrap();
/// assert_eq!(read.names, [("r".to_owned(), "Hi".to_owned())]);
/// let imported = read.imported(Some(0));
/// assert_eq!(imported.transcript["execution"][0]["llm_response"]["content"], "Hello!");
/// ```
pub(super) fn ai_sdk_devtools(file: &LogFile<'_>) -> Traces {
    let mut records = Records::read(file);
    let (mut runs, mut steps, mut unrecognized) = (Vec::new(), Vec::new(), Vec::new());
    for root in std::mem::take(&mut records.roots) {
        let lists = ["runs", "steps"].map(|key| root.get(key));
        if lists.iter().all(Option::is_none) {
            // Entries of a damaged file may lack their parents.
            let record = records.entry(&root);
            match is_step(&root) {
                true => steps.push(record),
                false => unrecognized.push(record),
            }
            continue;
        }
        let [own, calls] = lists.map(|list| list.map(Node::items).unwrap_or_default());
        runs.extend(own.iter().map(|run| records.entry(run)));
        for call in calls {
            let record = records.entry(call);
            match is_step(call) {
                true => steps.push(record),
                false => unrecognized.push(record),
            }
        }
        for entry in root.entries().iter().filter(|entry| !["runs", "steps"].contains(&&*entry.key.text)) {
            let mut record = records.entry(&entry.value);
            record.value = json!({ (&*entry.key.text): record.value });
            unrecognized.push(record);
        }
    }
    let (names, others): (Vec<Entry>, Vec<Entry>) =
        runs.into_iter().partition(|run| text(&run.value, "id").is_some());
    unrecognized.extend(others);
    for record in &unrecognized {
        let message = format!(
            "expected a run or a model call, found {}; it is kept in `metadata`",
            kind_name(&record.value)
        );
        records.warn(codes::LOG_ENTRY, record.span, message, "a call needs `run_id` and `step_number`");
    }
    // Keys and passwords are found by name, which is hidden in texts until they are unpacked.
    for step in &mut steps {
        unpack(&mut step.value);
    }
    let (at_steps, at_odd) = (names.len(), names.len() + steps.len());
    let mut all: Vec<Entry> = names.into_iter().chain(steps).chain(unrecognized).collect();
    records.clean(&mut all);
    let unrecognized = all.split_off(at_odd).into_iter().map(|record| (record.line, record.value)).collect();
    let steps = all.split_off(at_steps);
    DevtoolsRuns::new(all, &steps).traces(records, steps, unrecognized)
}

fn unpack(step: &mut Value) {
    for key in PACKED {
        if let Some(value) = step.get_mut(key)
            && let Some(read) = value.as_str().and_then(json_exactly)
        {
            *value = read;
        }
    }
}

/// The runs of a file, and which of them are inside tools of others.
struct DevtoolsRuns {
    runs: Vec<Entry>,
    places: Table<String, usize>,
    /// The tool call that began each, with its step.
    inside: Vec<Option<(String, RunStart)>>,
}

/// A tool call in which a run began.
#[derive(Clone, Debug)]
struct RunStart {
    step: String,
    call: Value,
    output: Value,
}

impl DevtoolsRuns {
    fn new(runs: Vec<Entry>, steps: &[Entry]) -> Self {
        let mut places: Table<String, usize> = Table::new();
        for (at, run) in runs.iter().enumerate() {
            places.entry(text(&run.value, "id").unwrap_or_default().to_owned()).or_insert(at);
        }
        let mut by_id: Table<&str, &Value> = Table::new();
        let mut last: Table<&str, &Value> = Table::new();
        for Entry { value, .. } in steps {
            by_id.insert(text(value, "id").unwrap_or_default(), value);
            last.insert(text(value, "run_id").unwrap_or_default(), value);
        }
        let mut taken: Table<(String, usize), ()> = Table::new();
        let began = |run: &Entry| {
            let parent = text(&run.value, "parent_run_id")?;
            let step = text(&run.value, "parent_step_id")?;
            let made = by_id.get(step).filter(|made| text(made, "run_id") == Some(parent))?;
            let all = made.get("output")?.get("content")?.as_array()?;
            let is = |part: &&Value, kind: &str| text(part, "type") == Some(kind);
            let calls: Vec<&Value> = all.iter().filter(|part| is(part, "tool-call")).collect();
            let result_of = |call: &Value| {
                let own = all
                    .iter()
                    .find(|part| is(part, "tool-result") && part.get("toolCallId") == call.get("toolCallId"));
                own.and_then(|part| part.get("output")).cloned().unwrap_or_default()
            };
            // A single call; of several, the first one with the final output of the run as its result.
            let response =
                text(&run.value, "id").and_then(|id| last.get(id)).and_then(|step| parse_response(step));
            let at = match calls.len() {
                1 => 0,
                _ => calls.iter().enumerate().position(|(at, call)| {
                    let is_free = !taken.contains_key(&(step.to_owned(), at));
                    is_free
                        && response
                            .as_ref()
                            .is_some_and(|(response, _)| result_of(call) == response.content.as_str())
                })?,
            };
            taken.insert((step.to_owned(), at), ());
            let call = *calls.get(at)?;
            let began = RunStart { step: step.to_owned(), call: call.clone(), output: result_of(call) };
            Some((parent.to_owned(), began))
        };
        let inside = runs.iter().map(began).collect();
        Self { runs, places, inside }
    }

    /// The outermost run that contains a run, or the run itself. `None` if it is nested too deeply or in
    /// itself.
    fn top<'r>(&'r self, id: &'r str) -> Option<&'r str> {
        let mut id = id;
        for _ in 0..DEPTH {
            let above = self.places.get(id).and_then(|at| self.inside.get(*at)?.as_ref());
            match above {
                Some((above, _)) => id = above,
                None => return Some(id),
            }
        }
        None
    }

    fn traces(self, records: Records, steps: Vec<Entry>, unrecognized: Vec<(u32, Value)>) -> Traces {
        let mut names: Vec<(String, String)> = Vec::new();
        let mut known: Table<String, usize> = Table::new();
        let mut heads: Table<String, (u32, Value)> = Table::new();
        let mut begun: Table<String, ()> = Table::new();
        let mut spans = Vec::new();
        for step in steps {
            let own = text(&step.value, "run_id").unwrap_or_default().to_owned();
            let top = self.top(&own);
            let id = top.unwrap_or(&own).to_owned();
            let run_of = |id: &str| self.places.get(id).and_then(|at| self.runs.get(*at));
            let at = *known.entry(id.clone()).or_insert_with(|| {
                let run = run_of(&id);
                heads.extend(run.map(|run| (id.clone(), (run.line, run.value.clone()))));
                let name = run.and_then(|run| text(&run.value, "function_id").map(str::to_owned));
                names.push((id.clone(), name.unwrap_or_else(|| prompt_preview(&step.value))));
                names.len() - 1
            });
            let is_inside = top.is_some_and(|top| top != own);
            // The runs around it that no call was read of before, the outermost first.
            let mut around = Vec::new();
            let mut above = own.as_str();
            while is_inside && around.len() < DEPTH && begun.insert(above.to_owned(), ()).is_none() {
                let inside = self.places.get(above).and_then(|at| self.inside.get(*at)?.as_ref());
                let Some((parent, began)) = inside else { break };
                around.extend(run_of(above).map(|run| (at, function(run, began))));
                above = parent;
            }
            spans.extend(around.into_iter().rev());
            spans.push((at, generation(step, is_inside.then_some(own))));
        }
        // Runs without a call, as in a damaged file.
        let begun = spans.iter().map(|(_, span)| span.id.clone()).collect::<Set<_>>();
        for run in &self.runs {
            let id = text(&run.value, "id").unwrap_or_default();
            if !begun.contains(&format!("run {id}")) {
                heads.entry(id.to_owned()).or_insert_with(|| (run.line, run.value.clone()));
            }
        }
        Traces::new(records, ORIGIN, names, spans, heads, unrecognized)
    }
}

/// The first words of a person in what a model was sent.
fn prompt_preview(step: &Value) -> String {
    super::super::preview::from_messages(&model_call_data(step).request.messages)
}

/// The tool run in which another run began.
fn function(run: &Entry, began: &RunStart) -> Traced {
    let value = &run.value;
    let call_part = |key: &str| began.call.get(key).cloned().unwrap_or_default();
    Traced {
        is_start: false,
        line: run.line,
        span: run.span,
        id: format!("run {}", text(value, "id").unwrap_or_default()),
        parent: Some(began.step.clone()),
        kind: "function".to_owned(),
        data: json!({"name": call_part("toolName"), "input": call_part("input"), "output": began.output, "agent": value.get("function_id")}),
        start: value.get("started_at").and_then(moment),
        end: None,
        error: None,
        call: text(&began.call, "toolCallId").map(str::to_owned),
        model_call: None,
        own: Some(non_null_except(value, &[])),
        raw: value.clone(),
    }
}

/// A call of a model.
fn generation(step: Entry, inside: Option<String>) -> Traced {
    let Entry { line, span, value } = step;
    let model_call = model_call_data(&value);
    let mut taken: Vec<&str> = vec!["run_id", "started_at", "model_id"];
    if model_call.is_request_known {
        taken.push("input");
    }
    if model_call.response.is_some() {
        taken.extend(["output", "usage"]);
    }
    let error = match text(&value, "error") {
        Some(error) => Some(error.to_owned()),
        None => model_call.response.is_none().then(|| "the call does not end in this file".to_owned()),
    };
    Traced {
        is_start: false,
        line,
        span,
        id: text(&value, "id").unwrap_or_default().to_owned(),
        parent: inside.map(|run| format!("run {run}")),
        kind: "generation".to_owned(),
        data: Value::Null,
        start: value.get("started_at").and_then(moment),
        end: None,
        error: error.map(Value::from),
        call: None,
        model_call: Some(Box::new(model_call)),
        own: Some(non_null_except(&value, &taken)),
        raw: value,
    }
}

/// The request and response of a model.
fn model_call_data(step: &Value) -> ModelCallData {
    let mut request =
        ModelRequest { model: text(step, "model_id").map(str::to_owned), ..ModelRequest::default() };
    let mut is_request_known = false;
    for (key, value) in step.get("input").and_then(Value::as_object).into_iter().flatten() {
        match (key.as_str(), value) {
            (_, Value::Null) => {}
            ("prompt", Value::Array(messages)) => {
                is_request_known = true;
                request.messages =
                    messages.iter().flat_map(model::pieces).filter_map(prompt_message).collect();
            }
            ("tools", Value::Array(tools)) => request.tools = tools.iter().map(tool).collect(),
            ("maxOutputTokens", _) => request.config.put("max_tokens", value.clone()),
            _ => drop(request.config.insert(snake_case(key), value.clone())),
        }
    }
    if let Some(options) = step.get("provider_options").filter(|options| !options.is_null()) {
        request.config.put("provider_options", options.clone());
    }
    let (response, results) =
        parse_response(step).map_or((None, Vec::new()), |(response, results)| (Some(response), results));
    ModelCallData { request, response, is_request_known, results, ..ModelCallData::default() }
}

/// A message of a prompt; `None` for a call without a result.
pub(super) fn prompt_message(piece: Piece) -> Option<Message> {
    Some(match piece {
        Piece::Message(message) => message,
        Piece::Answer(answer) => {
            let mut others = answer.metadata.clone();
            others.put_some("reasoning", answer.reasoning.as_ref().map(|thought| thought.as_str().into()));
            Message { others, ..conversation::message_from_response(&answer) }
        }
        Piece::Result(mut message, tool_outcome) => {
            message.is_error = tool_outcome.error.is_some();
            message.others.extend(tool_outcome.about);
            message
        }
        Piece::Open(_) => return None,
    })
}

/// A tool by the names that functions have.
fn tool(tool: &Value) -> Value {
    let mut out = non_null_except(tool, &["inputSchema"]);
    out.retain(|key, value| key != "type" || *value != "function");
    if let Some(schema) = tool.get("inputSchema").filter(|schema| !schema.is_null()) {
        out.entry("parameters").or_insert_with(|| schema.clone());
    }
    Value::Object(out)
}

/// The model's answer, with the known outcomes of its calls; `None` without an answer.
fn parse_response(step: &Value) -> Option<(ModelResponse, Vec<(String, ToolOutcome)>)> {
    let output = step.get("output")?.as_object()?;
    let list = |key: &str| output.get(key).and_then(Value::as_array).into_iter().flatten().cloned();
    // The parts of a stream are separate.
    let typed = |mut part: Value, kind: &str| {
        if let Some(part) = part.as_object_mut() {
            part.shift_remove("id");
            part.put("type", kind.into());
        }
        part
    };
    let mut parts: Vec<Value> = list("reasoningParts").map(|part| typed(part, "reasoning")).collect();
    parts.extend(list("textParts").map(|part| typed(part, "text")));
    parts.extend(list("toolCalls").chain(list("content")));
    if let Some(text) = output.get("objectText").and_then(Value::as_str) {
        parts.push(json!({"type": "text", "text": text}));
    }
    let is_broken = text(step, "error").is_some();
    if is_broken && parts.is_empty() {
        return None;
    }
    let mut results = Vec::new();
    let mut parsed = ModelResponse::default();
    let made = json!({"role": "assistant", "content": parts});
    // Messages have results as the model received them; only they have errors.
    let response = output.get("response");
    let later = response.and_then(|response| response.get("messages")?.as_array()).into_iter().flatten();
    let later = later.filter(|message| text(message, "role") == Some("tool")).flat_map(model::pieces);
    for piece in model::pieces(&made).into_iter().chain(later) {
        match piece {
            Piece::Answer(answer) => parsed = *answer,
            Piece::Result(message, mut tool_outcome) => {
                tool_outcome.about.retain(|key, value| key != "input" && *value != false);
                results.extend(message.tool_call_id.map(|call| (call, tool_outcome)));
            }
            Piece::Message(_) | Piece::Open(..) => {}
        }
    }
    let known = [
        "content",
        "textParts",
        "reasoningParts",
        "toolCalls",
        "objectText",
        "finishReason",
        "usage",
        "response",
    ];
    parsed.metadata.extend(non_null_except(&Value::Object(output.clone()), &known));
    match output.get("finishReason") {
        Some(Value::Object(reason)) => {
            parsed.finish_reason = reason.get("unified").cloned();
            parsed.metadata.put("finishReason", Value::Object(reason.clone()));
        }
        reason => parsed.finish_reason = reason.filter(|reason| !reason.is_null()).cloned(),
    }
    if let Some(response) = response {
        parsed.id = text(response, "id").map(str::to_owned);
        parsed.model = response.get("modelId").filter(|model| !model.is_null()).cloned();
        let more = non_null_except(response, &["id", "modelId", "messages"]);
        if !more.is_empty() {
            parsed.metadata.put("response", Value::Object(more));
        }
    }
    let usage = step.get("usage").filter(|usage| usage.is_object()).or(output.get("usage"));
    parsed.usage = usage.filter(|usage| usage.is_object()).cloned();
    if is_broken {
        parsed.metadata.put("incomplete", true.into());
    }
    results.retain(|(call, _)| parsed.calls.iter().any(|made| made.id == *call));
    Some((parsed, results))
}
