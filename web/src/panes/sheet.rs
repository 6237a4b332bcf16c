//! The shortcut sheet.

use leptos::prelude::*;

use super::language::Languages;
use crate::state::Workspace;
use crate::strings::text;
use crate::ui::Dialog;

#[component]
pub(crate) fn Sheet() -> impl IntoView {
    let workspace = Workspace::here();
    let rows = text::sheet_rows().map(|(keys, action)| {
        let keys = keys.split(' ').map(|key| view! { <kbd>{key}</kbd> " " }).collect_view();
        view! {
            <dt>{keys}</dt>
            <dd>{action}</dd>
        }
    });
    view! {
        <Dialog title=text::sheet() open=workspace.sheet close=move || workspace.sheet.set(false)>
            <p class="muted">{text::sheet_hint()}</p>
            <dl class="sheet">{rows.collect_view()}</dl>
            <Languages />
        </Dialog>
    }
}
