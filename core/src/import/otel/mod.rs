//! Spans of OpenTelemetry by the conventions for generative AI or by those of OpenInference: OTLP in JSON as
//! one document, or one object a line as the collector writes them; or as Python prints them. Each model call
//! repeats what was sent before; the run has it once.
//!
//! Messages are in the span or in one of its events, as a list or, in older versions, as one attribute each.

mod attributes;
pub(super) mod console;
mod format;
mod legacy;
pub(super) mod messages;
mod openinference;
mod vendors;

use serde_json::{Map, Value};

use super::ai_sdk::chat_messages;
use super::files::LogFile;
use super::keys::{list, non_null_except, text};
use super::records::Records;
use super::traces::span::{ModelCallData, Traced};
use super::traces::{Origin, Traces};
use super::values::Entry;
use crate::parse::{Node, json_exactly};
use crate::text::{JsonMap, Set, Table, json};
use crate::time::moment;
use crate::wire::{Message, ModelRequest, ModelResponse};
use attributes::{attributes, data};
pub(super) use format::{DETECTION, FORMAT, WORDS, read};

const ORIGIN: Origin = Origin {
    format: "otel",
    help: "message content is only captured on request, such as with `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT`",
};

/// A span with the attributes of itself and its events.
#[derive(Debug)]
struct SpanRecord {
    record: Entry,
    trace: String,
    attributes: Map<String, Value>,
    /// The span as in the file, if that is not the form of OTLP.
    raw: Option<Value>,
}

/// Reads spans; each conversation, else each trace, becomes a run.
///
/// ```
/// use transcript_core::import::{LogFile, read_as};
/// let text = r#"{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "t", "spanId": "s", "name": "chat m", "attributes": [
///     {"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}},
///     {"key": "gen_ai.input.messages", "value": {"stringValue": "[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"Hi\"}]}]"}},
///     {"key": "gen_ai.output.messages", "value": {"stringValue": "[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"Hello!\"}]}]"}}]}]}]}]}"#;
/// let read = read_as("otel", &[LogFile { path: "spans.json", text }]).unwrap();
/// assert_eq!(read.names, [("t".to_owned(), "Hi".to_owned())]);
/// let imported = read.imported(Some(0));
/// assert_eq!(imported.transcript["execution"][0]["llm_response"]["content"], "Hello!");
/// ```
pub(super) fn otel_spans(file: &LogFile<'_>) -> Traces {
    let mut records = Records::read(file);
    let roots = std::mem::take(&mut records.roots);
    let mut found: Vec<Entry> = Vec::new();
    // The resource and the scope of each span, by its place.
    let mut around: Vec<Value> = Vec::new();
    let mut unrecognized: Vec<Entry> = Vec::new();
    let mut all: Vec<&Node> = Vec::new();
    for root in &roots {
        match console::listed(root).filter(|_| root.get("resourceSpans").is_none() && !console::is_span(root))
        {
            Some(spans) => {
                let rest =
                    root.entries().iter().filter(|entry| !entry.value.items().iter().any(console::is_span));
                unrecognized.extend(rest.map(|entry| records.entry(&entry.value)));
                all.extend(spans);
            }
            None => all.push(root),
        }
    }
    for root in all {
        match root.get("resourceSpans") {
            Some(all) => {
                let (spans, cut): (Vec<_>, Vec<_>) =
                    resources(all).into_iter().partition(|(span, _)| !records.is_cut(span, file.text));
                unrecognized.extend(cut.into_iter().filter_map(|(span, _)| records.cut_entry(span)));
                found.extend(spans.iter().map(|(span, _)| records.entry(span)));
                around.extend(spans.into_iter().map(|(_, around)| around));
            }
            None if console::is_span(root) => {
                if records.is_cut(root, file.text) {
                    unrecognized.extend(records.cut_entry(root));
                    continue;
                }
                found.push(records.entry(root));
                let of = root.get("resource").map(Node::to_value).unwrap_or_default();
                around.push(json!({ "resource": of }));
            }
            None => unrecognized.push(records.entry(root)),
        }
    }
    records.clean(&mut found);
    records.clean(&mut unrecognized);
    let mut spans: Vec<SpanRecord> = found.into_iter().map(span_record).collect();
    group(&mut spans);
    let mut names: Vec<(String, String)> = Vec::new();
    let mut places: Table<String, usize> = Table::new();
    let mut heads: Table<String, (u32, Value)> = Table::new();
    let has_any = spans.iter().any(SpanRecord::is_of_model);
    let mut speaking: Table<String, ()> = Table::new();
    for span in spans.iter().filter(|span| !has_any || span.is_of_model()) {
        speaking.insert(span.trace.clone(), ());
    }
    let mut out = Vec::new();
    for (span, around) in spans.into_iter().zip(around) {
        // A service has many traces in which no model is called: they are no runs.
        if !speaking.contains_key(&span.trace) {
            unrecognized.push(Entry { value: span.raw.unwrap_or(span.record.value), ..span.record });
            continue;
        }
        let at = *places.entry(span.trace.clone()).or_insert_with(|| {
            names.push((span.trace.clone(), String::new()));
            names.len() - 1
        });
        let model_call = span.record.value.get("name").and_then(Value::as_str).unwrap_or_default();
        let is_root = span.record.value.get("parentSpanId").is_none_or(|parent| parent == "");
        if let Some((_, name)) = names.get_mut(at)
            && (name.is_empty() || is_root && span.record.value.get("parentSpanId").is_some())
        {
            model_call.clone_into(name);
        }
        let line = span.record.line;
        let (_, head) = heads
            .entry(span.trace.clone())
            .or_insert_with(|| (line, json!({"id": span.trace, "from": around})));
        let is_other = head.get("from") != Some(&around);
        let mut span = traced(span);
        if let Some(own) = span.own.as_mut().filter(|_| is_other) {
            own.put("from", around);
        }
        out.push((at, span));
    }
    let unrecognized = unrecognized.into_iter().map(|record| (record.line, record.value)).collect();
    Traces::new(records, ORIGIN, names, out, heads, unrecognized)
}

