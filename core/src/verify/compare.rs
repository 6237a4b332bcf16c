//! Finds the first difference of two traces.

use imara_diff::{Algorithm, BasicLineDiffPrinter, Diff, InternedInput, UnifiedDiffConfig};
use serde::Serialize;
use serde_json::Value;

/// How many lines of each trace the diff is made of, from a little before the first difference on.
const LINES: usize = 400;
/// Lines before the first difference.
const BEFORE: usize = 3;
/// How many lines of the diff are shown.
const SHOWN: usize = 60;

/// The first difference of two traces.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TraceDivergence"))]
pub struct Divergence {
    /// The line of the traces, from 1.
    pub line: usize,
    /// The event, by the first trace that has it; none when a trace ends or differs before or after its
    /// events.
    pub event: Option<String>,
    /// The field, as a path: `outcome.result.temp`. Empty when one of the traces has no such line.
    pub field: String,
    /// What the first trace has there; `None` when it has nothing.
    pub first: Option<Value>,
    /// The value in the second trace.
    pub second: Option<Value>,
    /// A unified diff of the lines around.
    pub diff: String,
}

/// Finds the first line at which two traces differ; `None` when they are the same bytes.
///
/// ```
/// use transcript_core::verify::compare;
/// let one = "{\"at\":1,\"event_id\":\"e\",\"outcome\":{\"result\":0.25}}\n";
/// let other = "{\"at\":1,\"event_id\":\"e\",\"outcome\":{\"result\":0.5}}\n";
/// assert_eq!(compare(one, one), None);
/// let found = compare(one, other).unwrap();
/// assert_eq!((found.event.as_deref(), found.field.as_str()), (Some("e"), "outcome.result"));
/// ```
#[must_use]
pub fn compare(first: &str, second: &str) -> Option<Divergence> {
    if first == second {
        return None;
    }
    let same = first.split_inclusive('\n').zip(second.split_inclusive('\n'));
    let same = same.take_while(|(one, other)| one == other);
    let (lines, bytes) = same.fold((0, 0), |(lines, bytes), (line, _)| (lines + 1, bytes + line.len()));
    let rest = |text: &str| text.get(bytes..).and_then(|rest| rest.lines().next()).map(str::to_owned);
    let (one, other) = (rest(first), rest(second));
    let data =
        |line: &Option<String>| line.as_deref().and_then(|line| serde_json::from_str::<Value>(line).ok());
    let (one_data, other_data) = (data(&one), data(&other));
    let event =
        [&one_data, &other_data].into_iter().flatten().find_map(|data| data.get("event_id")?.as_str());
    let event = event.map(str::to_owned);
    let (field, first_value, second_value) = match (&one_data, &other_data) {
        (Some(one), Some(other)) => part(one, other),
        _ => (String::new(), one_data, other_data),
    };
    Some(Divergence {
        line: lines + 1,
        event,
        field,
        first: first_value,
        second: second_value,
        diff: unified(first, second, lines),
    })
}

/// The first place at which two values differ, and both values there.
fn part(one: &Value, other: &Value) -> (String, Option<Value>, Option<Value>) {
    let (mut path, mut one, mut other) = (String::new(), one, other);
    loop {
        let next = match (one, other) {
            (Value::Object(a), Value::Object(b)) => {
                let keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
                let different = |key: &&String| a.get(*key) != b.get(*key);
                keys.into_iter().find(different).map(|key| (key.clone(), a.get(key), b.get(key)))
            }
            (Value::Array(a), Value::Array(b)) => {
                let at = (0..a.len().max(b.len())).find(|at| a.get(*at) != b.get(*at));
                at.map(|at| (at.to_string(), a.get(at), b.get(at)))
            }
            _ => None,
        };
        let Some((step, a, b)) = next else { return (path, Some(one.clone()), Some(other.clone())) };
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(&step);
        match (a, b) {
            (Some(a), Some(b)) => (one, other) = (a, b),
            (a, b) => return (path, a.cloned(), b.cloned()),
        }
    }
}

fn unified(first: &str, second: &str, same: usize) -> String {
    let from = same.saturating_sub(BEFORE);
    let window = |text: &str| -> String { text.split_inclusive('\n').skip(from).take(LINES).collect() };
    let (first, second) = (window(first), window(second));
    let input = InternedInput::new(first.as_str(), second.as_str());
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_lines(&input);
    let printer = BasicLineDiffPrinter(&input.interner);
    let text = diff.unified_diff(&printer, UnifiedDiffConfig::default(), &input).to_string();
    let mut out = String::from("--- first run\n+++ second run\n");
    let mut lines = text.lines();
    for line in lines.by_ref().take(SHOWN) {
        // Line numbers of a hunk count within the window.
        out.push_str(if line.starts_with("@@") { "@@" } else { line });
        out.push('\n');
    }
    let left = lines.count();
    if left > 0 {
        out.push_str(&format!("... {left} more lines\n"));
    }
    out
}
