//! The handlers of a document as tables that a person reads: rules, responses, states and the ways between them.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::handler_text::{answer_line, describe_condition};
use crate::document::Document;
use crate::model::handlers::{Handler, HandlerKind, MockResponse, Rule, State};
use crate::model::{Spanned, Text, ToolCall};
use crate::parse::{Limits, Node, parse};
use crate::text::{LineIndex, Span};
use crate::validate::reachable_states;

/// All handlers of a document, and the messages that its `steps` send them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HandlersView {
    /// The handler of each agent, in the order of the text.
    pub agents: Vec<AgentHandler>,
    /// The user messages in the scenario of the document; empty where it has none.
    pub messages: Vec<String>,
    /// The agent that gets the first of them, where the scenario names one.
    pub to: Option<String>,
    /// The tools of the document as they are written.
    pub tools: Vec<Value>,
}

/// An agent and what answers for it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentHandler {
    /// The name of the agent.
    pub agent: String,
    /// What answers for it.
    pub handler: HandlerView,
}

/// A place in the text in UTF-16 code units, as editors of the web count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Utf16Range {
    /// Where it starts.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// One handler.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HandlerView {
    /// Its path, which traces name it by: `handlers.bot`.
    pub path: String,
    /// Its type as written; empty where it names none.
    pub kind: String,
    /// The first state of a state machine, as written.
    pub initial: Option<String>,
    /// Keys that are neither of these nor rows, such as `times`, with their values as they are written in JSON.
    pub settings: Vec<(Cow<'static, str>, String)>,
    /// Its possible responses, in the order of the document.
    pub rows: Vec<HandlerRow>,
    /// The handlers inside it.
    pub inner: Vec<HandlerView>,
    /// Its place.
    pub place: Utf16Range,
}

/// One thing that a handler may answer with.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HandlerRow {
    /// Its path, which traces name it by: `handlers.bot.rules[0]`.
    pub path: String,
    /// What it is: `response`, `entry`, `rule`, `default`, `state`, `call` or `then`.
    pub kind: Cow<'static, str>,
    /// The name of a state or a tool; the role of an entry.
    pub name: Option<String>,
    /// The condition of a rule in words; `None` where it always holds.
    pub when: Option<String>,
    /// What it answers.
    pub answer: Option<AnswerLine>,
    /// The handler that answers in its place.
    pub handler: Option<Box<HandlerView>>,
    /// Where a state leads.
    pub ways: Vec<TransitionView>,
    /// Whether a way leads to the state; true of all else.
    pub reached: bool,
    /// Its place.
    pub place: Utf16Range,
}

/// A response in short.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AnswerLine {
    /// Its text.
    pub text: String,
    /// The tools it calls, each with its arguments as JSON.
    pub calls: Vec<(String, String)>,
}

/// A way from one state to another.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TransitionView {
    /// Its path; `None` for the `next` of the state.
    pub path: Option<String>,
    /// The state it leads to, as written.
    pub to: String,
    /// Its condition in words; `None` where it is always taken.
    pub when: Option<String>,
    /// Whether the machine has that state.
    pub known: bool,
    /// Its place.
    pub place: Utf16Range,
}

