//! Keys that the format does not know.

use serde_json::{Map, Value};

/// The unknown keys of a map, in the order of the document. They are written after the known ones.
/// An empty one is as small as a reference.
///
/// ```
/// use transcript_core::model::UnknownKeys;
/// let mut rest = UnknownKeys::default();
/// rest.insert("x_note", "by hand".into());
/// assert_eq!(rest.iter().count(), 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UnknownKeys(Option<Box<Map<String, Value>>>);

impl UnknownKeys {
    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The keys with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.0.iter().flat_map(|entries| entries.iter())
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.as_ref()?.get(key)
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, key: impl Into<String>, value: Value) {
        self.0.get_or_insert_default().insert(key.into(), value);
    }
}
