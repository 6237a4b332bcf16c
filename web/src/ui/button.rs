//! A button that shows only an icon, with its name for readers and on hover.

use leptos::prelude::*;

use super::icon::Icon;

#[component]
pub(crate) fn IconButton(
    icon: &'static str,
    #[prop(into)] label: Signal<String>,
    #[prop(into, optional)] disabled: Signal<bool>,
    press: impl Fn() + 'static,
) -> impl IntoView {
    icon_button(icon, label, disabled, Box::new(press))
}

/// The code of the button is in the page once, whatever it does.
fn icon_button(
    icon: &'static str,
    label: Signal<String>,
    disabled: Signal<bool>,
    press: Box<dyn Fn()>,
) -> impl IntoView {
    view! {
        <button
            type="button"
            class="icon-button"
            title=move || label.get()
            aria-label=move || label.get()
            disabled=move || disabled.get()
            on:click=move |_| press()
        >
            <Icon path=icon />
        </button>
    }
}
