//! What a recorder reads from the requests, answers and streams that pass through it.

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::content::list;
use super::{Message, Protocol, ToolCall, anthropic, openai_chat, openai_responses, role};
use super::{UNNAMED_ERROR, error_of, error_text, error_type};

/// Kinds of text parts.
const TEXTS: [&str; 3] = ["text", "input_text", "output_text"];

/// The recorded settings of a request, in order.
const SETTINGS: [&str; 11] = [
    "temperature",
    "top_p",
    "top_k",
    "max_tokens",
    "stop",
    "seed",
    "tool_choice",
    "thinking",
    "reasoning",
    "reasoning_effort",
    "response_schema",
];

/// Blocks of Anthropic that are recorded in separate fields.
const BLOCKS: [&str; 4] = ["text", "thinking", "redacted_thinking", "tool_use"];

/// A request in recorded form.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RecordedRequest {
    /// The settings by the names that recordings have for them.
    pub config: Map<String, Value>,
    /// The declared tools: `name`, `description` and `parameters`.
    pub tools: Vec<Value>,
    /// Why the settings cannot be read.
    pub settings_problem: Option<String>,
    /// The instructions, where they are not in the list of messages.
    pub head: Vec<Value>,
    /// The messages of the list.
    pub messages: Vec<Value>,
    /// For each message, how many items of the list were read by its end.
    pub ends: Vec<usize>,
    /// Why the messages cannot be read.
    pub messages_problem: Option<String>,
}

/// An answer in recorded form.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RecordedResponse {
    /// The fields of the answer; `output` has the items or blocks to which a later request may refer. `None`
    /// if it is no answer.
    pub answer: Option<Map<String, Value>>,
    /// The error of a failed call: `type` and `message`.
    pub failure: Option<Value>,
    /// The parts of the answer that are not recorded.
    pub unrecorded: Vec<&'static str>,
    /// Whether the stream is complete.
    pub is_done: bool,
    /// The pieces of a stream, each with the index of its event.
    pub chunks: Vec<(usize, Value)>,
}

/// Why the messages of a request cannot be read.
#[derive(Debug)]
enum UnreadableMessages {
    /// There is no list of messages.
    NoList,
    /// An item, counted from 1, is no message.
    Message { number: usize, problem: &'static str },
}

impl fmt::Display for UnreadableMessages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoList => f.write_str("`messages`: expected a list"),
            Self::Message { number, problem } => write!(f, "the message {number} {problem}"),
        }
    }
}

/// Reads a `request`, a `response`, the list of events of a `stream`, or the body of an `error`, as data; `None` for an
/// unknown operation or format.
///
/// ```
/// use serde_json::json;
/// use transcript_core::wire::read_exchange;
/// let body = json!({"choices": [{"message": {"role": "assistant", "content": "Hello!"}}]});
/// let response = read_exchange("response", "openai-chat", &body).unwrap();
/// assert_eq!(response["answer"]["content"], "Hello!");
/// ```
#[must_use]
pub fn read_exchange(operation: &str, format: &str, data: &Value) -> Option<Value> {
    let protocol = Protocol::from_word(format)?;
    let answer = match operation {
        "request" => serde_json::to_value(protocol.record_request(data)),
        "response" => serde_json::to_value(protocol.record_response(data)),
        "stream" => serde_json::to_value(protocol.record_stream(data.as_array()?)),
        "error" => Ok(failure(error_of(data).unwrap_or(data))),
        _ => return None,
    };
    answer.ok()
}

impl Protocol {
    /// Reads a request for a recorder.
    pub(crate) fn record_request(self, body: &Value) -> RecordedRequest {
        let mut out = RecordedRequest { settings_problem: tools_problem(body), ..RecordedRequest::default() };
        let request = self.parse_request(body).unwrap_or_default();
        if out.settings_problem.is_none() {
            let setting = |key: &str| Some((key.to_owned(), request.config.get(key)?.clone()));
            out.config = SETTINGS.into_iter().filter_map(setting).collect();
            out.tools = request.tools.iter().map(declaration).collect();
        }
        out.head =
            request.messages.into_iter().take(request.head).map(|message| to_value(&message)).collect();
        match self.items(body).and_then(|items| self.messages(&items)) {
            Ok(messages) => {
                (out.ends, out.messages) = messages.iter().map(|(end, one)| (end, to_value(one))).unzip();
            }
            Err(problem) => out.messages_problem = Some(problem.to_string()),
        }
        out
    }

