//! A request for a message of Anthropic: `{model?, max_tokens, system?, messages, tools?}`.
//!
//! Results come first in the user message that follows their calls; consecutive messages of one role are
//! merged, so that user and assistant take turns. Blocks without text are not taken there and are left out.

use serde_json::{Map, Value};

use super::entries::Entry;
use super::formats::Format;
use super::losses::{Losses, Part};
use super::pairs::{Call, Piece, pieces};
use super::request::RequestConversation;
use super::rest::Carries;
use super::{Exported, Settings, chat};
use crate::model::Role;
use crate::replay::Timeline;
use crate::text::{JsonMap, Set, json};
use crate::wire::media;
use crate::write;

pub(super) static FORMAT: Format = Format {
    name: "anthropic",
    title: "Anthropic request",
    purpose: "The messages of the next model call",
    description: "a request",
    file: ("", ".anthropic.json"),
    takes_all: true,
    ..Format::BASE
};

/// The required maximum of tokens of an answer, which a run may lack.
const MAX_TOKENS: u64 = 4096;

/// Settings with the same meaning in a request.
const PASSED: [&str; 5] = ["temperature", "top_p", "top_k", "stop_sequences", "tool_choice"];

/// Names of tools: `^[a-zA-Z0-9_-]{1,128}$`.
const VENDOR: chat::Vendor = chat::Vendor { name: "Anthropic", longest: 128 };

const CARRIES: Carries = Carries {
    document: &[
        "agent_config.model",
        "agent_config.max_tokens",
        "agent_config.temperature",
        "agent_config.top_p",
        "agent_config.top_k",
        "agent_config.stop_sequences",
        "agent_config.tool_choice",
        "agent_config.response_schema",
        "agent_config.tools",
    ],
    message: &[],
    turn: &["tool_call.success"],
    sent: None,
};

/// Writes the conversation as it would be sent after the last step.
pub(super) fn write(timeline: &Timeline, settings: &Settings) -> Exported {
    let mut losses = Losses::default();
    let conversation = RequestConversation::from_timeline(timeline, settings, &mut losses);
    let entries = conversation.entries();
    let own = chat::settings(timeline);
    let mut out = Out { entries, system: Vec::new(), turns: Vec::new(), written: Set::new(), losses };
    let pieces = pieces(entries, |entry| chat::is_sent(entry, settings), &mut out.losses);
    for (at, piece) in pieces.iter().enumerate() {
        out.piece(piece, at + 1 == pieces.len());
    }
    let Out { system, turns, written, mut losses, .. } = out;
    let mut request = Map::new();
    let model = own.get("model").filter(|model| !model.is_null());
    request.put_some("model", model.cloned());
    let most = own.get("max_tokens").filter(|most| most.is_u64());
    if most.is_none() {
        losses.added(&Part::document("agent_config", 0), "max_tokens");
    }
    request.put("max_tokens", most.cloned().unwrap_or_else(|| MAX_TOKENS.into()));
    for key in PASSED {
        if let Some(value) = own.get(key).filter(|value| !value.is_null()) {
            request.put(key, value.clone());
        }
    }
    if let Some(schema) = own.get("response_schema").filter(|schema| schema.is_object()) {
        request.put("output_config", json!({"format": {"type": "json_schema", "schema": schema}}));
    }
    match system.as_slice() {
        [] => {}
        [one] => {
            request.put("system", one.as_str().into());
        }
        several => {
            let blocks = several.iter().map(|text| json!({"type": "text", "text": text}));
            request.put("system", blocks.collect());
        }
    }
    let called = turns.iter().flat_map(|turn| &turn.blocks).filter_map(|block| block.get("name")?.as_str());
    let called: Vec<String> = Set::from_iter(called.map(str::to_owned)).iter().cloned().collect();
    let tools = tools(timeline, &called, &mut losses);
    if !tools.is_empty() {
        request.put("tools", Value::Array(tools));
    }
    request.put("messages", turns.into_iter().map(Turn::finish).collect());
    conversation.report_losses(timeline, &CARRIES, &written, &mut losses);
    Exported { text: write::json(&Value::Object(request)), losses: losses.finish() }
}

