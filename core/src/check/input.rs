//! Runs in the form of hosts.

use serde_json::{Map, Value};

use super::run::{Answer, Run, RunCall, RunError, RunMessage, error_text};
use super::shapes;
use crate::diagnostic::InvalidInput;
use crate::model::{Content, Message, Role, Spanned, Text, Tokens, ToolCall, message_id};
use crate::parse::json_text;
use crate::text::{Span, Table};

/// The most runs within each other.
const DEEPEST: usize = 100;

const KEYS: [&str; 9] =
    ["messages", "calls", "context", "answer", "turns", "tokens", "errors", "nested", "agent"];

impl Run {
    /// Reads an actual run: `{messages, calls?, context?, answer?, turns?, tokens?, errors?, nested?, agent?}`.
    ///
    /// A message is `{role, content, id?, tool_calls?, tool_call_id?, name?, agent?, visible?, step?,
    /// is_error?, usage?}`; its keys may be in camel case, and its content may have the parts of the AI SDK
    /// or of Anthropic that are calls and results. A call is
    /// `{name, arguments, id?, message?, step?, failed?, result?}`, an error a text or
    /// `{message, step?, tool?}`; `nested` holds runs by their step of the document, such as `2`, and `agent`
    /// is the name of the agent of the run. Omitted values follow from the messages: ids are `msg_001` and so
    /// on, calls are those of the messages, the answer is the last message of the assistant, tool messages
    /// with `is_error` and calls that `failed` are errors, even if the list of errors is empty, and the
    /// tokens are those of `usage` if all messages of the assistant have it. An unknown key is an error,
    /// unless its value is empty.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::check::Run;
    /// let run = Run::from_value(&json!({"messages": [
    ///     {"role": "assistant", "tool_calls": [{"id": "c1", "name": "weather", "arguments": {"city": "Rome"}}]},
    ///     {"role": "tool", "tool_call_id": "c1", "content": "no such city", "is_error": true},
    /// ]})).unwrap();
    /// assert!(run.calls[0].failed && run.errors.len() == 1);
    /// assert!(Run::from_value(&json!({"mesages": []})).unwrap_err().to_string().contains("did you mean `messages`"));
    /// ```
    ///
    /// # Errors
    /// When the value does not match this description; the error has the place.
    pub fn from_value(value: &Value) -> Result<Self, InvalidInput> {
        read(value, "the run", 0)
    }
}

