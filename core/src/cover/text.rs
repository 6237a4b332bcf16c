//! Coverage to be read in a terminal.

use super::{Count, Coverage, Unused, UnusedKind};
use crate::text::is_visible_char;

/// The coverage as text: a line for each figure, followed by the unused parts.
#[must_use]
pub fn render(coverage: &Coverage) -> String {
    let mut out = String::new();
    let sections = [
        ("recordings used", coverage.recordings, UnusedKind::Recording),
        ("tools called", Some(coverage.tools), UnusedKind::ToolNotCalled),
        ("messages sent", Some(coverage.messages), UnusedKind::Message),
        ("rules matched", coverage.rules, UnusedKind::Rule),
    ];
    for (title, count, kind) in sections {
        if let Some(Count { covered, total }) = count.filter(|count| count.total > 0) {
            out.push_str(&format!("{title}: {covered} of {total}\n"));
            list(&mut out, coverage, kind, "never");
        }
    }
    if coverage.unused.iter().any(|unused| unused.kind == UnusedKind::ToolNotDeclared) {
        out.push_str("tools called but not declared\n");
        list(&mut out, coverage, UnusedKind::ToolNotDeclared, "called");
    }
    out
}

fn list(out: &mut String, coverage: &Coverage, kind: UnusedKind, word: &str) {
    for Unused { file, name, step, .. } in coverage.unused.iter().filter(|unused| unused.kind == kind) {
        let line = match (kind, step) {
            (UnusedKind::Recording, _) => format!("  {word}: step {name} of {file}"),
            (_, Some(step)) => format!("  {word}: `{name}`, step {step} of {file}"),
            _ => format!("  {word}: `{name}` of {file}"),
        };
        out.extend(line.chars().map(|c| if is_visible_char(c) { c } else { '\u{fffd}' }));
        out.push('\n');
    }
}
