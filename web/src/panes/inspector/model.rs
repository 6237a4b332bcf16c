//! Layer 3 of a model call: what the model was sent, and what it answered.

use leptos::prelude::*;
use serde_json::Value;
use transcript_core::model::Text;
use transcript_core::view::{LlmLayer, MessageFlow, MessageView, SentView, StepDetail};

use crate::panes::message::{Calls, MessageBody, MessageHead, class_of};
use crate::strings::{count, text};
use crate::ui::{Icon, JsonTree, LongText, Paged, icons};

/// The layer in one line, for its head.
pub(super) fn facts(detail: &StepDetail) -> String {
    match (&detail.llm, &detail.tool) {
        (Some(llm), _) => {
            let sent = llm.sent.as_ref().map(|sent| count(text::SENT_ONE, text::SENT_MANY, sent.len()));
            sent.unwrap_or_default()
        }
        (None, Some(tool)) => tool.name.clone(),
        (None, None) => String::new(),
    }
}

#[component]
pub(super) fn Model(llm: LlmLayer, flow: MessageFlow) -> impl IntoView {
    let LlmLayer { sent, withheld, config, content, tool_calls, reasoning, refusal, usage, error } = llm;
    let stored = StoredValue::new(flow.store);
    let sent = match sent {
        None => view! { <p class="muted">{text::SENT_UNKNOWN}</p> }.into_any(),
        Some(sent) => view! {
            <Paged
                items=sent
                class="messages"
                label=text::SENT
                render=move |sent| view! { <Sent sent stored /> }
            />
        }
        .into_any(),
    };
    let settings = (!config.is_empty()).then(|| {
        view! {
            <h4>{text::CONFIG}</h4>
            <JsonTree value=Value::Object(config) />
        }
    });
    let usage = usage.map(|usage| {
        view! {
            <h4>{text::USAGE}</h4>
            <JsonTree value=usage />
        }
    });
    let error = error.map(|error| {
        view! {
            <h4 class="severity-error"><Icon path=icons::ERROR />{text::CALL_FAILED}</h4>
            <JsonTree value=error />
        }
    });
    let said = |title: &'static str, content: Option<String>| {
        content.map(|content| {
            view! {
                <h4>{title}</h4>
                <LongText content />
            }
        })
    };
    let content = content.filter(|content| !content.is_empty());
    let silent = content.is_none() && tool_calls.is_empty() && error.is_none();
    view! {
        <h4>{text::SENT}</h4>
        {sent}
        <Withheld withheld stored />
        {error}
        {said(text::REASONING, reasoning)}
        <h4>{text::ANSWER}</h4>
        <div class="message role-assistant">
            {content.map(|content| view! { <LongText content /> })}
            {silent.then(|| view! { <p class="muted">{text::ANSWER_EMPTY}</p> })}
            <Calls calls=tool_calls />
        </div>
        {said(text::REFUSAL, refusal)}
        {usage}
        {settings}
    }
}

/// A message as the model saw it. One that the store holds unchanged is one line: its text is in layer 2.
#[component]
fn Sent(sent: SentView, stored: StoredValue<Vec<MessageView>>) -> impl IntoView {
    let id = sent.id.as_deref().unwrap_or(text::NOT_STORED).to_owned();
    let class = class_of(&sent.role, if sent.transformed { "message-transformed" } else { "" });
    let before = sent.transformed.then(|| {
        stored.with_value(|stored| {
            stored.iter().find(|message| Some(&message.id) == sent.id.as_ref())?.content.clone()
        })
    });
    let body = match before {
        None => view! { <MessageBody content=sent.content calls=sent.tool_calls /> }.into_any(),
        Some(before) => view! {
            <div class="both-texts">
                <h5>{text::IN_STORE}</h5>
                <div class="text-before"><LongText content=before.as_deref().unwrap_or_default() /></div>
                <h5>{text::AS_SENT}</h5>
                <div class="text-after"><MessageBody content=sent.content calls=sent.tool_calls /></div>
            </div>
        }
        .into_any(),
    };
    view! {
        <li class=class>
            <MessageHead role=sent.role id=id>
                <span class="message-marks">
                    {sent
                        .transformed
                        .then(|| view! { <span class="mark-changed">"~ " {text::TRANSFORMED}</span> })}
                </span>
            </MessageHead>
            {body}
        </li>
    }
}

/// What the store held and the model was not sent.
#[component]
fn Withheld(withheld: Vec<Text>, stored: StoredValue<Vec<MessageView>>) -> impl IntoView {
    let row = move |id: Text| {
        let found = stored.with_value(|stored| stored.iter().find(|message| message.id == id).cloned());
        let role = found.as_ref().map(|message| message.role.clone()).unwrap_or_default();
        let content = found.and_then(|message| message.content).as_deref().unwrap_or_default().to_owned();
        let class = class_of(&role, "message-hidden");
        view! {
            <li class=class>
                <MessageHead role id=&*id>
                    <span class="message-marks">
                        <span class="mark-hidden"><Icon path=icons::HIDDEN />{text::HIDDEN}</span>
                    </span>
                </MessageHead>
                <LongText content />
            </li>
        }
    };
    (!withheld.is_empty()).then(|| {
        view! {
            <h4>{text::WITHHELD}</h4>
            <Paged items=withheld class="messages" label=text::WITHHELD render=row />
        }
    })
}
