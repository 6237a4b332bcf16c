//! The attributes of OTLP as plain data.

use crate::text::JsonMap;
use serde_json::{Map, Number, Value};

/// The maximum nesting depth of values.
const DEPTH: usize = 64;

/// Attributes by their keys; a map is unchanged.
pub(super) fn attributes(list: Option<&Value>) -> Map<String, Value> {
    if let Some(Value::Object(plain)) = list {
        return plain.clone();
    }
    let items = list.and_then(Value::as_array).into_iter().flatten();
    items
        .filter_map(|item| Some((item.get("key")?.as_str()?.to_owned(), any(item.get("value")?, DEPTH))))
        .collect()
}

/// A value of OTLP: under the name of its type. Integers of 64 bits are texts.
fn any(value: &Value, depth: usize) -> Value {
    let Some((kind, typed)) = value.as_object().and_then(|map| map.iter().next()) else {
        return value.clone();
    };
    let values = || typed.get("values").and_then(Value::as_array).into_iter().flatten();
    match (kind.as_str(), typed) {
        _ if depth == 0 => value.clone(),
        ("intValue", Value::String(text)) => match text.parse::<i64>() {
            Ok(number) => Value::Number(Number::from(number)),
            Err(_) => typed.clone(),
        },
        ("stringValue" | "intValue" | "doubleValue" | "boolValue" | "bytesValue", _) => typed.clone(),
        ("arrayValue", _) => values().map(|item| any(item, depth - 1)).collect(),
        ("kvlistValue", _) => values()
            .filter_map(|item| {
                Some((item.get("key")?.as_str()?.to_owned(), any(item.get("value")?, depth - 1)))
            })
            .collect::<Map<String, Value>>()
            .into(),
        _ => value.clone(),
    }
}

/// A resource, a scope or an event with its attributes as data.
pub(super) fn data(value: &Value) -> Value {
    let mut out = value.clone();
    if let Some(map) = out.as_object_mut()
        && let Some(list) = map.get("attributes").filter(|list| list.is_array())
    {
        let plain = attributes(Some(list));
        map.put("attributes", Value::Object(plain));
    }
    out
}
