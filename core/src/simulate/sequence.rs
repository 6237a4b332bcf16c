//! What models would refuse in a sequence of messages, in the Python library's wording.

use super::message::SimMessage;
use crate::encoding::python;
use crate::text::Set;
use serde_json::Value;

/// The issues of a history, in the library's order: unanswered calls, then repeated speakers, then late
/// instructions.
pub(super) fn issues(messages: &[SimMessage]) -> Vec<String> {
    let mut found = Vec::new();
    calls(messages, &mut found);
    turns(messages, &mut found);
    late_instructions(messages, &mut found);
    found
}

/// Only an answer right after its call counts; otherwise the call stays open.
fn calls(messages: &[SimMessage], found: &mut Vec<String>) {
    // Open calls in order, each with the message that made it.
    let mut open: Vec<(String, usize)> = Vec::new();
    let mut seen: Set<String> = Set::new();
    let mut counted = 0;
    for (index, message) in messages.iter().enumerate() {
        if !message.tool_calls.is_empty() {
            for call in &message.tool_calls {
                seen.insert(call.id.clone());
                match open.iter_mut().find(|(id, _)| *id == call.id) {
                    Some(other) => {
                        found.push(format!("Duplicate tool_call_id '{}' at index {index}", call.id));
                        other.1 = index;
                    }
                    None => open.push((call.id.clone(), index)),
                }
            }
            let last = index + message.tool_calls.len();
            for (at, next) in messages.iter().enumerate().take(last + 1).skip(index + 1) {
                if next.role != "tool" {
                    found.push(format!(
                        "Expected tool response at index {at}, but found {} message",
                        next.role
                    ));
                    break;
                }
                counted = at + 1;
                let id = next.tool_call_id.as_deref().unwrap_or("");
                match open.iter().position(|(call, _)| call == id) {
                    Some(place) => {
                        open.remove(place);
                    }
                    None => found
                        .push(format!("Tool response at index {at} references unknown tool_call_id '{id}'")),
                }
            }
        } else if message.role == "tool" {
            let id = message.tool_call_id.as_deref().unwrap_or("");
            if index < counted || open.iter().any(|(call, _)| call == id) {
                continue;
            }
            let caller = messages.iter().take(index).rposition(|earlier| {
                seen.contains(id) && earlier.tool_calls.iter().any(|call| call.id == id)
            });
            found.push(match caller {
                Some(caller) => format!(
                    "Tool response at index {index} appears out of sequence (should immediately follow assistant message at index {caller})"
                ),
                None => format!("Tool response at index {index} has no corresponding tool call"),
            });
        } else if !open.is_empty() {
            let names = open.iter().map(|(id, _)| id.clone());
            found.push(format!(
                "Unresolved tool calls {} before {} message at index {index}",
                listed(names),
                message.role
            ));
        }
    }
    if !open.is_empty() {
        let names = open.iter().map(|(id, from)| format!("{id} (from message {from})"));
        found.push(format!("Unresolved tool calls at end of sequence: {}", listed(names)));
    }
}

fn listed(names: impl Iterator<Item = String>) -> String {
    python::repr(&Value::Array(names.map(Value::String).collect()))
}

fn turns(messages: &[SimMessage], found: &mut Vec<String>) {
    let begin = messages.iter().take_while(|message| message.role == "system").count();
    let mut last: Option<(usize, &SimMessage)> = None;
    let mut tool_between = false;
    for (index, message) in messages.iter().enumerate().skip(begin) {
        if message.role == "tool" {
            tool_between = true;
            continue;
        }
        if let Some((before, earlier)) = last
            && earlier.role == message.role
            && message.role != "system"
        {
            let calls = !message.tool_calls.is_empty() || !earlier.tool_calls.is_empty();
            if message.role != "assistant" || !(tool_between || calls) {
                let role = &message.role;
                found.push(format!("Consecutive {role} messages at indices {before} and {index}"));
            }
        }
        last = Some((index, message));
        tool_between = false;
    }
}

fn late_instructions(messages: &[SimMessage], found: &mut Vec<String>) {
    let last = messages.iter().rposition(|message| message.role == "system");
    let first_other = messages.iter().position(|message| message.role != "system");
    if let (Some(last), Some(first_other)) = (last, first_other)
        && last > first_other
    {
        found.push(format!(
            "System message at index {last} appears after non-system messages (consider model compatibility)"
        ));
    }
}
