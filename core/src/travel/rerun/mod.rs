//! Continues a changed run: what is no longer valid is requested again.

mod finish;
mod last;
mod needs;
mod request;

pub use needs::{EndReason, ModelRequest, RerunNeeds, RerunOptions, ToolRequest};

use std::collections::VecDeque;
use std::rc::Rc;

use serde_json::Value;

use super::change::Change;
use super::fold::StateFold;
use super::inside;
use super::make;
use super::mark::{DroppedStep, Status, TravelResult};
use super::pairs::{Pairs, calls};
use super::report;
use super::work::{NestedWork, Step, StepEdits, TravelError, Work};
use crate::canonical::CanonicalMessage;
use crate::diagnostic::InvalidInput;
use crate::mock::{MockContext, MockError, MockModel, Response};
use crate::model::handlers::Outcome;
use crate::model::{Message, Sent, Spanned, Text, ToolCall, Transcript, Turn, TurnKind};
use crate::replay::{
    RequestCursor, Settings, Timeline, ToolAnswer, ToolMatch, ToolSession, canonical_message,
};
use crate::text::{Set, Span};
use last::LastCall;

/// Continues a changed run, as a state machine: [`Rerun::needs`] returns what it waits for.
///
/// From the first invalid model call on, answers are requested. A tool's result comes from the recording if
/// an unused one with the same tool and arguments is there, unless its step was skipped. Messages that
/// arrived, and changes of the context by turns, keep their places. If the model answers earlier than
/// recorded, the recorded calls after that are left out.
///
/// ```
/// use serde_json::json;
/// use transcript_core::mock::Response;
/// use transcript_core::travel::{Change, RerunNeeds, Rerun, RerunOptions};
/// use transcript_core::document::{Document, Limits};
/// let text = "messages: ['user: Hi', 'assistant: Hello!']";
/// let document = Document::open(text, &Limits::default());
/// let run = document.timeline().unwrap().transcript();
/// let edit = json!({"edit_message": {"step": 0, "content": "Good day"}});
/// let changes = [Change::from_value(&edit).unwrap()];
/// let mut rerun = Rerun::new(run, &changes, RerunOptions::default()).unwrap();
/// let RerunNeeds::Response(request) = rerun.needs() else { panic!() };
/// assert_eq!(request.messages[0].content, "Good day");
/// rerun.respond(&Response::text("Good day to you")).unwrap();
/// assert!(matches!(rerun.needs(), RerunNeeds::Nothing(_)));
/// assert!(rerun.finish().holds());
/// ```
#[derive(Debug)]
pub struct Rerun {
    work: Work,
    /// The rest of the recording.
    base: VecDeque<(Turn, Step)>,
    fold: StateFold,
    store: Vec<Rc<CanonicalMessage>>,
    /// The store's messages, for those that the model sees in different words.
    messages: Vec<(Message, bool)>,
    results: ToolSession,
    /// The tool turns in `results`, by their steps there.
    recorded: Vec<Option<(Turn, Step)>>,
    used: Set<Text>,
    /// The messages that differ in content from the recording, and the places of those that it does not
    /// have.
    remade: Set<Text>,
    fresh: Set<usize>,
    open: VecDeque<(ToolCall, Option<Outcome>)>,
    last: LastCall,
    /// The call that waits for an answer.
    pending: Option<Box<(Turn, Step)>>,
    inside: Option<Box<(Rerun, Turn, Step)>>,
    options: RerunOptions,
    /// How many steps were recomputed.
    count: usize,
    ended: Option<EndReason>,
}

impl Rerun {
    /// Changes a run, and begins at the first invalid step.
    ///
    /// # Errors
    /// As [`super::travel`].
    pub fn new(run: &Transcript, changes: &[Change], options: RerunOptions) -> Result<Self, TravelError> {
        Ok(Self::from_work(super::changed(run, changes)?, options))
    }

