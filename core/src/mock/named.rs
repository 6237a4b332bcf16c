//! The tests of conditions, from the published table.

use serde_json::{Map, Value};

use super::MockContext;
use super::alternatives::Alternatives;
use super::condition::{Verdict, has_keys, query};
use super::error::{MockError, MockErrorKind, MockResult};
use super::place::Place;
use super::request::MockRequest;
use super::variables::CallVariables;
use crate::model::handlers::range;
use crate::query::Pattern;
use crate::text::json_line;

/// A compiled test.
#[derive(Debug)]
pub(super) enum Test {
    /// The text contains one of these, or equals one.
    Texts { of: TextSource, whole: bool, wanted: Alternatives },
    /// The pattern matches somewhere in the text.
    Matches { of: TextSource, pattern: Box<Pattern> },
    /// Whether the last tool result is an error.
    Failed(bool),
    /// One of these tools has been called.
    Called(Alternatives),
    /// A number lies between these, both included.
    Count { of: CountSource, from: i64, to: i64 },
    /// The context has these keys with these values.
    Context(Map<String, Value>),
}

/// The text of a test.
#[derive(Clone, Copy, Debug)]
pub(super) enum TextSource {
    User,
    Assistant,
    Tool,
    ToolName,
    Role,
    Agent,
    Model,
}

/// The number of a test.
#[derive(Clone, Copy, Debug)]
pub(super) enum CountSource {
    Calls,
    Iteration,
    Messages,
}

impl Test {
    pub(super) fn compile(
        name: &str,
        value: &Value,
        ignores_case: bool,
        place: &Place,
    ) -> Result<Self, Box<MockError>> {
        let wrong = |wanted: &str| {
            let message = format!("{} is {}, not {wanted}", place.name(name), quote_value(value));
            MockError::at(MockErrorKind::Condition, place, message)
        };
        let texts = |value: &Value| {
            Alternatives::new(value, ignores_case).ok_or_else(|| wrong("a string or a list of strings"))
        };
        let count = |of| {
            let (from, to) =
                range(value).ok_or_else(|| wrong("a number or a map of `at_least` and `at_most`"))?;
            Ok(Test::Count { of, from, to })
        };
        let whole = |of| Ok(Test::Texts { of, whole: true, wanted: texts(value)? });
        match name {
            "last_tool_name" => whole(TextSource::ToolName),
            "last_role" => {
                // The canonical form has no `developer`: it is the newer word for `system`.
                let system = |role: &Value| if role == "developer" { "system".into() } else { role.clone() };
                let roles = match value {
                    Value::Array(roles) => roles.iter().map(system).collect(),
                    role => system(role),
                };
                Ok(Test::Texts { of: TextSource::Role, whole: true, wanted: texts(&roles)? })
            }
            "agent" => whole(TextSource::Agent),
            "model" => whole(TextSource::Model),
            "last_tool_failed" => Ok(Test::Failed(value.as_bool().ok_or_else(|| wrong("a boolean"))?)),
            "tool_called" => Ok(Test::Called(texts(value)?)),
            "call_count" => count(CountSource::Calls),
            "iteration" => count(CountSource::Iteration),
            "message_count" => count(CountSource::Messages),
            "context" => Ok(Test::Context(value.as_object().ok_or_else(|| wrong("a map"))?.clone())),
            _ => {
                let (of, how) = match name.rsplit_once('_') {
                    Some(("last_user", how)) => (TextSource::User, how),
                    Some(("last_assistant", how)) => (TextSource::Assistant, how),
                    Some(("last_tool", how)) => (TextSource::Tool, how),
                    _ => return Err(wrong("a known test")),
                };
                if how == "matches" {
                    let text = value.as_str().ok_or_else(|| wrong("a string"))?;
                    let pattern =
                        Pattern::compile(text, ignores_case).map_err(|error| query(place, text, &error))?;
                    return Ok(Test::Matches { of, pattern: Box::new(pattern) });
                }
                Ok(Test::Texts { of, whole: how == "equals", wanted: texts(value)? })
            }
        }
    }

