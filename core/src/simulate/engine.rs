//! The handler, queue or host that answers in place of an agent's model.

use serde_json::{Map, Value};

use super::answer::{Answer, Fault};
use super::input::{AgentSpec, Answers, InputError, Profile, Read, join};
use super::report::SimError;
use super::tool::ToolFault;
use crate::encoding::python;
use crate::mock::{
    Code, FunctionCall, FunctionResults, MessageHistory, MockContext, MockError, MockErrorKind, MockHandler,
    MockRequest, Runner, Trace,
};
use crate::model::handler_type;
use crate::model::handlers::Handler;
use crate::parse::{Node, read};
use crate::text::{JsonMap, Span, json, kind_name};

/// What answers, with its state.
#[derive(Debug)]
pub(super) enum Engine {
    /// The library's own queue of responses, which is not its handler of queued responses.
    Queue { responses: Vec<Answer>, index: usize },
    /// A declarative handler.
    Handler(Box<DeclaredHandler>),
    /// Code of the host.
    External,
    /// The agent of this name has no handler.
    Nobody(String),
}

/// A declarative handler at work.
#[derive(Debug)]
pub(super) struct DeclaredHandler {
    runner: Runner,
    /// The responses that the handler chooses from, under `good-agent`: the library fills no template in,
    /// and the handler does not see its own kinds of response.
    table: Vec<Answer>,
    /// The number of its answers, over all entries of its mock.
    pub answer_count: usize,
}

/// Marks a reference to a response of the table. No text of a user can be mistaken for it: the key is only
/// searched in what [`replace_responses`] put there.
const TOKEN: &str = "$response";

impl Engine {
    pub(super) fn new(spec: &AgentSpec, profile: Profile, code: &Code) -> Read<Self> {
        let path = &spec.answers_at;
        match &spec.answers {
            Answers::External => Ok(Engine::External),
            Answers::Handler(handler) => {
                handler_engine(handler, profile, path, code, Runner::in_handler_engine)
            }
            Answers::Mock(_) if path.is_empty() && profile == Profile::Default => {
                Ok(Engine::Nobody(spec.key.clone()))
            }
            Answers::Mock(values) => mock_engine(values, profile, path, code),
        }
    }

    /// The library's class name for this model.
    pub(super) fn class(&self) -> &'static str {
        match self {
            Engine::Queue { .. } => "MockQueuedLanguageModel",
            Engine::Handler(_) | Engine::External | Engine::Nobody(_) => "MockHandlerLanguageModel",
        }
    }

    /// How many answers are left, where that is known.
    pub(super) fn remaining(&self) -> Option<usize> {
        match self {
            Engine::Queue { responses, index } => Some(responses.len().saturating_sub(*index)),
            Engine::Handler(declared) => usize::try_from(declared.runner.remaining()?).ok(),
            Engine::External => None,
            Engine::Nobody(_) => Some(0),
        }
    }

    /// The mock is left and entered again: the library makes a new model around the old handler.
    pub(super) fn reenter(&mut self, reset: bool) {
        match self {
            Engine::Queue { index, .. } => *index = 0,
            Engine::Handler(declared) if reset => {
                declared.runner.reset();
                declared.answer_count = 0;
            }
            Engine::Handler(_) | Engine::External | Engine::Nobody(_) => {}
        }
    }

    /// The answer to one call, with its reasons in `trace`; or the function that the host has to call first.
    pub(super) fn answer(
        &mut self,
        context: &MockContext<'_>,
        history: &MessageHistory,
        profile: Profile,
        trace: &mut Trace,
        function_results: &FunctionResults,
    ) -> Result<Result<Answer, SimError>, FunctionCall> {
        Ok(match self {
            Engine::External => Err(SimError::new("InvalidResponseError", "the host responds")),
            Engine::Nobody(name) => {
                let message = format!("the agent `{name}` has no handler; add one, or responses in `mock`");
                Err(SimError::new("MockExhaustedError", message))
            }
            Engine::Queue { responses, index } => {
                let Some(answer) = responses.get(*index) else {
                    return Ok(Err(SimError::new("ValueError", "No more mock responses available")));
                };
                *index += 1;
                let kind = if answer.kind.is_empty() { "message" } else { &*answer.kind };
                let role = answer.role();
                if kind != "message" || role != "assistant" {
                    let message = format!("Expected assistant message, got {kind}:{role}");
                    return Ok(Err(SimError::new("ValueError", message)));
                }
                validate_answer(answer.clone())
            }
            Engine::Handler(declared) => {
                let mut request = MockRequest::new(context, trace, profile)
                    .with_results(function_results)
                    .with_history(history);
                let answered = declared.runner.answer(&mut request);
                if let Some(question) = request.pending_function() {
                    return Err(question.clone());
                }
                let response = match answered {
                    Ok(response) => response,
                    Err(error) => return Ok(Err(DeclaredHandler::error(*error, profile))),
                };
                declared.answer_count += 1;
                let token = response.extra.get(TOKEN).and_then(Value::as_u64);
                let chosen = token.and_then(|at| declared.table.get(usize::try_from(at).ok()?)).cloned();
                validate_answer(chosen.unwrap_or_else(|| Answer { response, ..Answer::default() }))
            }
        })
    }
}

