//! What all protocols have in common: contents, keys that are left, arguments.

use serde_json::{Map, Value};

/// Content as a store has it: parts that are all text and say no more are one text.
pub(super) fn content(content: Option<&Value>, texts: &[&str]) -> Value {
    match content {
        None | Some(Value::Null) => Value::from(""),
        Some(Value::Array(parts)) if parts.iter().all(|part| text_of(part, texts).is_some()) => {
            parts.iter().filter_map(|part| text_of(part, texts)).collect::<String>().into()
        }
        Some(other) => other.clone(),
    }
}

/// The parts of content that say more than the text or the result that is read of them, such as where a cache ends.
pub(in crate::import) fn more(content: Option<&Value>) -> Option<Value> {
    let known = ["type", "text", "tool_use_id", "content", "is_error"];
    let parts = content.and_then(Value::as_array).into_iter().flatten();
    let is_read = |part: &&Value| {
        let kind = part.get("type").and_then(Value::as_str).unwrap_or_default();
        matches!(kind, "text" | "tool_result" | "input_text")
    };
    let more: Value =
        parts.filter(is_read).filter(|part| !others(part, &known).is_empty()).cloned().collect();
    more.as_array().is_some_and(|parts| !parts.is_empty()).then_some(more)
}

/// The text of a part that is one.
pub(super) fn text_of<'v>(part: &'v Value, kinds: &[&str]) -> Option<&'v str> {
    if let Value::String(text) = part {
        return Some(text);
    }
    let kind = part.get("type")?.as_str()?;
    kinds.contains(&kind).then(|| part.get("text")?.as_str())?
}

/// The text under a key.
pub(super) fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(Value::as_str).map(str::to_owned)
}

/// The items of the list under a key.
pub(super) fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// What a map says besides some keys; what is null or an empty list says nothing.
pub(super) fn others(value: &Value, but: &[&str]) -> Map<String, Value> {
    let entries = value.as_object().into_iter().flatten();
    let says = |value: &Value| !value.is_null() && value.as_array().is_none_or(|items| !items.is_empty());
    entries
        .filter(|(key, value)| !but.contains(&key.as_str()) && says(value))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// Moves what is under one key to another, unless something is there.
pub(super) fn rename(map: &mut Map<String, Value>, from: &str, to: &str) {
    if !map.contains_key(to)
        && let Some(value) = map.shift_remove(from)
    {
        map.insert(to.to_owned(), value);
    }
}

/// Takes the schema of an answer out of where a protocol has it; what else stands there stays.
pub(super) fn schema(config: &mut Map<String, Value>, key: &str, path: &[&str]) {
    let place = config.get(key).map(|value| path.iter().try_fold(value, |value, key| value.get(key)));
    if let Some(Some(schema)) = place
        && !config.contains_key("response_schema")
    {
        let schema = schema.clone();
        config.insert("response_schema".to_owned(), schema);
    }
}

/// Adds a piece of text to the text under a key.
pub(super) fn append(map: &mut Map<String, Value>, key: &str, piece: &str) {
    match map.get_mut(key) {
        Some(Value::String(text)) => text.push_str(piece),
        _ => drop(map.insert(key.to_owned(), piece.into())),
    }
}

/// The map at a place of a list, which grows up to it; `None` beyond what a stream may have.
pub(super) fn slot(items: &mut Vec<Value>, at: u64) -> Option<&mut Map<String, Value>> {
    let at = usize::try_from(at).ok().filter(|at| *at < MOST)?;
    if items.len() <= at {
        items.resize(at + 1, Value::Object(Map::new()));
    }
    items.get_mut(at)?.as_object_mut()
}

/// The most parts of one answer: an index beyond it is hostile or broken.
const MOST: usize = 1 << 16;
