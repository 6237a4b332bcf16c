//! The requests of all model calls, as messages of a chat completion: every message once, and each call as
//! the places of its messages, so that the size of a long run stays linear.

use serde_json::Value;

use super::entries::read_content;
use super::losses::{Losses, Part};
use crate::model::TurnKind;
use crate::replay::{SentMessage, Timeline};
use crate::text::Table;
use crate::wire::openai_chat::encode_message;

/// The calls of a run and of the runs inside it.
#[derive(Debug, Default)]
pub(super) struct Requests {
    pub messages: Vec<Value>,
    /// For each call, the ranges of messages that it was sent, with exclusive ends.
    pub calls: Vec<Vec<(usize, usize)>>,
    /// Whether a call failed.
    pub failed: bool,
}

/// Reads the calls in the order of replay: those of a nested run come before their tool returns. A call
/// without a recorded request is reported, for it cannot be requested again.
pub(super) fn requests(timeline: &Timeline, losses: &mut Losses) -> Requests {
    let mut out = Requests::default();
    out.run(timeline, losses);
    out
}

/// The numbers of calls with and without a recorded request, in the run and its nested runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RequestCounts {
    pub recorded: usize,
    pub unrecorded: usize,
}

pub(super) fn count_requests(timeline: &Timeline) -> RequestCounts {
    let mut counts = RequestCounts::default();
    for (at, turn) in timeline.transcript().turns.iter().enumerate() {
        if turn.kind.value == TurnKind::LlmCall {
            match timeline.sent(at + 1) {
                Some(_) => counts.recorded += 1,
                None => counts.unrecorded += 1,
            }
        }
        if let Some(nested) = turn.tool.as_ref().and_then(|run| run.nested.as_ref()) {
            let inner = count_requests(&Timeline::new((**nested).clone()));
            counts.recorded += inner.recorded;
            counts.unrecorded += inner.unrecorded;
        }
    }
    counts
}

impl Requests {
    fn run(&mut self, timeline: &Timeline, losses: &mut Losses) {
        // The places of this run's stored messages among the written ones.
        let mut places: Table<usize, usize> = Table::new();
        for (at, turn) in timeline.transcript().turns.iter().enumerate() {
            let step = at + 1;
            if let Some(nested) = turn.tool.as_ref().and_then(|run| run.nested.as_ref()) {
                let mut inner = Losses::default();
                self.run(&Timeline::new((**nested).clone()), &mut inner);
                losses.inside(step, turn.span, inner);
            }
            if turn.kind.value != TurnKind::LlmCall {
                continue;
            }
            let Some(sent) = timeline.sent(step) else {
                losses.added(&Part::turn(step, turn.span), "messages_sent_to_llm");
                continue;
            };
            let mut call: Vec<(usize, usize)> = Vec::new();
            for one in &sent {
                let Some(place) = self.place(one, &mut places) else { continue };
                match call.last_mut() {
                    Some((_, end)) if *end == place => *end += 1,
                    _ => call.push((place, place + 1)),
                }
            }
            self.calls.push(call);
            self.failed |= turn.error.is_some();
        }
    }

    /// The place of a message; one that the model saw in different words is written again.
    fn place(&mut self, sent: &SentMessage<'_>, places: &mut Table<usize, usize>) -> Option<usize> {
        let stored = sent.stored.filter(|_| sent.content.is_none());
        if let Some(place) = stored.and_then(|at| places.get(&at)) {
            return Some(*place);
        }
        let message = encode_message(sent.message?, read_content(sent.message?, sent.seen()));
        self.messages.push(message);
        let place = self.messages.len() - 1;
        if let Some(at) = stored {
            places.insert(at, place);
        }
        Some(place)
    }
}
