//! The hashes by which AgentLoom finds an answer: SHA-256 of JSON as Python's `json.dumps(..., sort_keys=True)`
//! writes it.

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::encoding::exact::{Exact, Fault, python_json, read};

/// The hash of a request: 64 hexadecimal digits over its `messages`, `model`, `temperature`, `max_tokens` and
/// `extra`. An absent value counts as null, and an absent `extra` as an empty map. Recordings of version 2
/// have it.
///
/// ```
/// use serde_json::json;
/// use transcript_core::import::prompt_hash;
/// let request = json!({"messages": [{"role": "user", "content": "nohash"}], "model": "m"});
/// assert!(prompt_hash(&request).starts_with("db31d4eeee97eb62"));
/// ```
#[must_use]
pub fn prompt_hash(request: &Value) -> String {
    hash_request(&Exact::from(request))
}

fn hash_request(request: &Exact) -> String {
    let mut whole = Vec::new();
    for key in ["messages", "model", "temperature", "max_tokens"] {
        whole.push((key.into(), request.get(key).cloned().unwrap_or(Exact::Null)));
    }
    // Python treats every falsy value as absent.
    let is_some = |extra: &&Exact| matches!(extra, Exact::Map(entries) if !entries.is_empty());
    let extra = request.get("extra").filter(is_some).cloned();
    whole.push(("extra".into(), extra.unwrap_or_else(|| Exact::Map(Vec::new()))));
    sha256(&python_json(&Exact::Map(whole)))
}

/// The hash of the messages of a request alone, as in AgentLoom up to release 0.4.0.
///
/// ```
/// use serde_json::json;
/// use transcript_core::import::prompt_hash_of_messages;
/// let messages = json!([{"role": "user", "content": "nohash"}]);
/// assert!(prompt_hash_of_messages(&messages).starts_with("e11a84307dd7938e"));
/// ```
#[must_use]
pub fn prompt_hash_of_messages(messages: &Value) -> String {
    sha256(&python_json(&Exact::from(messages)))
}

/// The hash of a request as JSON text, or of its messages alone where the text is a list. Numbers are
/// hashed as written, including `NaN` and numbers out of range here.
///
/// # Errors
/// When the text is no JSON.
///
/// ```
/// use serde_json::json;
/// use transcript_core::import::{prompt_hash, prompt_hash_of_json};
/// let request = json!({"messages": [{"role": "user", "content": "nohash"}], "model": "m"});
/// assert_eq!(prompt_hash_of_json(&request.to_string()), Ok(prompt_hash(&request)));
/// ```
pub fn prompt_hash_of_json(json: &str) -> Result<String, Fault> {
    let request = read(json)?;
    Ok(match request {
        Exact::List(_) => sha256(&python_json(&request)),
        _ => hash_request(&request),
    })
}

/// The 64 hexadecimal digits of the SHA-256 of a text.
pub(super) fn sha256(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_of_a_text_keep_their_digits() {
        let hash = |number: &str| prompt_hash_of_json(&format!(r#"{{"extra": {{"n": {number}}}}}"#)).unwrap();
        // Computed with `hashlib` and `json.dumps` of Python 3.
        assert!(hash("123456789012345678901234567890").starts_with("4fe37b2a48eaaf5d"));
        assert!(hash("NaN").starts_with("fb6edcd045cb1b73"));
        assert_ne!(hash("9007199254740993"), hash("9007199254740992"));
        assert!(prompt_hash_of_json("{").is_err());
    }

    #[test]
    fn what_python_holds_for_false_is_no_extra() {
        let hash = |extra: Value| prompt_hash(&json!({"messages": [], "model": "m", "extra": extra}));
        assert_eq!(hash(json!({})), hash(Value::Null));
        assert_ne!(hash(json!({"a": 1})), hash(Value::Null));
    }
}
