//! T408: a setting of the model is out of the range that chat APIs accept.

use super::facts::{Facts, at};
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::parse::{Data, Node};

/// The settings with the least and the greatest value.
const RANGES: [(&str, f64, f64); 5] = [
    ("temperature", 0.0, 2.0),
    ("top_p", 0.0, 1.0),
    ("max_tokens", 1.0, f64::INFINITY),
    ("frequency_penalty", -2.0, 2.0),
    ("presence_penalty", -2.0, 2.0),
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
        let Some(value) = number.as_f64().filter(|value| *value < least || *value > most) else { continue };
        let (fault, bound) = match value < least {
            true => (format!("less than {least}"), least),
            false => (format!("more than {most}"), most),
        };
        let message = format!("`{key}` is {number}, {fault}");
        found.push(
            Diagnostic::new(codes::SETTING_OUT_OF_RANGE, Severity::Warning, node.span, message)
                .help(range(key, least, most))
                .fix(Applicability::Suggested, format!("change to {bound}"), node.span, bound.to_string()),
        );
    }
}

fn range(key: &str, least: f64, most: f64) -> String {
    if most.is_finite() {
        format!("`{key}` must be between {least} and {most}")
    } else {
        format!("`{key}` must be at least {least}")
    }
}
