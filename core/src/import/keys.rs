//! The values of a map of a log, by key.

use serde_json::{Map, Value};

use crate::wire::is_blank;

/// The text under a key.
pub(super) fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}

/// The non-null entries of a map outside of `taken`.
pub(super) fn non_null_except(value: &Value, taken: &[&str]) -> Map<String, Value> {
    entries_where(value, &|key, value| !taken.contains(&key) && !value.is_null())
}

/// The entries of a map outside of `taken` that say something: no null, `false`, zero, empty list or empty map. Libraries write
/// such defaults with every entry.
pub(super) fn stated_except(value: &Value, taken: &[&str]) -> Map<String, Value> {
    entries_where(value, &|key, value| {
        let is_default = is_blank(value) || *value == Value::Bool(false) || value.as_f64() == Some(0.0);
        !taken.contains(&key) && !is_default
    })
}

/// The entries of a map that a test chooses.
pub(super) fn entries_where(value: &Value, is_chosen: &dyn Fn(&str, &Value) -> bool) -> Map<String, Value> {
    let entries = value.as_object().into_iter().flatten();
    let chosen = entries.filter(|(key, value)| is_chosen(key, value));
    chosen.map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// The items of the list under a key.
pub(super) fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Joins a further line to a text.
pub(super) fn add_line(text: &mut Option<String>, line: &str) {
    match text {
        Some(text) => *text = format!("{text}\n{line}"),
        None => *text = Some(line.to_owned()),
    }
}