    fn from_work(mut work: Work, options: RerunOptions) -> Self {
        let is_end =
            |step: &Step| !step.status.holds() || step.cause.is_some() || !step.unanswered.is_empty();
        let cut = work.steps.iter().position(is_end).map_or(work.steps.len(), |at| {
            let is_whole = |step: &Step| {
                step.cause.is_none() && matches!(step.status, Status::Unanswered | Status::Changed)
            };
            at + usize::from(work.steps.get(at).is_some_and(is_whole))
        });
        let base: VecDeque<_> =
            work.run.turns.split_off(cut).into_iter().zip(work.steps.split_off(cut)).collect();
        let open = open_calls(&work, !base.is_empty() || options.continue_past_end);
        let mut recorded = Vec::new();
        for (turn, step) in base.iter().filter(|(turn, _)| turn.tool.is_some()) {
            recorded.push(Some((turn.clone(), step.clone())));
        }
        for (origin, turn) in &work.lost {
            recorded.push(Some((turn.clone(), Step::new(Some(*origin), StepEdits::default()))));
        }
        let turns = recorded.iter().flatten().map(|(turn, _)| turn.clone()).collect();
        let results = Timeline::new(Transcript { turns, ..Transcript::default() });
        let mut fold = StateFold::new(&work.run);
        let mut last = LastCall::new();
        let failed = |turn: &Turn| turn.tool.as_ref().is_some_and(|run| !run.success);
        let mut messages: Vec<(Message, bool)> =
            work.run.first_messages().map(|message| (message.clone(), false)).collect();
        for (turn, step) in work.run.turns.iter().zip(&work.steps) {
            last.observe(turn, step.listing, fold.state.store().len());
            fold.apply(turn);
            messages.extend(turn.created.as_ref().map(|message| (message.clone(), failed(turn))));
        }
        Self {
            store: RequestCursor::new(Timeline::new(work.run.clone())).into_stored(),
            used: messages.iter().map(|(message, _)| message.id.value.clone()).collect(),
            results: ToolSession::new(results, ToolMatch::Arguments, Settings::default()),
            work,
            base,
            fold,
            messages,
            recorded,
            remade: Set::new(),
            fresh: Set::new(),
            open,
            last,
            pending: None,
            inside: None,
            options,
            count: 0,
            ended: None,
        }
    }

    /// Continues as far as it can, and returns what it then waits for. A second call returns the
    /// same.
    pub fn needs(&mut self) -> RerunNeeds {
        loop {
            if let Some(ended) = self.ended {
                return RerunNeeds::Nothing(ended);
            }
            if let Some(needs) = self.needs_inside() {
                return needs;
            }
            if self.inside.is_some() || self.ended.is_some() {
                continue;
            }
            if self.pending.is_some() {
                return RerunNeeds::Response(Box::new(self.request()));
            }
            if self.count >= self.options.max_steps
                && (!self.open.is_empty() || !self.base.is_empty() || self.goes_on())
            {
                self.ended = Some(EndReason::Limit);
                continue;
            }
            if self.open.is_empty() {
                self.next_turn();
            } else if let Some(need) = self.next_call() {
                return RerunNeeds::Tool(need);
            }
        }
    }

    /// What the nested run of the present step waits for. When it has ended, its step has too.
    fn needs_inside(&mut self) -> Option<RerunNeeds> {
        let path = self.path();
        let (rerun, _, _) = &mut **self.inside.as_mut()?;
        let below = |step: &str| format!("{path}.{step}");
        match rerun.needs() {
            RerunNeeds::Response(mut request) => {
                request.step = below(&request.step);
                Some(RerunNeeds::Response(request))
            }
            RerunNeeds::Tool(need) => Some(RerunNeeds::Tool(ToolRequest { step: below(&need.step), ..need })),
            RerunNeeds::Nothing(ended) => {
                let (rerun, mut turn, mut step) = *self.inside.take()?;
                self.count += rerun.count;
                let repeats_answer = step.inner.as_ref().is_some_and(|inner| inner.repeats_answer);
                let done = rerun.into_work();
                let unknown = inside::follow(&mut turn, repeats_answer, &done);
                step.inner = Some(Box::new(NestedWork { work: done, repeats_answer }));
                if ended == EndReason::Limit {
                    self.ended = Some(EndReason::Limit);
                } else if unknown.is_none() {
                    self.open.pop_front();
                    self.push_result(turn, step);
                }
                // A result that does not follow from its nested run is requested, as there is none now.
                None
            }
        }
    }

