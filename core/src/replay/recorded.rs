//! A recorded call's messages in canonical form.

use crate::text::Table;
use std::rc::Rc;

use serde_json::Value;

use super::timeline::{SentMessage, Timeline};
use crate::canonical::{CanonicalMessage, Config};
use crate::model::{Content, Message, Role, Text};
use crate::wire::{ToolCall, part};

/// A recording with messages in canonical form, computed once for all its calls.
#[derive(Debug)]
pub(super) struct Recording {
    pub timeline: Timeline,
    /// In the order of the store.
    stored: Vec<Rc<CanonicalMessage>>,
    failed: FailedMessages,
}

impl Recording {
    pub(super) fn new(timeline: Timeline) -> Self {
        let failed = FailedMessages::new(&timeline);
        let stored = timeline.stored().iter().enumerate().map(|(at, stored)| {
            let is_error = failed.is_failure(Some(at), &stored.message);
            Rc::new(to_canonical(&stored.message, stored.message.content.as_ref(), is_error))
        });
        Self { stored: stored.collect(), failed, timeline }
    }

    /// A message of the store.
    pub(super) fn stored(&self, at: usize) -> Option<&Rc<CanonicalMessage>> {
        self.stored.get(at)
    }

    /// Every message of the store.
    pub(super) fn into_stored(self) -> Vec<Rc<CanonicalMessage>> {
        self.stored
    }

    /// The request of `step`, before the rules for all formats; `None` if not recorded.
    pub(super) fn sent(&self, step: usize) -> Option<Vec<Rc<CanonicalMessage>>> {
        let sent = self.timeline.sent(step)?;
        Some(sent.iter().filter_map(|sent| self.resolve_sent(sent)).collect())
    }

    /// The model, the settings and the tools of a call: its own, and those of its agent.
    pub(super) fn config(&self, step: usize) -> Option<Config> {
        let (turn, run) = (self.timeline.turn_at(step)?, self.timeline.transcript());
        Some(Config::new(&turn.config).with_agent_defaults(Config::new(&run.agent_settings(turn))))
    }

    fn resolve_sent(&self, sent: &SentMessage<'_>) -> Option<Rc<CanonicalMessage>> {
        let known = sent.stored.filter(|_| sent.content.is_none()).and_then(|at| self.stored.get(at));
        Some(match known {
            Some(known) => known.clone(),
            None => {
                let is_error = self.failed.is_failure(sent.stored, sent.message?);
                Rc::new(to_canonical(sent.message?, sent.seen(), is_error))
            }
        })
    }
}

/// The tool messages that report a failure: according to the run or, for a message without a run, to its own
/// `tool_response`.
#[derive(Debug)]
pub(crate) struct FailedMessages {
    /// By index in the store: whether the message's own run failed, also for calls without ids.
    by_message: Table<usize, bool>,
    by_call: Table<Text, bool>,
}

impl FailedMessages {
    pub(crate) fn new(timeline: &Timeline) -> Self {
        let mut failures = Self { by_message: Table::new(), by_call: Table::new() };
        for (index, turn) in timeline.transcript().turns.iter().enumerate() {
            let Some(run) = &turn.tool else { continue };
            if turn.created.is_some()
                && let Some(at) = timeline.store_at(index + 1).len().checked_sub(1)
            {
                failures.by_message.insert(at, !run.success);
            }
            if let Some(id) = &run.id {
                failures.by_call.insert(id.value.clone(), !run.success);
            }
        }
        failures
    }

    /// Whether a message, with its position in the store if it has one, reports a failed tool.
    pub(crate) fn is_failure(&self, at: Option<usize>, message: &Message) -> bool {
        let of_message = at.and_then(|at| self.by_message.get(&at));
        let of_call = || self.by_call.get(&message.tool_call_id.as_ref()?.value);
        let own = || Some(!message.tool_response()?.success?);
        message.role.value == Role::Tool
            && of_message.copied().or_else(own).or_else(|| of_call().copied()).unwrap_or(false)
    }
}

pub(super) fn to_canonical(message: &Message, seen: Option<&Content>, is_error: bool) -> CanonicalMessage {
    let is_tool = message.role.value == Role::Tool;
    let parsed = match seen {
        None => part::ParsedContent::default(),
        Some(Content::Text(text)) => {
            part::ParsedContent { text: text.to_string(), ..part::ParsedContent::default() }
        }
        Some(Content::Data(data)) if is_tool => part::parse_tool_content(data),
        Some(Content::Data(data)) => part::parse_content(data),
    };
    let calls = message.tool_calls.iter().map(ToolCall::from);
    let tool_calls = if message.tool_calls.is_empty() { parsed.calls } else { calls.collect() };
    let parsed = part::ParsedContent { calls: Vec::new(), ..parsed };
    let content = match is_tool {
        true if seen.is_none() => {
            CanonicalMessage { result: Some(Value::Null), ..CanonicalMessage::default() }
        }
        true => CanonicalMessage::from_tool_content(parsed),
        false => {
            CanonicalMessage { content: parsed.text, parts: parsed.parts, ..CanonicalMessage::default() }
        }
    };
    CanonicalMessage {
        role: message.role.value.name().to_owned(),
        tool_calls,
        tool_call_id: message.tool_call_id.as_ref().filter(|_| is_tool).map(|id| id.value.to_string()),
        name: message.tool_name.as_ref().filter(|_| is_tool).map(ToString::to_string),
        is_error,
        ..content
    }
}
