//! The shortcut sheet.

use leptos::prelude::*;

use super::language::Languages;
use super::lazy_panes::{self, LazyView};
use crate::io;
use crate::state::{Settings, Workspace};
use crate::strings::text;
use crate::ui::Dialog;

#[component]
pub(crate) fn Sheet() -> impl IntoView {
    let open = Workspace::here().sheet;
    Effect::new(move || {
        if open.get() {
            io::page::focus("sheet-search");
        }
    });
    view! {
        <Dialog title=text::sheet() open close=move || open.set(false)>
            <Show when=move || open.get()>
                <LazyView pane=lazy_panes::sheet() />
            </Show>
        </Dialog>
    }
}

#[component]
pub(super) fn Body() -> impl IntoView {
    let settings: Settings = expect_context();
    let typed = RwSignal::new(String::new());
    let rows = move || {
        let words: Vec<String> =
            typed.with(|typed| typed.split_whitespace().map(str::to_lowercase).collect());
        let fits = |(keys, action): &(&str, &str)| {
            let row = format!("{keys} {action}").to_lowercase();
            words.iter().all(|word| row.contains(word))
        };
        let rows: Vec<AnyView> = text::sheet_rows().filter(fits).map(row).collect();
        match rows.is_empty() {
            true => view! { <p class="muted" role="status">{text::palette_none()}</p> }.into_any(),
            false => view! { <dl class="sheet">{rows}</dl> }.into_any(),
        }
    };
    view! {
        <input
            type="text"
            id="sheet-search"
            class="palette-field"
            autocomplete="off"
            spellcheck="false"
            aria-label=text::sheet_search()
            placeholder=text::sheet_search()
            prop:value=move || typed.get()
            on:input=move |event| typed.set(event_target_value(&event))
        />
        <p class="muted">{text::sheet_hint()}</p>
        <label class="sheet-letters">
            <input
                type="checkbox"
                prop:checked=move || settings.letters.get()
                on:change=move |event| settings.use_letters(event_target_checked(&event))
            />
            {text::sheet_letters()}
        </label>
        {rows}
        <Languages />
    }
}

/// Keys and what they do.
fn row((keys, action): (&'static str, &'static str)) -> AnyView {
    let keys = keys.split(' ').map(|key| view! { <kbd>{key}</kbd> " " }).collect_view();
    view! {
        <dt>{keys}</dt>
        <dd>{action}</dd>
    }
    .into_any()
}
