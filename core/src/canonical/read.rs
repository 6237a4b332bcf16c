//! Reads a framework's messages with the places of faults.

use std::rc::Rc;

use serde_json::Value;

use super::{CanonicalMessage, parse_arguments};
use crate::diagnostic::InvalidInput;
use crate::text::kind_name;
use crate::wire::Decoder;

pub(super) fn wrong_type(place: &str, found: &Value, wanted: &str) -> InvalidInput {
    InvalidInput::from(format!("{place}: expected {wanted}, found {}", kind_name(found)))
}

/// The messages read, and the item that each comes from.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ReadMessages {
    /// How many items of the previous request precede the list, unchanged.
    pub(crate) keep: usize,
    /// Before the rules that hold for all formats are applied.
    pub(crate) messages: Vec<Rc<CanonicalMessage>>,
    /// How many of them precede the list, such as a separate system text.
    pub(crate) head: usize,
    /// How many messages there are after each item of the list.
    pub(crate) bounds: Vec<usize>,
}

impl ReadMessages {
    /// A text that is not part of the list.
    pub(super) fn push_leading(&mut self, message: CanonicalMessage) {
        self.messages.push(Rc::new(message));
        self.head = self.messages.len();
    }

    /// The index of the next item in the list of the host, which the list continues.
    pub(super) fn next_index(&self) -> usize {
        self.keep.saturating_add(self.bounds.len())
    }

    /// Reads each item of a list, which must be `wanted`.
    pub(super) fn read_items<M: IntoIterator<Item = CanonicalMessage>>(
        mut self,
        (list, wanted): (&str, &str),
        items: &[Value],
        read: impl Fn(&Value, &mut Decoder) -> M,
    ) -> Result<Self, InvalidInput> {
        let mut decoder = Decoder { arguments: parse_arguments, problem: None };
        for item in items {
            let index = self.next_index();
            if !item.is_object() {
                return Err(wrong_type(&format!("{list}[{index}]"), item, wanted));
            }
            let messages = read(item, &mut decoder);
            if let Some(problem) = &decoder.problem {
                return Err(InvalidInput::from(format!("{list}[{index}]{problem}")));
            }
            self.push_item(messages);
        }
        Ok(self)
    }

    /// Adds the messages of one item of the list.
    pub(super) fn push_item(&mut self, messages: impl IntoIterator<Item = CanonicalMessage>) {
        self.messages.extend(messages.into_iter().map(Rc::new));
        self.bounds.push(self.messages.len());
    }
}
