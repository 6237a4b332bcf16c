//! Records of other platforms in the form of runs: observations of Langfuse, rows of Braintrust, spans of MLflow, calls that AutoGen
//! recorded. Keys get the names of runs; all others stay.

use serde_json::{Map, Value};

use super::super::keys::{list, text};
use crate::parse::json_exactly;
use crate::text::{JsonMap, json};
use crate::wire::langchain;

/// Whether a value is an observation of Langfuse.
pub(super) fn is_observation(value: &Value) -> bool {
    ["traceId", "type", "startTime"].iter().all(|key| value.get(*key).is_some())
        && value.get("input").is_some()
}

/// Whether a value is a row of Braintrust.
pub(super) fn is_row(value: &Value) -> bool {
    value.get("root_span_id").is_some() && value.get("span_id").is_some()
}

/// Whether a value is a span of MLflow.
pub(super) fn is_mlflow_span(value: &Value) -> bool {
    value.get("attributes").and_then(|all| all.get("mlflow.traceRequestId")).is_some()
}

/// Whether a value is a call that AutoGen's client recorded.
pub(super) fn is_recorded(value: &Value) -> bool {
    let kind = value.get("messages").and_then(|messages| text(messages.get(0)?, "type"));
    value.get("mode").is_some()
        && value.get("response").is_some()
        && kind.is_some_and(|kind| kind.ends_with("Message"))
}

/// The record as a run, if it is of one of these platforms.
pub(super) fn as_run(value: &mut Value, number: usize) {
    let read: Option<fn(&mut Map<String, Value>)> = match &*value {
        value if is_observation(value) => Some(observation),
        value if is_row(value) => Some(row),
        value if is_mlflow_span(value) => Some(mlflow_span),
        value if is_recorded(value) => Some(recorded),
        _ => None,
    };
    if let (Some(read), Some(run)) = (read, value.as_object_mut()) {
        read(run);
        run.entry("id").or_insert_with(|| format!("call-{number}").into());
    }
}

fn rename(run: &mut Map<String, Value>, keys: &[(&str, &str)]) {
    for (from, to) in keys {
        if let Some(value) = run.shift_remove(*from).filter(|value| !value.is_null()) {
            run.put(to, value);
        }
    }
}

/// JSON in a text as data.
fn parsed(value: &Value) -> Value {
    let data = value.as_str().and_then(json_exactly).filter(|data| data.is_object() || data.is_array());
    data.unwrap_or_else(|| value.clone())
}

fn observation(run: &mut Map<String, Value>) {
    rename(
        run,
        &[
            ("traceId", "trace_id"),
            ("parentObservationId", "parent_run_id"),
            ("startTime", "start_time"),
            ("endTime", "end_time"),
        ],
    );
    let output = run.get("output").map(parsed).unwrap_or_default();
    let kind = run.get("type").and_then(Value::as_str).unwrap_or_default();
    let is_tool = langchain::is_message(&output) && output.get("tool_call_id").is_some();
    let kind = match kind {
        "GENERATION" => "llm",
        "SPAN" if is_tool => "tool",
        kind => &kind.to_ascii_lowercase(),
    };
    let kind = kind.to_owned();
    run.put("run_type", kind.into());
    if run.get("level").is_some_and(|level| level == "ERROR") {
        let message = run.shift_remove("statusMessage").filter(|message| !message.is_null());
        run.put("error", message.unwrap_or_else(|| "the observation has the level ERROR".into()));
    }
    let counts = run.get("usageDetails").cloned().unwrap_or_default();
    usage(
        run,
        &counts,
        [
            &["input"],
            &["output"],
            &["input_cache_read", "prompt_details.cache_read"],
            &["output_reasoning", "completion_details.reasoning"],
        ],
    );
    let parameters = run.shift_remove("modelParameters");
    let model = run.shift_remove("model").unwrap_or_default();
    contents(run, parameters, &model);
}

fn row(run: &mut Map<String, Value>) {
    let attributes = run.get("span_attributes").cloned().unwrap_or_default();
    let parents = run.get("span_parents").and_then(|parents| parents.get(0)).cloned();
    run.put_some("parent_run_id", parents);
    rename(run, &[("id", "row_id"), ("span_id", "id"), ("root_span_id", "trace_id")]);
    let metrics = run.get("metrics").cloned().unwrap_or_default();
    for (key, from) in [("start_time", "start"), ("end_time", "end")] {
        let time = metrics.get(from).filter(|time| **time != 0).cloned();
        run.put_some(key, time);
    }
    if let Some(name) = attributes.get("name") {
        run.put("name", name.clone());
    }
    let kind = text(&attributes, "type").unwrap_or("span");
    run.put("run_type", kind.into());
    usage(
        run,
        &metrics,
        [
            &["prompt_tokens"],
            &["completion_tokens"],
            &["prompt_cached_tokens"],
            &["completion_reasoning_tokens"],
        ],
    );
    let about = run.get("metadata").cloned().unwrap_or_default();
    let parameters = about.get("invocation_params").cloned();
    let model = about.get("model").cloned().unwrap_or_default();
    contents(run, parameters, &model);
}

