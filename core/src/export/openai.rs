//! A request for a chat completion of `OpenAI`: `{model?, messages, tools?}` with the settings that it knows.

use serde_json::{Map, Value};

use super::entries::Entry;
use super::formats::Format;
use super::losses::Losses;
use super::pairs::{Call, Piece, pieces};
use super::request::RequestConversation;
use super::rest::Carries;
use super::{Exported, Settings, chat};
use crate::model::{Content, Role};
use crate::replay::Timeline;
use crate::text::{JsonMap, Set, json};
use crate::wire::media;
use crate::write::{self, tool_call_entry};

pub(super) static FORMAT: Format = Format {
    name: "openai",
    title: "OpenAI request",
    purpose: "The messages of the next model call",
    description: "a request",
    file: ("", ".openai.json"),
    takes_all: true,
    ..Format::BASE
};

/// Settings with the same meaning in a request.
const PASSED: [&str; 13] = [
    "model",
    "temperature",
    "top_p",
    "max_tokens",
    "max_completion_tokens",
    "frequency_penalty",
    "presence_penalty",
    "seed",
    "stop",
    "parallel_tool_calls",
    "tool_choice",
    "reasoning_effort",
    "response_format",
];

/// Names of functions: `^[a-zA-Z0-9_-]{1,64}$`.
const VENDOR: chat::Vendor = chat::Vendor { name: "OpenAI", longest: 64 };

const CARRIES: Carries = Carries {
    document: &[
        "agent_config.model",
        "agent_config.temperature",
        "agent_config.top_p",
        "agent_config.max_tokens",
        "agent_config.max_completion_tokens",
        "agent_config.frequency_penalty",
        "agent_config.presence_penalty",
        "agent_config.seed",
        "agent_config.stop",
        "agent_config.parallel_tool_calls",
        "agent_config.tool_choice",
        "agent_config.reasoning_effort",
        "agent_config.response_format",
        "agent_config.response_schema",
        "agent_config.tools",
    ],
    message: &["refusal", "content.detail"],
    turn: &["llm_response.refusal"],
    sent: None,
};

