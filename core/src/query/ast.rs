//! An expression as it was read.

use std::ops::Range;

use serde_json::Value;

use super::functions::Function;

/// A part of an expression.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// The nesting depth here, this one included.
    pub(super) depth: usize,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// `@`, and the omitted operand in `[0]` or `*`.
    Current,
    /// A key, and its place.
    Field(String, Range<usize>),
    Literal(Value),
    /// The second one over the value of the first: `a.b` and `a | b`.
    Then(Box<Node>, Box<Node>),
    Index(Box<Node>, i64),
    Slice(Box<Node>, Slice),
    Flatten(Box<Node>),
    /// The second one over each item of the first.
    Each(Box<Node>, Box<Node>),
    /// The second one over each value of the map that the first one is.
    EachValue(Box<Node>, Box<Node>),
    /// Evaluates the third one over each item of the first for which the second is true.
    Filter(Box<Node>, Box<Node>, Box<Node>),
    Or(Box<Node>, Box<Node>),
    And(Box<Node>, Box<Node>),
    Not(Box<Node>),
    Compare(Comparator, Box<Node>, Box<Node>),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
    Call(&'static Function, Range<usize>, Vec<Argument>),
}

/// An argument of a function.
#[derive(Clone, Debug)]
pub(super) struct Argument {
    pub(super) node: Node,
    pub(super) at: Range<usize>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Slice {
    pub(super) start: Option<i64>,
    pub(super) stop: Option<i64>,
    pub(super) step: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparator {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Comparator {
    /// As written.
    pub(super) fn text(&self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::Unequal => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
        }
    }
}

impl Node {
    pub(super) fn new(kind: Kind) -> Self {
        let deepest = |nodes: &[&Node]| nodes.iter().map(|node| node.depth).max().unwrap_or(0);
        let inner = match &kind {
            Kind::Current | Kind::Field(..) | Kind::Literal(_) => 0,
            Kind::Index(one, _) | Kind::Slice(one, _) | Kind::Flatten(one) | Kind::Not(one) => one.depth,
            Kind::Then(one, two)
            | Kind::Each(one, two)
            | Kind::EachValue(one, two)
            | Kind::Or(one, two)
            | Kind::And(one, two)
            | Kind::Compare(_, one, two) => deepest(&[one, two]),
            Kind::Filter(one, two, three) => deepest(&[one, two, three]),
            Kind::List(items) => items.iter().map(|item| item.depth).max().unwrap_or(0),
            Kind::Map(entries) => entries.iter().map(|(_, item)| item.depth).max().unwrap_or(0),
            Kind::Call(_, _, arguments) => {
                arguments.iter().map(|argument| argument.node.depth).max().unwrap_or(0)
            }
        };
        Self { kind, depth: inner + 1 }
    }

    pub(super) fn is_current(&self) -> bool {
        matches!(self.kind, Kind::Current)
    }
}

/// A name that an expression reads of the data it is evaluated on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name.
    pub name: String,
    /// The bytes of the expression at its place.
    pub at: Range<usize>,
}

/// The data that an expression reads.
#[derive(Clone, Debug, Default)]
pub(super) struct Reads {
    pub(super) variables: Vec<Variable>,
    /// Whether it reads the data as a whole.
    pub(super) all: bool,
}

impl Reads {
    /// Collects what `node` reads; `sees` is whether it is evaluated on the whole data.
    pub(super) fn collect(&mut self, node: &Node, sees: bool) {
        match &node.kind {
            Kind::Current => self.all |= sees,
            Kind::Field(name, at) if sees => {
                self.variables.push(Variable { name: name.clone(), at: at.clone() });
            }
            Kind::Field(..) | Kind::Literal(_) => {}
            Kind::Then(one, two) if one.is_current() => self.collect(two, sees),
            Kind::Then(one, two) | Kind::Each(one, two) | Kind::EachValue(one, two) => {
                self.collect(one, sees);
                self.collect(two, false);
            }
            Kind::Filter(one, two, three) => {
                self.collect(one, sees);
                self.collect(two, false);
                self.collect(three, false);
            }
            Kind::Index(one, _) | Kind::Slice(one, _) | Kind::Flatten(one) | Kind::Not(one) => {
                self.collect(one, sees);
            }
            Kind::Or(one, two) | Kind::And(one, two) | Kind::Compare(_, one, two) => {
                self.collect(one, sees);
                self.collect(two, sees);
            }
            Kind::List(items) => items.iter().for_each(|item| self.collect(item, sees)),
            Kind::Map(entries) => entries.iter().for_each(|(_, item)| self.collect(item, sees)),
            Kind::Call(function, _, arguments) => {
                for (index, argument) in arguments.iter().enumerate() {
                    self.collect(&argument.node, sees && function.by != Some(index));
                }
            }
        }
    }
}
