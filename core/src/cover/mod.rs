//! The recorded but unused parts of a set of transcripts.
//!
//! Figures are counts, never estimates: recordings that a replay did not request, tools that are declared
//! and not called or called and not declared, messages that no later model call was sent, and rules of
//! handlers that never fired.

mod messages;
mod rules;
mod text;
mod tools;

use serde::{Deserialize, Serialize};

pub use rules::places as rule_places;
pub use text::render;

use crate::model::Transcript;
use crate::parse::Node;
use crate::text::{Set, Span, sort_by_key};

/// A document and its observed use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Covered<'t> {
    /// The name of the document in places.
    pub name: &'t str,
    /// The run; `None` for a document with only handlers.
    pub transcript: Option<&'t Transcript>,
    /// The document as a tree.
    pub root: Option<&'t Node>,
    /// The steps of recordings that a replay requested; `None` without a replay.
    pub consumed: Option<&'t [String]>,
    /// The places of the rules that fired, as [`rule_places`] writes them; `None` when nothing ran.
    pub fired: Option<&'t [String]>,
}

/// A part of a total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Count {
    /// How many are used.
    pub covered: usize,
    /// The total.
    pub total: usize,
}

impl Count {
    fn add(&mut self, is_covered: bool) {
        self.total += 1;
        self.covered += usize::from(is_covered);
    }
}

/// Which parts are used, and which are not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Recorded answers of the model that a replay requested; `None` when there was no replay.
    pub recordings: Option<Count>,
    /// Declared tools that are called, over all documents.
    pub tools: Count,
    /// Messages that a later model call was sent.
    pub messages: Count,
    /// Rules of handlers that fired; `None` when nothing ran.
    pub rules: Option<Count>,
    /// Everything that is not used, by document.
    pub unused: Vec<Unused>,
}

/// One thing that nothing uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unused {
    /// Its kind.
    pub kind: UnusedKind,
    /// The index of the document in the input, from 0.
    pub document: usize,
    /// The document's name.
    pub file: String,
    /// The step, the tool, the message id or the place of the rule.
    pub name: String,
    /// Its step, if it has one; 0 is the initial state.
    pub step: Option<usize>,
    /// Its place, if known.
    pub span: Option<Span>,
}

/// The kinds of unused parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum UnusedKind {
    /// A recorded answer that no replay requested.
    Recording,
    /// A declared tool that is never called.
    ToolNotCalled,
    /// A called tool that is not declared, though others are.
    ToolNotDeclared,
    /// A message that no later model call was sent.
    Message,
    /// A rule that never fired.
    Rule,
}

/// What the documents record but nothing uses.
///
/// ```
/// use transcript_core::{cover, expand, parse};
/// let text = "tools: [weather, search]\nmessages: ['user: Hi', 'assistant: Hello!']";
/// let limits = parse::Limits::default();
/// let root = parse::parse(text, &limits).root.unwrap();
/// let (run, _) = expand::compact(text, &root, &limits);
/// let document = cover::Covered { name: "run.yaml", transcript: Some(&run), root: Some(&root), ..Default::default() };
/// let found = cover::coverage(&[document]);
/// assert_eq!((found.tools.covered, found.tools.total), (0, 2));
/// ```
#[must_use]
pub fn coverage(documents: &[Covered<'_>]) -> Coverage {
    let mut out = Coverage::default();
    for (index, document) in documents.iter().enumerate() {
        if let Some(transcript) = document.transcript {
            recordings(index, document, transcript, &mut out);
            messages::check(index, document, transcript, &mut out);
        }
        if let (Some(root), Some(fired)) = (document.root, document.fired) {
            rules::check(index, document, root, fired, &mut out);
        }
    }
    tools::check(documents, &mut out);
    sort_by_key(&mut out.unused, |unused| (unused.document, unused.kind, unused.step, unused.span));
    out
}

fn recordings(index: usize, document: &Covered<'_>, transcript: &Transcript, out: &mut Coverage) {
    let Some(consumed) = document.consumed else { return };
    let consumed: Set<&str> = consumed.iter().map(String::as_str).collect();
    let count = out.recordings.get_or_insert_default();
    for (at, turn) in transcript.turns.iter().enumerate() {
        if turn.response.is_none() && turn.error.is_none() {
            continue;
        }
        let step = (at + 1).to_string();
        let is_covered = consumed.contains(step.as_str());
        count.add(is_covered);
        if !is_covered {
            out.unused.push(Unused {
                kind: UnusedKind::Recording,
                document: index,
                file: document.name.to_owned(),
                name: step,
                step: Some(at + 1),
                span: Some(turn.span),
            });
        }
    }
}

#[cfg(test)]
mod tests;