/// The attributes of a span are JSON. Its input and output are those of the function that was called, which is that of the vendor's
/// client or of LangChain for a model; `mlflow.chat.messages` has the messages of both in the form of chat completions.
fn mlflow_span(run: &mut Map<String, Value>) {
    if let Some(Value::Object(context)) = run.shift_remove("context") {
        run.extend(context);
    }
    rename(
        run,
        &[
            ("span_id", "id"),
            ("parent_id", "parent_run_id"),
            ("parent_span_id", "parent_run_id"),
            ("start_time_unix_nano", "start_time"),
            ("end_time_unix_nano", "end_time"),
        ],
    );
    let Some(Value::Object(mut attributes)) = run.shift_remove("attributes") else { return };
    for (_, value) in &mut attributes {
        if let Some(data) = value.as_str().and_then(json_exactly) {
            *value = data;
        }
    }
    let counts = attributes.get("mlflow.chat.tokenUsage").cloned().unwrap_or_default();
    let mut take = |key: &str| attributes.shift_remove(key).unwrap_or_default();
    // The id of the trace in `info`.
    run.put("trace_id", take("mlflow.traceRequestId"));
    let kind = take("mlflow.spanType");
    let is_model = kind == "CHAT_MODEL" || kind == "LLM";
    let kind = match kind.as_str() {
        _ if is_model => "llm",
        Some("TOOL") => "tool",
        Some("AGENT") => "agent",
        kind => kind.unwrap_or("UNKNOWN"),
    };
    run.put("run_type", kind.into());
    let status = run.get("status").unwrap_or(&Value::Null);
    let code = text(status, "code").or_else(|| run.get("status_code")?.as_str());
    if code.is_some_and(|code| code.ends_with("ERROR")) {
        let message = status.get("message").or_else(|| run.get("status_message")).cloned();
        let message = message.filter(|message| message.is_string() && *message != "");
        run.put("error", message.unwrap_or_else(|| "the span has an error status".into()));
    }
    let (mut input, mut output) = (take("mlflow.spanInputs"), take("mlflow.spanOutputs"));
    let mut parameters = Map::new();
    if is_model {
        usage(run, &counts, [&["input_tokens"], &["output_tokens"], &["cache_read_input_tokens"], &[]]);
        if let Value::Object(all) = take("invocation_params") {
            parameters = all;
        }
        let tools = take("mlflow.chat.tools");
        let mut chat = take("mlflow.chat.messages");
        let answer = chat
            .as_array_mut()
            .filter(|all| all.last().and_then(|one| text(one, "role")) == Some("assistant"));
        let answer = answer.and_then(Vec::pop);
        if let Value::Object(all) = &mut input {
            let is_text = all.get("input").is_some_and(Value::is_string);
            rename(
                all,
                &[("input", if is_text { "prompt" } else { "messages" }), ("instructions", "system")],
            );
            let (content, settings) = std::mem::take(all)
                .into_iter()
                .partition(|(key, _)| matches!(key.as_str(), "messages" | "prompt" | "prompts" | "system"));
            *all = content;
            parameters.extend(settings);
            if all.keys().all(|key| key == "system") && chat.is_array() {
                all.put("messages", chat);
            }
        } else if input.is_null() && chat.is_array() {
            input = chat;
        }
        if !tools.is_null() {
            parameters.entry("tools").or_insert(tools);
        }
        let known = ["choices", "output", "content", "generations", "message", "messages"];
        let is_known = output.is_string() || known.iter().any(|key| output.get(*key).is_some());
        if let Some(answer) = answer.filter(|_| !is_known) {
            run.put("response", output);
            output = answer;
        }
    }
    let model = take("mlflow.llm.model");
    run.put("attributes", attributes.into());
    run.put("input", input);
    run.put("output", output);
    contents(run, Some(parameters.into()), &model);
}

fn recorded(run: &mut Map<String, Value>) {
    run.put("run_type", "llm".into());
    run.put("trace_id", "recording".into());
    let messages = run.shift_remove("messages").unwrap_or_default();
    let messages = messages.as_array().map_or(&[][..], Vec::as_slice);
    // Its own messages have the name of the agent; the run has each of them once, as an answer.
    let sources = messages.iter().filter(|message| text(message, "type") == Some("AssistantMessage"));
    let mut sources: Vec<&Value> = sources.filter_map(|message| message.get("source")).collect();
    sources.dedup();
    if !sources.is_empty() {
        run.put("sources", sources.into_iter().cloned().collect());
    }
    let messages: Vec<Value> = messages.iter().flat_map(autogen_message).collect();
    run.put("inputs", json!({ "messages": messages }));
    let Some(Value::Object(mut response)) = run.shift_remove("response") else { return };
    let content = response.shift_remove("content").unwrap_or_default();
    let counts = response.get("usage").cloned().unwrap_or_default();
    usage(run, &counts, [&["prompt_tokens"], &["completion_tokens"], &[], &[]]);
    let reason = response.shift_remove("finish_reason");
    let mut message = answer(content);
    if let (Some(thought), Some(message)) = (response.shift_remove("thought"), message.as_object_mut()) {
        message.put("reasoning_content", thought);
    }
    run.put("outputs", json!({"choices": [{"message": message, "finish_reason": reason}]}));
    response.retain(|_, value| !value.is_null());
    run.put("response", response.into());
}

