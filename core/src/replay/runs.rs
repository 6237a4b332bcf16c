//! The runs of a recording that a replay plays: itself, and those of other agents in the results of its tools.

use std::rc::Rc;
use std::sync::Arc;

use serde_json::Value;

use super::compare::Comparison;
use super::expected::ExpectedRequest;
use super::recorded::Recording;
use super::session::NotReplayable;
use super::settings::Settings;
use super::timeline::Timeline;
use crate::canonical::CanonicalMessage;
use crate::model::{Sent, Text, ToolRun};
use crate::text::Table;

/// The maximum number of other agents' runs in one recording.
const MOST: usize = 100_000;

/// The name of an unnamed agent.
pub(super) const MAIN: &str = "main";

/// The recording itself, or a run of another agent inside it.
#[derive(Debug)]
pub(super) struct Run {
    pub recording: Rc<Recording>,
    /// The call that contains it; `None` for the recording itself.
    pub parent: Option<Parent>,
    /// The agent that the result names, or the tool that runs it.
    pub agent: Text,
    /// How many of its calls and of those in nested runs were requested.
    pub requested: usize,
    /// The place of its first call in the order of all.
    pub first: usize,
}

/// The tool call that contains a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parent {
    pub run: usize,
    /// The agent that called the tool; `None` without model calls.
    pub track: Option<usize>,
    /// The step of `run`.
    pub step: usize,
}

/// The model calls of one agent in one run, which are requested in order.
#[derive(Debug)]
pub(super) struct Track {
    pub run: usize,
    pub agent: Option<Text>,
    /// The steps that call the model and have an answer or an error recorded.
    pub recorded: Vec<usize>,
    /// Which of them were requested.
    pub used: Vec<bool>,
    /// The first of them that was not.
    pub next: usize,
    /// The number of calls up to the last that was.
    pub furthest: usize,
    pub remaining: usize,
    pub expected: ExpectedRequest,
    pub comparison: Comparison,
    /// The lane of the last request.
    pub lane: Option<u64>,
    /// The start of its last request.
    pub head: Vec<Rc<CanonicalMessage>>,
}

impl Track {
    fn new(run: usize, agent: Option<Text>) -> Self {
        Self {
            run,
            agent,
            recorded: Vec::new(),
            used: Vec::new(),
            next: 0,
            furthest: 0,
            remaining: 0,
            expected: ExpectedRequest::default(),
            comparison: Comparison::default(),
            lane: None,
            head: Vec::new(),
        }
    }

    /// The step of its next call.
    pub(super) fn next_step(&self) -> Option<usize> {
        self.recorded.get(self.next).copied()
    }
}

/// Every run, every agent in them, and the calls of all in the order in which they were recorded.
#[derive(Debug, Default)]
pub(super) struct Runs {
    pub runs: Vec<Run>,
    pub tracks: Vec<Track>,
    /// Each call by its track and its place there.
    pub order: Vec<(usize, usize)>,
    /// Those before this place in the order are not expected any more.
    front: usize,
    /// The tracks that a name may refer to: of an agent, of the tool that runs it, or of the call of that
    /// tool.
    names: Table<Text, Rc<Vec<usize>>>,
    /// Runs by the run and the step that they are in.
    inside: Table<(usize, usize), usize>,
    /// Why runs of other agents cannot be played.
    pub faults: Vec<String>,
    /// Whether there are several agents.
    pub names_agents: bool,
}

impl Runs {
    pub(super) fn new(timeline: Timeline, settings: &Settings) -> Result<Self, NotReplayable> {
        let mut runs = Self::default();
        let mut known = Table::new();
        let recording = Rc::new(Recording::new(timeline));
        runs.add(
            Run { recording, parent: None, agent: MAIN.into(), requested: 0, first: 0 },
            &mut known,
            settings,
        )?;
        for name in runs.names.keys().cloned().collect::<Vec<_>>() {
            if let Some(tracks) = runs.names.get_mut(&*name) {
                let tracks = Rc::make_mut(tracks);
                tracks.sort_unstable();
                tracks.dedup();
            }
        }
        // A run without model calls is complete at once; one that cannot be played is not.
        if runs.order.is_empty()
            && let Some(why) = runs.faults.pop()
        {
            return Err(NotReplayable(why));
        }
        Ok(runs)
    }

