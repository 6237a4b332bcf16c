//! One call on its way through handlers.

use super::code::{FunctionCall, FunctionResults};
use super::error::{MockError, MockErrorKind, MockResult};
use super::place::Place;
use super::variables::CallVariables;
use super::{MessageHistory, MockContext, Profile, Trace};
use crate::query::Budget;

/// One call on its way through handlers: its context and shared state: computed values, the remaining budget,
/// and the trace.
#[derive(Debug)]
pub struct MockRequest<'a> {
    pub(super) context: &'a MockContext<'a>,
    pub(super) trace: &'a mut Trace,
    pub(super) profile: Profile,
    pub(super) variables: CallVariables<'a>,
    pub(super) budget: Budget,
    pub(super) function_results: Option<&'a FunctionResults>,
    pub(super) question: Option<FunctionCall>,
}

impl<'a> MockRequest<'a> {
    /// The call in a profile.
    pub fn new(context: &'a MockContext<'a>, trace: &'a mut Trace, profile: Profile) -> Self {
        let (variables, budget) = (CallVariables::new(context), Budget::default());
        Self { context, trace, profile, variables, budget, function_results: None, question: None }
    }

    /// Sets the results of the host's functions for this call so far.
    #[must_use]
    pub fn with_results(self, function_results: &'a FunctionResults) -> Self {
        Self { function_results: Some(function_results), ..self }
    }

    /// The function that must be called next. As long as there is one, the result of the handler is not an answer.
    #[must_use]
    pub fn pending_function(&self) -> Option<&FunctionCall> {
        self.question.as_ref()
    }

    /// Sets the history that has the messages of the call.
    #[must_use]
    pub fn with_history(mut self, history: &'a MessageHistory) -> Self {
        self.variables.use_history(history);
        self
    }

    /// The handler's view of the call.
    #[must_use]
    pub fn context(&self) -> &'a MockContext<'a> {
        self.context
    }

    /// The trace so far.
    pub fn trace(&mut self) -> &mut Trace {
        self.trace
    }

    /// Spends steps of the budget.
    pub(super) fn spend(&mut self, steps: u64, place: &Place) -> MockResult<()> {
        let Some(left) = self.budget.steps.checked_sub(steps) else {
            self.budget.steps = 0;
            let message = format!("{} takes too many steps on this text", place.name("condition"));
            return Err(MockError::at(MockErrorKind::Condition, place, message));
        };
        self.budget.steps = left;
        Ok(())
    }

    /// Whether handlers behave as the good-agent library does.
    pub(super) fn is_good_agent(&self) -> bool {
        self.profile == Profile::GoodAgent
    }
}
