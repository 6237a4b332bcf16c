//! Which protocol a chat uses, and its form: a list of messages, a request with or without its answer, an
//! answer alone, or an example for training.

use serde_json::{Map, Value};

use super::gemini::{is_content, saved_chat};
use crate::import::detect::is_nearly;
use crate::import::items::{self, Item};
use crate::wire::{self, Protocol};

/// The kind of an entry.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// A message or an item; all such entries are of one conversation.
    Message,
    /// A conversation of its own.
    RequestRecord(Box<RequestRecord>),
}

/// A conversation in one entry.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RequestRecord {
    pub protocol: Protocol,
    /// The request, with the list of messages or items.
    pub request: Option<Value>,
    /// The key of that list in the file.
    pub list: &'static str,
    /// The response.
    pub response: Option<Value>,
    /// The error in place of an answer.
    pub error: Option<Value>,
    /// Messages that continue the conversation, such as the preferred answer of a pair.
    pub goes_on: Vec<Value>,
    /// The other content of the entry.
    pub others: Map<String, Value>,
    /// Whether it is an example for training.
    pub is_example: bool,
}

/// Whether a value is a message: many other things have a role.
pub(super) fn is_message(value: &Value) -> bool {
    let is_role = value.get("role").and_then(Value::as_str).is_some_and(|role| wire::role(role).is_some());
    is_role
        && ["content", "tool_calls", "function_call", "refusal", "audio"]
            .iter()
            .any(|key| value.get(key).is_some())
}

/// The maximum number of entries of a list that are examined, spread over its length.
const LOOKED_AT: usize = 64;

/// Whether nearly all of a list is understood: lists of other programs are similar in places.
pub(super) fn nearly_all<T>(list: &[T], is_understood: impl Fn(&T) -> bool) -> bool {
    let step = list.len().div_ceil(LOOKED_AT).max(1);
    let looked_at = || list.iter().step_by(step);
    is_nearly(looked_at().filter(|item| is_understood(item)).count(), looked_at().count())
}

/// Whether the content of a message is where its reader looks for it. Some programs have messages with a role
/// and their text elsewhere, such as in `parts`.
pub(super) fn is_read(message: &Value) -> bool {
    let is_other = |part: &Value| OTHERS.iter().any(|key| part.get(key).is_some());
    let is_nothing = |value: &Value| {
        value.as_str().is_some_and(str::is_empty)
            || value.as_array().is_some_and(Vec::is_empty)
            || value.is_null()
    };
    let is_tool = message.get("role").is_some_and(|role| role == "tool" || role == "function");
    let has_content_elsewhere =
        || ELSEWHERE.iter().any(|key| message.get(key).is_some_and(|value| !is_nothing(value)));
    match message.get("content") {
        None if is_content(message) => true,
        Some(Value::Array(parts)) if !parts.is_empty() => is_tool || !parts.iter().any(is_other),
        Some(content @ Value::Object(_)) => is_tool || content.get("parts").is_none(),
        Some(content) if !is_nothing(content) => true,
        content => {
            let is_known =
                || MESSAGE.iter().any(|key| message.get(key).is_some_and(|value| !is_nothing(value)));
            is_known() || (content.is_some() && !has_content_elsewhere())
        }
    }
}

/// Keys of a message with content, in addition to `content`.
const MESSAGE: [&str; 6] =
    ["tool_calls", "function_call", "refusal", "audio", "reasoning", "reasoning_content"];

/// Keys that other programs use for the content of a message.
const ELSEWHERE: [&str; 5] = ["parts", "contents", "message", "text", "raw"];

/// Keys of the parts of Gemini and of Bedrock, which no supported part has.
const OTHERS: [&str; 6] =
    ["functionCall", "functionResponse", "inlineData", "executableCode", "toolUse", "toolResult"];

/// Whether nearly every item of a list is a message with a role. Lines of a file may be missing, and the role with them.
fn are_messages(list: &Value) -> bool {
    let items = list.as_array().map_or(&[][..], Vec::as_slice);
    let has_role = |item: &Value| item.get("role").is_some_and(Value::is_string);
    items.iter().all(Value::is_object)
        && is_nearly(items.iter().filter(|item| has_role(item)).count(), items.len())
        && items.iter().any(is_message)
        && nearly_all(items, is_read)
}

/// Whether every item of a list is an item of Responses, and at least one is more than a message.
fn are_items(list: &Value) -> bool {
    let items = list.as_array().map_or(&[][..], Vec::as_slice);
    let is_item = |item: &&Value| {
        Item::classify(item) != Item::Other || item.get("type").is_some_and(|kind| kind == "item_reference")
    };
    !items.is_empty() && items.iter().all(|item| is_item(&item)) && items.iter().any(is_of_responses)
}

