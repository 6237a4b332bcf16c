//! The settings of a project.

use serde_json::{Map, Value, json};
use transcript_core::diagnostic::Severity;
use transcript_core::diagnostic::render::{TerminalStyle, problems, terminal};
use transcript_core::text::LineIndex;
use transcript_core::validate::Levels;
use wasm_bindgen::prelude::wasm_bindgen;

/// Reads `transcript.config.json` from its text and name: the levels of its rules by code, what is
/// wrong with it, and the same as a compiler prints it. The answer is JSON.
///
/// ```
/// let answer = transcript_wasm::project::project(r#"{"rules": {"unknown-key": "off"}}"#, "config.json", false);
/// assert!(answer.starts_with(r#"{"ok":true,"rules":{"T103":"off"}"#), "{answer}");
/// ```
#[wasm_bindgen]
#[must_use]
pub fn project(text: &str, file: &str, color: bool) -> String {
    let (levels, found) = Levels::from_json(text);
    let lines = LineIndex::new(text);
    let rules: Map<String, Value> =
        levels.iter().map(|(code, level)| (code.to_owned(), level.name().into())).collect();
    let style = if color { TerminalStyle::Ansi } else { TerminalStyle::Plain };
    let answer = json!({
        "ok": found.iter().all(|diagnostic| diagnostic.severity != Severity::Error),
        "rules": rules,
        "diagnostics": problems(file, text, &lines, &found),
        "rendered": terminal(file, text, &lines, &found, style),
    });
    answer.to_string()
}
