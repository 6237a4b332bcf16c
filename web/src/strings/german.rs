//! The translation into German, which the page comes with where a person wants it.

use std::sync::OnceLock;

use serde_json::Value;

/// A map from English to German.
static TEXTS: OnceLock<Value> = OnceLock::new();

/// Takes the translation. Whether it is one.
pub(super) fn load(texts: &str) -> bool {
    let texts: Option<Value> = serde_json::from_str(texts).ok().filter(Value::is_object);
    texts.is_some_and(|texts| TEXTS.set(texts).is_ok())
}

/// The German of an English text; a text without one stays as it is.
pub(super) fn translate(english: &'static str) -> &'static str {
    let german = TEXTS.get().and_then(|texts| texts.get(english));
    german.and_then(Value::as_str).unwrap_or(english)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_translation_stays_english() {
        assert!(!load("[]"));
        assert!(!load("no json"));
        assert_eq!(translate("Close"), "Close");
        assert!(load(r#"{"Close": "Schließen"}"#));
        assert_eq!((translate("Close"), translate("Open")), ("Schließen", "Open"));
    }
}
