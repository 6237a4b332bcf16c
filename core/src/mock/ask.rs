//! One call on its way through handlers.

use super::error::{Made, MockError, MockErrorKind};
use super::place::Place;
use super::variables::Seen;
use super::{Lasts, MockContext, Profile, Trace};
use crate::query::Budget;

/// One call on its way through handlers: what they see of it, and what they share in answering it, which is
/// what was worked out of it already, what it may still cost, and the trace.
#[derive(Debug)]
pub struct Ask<'a> {
    pub(super) context: &'a MockContext<'a>,
    pub(super) trace: &'a mut Trace,
    pub(super) profile: Profile,
    pub(super) seen: Seen<'a>,
    pub(super) budget: Budget,
}

impl<'a> Ask<'a> {
    /// The call in a profile.
    pub fn new(context: &'a MockContext<'a>, trace: &'a mut Trace, profile: Profile) -> Self {
        Self { context, trace, profile, seen: Seen::new(context), budget: Budget::default() }
    }

    /// The same, where it is known what stands last in the messages of the call.
    #[must_use]
    pub fn knowing(mut self, lasts: &'a Lasts) -> Self {
        self.seen.know(lasts);
        self
    }

    /// What a handler sees of the call.
    #[must_use]
    pub fn context(&self) -> &'a MockContext<'a> {
        self.context
    }

    /// What was tried so far.
    pub fn trace(&mut self) -> &mut Trace {
        self.trace
    }

    /// Takes so many steps of what the answer may cost.
    pub(super) fn spend(&mut self, steps: u64, place: &Place) -> Made<()> {
        let Some(left) = self.budget.steps.checked_sub(steps) else {
            self.budget.steps = 0;
            let message = format!("{} takes too many steps on so much text", place.name("condition"));
            return Err(MockError::at(MockErrorKind::Condition, place, message));
        };
        self.budget.steps = left;
        Ok(())
    }

    /// Whether the library's own words and ways are wanted.
    pub(super) fn is_good_agent(&self) -> bool {
        self.profile == Profile::GoodAgent
    }
}
