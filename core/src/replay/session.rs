//! Strict replay: the agent must send what was sent, and gets the recorded answer.
//!
//! A session is a state machine without callbacks: a request goes in, an answer or a divergence
//! comes out. A divergence does not move the session on.

use serde::Serialize;
use serde_json::Value;

use super::actual::Actual;
use super::answer::{AnswerResponse, response};
use super::compare::Comparison;
use super::divergence::Divergence;
use super::expected::Expected;
use super::index::Index;
use super::recorded::Recording;
use super::settings::Settings;
use super::timeline::Timeline;
use crate::canonical::{CanonicalMessage, Normal, Request};
use crate::model::Sent;

/// A strict replay of one recording.
///
/// Whatever a host sends again need not be compared again, so that a run whose every request repeats all
/// before it costs what is new in each.
#[derive(Debug)]
pub struct Session {
    pub(super) recording: Recording,
    pub(super) settings: Settings,
    /// The steps that call the model and have an answer or an error recorded.
    pub(super) recorded: Vec<usize>,
    /// Which of them were asked for.
    pub(super) used: Vec<bool>,
    /// The first of them that was not.
    pub(super) next: usize,
    remaining: usize,
    calls: usize,
    pub(super) expected: Expected,
    pub(super) actual: Actual,
    pub(super) comparison: Comparison,
    /// The first divergence, in short.
    diverged: Option<String>,
    /// Made at the first request, where calls may come in any order.
    index: Option<Index>,
}

/// Why a recording cannot be replayed: it records no call, or not all of what a call was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotReplayable(pub String);

impl std::fmt::Display for NotReplayable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotReplayable {}

/// What comes of a request.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Answer {
    /// The recorded answer.
    Response {
        /// The step it was recorded in.
        step: String,
        /// The answer.
        response: AnswerResponse,
    },
    /// The recorded failure of the model call.
    Error {
        /// The step it was recorded in.
        step: String,
        /// The error as recorded.
        error: Value,
        /// Whether the recording goes on with the same request.
        retried: bool,
    },
    /// The request is not the recorded one.
    Divergence {
        /// In what way.
        divergence: Box<Divergence>,
    },
}

impl Session {
    /// Begins a strict replay.
    ///
    /// # Errors
    /// When no model call with an answer is recorded, or one was sent a message that the recording does
    /// not hold: comparing over such a hole would accept what must be refused.
    pub fn new(timeline: Timeline) -> Result<Self, NotReplayable> {
        Self::with(timeline, Settings::default())
    }

    /// Begins a replay that compares as `settings` say.
    ///
    /// # Errors
    /// As [`Session::new`].
    pub fn with(timeline: Timeline, settings: Settings) -> Result<Self, NotReplayable> {
        let is_call = |step: &usize| {
            timeline.turn_at(*step).is_some_and(|turn| turn.response.is_some() || turn.error.is_some())
        };
        let recorded: Vec<usize> = (1..=timeline.steps()).filter(is_call).collect();
        if recorded.is_empty() {
            return Err(NotReplayable("the transcript records no model call to replay".to_owned()));
        }
        if let Some(hole) = recorded.iter().find_map(|&step| hole(&timeline, step)) {
            return Err(hole);
        }
        let is_unrecorded = |step: &&usize| {
            timeline.turn_at(**step).is_some_and(|turn| matches!(turn.sent, Sent::Unrecorded))
        };
        if let Some(step) = recorded.iter().find(is_unrecorded)
            && !settings.allow_unrecorded
        {
            return Err(NotReplayable(format!(
                "step {step} does not record what the model was sent (`messages_sent_to_llm`), so that nothing could be compared; `unrecorded: \"accept\"` lets it take any request"
            )));
        }
        let mut session = Self {
            recording: Recording::new(timeline),
            settings,
            used: vec![false; recorded.len()],
            remaining: recorded.len(),
            recorded,
            next: 0,
            calls: 0,
            expected: Expected::default(),
            actual: Actual::default(),
            diverged: None,
            comparison: Comparison::default(),
            index: None,
        };
        session.look_ahead();
        Ok(session)
    }

