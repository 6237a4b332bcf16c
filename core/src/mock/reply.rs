//! The answer of a handler.

use serde_json::{Map, Value};

use super::Profile;
use super::error::{MockError, MockErrorKind};
use crate::model::handlers::{MockResponse, Outcome};
use crate::model::{Content, RESPONSE, Shape, ToolCall};
use crate::parse::{Node, read};
use crate::text::{JsonMap, Span, json_line};

/// An answer, its templates filled in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Response {
    /// The role, if the handler sets one; only the `good-agent` profile uses it.
    pub role: Option<String>,
    /// Its content: a text, or parts; null when it has none.
    pub content: Value,
    /// The tools it calls.
    pub tool_calls: Vec<ToolCall>,
    /// `refusal`, `reasoning`, `citations`, `annotations`, `usage`, `metadata`, `parsed`, `chunks`,
    /// `finish_reason`, `model` and all others.
    pub extra: Map<String, Value>,
}

impl Response {
    /// An answer with the content `text`.
    ///
    /// ```
    /// use transcript_core::mock::Response;
    /// assert_eq!(Response::text("Hi").to_value()["content"], "Hi");
    /// ```
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self { content: text.into(), ..Self::default() }
    }

    /// The answer with a call of the tool `name` more.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::mock::Response;
    /// let reply = Response::text("I'll check").call("get_weather", json!({"city": "Paris"}));
    /// assert_eq!(&*reply.tool_calls[0].name.value, "get_weather");
    /// ```
    #[must_use]
    pub fn call(mut self, name: &str, arguments: Value) -> Self {
        self.tool_calls.push(ToolCall::unplaced(None, name, arguments));
        self
    }

    /// The answer with the result of its last call, which does not run.
    #[must_use]
    pub fn result(mut self, result: Value) -> Self {
        if let Some(last) = self.tool_calls.last_mut() {
            last.outcome = Some(Box::new(Outcome::Result(result)));
        }
        self
    }

    /// An answer of code: a text, or a map with the keys of a response in any shape that documents may
    /// have. Its texts are literal: templates are for documents.
    ///
    /// # Errors
    /// [`MockErrorKind::InvalidResponse`] for anything else, worded by the profile.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::mock::{Profile, Response};
    /// let reply = Response::from_value(&json!({"tool_calls": [["f", {"x": 1}]]}), Profile::Default).unwrap();
    /// assert_eq!(reply.tool_calls[0].arguments, json!({"x": 1}));
    /// let error = Response::from_value(&json!(123), Profile::GoodAgent).unwrap_err();
    /// assert_eq!(
    ///     error.message,
    ///     "Handler returned invalid type: <class 'int'>. Expected MockResponse or str."
    /// );
    /// ```
    pub fn from_value(value: &Value, profile: Profile) -> Result<Self, Box<MockError>> {
        let Value::Object(entries) = value else {
            return match value {
                Value::String(text) => Ok(Self::text(text)),
                other => Err(not_a_reply(other, profile)),
            };
        };
        let invalid = |what: String| {
            let message = format!("a handler returned a map {what}; {REMEDY}");
            Err(MockError::new(MockErrorKind::InvalidResponse, message))
        };
        let node = Node::from_value(value, Span::default());
        let response = read::response(&node);
        if profile == Profile::Default {
            if !entries.keys().any(|key| is_key(key)) {
                return invalid("without keys of a response".to_owned());
            }
            match entries.get("content") {
                Some(content @ (Value::Bool(_) | Value::Number(_))) => {
                    return invalid(format!("with {} as `content`", describe_value(content)));
                }
                Some(Value::Object(content)) if !content.contains_key("$binary") => {
                    let message = "a handler returned a map with a map as `content`; put data in `parsed`";
                    return Err(MockError::new(MockErrorKind::InvalidResponse, message));
                }
                _ => {}
            }
        }
        if let Some(calls) = entries.get("tool_calls").filter(|calls| !calls.is_null()) {
            let Value::Array(items) = calls else {
                return invalid(format!("with {} as `tool_calls`, expected a list", describe_value(calls)));
            };
            let named = usize::from(response.tool_calls.len() > items.len());
            if response.tool_calls.len() - named < items.len() {
                return invalid("with a tool call without a name".to_owned());
            }
        }
        let reply = Self::from(&response);
        Ok(if profile == Profile::Default { reply.with_parsed_content() } else { reply })
    }

    /// The answer with its structured output as its text, if it has no other content: a model has no other way to
    /// return it.
    pub(super) fn with_parsed_content(mut self) -> Self {
        let has = |key: &str| self.extra.get(key).is_some_and(|value| !value.is_null());
        let is_silent = self.content.is_null() && self.tool_calls.is_empty();
        if is_silent && has("parsed") && !has("refusal") && !has("chunks") {
            self.content = self.extra.get("parsed").map(json_line).unwrap_or_default().into();
        }
        self
    }

    /// The answer as data, with the keys of a response.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::mock::Response;
    /// let reply = Response::default().call("f", json!({})).result(json!(2));
    /// assert_eq!(
    ///     reply.to_value(),
    ///     json!({"content": null, "tool_calls": [{"name": "f", "arguments": {}, "result": 2}]})
    /// );
    /// ```
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut out = Map::new();
        if let Some(role) = &self.role {
            out.put("role", role.as_str().into());
        }
        out.put("content", self.content.clone());
        if !self.tool_calls.is_empty() {
            let calls = self.tool_calls.iter().map(call_value);
            out.put("tool_calls", calls.collect());
        }
        out.extend(self.extra.iter().map(|(key, value)| (key.clone(), value.clone())));
        Value::Object(out)
    }
}

