//! Layer 2: what the step did to the message store, and every message of it, hidden ones as ghosts.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use leptos::prelude::*;
use serde_json::Value;
use transcript_core::view::{MessagePage, MessageView};

use super::fold::{FEW, Fold};
use super::{Bands, Layer};
use crate::io::decode::decode;
use crate::panes::message::{MessageBody, MessageHead, class_of};
use crate::state::{AssertionTarget, StepDetail, StepPlace};
use crate::strings::{fill, group, text};
use crate::ui::{Icon, PagedFar, icons};

#[component]
pub(super) fn Flow<'d>(detail: &'d StepDetail, initial: bool) -> impl IntoView + use<> {
    let facts = fill(
        text::flow_counts(),
        &[
            ("store", &group(detail.store.count)),
            ("visible", &group(detail.visible)),
            ("hidden", &group(detail.hidden)),
        ],
    );
    let own = detail.row.depth == 0;
    let card = Arc::new(move |value: &Value| {
        let message = decode(value);
        view! { <Card message initial own /> }.into_any()
    });
    let (place, store) = (detail.place.clone(), detail.store.clone());
    let whole = {
        let card = card.clone();
        move || messages(&place, "store", store.clone(), text::layer_flow(), card.clone())
    };
    let content = match detail.store.count {
        0 => view! { <p class="muted">{text::flow_empty()}</p> }.into_any(),
        count if count <= FEW || initial => whole(),
        count => {
            let open = expect_context::<Bands>().stored;
            let earlier = count - usize::from(detail.created_message().is_some());
            let title = move || match open.get() {
                true => fill(text::every_message(), &[("n", &group(count))]),
                false => fill(text::earlier_messages(), &[("n", &group(earlier))]),
            };
            let changed = detail.changed.clone();
            let changed = move || {
                let cards = changed.iter().map(|value| card(value)).collect_view();
                (!open.get())
                    .then(|| view! { <ul class="messages" aria-label=text::layer_flow()>{cards}</ul> })
            };
            view! {
                <Fold open body=Arc::new(whole)>{title}</Fold>
                {changed}
            }
            .into_any()
        }
    };
    view! {
        <Layer number=2 band=|bands| bands.flow name=text::layer_flow() facts>
            {content}
        </Layer>
    }
}

/// A list of messages in pages.
pub(super) fn messages(
    place: &StepPlace,
    what: &'static str,
    part: MessagePage,
    label: &'static str,
    render: Arc<dyn Fn(&Value) -> AnyView + Send + Sync>,
) -> AnyView {
    let place = place.clone();
    let ask = Arc::new(move |start| -> Pin<Box<dyn Future<Output = _>>> {
        Box::pin(place.clone().messages(what, start))
    });
    view! { <PagedFar count=part.count last=part.last class="messages" label ask render /> }.into_any()
}

/// What happened to a message: new, shown again, hidden since when.
pub(super) fn marks(message: &MessageView, initial: bool) -> AnyView {
    let hidden = (!message.visible).then(|| match &message.hidden_since {
        _ if message.visibility_changed_here => text::hidden_here().to_owned(),
        Some(step) => fill(text::hidden_since(), &[("step", step)]),
        None => text::hidden().to_owned(),
    });
    let shown = message.visible && message.visibility_changed_here && !message.created_here;
    // At the start every message is new, which would say nothing.
    let created = message.created_here && !initial;
    view! {
        <span class="message-marks">
            {created.then(|| view! { <span class="mark-new">"+ " {text::created_here()}</span> })}
            {shown.then(|| view! { <span class="mark-new"><Icon path=icons::VISIBLE />{text::shown_here()}</span> })}
            {hidden.map(|hidden| view! { <span class="mark-hidden"><Icon path=icons::HIDDEN />{hidden}</span> })}
        </span>
    }
    .into_any()
}

#[component]
pub(super) fn Card(message: MessageView, initial: bool, own: bool) -> impl IntoView {
    let class = match (message.visible, message.created_here && !initial) {
        (false, _) => "message-hidden",
        (true, true) => "message-new",
        (true, false) => "",
    };
    let class = class_of(&message.role, class);
    let about = own.then(|| AssertionTarget::Message(message.id.to_string()));
    let marks = marks(&message, initial);
    let answers = message.tool_call_id.as_ref().map(|id| fill(text::answers(), &[("id", id)]));
    view! {
        <li class=class>
            <MessageHead role=message.role id=&*message.id>
                <span class="muted">{message.agent}</span>
                <span class="muted">{message.tool_name}</span>
                <span class="muted">{answers}</span>
                {marks}
            </MessageHead>
            <MessageBody content=message.content calls=message.tool_calls about />
        </li>
    }
}
