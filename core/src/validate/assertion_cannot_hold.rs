//! T503: an assertion does not hold of the run it stands in, so that a replay of it fails.
//!
//! Patterns and JMESPath expressions are not evaluated here.

use std::cell::RefCell;

use serde_json::{Map, Value};

use super::facts::Facts;
use super::same::same;
use super::usage::figures;
use super::written_assertion::Written;
use super::{assertion_fields, assertion_tool};
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::model::{Content, State, Text, ToolCall, Transcript, Turn, has_field};
use crate::parse::json_text;
use crate::text::{Span, Table, folded, json_line};

/// Checks the assertions; `state` is the state at the end.
pub(super) fn check(facts: &Facts<'_>, state: &State, found: &mut Vec<Diagnostic>) {
    if facts.assertions.is_empty() {
        return;
    }
    let run = Run::new(facts, state);
    let known = assertion_tool::known_tools(facts);
    let mut subjects: Table<(&str, String), Span> = Table::new();
    for written in &facts.assertions {
        let name = written.name.map_or("", |(name, _)| name);
        subjects.entry((name, subject(written))).or_insert(written.assertion.span);
    }
    for written in &facts.assertions {
        // A tool that the run does not know is told by a rule of its own.
        if assertion_tool::is_doubtful(facts, &known, written) {
            continue;
        }
        // A field that the type does not have makes the assertion unusable, which the rule for fields tells.
        let data = &written.assertion.data;
        // Nor is one about an agent one about the run.
        let is_unusable =
            written.kind().is_some_and(|kind| data.keys().any(|key| !has_field(kind, data, key)));
        if is_unusable || data.contains_key("agent") {
            continue;
        }
        let Some(mut diagnostic) = run.check(written) else { continue };
        let opposite = match written.name {
            Some(("tool_called", _)) => Some("tool_not_called"),
            Some(("tool_not_called", _)) => Some("tool_called"),
            Some(("contains", _)) => Some("not_contains"),
            Some(("not_contains", _)) => Some("contains"),
            _ => None,
        };
        if let Some(other) = opposite.and_then(|name| subjects.get(&(name, subject(written)))) {
            diagnostic = diagnostic.related(*other, "this asserts the opposite");
        }
        found.push(diagnostic);
    }
}

/// What an assertion speaks of, alike for two that contradict each other.
fn subject(written: &Written<'_>) -> String {
    let of = |field| written.value(field).map(json_line).unwrap_or_default();
    ["tool", "parameters", "message", "pattern"].map(of).join("\n")
}

/// What the assertions look at.
struct Run<'f, 't> {
    facts: &'f Facts<'t>,
    state: &'f State,
    calls: Table<&'t str, Vec<&'t ToolCall>>,
    /// The runs of other agents in it.
    inside: Vec<&'t Transcript>,
    /// The texts of contents that are data, made once: by the address of the content.
    texts: RefCell<Table<*const Content, Text>>,
}

impl<'f, 't> Run<'f, 't> {
    fn new(facts: &'f Facts<'t>, state: &'f State) -> Self {
        let mut calls: Table<&str, Vec<&ToolCall>> = Table::new();
        for (_, call) in &facts.calls {
            calls.entry(&call.name.value).or_default().push(call);
        }
        Self { facts, state, calls, inside: inside(facts.transcript), texts: RefCell::default() }
    }

