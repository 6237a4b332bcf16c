//! The errors that vendors send in place of an answer.

use serde_json::Value;

/// The `error` of a body or an event, if it says anything: some servers send an empty one with each answer.
pub(crate) fn error_of(body: &Value) -> Option<&Value> {
    body.get("error").filter(|error| match error {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(map) => !map.is_empty(),
        Value::Bool(true) | Value::Number(_) => true,
    })
}

/// The type of an error, if it has one; an event of the type `error` has it as `code`, and Google's as `status`.
pub(crate) fn error_type(error: &Value) -> Option<&str> {
    let text = |key: &str| error.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let status = || text("status").filter(|_| error.get("code").is_some_and(Value::is_number));
    text("type").filter(|kind| *kind != "error").or(text("code")).or_else(status)
}

/// The type of an error that names none.
pub(crate) const UNNAMED_ERROR: &str = "api_error";

/// The message of an error, if it has one.
pub(crate) fn error_message(error: &Value) -> Option<&str> {
    error.get("message").unwrap_or(error).as_str().filter(|text| !text.is_empty())
}

/// The message of an error; for an error without one its JSON.
pub(crate) fn error_text(error: &Value) -> String {
    error_message(error).map_or_else(|| error.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_empty_error_says_nothing() {
        for nothing in [json!(null), json!(false), json!(""), json!([]), json!({})] {
            assert_eq!(error_of(&json!({"error": nothing})), None, "{nothing}");
        }
        for error in [json!("overloaded"), json!({"code": 502}), json!(true), json!(7)] {
            assert_eq!(error_of(&json!({"error": error})), Some(&error));
        }
    }

    #[test]
    fn an_error_has_a_type_and_a_message_in_every_form() {
        let read = |error: &Value| (error_type(error).map(str::to_owned), error_text(error));
        let expect = |kind: &str, message: &str| (Some(kind.to_owned()), message.to_owned());
        // OpenAI's, Anthropic's, an event of the Responses API, a text, and one that has neither.
        let openai =
            json!({"message": "no such model", "type": "invalid_request_error", "code": "model_not_found"});
        assert_eq!(read(&openai), expect("invalid_request_error", "no such model"));
        let anthropic = json!({"type": "overloaded_error", "message": "Overloaded"});
        assert_eq!(read(&anthropic), expect("overloaded_error", "Overloaded"));
        let event = json!({"type": "error", "code": "rate_limit", "message": "too many"});
        assert_eq!(read(&event), expect("rate_limit", "too many"));
        let google = json!({"code": 429, "message": "too many", "status": "RESOURCE_EXHAUSTED"});
        assert_eq!(read(&google), expect("RESOURCE_EXHAUSTED", "too many"));
        assert_eq!(read(&json!("overloaded")), (None, "overloaded".to_owned()));
        assert_eq!(read(&json!({"status": 7})), (None, r#"{"status":7}"#.to_owned()));
        assert_eq!(error_message(&json!({"message": "", "type": "server_error"})), None);
    }
}
