//! The typed transcript as data in the full form 1.0.

use serde_json::{Map, Value};

use super::assemble::{TranscriptParts, message_reference, state_changes_entry};
use super::entries::Entries;
use crate::model::{
    Agent, Changes, Content, Details, FinalState, Message, Response, ResponseDetails, Sent, SentItem, State,
    Text, ToolCall, ToolResponse, ToolRun, Transcript, Turn, UnknownKeys, VERSION,
};
use crate::text::{JsonMap, json};

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
    written(transcript, usize::MAX)
}

/// The maximum total number of references to messages that [`brief`] writes in full.
pub const SPELLED: usize = 10_000;

/// The same, but in a run of more than [`SPELLED`] references, a call that was sent all visible messages
/// has one word for them: in full they are quadratic in the length of the run.
///
/// ```
/// use transcript_core::{expand, parse, write};
/// let rounds = "  - 'user: Hi'\n  - 'assistant: Hello!'\n".repeat(150);
/// let text = format!("messages:\n{rounds}");
/// let limits = parse::Limits::default();
/// let (transcript, _) = expand::compact(&text, &parse::parse(&text, &limits).root.unwrap(), &limits);
/// assert_eq!(write::references(&transcript), 150 * 150);
/// assert_eq!(write::brief(&transcript)["execution"][0]["messages_sent_to_llm"], "visible");
/// assert_eq!(write::brief_references(&transcript), 0);
/// ```
#[must_use]
pub fn brief(transcript: &Transcript) -> Value {
    written(transcript, SPELLED)
}

/// A run in which `most` references are spelled out at most.
fn written(transcript: &Transcript, most: usize) -> Value {
    let is_brief = most < usize::MAX && references(transcript) > most;
    let mut state = State::initial(transcript);
    let execution: Vec<Value> = transcript
        .turns
        .iter()
        .map(|turn| {
            let value = match is_brief {
                true => turn_with(turn, None::<std::iter::Empty<&Text>>),
                false => self::turn(turn, state.visible()),
            };
            state.apply(turn);
            value
        })
        .collect();
    let agents = transcript.agents.iter();
    let parts = TranscriptParts {
        metadata: Value::Object(transcript.metadata.clone()),
        config: Some(transcript.config.clone()),
        agents: agents.map(|(name, found)| (name.value.to_string(), agent(found))).collect(),
        initial_state: initial_state(transcript),
        turns: execution,
        final_state: final_state(transcript.end.as_ref(), &state),
    };
    let mut more = Entries::default();
    if !transcript.nested.is_empty() {
        let nested = transcript.nested.iter();
        let nested: Map<String, Value> =
            nested.map(|(id, run)| (id.value.to_string(), written(run, most))).collect();
        more.put("nested", Value::Object(nested));
    }
    more.0.extend(transcript.extra.clone());
    parts.with_more(more.0)
}

/// The data of a partial transcript with omissions filled in; all its content stays, in order,
/// unknown keys and values of the wrong kind included. Only the parts that belong in `metadata`
/// move there from the top level.
///
/// `source` is the document's own data, `transcript` the typed one read from it.
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
    out.put("version", VERSION.into());
    let metadata = Value::Object(transcript.metadata.clone());
    out.put("metadata", filled(own("metadata"), &metadata));
    out.put("agent_config", own("agent_config").cloned().unwrap_or_else(|| json!({})));
    out.put("initial_state", completed_initial_state(own("initial_state"), transcript));
    out.put("execution", execution);
    let end = final_state(transcript.end.as_ref(), &state);
    out.put("final_state", filled(own("final_state"), &end));
    for (key, value) in source.as_object().into_iter().flatten() {
        let moved = MOVED.contains(&key.as_str())
            && out.get("metadata").and_then(|metadata| metadata.get(key)) == Some(value);
        if !moved && !out.contains_key(key) {
            out.insert(key.clone(), value.clone());
        }
    }
    Value::Object(out)
}

/// The initial state of a partial transcript with omissions filled in.
#[must_use]
pub fn completed_initial_state(source: Option<&Value>, transcript: &Transcript) -> Value {
    filled(source, &initial_state(transcript))
}