    /// The items of the list of messages.
    fn items(self, body: &Value) -> Result<Vec<Value>, UnreadableMessages> {
        match (self, body.get("messages"), body.get("input")) {
            (Self::Responses, _, Some(Value::String(text))) => {
                Ok(vec![json!({"role": "user", "content": text})])
            }
            (Self::Responses, _, Some(Value::Array(items))) => Ok(items.clone()),
            (Self::Responses, ..) => Ok(Vec::new()),
            (_, Some(Value::Array(items)), _) => Ok(items.clone()),
            _ => Err(UnreadableMessages::NoList),
        }
    }

    /// The messages of items, each with the number of items up to its end.
    fn messages(self, items: &[Value]) -> Result<Vec<(usize, Message)>, UnreadableMessages> {
        let mut out: Vec<(usize, Message)> = Vec::new();
        // Consecutive items of the model are one message.
        let mut group: Vec<Value> = Vec::new();
        for (at, item) in items.iter().enumerate() {
            if let Some(problem) = item_problem(item) {
                return Err(UnreadableMessages::Message { number: at + 1, problem });
            }
            match self {
                Self::Chat => out.extend(chat_message(item).map(|message| (at + 1, message))),
                Self::Anthropic => out.extend(anthropic::messages(item).into_iter().map(|one| (at + 1, one))),
                Self::Responses if openai_responses::is_reasoning(item) => {}
                Self::Responses if openai_responses::is_of_model(item) => group.push(item.clone()),
                Self::Responses => {
                    flush(&mut out, &mut group, at);
                    flush(&mut out, &mut vec![item.clone()], at + 1);
                }
            }
        }
        flush(&mut out, &mut group, items.len());
        Ok(out)
    }

    /// Reads an answer for a recorder.
    pub(crate) fn record_response(self, body: &Value) -> RecordedResponse {
        let is_known = self.output(body).iter().all(Value::is_object);
        let outcome = if is_known { self.parse_outcome(body) } else { Err(error_of(body)) };
        let mut response = match outcome {
            Ok(response) => response,
            Err(error) => {
                return RecordedResponse { failure: error.map(failure), ..RecordedResponse::default() };
            }
        };
        if self == Self::Chat {
            response
                .calls
                .truncate(body.pointer("/choices/0/message").map_or(0, |one| list(one, "tool_calls").len()));
        }
        let text = |text: Option<String>| text.filter(|text| !text.is_empty()).map(Value::from);
        let mut metadata = self.own_parts(body);
        metadata.extend(error_of(body).map(|error| ("error".to_owned(), error.clone())));
        let fields = [
            ("id", response.id.map(Value::from)),
            ("model", response.model),
            ("usage", response.usage),
            ("finish_reason", response.finish_reason),
            ("content", Some(response.content.into())),
            ("reasoning", text(response.reasoning)),
            ("refusal", text(response.refusal)),
            ("tool_calls", Some(response.calls.iter().map(call).collect())),
            ("metadata", (!metadata.is_empty()).then(|| metadata.into())),
            ("output", (self != Self::Chat).then(|| self.output(body).into())),
        ];
        let answer = fields.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect();
        let unrecorded = self.unrecorded(body);
        RecordedResponse { answer: Some(answer), unrecorded, ..RecordedResponse::default() }
    }

    /// Reads the events of a stream for a recorder.
    pub(crate) fn record_stream(self, events: &[Value]) -> RecordedResponse {
        let stream = self.assemble_stream(events);
        let sent = || events.iter().find_map(error_of);
        let failure = stream.failure.as_ref().or_else(sent).map(failure);
        let mut response = self.record_response(&stream.body);
        // A stream that only has its end is an answer without content.
        response.answer.get_or_insert_with(|| {
            let known = ["id", "model", "usage"].into_iter();
            let known = known.filter_map(|key| Some((key.to_owned(), stream.body.get(key)?.clone())));
            let empty = [("content".to_owned(), "".into()), ("tool_calls".to_owned(), json!([]))];
            known.chain(empty).collect()
        });
        let starts = |at: usize| stream.starts.partition_point(|start| *start <= at).saturating_sub(1);
        let chunks =
            stream.chunks.into_iter().enumerate().map(|(at, chunk)| (starts(at), whole_chunk(chunk)));
        let chunks = chunks.collect();
        RecordedResponse { failure, is_done: stream.is_done, chunks, ..response }
    }

