//! Calls and results without ids, which some vendors send.

use super::{Message, ToolCall};

/// Gives calls without ids the names of their tools as ids; the second call of a tool gets a number.
pub(super) fn name_calls(calls: &mut [ToolCall]) {
    for at in 0..calls.len() {
        let Some((call, before)) = calls.get_mut(..=at).and_then(<[ToolCall]>::split_last_mut) else {
            return;
        };
        if call.id.is_empty() {
            let number = before.iter().filter(|other| other.name == call.name).count() + 1;
            call.id = if number == 1 { call.name.clone() } else { format!("{}_{number}", call.name) };
        }
    }
}

/// The call that a result without an id answers. Results of one tool come in the order of its calls;
/// results without a name, which is empty then, in the order of all calls.
pub(crate) fn answered_call<'m, M>(
    before: &'m [M],
    name: &str,
    read: impl Fn(&'m M) -> (&'m str, Option<&'m str>, &'m [ToolCall]),
) -> Option<&'m ToolCall> {
    let mut nth = 0;
    for message in before.iter().rev() {
        match read(message) {
            ("tool", other, _) => nth += usize::from(name.is_empty() || other == Some(name)),
            (_, _, calls) => {
                return calls.iter().filter(|call| name.is_empty() || call.name == name).nth(nth);
            }
        }
    }
    None
}

/// Gives every call of a list of numbered messages an id, and every result the id and the name of its call.
pub(super) fn link_results(messages: &mut [(usize, Message)]) {
    for at in 0..messages.len() {
        let Some(((_, message), before)) = messages.get_mut(..=at).and_then(<[_]>::split_last_mut) else {
            return;
        };
        name_calls(&mut message.calls);
        if message.role == "tool" && message.tool_call_id.is_none() {
            let name = message.name.as_deref().unwrap_or_default();
            let call = answered_call(before, name, |(_, one)| {
                (one.role.as_str(), one.name.as_deref(), one.calls.as_slice())
            });
            if let Some(call) = call {
                message.tool_call_id = Some(call.id.clone());
                message.name = Some(call.name.clone());
            }
        }
    }
}
