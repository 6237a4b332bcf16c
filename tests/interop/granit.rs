//! The events of the crate's own parser, under the core schema of YAML 1.2 (section 10.3.2).

use granit_parser::{Event, Parser, ScalarStyle};
use serde_json::{Value, json};

/// What `text` is taken for, in the form of `read.py`.
pub(crate) fn answer(text: &str) -> Value {
    let mut tokens = Vec::new();
    for event in Parser::new_from_str(text) {
        match event {
            Ok((event, _)) => tokens.extend(token(&event)),
            Err(error) => return json!({ "error": error.to_string() }),
        }
    }
    json!({ "data": tokens })
}

fn token(event: &Event) -> Option<Value> {
    Some(match event {
        Event::StreamStart | Event::StreamEnd | Event::DocumentStart(..) | Event::DocumentEnd => return None,
        Event::Scalar(text, ScalarStyle::Plain, ..) => resolve(text),
        Event::Scalar(text, ..) => json!(["string", text]),
        Event::SequenceStart(..) => json!("["),
        Event::SequenceEnd => json!("]"),
        Event::MappingStart(..) => json!("{"),
        Event::MappingEnd => json!("}"),
        event => json!(["other", format!("{event:?}")]),
    })
}

fn resolve(text: &str) -> Value {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let digits = |text: &str, radix| !text.is_empty() && text.chars().all(|c| c.is_digit(radix));
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ if digits(unsigned, 10) => json!(["int", text]),
        _ if text.strip_prefix("0o").is_some_and(|rest| digits(rest, 8)) => json!(["int", text]),
        _ if text.strip_prefix("0x").is_some_and(|rest| digits(rest, 16)) => json!(["int", text]),
        _ if matches!(unsigned, ".inf" | ".Inf" | ".INF") => json!(["float", text]),
        ".nan" | ".NaN" | ".NAN" => json!(["float", text]),
        // Rust's floats are those of the schema, but for the words and the lone point it excludes.
        _ if unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.')
            && text.parse::<f64>().is_ok() =>
        {
            json!(["float", text])
        }
        _ => json!(["string", text]),
    }
}