fn read(value: &Value, place: &str, depth: usize) -> Result<Run, InvalidInput> {
    let Value::Object(map) = value else { return Err(format!("{place}: expected a map").into()) };
    if depth > DEEPEST {
        return Err(format!("{place} is nested more than {DEEPEST} levels deep").into());
    }
    if let Some(key) = map.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(shapes::unknown_key(place, key, &KEYS));
    }
    let mut run = Run { agent: read_text(map, "agent", place)?, ..Run::default() };
    let mut items = Vec::new();
    for (index, item) in read_list(map, "messages", place)?.iter().enumerate() {
        let place = format!("messages[{index}]");
        let Value::Object(item) = item else { return Err(format!("{place}: expected a map").into()) };
        items.extend(shapes::messages(item, &place)?.into_iter().map(|item| (item, place.clone())));
    }
    let (mut used, mut is_counted) = (None::<u64>, true);
    let mut failed: Table<Text, (bool, Value)> = Table::new();
    let mut tools: Table<Text, Text> = Table::new();
    for (index, (item, place)) in items.iter().enumerate() {
        let mut message = read_message(item, index, place)?;
        let step = read_step(item, place)?;
        match item.get("usage").and_then(|usage| Tokens::read(usage).total()) {
            Some(tokens) => used = Some(tokens.saturating_add(used.unwrap_or(0))),
            None => is_counted &= message.role.value != Role::Assistant,
        }
        for call in &message.tool_calls {
            if let Some(id) = &call.id {
                tools.insert(id.value.clone(), call.name.value.clone());
            }
        }
        if message.role.value == Role::Tool {
            if message.tool_name.is_none() {
                let id = message.tool_call_id.as_ref();
                message.tool_name = id.and_then(|id| tools.get(&*id.value)).cloned();
            }
            let is_error = read_flag(item, "is_error", place)?.unwrap_or(false);
            let content = message.content.as_ref().map(Content::to_value).unwrap_or_default();
            if is_error {
                let message_text = message.content.as_ref().map(Content::to_text).unwrap_or_default();
                run.errors.push(RunError {
                    step: step.clone(),
                    tool: message.tool_name.clone(),
                    message: message_text,
                    span: None,
                });
            }
            if let Some(id) = &message.tool_call_id {
                failed.insert(id.value.clone(), (is_error, content));
            }
        }
        if message.role.value == Role::Assistant {
            run.answer = Some(Answer {
                content: message.content.clone(),
                message: Some(message.id.value.clone()),
                step: step.clone(),
            });
        }
        run.messages.push(RunMessage { stored: message, step });
    }
    let of_messages = |RunMessage { stored: message, step }: &RunMessage| {
        let one = |call: &ToolCall| RunCall {
            call: call.clone(),
            message: Some(message.id.value.clone()),
            step: step.clone(),
            failed: false,
            result: None,
        };
        message.tool_calls.iter().map(one).collect::<Vec<_>>()
    };
    run.calls = match map.get("calls") {
        None | Some(Value::Null) => run.messages.iter().flat_map(of_messages).collect(),
        Some(_) => {
            let items = read_list(map, "calls", place)?.iter().enumerate();
            items
                .map(|(index, item)| read_call(item, &format!("calls[{index}]")))
                .collect::<Result<_, _>>()?
        }
    };
    for call in &mut run.calls {
        let of_message = call.call.id.as_ref().and_then(|id| failed.get(&id.value));
        // A failure without a message about it is an error too.
        if call.failed && !of_message.is_some_and(|(is_error, _)| *is_error) {
            run.errors.push(RunError {
                step: call.step.clone(),
                tool: Some(call.call.name.value.clone()),
                message: call.result.as_ref().map(error_text).unwrap_or_default(),
                span: None,
            });
        }
        let Some((is_error, result)) = of_message else { continue };
        call.failed |= *is_error;
        call.result.get_or_insert_with(|| result.clone());
    }
    if let Some(context) = map.get("context").filter(|context| !context.is_null()) {
        let Value::Object(context) = context else { return Err("`context`: expected a map".into()) };
        run.context.clone_from(context);
    }
    if let Some(answer) = map.get("answer") {
        let content = read_content(Some(answer));
        run.answer = content.map(|content| Answer { content: Some(content), ..Answer::default() });
    }
    run.turns = read_number(map, "turns")?;
    run.tokens = match read_number(map, "tokens")? {
        Some(tokens) => Some(tokens),
        None => used.filter(|_| is_counted),
    };
    // An empty list of errors does not override failures in messages and calls.
    let listed = read_list(map, "errors", place)?;
    if !listed.is_empty() {
        run.errors = listed.iter().map(read_error).collect();
    }
    if let Some(nested) = map.get("nested").filter(|nested| !nested.is_null()) {
        let Value::Object(nested) = nested else {
            return Err("`nested`: expected a map of runs by step".into());
        };
        for (step, inside) in nested {
            let inside = read(inside, &format!("the run at step {step}"), depth + 1)?;
            run.nested.insert(step.as_str().into(), inside);
        }
    }
    Ok(run)
}

