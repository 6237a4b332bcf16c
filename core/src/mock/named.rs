//! The tests that a condition may name, by the published table.

use serde_json::{Map, Value};

use super::MockContext;
use super::ask::Ask;
use super::condition::{Verdict, has_keys, query};
use super::error::{Made, MockError, MockErrorKind};
use super::place::Place;
use super::variables::Seen;
use crate::model::handlers::range;
use crate::query::Pattern;
use crate::text::json_line;

/// A compiled test.
#[derive(Debug)]
pub(super) enum Test {
    /// A text that one looks at contains one of these, or is one of these.
    Texts { of: Of, whole: bool, wanted: Vec<String>, ignores_case: bool },
    /// The pattern matches somewhere in the text.
    Matches { of: Of, pattern: Box<Pattern>, place: Place },
    /// The last tool result is an error, or is none.
    Failed(bool),
    /// One of these tools has been called.
    Called { wanted: Vec<String>, ignores_case: bool },
    /// A number lies between these, both included.
    Count { of: CountOf, from: i64, to: i64 },
    /// The context has these keys with these values.
    Context(Map<String, Value>),
}

/// The text that a test looks at.
#[derive(Clone, Copy, Debug)]
pub(super) enum Of {
    User,
    Assistant,
    Tool,
    ToolName,
    Role,
    Agent,
    Model,
}

/// The number that a test looks at.
#[derive(Clone, Copy, Debug)]
pub(super) enum CountOf {
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
            let message = format!("{} is {}, not {wanted}", place.name(name), shown(value));
            MockError::at(MockErrorKind::Condition, place, message)
        };
        let texts = || one_or_more(value).ok_or_else(|| wrong("a text or a list of texts"));
        let count = |of| {
            let (from, to) =
                range(value).ok_or_else(|| wrong("a number or a map of `at_least` and `at_most`"))?;
            Ok(Test::Count { of, from, to })
        };
        let whole =
            |of| Ok(Test::Texts { of, whole: true, wanted: folded(texts()?, ignores_case), ignores_case });
        match name {
            "last_tool_name" => whole(Of::ToolName),
            "last_role" => {
                // The canonical form has no `developer`: it is the newer word for `system`.
                let roles = texts()?.into_iter();
                let roles = roles.map(|role| if role == "developer" { "system".to_owned() } else { role });
                let wanted = folded(roles.collect(), ignores_case);
                Ok(Test::Texts { of: Of::Role, whole: true, wanted, ignores_case })
            }
            "agent" => whole(Of::Agent),
            "model" => whole(Of::Model),
            "last_tool_failed" => Ok(Test::Failed(value.as_bool().ok_or_else(|| wrong("true or false"))?)),
            "tool_called" => Ok(Test::Called { wanted: folded(texts()?, ignores_case), ignores_case }),
            "call_count" => count(CountOf::Calls),
            "iteration" => count(CountOf::Iteration),
            "message_count" => count(CountOf::Messages),
            "context" => Ok(Test::Context(value.as_object().ok_or_else(|| wrong("a map"))?.clone())),
            _ => {
                let (of, how) = match name.rsplit_once('_') {
                    Some(("last_user", how)) => (Of::User, how),
                    Some(("last_assistant", how)) => (Of::Assistant, how),
                    Some(("last_tool", how)) => (Of::Tool, how),
                    _ => return Err(wrong("a test that can be tried")),
                };
                if how == "matches" {
                    let text = value.as_str().ok_or_else(|| wrong("a text"))?;
                    let pattern =
                        Pattern::compile(text, ignores_case).map_err(|error| query(place, text, &error))?;
                    return Ok(Test::Matches { of, pattern: Box::new(pattern), place: place.clone() });
                }
                let wanted = folded(texts()?, ignores_case);
                Ok(Test::Texts { of, whole: how == "equals", wanted, ignores_case })
            }
        }
    }

    pub(super) fn holds(&self, ask: &mut Ask<'_>) -> Made<Verdict> {
        let Test::Matches { of, pattern, place } = self else { return Ok(self.holds_at_once(ask)) };
        let Some(found) = of.text(&ask.seen, ask.context) else { return Ok(of.missing()) };
        let matched = pattern.find_within(found, &mut ask.budget);
        let matched = matched.map_err(|error| query(place, pattern.text(), &error))?;
        let (of, text) = (of.name(), cut(pattern.text()));
        Ok(match matched {
            Some(at) => {
                let part = cut(found.get(at).unwrap_or(""));
                Verdict::new(true, format!("{of} matches `{text}`: `{part}`"))
            }
            None => Verdict::new(false, format!("{of} does not match `{text}`: `{}`", cut(found))),
        })
    }

    /// All but patterns, which take a part of what the answer may cost.
    fn holds_at_once(&self, ask: &Ask<'_>) -> Verdict {
        match self {
            Test::Matches { of, .. } => of.missing(),
            Test::Texts { of, whole, wanted, ignores_case } => {
                let Some(found) = of.text(&ask.seen, ask.context) else { return of.missing() };
                let low;
                let text = if *ignores_case {
                    low = found.to_lowercase();
                    &low
                } else {
                    found
                };
                let fits = |wanted: &&String| {
                    if *whole { text == wanted.as_str() } else { text.contains(wanted.as_str()) }
                };
                let (is, is_not) = if *whole { ("is", "is not") } else { ("contains", "does not contain") };
                match wanted.iter().find(fits) {
                    Some(wanted) => Verdict::new(true, format!("{} {is} `{}`", of.name(), cut(wanted))),
                    None => {
                        let (of, wanted) = (of.name(), any_of(wanted));
                        Verdict::new(false, format!("{of} {is_not} {wanted}: `{}`", cut(found)))
                    }
                }
            }
            Test::Failed(wanted) => match ask.seen.tool() {
                None => Of::Tool.missing(),
                Some(message) => {
                    let is = if message.is_error { "is an error" } else { "is no error" };
                    Verdict::new(message.is_error == *wanted, format!("the last tool result {is}"))
                }
            },
            Test::Called { wanted, ignores_case } => called(ask, wanted, *ignores_case),
            Test::Count { of, from, to } => {
                let (what, number) = match of {
                    CountOf::Calls => ("call", ask.context.call_count),
                    CountOf::Iteration => ("round", ask.context.iteration),
                    CountOf::Messages => ("number of messages", ask.context.messages.len() as u64),
                };
                let number = i64::try_from(number).unwrap_or(i64::MAX);
                let holds = *from <= number && number <= *to;
                let not = if holds { "" } else { "not " };
                Verdict::new(holds, format!("the {what} is {number}, {not}{}", between(*from, *to)))
            }
            Test::Context(wanted) => has_keys(ask.context.context, wanted),
        }
    }
}

