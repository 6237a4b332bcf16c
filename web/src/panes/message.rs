//! A message as a card: role, text, calls.

use std::sync::Arc;

use leptos::prelude::*;
use serde_json::Value;
use transcript_core::model::Text;
use transcript_core::wire::ToolCall;

use super::assert_menu::Assertable;
use super::labels;
use crate::state::{AssertionTarget, data_of};
use crate::strings::text;
use crate::ui::{Icon, JsonTree, LongText, icons};

/// The head of a message: icon and word of its role, then its id and what else there is to say.
#[component]
pub(crate) fn MessageHead(
    #[prop(into)] role: String,
    #[prop(into)] id: String,
    children: Children,
) -> impl IntoView {
    let look = labels::role_label(&role);
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

/// The colors of a message.
pub(crate) fn class_of(role: &str, more: &str) -> String {
    format!("message {} {more}", labels::role_label(role).class)
}

/// The text of a message and the tools it calls; `about` names the message of the document's own run.
#[component]
pub(crate) fn MessageBody(
    content: Option<Text>,
    calls: Arc<[ToolCall]>,
    about: Option<AssertionTarget>,
) -> impl IntoView {
    let content = content.filter(|content| !content.is_empty());
    let own = about.is_some();
    let empty = content.is_none() && calls.is_empty();
    view! {
        {content.map(|content| message_text(content.to_string(), about))}
        {empty.then(|| view! { <p class="muted">{text::no_text()}</p> })}
        <Calls calls=calls.to_vec() own />
    }
}

/// A text to make assertions about.
pub(crate) fn message_text(content: String, about: Option<AssertionTarget>) -> AnyView {
    let value = if about.is_some() { data_of(&content) } else { Value::Null };
    view! {
        <Assertable about value>
            <LongText content />
        </Assertable>
    }
    .into_any()
}

/// Tool calls with their arguments; `own` says that they are of the document's own run.
#[component]
pub(crate) fn Calls(calls: Vec<ToolCall>, own: bool) -> impl IntoView {
    calls
        .into_iter()
        .map(|call| {
            let about = own.then(|| AssertionTarget::Arguments(call.name.clone()));
            view! {
                <div class="call">
                    <div class="call-head">
                        <Icon path=icons::TOOL />
                        <b>{call.name}</b>
                        <code>{call.id}</code>
                    </div>
                    <Assertable about value=call.arguments.clone()>
                        <JsonTree value=call.arguments level=1 />
                    </Assertable>
                </div>
            }
        })
        .collect_view()
}
