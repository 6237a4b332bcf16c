//! The shortcut sheet.

use leptos::prelude::*;

use super::apart::{self, Later};
use super::language::Languages;
use crate::state::Workspace;
use crate::strings::text;
use crate::ui::Dialog;

#[component]
pub(crate) fn Sheet() -> impl IntoView {
    let open = Workspace::here().sheet;
    view! {
        <Dialog title=text::sheet() open close=move || open.set(false)>
            <Show when=move || open.get()>
                <Later pane=apart::sheet() />
            </Show>
        </Dialog>
    }
}

#[component]
pub(super) fn Body() -> impl IntoView {
    let rows = text::sheet_rows().map(|(keys, action)| {
        let keys = keys.split(' ').map(|key| view! { <kbd>{key}</kbd> " " }).collect_view();
        view! {
            <dt>{keys}</dt>
            <dd>{action}</dd>
        }
    });
    view! {
        <p class="muted">{text::sheet_hint()}</p>
        <dl class="sheet">{rows.collect_view()}</dl>
        <Languages />
    }
}
