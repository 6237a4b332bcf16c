//! The tab LLM: what the store held against what the model was sent.

use leptos::prelude::*;
use transcript_core::view::{
    ComparedPart, ComparedPartKind, PageRequest, SideFacts, SideMode, SideRow, SideState, TabRequest,
};

use super::fold::ChangesFold;
use super::model::{Answer, settings};
use super::tab_answer::{TabAnswer, tab_answer};
use crate::panes::message::{MessageBody, MessageHead, class_of};
use crate::state::Workspace;
use crate::strings::{count, fill, group, text};
use crate::ui::{Icon, LongText, PAGE, icons};

#[component]
pub(crate) fn Sides() -> impl IntoView {
    let workspace = Workspace::here();
    let tab = tab_answer(|workspace| TabRequest::Sides {
        page: PageRequest { start: None, length: PAGE },
        without_hidden: workspace.inspector.without_hidden.get(),
    });
    let sides = move || tab.get().map(|tab| both(workspace, &tab));
    let answer = move || {
        let llm = workspace.detail.with(|detail| detail.as_ref().and_then(|detail| detail.llm.clone()));
        llm.map(|llm| {
            let config = settings(llm.config.clone());
            view! {
                <Answer llm target=None echo=None />
                {config}
            }
        })
    };
    let changes = move || {
        let sent = workspace.detail.with(|detail| Some(detail.as_ref()?.llm.as_ref()?.sent.as_ref()?.count));
        sent.map(|count| view! { <ChangesFold count /> })
    };
    view! {
        <h3 class="visually-hidden">{text::layer_llm()}</h3>
        {changes}
        {sides}
        <div class="sides-answer">{answer}</div>
    }
}

/// The switch that shows or hides what the model cannot see.
#[component]
pub(super) fn HiddenSwitch() -> impl IntoView {
    let without = Workspace::here().inspector.without_hidden;
    view! {
        <button
            type="button"
            class="switch"
            title=text::show_hidden_long()
            aria-pressed=move || (!without.get()).to_string()
            on:click=move |_| without.update(|without| *without = !*without)
        >
            {move || view! { <Icon path=if without.get() { icons::HIDDEN } else { icons::VISIBLE } /> }}
            {text::show_hidden()}
        </button>
    }
}

fn both(workspace: Workspace, tab: &TabAnswer) -> AnyView {
    let answer: SideFacts = tab.facts();
    let mode = answer.mode;
    let facts = |messages: usize, length: usize| {
        let messages = count(text::messages_one(), text::messages_many(), messages);
        fill(text::side_facts(), &[("messages", &messages), ("n", &group(length))])
    };
    let mut sent = facts(answer.sent, answer.sent_length);
    if let Some(tokens) = answer.tokens {
        sent = fill(text::side_tokens(), &[("facts", &sent), ("n", &group(tokens as usize))]);
    }
    let note = match mode {
        SideMode::Sent => None,
        SideMode::Unrecorded => Some(text::sent_unknown()),
        SideMode::Visible => Some(text::no_model_call()),
    };
    let calls = (mode == SideMode::Visible).then(|| {
        view! {
            <span class="sides-calls">
                <button type="button" class="button" on:click=move |_| workspace.step_to(false, "llm_call")>
                    {text::previous_call()}
                </button>
                <button type="button" class="button" on:click=move |_| workspace.step_to(true, "llm_call")>
                    {text::next_call()}
                </button>
            </span>
        }
    });
    let right = if mode == SideMode::Sent { text::side_sent() } else { text::side_visible() };
    view! {
        <div class="look-tools">
            <HiddenSwitch />
            {calls}
        </div>
        {note.map(|note| view! { <p class="muted">{note}</p> })}
        <div class="sides-head">
            <p>
                <b>{text::side_store()}</b>
                <span>{facts(answer.store, answer.store_length)}</span>
            </p>
            <p>
                <b>{right}</b>
                <span>{sent}</span>
            </p>
        </div>
        {tab.pages("sides", text::sides().to_owned(), move |row| side(&row, right))}
    }
    .into_any()
}

/// One message in both columns.
fn side(row: &SideRow, right: &'static str) -> AnyView {
    let is_stored = row.state != SideState::Unstored;
    let ghost = matches!(row.state, SideState::Hidden | SideState::Withheld);
    let reason = match &row.since {
        _ if row.state == SideState::Withheld => text::withheld_here().to_owned(),
        Some(step) => fill(text::hidden_since(), &[("step", step)]),
        None => text::hidden_from_start().to_owned(),
    };
    let card = |class: &str, marks: AnyView, body: AnyView| {
        let class = class_of(&row.role, class);
        let tool = row.tool_name.clone();
        let id = row.id.as_deref().unwrap_or_default().to_owned();
        view! {
            <div class=class>
                <MessageHead role=row.role.to_string() id>
                    <span class="muted">{tool}</span>
                    <span class="message-marks">{marks}</span>
                </MessageHead>
                {body}
            </div>
        }
        .into_any()
    };
    let body = || {
        view! { <MessageBody content=row.content.clone() calls=row.tool_calls.clone() about=None /> }
            .into_any()
    };
    let nowhere = |word: &'static str, reason: String| {
        view! {
            <p class="side-none">
                <Icon path=icons::HIDDEN />
                <b>{word}</b>
                <span>{reason}</span>
            </p>
        }
        .into_any()
    };
    let hidden = || {
        let reason = reason.clone();
        view! { <span class="mark-hidden"><Icon path=icons::HIDDEN />{reason}</span> }.into_any()
    };
    let moved = row.moved.then(|| view! { <span class="mark-changed">{text::moved()}</span> });
    let left = match (is_stored, ghost) {
        (false, _) => nowhere(text::side_not_stored(), String::new()),
        (true, true) => card("message-hidden", hidden(), body()),
        (true, false) => card("", ().into_any(), body()),
    };
    let sent = match row.state {
        SideState::Changed => {
            let mark =
                view! { <span class="mark-changed">"~ " {text::transformed()}</span> {moved} }.into_any();
            card("message-transformed", mark, difference(&row.parts, row.sent.as_deref()))
        }
        _ if ghost => nowhere(text::side_missing(), reason),
        _ => card("", moved.into_any(), body()),
    };
    view! {
        <li class="side-row">
            <div class="side"><span class="side-name">{text::side_store()}</span>{left}</div>
            <div class="side"><span class="side-name">{right}</span>{sent}</div>
        </li>
    }
    .into_any()
}

/// Where a text differs from another one; the whole text where there are too many differences.
pub(super) fn difference(parts: &[ComparedPart], whole: Option<&str>) -> AnyView {
    if parts.is_empty() {
        let content = whole.unwrap_or_default().to_owned();
        return view! { <LongText content /> }.into_any();
    }
    let piece = |part: &ComparedPart| {
        let piece = part.text.clone();
        match part.kind {
            ComparedPartKind::Removed => view! { <del>{piece}</del> }.into_any(),
            ComparedPartKind::Added => view! { <ins>{piece}</ins> }.into_any(),
            ComparedPartKind::Same => piece.into_any(),
            ComparedPartKind::Omitted => {
                let omitted = fill(text::equal_characters(), &[("n", &group(part.omitted))]);
                view! { <span class="parts-gap">{omitted}</span> }.into_any()
            }
        }
    };
    view! { <pre class="long-text parts">{parts.iter().map(piece).collect_view()}</pre> }.into_any()
}