    fn path(&self) -> String {
        (self.work.run.turns.len() + 1).to_string()
    }

    /// Answers the open calls with a recorded result; returns the first without one.
    fn next_call(&mut self) -> Option<ToolRequest> {
        let (call, outcome) = self.open.front_mut()?;
        let (call, outcome) = (call.clone(), outcome.take());
        if let Some(outcome) = outcome {
            let outcome = match outcome {
                Outcome::Result(result) => Ok(result),
                Outcome::Error(error) => Err(error),
            };
            self.run_tool(&call, &outcome);
            return None;
        }
        let step = match self.results.call(None, &call.name.value, &call.arguments) {
            ToolAnswer::Result { step, .. } | ToolAnswer::Error { step, .. } => step.parse::<usize>().ok(),
            ToolAnswer::Miss { .. } => None,
        };
        let found = step.and_then(|step| self.recorded.get_mut(step.checked_sub(1)?)?.take());
        let Some((mut turn, mut step)) = found else {
            return Some(ToolRequest {
                step: self.path(),
                agent: self.last.agent.as_ref().map(ToString::to_string),
                id: call.id.as_ref().map(|id| id.value.to_string()),
                name: call.name.value.to_string(),
                arguments: call.arguments,
            });
        };
        if let Some(run) = &mut turn.tool {
            run.id.clone_from(&call.id);
        }
        if let Some(created) = &mut turn.created {
            created.tool_call_id.clone_from(&call.id);
            let own = created.details.as_mut().and_then(|details| details.tool_response.as_mut());
            if let Some(own) = own {
                own.tool_call_id = call.id.as_ref().map(|id| id.value.clone());
            }
        }
        turn.agent.clone_from(&self.last.agent);
        match step.inner.take() {
            Some(inner) if !inner.work.holds() => {
                let left = self.options.max_steps.saturating_sub(self.count);
                let options = RerunOptions { max_steps: left, continue_past_end: false };
                let empty = NestedWork { work: Work::default(), repeats_answer: inner.repeats_answer };
                step.inner = Some(Box::new(empty));
                self.inside = Some(Box::new((Rerun::from_work(inner.work, options), turn, step)));
            }
            inner => {
                step.inner = inner;
                self.open.pop_front();
                self.push_result(turn, step);
            }
        }
        None
    }

    fn run_tool(&mut self, call: &ToolCall, outcome: &Result<Value, Value>) {
        self.open.pop_front();
        let turn = make::new_tool_run(call, self.last.agent.as_ref(), outcome, &mut self.work.ids);
        self.push_result(turn, Step::new(None, StepEdits::default()));
    }

    fn push_result(&mut self, turn: Turn, mut step: Step) {
        let decreed = step.touch.decreed;
        (step.cause, step.difference) = (None, None);
        step.status = if decreed { Status::Changed } else { Status::Recomputed };
        self.count += 1;
        self.push(turn, step);
    }

    /// Whether the model must be called once more although nothing is recorded.
    fn goes_on(&self) -> bool {
        let last = &self.last;
        last.calls && !last.called
            || self.options.continue_past_end && self.base.is_empty() && (last.calls || !last.is_end)
    }

