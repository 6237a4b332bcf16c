//! Changes of a document as the smallest edits of its text.
//!
//! Everything outside of an edit stays unchanged, byte for byte: comments, order, quotes and blank lines.
//! Every round of edits is read again before it is returned: edits that would not mean the requested change
//! are refused.
//!
//! Two levels: changes of data with paths to any value of any document ([`tree`], [`plan`] and what
//! belongs to it), and changes of a transcript, which become some of these ([`run`], [`compact`]).

mod begin;
mod call;
mod change;
mod compact;
mod draft;
mod flow;
mod follow;
mod item;
mod lines;
mod message;
mod note;
mod op;
mod order;
mod places;
mod plan;
mod replace;
mod run;
mod sent;
mod visible;

pub use change::Change;
pub use op::{Part, Path};

use std::cell::OnceCell;

use self::draft::Draft;
use self::op::Op;
use crate::diagnostic::Edit;
use crate::parse::{self, Limits, Node, Parsed, SyntaxTree};
use crate::text::Span;

/// A change as edits of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    /// The text afterwards.
    pub text: String,
    /// The edits that make the change, sorted and disjoint.
    pub edits: Vec<Edit>,
    /// The changes beyond the request, in sentences for the author.
    pub notes: Vec<String>,
}

/// Makes a change.
///
/// # Errors
///
/// A [`Refusal`] when the text is not well-formed, a path or id leads nowhere, or the text is laid out in a way
/// that the change would break.
///
/// ```
/// use transcript_core::edit::{Change, change};
/// use transcript_core::parse::Limits;
/// let text = "name: run # mine\nmessages: ['user: Hi']\n";
/// let wanted = Change::Set { path: vec!["name".into()], value: "first run".into() };
/// let edited = change(text, &Limits::default(), &wanted).unwrap();
/// assert_eq!(edited.text, "name: first run # mine\nmessages: ['user: Hi']\n");
/// ```
pub fn change(text: &str, limits: &Limits, change: &Change) -> Result<Edited, Refusal> {
    Ok(change_and_read(text, limits, change)?.0)
}

/// The same, with the resulting text as it was read.
pub(crate) fn change_and_read(
    text: &str,
    limits: &Limits,
    change: &Change,
) -> Result<(Edited, Parsed), Refusal> {
    let mut work = Work::new(text, limits);
    run::change(&mut work, change)?;
    work.parsed();
    let parsed = work.parsed.take().unwrap_or_else(|| parse::parse(&work.draft.text, limits));
    Ok((work.finish(), parsed))
}

/// Why a change cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The kind of reason, one word for programs: `unreadable`, `path`, `shared`, `taken`, `change`, `meaning`.
    pub reason: &'static str,
    /// The obstacle: lower case, no final stop, the author's text in backticks.
    pub message: String,
    /// Its place.
    pub span: Span,
    /// The remedy, if one is known.
    pub help: Option<String>,
}

impl Refusal {
    fn new(reason: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self { reason, message: message.into(), span, help: None }
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// A document that is changed in rounds.
struct Work<'l> {
    draft: Draft,
    /// The current text, once it was read.
    parsed: OnceCell<Parsed>,
    limits: &'l Limits,
    notes: Vec<String>,
}

impl<'l> Work<'l> {
    fn new(text: &str, limits: &'l Limits) -> Self {
        Self { draft: Draft::new(text), parsed: OnceCell::new(), limits, notes: Vec::new() }
    }

    fn parsed(&self) -> &Parsed {
        self.parsed.get_or_init(|| parse::parse(&self.draft.text, self.limits))
    }

    /// Carries out edits of the text; `None` when they overlap or do not fit.
    fn apply(&mut self, edits: Vec<Edit>) -> Option<()> {
        self.parsed = OnceCell::new();
        self.draft.apply(edits)
    }

    /// The tree of the current text.
    fn root(&self) -> Result<Node, Refusal> {
        let parsed = self.parsed();
        let fault = parsed.diagnostics.first().map_or(Span::empty(0), |found| found.span);
        let unreadable = Refusal::new("unreadable", fault, "the text is not well-formed")
            .help("fix the syntax errors first");
        parsed.root.clone().filter(|_| parsed.well_formed).ok_or(unreadable)
    }

    /// Carries out one round of changes, with paths into the text before it.
    fn round(&mut self, ops: &[Op], everywhere: bool) -> Result<(), Refusal> {
        if ops.is_empty() {
            return Ok(());
        }
        let root = self.root()?;
        let mut wanted = root.to_value();
        let text = self.draft.text.clone();
        let unreadable =
            || Refusal::new("unreadable", Span::empty(0), "the layout of the text cannot be read");
        let tree = SyntaxTree::new(&text, self.limits).ok_or_else(unreadable)?;
        let has_aliases = !tree.aliases.is_empty();
        let edits = plan::Plan::new(tree, &root, everywhere).edits(ops)?;
        let place = edits.first().map_or(root.span, |edit| edit.span);
        let meaning = |message: &str| Refusal::new("meaning", place, message).help("edit the text");
        op::apply(&mut wanted, ops).ok_or_else(|| meaning("the change has no value"))?;
        let fits = self.apply(edits);
        fits.ok_or_else(|| meaning("parts of the change conflict"))?;
        let after = self.parsed();
        if after.well_formed && after.root.as_ref().is_some_and(|root| root.holds(&wanted)) {
            return Ok(());
        }
        if has_aliases {
            let message = "the change would break an alias";
            let help = "replace the alias with its value";
            return Err(Refusal::new("shared", place, message).help(help));
        }
        Err(meaning("the change does not fit the layout of the text"))
    }

    fn finish(self) -> Edited {
        Edited { edits: self.draft.edits(), text: self.draft.text, notes: self.notes }
    }
}

#[cfg(test)]
mod tests;
