//! The first difference between what was recorded and what an agent sends.

use serde_json::{Map, Value};

use super::canonical::{CanonicalMessage, to_value};

/// The first difference of two lists of messages.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The index of the message, from 0.
    pub message: usize,
    /// The path, such as `messages[2].tool_calls[0].arguments.location`.
    pub path: String,
    /// What was recorded there; null for nothing.
    pub expected: Value,
    /// What was sent; null for nothing.
    pub actual: Value,
}

/// Compares two lists; `None` when they agree.
#[must_use]
pub(super) fn difference(expected: &[CanonicalMessage], actual: &[CanonicalMessage]) -> Option<Difference> {
    let actual = in_order_of(expected, actual);
    for (index, pair) in zip_longest(expected, &actual).enumerate() {
        let path = format!("messages[{index}]");
        let found = match pair {
            (Some(expected), Some(actual)) => message(expected, actual).map(|(below, expected, actual)| {
                Difference { message: index, path: format!("{path}.{below}"), expected, actual }
            }),
            (expected, actual) => Some(Difference {
                message: index,
                path,
                expected: expected.map(to_value).unwrap_or_default(),
                actual: actual.map(to_value).unwrap_or_default(),
            }),
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

fn zip_longest<'a, T>(a: &'a [T], b: &'a [T]) -> impl Iterator<Item = (Option<&'a T>, Option<&'a T>)> {
    (0..a.len().max(b.len())).map(|index| (a.get(index), b.get(index)))
}

/// `actual` with each run of tool results in the order in which `expected` has the same calls.
fn in_order_of(expected: &[CanonicalMessage], actual: &[CanonicalMessage]) -> Vec<CanonicalMessage> {
    let mut out: Vec<CanonicalMessage> = Vec::with_capacity(actual.len());
    let mut index = 0;
    while let Some(message) = actual.get(index) {
        let rest = actual.get(index..).unwrap_or_default();
        let run = rest.iter().take_while(|message| message.role == "tool").count();
        if run < 2 {
            out.push(message.clone());
            index += 1;
            continue;
        }
        let mut results: Vec<_> = rest.iter().take(run).cloned().collect();
        let wanted = |message: &CanonicalMessage| {
            let recorded = expected.iter().skip(index).take(run);
            recorded.into_iter().position(|other| other.tool_call_id == message.tool_call_id).unwrap_or(run)
        };
        results.sort_by_key(wanted);
        out.append(&mut results);
        index += run;
    }
    out
}

/// The path below the message, and both values, of the first difference.
fn message(expected: &CanonicalMessage, actual: &CanonicalMessage) -> Option<(String, Value, Value)> {
    let texts = |path: &str, expected: &str, actual: &str| {
        (expected != actual).then(|| (path.to_owned(), expected.into(), actual.into()))
    };
    let options = |path: &str, expected: &Option<String>, actual: &Option<String>| {
        let value = |text: &Option<String>| text.clone().map_or(Value::Null, Value::String);
        (expected.is_some() && expected != actual).then(|| (path.to_owned(), value(expected), value(actual)))
    };
    texts("role", &expected.role, &actual.role)
        .or_else(|| texts("content", &expected.content, &actual.content))
        .or_else(|| calls(expected, actual))
        .or_else(|| options("tool_call_id", &expected.tool_call_id, &actual.tool_call_id))
        .or_else(|| options("name", &expected.name, &actual.name))
        .or_else(|| {
            (expected.is_error != actual.is_error)
                .then(|| ("is_error".to_owned(), expected.is_error.into(), actual.is_error.into()))
        })
        .or_else(|| {
            let both_failed = expected.is_error && actual.is_error;
            let [expected, actual] =
                [expected, actual].map(|message| message.result.clone().unwrap_or_default());
            if both_failed { None } else { data("result", &expected, &actual) }
        })
}

fn calls(expected: &CanonicalMessage, actual: &CanonicalMessage) -> Option<(String, Value, Value)> {
    zip_longest(&expected.tool_calls, &actual.tool_calls).enumerate().find_map(|(index, pair)| {
        let path = format!("tool_calls[{index}]");
        let (Some(expected), Some(actual)) = pair else {
            let value =
                |call: Option<&_>| call.and_then(|call| serde_json::to_value(call).ok()).unwrap_or_default();
            return Some((path, value(pair.0), value(pair.1)));
        };
        if expected.name != actual.name {
            return Some((format!("{path}.name"), expected.name.clone().into(), actual.name.clone().into()));
        }
        // A recording without ids cannot ask for them.
        if !expected.id.is_empty() && expected.id != actual.id {
            return Some((format!("{path}.id"), expected.id.clone().into(), actual.id.clone().into()));
        }
        data(&format!("{path}.arguments"), &expected.arguments, &actual.arguments)
    })
}

/// The first difference inside data; numbers compare by value, so that `72` is `72.0`.
fn data(path: &str, expected: &Value, actual: &Value) -> Option<(String, Value, Value)> {
    match (expected, actual) {
        (Value::Object(a), Value::Object(b)) => maps(path, a, b),
        (Value::Array(a), Value::Array(b)) => {
            zip_longest(a, b).enumerate().find_map(|(index, pair)| match pair {
                (Some(a), Some(b)) => data(&format!("{path}[{index}]"), a, b),
                (a, b) => Some((
                    format!("{path}[{index}]"),
                    a.cloned().unwrap_or_default(),
                    b.cloned().unwrap_or_default(),
                )),
            })
        }
        (Value::Number(a), Value::Number(b)) if a == b || a.as_f64() == b.as_f64() => None,
        (a, b) if a == b => None,
        (a, b) => Some((path.to_owned(), a.clone(), b.clone())),
    }
}

fn maps(path: &str, a: &Map<String, Value>, b: &Map<String, Value>) -> Option<(String, Value, Value)> {
    let of_a = a.iter().find_map(|(key, value)| {
        let path = join(path, key);
        match b.get(key) {
            Some(other) => data(&path, value, other),
            None => Some((path, value.clone(), Value::Null)),
        }
    });
    of_a.or_else(|| {
        let (key, value) = b.iter().find(|(key, _)| !a.contains_key(*key))?;
        Some((join(path, key), Value::Null, value.clone()))
    })
}

/// `path.key`, the key in quotes when it is not a plain word.
fn join(path: &str, key: &str) -> String {
    let plain = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    if plain { format!("{path}.{key}") } else { format!("{path}[{}]", Value::from(key)) }
}
