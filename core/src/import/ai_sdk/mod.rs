//! Messages of the AI SDK, also of version 4: UI messages, which have tool calls and their outcomes in one
//! part, and model messages, which separate them. A UI message contains several model calls, which
//! `step-start` parts divide.

mod devtools;
mod format;
mod model;
mod ui;

use serde_json::{Map, Value};

use super::conversation::{Conversation, Exchange, Outcome, ToolOutcome};
use super::files::{LogFile, unique_name};
use super::keys::{non_null_except, text};
use super::preview;
use super::records::Records;
use super::report::Imported;
use super::values::Entry;
use crate::diagnostic::codes;
use crate::parse::{Data, Node};
use crate::text::{JsonMap, Set};
use crate::wire::{Message, ModelRequest, ModelResponse, Part};
use crate::write::Entries;
pub(super) use format::{
    DETECTION, DEVTOOLS, DEVTOOLS_DETECTION, DEVTOOLS_WORDS, FORMAT, WORDS, read, read_devtools,
};

/// AiSdkChats, read.
#[derive(Debug)]
pub(super) struct AiSdkChats {
    /// The ids of the chats, with the first words of each.
    pub chats: Vec<(String, String)>,
    records: Records,
    all: Vec<Chat>,
    /// Entries that are neither a chat nor a message.
    unrecognized: Vec<Entry>,
}

/// One chat.
#[derive(Debug, Default)]
struct Chat {
    id: String,
    /// The other keys of the chat.
    head: Map<String, Value>,
    messages: Vec<Entry>,
}

/// The pieces of a message.
#[derive(Debug)]
enum Piece {
    /// A message of the user or the system.
    Message(Message),
    /// What the model answered.
    Answer(Box<ModelResponse>),
    /// The result of a call as the model receives it, and its outcome.
    Result(Message, ToolOutcome),
    /// A call without a result, by its id.
    Open(String),
}

/// Why a message is one of the AI SDK; `None` if it may be of another format.
fn recognized_by(message: &Value) -> Option<&'static str> {
    message.get("role")?.as_str()?;
    let has_kind = |part: &Value, is: fn(&Value, &str) -> bool| {
        part.get("type").and_then(Value::as_str).is_some_and(|kind| is(part, kind))
    };
    if let Some(parts) = message.get("parts").and_then(Value::as_array)
        && parts.iter().any(|part| has_kind(part, ui::is_part))
    {
        return Some("has `parts`, like AI SDK UI messages");
    }
    if message.get("toolInvocations").is_some_and(Value::is_array) {
        return Some("has `toolInvocations`, like AI SDK 4 messages");
    }
    let content = message.get("content")?.as_array()?;
    let is_so = content.iter().any(|part| has_kind(part, model::is_part));
    is_so.then_some("has parts of `content`, like AI SDK model messages")
}

/// Reads one or more chats: a list of messages, messages on lines, or objects with `messages`.
///
/// ```
/// use transcript_core::import::{LogFile, read_as};
/// let text = r#"[{"id": "a", "role": "user", "parts": [{"type": "text", "text": "Hi"}]},
///     {"id": "b", "role": "assistant", "parts": [{"type": "step-start"}, {"type": "text", "text": "Hello!"}]}]"#;
/// let read = read_as("ai-sdk", &[LogFile { path: "chat.json", text }]).unwrap();
/// assert_eq!(read.names, [("chat-1".to_owned(), "Hi".to_owned())]);
/// let imported = read.imported(Some(0));
/// assert_eq!(imported.transcript["execution"][0]["llm_response"]["content"], "Hello!");
/// ```
pub(super) fn ai_sdk_chats(file: &LogFile<'_>) -> AiSdkChats {
    let records = Records::read(file);
    let mut out = AiSdkChats { chats: Vec::new(), records, all: Vec::new(), unrecognized: Vec::new() };
    let mut loose = None;
    for root in std::mem::take(&mut out.records.roots) {
        if let Some(messages) = root.get("messages").filter(|messages| is_list(messages)) {
            let messages = messages.items().iter().map(|message| out.records.entry(message)).collect();
            out.all.push(chat(&root, messages));
            continue;
        }
        // A nested list is another chat: that is how several answers are stored.
        if is_list(&root) {
            let messages = root.items().iter().map(|message| out.records.entry(message)).collect();
            out.all.push(Chat { messages, ..Chat::default() });
            continue;
        }
        let record = out.records.entry(&root);
        if record.value.get("role").is_none() {
            out.unrecognized.push(record);
            continue;
        }
        let at = *loose.get_or_insert_with(|| {
            out.all.push(Chat::default());
            out.all.len() - 1
        });
        if let Some(chat) = out.all.get_mut(at) {
            chat.messages.push(record);
        }
    }
    let mut seen = Set::new();
    for (at, chat) in out.all.iter().enumerate() {
        let id = if chat.id.is_empty() { format!("chat-{}", at + 1) } else { chat.id.clone() };
        out.chats.push((unique_name(id, at + 1, &mut seen), chat.preview()));
    }
    out
}

fn is_list(node: &Node) -> bool {
    matches!(node.data, Data::Seq(_))
}

