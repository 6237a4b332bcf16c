//! The transcript that the steps make.

use serde_json::{Map, Value, json};

use super::builder::reference;
use super::{BuildError, TranscriptBuilder};
use crate::model::VERSION;

impl TranscriptBuilder {
    /// The transcript in the full format, as data.
    ///
    /// # Errors
    /// Every step that could not be carried out, in order.
    pub fn build(self) -> Result<Value, Vec<BuildError>> {
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        let refs: Value = self.store.iter().map(|(id, _)| reference(id)).collect();
        let visible: Value =
            self.store.iter().filter(|(_, visible)| *visible).map(|(id, _)| id.as_str()).collect();
        let mut end =
            json!({"context": self.context_now(), "message_store": refs, "visible_messages": visible});
        if let (Value::Object(entries), false) = (&mut end, self.assertions.is_empty()) {
            entries.insert("assertions".to_owned(), Value::Array(self.assertions));
        }
        let initial = Map::from_iter([
            ("context".to_owned(), Value::Object(self.context)),
            ("message_store".to_owned(), Value::Array(self.initial)),
        ]);
        // `json!` would copy all of it.
        let parts = [
            ("version", VERSION.into()),
            ("metadata", Value::Object(self.metadata)),
            ("agent_config", Value::Object(self.config)),
            ("initial_state", Value::Object(initial)),
            ("execution", Value::Array(self.turns)),
            ("final_state", end),
        ];
        Ok(Value::Object(parts.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()))
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
