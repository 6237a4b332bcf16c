//! Compares data with what a reader took it for.

use serde_json::{Number, Value, json};

/// Where and how the answer of a reader, in the form of `read.py`, differs from the data that was meant.
pub(crate) fn difference(meant: &Value, answer: &Value) -> Option<String> {
    let Some(read) = answer.get("data").and_then(Value::as_array) else {
        return Some(format!("error {}", answer["error"]));
    };
    let mut wanted = Vec::new();
    tokens(meant, &mut wanted);
    let at = (0..wanted.len().max(read.len())).find(|&at| match (wanted.get(at), read.get(at)) {
        (Some(wanted), Some(read)) => !same(wanted, read),
        _ => true,
    })?;
    let show = |tokens: &[Value]| tokens.get(at).map_or("the end".to_owned(), Value::to_string);
    Some(format!("{} became {} in place {at}", show(&wanted), show(read)))
}

/// The tokens of `read.py`, with numbers as they are.
fn tokens(data: &Value, out: &mut Vec<Value>) {
    match data {
        Value::Null | Value::Bool(_) | Value::Number(_) => out.push(data.clone()),
        Value::String(text) => out.push(json!(["string", text])),
        Value::Array(items) => {
            out.push(json!("["));
            items.iter().for_each(|item| tokens(item, out));
            out.push(json!("]"));
        }
        Value::Object(entries) => {
            out.push(json!("{"));
            for (key, item) in entries {
                out.push(json!(["string", key]));
                tokens(item, out);
            }
            out.push(json!("}"));
        }
    }
}

fn same(wanted: &Value, read: &Value) -> bool {
    match (wanted, read.as_array().map(Vec::as_slice)) {
        (Value::Number(number), Some([Value::String(kind), Value::String(digits)])) => {
            same_number(number, kind, digits)
        }
        _ => wanted == read,
    }
}

/// Whether `digits`, read as a number of this `kind`, are `number`, with its type and its sign.
///
/// A "number" of JavaScript has no type of its own and the precision of a float.
fn same_number(number: &Number, kind: &str, digits: &str) -> bool {
    let bits = |text: &str| text.parse().ok().map(f64::to_bits);
    match kind {
        "int" => !number.is_f64() && number.to_string() == digits,
        "float" => number.is_f64() && number.as_f64().map(f64::to_bits) == bits(digits),
        "number" => number.as_f64().map(f64::to_bits) == bits(digits),
        _ => false,
    }
}
