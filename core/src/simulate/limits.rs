//! The limits of a simulation.

use serde_json::Value;

use super::input::{InputError, Read, count, map, reject_unknown_keys};
use super::shape::LIMITS;

/// The limits of a simulation; one that exceeds them ends in an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The calls of models, all agents and steps together.
    pub model_calls: u64,
    /// The tools that run, all agents and steps together.
    pub tool_calls: u64,
    /// The bytes of one message, result or argument map.
    pub message_bytes: u64,
    /// The bytes of all messages together.
    pub total_bytes: u64,
    /// The maximum depth of agents that call each other as tools.
    pub depth: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { model_calls: 1000, tool_calls: 4000, message_bytes: 4 << 20, total_bytes: 64 << 20, depth: 16 }
    }
}

impl Limits {
    pub(super) fn read(value: Option<&Value>) -> Read<Self> {
        let mut limits = Self::default();
        let Some(value) = value.filter(|value| !value.is_null()) else { return Ok(limits) };
        let entries = map(value, "limits")?;
        reject_unknown_keys(entries, "limits", LIMITS.fields())?;
        let put = |key: &str, limit: &mut u64| -> Result<(), Box<InputError>> {
            if let Some(number) = count(entries, "limits", key)? {
                *limit = number;
            }
            Ok(())
        };
        put("model_calls", &mut limits.model_calls)?;
        put("tool_calls", &mut limits.tool_calls)?;
        put("message_bytes", &mut limits.message_bytes)?;
        put("total_bytes", &mut limits.total_bytes)?;
        put("depth", &mut limits.depth)?;
        // Deeper runs would be deeper documents than readers accept.
        limits.depth = limits.depth.min(32);
        Ok(limits)
    }
}

/// About how many bytes a value has as JSON.
pub(super) fn size(value: &Value) -> u64 {
    let mut total = 0_u64;
    let mut stack = vec![value];
    while let Some(value) = stack.pop() {
        total = total.saturating_add(match value {
            Value::Null | Value::Bool(_) => 4,
            Value::Number(_) => 8,
            Value::String(text) => text.len() as u64 + 2,
            Value::Array(items) => {
                stack.extend(items);
                2 + items.len() as u64
            }
            Value::Object(entries) => {
                stack.extend(entries.values());
                2 + entries.keys().map(|key| key.len() as u64 + 4).sum::<u64>()
            }
        });
    }
    total
}