    /// Adds a run and its nested runs. `known` has the recordings by the address of their transcripts, since
    /// many results may name one run.
    fn add(
        &mut self,
        run: Run,
        known: &mut Table<usize, Rc<Recording>>,
        settings: &Settings,
    ) -> Result<(), NotReplayable> {
        let at = self.runs.len();
        if at > MOST {
            return Err(NotReplayable(format!("the transcript has more than {MOST} nested runs")));
        }
        let (recording, is_inside) = (run.recording.clone(), run.parent.is_some());
        let agent = run.agent.clone();
        self.runs.push(run);
        let timeline = &recording.timeline;
        let fault = not_replayable_reason(timeline, settings);
        if let Some(fault) = &fault {
            if !is_inside {
                return Err(NotReplayable(fault.clone()));
            }
            self.faults.push(format!("{}: {fault}", self.name(at)));
        }
        let mut tracks: Table<Option<Text>, usize> = Table::new();
        let mut last = None;
        for step in 1..=timeline.steps() {
            let Some(turn) = timeline.turn_at(step) else { continue };
            let speaker = || turn.agent.clone().or_else(|| turn.created.as_ref()?.agent.clone());
            if is_call(timeline, step) && fault.is_none() {
                let speaker = speaker();
                let track = *tracks.entry(speaker.clone()).or_insert_with(|| {
                    self.tracks.push(Track::new(at, speaker));
                    self.tracks.len() - 1
                });
                last = Some(track);
                if let Some(track) = self.tracks.get_mut(track) {
                    track.recorded.push(step);
                    track.used.push(false);
                    track.remaining += 1;
                    self.order.push((last.unwrap_or(0), track.recorded.len() - 1));
                }
            }
            let Some((tool, inside)) =
                turn.tool.as_ref().and_then(|tool| Some((tool, tool.nested.as_ref()?)))
            else {
                continue;
            };
            let recording = known
                .entry(Arc::as_ptr(inside).addr())
                .or_insert_with(|| Rc::new(Recording::new(Timeline::new((**inside).clone()))))
                .clone();
            let track = tracks.get(&speaker()).copied().or(last);
            let parent = Some(Parent { run: at, track, step });
            let (first, child, name) = (self.tracks.len(), self.runs.len(), agent_of(tool));
            self.inside.insert((at, step), child);
            let run = Run { recording, parent, agent: name.clone(), requested: 0, first: self.order.len() };
            self.add(run, known, settings)?;
            let is_own = |track: &usize| self.tracks.get(*track).is_some_and(|track| track.run == child);
            let own: Vec<usize> = (first..self.tracks.len()).filter(is_own).collect();
            self.names_agents |= !own.is_empty();
            self.index_calls(&name, &own);
            if tool.name.value != name {
                self.index_calls(&tool.name.value, &own);
            }
            if let Some(id) = &tool.id {
                self.index_calls(&id.value, &own);
            }
        }
        for (speaker, track) in &tracks {
            match speaker {
                Some(speaker) if *speaker != agent => {
                    self.names_agents = true;
                    self.index_calls(speaker, &[*track]);
                }
                None if !is_inside => self.index_calls(&agent, &[*track]),
                _ => {}
            }
        }
        Ok(())
    }

    fn index_calls(&mut self, name: &Text, tracks: &[usize]) {
        if !name.is_empty() {
            Rc::make_mut(self.names.entry(name.clone()).or_default()).extend(tracks);
        }
    }
}

/// Whether a step calls the model and its outcome is recorded.
fn is_call(timeline: &Timeline, step: usize) -> bool {
    timeline.turn_at(step).is_some_and(|turn| turn.response.is_some() || turn.error.is_some())
}

/// The agent of a tool: the one that its result names, else the tool.
fn agent_of(tool: &ToolRun) -> Text {
    match tool.result.get("agent_id").and_then(Value::as_str) {
        Some(agent) => agent.into(),
        None => tool.name.value.clone(),
    }
}

