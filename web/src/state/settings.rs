//! What a person chose for this browser.

use leptos::prelude::*;

use super::workspace::{SaveState, Workspace};
use crate::io;
use crate::strings::{Language, text};
use crate::tenths::Tenths;

/// A kept share of the window is a whole number of these parts.
const PARTS: f64 = 10_000.0;

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
            Theme::System => text::theme_system(),
            Theme::Light => text::theme_light(),
            Theme::Dark => text::theme_dark(),
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
    /// The share of the window's height that the pane of problems has, unless it is the usual one.
    pub(crate) dock: RwSignal<Option<f64>>,
    /// Whether single letters, digits and signs are commands outside of text fields.
    pub(crate) letters: RwSignal<bool>,
    /// Whether to reload the page, in another language.
    turning: RwSignal<bool>,
}

impl Settings {
    pub(crate) fn load() -> Self {
        let theme = match io::settings::get("theme").as_deref() {
            Some("light") => Theme::Light,
            Some("dark") => Theme::Dark,
            _ => Theme::System,
        };
        let kept = |name: &str| {
            let kept = io::settings::get(name).and_then(|kept| kept.parse::<u32>().ok());
            let share = kept.map(|kept| f64::from(kept) / PARTS);
            RwSignal::new(share.filter(|share| (0.1..1.0).contains(share)))
        };
        let settings = Self {
            theme: RwSignal::new(theme),
            source: kept("source"),
            inspector: kept("inspector"),
            dock: kept("dock"),
            letters: RwSignal::new(io::settings::get("letters").as_deref() != Some("no")),
            turning: RwSignal::new(false),
        };
        let workspace = Workspace::here();
        let demanded = Memo::new(move |_| workspace.demanded_theme());
        Effect::new(move || match demanded.get() {
            Some(theme) => io::page::set_theme(&theme),
            None => io::page::set_theme(settings.theme.get().word()),
        });
        let shares =
            [("source", settings.source), ("inspector", settings.inspector), ("dock", settings.dock)];
        for (name, share) in shares {
            Effect::new(move || {
                let share = share.get().map(|share| ((share * PARTS).round() as u32).to_string());
                io::settings::set(name, &share.unwrap_or_default());
            });
        }
        let demanded = Memo::new(move |_| workspace.demanded_language());
        Effect::new(move |before: Option<()>| {
            let other = demanded.get().is_some_and(|language| language != Language::in_use());
            // The script before the first paint has seen what the page came with, and may have read it otherwise.
            if other && before.is_some() {
                settings.turn();
            }
        });
        Effect::new(move || {
            if settings.turning.get() && workspace.saved.with(|saved| *saved != SaveState::Saving) {
                io::page::reload();
            }
        });
        settings
    }

    /// Reloads the page in the chosen language, once the typed text is kept.
    fn turn(self) {
        Workspace::here().settle();
        self.turning.set(true);
    }

    /// Switches the page to another language.
    pub(crate) fn choose_language(self, language: Language) {
        if language != Language::in_use() {
            io::settings::set("language", language.word());
            Workspace::here().undemand("lang");
            self.turn();
        }
    }

    /// A length for the style sheet, in hundredths of the window (`vw`, `vh`); none is its own.
    pub(crate) fn share(self, share: RwSignal<Option<f64>>, unit: &str) -> Option<String> {
        share.get().map(|share| format!("{}{unit}", Tenths(share * 100.0)))
    }

    /// Has single letters be commands, or not, from now on.
    pub(crate) fn use_letters(self, used: bool) {
        self.letters.set(used);
        io::settings::set("letters", if used { "yes" } else { "no" });
    }

    pub(crate) fn toggle_theme(self) {
        // What a person chooses here overrides the address.
        Workspace::here().undemand("theme");
        self.theme.update(|theme| *theme = theme.next());
        io::settings::set("theme", self.theme.get_untracked().word());
    }
}