    /// The items or blocks of an answer.
    fn output(self, body: &Value) -> &[Value] {
        match self {
            Self::Chat => &[],
            Self::Responses => list(body, "output"),
            Self::Anthropic => list(body, "content"),
        }
    }

    /// The actions of the vendor's own tools, and the text that ended an answer: these are sent again in a
    /// replay.
    fn own_parts(self, body: &Value) -> Map<String, Value> {
        let mut out = Map::new();
        let own: Vec<Value> = self.output(body).iter().filter(|part| self.is_own(part)).cloned().collect();
        if !own.is_empty() {
            let key = if self == Self::Anthropic { "content" } else { "output" };
            out.insert(key.to_owned(), own.into());
        }
        let stop = body
            .get("stop_sequence")
            .filter(|stop| self == Self::Anthropic && stop.as_str().is_some_and(|stop| !stop.is_empty()));
        out.extend(stop.map(|stop| ("stop_sequence".to_owned(), stop.clone())));
        out
    }

    fn is_own(self, part: &Value) -> bool {
        match self {
            Self::Chat => false,
            Self::Responses => openai_responses::is_own_item(part),
            Self::Anthropic => !BLOCKS.contains(&kind(part)),
        }
    }

    /// The parts of an answer that are not recorded, for reports.
    fn unrecorded(self, body: &Value) -> Vec<&'static str> {
        let choices = list(body, "choices");
        let old = |message: &Value| message.get("function_call").is_some_and(|call| !call.is_null());
        let blocks = list(body, "content");
        let first = blocks.iter().position(|block| matches!(kind(block), "text" | "tool_use"));
        let after = first.and_then(|at| blocks.get(at..)).unwrap_or_default();
        let reports = match self {
            Self::Responses => return Vec::new(),
            Self::Chat => [
                (choices.len() > 1, "has several choices; only the first is recorded"),
                (
                    choices.first().and_then(|choice| choice.get("message")).is_some_and(old),
                    "has a `function_call`, which is not recorded",
                ),
            ],
            Self::Anthropic => [
                (
                    after.iter().any(|block| self.is_own(block)),
                    "has text before a server-side tool call; a replay returns the call first",
                ),
                (
                    blocks.iter().any(|block| !list(block, "citations").is_empty()),
                    "has citations, which are not recorded",
                ),
            ],
        };
        reports.into_iter().filter_map(|(is_so, report)| is_so.then_some(report)).collect()
    }
}

fn kind(part: &Value) -> &str {
    part.get("type").and_then(Value::as_str).unwrap_or_default()
}

/// Why the tools of a request cannot be read.
fn tools_problem(body: &Value) -> Option<String> {
    match body.get("tools") {
        None | Some(Value::Null) => None,
        Some(Value::Array(tools)) => {
            tools.iter().position(|tool| !tool.is_object()).map(|at| format!("`tools[{at}]` is not a tool"))
        }
        Some(_) => Some("`tools`: expected a list".to_owned()),
    }
}

/// Why an item is no message.
fn item_problem(item: &Value) -> Option<&'static str> {
    if !item.is_object() {
        return Some("is not a map");
    }
    if list(item, "content").iter().any(Value::is_null) {
        return Some("has a null part");
    }
    let is_message = matches!(kind(item), "" | "message");
    (is_message && !item.get("role").is_some_and(Value::is_string)).then_some("has no role")
}

fn declaration(tool: &Value) -> Value {
    let field = |key: &str| Some((key.to_owned(), tool.get(key).filter(|value| !value.is_null())?.clone()));
    Value::Object(["name", "description", "parameters"].into_iter().filter_map(field).collect())
}

/// A message of a chat. Calls in the old form without ids are left out.
fn chat_message(item: &Value) -> Option<Message> {
    let mut message = openai_chat::decode_message(item, &mut super::Decoder::default())?.normalized(&TEXTS);
    message.calls.truncate(list(item, "tool_calls").len());
    Some(message)
}

/// Makes a message of the items of a group.
fn flush(out: &mut Vec<(usize, Message)>, group: &mut Vec<Value>, end: usize) {
    if !group.is_empty() {
        let items = Value::Array(std::mem::take(group));
        out.extend(openai_responses::messages(&items).into_iter().map(|message| (end, message)));
    }
}

