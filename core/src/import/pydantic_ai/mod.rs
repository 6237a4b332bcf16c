//! Messages of Pydantic AI, as `all_messages_json` writes them: requests and responses with parts.

use serde_json::{Map, Value};

use super::detect::Found;
use super::formats::{Detection, Format, Words};
use super::keys::{list, non_null_except, stated_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Branch, Role, SessionBuilder, SessionFormat, ToolResult, detected};
use super::values::Entry;
use crate::text::{JsonMap, json, text_or_json};
use crate::wire::ToolCall;

pub(super) static FORMAT: Format = Format {
    kind: "pydantic-ai-messages",
    names: &["pydantic-ai", "pydantic-ai-messages"],
    title: "Pydantic AI",
    rank: 60,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "a Pydantic AI run",
    entry: ("message", "messages"),
    plural: "Pydantic AI messages",
    sentence: "these are messages of Pydantic AI",
    unit: "messages",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"part_kind\""],
    known_by: &[&["parts", "kind", "part_kind"]],
    entry_of: |value, _| found(value),
    // The first message may have a large file.
    root_of: |root| found(&root.get("messages").unwrap_or(root).items().first()?.to_value()),
    ..Detection::NONE
};

fn found(message: &Value) -> Option<Found> {
    let known =
        ["system-prompt", "user-prompt", "tool-return", "retry-prompt", "text", "thinking", "tool-call"];
    let parts = list(message, "parts");
    let kind = |part: &Value| text(part, "part_kind").map(|kind| known.contains(&kind));
    let is_message = matches!(text(message, "kind"), Some("request" | "response"))
        && parts.iter().all(|part| kind(part).is_some())
        && parts.iter().any(|part| kind(part) == Some(true));
    detected(
        &FORMAT,
        is_message,
        "its messages have `kind` and parts with `part_kind`, like those of Pydantic AI",
    )
}

static MESSAGES: SessionFormat = SessionFormat {
    name: "pydantic-ai",
    entries: "messages",
    choose,
    read: read_message,
    ..SessionFormat::BASE
};

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    MESSAGES.read_request(request)
}

/// The messages of a file that has a list for each run.
fn choose(entries: Vec<Entry>) -> Branch {
    let messages = |mut entry: Entry| match entry.value.take() {
        Value::Array(messages) => messages.into_iter().map(|value| Entry { value, ..entry }).collect(),
        value => vec![Entry { value, ..entry }],
    };
    session::all(entries.into_iter().flat_map(messages).collect())
}

fn read_message(entry: &Value, session: &mut SessionBuilder) -> Role {
    let parts = list(entry, "parts").iter();
    let parts = parts.map(|part| with_type(text(part, "part_kind"), non_null_except(part, &["part_kind"])));
    match text(entry, "kind") {
        Some("request") => read_request(entry, parts.collect(), session),
        Some("response") => read_response(entry, &json!({ "parts": parts.collect::<Value>() }), session),
        _ => Role::Other,
    }
}

/// A part with its kind as `type`, as other formats name it.
fn with_type(kind: Option<&str>, rest: Map<String, Value>) -> Value {
    let mut out = Map::new();
    out.put_some("type", kind.map(Value::from));
    out.extend(rest);
    out.into()
}

fn kind(part: &Value) -> &str {
    text(part, "type").unwrap_or_default()
}

fn read_request(entry: &Value, parts: Vec<Value>, session: &mut SessionBuilder) -> Role {
    let mut others = stated_except(entry, &["parts", "kind", "instructions"]);
    let is_message = |part: &Value| {
        let kinds = ["system-prompt", "user-prompt", "tool-return", "retry-prompt", "retry-feedback"];
        kinds.contains(&kind(part))
    };
    let (known, rest): (Vec<Value>, Vec<Value>) = parts.into_iter().partition(is_message);
    // Instructions are sent with each request.
    let instructions = entry.get("instructions").filter(|text| text.is_string());
    let instructions = instructions.filter(|text| session.head.get("instructions") != Some(text));
    if known.is_empty() && instructions.is_none() {
        return Role::Other;
    }
    if !rest.is_empty() {
        others.put("parts", rest.into());
    }
    if let Some(text) = instructions {
        let own = if known.is_empty() { std::mem::take(&mut others) } else { Map::new() };
        session.head.put("instructions", text.clone());
        session.message("system", text.clone(), own);
    }
    for part in &known {
        session.set_time_text(text(part, "timestamp").or_else(|| text(entry, "timestamp")));
        let is_result = match kind(part) {
            "retry-prompt" => text(part, "tool_name").is_some(),
            kind => kind == "tool-return",
        };
        let own: &[&str] = if is_result { &["tool_name", "tool_call_id", "outcome"] } else { &[] };
        let mut more = stated_except(part, &[&["type", "content", "timestamp"], own].concat());
        more.append(&mut others);
        let written = part.get("content").unwrap_or(&Value::Null);
        match kind(part) {
            _ if is_result => add_result(part, more, session),
            "system-prompt" => session.message("system", written.clone(), more),
            "user-prompt" => {
                let content = content_parts(written, true).map(|parts| session::plain(&parts));
                session.message("user", content.unwrap_or_else(|| written.clone()), more);
            }
            _ => session.message("user", text_or_json(written), more),
        }
    }
    Role::Step
}