/// Whether a message or item is in the form of Responses only.
pub(super) fn is_of_responses(item: &Value) -> bool {
    let is_part = |part: &Value| {
        part.get("type")
            .and_then(Value::as_str)
            .is_some_and(|kind| matches!(kind, "input_text" | "output_text" | "input_image" | "input_file"))
    };
    match item.get("type").and_then(Value::as_str) {
        Some("message") => item.get("role").is_some(),
        Some(_) => Item::classify(item) != Item::Other,
        None => item.get("content").and_then(Value::as_array).is_some_and(|parts| parts.iter().any(is_part)),
    }
}

/// Whether a message has blocks that only Anthropic's have; a thought that is a list is Mistral's, and AgentDojo has it in
/// `content`.
pub(super) fn is_of_anthropic(message: &Value) -> bool {
    let blocks = message.get("content").and_then(Value::as_array).into_iter().flatten();
    let blocks = blocks.filter(|block| {
        block.get("thinking").is_some_and(Value::is_string)
            || block.get("type").is_none_or(|kind| kind != "thinking")
    });
    let mut kinds = blocks.filter_map(|block| block.get("type")?.as_str());
    kinds.any(|kind| {
        matches!(
            kind,
            "tool_use" | "tool_result" | "thinking" | "redacted_thinking" | "document" | "server_tool_use"
        ) || kind.ends_with("_tool_result")
    }) || message
        .get("content")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .any(|block| block.get("type").is_some_and(|kind| kind == "image") && block.get("source").is_some())
}

/// The protocol of a list of messages.
pub(super) fn protocol_of_messages(list: &[&Value]) -> Protocol {
    if list.iter().any(|item| is_content(item)) {
        Protocol::Gemini
    } else if list.iter().any(|item| is_of_anthropic(item)) {
        Protocol::Anthropic
    } else if list.iter().any(|item| is_of_responses(item)) {
        Protocol::Responses
    } else {
        Protocol::Chat
    }
}

/// The protocol of a request; `None` when it is none.
fn protocol_of_request(body: &Value) -> Option<Protocol> {
    if let Some(messages) = body.get("messages").filter(|messages| are_messages(messages)) {
        let tools = body.get("tools").and_then(Value::as_array).into_iter().flatten();
        let is_anthropic = body.get("system").is_some()
            || tools.into_iter().any(|tool| tool.get("input_schema").is_some())
            || messages.as_array().is_some_and(|all| all.iter().any(is_of_anthropic));
        return Some(if is_anthropic { Protocol::Anthropic } else { Protocol::Chat });
    }
    if let Some(contents) = body.get("contents").and_then(Value::as_array) {
        // They are the user's unless they have a role.
        let is_one = |content: &Value| content.get("parts").is_some_and(Value::is_array);
        return (!contents.is_empty() && contents.iter().all(is_one)).then_some(Protocol::Gemini);
    }
    let input = body.get("input")?;
    let is_text = input.is_string() && body.get("model").is_some_and(Value::is_string);
    (is_text || are_items(input) || (are_messages(input) && body.get("model").is_some()))
        .then_some(Protocol::Responses)
}

/// The protocol of an answer; `None` when it is none.
pub(super) fn protocol_of_response(body: &Value) -> Option<Protocol> {
    // A stream of Gemini may be a list.
    let candidates = body.get(0).unwrap_or(body).get("candidates").and_then(Value::as_array);
    if candidates.is_some_and(|all| all.iter().any(|one| one.get("content").is_some())) {
        return Some(Protocol::Gemini);
    }
    if let Some(choices) = body.get("choices").and_then(Value::as_array) {
        let is_choice = choices.first().is_some_and(|choice| choice.get("message").is_some());
        return is_choice.then_some(Protocol::Chat);
    }
    let is = |key: &str, value: &str| body.get(key).is_some_and(|one| one == value);
    if is("type", "message")
        && is("role", "assistant")
        && body.get("content").is_some_and(Value::is_array)
        && body.get("stop_reason").is_some()
    {
        return Some(Protocol::Anthropic);
    }
    (is("object", "response") && body.get("output").is_some_and(Value::is_array))
        .then_some(Protocol::Responses)
}

/// Keys that hold a request or an answer in logs and batch files.
const REQUEST_KEYS: [&str; 4] = ["body", "params", "request", "kwargs"];
const RESPONSE_KEYS: [&str; 5] = ["response", "completion", "result", "output", "message"];

