//! The three layers of one step.

use serde_json::{Map, Value};

use super::overview::StepRow;
use super::problems::Problems;
use super::rows::{RowSource, row};
use super::step::{
    Change, ChangeKind, LlmLayer, MessageFlow, MessageView, SentView, StateLayer, StepDetail, ToolView,
};
use crate::document::{Document, Form, MessageSummary, Run, StepRef, content_text, source_of};
use crate::model::{Content, Message, Sent, ToolRun, Turn, TurnKind};
use crate::parse::Node;
use crate::replay::{SentMessage, Stored, Timeline};
use crate::wire::ToolCall;
use crate::write;

impl Document {
    /// The three layers at the step with this path (`0`, `2`, `2.1`), if there is such a step.
    #[must_use]
    pub fn step(&self, path: &str) -> Option<StepDetail> {
        let place = self.find(path)?;
        let problems = Problems::new(self.diagnostics());
        let source = RowSource { text: self.text(), lines: self.lines(), problems: &problems };
        let row = row(place.run, place.prefix, place.step, place.depth, source);
        let source = self.source().and_then(|root| source_of(root, path));
        Some(detail(place, row, source, self.form()))
    }
}

/// Everything to be seen at one step. `source` is its node, where a document of that form spells it out.
fn detail(place: StepRef<'_>, row: StepRow, source: Option<&Node>, form: Form) -> StepDetail {
    let timeline = &place.run.timeline;
    let turn = timeline.turn_at(place.step);
    StepDetail {
        row,
        state: state_layer(timeline, place.step),
        flow: flow(place),
        llm: turn
            .filter(|turn| turn.kind.value == TurnKind::LlmCall)
            .map(|turn| llm(place.run, place.step, turn)),
        tool: turn.and_then(|turn| turn.tool.as_ref()).map(tool),
        raw: raw(place, turn, source, form),
    }
}

fn raw(place: StepRef<'_>, turn: Option<&Turn>, source: Option<&Node>, form: Form) -> Value {
    let timeline = &place.run.timeline;
    // Runs of other agents inside a partial document stay as they are when it is filled in.
    let is_filled = form == Form::Partial && place.depth == 0;
    match (source, turn) {
        (Some(source), Some(turn)) if is_filled => write::completed_turn(&source.to_value(), turn),
        (Some(source), None) if is_filled => {
            let own = Some(source.to_value()).filter(|own| !own.is_null());
            write::completed_initial_state(own.as_ref(), timeline.transcript())
        }
        (Some(source), _) => source.to_value(),
        (None, None) => write::initial_state(timeline.transcript()),
        (None, Some(turn)) => {
            let before = place.step - 1;
            let store = timeline.store_at(before).iter().filter(|_| matches!(turn.sent, Sent::Visible));
            let visible = store.filter(|stored| stored.visible_at(before));
            write::turn(turn, visible.map(|stored| &stored.message.id.value))
        }
    }
}

fn state_layer(timeline: &Timeline, step: usize) -> StateLayer {
    let context = timeline.context_at(step);
    let changes = step.checked_sub(1).map(|before| changes(&timeline.context_at(before), &context));
    let agents = timeline.agent_contexts_at(step);
    let agents = agents.map(|(agent, context)| (agent.to_owned(), Value::Object(context))).collect();
    StateLayer { changes: changes.unwrap_or_default(), context, agents }
}

pub(super) fn changes(before: &Map<String, Value>, after: &Map<String, Value>) -> Vec<Change> {
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

fn flow(place: StepRef<'_>) -> MessageFlow {
    let store = place.run.timeline.store_at(place.step).iter().zip(&place.run.shown);
    let store: Vec<MessageView> = store.map(|(stored, shown)| message(place, stored, shown)).collect();
    let visible = store.iter().filter(|message| message.visible).map(|message| message.id.clone()).collect();
    MessageFlow { store, visible }
}

fn message(place: StepRef<'_>, stored: &Stored, shown: &MessageSummary) -> MessageView {
    let last_change = stored.last_change(place.step);
    let visible = last_change.is_none_or(|(_, visible)| visible);
    let hidden_at = last_change.filter(|(at, visible)| !visible && *at > stored.created);
    let Message { id, tool_call_id, tool_name, agent, .. } = &stored.message;
    MessageView {
        id: id.value.clone(),
        role: shown.role.clone(),
        content: shown.content.clone(),
        tool_calls: shown.tool_calls.clone(),
        tool_call_id: tool_call_id.as_ref().map(|id| id.value.clone()),
        tool_name: tool_name.clone(),
        agent: agent.clone(),
        visible,
        created_here: stored.created == place.step,
        visibility_changed_here: stored.changed_at(place.step),
        hidden_since: hidden_at.map(|(at, _)| format!("{}{at}", place.prefix)),
    }
}

fn llm(run: &Run, step: usize, turn: &Turn) -> LlmLayer {
    let timeline = &run.timeline;
    let sent = timeline.sent(step);
    let before = timeline.store_at(step - 1);
    let mut withheld = vec![sent.is_some(); before.len()];
    for at in sent.iter().flatten().filter_map(|sent| sent.stored) {
        if let Some(withheld) = withheld.get_mut(at) {
            *withheld = false;
        }
    }
    let withheld = before.iter().zip(withheld).filter(|(_, withheld)| *withheld);
    let withheld = withheld.map(|(stored, _)| stored.message.id.value.clone()).collect();
    let mut config = timeline.transcript().agent_settings(turn);
    config.shift_remove("tools");
    config.shift_remove("context");
    config.extend(turn.config.clone());
    let response = turn.response.as_ref();
    let text = |content: Option<&Content>| content.map(Content::to_text);
    LlmLayer {
        sent: sent.map(|sent| sent.iter().filter_map(|sent| sent_view(run, sent)).collect()),
        withheld,
        config,
        content: text(response.and_then(|response| response.content.as_ref())),
        tool_calls: response
            .map(|response| response.tool_calls.iter().map(ToolCall::from).collect())
            .unwrap_or_default(),
        reasoning: text(response.and_then(|response| response.reasoning.as_ref())),
        refusal: text(response.and_then(|response| response.refusal.as_ref())),
        usage: response.and_then(|response| response.usage.clone()),
        error: turn.error.clone(),
    }
}

pub(super) fn sent_view(run: &Run, sent: &SentMessage<'_>) -> Option<SentView> {
    let message = sent.message?;
    let MessageSummary { role, content, tool_calls } = match sent.stored.and_then(|at| run.shown.get(at)) {
        Some(shown) => shown.clone(),
        None => MessageSummary::new(message),
    };
    Some(SentView {
        id: sent.stored.map(|_| message.id.value.clone()),
        role,
        content: sent.content.map_or(content, |seen| Some(content_text(seen))),
        tool_calls,
        transformed: sent.content.is_some_and(|seen| message.content.as_ref() != Some(seen)),
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