/// An answer that the library can make a message of.
pub(super) fn validate_answer(mut answer: Answer) -> Result<Answer, SimError> {
    match answer.fault.take() {
        Some(Fault { kind, message }) => Err(SimError::new(kind, message)),
        None => Ok(answer),
    }
}

impl DeclaredHandler {
    fn error(error: MockError, profile: Profile) -> SimError {
        if let MockErrorKind::Failed(value) = &error.kind {
            let fault = ToolFault::from_value(value);
            let kind = match profile {
                Profile::GoodAgent => "Exception",
                Profile::Default => error.kind.name(),
            };
            let kind = fault.kind.unwrap_or_else(|| kind.to_owned());
            let mut details = match profile {
                Profile::Default => value.as_object().cloned().unwrap_or_default(),
                Profile::GoodAgent => Map::new(),
            };
            details.retain(|key, _| !matches!(&**key, "type" | "message"));
            let details = Some(details).filter(|details| !details.is_empty()).map(Box::new);
            return SimError { path: error.path, details, ..SimError::new(kind, fault.message) };
        }
        let mut out = SimError { path: error.path, ..SimError::new(error.kind.name(), error.message) };
        if let MockErrorKind::Function(thrown) = &error.kind {
            out.failure = thrown.get("failure").and_then(Value::as_u64);
            if profile == Profile::GoodAgent {
                let text = |key: &str| thrown.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
                (out.kind, out.message) = (text("name"), text("message"));
            }
        } else if profile == Profile::GoodAgent {
            error.kind.python_name().clone_into(&mut out.kind);
        }
        out
    }
}

fn type_of(value: &Value) -> Option<&str> {
    value.get("type")?.as_str().filter(|name| handler_type(name).is_some())
}

/// The arguments of `agent.mock(...)`: one handler, or responses.
fn mock_engine(values: &[Value], profile: Profile, path: &str, code: &Code) -> Read<Engine> {
    if let [only] = values
        && type_of(only).is_some()
    {
        return handler_engine(only, profile, &format!("{path}[0]"), code, Runner::in_handler_engine);
    }
    let mut responses = Vec::with_capacity(values.len());
    for (index, value) in values.iter().enumerate() {
        let path = format!("{path}[{index}]");
        let class = match (value, type_of(value)) {
            (_, Some(kind)) => Some(handler_class(kind)),
            (Value::String(_) | Value::Object(_), None) => None,
            (other, None) => Some(python::class(other)),
        };
        if let Some(class) = class {
            return Err(match profile {
                Profile::GoodAgent => input_error(
                    path,
                    &Fault::new("TypeError", format!("Invalid mock response type: {class}")),
                ),
                Profile::Default if type_of(value).is_some() => {
                    InputError::new(path, "use either a handler or responses")
                }
                Profile::Default => InputError::new(
                    path,
                    format!("is {}, neither a response nor a handler", kind_name(value)),
                ),
            });
        }
        responses.push(Answer::read(value, profile).map_err(|fault| input_error(path, &fault))?);
    }
    // The library's own queue calls no function, its handler of queued responses does.
    if profile == Profile::GoodAgent && !code.is_in_list(path) {
        return Ok(Engine::Queue { responses, index: 0 });
    }
    handler_engine(&json!({"type": "queue", "responses": values}), profile, path, code, Runner::from_list)
}

fn handler_class(kind: &str) -> &'static str {
    match kind {
        "queue" => "<class 'good_agent.mock.QueuedResponseHandler'>",
        "conditional" => "<class 'good_agent.mock.ConditionalHandler'>",
        "transcript" => "<class 'good_agent.mock.TranscriptHandler'>",
        _ => "<class 'Handler'>",
    }
}

