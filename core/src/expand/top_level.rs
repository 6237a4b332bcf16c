//! The top-level keys of a compact document, except `messages`.

use crate::text::Set;
use std::cell::OnceCell;

use serde_json::{Map, Value};

use crate::diagnostic::{Diagnostic, Severity, closest, codes, unknown_key};
use crate::model::{COMPACT, Field, VERSION};
use crate::parse::{Node, misfit, with_remedy};

/// Keys that the full form has at its top level too.
const CARRIED: [&str; 4] = ["handlers", "agents", "blobs", "nested"];

/// The keys of the full form, which would be lost here.
const FULL: [(&str, &str); 4] = [
    ("agent_config", "move `model`, `temperature`, `max_tokens` and `tools` to the top level"),
    ("initial_state", "move `context` to the top level, and the first messages to `messages`"),
    ("final_state", "move `assertions` to the top level"),
    ("metadata", "move `name`, `description`, `tags` and `author` to the top level"),
];

fn field(key: &str) -> Option<&'static Field> {
    COMPACT.fields().iter().find(|field| field.name == key)
}

/// Reports keys that do not belong here and values of the wrong kind.
pub(super) fn check(source: &str, root: &Node, found: &mut Vec<Diagnostic>) {
    let keys = OnceCell::new();
    let all = || root.entries().iter().map(|entry| &*entry.key.text).collect::<Set<&str>>();
    for entry in root.entries() {
        let key: &str = &entry.key.text;
        if let Some((_, help)) = FULL.iter().find(|(name, _)| *name == key) {
            let message = format!("`{key}` is a key of the full form, but this transcript is compact");
            found.push(
                Diagnostic::new(codes::UNKNOWN_KEY, Severity::Error, entry.key.span, message).help(*help),
            );
            continue;
        }
        let value = &entry.value;
        match field(key) {
            // Items have their own rules.
            Some(_) if key == "messages" => {}
            Some(field) => {
                if let Some(wanted) = misfit(value, field.shape) {
                    let message = format!("`{key}`: expected {wanted}, found {}", value.kind_name());
                    // Assertions that are none spoil themselves alone, not the run.
                    let code = if key == "assertions" { codes::ASSERTION_FIELDS } else { codes::WRONG_TYPE };
                    let diagnostic = Diagnostic::new(code, Severity::Error, value.span, message);
                    let place = format!("`{key}`");
                    found.push(with_remedy(diagnostic, source, value, field.shape, &place));
                }
            }
            None => {
                let names = COMPACT.fields().iter().map(|field| field.name);
                let meant = closest(key, names);
                let mut diagnostic = unknown_key(source, key, entry.key.span, meant, "a compact transcript");
                // A key cannot occur twice.
                if meant.is_some_and(|meant| keys.get_or_init(all).contains(meant)) {
                    diagnostic.fixes.clear();
                }
                found.push(diagnostic);
            }
        }
    }
    if let Some(version) = root.present("version").filter(|version| version.as_str() != Some(VERSION)) {
        let message = format!("the version is not `{VERSION}`");
        let help = format!("write `version: \"{VERSION}\"`, or remove it");
        found.push(Diagnostic::new(codes::VERSION, Severity::Error, version.span, message).help(help));
    }
}

/// The values of `keys` that are present and of the right kind.
pub(super) fn take(root: &Node, keys: &[&str]) -> Map<String, Value> {
    let fitting = |key: &&&str| {
        let shape = field(key).map(|field| field.shape);
        root.present(key).is_some_and(|value| shape.is_some_and(|shape| misfit(value, shape).is_none()))
    };
    let values =
        keys.iter().filter(fitting).filter_map(|key| Some(((*key).to_owned(), root.get(key)?.to_value())));
    values.collect()
}

/// The top-level keys of the full form and the author's own, which are written unchanged.
///
/// A value of the wrong kind was reported, and is kept.
pub(super) fn extra(root: &Node) -> Map<String, Value> {
    let is_extra = |key: &str| {
        let is_full = key == "execution" || FULL.iter().any(|(name, _)| *name == key);
        CARRIED.contains(&key) || !(field(key).is_some() || is_full)
    };
    let entries = root.entries().iter().filter(|entry| is_extra(&entry.key.text));
    entries.map(|entry| (entry.key.text.to_string(), entry.value.to_value())).collect()
}
