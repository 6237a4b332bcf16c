//! The messages of a request: those that the model can see at the end of a run, as its next call would send
//! them.
//!
//! If the last call was sent text that the store does not have, such as a summary of earlier messages, the
//! next one would be too: what it was sent replaces the store, and later messages follow.

use std::borrow::Cow;

use super::Settings;
use super::chat;
use super::entries::{Entry, entries};
use super::losses::Losses;
use super::rest::{self, Carries};
use crate::model::{Sent, TurnKind};
use crate::replay::{SentMessage, Timeline};
use crate::text::{Set, Table};

/// The messages of a run, and those of a request that continues it.
pub(super) struct RequestConversation<'t> {
    /// Those of the run, oldest first.
    all: Vec<Entry<'t>>,
    /// Those of the request if they differ, and the step of the call that was sent its first ones.
    sent: Option<(usize, Vec<Entry<'t>>)>,
}

impl<'t> RequestConversation<'t> {
    /// Reads a run, and reports which messages no request has.
    pub(super) fn from_timeline(timeline: &'t Timeline, settings: &Settings, losses: &mut Losses) -> Self {
        let all = entries(timeline);
        chat::report_hidden(&all, settings, losses);
        let sent = if settings.all { None } else { as_sent(timeline, &all) };
        if let Some((step, sent)) = &sent {
            let places = Set::from_iter(sent.iter().filter_map(|entry| entry.stored));
            let is_left = |entry: &&Entry<'_>| {
                entry.step < *step && entry.visible && entry.stored.is_none_or(|at| !places.contains(&at))
            };
            all.iter().filter(is_left).for_each(|entry| losses.whole(&entry.part()));
        }
        Self { all, sent }
    }

    /// The messages of the request, if the model can see them.
    pub(super) fn entries(&self) -> &[Entry<'t>] {
        self.sent.as_ref().map_or(&self.all, |(_, sent)| sent)
    }

    /// Reports everything in the run that is not in the request with these messages.
    pub(super) fn report_losses(
        &self,
        timeline: &Timeline,
        carries: &Carries,
        written: &Set<usize>,
        losses: &mut Losses,
    ) {
        let entries = self.entries();
        let written = Set::from_iter(written.iter().filter_map(|at| entries.get(*at)?.stored));
        let is_out = |at: usize| {
            let stored = self.all.get(at).and_then(|entry| entry.stored);
            stored.is_none_or(|at| !written.contains(&at))
        };
        let carries = Carries { sent: self.sent.as_ref().map(|(step, _)| *step), ..*carries };
        rest::report_losses(timeline, &self.all, &carries, is_out, losses);
    }
}

/// The messages of the last call as sent, and all later ones; `None` if it was only sent unchanged messages
/// of the store, or is not recorded.
fn as_sent<'t>(timeline: &'t Timeline, all: &[Entry<'t>]) -> Option<(usize, Vec<Entry<'t>>)> {
    let turns = &timeline.transcript().turns;
    let at = turns.iter().rposition(|turn| turn.kind.value == TurnKind::LlmCall)?;
    let Sent::List(items) = &turns.get(at)?.sent else { return None };
    if items.iter().all(|item| item.inline.is_none() && item.content.is_none()) {
        return None;
    }
    let step = at + 1;
    let stored: Table<usize, &Entry<'t>> = all
        .iter()
        .filter(|entry| entry.step < step)
        .filter_map(|entry| Some((entry.stored?, entry)))
        .collect();
    let entry = |(nth, one): (usize, SentMessage<'t>)| {
        let message = one.message?;
        if let Some(at) = one.stored {
            let mut entry = (*stored.get(&at)?).clone();
            if let Some(content) = one.content {
                entry.message.to_mut().content = Some(content.clone());
            }
            return Some(entry);
        }
        let path = format!("execution[{at}].messages_sent_to_llm[{nth}]");
        let message = Cow::Borrowed(message);
        Some(Entry { message, step, turn: None, visible: true, failed: false, stored: None, path })
    };
    let sent = timeline.sent(step)?.into_iter().enumerate().filter_map(entry);
    let after = all.iter().filter(|entry| entry.step >= step).cloned();
    Some((step, sent.chain(after).collect()))
}
