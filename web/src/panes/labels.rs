//! Icons and words for the core's kinds, roles and severities.

use leptos::prelude::With;
use transcript_core::diagnostic::Severity;
use transcript_core::document::Form;
use transcript_core::document::Unrecognized;

use crate::state::{Current, View, Workspace, form_word, programs};
use crate::strings::{count, fill, group, tenths, text};
use crate::ui::icons;

/// A label: a class for its colors, an icon and a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) class: &'static str,
    pub(crate) icon: &'static str,
    pub(crate) word: String,
}

fn label(class: &'static str, icon: &'static str, word: &str) -> Label {
    Label { class, icon, word: word.to_owned() }
}

/// A role the product does not know keeps its own name.
pub(crate) fn role_label(role: &str) -> Label {
    match role {
        "system" | "developer" => label("role-system", icons::SYSTEM, text::role_system()),
        "user" => label("role-user", icons::USER, text::role_user()),
        "assistant" => label("role-assistant", icons::ASSISTANT, text::role_assistant()),
        "tool" => label("role-tool", icons::TOOL, text::role_tool()),
        other => label("role-other", icons::MESSAGE, other),
    }
}

pub(crate) fn kind_label(kind: &str) -> Label {
    match kind {
        "initial" => label("role-other", icons::START, text::kind_initial()),
        "llm_call" => label("role-assistant", icons::ASSISTANT, text::kind_llm()),
        "tool_call" => label("role-tool", icons::TOOL, text::kind_tool()),
        "message" => label("role-user", icons::MESSAGE, text::kind_message()),
        other => label("role-other", icons::MESSAGE, other),
    }
}

pub(crate) fn severity_label(severity: Severity) -> Label {
    match severity {
        Severity::Error => label("severity-error", icons::ERROR, text::severity_error()),
        Severity::Warning => label("severity-warning", icons::WARNING, text::severity_warning()),
        Severity::Info => label("severity-info", icons::INFO, text::severity_info()),
    }
}

pub(crate) fn view_label(view: View) -> &'static str {
    match view {
        View::Gallery => text::to_gallery(),
        View::Read => text::view_read(),
        View::Edit => text::view_edit(),
        View::Replay => text::view_replay(),
        View::Agents => text::view_agents(),
        View::Handlers => text::view_handlers(),
        View::Compare => text::view_compare(),
    }
}

/// The message shown while nothing is known of the document.
pub(crate) fn unread_message(workspace: Workspace) -> &'static str {
    if workspace.reading.failed.with(Option::is_some) { text::unread() } else { text::reading() }
}

/// What a document is, a log of events included.
pub(crate) fn document_label(form: Form, other: Option<&str>) -> &'static str {
    match other {
        Some("event-log") => text::form_events(),
        Some(_) => text::form_log(),
        None => form_word(form),
    }
}

/// The label shown instead of the number of problems when the document is no transcript.
pub(crate) fn not_a_transcript_label(current: &Current) -> Option<&'static str> {
    match current.is_blank() {
        true => Some(text::form_blank()),
        false => current.is_no_transcript().then(|| document_label(current.form, current.other.as_deref())),
    }
}

/// A time in the unit that has a few digits of it.
pub(crate) fn duration_text(milliseconds: f64) -> String {
    let with = |template: &str, n: &str| fill(template, &[("n", n)]);
    match milliseconds {
        ms if ms < 1_000.0 => with(text::milliseconds(), &group(ms.round() as usize)),
        ms if ms < 60_000.0 => with(text::seconds(), &tenths(ms / 1_000.0)),
        ms if ms < 3_600_000.0 => with(text::minutes(), &tenths(ms / 60_000.0)),
        ms => with(text::hours(), &tenths(ms / 3_600_000.0)),
    }
}

/// The place of the selected step among those of its agent.
pub(crate) fn position_text(workspace: Workspace) -> String {
    let (at, of) = workspace.numbers();
    fill(text::position(), &[("at", &group(at)), ("of", &group(of))])
}

fn keys(keys: &mut dyn Iterator<Item = &str>) -> String {
    keys.map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")
}

/// What was checked in a file of unknown format, a sentence each.
pub(crate) fn describe_unrecognized(found: &Unrecognized) -> Vec<String> {
    let (name, one, many) = match &*found.syntax {
        "json" => ("JSON", text::records_one(), text::records_many()),
        "jsonl" => ("JSON Lines", text::records_one(), text::records_many()),
        "yaml" => ("YAML", text::records_one(), text::records_many()),
        "markdown" => ("Markdown", text::lines_one(), text::lines_many()),
        _ => (text::plain_text(), text::lines_one(), text::lines_many()),
    };
    let mut out = vec![format!("{name}, {}", count(one, many, found.records))];
    if let Some(line) = found.broken_line {
        out.push(fill(text::looked_at_broken(), &[("line", &line.to_string())]));
    }
    let first = keys(&mut found.keys.iter().map(String::as_str));
    if !first.is_empty() {
        out.push(fill(text::looked_at_keys(), &[("keys", &first)]));
    }
    for near in &found.nearest {
        let word = &*near.format;
        let title = programs().find(|format| format.kind == word).map_or(word, |format| format.title);
        let has = keys(&mut near.has.iter().map(AsRef::as_ref));
        let lacks = keys(&mut near.lacks.iter().map(AsRef::as_ref));
        let template = if lacks.is_empty() { text::nearest_has() } else { text::nearest_lacks() };
        out.push(fill(template, &[("name", title), ("has", &has), ("lacks", &lacks)]));
    }
    out
}
