//! What a person chose for this browser.

use leptos::prelude::*;

use crate::io;
use crate::strings::text;

/// The palette in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    fn word(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    pub(crate) fn label(self) -> &'static str {
        match self {
            Theme::System => text::THEME_SYSTEM,
            Theme::Light => text::THEME_LIGHT,
            Theme::Dark => text::THEME_DARK,
        }
    }

    fn next(self) -> Self {
        match self {
            Theme::System => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::System,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) theme: RwSignal<Theme>,
}

impl Settings {
    pub(crate) fn load() -> Self {
        let theme = match io::settings::get("theme").as_deref() {
            Some("light") => Theme::Light,
            Some("dark") => Theme::Dark,
            _ => Theme::System,
        };
        let settings = Self { theme: RwSignal::new(theme) };
        Effect::new(move || io::page::set_theme(settings.theme.get().word()));
        settings
    }

    pub(crate) fn toggle_theme(self) {
        self.theme.update(|theme| *theme = theme.next());
        io::settings::set("theme", self.theme.get_untracked().word());
    }
}
