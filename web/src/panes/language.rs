//! The choice of a language.

use leptos::prelude::*;

use crate::state::Settings;
use crate::strings::{Language, text};

/// The languages by their own names. Choosing one reloads the page.
#[component]
pub(super) fn Languages() -> impl IntoView {
    let settings: Settings = expect_context();
    let choice = move |(language, name): (Language, &'static str)| {
        let pressed = if language == Language::in_use() { "true" } else { "false" };
        view! {
            <button type="button" lang=language.word() aria-pressed=pressed on:click=move |_| settings.choose_language(language)>
                {name}
            </button>
        }
    };
    view! {
        <div class="languages">
            <span aria-hidden="true">{text::language()}</span>
            <div class="choice" role="group" aria-label=text::language()>
                {Language::CHOICES.map(choice).into_iter().collect_view()}
            </div>
        </div>
    }
}