/// Why a run cannot be played.
fn not_replayable_reason(timeline: &Timeline, settings: &Settings) -> Option<String> {
    let calls = || (1..=timeline.steps()).filter(|step| is_call(timeline, *step));
    if let Some(hole) = calls().find_map(|step| missing_message(timeline, step)) {
        return Some(hole);
    }
    let is_unrecorded =
        |step: &usize| timeline.turn_at(*step).is_some_and(|turn| matches!(turn.sent, Sent::Unrecorded));
    let step = calls().find(is_unrecorded).filter(|_| !settings.allow_unrecorded)?;
    Some(format!(
        "step {step} has no recorded request (`messages_sent_to_llm`) to compare; use `unrecorded: \"allow\"` to accept any request"
    ))
}

/// The first message of a recorded request that is missing from the recording.
fn missing_message(timeline: &Timeline, step: usize) -> Option<String> {
    let Sent::List(items) = &timeline.turn_at(step)?.sent else { return None };
    items.iter().enumerate().find_map(|(index, item)| {
        let what = match (&item.reference, &item.inline) {
            (Some(id), _) if timeline.message(&id.value).is_some() => return None,
            (None, Some(_)) => return None,
            (Some(id), _) => format!("refers to the unknown message `{}`", id.value),
            (None, None) => "refers to no message".to_owned(),
        };
        Some(format!("step {step} cannot be replayed: `messages_sent_to_llm[{index}]` {what}"))
    })
}

impl Runs {
    /// The tracks that a name refers to: of an agent, of the tool that runs it, of the call of that tool, or
    /// of its step, such as `3` or `3.2`.
    pub(super) fn tracks_named(&self, name: &str) -> Option<Rc<Vec<usize>>> {
        if let Some(tracks) = self.names.get(name) {
            return Some(tracks.clone());
        }
        let mut run = 0;
        for part in name.split('.') {
            run = *self.inside.get(&(run, part.parse().ok()?))?;
        }
        let of_run = |(at, track): (usize, &Track)| (track.run == run).then_some(at);
        Some(Rc::new(self.tracks.iter().enumerate().filter_map(of_run).collect()))
    }

