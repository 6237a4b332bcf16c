//! T408: a setting of the model is out of the range that chat APIs accept.

use super::facts::{Facts, at};
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::parse::{Data, Node};

/// The settings with the least and the greatest value. Integers: the code that writes floats takes 18 kB of wasm.
const RANGES: [(&str, i32, Option<i32>); 5] = [
    ("temperature", 0, Some(2)),
    ("top_p", 0, Some(1)),
    ("max_tokens", 1, None),
    ("frequency_penalty", -2, Some(2)),
    ("presence_penalty", -2, Some(2)),
];

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    let Some(root) = facts.root else { return };
    let agents = root.present("agents").map(Node::entries).unwrap_or_default();
    let agents = agents.iter().filter_map(|entry| at(&entry.value, &["config"]));
    let turns = (0..facts.transcript.turns.len()).filter_map(|index| facts.written(index, &["llm_config"]));
    // A compact document has its settings at the top level.
    let common = root.present("agent_config").unwrap_or(root);
    for config in std::iter::once(common).chain(agents).chain(turns) {
        settings(config, found);
    }
}

fn settings(config: &Node, found: &mut Vec<Diagnostic>) {
    for (key, least, most) in RANGES {
        let Some(node) = config.present(key) else { continue };
        let Data::Number(number) = &node.data else { continue };
        let Some(value) = number.as_f64() else { continue };
        let (fault, bound) = match most.filter(|most| value > f64::from(*most)) {
            Some(most) => (format!("more than {most}"), most),
            None if value < f64::from(least) => (format!("less than {least}"), least),
            None => continue,
        };
        let message = format!("`{key}` is {number}, {fault}");
        found.push(
            Diagnostic::new(codes::SETTING_OUT_OF_RANGE, Severity::Warning, node.span, message)
                .help(range(key, least, most))
                .fix(Applicability::Suggested, format!("change to {bound}"), node.span, bound.to_string()),
        );
    }
}

fn range(key: &str, least: i32, most: Option<i32>) -> String {
    match most {
        Some(most) => format!("`{key}` must be between {least} and {most}"),
        None => format!("`{key}` must be at least {least}"),
    }
}
