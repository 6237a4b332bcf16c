//! Strict replay: the agent must send the recorded requests, and gets the recorded answers.
//!
//! A session is a state machine without callbacks: a request goes in, an answer or a divergence comes
//! out. A divergence does not advance the session. Each agent of each run has its own cursor.

use serde::Serialize;
use serde_json::Value;

use super::answer::{AnswerResponse, response};
use super::divergence::Divergence;
use super::expected::ExpectedRequest;
use super::index::RequestIndex;
use super::lane::{self, Lane};
use super::origin::Origin;
use super::runs::Runs;
use super::settings::{RequestParts, Settings};
use super::timeline::Timeline;
use crate::canonical::{CanonicalMessage, NormalizedMessages, Request};
use crate::text::Table;

/// The maximum number of tracks that are kept as recent.
const RECENT: usize = 16;
/// The number of messages that distinguish the requests of agents.
const HEAD: usize = 2;

/// A strict replay of one recording.
///
/// Known messages are not compared with the recording again; see
/// [`KnownMessages`](crate::canonical::KnownMessages).
#[derive(Debug)]
pub struct Session {
    pub(super) runs: Runs,
    pub(super) settings: Settings,
    lanes: Table<u64, Lane>,
    /// The tracks of the last requests, the latest first.
    pub(super) recent: Vec<usize>,
    calls: usize,
    /// The first divergence, in short.
    diverged: Option<String>,
    /// Built for the first request that may come from several agents, or in any order.
    pub(super) index: Option<RequestIndex>,
    /// The place of the recording.
    pub(super) origin: Option<Origin>,
}

/// Why a recording cannot be replayed: it lacks part of what a call was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotReplayable(pub String);

impl std::fmt::Display for NotReplayable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotReplayable {}

/// Why a run did not end as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// A request differed from the recorded one; the text describes the first difference.
    Diverged(String),
    /// Recorded model calls were not requested.
    CallsLeft {
        /// How many.
        count: usize,
        /// The places of the first of them.
        first: Vec<String>,
    },
}

impl std::fmt::Display for Unfinished {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Diverged(message) => f.write_str(message),
            Self::CallsLeft { count, first } => {
                let calls = if *count == 1 { "call was" } else { "calls were" };
                let more = if *count > first.len() { ", ..." } else { "" };
                write!(f, "{count} recorded model {calls} never made: {}{more}", first.join(", "))
            }
        }
    }
}

impl std::error::Error for Unfinished {}

/// The answer of a replay to a request.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ReplayAnswer {
    /// The recorded answer.
    Response {
        /// The step it was recorded in.
        step: String,
        /// The answer.
        response: Box<AnswerResponse>,
    },
    /// The recorded failure of the model call.
    Error {
        /// The step it was recorded in.
        step: String,
        /// The error as recorded.
        error: Value,
        /// Whether the recording continues with the same request.
        retried: bool,
    },
    /// The request is not the recorded one.
    Divergence {
        /// The difference.
        divergence: Box<Divergence>,
    },
}

impl Session {
    /// Begins a strict replay. A run without model calls is complete at once, and any request diverges from
    /// it.
    ///
    /// # Errors
    /// When a recorded model call was sent a message that is missing from the recording: comparing without it
    /// would accept wrong requests.
    pub fn new(timeline: Timeline) -> Result<Self, NotReplayable> {
        Self::with(timeline, Settings::default())
    }

    /// Begins a replay that compares according to `settings`. Runs of other agents in the results of tools
    /// are played too, except those without recorded requests.
    ///
    /// # Errors
    /// As [`Session::new`], and when the recording has more than 100,000 runs of other agents.
    pub fn with(timeline: Timeline, settings: Settings) -> Result<Self, NotReplayable> {
        Ok(Self {
            runs: Runs::new(timeline, &settings)?,
            settings,
            lanes: Table::new(),
            recent: Vec::new(),
            calls: 0,
            diverged: None,
            index: None,
            origin: None,
        })
    }

    /// The same with the text of the recording, so that a divergence includes the place in it.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::replay::{ReplayAnswer, Request, Session};
    /// use transcript_core::document::{Document, Limits};
    /// let document = Document::open("messages:\n  - 'user: Hi'\n  - 'assistant: Yes?'", &Limits::default());
    /// let session = Session::new(document.timeline().unwrap().clone()).unwrap();
    /// let mut session = session.with_origin(document.origin("run.yaml"));
    /// let request = json!({"messages": [{"role": "user", "content": "Ho"}]});
    /// let answer = session.request(&Request::from_value(&request).unwrap());
    /// let ReplayAnswer::Divergence { divergence } = answer else { panic!() };
    /// assert!(divergence.text.contains("at messages[0].content, recorded as msg_001 at run.yaml:2:5\n"));
    /// ```
    #[must_use]
    pub fn with_origin(self, origin: Origin) -> Self {
        Self { origin: Some(origin), ..self }
    }

