//! JSON on one line, as in tool messages.

use serde_json::Value;

use super::float::{ECMASCRIPT, Notation, PYTHON};

/// The differences between two ways to write JSON on one line.
struct Style {
    comma: &'static str,
    colon: &'static str,
    notation: &'static Notation,
}

/// Writes `value` as JSON on one line, with `, ` and `: ` as separators and no newline.
///
/// Equals Python's `json.dumps(value, ensure_ascii=False)`: the form in which agents put data into the
/// content of a tool message.
///
/// ```
/// use serde_json::json;
/// use transcript_core::text;
/// let result = json!({"temp": 72, "sky": ["clear", "22 °C"]});
/// assert_eq!(text::json_line(&result), r#"{"temp": 72, "sky": ["clear", "22 °C"]}"#);
/// ```
#[must_use]
pub fn json_line(value: &Value) -> String {
    let mut out = String::new();
    push(&mut out, value, &Style { comma: ", ", colon: ": ", notation: &PYTHON });
    out
}

/// Writes `value` as JSON without white space, as `JSON.stringify` of ECMAScript does, but with every digit of whole numbers.
///
/// ```
/// use serde_json::json;
/// use transcript_core::text;
/// assert_eq!(text::json_compact(&json!({"a": [1.0, 1e21]})), r#"{"a":[1,1e+21]}"#);
/// ```
#[must_use]
pub fn json_compact(value: &Value) -> String {
    let mut out = String::new();
    push(&mut out, value, &Style { comma: ",", colon: ":", notation: &ECMASCRIPT });
    out
}

/// A text unchanged, and other data as JSON on one line.
#[must_use]
pub fn text_or_json(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => json_line(other),
    }
}

fn push(out: &mut String, value: &Value, style: &Style) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push_str(style.comma);
                }
                push(out, item, style);
            }
            out.push(']');
        }
        Value::Object(entries) => {
            out.push('{');
            for (at, (key, item)) in entries.iter().enumerate() {
                if at > 0 {
                    out.push_str(style.comma);
                }
                push_string(out, key);
                out.push_str(style.colon);
                push(out, item, style);
            }
            out.push('}');
        }
        Value::String(text) => push_string(out, text),
        Value::Number(number) => out.push_str(&style.notation.number(number)),
        Value::Null | Value::Bool(_) => out.push_str(&value.to_string()),
    }
}

/// The short escape of a character between double quotes, in JSON and YAML alike, if both have one.
///
/// ```
/// use transcript_core::text::short_escape;
/// assert_eq!((short_escape('\n'), short_escape('n')), (Some("\\n"), None));
/// ```
#[must_use]
pub fn short_escape(c: char) -> Option<&'static str> {
    match c {
        '"' => Some("\\\""),
        '\\' => Some("\\\\"),
        '\n' => Some("\\n"),
        '\r' => Some("\\r"),
        '\t' => Some("\\t"),
        _ => None,
    }
}

/// Appends `text` in double quotes, with the escapes that JSON requires and no others.
fn push_string(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| byte < b' ' || matches!(byte, b'"' | b'\\')) {
        let (plain, escaped) = rest.split_at(at);
        out.push_str(plain);
        let mut characters = escaped.chars();
        let c = characters.next().unwrap_or_default();
        match (short_escape(c), c) {
            (Some(escape), _) => out.push_str(escape),
            (None, '\u{8}') => out.push_str("\\b"),
            (None, '\u{c}') => out.push_str("\\f"),
            (None, c) => out.push_str(&format!("\\u{:04x}", u32::from(c))),
        }
        rest = characters.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_line_has_spaces_only_after_separators() {
        let value = json!({"a": [1, -2.5, null, true], "b": {}, "c": [], "d": {"e": "f"}});
        assert_eq!(json_line(&value), r#"{"a": [1, -2.5, null, true], "b": {}, "c": [], "d": {"e": "f"}}"#);
    }

    #[test]
    fn one_line_escapes_what_json_demands_and_keeps_the_rest() {
        let value = json!("\"\\\n\r\t\u{8}\u{c}\u{0}\u{1f}/é\u{7f}\u{2028}😀");
        assert_eq!(json_line(&value), "\"\\\"\\\\\\n\\r\\t\\b\\f\\u0000\\u001f/é\u{7f}\u{2028}😀\"");
        assert_eq!(serde_json::from_str::<Value>(&json_line(&value)).unwrap(), value);
    }
}
