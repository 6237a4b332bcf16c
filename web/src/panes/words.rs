//! Icons and words for the core's kinds, roles and severities.

use leptos::prelude::With;
use transcript_core::diagnostic::Severity;
use transcript_core::view::Form;

use crate::state::{View, Workspace, form_word};
use crate::strings::{fill, group, tenths, text};
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
        "system" | "developer" => look("role-system", icons::SYSTEM, text::role_system()),
        "user" => look("role-user", icons::USER, text::role_user()),
        "assistant" => look("role-assistant", icons::ASSISTANT, text::role_assistant()),
        "tool" => look("role-tool", icons::TOOL, text::role_tool()),
        other => look("role-other", icons::MESSAGE, other),
    }
}

pub(crate) fn of_kind(kind: &str) -> Look {
    match kind {
        "initial" => look("role-other", icons::START, text::kind_initial()),
        "llm_call" => look("role-assistant", icons::ASSISTANT, text::kind_llm()),
        "tool_call" => look("role-tool", icons::TOOL, text::kind_tool()),
        "message" => look("role-user", icons::MESSAGE, text::kind_message()),
        other => look("role-other", icons::MESSAGE, other),
    }
}

pub(crate) fn of_severity(severity: Severity) -> Look {
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
    if other == Some("event-log") { text::form_events() } else { form_word(form) }
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
