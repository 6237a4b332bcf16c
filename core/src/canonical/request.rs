//! A request in the words of whoever makes it.

use std::borrow::Cow;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::read::{ReadMessages, wrong_type};
use super::{
    CanonicalMessage, Config, NormalizedMessages, ai_sdk, anthropic, gemini, openai_chat, openai_responses,
    plain,
};
use crate::diagnostic::InvalidInput;
use crate::wire::{self, Protocol, langchain};

/// A format of requests.
struct RequestFormat {
    /// The name that hosts select it by.
    name: &'static str,
    /// Whether its requests name the model.
    names_model: bool,
    read: fn(&Value, ReadMessages) -> Result<ReadMessages, InvalidInput>,
}

/// The table of formats. The types of the package and the table of the docs come from it.
static FORMATS: [RequestFormat; 12] = [
    RequestFormat {
        name: "canonical",
        names_model: true,
        read: |request, out| plain::messages(out, messages_of(request)?),
    },
    RequestFormat {
        name: "ai-sdk",
        names_model: false,
        read: |request, out| ai_sdk::messages(out, messages_of(request)?),
    },
    RequestFormat {
        name: Protocol::Chat.word(),
        names_model: true,
        read: |request, out| openai_chat::messages(out, Protocol::Chat, messages_of(request)?),
    },
    RequestFormat {
        name: Protocol::Responses.word(),
        names_model: true,
        read: |request, out| {
            openai_responses::messages(out, text_of(request, "instructions")?, input_of(request))
        },
    },
    RequestFormat {
        name: "openai-agents",
        names_model: false,
        read: |request, out| {
            openai_responses::messages(out, text_of(request, "systemInstructions")?, input_of(request))
        },
    },
    RequestFormat { name: Protocol::Anthropic.word(), names_model: true, read: read_messages },
    RequestFormat {
        name: Protocol::Gemini.word(),
        names_model: true,
        read: |request, out| gemini::messages(out, request, list_of(request, "contents")?),
    },
    RequestFormat {
        name: Protocol::Bedrock.word(),
        names_model: true,
        read: |request, out| read_messages(&wire::bedrock::request(request), out),
    },
    RequestFormat {
        name: Protocol::Mistral.word(),
        names_model: true,
        read: |request, out| openai_chat::messages(out, Protocol::Mistral, messages_of(request)?),
    },
    RequestFormat {
        name: Protocol::Ollama.word(),
        names_model: true,
        read: |request, out| openai_chat::messages(out, Protocol::Ollama, messages_of(request)?),
    },
    RequestFormat {
        name: Protocol::Cohere.word(),
        names_model: true,
        read: |request, out| openai_chat::messages(out, Protocol::Cohere, messages_of(request)?),
    },
    RequestFormat {
        name: "langchain",
        names_model: false,
        read: |request, out| {
            let list = messages_of(request)?;
            out.read_items(("messages", "a map"), list, |item, decoder| {
                langchain::decode_message(item, decoder).map(CanonicalMessage::from)
            })
        },
    },
];

/// The names of the formats of requests.
///
/// ```
/// use transcript_core::canonical::request_formats;
/// assert!(request_formats().any(|name| name == "langchain"));
/// ```
pub fn request_formats() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|format| format.name)
}

/// The keys of a request, with its settings side by side: Gemini and Bedrock have them in groups.
///
/// ```
/// use serde_json::json;
/// use transcript_core::canonical::request_keys;
/// let request = json!({"format": "gemini", "generationConfig": {"topK": 4}});
/// assert_eq!(request_keys(&request)["top_k"], 4);
/// ```
#[must_use]
pub fn request_keys(request: &Value) -> Cow<'_, Map<String, Value>> {
    let format = request.get("format").and_then(Value::as_str).and_then(Protocol::from_word);
    match (format, request.as_object()) {
        (Some(Protocol::Bedrock), _) => Cow::Owned(wire::bedrock::config(request)),
        (Some(Protocol::Gemini), _) | (_, None) => Cow::Owned(wire::gemini::config(request)),
        (_, Some(keys)) => Cow::Borrowed(keys),
    }
}

/// What an agent is about to send to its model.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The number of the list that those items are of.
    pub(crate) lane: u8,
    /// The agent that makes the request, where the host specifies it.
    pub(crate) agent: Option<String>,
    pub(crate) read: ReadMessages,
    /// Its model, settings and tools; `None` for a request that the host did not make.
    pub(crate) config: Option<Config>,
}