/// Writes the conversation as it would be sent after the last step.
pub(super) fn write(timeline: &Timeline, settings: &Settings) -> Exported {
    let mut losses = Losses::default();
    let conversation = RequestConversation::from_timeline(timeline, settings, &mut losses);
    let entries = conversation.entries();
    let own = chat::settings(timeline);
    let mut request = Map::new();
    for key in PASSED {
        if let Some(value) = own.get(key).filter(|value| !value.is_null()) {
            request.put(key, value.clone());
        }
    }
    if let Some(schema) = own.get("response_schema").filter(|schema| schema.is_object()) {
        let format = json!({"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}});
        request.entry("response_format").or_insert(format);
    }
    let mut out = Out { entries, messages: Vec::new(), written: Set::new(), losses };
    let pieces = pieces(entries, |entry| chat::is_sent(entry, settings), &mut out.losses);
    for (at, piece) in pieces.iter().enumerate() {
        out.piece(piece, at + 1 == pieces.len());
    }
    let Out { messages, written, mut losses, .. } = out;
    request.put("messages", Value::Array(messages));
    let tools = chat::tools(timeline.transcript(), &mut losses);
    VENDOR.report_tool_names(&tools, &mut losses);
    let tools = self::tools(tools);
    if !tools.is_empty() {
        request.put("tools", Value::Array(tools));
    }
    conversation.report_losses(timeline, &CARRIES, &written, &mut losses);
    Exported { text: write::json(&Value::Object(request)), losses: losses.finish() }
}

/// Tools as the request declares them.
pub(super) fn tools(tools: Vec<chat::Tool>) -> Vec<Value> {
    let made = tools.into_iter().map(|tool| {
        let mut function = Map::from_iter([("name".to_owned(), tool.name.into())]);
        function.put_some("description", tool.description.map(Value::from));
        function.put_some("parameters", tool.parameters);
        json!({"type": "function", "function": function})
    });
    made.collect()
}

struct Out<'s, 't> {
    entries: &'s [Entry<'t>],
    messages: Vec<Value>,
    written: Set<usize>,
    losses: Losses,
}

impl Out<'_, '_> {
    fn piece(&mut self, piece: &Piece, is_last: bool) {
        let Some(entry) = self.entries.get(piece.at) else { return };
        self.written.insert(piece.at);
        let message = match entry.role() {
            Role::Assistant => self.answer(entry, piece),
            Role::System => json!({"role": "system", "content": self.instructions(entry)}),
            Role::Developer => json!({"role": "developer", "content": self.instructions(entry)}),
            role => {
                if *role != Role::User {
                    self.losses.changed(&entry.part(), "role");
                }
                json!({"role": "user", "content": self.message_content(entry)})
            }
        };
        self.messages.push(self.named(message, entry));
        for (at, call) in piece.calls_by_result() {
            self.result(entry, (at, call), is_last);
        }
    }

    /// Adds the name of an agent if the format allows it.
    fn named(&self, mut message: Value, entry: &Entry<'_>) -> Value {
        let is_name = |name: &&str| {
            !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || "<|\\/>".contains(c))
        };
        if let (Some(agent), Value::Object(message)) =
            (entry.message.agent.as_deref().filter(is_name), &mut message)
        {
            message.put("name", agent.into());
        }
        message
    }

    fn instructions(&mut self, entry: &Entry<'_>) -> Value {
        text_parts(entry).unwrap_or_else(|| chat::text_only(entry, &mut self.losses).into())
    }

    fn message_content(&mut self, entry: &Entry<'_>) -> Value {
        if let Some(parts) = text_parts(entry) {
            return parts;
        }
        let mut content = entry.content();
        if content.parts.is_empty() {
            return content.text.into();
        }
        for (part, detail) in content.parts.iter_mut().zip(content.details) {
            if let (Value::Object(part), Some(detail)) = (part, detail) {
                part.put("detail", detail.into());
            }
        }
        let (parts, is_whole) = media::mixed(&content.text, &content.parts, |media| media.openai());
        if !is_whole || entry.joins_texts() {
            self.losses.changed(&entry.part(), "content");
        }
        Value::Array(parts)
    }

    fn answer(&mut self, entry: &Entry<'_>, piece: &Piece) -> Value {
        let mut text = chat::text_only(entry, &mut self.losses);
        for at in &piece.more {
            if let Some(more) = self.entries.get(*at) {
                self.written.insert(*at);
                let more_text = chat::text_only(more, &mut self.losses);
                // Two texts become one.
                if !text.is_empty() && !more_text.is_empty() {
                    self.losses.changed(&more.part(), "position");
                }
                text.push_str(&more_text);
            }
        }
        for call in piece.calls.iter().enumerate() {
            VENDOR.report_call_name(entry, call, &mut self.losses);
        }
        let calls: Vec<Value> = piece
            .calls
            .iter()
            .map(|call| match entry.exact_arguments(&call.call) {
                Some(text) => tool_call_entry(&call.id, &call.call.name.value, text.into()),
                None => tool_call(call),
            })
            .collect();
        let details = entry.message.details.as_deref();
        let response = entry.turn.and_then(|turn| turn.response.as_ref());
        let refusal = details.and_then(|own| own.refusal.as_ref());
        let refusal = refusal.or_else(|| response.and_then(|own| own.refusal.as_ref())).map(Content::to_text);
        let has_no_text = text.is_empty() && (!calls.is_empty() || refusal.is_some());
        let mut message =
            json!({"role": "assistant", "content": if has_no_text { Value::Null } else { text.into() }});
        if let Value::Object(message) = &mut message {
            message.put_some("refusal", refusal.map(Value::from));
            if !calls.is_empty() {
                message.put("tool_calls", Value::Array(calls));
            }
        }
        message
    }

    /// The result of a call. A missing one is empty when the conversation continues, as the vendor requires
    /// one.
    fn result(&mut self, answer: &Entry<'_>, (at, call): (usize, &Call), is_last: bool) {
        let found = call.result.and_then(|at| Some((at, self.entries.get(at)?)));
        let content = match found {
            Some((at, entry)) => {
                self.written.insert(at);
                chat::text_only(entry, &mut self.losses)
            }
            None if is_last => return,
            None => {
                self.losses.added(&answer.part(), &format!("tool_calls[{at}].result"));
                String::new()
            }
        };
        self.messages.push(json!({"role": "tool", "tool_call_id": call.id, "content": content}));
    }
}

/// A content of several texts as parts.
fn text_parts(entry: &Entry<'_>) -> Option<Value> {
    let texts = entry.texts()?;
    Some(texts.into_iter().map(|text| json!({"type": "text", "text": text})).collect())
}

fn tool_call(call: &Call) -> Value {
    if call.call.kind.as_deref() == Some("custom") {
        let input = call.call.arguments_text();
        return json!({"id": call.id, "type": "custom", "custom": {"name": &*call.call.name.value, "input": input}});
    }
    tool_call_entry(&call.id, &call.call.name.value, call.call.arguments_text().into())
}
