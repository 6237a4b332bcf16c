//! One call on its way through handlers.

use super::variables::Seen;
use super::{MockContext, Profile, Trace};
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

    /// What a handler sees of the call.
    #[must_use]
    pub fn context(&self) -> &'a MockContext<'a> {
        self.context
    }

    /// What was tried so far.
    pub fn trace(&mut self) -> &mut Trace {
        self.trace
    }

    /// Whether the library's own words and ways are wanted.
    pub(super) fn is_good_agent(&self) -> bool {
        self.profile == Profile::GoodAgent
    }
}
