//! The steps of a chat.

use serde_json::{Map, Value};

use super::agentdojo;
use super::gemini::{Pieces, is_content};
use super::read::{Source, places};
use super::shape::{self, RequestRecord};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::import::conversation::{Exchange, Outcome, ToolOutcome};
use crate::import::items::{self, At, Item, ResponseBuilder};
use crate::import::keys::non_null_except;
use crate::import::steps::{Step, StepKind};
use crate::text::{JsonMap, Span, json};
use crate::time::moment;
use crate::wire::{self, ModelRequest, Protocol, UNNAMED_ERROR, error_text, error_type};
use crate::write::Entries;

/// The messages or items of a conversation.
pub(super) fn items(whole: &RequestRecord) -> &[Value] {
    let request = whole.request.as_ref();
    let list = request.and_then(|body| body.get(whole.list).or_else(|| body.get("contents"))?.as_array());
    list.map_or(&[], Vec::as_slice)
}

/// A conversation under construction.
pub(super) struct StepBuilder {
    protocol: Protocol,
    pub(super) steps: Vec<Step>,
    gathered: Option<ResponseBuilder>,
    pub(super) pieces: Option<Pieces>,
}

impl StepBuilder {
    pub(super) fn new(protocol: Protocol) -> Self {
        Self { protocol, steps: Vec::new(), gathered: None, pieces: None }
    }

    pub(super) fn flush(&mut self) {
        self.steps.extend(self.pieces.take().map(Pieces::into_step));
        if let Some(gathered) = self.gathered.take() {
            self.steps.push(gathered.into_step(None, Map::new()));
        }
    }

    /// Adds a message or an item; `false` for anything else.
    pub(super) fn add_item(&mut self, item: &Value, line: u32, span: Span) -> bool {
        let is_call = item.get("type").is_some_and(|kind| kind != "message");
        if !is_call && !shape::is_read(item) {
            return false;
        }
        let time = time(item);
        let at = At { line, span, time };
        let adapted = agentdojo::adapted(item);
        let item = adapted.as_ref().unwrap_or(item);
        if is_content(item) {
            self.add_content(item, at);
            return true;
        }
        if self.pieces.is_some() {
            self.flush();
        }
        if self.protocol == Protocol::Responses {
            match Item::classify(item) {
                Item::FromModel => {
                    self.gathered.get_or_insert_with(|| ResponseBuilder::new(at.clone())).add(item, &at);
                    return true;
                }
                Item::Message | Item::Result => {
                    let Some(message) = items::parse_message(item, line) else { return false };
                    self.flush();
                    self.steps.push(items::message_step(message, ToolOutcome::default(), at));
                    return true;
                }
                Item::Other => return false,
            }
        }
        let Some(role) = item.get("role").and_then(Value::as_str) else { return false };
        let is_model = wire::is_model(role);
        // Only the model has calls.
        let has_calls = item.get("tool_calls").and_then(Value::as_array).is_some_and(|all| !all.is_empty());
        match (is_model || has_calls, self.protocol) {
            (true, protocol) => {
                let Some(mut step) = answer(item, protocol, at) else { return false };
                if let StepKind::Response(_, _, about) = &mut step.kind
                    && !is_model
                {
                    about.put("role", role.into());
                }
                self.steps.push(step);
            }
            (false, protocol) => {
                let all = match protocol {
                    Protocol::Anthropic => wire::anthropic_messages(item),
                    _ => wire::chat_message(item).into_iter().collect(),
                };
                if all.is_empty() {
                    return false;
                }
                let about = match protocol {
                    Protocol::Anthropic => non_null_except(item, &["role", "content"]),
                    _ => Map::new(),
                };
                let mut more = wire::extra_parts(item.get("content"));
                for mut message in all {
                    message.others.extend(about.clone());
                    if let Some(more) = more.take() {
                        message.others.put("parts", more);
                    }
                    message.others.put("line", line.into());
                    if let Some(error) = agentdojo::tool_error(item) {
                        message.is_error = true;
                        if message.content == "" {
                            message.content = error.clone();
                        }
                    }
                    self.steps.push(items::message_step(message, ToolOutcome::default(), at.clone()));
                }
            }
        }
        true
    }

