//! Where and how a request differs from the recording, and what to do about it.

use serde::Serialize;
use serde_json::Value;

use super::compare::{Comparison, Difference};
use super::expected::Expected;
use super::session::Session;
use super::settings::Ignore;
use super::unified::unified;
use crate::canonical::to_value;
use crate::text::{json_line, sort_by_key};

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
    /// The lines that differ, as a unified diff, where both are texts of several lines or long ones.
    pub diff: Option<String>,
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
    /// The path of the first difference; `None` when it matches.
    pub path: Option<String>,
}

/// The most recordings named as near.
const NEAREST: usize = 3;
/// How far from the expected call a near one is looked for, so that a divergence late in a long run
/// costs no more than a few requests.
const NEIGHBOURS: usize = 16;

impl Session {
    pub(super) fn extra(&self) -> Divergence {
        let count = self.recorded.len();
        let plural = if count == 1 { "call" } else { "calls" };
        let actual: Vec<Value> =
            self.actual.messages().messages().iter().map(|message| to_value(message)).collect();
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
            diff: None,
            nearest: Vec::new(),
            hint,
            text,
        }
    }

    /// A request that names more messages as sent before than there were.
    pub(super) fn leaves_out(&self, keep: usize, known: usize) -> Divergence {
        let step = self.recorded.get(self.next).map_or_else(String::new, ToString::to_string);
        let hint = "send all messages, or leave out only those of the request before".to_owned();
        let text = format!(
            "the request leaves out {keep} messages as sent before (`keep`), but the one before had {known}\n  hint: {hint}"
        );
        Divergence {
            step,
            message: known,
            path: "keep".to_owned(),
            expected: Some(known.into()),
            actual: Some(keep.into()),
            diff: None,
            nearest: Vec::new(),
            hint,
            text,
        }
    }

    pub(super) fn diverged(&self, step: usize, found: Difference) -> Divergence {
        let nearest = self.nearest(step);
        let hint = self.hint(step, &found, &nearest);
        let diff = match (&found.expected, &found.actual) {
            (Some(Value::String(expected)), Some(Value::String(actual))) => unified(expected, actual),
            _ => None,
        };
        let mut text =
            format!("step {step}: the agent sends something else than was recorded\n  at {}", found.path);
        match &diff {
            Some(diff) => diff.lines().for_each(|line| {
                text.push_str("\n    ");
                text.push_str(line);
            }),
            None => text.push_str(&format!(
                "\n  expected: {}\n  actual:   {}",
                shortened(found.expected.as_ref()),
                shortened(found.actual.as_ref()),
            )),
        }
        for near in &nearest {
            text.push_str(&format!("\n  near: step {}, {}", near.step, near.reason));
        }
        text.push_str(&format!("\n  hint: {hint}"));
        let Difference { message, path, expected, actual } = found;
        Divergence { step: step.to_string(), message, path, expected, actual, diff, nearest, hint, text }
    }

    /// The recorded calls around the expected one, those first that agree with the request the longest.
    fn nearest(&self, step: usize) -> Vec<Near> {
        let mut found: Vec<(usize, usize, Near)> = Vec::new();
        let around = self.recorded.iter().skip(self.next.saturating_sub(NEIGHBOURS));
        let around = around.take(self.next.min(NEIGHBOURS) + 1 + NEIGHBOURS);
        let mut expected = Expected::default();
        for &other in around.filter(|&&other| other != step) {
            expected.go(&self.recording, other);
            if !expected.is_recorded() {
                continue;
            }
            let (agreeing, reason, path) = match self.against(&expected, &self.settings.ignore) {
                Some(found) => (found.message, format!("{} differs", found.path), Some(found.path)),
                None => (usize::MAX, "which matches".to_owned(), None),
            };
            if agreeing > 0 {
                found.push((agreeing, other, Near { step: other.to_string(), reason, path }));
            }
        }
        sort_by_key(&mut found, |(agreeing, step, _)| (std::cmp::Reverse(*agreeing), *step));
        found.into_iter().take(NEAREST).map(|(_, _, near)| near).collect()
    }

    /// The first difference of the request and other messages than those that are expected.
    fn against(&self, expected: &Expected, ignore: &Ignore) -> Option<Difference> {
        let (expected, actual) = (expected.messages().messages(), self.actual.messages().messages());
        Comparison::default().difference(expected, actual, 0, ignore)
    }

    fn hint(&self, step: usize, found: &Difference, nearest: &[Near]) -> String {
        if let Some(near) = nearest.iter().find(|near| near.path.is_none()) {
            let order = match self.settings.any_order {
                false => "; where agents run side by side, `order: \"any\"` takes calls as they come",
                true => "",
            };
            return format!(
                "the request is that of step {}: the agent skips or repeats calls{order}",
                near.step
            );
        }
        if let Some(relaxed) = self.relaxed() {
            return relaxed;
        }
        let record = format!("if the change is meant, record again from step {step}");
        if let Some(shifted) = self.shifted(found.message) {
            return format!("{shifted}; {record}");
        }
        let ignore = format!("to disregard this place, `ignore: [\"{}\"]`", anywhere(&found.path));
        match (&found.expected, &found.actual) {
            (_, Some(Value::Object(part))) if part.get("type") == Some(&"item_reference".into()) => {
                "the agent refers to an item that its provider keeps; let it send the item itself (`store: false`)"
                    .to_owned()
            }
            (None, _) => format!("the agent sends more than was recorded; {record}"),
            (_, None) => format!("the agent sends less than was recorded; {record}"),
            _ => format!("{record}; {ignore}"),
        }
    }

    /// Whether the message there is missing or one too many, the next ones being as recorded.
    fn shifted(&self, at: usize) -> Option<String> {
        let (expected, actual) = (self.expected.messages().messages(), self.actual.messages().messages());
        let same = |a: usize, b: usize| {
            let (a, b) = (expected.get(a..=a)?, actual.get(b..=b)?);
            Comparison::default().difference(a, b, 0, &self.settings.ignore).is_none().then_some(())
        };
        if same(at + 1, at).is_some() {
            let role = &expected.get(at)?.role;
            return Some(format!("messages[{at}] of the recording, a {role} message, is left out"));
        }
        same(at, at + 1)?;
        Some(format!(
            "messages[{at}], a {} message, stands before what was recorded there",
            actual.get(at)?.role
        ))
    }

    /// What alone would have to be disregarded for the request to match.
    fn relaxed(&self) -> Option<String> {
        let given = &self.settings.ignore;
        let options = [
            ("only blanks differ", "whitespace", Ignore { whitespace: true, ..given.clone() }),
            ("only points in time differ", "timestamps", Ignore { timestamps: true, ..given.clone() }),
            ("only the ids of calls differ", "ids", Ignore { ids: true, ..given.clone() }),
            (
                "only the order of results differs",
                "result_order",
                Ignore { keep_result_order: false, ..given.clone() },
            ),
        ];
        let fits = |ignore: &Ignore| ignore != given && self.against(&self.expected, ignore).is_none();
        if let Some((what, name, _)) = options.iter().find(|(_, _, ignore)| fits(ignore)) {
            return Some(format!("{what}: `ignore: [\"{name}\"]` lets it pass"));
        }
        let all = Ignore { whitespace: true, timestamps: true, ids: true, ..given.clone() };
        fits(&all).then(|| {
            "only blanks, points in time and ids of calls differ: `ignore: [\"whitespace\", \"timestamps\", \"ids\"]` lets it pass".to_owned()
        })
    }
}

/// A path inside of arguments or a result with every index of a message put as any. A whole text is named by its
/// own place, for otherwise no text at all would be compared any more.
fn anywhere(path: &str) -> String {
    match path.strip_prefix("messages[").and_then(|rest| rest.split_once(']')) {
        Some((_, rest)) if rest.matches(['.', '[']).count() > 1 => format!("messages[*]{rest}"),
        _ => path.to_owned(),
    }
}

/// The text with characters that cannot be seen, or look like a plain blank, written as `\u{..}`.
fn visible(text: &str) -> String {
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

/// The most characters of a value in a message to a person.
const SHOWN: usize = 400;

fn shortened(value: Option<&Value>) -> String {
    let Some(value) = value else { return "nothing".to_owned() };
    let text = visible(&json_line(value));
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or("")),
        None => text,
    }
}
