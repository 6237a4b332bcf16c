//! What the request of a model call has that the request before it had not.

use leptos::prelude::*;
use transcript_core::view::{PageRequest, PromptChange, PromptChangeKind, PromptFacts, TabRequest};

use super::sides::difference;
use super::state::Row;
use super::tab_answer::{TabAnswer, tab_answer};
use crate::panes::message::{MessageBody, MessageHead, class_of};
use crate::state::Workspace;
use crate::strings::{count, fill, group, text};
use crate::ui::{PAGE, Paged};

#[component]
pub(crate) fn PromptChanges() -> impl IntoView {
    let workspace = Workspace::here();
    let tab =
        tab_answer(|_| TabRequest::PromptChanges { page: PageRequest { start: Some(0), length: PAGE } });
    move || tab.get().map(|tab| changes(workspace, &tab))
}

fn changes(workspace: Workspace, tab: &TabAnswer) -> AnyView {
    let facts: PromptFacts = tab.facts();
    let Some(previous) = facts.previous.clone() else {
        return view! { <p class="muted">{text::prompt_first()}</p> }.into_any();
    };
    let summary = if facts.is_recorded { counts(&facts) } else { text::prompt_unrecorded().to_owned() };
    let label = fill(text::prompt_previous(), &[("step", &previous)]);
    let select = move |_| {
        if let Some(at) = workspace.steps.with_untracked(|steps| steps.at_path(&previous)) {
            workspace.select(at);
        }
    };
    let settings = (!facts.settings.is_empty()).then(|| {
        view! {
            <h5>{text::config()}</h5>
            <Paged
                items=facts.settings
                class="changes"
                label=text::config()
                render=|change| view! { <Row change /> }
            />
        }
    });
    let list = (tab.count() > 0).then(|| tab.pages("messages", text::prompt_changes().to_owned(), message));
    view! {
        <p class="prompt-counts">
            {summary}
            " "
            <button type="button" class="link-button" on:click=select>{label}</button>
        </p>
        {settings}
        {list}
    }
    .into_any()
}

/// How many messages differ, in one line.
fn counts(facts: &PromptFacts) -> String {
    let PromptFacts { added, removed, changed, moved, same, .. } = *facts;
    let mut out = Vec::new();
    if added > 0 {
        out.push(count(text::prompt_added_one(), text::prompt_added_many(), added));
    }
    for (n, form) in [
        (removed, text::prompt_removed()),
        (changed, text::prompt_changed()),
        (moved, text::prompt_moved()),
        (same, text::prompt_same()),
    ] {
        if n > 0 {
            out.push(fill(form, &[("n", &group(n))]));
        }
    }
    out.join(" · ")
}

fn message(change: PromptChange) -> AnyView {
    let PromptChange { kind, id, role, content, tool_calls, parts } = change;
    let (sign, word, mark, class) = match kind {
        PromptChangeKind::Added => ("+ ", text::added(), "mark-new", ""),
        PromptChangeKind::Removed => ("− ", text::removed(), "mark-hidden", "message-hidden"),
        PromptChangeKind::Changed => ("~ ", text::changed(), "mark-changed", "message-transformed"),
        PromptChangeKind::Moved => ("~ ", text::moved(), "mark-changed", ""),
    };
    let class = class_of(&role, class);
    let id = id.as_deref().unwrap_or(text::not_stored()).to_owned();
    let body = match kind {
        PromptChangeKind::Changed => difference(&parts, content.as_deref()),
        _ => view! { <MessageBody content calls=tool_calls about=None /> }.into_any(),
    };
    view! {
        <li class=class>
            <MessageHead role=role.to_string() id>
                <span class="message-marks"><span class=mark>{sign} {word}</span></span>
            </MessageHead>
            {body}
        </li>
    }
    .into_any()
}