    /// The steps; `request` has the settings of every answer.
    pub(super) fn into_steps(mut self, request: Option<&ModelRequest>) -> Vec<Step> {
        self.flush();
        if let Some(request) = request {
            let answers = self.steps.iter_mut().filter_map(|step| match &mut step.kind {
                StepKind::Response(_, own, _) => Some(own),
                _ => None,
            });
            // Common data is noted at the first one.
            for (at, own) in answers.enumerate() {
                **own = match at {
                    0 => request.clone(),
                    _ => ModelRequest { config: request.config.clone(), ..ModelRequest::default() },
                };
            }
        }
        self.steps
    }
}

/// An answer in the list of its conversation.
fn answer(item: &Value, protocol: Protocol, at: At) -> Option<Step> {
    let mut about = Map::new();
    let response = match protocol {
        Protocol::Anthropic => {
            let mut body = item.as_object().cloned().unwrap_or_default();
            if let Some(content) =
                item.get("content").filter(|content| !content.is_array() && !content.is_null())
            {
                let text = wire::parse_content(content).text;
                body.put("content", json!([{"type": "text", "text": text}]));
            }
            Protocol::Anthropic.parse_response(&Value::Object(body))
        }
        _ => {
            // In a list, an answer has no finish reason; the other keys of the message are kept with it.
            let known = [
                "role",
                "content",
                "tool_calls",
                "function_call",
                "refusal",
                "reasoning_content",
                "reasoning",
            ];
            let mut message = item.clone();
            if let Some(message) = message.as_object_mut() {
                message.retain(|key, _| known.contains(&key.as_str()));
                match message.get_mut("tool_calls") {
                    Some(Value::Array(calls)) => calls.iter_mut().for_each(free_input),
                    one => one.into_iter().for_each(free_input),
                }
            }
            about = non_null_except(item, &known);
            Protocol::Chat.parse_response(&json!({"choices": [{ "message": message }]}))
        }
    };
    let At { line, span, time } = at;
    Some(Step { line, span, time, kind: StepKind::Response(Box::new(response?), Box::default(), about) })
}

/// The settings of a call, by the vendors' names or a run's.
const SETTINGS: [&str; 28] = [
    "frequency_penalty",
    "include",
    "logit_bias",
    "logprobs",
    "max_tokens",
    "max_tool_calls",
    "min_p",
    "modalities",
    "n",
    "parallel_tool_calls",
    "presence_penalty",
    "reasoning",
    "reasoning_effort",
    "repetition_penalty",
    "response_format",
    "response_schema",
    "seed",
    "service_tier",
    "stop",
    "stream",
    "temperature",
    "thinking",
    "tool_choice",
    "top_k",
    "top_logprobs",
    "top_p",
    "truncation",
    "verbosity",
];

/// Puts the input of a free-form call under a key, as arguments are a map.
fn free_input(call: &mut Value) {
    let input = call.get_mut("custom").and_then(|custom| custom.get_mut("input"));
    if let Some(input) = input.filter(|input| input.is_string()) {
        *input = json!({ "input": input.take() });
    }
}

/// Names each tool by its type if it has no name, and returns those that have neither.
fn named_tools(request: &mut ModelRequest) -> Vec<Value> {
    let mut nameless = Vec::new();
    let tools = std::mem::take(&mut request.tools).into_iter().filter_map(|mut tool| {
        if tool.get("name").is_some_and(Value::is_string) {
            return Some(tool);
        }
        let kind = tool.get("type").filter(|kind| kind.is_string()).cloned();
        match (kind, tool.as_object_mut()) {
            (Some(kind), Some(entries)) => {
                entries.put("name", kind);
                Some(tool)
            }
            _ => {
                nameless.push(tool);
                None
            }
        }
    });
    request.tools = tools.collect();
    nameless
}

/// The time of a message, if it has one.
fn time(item: &Value) -> Option<String> {
    let keys = ["timestamp", "created_at", "time", "created", "createTime"];
    keys.into_iter().find_map(|key| moment(item.get(key)?)).map(|moment| moment.text)
}

