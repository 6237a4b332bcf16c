//! The transcript that the steps make.

use serde_json::{Map, Value};

use super::{BuildError, TranscriptBuilder};
use crate::write::{TranscriptParts, final_state_entry, initial_state_entry};

impl TranscriptBuilder {
    /// The transcript in the full format, as data.
    ///
    /// # Errors
    /// Every step that could not be carried out, in order.
    pub fn build(self) -> Result<Value, Vec<BuildError>> {
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        let context = self.context_now();
        let stored = self.store.iter().map(|(id, visible)| (id.as_str(), *visible));
        let assertions = (!self.assertions.is_empty()).then_some(Value::Array(self.assertions));
        let parts = TranscriptParts {
            metadata: Value::Object(self.metadata),
            config: Some(self.config),
            agents: Map::new(),
            initial_state: initial_state_entry(self.context, self.initial),
            turns: self.turns,
            final_state: final_state_entry(context, stored, assertions),
        };
        Ok(parts.into_value())
    }

    /// The context after the last turn.
    fn context_now(&self) -> Map<String, Value> {
        let mut context = self.context.clone();
        for changes in self.turns.iter().filter_map(|turn| turn.get("state_changes")) {
            let set = changes.get("context").and_then(Value::as_object).into_iter().flatten();
            for (key, value) in set {
                context.insert(key.clone(), value.clone());
            }
            let removed = changes.get("context_removed").and_then(Value::as_array).into_iter().flatten();
            for key in removed.filter_map(Value::as_str) {
                context.shift_remove(key);
            }
        }
        context
    }
}