impl Request {
    /// Reads `{"format": ..., ...}`, the format being one of [`request_formats`]; other keys are those of the request
    /// in that format, so that a wire body needs only its format added.
    ///
    /// A host may leave out what it sent before: with `"keep": n` the first n items of the list are those of
    /// its last request, and the list has only those after them. Errors count items from the first of them all. A host with several agents may set a
    /// `"lane"` for each, a number below 256: its last request is then the one before in that lane.
    ///
    /// `"agent"` names the agent of the request if several agents use one session: the name of an agent, or
    /// of the tool that runs it, the id of that tool's call, or the step of that call.
    ///
    /// # Errors
    /// For an unknown format, or when the messages are not a list of that format's messages.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::canonical::Request;
    /// let prompt = json!({"format": "ai-sdk", "messages": [
    ///     {"role": "user", "content": [{"type": "text", "text": "Hi"}]},
    /// ]});
    /// assert_eq!(Request::from_value(&prompt).unwrap().messages()[0].content, "Hi");
    /// ```
    pub fn from_value(value: &Value) -> Result<Self, InvalidInput> {
        let format = format_of(value)?;
        let chat = format.name == Protocol::Ollama.word();
        let value = &*if chat { wire::vendor_chats::chat_request(value) } else { Cow::Borrowed(value) };
        let keep = match value.get("keep") {
            None | Some(Value::Null) => 0,
            Some(keep) => keep
                .as_u64()
                .and_then(|keep| usize::try_from(keep).ok())
                .ok_or_else(|| InvalidInput::from("`keep` must be the number of unchanged messages"))?,
        };
        let read = (format.read)(value, ReadMessages { keep, ..ReadMessages::default() })?;
        let lane = match value.get("lane") {
            None | Some(Value::Null) => 0,
            Some(lane) => lane
                .as_u64()
                .and_then(|lane| u8::try_from(lane).ok())
                .ok_or_else(|| InvalidInput::from("`lane` must be a number below 256"))?,
        };
        let agent = match value.get("agent") {
            None | Some(Value::Null) => None,
            Some(Value::String(agent)) => Some(agent.clone()),
            Some(other) => return Err(wrong_type("agent", other, "a string")),
        };
        let config = Config { is_unnamed: !format.names_model, ..Config::new(&request_keys(value)) };
        Ok(Self { lane, agent, read, config: Some(config) })
    }

    /// A request of messages that are in canonical form already.
    #[must_use]
    pub fn new(messages: Vec<CanonicalMessage>) -> Self {
        Self::from_delta(0, messages.into_iter().map(Rc::new).collect())
    }

    /// A request that begins with the first `keep` messages of the one before it.
    pub(crate) fn from_delta(keep: usize, messages: Vec<Rc<CanonicalMessage>>) -> Self {
        let bounds = (1..=messages.len()).collect();
        Self { lane: 0, agent: None, read: ReadMessages { keep, messages, head: 0, bounds }, config: None }
    }

    /// The messages in canonical form; for a request with only new messages, the new ones.
    #[must_use]
    pub fn messages(&self) -> Vec<CanonicalMessage> {
        let mut messages = NormalizedMessages::default();
        self.read.messages.iter().for_each(|message| messages.push(Rc::clone(message)));
        messages.messages().iter().map(|message| CanonicalMessage::clone(message)).collect()
    }
}

fn format_of(request: &Value) -> Result<&'static RequestFormat, InvalidInput> {
    let name = match request.get("format") {
        None | Some(Value::Null) => "canonical",
        Some(Value::String(name)) => name,
        Some(_) => return Err(InvalidInput::from("`format`: expected a string")),
    };
    FORMATS.iter().find(|format| format.name == name).ok_or_else(|| {
        InvalidInput::unknown(format!("unknown request format `{name}`"), name, request_formats())
    })
}

fn read_messages(request: &Value, out: ReadMessages) -> Result<ReadMessages, InvalidInput> {
    anthropic::messages(out, request, messages_of(request)?)
}

fn messages_of(request: &Value) -> Result<&[Value], InvalidInput> {
    list_of(request, "messages")
}

fn list_of<'r>(request: &'r Value, key: &str) -> Result<&'r [Value], InvalidInput> {
    match request.get(key) {
        Some(Value::Array(items)) => Ok(items),
        _ => Err(InvalidInput::from(format!("a request has no list of `{key}`"))),
    }
}

fn text_of<'r>(request: &'r Value, key: &str) -> Result<Option<&'r str>, InvalidInput> {
    match request.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(wrong_type(key, other, "a string")),
    }
}

fn input_of(request: &Value) -> &Value {
    request.get("input").unwrap_or(&Value::Null)
}
