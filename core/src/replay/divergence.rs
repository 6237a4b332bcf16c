//! Where and how a request differs from the recording, and what to do about it.

use std::rc::Rc;

use serde::Serialize;
use serde_json::Value;

use super::choose::{TrackFilter, is_in_filter};
use super::compare::{Comparison, Difference, OtherDifference};
use super::expected::ExpectedRequest;
use super::lane::Lane;
use super::origin::RecordedAt;
use super::runs::OutOfOrder;
use super::session::Session;
use super::settings::Ignore;
use super::unified::unified;
use crate::canonical::{CanonicalMessage, to_display_value};
use crate::text::{json_line, sort_by_key};

/// Where and how a request differs from the recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Divergence {
    /// The step of the expected request, such as `3`, or `3.1` in the run of another agent.
    pub step: String,
    /// The run of the expected request: the path to a nested run, such as `turn 3 > researcher`, or the agent
    /// of a run that has several; empty where there is only one.
    pub run: String,
    /// The index of the message that differs, from 0.
    pub message: usize,
    /// The path of the first difference in the sent request.
    pub path: String,
    /// The same place in the recording, if results of parallel calls came in another order.
    pub recorded_path: Option<String>,
    /// The recorded message that differs; `None` where none was recorded.
    pub recorded: Option<RecordedAt>,
    /// The recorded value; `None` for nothing, which is not null: as data, the key is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Value>,
    /// The sent value; `None` for nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<Value>,
    /// A second difference, in the content of a call or result with a different id.
    pub other_difference: Option<OtherDifference>,
    /// The lines that differ, as a unified diff, where both are texts of several lines or long ones.
    pub diff: Option<String>,
    /// The nearest recorded calls, best first, with the reason why each does not match.
    pub nearest: Vec<NearestRecording>,
    /// A remedy.
    pub hint: String,
    /// All of this as text.
    pub text: String,
}

/// A recorded call that nearly matches.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NearestRecording {
    /// The step.
    pub step: String,
    /// The reason why it does not match.
    pub reason: String,
    /// The path of the first difference; `None` when it matches.
    pub path: Option<String>,
}

/// A nearest recording with its rank.
struct RankedRecording {
    /// How many messages are equal before the first difference; the most there can be when all are.
    equal_messages: usize,
    /// How many are equal after it.
    equal_later: usize,
    track: usize,
    recording: NearestRecording,
}

impl RankedRecording {
    /// The greater, the nearer.
    fn rank(&self) -> (usize, usize) {
        (self.equal_messages, self.equal_later)
    }
}

/// The most recordings named as near.
const NEAREST: usize = 3;
/// How far from the expected call a near one is looked for, so that a divergence late in a long run
/// costs no more than a few requests.
const NEIGHBOURS: usize = 16;

impl Session {
    pub(super) fn unexpected_request(&self, lane: &Lane, among: TrackFilter<'_>) -> Divergence {
        let tracks = self.runs.tracks.iter().enumerate();
        let mut meant = tracks.filter(|(at, _)| is_in_filter(among, *at));
        let count: usize = meant.clone().map(|(_, track)| track.recorded.len()).sum();
        let run = match among {
            Some(_) => meant.next_back().map(|(at, _)| self.runs.name_of(at)).unwrap_or_default(),
            None => String::new(),
        };
        let of = if run.is_empty() { String::new() } else { format!(" of {run}") };
        let has = match count {
            0 => format!("no model call{of}, but the agent makes one"),
            1 => format!("1 model call{of}, but the agent makes another"),
            count => format!("{count} model calls{of}, but the agent makes another"),
        };
        let actual: Vec<Value> =
            lane.actual.messages().messages().iter().map(|message| to_display_value(message)).collect();
        let hint = match count {
            0 => "record the run again: the recording has no model calls",
            _ => "stop earlier, or record the run again",
        };
        let hint = hint.to_owned();
        let last =
            self.runs.order.iter().rev().filter(|(track, _)| is_in_filter(among, *track)).take(NEAREST);
        let last = last.map(|&(track, nth)| (track, self.step(track, nth))).collect();
        let nearest: Vec<NearestRecording> =
            self.describe_nearest(lane, last).into_iter().map(|near| near.recording).collect();
        let near: String =
            nearest.iter().map(|near| format!("\n  near: step {}, {}", near.step, near.reason)).collect();
        let text = format!(
            "the recording has {has}\n  sent: {} messages, the last: {}{near}\n  hint: {hint}",
            actual.len(),
            shortened(actual.last()),
        );
        let steps = self.runs.recording(0).map_or(0, |recording| recording.timeline.steps());
        Divergence {
            step: (steps + 1).to_string(),
            run,
            path: "messages".to_owned(),
            actual: Some(Value::Array(actual)),
            nearest,
            hint,
            text,
            ..Divergence::default()
        }
    }