    /// The number of recorded calls that are still expected. A nested run is no longer expected once the agent
    /// that called it has continued with a tool result from the host.
    #[must_use]
    pub fn remaining(&self) -> usize {
        match self.runs.tracks.as_slice() {
            [track] => track.remaining,
            _ => self.runs.open().count(),
        }
    }

    /// The steps that are still expected, in the order of the recording; those of nested runs as `3.1`.
    #[must_use]
    pub fn leftover(&self) -> Vec<String> {
        self.runs.open().map(|(track, nth)| self.runs.path(track, self.step(track, nth))).collect()
    }

    /// The run of the first of these steps: the path to a nested run, such as `turn 3 > researcher`, or the agent of a run
    /// that has several; empty if there is only one agent, or nothing is left.
    ///
    /// ```
    /// use transcript_core::{replay::Session, document::{Document, Limits}};
    /// let document = Document::open("messages: ['user: Hi', 'assistant: Hello!']", &Limits::default());
    /// let session = Session::new(document.timeline().unwrap().clone()).unwrap();
    /// assert_eq!((session.leftover(), session.leftover_run()), (vec!["1".to_owned()], String::new()));
    /// ```
    #[must_use]
    pub fn leftover_run(&self) -> String {
        self.runs.open().next().map(|(track, _)| self.runs.name_of(track)).unwrap_or_default()
    }

