//! The three layers of one step.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::overview::StepRow;
use super::run::Place;
use super::step::{
    Change, ChangeKind, LlmLayer, MessageFlow, MessageView, SentView, StateLayer, StepDetail, ToolCallView,
    ToolView,
};
use crate::model::{Content, Message, State, ToolCall, ToolRun, Turn, TurnKind};
use crate::parse::Node;
use crate::replay::{SentMessage, Stored, Timeline};
use crate::write;

/// Everything to be seen at one step. `source` is its node, where the document spells it out.
pub(super) fn detail(place: Place<'_>, row: StepRow, source: Option<&Node>) -> StepDetail {
    let timeline = &place.run.timeline;
    let turn = timeline.turn_at(place.step);
    StepDetail {
        row,
        state: state_layer(timeline, place.step),
        flow: flow(timeline, place.step),
        llm: turn
            .filter(|turn| turn.kind.value == TurnKind::LlmCall)
            .map(|turn| llm(timeline, place.step, turn)),
        tool: turn.and_then(|turn| turn.tool.as_ref()).map(tool),
        raw: raw(timeline, place.step, turn, source),
    }
}

fn raw(timeline: &Timeline, step: usize, turn: Option<&Turn>, source: Option<&Node>) -> Value {
    match (source, turn) {
        (Some(source), _) => source.to_value(),
        (None, None) => write::initial_state(timeline.transcript()),
        (None, Some(turn)) => {
            let before = timeline.state(step - 1);
            let store =
                before.store.iter().map(|(stored, visible)| (stored.message.id.value.clone(), *visible));
            write::turn(turn, &State { store: store.collect(), context: before.context })
        }
    }
}

fn state_layer(timeline: &Timeline, step: usize) -> StateLayer {
    let context = timeline.context_at(step);
    let changes = step.checked_sub(1).map(|before| changes(&timeline.context_at(before), &context));
    StateLayer { changes: changes.unwrap_or_default(), context }
}

fn changes(before: &Map<String, Value>, after: &Map<String, Value>) -> Vec<Change> {
    let change = |key: &str, kind, before: Option<&Value>, after: Option<&Value>| Change {
        key: key.to_owned(),
        kind,
        before: before.cloned(),
        after: after.cloned(),
    };
    let set = after.iter().filter_map(|(key, value)| match before.get(key) {
        None => Some(change(key, ChangeKind::Added, None, Some(value))),
        Some(old) if old != value => Some(change(key, ChangeKind::Changed, Some(old), Some(value))),
        Some(_) => None,
    });
    let removed = before.iter().filter(|(key, _)| !after.contains_key(*key));
    set.chain(removed.map(|(key, old)| change(key, ChangeKind::Removed, Some(old), None))).collect()
}

fn flow(timeline: &Timeline, step: usize) -> MessageFlow {
    let store: Vec<MessageView> =
        timeline.store_at(step).iter().map(|stored| message(timeline, stored, step)).collect();
    let visible = store.iter().filter(|message| message.visible).map(|message| message.id.clone()).collect();
    MessageFlow { store, visible }
}

fn message(timeline: &Timeline, stored: &Stored, step: usize) -> MessageView {
    let visible = stored.visible_at(step);
    let hidden_at = stored.last_change(step).filter(|(at, visible)| !visible && *at > stored.created);
    let Message { id, role, content, tool_calls, tool_call_id, tool_name, agent, .. } = &stored.message;
    MessageView {
        id: id.value.to_string(),
        role: role.value.name().to_owned(),
        content: content.as_ref().map(Content::to_text),
        tool_calls: tool_calls.iter().map(call).collect(),
        tool_call_id: tool_call_id.as_ref().map(|id| id.value.to_string()),
        tool_name: tool_name.as_ref().map(ToString::to_string),
        agent: agent.as_ref().map(ToString::to_string),
        visible,
        created_here: stored.created == step,
        visibility_changed_here: stored.changed_at(step),
        hidden_since: hidden_at.map(|(at, _)| turn_number(timeline, at)),
    }
}

fn turn_number(timeline: &Timeline, step: usize) -> String {
    let given = timeline.turn_at(step).and_then(|turn| turn.number.as_ref());
    given.map_or_else(|| step.to_string(), |number| number.value.to_string())
}

fn call(call: &ToolCall) -> ToolCallView {
    ToolCallView {
        id: call.id.as_ref().map(|id| id.value.to_string()).unwrap_or_default(),
        name: call.name.value.to_string(),
        arguments: call.arguments.clone(),
    }
}

fn llm(timeline: &Timeline, step: usize, turn: &Turn) -> LlmLayer {
    let sent = timeline.sent(step);
    let sent_ids: BTreeSet<&str> = (sent.iter().flatten())
        .filter(|sent| sent.is_stored)
        .filter_map(|sent| Some(&*sent.message?.id.value))
        .collect();
    let before = timeline.store_at(step - 1).iter().map(|stored| &*stored.message.id.value);
    let withheld = match &sent {
        Some(_) => before.filter(|id| !sent_ids.contains(id)).map(str::to_owned).collect(),
        None => Vec::new(),
    };
    let mut config = timeline.transcript().config.clone();
    config.shift_remove("tools");
    config.shift_remove("context");
    config.extend(turn.config.clone());
    let response = turn.response.as_ref();
    let text = |content: Option<&Content>| content.map(Content::to_text);
    LlmLayer {
        sent: sent.map(|sent| sent.iter().filter_map(sent_view).collect()),
        withheld,
        config,
        content: text(response.and_then(|response| response.content.as_ref())),
        tool_calls: response
            .map(|response| response.tool_calls.iter().map(call).collect())
            .unwrap_or_default(),
        reasoning: text(response.and_then(|response| response.reasoning.as_ref())),
        refusal: text(response.and_then(|response| response.refusal.as_ref())),
        usage: response.and_then(|response| response.usage.clone()),
        error: turn.error.clone(),
    }
}

fn sent_view(sent: &SentMessage<'_>) -> Option<SentView> {
    let message = sent.message?;
    let transformed = sent.content.is_some_and(|seen| message.content.as_ref() != Some(seen));
    Some(SentView {
        id: sent.is_stored.then(|| message.id.value.to_string()),
        role: message.role.value.name().to_owned(),
        content: sent.seen().map(Content::to_text),
        tool_calls: message.tool_calls.iter().map(call).collect(),
        transformed,
    })
}

fn tool(run: &ToolRun) -> ToolView {
    ToolView {
        id: run.id.as_ref().map(|id| id.value.to_string()),
        name: run.name.value.to_string(),
        parameters: run.parameters.clone(),
        result: run.result.clone(),
        success: run.success,
        error: run.error.as_ref().map(Content::to_text),
    }
}
