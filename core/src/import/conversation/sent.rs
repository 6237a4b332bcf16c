//! Matches the messages of a request with the message store, and adds new ones.

use serde_json::Value;

use super::{Conversation, message_entry, message_key};
use crate::model::turn_call_id;
use crate::parse::json_exactly;
use crate::text::{Table, json};
use crate::wire::Message;
use crate::wire::ToolCall;
use crate::write::{SPELLED, message_reference};

impl Conversation {
    /// The messages with the local ids of their calls; calls of no answer here get new ones. A second result
    /// of a call is removed.
    pub(super) fn with_local_call_ids(&mut self, messages: Vec<Message>) -> Vec<Message> {
        let mut seen: Table<String, usize> = Table::new();
        // For each id, its calls in the last message that has it, and how many of them have a result.
        let mut waiting: Table<String, (Vec<String>, usize)> = Table::new();
        let mut out = Vec::with_capacity(messages.len());
        for mut message in messages {
            self.normalize(&mut message);
            let original_ids: Vec<String> = message.calls.iter().map(|call| call.id.clone()).collect();
            for id in original_ids {
                waiting.insert(id, Default::default());
            }
            for call in &mut message.calls {
                let nth = *seen.entry(call.id.clone()).or_default();
                let id = self.lane().and_then(|lane| lane.ids.get(&call.id)?.get(nth)).cloned();
                let id = id.unwrap_or_else(|| match (nth, call.id.as_str()) {
                    (nth, "") => self.new_id("", turn_call_id(0, nth + 1)),
                    (nth, original_id) => {
                        let id = self.new_id(original_id, original_id.to_owned());
                        // Another conversation used it first.
                        if nth == 0 && id != original_id {
                            self.note_renamed(original_id, &id);
                        }
                        id
                    }
                });
                let original_id = std::mem::replace(&mut call.id, id.clone());
                waiting.entry(original_id.clone()).or_default().0.push(id);
                *seen.entry(original_id).or_default() += 1;
            }
            if let Some(tool_call_id) = &message.tool_call_id
                && let Some((ids, count)) = waiting.get_mut(tool_call_id)
            {
                match ids.get(*count) {
                    Some(id) => {
                        *count += 1;
                        message.tool_call_id = Some(id.clone());
                    }
                    None if message.role == "tool" => {
                        self.keep_repeated_result(&message);
                        continue;
                    }
                    None => {}
                }
            }
            out.push(message);
        }
        out
    }

    /// An unused id for a call with this original id; `wanted` where it is free.
    pub(super) fn new_id(&mut self, original_id: &str, wanted: String) -> String {
        let mut count = self.lane().and_then(|lane| lane.ids.get(original_id)).map_or(1, Vec::len);
        let mut id = wanted.clone();
        while self.call_ids.contains(id.as_str()) {
            count += 1;
            id = format!("{wanted}_{count}");
        }
        self.call_ids.insert(id.clone());
        self.lane_mut().ids.entry(original_id.to_owned()).or_default().push(id.clone());
        id
    }

    /// What the model was sent, as references to the store; new messages are added to it.
    pub(super) fn sent_references(&mut self, messages: &[Message], agent: &str) -> Value {
        let mut seen: Table<String, usize> = Table::new();
        let mut places: Vec<Option<usize>> = Vec::with_capacity(messages.len());
        for message in messages {
            let key = message_key(message);
            let nth = seen.entry(key.clone()).or_default();
            places.push(self.lane().and_then(|lane| lane.by_key.get(&key)?.get(*nth)).copied());
            *nth += 1;
        }
        let last = places.iter().rposition(Option::is_some);
        let mut sent = Vec::with_capacity(messages.len());
        let mut before = None;
        let is_later = self.lane().is_some_and(|lane| lane.call_count > 0);
        let mut unheard = 0;
        for (at, (message, place)) in messages.iter().zip(&places).enumerate() {
            if let Some(known) = place.and_then(|place| self.stored.get(place)) {
                sent.push(message_reference(&known.id));
                before = *place;
                continue;
            }
            if let Some(place) = self.find_reworded(message, before) {
                let id = self.stored.get(place).map(|known| known.id.as_str()).unwrap_or_default();
                sent.push(json!({"ref": id, "content": message.content}));
                before = Some(place);
            } else if let Some(id) = self.take_pending_result(message) {
                sent.push(message_reference(id));
            } else if last.is_some_and(|last| at < last) {
                sent.push(message_entry(None, message, "").into_value());
            } else if let Some(more) = self.without_known_calls(message) {
                if !more.calls.is_empty() {
                    self.append_message(&more, agent, None);
                }
                sent.push(message_entry(None, message, "").into_value());
            } else if self.is_answered(message) {
                // Its text differs from the result of the call.
                sent.push(message_entry(None, message, "").into_value());
            } else {
                unheard += usize::from(is_later && message.role == "assistant");
                let id = self.next_id();
                self.append_message(message, agent, None);
                sent.push(message_reference(&id));
                before = Some(self.stored.len() - 1);
            }
        }
        if unheard > 0 {
            self.note_unrecorded_answers(unheard);
        }
        Value::Array(sent)
    }

    /// What was sent, as one word if that is every message so far, so that long runs do not grow
    /// quadratically.
    pub(super) fn shortened(&mut self, sent: Value) -> Value {
        let list = sent.as_array().map_or(&[][..], Vec::as_slice);
        self.references += list.len();
        let is_all = self.lanes.len() == 1
            && list.len() == self.stored.len()
            && list.iter().zip(&self.stored).all(|(one, known)| {
                let id = one.get("ref").and_then(Value::as_str);
                one.as_object().is_some_and(|one| one.len() == 1) && id == Some(known.id.as_str())
            });
        if !is_all {
            return sent;
        }
        self.sent_all.push((self.run.turns.len(), list.len()));
        "visible".into()
    }

    /// Spells out the messages sent by calls that refer to them in a word, unless the run has more references than
    /// [`SPELLED`](crate::write::SPELLED).
    pub(super) fn spell_out(&mut self) {
        if self.references > SPELLED && self.linear.hidden.is_empty() {
            return;
        }
        for (turn, count) in std::mem::take(&mut self.sent_all) {
            let sent: Value =
                self.stored.iter().take(count).map(|known| message_reference(&known.id)).collect();
            if let Some(place) =
                self.run.turns.get_mut(turn).and_then(|turn| turn.get_mut("messages_sent_to_llm"))
            {
                *place = sent;
            }
        }
    }

    /// The answer that a message repeats with other text: the one with its calls, or the one after the
    /// previous message.
    fn find_reworded(&self, message: &Message, before: Option<usize>) -> Option<usize> {
        if message.role != "assistant" {
            return None;
        }
        let place = match message.calls.first() {
            Some(call) => *self.lane()?.by_call.get(&call.id)?,
            None => before? + 1,
        };
        let known = self.stored.get(place).filter(|known| known.role == "assistant")?;
        // The calls are the same.
        let own: Value = json_exactly(&known.key)?;
        let calls = json_exactly(&message_key(message))?;
        (own.get(2) == calls.get(2)).then_some(place)
    }

    /// A message without its calls from messages here, if its other content differs; `None` if none of its
    /// calls is known.
    fn without_known_calls(&self, message: &Message) -> Option<Message> {
        let is_known = |call: &&ToolCall| self.lane().is_some_and(|lane| lane.by_call.contains_key(&call.id));
        let calls: Vec<ToolCall> = message.calls.iter().filter(|call| !is_known(call)).cloned().collect();
        (calls.len() < message.calls.len()).then(|| Message { calls, ..message.clone() })
    }
}