/// The handlers of a document as tables; of a document without handlers, none.
///
/// ```
/// use transcript_core::document::Limits;
/// use transcript_core::view::handlers;
/// let text = "handlers: {bot: {type: conditional, rules: [{when: {last_user_contains: é}, respond: Hi}]}}";
/// let found = handlers(text, &Limits::default());
/// let rule = &found.agents[0].handler.rows[0];
/// assert_eq!(rule.path, "handlers.bot.rules[0]");
/// assert_eq!(rule.when.as_deref(), Some("last_user_contains \"é\""));
/// assert_eq!(&text[44..49], "{when");
/// assert_eq!(rule.place.start, 44);
/// ```
#[must_use]
pub fn handlers(text: &str, limits: &Limits) -> HandlersView {
    let document = Document::open(text, limits);
    let lines = LineIndex::new(text);
    let places = Places { text, lines: &lines };
    let agents = document.handlers().map(|handlers| handlers.agents.as_slice()).unwrap_or_default();
    let agents = agents.iter().map(|(name, handler)| AgentHandler {
        agent: name.value.to_string(),
        handler: places.handler(handler, format!("handlers.{}", name.value)),
    });
    let agents = agents.collect();
    let root = limits.check_size(text.len()).is_none().then(|| parse(text, limits).root).flatten();
    let items = |key: &str| {
        let list = root.as_ref().and_then(|root| root.get(key));
        list.map(Node::items).unwrap_or_default().iter()
    };
    let word = |node: &Node, key: &str| node.get(key).and_then(Node::as_str).map(str::to_owned);
    let messages = items("steps").filter_map(|step| {
        let is_request = matches!(step.get("op").and_then(Node::as_str), Some("execute" | "call"));
        word(step, "content").filter(|_| is_request && step.get("role").is_none())
    });
    HandlersView {
        agents,
        messages: messages.collect(),
        to: items("steps").find_map(|step| word(step, "agent")),
        tools: items("tools").map(Node::to_value).collect(),
    }
}

/// Makes rows, with places in the text that editors of the web understand.
struct Places<'t> {
    text: &'t str,
    lines: &'t LineIndex,
}