    /// Every name of an agent.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.names.keys().map(|name| &**name)
    }

    /// The recording of a track.
    pub(super) fn recording(&self, track: usize) -> Option<Rc<Recording>> {
        let run = self.tracks.get(track)?.run;
        Some(self.runs.get(run)?.recording.clone())
    }

    /// The runs that a run is inside of and itself, the outermost first, the recording left out.
    fn ancestors(&self, run: usize) -> Vec<(&Run, usize)> {
        let mut ancestors = Vec::new();
        let mut at = self.runs.get(run);
        while let Some((run, parent)) = at.and_then(|run| Some((run, run.parent?))) {
            ancestors.push((run, parent.step));
            at = self.runs.get(parent.run);
        }
        ancestors.reverse();
        ancestors
    }

    /// The path to a run for display, such as `turn 3 > researcher`; empty for the recording.
    pub(super) fn name(&self, run: usize) -> String {
        let parts = self.ancestors(run).into_iter().map(|(run, step)| format!("turn {step} > {}", run.agent));
        parts.collect::<Vec<_>>().join(" > ")
    }

    /// The path to an agent of a run for display, such as `turn 3 > researcher`, or `bob`; empty if there is only one agent.
    pub(super) fn name_of(&self, track: usize) -> String {
        let Some(track) = self.tracks.get(track) else { return String::new() };
        let (mut name, run) = (self.name(track.run), self.runs.get(track.run));
        if let Some(agent) = track.agent.as_ref().filter(|agent| run.is_some_and(|run| run.agent != **agent))
        {
            name.push_str(if name.is_empty() { "" } else { " > " });
            name.push_str(agent);
        }
        name
    }

    /// The path of a step, such as `3.2`.
    pub(super) fn path(&self, track: usize, step: usize) -> String {
        let run = self.tracks.get(track).map_or(0, |track| track.run);
        let mut path: String = self.ancestors(run).into_iter().map(|(_, step)| format!("{step}.")).collect();
        path.push_str(&step.to_string());
        path
    }

    /// A step for display, such as `turn 3 > researcher > step 2`.
    pub(super) fn place(&self, track: usize, step: usize) -> String {
        match self.name_of(track) {
            name if name.is_empty() => format!("step {step}"),
            name => format!("{name} > step {step}"),
        }
    }

    /// Marks a call as requested.
    pub(super) fn mark_requested(&mut self, track: usize, nth: usize) {
        let Some(track) = self.tracks.get_mut(track) else { return };
        if let Some(used) = track.used.get_mut(nth).filter(|used| !**used) {
            *used = true;
            track.remaining = track.remaining.saturating_sub(1);
        }
        track.furthest = track.furthest.max(nth + 1);
        while track.used.get(track.next) == Some(&true) {
            track.next += 1;
        }
        let mut at = Some(track.run);
        while let Some(run) = at.and_then(|at| self.runs.get_mut(at)) {
            // A skipped run may still be requested later.
            if run.requested == 0 {
                self.front = self.front.min(run.first);
            }
            run.requested += 1;
            at = run.parent.map(|parent| parent.run);
        }
        while self.order.get(self.front).is_some_and(|&call| !self.is_expected(call)) {
            self.front += 1;
        }
    }

    /// Whether a call was not requested yet.
    pub(super) fn is_open(&self, track: usize, nth: usize) -> bool {
        self.tracks.get(track).is_some_and(|track| track.used.get(nth) == Some(&false))
    }

    /// Whether an agent did not run and is no longer expected to: nothing in its run was requested, and the agent that
    /// called it continued with a tool result from the host.
    fn is_skipped(&self, run: usize) -> bool {
        self.is_left_behind(run, |track, after| match after == track.recorded.len() {
            true => track.remaining == 0,
            false => track.furthest > after,
        })
    }

    /// Whether nothing in a run was requested, and an agent around it has continued: `went_on` decides from its track and
    /// the number of its calls before the tool's.
    fn is_left_behind(&self, run: usize, went_on: impl Fn(&Track, usize) -> bool) -> bool {
        let mut at = self.runs.get(run);
        while let Some((run, parent)) = at.and_then(|run| Some((run, run.parent?))) {
            if run.requested > 0 {
                return false;
            }
            let has_gone_on = parent.track.and_then(|track| self.tracks.get(track)).is_some_and(|track| {
                went_on(track, track.recorded.partition_point(|&step| step < parent.step))
            });
            if has_gone_on {
                return true;
            }
            at = self.runs.get(parent.run);
        }
        false
    }

    fn is_expected(&self, (track, nth): (usize, usize)) -> bool {
        let run = self.tracks.get(track).map_or(0, |track| track.run);
        self.is_open(track, nth) && !self.is_skipped(run)
    }

    /// The calls that are still expected, in the order of the recording.
    pub(super) fn open(&self) -> impl Iterator<Item = (usize, usize)> {
        self.order.iter().copied().skip(self.front).filter(|&call| self.is_expected(call))
    }

    /// Why a call cannot come now: its run begins after the answer with the tool call, and before the calling
    /// agent continues.
    pub(super) fn out_of_order(&self, track: usize, nth: usize) -> Option<OutOfOrder> {
        let run = self.tracks.get(track)?.run;
        if nth > 0 || self.runs.get(run)?.requested > 0 {
            return None;
        }
        let mut parent = self.runs.get(run)?.parent;
        while let Some(above) = parent {
            if let Some((at, track)) = above.track.and_then(|at| Some((at, self.tracks.get(at)?))) {
                let before = track.recorded.partition_point(|&step| step < above.step);
                if let Some(last) = before.checked_sub(1) {
                    if self.is_open(at, last) {
                        return Some(OutOfOrder { is_late: false, call: (at, last) });
                    }
                    break;
                }
            }
            parent = self.runs.get(above.run).and_then(|run| run.parent);
        }
        if self.is_left_behind(run, |track, after| track.furthest > after) {
            let above = self.runs.get(run)?.parent?;
            let (at, track) = above.track.and_then(|at| Some((at, self.tracks.get(at)?)))?;
            let after = track.recorded.partition_point(|&step| step < above.step);
            return Some(OutOfOrder { is_late: true, call: (at, after) });
        }
        None
    }
}

/// Why a run of another agent cannot begin now.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutOfOrder {
    /// Whether its caller has continued; otherwise it did not call it yet.
    pub is_late: bool,
    /// The call of that agent that came too early, or is missing.
    pub call: (usize, usize),
}