fn read_message(item: &Map<String, Value>, index: usize, place: &str) -> Result<Message, InvalidInput> {
    let role = read_text(item, "role", place)?.ok_or_else(|| format!("{place} has no `role`"))?;
    let calls = read_list(item, "tool_calls", place)?.iter().enumerate();
    let calls = calls.map(|(index, item)| Ok(read_call(item, &format!("{place}.tool_calls[{index}]"))?.call));
    let id = read_text(item, "id", place)?.unwrap_or_else(|| message_id(index + 1).into());
    Ok(Message {
        content: read_content(item.get("content")),
        tool_calls: calls.collect::<Result<_, InvalidInput>>()?,
        tool_call_id: read_text(item, "tool_call_id", place)?.map(Spanned::from),
        tool_name: read_text(item, "name", place)?,
        agent: read_text(item, "agent", place)?,
        visible: read_flag(item, "visible", place)?.unwrap_or(true),
        ..Message::new(id.into(), Role::new(&role).into(), Span::default())
    })
}

fn read_content(value: Option<&Value>) -> Option<Content> {
    match value? {
        Value::Null => None,
        Value::String(text) => Some(Content::Text(text.as_str().into())),
        data => Some(Content::Data(data.clone())),
    }
}

/// A call, with name and arguments in `function` or next to it.
fn read_call(item: &Value, place: &str) -> Result<RunCall, InvalidInput> {
    let Value::Object(map) = item else { return Err(format!("{place}: expected a map").into()) };
    shapes::check_call_keys(map, place)?;
    let inner = map.get("function").and_then(Value::as_object).unwrap_or(map);
    if !std::ptr::eq(inner, map) {
        shapes::check_call_keys(inner, &format!("{place}.function"))?;
    }
    let name = read_text(inner, "name", place)?.ok_or_else(|| format!("{place} has no `name`"))?;
    let arguments = inner.get("arguments").unwrap_or(&Value::Null);
    let arguments = match arguments {
        Value::String(text) => json_text(text).unwrap_or_else(|| arguments.clone()),
        other => other.clone(),
    };
    let spanned = |value| Spanned { value, span: Span::default() };
    let mut call = ToolCall::new(spanned(name), arguments, Span::default());
    call.id = read_text(map, "id", place)?.filter(|id| !id.is_empty()).map(spanned);
    Ok(RunCall {
        call,
        message: read_text(map, "message", place)?,
        step: read_step(map, place)?,
        failed: read_flag(map, "failed", place)?.unwrap_or(false),
        result: map.get("result").cloned(),
    })
}

fn read_error(item: &Value) -> RunError {
    let text = |key: &str| item.get(key).and_then(Value::as_str).map(Text::from);
    let of_map = item.as_object().and_then(|map| read_step(map, "").ok().flatten());
    RunError { step: of_map, tool: text("tool"), message: error_text(item), span: None }
}

/// A step is a number or a path such as `2.1`.
fn read_step(map: &Map<String, Value>, place: &str) -> Result<Option<Text>, InvalidInput> {
    match map.get("step") {
        Some(Value::Number(number)) => Ok(Some(number.to_string().into())),
        _ => read_text(map, "step", place),
    }
}

fn read_list<'v>(map: &'v Map<String, Value>, key: &str, place: &str) -> Result<&'v [Value], InvalidInput> {
    match map.get(key) {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(items)) => Ok(items),
        Some(_) => Err(format!("`{key}` of {place}: expected a list").into()),
    }
}

fn read_text(map: &Map<String, Value>, key: &str, place: &str) -> Result<Option<Text>, InvalidInput> {
    match map.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str().into())),
        Some(_) => Err(format!("`{key}` of {place}: expected a string").into()),
    }
}

fn read_flag(map: &Map<String, Value>, key: &str, place: &str) -> Result<Option<bool>, InvalidInput> {
    match map.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Bool(value)) => Ok(Some(*value)),
        Some(_) => Err(format!("`{key}` of {place}: expected a boolean").into()),
    }
}

fn read_number(map: &Map<String, Value>, key: &str) -> Result<Option<u64>, InvalidInput> {
    match map.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => value.as_u64().map(Some).ok_or_else(|| format!("`{key}`: expected an integer").into()),
    }
}