fn chat(root: &Node, messages: Vec<Entry>) -> Chat {
    let entries = root.entries().iter().filter(|entry| &*entry.key.text != "messages");
    let head: Map<String, Value> =
        entries.map(|entry| (entry.key.text.to_string(), entry.value.to_value())).collect();
    let id = ["id", "chatId"].iter().find_map(|key| head.get(*key)?.as_str());
    Chat { id: id.unwrap_or_default().to_owned(), head, messages }
}

impl Chat {
    /// The first words of a person in it.
    fn preview(&self) -> String {
        let first = self.messages.iter().find(|message| preview::is_of_person(&message.value));
        let text = first.map(|first| match pieces(&first.value).first() {
            Some(Piece::Message(message)) => preview::from_content(Some(&message.content)),
            _ => String::new(),
        });
        text.unwrap_or_default()
    }
}

/// A part of a message of the user or the system: a text, if it has only the known keys.
fn plain_part<'v>(part: &'v Value, known: &[&str]) -> Part<'v> {
    let is_text = text(part, "type") == Some("text");
    match is_text && non_null_except(part, known).is_empty() {
        true => Part::Text(text(part, "text").unwrap_or_default()),
        false => Part::Other,
    }
}

/// The content of a message; empty when it is not a message.
fn pieces(message: &Value) -> Vec<Piece> {
    let is_of_interface = message.get("parts").is_some_and(Value::is_array)
        || message.get("toolInvocations").is_some_and(Value::is_array);
    match is_of_interface {
        true => ui::pieces(message),
        false => model::pieces(message),
    }
}

impl AiSdkChats {
    /// One of the chats as a transcript.
    pub(super) fn imported(&mut self, chosen: Option<usize>) -> Imported {
        let mut records = self.records.clone();
        let chat = chosen.and_then(|at| self.all.get_mut(at)).map(std::mem::take).unwrap_or_default();
        let mut conversation = Conversation::default();
        let mut waits = Vec::new();
        for record in &chat.messages {
            let pieces = pieces(&record.value);
            if pieces.is_empty() {
                let message = "this is not a known chat message; it is kept in `metadata`".to_owned();
                let help = "a message needs `role`, and `parts` or `content`";
                records.warn(codes::LOG_ENTRY, record.span, message, help);
                records.keep(record, "");
                continue;
            }
            records.mark_used(record.line);
            conversation.set_place(record.span);
            let time = record.value.get("createdAt").and_then(Value::as_str);
            for piece in pieces {
                add_piece(&mut conversation, piece, (record, time), &mut waits);
            }
        }
        records.diagnostics.extend(conversation.finish("no message", "this one"));
        for record in &self.unrecognized {
            let message = "this is neither a chat nor a message; it is kept in `metadata`".to_owned();
            records.warn(
                codes::LOG_ENTRY,
                record.span,
                message,
                "a message needs `role`, and a chat `messages`",
            );
            records.keep(record, "");
        }
        let mut head = chat.head;
        head.retain(|_, value| !value.is_null());
        let own = Entries::default().with("chat", (!head.is_empty()).then_some(Value::Object(head.clone())));
        let name = ["title", "name"].iter().find_map(|key| head.get(*key)?.as_str()).unwrap_or_default();
        let created = chat.messages.iter().find_map(|message| message.value.get("createdAt")?.as_str());
        let name = records.name_or_file(name);
        let metadata = records.metadata(name, created, "ai-sdk", own);
        records.imported(conversation.transcript(metadata))
    }
}

/// Adds the content of a message to the run. `waits` has the calls that the chat itself marks as unanswered.
fn add_piece(
    conversation: &mut Conversation,
    piece: Piece,
    (record, time): (&Entry, Option<&str>),
    waits: &mut Vec<String>,
) {
    match piece {
        Piece::Message(mut message) => {
            message.others.put("line", record.line.into());
            conversation.add_message(&message, "", time);
        }
        Piece::Answer(response) => {
            let open = conversation.open_calls();
            let explained = waits.drain(..).filter(|call| open.contains(call)).count();
            let exchange = Exchange::single_agent(
                (record.line, record.span),
                ModelRequest::default(),
                Outcome::Answer(response),
                time.map(str::to_owned),
                Map::new(),
            );
            conversation.add_exchange(exchange);
            conversation.excuse_missing_results(explained);
        }
        Piece::Result(mut message, tool_outcome) => {
            let id = message.tool_call_id.clone().unwrap_or_default();
            let call = match waits.is_empty() {
                true => conversation.first_open_call_with_id(&id),
                false => {
                    let open = conversation.open_calls_with_id(&id);
                    first_unexplained_call(&open, waits).or(open.first()).cloned()
                }
            };
            if call.is_none() {
                message.others.put("line", record.line.into());
            }
            conversation.add_result(call, message, tool_outcome, time);
        }
        Piece::Open(id) => {
            let open = conversation.open_calls_with_id(&id);
            waits.extend(first_unexplained_call(&open, waits).cloned());
        }
    }
}

/// The first call without a known reason for its missing result.
fn first_unexplained_call<'c>(open: &'c [String], waits: &[String]) -> Option<&'c String> {
    open.iter().find(|open| !waits.contains(open))
}

/// The messages of a prompt in the form of chat completions.
pub(super) fn chat_messages(prompt: &Value) -> Vec<Message> {
    let messages = prompt.as_array().into_iter().flatten();
    messages.flat_map(model::pieces).filter_map(devtools::prompt_message).collect()
}