    /// Whether it holds. Searching texts uses part of the answer's budget.
    pub(super) fn holds(&self, place: &Place, request: &mut MockRequest<'_>) -> MockResult<Verdict> {
        Ok(match self {
            Test::Matches { of, pattern } => {
                let Some(found) = of.text(&request.variables, request.context) else {
                    return Ok(of.missing());
                };
                let matched = pattern.find_within(found, &mut request.budget);
                let matched = matched.map_err(|error| query(place, pattern.text(), &error))?;
                let (of, text) = (of.name(), quote_start(pattern.text()));
                match matched {
                    Some(at) => {
                        let part = quote_start(found.get(at).unwrap_or(""));
                        Verdict::new(true, format!("{of} matches `{text}`: `{part}`"))
                    }
                    None => {
                        Verdict::new(false, format!("{of} does not match `{text}`: `{}`", quote_start(found)))
                    }
                }
            }
            Test::Texts { of, whole, wanted } => {
                let bytes = of.text(&request.variables, request.context).map_or(0, str::len);
                request.spend(wanted.cost(bytes), place)?;
                let Some(found) = of.text(&request.variables, request.context) else {
                    return Ok(of.missing());
                };
                let (is, is_not) = if *whole { ("is", "is not") } else { ("contains", "does not contain") };
                match wanted.find(found, *whole) {
                    Some(wanted) => {
                        Verdict::new(true, format!("{} {is} `{}`", of.name(), quote_start(wanted)))
                    }
                    None => {
                        let (of, wanted) = (of.name(), wanted.to_text());
                        Verdict::new(false, format!("{of} {is_not} {wanted}: `{}`", quote_start(found)))
                    }
                }
            }
            Test::Failed(wanted) => match request.variables.tool() {
                None => TextSource::Tool.missing(),
                Some(message) => {
                    let is = if message.is_error { "is an error" } else { "is not an error" };
                    Verdict::new(message.is_error == *wanted, format!("the last tool result {is}"))
                }
            },
            Test::Called(wanted) => {
                request.spend(wanted.cost(64 * request.variables.calls()), place)?;
                check_called(request, wanted)
            }
            Test::Count { of, from, to } => {
                let context = request.context;
                let (number, what) = match of {
                    CountSource::Calls => {
                        (context.call_count, format!("this is call {}", context.call_count))
                    }
                    CountSource::Iteration => {
                        (context.iteration, format!("this is iteration {}", context.iteration))
                    }
                    CountSource::Messages => {
                        let sent = context.messages.len();
                        (sent as u64, format!("the number of messages is {sent}"))
                    }
                };
                let number = i64::try_from(number).unwrap_or(i64::MAX);
                let holds = *from <= number && number <= *to;
                let wanted = describe_range(*from, *to);
                Verdict::new(holds, if holds { what } else { format!("{what}, expected {wanted}") })
            }
            Test::Context(wanted) => has_keys(request.context.context, wanted),
        })
    }
}

impl TextSource {
    fn text<'s>(self, variables: &'s CallVariables<'_>, context: &'s MockContext<'_>) -> Option<&'s str> {
        match self {
            TextSource::User => variables.user(),
            TextSource::Assistant => variables.assistant(),
            TextSource::Tool => variables.tool_text(),
            TextSource::ToolName => variables.tool_name(),
            TextSource::Role => {
                variables.last_role().map(|role| if role == "developer" { "system" } else { role })
            }
            TextSource::Agent => context.agent,
            TextSource::Model => context.model,
        }
    }

    fn name(self) -> &'static str {
        match self {
            TextSource::User => "the last user message",
            TextSource::Assistant => "the last assistant message",
            TextSource::Tool => "the last tool result",
            TextSource::ToolName => "the tool of the last result",
            TextSource::Role => "the last role",
            TextSource::Agent => "the agent",
            TextSource::Model => "the model",
        }
    }

    fn missing(self) -> Verdict {
        Verdict::new(
            false,
            match self {
                TextSource::User => "there is no user message",
                TextSource::Assistant => "there is no assistant message",
                TextSource::Tool => "there is no tool result",
                TextSource::ToolName => "there is no tool result with a known tool",
                TextSource::Role => "there is no message",
                TextSource::Agent => "there is no agent",
                TextSource::Model => "there is no model",
            },
        )
    }
}

fn check_called(request: &MockRequest<'_>, wanted: &Alternatives) -> Verdict {
    match request.variables.called(|name| wanted.find(name, true).is_some()) {
        Some(name) => Verdict::new(true, format!("`{}` has been called", quote_start(name))),
        None => Verdict::new(false, format!("{} has not been called", wanted.to_text())),
    }
}

fn describe_range(from: i64, to: i64) -> String {
    match (from, to) {
        (from, to) if from == to => from.to_string(),
        (i64::MIN, i64::MAX) => "any number".to_owned(),
        (i64::MIN, to) => format!("at most {to}"),
        (from, i64::MAX) => format!("at least {from}"),
        (from, to) => format!("{from} to {to}"),
    }
}

/// The maximum length of a quoted text in a reason, in characters.
const QUOTED: usize = 60;

/// The beginning of a text, to be quoted.
pub(super) fn quote_start(text: &str) -> String {
    let mut end = text.char_indices().skip(QUOTED).map(|(at, _)| at);
    match end.next() {
        Some(end) => format!("{}…", text.get(..end).unwrap_or("")),
        None => text.to_owned(),
    }
}

/// A value to be quoted.
pub(super) fn quote_value(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => format!("`{}`", quote_start(text)),
        Value::Array(items) if items.len() > 20 => format!("a list of {} items", items.len()),
        Value::Object(entries) if entries.len() > 20 => format!("a map of {} keys", entries.len()),
        _ => format!("`{}`", quote_start(&json_line(value))),
    }
}

/// Whether two values are the same data: `1` equals `1.0`, and the order of keys does not count.
pub(super) fn same_data(a: &Value, b: &Value) -> bool {
    crate::parse::same(a, b)
}
