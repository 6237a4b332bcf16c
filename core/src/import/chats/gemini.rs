//! Contents of Gemini, as `chats.get_history()` returns them, and chats that AI Studio saved.

use serde_json::{Map, Value};

use super::step_builder::StepBuilder;
use crate::import::conversation::ToolOutcome;
use crate::import::items::{self, At};
use crate::import::keys::{list, non_null_except, text};
use crate::import::steps::{Step, StepKind};
use crate::text::{JsonMap, json};
use crate::wire::gemini::{decode_content, extra_parts};
use crate::wire::{Decoder, Protocol, is_blank};

/// Whether a message is a content of Gemini, which is the user's unless it has a role. The AI SDK has parts with types.
pub(super) fn is_content(message: &Value) -> bool {
    let parts = list(message, "parts");
    let is_part = |part: &Value| part.is_object() && part.get("type").is_none();
    let is_role = matches!(text(message, "role"), None | Some("user" | "model" | "function"));
    is_role && !parts.is_empty() && parts.iter().all(is_part) && message.get("content").is_none()
}

/// Consecutive contents of the model: clients keep a content for each piece of a stream.
#[derive(Debug)]
pub(super) struct Pieces {
    at: At,
    parts: Vec<Value>,
    finish_reason: Value,
    /// Their other data.
    others: Vec<Value>,
}

impl Pieces {
    /// The answer that they are.
    pub(super) fn into_step(self) -> Step {
        let Self { at: At { line, span, time }, parts, finish_reason, others } = self;
        let body = json!({"candidates": [{"content": {"parts": parts}, "finishReason": finish_reason}]});
        let response = Protocol::Gemini.parse_response(&body).unwrap_or_default();
        let mut about = Map::new();
        if !others.is_empty() {
            about.put("contents", others.into());
        }
        Step { line, span, time, kind: StepKind::Response(Box::new(response), Box::default(), about) }
    }
}

impl StepBuilder {
    /// Adds a content.
    pub(super) fn add_content(&mut self, content: &Value, at: At) {
        let parts = list(content, "parts");
        let mut others = non_null_except(content, &["role", "parts", "finishReason"]);
        if text(content, "role") == Some("model") {
            let pieces = self.pieces.get_or_insert_with(|| Pieces {
                at,
                parts: Vec::new(),
                finish_reason: Value::Null,
                others: Vec::new(),
            });
            pieces.parts.extend(parts.iter().cloned());
            pieces.others.extend((!others.is_empty()).then(|| others.into()));
            if let Some(reason) = content.get("finishReason") {
                pieces.finish_reason = reason.clone();
            }
            return;
        }
        self.flush();
        others.extend(extra_parts(parts, false));
        for message in decode_content(content, &mut Decoder::default()) {
            let mut message = message.normalized(&["text"]);
            message.others.append(&mut others);
            message.others.put("line", at.line.into());
            self.steps.push(items::message_step(message, ToolOutcome::default(), at.clone()));
        }
    }
}

/// A chat of AI Studio as a request, and the rest of it.
pub(super) fn saved_chat(entry: &Value) -> Option<(Value, Map<String, Value>)> {
    let prompt = entry.get("chunkedPrompt")?;
    let chunks = prompt.get("chunks")?.as_array()?;
    let settings = entry.get("runSettings").cloned().unwrap_or_default();
    let system = entry.get("systemInstruction");
    let plain = system.filter(|system| system.get("parts").is_none()).and_then(|system| text(system, "text"));
    let body = json!({
        "model": settings.get("model"),
        "systemInstruction": plain.map(|text| json!({"parts": [{"text": text}]})).or_else(|| system.cloned()),
        "generationConfig": settings,
        "contents": chunks.iter().map(content).collect::<Value>(),
    });
    let mut others = non_null_except(entry, &["chunkedPrompt", "runSettings"]);
    others.extend(non_null_except(prompt, &["chunks"]));
    let is_read = |system: &Value| {
        let is_plain = plain.is_some() && system.as_object().is_some_and(|system| system.len() == 1);
        is_plain || system.get("parts").is_some()
    };
    others.retain(|key, value| !is_blank(value) && (key != "systemInstruction" || !is_read(value)));
    Some((body, others))
}

/// A chunk as a content: its text is one part, or several in `parts`; any other chunk is a part itself.
fn content(chunk: &Value) -> Value {
    let mut about = non_null_except(chunk, &[]);
    let role = about.shift_remove("role");
    let thought = about.shift_remove("isThought");
    let mut out = Map::new();
    let parts = match about.shift_remove("parts") {
        Some(Value::Array(parts)) if !parts.is_empty() => {
            let whole: String = parts.iter().filter_map(|part| text(part, "text")).collect();
            if about.get("text").is_some_and(|text| *text == whole) {
                about.shift_remove("text");
            }
            parts
        }
        _ => match about.shift_remove("text") {
            Some(text) => vec![json!({"text": text, "thought": thought})],
            None => {
                out.extend(
                    ["tokenCount", "finishReason", "createTime"]
                        .into_iter()
                        .filter_map(|key| Some((key.to_owned(), about.shift_remove(key)?))),
                );
                vec![std::mem::take(&mut about).into()]
            }
        },
    };
    out.put("role", role.unwrap_or_default());
    out.put("parts", parts.into());
    out.append(&mut about);
    out.into()
}
