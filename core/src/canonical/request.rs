//! A request in the words of whoever makes it.

use std::rc::Rc;

use serde_json::Value;

use super::read::{ReadMessages, wrong_type};
use super::{
    CanonicalMessage, Config, NormalizedMessages, ai_sdk, anthropic, openai_chat, openai_responses, plain,
};
use crate::diagnostic::InvalidInput;
use crate::wire::langchain;

/// The formats of requests, by the name that hosts select them by.
pub const FORMATS: [(&str, &str); 7] = [
    ("canonical", "the format of this program"),
    ("ai-sdk", "`prompt` of the AI SDK's language models, versions 2 to 4, and of Mastra, as `messages`"),
    ("openai-chat", "the body of OpenAI's chat completions"),
    ("openai-responses", "the body of OpenAI's Responses: `instructions` and `input`"),
    ("openai-agents", "the model request of the OpenAI Agents SDK: `systemInstructions` and `input`"),
    ("anthropic", "the body of Anthropic's Messages: `system` and `messages`"),
    ("langchain", "the input messages of a LangChain chat model"),
];

/// What an agent is about to send to its model.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// How many items of the previous request precede these, unchanged.
    pub(crate) keep: usize,
    /// The number of the list that those items are of.
    pub(crate) lane: u8,
    /// The agent that makes the request, where the host specifies it.
    pub(crate) agent: Option<String>,
    pub(crate) read: ReadMessages,
    /// Its model, settings and tools; `None` for a request that the host did not make.
    pub(crate) config: Option<Config>,
}

/// Formats of frameworks that do not name the model in a request.
const UNNAMED: [&str; 3] = ["ai-sdk", "openai-agents", "langchain"];

impl Request {
    /// Reads `{"format": ..., ...}`, the format being one of [`FORMATS`]; other keys are those of the request
    /// in that format, so that a wire body needs only its format added.
    ///
    /// A host may leave out what it sent before: with `"keep": n` the first n items of the list are those of
    /// its last request, and the list has only those after them. A host with several agents may set a
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
        let read = read(value)?;
        let keep = match value.get("keep") {
            None | Some(Value::Null) => 0,
            Some(keep) => keep
                .as_u64()
                .and_then(|keep| usize::try_from(keep).ok())
                .ok_or_else(|| InvalidInput::from("`keep` must be the number of unchanged messages"))?,
        };
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
        let is_unnamed =
            value.get("format").and_then(Value::as_str).is_some_and(|format| UNNAMED.contains(&format));
        let config = value.as_object().map(|keys| Config { is_unnamed, ..Config::new(keys) });
        Ok(Self { keep, lane, agent, read, config })
    }

    /// A request of messages that are in canonical form already.
    #[must_use]
    pub fn new(messages: Vec<CanonicalMessage>) -> Self {
        Self::from_delta(0, messages.into_iter().map(Rc::new).collect())
    }

    /// A request that begins with the first `keep` messages of the one before it.
    pub(crate) fn from_delta(keep: usize, messages: Vec<Rc<CanonicalMessage>>) -> Self {
        let bounds = (1..=messages.len()).collect();
        Self { keep, lane: 0, agent: None, read: ReadMessages { messages, head: 0, bounds }, config: None }
    }

    /// The messages in canonical form; for a request with only new messages, the new ones.
    #[must_use]
    pub fn messages(&self) -> Vec<CanonicalMessage> {
        let mut messages = NormalizedMessages::default();
        self.read.messages.iter().for_each(|message| messages.push(Rc::clone(message)));
        messages.messages().iter().map(|message| CanonicalMessage::clone(message)).collect()
    }
}

fn read(value: &Value) -> Result<ReadMessages, InvalidInput> {
    let format = match value.get("format") {
        None | Some(Value::Null) => "canonical",
        Some(Value::String(format)) => format,
        Some(_) => return Err(InvalidInput::from("`format`: expected a string")),
    };
    let list = || match value.get("messages") {
        Some(Value::Array(messages)) => Ok(messages.as_slice()),
        _ => Err(InvalidInput::from("a request has no list of `messages`")),
    };
    let text = |key: &str| match value.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(other) => Err(wrong_type(key, other, "a string")),
    };
    let input = || value.get("input").unwrap_or(&Value::Null);
    match format {
        "canonical" => plain::messages(list()?),
        "ai-sdk" => ai_sdk::messages(list()?),
        "openai-chat" => openai_chat::messages(list()?),
        "openai-responses" => openai_responses::messages(text("instructions")?, input()),
        "openai-agents" => openai_responses::messages(text("systemInstructions")?, input()),
        "anthropic" => anthropic::messages(value, list()?),
        "langchain" => ReadMessages::default().read_items(("messages", "a map"), list()?, |item, decoder| {
            langchain::decode_message(item, decoder).map(CanonicalMessage::from)
        }),
        other => {
            let names = FORMATS.iter().map(|(name, _)| *name);
            Err(InvalidInput::unknown(format!("unknown request format `{other}`"), other, names))
        }
    }
}