    fn check(&self, written: &Written<'t>) -> Option<Diagnostic> {
        let (name, _) = written.name?;
        match name {
            "contains" | "not_contains" => self.contains(written, name == "contains"),
            "equals" => self.equals(written),
            "tool_called" | "tool_not_called" => self.called(written, name == "tool_called"),
            "tool_call_count" => {
                let tool = written.text("tool");
                let count = tool.map_or(self.facts.calls.len(), |tool| self.calls(tool).len());
                count_of(written, count, |count| match tool {
                    Some(tool) => format!("`{tool}` is called {}", times_text(count)),
                    None if count == 1 => "the run makes 1 call".to_owned(),
                    None => format!("the run makes {count} calls"),
                })
            }
            "tool_sequence" => self.sequence(written),
            "context_value" => self.context(written),
            // A role that there is not is told by the rule for fields.
            "message_count" if assertion_fields::unknown_role(self.facts, written).is_some() => None,
            "message_count" => {
                let role = written.text("role");
                let of_role =
                    |role| self.facts.messages.iter().filter(|it| it.1.role.value.name() == role).count();
                let what = role.map_or(String::new(), |role| format!(" of the role `{role}`"));
                let count = role.map_or(self.facts.messages.len(), of_role);
                count_of(written, count, |count| match count {
                    1 => format!("there is 1 message{what}"),
                    _ => format!("there are {count} messages{what}"),
                })
            }
            "visible" => self.visible(written),
            // An empty pattern is told by the rule for fields.
            "final_response_contains" if written.text("pattern") == Some("") => None,
            "final_response_contains" => {
                let mut answers =
                    self.facts.transcript.turns.iter().rev().filter_map(|turn| turn.response.as_ref());
                let Some(answer) = answers.next() else {
                    return Some(new(written.assertion.span, "the model never answers".to_owned()));
                };
                let pattern = written.text("pattern")?;
                let text = self.text(answer.content.as_ref());
                (!self.has(&text, pattern, written)).then(|| {
                    let message = format!("the last answer does not contain `{pattern}`");
                    new(written.span("pattern"), message).help(excerpt(&text))
                })
            }
            "max_tokens" => {
                let answers = self.facts.transcript.turns.iter().filter_map(|turn| turn.response.as_ref());
                let used = answers
                    .map(|answer| answer.usage.as_ref().and_then(figures))
                    .try_fold(0_i64, |sum, figures| Some(sum.saturating_add(figures?)))?;
                most(written, used, |used| format!("the answers use {used} tokens"))
            }
            "max_turns" => {
                let turns = i64::try_from(self.facts.transcript.turns.len()).unwrap_or(i64::MAX);
                most(written, turns, |turns| match turns {
                    1 => "the run has 1 turn".to_owned(),
                    _ => format!("the run has {turns} turns"),
                })
            }
            "no_errors" => self.no_errors(written),
            _ => None,
        }
    }

    /// The text of a content; nothing is an empty one.
    fn text(&self, content: Option<&Content>) -> Text {
        match content {
            None => "".into(),
            Some(Content::Text(text)) => text.clone(),
            Some(data) => {
                let made = || data.to_text().into();
                self.texts.borrow_mut().entry(std::ptr::from_ref(data)).or_insert_with(made).clone()
            }
        }
    }

    fn calls(&self, tool: &str) -> &[&'t ToolCall] {
        self.calls.get(tool).map_or(&[], Vec::as_slice)
    }

    /// The message that an assertion speaks of, with its text.
    fn message(&self, written: &Written<'t>) -> Option<(&'t str, Text)> {
        let message = match &written.assertion.message {
            Some(id) => self.facts.find(&id.value)?.1,
            None if written.value("message").is_some() => return None,
            None => self.facts.messages.last()?.1,
        };
        Some((&message.id.value, self.text(message.content.as_ref())))
    }

    /// Whether a text holds a pattern; so it seems once nothing more may be searched.
    fn has(&self, text: &str, pattern: &str, written: &Written<'_>) -> bool {
        if !self.facts.spend(text.len()) {
            return written.name.is_some_and(|(name, _)| name != "not_contains");
        }
        match written.value("ignore_case") {
            Some(Value::Bool(true)) => folded(text).contains(&folded(pattern)),
            _ => text.contains(pattern),
        }
    }

    fn contains(&self, written: &Written<'t>, wanted: bool) -> Option<Diagnostic> {
        let pattern = written.text("pattern").filter(|pattern| !pattern.is_empty())?;
        let (id, text) = self.message(written)?;
        let verb = match (self.has(&text, pattern, written), wanted) {
            (false, true) => "does not contain",
            (true, false) => "contains",
            _ => return None,
        };
        Some(new(written.span("pattern"), format!("`{id}` {verb} `{pattern}`")).help(excerpt(&text)))
    }

    fn equals(&self, written: &Written<'t>) -> Option<Diagnostic> {
        let value = written.value("value")?;
        let (id, text) = self.message(written)?;
        if !self.facts.spend(text.len()) {
            return None;
        }
        let is_text = value.as_str().is_some_and(|value| match written.value("ignore_case") {
            Some(Value::Bool(true)) => folded(value) == folded(&text),
            _ => *value == *text,
        });
        if is_text || json_text(&text).is_some_and(|data| same(&data, value)) {
            return None;
        }
        Some(new(written.span("value"), format!("`{id}` says something else")).help(excerpt(&text)))
    }

