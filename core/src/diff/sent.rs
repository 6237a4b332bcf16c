//! Compares what two calls of the model were sent.

use serde_json::Value;

use super::Row;
use super::fields::Walker;
use crate::model::{Sent as Recorded, SentItem, State, Transcript, Turn};
use crate::text::{JsonMap, json};

/// Both runs, played along.
pub(super) struct SentComparison<'t> {
    left: RunCursor<'t>,
    right: RunCursor<'t>,
}

struct RunCursor<'t> {
    turns: &'t [Turn],
    state: State,
    next: usize,
}

/// What a call was sent, in one form.
enum List<'t> {
    Unrecorded,
    /// Every message that was visible.
    Visible,
    Items(&'t [SentItem]),
}

impl<'t> RunCursor<'t> {
    fn new(transcript: &'t Transcript) -> Self {
        Self { turns: &transcript.turns, state: State::initial(transcript), next: 0 }
    }

    /// Advances to the turn at `at` and returns what it was sent.
    fn list(&mut self, at: usize) -> List<'t> {
        let mut list = List::Unrecorded;
        while let Some(turn) = self.turns.get(self.next).filter(|_| self.next <= at) {
            if self.next == at {
                list = match &turn.sent {
                    Recorded::Unrecorded => List::Unrecorded,
                    Recorded::Visible => List::Visible,
                    Recorded::List(items) if self.is_visible(items) => List::Visible,
                    Recorded::List(items) => List::Items(items),
                };
                self.next += 1;
                return list;
            }
            self.next += 1;
        }
        list
    }

    fn is_visible(&self, items: &[SentItem]) -> bool {
        items.len() == self.state.visible_count()
            && items.iter().zip(self.state.visible()).all(|(item, id)| {
                item.content.is_none() && item.reference.as_ref().is_some_and(|found| found.value == *id)
            })
    }

    fn apply(&mut self, at: usize) {
        if let Some(turn) = self.turns.get(at) {
            self.state.apply(turn);
        }
    }
}

impl<'t> SentComparison<'t> {
    pub(super) fn new(left: &'t Transcript, right: &'t Transcript) -> Self {
        Self { left: RunCursor::new(left), right: RunCursor::new(right) }
    }

    /// Compares what the turns of a row were sent. Rows come in the order of both runs.
    pub(super) fn compare(&mut self, row: Row, walker: &mut Walker) {
        let left = row.0.map(|at| self.left.list(at));
        let right = row.1.map(|at| self.right.list(at));
        if let (Some(left), Some(right)) = (left, right) {
            let at = row.0.unwrap_or(0);
            self.lists(at, &left, &right, row, walker);
        }
        if let Some(at) = row.0 {
            self.left.apply(at);
        }
        if let Some(at) = row.1 {
            self.right.apply(at);
        }
    }

    fn lists(&self, at: usize, left: &List<'_>, right: &List<'_>, row: Row, walker: &mut Walker) {
        let (a, b) = match (left, right) {
            (List::Unrecorded, List::Unrecorded) | (List::Visible, List::Visible) => return,
            (a, b) => (comparable_items(a, walker, true), comparable_items(b, walker, false)),
        };
        let same = match (&a, &b) {
            (Some(a), Some(b)) => a == b,
            // One side has every visible message; the other lists some of them.
            _ => false,
        };
        if same {
            return;
        }
        let span = |played: &RunCursor<'_>, at: Option<usize>| {
            at.and_then(|at| played.turns.get(at)).map(|turn| turn.span)
        };
        let listing = |list: &List<'_>, played: &RunCursor<'_>| match list {
            List::Unrecorded => None,
            List::Visible => Some(json!(format!("every visible message ({})", played.state.visible_count()))),
            List::Items(items) => Some(items.iter().map(item).collect()),
        };
        walker.enter_index(at);
        walker.enter("messages_sent_to_llm");
        let spans = (span(&self.left, row.0), span(&self.right, row.1));
        walker.note(listing(left, &self.left), listing(right, &self.right), spans.0, spans.1);
        walker.leave();
        walker.leave();
    }
}

/// The items of a list as seen from the right, without those of messages that the other side lacks;
/// `None` for anything but a list.
fn comparable_items(list: &List<'_>, walker: &Walker, is_left: bool) -> Option<Vec<Value>> {
    let List::Items(items) = list else { return None };
    let out = items.iter().filter_map(|item| {
        match &item.reference {
        None => Some(self::item(item)),
        Some(found) if is_left => {
            let id = walker.ids.right_of(&found.value)?;
            Some(json!({"ref": id, "content": item.content.as_ref().map(|content| content.to_value())}))
        }
        Some(found) => walker.ids.has_right(&found.value).then(|| {
            json!({"ref": &*found.value, "content": item.content.as_ref().map(|content| content.to_value())})
        }),
    }
    });
    Some(out.collect())
}

/// An item in the form of documents.
fn item(item: &SentItem) -> Value {
    if let Some(inline) = &item.inline {
        let content = inline.content.as_ref().map(|content| content.to_value());
        return json!({"role": inline.role.value.name(), "content": content});
    }
    let mut out = serde_json::Map::new();
    if let Some(found) = &item.reference {
        out.put("ref", Value::from(&*found.value));
    }
    if let Some(content) = &item.content {
        out.put("content", content.to_value());
    }
    Value::Object(out)
}