    /// Takes over or leaves out the next turn of the recording, or calls the model.
    fn next_turn(&mut self) {
        if self.last.calls && !self.last.called {
            return self.call_model_again();
        }
        let Some((turn, step)) = self.base.pop_front() else {
            return match self.goes_on() {
                true => self.call_model_again(),
                false => self.ended = Some(EndReason::Done),
            };
        };
        let is_call = turn.response.is_some() || turn.error.is_some();
        if turn.tool.is_some() {
            return;
        }
        if !is_call {
            let status = if step.touch.any { Status::Changed } else { Status::Kept };
            let step = Step { status, cause: None, difference: None, unanswered: Vec::new(), ..step };
            self.last.skipping = false;
            return self.push(turn, step);
        }
        let called = !calls(&turn).is_empty();
        let is_same_agent = turn.agent == self.last.agent;
        if self.last.skipping && is_same_agent && !step.touch.decreed {
            self.last.skipping = called;
            let why = "the model responded before this step".to_owned();
            self.work
                .dropped
                .extend(step.origin.map(|step| DroppedStep { step: step.to_string(), reason: why }));
            return;
        }
        let mut turn = turn;
        turn.sent = self.sent(&turn, step.listing, false);
        turn.timestamp = None;
        if step.touch.decreed {
            let outcomes = calls(&turn).iter().map(|call| (call.clone(), None)).collect();
            let step = Step { status: Status::Changed, cause: None, difference: None, ..step };
            return self.record_answer(turn, step, outcomes, called);
        }
        self.last.called = called;
        self.pending = Some(Box::new((turn, step)));
    }

    fn call_model_again(&mut self) {
        let mut turn = make::new_model_call(self.last.agent.as_ref(), &mut self.work.ids);
        turn.config.clone_from(&self.last.config);
        let items = self.last.items.clone();
        turn.sent = Sent::List(items);
        let listing = self.last.listing;
        turn.sent = self.sent(&turn, listing, true);
        self.last.called = false;
        let step = Step { listing, ..Step::new(None, StepEdits::default()) };
        self.pending = Some(Box::new((turn, step)));
    }

    /// Sets the answer of the model.
    ///
    /// # Errors
    /// When no answer is requested.
    pub fn respond(&mut self, response: &Response) -> Result<(), InvalidInput> {
        if let Some((inside, _, _)) = self.inside.as_deref_mut() {
            return inside.respond(response);
        }
        let Some((mut turn, step)) = self.pending.take().map(|pending| *pending) else {
            return Err(InvalidInput::NotAwaited("no model response is needed"));
        };
        make::set_answer(&mut turn, response, &mut self.work.ids);
        let outcomes = calls(&turn).iter().zip(&response.tool_calls);
        let outcomes =
            outcomes.map(|(call, replied)| (call.clone(), replied.outcome.as_deref().cloned())).collect();
        let called = self.last.called;
        self.count += 1;
        self.record_answer(turn, recomputed_step(step), outcomes, called);
        Ok(())
    }

    /// Sets the failure of the model call; the agent does not call again by itself.
    ///
    /// # Errors
    /// When no answer is requested.
    pub fn fail(&mut self, error: Value) -> Result<(), InvalidInput> {
        if let Some((inside, _, _)) = self.inside.as_deref_mut() {
            return inside.fail(error);
        }
        let Some((mut turn, step)) = self.pending.take().map(|pending| *pending) else {
            return Err(InvalidInput::NotAwaited("no model response is needed"));
        };
        (turn.response, turn.created, turn.error) = (None, None, Some(error));
        let called = self.last.called;
        self.count += 1;
        self.record_answer(turn, recomputed_step(step), VecDeque::new(), called);
        Ok(())
    }

    fn record_answer(
        &mut self,
        turn: Turn,
        step: Step,
        open: VecDeque<(ToolCall, Option<Outcome>)>,
        called: bool,
    ) {
        let (calls, listing) = (!open.is_empty(), step.listing);
        self.last.observe(&turn, listing, self.fold.state.store().len());
        self.open = open;
        self.push(turn, step);
        self.last.called = called;
        self.last.skipping = called && !calls;
    }