    /// A request that names more messages as sent before than there were.
    pub(super) fn unknown_prefix(&self, keep: usize, known: usize) -> Divergence {
        let next = self.runs.open().next();
        let step = next.map_or_else(String::new, |(track, nth)| self.runs.path(track, self.step(track, nth)));
        let hint = "send all messages, or omit only those of the previous request".to_owned();
        let text = format!(
            "the request omits {keep} messages (`keep`), but the previous one had {known}\n  hint: {hint}"
        );
        Divergence {
            step,
            message: known,
            path: "keep".to_owned(),
            expected: Some(known.into()),
            actual: Some(keep.into()),
            hint,
            text,
            ..Divergence::default()
        }
    }

    /// A recorded request of a run that cannot begin now.
    pub(super) fn out_of_order_request(
        &self,
        (track, nth): (usize, usize),
        untimely: OutOfOrder,
    ) -> Divergence {
        let (step, (caller, call)) = (self.step(track, nth), untimely.call);
        let at = self.runs.place(caller, self.step(caller, call));
        let (what, why) = match untimely.is_late {
            false => {
                ("the agent runs before its call", format!("its caller has not made the call of {at} yet"))
            }
            true => (
                "the agent runs after its caller continued",
                format!("its caller has already made the call of {at}"),
            ),
        };
        let hint = format!("{why}; if agents run in parallel, use `order: \"any\"`");
        let text = format!("{}: {what}\n  hint: {hint}", self.runs.place(track, step));
        let step = self.runs.path(track, step);
        let near = NearestRecording { step: step.clone(), reason: "which matches".to_owned(), path: None };
        Divergence {
            step,
            run: self.runs.name_of(track),
            path: "messages".to_owned(),
            nearest: vec![near],
            hint,
            text,
            ..Divergence::default()
        }
    }

