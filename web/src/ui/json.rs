//! Data as a tree; branches are made when they are opened.

use leptos::prelude::*;
use serde_json::Value;

use crate::io;
use crate::strings::{fill, group, text};

/// Children shown at first.
const FIRST: usize = 50;

/// A value in one line of at most `limit` characters.
pub(crate) fn one_line(value: &Value, limit: usize) -> String {
    let whole = value.to_string();
    if whole.chars().count() <= limit {
        return whole;
    }
    let mut start: String = whole.chars().take(limit.saturating_sub(1)).collect();
    start.push('…');
    start
}

/// The children of an object or list, each with its name, and `data-path` with its place as a JSON pointer below `path`.
#[component]
pub(crate) fn JsonTree(
    value: Value,
    #[prop(optional)] level: usize,
    #[prop(optional, into)] path: String,
) -> impl IntoView {
    let children: Vec<(String, Value)> = match value {
        Value::Object(map) => map.into_iter().collect(),
        Value::Array(list) => list.into_iter().enumerate().map(|(at, item)| (at.to_string(), item)).collect(),
        scalar => return view! { <span class=class_of(&scalar)>{scalar.to_string()}</span> }.into_any(),
    };
    let count = children.len();
    let shown = RwSignal::new(FIRST);
    let rows = move || {
        let rows = children.iter().take(shown.get()).cloned();
        let row = |(name, value): (String, Value)| {
            let place = format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"));
            let path = place.clone();
            view! { <li data-path=place><Branch name value level path /></li> }
        };
        rows.map(row).collect_view()
    };
    let more = move || fill(text::show_more(), &[("n", &group(count.saturating_sub(shown.get())))]);
    view! {
        <ul class="json">{rows}</ul>
        <Show when=move || shown.get() < count>
            <button type="button" class="link-button" on:click=move |_| shown.update(|shown| *shown += FIRST * 4)>
                {more}
            </button>
        </Show>
    }
    .into_any()
}

#[component]
fn Branch(name: String, value: Value, level: usize, path: String) -> impl IntoView {
    let empty = match &value {
        Value::Object(map) => map.is_empty(),
        Value::Array(list) => list.is_empty(),
        _ => true,
    };
    let class = class_of(&value);
    if empty {
        let line = value.to_string();
        return view! {
            <span class="json-key">{name}</span>
            ": "
            <span class=class>{line}</span>
        }
        .into_any();
    }
    let open = RwSignal::new(level < 1);
    let summary = one_line(&value, 60);
    let kept = StoredValue::new(value);
    view! {
        <details open=move || open.get() on:toggle=move |event| open.set(io::page::is_open(&event))>
            <summary>
                <span class="json-key">{name}</span>
                ": "
                <span class="json-summary">{move || (!open.get()).then(|| summary.clone())}</span>
            </summary>
            {move || open.get().then(|| view! { <JsonTree value=kept.get_value() level=level + 1 path=path.clone() /> })}
        </details>
    }
    .into_any()
}

fn class_of(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "json-string",
        Value::Number(_) => "json-number",
        Value::Null | Value::Bool(_) => "json-word",
        _ => "json-summary",
    }
}