/// The spans in `resourceSpans` with the data around them, in their order.
fn resources(all: &Node) -> Vec<(&Node, Value)> {
    let plain = |node: Option<&Node>| node.map(|node| data(&node.to_value())).unwrap_or_default();
    let mut out = Vec::new();
    for resource in all.items() {
        let of = plain(resource.get("resource"));
        // `instrumentationLibrarySpans` was its name before version 1.
        let scopes = resource.get("scopeSpans").or_else(|| resource.get("instrumentationLibrarySpans"));
        for scope in scopes.map(Node::items).unwrap_or_default() {
            let mut around = Map::new();
            around.put("resource", of.clone());
            let own = scope.get("scope").or_else(|| scope.get("instrumentationLibrary"));
            around.put("scope", plain(own));
            let schemas = [("resource_schema", resource), ("scope_schema", scope)];
            let schema = |(key, of): (&str, &Node)| Some((key.to_owned(), of.get("schemaUrl")?.to_value()));
            around.extend(schemas.into_iter().filter_map(schema));
            let spans = scope.get("spans").map(Node::items).unwrap_or_default();
            out.extend(spans.iter().map(|span| (span, Value::Object(around.clone()))));
        }
    }
    out
}

fn span_record(mut record: Entry) -> SpanRecord {
    let is_other = record.value.get("context").or_else(|| record.value.get("spanContext")).is_some();
    let raw = is_other.then(|| {
        let otlp = console::as_otlp(&record.value);
        std::mem::replace(&mut record.value, otlp)
    });
    let mut all = attributes(record.value.get("attributes"));
    vendors::rename(&mut all);
    for event in list(&record.value, "events") {
        if event.get("name").is_some_and(|name| name == DETAILS) {
            for (key, value) in attributes(event.get("attributes")) {
                all.entry(key).or_insert(value);
            }
        }
    }
    let trace = record.value.get("traceId").and_then(Value::as_str).unwrap_or_default().to_owned();
    SpanRecord { record, trace, attributes: all, raw }
}

