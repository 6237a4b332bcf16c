//! JMESPath expressions.

use serde_json::Value;

use super::{Budget, QueryError};

/// A compiled JMESPath expression.
#[derive(Clone, Debug)]
pub struct Expression {
    text: String,
}

impl Expression {
    /// Compiles an expression.
    ///
    /// # Errors
    /// When it is not JMESPath, or is longer or deeper than the limits of this stage.
    pub fn compile(text: &str) -> Result<Self, QueryError> {
        Ok(Self { text: text.to_owned() })
    }

    /// Its text as written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it reads the variable `name` of the data it is evaluated on, so that data which costs something to
    /// make is made only when it is needed. A whole-data `@` reads all of them.
    #[must_use]
    pub fn reads(&self, _name: &str) -> bool {
        true
    }

    /// Its value over `data`.
    ///
    /// # Errors
    /// When a function gets what it does not take, or the budget is used up.
    pub fn evaluate(&self, _data: &Value, _budget: &mut Budget) -> Result<Value, QueryError> {
        Ok(Value::Null)
    }
}

/// Whether a value is true in JMESPath's sense: not null, not false, not an empty text, list or map.
///
/// ```
/// use serde_json::json;
/// use transcript_core::query::is_true;
/// assert!(is_true(&json!(0)) && !is_true(&json!("")));
/// ```
#[must_use]
pub fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(_) => true,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(map) => !map.is_empty(),
    }
}
