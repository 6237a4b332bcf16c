//! Finds the recorded call of a request: its agent and its run.

use super::compare::{Comparison, Difference};
use super::divergence::Divergence;
use super::index::RequestIndex;
use super::lane::Lane;
use super::runs::OutOfOrder;
use super::session::{ReplayAnswer, Session};
use crate::diagnostic::closest;

/// How a request compares with a recorded one.
pub(super) enum RequestComparison {
    Same,
    /// An unrecorded request cannot differ.
    Unrecorded,
    Differs(Box<Difference>),
}

/// The maximum number of calls that are examined for a run without recorded requests.
const MAX_EXAMINED: usize = 4096;
/// The maximum number of tracks that a request without a match is compared with.
const MAX_CANDIDATES: usize = 16;

/// Tracks in ascending order; `None` means all.
pub(super) type TrackFilter<'a> = Option<&'a [usize]>;

pub(super) fn is_in_filter(among: TrackFilter<'_>, track: usize) -> bool {
    among.is_none_or(|among| among.binary_search(&track).is_ok())
}

impl Session {
    /// Answers the request of a lane; `agent` is the name from the host, if any.
    pub(super) fn answer_lane(&mut self, key: u64, lane: &mut Lane, agent: Option<&str>) -> ReplayAnswer {
        let among = match agent.filter(|_| self.runs.names_agents) {
            None => None,
            Some(name) => match self.runs.tracks_named(name) {
                Some(tracks) => Some(tracks),
                None => return ReplayAnswer::Divergence { divergence: Box::new(self.unknown_agent(name)) },
            },
        };
        self.answer_among(key, lane, among.as_ref().map(|tracks| tracks.as_slice()))
    }

    pub(super) fn answer_among(&mut self, key: u64, lane: &mut Lane, among: TrackFilter<'_>) -> ReplayAnswer {
        if let Some((track, nth)) = self.find_recorded(key, lane, among) {
            return self.answer(key, lane, track, nth);
        }
        let divergence = match self.most_likely_track(lane, among) {
            None => self.unexpected_request(lane, among),
            Some(track) => {
                let next = self.runs.tracks.get(track).map_or(0, |track| track.next);
                match (self.compare(key, lane, track, next), self.out_of_order(track, next)) {
                    (RequestComparison::Differs(found), _) => self.diverged(lane, (track, among), *found),
                    (_, Some(untimely)) => self.out_of_order_request((track, next), untimely),
                    (_, None) => return self.answer(key, lane, track, next),
                }
            }
        };
        ReplayAnswer::Divergence { divergence: Box::new(divergence) }
    }

    /// Why a call cannot come now, if calls follow the order of the recording.
    fn out_of_order(&self, track: usize, nth: usize) -> Option<OutOfOrder> {
        if self.settings.any_order { None } else { self.runs.out_of_order(track, nth) }
    }

    /// The recorded call with this request.
    fn find_recorded(&mut self, key: u64, lane: &mut Lane, among: TrackFilter<'_>) -> Option<(usize, usize)> {
        let is_one = self.runs.tracks.len() == 1;
        if !self.settings.any_order {
            // Usually an agent continues; known messages are then not compared again.
            let likely =
                if is_one { Some(0) } else { lane.track.filter(|&track| is_in_filter(among, track)) };
            if let Some(found) = likely.and_then(|track| self.next_if_same(key, lane, track)) {
                return Some(found);
            }
        }
        if !is_one || self.settings.any_order {
            let index = self.index.take().unwrap_or_else(|| RequestIndex::new(self));
            let mut matching = None;
            for &(track, nth) in index.candidates(lane, &self.settings).into_iter().flatten() {
                let is_next = || self.runs.tracks.get(track).is_some_and(|track| track.next == nth);
                if is_in_filter(among, track)
                    && self.runs.is_open(track, nth)
                    && (self.settings.any_order || is_next())
                    && self.out_of_order(track, nth).is_none()
                    && matches!(self.compare(key, lane, track, nth), RequestComparison::Same)
                {
                    matching = Some((track, nth));
                    break;
                }
            }
            self.index = Some(index);
            if matching.is_some() {
                return matching;
            }
        }
        self.find_unrecorded(lane, among)
    }

    fn next_if_same(&mut self, key: u64, lane: &Lane, at: usize) -> Option<(usize, usize)> {
        let next = self.runs.tracks.get(at)?.next;
        matches!(self.compare(key, lane, at, next), RequestComparison::Same).then_some((at, next))
    }

    /// Of the calls without a recorded request, the one that continues what its agent was sent before; else
    /// the first call of a new agent; else the first one.
    fn find_unrecorded(&mut self, lane: &Lane, among: TrackFilter<'_>) -> Option<(usize, usize)> {
        if !self.settings.allow_unrecorded {
            return None;
        }
        let mut open = self.runs.open().take(MAX_EXAMINED).collect::<Vec<_>>();
        open.retain(|&(at, nth)| {
            if self.out_of_order(at, nth).is_some() {
                return false;
            }
            let track = self.runs.tracks.get(at).filter(|track| track.next == nth);
            let step = self.step(at, nth);
            let is_unrecorded = |recording: &super::recorded::Recording| {
                let turn = recording.timeline.turn_at(step);
                turn.is_some_and(|turn| matches!(turn.sent, crate::model::Sent::Unrecorded))
            };
            track.is_some()
                && is_in_filter(among, at)
                && self.runs.recording(at).is_some_and(|found| is_unrecorded(&found))
        });
        let sent = lane.actual.messages().messages();
        let continues = |at: usize| {
            let head = self.runs.tracks.get(at).map(|track| track.head.as_slice()).unwrap_or_default();
            !head.is_empty() && sent.len() >= head.len() && head.iter().zip(sent).all(|(a, b)| a == b)
        };
        let find = |fits: &dyn Fn((usize, usize)) -> bool| open.iter().copied().find(|&call| fits(call));
        find(&|(at, _)| continues(at))
            .or_else(|| find(&|(_, nth)| nth == 0))
            .or_else(|| open.first().copied())
    }