fn input_error(path: impl Into<String>, fault: &Fault) -> Box<InputError> {
    InputError::with_kind(fault.kind, path, fault.message.clone())
}

type Make = fn(&Handler, &str, Profile, &Code) -> Result<Runner, Box<MockError>>;

fn handler_engine(value: &Value, profile: Profile, path: &str, code: &Code, make: Make) -> Read<Engine> {
    if value.get("type").and_then(Value::as_str).is_none() {
        let message = match value {
            Value::Object(_) => "a handler needs a `type`".to_owned(),
            other => format!("is {}, not a handler", kind_name(other)),
        };
        return Err(InputError::new(path, message));
    }
    let mut table = Vec::new();
    let mut value = value.clone();
    if profile == Profile::GoodAgent {
        replace_responses(&mut value, path, &mut table)?;
    }
    let mut root = Map::new();
    root.put("agent", value);
    let node = Node::from_value(&Value::Object(root), Span::default());
    let Some((_, handler)) = read::handlers(&node).agents.into_iter().next() else {
        return Err(InputError::new(path, "a handler needs a `type`"));
    };
    let runner = make(&handler, path, profile, code).map_err(|error| {
        let path = if error.path.is_empty() { path.to_owned() } else { error.path.clone() };
        InputError::with_kind(error.kind.name(), path, error.message)
    })?;
    Ok(Engine::Handler(Box::new(DeclaredHandler { runner, table, answer_count: 0 })))
}

/// Moves the responses of a handler, including nested handlers, into a table and leaves tokens in their
/// places.
fn replace_responses(value: &mut Value, path: &str, table: &mut Vec<Answer>) -> Read<()> {
    let Some(entries) = value.as_object_mut() else { return Ok(()) };
    for (key, value) in entries.iter_mut() {
        let path = join(path, key);
        match (key.as_str(), value) {
            ("responses", Value::Array(items)) => replace_each(items, &path, table, response)?,
            ("entries", Value::Array(items)) => replace_each(items, &path, table, entry)?,
            ("respond" | "default", value) => response(value, &path, table)?,
            ("then", value) if value.get("type").is_none_or(|kind| !is_handler(kind)) => {
                response(value, &path, table)?;
            }
            ("then" | "handler", value) => replace_responses(value, &path, table)?,
            ("rules" | "handlers", Value::Array(items)) => {
                replace_each(items, &path, table, replace_responses)?
            }
            ("states", Value::Object(states)) => {
                for (name, state) in states.iter_mut() {
                    replace_responses(state, &join(&path, name), table)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn is_handler(kind: &Value) -> bool {
    kind.as_str().is_some_and(|kind| handler_type(kind).is_some())
}

type ReplaceResponse = fn(&mut Value, &str, &mut Vec<Answer>) -> Read<()>;

fn replace_each(
    items: &mut [Value],
    path: &str,
    table: &mut Vec<Answer>,
    replace: ReplaceResponse,
) -> Read<()> {
    items
        .iter_mut()
        .enumerate()
        .try_for_each(|(index, item)| replace(item, &format!("{path}[{index}]"), table))
}

fn response(value: &mut Value, path: &str, table: &mut Vec<Answer>) -> Read<()> {
    let answer = Answer::read(value, Profile::GoodAgent).map_err(|fault| input_error(path, &fault))?;
    put_token(value, answer, table);
    Ok(())
}

/// An entry of a conversation. The library treats each as an answer, whatever its role.
fn entry(value: &mut Value, path: &str, table: &mut Vec<Answer>) -> Read<()> {
    let answer = match &*value {
        Value::Array(parts) => {
            let extras = parts.get(2).cloned().unwrap_or_else(|| Value::Object(Map::new()));
            let read = Answer::read(&extras, Profile::GoodAgent);
            let mut answer = read.map_err(|fault| input_error(path, &fault))?;
            answer.response.role = parts.first().and_then(Value::as_str).map(str::to_owned);
            answer.response.content = parts.get(1).cloned().unwrap_or_default();
            answer
        }
        other => Answer::read(other, Profile::GoodAgent).map_err(|fault| input_error(path, &fault))?,
    };
    put_token(value, answer, table);
    Ok(())
}

fn put_token(value: &mut Value, answer: Answer, table: &mut Vec<Answer>) {
    *value = json!({"content": "", TOKEN: table.len()});
    table.push(answer);
}