/// Adds the result of a call, or what the model is told to try again.
fn add_result(part: &Value, mut others: Map<String, Value>, session: &mut SessionBuilder) {
    let outcome =
        text(part, "outcome").unwrap_or(if kind(part) == "retry-prompt" { "retried" } else { "success" });
    let is_error = outcome != "success";
    if is_error {
        others.put("outcome", outcome.into());
    }
    let written = part.get("content").filter(|content| !content.is_null());
    let data = || written.map(text_or_json).unwrap_or_default().into();
    let content = written.and_then(|content| content_parts(content, false)).unwrap_or_else(data);
    let time = text(part, "timestamp").map(str::to_owned);
    let result = ToolResult { content, is_error, time, others };
    session.result(&ToolCall::from_keys(part, "tool_call_id", "tool_name", &[]), result);
}

/// A content that has files, or the list of parts of a message, as parts.
fn content_parts(content: &Value, is_message: bool) -> Option<Value> {
    let is_list = is_message && content.is_array();
    let items = content.as_array().map_or(std::slice::from_ref(content), Vec::as_slice);
    let part = |item: &Value| match item {
        Value::String(text) => json!({"type": "text", "text": text}),
        item => file_part(item).unwrap_or_else(|| item.clone()),
    };
    (is_list || items.iter().any(|item| file_part(item).is_some())).then(|| items.iter().map(part).collect())
}

/// A file or a marked text of a content as a part.
fn file_part(item: &Value) -> Option<Value> {
    let mut rest = stated_except(item, &["kind"]);
    let kind = match text(item, "kind")? {
        "text-content" | "structured-content" => {
            let text = rest.shift_remove("content")?;
            rest.put("text", text);
            "text"
        }
        "binary" => {
            // It is URL-safe base64.
            let data = text(item, "data")?.replace('-', "+").replace('_', "/");
            rest.put("data", data.into());
            "file"
        }
        "uploaded-file" => "file",
        kind @ "cache-point" => kind,
        kind => kind.strip_suffix("-url")?,
    };
    Some(with_type(Some(kind), rest))
}

fn read_response(entry: &Value, message: &Value, session: &mut SessionBuilder) -> Role {
    let parts = list(message, "parts");
    let usage = entry.get("usage").unwrap_or(&Value::Null);
    // Zero is also written for a count that is not known.
    let count =
        |keys: [&str; 2]| keys.iter().find_map(|key| usage.get(*key)?.as_u64()).filter(|count| *count > 0);
    let thought = usage.get("details").and_then(|details| details.get("reasoning_tokens")?.as_u64());
    let named = |keys: [&str; 2]| keys.iter().find_map(|key| text(entry, key)).map(str::to_owned);
    let mut others = stated_except(
        entry,
        &[
            "parts",
            "kind",
            "timestamp",
            "model_name",
            "usage",
            "finish_reason",
            "provider_response_id",
            "vendor_id",
        ],
    );
    let counted = ["input_tokens", "request_tokens", "output_tokens", "response_tokens"];
    let more = stated_except(
        usage,
        &[&counted[..], &["cache_read_tokens", "cache_write_tokens", "output_reasoning_tokens"]].concat(),
    );
    others.put_some("usage", (!more.is_empty()).then(|| more.into()));
    let known = ["text", "thinking", "tool-call", "builtin-tool-call", "builtin-tool-return"];
    let taken = ["content", "args", "tool_name", "tool_call_id", "timestamp", "outcome"];
    others.extend(session::other_parts(message, "parts", &known, &taken));
    let calls: Vec<Value> = parts.iter().filter(|part| kind(part).ends_with("tool-call")).cloned().collect();
    session.answer(Answer {
        id: named(["provider_response_id", "vendor_id"]),
        model: named(["model_name"; 2]),
        content: session::joined(message, "parts", "text", "content"),
        reasoning: session::joined(message, "parts", "thinking", "content"),
        calls: session::calls(&calls, ("tool_call_id", "tool_name", "args")),
        usage: session::usage(
            count(["input_tokens", "request_tokens"]),
            count(["output_tokens", "response_tokens"]),
            [count(["cache_read_tokens"; 2]), count(["cache_write_tokens"; 2])],
            count(["output_reasoning_tokens"; 2]).or(thought),
        ),
        finish_reason: entry.get("finish_reason").filter(|reason| !reason.is_null()).cloned(),
        others,
        ..Answer::default()
    });
    // The provider has run its own tools.
    for part in parts.iter().filter(|part| kind(part) == "builtin-tool-return") {
        add_result(part, Map::new(), session);
    }
    Role::Step
}