/// `own` with the keys of `defaults` that it lacks; anything but a map is unchanged.
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

/// One turn of a partial transcript with the omitted message filled in.
#[must_use]
pub fn completed_turn(source: &Value, turn: &Turn) -> Value {
    let mut value = source.clone();
    if let (Value::Object(entries), Some(created)) = (&mut value, &turn.created)
        && entries.get("message_created").is_none_or(Value::is_null)
    {
        // The run of another agent is already in the result; once is enough.
        let run = turn.tool.as_ref().filter(|run| run.nested.is_none() && run.nested_ref.is_none());
        entries.put("message_created", message(created, run));
    }
    value
}

/// The number of references to messages that [`transcript`] would write as what the model was sent:
/// it is quadratic in the length of a run if every call is sent everything before it.
#[must_use]
pub fn references(transcript: &Transcript) -> usize {
    let mut state = State::initial(transcript);
    let mut count = 0_usize;
    for turn in &transcript.turns {
        count = count.saturating_add(match &turn.sent {
            Sent::Visible => state.visible_count(),
            _ => listed(turn),
        });
        state.apply(turn);
    }
    count
}

/// The same for [`brief`].
#[must_use]
pub fn brief_references(transcript: &Transcript) -> usize {
    let all = references(transcript);
    if all > SPELLED { transcript.turns.iter().map(listed).sum() } else { all }
}

/// The messages that a turn lists as sent.
fn listed(turn: &Turn) -> usize {
    if let Sent::List(items) = &turn.sent { items.len() } else { 0 }
}

/// The initial state as data in the full form.
#[must_use]
pub fn initial_state(transcript: &Transcript) -> Value {
    let mut out = Entries::default();
    out.put_any("context", Some(Value::Object(transcript.context.clone())));
    out.put_any("message_store", Some(messages(&transcript.initial)));
    out.with_unknown(&transcript.initial_rest)
}

fn messages(store: &[Message]) -> Value {
    store.iter().map(|stored| message(stored, None)).collect()
}

fn agent(agent: &Agent) -> Value {
    let mut out = Entries::default();
    out.put_any("config", agent.config.clone().map(Value::Object));
    out.put_any("context", agent.context.clone().map(Value::Object));
    out.put_any("tools", agent.tools.clone().map(Value::Array));
    out.put_any("message_store", agent.store.as_deref().map(messages));
    out.with_unknown(&agent.rest)
}

/// The final state: what is stated, and otherwise what results from the run.
fn final_state(stated: Option<&FinalState>, state: &State) -> Value {
    let context = stated.and_then(|end| end.context.as_ref()).unwrap_or(state.context());
    let store: Value = match stated.filter(|end| !end.store.is_empty()) {
        Some(end) => end
            .store
            .iter()
            .enumerate()
            .map(|(at, id)| match end.whole.get(&at) {
                Some(whole) => message(whole, None),
                None => {
                    let mut out = Entries::default();
                    out.put_any("ref", Some(text(&id.value)));
                    out.with_unknown(end.reference_rest.get(&at).unwrap_or(&UnknownKeys::default()))
                }
            })
            .collect(),
        None => state.store().iter().map(|(id, _)| message_reference(id)).collect(),
    };
    let visible: Value = match stated.and_then(|end| end.visible.as_ref()) {
        Some(visible) => visible.iter().map(|id| text(&id.value)).collect(),
        None => state.visible().map(text).collect(),
    };
    let mut out = Entries::default();
    out.put_any("context", Some(Value::Object(context.clone())));
    out.put_any("message_store", Some(store));
    out.put_any("visible_messages", Some(visible));
    let Some(end) = stated else { return out.with_unknown(&UnknownKeys::default()) };
    let assertions: Vec<Value> =
        end.assertions.iter().map(|check| Value::Object(check.data.clone())).collect();
    out.put_any("assertions", (!assertions.is_empty()).then_some(Value::Array(assertions)));
    out.with_unknown(&end.rest)
}

/// One turn as data in the full form; `visible` are the ids of the messages that the model can see
/// before it.
#[must_use]
pub fn turn<'s>(turn: &Turn, visible: impl Iterator<Item = &'s Text>) -> Value {
    turn_with(turn, Some(visible))
}