/// The event that has the messages if the span has none.
const DETAILS: &str = "gen_ai.client.inference.operation.details";

/// Joins the traces of one conversation, which may have one for each question.
fn group(spans: &mut [SpanRecord]) {
    let mut names: Table<String, Option<String>> = Table::new();
    for span in spans.iter() {
        // Other spans have sessions as well, such as those of browsers.
        let session = || span.text(openinference::KIND).and_then(|_| span.text("session.id"));
        let Some(name) = span.text("gen_ai.conversation.id").or_else(session) else { continue };
        let name = name.to_owned();
        let known = names.entry(span.trace.clone()).or_insert_with(|| Some(name.clone()));
        // One trace of several conversations is unchanged.
        if known.as_ref() != Some(&name) {
            *known = None;
        }
    }
    // Traces with spans of the same ids stay apart.
    let mut owners: Table<(String, String), String> = Table::new();
    let mut apart = Set::new();
    for span in spans.iter() {
        if let (Some(Some(name)), Some(id)) = (names.get(&span.trace), text(&span.record.value, "spanId")) {
            let owner = owners.entry((name.clone(), id.to_owned())).or_insert_with(|| span.trace.clone());
            if *owner != span.trace {
                apart.insert(name.clone());
            }
        }
    }
    for span in spans {
        if let Some(Some(name)) =
            names.get(&span.trace).filter(|name| name.as_ref().is_none_or(|name| !apart.contains(name)))
        {
            span.trace.clone_from(name);
        }
    }
}

impl SpanRecord {
    fn text(&self, key: &str) -> Option<&str> {
        self.attributes.get(key).and_then(Value::as_str)
    }

    /// The kind in the terms of the Agents SDK.
    fn kind(&self) -> &str {
        let operation = self.text("gen_ai.operation.name").or_else(|| self.text("llm.request.type"));
        match operation {
            Some("chat" | "call_llm" | "generate_content" | "text_completion" | "completion") => "generation",
            Some("execute_tool") => "function",
            Some("invoke_agent" | "create_agent") => "agent",
            Some(other) => other,
            None if self.text("traceloop.span.kind") == Some("tool") => "function",
            None if self.text("traceloop.span.kind") == Some("agent") => "agent",
            None if self.is_of_openinference() => {
                openinference::kind(self.text(openinference::KIND).unwrap_or_default())
            }
            None => match self
                .attributes
                .keys()
                .any(|key| key.starts_with("gen_ai.prompt") || key.starts_with("gen_ai.completion"))
            {
                true => "generation",
                false => self.record.value.get("name").and_then(Value::as_str).unwrap_or_default(),
            },
        }
    }

    fn is_of_openinference(&self) -> bool {
        self.attributes.contains_key(openinference::KIND)
    }

    fn is_of_model(&self) -> bool {
        matches!(self.kind(), "generation" | "function" | "agent")
    }
}

