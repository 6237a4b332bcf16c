//! Messages in canonical form that grow and shrink at their end, without being recomputed.

use crate::text::Table;
use std::rc::Rc;

use super::{CanonicalMessage, KnownMessages, ToolCall};
use crate::wire::answered_call;

/// A list of messages under the rules that hold for all formats.
#[derive(Clone, Debug, Default)]
pub(crate) struct NormalizedMessages {
    raw: KnownMessages<Rc<CanonicalMessage>>,
    out: KnownMessages<Rc<CanonicalMessage>>,
    /// For each message of `out` the index of the first message of `raw` in it.
    starts: Vec<usize>,
    calls: LocalCalls,
}

impl NormalizedMessages {
    /// The messages in canonical form.
    pub(crate) fn messages(&self) -> &[Rc<CanonicalMessage>] {
        self.out.as_slice()
    }

    /// The messages that went in.
    pub(crate) fn raw(&self) -> &[Rc<CanonicalMessage>] {
        self.raw.as_slice()
    }

    /// The index of the first raw message in a canonical one.
    pub(crate) fn raw_index(&self, at: usize) -> Option<usize> {
        self.starts.get(at).copied()
    }

    /// How many of the messages are as they were at the last mark.
    pub(crate) fn unchanged(&self) -> usize {
        self.out.unchanged()
    }

    /// How many of the messages that went in are as they were at the last mark.
    pub(crate) fn unchanged_raw(&self) -> usize {
        self.raw.unchanged()
    }

    /// Counts changes from here on.
    pub(crate) fn mark(&mut self) {
        self.out.mark();
        self.raw.mark();
    }

    /// Takes over the messages of the next request. Known ones are unchanged.
    pub(crate) fn update(&mut self, list: Vec<Rc<CanonicalMessage>>) {
        let known = self.raw.count_known(&list);
        self.truncate_raw(known);
        list.into_iter().skip(known).for_each(|message| self.push(message));
    }

    /// Adds a message at the end.
    pub(crate) fn push(&mut self, message: Rc<CanonicalMessage>) {
        let at = self.raw().len();
        self.raw.push(message.clone());
        self.add(message, at);
    }

    fn add(&mut self, mut message: Rc<CanonicalMessage>, at: usize) {
        if message.role == "developer" {
            "system".clone_into(&mut Rc::make_mut(&mut message).role);
        }
        let continues = message.role == "assistant"
            && self.messages().last().is_some_and(|last| last.role == "assistant");
        match (message.tool_call_id.as_deref(), &message.name) {
            // A result without the id of its call, and with an empty name if it has none either.
            (Some(""), Some(name)) if message.role == "tool" => {
                let call = answered_call(self.messages(), name, |one| {
                    (one.role.as_str(), one.name.as_deref(), one.tool_calls.as_slice())
                });
                let (id, tool) = call.map(|call| (call.id.clone(), call.name.clone())).unwrap_or_default();
                let is_nameless = name.is_empty();
                let message = Rc::make_mut(&mut message);
                message.tool_call_id = Some(id).filter(|id| !id.is_empty());
                if is_nameless {
                    message.name = Some(tool).filter(|tool| !tool.is_empty());
                }
            }
            _ => self.calls.localize(&mut message, self.starts.len() - usize::from(continues)),
        }
        let count = self.messages().len();
        if continues && let Some(last) = self.out.get_mut(count.saturating_sub(1)) {
            append(Rc::make_mut(last), CanonicalMessage::clone(&message));
        } else {
            self.out.push(message);
            self.starts.push(at);
        }
    }

    /// Keeps the first `count` raw messages.
    pub(crate) fn truncate_raw(&mut self, count: usize) {
        let Some(dropped) = self.raw.as_slice().get(count..).filter(|dropped| !dropped.is_empty()) else {
            return;
        };
        let mut whole = self.starts.partition_point(|&start| start < count);
        let mut again = count;
        // The last message of `out` may contain raw messages from both sides.
        if self.starts.get(whole) != Some(&count) {
            whole = whole.saturating_sub(1);
            again = self.starts.get(whole).copied().unwrap_or_default();
        }
        if again == count && dropped.iter().all(|message| message.tool_calls.is_empty()) {
            let results = dropped.iter().filter_map(|message| message.answered_call());
            results.for_each(|id| self.calls.reopen(id));
        } else {
            self.calls = LocalCalls::default();
            for (at, message) in self.raw.as_slice().iter().take(again).enumerate() {
                let group = self.starts.partition_point(|&start| start <= at).saturating_sub(1);
                self.calls.localize(&mut Rc::clone(message), group);
            }
        }
        self.raw.truncate(count);
        self.out.truncate(whole);
        self.starts.truncate(whole);
        for at in again..count {
            if let Some(message) = self.raw().get(at).cloned() {
                self.add(message, at);
            }
        }
    }
}

/// Makes an assistant's next message a part of the one before it.
fn append(last: &mut CanonicalMessage, mut next: CanonicalMessage) {
    if !next.parts.is_empty() {
        let before = last.content.chars().count();
        for at in next.parts.iter_mut().filter_map(|part| part.get_mut("at")) {
            *at = at.as_u64().map_or(0, |at| at + before as u64).into();
        }
    }
    last.content.push_str(&next.content);
    last.parts.append(&mut next.parts);
    last.tool_calls.append(&mut next.tool_calls);
    last.repeated_ids.append(&mut next.repeated_ids);
}

