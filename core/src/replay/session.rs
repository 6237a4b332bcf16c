//! Strict replay: the agent must send what was sent, and gets the recorded answer.
//!
//! A session is a state machine without callbacks: a request goes in, an answer or a divergence
//! comes out. A divergence does not move the session on.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::canonical::{CanonicalMessage, Request, failures, recorded, to_value};
use super::compare::{Difference, difference};
use super::timeline::Timeline;
use crate::model::{Content, Response, Text, ToolCall};
use crate::text::json_line;

/// A strict replay of one recording.
#[derive(Debug)]
pub struct Session {
    timeline: Timeline,
    failed: BTreeMap<Text, bool>,
    /// The steps that call the model and have an answer or an error recorded.
    recorded: Vec<usize>,
    next: usize,
    calls: usize,
}

/// A recording without anything to replay.
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
    /// What was recorded there.
    pub expected: Value,
    /// What was sent.
    pub actual: Value,
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

impl Session {
    /// Begins a strict replay.
    ///
    /// # Errors
    /// When no model call with an answer is recorded.
    pub fn new(timeline: Timeline) -> Result<Self, NotReplayable> {
        let is_call = |step: &usize| {
            timeline.turn_at(*step).is_some_and(|turn| turn.response.is_some() || turn.error.is_some())
        };
        let recorded: Vec<usize> = (1..=timeline.steps()).filter(is_call).collect();
        if recorded.is_empty() {
            return Err(NotReplayable("the transcript records no model call to replay".to_owned()));
        }
        Ok(Self { failed: failures(&timeline), timeline, recorded, next: 0, calls: 0 })
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
        recorded(&self.timeline, &self.failed, *self.recorded.get(self.next)?)
    }

    /// Answers one request.
    pub fn request(&mut self, request: &Request) -> Answer {
        self.calls += 1;
        let Some(&step) = self.recorded.get(self.next) else {
            return Answer::Divergence { divergence: Box::new(self.extra(request)) };
        };
        let expected = recorded(&self.timeline, &self.failed, step);
        if let Some(found) = expected.as_ref().and_then(|expected| difference(expected, &request.messages)) {
            return Answer::Divergence { divergence: Box::new(self.diverged(step, found, request)) };
        }
        self.next += 1;
        let turn = self.timeline.turn_at(step);
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
            actual.last().map(shortened).unwrap_or_default(),
        );
        Divergence {
            step: (self.timeline.steps() + 1).to_string(),
            message: 0,
            path: "messages".to_owned(),
            expected: Value::Null,
            actual: Value::Array(actual),
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
            shortened(&found.expected),
            shortened(&found.actual),
        );
        for near in &nearest {
            text.push_str(&format!("\n  near: step {}, {}", near.step, near.reason));
        }
        text.push_str(&format!("\n  hint: {hint}"));
        let Difference { message, path, expected, actual } = found;
        Divergence { step: step.to_string(), message, path, expected, actual, nearest, hint, text }
    }

    /// The other recorded calls, those first that agree with the request the longest.
    fn nearest(&self, step: usize, request: &Request) -> Vec<Near> {
        let mut found: Vec<(usize, usize, Near)> = Vec::new();
        for &other in self.recorded.iter().filter(|&&other| other != step) {
            let Some(expected) = recorded(&self.timeline, &self.failed, other) else { continue };
            let (agreeing, reason) = match difference(&expected, &request.messages) {
                Some(found) => (found.message, format!("{} differs", found.path)),
                None => (usize::MAX, "which matches".to_owned()),
            };
            if agreeing > 0 {
                found.push((agreeing, other, Near { step: other.to_string(), reason }));
            }
        }
        found.sort_by_key(|(agreeing, step, _)| (std::cmp::Reverse(*agreeing), *step));
        found.into_iter().take(NEAREST).map(|(_, _, near)| near).collect()
    }
}

fn hint(step: usize, found: &Difference, nearest: &[Near]) -> String {
    if let Some(near) = nearest.iter().find(|near| near.reason == "which matches") {
        return format!("the request is that of step {}: the agent skips or repeats calls", near.step);
    }
    match (&found.expected, &found.actual) {
        (Value::Null, _) => "the agent sends more than was recorded".to_owned(),
        (_, Value::Null) => "the agent sends less than was recorded".to_owned(),
        (Value::String(a), Value::String(b)) if a.split_whitespace().eq(b.split_whitespace()) => {
            "only blanks differ".to_owned()
        }
        _ => format!("if the change is meant, record again from step {step}"),
    }
}

/// The most characters of a value in a message to a person.
const SHOWN: usize = 400;

fn shortened(value: &Value) -> String {
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
