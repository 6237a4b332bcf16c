//! Messages of interfaces: `UIMessage`, and its likes of version 4.

use serde_json::{Map, Value};

use super::super::conversation::ToolOutcome;
use super::super::keys::{add_line, list, non_null_except, text};
use super::{Piece, plain_part};
use crate::text::{JsonMap, json, text_or_json};
use crate::wire::ai_sdk::denial;
use crate::wire::{self, Message, ModelResponse, ToolCall};

/// Whether a part belongs to such a message: other formats have other `parts`.
pub(super) fn is_part(part: &Value, kind: &str) -> bool {
    match kind {
        "text" | "reasoning" => part.get("text").or(part.get("reasoning")).is_some_and(Value::is_string),
        "file" => part.get("url").or(part.get("mediaType")).or(part.get("mimeType")).is_some(),
        "step-start" | "dynamic-tool" | "tool-invocation" | "source" | "source-url" | "source-document" => {
            true
        }
        kind => kind.starts_with("data-") || (kind.starts_with("tool-") && part.get("toolCallId").is_some()),
    }
}

/// A call with its known facts.
#[derive(Debug)]
struct ToolInvocation {
    call: ToolCall,
    state: String,
    output: Option<Value>,
    error: Option<String>,
    /// Whether the provider ran it in the midst of its answer.
    is_inside: bool,
    about: Map<String, Value>,
}

impl ToolInvocation {
    fn is_open(&self) -> bool {
        self.output.is_none() && self.error.is_none()
    }
}

/// One call of the model, and the outcomes of its calls of tools.
#[derive(Debug, Default)]
struct Step {
    content: String,
    reasoning: Option<String>,
    invoked: Vec<ToolInvocation>,
    /// Parts without another place.
    others: Vec<Value>,
    details: Map<String, Value>,
}

impl Step {
    fn is_empty(&self) -> bool {
        self.content.is_empty()
            && self.reasoning.is_none()
            && self.invoked.is_empty()
            && self.others.is_empty()
    }
}

const TOOL: [&str; 13] = [
    "type",
    "toolCallId",
    "toolName",
    "state",
    "input",
    "rawInput",
    "output",
    "errorText",
    "approval",
    "args",
    "result",
    "providerExecuted",
    "isError",
];

/// Reads a part that is a call, or an invocation of version 4.
fn invoked(part: &Value) -> Option<ToolInvocation> {
    let id = text(part, "toolCallId")?.to_owned();
    let kind = text(part, "type").unwrap_or_default();
    let tool = text(part, "toolName").or_else(|| kind.strip_prefix("tool-")).unwrap_or_default().to_owned();
    let arguments = ["input", "args", "rawInput"]
        .iter()
        .find_map(|key| part.get(*key).filter(|arguments| !arguments.is_null()));
    let state = text(part, "state").unwrap_or_default().to_owned();
    let mut about = non_null_except(part, &TOOL);
    for key in ["approval", "providerExecuted"] {
        about.put_some(key, part.get(key).filter(|value| !value.is_null()).cloned());
    }
    if part.get("rawInput").is_some_and(|raw| Some(raw) != arguments && !raw.is_null()) {
        about.put("rawInput", part.get("rawInput").cloned().unwrap_or_default());
    }
    let reason = || part.get("approval").and_then(|approval| text(approval, "reason"));
    let error = match state.as_str() {
        "output-error" => Some(text(part, "errorText").unwrap_or("the tool failed").to_owned()),
        "output-denied" => Some(denial(reason()).to_owned()),
        _ => text(part, "errorText").map(str::to_owned),
    };
    let output = part.get("output").or(part.get("result")).cloned();
    let is_done = matches!(state.as_str(), "output-available" | "result");
    Some(ToolInvocation {
        call: ToolCall { id, name: tool, arguments: arguments.cloned().unwrap_or_default() },
        output: if is_done { Some(output.unwrap_or_default()) } else { output },
        state,
        error,
        is_inside: part.get("providerExecuted") == Some(&Value::Bool(true)),
        about,
    })
}

pub(super) fn pieces(message: &Value) -> Vec<Piece> {
    let Some(role) = text(message, "role") else { return Vec::new() };
    let parts = list(message, "parts");
    // Version 4 repeats data of the message in its parts, if it has any.
    let known = ["role", "parts", "content", "toolInvocations", "reasoning", "createdAt"];
    let details = non_null_except(message, &known);
    if !wire::is_model(role) {
        let content = match parts.is_empty() {
            true => message.get("content").cloned().unwrap_or_else(|| "".into()),
            false => {
                wire::split_content(message.get("parts"), &|part| {
                    plain_part(part, &["type", "text", "state"])
                })
                .0
            }
        };
        let role = if role == "data" { "user" } else { role };
        return vec![Piece::Message(Message { others: details, ..Message::new(role, content) })];
    }
    let mut steps = match parts.is_empty() {
        true => old_steps(message),
        false => steps(parts),
    };
    if steps.is_empty() {
        steps.push(Step::default());
    }
    if let Some(first) = steps.first_mut() {
        first.details.extend(details);
    }
    steps.into_iter().flat_map(step_pieces).collect()
}

