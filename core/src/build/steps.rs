//! The recorded calls of a builder in another language.

use serde_json::Value;

use super::{BuildError, TranscriptBuilder};

/// Builds the transcript of `{name, created?, steps}`, in the shape that the [module](self::super) says.
///
/// # Errors
/// Every step that could not be carried out; step 0 when the outer map is not as said.
///
/// ```
/// use serde_json::json;
/// use transcript_core::build::from_steps;
/// let steps = json!({"name": "hello", "steps": [
///     {"withUserMessage": "Hi"}, {"thenLlmResponds": "Hello!"}, {"thenToolExecutes": {"tool": "x"}}
/// ]});
/// let errors = from_steps(&steps).unwrap_err();
/// assert_eq!(errors[0].to_string(), "step 3, thenToolExecutes: `x` has no open call to answer; \
///     let the model call it first: `thenLlmResponds` with `toolCalls`");
/// ```
pub fn from_steps(recorded: &Value) -> Result<Value, Vec<BuildError>> {
    let refuse = |message: &str| {
        let (method, message) = ("build".to_owned(), message.to_owned());
        Err(vec![BuildError { step: 0, method, message, help: None }])
    };
    let Some(name) = recorded.get("name").and_then(Value::as_str) else {
        return refuse("the transcript has no `name`");
    };
    let mut builder = TranscriptBuilder::new(name);
    match recorded.get("created").filter(|created| !created.is_null()) {
        Some(Value::String(created)) => builder = builder.with_created(created),
        Some(_) => return refuse("`created` is no text"),
        None => {}
    }
    let Some(steps) = recorded.get("steps").and_then(Value::as_array) else {
        return refuse("`steps` is no list");
    };
    for step in steps {
        let entries = step.as_object().filter(|entries| entries.len() == 1);
        match entries.and_then(|entries| entries.iter().next()) {
            Some((method, argument)) => builder.step(method, argument.clone()),
            None => builder.step("", Value::Null),
        }
    }
    builder.build()
}