impl Places<'_> {
    fn at(&self, span: Span) -> Utf16Range {
        let of = |offset: u32| self.lines.utf16(self.text, offset as usize);
        Utf16Range { start: of(span.start), end: of(span.end) }
    }

    fn handler(&self, handler: &Handler, path: String) -> HandlerView {
        let mut view = HandlerView {
            kind: handler.type_name.as_ref().map(|name| name.value.to_string()).unwrap_or_default(),
            initial: None,
            settings: Vec::new(),
            rows: Vec::new(),
            inner: Vec::new(),
            place: self.at(handler.span),
            path,
        };
        let path = view.path.clone();
        let mut set = |name: &'static str, value: Option<String>| {
            view.settings.extend(value.map(|value| (name.into(), value)));
        };
        let times = |times: &Option<Spanned<i64>>| times.as_ref().map(|times| times.value.to_string());
        match &handler.kind {
            HandlerKind::Queue { responses } => {
                view.rows = self.responses(responses, "response", &format!("{path}.responses"));
            }
            HandlerKind::Conditional { rules, default } => {
                let rules = rules.as_ref().map(|rules| rules.value.as_slice()).unwrap_or_default();
                let rows = rules.iter().enumerate().map(|(at, rule)| self.rule(rule, &path, at));
                let default = default
                    .iter()
                    .map(|default| self.response(default, "default", format!("{path}.default")));
                view.rows = rows.chain(default).collect();
            }
            HandlerKind::Transcript { entries, source } => {
                set("source", source.as_ref().map(|source| source.value.to_string()));
                view.rows = self.responses(entries, "entry", &format!("{path}.entries"));
            }
            HandlerKind::StateMachine { initial, states } => {
                view.initial = initial.as_ref().map(|initial| initial.value.to_string());
                let states = states.as_ref().map(|states| states.value.as_slice()).unwrap_or_default();
                view.rows = self.states(initial.as_ref(), states, &path);
            }
            HandlerKind::Composite { strategy, handlers } => {
                set("strategy", strategy.as_ref().map(|strategy| strategy.value.to_string()));
                let handlers =
                    handlers.as_ref().map(|handlers| handlers.value.as_slice()).unwrap_or_default();
                let inner = handlers.iter().enumerate();
                view.inner =
                    inner.map(|(at, one)| self.handler(one, format!("{path}.handlers[{at}]"))).collect();
            }
            HandlerKind::ToolSequence { calls, then } => {
                let calls = calls.as_ref().map(|calls| calls.value.as_slice()).unwrap_or_default();
                let rows =
                    calls.iter().enumerate().map(|(at, call)| self.call(call, format!("{path}.calls[{at}]")));
                let then = then.iter().map(|then| self.response(then, "then", format!("{path}.then")));
                view.rows = rows.chain(then).collect();
            }
            HandlerKind::Repeat { respond, times: number } => {
                set("times", times(number));
                view.rows.extend(respond.as_ref().map(|respond| self.response(respond, "response", path)));
            }
            HandlerKind::Fail { times: number, error, then } => {
                set("times", times(number));
                set("error", error.as_ref().map(Value::to_string));
                view.inner.extend(then.as_ref().map(|then| self.handler(then, format!("{path}.then"))));
            }
            HandlerKind::Recording { handler, save_as } => {
                set("save_as", save_as.as_ref().map(|name| name.value.to_string()));
                view.inner
                    .extend(handler.as_ref().map(|inner| self.handler(inner, format!("{path}.handler"))));
            }
            HandlerKind::Unknown => {}
        }
        view
    }

    fn responses(
        &self,
        list: &Option<Spanned<Vec<MockResponse>>>,
        kind: &'static str,
        path: &str,
    ) -> Vec<HandlerRow> {
        let list = list.as_ref().map(|list| list.value.as_slice()).unwrap_or_default();
        list.iter().enumerate().map(|(at, one)| self.response(one, kind, format!("{path}[{at}]"))).collect()
    }

    fn response(&self, response: &MockResponse, kind: &'static str, path: String) -> HandlerRow {
        HandlerRow {
            name: response.role.as_ref().map(|role| role.value.to_string()),
            answer: Some(answer_line(response)),
            ..self.row(kind, path, response.span)
        }
    }

    fn row(&self, kind: &'static str, path: String, span: Span) -> HandlerRow {
        HandlerRow {
            path,
            kind: kind.into(),
            name: None,
            when: None,
            answer: None,
            handler: None,
            ways: Vec::new(),
            reached: true,
            place: self.at(span),
        }
    }

    fn rule(&self, rule: &Rule, path: &str, at: usize) -> HandlerRow {
        let path = format!("{path}.rules[{at}]");
        HandlerRow {
            when: rule.when.as_ref().and_then(describe_condition),
            answer: rule.respond.as_ref().map(answer_line),
            handler: rule.handler.as_ref().map(|one| Box::new(self.handler(one, format!("{path}.handler")))),
            ..self.row("rule", path, rule.span)
        }
    }

    fn call(&self, call: &ToolCall, path: String) -> HandlerRow {
        HandlerRow {
            name: Some(call.name.value.to_string()),
            answer: Some(AnswerLine {
                text: String::new(),
                calls: vec![(call.name.value.to_string(), call.arguments.to_string())],
            }),
            ..self.row("call", path, call.span)
        }
    }

    fn states(&self, initial: Option<&Spanned<Text>>, states: &[State], path: &str) -> Vec<HandlerRow> {
        let known = |name: &str| states.iter().any(|state| &*state.name.value == name);
        let reached = reachable_states(initial, states);
        let rows = states.iter().enumerate().map(|(at, state)| {
            let path = format!("{path}.states.{}", state.name.value);
            let ways = state.transitions.iter().enumerate().filter_map(|(at, way)| {
                let to = way.to.as_ref()?;
                Some(TransitionView {
                    path: Some(format!("{path}.transitions[{at}]")),
                    to: to.value.to_string(),
                    when: way.when.as_ref().and_then(describe_condition),
                    known: known(&to.value),
                    place: self.at(way.span),
                })
            });
            let next = state.next.as_ref().map(|to| TransitionView {
                path: None,
                to: to.value.to_string(),
                when: None,
                known: known(&to.value),
                place: self.at(to.span),
            });
            HandlerRow {
                name: Some(state.name.value.to_string()),
                answer: state.respond.as_ref().map(answer_line),
                ways: ways.chain(next).collect(),
                reached: reached.get(at).copied().unwrap_or(true),
                ..self.row("state", path.clone(), state.name.span)
            }
        });
        rows.collect()
    }
}
