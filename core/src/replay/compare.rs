//! The first difference between what was recorded and what an agent sends.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use serde_json::{Map, Number, Value};

use crate::canonical::{CanonicalCall, CanonicalMessage, to_value};
use crate::text::sort_by_key;

/// The first difference of two lists of messages.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The index of the message, from 0.
    pub message: usize,
    /// The path, such as `messages[2].tool_calls[0].arguments.location`.
    pub path: String,
    /// What was recorded there; `None` for nothing, which is not the same as null.
    pub expected: Option<Value>,
    /// What was sent; `None` for nothing.
    pub actual: Option<Value>,
}

/// A path below a message or a value, and what stands there on both sides.
type Found = (String, Option<Value>, Option<Value>);

/// Compares two lists; `None` when they agree.
#[must_use]
pub(super) fn difference<E, A>(expected: &[E], actual: &[A]) -> Option<Difference>
where
    E: Borrow<CanonicalMessage>,
    A: Borrow<CanonicalMessage>,
{
    let expected: Vec<&CanonicalMessage> = expected.iter().map(Borrow::borrow).collect();
    let actual: Vec<&CanonicalMessage> = actual.iter().map(Borrow::borrow).collect();
    let actual = in_order_of(&expected, &actual);
    zip_longest(&expected, &actual).enumerate().find_map(|(index, pair)| {
        let path = format!("messages[{index}]");
        match pair {
            (Some(expected), Some(actual)) => message(expected, actual).map(|(below, expected, actual)| {
                Difference { message: index, path: format!("{path}.{below}"), expected, actual }
            }),
            (expected, actual) => Some(Difference {
                message: index,
                path,
                expected: expected.map(|message| to_value(message)),
                actual: actual.map(|message| to_value(message)),
            }),
        }
    })
}

fn zip_longest<'a, T>(a: &'a [T], b: &'a [T]) -> impl Iterator<Item = (Option<&'a T>, Option<&'a T>)> {
    (0..a.len().max(b.len())).map(|index| (a.get(index), b.get(index)))
}

/// `actual` with each run of tool results in the order in which `expected` has the same calls.
fn in_order_of<'m>(
    expected: &[&CanonicalMessage],
    actual: &[&'m CanonicalMessage],
) -> Vec<&'m CanonicalMessage> {
    let mut out = Vec::with_capacity(actual.len());
    while let Some(message) = actual.get(out.len()) {
        let start = out.len();
        let rest = actual.get(start..).unwrap_or_default();
        let run = rest.iter().take_while(|message| message.role == "tool").count();
        if run < 2 {
            out.push(*message);
            continue;
        }
        let mut places: BTreeMap<Option<&str>, usize> = BTreeMap::new();
        for (place, recorded) in expected.iter().skip(start).take(run).enumerate() {
            places.entry(recorded.tool_call_id.as_deref()).or_insert(place);
        }
        let mut results: Vec<_> = rest.iter().take(run).copied().collect();
        sort_by_key(&mut results, |message| {
            places.get(&message.tool_call_id.as_deref()).copied().unwrap_or(run)
        });
        out.append(&mut results);
    }
    out
}

/// The first difference of two messages.
fn message(expected: &CanonicalMessage, actual: &CanonicalMessage) -> Option<Found> {
    let asked = |path: &str, expected: &Option<String>, actual: &Option<String>| {
        let value = |text: &Option<String>| text.clone().map(Value::String);
        (expected.is_some() && expected != actual).then(|| (path.to_owned(), value(expected), value(actual)))
    };
    texts("role", &expected.role, &actual.role)
        .or_else(|| texts("content", &expected.content, &actual.content))
        .or_else(|| {
            lists("parts", &expected.parts, &actual.parts, |path, expected, actual| {
                part(&path, expected, actual)
            })
        })
        .or_else(|| lists("tool_calls", &expected.tool_calls, &actual.tool_calls, call))
        .or_else(|| asked("tool_call_id", &expected.tool_call_id, &actual.tool_call_id))
        .or_else(|| asked("name", &expected.name, &actual.name))
        .or_else(|| {
            (expected.is_error != actual.is_error).then(|| {
                ("is_error".to_owned(), Some(expected.is_error.into()), Some(actual.is_error.into()))
            })
        })
        .or_else(|| {
            let both_failed = expected.is_error && actual.is_error;
            let [expected, actual] = [expected, actual].map(|m| m.result.as_ref().unwrap_or(&Value::Null));
            if both_failed { None } else { data("result", expected, actual) }
        })
}

