//! T404: a turn is earlier than the turn of the same agent before it.

use super::facts::Facts;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::Node;
use crate::text::Table;
use crate::time::{Instant, ParsedTimestamp, read};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    // Agents may run in parallel. A time without an offset is only compared with others without
    // one.
    let mut last: Table<(Option<&str>, bool), (Instant, &Node, usize)> = Table::new();
    for (index, turn) in facts.transcript.turns.iter().enumerate() {
        let Some(node) = facts.written(index, &["timestamp"]) else { continue };
        let (instant, is_local) = match node.as_str().map(read) {
            Some(ParsedTimestamp::Moment(instant)) => (instant, false),
            Some(ParsedTimestamp::Local(instant)) => (instant, true),
            _ => continue,
        };
        let now = (instant, node, index + 1);
        let before = last.insert((turn.agent.as_deref(), is_local), now);
        let Some((_, earlier, step)) = before.filter(|(before, _, _)| *before > instant) else { continue };
        let message = format!(
            "turn {} is earlier than turn {} before it",
            facts.turn_number(index + 1),
            facts.turn_number(step),
        );
        found.push(
            Diagnostic::new(codes::TIME_GOES_BACK, Severity::Warning, node.span, message)
                .related(earlier.span, "the turn before it")
                .help("sort the turns by time, or correct one of the times"),
        );
    }
}
