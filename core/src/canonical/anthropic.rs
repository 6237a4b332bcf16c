//! The body of Anthropic's Messages.

use serde_json::Value;

use super::read::{Place, Read};
use super::{CanonicalCall, CanonicalMessage, RequestError, arguments, part};

/// Reads messages. `system` comes first, as a system message.
pub(super) fn messages(system: Option<&Value>, messages: &[Value]) -> Result<Read, RequestError> {
    let mut out = Read::default();
    if let Some(system) = system.filter(|system| !matches!(system, Value::Null)) {
        let said = part::said(system);
        if !said.text.is_empty() || !said.parts.is_empty() {
            out.head(of("system", said));
        }
    }
    out.each("messages", messages, message)
}

fn of(role: &str, said: part::Said) -> CanonicalMessage {
    CanonicalMessage {
        role: role.to_owned(),
        content: said.text,
        parts: said.parts,
        ..CanonicalMessage::default()
    }
}

/// A message becomes one for each result in it, and one for what stands between results.
fn message(place: &Place, value: &Value) -> Result<Vec<CanonicalMessage>, RequestError> {
    let role = place.must(value, "role")?;
    let content = value.get("content").unwrap_or(&Value::Null);
    let Value::Array(blocks) = content else { return Ok(vec![of(role, part::said(content))]) };
    let mut out = Vec::new();
    let mut between: Vec<Value> = Vec::new();
    let mut calls = Vec::new();
    for (place, block) in place.list(value, "content")? {
        match part::kind(block) {
            "tool_use" => calls.push(CanonicalCall {
                id: place.may(block, "id")?.unwrap_or_default().to_owned(),
                name: place.must(block, "name")?.to_owned(),
                arguments: arguments(block.get("input")),
            }),
            "tool_result" => {
                if !between.is_empty() {
                    out.push(of(role, part::said(&Value::Array(std::mem::take(&mut between)))));
                }
                out.push(result(&place, block)?);
            }
            _ => between.push(block.clone()),
        }
    }
    if !between.is_empty() || !calls.is_empty() || blocks.is_empty() {
        out.push(CanonicalMessage { tool_calls: calls, ..of(role, part::said(&Value::Array(between))) });
    }
    Ok(out)
}

fn result(place: &Place, block: &Value) -> Result<CanonicalMessage, RequestError> {
    let said = part::returned(block.get("content").unwrap_or(&Value::Null));
    Ok(CanonicalMessage {
        tool_call_id: place.may(block, "tool_use_id")?.map(str::to_owned),
        is_error: block.get("is_error") == Some(&Value::Bool(true)),
        ..CanonicalMessage::of_tool(said)
    })
}
