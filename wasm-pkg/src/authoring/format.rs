//! A document in canonical order and style.

use serde_json::Value;
use transcript_core::view::formatted;

use super::asked::{Asked, data};

pub(super) fn run(asked: &mut Asked<'_>) -> Value {
    match asked.text() {
        Ok(text) => data(&formatted(&asked.file, text, &asked.options.limits)),
        Err(refused) => refused,
    }
}
