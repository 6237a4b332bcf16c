//! Data as Python's `str` writes it.

use serde_json::Value;

/// What `str(value)` gives: a text as it is, anything else as `repr` writes it.
pub(super) fn str(value: &Value) -> String {
    if let Value::String(text) = value {
        return text.clone();
    }
    let mut out = String::new();
    repr(&mut out, value);
    out
}

fn repr(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("None"),
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Number(number) => out.push_str(&number.to_string()),
        Value::String(text) => quoted(out, text),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                repr(out, item);
            }
            out.push(']');
        }
        Value::Object(entries) => {
            out.push('{');
            for (at, (key, item)) in entries.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                quoted(out, key);
                out.push_str(": ");
                repr(out, item);
            }
            out.push('}');
        }
    }
}

/// Single quotes, unless the text has some and no double ones.
fn quoted(out: &mut String, text: &str) {
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
            c if c.is_control() => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push(quote);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn data_is_written_as_python_writes_it() {
        let value = json!({"temp": 72, "ok": true, "none": null, "list": [1.5, "it's", "a\n\"'"]});
        assert_eq!(str(&value), r#"{'temp': 72, 'ok': True, 'none': None, 'list': [1.5, "it's", 'a\n"\'']}"#);
        assert_eq!(str(&json!("as it is")), "as it is");
    }
}