    /// Ends the run. It fails if a request diverged, even if the host went on, or if recorded calls were not requested,
    /// unless that is allowed.
    ///
    /// # Errors
    /// The first divergence, or the recorded calls that were not requested.
    pub fn finish(&self) -> Result<(), Unfinished> {
        if let Some(diverged) = &self.diverged {
            return Err(Unfinished::Diverged(diverged.clone()));
        }
        let left = self.remaining();
        if left == 0 || self.settings.allow_leftover {
            return Ok(());
        }
        let shown =
            self.runs.open().take(5).map(|(track, nth)| self.runs.place(track, self.step(track, nth)));
        Err(Unfinished::CallsLeft { count: left, first: shown.collect() })
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

    /// Whether there are several agents, in one run or in nested runs.
    #[must_use]
    pub fn has_agents(&self) -> bool {
        self.runs.names_agents
    }

    /// The request that is expected next, in canonical form; `None` when none is, or none is recorded. With
    /// several agents, it is the one that was recorded first.
    #[must_use]
    pub fn expected(&self) -> Option<Vec<CanonicalMessage>> {
        let (track, nth) = self.runs.open().next()?;
        let recording = self.runs.recording(track)?;
        let mut expected = ExpectedRequest::default();
        expected.move_to(&recording, self.step(track, nth));
        let messages = expected.is_recorded().then(|| expected.messages().messages())?;
        Some(messages.iter().map(|message| CanonicalMessage::clone(message)).collect())
    }

    /// Answers one request. With several agents, the recorded request determines the agent.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::replay::{ReplayAnswer, Request, Session};
    /// use transcript_core::document::{Document, Limits};
    /// let document = Document::open("messages: ['user: Hi', 'assistant: Hello!']", &Limits::default());
    /// let mut session = Session::new(document.timeline().unwrap().clone()).unwrap();
    /// let request = json!({"messages": [{"role": "user", "content": "Hi"}]});
    /// let answer = session.request(&Request::from_value(&request).unwrap());
    /// assert!(matches!(answer, ReplayAnswer::Response { step, .. } if step == "1"));
    /// ```
    pub fn request(&mut self, request: &Request) -> ReplayAnswer {
        self.request_in_lane(u64::from(request.lane), request, None)
    }

    /// Answers a request in a lane; `only` is the one track to search, if known.
    fn request_in_lane(&mut self, key: u64, request: &Request, only: Option<usize>) -> ReplayAnswer {
        self.calls += 1;
        let mut lane = std::mem::take(self.lanes.entry(key).or_default());
        let known = lane.actual.item_count();
        lane.actual.update(request);
        let compares_config = self.settings.request != RequestParts::default();
        lane.config = request.config.as_ref().filter(|_| compares_config).cloned();
        let answer = match request.read.keep > known {
            true => ReplayAnswer::Divergence {
                divergence: Box::new(self.unknown_prefix(request.read.keep, known)),
            },
            false => match only {
                Some(track) => self.answer_among(key, &mut lane, Some(&[track])),
                None => self.answer_lane(key, &mut lane, request.agent.as_deref()),
            },
        };
        self.lanes.insert(key, lane);
        if let ReplayAnswer::Divergence { divergence } = &answer
            && self.diverged.is_none()
        {
            let at = match divergence.run.as_str() {
                "" => format!("step {}", divergence.step),
                run => format!("step {} ({run})", divergence.step),
            };
            self.diverged = Some(format!("the run diverged at {at}: {}", divergence.path));
        }
        answer
    }

    /// Makes the next recorded call itself, as a faithful agent would; `None` if none is left.
    pub fn rehearse(&mut self) -> Option<ReplayAnswer> {
        let (at, nth) = self.runs.open().next()?;
        let recording = self.runs.recording(at)?;
        let step = self.step(at, nth);
        let track = self.runs.tracks.get_mut(at)?;
        track.expected.move_to(&recording, step);
        let known = |key: &u64| self.lanes.get(key).is_some_and(|lane| lane.track == Some(at));
        let key = match track.lane.filter(known) {
            Some(key) => key,
            // Nothing has been sent yet.
            None if self.lanes.is_empty() => 0,
            None => lane::for_track(at),
        };
        let items = self.lanes.get(&key).map_or(0, |lane| lane.actual.item_count());
        let messages = track.expected.messages();
        let keep = if known(&key) { messages.unchanged_raw().min(items) } else { 0 };
        let new = messages.raw().iter().skip(keep).cloned().collect();
        let answer = self.request_in_lane(key, &Request::from_delta(keep, new), Some(at));
        if key >= lane::for_track(0) && self.runs.tracks.get(at).is_some_and(|track| track.remaining == 0) {
            self.lanes.remove(&key);
        }
        Some(answer)
    }

    /// The answer of the `nth` call of a track, which is marked as requested.
    pub(super) fn answer(&mut self, key: u64, lane: &mut Lane, at: usize, nth: usize) -> ReplayAnswer {
        if let Some(index) = &mut self.index {
            index.mark_used(lane, &self.settings, (at, nth));
        }
        self.recent.retain(|&recent| recent != at);
        self.recent.insert(0, at);
        self.recent.truncate(RECENT);
        self.runs.mark_requested(at, nth);
        lane.actual.mark();
        lane.track = Some(at);
        let named = self.runs.path(at, self.step(at, nth));
        let recording = self.runs.recording(at);
        let (Some(recording), Some(track)) = (recording, self.runs.tracks.get_mut(at)) else {
            return ReplayAnswer::Error { step: named, error: Value::Null, retried: false };
        };
        let step = track.recorded.get(nth).copied().unwrap_or(0);
        track.lane = Some(key);
        track.head = lane.actual.messages().messages().iter().take(HEAD).cloned().collect();
        track.expected.mark();
        let count = track.expected.messages().messages().len();
        let next = track.next_step();
        if let Some(next) = next {
            track.expected.move_to(&recording, next);
        }
        let messages = track.expected.messages();
        let is_same = messages.unchanged() == count && messages.messages().len() == count;
        let retried = is_same && track.expected.is_recorded() && next.is_some();
        let turn = recording.timeline.turn_at(step);
        match turn.and_then(|turn| turn.response.as_ref()) {
            Some(recorded) => {
                ReplayAnswer::Response { response: Box::new(response(recorded, &named)), step: named }
            }
            None => ReplayAnswer::Error {
                step: named,
                error: turn.and_then(|turn| turn.error.clone()).unwrap_or_default(),
                retried,
            },
        }
    }

    /// The step of a call of a track.
    pub(super) fn step(&self, track: usize, nth: usize) -> usize {
        let track = self.runs.tracks.get(track);
        track.and_then(|track| track.recorded.get(nth)).copied().unwrap_or(0)
    }

    /// Every recorded request, those of each track one after the other.
    pub(super) fn for_each_expected(&self, mut see: impl FnMut((usize, usize), &NormalizedMessages)) {
        for (at, track) in self.runs.tracks.iter().enumerate() {
            let Some(recording) = self.runs.recording(at) else { continue };
            let mut expected = ExpectedRequest::default();
            for (nth, &step) in track.recorded.iter().enumerate() {
                expected.move_to(&recording, step);
                see((at, nth), expected.messages());
                expected.mark();
            }
        }
    }
}
