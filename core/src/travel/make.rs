//! Turns made from the input of an author, a handler or a tool.

use serde_json::{Map, Value};

use super::ids::Ids;
use crate::diagnostic::InvalidInput;
use crate::mock::{Profile, Response};
use crate::model::{Content, Message, Sent, Spanned, Text, ToolCall, Turn, TurnKind};
use crate::parse::{Node, read};
use crate::replay::name_and_arguments_difference;
use crate::text::{JsonMap, Set, Span, json, text_or_json};
use crate::write::tool_call_entry;

/// Reads a turn in the full form; omitted parts of its message are filled in.
fn read_turn(value: Value) -> Option<Turn> {
    let root = Node::from_value(&json!({ "execution": [value] }), Span::default());
    read::transcript(&root, read::Fill::CreatedMessages).turns.pop()
}

fn spanned(value: Text) -> Spanned<Text> {
    Spanned { value, span: Span::default() }
}

/// Replaces the answer of a turn. A call without an id takes that of the turn's equal call, else a new
/// one.
pub(super) fn set_answer(turn: &mut Turn, reply: &Response, ids: &mut Ids) {
    let mut own: Vec<ToolCall> = super::pairs::calls(turn).to_vec();
    own.reverse();
    let mut used: Vec<Text> = Vec::new();
    let calls = reply.tool_calls.iter().map(|call| {
        let same = |own: &ToolCall| {
            let [a, b] = [(&*own.name.value, &own.arguments), (&*call.name.value, &call.arguments)];
            name_and_arguments_difference(a, b).is_none()
        };
        let recorded = own.iter().rposition(same).map(|at| own.remove(at)).and_then(|own| own.id);
        // An id that something else has would make two calls one.
        let own_id = call.id.as_ref().map(|id| id.value.clone()).filter(|id| {
            let is_own = recorded.as_ref().is_some_and(|own| own.value == *id)
                || own.iter().any(|own| own.id.as_ref().is_some_and(|own| own.value == *id));
            !used.contains(id) && (is_own || !ids.has_call(id))
        });
        let id = own_id.or_else(|| recorded.map(|id| id.value)).unwrap_or_else(|| ids.call());
        used.push(id.clone());
        tool_call_entry(&id, &call.name.value, text_or_json(&call.arguments).into())
    });
    let calls: Vec<Value> = calls.collect();
    let mut response = Map::new();
    response.put("content", reply.content.clone());
    if !calls.is_empty() {
        response.put("tool_calls", calls.into());
    }
    response.extend(reply.extra.iter().map(|(key, value)| (key.clone(), value.clone())));
    let made = read_turn(json!({"type": "llm_call", "llm_response": response}));
    let Some(made) = made else { return };
    turn.response = made.response;
    turn.error = None;
    replace_message(turn, made.created);
    ids.take_turn(turn);
}

/// Replaces the message of a turn by the remade one, which takes over its id and visibility.
fn replace_message(turn: &mut Turn, made: Option<Message>) {
    let (Some(own), Some(made)) = (&mut turn.created, made) else { return };
    *own = Message {
        id: own.id.clone(),
        agent: own.agent.clone(),
        visible: own.visible,
        tool_call_id: own.tool_call_id.clone().or(made.tool_call_id),
        tool_name: own.tool_name.clone().or(made.tool_name),
        ..made
    };
}

/// Replaces the result of a tool, or makes it fail.
pub(super) fn set_result(turn: &mut Turn, outcome: &Result<Value, Value>) {
    let Some(run) = &mut turn.tool else { return };
    let content = match outcome {
        Ok(result) => {
            (run.result, run.success, run.error) = (result.clone(), true, None);
            Content::from_result(result)
        }
        Err(error) => {
            (run.result, run.success) = (Value::Null, false);
            let content = Content::from_result(error);
            run.error = Some(content.clone());
            content
        }
    };
    (run.nested, run.nested_ref) = (None, None);
    if let Some(created) = &mut turn.created {
        created.content = Some(content);
        // Rewritten from the run.
        if let Some(details) = &mut created.details {
            details.tool_response = None;
        }
    }
}

