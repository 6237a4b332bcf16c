//! Makes the responses of handlers, with their templates filled in.

use serde_json::{Map, Value};

use super::condition::query;
use super::error::{MockError, MockResult};
use super::place::Place;
use super::request::MockRequest;
use super::variables::VariableSet;
use super::{IntoResponse, MockContext, Response};
use crate::model::handlers::{MockResponse, Outcome};
use crate::model::{Content, ToolCall};
use crate::query::Template;

/// The response of a handler: of a document, a reply, or code that makes one.
pub struct Respond {
    pub(super) place: Place,
    /// What decides whether the library takes it for an assistant's message: its type and role, if
    /// set.
    message_kind: MessageKind,
    kind: Kind,
}

/// The `type` and the `role` of a response as written.
#[derive(Clone, Debug, Default)]
struct MessageKind {
    kind: Option<String>,
    role: Option<String>,
}

type Code = dyn FnMut(&MockContext<'_>) -> MockResult<Response>;

enum Kind {
    Fixed(Response),
    Filled(Box<ResponseTemplate>),
    Code(Box<Code>),
    /// A function of the host at this place makes it.
    Host(usize, Place),
    Broken(Box<MockError>),
}

/// Types that can be a response in code: a text, a [`Response`], data, or code of [`Respond::code`].
pub trait IntoRespond {
    /// The response. If it is invalid, its error is returned when it is used.
    fn into_respond(self) -> Respond;
}

impl IntoRespond for Respond {
    fn into_respond(self) -> Respond {
        self
    }
}

impl<R: IntoResponse> IntoRespond for R {
    fn into_respond(self) -> Respond {
        Respond::from_response(self)
    }
}

/// A response with templates in it.
struct ResponseTemplate {
    role: Option<String>,
    content: TemplateValue,
    calls: Vec<CallTemplate>,
    extra: Vec<(String, TemplateValue)>,
}

struct CallTemplate {
    id: Option<TemplateValue>,
    name: TemplateValue,
    arguments: TemplateValue,
    /// The result, or the error.
    outcome: Option<(bool, TemplateValue)>,
}

/// A piece of data that may have templates in it.
enum TemplateValue {
    Fixed(Value),
    /// The filled value becomes part of a text.
    Text(Place, Box<Template>, VariableSet),
    /// A template that is only one expression keeps the kind of its value.
    Data(Place, Box<Template>, VariableSet),
    List(Vec<TemplateValue>),
    Map(Vec<(String, TemplateValue)>),
}

impl std::fmt::Debug for Respond {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Respond").field("place", &self.place).finish_non_exhaustive()
    }
}

impl Respond {
    pub(super) fn compile(response: &MockResponse, place: Place) -> Result<Self, Box<MockError>> {
        let place = place.spanned(response.span);
        let role = response.role.as_ref().map(|role| role.value.to_string());
        let message_kind =
            MessageKind { kind: response.type_name.as_ref().map(ToString::to_string), role: role.clone() };
        // A recorded message that is followed verbatim has no templates, whatever its text looks like.
        if response.templates.is_empty() {
            return Ok(Self { place, message_kind, kind: Kind::Fixed(Response::from(response)) });
        }
        let content = response.content.as_ref().map_or(Value::Null, Content::to_value);
        let calls = response.tool_calls.iter().enumerate();
        let extra = response.extra.iter().map(|(key, value)| {
            let is_text = matches!(key.as_str(), "refusal" | "reasoning" | "chunks");
            Ok((key.clone(), TemplateValue::compile(value, is_text, &place.key(key))?))
        });
        let template = ResponseTemplate {
            role,
            content: TemplateValue::compile(&content, true, &place.key("content"))?,
            extra: extra.collect::<MockResult<_>>()?,
            calls: calls
                .map(|(index, call)| CallTemplate::compile(call, &place.key("tool_calls").index(index)))
                .collect::<Result<_, _>>()?,
        };
        Ok(Self { place, message_kind, kind: Kind::Filled(Box::new(template)) })
    }

