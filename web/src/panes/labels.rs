//! Icons and words for the core's kinds, roles and severities.

use leptos::prelude::With;
use serde_json::Value;
use transcript_core::diagnostic::Severity;
use transcript_core::view::Form;

use crate::state::{Current, PROGRAMS, View, Workspace, form_word};
use crate::strings::{count, fill, group, tenths, text};
use crate::ui::icons;

/// How a thing looks: a class for its colours, an icon and a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) class: &'static str,
    pub(crate) icon: &'static str,
    pub(crate) word: String,
}

fn look(class: &'static str, icon: &'static str, word: &str) -> Label {
    Label { class, icon, word: word.to_owned() }
}

/// A role the product does not know keeps its own name.
pub(crate) fn of_role(role: &str) -> Label {
    match role {
        "system" | "developer" => look("role-system", icons::SYSTEM, text::role_system()),
        "user" => look("role-user", icons::USER, text::role_user()),
        "assistant" => look("role-assistant", icons::ASSISTANT, text::role_assistant()),
        "tool" => look("role-tool", icons::TOOL, text::role_tool()),
        other => look("role-other", icons::MESSAGE, other),
    }
}

pub(crate) fn of_kind(kind: &str) -> Label {
    match kind {
        "initial" => look("role-other", icons::START, text::kind_initial()),
        "llm_call" => look("role-assistant", icons::ASSISTANT, text::kind_llm()),
        "tool_call" => look("role-tool", icons::TOOL, text::kind_tool()),
        "message" => look("role-user", icons::MESSAGE, text::kind_message()),
        other => look("role-other", icons::MESSAGE, other),
    }
}

pub(crate) fn of_severity(severity: Severity) -> Label {
    match severity {
        Severity::Error => look("severity-error", icons::ERROR, text::severity_error()),
        Severity::Warning => look("severity-warning", icons::WARNING, text::severity_warning()),
        Severity::Info => look("severity-info", icons::INFO, text::severity_info()),
    }
}

pub(crate) fn of_view(view: View) -> &'static str {
    match view {
        View::Gallery => text::to_gallery(),
        View::Edit => text::view_edit(),
        View::Replay => text::view_replay(),
        View::Agents => text::view_agents(),
        View::Handlers => text::view_handlers(),
        View::Compare => text::view_compare(),
    }
}

/// What is said in place of what nothing is known of yet.
pub(crate) fn of_unread(workspace: Workspace) -> &'static str {
    if workspace.reading.failed.with(Option::is_some) { text::unread() } else { text::reading() }
}

/// What a document is, a log of events included.
pub(crate) fn of_document(form: Form, other: Option<&str>) -> &'static str {
    match other {
        Some("event-log") => text::form_events(),
        Some(_) => text::form_log(),
        None => form_word(form),
    }
}

/// What is said in place of the number of problems, of what is no transcript.
pub(crate) fn of_no_transcript(current: &Current) -> Option<&'static str> {
    match current.is_blank() {
        true => Some(text::form_blank()),
        false => current.is_no_transcript().then(|| of_document(current.form, current.other.as_deref())),
    }
}

/// A time in the unit that has a few digits of it.
pub(crate) fn of_time(milliseconds: f64) -> String {
    let with = |template: &str, n: &str| fill(template, &[("n", n)]);
    match milliseconds {
        ms if ms < 1_000.0 => with(text::milliseconds(), &group(ms.round() as usize)),
        ms if ms < 60_000.0 => with(text::seconds(), &tenths(ms / 1_000.0)),
        ms => with(text::minutes(), &tenths(ms / 60_000.0)),
    }
}

/// Where the selected step stands among those of its agent.
pub(crate) fn of_position(workspace: Workspace) -> String {
    let (at, of) = workspace.numbers();
    fill(text::position(), &[("at", &group(at)), ("of", &group(of))])
}

/// What was looked at in a file of no known format, a sentence each.
pub(crate) fn of_unrecognised(found: &Value) -> Vec<String> {
    let keys = |value: Option<&Value>| {
        let keys = value.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        keys.iter().filter_map(Value::as_str).map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")
    };
    let syntax = found.get("syntax").and_then(Value::as_str).unwrap_or_default();
    let (name, one, many) = match syntax {
        "json" => ("JSON", text::records_one(), text::records_many()),
        "jsonl" => ("JSON Lines", text::records_one(), text::records_many()),
        "yaml" => ("YAML", text::records_one(), text::records_many()),
        "markdown" => ("Markdown", text::lines_one(), text::lines_many()),
        _ => (text::plain_text(), text::lines_one(), text::lines_many()),
    };
    let records = found.get("records").and_then(Value::as_u64).unwrap_or_default() as usize;
    let mut out = vec![format!("{name}, {}", count(one, many, records))];
    if let Some(line) = found.get("brokenLine").and_then(Value::as_u64) {
        out.push(fill(text::looked_at_broken(), &[("line", &line.to_string())]));
    }
    let first = keys(found.get("keys"));
    if !first.is_empty() {
        out.push(fill(text::looked_at_keys(), &[("keys", &first)]));
    }
    for near in found.get("nearest").and_then(Value::as_array).map_or(&[][..], Vec::as_slice) {
        let word = near.get("format").and_then(Value::as_str).unwrap_or_default();
        let title = PROGRAMS.iter().find(|(known, ..)| *known == word).map_or(word, |(.., title)| title);
        let (has, lacks) = (keys(near.get("has")), keys(near.get("lacks")));
        let template = if lacks.is_empty() { text::nearest_has() } else { text::nearest_lacks() };
        out.push(fill(template, &[("name", title), ("has", &has), ("lacks", &lacks)]));
    }
    out
}
