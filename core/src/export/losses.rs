//! Collects what a format cannot express while it is written.

use crate::compact::{Loss, LossKind, Owner};
use crate::text::{Span, sort_by_key};

/// A part of the run with values that may be lost.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub path: String,
    pub span: Span,
    pub owner: Owner,
    /// Its step, by which losses are put in the order of the full form.
    pub step: usize,
}

impl Part {
    /// The document itself; `span` is the place of the value, if known.
    pub(super) fn document(path: &str, step: usize) -> Self {
        Self { path: path.to_owned(), span: Span::empty(0), owner: Owner::Document, step }
    }

    /// A turn, by its step.
    pub(super) fn turn(step: usize, span: Span) -> Self {
        let path = format!("execution[{}]", step.saturating_sub(1));
        Self { path, span, owner: Owner::Turn(step), step }
    }
}

/// The losses of one export.
#[derive(Debug, Default)]
pub(super) struct Losses(Vec<((usize, usize), Loss)>);

/// The keys of the document before its steps, in the order of the full form; losses of single messages
/// follow.
const HEAD: [&str; 3] = ["metadata", "agent_config", "agents"];

/// The sort key of losses.
fn rank(part: &Part, path: &str) -> (usize, usize) {
    let above = path.split(['.', '[']).next().unwrap_or(path);
    let of_document = HEAD.iter().position(|key| *key == above).unwrap_or(HEAD.len());
    (part.step, if matches!(part.owner, Owner::Document) { of_document } else { HEAD.len() })
}

impl Losses {
    fn add(&mut self, kind: LossKind, part: &Part, what: &str) {
        let path = if part.path.is_empty() { what.to_owned() } else { format!("{}.{what}", part.path) };
        // Values of the document are identified by their keys.
        let name = match part.owner {
            Owner::Document => path.as_str(),
            _ => what,
        };
        self.0.push((rank(part, &path), Loss::new(kind, &path, part.span, &part.owner, name)));
    }

    /// A value that has no place in the form.
    pub(super) fn lost(&mut self, part: &Part, what: &str) {
        self.add(LossKind::Lost, part, what);
    }

    /// A value that changes.
    pub(super) fn changed(&mut self, part: &Part, what: &str) {
        self.add(LossKind::Changed, part, what);
    }

    /// A value that the form cannot do without, and that the run does not have.
    pub(super) fn added(&mut self, part: &Part, what: &str) {
        self.add(LossKind::Added, part, what);
    }

    /// A tool name that is written unchanged, though the vendor refuses it.
    pub(super) fn refused(&mut self, part: &Part, what: &str, name: &str, vendor: &str) {
        let path = if part.path.is_empty() { what.to_owned() } else { format!("{}.{what}", part.path) };
        let description = format!("the tool name `{name}`, which {vendor} rejects");
        let loss = Loss::new(LossKind::Refused, &path, part.span, &part.owner, &description);
        self.0.push((rank(part, &path), loss));
    }

    /// A message or turn that is left out.
    pub(super) fn whole(&mut self, part: &Part) {
        self.0.push((rank(part, &part.path), Loss::whole(&part.path, part.span, part.owner.clone())));
    }

    /// The losses of a run inside this one. They have the place `span` of the outer text: the run may be of
    /// another file.
    pub(super) fn inside(&mut self, step: usize, span: Span, inner: Losses) {
        let above = format!("execution[{}].tool_call.result.nested_transcript", step.saturating_sub(1));
        for mut loss in inner.finish() {
            loss.path = format!("{above}.{}", loss.path);
            loss.message = format!("{} in the run inside step {step}", loss.message);
            loss.span = span;
            self.0.push(((step, HEAD.len()), loss));
        }
    }

    /// The losses in the order of the full form.
    pub(super) fn finish(mut self) -> Vec<Loss> {
        sort_by_key(&mut self.0, |(rank, _)| *rank);
        self.0.into_iter().map(|(_, loss)| loss).collect()
    }
}
