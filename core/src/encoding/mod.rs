//! Data and bytes as other programs write them, to the last character.

pub mod base64;
pub mod exact;
pub(crate) mod python;

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Reads a field that is absent without a value, so that null is a value.
pub(crate) fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
