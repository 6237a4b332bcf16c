//! Layer 1: the agent's state and what the step did to it.

use leptos::prelude::*;
use serde_json::Value;
use transcript_core::view::{Change, ChangeKind, StateLayer as State};

use super::Layer;
use crate::panes::assert_menu::Assertable;
use crate::state::AssertionTarget;
use crate::strings::{count, text};
use crate::ui::{JsonTree, Paged, one_line};

/// Longer values are cut in the list of changes; the tree below has them whole.
const SHORT: usize = 120;

#[component]
pub(super) fn StateLayer(state: State, own: bool) -> impl IntoView {
    let facts = match state.changes.len() {
        0 => text::changes_none().to_owned(),
        n => count(text::changes_one(), text::changes_many(), n),
    };
    let keys = state.context.len();
    let context = match keys {
        0 => view! { <p class="muted">{text::context_empty()}</p> }.into_any(),
        _ => {
            let value = Value::Object(state.context);
            view! {
                <Assertable about=own.then_some(AssertionTarget::Context) value=value.clone()>
                    <JsonTree value />
                </Assertable>
            }
            .into_any()
        }
    };
    let changes = (!state.changes.is_empty()).then(|| {
        view! {
            <Paged
                items=state.changes
                class="changes"
                label=text::changes()
                render=|change| view! { <Row change /> }
            />
        }
    });
    view! {
        <Layer number=1 band=|bands| bands.state name=text::layer_state() facts>
            {changes}
            <h4>{text::context()} " " <small>{count(text::keys_one(), text::keys_many(), keys)}</small></h4>
            {context}
        </Layer>
    }
}

#[component]
pub(super) fn Row(change: Change) -> impl IntoView {
    let (sign, word, class) = match change.kind {
        ChangeKind::Added => ("+", text::added(), "change change-added"),
        ChangeKind::Changed => ("~", text::changed(), "change change-changed"),
        ChangeKind::Removed => ("−", text::removed(), "change change-removed"),
    };
    let value = |value: Option<Value>| value.map(|value| one_line(&value, SHORT));
    let both = change.before.is_some() && change.after.is_some();
    view! {
        <li class=class>
            <span class="change-sign" title=word aria-hidden="true">{sign}</span>
            <span class="visually-hidden">{word}</span>
            <span class="change-key">{change.key}</span>
            <span class="change-values">
                {value(change.before).map(|before| view! { <del>{before}</del> })}
                {both.then_some(" → ")}
                {value(change.after).map(|after| view! { <ins>{after}</ins> })}
            </span>
        </li>
    }
}
