//! The table of texts in English. A translation stands in `de`, in a file of the same name, by the English.

/// Makes a function of each text, with what a test needs to look at them all.
macro_rules! texts {
    ($($(#[$note:meta])* $name:ident: $english:literal;)+) => {
        use crate::strings::say;

        $($(#[$note])* pub(crate) fn $name() -> &'static str {
            say($english)
        })+

        /// Every text of this file by its name.
        #[cfg(test)]
        pub(super) const ALL: &[(&str, &str)] = &[$((stringify!($name), $english)),+];
    };
}

mod agents;
mod compare;
mod handlers;
mod inspector;
mod keeping;
mod keys;
mod listed;
mod lists;
mod logs;
mod page;
mod problems;
mod runs;
mod share;
mod steps;
mod writing;

pub(crate) use agents::*;
pub(crate) use compare::*;
pub(crate) use handlers::*;
pub(crate) use inspector::*;
pub(crate) use keeping::*;
pub(crate) use lists::*;
pub(crate) use logs::*;
pub(crate) use page::*;
pub(crate) use problems::*;
pub(crate) use runs::*;
pub(crate) use share::*;
pub(crate) use steps::*;
pub(crate) use writing::*;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Map, Value};

    use super::*;

    macro_rules! files {
        ($($name:ident)+) => {
            [$((stringify!($name), $name::ALL, include_str!(concat!("de/", stringify!($name), ".json")))),+]
        };
    }

    /// A file: its name, its texts with their names, and their translations.
    type TextFile = (&'static str, Vec<(&'static str, &'static str)>, Map<String, Value>);

    fn files() -> Vec<TextFile> {
        let named = files!(
            agents compare handlers inspector keeping lists logs page problems runs share steps writing
        );
        let named = named.into_iter().map(|(file, texts, german)| (file, texts.to_vec(), german));
        let without = |texts: Vec<&'static str>| texts.into_iter().map(|text| ("", text)).collect();
        let listed = [
            ("keys", without(keys::all()), include_str!("de/keys.json")),
            ("listed", without(listed::all()), include_str!("de/listed.json")),
        ];
        let read = |german: &str| serde_json::from_str(german).unwrap();
        named.chain(listed).map(|(file, texts, german)| (file, texts, read(german))).collect()
    }

    /// Every English text with its German one.
    fn translated() -> Vec<(String, String)> {
        let pairs = files().into_iter().flat_map(|(.., german)| german);
        pairs.map(|(english, german)| (english, german.as_str().unwrap_or_default().to_owned())).collect()
    }

    /// What stands in braces, in order.
    fn places(text: &str) -> Vec<&str> {
        let mut places: Vec<_> = text.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect();
        places.sort_unstable();
        places
    }

    #[test]
    fn no_translation_is_missing_or_left_over() {
        for (file, texts, german) in files() {
            let english: BTreeSet<&str> = texts.iter().map(|(_, text)| *text).collect();
            let known: BTreeSet<&str> = german.keys().map(String::as_str).collect();
            let missing: Vec<_> = english.difference(&known).collect();
            let left_over: Vec<_> = known.difference(&english).collect();
            assert!(missing.is_empty(), "without a translation in de/{file}.json: {missing:?}");
            assert!(left_over.is_empty(), "translated in de/{file}.json, but used nowhere: {left_over:?}");
        }
    }

    #[test]
    fn no_text_is_empty() {
        for (english, german) in translated() {
            for text in [&english, &german] {
                assert!(!text.is_empty() && text.trim() == text, "{english:?}: {german:?}");
            }
        }
    }

    #[test]
    fn translations_have_the_same_places() {
        for (english, german) in translated() {
            assert_eq!(places(&english), places(&german), "{english}");
        }
    }

    #[test]
    fn a_text_of_several_files_has_one_translation() {
        let mut seen = std::collections::BTreeMap::new();
        for (english, german) in translated() {
            let before = seen.insert(english.clone(), german.clone());
            assert!(before.is_none_or(|before| before == german), "{english}");
        }
    }

    #[test]
    fn what_is_counted_has_a_text_for_one_and_for_many() {
        let names: Vec<&str> =
            files().into_iter().flat_map(|(_, texts, _)| texts).map(|(name, _)| name).collect();
        let mut pairs = 0;
        for name in &names {
            let other = match (name.strip_suffix("_one"), name.strip_suffix("_many")) {
                (Some(stem), _) => format!("{stem}_many"),
                (_, Some(stem)) => format!("{stem}_one"),
                _ => continue,
            };
            assert!(names.contains(&other.as_str()), "{name} without {other}");
            pairs += 1;
        }
        assert!(pairs > 20, "{pairs}");
    }

    #[test]
    fn keys_are_named_as_on_keyboards_of_the_language() {
        for (_, german) in translated() {
            for key in ["Ctrl", "Shift", "Backspace"] {
                assert!(!german.contains(key), "{german}");
            }
        }
    }
}
