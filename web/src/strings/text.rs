//! The table of texts.
//!
//! Each is a function that gives the text in the language in use, one after the other in English and German.
//! A text that is the same in both stands there once, after `=`.

/// Makes a function of each text, with what a test needs to look at them all.
macro_rules! texts {
    (@ : $english:literal, $german:literal) => { Text::new($english, $german) };
    (@ = $both:literal) => { Text::new($both, $both) };
    ($($(#[$note:meta])* $name:ident $sign:tt $($text:literal),+;)+) => {
        use crate::strings::Text;

        $($(#[$note])* pub(crate) fn $name() -> &'static str {
            static TEXT: Text = texts!(@ $sign $($text),+);
            TEXT.get()
        })+

        /// Every text of this file by its name.
        #[cfg(test)]
        pub(super) const ALL: &[(&str, Text)] = &[$((stringify!($name), texts!(@ $sign $($text),+))),+];
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
    use super::*;
    use crate::strings::Text;

    fn named() -> impl Iterator<Item = &'static (&'static str, Text)> {
        let files = [
            agents::ALL,
            compare::ALL,
            handlers::ALL,
            inspector::ALL,
            keeping::ALL,
            lists::ALL,
            logs::ALL,
            page::ALL,
            problems::ALL,
            runs::ALL,
            share::ALL,
            steps::ALL,
            writing::ALL,
        ];
        files.into_iter().flatten()
    }

    /// What stands in braces, in order.
    fn places(text: &str) -> Vec<&str> {
        let mut places: Vec<_> = text.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect();
        places.sort_unstable();
        places
    }

    #[test]
    fn every_text_is_there_in_both_languages() {
        let listed = listed::all().into_iter().chain(keys::all());
        for text in named().map(|(_, text)| *text).chain(listed) {
            assert!(!text.english.trim().is_empty() && !text.german.trim().is_empty(), "{text:?}");
            assert_eq!(text.english.trim(), text.english, "{text:?}");
            assert_eq!(text.german.trim(), text.german, "{text:?}");
        }
    }

    #[test]
    fn both_languages_have_the_same_places() {
        for (name, text) in named() {
            assert_eq!(places(text.english), places(text.german), "{name}");
        }
    }

    #[test]
    fn what_is_counted_has_a_text_for_one_and_for_many() {
        let names: Vec<&str> = named().map(|(name, _)| *name).collect();
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
    fn keys_are_named_as_on_the_keyboards_of_the_language() {
        let listed = listed::all().into_iter().chain(keys::all());
        for Text { german, .. } in named().map(|(_, text)| *text).chain(listed) {
            for key in ["Ctrl", "Shift", "Backspace"] {
                assert!(!german.contains(key), "{german}");
            }
        }
    }
}
