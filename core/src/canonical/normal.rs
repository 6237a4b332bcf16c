//! Messages in canonical form that grow and shrink at their end, without being recomputed.

use crate::text::Table;
use std::rc::Rc;

use super::{CanonicalMessage, KnownMessages, append};

/// A list of messages under the rules that hold for all formats, as [`super::normalised`] applies them.
#[derive(Clone, Debug, Default)]
pub(crate) struct NormalizedMessages {
    raw: KnownMessages<Rc<CanonicalMessage>>,
    out: KnownMessages<Rc<CanonicalMessage>>,
    /// For each message of `out` the index of the first message of `raw` in it.
    starts: Vec<usize>,
    /// The tool of each call so far.
    tools: Table<String, String>,
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
        for call in &message.tool_calls {
            self.tools.insert(call.id.clone(), call.name.clone());
        }
        if message.role == "tool" && message.name.is_none() {
            let name = message.tool_call_id.as_ref().and_then(|id| self.tools.get(id)).cloned();
            if name.is_some() {
                Rc::make_mut(&mut message).name = name;
            }
        }
        let count = self.messages().len();
        let continues = message.role == "assistant"
            && self.messages().last().is_some_and(|last| last.role == "assistant");
        if continues && let Some(last) = self.out.get_mut(count.saturating_sub(1)) {
            append(Rc::make_mut(last), CanonicalMessage::clone(&message));
        } else {
            self.out.push(message);
            self.starts.push(at);
        }
    }

    /// Keeps the first `count` raw messages.
    pub(crate) fn truncate_raw(&mut self, count: usize) {
        let Some(dropped) = self.raw().get(count..).filter(|dropped| !dropped.is_empty()) else { return };
        let names_tools = dropped.iter().any(|message| !message.tool_calls.is_empty());
        self.raw.truncate(count);
        let mut whole = self.starts.partition_point(|&start| start < count);
        // The last message of `out` may contain raw messages from both sides.
        let again = match whole.checked_sub(1).and_then(|last| self.starts.get(last)).copied() {
            Some(start) if self.messages().get(whole - 1).is_some_and(|last| last.role == "assistant") => {
                whole -= 1;
                start
            }
            _ => count,
        };
        self.out.truncate(whole);
        self.starts.truncate(whole);
        if names_tools {
            self.tools = Table::new();
            let calls = self.raw.as_slice().iter().take(again).flat_map(|message| &message.tool_calls);
            for call in calls {
                self.tools.insert(call.id.clone(), call.name.clone());
            }
        }
        for at in again..count {
            if let Some(message) = self.raw().get(at).cloned() {
                self.add(message, at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::super::{ToolCall, normalised};
    use super::*;

    fn text_message(role: &str, text: &str) -> CanonicalMessage {
        CanonicalMessage { role: role.to_owned(), content: text.to_owned(), ..CanonicalMessage::default() }
    }

    fn every_kind() -> Vec<CanonicalMessage> {
        let call = |id: &str, name: &str| ToolCall {
            id: id.to_owned(),
            name: name.to_owned(),
            arguments: serde_json::json!({}),
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
            result("1"),
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
                let anew = normalised(all.iter().map(Cow::Borrowed));
                let grown_messages: Vec<&CanonicalMessage> =
                    grown.messages().iter().map(Rc::as_ref).collect();
                assert_eq!(grown_messages, anew.iter().map(Cow::as_ref).collect::<Vec<_>>(), "{from} {kept}");
                let unchanged = grown.unchanged();
                assert_eq!(grown.messages().get(..unchanged), marked.get(..unchanged), "{from} {kept}");
            }
        }
    }
}
