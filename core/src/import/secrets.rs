//! Removes credentials from imported data: known secrets, values with the name of a credential, and
//! values in the form of a key.

use serde_json::{Map, Value};

use crate::secrets::{NAMES, Search, Secret, SecretKind, is_placeholder, normalize_name};
use crate::text::{Table, sort_by_key};

/// The replacement of a secret.
pub(super) const BLANK: &str = "[redacted]";
/// A shorter value is no secret, and may occur anywhere.
const SHORTEST: usize = 8;

/// More names of credentials. `token` is checked by [`is_token`]: a page of a list has one as well.
const MORE: [&str; 4] = ["apikeys", "credential", "credentials", "xauth"];

/// Whether a value under the name of a credential is one.
pub(super) fn looks_secret(value: &str) -> bool {
    value.len() >= SHORTEST && !is_placeholder(value) && !is_word(value)
}

/// Whether a value has only letters, such as `REDACTED` or `**REDACTED**`.
fn is_word(value: &str) -> bool {
    let value = value.strip_prefix("Bearer ").unwrap_or(value);
    value.chars().all(|letter| {
        letter.is_alphabetic() || matches!(letter, '*' | '<' | '>' | '_' | '-' | ' ' | '[' | ']')
    })
}

/// Secrets that are known, by their first bytes, so that many of them cost a text no more than few.
#[derive(Debug, Default)]
pub(super) struct KnownSecrets<'s> {
    /// Secrets by their head, the longest first.
    by_head: Table<&'s [u8], Vec<&'s str>>,
    /// Secrets shorter than a head.
    short: Vec<&'s str>,
}

impl<'s> KnownSecrets<'s> {
    pub(super) fn new(secrets: &'s [String]) -> Self {
        let mut all: Vec<&str> =
            secrets.iter().map(String::as_str).filter(|secret| !secret.is_empty()).collect();
        sort_by_key(&mut all, |secret| (usize::MAX - secret.len(), *secret));
        all.dedup();
        let mut out = Self::default();
        for secret in all {
            match secret.as_bytes().get(..SHORTEST) {
                Some(head) => out.by_head.entry(head).or_default().push(secret),
                None => out.short.push(secret),
            }
        }
        out
    }

    /// The same text without the secrets.
    pub(super) fn blanked_text(&self, text: String) -> String {
        let mut out = String::new();
        let mut from = 0;
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let of_head = rest.as_bytes().get(..SHORTEST).and_then(|head| self.by_head.get(head));
            let mut here = of_head.into_iter().flatten().chain(&self.short);
            match here.find(|secret| rest.starts_with(**secret)) {
                Some(secret) => {
                    out.push_str(text.get(from..at).unwrap_or_default());
                    out.push_str(BLANK);
                    at += secret.len();
                    from = at;
                }
                None => at += rest.chars().next().map_or(1, char::len_utf8),
            }
        }
        if from == 0 {
            return text;
        }
        out.push_str(text.get(from..).unwrap_or_default());
        out
    }

    /// The same data without the secrets.
    pub(super) fn blanked(&self, value: Value) -> Value {
        match value {
            Value::String(text) => self.blanked_text(text).into(),
            Value::Array(items) => items.into_iter().map(|item| self.blanked(item)).collect(),
            Value::Object(entries) => {
                let of = |(key, item)| (self.blanked_text(key), self.blanked(item));
                entries.into_iter().map(of).collect()
            }
            other => other,
        }
    }
}

/// The same data without possible secrets: nothing is known of a service that is no model.
pub(super) fn searched(value: Value, search: &Search) -> Value {
    match value {
        Value::String(text) => {
            let found = search.find(&text);
            cut(text, &found).into()
        }
        Value::Array(items) => items.into_iter().map(|item| searched(item, search)).collect(),
        Value::Object(entries) => {
            let of = |(key, item): (String, Value)| match item {
                Value::String(text) => {
                    let found = search.find_in_value(&key, &text);
                    let text = cut(text, &found);
                    (key, Value::String(text))
                }
                other => (key, searched(other, search)),
            };
            Value::Object(entries.into_iter().map(of).collect::<Map<String, Value>>())
        }
        other => other,
    }
}

/// The text with a mark at the places of its secrets.
fn cut(text: String, found: &[Secret]) -> String {
    let mut out = text;
    for secret in found.iter().rev() {
        if out.is_char_boundary(secret.start) && out.is_char_boundary(secret.end) {
            out.replace_range(secret.start..secret.end, BLANK);
        }
    }
    out
}