/// A call as data: `id`, `name`, `arguments`, `result` or `error`.
fn call_value(call: &ToolCall) -> Value {
    let mut out = Map::new();
    if let Some(id) = &call.id {
        out.put("id", (*id.value).into());
    }
    out.put("name", (*call.name.value).into());
    out.put("arguments", call.arguments.clone());
    match call.outcome.as_deref() {
        Some(Outcome::Result(result)) => out.put("result", result.clone()),
        Some(Outcome::Error(error)) => out.put("error", error.clone()),
        None => {}
    }
    Value::Object(out)
}

impl From<&MockResponse> for Response {
    /// The response unchanged, templates included.
    fn from(response: &MockResponse) -> Self {
        Self {
            role: response.role.as_ref().map(|role| role.value.to_string()),
            content: response.content.as_ref().map_or(Value::Null, Content::to_value),
            tool_calls: response.tool_calls.clone(),
            extra: response.extra.clone(),
        }
    }
}

/// Types that code may answer with.
pub trait IntoResponse {
    /// The answer.
    ///
    /// # Errors
    /// When it is not an answer, or an error.
    fn into_response(self) -> Result<Response, Box<MockError>>;
}

impl IntoResponse for Response {
    fn into_response(self) -> Result<Response, Box<MockError>> {
        Ok(self)
    }
}

impl IntoResponse for &str {
    fn into_response(self) -> Result<Response, Box<MockError>> {
        Ok(Response::text(self))
    }
}

impl IntoResponse for String {
    fn into_response(self) -> Result<Response, Box<MockError>> {
        Ok(Response { content: self.into(), ..Response::default() })
    }
}

impl IntoResponse for Value {
    fn into_response(self) -> Result<Response, Box<MockError>> {
        Response::from_value(&self, Profile::Default)
    }
}

impl<R: IntoResponse> IntoResponse for Result<R, Box<MockError>> {
    fn into_response(self) -> Result<Response, Box<MockError>> {
        self?.into_response()
    }
}

const REMEDY: &str = "return a string, or a map with `content` or `tool_calls`";

fn is_key(key: &str) -> bool {
    let Shape::TextOr(Shape::Map(fields)) = &RESPONSE else { return false };
    fields.iter().any(|field| field.name == key)
}

fn not_a_reply(value: &Value, profile: Profile) -> Box<MockError> {
    let message = match profile {
        Profile::Default => format!("a handler returned {}; {REMEDY}", describe_value(value)),
        Profile::GoodAgent => {
            let name = python_type(value);
            format!("Handler returned invalid type: <class '{name}'>. Expected MockResponse or str.")
        }
    };
    MockError::new(MockErrorKind::InvalidResponse, message)
}

fn describe_value(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(_) => "a string".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "a map".to_owned(),
    }
}

/// Python's name for the type of a value.
fn python_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "NoneType",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float",
        Value::Number(_) => "int",
        Value::String(_) => "str",
        Value::Array(_) => "list",
        Value::Object(_) => "dict",
    }
}
