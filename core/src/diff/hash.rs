//! Values as numbers to be compared by, without ids and times.

use serde_json::Value;

/// Keys with data that tools and users choose.
pub(super) const DATA_KEYS: [&str; 8] =
    ["parameters", "result", "response", "arguments", "context", "metadata", "parsed", "content"];

/// Keys for the time and the name of an item, not for its content.
const CIRCUMSTANCES: [&str; 7] = ["id", "tool_call_id", "ulid", "timestamp", "usage", "turn", "at_ms"];

/// FNV-1a, which needs no table and is the same everywhere.
#[derive(Clone, Copy)]
pub(super) struct Hash(pub u64);

impl Hash {
    pub(super) fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub(super) fn text(mut self, text: &str) -> Self {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Self((self.0 ^ 0xff).wrapping_mul(0x0000_0100_0000_01b3))
    }

    pub(super) fn number(self, number: u64) -> Self {
        number
            .to_le_bytes()
            .iter()
            .fold(self, |hash, byte| Self((hash.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)))
    }
}

/// The hash of a value. Outside data, ids and circumstances do not count.
pub(super) fn hash_value(value: &Value, is_data: bool) -> u64 {
    let hash = Hash::new();
    match value {
        Value::Null => hash.text("null").0,
        Value::Bool(value) => hash.text(if *value { "true" } else { "false" }).0,
        // Positive and negative zero, and an integer and its double, are equal.
        Value::Number(number) => {
            hash.number((number.as_f64().unwrap_or(0.0) + 0.0).to_bits()).text("number").0
        }
        Value::String(text) => hash.text("text").text(text).0,
        Value::Array(items) => {
            items.iter().fold(hash.text("list"), |hash, item| hash.number(hash_value(item, is_data))).0
        }
        Value::Object(entries) => {
            // A sum, since the order of keys means nothing.
            let sum = entries
                .iter()
                .filter(|(key, _)| is_data || !CIRCUMSTANCES.contains(&key.as_str()))
                .fold(0_u64, |sum, (key, value)| {
                    if !is_data && key == "visible" && value.is_object() {
                        // Its keys are ids.
                        return sum.wrapping_add(Hash::new().text(key).0);
                    }
                    let inner = hash_value(value, is_data || DATA_KEYS.contains(&key.as_str()));
                    sum.wrapping_add(Hash::new().text(key).number(inner).0)
                });
            hash.text("map").number(sum).0
        }
    }
}

/// The maximum number of compared words of one item.
const WORDS: usize = 256;

/// The words in all texts of a value, in order of their hashes, each once.
pub(super) fn word_hashes(value: &Value) -> Vec<u64> {
    let mut words = Vec::new();
    collect(value, &mut words);
    words.sort_unstable();
    words.dedup();
    words
}

fn collect(value: &Value, words: &mut Vec<u64>) {
    if words.len() >= WORDS {
        return;
    }
    match value {
        Value::String(text) => {
            let left = WORDS - words.len();
            words.extend(text.split_whitespace().take(left).map(|word| Hash::new().text(word).0));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, words)),
        Value::Object(entries) => {
            for (key, item) in entries.iter().filter(|(key, _)| !CIRCUMSTANCES.contains(&key.as_str())) {
                if !item.is_array() && !item.is_object() {
                    words.push(Hash::new().text(key).number(hash_value(item, true)).0);
                }
                collect(item, words);
            }
        }
        _ => {}
    }
}
