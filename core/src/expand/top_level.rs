//! The keys of a compact document beside `messages`.

use serde_json::{Map, Value};

use crate::diagnostic::{Diagnostic, Severity, closest, codes, unknown_key};
use crate::model::VERSION;
use crate::parse::{Data, Node};

/// What a key must be, in the author's words.
type Kind = (fn(&Node) -> bool, &'static str);

const TEXT: Kind = (|node| node.as_str().is_some(), "a text");
const NUMBER: Kind = (|node| matches!(node.data, Data::Number(_)), "a number");
const INTEGER: Kind = (|node| node.as_i64().is_some(), "a whole number");
const LIST: Kind = (|node| matches!(node.data, Data::Seq(_)), "a list");
const MAP: Kind = (Node::is_map, "a map");
const ANY: Kind = (|_| true, "");

/// The keys with what they must be. `version` says that the document is of this version.
const KEYS: [(&str, Kind); 16] = [
    ("version", ANY),
    ("name", TEXT),
    ("description", TEXT),
    ("tags", LIST),
    ("author", TEXT),
    ("created", TEXT),
    ("model", TEXT),
    ("temperature", NUMBER),
    ("max_tokens", INTEGER),
    ("tools", LIST),
    ("context", MAP),
    ("handlers", MAP),
    ("agents", MAP),
    ("blobs", MAP),
    ("nested", MAP),
    ("assertions", LIST),
];

/// Those of them that the full form has at its top level too.
const CARRIED: [&str; 4] = ["handlers", "agents", "blobs", "nested"];

/// The keys of the full form, which would be lost here.
const FULL: [(&str, &str); 4] = [
    ("agent_config", "write `model`, `temperature`, `max_tokens` and `tools` at the top level"),
    (
        "initial_state",
        "write `context` at the top level, and the messages before the first answer in `messages`",
    ),
    ("final_state", "write `assertions` at the top level"),
    ("metadata", "write `name`, `description`, `tags` and `author` at the top level"),
];

/// Reports keys that do not belong here and values of the wrong kind.
pub(super) fn check(root: &Node, found: &mut Vec<Diagnostic>) {
    for entry in root.entries() {
        let key: &str = &entry.key.text;
        if key == "messages" {
            continue;
        }
        if let Some((_, help)) = FULL.iter().find(|(name, _)| *name == key) {
            let message = format!("`{key}` belongs to the full form, and this is a compact transcript");
            found.push(
                Diagnostic::new(codes::UNKNOWN_KEY, Severity::Error, entry.key.span, message).help(*help),
            );
            continue;
        }
        let value = &entry.value;
        match KEYS.iter().find(|(name, _)| *name == key) {
            Some((_, (fits, wanted))) if !value.is_null() && !fits(value) => {
                let message = format!("`{key}` is {}, not {wanted}", value.kind_name());
                found.push(Diagnostic::new(codes::WRONG_TYPE, Severity::Error, value.span, message));
            }
            Some(_) => {}
            None => {
                let names = KEYS.iter().map(|(name, _)| *name).chain(["messages"]);
                found.push(unknown_key(key, entry.key.span, closest(key, names), "a compact transcript"));
            }
        }
    }
    if let Some(version) = root.present("version").filter(|version| version.as_str() != Some(VERSION)) {
        let message = format!("the version of a compact transcript is not `{VERSION}`");
        let help = format!("write `version: \"{VERSION}\"`, or leave it out");
        found.push(Diagnostic::new(codes::VERSION, Severity::Error, version.span, message).help(help));
    }
}

/// The values of those of `keys` that are there and of the right kind.
pub(super) fn take(root: &Node, keys: &[&str]) -> Map<String, Value> {
    let fitting = |key: &&&str| {
        let fits = KEYS.iter().find(|(name, _)| *name == **key).map(|(_, (fits, _))| *fits);
        root.present(key).is_some_and(|value| fits.is_some_and(|fits| fits(value)))
    };
    let values =
        keys.iter().filter(fitting).filter_map(|key| Some(((*key).to_owned(), root.get(key)?.to_value())));
    values.collect()
}

/// The keys of the full form's top level and those of the author's own, which are written as they are.
///
/// A value of the wrong kind has been told, and is kept.
pub(super) fn extra(root: &Node) -> Map<String, Value> {
    let is_extra = |key: &str| {
        let is_known = key == "messages" || KEYS.iter().any(|(name, _)| *name == key);
        let is_full = key == "execution" || FULL.iter().any(|(name, _)| *name == key);
        CARRIED.contains(&key) || !(is_known || is_full)
    };
    let entries = root.entries().iter().filter(|entry| is_extra(&entry.key.text));
    entries.map(|entry| (entry.key.text.to_string(), entry.value.to_value())).collect()
}
