//! The step as data, made only when it is asked for.

use leptos::prelude::*;
use serde_json::Value;

use super::Bands;
use crate::io;
use crate::strings::text;
use crate::ui::LongText;

#[component]
pub(super) fn Raw(value: Value) -> impl IntoView {
    let open = expect_context::<Bands>().raw;
    let content = move || {
        open.get().then(|| {
            // A value without floats that JSON lacks can always be written.
            let content = serde_json::to_string_pretty(&value).unwrap_or_default();
            view! { <LongText content /> }
        })
    };
    view! {
        <details
            class="layer layer-raw"
            open=open.get_untracked()
            on:toggle=move |event| open.set(io::page::is_open(&event))
        >
            <summary>
                <h3>{text::RAW}</h3>
                <span class="layer-facts">{text::RAW_HINT}</span>
            </summary>
            <div class="layer-body">{content}</div>
        </details>
    }
}
