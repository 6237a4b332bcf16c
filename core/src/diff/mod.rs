//! Two transcripts compared: turns and messages are aligned, then compared field by field.
//!
//! An inserted turn is one difference, however many turns follow it. What follows from a difference is not
//! reported again: the final state where it is what the turns make of it, what a call was sent where that is
//! every visible message on both sides, and a message that changed just as the answer it was made of. The
//! numbers of turns follow from their places. A null key is equivalent to an absent one, except in data of
//! tools and users. Numbers are compared as doubles.

mod align;
mod fields;
mod hash;
mod ids;
mod ignore;
mod prepare;
mod render;
mod sent;
mod words;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use ignore::{IGNORE_NAMES, Ignored, Options};
pub use render::{DiffStyle, render};
pub use words::{Part, PartKind, parts};

use self::align::pairs;
use self::fields::{Located, Walker};
use self::prepare::{Unit, message_units, turn_units};
use crate::model::{State, Transcript};
use crate::parse::Node;
use crate::text::Span;

/// One of the two transcripts.
#[derive(Clone, Copy, Debug)]
pub struct Side<'t> {
    /// The typed transcript.
    pub transcript: &'t Transcript,
    /// The tree of a full or partial document, with keys unknown to the transcript.
    pub source: Option<&'t Node>,
}

/// How two transcripts differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Diff {
    /// How many turns and messages are equal.
    pub summary: Summary,
    /// Which turns belong together, in an order that both runs follow: places from 0 on the left and on the right.
    pub turns: Vec<(Option<usize>, Option<usize>)>,
    /// The differences in the order of the runs.
    pub changes: Vec<Change>,
    /// The active ignores, each with the number of differences it hid.
    pub ignored: Vec<Ignored>,
}

impl Diff {
    /// Whether no difference is left.
    #[must_use]
    pub fn is_equal(&self) -> bool {
        self.changes.is_empty()
    }
}

/// How many turns and messages are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "DiffSummary"))]
pub struct Summary {
    /// The turns.
    pub turns: Counts,
    /// The messages of the initial store.
    pub messages: Counts,
    /// The number of differences elsewhere: metadata, configuration, context, assertions.
    pub elsewhere: usize,
    /// The number of paired ids that are written differently.
    pub renamed: usize,
}

/// Counts of items by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "DiffCounts"))]
pub struct Counts {
    /// Items that are equal on both sides.
    pub same: usize,
    /// Those that both sides have, with differences.
    pub changed: usize,
    /// Those that only the right side has.
    pub added: usize,
    /// Those that only the left side has.
    pub removed: usize,
}

/// One difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The path, such as `execution[2].llm_response.content`, by the index on the left, or on the right if
    /// only that side has it.
    pub path: String,
    /// The kind of change from left to right.
    pub kind: ChangeKind,
    /// The value on the left.
    pub left: Option<Value>,
    /// The value on the right.
    pub right: Option<Value>,
    /// The step on the left; 0 is the initial state. `None` outside the run, and for an absent one.
    pub left_step: Option<usize>,
    /// The step on the right.
    pub right_step: Option<usize>,
    /// The place on the left, as near as is known.
    pub left_span: Option<Span>,
    /// The place on the right.
    pub right_span: Option<Span>,
    /// For two texts, their common and different parts.
    pub text: Vec<Part>,
}

/// The change of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "DiffKind"))]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// It was added.
    Added,
    /// It went.
    Removed,
    /// It is another.
    Changed,
}

