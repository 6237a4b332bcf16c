//! Text of any length: the beginning at first, all of it on request. It is always a text node.

use leptos::prelude::*;

use crate::strings::{fill, group, text};

/// More characters than this are shown only on request.
const SHORT: usize = 2_000;

#[component]
pub(crate) fn LongText(#[prop(into)] content: String) -> impl IntoView {
    let whole = content.chars().count();
    if whole <= SHORT {
        return view! { <pre class="long-text">{content}</pre> }.into_any();
    }
    let open = RwSignal::new(false);
    let start: String = content.chars().take(SHORT).collect();
    let shown = move || if open.get() { content.clone() } else { format!("{start}…") };
    let label = move || match open.get() {
        true => text::show_less().to_owned(),
        false => fill(text::show_all(), &[("n", &group(whole))]),
    };
    view! {
        <pre class="long-text">{shown}</pre>
        <button type="button" class="link-button" on:click=move |_| open.update(|open| *open = !*open)>
            {label}
        </button>
    }
    .into_any()
}
