//! The request that the recording expects next, updated from call to call.

use super::recorded::Recording;
use crate::canonical::NormalizedMessages;
use crate::model::Sent;

/// The messages that a step was sent. Advancing to a later step costs what has changed in between.
#[derive(Clone, Debug, Default)]
pub(super) struct ExpectedRequest {
    messages: NormalizedMessages,
    /// The step these are of, and the place in the store of each message that went in, when the step was sent
    /// all that was visible.
    visible: Option<(usize, Vec<usize>)>,
    step: usize,
    is_recorded: bool,
}

impl ExpectedRequest {
    /// Moves to the request of `step`.
    pub(super) fn move_to(&mut self, recording: &Recording, step: usize) {
        if std::mem::replace(&mut self.step, step) == step {
            return;
        }
        let Some(turn) = recording.timeline.turn_at(step) else { return };
        self.is_recorded = !matches!(turn.sent, Sent::Unrecorded);
        if !matches!(turn.sent, Sent::Visible) {
            self.visible = None;
            self.messages.update(recording.sent(step).unwrap_or_default());
            return;
        }
        match self.visible.take() {
            Some((from, places)) if from < step => self.advance(recording, from, step, places),
            _ => self.rebuild(recording, step),
        }
    }

    fn rebuild(&mut self, recording: &Recording, step: usize) {
        let before = step.saturating_sub(1);
        let store = recording.timeline.store_at(before).iter().enumerate();
        let places = store.filter(|(_, message)| message.visible_at(before)).map(|(at, _)| at).collect();
        self.messages.update(recording.sent(step).unwrap_or_default());
        self.visible = Some((step, places));
    }

    fn advance(&mut self, recording: &Recording, from: usize, step: usize, mut places: Vec<usize>) {
        let before = step.saturating_sub(1);
        let known = recording.timeline.store_at(from.saturating_sub(1)).len();
        let first = recording.timeline.first_change(from, before).map_or(known, |first| first.min(known));
        let kept = places.partition_point(|&place| place < first);
        places.truncate(kept);
        self.messages.truncate_raw(kept);
        let store = recording.timeline.store_at(before).iter().enumerate().skip(first);
        for (at, _) in store.filter(|(_, message)| message.visible_at(before)) {
            if let Some(message) = recording.stored(at) {
                self.messages.push(message.clone());
                places.push(at);
            }
        }
        self.visible = Some((step, places));
    }

    /// Whether the request of the step is recorded.
    pub(super) fn is_recorded(&self) -> bool {
        self.is_recorded
    }

    /// The messages.
    pub(super) fn messages(&self) -> &NormalizedMessages {
        &self.messages
    }

    /// Counts changes from here on.
    pub(super) fn mark(&mut self) {
        self.messages.mark();
    }
}
