//! The order of the keys of a written transcript.

use serde_json::Value;

use crate::model::{Field, Shape};
use crate::text::sort_by_key;

/// Puts the known keys of every map of the shape in the order of its table; unknown keys keep their order after
/// them. Maps with free keys are unchanged.
pub(super) fn sort_keys(value: &mut Value, shape: &Shape) {
    match (value, shape) {
        (value, Shape::TextOr(inner)) => sort_keys(value, inner),
        (Value::Array(items), Shape::List(inner)) => {
            items.iter_mut().for_each(|item| sort_keys(item, inner));
        }
        (Value::Object(entries), Shape::OpenOf(inner)) => {
            entries.values_mut().for_each(|value| sort_keys(value, inner));
        }
        (Value::Object(entries), Shape::Map(fields)) => {
            if !entries.keys().is_sorted_by_key(|key| place(fields, key)) {
                let mut all: Vec<_> = std::mem::take(entries).into_iter().collect();
                sort_by_key(&mut all, |(key, _)| place(fields, key));
                entries.extend(all);
            }
            for (key, value) in entries {
                if let Some(field) = fields.get(place(fields, key)) {
                    sort_keys(value, field.shape);
                }
            }
        }
        _ => {}
    }
}

/// The place of a key in its table; unknown ones come last.
fn place(fields: &[Field], key: &str) -> usize {
    fields.iter().position(|field| field.name == key).unwrap_or(usize::MAX)
}
