//! Strict replay: the agent must send what was sent, and gets the recorded answer.
//!
//! A session is a state machine without callbacks: a request goes in, an answer or a divergence
//! comes out. A divergence does not move the session on.

use serde::Serialize;
use serde_json::Value;

use super::compare::{Difference, difference};
use super::recorded::Recording;
use super::timeline::Timeline;
use crate::canonical::{CanonicalMessage, Request, to_value};
use crate::model::{Content, Response, Sent, ToolCall};
use crate::text::{json_line, sort_by_key};

/// A strict replay of one recording.
#[derive(Debug)]
pub struct Session {
    recording: Recording,
    /// The steps that call the model and have an answer or an error recorded.
    recorded: Vec<usize>,
    next: usize,
    calls: usize,
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
    },
    /// The request is not the recorded one.
    Divergence {
        /// In what way.
        divergence: Box<Divergence>,
    },
}

/// A recorded answer of the model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnswerResponse {
    /// Its text.
    pub content: String,
    /// The tools it calls.
    pub tool_calls: Vec<Value>,
    /// Its reasoning.
    pub reasoning: Option<String>,
    /// Its refusal.
    pub refusal: Option<String>,
    /// Tokens used, as recorded.
    pub usage: Option<Value>,
}

/// Where and how a request differs from the recording.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Divergence {
    /// The step whose recorded request was expected.
    pub step: String,
    /// The index of the message that differs, from 0.
    pub message: usize,
    /// The path of the first difference.
    pub path: String,
    /// What was recorded there; `None` for nothing, which JSON text writes as null and `text` tells.
    pub expected: Option<Value>,
    /// What was sent; `None` for nothing.
    pub actual: Option<Value>,
    /// The recorded calls that come nearest, best first, with what keeps each from matching.
    pub nearest: Vec<Near>,
    /// What to do about it.
    pub hint: String,
    /// All of this to be read by a person.
    pub text: String,
}

/// A recorded call that nearly matches.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Near {
    /// The step.
    pub step: String,
    /// What keeps it from matching.
    pub reason: String,
}

/// The most recordings named as near.
const NEAREST: usize = 3;
/// How far from the expected call a near one is looked for, so that a divergence late in a long run
/// costs no more than a few requests.
const NEIGHBOURS: usize = 16;

impl Session {
    /// Begins a strict replay.
    ///
    /// # Errors
    /// When no model call with an answer is recorded, or one was sent a message that the recording does
    /// not hold: comparing over such a hole would accept what must be refused.
    pub fn new(timeline: Timeline) -> Result<Self, NotReplayable> {
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
        Ok(Self { recording: Recording::new(timeline), recorded, next: 0, calls: 0 })
    }

