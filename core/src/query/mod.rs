//! Expressions, templates and patterns: how an author queries a run.
//!
//! Expressions and the paths of assertions are JMESPath, templates hold JMESPath between `{{` and `}}`, and
//! patterns are regular expressions that match in time linear in the text. All of them terminate, have no
//! side effects, and stay within a budget.

mod ast;
mod evaluate;
mod expression;
mod functions;
mod item;
mod lex;
mod pattern;
mod pattern_size;
mod read;
mod template;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub use ast::Variable;
pub use expression::{Expression, Inspected, function_names, is_true, other_function};
pub use pattern::Pattern;
pub use template::{Placeholder, Template, placeholders};

/// A fault in parsing or evaluation, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryError {
    /// The bytes of the expression, template or pattern that are at fault.
    pub at: Range<usize>,
    /// The problem.
    pub message: String,
    /// A remedy; may be empty.
    pub help: String,
    /// The name that was probably meant at that place.
    pub meant: Option<String>,
}

impl QueryError {
    /// The same for a text that contains the expression from byte `by` on.
    pub(crate) fn shifted(mut self, by: usize) -> Self {
        self.at = self.at.start + by..self.at.end + by;
        self
    }
}

impl std::fmt::Display for QueryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for QueryError {}

/// The remaining cost of evaluation, shared by all expressions of one answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The remaining number of values to visit or make.
    pub steps: u64,
    /// The remaining bytes of text to make.
    pub bytes: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { steps: 5_000_000, bytes: 64 << 20 }
    }
}
