//! A recorded call's messages in canonical form.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{CanonicalCall, CanonicalMessage, normalised, result_of_text};
use crate::model::{Content, Role, Text};
use crate::replay::timeline::{SentMessage, Timeline};

/// What the model was sent in `step` of a recording; `None` when that is not recorded.
///
/// Only the call tells whether a tool failed, so failures are looked up by call id.
pub(in crate::replay) fn recorded(
    timeline: &Timeline,
    failed: &BTreeMap<Text, bool>,
    step: usize,
) -> Option<Vec<CanonicalMessage>> {
    let sent = timeline.sent(step)?;
    Some(normalised(sent.iter().filter_map(|sent| message(sent, failed)).collect()))
}

fn message(sent: &SentMessage<'_>, failed: &BTreeMap<Text, bool>) -> Option<CanonicalMessage> {
    let message = sent.message?;
    let text = sent.seen().map(Content::to_text).unwrap_or_default();
    let role = message.role.value.name().to_owned();
    if message.role.value == Role::Tool {
        let id = message.tool_call_id.as_ref().map(|id| &id.value);
        return Some(CanonicalMessage {
            role,
            tool_call_id: id.map(ToString::to_string),
            name: message.tool_name.as_ref().map(ToString::to_string),
            result: Some(result_of_text(&text)),
            is_error: id.and_then(|id| failed.get(id)).copied().unwrap_or(false),
            ..CanonicalMessage::default()
        });
    }
    Some(CanonicalMessage {
        role,
        content: text,
        tool_calls: message
            .tool_calls
            .iter()
            .map(|call| CanonicalCall {
                id: call.id.as_ref().map(|id| id.value.to_string()).unwrap_or_default(),
                name: call.name.value.to_string(),
                arguments: call.arguments.clone(),
            })
            .collect(),
        ..CanonicalMessage::default()
    })
}

/// Whether each tool run of a recording failed, by call id.
pub(in crate::replay) fn failures(timeline: &Timeline) -> BTreeMap<Text, bool> {
    let runs = timeline.transcript().turns.iter().filter_map(|turn| turn.tool.as_ref());
    runs.filter_map(|run| Some((run.id.as_ref()?.value.clone(), !run.success))).collect()
}

/// A message as data, for showing it.
pub(in crate::replay) fn to_value(message: &CanonicalMessage) -> Value {
    serde_json::to_value(message).unwrap_or_default()
}
