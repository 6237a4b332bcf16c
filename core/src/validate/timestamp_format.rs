//! T403: a timestamp is not in the format of RFC 3339. A remark when only the offset is missing.

use super::facts::{Facts, at};
use super::fixes;
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::parse::Node;
use crate::time::{ParsedTimestamp, read};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    let Some(root) = facts.root else { return };
    // The creation time of a document may be only a date.
    let created = at(root, &["metadata", "created"]).or_else(|| root.present("created"));
    if let Some(created) =
        created.filter(|node| node.as_str().is_some_and(|text| read(text) != ParsedTimestamp::Date))
    {
        timestamp(facts, "created", created, found);
    }
    let store = at(root, &["initial_state", "message_store"]).map(Node::items).unwrap_or_default();
    let turns = (0..facts.transcript.turns.len()).filter_map(|index| facts.turn_node(index));
    let created = turns.clone().filter_map(|turn| turn.present("message_created"));
    for holder in store.iter().chain(turns).chain(created) {
        if let Some(node) = holder.present("timestamp") {
            timestamp(facts, "timestamp", node, found);
        }
    }
}

fn timestamp(facts: &Facts<'_>, key: &str, node: &Node, found: &mut Vec<Diagnostic>) {
    let Some(text) = node.as_str() else { return };
    let new = |severity, message| Diagnostic::new(codes::TIMESTAMP_FORMAT, severity, node.span, message);
    match read(text) {
        ParsedTimestamp::Moment(_) => {}
        ParsedTimestamp::Local(_) => {
            let with_offset = format!("{text}Z");
            found.push(
                new(Severity::Info, format!("`{key}` has no time zone offset"))
                    .help("add `Z` for UTC, or an offset such as `+02:00`")
                    .fix(
                        Applicability::Suggested,
                        "use UTC",
                        node.span,
                        fixes::scalar(facts.source, node.span, &with_offset),
                    ),
            );
        }
        ParsedTimestamp::Date | ParsedTimestamp::No => {
            let shown: String = text.chars().take(40).collect();
            found.push(
                new(Severity::Warning, format!("`{shown}` is not a timestamp"))
                    .help("write it as in `2025-01-13T10:30:00Z`"),
            );
        }
    }
}
