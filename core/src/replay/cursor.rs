//! The consecutive requests of a run, for stages that compare runs step by step.

use std::rc::Rc;

use serde_json::Value;

use super::compare::{Comparison, Difference};
use super::expected::ExpectedRequest;
use super::recorded::{Recording, to_canonical};
use super::settings::Ignore;
use super::timeline::Timeline;
use crate::canonical::CanonicalMessage;
use crate::model::{Content, Message};
use crate::wire::ToolCall;

/// The request of each step of a run, in canonical form. Each step costs only what is new.
#[derive(Debug)]
pub(crate) struct RequestCursor {
    recording: Recording,
    expected: ExpectedRequest,
}

impl RequestCursor {
    pub(crate) fn new(timeline: Timeline) -> Self {
        Self { recording: Recording::new(timeline), expected: ExpectedRequest::default() }
    }

    /// Every message of the store, before the rules for lists.
    pub(crate) fn into_stored(self) -> Vec<Rc<CanonicalMessage>> {
        self.recording.into_stored()
    }

    /// Moves to the request of `step`. The messages of the previous step count as already compared.
    pub(crate) fn move_to(&mut self, step: usize) {
        self.expected.mark();
        self.expected.move_to(&self.recording, step);
    }

    /// The first difference of the present request from that of another run. `known` is the difference of the
    /// previous requests.
    pub(crate) fn difference(&self, other: &Self, known: Option<Difference>) -> Option<Difference> {
        let (ours, theirs) = (self.expected.messages(), other.expected.messages());
        let same = ours.unchanged().min(theirs.unchanged());
        let from = match known {
            // Both lists still have those messages, and the difference.
            Some(known) if known.message < same => return Some(known),
            _ => same,
        };
        Comparison::default().difference(ours.messages(), theirs.messages(), from, &Ignore::default())
    }
}

/// A message in canonical form, before the rules for lists, with the text that the model sees of it.
pub(crate) fn canonical_message(
    stored: &Message,
    seen: Option<&Content>,
    is_error: bool,
) -> CanonicalMessage {
    to_canonical(stored, seen, is_error)
}

/// The first difference of two calls, each a tool with its arguments; the path begins with `name` or `arguments`.
pub(crate) fn name_and_arguments_difference(
    (name, arguments): (&str, &Value),
    (other, others): (&str, &Value),
) -> Option<Difference> {
    let call = |name: &str, arguments: &Value| ToolCall {
        id: String::new(),
        name: name.to_owned(),
        arguments: crate::wire::parse_arguments(Some(arguments)),
    };
    let (expected, actual) = (call(name, arguments), call(other, others));
    Comparison::default().name_and_arguments_difference(&expected, &actual, &Ignore::default())
}
