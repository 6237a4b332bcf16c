//! Data and bytes as other programs write them, to the last character.

pub mod base64;
pub mod exact;
pub(crate) mod python;

use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Reads a field that is absent without a value, so that null is a value.
pub(crate) fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    // A deserializer that visits absent fields too can say so.
    deserializer.deserialize_newtype_struct("Present", Present)
}

struct Present;

impl<'de> Visitor<'de> for Present {
    type Value = Option<Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<Value>, D::Error> {
        Value::deserialize(deserializer).map(Some)
    }

    fn visit_none<E: Error>(self) -> Result<Option<Value>, E> {
        Ok(None)
    }
}
