//! Descriptions of what a compact text would lose.

use crate::model::Text;
use crate::text::{Span, Table, grouped, sort_by_key};

/// How a value is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename_all = "lowercase"))]
pub enum LossKind {
    /// It would be lost.
    Lost,
    /// It would change.
    Changed,
    /// It is absent, and would be added.
    Added,
    /// A whole message or turn would be lost, or moved.
    Whole,
    /// It would be unchanged, but readers of the format would refuse it.
    Refused,
}

/// One difference between a transcript and its compact form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The kind of loss.
    pub kind: LossKind,
    /// Its path in the full form: `execution[0].timestamp`.
    pub path: String,
    /// Its place in the source; for a missing value, the part that lacks it.
    pub span: Span,
    /// What is lost: the `timestamp` of turn 1.
    pub message: String,
    /// The id of its message, if it is part of one.
    pub in_message: Option<Text>,
    /// The keys without those of the owner, and the owner's name: what losses of one kind share.
    group: (&'static str, String),
}

/// The owner of the lost value.
#[derive(Clone, Debug)]
pub(crate) enum Owner {
    Document,
    /// By its number, from 1.
    Turn(usize),
    Message(Text),
}

impl Owner {
    fn describe(&self) -> String {
        match self {
            Owner::Document => "the document".to_owned(),
            Owner::Turn(number) => format!("turn {number}"),
            Owner::Message(id) => format!("message `{id}`"),
        }
    }

    fn plural(&self) -> &'static str {
        match self {
            Owner::Document => "",
            Owner::Turn(_) => "turns",
            Owner::Message(_) => "messages",
        }
    }
}

impl Loss {
    /// The loss of the value at `path`; `what` are its keys without those of its owner, or a description of a
    /// refused value.
    pub(crate) fn new(kind: LossKind, path: &str, span: Span, owner: &Owner, what: &str) -> Self {
        let message = match (kind, owner) {
            (LossKind::Whole, _) => format!("all of {}", owner.describe()),
            (LossKind::Lost, Owner::Document) => format!("`{what}`"),
            (LossKind::Changed, Owner::Document) => format!("the exact `{what}`"),
            (LossKind::Added, Owner::Document) => format!("the absence of `{what}`"),
            (LossKind::Lost, _) => format!("the `{what}` of {}", owner.describe()),
            (LossKind::Changed, _) => format!("the exact `{what}` of {}", owner.describe()),
            (LossKind::Added, _) => format!("the absence of `{what}` in {0}", owner.describe()),
            (LossKind::Refused, Owner::Document) => what.to_owned(),
            (LossKind::Refused, _) => format!("{what}, in {}", owner.describe()),
        };
        let in_message = match owner {
            Owner::Message(id) => Some(id.clone()),
            _ => None,
        };
        let group = (owner.plural(), what.to_owned());
        Self { kind, path: path.to_owned(), span, message, in_message, group }
    }

    pub(crate) fn whole(path: &str, span: Span, owner: Owner) -> Self {
        Self::new(LossKind::Whole, path, span, &owner, "")
    }
}

/// The losses in order of first occurrence, one line for each kind.
pub(crate) fn summary(losses: &[Loss]) -> Vec<String> {
    let mut groups: Table<_, (usize, usize)> = Table::new();
    for (at, loss) in losses.iter().enumerate() {
        groups.entry((loss.kind, &loss.group)).or_insert((at, 0)).1 += 1;
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    sort_by_key(&mut groups, |(_, (first, _))| *first);
    groups
        .into_iter()
        .filter_map(|((kind, (owners, what)), (first, count))| {
            let first = losses.get(first)?;
            if count == 1 || owners.is_empty() {
                return Some(first.message.clone());
            }
            let all = format!("{} {owners}", grouped(count as u64));
            Some(match kind {
                LossKind::Whole => format!("all of {all}"),
                LossKind::Lost => format!("the `{what}` of {all}"),
                LossKind::Changed => format!("the exact `{what}` of {all}"),
                LossKind::Added => format!("the absence of `{what}` in {all}"),
                LossKind::Refused => format!("{what}, in {all}"),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_of_one_kind_are_one_line() {
        let turn = |number| {
            let path = format!("execution[{}].timestamp", number - 1);
            Loss::new(LossKind::Lost, &path, Span::empty(0), &Owner::Turn(number), "timestamp")
        };
        let mut losses: Vec<Loss> = (1..=10_000).map(turn).collect();
        losses.push(Loss::new(LossKind::Changed, "a", Span::empty(0), &Owner::Document, "a"));
        assert_eq!(summary(&losses), ["the `timestamp` of 10,000 turns", "the exact `a`"]);
        assert_eq!(summary(&losses[..1]), ["the `timestamp` of turn 1"]);
    }
}
