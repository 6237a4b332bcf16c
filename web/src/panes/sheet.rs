//! The shortcut sheet.

use leptos::prelude::*;

use crate::state::Workspace;
use crate::strings::text;
use crate::ui::Dialog;

#[component]
pub(crate) fn Sheet() -> impl IntoView {
    let workspace = Workspace::here();
    let rows = text::SHEET_ROWS.map(|(keys, action)| {
        let keys = keys.split(' ').map(|key| view! { <kbd>{key}</kbd> " " }).collect_view();
        view! {
            <dt>{keys}</dt>
            <dd>{action}</dd>
        }
    });
    view! {
        <Dialog title=text::SHEET open=workspace.sheet close=move || workspace.sheet.set(false)>
            <p class="muted">{text::SHEET_HINT}</p>
            <dl class="sheet">{rows.into_iter().collect_view()}</dl>
        </Dialog>
    }
}
