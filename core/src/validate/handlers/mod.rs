//! The rules of mock handlers, one file each.

mod bad_expression;
mod bad_pattern;
pub(super) mod condition_value;
mod contradictory_condition;
mod empty_handler;
mod exitless_state;
mod incomplete;
mod interpolation;
mod never_fires;
mod no_fallback;
mod strategy;
pub(super) mod unknown_condition;
mod unknown_state;
mod unknown_tool;
mod unknown_type;
mod unreachable_state;
mod visit;
mod ways;

use std::cell::Cell;
use std::collections::BTreeSet;

use super::walk;
use crate::diagnostic::{Diagnostic, closest};
use crate::model::handlers::Handlers;
use crate::model::{HANDLERS, HANDLERS_DOCUMENT};
use crate::parse::Node;

/// Checks keys and kinds of values of a document of handlers alone.
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

/// Checks what handlers say: types, rules, states, conditions, calls. `root` is the document, whose tools
/// they may call.
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
    let surroundings =
        Surroundings { source, tools: declared_tools(root), comparisons: Cell::new(COMPARISONS) };
    for (name, handler) in &handlers.agents {
        let name = format!("`{}`", name.value);
        visit::top(&surroundings, handler, &name, &mut found);
    }
    found
}

/// The most words compared for did-you-mean in one document; names past that go without a suggestion.
const COMPARISONS: usize = 200_000;

/// What the rules look up.
struct Surroundings<'d> {
    source: &'d str,
    /// The names of the declared tools; `None` when the document declares none.
    tools: Option<BTreeSet<&'d str>>,
    /// How many more words may be compared for did-you-mean.
    comparisons: Cell<usize>,
}

impl Surroundings<'_> {
    /// The candidate that was probably meant by `word`, as long as the allowance lasts.
    fn suggest<'a>(&self, word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
        let counted = candidates.take(self.comparisons.get()).inspect(|_| {
            self.comparisons.set(self.comparisons.get().saturating_sub(1));
        });
        closest(word, counted)
    }
}

/// The tools that a document of any kind declares, for all of its agents together.
fn declared_tools(root: &Node) -> Option<BTreeSet<&str>> {
    let mut lists: Vec<&Node> = Vec::new();
    lists.extend(root.present("tools"));
    lists.extend(root.get("agent_config").and_then(|config| config.present("tools")));
    for agent in root.get("agents").map(Node::entries).unwrap_or_default() {
        lists.extend(agent.value.present("tools"));
        lists.extend(agent.value.get("config").and_then(|config| config.present("tools")));
    }
    let name = |tool| Node::as_str(tool).or_else(|| tool.get("name").and_then(Node::as_str));
    (!lists.is_empty())
        .then(|| crate::text::gathered(lists.into_iter().flat_map(Node::items).filter_map(name)))
}