/// Changes the content of a turn's message, and its answer or result.
pub(super) fn set_content(turn: &mut Turn, content: &Value) {
    let content = read_content(content);
    if let Some(response) = &mut turn.response {
        response.content.clone_from(&content);
        if let Some(details) = &mut response.details {
            // They are the pieces of another text.
            (details.chunks, details.parsed) = (None, None);
        }
    }
    if turn.tool.is_some() {
        let text = content.as_ref().map(Content::to_text).unwrap_or_default();
        let outcome = match turn.tool.as_ref().is_some_and(|run| run.success) {
            true => Ok(crate::wire::parse_result_text(&text)),
            false => Err(Value::String(text)),
        };
        set_result(turn, &outcome);
    }
    if let Some(created) = &mut turn.created {
        created.content = content;
    }
}

/// Reads the content of a message.
pub(super) fn read_content(value: &Value) -> Option<Content> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(Content::Text(text.as_str().into())),
        data => Some(Content::Data(data.clone())),
    }
}

/// Reads an answer in a handler's form.
pub(super) fn read_response(value: &Value) -> Result<Response, InvalidInput> {
    Response::from_value(value, Profile::Default).map_err(|error| error.message.into())
}

/// Reads a turn to be inserted. Missing ids are generated; a model call without a list of sent messages is
/// sent all visible ones.
pub(super) fn read_inserted_turn(value: &Value, ids: &mut Ids) -> Result<Turn, InvalidInput> {
    let mut turn = read_turn(value.clone()).filter(|_| value.is_object());
    let known = turn.as_mut().filter(|turn| turn.kind.value != TurnKind::Unknown);
    let Some(turn) = known else {
        return Err("an inserted turn is a map with the `type` `llm_call`, `tool_call` or `message`".into());
    };
    let id = value.get("message_created").and_then(|created| created.get("id"));
    if let Some(created) = &mut turn.created {
        if id.is_none_or(Value::is_null) {
            created.id = spanned(ids.message());
        } else if ids.has_message(&created.id.value) {
            return Err(format!("the run already has a message `{}`", created.id.value).into());
        }
    }
    let mut named = Set::new();
    for call in super::pairs::calls(turn).iter().filter_map(|call| call.id.as_ref()) {
        if ids.has_call(&call.value) || !named.insert(call.value.clone()) {
            return Err(format!("the run already has a call `{}`", call.value).into());
        }
    }
    // The answer and its message have the same calls.
    let made: Vec<Text> = super::pairs::calls(turn).iter().map(|_| ids.call()).collect();
    let lists = turn.response.iter_mut().map(|response| &mut response.tool_calls);
    for calls in lists.chain(turn.created.iter_mut().map(|created| &mut created.tool_calls)) {
        for (call, id) in calls.iter_mut().zip(&made) {
            call.id.get_or_insert_with(|| spanned(id.clone()));
        }
    }
    if turn.kind.value == TurnKind::LlmCall && matches!(turn.sent, Sent::Unrecorded) {
        turn.sent = Sent::Visible;
    }
    if turn.kind_name.is_empty() {
        turn.kind_name = turn.kind.value.name().into();
    }
    turn.number = None;
    ids.take_turn(turn);
    Ok(turn.clone())
}

/// A model call that was not recorded, by an agent.
pub(super) fn new_model_call(agent: Option<&Text>, ids: &mut Ids) -> Turn {
    let value = json!({"type": "llm_call", "llm_response": {"content": ""}});
    let mut turn = read_turn(value).unwrap_or_else(|| {
        let span = Span::default();
        Turn::new(Spanned { value: TurnKind::LlmCall, span }, span)
    });
    if let Some(created) = &mut turn.created {
        created.id = spanned(ids.message());
    }
    turn.agent = agent.cloned();
    turn
}

/// A tool run that was not recorded, for a call.
pub(super) fn new_tool_run(
    made: &ToolCall,
    agent: Option<&Text>,
    outcome: &Result<Value, Value>,
    ids: &mut Ids,
) -> Turn {
    let value = json!({"type": "tool_call", "tool_call": {
        "id": made.id.as_ref().map(|id| id.value.to_string()),
        "tool_name": made.name.value.to_string(),
        "parameters": made.arguments,
        "result": null,
    }});
    let mut turn = new_model_call(agent, ids);
    if let Some(read) = read_turn(value) {
        let id = turn.created.map(|created| created.id);
        turn = Turn { agent: turn.agent, ..read };
        if let (Some(created), Some(id)) = (&mut turn.created, id) {
            created.id = id;
        }
    }
    set_result(&mut turn, outcome);
    turn
}