/// The model calls behind the parts of an answer.
fn steps(parts: &[Value]) -> Vec<Step> {
    let is_divided = parts.iter().any(|part| text(part, "type") == Some("step-start"));
    let mut steps: Vec<Step> = Vec::new();
    let mut step = Step::default();
    for part in parts {
        let kind = text(part, "type").unwrap_or_default();
        let is_word = matches!(kind, "text" | "reasoning");
        // Without divisions an answer continues once its calls have results.
        let is_behind = !is_divided && is_word && step.invoked.iter().any(|invoked| !invoked.is_inside);
        if (kind == "step-start" || is_behind) && !step.is_empty() {
            steps.push(std::mem::take(&mut step));
        }
        match kind {
            "step-start" => {}
            "text" => {
                step.content.push_str(text(part, "text").unwrap_or_default());
                note(&mut step, "text", non_null_except(part, &["type", "text", "state"]));
            }
            "reasoning" => {
                let thought = text(part, "text").or_else(|| text(part, "reasoning")).unwrap_or_default();
                add_line(&mut step.reasoning, thought);
                note(&mut step, "reasoning", non_null_except(part, &["type", "text", "reasoning", "state"]));
            }
            "tool-invocation" => match part.get("toolInvocation").and_then(invoked) {
                Some(invoked) => step.invoked.push(invoked),
                None => step.others.push(part.clone()),
            },
            kind if kind == "dynamic-tool" || kind.starts_with("tool-") => match invoked(part) {
                Some(invoked) => step.invoked.push(invoked),
                None => step.others.push(part.clone()),
            },
            _ => step.others.push(part.clone()),
        }
    }
    if !step.is_empty() {
        steps.push(step);
    }
    steps
}

/// Notes a provider's metadata of a part.
fn note(step: &mut Step, of: &str, about: Map<String, Value>) {
    if !about.is_empty() {
        step.others.push(json!({"type": of, "about": about}));
    }
}

/// The steps of an answer of version 4 without parts, which has its calls next to its text: the text is that of the last
/// step.
fn old_steps(message: &Value) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut last = None;
    for one in list(message, "toolInvocations") {
        let number = one.get("step").and_then(Value::as_u64);
        let Some(invoked) = invoked(one) else { continue };
        if steps.is_empty() || number != last {
            steps.push(Step::default());
        }
        last = number;
        if let Some(step) = steps.last_mut() {
            step.invoked.push(invoked);
        }
    }
    let content = text(message, "content").unwrap_or_default().to_owned();
    let reasoning = text(message, "reasoning").map(str::to_owned);
    let is_done = steps
        .last()
        .is_none_or(|step| step.invoked.iter().all(|one| one.output.is_some() || one.error.is_some()));
    if steps.is_empty() || (is_done && !content.is_empty()) {
        steps.push(Step { content, ..Step::default() });
    } else if let Some(step) = steps.last_mut() {
        step.content = content;
    }
    if let Some(first) = steps.first_mut() {
        first.reasoning = reasoning;
    }
    steps
}

/// An answer with the results of its calls.
fn step_pieces(step: Step) -> Vec<Piece> {
    let Step { content, reasoning, invoked, others, mut details } = step;
    if !others.is_empty() {
        details.put("parts", Value::Array(others));
    }
    let mut open = Map::new();
    for one in invoked.iter().filter(|one| one.is_open()) {
        let mut about = one.about.clone();
        about.put("state", one.state.as_str().into());
        let mut id = one.call.id.clone();
        while open.contains_key(&id) {
            id.push('\'');
        }
        open.insert(id, Value::Object(about));
    }
    if !open.is_empty() {
        details.put("calls", Value::Object(open));
    }
    let calls = invoked.iter().map(|one| one.call.clone()).collect();
    let response = ModelResponse { content, reasoning, calls, metadata: details, ..ModelResponse::default() };
    let mut out = vec![Piece::Answer(Box::new(response))];
    for one in invoked {
        let is_open = one.is_open();
        let ToolInvocation { call, output, error, about, .. } = one;
        if is_open {
            out.push(Piece::Open(call.id));
            continue;
        }
        let content = error.clone().or_else(|| output.as_ref().map(text_or_json)).unwrap_or_default();
        let message = Message { name: Some(call.name), ..Message::result(Some(&call.id), content) };
        out.push(Piece::Result(message, ToolOutcome { result: output, error, time: None, about }));
    }
    out
}
