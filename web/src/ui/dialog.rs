//! A native modal dialog that follows a signal.

use std::rc::Rc;

use leptos::html;
use leptos::prelude::*;

use super::button::IconButton;
use super::icons;
use crate::strings::text;

#[component]
pub(crate) fn Dialog(
    #[prop(into)] title: Signal<String>,
    #[prop(into)] open: Signal<bool>,
    close: impl Fn() + 'static,
    children: Children,
) -> impl IntoView {
    dialog(title, open, Rc::new(close), children)
}

/// The code of the dialog is in the page once, whatever is in it.
fn dialog(
    title: Signal<String>,
    open: Signal<bool>,
    close: Rc<dyn Fn()>,
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
    // The browser closes the dialog on Escape by itself and reports it in a later task. By then
    // the dialog may be open again.
    let close_event = {
        let close = Rc::clone(&close);
        move |_| {
            if dialog.get_untracked().is_none_or(|dialog| !dialog.open()) {
                close();
            }
        }
    };
    view! {
        <dialog node_ref=dialog class="dialog" aria-label=move || title.get() on:close=close_event>
            <header class="dialog-head">
                <h2>{move || title.get()}</h2>
                <IconButton icon=icons::CLOSE label=text::close() press=move || close() />
            </header>
            {children()}
        </dialog>
    }
}