/// A request with its answer as a model call.
pub(super) fn exchange(whole: RequestRecord, source: &Source) -> Exchange {
    let RequestRecord { protocol, request, response, error, others: mut about, .. } = whole;
    let is_request_known = request.is_some();
    let mut read = request.as_ref().and_then(|request| protocol.parse_request(request)).unwrap_or_default();
    let nameless = named_tools(&mut read);
    if !nameless.is_empty() {
        about.put("tools", Value::Array(nameless));
    }
    let body = response.as_ref().map(|body| protocol.normalized("response", body));
    let outcome = match body.as_ref().map_or(Err(None), |body| protocol.parse_outcome(body)) {
        Ok(response) => Outcome::Answer(Box::new(response)),
        Err(inside) => {
            // The body keeps what the answer has apart from the error.
            let body = response.as_ref().or(error.as_ref()).cloned().unwrap_or_default();
            let error = inside.cloned().or(error).unwrap_or_default();
            let failed = Entries::default()
                .with("type", Value::from(error_type(&error).unwrap_or(UNNAMED_ERROR)))
                .with("message", Value::from(error_text(&error)))
                .with("body", body);
            Outcome::Error(failed.0)
        }
    };
    about.put("protocol", protocol.word().into());
    let place = (source.line, source.span);
    Exchange { is_request_known, ..Exchange::single_agent(place, read, outcome, time(&source.value), about) }
}

/// The steps of a conversation in one entry, and the data for its metadata.
pub(super) fn record_steps(
    whole: RequestRecord,
    source: &Source,
    text: &str,
    found: &mut Vec<Diagnostic>,
) -> (Vec<Step>, Map<String, Value>) {
    let mut about = Map::new();
    let list: Vec<Value> = items(&whole).to_vec();
    let body = whole.request.clone().unwrap_or_default();
    let mut request = whole.protocol.parse_request(&body).unwrap_or_default();
    let nameless = named_tools(&mut request);
    if !nameless.is_empty() {
        about.put("tools", Value::Array(nameless));
    }
    let places = places(source, whole.list, text);
    let mut step_builder = StepBuilder::new(whole.protocol);
    let at = |place: usize| places.get(place).copied().unwrap_or((source.line, source.span));
    let is_text = list.is_empty() && body.get("input").is_some_and(Value::is_string);
    let head = if is_text { request.messages.len() } else { request.head };
    if let Some(more) = wire::extra_parts(body.get("system")) {
        about.put("system", more);
    }
    for mut message in request.messages.drain(..).take(head) {
        message.others.put("line", source.line.into());
        let at = At { line: source.line, span: source.span, time: None };
        step_builder.steps.push(items::message_step(message, ToolOutcome::default(), at));
    }
    let mut kept = Vec::new();
    for (place, item) in list.iter().enumerate() {
        let (line, span) = at(place);
        if !step_builder.add_item(item, line, span) {
            let message = "this is not a message; it is kept in `metadata`";
            found.push(Diagnostic::new(codes::LOG_ENTRY, Severity::Warning, span, message));
            kept.push(json!({"line": line, "entry": item}));
        }
    }
    for item in &whole.goes_on {
        step_builder.add_item(item, source.line, source.span);
    }
    let note = |found: &mut Vec<Diagnostic>, message: String, help: &str| {
        found.push(Diagnostic::new(codes::LOG_ENTRY, Severity::Info, source.span, message).help(help));
    };
    if whole.others.contains_key("non_preferred_output") {
        let message = "the run has the preferred response".to_owned();
        note(found, message, "the other one is kept as `recording.example`");
    }
    let weighed = list.iter().filter(|item| item.get("weight").is_some_and(|weight| weight == 0)).count();
    if weighed > 0 {
        let what =
            if weighed == 1 { "a response has".to_owned() } else { format!("{weighed} responses have") };
        let message = format!("{what} the `weight` 0, which only matters for training");
        note(found, message, "it is kept in the metadata of the response");
    }
    if !kept.is_empty() {
        about.put("messages", Value::Array(kept));
    }
    if !whole.others.is_empty() {
        let key = if whole.is_example { "example" } else { "entry" };
        about.put(key, Value::Object(whole.others));
    }
    request.head = 0;
    // Only settings are part of every answer; the rest is kept once.
    let (config, mut rest): (Map<_, _>, Map<_, _>) = std::mem::take(&mut request.config)
        .into_iter()
        .partition(|(key, _)| SETTINGS.contains(&key.as_str()));
    request.config = config;
    let steps = step_builder.into_steps(Some(&request));
    if !steps.iter().any(|step| matches!(step.kind, StepKind::Response(..))) {
        // Without an answer there is no call for these settings.
        rest =
            non_null_except(&body, &[whole.list, "contents", "system", "systemInstruction", "instructions"]);
    }
    if !rest.is_empty() {
        about.put("request", Value::Object(rest));
    }
    (steps, about)
}
