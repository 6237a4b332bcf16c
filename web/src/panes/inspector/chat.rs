//! The tab Messages: the conversation at the step, calls and their results together.

use leptos::prelude::*;
use transcript_core::view::{ChatCall, ChatFacts, ChatMessage, PageRequest, TabRequest};

use super::flow::marks;
use super::sides::HiddenSwitch;
use super::tab_answer::{TabAnswer, tab_answer};
use crate::panes::labels;
use crate::panes::message::{MessageHead, class_of};
use crate::state::Workspace;
use crate::strings::{count, fill, group, text};
use crate::ui::{Icon, JsonTree, LongText, PAGE, icons};

#[component]
pub(crate) fn Chat() -> impl IntoView {
    let workspace = Workspace::here();
    let tab = tab_answer(|workspace| TabRequest::Chat {
        page: PageRequest { start: None, length: PAGE },
        without_hidden: workspace.inspector.without_hidden.get(),
    });
    let shown = move || tab.get().map(|tab| conversation(workspace, &tab));
    view! {
        <div class="look-tools">
            <HiddenSwitch />
            <span class="look-facts" role="status">{move || tab.with(|tab| tab.as_ref().map(facts))}</span>
        </div>
        {shown}
    }
}

fn facts(tab: &TabAnswer) -> String {
    let ChatFacts { messages, hidden, .. } = tab.facts();
    let messages = count(text::messages_one(), text::messages_many(), messages);
    let hidden = group(hidden);
    fill(text::chat_facts(), &[("messages", &messages), ("hidden", &hidden)])
}

fn conversation(workspace: Workspace, tab: &TabAnswer) -> AnyView {
    let ChatFacts { messages, unanswered, .. } = tab.facts();
    if messages == 0 {
        return view! { <p class="empty">{text::flow_empty()}</p> }.into_any();
    }
    let initial =
        workspace.detail.with_untracked(|detail| detail.as_ref().is_some_and(|d| d.row.kind == "initial"));
    let warning = (unanswered > 0).then(|| {
        let warning = count(text::unanswered_one(), text::unanswered_many(), unanswered);
        view! { <p class="severity-warning chat-warning"><Icon path=icons::WARNING />{warning}</p> }
    });
    view! {
        {warning}
        {tab.pages("messages chat", text::chat().to_owned(), move |value| message_card(workspace, value, initial))}
    }
    .into_any()
}

fn message_card(workspace: Workspace, value: ChatMessage, initial: bool) -> AnyView {
    let ChatMessage { message, is_orphan, calls } = value;
    let content = message.content.as_ref().filter(|content| !content.is_empty()).map(ToString::to_string);
    let empty = content.is_none() && calls.is_empty();
    let orphan = is_orphan.then(|| {
        view! { <span class="severity-warning mark-orphan"><Icon path=icons::WARNING />{text::result_of_no_call()}</span> }
    });
    let class = class_of(&message.role, if message.visible { "" } else { "message-hidden" });
    view! {
        <li class=class>
            <MessageHead role=message.role.to_string() id=message.id.to_string()>
                <span class="muted">{message.agent.clone()}</span>
                <span class="muted">{message.tool_name.clone()}</span>
                {orphan}
                {marks(&message, initial)}
            </MessageHead>
            {content.map(|content| view! { <LongText content /> })}
            {empty.then(|| view! { <p class="muted">{text::no_text()}</p> })}
            {calls.into_iter().map(|value| call(workspace, value)).collect_view()}
        </li>
    }
    .into_any()
}

/// A call with its outcome.
fn call(workspace: Workspace, value: ChatCall) -> AnyView {
    let ChatCall { call, result, is_hidden, failed, took, path, .. } = value;
    let (class, icon, verdict) = match (&result, failed, &path) {
        (Some(_), true, _) => ("severity-error", icons::ERROR, text::failed()),
        (Some(_), false, _) => ("severity-ok", icons::OK, text::call_done()),
        (None, _, Some(_)) => ("muted", icons::INFO, text::call_waits()),
        (None, _, None) => ("severity-warning", icons::WARNING, text::call_never()),
    };
    let took = took.map(labels::duration_text);
    let hidden = is_hidden.then(|| {
        view! { <span class="mark-hidden"><Icon path=icons::HIDDEN />{text::result_hidden()}</span> }
    });
    let go = path.map(|path| {
        let label = fill(text::result_at(), &[("step", &path)]);
        let select = move |_| {
            if let Some(at) = workspace.steps.with_untracked(|steps| steps.at_path(&path)) {
                workspace.select(at);
            }
        };
        view! { <button type="button" class="link-button" on:click=select>{label}</button> }
    });
    let shown = result.map(|content| view! { <h3>{text::result()}</h3> <LongText content /> });
    view! {
        <div class="call">
            <div class="call-head">
                <Icon path=icons::TOOL />
                <b>{call.name}</b>
                <code>{call.id}</code>
                {hidden}
                <span class=format!("tool-verdict {class}")>
                    <Icon path=icon />
                    {verdict}
                    {took.map(|took| view! { <span class="muted">{took}</span> })}
                </span>
            </div>
            <JsonTree value=call.arguments level=1 />
            {shown}
            {go}
        </div>
    }
    .into_any()
}
