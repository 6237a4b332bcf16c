//! Layer 3 of a model call: the answer and the request.

use std::sync::Arc;

use leptos::prelude::*;
use serde_json::{Map, Value};
use transcript_core::view::{MessagePage, MessageView, PagedLlmLayer, SentAndStored, WithheldMessage};

use super::Bands;
use super::flow::{marks, messages};
use super::fold::{ChangesFold, FEW, Fold};
use crate::io::decode::decode;
use crate::panes::message::{self, Calls, MessageBody, MessageHead, class_of};
use crate::state::{AssertionTarget, StepDetail, StepPlace};
use crate::strings::{count, fill, group, text};
use crate::ui::{Icon, JsonTree, LongText, icons};

/// The layer in one line, for its head.
pub(super) fn facts(detail: &StepDetail) -> String {
    match (&detail.llm, &detail.tool) {
        (Some(llm), _) => {
            let sent = llm.sent.as_ref().map(|sent| count(text::sent_one(), text::sent_many(), sent.count));
            sent.unwrap_or_default()
        }
        (None, Some(tool)) => tool.name.clone(),
        (None, None) => String::new(),
    }
}

/// The answer, which the message `echo` says once more, and the request.
#[component]
pub(super) fn Model(
    llm: PagedLlmLayer,
    place: StepPlace,
    target: Option<AssertionTarget>,
    echo: Option<MessageView>,
) -> impl IntoView {
    let withheld = withheld_message(&place, llm.withheld.clone());
    let config = settings(llm.config.clone());
    let count = llm.sent.as_ref().map_or(0, |sent| sent.count);
    let sent = match llm.sent.clone() {
        None => view! { <p class="muted">{text::sent_unknown()}</p> }.into_any(),
        Some(sent) => {
            let whole = move || messages(&place, "sent", sent.clone(), text::sent(), Arc::new(sent_message));
            match count {
                ..=FEW => whole(),
                _ => {
                    let open = expect_context::<Bands>().sent;
                    let title = fill(text::every_message(), &[("n", &group(count))]);
                    view! { <Fold open body=Arc::new(whole)>{title}</Fold> }.into_any()
                }
            }
        }
    };
    view! {
        <Answer llm target echo />
        <ChangesFold count />
        <h4>{text::sent()}</h4>
        {sent}
        {withheld}
        {config}
    }
}

/// The settings of a call.
pub(super) fn settings(config: Map<String, Value>) -> Option<impl IntoView> {
    (!config.is_empty()).then(|| {
        view! {
            <h4>{text::config()}</h4>
            <JsonTree value=Value::Object(config) />
        }
    })
}

/// The answer of the model, and what it took.
#[component]
pub(super) fn Answer(
    llm: PagedLlmLayer,
    target: Option<AssertionTarget>,
    echo: Option<MessageView>,
) -> impl IntoView {
    let PagedLlmLayer { content, tool_calls, reasoning, refusal, usage, error, .. } = llm;
    let usage = usage.map(|usage| {
        view! {
            <h4>{text::usage()}</h4>
            <JsonTree value=usage />
        }
    });
    let error = error.map(|error| {
        view! {
            <h4 class="severity-error"><Icon path=icons::ERROR />{text::call_failed()}</h4>
            <JsonTree value=error />
        }
    });
    let refusal = refusal.map(|content| {
        view! {
            <h4>{text::refusal()}</h4>
            <LongText content />
        }
    });
    let content = content.filter(|content| !content.is_empty());
    let silent = content.is_none() && tool_calls.is_empty() && error.is_none();
    let reasoning = reasoning.map(|reasoning| {
        let open = expect_context::<Bands>().reasoning;
        let body = move || view! { <LongText content=reasoning.clone() /> }.into_any();
        view! { <Fold open body=Arc::new(body)><h4>{text::reasoning()}</h4></Fold> }
    });
    view! {
        {error}
        {reasoning}
        <h4>{text::answer()}</h4>
        <div class="message role-assistant">
            {echo.map(|echo| message_head(&echo))}
            {content.map(|content| message::message_text(content, target.clone()))}
            {silent.then(|| view! { <p class="muted">{text::answer_empty()}</p> })}
            <Calls calls=tool_calls own=target.is_some() />
        </div>
        {refusal}
        {usage}
    }
}

/// The head of a message with the text above or below it.
pub(super) fn message_head(message: &MessageView) -> AnyView {
    let marks = marks(message, false);
    view! { <MessageHead role=message.role.to_string() id=&*message.id>{marks}</MessageHead> }.into_any()
}

/// A message as the model saw it. One that the store holds unchanged is one line: its text is in layer 2.
fn sent_message(value: &Value) -> AnyView {
    let SentAndStored { sent, before } = decode(value);
    let id = sent.id.as_deref().unwrap_or(text::not_stored()).to_owned();
    let class = class_of(&sent.role, if sent.transformed { "message-transformed" } else { "" });
    let body = match before {
        None => view! { <MessageBody content=sent.content calls=sent.tool_calls about=None /> }.into_any(),
        Some(before) => view! {
            <div class="both-texts">
                <h5>{text::in_store()}</h5>
                <div class="text-before"><LongText content=before.to_string() /></div>
                <h5>{text::as_sent()}</h5>
                <div class="text-after"><MessageBody content=sent.content calls=sent.tool_calls about=None /></div>
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
                        .then(|| view! { <span class="mark-changed">"~ " {text::transformed()}</span> })}
                </span>
            </MessageHead>
            {body}
        </li>
    }
    .into_any()
}

/// What the store held and the model was not sent.
fn withheld_message(place: &StepPlace, part: MessagePage) -> Option<impl IntoView + use<>> {
    let row = |value: &Value| {
        let WithheldMessage { id, role, content } = decode(value);
        let class = class_of(&role, "message-hidden");
        view! {
            <li class=class>
                <MessageHead role id=&*id>
                    <span class="message-marks">
                        <span class="mark-hidden"><Icon path=icons::HIDDEN />{text::hidden()}</span>
                    </span>
                </MessageHead>
                <LongText content=content.unwrap_or_default().to_string() />
            </li>
        }
        .into_any()
    };
    (part.count > 0).then(|| {
        view! {
            <h4>{text::withheld()}</h4>
            {messages(place, "withheld", part, text::withheld(), Arc::new(row))}
        }
    })
}
