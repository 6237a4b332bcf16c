//! The difference of two documents as plain data.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::option_values;
use crate::diagnostic::{InvalidInput, closest};
use crate::diff::{
    ChangeKind, Diff, DiffStyle, IGNORE_NAMES, Ignored, Options, Part, Side, Summary, diff, render,
};
use crate::document::Document;
use crate::encoding::present;
use crate::model::TRANSCRIPT;
use crate::text::Place;

/// How two documents differ.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// Whether no difference is left.
    pub equal: bool,
    /// How many turns and messages are alike.
    pub summary: Summary,
    /// Which steps belong together, in an order that both runs follow; the initial states are not among them.
    #[serde(skip)]
    pub steps: Vec<(Option<usize>, Option<usize>)>,
    /// The differences in the order of the runs.
    pub changes: Vec<ChangeView>,
    /// The ignores in force, each with what it swallowed.
    pub ignored: Vec<Ignored>,
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "DiffChange"))]
#[serde(rename_all = "camelCase")]
pub struct ChangeView {
    /// The path, such as `execution[2].llm_response.content`.
    pub path: String,
    /// What happened from left to right.
    #[cfg_attr(feature = "typescript", ts(inline))]
    pub kind: ChangeKind,
    /// The value on the left; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub left: Option<Value>,
    /// The value on the right; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub right: Option<Value>,
    /// The step on the left, `0` for the initial state.
    pub left_step: Option<String>,
    /// The step on the right.
    pub right_step: Option<String>,
    /// Its place on the left, as near as known.
    pub left_place: Option<Place>,
    /// Its place on the right.
    pub right_place: Option<Place>,
    /// Of two texts, what they share and what not.
    pub text: Vec<Part>,
}

/// The options of a comparison as plain data: `{literalIds?, ignore?}`. `ignore` is a list of `timestamps`,
/// `usage`, `ulids`, `ids`, `metadata`, and paths such as `execution.*.llm_config`.
///
/// # Errors
/// What is wrong with the options.
///
/// ```
/// use serde_json::json;
/// use transcript_core::view::difference_options;
/// let options = difference_options(&json!({"ignore": ["usage", "metadata.created"]})).unwrap();
/// assert!(options.ignore_usage && options.ignore_paths == ["metadata.created"]);
/// assert!(difference_options(&json!({"ignore": ["timestmap"]})).unwrap_err().to_string().contains("`timestamps`"));
/// assert!(difference_options(&json!({"ignor": []})).unwrap_err().to_string().contains("did you mean `ignore`"));
/// ```
pub fn difference_options(data: &Value) -> Result<Options, InvalidInput> {
    let mut out = Options::default();
    option_values::each(data, &["literalIds", "ignore"], |key, value| {
        if key == "literalIds" {
            out.literal_ids = option_values::flag(key, value)?;
            return Ok(());
        }
        for what in option_values::texts(key, value)? {
            match what.as_str() {
                "timestamps" => out.ignore_timestamps = true,
                "usage" => out.ignore_usage = true,
                "ulids" => out.ignore_ulids = true,
                "ids" => out.ignore_ids = true,
                "metadata" => out.ignore_metadata = true,
                path => {
                    // A path of one key that the transcript does not have is a slip for one of the words.
                    let is_key = TRANSCRIPT.fields().iter().any(|field| field.name == path);
                    if !is_key && closest(path, IGNORE_NAMES).is_some() {
                        let message = format!("unknown key `{path}` in `ignore`");
                        return Err(InvalidInput::unknown(message, path, IGNORE_NAMES));
                    }
                    out.ignore_paths.push(what);
                }
            }
        }
        Ok(())
    })?;
    Ok(out)
}

/// How two documents differ; `None` when one of them holds no run that can be read whole.
///
/// ```
/// use transcript_core::document::{Document, Limits};
/// use transcript_core::view::{difference, difference_options};
/// let open = |text: &str| Document::open(text, &Limits::default());
/// let (left, right) = (open("messages: ['user: Hi']"), open("messages: ['user: Ho']"));
/// let options = difference_options(&serde_json::Value::Null).unwrap();
/// let found = difference(&left, &right, &options).unwrap();
/// assert_eq!(found.changes[0].path, "initial_state.message_store[0].content");
/// let longer = open("messages: ['user: Hi', 'assistant: Hello', 'user: Bye', 'assistant: Bye']");
/// let shorter = open("messages: ['user: Hi', 'assistant: Bye']");
/// let steps = difference(&longer, &shorter, &options).unwrap().steps;
/// assert_eq!(steps, [(Some(1), None), (Some(2), None), (Some(3), Some(1))]);
/// assert!(difference(&left, &open("messages: ['usr: Ho']"), &options).is_none());
/// ```
#[must_use]
pub fn difference(left: &Document, right: &Document, options: &Options) -> Option<Difference> {
    let found = compare(left, right, options)?;
    let place = |document: &Document, span: Option<_>| {
        span.map(|span| Place::new(document.text(), document.lines(), span))
    };
    let equal = found.is_equal();
    let changes = found.changes.into_iter().map(|change| ChangeView {
        path: change.path,
        kind: change.kind,
        left: change.left,
        right: change.right,
        left_step: change.left_step.map(|step| step.to_string()),
        right_step: change.right_step.map(|step| step.to_string()),
        left_place: place(left, change.left_span),
        right_place: place(right, change.right_span),
        text: change.text,
    });
    let step = |place: Option<usize>| place.map(|place| place + 1);
    let steps = found.turns.iter().map(|(left, right)| (step(*left), step(*right))).collect();
    let (summary, ignored) = (found.summary, found.ignored);
    Some(Difference { equal, summary, steps, changes: changes.collect(), ignored })
}

/// The same as text for a terminal, of two documents with their names; empty when they are equal.
#[must_use]
pub fn difference_text(
    (left_name, left): (&str, &Document),
    (right_name, right): (&str, &Document),
    options: &Options,
    style: DiffStyle,
) -> Option<String> {
    Some(render(left_name, right_name, &compare(left, right, options)?, style))
}

fn compare(left: &Document, right: &Document, options: &Options) -> Option<Diff> {
    if !(left.is_whole() && right.is_whole()) {
        return None;
    }
    let (a, b) = (left.timeline()?, right.timeline()?);
    let left = Side { transcript: a.transcript(), source: left.source() };
    let right = Side { transcript: b.transcript(), source: right.source() };
    Some(diff(left, right, options))
}
