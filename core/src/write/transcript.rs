//! The typed transcript as data in the full form 1.0.

use serde_json::{Map, Value, json};

use crate::model::{
    Changes, Content, FinalState, Message, Response, Sent, SentItem, Spanned, State, Text, ToolCall, ToolRun,
    Transcript, Turn, VERSION,
};
use crate::text::json_line;

/// The transcript as data in the full form, with everything spelled out.
///
/// ```
/// use transcript_core::{expand, parse, write};
/// let text = "messages: ['user: Hi', 'assistant: Hello!']";
/// let limits = parse::Limits::default();
/// let (transcript, _) = expand::compact(text, &parse::parse(text, &limits).root.unwrap(), &limits);
/// let full = write::transcript(&transcript);
/// assert_eq!(full["execution"][0]["messages_sent_to_llm"][0]["ref"], "msg_001");
/// ```
#[must_use]
pub fn transcript(transcript: &Transcript) -> Value {
    let mut state = State::initial(transcript);
    let execution: Vec<Value> = transcript
        .turns
        .iter()
        .map(|turn| {
            let value = self::turn(turn, state.visible());
            state.apply(turn);
            value
        })
        .collect();
    let mut out = json!({
        "version": VERSION,
        "metadata": transcript.metadata,
        "agent_config": transcript.config,
        "initial_state": initial_state(transcript),
        "execution": execution,
        "final_state": final_state(transcript.end.as_ref(), &state),
    });
    if let Value::Object(entries) = &mut out {
        entries.extend(transcript.extra.clone());
    }
    out
}

/// The data of a partial transcript with what it leaves out filled in; everything it says stays,
/// in its order, unknown keys and values of the wrong kind included. Only what `metadata` takes
/// over from the top level moves there.
///
/// `source` is the document's own data, `transcript` what was read from it.
#[must_use]
pub fn completed(source: &Value, transcript: &Transcript) -> Value {
    const MOVED: [&str; 4] = ["name", "description", "tags", "author"];
    let own = |key: &str| source.get(key).filter(|value| !value.is_null());
    let mut state = State::initial(transcript);
    for turn in &transcript.turns {
        state.apply(turn);
    }
    let execution = match own("execution") {
        None => json!([]),
        Some(Value::Array(sources)) => {
            let turns = sources.iter().zip(&transcript.turns);
            turns.map(|(source, turn)| completed_turn(source, turn)).collect()
        }
        Some(other) => other.clone(),
    };
    let mut out = Map::new();
    out.insert("version".to_owned(), VERSION.into());
    let metadata = Value::Object(transcript.metadata.clone());
    out.insert("metadata".to_owned(), filled(own("metadata"), &metadata));
    out.insert("agent_config".to_owned(), own("agent_config").cloned().unwrap_or_else(|| json!({})));
    out.insert("initial_state".to_owned(), completed_initial_state(own("initial_state"), transcript));
    out.insert("execution".to_owned(), execution);
    let end = final_state(transcript.end.as_ref(), &state);
    out.insert("final_state".to_owned(), filled(own("final_state"), &end));
    for (key, value) in source.as_object().into_iter().flatten() {
        let moved = MOVED.contains(&key.as_str())
            && out.get("metadata").and_then(|metadata| metadata.get(key)) == Some(value);
        if !moved && !out.contains_key(key) {
            out.insert(key.clone(), value.clone());
        }
    }
    Value::Object(out)
}

/// The initial state of a partial transcript with what it leaves out filled in.
#[must_use]
pub fn completed_initial_state(source: Option<&Value>, transcript: &Transcript) -> Value {
    filled(source, &initial_state(transcript))
}

/// `own` with the keys of `defaults` that it lacks; what is no map stays as it is.
fn filled(own: Option<&Value>, defaults: &Value) -> Value {
    let Some(own) = own else { return defaults.clone() };
    let Value::Object(entries) = own else { return own.clone() };
    let mut entries = entries.clone();
    for (key, value) in defaults.as_object().into_iter().flatten() {
        if !entries.contains_key(key) {
            entries.insert(key.clone(), value.clone());
        }
    }
    Value::Object(entries)
}