/// Without `visible`, a call that was sent all of them is marked so.
fn turn_with<'s>(turn: &Turn, visible: Option<impl Iterator<Item = &'s Text>>) -> Value {
    let mut out = Entries::default();
    let kind = if turn.kind_name.is_empty() { turn.kind.value.name() } else { &turn.kind_name };
    out.put_any("turn", turn.number.as_ref().map(|number| number.value.into()));
    out.put_any("type", Some(kind.into()));
    out.put_any("timestamp", turn.timestamp.as_ref().map(|time| text(&time.value)));
    out.put_any("agent", turn.agent.as_ref().map(text));
    out.put_any("messages_sent_to_llm", sent(&turn.sent, visible));
    out.put_any("llm_config", (!turn.config.is_empty()).then(|| Value::Object(turn.config.clone())));
    out.put_any("llm_response", turn.response.as_ref().map(response));
    out.put_any("llm_error", turn.error.clone());
    out.put_any("tool_call", turn.tool.as_ref().map(tool_run));
    out.put_any("message_created", turn.created.as_ref().map(|created| message(created, turn.tool.as_ref())));
    out.put_any("state_changes", changes(&turn.changes));
    out.with_unknown(&turn.rest)
}

fn sent<'s>(sent: &Sent, visible: Option<impl Iterator<Item = &'s Text>>) -> Option<Value> {
    match sent {
        Sent::Unrecorded => None,
        Sent::Visible => Some(match visible {
            Some(visible) => visible.map(|id| message_reference(id)).collect(),
            None => "visible".into(),
        }),
        Sent::List(items) => Some(Value::Array(items.iter().map(sent_item).collect())),
    }
}

fn sent_item(item: &SentItem) -> Value {
    if let Some(inline) = &item.inline {
        return message(inline, None);
    }
    let mut out = Entries::default();
    out.put_any("ref", item.reference.as_ref().map(|id| text(&id.value)));
    out.put_any("content", content_value(item.content.as_deref()));
    out.with_unknown(&item.rest)
}

fn content_value(content: Option<&Content>) -> Option<Value> {
    content.map(Content::to_value)
}

fn response(response: &Response) -> Value {
    let none = ResponseDetails::default();
    let details = response.details.as_deref().unwrap_or(&none);
    let calls: Vec<Value> =
        response.tool_calls.iter().map(|call| tool_call(call, call.arguments_text().into())).collect();
    let mut out = Entries::default();
    out.put_any("role", Some(details.role.as_ref().map_or_else(|| "assistant".into(), text)));
    out.put_any("content", Some(content_value(response.content.as_ref()).unwrap_or_default()));
    out.put_any("tool_calls", Some(if calls.is_empty() { Value::Null } else { Value::Array(calls) }));
    out.put_any("usage", response.usage.clone());
    out.put_any("refusal", content_value(response.refusal.as_ref()));
    out.put_any("reasoning", content_value(response.reasoning.as_ref()));
    out.put_any("citations", details.citations.clone());
    out.put_any("annotations", details.annotations.clone());
    out.put_any("metadata", details.metadata.clone().map(Value::Object));
    out.put_any("parsed", details.parsed.clone());
    out.put_any("chunks", details.chunks.clone().map(Value::Array));
    out.put_any("finish_reason", details.finish_reason.as_ref().map(text));
    out.put_any("model", details.model.as_ref().map(text));
    out.put_any("id", details.id.as_ref().map(text));
    out.with_unknown(&details.rest)
}

/// A tool call of a message or of a response, with the arguments as data or as text.
pub(crate) fn tool_call(call: &ToolCall, arguments: Value) -> Value {
    let mut function = Entries::default();
    function.put_any("name", Some(text(&call.name.value)));
    function.put_any("arguments", Some(arguments));
    let mut out = Entries::default();
    out.put_any("id", call.id.as_ref().map(|id| text(&id.value)));
    out.put_any("type", call.kind.as_ref().map(text));
    out.put_any("index", call.index.map(Value::from));
    out.put_any("function", Some(function.with_unknown(&call.function_rest)));
    out.with_unknown(&call.rest)
}