/// A span in the form of a trace.
fn traced(span: SpanRecord) -> Traced {
    let kind = span.kind().to_owned();
    let value = &span.record.value;
    let text =
        |key: &str| value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned);
    let first =
        |keys: &[&str]| keys.iter().find_map(|key| span.attributes.get(*key)).cloned().unwrap_or_default();
    let mut taken: Vec<String> = Vec::new();
    // The calls of an agent without model calls are those of its tools.
    let is_agent = kind == "agent";
    let model_call = (is_agent || kind == "generation").then(|| {
        let data = model_call_data(&span, &mut taken);
        Box::new(ModelCallData { is_opaque: data.is_opaque || is_agent, ..data })
    });
    // Without another name, a span is named after its subject.
    let own_name = || match span.is_of_openinference() {
        true => value.get("name").cloned().unwrap_or_default(),
        false => Value::Null,
    };
    let named = |keys: &[&str]| Some(first(keys)).filter(|name| !name.is_null()).unwrap_or_else(own_name);
    let facts = match kind.as_str() {
        "function" => json!({
            "type": kind,
            "name": named(&["gen_ai.tool.name", "traceloop.entity.name", "tool.name"]),
            "input": first(&["gen_ai.tool.call.arguments", "traceloop.entity.input", "input.value"]),
            "output": first(&["gen_ai.tool.call.result", "traceloop.entity.output", "output.value"]),
        }),
        "agent" => {
            json!({"type": kind, "name": named(&["gen_ai.agent.name", "gen_ai.agent.id", "traceloop.entity.name", "agent.name"])})
        }
        "generation" => {
            json!({"type": kind, "response_id": first(&["gen_ai.response.id"]), "usage": usage(&span.attributes, USAGE)})
        }
        _ => json!({"type": kind}),
    };
    if kind == "function" {
        taken.extend(
            ["gen_ai.tool.name", "gen_ai.tool.call.arguments", "gen_ai.tool.call.result", "tool.name"]
                .map(str::to_owned),
        );
    }
    let mut own = non_null_except(value, &["traceId", "attributes", "events"]);
    own.retain(|_, value| value != "");
    let rest: Map<String, Value> = span
        .attributes
        .iter()
        .filter(|(key, _)| !taken.contains(key))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    if !rest.is_empty() {
        own.put("attributes", Value::Object(rest));
    }
    let is_own_event = |event: &&Value| {
        let name = event.get("name").and_then(Value::as_str).unwrap_or_default();
        name != DETAILS && !(kind == "generation" && legacy::is_message(name))
    };
    let events: Vec<Value> = list(value, "events").iter().filter(is_own_event).map(data).collect();
    if !events.is_empty() {
        own.put("events", Value::Array(events));
    }
    Traced {
        line: span.record.line,
        span: span.record.span,
        id: text("spanId").unwrap_or_default(),
        parent: text("parentSpanId"),
        data: facts,
        start: value.get("startTimeUnixNano").or(value.get("start_time")).and_then(moment),
        end: value.get("endTimeUnixNano").or(value.get("end_time")).and_then(moment),
        error: span_error(&span),
        is_start: false,
        call: ["gen_ai.tool.call.id", "tool_call.id", "tool.id"]
            .iter()
            .find_map(|key| span.text(key))
            .map(str::to_owned),
        model_call,
        own: Some(own),
        raw: span.raw.clone().unwrap_or_else(|| value.clone()),
        kind,
    }
}

/// The error of a span: by its status, or by `error.type` if it has none. A tool that reported its error to
/// the model ends well for its library.
fn span_error(span: &SpanRecord) -> Option<Value> {
    let none = Value::Null;
    let status = span.record.value.get("status").unwrap_or(&none);
    let code = status.get("code").or(status.get("status_code")).unwrap_or(&none);
    let is_unset = code.is_null() || *code == 0 || code == "STATUS_CODE_UNSET" || code == "UNSET";
    let is_error = *code == 2 || code == "STATUS_CODE_ERROR" || code == "ERROR";
    let is_fault = is_error || (is_unset && span.text("error.type").is_some());
    if !is_fault {
        return None;
    }
    let message = text_of(status, &["message", "description"]).filter(|message| !message.is_empty());
    let exception = || {
        let events = span.record.value.get("events")?.as_array()?;
        let exception =
            events.iter().find(|event| event.get("name").is_some_and(|name| name == "exception"))?;
        Some(attributes(exception.get("attributes")).get("exception.message")?.as_str()?.to_owned())
    };
    let model_call =
        message.map(str::to_owned).or_else(exception).or_else(|| span.text("error.type").map(str::to_owned));
    Some(json!({"message": model_call.unwrap_or_else(|| "the span has an error status".to_owned())}))
}

const USAGE: &str = "gen_ai.usage.";

/// The tokens of a call by the names of the conventions.
pub(super) fn usage(attributes: &Map<String, Value>, prefix: &str) -> Option<Value> {
    let own = attributes
        .iter()
        .filter_map(|(key, value)| Some((key.strip_prefix(prefix)?.to_owned(), value.clone())));
    let own: Map<String, Value> = own.collect();
    (!own.is_empty()).then_some(Value::Object(own))
}

