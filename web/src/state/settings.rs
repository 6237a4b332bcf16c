//! What a person chose for this browser.

use leptos::prelude::*;

use super::workspace::Workspace;
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
    /// The share of the window's width that the source has, unless it is the usual one.
    pub(crate) source: RwSignal<Option<f64>>,
    /// The same of the inspector.
    pub(crate) inspector: RwSignal<Option<f64>>,
}

impl Settings {
    pub(crate) fn load() -> Self {
        let theme = match io::settings::get("theme").as_deref() {
            Some("light") => Theme::Light,
            Some("dark") => Theme::Dark,
            _ => Theme::System,
        };
        let kept = |name: &str| RwSignal::new(io::settings::get(name).and_then(|share| share.parse().ok()));
        let settings =
            Self { theme: RwSignal::new(theme), source: kept("source"), inspector: kept("inspector") };
        let workspace = Workspace::here();
        let demanded = Memo::new(move |_| workspace.demanded_theme());
        Effect::new(move || match demanded.get() {
            Some(theme) => io::page::set_theme(&theme),
            None => io::page::set_theme(settings.theme.get().word()),
        });
        for (name, share) in [("source", settings.source), ("inspector", settings.inspector)] {
            Effect::new(move || {
                let share = share.get().map(|share| share.to_string());
                io::settings::set(name, &share.unwrap_or_default());
            });
        }
        settings
    }

    /// A width for the style sheet; none is its own.
    pub(crate) fn share(self, share: RwSignal<Option<f64>>) -> Option<String> {
        share.get().map(|share| format!("{}vw", share * 100.0))
    }

    pub(crate) fn toggle_theme(self) {
        // What a person chooses here counts more than what the address demands.
        Workspace::here().undemand_theme();
        self.theme.update(|theme| *theme = theme.next());
        io::settings::set("theme", self.theme.get_untracked().word());
    }
}