/// Removes secrets from a log without headers: keys and passwords, but not addresses of people, which its
/// messages may be about.
pub(super) struct Cleaner {
    search: Search,
    found: Vec<String>,
}

impl Cleaner {
    /// Knows the credentials in `values` by their names.
    pub(super) fn from_values<'v>(values: impl Iterator<Item = &'v Value>) -> Self {
        let kinds = SecretKind::DEFAULT.iter().copied().filter(|kind| *kind != SecretKind::Email);
        let search = Search { kinds: kinds.collect(), ..Search::default() };
        let mut found = Vec::new();
        for value in values {
            named(value, None, &mut found);
        }
        Self { search, found }
    }

    /// The same values without known secrets and keys by form, and whether any had one.
    pub(super) fn cleaned(&self, values: Vec<&mut Value>) -> Vec<bool> {
        let known = KnownSecrets::new(&self.found);
        let clean = |value: &mut Value| {
            let old = value.clone();
            *value = searched(known.blanked(std::mem::take(value)), &self.search);
            *value != old
        };
        values.into_iter().map(clean).collect()
    }
}

/// Collects the values under names of credentials; `name` is the one above.
fn named(value: &Value, name: Option<&str>, found: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            let Some(name) = name else { return };
            let schemes = ["bearer ", "basic ", "token "];
            let text = text.trim();
            let head = |scheme: &&str| {
                text.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme))
            };
            let own = schemes.iter().find(|scheme| head(scheme)).and_then(|scheme| text.get(scheme.len()..));
            let own = own.unwrap_or(text).trim();
            if looks_secret(own)
                && !own.contains(char::is_whitespace)
                && (is_name(name) || is_token(name, own))
            {
                found.push(own.to_owned());
            }
        }
        Value::Array(items) => items.iter().for_each(|item| named(item, name, found)),
        Value::Object(entries) => entries.iter().for_each(|(key, item)| named(item, Some(key), found)),
        _ => {}
    }
}

fn is_name(name: &str) -> bool {
    let name = normalize_name(name);
    NAMES.iter().map(|own| normalize_name(own)).any(|own| name.ends_with(&own))
        || MORE.iter().any(|own| name.ends_with(own))
}

/// Whether a value under a name such as `token` or `auth` is a key: it is long, and has letters and digits.
fn is_token(name: &str, value: &str) -> bool {
    let name = normalize_name(name);
    let is_of_page = ["page", "next", "continu", "cursor", "sync"].iter().any(|word| name.contains(word));
    let has = |is: fn(&u8) -> bool| value.as_bytes().iter().any(is);
    (name.ends_with("token") || name.ends_with("auth"))
        && !is_of_page
        && value.len() >= 16
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn known_secrets_are_taken_out_wherever_they_stand() {
        let secrets = ["q7Zr2mKd91xT".to_owned(), "q7Zr2mKd91xT-long".to_owned(), "short".to_owned()];
        let value = json!({"a": "é q7Zr2mKd91xT-long, q7Zr2mKd91xT.", "q7Zr2mKd91xT": ["shorter", 1]});
        let wanted = json!({"a": "é [redacted], [redacted].", "[redacted]": ["[redacted]er", 1]});
        assert_eq!(KnownSecrets::new(&secrets).blanked(value), wanted);
    }

    #[test]
    fn values_are_taken_out_by_their_names() {
        let mut value = json!({
            "password": "hunter2hunter2", "auth": ["Bearer k8Wq2mXz7Lr4Tb9N"], "next_page_token": "k2Wq8mXz7Lr4Tb9NcK",
            "max_tokens": 100, "prompt_cache_key": "acme-2024-09-orders", "api_key": "YOUR_KEY",
            "said": "it was hunter2hunter2", "tools": [{"name": "lookup"}], "email": "ada@acme.org",
        });
        let cleaner = Cleaner::from_values([&value].into_iter());
        let mut same = json!({"said": "Hello"});
        assert_eq!(cleaner.cleaned(vec![&mut value, &mut same]), [true, false]);
        let wanted = json!({
            "password": BLANK, "auth": ["Bearer [redacted]"], "next_page_token": "k2Wq8mXz7Lr4Tb9NcK",
            "max_tokens": 100, "prompt_cache_key": "acme-2024-09-orders", "api_key": "YOUR_KEY",
            "said": "it was [redacted]", "tools": [{"name": "lookup"}], "email": "ada@acme.org",
        });
        assert_eq!(value, wanted);
    }
}