fn call(call: &ToolCall) -> Value {
    let text = |text: &str| (!text.is_empty()).then(|| Value::from(text));
    let fields = [
        ("id", text(&call.id)),
        ("name", text(&call.name)),
        ("arguments", Some(call.arguments.clone()).filter(|arguments| !arguments.is_null())),
    ];
    Value::Object(fields.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect())
}

fn to_value(message: &Message) -> Value {
    let mut out = Map::new();
    let is_result = role(&message.role) == Some("tool");
    out.insert("role".to_owned(), message.role.as_str().into());
    out.insert("content".to_owned(), message.content.clone());
    if !message.calls.is_empty() {
        out.insert("tool_calls".to_owned(), message.calls.iter().map(call).collect());
    }
    let id = message.tool_call_id.as_deref().filter(|_| is_result);
    out.extend(id.map(|id| ("tool_call_id".to_owned(), id.into())));
    if message.is_error {
        out.insert("is_error".to_owned(), true.into());
    }
    Value::Object(out)
}

fn failure(error: &Value) -> Value {
    json!({"type": error_type(error).unwrap_or(UNNAMED_ERROR), "message": error_text(error)})
}

/// A chunk in which the piece of a call has its arguments, and no empty id or name.
fn whole_chunk(mut chunk: Value) -> Value {
    if let Some(Value::Object(call)) = chunk.get_mut("tool_call_delta") {
        call.retain(|_, value| !value.is_null() && value != "");
        call.entry("arguments").or_insert_with(|| "".into());
    }
    chunk
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chat_is_recorded_without_what_recordings_have_no_field_for() {
        let request = Protocol::Chat.record_request(&json!({
            "model": "m", "stream": true, "max_completion_tokens": 9, "temperature": 0, "n": 2,
            "response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object"}}},
            "tools": [{"type": "function", "function": {"name": "f", "parameters": {}, "strict": true}}],
            "messages": [
                {"role": "developer", "content": [{"type": "text", "text": "Be "}, {"type": "text", "text": "kind"}]},
                {"role": "assistant", "content": null, "refusal": null, "tool_calls": [
                    {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}},
                ]},
                {"role": "tool", "tool_call_id": "c1", "content": "1"},
            ],
        }));
        assert_eq!(
            Value::Object(request.config),
            json!({"temperature": 0, "max_tokens": 9, "response_schema": {"type": "object"}})
        );
        assert_eq!(request.tools, [json!({"name": "f", "parameters": {}})]);
        assert_eq!(
            request.messages,
            [
                json!({"role": "system", "content": "Be kind"}),
                json!({"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "name": "f", "arguments": "{}"}]}),
                json!({"role": "tool", "content": "1", "tool_call_id": "c1"}),
            ]
        );
        assert_eq!(request.ends, [1, 2, 3]);
    }

    #[test]
    fn items_of_the_model_that_follow_one_another_are_one_message() {
        let request = Protocol::Responses.record_request(&json!({
            "instructions": "Be kind",
            "input": [
                {"role": "user", "content": [{"type": "input_text", "text": "Hi"}]},
                {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "One "}]},
                {"type": "reasoning", "id": "r", "summary": []},
                {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "moment"}]},
                {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "c1", "output": "1"},
                {"type": "reasoning", "id": "r2", "summary": []},
            ],
        }));
        assert_eq!(request.head, [json!({"role": "system", "content": "Be kind"})]);
        assert_eq!(
            request.messages,
            [
                json!({"role": "user", "content": "Hi"}),
                json!({"role": "assistant", "content": "One moment", "tool_calls": [{"id": "c1", "name": "f", "arguments": "{}"}]}),
                json!({"role": "tool", "content": "1", "tool_call_id": "c1"}),
            ]
        );
        assert_eq!(request.ends, [1, 5, 6]);
    }

    #[test]
    fn a_message_of_anthropic_with_results_is_several() {
        let request = Protocol::Anthropic.record_request(&json!({
            "system": [{"type": "text", "text": "Be kind"}], "stop_sequences": ["END"], "max_tokens": 9,
            "tools": [{"name": "f", "input_schema": {"type": "object"}}],
            "messages": [
                {"role": "assistant", "content": [
                    {"type": "thinking", "thinking": "Hm", "signature": "s"},
                    {"type": "tool_use", "id": "c1", "name": "f", "input": {"a": 1}},
                ]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "no"}], "is_error": true},
                    {"type": "text", "text": "Go on"},
                ]},
            ],
        }));
        assert_eq!(Value::Object(request.config), json!({"max_tokens": 9, "stop": ["END"]}));
        assert_eq!(request.tools, [json!({"name": "f", "parameters": {"type": "object"}})]);
        assert_eq!(request.head, [json!({"role": "system", "content": "Be kind"})]);
        assert_eq!(
            request.messages,
            [
                json!({"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "name": "f", "arguments": {"a": 1}}]}),
                json!({"role": "tool", "content": "no", "tool_call_id": "c1", "is_error": true}),
                json!({"role": "user", "content": "Go on"}),
            ]
        );
        assert_eq!(request.ends, [1, 2, 2]);
    }

    #[test]
    fn forms_that_are_not_known_are_problems() {
        let problem =
            |protocol: Protocol, body: Value| protocol.record_request(&body).messages_problem.unwrap();
        assert_eq!(problem(Protocol::Chat, json!({"messages": "hi"})), "`messages`: expected a list");
        assert_eq!(problem(Protocol::Chat, json!({"messages": [null]})), "the message 1 is not a map");
        assert_eq!(
            problem(Protocol::Responses, json!({"input": [{"content": ""}]})),
            "the message 1 has no role"
        );
        let null = json!({"messages": [{"role": "user", "content": [null]}]});
        assert_eq!(problem(Protocol::Anthropic, null), "the message 1 has a null part");
        let tools = Protocol::Chat.record_request(&json!({"messages": [], "tools": [null]}));
        assert_eq!(tools.settings_problem.unwrap(), "`tools[0]` is not a tool");
        for body in [json!(null), json!({"choices": [{"message": null}]})] {
            assert_eq!(Protocol::Chat.record_response(&body), RecordedResponse::default());
        }
        assert_eq!(Protocol::Anthropic.record_response(&json!({"content": [null]})).answer, None);
        assert_eq!(Protocol::Responses.record_response(&json!({"output": [null]})).answer, None);
    }

    #[test]
    fn an_answer_keeps_what_the_vendor_did_itself() {
        let own = json!({"type": "web_search_call", "id": "ws_1"});
        let output =
            json!([own, {"type": "message", "content": [{"type": "output_text", "text": "Found."}]}]);
        let response = Protocol::Responses
            .record_response(&json!({"id": "r", "status": "completed", "model": "m", "output": output}));
        assert_eq!(
            Value::Object(response.answer.unwrap()),
            json!({
                "id": "r", "model": "m", "finish_reason": "stop", "content": "Found.", "tool_calls": [],
                "metadata": {"output": [own]}, "output": output,
            })
        );
        let used = json!({"type": "server_tool_use", "id": "s"});
        let response = Protocol::Anthropic.record_response(&json!({
            "content": [{"type": "text", "text": "I look", "citations": [{}]}, used], "stop_sequence": "END",
        }));
        assert_eq!(response.answer.unwrap()["metadata"], json!({"content": [used], "stop_sequence": "END"}));
        assert_eq!(
            response.unrecorded,
            [
                "has text before a server-side tool call; a replay returns the call first",
                "has citations, which are not recorded",
            ]
        );
        let failed = json!({"status": "failed", "error": {"code": "server_error", "message": "no"}});
        assert_eq!(
            Protocol::Responses.record_response(&failed).failure,
            Some(json!({"type": "server_error", "message": "no"}))
        );
    }

    #[test]
    fn the_chunks_of_a_stream_say_of_which_event_they_are() {
        let delta = |delta: Value| json!({"id": "c", "choices": [{"index": 0, "delta": delta}]});
        let stream = Protocol::Chat.record_stream(&[
            delta(json!({"role": "assistant", "content": ""})),
            delta(json!({"content": "Hel"})),
            delta(
                json!({"tool_calls": [{"index": 0, "id": "c1", "function": {"name": "f", "arguments": ""}}]}),
            ),
            delta(json!({"tool_calls": [{"index": 0, "id": "", "function": {"arguments": "{}"}}]})),
            json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}),
        ]);
        assert!(stream.is_done);
        assert_eq!(
            stream.chunks,
            [
                (1, json!({"text": "Hel"})),
                (2, json!({"tool_call_delta": {"index": 0, "id": "c1", "name": "f", "arguments": ""}})),
                (3, json!({"tool_call_delta": {"index": 0, "arguments": "{}"}})),
            ]
        );
        assert_eq!(
            Value::Object(stream.answer.unwrap()),
            json!({
                "id": "c", "finish_reason": "tool_calls", "content": "Hel",
                "tool_calls": [{"id": "c1", "name": "f", "arguments": "{}"}],
            })
        );
        let error = json!({"type": "error", "code": "overloaded", "message": "too much"});
        assert_eq!(
            Protocol::Responses.record_stream(&[error]).failure,
            Some(json!({"type": "overloaded", "message": "too much"}))
        );
    }

    #[test]
    fn an_error_in_place_of_an_answer_keeps_its_text() {
        let message = |error: Value| {
            let response = Protocol::Chat.record_response(&json!({"error": error}));
            assert_eq!(response.answer, None);
            response.failure.map(|failure| failure["message"].clone())
        };
        assert_eq!(message(json!({"message": "no such model"})), Some("no such model".into()));
        assert_eq!(message(json!("overloaded")), Some("overloaded".into()));
        assert_eq!(message(json!({"status": 7})), Some(r#"{"status":7}"#.into()));
        assert_eq!(message(Value::Null), None);
    }

    #[test]
    fn an_error_with_an_answer_is_a_failure_only_if_the_answer_is_empty() {
        let body = |content: &str, error: Value| json!({"choices": [{"message": {"content": content}}], "error": error});
        // A proxy sends an empty answer with the error of the model.
        let died = Protocol::Chat.record_response(&body("", json!({"message": "upstream died"})));
        assert_eq!((died.answer, &died.failure.unwrap()["message"]), (None, &json!("upstream died")));
        let warned = Protocol::Chat.record_response(&body("Hello!", json!({"message": "slow"})));
        assert_eq!(warned.failure, None);
        let answer = warned.answer.unwrap();
        assert_eq!(
            (&answer["content"], &answer["metadata"]),
            (&json!("Hello!"), &json!({"error": {"message": "slow"}}))
        );
        for nothing in [json!(null), json!(false), json!(""), json!([]), json!({})] {
            let read = Protocol::Chat.record_response(&body("", nothing));
            assert_eq!(read.failure, None);
            assert!(!read.answer.unwrap().contains_key("metadata"));
        }
        let cut = json!({
            "choices": [{"message": {"content": "Hel"}, "finish_reason": "error"}], "error": {"message": "upstream died"},
        });
        assert_eq!(Protocol::Chat.record_response(&cut).failure.unwrap()["message"], "upstream died");
        let stopped = json!({
            "status": "failed", "error": {"code": "server_error", "message": "no"},
            "output": [{"type": "message", "content": [{"type": "output_text", "text": "Hel"}]}],
        });
        assert_eq!(Protocol::Responses.record_response(&stopped).failure.unwrap()["message"], "no");
    }

    #[test]
    fn a_stream_of_tokens_alone_keeps_them() {
        let usage = json!({"prompt_tokens": 3, "completion_tokens": 2});
        let read = Protocol::Chat.record_stream(&[json!({"choices": [], "usage": usage, "error": ""})]);
        assert_eq!((read.answer.unwrap()["usage"].clone(), read.failure), (usage, None));
    }

    #[test]
    fn content_in_parts_has_chunks() {
        let delta = |delta: Value| json!({"choices": [{"delta": delta}]});
        let read = Protocol::Chat.record_stream(&[
            delta(json!({"content": "A"})),
            delta(json!({"content": [{"type": "text", "text": "B"}, {"type": "reference", "reference_ids": [1]}]})),
            json!({"choices": [{"delta": {"content": [{"type": "text", "text": "C"}]}, "finish_reason": "stop"}]}),
            json!({"choices": [{"delta": {"content": ""}, "finish_reason": ""}]}),
        ]);
        assert_eq!(
            read.chunks,
            [(0, json!({"text": "A"})), (1, json!({"text": "B"})), (2, json!({"text": "C"}))]
        );
        let answer = read.answer.unwrap();
        assert_eq!((&answer["content"], &answer["finish_reason"]), (&json!("ABC"), &json!("stop")));
    }
}