    fn called(&self, written: &Written<'t>, wanted: bool) -> Option<Diagnostic> {
        let tool = written.text("tool")?;
        let parameters = written.value("parameters").and_then(Value::as_object);
        let calls = self.calls(tool);
        if !self.facts.spend(calls.len().saturating_mul(16)) {
            return None;
        }
        if let (false, Some(call)) = (wanted, self.called_inside(tool, parameters)) {
            let message = format!("`{tool}` is called by another agent's run");
            return Some(new(written.span("tool"), message).related(call.span, "here"));
        }
        let matches = |call: &&&ToolCall| parameters.is_none_or(|wanted| has_all(&call.arguments, wanted));
        match (calls.iter().find(matches), wanted) {
            (None, true) => Some(match calls.last() {
                None => new(written.span("tool"), format!("`{tool}` is never called")),
                Some(call) => {
                    let message = format!("no call of `{tool}` has these parameters");
                    new(written.span("parameters"), message).related(
                        call.span,
                        format!("it is called with `{}`", short(&json_line(&call.arguments))),
                    )
                }
            }),
            (Some(call), false) => {
                let with = if parameters.is_some() { " with these parameters" } else { "" };
                let message = format!("`{tool}` is called{with}");
                Some(new(written.span("tool"), message).related(call.span, "here"))
            }
            _ => None,
        }
    }

    /// A call of a tool in a run of another agent.
    fn called_inside(&self, tool: &str, parameters: Option<&Map<String, Value>>) -> Option<&'t ToolCall> {
        let fits = |call: &&ToolCall| {
            *call.name.value == *tool && parameters.is_none_or(|wanted| has_all(&call.arguments, wanted))
        };
        self.inside.iter().find_map(|run| {
            if !self.facts.spend(run.turns.len().saturating_add(1).saturating_mul(16)) {
                return None;
            }
            let initial = run.first_messages().flat_map(|message| &message.tool_calls);
            initial.chain(run.turns.iter().flat_map(calls_of)).find(fits)
        })
    }

    fn sequence(&self, written: &Written<'t>) -> Option<Diagnostic> {
        let wanted: Vec<&str> =
            written.value("tools")?.as_array()?.iter().filter_map(Value::as_str).collect();
        let made: Vec<&str> = self.facts.calls.iter().map(|(_, call)| &*call.name.value).collect();
        if !self.facts.spend((made.len() + wanted.len()).saturating_mul(16)) {
            return None;
        }
        let counts = |names: &[&'t str]| {
            let mut counts: Table<&'t str, usize> = Table::new();
            names.iter().for_each(|name| *counts.entry(name).or_default() += 1);
            counts
        };
        let within = |few: &[&'t str], many: &[&'t str]| {
            let many = counts(many);
            counts(few).iter().all(|(name, count)| many.get(name).is_some_and(|most| most >= count))
        };
        let holds = match written.text("mode").unwrap_or("strict") {
            "strict" => made == wanted,
            "unordered" => counts(&made) == counts(&wanted),
            "subset" => within(&made, &wanted),
            "superset" => within(&wanted, &made),
            // A mode that is not known is told by the rule for fields.
            _ => true,
        };
        let help = match made.is_empty() {
            true => "the run calls no tool".to_owned(),
            false => format!("the run calls `{}`", short(&made.join(", "))),
        };
        let message = "the run calls other tools, or in another order".to_owned();
        (!holds).then(|| new(written.span("tools"), message).help(help))
    }

    fn context(&self, written: &Written<'t>) -> Option<Diagnostic> {
        let key = written.text("key")?;
        let wanted = written.assertion.data.get("value")?;
        let Some(value) = self.state.context().get(key) else {
            let span = written.span("key");
            let diagnostic = new(span, format!("the context has no `{key}` when the run ends"));
            let keys = self.state.context().keys().map(String::as_str);
            return Some(match self.facts.suggest(key, keys) {
                Some(meant) => diagnostic.did_you_mean("change to", self.facts.source, span, meant),
                None => diagnostic,
            });
        };
        if same(value, wanted) {
            return None;
        }
        let line = json_line(value);
        let message = format!("`{key}` is `{}` when the run ends", short(&line));
        let place = written.node("value")?;
        Some(new(place.span, message).fix(
            Applicability::Suggested,
            "take the value of the run",
            place.span,
            line,
        ))
    }

    fn visible(&self, written: &Written<'t>) -> Option<Diagnostic> {
        let id = written.assertion.message.as_ref()?;
        let place = self.state.position(&id.value)?;
        let (_, visible) = self.state.store().get(place)?;
        let wanted = written.value("value").is_none_or(|value| value.as_bool() != Some(false));
        let word = if *visible { "visible" } else { "hidden" };
        let message = format!("`{}` is {word} when the run ends", id.value);
        (*visible != wanted).then(|| new(written.span("message"), message))
    }

    fn no_errors(&self, written: &Written<'t>) -> Option<Diagnostic> {
        let own = self.facts.transcript.turns.iter().enumerate().find_map(|(index, turn)| {
            let (what, span) = match (&turn.tool, &turn.error) {
                (Some(run), _) if !run.success => (format!("`{}` fails", run.name.value), run.name.span),
                (_, Some(_)) => ("the model call fails".to_owned(), turn.kind.span),
                _ => return None,
            };
            Some((format!("{what} in turn {}", self.facts.turn_number(index + 1)), span))
        });
        let inside = || {
            let turns = self.inside.iter().filter(|run| self.facts.spend(run.turns.len().saturating_add(1)));
            let mut turns = turns.flat_map(|run| &run.turns);
            turns.find_map(|turn| match (&turn.tool, &turn.error) {
                (Some(run), _) if !run.success => {
                    Some((format!("`{}` fails in another agent's run", run.name.value), run.name.span))
                }
                (_, Some(_)) => {
                    Some(("a model call fails in another agent's run".to_owned(), turn.kind.span))
                }
                _ => None,
            })
        };
        let (message, span) = own.or_else(inside)?;
        let place = written.name.map_or(written.assertion.span, |(_, place)| place);
        Some(new(place, message).related(span, "here"))
    }
}