/// Compares two transcripts.
///
/// ```
/// use transcript_core::{diff, expand, parse};
/// let limits = parse::Limits::default();
/// let read = |text: &str| expand::compact(text, &parse::parse(text, &limits).root.unwrap(), &limits).0;
/// let left = read("messages: ['user: Hi', 'assistant: Hello!', 'user: Bye', 'assistant: Bye!']");
/// let right = read("messages: ['user: Hi', 'assistant: Hello!', 'user: Well', 'user: Bye', 'assistant: Bye!']");
/// let side = |transcript| diff::Side { transcript, source: None };
/// let found = diff::diff(side(&left), side(&right), &diff::Options::default());
/// assert_eq!((found.changes.len(), found.changes[0].path.as_str()), (1, "execution[1]"));
/// ```
#[must_use]
pub fn diff(left: Side<'_>, right: Side<'_>, options: &Options) -> Diff {
    let (initial_l, initial_r) = (message_units(left), message_units(right));
    let (turns_l, turns_r) = (turn_units(left), turn_units(right));
    let messages = rows(&initial_l, &initial_r);
    let turns = rows(&turns_l, &turns_r);
    let mut walker = Walker::new(options);
    for (table, l, r) in [(&messages, &initial_l, &initial_r), (&turns, &turns_l, &turns_r)] {
        for row in table {
            if let (Some(a), Some(b)) = (row.0.and_then(|a| l.get(a)), row.1.and_then(|b| r.get(b))) {
                walker.ids.pair(&a.value, &b.value);
            }
        }
    }
    let mut summary = Summary { renamed: walker.ids.renamed(), ..Summary::default() };
    let of = |side: Side<'_>, key: &str| match key {
        "metadata" => Value::Object(side.transcript.metadata.clone()),
        "agent_config" => Value::Object(side.transcript.config.clone()),
        _ => Value::Object(prepare::extra(side)),
    };
    for key in ["metadata", "agent_config", ""] {
        let (a, b) = (of(left, key), of(right, key));
        let path: &[&str] = if key.is_empty() { &[] } else { &[key] };
        if !key.is_empty() {
            walker.enter(key);
        }
        walker.compare(Located::new(&a, node_at(left, path)), Located::new(&b, node_at(right, path)));
        if !key.is_empty() {
            walker.leave();
        }
    }
    summary.elsewhere += walker.changes.len();
    walker.steps = (Some(0), Some(0));
    walker.enter("initial_state");
    let before = walker.changes.len();
    let path = ["initial_state", "context"];
    let nodes = (node_at(left, &path), node_at(right, &path));
    walker.context(&left.transcript.context, &right.transcript.context, nodes.0, nodes.1);
    summary.elsewhere += walker.changes.len() - before;
    walker.enter("message_store");
    for row in &messages {
        count(&mut summary.messages, walker.unit(row, &initial_l, &initial_r), *row);
    }
    walker.leave();
    walker.leave();
    walker.enter("execution");
    let mut sent = sent::SentComparison::new(left.transcript, right.transcript);
    for row in &turns {
        walker.steps = (row.0.map(|at| at + 1), row.1.map(|at| at + 1));
        let before = walker.changes.len();
        let mut alike = walker.unit(row, &turns_l, &turns_r);
        sent.compare(*row, &mut walker);
        walker.drop_echoes(before);
        alike &= walker.changes.len() == before;
        count(&mut summary.turns, alike, *row);
    }
    walker.leave();
    walker.steps = (None, None);
    let before = walker.changes.len();
    walker.enter("final_state");
    final_state(left, right, &mut walker);
    walker.leave();
    summary.elsewhere += walker.changes.len() - before;
    let (changes, ignored) = walker.finish();
    Diff { summary, turns, changes, ignored }
}

/// The node of a document under some keys.
fn node_at<'t>(side: Side<'t>, path: &[&str]) -> Option<&'t Node> {
    path.iter().try_fold(side.source?, |node, key| node.get(key))
}

/// The index of an item on the left and on the right.
type Row = (Option<usize>, Option<usize>);

/// All items of two lists in an order compatible with both, paired ones in one row.
fn rows(left: &[Unit<'_>], right: &[Unit<'_>]) -> Vec<Row> {
    let signatures = |side: &[Unit<'_>]| side.iter().map(Unit::signature).collect::<Vec<_>>();
    let mut rows = Vec::new();
    let (mut a, mut b) = (0, 0);
    let ends = [(left.len(), right.len())];
    for (next_a, next_b) in pairs(&signatures(left), &signatures(right)).into_iter().chain(ends) {
        rows.extend((a..next_a).map(|at| (Some(at), None)));
        rows.extend((b..next_b).map(|at| (None, Some(at))));
        if next_a < left.len() && next_b < right.len() {
            rows.push((Some(next_a), Some(next_b)));
        }
        (a, b) = (next_a + 1, next_b + 1);
    }
    rows
}

fn count(counts: &mut Counts, alike: bool, row: Row) {
    let place = match row {
        _ if alike => &mut counts.same,
        (Some(_), Some(_)) => &mut counts.changed,
        (Some(_), None) => &mut counts.removed,
        _ => &mut counts.added,
    };
    *place += 1;
}

/// Context and assertions at the end. The context is compared only if it is stated and differs from the
/// result of the turns.
fn final_state(left: Side<'_>, right: Side<'_>, walker: &mut Walker) {
    let end = |side: Side<'_>| {
        let mut state = State::initial(side.transcript);
        for turn in &side.transcript.turns {
            state.apply(turn);
        }
        let made = state.context().clone();
        let stated = side.transcript.end.as_ref().and_then(|end| end.context.clone());
        let follows = stated.as_ref().is_none_or(|stated| *stated == made);
        (stated.unwrap_or(made), follows)
    };
    let ((a, a_follows), (b, b_follows)) = (end(left), end(right));
    if !(a_follows && b_follows) {
        walker.context(
            &a,
            &b,
            node_at(left, &["final_state", "context"]),
            node_at(right, &["final_state", "context"]),
        );
    }
    let assertions = |side: Side<'_>| {
        let end = side.transcript.end.as_ref();
        let all = end.into_iter().flat_map(|end| &end.assertions);
        Value::Array(all.map(|check| Value::Object(check.data.clone())).collect())
    };
    let (a, b) = (assertions(left), assertions(right));
    walker.enter("assertions");
    let path = ["final_state", "assertions"];
    walker.compare(Located::new(&a, node_at(left, &path)), Located::new(&b, node_at(right, &path)));
    walker.leave();
}

#[cfg(test)]
mod tests;