    /// Compares the request of a lane with a recorded one.
    fn compare(&mut self, key: u64, lane: &Lane, at: usize, nth: usize) -> RequestComparison {
        let (Some(recording), step) = (self.runs.recording(at), self.step(at, nth)) else {
            return RequestComparison::Unrecorded;
        };
        let Some(track) = self.runs.tracks.get_mut(at) else { return RequestComparison::Unrecorded };
        if step == 0 {
            return RequestComparison::Unrecorded;
        }
        track.expected.move_to(&recording, step);
        if !track.expected.is_recorded() {
            return RequestComparison::Unrecorded;
        }
        let (expected, actual) = (track.expected.messages(), lane.actual.messages());
        // Both sides count from the last answer only if that was one answer.
        let from = match lane.track == Some(at) && track.lane == Some(key) {
            true => expected.unchanged().min(actual.unchanged()),
            false => 0,
        };
        let ignore = &self.settings.ignore;
        let found = track.comparison.difference(expected.messages(), actual.messages(), from, ignore);
        let found = found.or_else(|| {
            let (message, sent) = (expected.messages().len(), actual.messages().len());
            let sent_config = lane.config.as_ref()?;
            let config = recording.config(step)?;
            let (path, expected, actual) =
                track.comparison.config(&config, sent_config, self.settings.request, ignore)?;
            Some(Difference { message, sent, path, recorded: None, expected, actual, also: None })
        });
        match found {
            None => RequestComparison::Same,
            Some(found) => {
                // A comparison that fails does not change the ids.
                track.comparison.undo();
                RequestComparison::Differs(Box::new(found))
            }
        }
    }

    /// The most likely track of a request that matches none: the one with the longest agreement of its next
    /// request; of equal ones, the one that the lane was in, then the latest, then the first of the
    /// recording.
    fn most_likely_track(&mut self, lane: &mut Lane, among: TrackFilter<'_>) -> Option<usize> {
        let mut tracks: Vec<usize> = lane.track.into_iter().chain(self.recent.iter().copied()).collect();
        match among {
            Some(among) => {
                let open = |at: &&usize| self.runs.tracks.get(**at).is_some_and(|track| track.remaining > 0);
                tracks.extend(among.iter().filter(open).take(MAX_CANDIDATES));
            }
            None => {
                // Calls that the request would match at another time.
                if let Some(index) = &self.index {
                    let alike = index.candidates(lane, &self.settings).into_iter().flatten();
                    tracks.extend(alike.take(MAX_CANDIDATES).map(|(track, _)| *track));
                }
                tracks.extend(self.runs.open().take(MAX_CANDIDATES).map(|(track, _)| track));
            }
        }
        let mut best = None;
        for (place, &at) in tracks.iter().enumerate() {
            if !is_in_filter(among, at) || tracks.iter().take(place).any(|&before| before == at) {
                continue;
            }
            let Some(score) = self.similarity(lane, at) else { continue };
            if best.as_ref().is_none_or(|(known, _)| score > *known) {
                best = Some((score, at));
            }
        }
        best.map(|(_, at)| at)
    }

    /// How similar a request is to the next one of a track: the length of the common beginning, whether it
    /// may come now, whether both ends are equal, and the difference in length.
    fn similarity(
        &mut self,
        lane: &Lane,
        at: usize,
    ) -> Option<(usize, bool, bool, std::cmp::Reverse<usize>)> {
        let recording = self.runs.recording(at)?;
        let is_timely = self.out_of_order(at, self.runs.tracks.get(at)?.next).is_none();
        let track = self.runs.tracks.get_mut(at)?;
        track.expected.move_to(&recording, track.next_step()?);
        let (expected, actual) = (track.expected.messages().messages(), lane.actual.messages().messages());
        if !track.expected.is_recorded() {
            return Some((0, is_timely, false, std::cmp::Reverse(usize::MAX)));
        }
        let found = Comparison::default().difference(expected, actual, 0, &self.settings.ignore);
        let agreeing = found.map_or(usize::MAX, |found| found.message);
        let [ours, theirs] = [expected, actual].map(|list| list.last());
        let same_end = match (ours, theirs) {
            (Some(ours), Some(theirs)) => ours.role == theirs.role && ours.content == theirs.content,
            (ours, theirs) => ours.is_none() && theirs.is_none(),
        };
        let length = expected.len().abs_diff(actual.len());
        Some((agreeing, is_timely, same_end, std::cmp::Reverse(length)))
    }

    /// A request of an agent unknown to the recording.
    fn unknown_agent(&self, name: &str) -> Divergence {
        let known: Vec<String> =
            self.runs.names().take(MAX_CANDIDATES).map(|name| format!("`{name}`")).collect();
        let more = if self.runs.names().nth(MAX_CANDIDATES).is_some() { " and others" } else { "" };
        let known = format!("{}{more}", known.join(", "));
        let hint = match closest(name, self.runs.names()) {
            Some(meant) => format!("did you mean `{meant}`? The agents are {known}"),
            None if known.is_empty() => "the recording has no agent names: remove the name".to_owned(),
            None => format!("the agents are {known}"),
        };
        let text = format!("the recording has no agent `{name}`\n  hint: {hint}");
        Divergence {
            path: "agent".to_owned(),
            actual: Some(name.into()),
            hint,
            text,
            ..Divergence::default()
        }
    }
}