fn texts(path: &str, expected: &str, actual: &str) -> Option<Found> {
    (expected != actual).then(|| (path.to_owned(), Some(expected.into()), Some(actual.into())))
}

/// The first difference of two lists, whose items `compare` compares.
fn lists<T: serde::Serialize>(
    path: &str,
    expected: &[T],
    actual: &[T],
    compare: impl Fn(String, &T, &T) -> Option<Found>,
) -> Option<Found> {
    let value = |item: Option<&T>| item.and_then(|item| serde_json::to_value(item).ok());
    zip_longest(expected, actual).enumerate().find_map(|(index, pair)| {
        let path = format!("{path}[{index}]");
        match pair {
            (Some(expected), Some(actual)) => compare(path, expected, actual),
            (expected, actual) => Some((path, value(expected), value(actual))),
        }
    })
}

fn call(path: String, expected: &CanonicalCall, actual: &CanonicalCall) -> Option<Found> {
    texts(&format!("{path}.name"), &expected.name, &actual.name)
        // A recording without ids cannot ask for them.
        .or_else(|| {
            texts(&format!("{path}.id"), &expected.id, &actual.id).filter(|_| !expected.id.is_empty())
        })
        .or_else(|| data(&format!("{path}.arguments"), &expected.arguments, &actual.arguments))
}

/// The first difference of two parts. Media types are compared where both sides know one, file names
/// where one was recorded: not every framework passes them on.
fn part(path: &str, expected: &Value, actual: &Value) -> Option<Found> {
    let (Value::Object(a), Value::Object(b)) = (expected, actual) else {
        return data(path, expected, actual);
    };
    let is_asked = |key: &str| match key {
        "media_type" => a.contains_key(key) && b.contains_key(key),
        "filename" => a.contains_key(key),
        _ => true,
    };
    maps(path, a, b, is_asked)
}

/// The first difference inside data.
fn data(path: &str, expected: &Value, actual: &Value) -> Option<Found> {
    match (expected, actual) {
        (Value::Object(a), Value::Object(b)) => maps(path, a, b, |_| true),
        (Value::Array(a), Value::Array(b)) => lists(path, a, b, |path, a, b| data(&path, a, b)),
        (Value::Number(a), Value::Number(b)) if same_number(a, b) => None,
        (a, b) if a == b => None,
        (a, b) => Some((path.to_owned(), Some(a.clone()), Some(b.clone()))),
    }
}

fn maps(
    path: &str,
    a: &Map<String, Value>,
    b: &Map<String, Value>,
    is_asked: impl Fn(&str) -> bool,
) -> Option<Found> {
    let of_a = a.iter().filter(|(key, _)| is_asked(key)).find_map(|(key, value)| match b.get(key) {
        Some(other) => data(&join(path, key), value, other),
        None => Some((join(path, key), Some(value.clone()), None)),
    });
    of_a.or_else(|| {
        let (key, value) = b.iter().find(|(key, _)| is_asked(key) && !a.contains_key(*key))?;
        Some((join(path, key), None, Some(value.clone())))
    })
}

/// Whether two numbers are one double, so that `72` is `72.0`.
///
/// JavaScript has no other numbers: a recorded whole number beyond 2^53 reaches an agent there rounded,
/// and comes back so.
fn same_number(a: &Number, b: &Number) -> bool {
    a == b || a.as_f64() == b.as_f64()
}

/// `path.key`, the key in quotes when it is not a plain word.
fn join(path: &str, key: &str) -> String {
    let plain = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    if plain { format!("{path}.{key}") } else { format!("{path}[{}]", Value::from(key)) }
}