/// The runs of other agents in a run and in those.
fn inside(transcript: &Transcript) -> Vec<&Transcript> {
    let mut found = Vec::new();
    let mut open = vec![transcript];
    while let Some(run) = open.pop() {
        let nested = run.turns.iter().filter_map(|turn| turn.tool.as_ref()?.nested.as_deref());
        let from = found.len();
        found.extend(nested);
        open.extend(found.get(from..).unwrap_or_default());
    }
    found
}

/// The calls of a turn, which the answer and the message made of it both hold.
fn calls_of(turn: &Turn) -> &[ToolCall] {
    let answered = turn.response.as_ref().map(|answer| answer.tool_calls.as_slice()).unwrap_or_default();
    let stored = turn.created.as_ref().map(|created| created.tool_calls.as_slice()).unwrap_or_default();
    if answered.is_empty() { stored } else { answered }
}

fn new(span: Span, message: String) -> Diagnostic {
    Diagnostic::new(codes::ASSERTION_CANNOT_HOLD, Severity::Warning, span, message)
}

/// The text of a message as the remedy shows it.
fn excerpt(text: &str) -> String {
    match text.trim() {
        "" => "it says nothing".to_owned(),
        text => format!("it says `{}`", short(text).replace('\n', " ")),
    }
}

fn short(text: &str) -> String {
    let mut out: String = text.chars().take(80).collect();
    if out.len() < text.len() {
        out.push('…');
    }
    out
}

/// Whether arguments hold all of `wanted`, maps within them likewise.
fn has_all(arguments: &Value, wanted: &Map<String, Value>) -> bool {
    wanted.iter().all(|(key, wanted)| match (arguments.get(key), wanted) {
        (Some(given @ Value::Object(_)), Value::Object(wanted)) => has_all(given, wanted),
        (Some(given), wanted) => same(given, wanted),
        (None, _) => false,
    })
}

fn times_text(count: i64) -> String {
    match count {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    }
}

/// Compares a count with `value`, `min` and `max`; `what` says the count in words.
fn count_of(written: &Written<'_>, count: usize, what: impl Fn(i64) -> String) -> Option<Diagnostic> {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let broken = ["value", "min", "max"].into_iter().find(|field| {
        written.number(field).is_some_and(|bound| match *field {
            "value" => count != bound,
            "min" => count < bound,
            _ => count > bound,
        })
    })?;
    let bound = written.number(broken).unwrap_or_default();
    let word = match broken {
        "value" => "exactly",
        "min" => "at least",
        _ => "at most",
    };
    let diagnostic = new(written.span(broken), what(count)).help(format!("it asserts {word} {bound}"));
    Some(with_count_fix(diagnostic, written, broken, count))
}

/// Compares a number with the greatest that is allowed.
fn most(written: &Written<'_>, count: i64, what: impl Fn(i64) -> String) -> Option<Diagnostic> {
    // A negative one is told by the rule for fields.
    let most = written.number("value").filter(|most| count > *most && *most >= 0)?;
    let diagnostic = new(written.span("value"), what(count)).help(format!("it asserts at most {most}"));
    Some(with_count_fix(diagnostic, written, "value", count))
}

/// The same with the offer to put the number of the run into the field.
fn with_count_fix(diagnostic: Diagnostic, written: &Written<'_>, field: &str, count: i64) -> Diagnostic {
    match written.node(field) {
        Some(node) => diagnostic.fix(
            Applicability::Suggested,
            format!("change to {count}"),
            node.span,
            count.to_string(),
        ),
        None => diagnostic,
    }
}