    /// Sets the result of the requested tool, or its error.
    ///
    /// # Errors
    /// When no result is requested.
    pub fn tool_result(&mut self, outcome: &Result<Value, Value>) -> Result<(), InvalidInput> {
        if let Some((inside, _, _)) = self.inside.as_deref_mut() {
            return inside.tool_result(outcome);
        }
        match self.open.front().cloned().filter(|_| self.pending.is_none()) {
            Some((call, _)) => {
                self.run_tool(&call, outcome);
                Ok(())
            }
            None => Err(InvalidInput::NotAwaited("no tool result is needed")),
        }
    }

    /// Lets a model answer as far as it can; returns what is then needed.
    ///
    /// # Errors
    /// The errors of the model, for example when its handler is exhausted. The rerun then still waits for
    /// the same answer.
    pub fn answer_with(&mut self, model: &mut MockModel) -> Result<RerunNeeds, Box<MockError>> {
        loop {
            let request = match self.needs() {
                RerunNeeds::Response(request) => request,
                other => return Ok(other),
            };
            let context = MockContext {
                agent: request.agent.as_deref(),
                messages: &request.messages,
                iteration: request.iteration,
                call_count: 0,
                model: request.model.as_deref(),
                tools: &request.tools,
                context: &request.context,
                kwargs: &request.config,
            };
            let response = model.call(&context)?;
            // It was requested just now.
            if self.respond(&response).is_err() {
                return Ok(self.needs());
            }
        }
    }

    fn push(&mut self, mut turn: Turn, step: Step) {
        if let Some(created) = &mut turn.created
            && !self.used.insert(created.id.value.clone())
        {
            created.id = Spanned { value: self.work.ids.message(), span: Span::default() };
            self.used.insert(created.id.value.clone());
        }
        let state = &self.fold.state;
        let own = turn.created.as_ref().map(|created| created.id.value.clone());
        turn.changes
            .visible
            .retain(|(id, _)| state.position(&id.value).is_some() || own.as_ref() == Some(&id.value));
        self.fold.apply(&turn);
        if turn.kind.value == TurnKind::Message {
            self.last.iteration = 0;
        }
        self.last.is_end = turn.response.is_some() || turn.error.is_some();
        if let Some(created) = &turn.created {
            if step.status == Status::Recomputed {
                match step.origin {
                    Some(_) => drop(self.remade.insert(created.id.value.clone())),
                    None => drop(self.fresh.insert(self.store.len())),
                }
            }
            let is_error = turn.tool.as_ref().is_some_and(|run| !run.success);
            self.store.push(Rc::new(canonical_message(created, created.content.as_ref(), is_error)));
            self.messages.push((created.clone(), is_error));
        }
        self.work.run.turns.push(turn);
        self.work.steps.push(step);
    }

    /// The run so far, with the status of each step; best called when nothing more is needed.
    #[must_use]
    pub fn finish(self) -> TravelResult {
        report::build_result(self.into_work())
    }
}

fn recomputed_step(step: Step) -> Step {
    Step {
        status: Status::Recomputed,
        cause: None,
        difference: None,
        unanswered: Vec::new(),
        dropped: Vec::new(),
        ..step
    }
}

/// The calls without a result where the rerun begins. At the run's end they only wait if it is to continue,
/// or if the author made them.
fn open_calls(work: &Work, goes_on: bool) -> VecDeque<(ToolCall, Option<Outcome>)> {
    let Some(last) = work.run.turns.iter().rposition(|turn| !calls(turn).is_empty()) else {
        return VecDeque::new();
    };
    let is_author = work.steps.get(last).is_some_and(|step| step.touch.decreed);
    let pairs = Pairs::new(&work.run, |_| None);
    let open = pairs.open(last + 1).filter(|_| goes_on || is_author);
    open.map(|(_, call)| (call.clone(), None)).collect()
}
