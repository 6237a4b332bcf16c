//! Compares data with what a reader took it for.

use serde_json::{Value, json};

/// Where and how the answer of a reader, in the form of `read.py`, differs from the data that was meant.
pub(crate) fn difference(meant: &Value, answer: &Value) -> Option<String> {
    let Some(read) = answer.get("data").and_then(Value::as_array) else {
        return Some(format!("error {}", answer["error"]));
    };
    let wanted = tokens(meant);
    let at = (0..wanted.len().max(read.len())).find(|&at| match (wanted.get(at), read.get(at)) {
        (Some(wanted), Some(read)) => !same(wanted, read),
        _ => true,
    })?;
    let show = |tokens: &[Value]| tokens.get(at).map_or("the end".to_owned(), Value::to_string);
    Some(format!("{} became {} in place {at}", show(&wanted), show(read)))
}

/// Data as the tokens of `read.py`.
pub(crate) fn tokens(data: &Value) -> Vec<Value> {
    let mut out = Vec::new();
    push(data, &mut out);
    out
}

fn push(data: &Value, out: &mut Vec<Value>) {
    match data {
        Value::Null | Value::Bool(_) => out.push(data.clone()),
        Value::Number(number) if number.is_f64() => out.push(json!(["float", number.to_string()])),
        Value::Number(number) => out.push(json!(["int", number.to_string()])),
        Value::String(text) => out.push(json!(["string", text])),
        Value::Array(items) => {
            out.push(json!("["));
            items.iter().for_each(|item| push(item, out));
            out.push(json!("]"));
        }
        Value::Object(entries) => {
            out.push(json!("{"));
            for (key, item) in entries {
                out.push(json!(["string", key]));
                push(item, out);
            }
            out.push(json!("}"));
        }
    }
}

/// Whether two tokens are the same, however their numbers are spelt, and with their signs.
///
/// A "number" of JavaScript has no type of its own and the precision of a float.
fn same(wanted: &Value, read: &Value) -> bool {
    let bits = |token: &Value| token[1].as_str().and_then(|digits| digits.parse().ok()).map(f64::to_bits);
    match (wanted[0].as_str(), read[0].as_str()) {
        (Some("float"), Some("float")) | (Some("float" | "int"), Some("number")) => {
            bits(wanted) == bits(read)
        }
        _ => wanted == read,
    }
}
