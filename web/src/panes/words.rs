//! Icons and words for the core's kinds, roles and severities.

use leptos::prelude::With;
use transcript_core::diagnostic::Severity;
use transcript_core::view::Form;

use crate::state::{View, Workspace, form_word};
use crate::strings::{fill, group, text};
use crate::ui::icons;

/// How a thing looks: a class for its colours, an icon and a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) class: &'static str,
    pub(crate) icon: &'static str,
    pub(crate) word: String,
}

fn look(class: &'static str, icon: &'static str, word: &str) -> Look {
    Look { class, icon, word: word.to_owned() }
}

/// A role the product does not know keeps its own name.
pub(crate) fn of_role(role: &str) -> Look {
    match role {
        "system" | "developer" => look("role-system", icons::SYSTEM, text::ROLE_SYSTEM),
        "user" => look("role-user", icons::USER, text::ROLE_USER),
        "assistant" => look("role-assistant", icons::ASSISTANT, text::ROLE_ASSISTANT),
        "tool" => look("role-tool", icons::TOOL, text::ROLE_TOOL),
        other => look("role-other", icons::MESSAGE, other),
    }
}

pub(crate) fn of_kind(kind: &str) -> Look {
    match kind {
        "initial" => look("role-other", icons::START, text::KIND_INITIAL),
        "llm_call" => look("role-assistant", icons::ASSISTANT, text::KIND_LLM),
        "tool_call" => look("role-tool", icons::TOOL, text::KIND_TOOL),
        "message" => look("role-user", icons::MESSAGE, text::KIND_MESSAGE),
        other => look("role-other", icons::MESSAGE, other),
    }
}

pub(crate) fn of_severity(severity: Severity) -> Look {
    match severity {
        Severity::Error => look("severity-error", icons::ERROR, text::SEVERITY_ERROR),
        Severity::Warning => look("severity-warning", icons::WARNING, text::SEVERITY_WARNING),
        Severity::Info => look("severity-info", icons::INFO, text::SEVERITY_INFO),
    }
}

pub(crate) fn of_view(view: View) -> &'static str {
    match view {
        View::Gallery => text::TO_GALLERY,
        View::Edit => text::VIEW_EDIT,
        View::Replay => text::VIEW_REPLAY,
        View::Agents => text::VIEW_AGENTS,
        View::Handlers => text::VIEW_HANDLERS,
        View::Compare => text::VIEW_COMPARE,
    }
}

/// What is said in place of what nothing is known of yet.
pub(crate) fn of_unread(workspace: Workspace) -> &'static str {
    if workspace.reading.failed.with(Option::is_some) { text::UNREAD } else { text::READING }
}

/// What a document is, a log of events included.
pub(crate) fn of_document(form: Form, other: Option<&str>) -> &'static str {
    if other == Some("event-log") { text::FORM_EVENTS } else { form_word(form) }
}

/// A time in the unit that has a few digits of it.
pub(crate) fn of_time(milliseconds: f64) -> String {
    let with = |template: &str, n: &str| fill(template, &[("n", n)]);
    match milliseconds {
        ms if ms < 1_000.0 => with(text::MILLISECONDS, &group(ms.round() as usize)),
        ms if ms < 60_000.0 => with(text::SECONDS, &format!("{:.1}", ms / 1_000.0)),
        ms => with(text::MINUTES, &format!("{:.1}", ms / 60_000.0)),
    }
}

/// Where the selected step stands among those of its agent.
pub(crate) fn of_position(workspace: Workspace) -> String {
    let (at, of) = workspace.numbers();
    fill(text::POSITION, &[("at", &group(at)), ("of", &group(of))])
}