/// The tools, those included that are called and not declared: a request with calls has to declare them.
fn tools(timeline: &Timeline, called: &[String], losses: &mut Losses) -> Vec<Value> {
    let declared = chat::tools(timeline.transcript(), losses);
    VENDOR.report_tool_names(&declared, losses);
    let part = Part::document("agent_config", 0);
    let mut out = Vec::new();
    for (at, tool) in declared.iter().enumerate() {
        let mut made = Map::from_iter([("name".to_owned(), tool.name.as_str().into())]);
        made.put_some("description", tool.description.as_ref().map(|text| text.as_str().into()));
        let schema = match &tool.parameters {
            Some(Value::Object(schema)) => {
                let mut schema = schema.clone();
                if schema.get("type").and_then(Value::as_str) != Some("object") {
                    losses.changed(&part, &format!("tools[{at}].parameters.type"));
                    schema.shift_insert(0, "type".to_owned(), "object".into());
                }
                Value::Object(schema)
            }
            _ => {
                losses.added(&part, &format!("tools[{at}].parameters"));
                json!({"type": "object"})
            }
        };
        made.put("input_schema", schema);
        out.push(Value::Object(made));
    }
    for name in called.iter().filter(|name| !declared.iter().any(|tool| tool.name == **name)) {
        losses.added(&part, &format!("tools.{name}"));
        out.push(json!({"name": name, "input_schema": {"type": "object"}}));
    }
    out
}

/// Consecutive blocks of one role.
struct Turn {
    role: &'static str,
    blocks: Vec<Value>,
}

impl Turn {
    /// As a message; a single text is written as one.
    fn finish(self) -> Value {
        let is_text = |block: &&Value| block.get("type").and_then(Value::as_str) == Some("text");
        let content = match self.blocks.as_slice() {
            [one] if is_text(&one) => one.get("text").cloned().unwrap_or_default(),
            _ => Value::Array(self.blocks),
        };
        json!({"role": self.role, "content": content})
    }
}

struct Out<'s, 't> {
    entries: &'s [Entry<'t>],
    system: Vec<String>,
    turns: Vec<Turn>,
    written: Set<usize>,
    losses: Losses,
}

impl Out<'_, '_> {
    fn push(&mut self, role: &'static str, blocks: Vec<Value>) {
        match self.turns.last_mut().filter(|turn| turn.role == role) {
            Some(turn) => turn.blocks.extend(blocks),
            None => self.turns.push(Turn { role, blocks }),
        }
    }

    fn piece(&mut self, piece: &Piece, is_last: bool) {
        let Some(entry) = self.entries.get(piece.at) else { return };
        match entry.role() {
            Role::Assistant => return self.answer(entry, piece, is_last),
            Role::System | Role::Developer if self.turns.is_empty() => {
                let texts: Vec<String> = match entry.texts() {
                    Some(texts) => texts.into_iter().map(str::to_owned).collect(),
                    None => vec![chat::text_only(entry, &mut self.losses)],
                };
                let texts: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
                if texts.is_empty() {
                    return self.losses.whole(&entry.part());
                }
                self.written.insert(piece.at);
                if *entry.role() == Role::Developer {
                    self.losses.changed(&entry.part(), "role");
                }
                return self.system.extend(texts);
            }
            Role::User => {}
            // Instructions within a conversation, and roles unknown to the format.
            _ => self.losses.changed(&entry.part(), "role"),
        }
        let blocks = self.blocks(entry);
        if blocks.is_empty() {
            return self.losses.whole(&entry.part());
        }
        self.written.insert(piece.at);
        self.push("user", blocks);
    }

