//! The rules of mock handlers, one file each.

mod arguments_schema;
mod bad_expression;
mod bad_pattern;
pub(super) mod condition_value;
mod contradictory_condition;
mod empty_handler;
mod exitless_state;
mod implied;
mod incomplete;
mod interpolation;
mod never_fires;
mod no_fallback;
pub(super) mod other_layout;
mod strategy;
pub(super) mod unknown_condition;
mod unknown_state;
mod unknown_tool;
mod unknown_type;
mod unreachable_state;
mod visit;
mod ways;

pub(crate) use self::ways::reachable_states;

use std::cell::Cell;

use super::comparisons::Comparisons;
use super::facts::WORK;
use super::tools::Tools;
use super::walk;
use crate::diagnostic::Diagnostic;
use crate::model::handlers::Handlers;
use crate::model::{HANDLERS, HANDLERS_DOCUMENT};
use crate::parse::Node;

/// Checks keys and kinds of values of a document with only handlers.
#[must_use]
pub fn handlers_document(source: &str, root: &Node) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    walk::node(source, root, &HANDLERS_DOCUMENT, "a handlers document", &mut found);
    found
}

/// Checks keys and kinds of values of the `handlers` of a compact document. In a full or partial one
/// [`super::structure`] does so with the rest.
#[must_use]
pub fn handlers_structure(source: &str, handlers: &Node) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if handlers.is_map() {
        walk::node(source, handlers, &HANDLERS, "`handlers`", &mut found);
    }
    found
}

/// Checks the content of handlers: types, rules, states, conditions, calls. `root` is the document with the
/// tools that they may call.
///
/// ```
/// use transcript_core::parse::{Limits, parse, read};
/// use transcript_core::validate;
/// let text = "handlers: {bot: {type: state_machine, initial: a, states: {a: {respond: Hi, next: b}}}}";
/// let root = parse(text, &Limits::default()).root.unwrap();
/// let handlers = read::handlers(root.get("handlers").unwrap());
/// assert_eq!(validate::handlers(text, &root, &handlers)[0].code, "T604");
/// ```
#[must_use]
pub fn handlers(source: &str, root: &Node, handlers: &Handlers) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut surroundings = Surroundings {
        source,
        root,
        tools: Tools::new(Some(root), &[]),
        agent: "",
        comparisons: Comparisons::default(),
        work: Cell::new(WORK),
        implications: Cell::new(implied::WORK),
    };
    for (name, handler) in &handlers.agents {
        surroundings.agent = &name.value;
        let name = format!("`{}`", name.value);
        visit::top(&surroundings, handler, &name, &mut found);
    }
    found
}

/// The data for the rules.
struct Surroundings<'d> {
    source: &'d str,
    /// The document.
    root: &'d Node,
    /// The tools that it declares.
    tools: Tools<'d>,
    /// The agent of the current handler.
    agent: &'d str,
    comparisons: Comparisons,
    /// The remaining work for schemas.
    work: Cell<usize>,
    /// The remaining work for comparing conditions.
    implications: Cell<usize>,
}
