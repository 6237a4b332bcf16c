//! The ids of messages and calls without their own: they follow from a number.

/// The id of the message at a position, from 1.
///
/// ```
/// assert_eq!(transcript_core::model::message_id(1), "msg_001");
/// assert_eq!(transcript_core::model::message_id(1234), "msg_1234");
/// ```
#[must_use]
pub fn message_id(number: usize) -> String {
    format!("msg_{number:03}")
}

/// The id of the call with a number, from 1 through the whole run.
///
/// ```
/// assert_eq!(transcript_core::model::call_id(1), "call_001");
/// ```
#[must_use]
pub fn call_id(number: usize) -> String {
    format!("call_{number:03}")
}

/// The id of a call by its turn and its place in the turn, both from 1. Turn 0 is before the run.
///
/// ```
/// assert_eq!(transcript_core::model::turn_call_id(3, 1), "call_003_001");
/// ```
#[must_use]
pub fn turn_call_id(turn: usize, place: usize) -> String {
    format!("call_{turn:03}_{place:03}")
}

/// Finds free numbered ids. Its number only rises, so that all searches together are linear in the number of
/// ids.
///
/// ```
/// use transcript_core::model::{IdCounter, message_id};
/// let mut counter = IdCounter::default();
/// let is_taken = |id: &str| id == "msg_002";
/// assert_eq!(counter.next_free(message_id, &is_taken), "msg_001");
/// assert_eq!(counter.next_free(message_id, &is_taken), "msg_003");
/// assert_eq!(counter.free_at(7, message_id, &is_taken), "msg_007");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct IdCounter {
    last: usize,
}

impl IdCounter {
    /// A counter that continues after `last`.
    ///
    /// ```
    /// use transcript_core::model::{IdCounter, call_id};
    /// assert_eq!(IdCounter::after(4).next_free(call_id, &|_| false), "call_005");
    /// ```
    #[must_use]
    pub fn after(last: usize) -> Self {
        Self { last }
    }

    /// Counts an item with its own id.
    ///
    /// ```
    /// use transcript_core::model::{IdCounter, call_id};
    /// let mut counter = IdCounter::default();
    /// counter.skip();
    /// assert_eq!(counter.next_free(call_id, &|_| false), "call_002");
    /// ```
    pub fn skip(&mut self) {
        self.last += 1;
    }

    /// The first free id after the last number: `id` writes the id of a number, `is_taken` knows the used
    /// ones.
    ///
    /// ```
    /// use transcript_core::model::{IdCounter, call_id};
    /// let mut counter = IdCounter::default();
    /// assert_eq!(counter.next_free(call_id, &|id| id == "call_001"), "call_002");
    /// ```
    pub fn next_free(&mut self, id: fn(usize) -> String, is_taken: &dyn Fn(&str) -> bool) -> String {
        self.free_at(self.last + 1, id, is_taken)
    }

    /// The first free id at or after `position`, and not before the last number. It is the same until it is
    /// used or the position is past it, so positions must not fall and used ids must stay used.
    ///
    /// ```
    /// use transcript_core::model::{IdCounter, message_id};
    /// let mut counter = IdCounter::default();
    /// assert_eq!(counter.free_at(3, message_id, &|id| id == "msg_003"), "msg_004");
    /// assert_eq!(counter.free_at(4, message_id, &|id| id == "msg_003"), "msg_004");
    /// ```
    pub fn free_at(
        &mut self,
        position: usize,
        id: fn(usize) -> String,
        is_taken: &dyn Fn(&str) -> bool,
    ) -> String {
        self.last = self.last.max(position);
        loop {
            let found = id(self.last);
            if !is_taken(&found) {
                return found;
            }
            self.last += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::text::Set;

    /// Half of the messages have the ids of the positions of the other half.
    #[test]
    fn all_searches_together_look_at_each_id_once() {
        const HALF: usize = 1000;
        let mut taken: Set<String> = (HALF + 1..=2 * HALF).map(message_id).collect();
        let mut counter = IdCounter::default();
        let looked_up = Cell::new(0);
        for nth in 0..HALF {
            let id = counter.free_at(HALF + nth + 1, message_id, &|id| {
                looked_up.set(looked_up.get() + 1);
                taken.contains(id)
            });
            assert_eq!(id, message_id(2 * HALF + nth + 1));
            taken.insert(id);
        }
        // Each later search begins at the previous id.
        assert_eq!(looked_up.get(), HALF + 1 + 2 * (HALF - 1));
    }

    #[test]
    fn a_position_past_the_last_number_goes_first() {
        let mut counter = IdCounter::after(2);
        let is_taken = |id: &str| id == "call_005";
        assert_eq!(counter.free_at(1, call_id, &is_taken), "call_002");
        assert_eq!(counter.free_at(5, call_id, &is_taken), "call_006");
        counter.skip();
        assert_eq!(counter.next_free(call_id, &is_taken), "call_008");
    }
}
