//! Messages that no model call was sent.

use super::{Coverage, Covered, Unused, UnusedKind};
use crate::model::{Message, Sent, State, Transcript, TurnKind};

/// The messages before the last call that were recorded as sent.
pub(super) fn check(index: usize, document: &Covered<'_>, transcript: &Transcript, out: &mut Coverage) {
    let is_call =
        |sent: &Sent, kind: TurnKind| kind == TurnKind::LlmCall && !matches!(sent, Sent::Unrecorded);
    let last = transcript.turns.iter().rposition(|turn| is_call(&turn.sent, turn.kind.value));
    let Some(last) = last else { return };
    let mut state = State::initial(transcript);
    let mut messages: Vec<(usize, &Message)> =
        transcript.initial.iter().map(|message| (0, message)).collect();
    let mut sent = vec![false; messages.len()];
    // Messages that may first be sent by a call that is sent all visible ones.
    let mut waiting: Vec<usize> = (0..messages.len()).collect();
    for (at, turn) in transcript.turns.iter().enumerate().take(last + 1) {
        match &turn.sent {
            Sent::Unrecorded => {}
            Sent::Visible => {
                for place in waiting.drain(..) {
                    let visible = state.store().get(place).is_some_and(|entry| entry.1);
                    if let Some(mark) = sent.get_mut(place).filter(|_| visible) {
                        *mark = true;
                    }
                }
            }
            Sent::List(items) => {
                for reference in items.iter().filter_map(|item| item.reference.as_ref()) {
                    if let Some(mark) = state.position(&reference.value).and_then(|place| sent.get_mut(place))
                    {
                        *mark = true;
                    }
                }
            }
        }
        let effects = state.apply(turn);
        if let Some(stored) = effects.stored.filter(|_| at < last) {
            waiting.push(messages.len());
            messages.push((at + 1, stored));
            sent.push(false);
        }
        waiting.extend(effects.visibility.iter().filter(|(_, visible)| *visible).map(|(place, _)| *place));
    }
    for ((step, message), sent) in messages.into_iter().zip(sent) {
        out.messages.add(sent);
        if !sent {
            out.unused.push(Unused {
                kind: UnusedKind::Message,
                document: index,
                file: document.name.to_owned(),
                name: message.id.value.to_string(),
                step: Some(step),
                span: Some(message.span),
            });
        }
    }
}
