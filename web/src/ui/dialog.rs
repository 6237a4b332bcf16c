//! A native modal dialog that follows a signal.

use leptos::html;
use leptos::prelude::*;

use super::button::IconButton;
use super::icons;
use crate::strings::text;

#[component]
pub(crate) fn Dialog(
    #[prop(into)] title: Signal<String>,
    #[prop(into)] open: Signal<bool>,
    close: impl Fn() + Copy + 'static,
    children: Children,
) -> impl IntoView {
    let dialog: NodeRef<html::Dialog> = NodeRef::new();
    Effect::new(move || {
        let Some(dialog) = dialog.get() else { return };
        if open.get() && !dialog.open() {
            drop(dialog.show_modal());
        } else if !open.get() && dialog.open() {
            dialog.close();
        }
    });
    view! {
        // The browser closes the dialog on Escape by itself and says so afterwards.
        <dialog node_ref=dialog class="dialog" aria-label=move || title.get() on:close=move |_| close()>
            <header class="dialog-head">
                <h2>{move || title.get()}</h2>
                <IconButton icon=icons::CLOSE label=text::CLOSE press=close />
            </header>
            {children()}
        </dialog>
    }
}
