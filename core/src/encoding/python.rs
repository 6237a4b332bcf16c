//! Values as Python writes them.

use serde_json::Value;

use crate::text::float::PYTHON;

/// Python's `str(value)`.
pub(crate) fn str(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => repr(other),
    }
}

/// Python's `repr(value)`.
pub(crate) fn repr(value: &Value) -> String {
    let mut out = String::new();
    push(value, &mut out);
    out
}

/// The class of a value, as `type(value)` prints it.
pub(crate) fn class(value: &Value) -> &'static str {
    match value {
        Value::Null => "<class 'NoneType'>",
        Value::Bool(_) => "<class 'bool'>",
        Value::Number(number) if number.is_f64() => "<class 'float'>",
        Value::Number(_) => "<class 'int'>",
        Value::String(_) => "<class 'str'>",
        Value::Array(_) => "<class 'list'>",
        Value::Object(_) => "<class 'dict'>",
    }
}

fn push(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("None"),
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Number(number) => out.push_str(&PYTHON.number(number)),
        Value::String(text) => quoted(text, out),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                push(item, out);
            }
            out.push(']');
        }
        Value::Object(entries) => {
            out.push('{');
            for (at, (key, value)) in entries.iter().enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                quoted(key, out);
                out.push_str(": ");
                push(value, out);
            }
            out.push('}');
        }
    }
}

/// Single quotes, unless the text contains them and no double ones.
fn quoted(text: &str, out: &mut String) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if is_printable(c) => out.push(c),
            c => {
                let code = u32::from(c);
                out.push_str(&match code {
                    0..=0xff => format!("\\x{code:02x}"),
                    0x100..=0xffff => format!("\\u{code:04x}"),
                    _ => format!("\\U{code:08x}"),
                });
            }
        }
    }
    out.push(quote);
}

/// Whether Python prints the character unchanged. The standard library escapes the same categories, except
/// for marks at the very beginning of a text and for quotes.
fn is_printable(c: char) -> bool {
    if c.is_ascii() {
        return (' '..='~').contains(&c);
    }
    let text: String = ['a', c].iter().collect();
    text.escape_debug().count() == 2
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn scalars_and_containers() {
        assert_eq!(
            repr(&json!({"k": "it's", "n": {"x": [1.0, true, null]}})),
            "{'k': \"it's\", 'n': {'x': [1.0, True, None]}}"
        );
        assert_eq!(str(&json!("plain")), "plain");
        assert_eq!(repr(&json!([])), "[]");
        assert_eq!(repr(&json!({})), "{}");
    }

    #[test]
    fn quotes_and_escapes() {
        assert_eq!(repr(&json!("a'b\"c")), "'a\\'b\"c'");
        assert_eq!(repr(&json!("\\ \n \r \t \u{1} \u{7f}")), "'\\\\ \\n \\r \\t \\x01 \\x7f'");
        assert_eq!(
            repr(&json!("22°C \u{a0} \u{2028} é e\u{301} \u{1f600} \u{e000}")),
            "'22°C \\xa0 \\u2028 é e\u{301} \u{1f600} \\ue000'"
        );
        assert_eq!(repr(&json!("\u{301}")), "'\u{301}'");
    }

    #[test]
    fn numbers() {
        assert_eq!(
            repr(&json!([1.0, 1e-5, -0.0, 695_929_001_968_929.0 / 8.0])),
            "[1.0, 1e-05, -0.0, 86991125246116.12]"
        );
        assert_eq!(repr(&json!(12_345_678_901_234_567_890_u64)), "12345678901234567890");
    }
}