/// The calls so far. Models and servers that restart their count give one id to many calls; each has an id of its
/// own here, by the rule of imported and recorded runs: the second call `c` is `c_2`.
#[derive(Clone, Debug, Default)]
struct LocalCalls {
    /// The tool of each call, by its id here.
    tools: Table<String, String>,
    /// By original id.
    originals: Table<String, SameId>,
}

/// The calls with one original id.
#[derive(Clone, Debug, Default)]
struct SameId {
    count: usize,
    /// The last message that has any.
    group: usize,
    /// The id and the tool of each in that message. Results answer them in order.
    calls: Vec<(String, String)>,
    results: usize,
}

impl LocalCalls {
    /// Sets the ids of the calls of a message, and the call and the tool of a result. Calls without ids stay so.
    fn localize(&mut self, message: &mut Rc<CanonicalMessage>, group: usize) {
        let added: Vec<(String, bool)> =
            message.tool_calls.iter().map(|call| self.add(call, group)).collect();
        if message.tool_calls.iter().zip(&added).any(|(call, (id, _))| call.id != *id) {
            let message = Rc::make_mut(message);
            for (call, (id, is_repeated)) in message.tool_calls.iter_mut().zip(added) {
                message.repeated_ids.extend(is_repeated.then(|| id.clone()));
                call.id = id;
            }
        }
        let Some(original) = message.answered_call() else { return };
        let call = self.originals.get_mut(original).and_then(|same| {
            same.results += 1;
            same.calls.get(same.results - 1)
        });
        let id = call.map_or(original, |(id, _)| id.as_str());
        let tool = call.map(|(_, tool)| tool).or_else(|| self.tools.get(id));
        let new_id = (id != original).then(|| id.to_owned());
        let name = tool.filter(|_| message.name.is_none()).cloned();
        if new_id.is_some() || name.is_some() {
            let message = Rc::make_mut(message);
            message.tool_call_id = new_id.or(message.tool_call_id.take());
            message.name = name.or(message.name.take());
        }
    }

    /// The id of a call, and whether an earlier call of its message has the original one.
    fn add(&mut self, call: &ToolCall, group: usize) -> (String, bool) {
        let same = self.originals.entry(call.id.clone()).or_default();
        let mut id = call.id.clone();
        let mut number = same.count.max(1);
        while !id.is_empty() && self.tools.contains_key(&id) {
            number += 1;
            id = format!("{}_{number}", call.id);
        }
        same.count += 1;
        if same.group != group {
            (same.group, same.results) = (group, 0);
            same.calls.clear();
        }
        let is_repeated = !id.is_empty() && !same.calls.is_empty();
        same.calls.push((id.clone(), call.name.clone()));
        self.tools.insert(id.clone(), call.name.clone());
        (id, is_repeated)
    }

    /// Takes back the result of a call.
    fn reopen(&mut self, original: &str) {
        if let Some(same) = self.originals.get_mut(original) {
            same.results = same.results.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_message(role: &str, text: &str) -> CanonicalMessage {
        CanonicalMessage { role: role.to_owned(), content: text.to_owned(), ..CanonicalMessage::default() }
    }

    fn every_kind() -> Vec<CanonicalMessage> {
        let call = |id: &str, name: &str| ToolCall {
            id: id.to_owned(),
            name: name.to_owned(),
            arguments: crate::text::json!({}),
        };
        let result =
            |id: &str| CanonicalMessage { tool_call_id: Some(id.to_owned()), ..text_message("tool", "") };
        let calling = |id: &str, name: &str| CanonicalMessage {
            tool_calls: vec![call(id, name)],
            ..text_message("assistant", "")
        };
        vec![
            text_message("developer", "be kind"),
            text_message("user", "a"),
            text_message("assistant", "b"),
            calling("1", "one"),
            calling("2", "two"),
            result("2"),
            result("1"),
            text_message("assistant", "c"),
            text_message("assistant", "d"),
            calling("1", "again"),
            calling("1", "and again"),
            result("1"),
            result("1"),
            result("1"),
            text_message("user", "e"),
        ]
    }

    #[test]
    fn shrinking_and_growing_gives_what_working_out_anew_gives() {
        let all = every_kind();
        for from in 0..=all.len() {
            for kept in 0..=from {
                let mut grown = NormalizedMessages::default();
                all.iter().take(from).for_each(|message| grown.push(Rc::new(message.clone())));
                grown.mark();
                let marked = grown.messages().to_vec();
                grown.truncate_raw(kept);
                all.iter().skip(kept).for_each(|message| grown.push(Rc::new(message.clone())));
                let mut anew = NormalizedMessages::default();
                all.iter().for_each(|message| anew.push(Rc::new(message.clone())));
                assert_eq!(grown.messages(), anew.messages(), "{from} {kept}");
                let unchanged = grown.unchanged();
                assert_eq!(grown.messages().get(..unchanged), marked.get(..unchanged), "{from} {kept}");
            }
        }
    }
}
