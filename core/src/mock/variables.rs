//! The variables of expressions, each made when something reads it.

use std::cell::OnceCell;

use serde_json::{Map, Value};

use super::MockContext;
use super::history::{BorrowedMessages, MessageHistory, tool_names};
use crate::canonical::CanonicalMessage;
use crate::model::VARIABLES;
use crate::text::json_line;

/// Which variables something reads, by their index in the table.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct VariableSet(u16);

impl VariableSet {
    pub(super) fn reading(reads: impl Fn(&str) -> bool) -> Self {
        let read = VARIABLES.iter().enumerate().filter(|(_, variable)| reads(variable.name));
        Self(read.fold(0, |all, (index, _)| all | (1 << index)))
    }
}

/// The variable that grows with a history.
const MESSAGES: &str = "messages";

/// The variables of one call. Each is computed once, when a rule first reads it.
#[derive(Debug)]
pub(super) struct CallVariables<'a> {
    context: &'a MockContext<'a>,
    history: Option<&'a MessageHistory>,
    user: OnceCell<Option<&'a CanonicalMessage>>,
    assistant: OnceCell<Option<&'a CanonicalMessage>>,
    tool: OnceCell<Option<&'a CanonicalMessage>>,
    tool_text: OnceCell<Option<String>>,
    data: Data,
}

/// The variables as data, as far as they were computed. Borrowed messages are returned to the history.
#[derive(Debug, Default)]
struct Data {
    all: Value,
    made: VariableSet,
    borrowed: Option<BorrowedMessages>,
}

impl<'a> CallVariables<'a> {
    pub(super) fn new(context: &'a MockContext<'a>) -> Self {
        Self {
            context,
            history: None,
            user: OnceCell::new(),
            assistant: OnceCell::new(),
            tool: OnceCell::new(),
            tool_text: OnceCell::new(),
            data: Data::default(),
        }
    }

    /// Uses the index of a history, if the history has the messages of this call.
    pub(super) fn use_history(&mut self, history: &'a MessageHistory) {
        self.history = Some(history).filter(|history| history.len() == self.context.messages.len());
    }

    fn last(&self, role: &str) -> Option<&'a CanonicalMessage> {
        last(self.context.messages, self.history, role)
    }

    /// The cost of reading the called tools, in messages or names.
    pub(super) fn calls(&self) -> usize {
        self.history.map_or(self.context.messages.len(), |history| history.called_tools().count())
    }

    /// The latest called tool with a fitting name.
    pub(super) fn called(&self, fits: impl Fn(&str) -> bool) -> Option<&'a str> {
        match self.history {
            Some(history) => {
                let fitting = history.called_tools().filter(|(name, _)| fits(name));
                fitting.max_by_key(|(_, at)| *at).map(|(name, _)| name)
            }
            None => self.context.messages.iter().rev().flat_map(tool_names).find(|name| fits(name)),
        }
    }

    pub(super) fn user(&self) -> Option<&'a str> {
        let found = self.user.get_or_init(|| self.last("user"));
        found.map(|message| message.content.as_str())
    }

    pub(super) fn assistant(&self) -> Option<&'a str> {
        let found = self.assistant.get_or_init(|| self.last("assistant"));
        found.map(|message| message.content.as_str())
    }

    pub(super) fn tool(&self) -> Option<&'a CanonicalMessage> {
        *self.tool.get_or_init(|| self.last("tool"))
    }

    pub(super) fn tool_text(&self) -> Option<&str> {
        self.tool_text.get_or_init(|| self.tool().map(text)).as_deref()
    }

    /// The tool of the last result, which its call names where the result does not.
    pub(super) fn tool_name(&self) -> Option<&'a str> {
        let last = self.tool()?;
        if let Some(name) = &last.name {
            return Some(name);
        }
        let id = last.tool_call_id.as_ref()?;
        let mut calls = self.context.messages.iter().rev().flat_map(|message| &message.tool_calls);
        calls.find(|call| call.id == *id).map(|call| call.name.as_str())
    }

    pub(super) fn last_role(&self) -> Option<&'a str> {
        self.context.messages.last().map(|message| message.role.as_str())
    }

    /// The variables as data, those made that are read. The others are null until then.
    pub(super) fn data(&mut self, reads: VariableSet) -> &Value {
        if self.data.all.is_null() {
            let names = VARIABLES.iter().map(|variable| (variable.name.to_owned(), Value::Null));
            self.data.all = Value::Object(names.collect());
        }
        let missing = reads.0 & !self.data.made.0;
        self.data.made.0 |= missing;
        for (_, variable) in VARIABLES.iter().enumerate().filter(|(index, _)| missing & (1 << index) != 0) {
            let value = match (variable.name, self.history) {
                (MESSAGES, Some(history)) => {
                    let (messages, borrowed) = history.borrow_messages();
                    self.data.borrowed = Some(borrowed);
                    Value::Array(messages)
                }
                _ => self.value(variable.name),
            };
            if let Some(slot) = self.data.all.get_mut(variable.name) {
                *slot = value;
            }
        }
        &self.data.all
    }

    fn value(&self, name: &str) -> Value {
        let context = self.context;
        match name {
            "last_user" => self.user().into(),
            "last_assistant" => self.assistant().into(),
            "last_tool" => self.tool_text().into(),
            "last_result" => self.tool().map(result).unwrap_or_default(),
            "last_role" => self.last_role().into(),
            MESSAGES => context.messages.iter().map(message).collect(),
            "context" => Value::Object(context.context.clone()),
            "agent" => context.agent.into(),
            "iteration" => context.iteration.into(),
            "call_count" => context.call_count.into(),
            "model" => context.model.into(),
            "tools" => context.tools.iter().map(String::as_str).collect(),
            _ => Value::Null,
        }
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        if let (Some(borrowed), Some(Value::Array(messages))) =
            (&self.borrowed, self.all.get_mut(MESSAGES).map(Value::take))
        {
            borrowed.return_messages(messages);
        }
    }
}