/// One turn of a partial transcript with the message that it leaves out filled in.
#[must_use]
pub fn completed_turn(source: &Value, turn: &Turn) -> Value {
    let mut value = source.clone();
    if let (Value::Object(entries), Some(created)) = (&mut value, &turn.created)
        && entries.get("message_created").is_none_or(Value::is_null)
    {
        // The run of another agent stands in the result already; once is enough.
        let run = turn.tool.as_ref().filter(|run| run.nested.is_none());
        entries.insert("message_created".to_owned(), message(created, run));
    }
    value
}

/// The number of references to messages that [`transcript`] would write as what the model was sent:
/// it grows with the square of a run whose every call is sent everything before it.
#[must_use]
pub fn references(transcript: &Transcript) -> usize {
    let mut state = State::initial(transcript);
    let mut count = 0_usize;
    for turn in &transcript.turns {
        count = count.saturating_add(match &turn.sent {
            Sent::Unrecorded => 0,
            Sent::Visible => state.visible_count(),
            Sent::List(items) => items.len(),
        });
        state.apply(turn);
    }
    count
}

/// The initial state as data in the full form.
#[must_use]
pub fn initial_state(transcript: &Transcript) -> Value {
    let store: Vec<Value> = transcript.initial.iter().map(|stored| message(stored, None)).collect();
    json!({ "context": transcript.context, "message_store": store })
}

fn final_state(stated: Option<&FinalState>, state: &State) -> Value {
    let refs: Vec<Value> = state.store().iter().map(|(id, _)| reference(id)).collect();
    let visible: Vec<&str> = state.visible().map(|id| &**id).collect();
    let mut out = json!({ "context": state.context(), "message_store": refs, "visible_messages": visible });
    let assertions: Vec<Value> = stated
        .into_iter()
        .flat_map(|end| &end.assertions)
        .map(|check| Value::Object(check.data.clone()))
        .collect();
    if let (Value::Object(entries), false) = (&mut out, assertions.is_empty()) {
        entries.insert("assertions".to_owned(), Value::Array(assertions));
    }
    out
}

fn reference(id: &Text) -> Value {
    json!({ "ref": &**id })
}

/// One turn as data in the full form; `visible` are the ids of the messages that the model can see
/// before it.
#[must_use]
pub fn turn<'s>(turn: &Turn, visible: impl Iterator<Item = &'s Text>) -> Value {
    let mut out = Map::new();
    let mut put = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            out.insert(key.to_owned(), value);
        }
    };
    put("turn", turn.number.as_ref().map(|number| number.value.into()));
    put("type", Some(turn.kind.value.name().into()));
    put("agent", turn.agent.as_ref().map(text));
    put("messages_sent_to_llm", sent(&turn.sent, visible));
    put("llm_config", (!turn.config.is_empty()).then(|| Value::Object(turn.config.clone())));
    put("llm_response", turn.response.as_ref().map(response));
    put("llm_error", turn.error.clone());
    put("tool_call", turn.tool.as_ref().map(tool_run));
    put("message_created", turn.created.as_ref().map(|created| message(created, turn.tool.as_ref())));
    put("state_changes", changes(&turn.changes));
    Value::Object(out)
}

fn sent<'s>(sent: &Sent, visible: impl Iterator<Item = &'s Text>) -> Option<Value> {
    match sent {
        Sent::Unrecorded => None,
        Sent::Visible => Some(Value::Array(visible.map(reference).collect())),
        Sent::List(items) => Some(Value::Array(items.iter().map(sent_item).collect())),
    }
}

fn sent_item(item: &SentItem) -> Value {
    let mut out = Map::new();
    if let Some(inline) = &item.inline {
        return message(inline, None);
    }
    if let Some(reference) = &item.reference {
        out.insert("ref".to_owned(), text(&reference.value));
    }
    if let Some(content) = &item.content {
        out.insert("content".to_owned(), content.to_value());
    }
    Value::Object(out)
}

