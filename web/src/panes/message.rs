//! A message as a card: role, text, calls.

use std::sync::Arc;

use leptos::prelude::*;
use transcript_core::model::Text;
use transcript_core::view::ToolCallView;

use super::words;
use crate::strings::text;
use crate::ui::{Icon, JsonTree, LongText, icons};

/// The head of a message: icon and word of its role, then its id and what else there is to say.
#[component]
pub(crate) fn MessageHead(
    #[prop(into)] role: String,
    #[prop(into)] id: String,
    children: Children,
) -> impl IntoView {
    let look = words::of_role(&role);
    view! {
        <header class="message-head">
            <span class="message-role">
                <Icon path=look.icon />
                {look.word}
            </span>
            <code>{id}</code>
            {children()}
        </header>
    }
}

/// The colours of a message.
pub(crate) fn class_of(role: &str, more: &str) -> String {
    format!("message {} {more}", words::of_role(role).class)
}

/// The text of a message and the tools it calls.
#[component]
pub(crate) fn MessageBody(content: Option<Text>, calls: Arc<[ToolCallView]>) -> impl IntoView {
    let content = content.filter(|content| !content.is_empty());
    let empty = content.is_none() && calls.is_empty();
    view! {
        {content.map(|content| view! { <LongText content=content.to_string() /> })}
        {empty.then(|| view! { <p class="muted">{text::NO_TEXT}</p> })}
        <Calls calls=calls.to_vec() />
    }
}

/// Tool calls with their arguments.
#[component]
pub(crate) fn Calls(calls: Vec<ToolCallView>) -> impl IntoView {
    calls
        .into_iter()
        .map(|call| {
            view! {
                <div class="call">
                    <div class="call-head">
                        <Icon path=icons::TOOL />
                        <b>{call.name}</b>
                        <code>{call.id}</code>
                    </div>
                    <JsonTree value=call.arguments level=1 />
                </div>
            }
        })
        .collect_view()
}
