//! A button that shows only an icon and tells its name to readers and on hover.

use leptos::prelude::*;

use super::icon::Icon;

#[component]
pub(crate) fn IconButton(
    icon: &'static str,
    #[prop(into)] label: Signal<String>,
    #[prop(into, optional)] disabled: Signal<bool>,
    press: impl Fn() + 'static,
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
