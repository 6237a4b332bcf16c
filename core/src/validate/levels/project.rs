//! The settings of a project, in JSON.

use super::{Level, Levels, bad_level, bad_rule};
use crate::diagnostic::{self, Diagnostic, Severity, codes};
use crate::parse::{Limits, Node, parse};

pub(super) fn read(text: &str) -> (Levels, Vec<Diagnostic>) {
    let mut levels = Levels::default();
    let parsed = parse(text, &Limits::default());
    let mut found = parsed.diagnostics;
    let Some(root) = parsed.root else { return (levels, found) };
    if !root.is_map() {
        found.push(wrong_kind(&root, "the file", "a map"));
    }
    if let Some(rules) = root.present("rules") {
        if !rules.is_map() {
            found.push(wrong_kind(rules, "`rules`", "a map"));
        }
        for entry in rules.entries() {
            let name: &str = &entry.key.text;
            let Some(word) = entry.value.as_str() else {
                let diagnostic = wrong_kind(&entry.value, &format!("`{name}`"), "a severity");
                found.push(diagnostic.help("write `\"off\"`, `\"info\"`, `\"warning\"` or `\"error\"`"));
                continue;
            };
            // The key's quotes are part of its place, and are left in theirs by a fix.
            let level = Level::new(word);
            if level.is_none() {
                found.push(quoted(bad_level(word, entry.value.span)));
            }
            if !levels.set(name, level.unwrap_or(Level::Off)) {
                found.push(quoted(bad_rule(name, entry.key.span)));
            } else if level.is_none() {
                levels.0.retain(|code, _| Some(*code) != codes::find(name).map(|code| code.code));
            }
        }
    }
    diagnostic::sort(&mut found);
    (levels, found)
}

/// The same with the texts of its fixes in quotes, as JSON wants them.
fn quoted(mut diagnostic: Diagnostic) -> Diagnostic {
    for edit in diagnostic.fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
        edit.text = serde_json::Value::from(edit.text.as_str()).to_string();
    }
    diagnostic
}

fn wrong_kind(node: &Node, what: &str, wanted: &str) -> Diagnostic {
    let message = format!("{what} is {}, not {wanted}", node.kind_name());
    Diagnostic::new(codes::WRONG_TYPE, Severity::Error, node.span, message)
}
