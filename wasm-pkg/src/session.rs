//! A strict replay that lives on the Rust side.

use serde_json::Value;
use transcript_core::diagnostic::InvalidInput;
use transcript_core::replay::{Request, Session, Settings, Timeline, ToolMatch, ToolSession};
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
    /// Checks settings, the JSON text of what [`Settings::from_value`] reads. Errors here are mistakes of the caller. Errors of
    /// [`SessionHandle::begin`] after it are problems of the recording.
    ///
    /// # Errors
    /// When they are invalid.
    #[wasm_bindgen(js_name = checkSettings)]
    pub fn check_settings(settings: &str) -> Result<(), JsError> {
        self::settings(settings, Settings::from_value).map(|_| ())
    }

    /// Begins a replay of the document. `settings` is the JSON text of what [`Settings::from_value`] reads.
    ///
    /// # Errors
    /// When nothing is recorded that could be replayed.
    pub fn begin(document: &DocumentHandle, settings: &str) -> Result<Self, JsError> {
        let settings = self::settings(settings, Settings::from_value)?;
        let session = Session::with(timeline(document)?, settings);
        let session = session?;
        Ok(Self { session: session.with_origin(document.origin()) })
    }

    /// Makes the next recorded call itself, as a faithful agent would; JSON out, nothing if no call is left.
    pub fn rehearse(&mut self) -> Option<String> {
        self.session.rehearse().map(|answer| answer::json(&answer))
    }

    /// Answers one request, JSON in and JSON out.
    ///
    /// # Errors
    /// When the request cannot be read.
    pub fn request(&mut self, request: &str) -> Result<String, JsError> {
        request_json(&mut self.session, request).map_err(JsError::from)
    }

    /// The messages that are expected next, in canonical form, as a JSON list; nothing when no call is
    /// left or its messages are not recorded.
    #[must_use]
    pub fn expected(&self) -> Option<String> {
        self.session.expected().map(|messages| answer::json(&messages))
    }

    /// Whether there are several agents.
    #[wasm_bindgen(js_name = hasAgents)]
    #[must_use]
    pub fn has_agents(&self) -> bool {
        self.session.has_agents()
    }

    /// The number of recorded calls that are still expected.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.session.remaining()
    }

    /// The steps that are still expected.
    #[must_use]
    pub fn leftover(&self) -> Vec<String> {
        self.session.leftover()
    }

    /// The run of the first of those, as a divergence names it.
    #[wasm_bindgen(js_name = leftoverRun)]
    #[must_use]
    pub fn leftover_run(&self) -> String {
        self.session.leftover_run()
    }
}

/// The recorded results of tools, for a live agent.
#[wasm_bindgen]
#[derive(Debug)]
pub struct ToolSessionHandle {
    session: ToolSession,
}

#[wasm_bindgen]
impl ToolSessionHandle {
    /// Begins with every recorded run of a tool. `matching` is `arguments`, `id` or `order`.
    ///
    /// # Errors
    /// When the document is no transcript or there is no such matching.
    pub fn begin(document: &DocumentHandle, matching: &str, settings: &str) -> Result<Self, JsError> {
        let matching = ToolMatch::new(matching)?;
        let session =
            ToolSession::new(timeline(document)?, matching, self::settings(settings, Settings::for_tools)?);
        Ok(Self { session })
    }

    /// Answers one call, `{id?, name, arguments}` as JSON text; JSON out.
    ///
    /// # Errors
    /// When it is no call.
    pub fn call(&mut self, call: &str) -> Result<String, JsError> {
        let call: Value = transcript_core::text::json_value(call)
            .map_err(|error| JsError::new(&format!("the tool call cannot be read: {error}")))?;
        let answer = self.session.call_value(&call)?;
        Ok(answer::json(&answer))
    }

    /// The steps whose results were not used.
    #[must_use]
    pub fn leftover(&self) -> Vec<String> {
        self.session.leftover()
    }
}

fn timeline(document: &DocumentHandle) -> Result<Timeline, JsError> {
    let timeline = document.document().timeline();
    timeline.cloned().ok_or_else(|| JsError::new("the document is not a transcript"))
}

fn settings(json: &str, read: fn(&Value) -> Result<Settings, InvalidInput>) -> Result<Settings, JsError> {
    let value: Value = transcript_core::text::json_value(json)
        .map_err(|error| JsError::new(&format!("the settings cannot be read: {error}")))?;
    read(&value).map_err(|error| JsError::new(&format!("replay() has invalid settings: {error}")))
}

/// Answers one request.
///
/// # Errors
/// When the request cannot be read.
///
/// ```
/// use transcript_core::{replay::Session, document::{Document, Limits}};
/// let document = Document::open("messages: ['user: Hi', 'assistant: Hello!']", &Limits::default());
/// let mut session = Session::new(document.timeline().unwrap().clone()).unwrap();
/// let request = r#"{"format": "canonical", "messages": [{"role": "user", "content": "Hi"}]}"#;
/// let answer = transcript_wasm::session::request_json(&mut session, request).unwrap();
/// assert!(answer.starts_with(r#"{"kind":"response","step":"1","response":{"content":"Hello!""#));
/// ```
pub fn request_json(session: &mut Session, request: &str) -> Result<String, InvalidInput> {
    let request: Value = transcript_core::text::json_value(request)
        .map_err(|error| InvalidInput::from(format!("the request cannot be read: {error}")))?;
    Ok(answer::json(&session.request(&Request::from_value(&request)?)))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use transcript_core::document::{Document, Limits};
    use transcript_core::replay::Session;

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
        let mut send = || {
            let request = json!({ "messages": [{ "role": "user", "content": "Hi" }] }).to_string();
            serde_json::from_str::<Value>(&request_json(&mut session, &request).unwrap()).unwrap()
        };
        let [first, second] = [send(), send()];
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
        assert!(request_json(&mut session, "{").unwrap_err().to_string().contains("cannot be read"));
        assert_eq!((session.calls(), session.remaining()), (0, 2));
    }
}