fn response(response: &Response) -> Value {
    let mut out = Map::new();
    out.insert("role".to_owned(), "assistant".into());
    out.insert("content".to_owned(), response.content.as_ref().map_or(Value::Null, Content::to_value));
    let calls: Vec<Value> =
        response.tool_calls.iter().map(|call| tool_call(call, json_line(&call.arguments).into())).collect();
    out.insert("tool_calls".to_owned(), if calls.is_empty() { Value::Null } else { Value::Array(calls) });
    for (key, content) in [("reasoning", &response.reasoning), ("refusal", &response.refusal)] {
        if let Some(content) = content {
            out.insert(key.to_owned(), content.to_value());
        }
    }
    if let Some(usage) = &response.usage {
        out.insert("usage".to_owned(), usage.clone());
    }
    Value::Object(out)
}

fn tool_call(call: &ToolCall, arguments: Value) -> Value {
    let function = json!({ "name": &*call.name.value, "arguments": arguments });
    match &call.id {
        Some(id) => json!({ "id": &*id.value, "function": function }),
        None => json!({ "function": function }),
    }
}

/// A message of the initial store as data in the full form.
#[must_use]
pub fn stored_message(stored: &Message) -> Value {
    message(stored, None)
}

/// A message of the store; `run` is the tool run whose result it carries.
fn message(message: &Message, run: Option<&ToolRun>) -> Value {
    let mut out = Map::new();
    out.insert("id".to_owned(), text(&message.id.value));
    out.insert("role".to_owned(), message.role.value.name().into());
    if let Some(agent) = &message.agent {
        out.insert("agent".to_owned(), text(agent));
    }
    if let Some(id) = &message.tool_call_id {
        out.insert("tool_call_id".to_owned(), text(&id.value));
    }
    if let Some(name) = &message.tool_name {
        out.insert("tool_name".to_owned(), text(name));
    }
    if let Some(content) = &message.content {
        out.insert("content".to_owned(), content.to_value());
    }
    if !message.tool_calls.is_empty() {
        let calls = message.tool_calls.iter().map(|call| tool_call(call, call.arguments.clone())).collect();
        out.insert("tool_calls".to_owned(), Value::Array(calls));
    }
    if let Some(run) = run {
        out.insert("tool_response".to_owned(), tool_response(run));
    }
    out.insert("visible".to_owned(), message.visible.into());
    Value::Object(out)
}

fn tool_response(run: &ToolRun) -> Value {
    let mut out = Map::new();
    out.insert("tool_name".to_owned(), text(&run.name.value));
    if let Some(Spanned { value: id, .. }) = &run.id {
        out.insert("tool_call_id".to_owned(), text(id));
    }
    out.insert("response".to_owned(), run.result.clone());
    out.insert("parameters".to_owned(), run.parameters.clone());
    out.insert("success".to_owned(), run.success.into());
    if let Some(error) = &run.error {
        out.insert("error".to_owned(), error.to_value());
    }
    Value::Object(out)
}

fn tool_run(run: &ToolRun) -> Value {
    let mut out = Map::new();
    if let Some(id) = &run.id {
        out.insert("id".to_owned(), text(&id.value));
    }
    out.insert("tool_name".to_owned(), text(&run.name.value));
    out.insert("parameters".to_owned(), run.parameters.clone());
    out.insert("result".to_owned(), run.result.clone());
    out.insert("success".to_owned(), run.success.into());
    out.insert("error".to_owned(), run.error.as_ref().map_or(Value::Null, Content::to_value));
    Value::Object(out)
}

fn changes(changes: &Changes) -> Option<Value> {
    let mut out = Map::new();
    if !changes.context.is_empty() {
        out.insert("context".to_owned(), Value::Object(changes.context.clone()));
    }
    if !changes.removed.is_empty() {
        out.insert("context_removed".to_owned(), changes.removed.iter().map(text).collect());
    }
    if !changes.visible.is_empty() {
        let visible: Map<String, Value> =
            changes.visible.iter().map(|(id, shown)| (id.value.to_string(), (*shown).into())).collect();
        out.insert("visible".to_owned(), Value::Object(visible));
    }
    (!out.is_empty()).then_some(Value::Object(out))
}

fn text(text: &Text) -> Value {
    Value::String(text.to_string())
}