/// A message of the initial store as data in the full form.
#[must_use]
pub fn stored_message(stored: &Message) -> Value {
    message(stored, None)
}

/// A message of the store; `run` is the tool run with its result.
fn message(message: &Message, run: Option<&ToolRun>) -> Value {
    let none = Details::default();
    let details = message.details.as_deref().unwrap_or(&none);
    let calls = message.tool_calls.iter().map(|call| {
        let data = || call.arguments.clone();
        tool_call(call, call.raw.as_ref().map_or_else(data, |_| call.arguments_text().into()))
    });
    let calls: Vec<Value> = calls.collect();
    let own = details.tool_response.as_ref().map(own_tool_response);
    let mut out = Entries::default();
    out.put_any("id", Some(text(&message.id.value)));
    out.put_any("ulid", details.ulid.as_ref().map(text));
    out.put_any("role", Some(message.role.value.name().into()));
    out.put_any("timestamp", details.timestamp.as_ref().map(|time| text(&time.value)));
    out.put_any("agent", message.agent.as_ref().map(text));
    out.put_any("tool_call_id", message.tool_call_id.as_ref().map(|id| text(&id.value)));
    out.put_any("tool_name", message.tool_name.as_ref().map(text));
    out.put_any("content", content_value(message.content.as_ref()));
    out.put_any("tool_calls", (!calls.is_empty()).then_some(Value::Array(calls)));
    out.put_any("tool_response", own.or_else(|| run.map(tool_response)));
    out.put_any("reasoning", content_value(details.reasoning.as_ref()));
    out.put_any("refusal", content_value(details.refusal.as_ref()));
    out.put_any("citations", details.citations.clone());
    out.put_any("annotations", details.annotations.clone());
    out.put_any("usage", details.usage.clone());
    out.put_any("visible", Some(message.visible.into()));
    out.put_any("metadata", details.metadata.clone().map(Value::Object));
    out.with_unknown(&details.rest)
}

fn own_tool_response(response: &ToolResponse) -> Value {
    let mut out = Entries::default();
    out.put_any("tool_name", response.tool_name.as_ref().map(text));
    out.put_any("tool_call_id", response.tool_call_id.as_ref().map(text));
    out.put_any("response", Some(response.response.clone()));
    out.put_any("parameters", response.parameters.clone());
    out.put_any("success", response.success.map(Value::from));
    out.put_any("error", content_value(response.error.as_ref()));
    out.with_unknown(&response.rest)
}

/// The result of a tool, in the form of its message.
pub(crate) fn tool_response(run: &ToolRun) -> Value {
    let mut out = Entries::default();
    out.put_any("tool_name", Some(text(&run.name.value)));
    out.put_any("tool_call_id", run.id.as_ref().map(|id| text(&id.value)));
    out.put_any("response", Some(run.result.clone()));
    out.put_any("parameters", Some(run.parameters.clone()));
    out.put_any("success", Some(run.success.into()));
    out.put_any("error", content_value(run.error.as_ref()));
    out.with_unknown(&UnknownKeys::default())
}

/// A tool run, in the form of its turn.
pub(crate) fn tool_run(run: &ToolRun) -> Value {
    let mut out = Entries::default();
    out.put_any("id", run.id.as_ref().map(|id| text(&id.value)));
    out.put_any("caller", run.caller.as_ref().map(text));
    out.put_any("tool_name", Some(text(&run.name.value)));
    out.put_any("parameters", Some(run.parameters.clone()));
    out.put_any("result", Some(run.result.clone()));
    out.put_any("success", Some(run.success.into()));
    out.put_any("error", Some(content_value(run.error.as_ref()).unwrap_or_default()));
    out.with_unknown(&run.rest)
}

fn changes(changes: &Changes) -> Option<Value> {
    let visible = changes.visible.iter().map(|(id, shown)| (id.value.to_string(), (*shown).into()));
    let removed = changes.removed.iter().map(|key| &**key);
    let out = state_changes_entry(&changes.context, removed, visible.collect());
    Some(out.with_unknown(&changes.rest)).filter(|out| out.as_object().is_some_and(|out| !out.is_empty()))
}

fn text(text: &Text) -> Value {
    Value::String(text.to_string())
}