/// The request and response of a model call.
fn model_call_data(span: &SpanRecord, taken: &mut Vec<String>) -> ModelCallData {
    let has = |key: &str| span.attributes.contains_key(key);
    if span.is_of_openinference() && !has("gen_ai.input.messages") && !has("gen_ai.output.messages") {
        return openinference::parse_model_call(&span.attributes, taken);
    }
    let mut take = |key: &str| {
        let value = span.attributes.get(key)?;
        taken.push(key.to_owned());
        Some(value)
    };
    let model = take("gen_ai.request.model").and_then(Value::as_str).map(str::to_owned);
    let answering = Some("gen_ai.response.model");
    let answering = answering.filter(|key| span.text(key).is_some()).and_then(&mut take).cloned();
    let id = take("gen_ai.response.id").and_then(Value::as_str).map(str::to_owned);
    // The message may express it differently, so this stays among the attributes.
    let reasons = span.attributes.get("gen_ai.response.finish_reasons").cloned();
    let system = take("gen_ai.system_instructions").map(messages::list);
    let input = take("gen_ai.input.messages").map(messages::list);
    let output = take("gen_ai.output.messages").map(messages::list);
    let prompt = take("ai.prompt.messages").cloned();
    let tools = take("gen_ai.tool.definitions").map(messages::list).unwrap_or_default();
    let mut config = Map::new();
    for (key, value) in &span.attributes {
        if let Some(name) = key.strip_prefix("gen_ai.request.").filter(|name| *name != "model") {
            let name = if name == "stop_sequences" { "stop" } else { name };
            config.put(name, value.clone());
            taken.push(key.clone());
        } else if key.starts_with(USAGE) {
            taken.push(key.clone());
        }
    }
    let mut request = ModelRequest { model, config, ..ModelRequest::default() };
    request.tools = tools.into_iter().map(|tool| tool.get("function").cloned().unwrap_or(tool)).collect();
    if let Some(system) = system.filter(|system| !system.is_empty()) {
        request.messages.push(messages::system(&system));
        request.head = 1;
    }
    let is_request_known = input.is_some() || prompt.is_some();
    request.messages.extend(input.iter().flatten().flat_map(messages::parse_messages));
    if let Some(prompt) = prompt {
        let prompt = prompt.as_str().and_then(json_exactly).unwrap_or(prompt);
        request.messages.extend(chat_messages(&prompt));
    }
    let mut response =
        output.filter(|output| !output.is_empty()).map(|output| messages::parse_response(&output));
    let mut is_request_known = is_request_known;
    if !is_request_known && response.is_none() {
        let older = legacy::parse_legacy(&span.record.value, &span.attributes, taken);
        is_request_known = !older.request.is_empty();
        request.messages.extend(older.request);
        if request.tools.is_empty() {
            request.tools = older.tools;
        }
        response = older.response;
    }
    if let Some(response) = &mut response {
        response.id = id;
        response.model = answering;
        response.usage = usage(&span.attributes, USAGE);
        let reason = reasons.as_ref().and_then(Value::as_array).and_then(|reasons| reasons.first()).cloned();
        response.finish_reason = response.finish_reason.take().or(reason);
    } else {
        // Without its words an answer has its figures.
        taken.retain(|key| !key.starts_with(USAGE) && !key.starts_with("gen_ai.response."));
    }
    ModelCallData { request, response, is_request_known, ..ModelCallData::default() }
}

/// The text of a part or of a message under any of these keys.
fn text_of<'v>(value: &'v Value, keys: &[&str]) -> Option<&'v str> {
    keys.iter().find_map(|key| value.get(*key)?.as_str())
}

/// The content of a span that has its messages in another form.
#[derive(Debug, Default)]
struct LegacyMessages {
    request: Vec<Message>,
    response: Option<ModelResponse>,
    tools: Vec<Value>,
}
