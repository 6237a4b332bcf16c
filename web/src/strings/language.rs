//! The languages of the page, and which one is in use.

use std::sync::atomic::{AtomicU8, Ordering};

/// A language of the page. It is the same for as long as the page is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    English = 0,
    German = 1,
    /// English, longer and with accents, to see that every text is from the table and finds its place.
    Pseudo = 2,
}

static IN_USE: AtomicU8 = AtomicU8::new(Language::English as u8);

impl Language {
    /// Those that a person can choose, with their own names.
    pub(crate) const CHOICES: [(Language, &'static str); 2] =
        [(Language::English, "English"), (Language::German, "Deutsch")];

    /// The language of a word of the address or of the settings: `en`, `de`, `qps`.
    ///
    /// The script that runs before the first paint, `web/static/first.js`, knows the same words.
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        match word {
            "en" => Some(Language::English),
            "de" => Some(Language::German),
            "qps" => Some(Language::Pseudo),
            _ => None,
        }
    }

    /// The language of the page's `lang`; English, unless it is another one that is known.
    pub(crate) fn from_tag(tag: &str) -> Self {
        Self::from_word(tag.rsplit('-').next().unwrap_or_default()).unwrap_or(Language::English)
    }

    /// Its word in the address and the settings.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::German => "de",
            Language::Pseudo => "qps",
        }
    }

    /// The one that the palette offers in the place of this.
    pub(crate) fn other(self) -> Self {
        if self == Language::German { Language::English } else { Language::German }
    }

    /// The language that the page speaks.
    pub(crate) fn in_use() -> Self {
        match IN_USE.load(Ordering::Relaxed) {
            1 => Language::German,
            2 => Language::Pseudo,
            _ => Language::English,
        }
    }

    /// Has the page speak it, with the translation that it needs. Texts that are on screen stay as they are.
    pub(crate) fn speak(self, translation: Option<&str>) {
        let is_able = self != Language::German || translation.is_some_and(super::german::load);
        IN_USE.store(if is_able { self } else { Language::English } as u8, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tag_of_the_page_names_the_language() {
        assert_eq!(Language::from_tag("de"), Language::German);
        assert_eq!(Language::from_tag("en"), Language::English);
        assert_eq!(Language::from_tag("en-x-qps"), Language::Pseudo);
        assert_eq!(Language::from_tag("fr"), Language::English);
        assert_eq!(Language::from_tag(""), Language::English);
    }

    #[test]
    fn words_are_read_and_written_alike() {
        for language in [Language::English, Language::German, Language::Pseudo] {
            assert_eq!(Language::from_word(language.word()), Some(language));
        }
        assert_eq!(Language::from_word("x"), None);
    }
}