/// The kind of an entry; `None` if it is not part of a chat.
pub(super) fn classify(entry: &Value) -> Option<Shape> {
    let body = entry.as_object()?;
    // The events of a stream are pieces of an answer.
    let kind = body.get("type").and_then(Value::as_str).unwrap_or_default();
    if kind.starts_with("response.") || kind == "message_start" {
        return None;
    }
    if !body.contains_key("messages") {
        let is_item = match items::kind(entry) {
            "message" => Item::classify(entry) != Item::Other && is_read(entry),
            kind => Item::classify(entry) != Item::Other || kind == "item_reference",
        };
        if is_item && protocol_of_response(entry).is_none() {
            return Some(Shape::Message);
        }
    }
    // A transcript has keys of the same names.
    if ["execution", "initial_state", "handlers"].iter().any(|key| body.contains_key(*key)) {
        return None;
    }
    let saved = saved_chat(entry).map(|(request, others)| RequestRecord {
        protocol: Protocol::Gemini,
        request: Some(request),
        list: "chunks",
        response: None,
        error: None,
        goes_on: Vec::new(),
        others,
        is_example: false,
    });
    saved
        .or_else(|| pair(entry))
        .or_else(|| parse_record(entry))
        .map(|whole| Shape::RequestRecord(Box::new(whole)))
}

/// An example with a preferred and a rejected answer.
fn pair(entry: &Value) -> Option<RequestRecord> {
    let preferred = entry.get("preferred_output")?.as_array()?.clone();
    let request = entry.get("input").filter(|request| protocol_of_request(request).is_some())?.clone();
    let mut others = entry.as_object()?.clone();
    for key in ["input", "preferred_output"] {
        others.shift_remove(key);
    }
    Some(RequestRecord {
        protocol: Protocol::Chat,
        request: Some(request),
        list: "messages",
        response: None,
        error: None,
        goes_on: preferred,
        others,
        is_example: true,
    })
}

fn parse_record(entry: &Value) -> Option<RequestRecord> {
    let mut others = entry.as_object()?.clone();
    let (request, protocol) = match protocol_of_request(entry) {
        Some(protocol) => (Some(entry.clone()), Some(protocol)),
        None => {
            let key = REQUEST_KEYS
                .into_iter()
                .find(|key| entry.get(*key).is_some_and(|body| find_request(body).is_some()));
            let request = key.and_then(|key| find_request(&others.shift_remove(key)?));
            let protocol = request.as_ref().and_then(protocol_of_request);
            (request, protocol)
        }
    };
    let key =
        RESPONSE_KEYS.into_iter().find(|key| others.get(*key).is_some_and(|body| answer(body).is_some()));
    let own = protocol_of_response(entry).filter(|_| key.is_none());
    let response = match (key, own) {
        (Some(key), _) => others.shift_remove(key).and_then(|body| answer(&body)),
        (None, Some(_)) => Some(entry.clone()),
        (None, None) => None,
    };
    let protocol = protocol.or_else(|| response.as_ref().and_then(protocol_of_response))?;
    // A body has its own keys; the readers of its protocol know which of them have more content.
    let is_body = protocol_of_request(entry).is_some() || own.is_some();
    let response = response.filter(|body| protocol_of_response(body) == Some(protocol));
    let mut request = request;
    if let (Some(Value::Object(request)), Some(key)) = (&mut request, key) {
        request.shift_remove(key);
    }
    let error = others.get("error").filter(|error| !error.is_null() && response.is_none()).cloned();
    if let (Some(_), Some(Value::Object(request))) = (&error, &mut request) {
        request.shift_remove("error");
    }
    if is_body {
        others = Map::new();
    } else if error.is_some() {
        others.shift_remove("error");
    }
    others.retain(|_, value| !value.is_null());
    let has_weight = |message: &Value| message.get("weight").is_some();
    let messages = request.as_ref().and_then(|request| request.get("messages")?.as_array());
    let is_example = messages.is_some_and(|all| all.iter().any(has_weight));
    let list = match protocol {
        Protocol::Responses => "input",
        Protocol::Gemini => "contents",
        _ => "messages",
    };
    Some(RequestRecord { protocol, request, list, response, error, goes_on: Vec::new(), others, is_example })
}

/// A request, or one under a key for requests.
fn find_request(body: &Value) -> Option<Value> {
    let bodies = [Some(body), body.get("body"), body.get("json")].into_iter().flatten();
    bodies.into_iter().find(|body| protocol_of_request(body).is_some()).cloned()
}

/// An answer, or one under a key for answers.
fn answer(body: &Value) -> Option<Value> {
    let bodies = [Some(body), body.get("body"), body.get("message"), body.get("data")].into_iter().flatten();
    bodies.into_iter().find(|body| protocol_of_response(body).is_some()).cloned()
}
