//! The hashes by which AgentLoom finds an answer: SHA-256 of JSON as Python's `json.dumps(..., sort_keys=True)`
//! writes it.

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::text::{python, short_escape};

/// The hash of a request: 64 hexadecimal digits over its `messages`, `model`, `temperature`, `max_tokens` and
/// `extra`. What is absent counts as null, and `extra` as an empty map. Recordings of version 2 have it.
///
/// ```
/// use serde_json::json;
/// use transcript_core::import::prompt_hash;
/// let request = json!({"messages": [{"role": "user", "content": "nohash"}], "model": "m"});
/// assert!(prompt_hash(&request).starts_with("db31d4eeee97eb62"));
/// ```
#[must_use]
pub fn prompt_hash(request: &Value) -> String {
    let mut whole = Map::new();
    for key in ["messages", "model", "temperature", "max_tokens"] {
        whole.insert(key.to_owned(), request.get(key).cloned().unwrap_or_default());
    }
    // Python takes every value that is false for absent.
    let extra = request.get("extra").filter(|extra| extra.as_object().is_some_and(|extra| !extra.is_empty()));
    whole.insert("extra".to_owned(), extra.cloned().unwrap_or_else(|| Map::new().into()));
    sha256(&python_json(&Value::Object(whole)))
}

/// The hash of the messages of a request alone, as AgentLoom had it up to release 0.4.0.
///
/// ```
/// use serde_json::json;
/// use transcript_core::import::prompt_hash_of_messages;
/// let messages = json!([{"role": "user", "content": "nohash"}]);
/// assert!(prompt_hash_of_messages(&messages).starts_with("e11a84307dd7938e"));
/// ```
#[must_use]
pub fn prompt_hash_of_messages(messages: &Value) -> String {
    sha256(&python_json(messages))
}

/// The 64 hexadecimal digits of the SHA-256 of a text.
pub(super) fn sha256(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// JSON as Python writes it with its keys in order: all but ASCII escaped, a space after each comma and colon.
pub(super) fn python_json(value: &Value) -> String {
    let mut out = String::new();
    push(&mut out, value);
    out
}

fn push(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => out.push_str(&python::number(number)),
        Value::String(text) => push_text(out, text),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                push(out, item);
            }
            out.push(']');
        }
        Value::Object(entries) => {
            // The order of the bytes is that of the code points, which Python sorts by.
            let mut sorted: Vec<(&String, &Value)> = entries.iter().collect();
            sorted.sort_unstable_by_key(|(key, _)| *key);
            out.push('{');
            for (at, (key, value)) in sorted.into_iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                push_text(out, key);
                out.push_str(": ");
                push(out, value);
            }
            out.push('}');
        }
    }
}

fn push_text(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match (short_escape(c), c) {
            (Some(escape), _) => out.push_str(escape),
            (None, '\u{8}') => out.push_str("\\b"),
            (None, '\u{c}') => out.push_str("\\f"),
            (None, ' '..='~') => out.push(c),
            (None, c) => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn json_is_written_as_python_writes_it() {
        let value = json!({"b": [1, 1.0, 1e-5, 1e16, true, null], "a": "é\u{7f}😀/\n\u{1}", "": {}});
        assert_eq!(
            python_json(&value),
            r#"{"": {}, "a": "\u00e9\u007f\ud83d\ude00/\n\u0001", "b": [1, 1.0, 1e-05, 1e+16, true, null]}"#
        );
    }

    #[test]
    fn what_python_holds_for_false_is_no_extra() {
        let hash = |extra: Value| prompt_hash(&json!({"messages": [], "model": "m", "extra": extra}));
        assert_eq!(hash(json!({})), hash(Value::Null));
        assert_ne!(hash(json!({"a": 1})), hash(Value::Null));
    }
}