    /// The number of recorded calls that were not asked for yet.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.remaining
    }

    /// The steps that were not asked for yet.
    #[must_use]
    pub fn leftover(&self) -> Vec<String> {
        let left = self.recorded.iter().zip(&self.used).filter(|(_, used)| !**used);
        left.map(|(step, _)| step.to_string()).collect()
    }

    /// Whether the replay may end here: no request diverged, and nothing is left over, or that is allowed.
    ///
    /// # Errors
    /// The first divergence, whatever came after it, or the recorded calls that were not asked for, in words.
    pub fn finish(&self) -> Result<(), String> {
        if let Some(diverged) = &self.diverged {
            return Err(diverged.clone());
        }
        if self.remaining == 0 || self.settings.allow_leftover {
            return Ok(());
        }
        let left = self.leftover();
        let shown = left.iter().take(5).map(|step| format!("step {step}")).collect::<Vec<_>>().join(", ");
        let more = if left.len() > 5 { ", ..." } else { "" };
        let calls = if left.len() == 1 { "call was" } else { "calls were" };
        Err(format!("{} recorded model {calls} never made: {shown}{more}", left.len()))
    }

    /// The number of requests so far, diverging ones included.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.calls
    }

    /// How it compares.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The request that is expected next, in canonical form; `None` when none is, or none is recorded.
    #[must_use]
    pub fn expected(&self) -> Option<Vec<CanonicalMessage>> {
        self.recorded.get(self.next)?;
        let messages = self.expected.is_recorded().then(|| self.expected.messages().messages())?;
        Some(messages.iter().map(|message| CanonicalMessage::clone(message)).collect())
    }

    /// Answers one request.
    pub fn request(&mut self, request: &Request) -> Answer {
        self.calls += 1;
        let known = self.actual.items();
        self.actual.take(request);
        let answer = match self.settings.any_order {
            _ if request.keep > known => {
                Answer::Divergence { divergence: Box::new(self.leaves_out(request.keep, known)) }
            }
            false => self.in_sequence(),
            true => self.in_any_order(),
        };
        if let Answer::Divergence { divergence } = &answer
            && self.diverged.is_none()
        {
            self.diverged =
                Some(format!("the run diverged at step {}: {}", divergence.step, divergence.path));
        }
        answer
    }

    /// Makes the next recorded call itself, as an agent would that does what was recorded; `None` when none is
    /// left. What was sent before is not sent again.
    pub fn rehearse(&mut self) -> Option<Answer> {
        self.recorded.get(self.next)?;
        let raw = self.expected.messages().raw();
        let keep = self.expected.messages().unchanged_raw().min(self.actual.items());
        let new = raw.iter().skip(keep).map(|message| CanonicalMessage::clone(message)).collect();
        Some(self.request(&Request::after(keep, new)))
    }

    fn in_sequence(&mut self) -> Answer {
        let Some(&step) = self.recorded.get(self.next) else {
            return Answer::Divergence { divergence: Box::new(self.extra()) };
        };
        // What was not recorded cannot differ.
        if self.expected.is_recorded()
            && let Some(found) = self.compare()
        {
            return Answer::Divergence { divergence: Box::new(self.diverged(step, found)) };
        }
        self.answer(self.next)
    }

    fn in_any_order(&mut self) -> Answer {
        let mut index = self.index.take().unwrap_or_else(|| Index::new(self));
        let found = index.candidates(self.actual.messages(), &self.settings);
        let mut matching = None;
        for nth in found {
            let Some(&step) = self.recorded.get(nth).filter(|_| self.used.get(nth) == Some(&false)) else {
                continue;
            };
            self.expected.go(&self.recording, step);
            if self.expected.is_recorded() && self.compare().is_none() {
                matching = Some(nth);
                break;
            }
        }
        let answer = match matching {
            Some(nth) => {
                index.used(self.actual.messages(), &self.settings, nth);
                self.answer(nth)
            }
            None => {
                self.look_ahead();
                match self.recorded.get(self.next).copied() {
                    None => Answer::Divergence { divergence: Box::new(self.extra()) },
                    Some(_) if !self.expected.is_recorded() => self.answer(self.next),
                    Some(step) => match self.compare() {
                        Some(found) => {
                            Answer::Divergence { divergence: Box::new(self.diverged(step, found)) }
                        }
                        None => self.answer(self.next),
                    },
                }
            }
        };
        self.index = Some(index);
        answer
    }

    fn compare(&mut self) -> Option<super::compare::Difference> {
        let (expected, actual) = (self.expected.messages(), self.actual.messages());
        let from = expected.unchanged().min(actual.unchanged());
        // A comparison that fails leaves no trace in what is known of ids.
        let (expected, actual) = (expected.messages(), actual.messages());
        let found = self.comparison.difference(expected, actual, from, &self.settings.ignore);
        if found.is_some() {
            self.comparison.undo();
        }
        found
    }

    /// The answer of the `nth` recorded call, which counts as asked for.
    fn answer(&mut self, nth: usize) -> Answer {
        let step = self.recorded.get(nth).copied().unwrap_or(0);
        if let Some(used) = self.used.get_mut(nth) {
            *used = true;
            self.remaining = self.remaining.saturating_sub(1);
        }
        self.actual.mark();
        self.expected.mark();
        while self.used.get(self.next) == Some(&true) {
            self.next += 1;
        }
        let count = self.expected.messages().messages().len();
        self.look_ahead();
        let next = self.expected.messages();
        let is_same = next.unchanged() == count && next.messages().len() == count;
        let retried = is_same && self.expected.is_recorded() && self.recorded.get(self.next).is_some();
        let turn = self.recording.timeline.turn_at(step);
        let named = step.to_string();
        match turn.and_then(|turn| turn.response.as_ref()) {
            Some(recorded) => Answer::Response { response: response(recorded, &named), step: named },
            None => Answer::Error {
                step: named,
                error: turn.and_then(|turn| turn.error.clone()).unwrap_or_default(),
                retried,
            },
        }
    }

    /// Makes ready for the next call.
    fn look_ahead(&mut self) {
        if let Some(&step) = self.recorded.get(self.next) {
            self.expected.go(&self.recording, step);
        }
    }

    /// The recorded requests from the first on, one after the other.
    pub(super) fn each_expected(&self, mut see: impl FnMut(usize, &Normal)) {
        let mut expected = Expected::default();
        for (nth, &step) in self.recorded.iter().enumerate() {
            expected.go(&self.recording, step);
            see(nth, expected.messages());
            expected.mark();
        }
    }
}

/// The first message of a recorded request that the recording does not hold.
fn hole(timeline: &Timeline, step: usize) -> Option<NotReplayable> {
    let Sent::List(items) = &timeline.turn_at(step)?.sent else { return None };
    items.iter().enumerate().find_map(|(index, item)| {
        let what = match (&item.reference, &item.inline) {
            (Some(id), _) if timeline.message(&id.value).is_some() => return None,
            (None, Some(_)) => return None,
            (Some(id), _) => format!("names the unknown message `{}`", id.value),
            (None, None) => "names no message".to_owned(),
        };
        Some(NotReplayable(format!("step {step} cannot be replayed: `messages_sent_to_llm[{index}]` {what}")))
    })
}
