//! The settings of a project, in JSON.

use serde::de::IgnoredAny;

use super::{Level, Levels, bad_level, bad_rule};
use crate::diagnostic::{self, Diagnostic, Severity, closest, codes, unknown_key};
use crate::parse::{Limits, Node, parse};
use crate::text::Span;

pub(super) fn read(text: &str) -> (Levels, Vec<Diagnostic>) {
    let mut levels = Levels::default();
    let parsed = parse(text, &Limits::default());
    let mut found = parsed.diagnostics;
    if serde_json::from_str::<IgnoredAny>(text).is_err()
        && let Some(span) = comment(text)
    {
        let diagnostic = Diagnostic::new(codes::SYNTAX, Severity::Error, span, "JSON has no comments");
        return (levels, vec![diagnostic.help("remove the comment")]);
    }
    for empty in found.iter_mut().filter(|found| found.code == codes::EMPTY) {
        empty.message = "the settings are empty".to_owned();
        empty.help = Some("write `{\"rules\": {}}`".to_owned());
    }
    let Some(root) = parsed.root else { return (levels, found) };
    if !root.is_map() {
        found.push(wrong_kind(&root, "the file", "a map"));
    }
    for entry in root.entries() {
        let key: &str = &entry.key.text;
        // Editors look for the schema under its key, and the prefix `x` is for custom keys.
        if matches!(key, "rules" | "$schema") || key.starts_with("x-") || key.starts_with("x_") {
            continue;
        }
        match closest(key, ["rules"]) {
            Some(meant) => {
                found.push(unknown_key(text, key, entry.key.span, Some(meant), "the settings"));
            }
            None => {
                let message = format!("unknown key `{key}` in the settings");
                let span = entry.key.span;
                let diagnostic = Diagnostic::new(codes::UNKNOWN_KEY, Severity::Warning, span, message);
                found.push(diagnostic.help("the only key is `rules`"));
            }
        }
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
            let level = Level::new(word);
            if level.is_none() {
                found.push(bad_level(text, word, entry.value.span));
            }
            if !levels.set(name, level.unwrap_or(Level::Off)) {
                found.push(bad_rule(text, name, entry.key.span));
            } else if level.is_none()
                && let Some(known) = codes::find(name)
            {
                levels.0.remove(known.code);
            }
        }
    }
    diagnostic::sort(&mut found);
    (levels, found)
}

/// The first comment of JavaScript or YAML that is in no text.
fn comment(text: &str) -> Option<Span> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (mut in_text, mut escaped, mut before) = (false, false, '\n');
        for (here, c) in line.char_indices() {
            let is_comment = c == '#' || before == '/' && (c == '/' || c == '*');
            if is_comment && !in_text {
                let start = at + here - usize::from(c != '#');
                return Some(Span::new(start, at + line.trim_end().len()));
            }
            in_text ^= c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            before = c;
        }
        at += line.len();
    }
    None
}

fn wrong_kind(node: &Node, what: &str, wanted: &str) -> Diagnostic {
    let message = format!("{what}: expected {wanted}, found {}", node.kind_name());
    Diagnostic::new(codes::WRONG_TYPE, Severity::Error, node.span, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::apply;

    fn findings(text: &str) -> Vec<(&'static str, String, &str)> {
        let (_, found) = read(text);
        found.into_iter().map(|found| (found.code, found.message, found.span.slice(text))).collect()
    }

    #[test]
    fn settings_are_read_by_code_and_by_name() {
        let (levels, found) = read(
            r#"{"x-other": 1, "$schema": "a", "rules": {"t204": "off", "unknown-key": "error", "T208": "info"}}"#,
        );
        assert_eq!(found, []);
        assert_eq!(levels.get("T204"), Some(Level::Off));
        assert_eq!(levels.get("T103"), Some(Level::Severity(Severity::Error)));
        assert_eq!(levels.get("T208"), Some(Level::Severity(Severity::Info)));
        assert_eq!(levels.get("T209"), None);
    }

    #[test]
    fn settings_at_fault_are_reported_with_their_place_and_left_out() {
        let text = r#"{"rules": {"T001": "off", "T999": "off", "T204": "of", "T208": 1}}"#;
        assert_eq!(
            findings(text),
            [
                ("T109", "the severity of `T001` cannot be set".to_owned(), "\"T001\""),
                ("T109", "unknown rule `T999`".to_owned(), "\"T999\""),
                ("T109", "unknown severity `of`".to_owned(), "\"of\""),
                ("T104", "`T208`: expected a severity, found a number".to_owned(), "1"),
            ]
        );
        assert_eq!(read(text).0, Levels::default());
    }

    #[test]
    fn a_fix_keeps_the_quotes() {
        let text = r#"{"rules": {"T204": "of", "unanswered-cal": "off"}}"#;
        let edits: Vec<_> =
            read(text).1.into_iter().flat_map(|mut found| found.fixes.remove(0).edits).collect();
        let mended = apply(text, &edits).unwrap();
        assert_eq!(mended, r#"{"rules": {"T204": "off", "unanswered-call": "off"}}"#);
        assert_eq!(findings(&mended), []);
    }

    #[test]
    fn settings_have_words_of_their_own() {
        assert_eq!(findings(""), [("T007", "the settings are empty".to_owned(), "")]);
        let text = r#"{"rule": {"T204": "off"}}"#;
        assert_eq!(findings(text), [("T103", "unknown key `rule` in the settings".to_owned(), "\"rule\"")]);
        assert_eq!(
            read(text).1.first().and_then(|found| found.help.clone()).as_deref(),
            Some("did you mean `rules`?")
        );
        let comment =
            |text| findings(text).into_iter().map(|(code, _, span)| (code, span)).collect::<Vec<_>>();
        assert_eq!(comment("{\n  // c\n  \"rules\": {}\n}"), [("T001", "// c")]);
        assert_eq!(comment("// c\n{\"rules\": {}}"), [("T001", "// c")]);
        assert_eq!(comment("{\"x-a\": \"http://x\", \"rules\": {} /* c */}"), [("T001", "/* c */}")]);
        assert_eq!(findings("{\"x-a\": \"http://x#y\", \"rules\": {}}"), []);
    }

    #[test]
    fn a_value_that_is_not_a_map_is_reported() {
        assert_eq!(findings("[]"), [("T104", "the file: expected a map, found a list".to_owned(), "[]")]);
        assert_eq!(
            findings("{\"rules\": []}"),
            [("T104", "`rules`: expected a map, found a list".to_owned(), "[]")]
        );
        assert_eq!(findings("{\"rules\": ")[0].0, "T001");
    }
}