    /// The number of recorded calls that were not asked for yet.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.recorded.len().saturating_sub(self.next)
    }

    /// The steps that were not asked for yet.
    #[must_use]
    pub fn leftover(&self) -> Vec<String> {
        self.recorded.iter().skip(self.next).map(ToString::to_string).collect()
    }

    /// The number of requests so far, diverging ones included.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.calls
    }

    /// The request that is expected next, in canonical form; `None` when none is, or none is recorded.
    #[must_use]
    pub fn expected(&self) -> Option<Vec<CanonicalMessage>> {
        let messages = self.recording.sent(*self.recorded.get(self.next)?)?;
        Some(messages.into_iter().map(std::borrow::Cow::into_owned).collect())
    }

    /// Answers one request.
    pub fn request(&mut self, request: &Request) -> Answer {
        self.calls += 1;
        let Some(&step) = self.recorded.get(self.next) else {
            return Answer::Divergence { divergence: Box::new(self.extra(request)) };
        };
        let expected = self.recording.sent(step);
        if let Some(found) = expected.and_then(|expected| difference(&expected, &request.messages)) {
            return Answer::Divergence { divergence: Box::new(self.diverged(step, found, request)) };
        }
        self.next += 1;
        let turn = self.recording.timeline.turn_at(step);
        let step = step.to_string();
        match turn.and_then(|turn| turn.response.as_ref()) {
            Some(recorded) => Answer::Response { response: response(recorded, &step), step },
            None => {
                Answer::Error { step, error: turn.and_then(|turn| turn.error.clone()).unwrap_or_default() }
            }
        }
    }

    fn extra(&self, request: &Request) -> Divergence {
        let count = self.recorded.len();
        let plural = if count == 1 { "call" } else { "calls" };
        let actual: Vec<Value> = request.messages.iter().map(to_value).collect();
        let hint = "end the run earlier, or record it again".to_owned();
        let text = format!(
            "the recording has {count} model {plural}, and the agent makes one more\n  sent: {} messages, the last: {}\n  hint: {hint}",
            actual.len(),
            shortened(actual.last()),
        );
        Divergence {
            step: (self.recording.timeline.steps() + 1).to_string(),
            message: 0,
            path: "messages".to_owned(),
            expected: None,
            actual: Some(Value::Array(actual)),
            nearest: Vec::new(),
            hint,
            text,
        }
    }

    fn diverged(&self, step: usize, found: Difference, request: &Request) -> Divergence {
        let nearest = self.nearest(step, request);
        let hint = hint(step, &found, &nearest);
        let mut text = format!(
            "step {step}: the agent sends something else than was recorded\n  at {}\n  expected: {}\n  actual:   {}",
            found.path,
            shortened(found.expected.as_ref()),
            shortened(found.actual.as_ref()),
        );
        for near in &nearest {
            text.push_str(&format!("\n  near: step {}, {}", near.step, near.reason));
        }
        text.push_str(&format!("\n  hint: {hint}"));
        let Difference { message, path, expected, actual } = found;
        Divergence { step: step.to_string(), message, path, expected, actual, nearest, hint, text }
    }

    /// The recorded calls around the expected one, those first that agree with the request the longest.
    fn nearest(&self, step: usize, request: &Request) -> Vec<Near> {
        let mut found: Vec<(usize, usize, Near)> = Vec::new();
        let around = self.recorded.iter().skip(self.next.saturating_sub(NEIGHBOURS));
        let around = around.take(self.next.min(NEIGHBOURS) + 1 + NEIGHBOURS);
        for &other in around.filter(|&&other| other != step) {
            let Some(expected) = self.recording.sent(other) else { continue };
            let (agreeing, reason) = match difference(&expected, &request.messages) {
                Some(found) => (found.message, format!("{} differs", found.path)),
                None => (usize::MAX, "which matches".to_owned()),
            };
            if agreeing > 0 {
                found.push((agreeing, other, Near { step: other.to_string(), reason }));
            }
        }
        sort_by_key(&mut found, |(agreeing, step, _)| (std::cmp::Reverse(*agreeing), *step));
        found.into_iter().take(NEAREST).map(|(_, _, near)| near).collect()
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

fn hint(step: usize, found: &Difference, nearest: &[Near]) -> String {
    if let Some(near) = nearest.iter().find(|near| near.reason == "which matches") {
        return format!("the request is that of step {}: the agent skips or repeats calls", near.step);
    }
    match (&found.expected, &found.actual) {
        (None, _) => "the agent sends more than was recorded".to_owned(),
        (_, None) => "the agent sends less than was recorded".to_owned(),
        (Some(Value::String(a)), Some(Value::String(b))) if a.split_whitespace().eq(b.split_whitespace()) => {
            "only blanks differ".to_owned()
        }
        _ => format!("if the change is meant, record again from step {step}"),
    }
}

/// The most characters of a value in a message to a person.
const SHOWN: usize = 400;

fn shortened(value: Option<&Value>) -> String {
    let Some(value) = value else { return "nothing".to_owned() };
    let text = json_line(value);
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or("")),
        None => text,
    }
}

fn response(recorded: &Response, step: &str) -> AnswerResponse {
    let text = |content: &Option<Content>| content.as_ref().map(Content::to_text);
    AnswerResponse {
        content: text(&recorded.content).unwrap_or_default(),
        tool_calls: recorded
            .tool_calls
            .iter()
            .enumerate()
            .map(|(index, found)| call(found, step, index))
            .collect(),
        reasoning: text(&recorded.reasoning),
        refusal: text(&recorded.refusal),
        usage: recorded.usage.clone(),
    }
}

/// A call without a recorded id gets one that depends on its place alone: frameworks need one.
fn call(call: &ToolCall, step: &str, index: usize) -> Value {
    let id = call.id.as_ref().map(|id| id.value.to_string());
    serde_json::json!({
        "id": id.unwrap_or_else(|| format!("call_{step}_{}", index + 1)),
        "name": &*call.name.value,
        "arguments": call.arguments,
    })
}