    /// The request is not the next one of the track.
    pub(super) fn diverged(
        &self,
        lane: &Lane,
        (track, among): (usize, TrackFilter<'_>),
        found: Difference,
    ) -> Divergence {
        let step = self.runs.tracks.get(track).and_then(|track| track.next_step()).unwrap_or(0);
        let is_message = found.path.starts_with("messages");
        // Recorded calls are compared only by their messages.
        let nearest = if is_message { self.nearest(lane, track) } else { Vec::new() };
        let hint = match is_message {
            true => self.hint(lane, (track, among), &found, &nearest),
            false => {
                let compared = found.path.split(['.', '[']).next().unwrap_or_default();
                let ignore = match compared == found.path {
                    true => String::new(),
                    false => format!(
                        "; to ignore this difference, use `ignore: [{}]`",
                        json_line(&found.path.as_str().into())
                    ),
                };
                format!("if this is intended, record the run again{ignore}; `compare` includes `{compared}`")
            }
        };
        let diff = match (&found.expected, &found.actual) {
            (Some(Value::String(expected)), Some(Value::String(actual))) => unified(expected, actual),
            _ => None,
        };
        let mut text = format!(
            "{}: the request differs from the recording\n  at {}",
            self.runs.place(track, step),
            found.path
        );
        if let Some(recorded) = &found.recorded {
            text.push_str(&format!(" ({recorded} in the recording: the results are in another order)"));
        }
        let recorded_at = self.recorded_at(track, &found);
        if let Some(words) = recorded_at.as_ref().and_then(RecordedAt::describe) {
            text.push_str(&format!(", {words}"));
        }
        match &diff {
            Some(diff) => diff.lines().for_each(|line| {
                text.push_str("\n    ");
                text.push_str(line);
            }),
            None => text.push_str(&expected_and_actual(found.expected.as_ref(), found.actual.as_ref())),
        }
        if let Some(also) = &found.also {
            text.push_str(&format!("\n  and at {}", also.path));
            text.push_str(&expected_and_actual(also.expected.as_ref(), also.actual.as_ref()));
        }
        // A recording that is no nearer than the expected one is no help to a reader.
        let expected = self.runs.tracks.get(track).map(|track| &track.expected);
        let expected_rank = (found.message, expected.map_or(0, |it| equal_later(lane, it, found.message)));
        for RankedRecording { recording: near, .. } in
            nearest.iter().filter(|near| near.rank() > expected_rank)
        {
            text.push_str(&format!("\n  near: step {}, {}", near.step, near.reason));
        }
        let nearest = nearest.into_iter().map(|near| near.recording).collect();
        text.push_str(&format!("\n  hint: {hint}"));
        let Difference { sent, path, recorded, expected, actual, also, .. } = found;
        Divergence {
            step: self.runs.path(track, step),
            run: self.runs.name_of(track),
            message: sent,
            path,
            recorded_path: recorded,
            recorded: recorded_at,
            expected,
            actual,
            other_difference: also,
            diff,
            nearest,
            hint,
            text,
        }
    }

    /// The recorded message of the first difference. Of several messages that count as one, it is the
    /// first.
    fn recorded_at(&self, at: usize, found: &Difference) -> Option<RecordedAt> {
        let track = self.runs.tracks.get(at)?;
        let timeline = &self.runs.recording(at)?.timeline;
        let raw = track.expected.messages().raw_index(found.message)?;
        let sent = timeline.sent(track.next_step()?)?;
        let sent = sent.iter().filter(|sent| sent.message.is_some()).nth(raw)?;
        let message = sent.message?;
        let id = sent.stored.is_some().then_some(&message.id.value);
        Some(RecordedAt::new(id, message.span, self.origin.as_ref()))
    }

    /// The recorded calls around the expected one and those of other agents, the longest agreement with the
    /// request first. Calls without any agreement are only named if there are no others.
    fn nearest(&self, lane: &Lane, at: usize) -> Vec<RankedRecording> {
        let mut calls = Vec::new();
        if let Some(track) = self.runs.tracks.get(at) {
            let around = track.recorded.iter().copied().skip(track.next.saturating_sub(NEIGHBOURS));
            let around = around.take(track.next.min(NEIGHBOURS) + 1 + NEIGHBOURS);
            calls.extend(around.filter(|&step| track.next_step() != Some(step)).map(|step| (at, step)));
        }
        let left = self.runs.tracks.iter().enumerate().filter(|(_, track)| track.remaining > 0);
        let left = left.map(|(other, _)| other).filter(|other| !self.recent.contains(other));
        for other in self.recent.iter().copied().chain(left.take(NEIGHBOURS)).filter(|&other| other != at) {
            let Some(track) = self.runs.tracks.get(other) else { continue };
            let ends = [track.recorded.first().copied(), track.next_step(), track.recorded.last().copied()];
            let mut ends: Vec<usize> = ends.into_iter().flatten().collect();
            ends.dedup();
            calls.extend(ends.into_iter().map(|step| (other, step)));
        }
        if calls.is_empty() {
            // The expected call is the only one.
            calls.extend(self.runs.tracks.get(at).and_then(|track| Some((at, track.next_step()?))));
        }
        let mut found = self.describe_nearest(lane, calls);
        let place =
            |step: &str| step.split('.').map(|part| part.parse().unwrap_or(0)).collect::<Vec<usize>>();
        sort_by_key(&mut found, |near| (std::cmp::Reverse(near.rank()), place(&near.recording.step)));
        if found.iter().any(|near| near.rank() != (0, 0)) {
            found.retain(|near| near.rank() != (0, 0));
        }
        found.truncate(NEAREST);
        found
    }

    /// Describes why each of these recorded calls does not match the request.
    fn describe_nearest(&self, lane: &Lane, calls: Vec<(usize, usize)>) -> Vec<RankedRecording> {
        let mut found = Vec::new();
        let mut last = None;
        let mut expected = ExpectedRequest::default();
        for (track, step) in calls {
            let Some(recording) = self.runs.recording(track) else { continue };
            if last.replace(track) != Some(track) {
                expected = ExpectedRequest::default();
            }
            expected.move_to(&recording, step);
            if !expected.is_recorded() {
                continue;
            }
            let step = self.runs.path(track, step);
            found.push(match self.difference_to(lane, &expected, &self.settings.ignore) {
                Some(differing) => {
                    let equal_later = equal_later(lane, &expected, differing.message);
                    let reason = format!("{} differs", differing.path);
                    let recording = NearestRecording { step, reason, path: Some(differing.path) };
                    RankedRecording { equal_messages: differing.message, equal_later, track, recording }
                }
                None => {
                    let recording = NearestRecording { step, reason: "which matches".to_owned(), path: None };
                    RankedRecording { equal_messages: usize::MAX, equal_later: 0, track, recording }
                }
            });
        }
        found
    }

    /// The first difference of the request from other messages than the expected ones.
    fn difference_to(&self, lane: &Lane, expected: &ExpectedRequest, ignore: &Ignore) -> Option<Difference> {
        let (expected, actual) = (expected.messages().messages(), lane.actual.messages().messages());
        Comparison::default().difference(expected, actual, 0, ignore)
    }

    fn hint(
        &self,
        lane: &Lane,
        (at, among): (usize, TrackFilter<'_>),
        found: &Difference,
        nearest: &[RankedRecording],
    ) -> String {
        let Some(track) = self.runs.tracks.get(at) else { return String::new() };
        if let Some(RankedRecording { track: other, recording: near, .. }) =
            nearest.iter().find(|near| near.recording.path.is_none())
        {
            if !is_in_filter(among, *other) {
                return format!("the request matches step {} of another agent than `agent`", near.step);
            }
            let order = match self.settings.any_order {
                false => "; if agents run in parallel, use `order: \"any\"`",
                true => "",
            };
            return format!(
                "the request matches step {}: the agent skips or repeats calls{order}",
                near.step
            );
        }
        if let Some(relaxed) = self.ignore_hint(lane, &track.expected) {
            return relaxed;
        }
        if let Some(stray) = unmatched_result_hint(lane, found) {
            return stray;
        }
        let refers = |messages: &[Rc<CanonicalMessage>]| {
            let mut parts =
                messages.iter().skip(found.message.min(found.sent)).flat_map(|message| &message.parts);
            parts.any(|part| part.get("type").and_then(Value::as_str) == Some("item_reference"))
        };
        if refers(lane.actual.messages().messages()) && !refers(track.expected.messages().messages()) {
            return "the agent refers to an item that is stored by the provider; send the item itself (`store: false`)"
                .to_owned();
        }
        let record = "if this is intended, record the run again";
        if found.message == 0
            && let Some(fault) = self.runs.faults.first()
        {
            return format!("{record}; if it is from another agent: {fault}");
        }
        if let Some(shifted) = self.shift_hint(lane, &track.expected, found.message) {
            return format!("{shifted}; {record}");
        }
        let ignore =
            format!("to ignore this difference, use `ignore: [\"{}\"]`", with_any_index(&found.path));
        match (&found.expected, &found.actual) {
            (None, _) => format!("the agent sends more than recorded; {record}"),
            (_, None) => format!("the agent sends less than recorded; {record}"),
            _ => format!("{record}; {ignore}"),
        }
    }

    /// Whether the message there is missing or extra, with the next ones as recorded.
    fn shift_hint(&self, lane: &Lane, expected: &ExpectedRequest, at: usize) -> Option<String> {
        let (expected, actual) = (expected.messages().messages(), lane.actual.messages().messages());
        let same = |a: usize, b: usize| {
            let (a, b) = (expected.get(a..=a)?, actual.get(b..=b)?);
            Comparison::default().difference(a, b, 0, &self.settings.ignore).is_none().then_some(())
        };
        if same(at + 1, at).is_some() {
            let role = &expected.get(at)?.role;
            return Some(format!("messages[{at}] of the recording, a {role} message, is missing"));
        }
        same(at, at + 1)?;
        Some(format!("messages[{at}], a {} message, is not in the recording", actual.get(at)?.role))
    }

    /// The one thing to ignore for the request to match.
    fn ignore_hint(&self, lane: &Lane, expected: &ExpectedRequest) -> Option<String> {
        let current = &self.settings.ignore;
        let options = [
            ("only white space differs", "whitespace", Ignore { whitespace: true, ..current.clone() }),
            ("only timestamps differ", "timestamps", Ignore { timestamps: true, ..current.clone() }),
            ("only call ids differ", "ids", Ignore { ids: true, ..current.clone() }),
            (
                "only the order of results differs",
                "result_order",
                Ignore { keep_result_order: false, ..current.clone() },
            ),
        ];
        let fits =
            |ignore: &Ignore| ignore != current && self.difference_to(lane, expected, ignore).is_none();
        if let Some((what, name, _)) = options.iter().find(|(_, _, ignore)| fits(ignore)) {
            return Some(format!("{what}: use `ignore: [\"{name}\"]`"));
        }
        let all = Ignore { whitespace: true, timestamps: true, ids: true, ..current.clone() };
        fits(&all).then(|| {
            "only white space, timestamps and call ids differ: use `ignore: [\"whitespace\", \"timestamps\", \"ids\"]`".to_owned()
        })
    }
}

/// How many of the next messages are equal, from the first difference on.
fn equal_later(lane: &Lane, expected: &ExpectedRequest, from: usize) -> usize {
    let (expected, actual) = (expected.messages().messages(), lane.actual.messages().messages());
    let rest = expected.iter().zip(actual).skip(from).take(NEIGHBOURS);
    rest.filter(|(expected, actual)| expected == actual).count()
}

/// The hint for a result without a call.
fn unmatched_result_hint(lane: &Lane, found: &Difference) -> Option<String> {
    let (Some(Value::String(expected)), Some(Value::String(actual))) = (&found.expected, &found.actual)
    else {
        return None;
    };
    let calls = lane.actual.messages().messages().iter().flat_map(|message| &message.tool_calls);
    let is_stray =
        found.path.ends_with(".tool_call_id") && !calls.map(|call| &call.id).any(|id| id == actual);
    is_stray.then(|| format!("unknown call `{actual}`; the recorded one is `{expected}`"))
}

/// The expected and the actual value, one line each.
fn expected_and_actual(expected: Option<&Value>, actual: Option<&Value>) -> String {
    format!("\n  expected: {}\n  actual:   {}", shortened(expected), shortened(actual))
}

/// A path inside arguments or a result, with every index of a message as `*`. A whole text keeps its index,
/// since otherwise no text would be compared any more.
fn with_any_index(path: &str) -> String {
    match path.strip_prefix("messages[").and_then(|rest| rest.split_once(']')) {
        Some((_, rest)) if rest.matches(['.', '[']).count() > 1 => format!("messages[*]{rest}"),
        _ => path.to_owned(),
    }
}

/// The text with invisible characters, and those that look like a plain blank, as `\u{..}`.
fn escape_invisible(text: &str) -> String {
    let is_hidden = |c: char| {
        (c.is_whitespace() && c != ' ' && c != '\n')
            || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
    };
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match is_hidden(c) {
            true => out.push_str(&format!("\\u{{{:04x}}}", u32::from(c))),
            false => out.push(c),
        }
    }
    out
}

/// The maximum length of a value in a message to a person, in characters.
const SHOWN: usize = 400;

fn shortened(value: Option<&Value>) -> String {
    let Some(value) = value else { return "nothing".to_owned() };
    let text = escape_invisible(&json_line(value));
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or("")),
        None => text,
    }
}