/// The message of a content: a text, or a list of calls.
fn answer(content: Value) -> Value {
    let Value::Array(calls) = content else { return json!({"role": "assistant", "content": content}) };
    let call = |call: &Value| json!({"id": call.get("id"), "type": "function", "function": call});
    json!({"role": "assistant", "content": null, "tool_calls": calls.iter().map(call).collect::<Value>()})
}

fn autogen_message(message: &Value) -> Vec<Value> {
    let content = message.get("content").cloned().unwrap_or_default();
    let role = match text(message, "type") {
        Some("SystemMessage") => "system",
        Some("AssistantMessage") => return vec![answer(content)],
        Some("FunctionExecutionResultMessage") => {
            let result = |result: &Value| {
                let id = result.get("call_id");
                json!({"role": "tool", "tool_call_id": id, "name": result.get("name"), "content": result.get("content"), "is_error": result.get("is_error")})
            };
            return list(message, "content").iter().map(result).collect();
        }
        _ => "user",
    };
    // Texts and images in one list.
    let part =
        |part: &Value| if part.is_string() { json!({"type": "text", "text": part}) } else { part.clone() };
    let content = content.as_array().map(|parts| parts.iter().map(part).collect()).unwrap_or(content);
    vec![json!({"role": role, "content": content, "name": message.get("source")})]
}

/// Sets the tokens by the names of LangSmith.
fn usage(run: &mut Map<String, Value>, counts: &Value, keys: [&[&str]; 4]) {
    let count =
        |keys: &[&str]| keys.iter().find_map(|key| counts.get(*key)).filter(|count| count.is_u64()).cloned();
    let [input, output, cached, reasoning] = keys.map(count);
    if input.is_some() || output.is_some() {
        let details = json!({"input_tokens": input, "output_tokens": output,
            "input_token_details": {"cache_read": cached}, "output_token_details": {"reasoning": reasoning}});
        run.put("usage_metadata", details);
    }
}

/// The input and output under the keys of runs; those of a model as its request and its answer.
fn contents(run: &mut Map<String, Value>, parameters: Option<Value>, model: &Value) {
    let mut input = run.shift_remove("input").map(|input| parsed(&input)).unwrap_or_default();
    let mut output = run.shift_remove("output").map(|output| parsed(&output)).unwrap_or_default();
    let mut parameters = parameters.and_then(|all| all.as_object().cloned()).unwrap_or_default();
    parameters.retain(|_, value| !value.is_null());
    if run.get("run_type").is_some_and(|kind| kind == "llm") {
        if !model.is_null() {
            parameters.put("model", model.clone());
        }
        input = match input {
            Value::Array(messages) => {
                // Langfuse has the tools as messages.
                let is_tool = |message: &Value| {
                    let content = message.get("content").filter(|_| text(message, "role") == Some("tool"));
                    content.is_some_and(|content| text(content, "type") == Some("function"))
                };
                let (tools, messages): (Vec<Value>, Vec<Value>) = messages.into_iter().partition(is_tool);
                if !tools.is_empty() {
                    let tools = tools.iter().filter_map(|tool| tool.get("content").cloned()).collect();
                    parameters.put("tools", tools);
                }
                json!({ "messages": messages.into_iter().map(with_calls).collect::<Value>() })
            }
            Value::String(prompt) => json!({ "prompt": prompt }),
            other => other,
        };
        output = match output {
            Value::Array(choices)
                if choices.first().is_some_and(|choice| choice.get("message").is_some()) =>
            {
                json!({ "choices": choices })
            }
            Value::Array(items) if items.first().is_some_and(|item| item.get("role").is_none()) => {
                json!({ "output": items })
            }
            Value::Array(messages) => json!({ "messages": messages }),
            Value::String(text) => json!({ "output": text }),
            other => with_calls(other),
        };
    } else if !output.is_null() {
        output = json!({ "output": output });
    }
    run.put("extra", json!({ "invocation_params": parameters }));
    for (key, value) in [("inputs", input), ("outputs", output)] {
        if !value.is_null() {
            run.put(key, value);
        }
    }
}

/// A message with the calls that LangChain has in `additional_kwargs`.
fn with_calls(mut message: Value) -> Value {
    let calls = message.get("additional_kwargs").and_then(|more| more.get("tool_calls")).cloned();
    let calls = calls.filter(|_| message.get("role").is_some());
    if let (Some(calls), Some(map)) = (calls, message.as_object_mut()) {
        map.entry("tool_calls").or_insert(calls);
        map.shift_remove("additional_kwargs");
    }
    message
}
