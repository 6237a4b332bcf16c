//! Hashes of payloads.

use sha2::{Digest, Sha256};

use crate::encoding::exact::{Exact, Fault, python_json, read};

/// The first 64 bits of a SHA-256, which are written as 16 hexadecimal digits in lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PayloadHash(pub u64);

impl PayloadHash {
    /// The hash of a value: of its text in Python's `json.dumps(value, sort_keys=True)`.
    #[must_use]
    pub fn from_value(value: &Exact) -> Self {
        let digest = Sha256::digest(python_json(value));
        Self(digest.iter().take(8).fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
    }

    /// Reads 16 hexadecimal digits, in any case.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let is_hash = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        u64::from_str_radix(text, 16).ok().filter(|_| is_hash).map(Self)
    }
}

impl std::fmt::Display for PayloadHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The hash of a payload as JSON text, in the form of events.
///
/// # Errors
/// When the text is no JSON.
///
/// ```
/// use transcript_core::events::payload_hash;
/// let hash = payload_hash(r#"[{"role": "user", "content": "nohash"}]"#).unwrap();
/// assert_eq!(hash.to_string(), "e11a84307dd7938e");
/// ```
pub fn payload_hash(json: &str) -> Result<PayloadHash, Fault> {
    read(json).map(|value| PayloadHash::from_value(&value))
}
