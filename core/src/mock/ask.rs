//! One call on its way through handlers.

use super::code::{Heard, Question};
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
    pub(super) heard: Option<&'a Heard>,
    pub(super) question: Option<Question>,
}

impl<'a> Ask<'a> {
    /// The call in a profile.
    pub fn new(context: &'a MockContext<'a>, trace: &'a mut Trace, profile: Profile) -> Self {
        let (seen, budget) = (Seen::new(context), Budget::default());
        Self { context, trace, profile, seen, budget, heard: None, question: None }
    }

    /// The same with what functions of the host said of the call so far.
    #[must_use]
    pub fn hearing(self, heard: &'a Heard) -> Self {
        Self { heard: Some(heard), ..self }
    }

    /// The function that has to be asked next. As long as there is one, what the handler answered is no answer.
    #[must_use]
    pub fn question(&self) -> Option<&Question> {
        self.question.as_ref()
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
