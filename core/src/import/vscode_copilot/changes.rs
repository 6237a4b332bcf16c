//! The log of changes of a chat: its first state, and then lists that grow and values that are set or deleted.

use serde_json::{Map, Value};

use super::super::keys::list;
use super::super::session::{self, Branch};
use super::super::values::Entry;
use crate::text::{JsonMap, Set, Span};
use crate::wire::is_blank;

/// The requests of a chat after all changes. Changes that cannot be made are entries of their own.
pub(super) fn apply(entries: Vec<Entry>) -> Branch {
    let kind = |entry: &Entry| entry.value.get("kind").and_then(Value::as_u64);
    if !entries.iter().any(|entry| kind(entry).is_some()) {
        return session::all(entries);
    }
    let mut state = Value::Object(Map::new());
    let mut branch = Branch::default();
    let mut begin = None;
    // Where each request was added.
    let mut places: Vec<(u32, Span)> = Vec::new();
    let mut applied = Vec::new();
    for mut entry in entries {
        let value = entry.value.as_object_mut().and_then(|map| map.shift_remove("v"));
        let is_made = match (kind(&entry), value.clone()) {
            (Some(0), Some(value @ Value::Object(_))) => {
                let before = std::mem::replace(&mut state, value);
                if !is_blank(&before) {
                    // A second first state, as in a damaged file: what was before is no part of the chat.
                    let (line, span) = places.last().copied().unwrap_or((entry.line, entry.span));
                    branch.others.push(Entry { line, span, value: before });
                    places.clear();
                }
                begin = Some((entry.line, entry.span));
                true
            }
            (Some(change @ 1..=3), value) => change_at(&mut state, change, value, &entry.value),
            _ => false,
        };
        if is_made {
            let count = list(&state, "requests").len();
            places.resize(count, (entry.line, entry.span));
            applied.push(entry.line);
        } else {
            if let Some(map) = entry.value.as_object_mut() {
                map.put_some("v", value);
            }
            branch.chosen.push(entry);
        }
    }
    let requests = state.as_object_mut().and_then(|map| map.shift_remove("requests"));
    let at = begin.or_else(|| places.first().copied());
    branch.chosen.extend(at.map(|(line, span)| Entry { line, span, value: state }));
    let Some(Value::Array(requests)) = requests else { return branch };
    let used: Set<u32> = places.iter().chain(&begin).map(|(line, _)| *line).collect();
    branch.repeated = applied.into_iter().filter(|line| !used.contains(line)).collect();
    let request = |((line, span), value): (&(u32, Span), Value)| Entry { line: *line, span: *span, value };
    branch.chosen.extend(places.iter().zip(requests).map(request));
    branch
}

/// Sets the value at a path (1), appends to the list there (2), or deletes the value (3).
fn change_at(state: &mut Value, change: u64, value: Option<Value>, entry: &Value) -> bool {
    let Some((last, path)) = list(entry, "k").split_last() else { return false };
    let mut at = state;
    for key in path {
        let Some(inner) = child(at, key) else { return false };
        at = inner;
    }
    if change == 2 {
        let Some(inner) = slot(at, last) else { return false };
        if inner.is_null() {
            *inner = Value::Array(Vec::new());
        }
        let Value::Array(items) = inner else { return false };
        if let Some(end) = entry.get("i").and_then(Value::as_u64).and_then(|end| usize::try_from(end).ok()) {
            items.truncate(end);
        }
        if let Some(Value::Array(new)) = value {
            items.extend(new);
        }
        return true;
    }
    let Some(inner) = slot(at, last) else { return false };
    *inner = value.unwrap_or_default();
    true
}

fn child<'v>(value: &'v mut Value, key: &Value) -> Option<&'v mut Value> {
    match key {
        Value::String(key) => value.get_mut(key.as_str()),
        _ => value.get_mut(usize::try_from(key.as_u64()?).ok()?),
    }
}

/// The place under a key, which may be new in a map.
fn slot<'v>(value: &'v mut Value, key: &Value) -> Option<&'v mut Value> {
    match (value, key) {
        (Value::Object(map), Value::String(key)) => Some(map.entry(key.as_str()).or_insert(Value::Null)),
        (value, key) => child(value, key),
    }
}