/// The text of a tool's message, as sent; for data, its JSON.
fn text(message: &CanonicalMessage) -> String {
    match (&message.result_text, &message.result) {
        (Some(text), _) | (None, Some(Value::String(text))) => text.clone(),
        (None, Some(result)) => json_line(result),
        (None, None) => message.content.clone(),
    }
}

/// The result of a tool, as data.
fn result(message: &CanonicalMessage) -> Value {
    match &message.result {
        None if message.content.is_empty() => Value::Null,
        None => crate::wire::parse_result_text(&message.content),
        Some(result) => result.clone(),
    }
}

/// The last message of a role; `history`, if present, has its place.
fn last<'a>(
    messages: &'a [CanonicalMessage],
    history: Option<&MessageHistory>,
    role: &str,
) -> Option<&'a CanonicalMessage> {
    match history {
        Some(history) => messages.get(history.last(role)?),
        None => messages.iter().rev().find(|message| message.role == role),
    }
}

/// The last messages for functions of a host: `lastUser`, `lastAssistant`, `lastTool`, `lastResult` and
/// `lastRole` have the values of the variables `last_user` and so on. `history`, if present, is that of these
/// messages.
#[must_use]
pub fn latest(messages: &[CanonicalMessage], history: Option<&MessageHistory>) -> Map<String, Value> {
    let content = |role| last(messages, history, role).map(|message| message.content.as_str());
    let tool = last(messages, history, "tool");
    let entries: [(&str, Value); 5] = [
        ("lastUser", content("user").into()),
        ("lastAssistant", content("assistant").into()),
        ("lastTool", tool.map(text).into()),
        ("lastResult", tool.map(result).unwrap_or_default()),
        ("lastRole", messages.last().map(|message| message.role.as_str()).into()),
    ];
    entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The message with the text of a tool's message as its content, as handlers see it.
#[must_use]
pub fn with_result_text(message: &CanonicalMessage) -> CanonicalMessage {
    let mut message = message.clone();
    if message.role == "tool" {
        message.content = text(&message);
    }
    message
}

/// A message for handlers: `role`, `content`, which is the text also for a tool's message, and its other
/// fields.
#[must_use]
pub fn message(message: &CanonicalMessage) -> Value {
    crate::canonical::to_value(&with_result_text(message))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::mock::{Runner, Trace};
    use crate::parse::{Node, read};
    use crate::text::Span;
    use crate::wire::ToolCall;

    fn message(role: &str, calls: &[&str]) -> CanonicalMessage {
        let call =
            |name: &&str| ToolCall { id: "c".to_owned(), name: (*name).to_owned(), arguments: json!({}) };
        let tool_calls = calls.iter().map(call).collect();
        CanonicalMessage { role: role.to_owned(), tool_calls, ..CanonicalMessage::default() }
    }

    /// A history of one question and many rounds of tools, and its last messages.
    fn long() -> (Vec<CanonicalMessage>, MessageHistory) {
        let mut messages = vec![message("user", &[])];
        for round in 0..10_000 {
            messages.push(message("assistant", &[if round == 7 { "early" } else { "look" }]));
            messages.push(message("tool", &[]));
        }
        let mut history = MessageHistory::default();
        messages.iter().for_each(|message| history.push(message.clone()));
        (messages, history)
    }

    fn runner() -> Runner {
        let when =
            json!([{"last_user_contains": "x"}, {"last_assistant_equals": "x"}, {"tool_called": "early"}]);
        let handler = json!({"bot": {"type": "conditional", "rules": [
            {"when": {"all": when}, "respond": "A"},
            {"when": {"tool_called": ["nothing", "early"]}, "respond": "{{ last_user }}B"},
        ]}});
        let (_, handler) = read::handlers(&Node::from_value(&handler, Span::default())).agents.remove(0);
        Runner::new(handler, "handlers.bot").unwrap()
    }

    /// Cached answers equal a search, and the work does not grow with the history.
    #[test]
    fn what_stands_last_is_known() {
        let (messages, history) = long();
        let none = Map::new();
        let context = MockContext {
            agent: None,
            messages: &messages,
            iteration: 0,
            call_count: 1,
            model: None,
            tools: &[],
            context: &none,
            kwargs: &none,
        };
        let (mut known, mut looked) = (CallVariables::new(&context), CallVariables::new(&context));
        known.use_history(&history);
        looked.history = None;
        for variables in [&known, &looked] {
            assert!(std::ptr::eq(variables.last("user").unwrap(), &messages[0]));
            assert!(std::ptr::eq(variables.tool().unwrap(), &messages[20_000]));
            assert!(std::ptr::eq(variables.last("assistant").unwrap(), &messages[19_999]));
            assert_eq!(variables.called(|name| name.starts_with('e')), Some("early"));
            assert_eq!(variables.called(|_| true), Some("look"));
        }
        assert_eq!((known.calls(), looked.calls()), (2, 20_001));
        let mut traces = [Trace::default(), Trace::default()];
        let one = runner().handle_with_history(&context, &history, &mut traces[0]).unwrap();
        let other = crate::mock::MockHandler::handle(&mut runner(), &context, &mut traces[1]).unwrap();
        assert_eq!((one.content, traces[0].to_text()), (other.content, traces[1].to_text()));
    }

    /// A message becomes data once, however many calls read it.
    #[test]
    fn messages_become_data_once() {
        let (messages, _) = long();
        let none = Map::new();
        let mut history = MessageHistory::default();
        let reads = VariableSet::reading(|name| name == "messages");
        let mut places = Vec::new();
        let mut grow = |history: &mut MessageHistory, count: usize| {
            messages.iter().take(count).skip(history.len()).for_each(|message| history.push(message.clone()));
            let context = MockContext {
                agent: None,
                messages: messages.get(..count).unwrap(),
                iteration: 0,
                call_count: 1,
                model: None,
                tools: &[],
                context: &none,
                kwargs: &none,
            };
            let mut variables = CallVariables::new(&context);
            variables.use_history(history);
            let values = variables.data(reads)["messages"].as_array().unwrap();
            let expected: Vec<Value> = context.messages.iter().map(super::message).collect();
            assert_eq!(*values, expected);
            places.push(
                values.iter().map(|value| value["role"].as_str().unwrap().as_ptr()).collect::<Vec<_>>(),
            );
        };
        grow(&mut history, 3);
        grow(&mut history, 300);
        history.truncate(100);
        grow(&mut history, 200);
        let [first, second, third] = &*places else { panic!() };
        assert_eq!(first[..], second[..3]);
        assert_eq!(second[..100], third[..100]);
    }

    /// Facts about another list are not used for this one.
    #[test]
    fn what_is_known_of_other_messages_is_passed_over() {
        let (messages, history) = long();
        let none = Map::new();
        let context = MockContext {
            agent: None,
            messages: messages.get(..5).unwrap(),
            iteration: 0,
            call_count: 1,
            model: None,
            tools: &[],
            context: &none,
            kwargs: &none,
        };
        let mut variables = CallVariables::new(&context);
        variables.use_history(&history);
        assert_eq!(variables.called(|name| name == "early"), None);
        assert!(std::ptr::eq(variables.tool().unwrap(), &messages[4]));
    }
}