    /// A call of a sequence as a response.
    pub(super) fn compile_call(call: &ToolCall, place: Place) -> Result<Self, Box<MockError>> {
        let place = place.spanned(call.span);
        let template = ResponseTemplate {
            role: None,
            content: TemplateValue::Fixed(Value::Null),
            calls: vec![CallTemplate::compile(call, &place)?],
            extra: Vec::new(),
        };
        Ok(Self { place, message_kind: MessageKind::default(), kind: Kind::Filled(Box::new(template)) })
    }

    /// A response that a function of the host makes.
    pub(super) fn host(function: usize, place: Place) -> Self {
        let kind = Kind::Host(function, place.clone());
        Self { place, message_kind: MessageKind::default(), kind }
    }

    pub(super) fn from_response(reply: impl IntoResponse) -> Self {
        let (role, kind) = match reply.into_response() {
            Ok(reply) => (reply.role.clone(), Kind::Fixed(reply)),
            Err(error) => (None, Kind::Broken(error)),
        };
        Self { place: Place::default(), message_kind: MessageKind { kind: None, role }, kind }
    }

    /// A response that code makes from a call.
    ///
    /// ```
    /// use transcript_core::mock::{MockContext, Respond};
    /// let count = Respond::code(|context: &MockContext<'_>| format!("call {}", context.call_count));
    /// # let _ = count;
    /// ```
    pub fn code<R: IntoResponse>(mut code: impl FnMut(&MockContext<'_>) -> R + 'static) -> Self {
        let kind = Kind::Code(Box::new(move |context| code(context).into_response()));
        Self { place: Place::default(), message_kind: MessageKind::default(), kind }
    }

    /// Returns the response and notes it in the trace.
    pub(super) fn respond(
        &mut self,
        request: &mut MockRequest<'_>,
        why: impl Into<String>,
    ) -> Result<Response, Box<MockError>> {
        let mut reply = match &mut self.kind {
            Kind::Fixed(reply) => reply.clone(),
            Kind::Filled(template) => template.fill(request)?,
            Kind::Code(code) => code(request.context)?,
            Kind::Host(function, place) => request.function_response(*function, place)?,
            Kind::Broken(error) => return Err(error.clone()),
        };
        request.trace.note(&self.place.path, true, why);
        request.trace.answered = Some(self.place.path.clone());
        if !request.is_good_agent() {
            return Ok(reply.with_parsed_content());
        }
        // The library makes an empty message of a response of this type.
        if self.message_kind.kind.as_deref() == Some("tool_call") {
            reply.tool_calls.clear();
        }
        Ok(reply)
    }

    /// Sets the place that the trace and errors name for this response.
    pub(super) fn set_place(&mut self, place: &Place) {
        self.place.path.clone_from(&place.path);
    }

    /// The error of the library for a response in a queue that is not a message of the assistant.
    pub(super) fn not_an_answer(&self) -> Option<String> {
        let kind = self.message_kind.kind.as_deref().unwrap_or("message");
        let role = self.message_kind.role.as_deref().unwrap_or("assistant");
        (kind != "message" || role != "assistant")
            .then(|| format!("Expected assistant message, got {kind}:{role}"))
    }

    /// Whether it is a message of the assistant, which is the default.
    pub(super) fn is_from_assistant(&self) -> bool {
        self.message_kind.role.as_deref().is_none_or(|role| role == "assistant")
    }
}

impl ResponseTemplate {
    fn fill(&self, request: &mut MockRequest<'_>) -> Result<Response, Box<MockError>> {
        let content = self.content.fill(request)?;
        let calls = self.calls.iter().map(|call| call.fill(request)).collect::<Result<_, _>>()?;
        let mut extra = Map::new();
        for (key, template) in &self.extra {
            extra.insert(key.clone(), template.fill(request)?);
        }
        Ok(Response { role: self.role.clone(), content, tool_calls: calls, extra })
    }
}

impl CallTemplate {
    fn compile(call: &ToolCall, place: &Place) -> Result<Self, Box<MockError>> {
        let text = |text: &str, key: &str| TemplateValue::text(text, true, place.key(key));
        let outcome = match call.outcome.as_deref() {
            Some(Outcome::Result(result)) => {
                Some((false, TemplateValue::compile(result, false, &place.key("result"))?))
            }
            Some(Outcome::Error(error)) => {
                Some((true, TemplateValue::compile(error, false, &place.key("error"))?))
            }
            None => None,
        };
        Ok(Self {
            id: call.id.as_ref().map(|id| text(&id.value, "id")).transpose()?,
            name: text(&call.name.value, "name")?,
            arguments: TemplateValue::compile(&call.arguments, false, &place.key("arguments"))?,
            outcome,
        })
    }

