//! The `input` of OpenAI's Responses, and of the model interface of the OpenAI Agents SDK, which has the same
//! items with its own names for two keys.

use serde_json::Value;

use super::read::{Place, Read, wrong};
use super::{CanonicalCall, CanonicalMessage, RequestError, arguments, part};

/// Reads the items. `instructions` come first, as a system message.
pub(super) fn messages(instructions: Option<&str>, input: &Value) -> Result<Read, RequestError> {
    let mut out = Read::default();
    if let Some(text) = instructions.filter(|text| !text.is_empty()) {
        out.head(said("system", &Value::from(text)));
    }
    match input {
        Value::Null => {}
        Value::String(_) => out.item(vec![said("user", input)]),
        Value::Array(items) => return out.each("input", items, item),
        other => return Err(wrong("input", other, "a text or a list of items")),
    }
    Ok(out)
}

fn said(role: &str, content: &Value) -> CanonicalMessage {
    let said = part::said(content);
    CanonicalMessage {
        role: role.to_owned(),
        content: said.text,
        parts: said.parts,
        ..CanonicalMessage::default()
    }
}

fn item(place: &Place, item: &Value) -> Result<Vec<CanonicalMessage>, RequestError> {
    let id = || Ok(place.may(item, "call_id")?.or(place.may(item, "callId")?).map(str::to_owned));
    let message = match part::kind(item) {
        "" | "message" => said(place.must(item, "role")?, item.get("content").unwrap_or(&Value::Null)),
        "function_call" | "custom_tool_call" => CanonicalMessage {
            role: "assistant".to_owned(),
            tool_calls: vec![CanonicalCall {
                id: id()?.unwrap_or_default(),
                name: place.must(item, "name")?.to_owned(),
                arguments: match item.get("input") {
                    Some(input) => input.clone(),
                    None => arguments(item.get("arguments")),
                },
            }],
            ..CanonicalMessage::default()
        },
        "function_call_output" | "function_call_result" | "custom_tool_call_output" => {
            let output = item.get("output").unwrap_or(&Value::Null);
            // The Agents SDK wraps a single output.
            let single = matches!(part::kind(output), "text" | "image" | "file");
            let said = if single {
                part::returned(&Value::Array(vec![output.clone()]))
            } else {
                part::returned(output)
            };
            // The items have no word for a failed tool; a host that knows of one adds it.
            let failed = item.get("is_error").and_then(Value::as_bool);
            CanonicalMessage {
                tool_call_id: id()?,
                name: place.may(item, "name")?.map(str::to_owned),
                is_error: failed == Some(true),
                has_no_flag: failed.is_none(),
                ..CanonicalMessage::of_tool(said)
            }
        }
        "reasoning" => return Ok(Vec::new()),
        // What the provider did itself, and references to what it keeps, are sent too.
        _ => CanonicalMessage {
            role: "assistant".to_owned(),
            parts: vec![part::other(item, 0)],
            ..CanonicalMessage::default()
        },
    };
    Ok(vec![message])
}