impl Of {
    fn text<'s>(self, seen: &'s Seen<'_>, context: &'s MockContext<'_>) -> Option<&'s str> {
        match self {
            Of::User => seen.user(),
            Of::Assistant => seen.assistant(),
            Of::Tool => seen.tool_text(),
            Of::ToolName => seen.tool_name(),
            Of::Role => seen.last_role().map(|role| if role == "developer" { "system" } else { role }),
            Of::Agent => context.agent,
            Of::Model => context.model,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Of::User => "the last user message",
            Of::Assistant => "the last assistant message",
            Of::Tool => "the last tool result",
            Of::ToolName => "the tool of the last result",
            Of::Role => "the last role",
            Of::Agent => "the agent",
            Of::Model => "the model",
        }
    }

    fn missing(self) -> Verdict {
        Verdict::new(
            false,
            match self {
                Of::User => "there is no user message",
                Of::Assistant => "there is no assistant message",
                Of::Tool => "there is no tool result",
                Of::ToolName => "there is no tool result whose tool is known",
                Of::Role => "there is no message",
                Of::Agent => "no agent is named",
                Of::Model => "no model is named",
            },
        )
    }
}

fn called(ask: &Ask<'_>, wanted: &[String], ignores_case: bool) -> Verdict {
    let is_wanted = |name: &str| {
        if ignores_case {
            let name = name.to_lowercase();
            wanted.iter().any(|wanted| *wanted == name)
        } else {
            wanted.iter().any(|wanted| wanted == name)
        }
    };
    // The latest first, since most that is asked for was called of late.
    let mut names = ask.context.messages.iter().rev().flat_map(|message| {
        let calls = message.tool_calls.iter().map(|call| call.name.as_str());
        calls.chain(message.name.as_deref().filter(|_| message.role == "tool"))
    });
    match names.find(|name| is_wanted(name)) {
        Some(name) => Verdict::new(true, format!("`{}` has been called", cut(name))),
        None => Verdict::new(false, format!("{} has not been called", any_of(wanted))),
    }
}

fn one_or_more(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) => Some(vec![text.clone()]),
        Value::Array(items) => items.iter().map(|item| item.as_str().map(str::to_owned)).collect(),
        _ => None,
    }
}

fn folded(texts: Vec<String>, ignores_case: bool) -> Vec<String> {
    if ignores_case { texts.iter().map(|text| text.to_lowercase()).collect() } else { texts }
}

fn any_of(texts: &[String]) -> String {
    let mut told: Vec<String> = texts.iter().take(5).map(|text| format!("`{}`", cut(text))).collect();
    match (told.pop(), texts.len()) {
        (None, _) => "anything".to_owned(),
        (Some(only), 1) => only,
        (Some(last), 2..=5) => format!("{} or {last}", told.join(", ")),
        (Some(last), more) => format!("{}, {last} or one of {} more", told.join(", "), more - 5),
    }
}

fn between(from: i64, to: i64) -> String {
    match (from, to) {
        (from, to) if from == to => from.to_string(),
        (i64::MIN, i64::MAX) => "any number".to_owned(),
        (i64::MIN, to) => format!("at most {to}"),
        (from, i64::MAX) => format!("at least {from}"),
        (from, to) => format!("{from} to {to}"),
    }
}

/// The most characters of a text that a reason quotes.
const QUOTED: usize = 60;

/// The beginning of a text, to be quoted.
pub(super) fn cut(text: &str) -> String {
    let mut end = text.char_indices().skip(QUOTED).map(|(at, _)| at);
    match end.next() {
        Some(end) => format!("{}…", text.get(..end).unwrap_or("")),
        None => text.to_owned(),
    }
}

/// A value to be quoted.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => format!("`{}`", cut(text)),
        Value::Array(items) if items.len() > 20 => format!("a list of {} items", items.len()),
        Value::Object(entries) if entries.len() > 20 => format!("a map of {} keys", entries.len()),
        _ => format!("`{}`", cut(&json_line(value))),
    }
}

/// Whether two values are the same data: `1` and `1.0` are, and the order of keys does not count.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    crate::validate::same::same(a, b)
}