    fn fill(&self, request: &mut MockRequest<'_>) -> Result<ToolCall, Box<MockError>> {
        let outcome = match &self.outcome {
            Some((true, template)) => Some(Outcome::Error(template.fill(request)?)),
            Some((false, template)) => Some(Outcome::Result(template.fill(request)?)),
            None => None,
        };
        let id = self.id.as_ref().map(|id| id.fill_text(request)).transpose()?;
        let name = self.name.fill_text(request)?;
        let call = ToolCall::unplaced(id.as_deref(), &name, self.arguments.fill(request)?);
        Ok(ToolCall { outcome: outcome.map(Box::new), ..call })
    }
}

impl TemplateValue {
    /// Data with its templates; with `is_text`, filled values always become part of a text.
    fn compile(value: &Value, is_text: bool, place: &Place) -> Result<Self, Box<MockError>> {
        Ok(match value {
            Value::String(text) => TemplateValue::text(text, is_text, place.clone())?,
            Value::Array(items) if has_braces(value) => {
                let items = items.iter().enumerate();
                let items =
                    items.map(|(index, item)| TemplateValue::compile(item, is_text, &place.index(index)));
                TemplateValue::List(items.collect::<Result<_, _>>()?)
            }
            Value::Object(entries) if has_braces(value) => {
                let entries = entries.iter().map(|(key, item)| {
                    Ok((key.clone(), TemplateValue::compile(item, is_text, &place.key(key))?))
                });
                TemplateValue::Map(entries.collect::<MockResult<_>>()?)
            }
            other => TemplateValue::Fixed(other.clone()),
        })
    }

    fn text(text: &str, is_text: bool, place: Place) -> Result<Self, Box<MockError>> {
        if !text.contains("{{") {
            return Ok(TemplateValue::Fixed(text.into()));
        }
        let template = Template::compile(text).map_err(|error| query(&place, text, &error))?;
        let reads = VariableSet::reading(|name| template.reads(name));
        let template = Box::new(template);
        Ok(if is_text {
            TemplateValue::Text(place, template, reads)
        } else {
            TemplateValue::Data(place, template, reads)
        })
    }

    fn fill(&self, request: &mut MockRequest<'_>) -> Result<Value, Box<MockError>> {
        match self {
            TemplateValue::Fixed(value) => Ok(value.clone()),
            TemplateValue::Text(place, template, reads) => {
                let filled = template.fill(request.variables.data(*reads), &mut request.budget);
                filled.map(Value::String).map_err(|error| query(place, template.text(), &error))
            }
            TemplateValue::Data(place, template, reads) => {
                let value = template.value(request.variables.data(*reads), &mut request.budget);
                value.map_err(|error| query(place, template.text(), &error))
            }
            TemplateValue::List(items) => {
                let items: Result<Vec<Value>, _> = items.iter().map(|item| item.fill(request)).collect();
                items.map(Value::Array)
            }
            TemplateValue::Map(entries) => {
                let entries =
                    entries.iter().map(|(key, template)| Ok((key.clone(), template.fill(request)?)));
                entries.collect::<Result<Map<_, _>, _>>().map(Value::Object)
            }
        }
    }

    fn fill_text(&self, request: &mut MockRequest<'_>) -> Result<String, Box<MockError>> {
        Ok(match self.fill(request)? {
            Value::String(text) => text,
            other => other.to_string(),
        })
    }
}

fn has_braces(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains("{{"),
        Value::Array(items) => items.iter().any(has_braces),
        Value::Object(entries) => entries.values().any(has_braces),
        _ => false,
    }
}