    /// The blocks of a message.
    fn blocks(&mut self, entry: &Entry<'_>) -> Vec<Value> {
        let content = entry.content();
        let (blocks, is_whole) = match entry.texts() {
            Some(texts) => {
                (texts.into_iter().map(|text| json!({"type": "text", "text": text})).collect(), true)
            }
            None => media::mixed(&content.text, &content.parts, |media| media.anthropic()),
        };
        if !is_whole || entry.texts().is_none() && entry.joins_texts() {
            self.losses.changed(&entry.part(), "content");
        }
        // A text of spaces alone is refused like an empty one.
        let is_empty = |block: &Value| {
            block.get("text").and_then(Value::as_str).is_some_and(|text| text.trim().is_empty())
        };
        blocks.into_iter().filter(|block| !is_empty(block)).collect()
    }

    fn answer(&mut self, entry: &Entry<'_>, piece: &Piece, is_last: bool) {
        let mut blocks = Vec::new();
        for at in std::iter::once(&piece.at).chain(&piece.more) {
            let Some(one) = self.entries.get(*at) else { continue };
            let text = chat::text_only(one, &mut self.losses);
            let is_blank = text.trim().is_empty();
            if is_blank && piece.calls.is_empty() {
                self.losses.whole(&one.part());
                continue;
            }
            self.written.insert(*at);
            if !is_blank {
                blocks.push(json!({"type": "text", "text": text}));
            }
        }
        let mut ids = Vec::with_capacity(piece.calls.len());
        for (at, call) in piece.calls.iter().enumerate() {
            VENDOR.report_call_name(entry, (at, call), &mut self.losses);
            let id = self.id(entry, at, call);
            if entry.exact_arguments(&call.call).is_some() {
                // The input is data, which cannot hold such a number.
                self.losses.changed(&entry.part(), &format!("tool_calls[{at}].arguments"));
            }
            let input = match &call.call.arguments {
                Value::Object(_) => call.call.arguments.clone(),
                Value::Null => json!({}),
                other => {
                    self.losses.changed(&entry.part(), &format!("tool_calls[{at}].arguments"));
                    json!({"input": other})
                }
            };
            blocks
                .push(json!({"type": "tool_use", "id": id, "name": &*call.call.name.value, "input": input}));
            ids.push(id);
        }
        let mut results = Vec::new();
        for (at, call) in piece.calls_by_result() {
            let id = ids.get(at).map_or("", String::as_str);
            results.extend(self.result(entry, (at, call, id), is_last));
        }
        if !blocks.is_empty() {
            self.push("assistant", blocks);
        }
        if !results.is_empty() {
            self.push("user", results);
        }
    }

    /// The id of a call: only letters, digits, `_` and `-` are allowed there.
    fn id(&mut self, entry: &Entry<'_>, at: usize, call: &Call) -> String {
        let is_taken = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        if call.id.chars().all(is_taken) {
            return call.id.clone();
        }
        self.losses.changed(&entry.part(), &format!("tool_calls[{at}].id"));
        // With its place, so that no two ids become one.
        let kept: String = call.id.chars().map(|c| if is_taken(c) { c } else { '_' }).collect();
        format!("{kept}_{}_{}", entry.step, at + 1)
    }

    fn result(
        &mut self,
        answer: &Entry<'_>,
        (at, call, id): (usize, &Call, &str),
        is_last: bool,
    ) -> Option<Value> {
        let found = call.result.and_then(|at| Some((at, self.entries.get(at)?)));
        let Some((place, entry)) = found else {
            if is_last {
                return None;
            }
            self.losses.added(&answer.part(), &format!("tool_calls[{at}].result"));
            return Some(json!({"type": "tool_result", "tool_use_id": id}));
        };
        self.written.insert(place);
        let mut blocks = self.blocks(entry);
        let mut result = json!({"type": "tool_result", "tool_use_id": id});
        if let Value::Object(result) = &mut result {
            match blocks.as_mut_slice() {
                [] => {}
                [Value::Object(one)] if one.contains_key("text") => {
                    result.put_some("content", one.shift_remove("text"));
                }
                _ => {
                    result.put("content", Value::Array(blocks));
                }
            }
            if entry.failed {
                result.put("is_error", true.into());
            }
        }
        Some(result)
    }
}
