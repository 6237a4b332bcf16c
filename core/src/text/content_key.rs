//! The key of a blob: the hash of its content.

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::json_line;

/// The prefix of a key.
const PREFIX: &str = "sha256:";

/// The key under which `blobs` has this content: `sha256:` and the 64 hexadecimal digits of the SHA-256
/// of the content as JSON on one line, as [`json_line`] writes it, in UTF-8.
///
/// A text is hashed with its quotes: the text `5` and the number 5, or data and its JSON as text, often
/// both in a tool's message, are different contents.
///
/// ```
/// use serde_json::json;
/// use transcript_core::text::content_key;
/// assert_eq!(
///     content_key(&json!("You are helpful")),
///     "sha256:f03f7260dd9bbe81ef818f73b412af94c876c72b92f908ff999ebe757485cd51"
/// );
/// ```
#[must_use]
pub fn content_key(content: &Value) -> String {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let digit = |bits: u8| DIGITS.get(usize::from(bits & 15)).copied().unwrap_or('0');
    let mut key = String::from(PREFIX);
    for byte in Sha256::digest(json_line(content)) {
        key.push(digit(byte >> 4));
        key.push(digit(byte));
    }
    key
}

/// Whether a text has the form of a key.
#[must_use]
pub fn is_content_key(text: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    text.strip_prefix(PREFIX).is_some_and(|hex| hex.len() == 64 && hex.bytes().all(is_digit))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The digests are those of `sha256sum` for the same bytes.
    #[test]
    fn a_key_is_the_hash_of_the_json() {
        for (content, digest) in [
            (json!("Hi"), "fdda60cb3869b17ede5fda4d458c15689ed87c049e7b349ac86d5ebbcf882731"),
            (
                json!({"temp": 72, "sky": "clear"}),
                "26631e1600f87acc8482e430bf2519d767348c211f504e71e785ee7b456d58e4",
            ),
            (json!("22 \u{b0}C"), "87bc957836ff90b2f88ce4b4c0e7fe84f382d423ce1441b28bf10a9b41327da2"),
        ] {
            assert_eq!(content_key(&content), format!("sha256:{digest}"));
        }
    }

    #[test]
    fn data_and_its_text_are_different_contents() {
        assert_ne!(content_key(&json!({"a": 1})), content_key(&json!("{\"a\": 1}")));
        assert_ne!(content_key(&json!(5)), content_key(&json!("5")));
    }

    #[test]
    fn a_key_has_lower_case_digits() {
        assert!(is_content_key(&content_key(&json!(null))));
        assert!(!is_content_key(&content_key(&json!(null)).to_uppercase()));
        assert!(!is_content_key("sha256:12"));
    }
}
