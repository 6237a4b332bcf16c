//! A strict replay that lives on the Rust side.

use serde_json::{Value, json};
use transcript_core::replay::{Answer, Request, RequestError, Session};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::answer;
use crate::document::DocumentHandle;

/// A strict replay of one recording.
#[wasm_bindgen]
#[derive(Debug)]
pub struct SessionHandle {
    session: Session,
}

#[wasm_bindgen]
impl SessionHandle {
    /// Begins a replay of the document.
    ///
    /// # Errors
    /// When nothing is recorded that could be replayed.
    pub fn begin(document: &DocumentHandle) -> Result<Self, JsError> {
        let Some(timeline) = document.document().timeline() else {
            return Err(JsError::new("the document is not a transcript"));
        };
        Ok(Self {
            session: Session::new(timeline.clone()).map_err(|error| JsError::new(&error.to_string()))?,
        })
    }

    /// Answers one request, JSON in and JSON out.
    ///
    /// # Errors
    /// When the request cannot be read.
    pub fn request(&mut self, request: &str) -> Result<String, JsError> {
        request_json(&mut self.session, request).map_err(|error| JsError::new(&error.0))
    }

    /// The messages that are expected next, in canonical form, as a JSON list; nothing when no call is
    /// left or its messages are not recorded.
    #[must_use]
    pub fn expected(&self) -> Option<String> {
        self.session.expected().map(|messages| answer::json(&messages))
    }

    /// The number of recorded calls that were not asked for yet.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.session.remaining()
    }

    /// The steps that were not asked for yet.
    #[must_use]
    pub fn leftover(&self) -> Vec<String> {
        self.session.leftover()
    }
}

/// Answers one request. A recorded failure also says whether it was retried: whether the next recorded
/// call sends the same messages again.
///
/// # Errors
/// When the request cannot be read.
///
/// ```
/// use transcript_core::{replay::Session, view::{Document, Limits}};
/// let document = Document::open("messages: ['user: Hi', 'assistant: Hello!']", &Limits::default());
/// let mut session = Session::new(document.timeline().unwrap().clone()).unwrap();
/// let request = r#"{"format": "canonical", "messages": [{"role": "user", "content": "Hi"}]}"#;
/// let answer = transcript_wasm::session::request_json(&mut session, request).unwrap();
/// assert!(answer.starts_with(r#"{"kind":"response","step":"1","response":{"content":"Hello!""#));
/// ```
pub fn request_json(session: &mut Session, request: &str) -> Result<String, RequestError> {
    let request: Value = serde_json::from_str(request)
        .map_err(|error| RequestError(format!("the request cannot be read: {error}")))?;
    let request = Request::from_value(&request)?;
    let expected = session.expected();
    let found = session.request(&request);
    Ok(match &found {
        Answer::Error { step, error } => {
            let retried = expected.is_some() && session.expected() == expected;
            json!({ "kind": "error", "step": step, "error": error, "retried": retried }).to_string()
        }
        _ => answer::json(&found),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use transcript_core::replay::Session;
    use transcript_core::view::{Document, Limits};

    use super::request_json;

    const RETRIED: &str = r#"
version: "1.0"
initial_state: {message_store: [{id: a, role: user, content: Hi}]}
execution:
  - {turn: 1, type: llm_call, messages_sent_to_llm: [{ref: a}], llm_error: {type: busy, message: later}}
  - {turn: 2, type: llm_call, messages_sent_to_llm: [{ref: a}], llm_error: {type: busy, message: never}}
"#;

    #[test]
    fn a_failure_is_retried_when_the_same_request_follows() {
        let document = Document::open(RETRIED, &Limits::default());
        let mut session = Session::new(document.timeline().unwrap().clone()).unwrap();
        let mut ask = || {
            let request = json!({ "messages": [{ "role": "user", "content": "Hi" }] }).to_string();
            serde_json::from_str::<Value>(&request_json(&mut session, &request).unwrap()).unwrap()
        };
        let [first, second] = [ask(), ask()];
        assert_eq!(
            (&first["kind"], &first["step"], &first["retried"]),
            (&json!("error"), &json!("1"), &json!(true))
        );
        assert_eq!((&second["step"], &second["retried"]), (&json!("2"), &json!(false)));
    }

    #[test]
    fn a_request_that_is_not_json_moves_nothing() {
        let document = Document::open(RETRIED, &Limits::default());
        let mut session = Session::new(document.timeline().unwrap().clone()).unwrap();
        assert!(request_json(&mut session, "{").unwrap_err().0.contains("cannot be read"));
        assert_eq!((session.calls(), session.remaining()), (0, 2));
    }
}
