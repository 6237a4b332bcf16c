//! T214: a call has no id, though other calls stand beside it, so that nothing tells which result is
//! whose.

use std::collections::BTreeMap;

use super::facts::{Facts, plural};
use crate::diagnostic::{Diagnostic, Severity, codes};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    let mut beside: BTreeMap<usize, usize> = BTreeMap::new();
    let mut of_tool: BTreeMap<&str, usize> = BTreeMap::new();
    for (step, call) in &facts.calls {
        *beside.entry(*step).or_default() += 1;
        *of_tool.entry(&call.name.value).or_default() += 1;
    }
    for (step, call) in facts.calls.iter().filter(|(_, call)| call.id.is_none()) {
        let name: &str = &call.name.value;
        let others = beside.get(step).map_or(0, |count| count.saturating_sub(1));
        let same = of_tool.get(name).map_or(0, |count| count.saturating_sub(1));
        let why = match (others, same) {
            (0, 0) => continue,
            (0, same) => format!("`{name}` is called {same} more time{}", plural(same)),
            (others, _) => {
                format!("{others} other call{} stand{} beside it", plural(others), plural_verb(others))
            }
        };
        found.push(
            Diagnostic::new(
                codes::CALL_ID_MISSING,
                Severity::Warning,
                call.name.span,
                format!("the call of `{name}` has no id, and {why}"),
            )
            .help("give each call an `id`, and its result the same one"),
        );
    }
}

fn plural_verb(count: usize) -> &'static str {
    if count == 1 { "s" } else { "" }
}
