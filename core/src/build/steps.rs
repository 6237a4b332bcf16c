//! The recorded calls of a builder in another language.

use serde_json::Value;

use super::{BuildError, BuildProblem, TranscriptBuilder};

/// Builds the transcript of `{name, created?, steps}`, in the shape that the [module](self::super) describes.
///
/// # Errors
/// Every step that could not be carried out; step 0 when the outer map has another shape.
///
/// ```
/// use serde_json::json;
/// use transcript_core::build::from_steps;
/// let steps = json!({"name": "hello", "steps": [
///     {"withUserMessage": "Hi"}, {"thenLlmResponds": "Hello!"}, {"thenToolExecutes": {"tool": "x"}}
/// ]});
/// let errors = from_steps(&steps).unwrap_err();
/// assert_eq!(errors[0].to_string(), "step 3, thenToolExecutes: there is no open call to `x`; \
///     add the call first: `thenLlmResponds` with `toolCalls`");
/// ```
pub fn from_steps(recorded: &Value) -> Result<Value, Vec<BuildError>> {
    builder(recorded)?.build()
}

/// The problems with the steps of `{name, created?, steps}`, as in [`TranscriptBuilder::problems`].
///
/// ```
/// use serde_json::json;
/// use transcript_core::build::problems_of_steps;
/// let steps = json!({"name": "hello", "steps": [{"withUserMessage": "Hi"}, {"thenToolExecutes": {"tool": "x"}}]});
/// let problems = problems_of_steps(&steps);
/// assert_eq!((problems[0].step, problems[0].severity), (2, "error"));
/// ```
#[must_use]
pub fn problems_of_steps(recorded: &Value) -> Vec<BuildProblem> {
    match builder(recorded) {
        Ok(builder) => builder.problems(),
        Err(errors) => errors.iter().map(BuildProblem::from).collect(),
    }
}

/// The builder after the recorded steps.
fn builder(recorded: &Value) -> Result<TranscriptBuilder, Vec<BuildError>> {
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
        Some(_) => return refuse("`created`: expected a string"),
        None => {}
    }
    let Some(steps) = recorded.get("steps").and_then(Value::as_array) else {
        return refuse("`steps`: expected a list");
    };
    for step in steps {
        let entries = step.as_object().filter(|entries| entries.len() == 1);
        match entries.and_then(|entries| entries.iter().next()) {
            Some((method, argument)) => builder.step(method, argument.clone()),
            None => builder.step("", Value::Null),
        }
    }
    Ok(builder)
}
