//! A language for tests: English with every vowel twice, one of them with an accent, which makes it about
//! four tenths longer. A text that is not from the table shows itself, and so does one that has no room.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Every text so far, by its English. A text is made once, so that a page that is open for long does not grow.
static CACHE: Mutex<BTreeMap<&str, &str>> = Mutex::new(BTreeMap::new());

/// The pseudo-text of an English one.
pub(super) fn translate(english: &'static str) -> &'static str {
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    cache.entry(english).or_insert_with(|| Box::leak(longer(english).into_boxed_str()))
}

/// What stands in braces stays as it is.
fn longer(english: &str) -> String {
    let mut text = String::with_capacity(english.len() * 2);
    let mut in_braces = false;
    for letter in english.chars() {
        in_braces = letter == '{' || in_braces && letter != '}';
        text.push(letter);
        let accented = match letter.to_ascii_lowercase() {
            'a' => 'á',
            'e' => 'é',
            'i' => 'í',
            'o' => 'ó',
            'u' => 'ú',
            _ => continue,
        };
        if !in_braces {
            text.push(accented);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_longer_and_keeps_its_places() {
        assert_eq!(longer("Open {name} on line {n}"), "Oópeén {name} oón liíneé {n}");
        assert_eq!(translate("Tool"), "Toóoól");
        assert!(std::ptr::eq(translate("Tool"), translate("Tool")));
    }
}
