//! Runs as a list of moves, each written in the full form and in the compact one.
//!
//! Both are written here, from the format page and apart from the crate under test, so that its expansion
//! can be held against them.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use transcript_core::write::json_line;

use super::data;

/// A run, before it is written.
#[derive(Clone, Debug)]
pub struct Script {
    /// Name and the like, and the model's settings.
    pub head: Map<String, Value>,
    /// The context before the first message.
    pub context: Map<String, Value>,
    /// What happens.
    pub moves: Vec<Move>,
    /// Whether messages and calls have names instead of numbers.
    pub named: bool,
    /// The assertions.
    pub assertions: Vec<Value>,
}

/// One thing that happens. What cannot happen at its place is left out.
#[derive(Clone, Debug)]
pub enum Move {
    /// A system, developer or user message.
    Say(usize, String, Style),
    /// The model answers, and calls tools with arguments.
    Answer(String, Vec<(usize, Map<String, Value>)>, Style),
    /// One of the open calls is answered, with data or with an error.
    Result(usize, ToolOutcome, Style),
    /// The context is changed.
    Set(Map<String, Value>),
    /// A key of the context goes.
    Unset(usize),
    /// A message is hidden (`false`) or shown.
    Visible(usize, bool),
}

/// The outcome of a tool call.
#[derive(Clone, Debug)]
pub enum ToolOutcome {
    /// The tool returned data.
    Returned(Value),
    /// The tool failed with an error.
    Failed(String),
}

/// What may be added to any message.
#[derive(Clone, Debug, Default)]
pub struct Style {
    hidden: bool,
    agent: Option<usize>,
}

const ROLES: [&str; 3] = ["system", "developer", "user"];
const TOOLS: [&str; 4] = ["weather", "search", "get-time", "größe"];
const AGENTS: [&str; 3] = ["helper", "the planner", "agent_2"];

/// Runs of up to `size` moves.
pub fn scripts(size: usize) -> impl Strategy<Value = Script> {
    let head = (
        proptest::option::of(data::text()),
        proptest::option::of(data::text()),
        proptest::option::of(0.0..2.0),
    )
        .prop_map(|(name, model, temperature)| {
            let mut head = Map::new();
            head.extend(name.map(|name| ("name".to_owned(), name.into())));
            head.extend(model.map(|model| ("model".to_owned(), model.into())));
            head.extend(temperature.map(|degree: f64| ("temperature".to_owned(), degree.into())));
            head
        });
    (head, map(), vec(moves(), 0..=size), proptest::bool::weighted(0.2), vec(assertion(), 0..3)).prop_map(
        |(head, context, moves, named, assertions)| Script { head, context, moves, named, assertions },
    )
}

fn moves() -> impl Strategy<Value = Move> {
    prop_oneof![
        4 => (0..3_usize, text(), style()).prop_map(|(role, text, style)| Move::Say(role, text, style)),
        4 => (text(), vec((0..4_usize, map()), 0..3), style())
            .prop_map(|(text, calls, style)| Move::Answer(text, calls, style)),
        2 => (vec((0..4_usize, map()), 1..3), style())
            .prop_map(|(calls, style)| Move::Answer(String::new(), calls, style)),
        5 => (0..8_usize, outcome(), style()).prop_map(|(pick, outcome, style)| Move::Result(pick, outcome, style)),
        1 => map().prop_map(Move::Set),
        1 => (0..8_usize).prop_map(Move::Unset),
        1 => (0..20_usize, any::<bool>()).prop_map(|(pick, shown)| Move::Visible(pick, shown)),
    ]
}

fn outcome() -> impl Strategy<Value = ToolOutcome> {
    prop_oneof![
        4 => data::documents().prop_map(ToolOutcome::Returned),
        1 => text().prop_map(ToolOutcome::Failed),
    ]
}

/// Texts of messages: prose, what a compact string might be taken for, and the awkward ones.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[A-Z][a-z]{1,6}( [a-z']{1,7}){0,8}[.!?]?",
        2 => proptest::sample::select(vec![
            "", " ", "call", "call me(x='1')", "call weather(city='Oslo')", "call\tf()", "user: Hi",
            "tool:weather: {}", "(hidden): psst", "a: b # c", "- item", "{a: 1}", "'quoted'", "a\r\nb", "x\u{85}y",
        ]).prop_map(str::to_owned),
        3 => data::text(),
    ]
}

fn style() -> impl Strategy<Value = Style> {
    (proptest::bool::weighted(0.1), proptest::option::weighted(0.1, 0..3_usize))
        .prop_map(|(hidden, agent)| Style { hidden, agent })
}

fn map() -> impl Strategy<Value = Map<String, Value>> {
    let key = prop_oneof![4 => "[a-z_]{1,8}", 1 => data::text()];
    vec((key, prop_oneof![2 => data::documents(), 1 => data::text().prop_map(Value::String)]), 0..3)
        .prop_map(Map::from_iter)
}

fn assertion() -> impl Strategy<Value = Value> {
    prop_oneof![
        data::text()
            .prop_map(|pattern| json!({"type": "contains", "message": "msg_001", "pattern": pattern})),
        Just(json!({"type": "tool_called", "tool": "weather"})),
        (data::text(), data::documents())
            .prop_map(|(key, value)| json!({"type": "context_value", "key": key, "value": value})),
    ]
}

/// A script, written.
#[derive(Clone, Debug)]
pub struct Written {
    /// In the full form, as the format page says that a compact document expands.
    pub full: Value,
    /// In the compact form.
    pub compact: Value,
}

impl Script {
    /// Writes the run in both forms.
    #[must_use]
    pub fn write(&self) -> Written {
        let mut pen = Pen { named: self.named, context: self.context.clone(), ..Pen::default() };
        for step in &self.moves {
            pen.step(step);
        }
        pen.finish(self)
    }
}

/// A call without an answer.
struct Open {
    id: String,
    tool: &'static str,
    arguments: Value,
}

#[derive(Default)]
struct Pen {
    named: bool,
    context: Map<String, Value>,
    initial_context: Option<Map<String, Value>>,
    initial: Vec<Value>,
    turns: Vec<Map<String, Value>>,
    items: Vec<Value>,
    store: Vec<(String, bool)>,
    open: Vec<Open>,
    calls: usize,
}

impl Pen {
    fn step(&mut self, step: &Move) {
        match step {
            Move::Say(role, text, style) => {
                let role = ROLES[*role];
                let message = self.message(role, json!({"content": text}), style);
                self.items.push(self.item(role, Some(text), style, Map::new()));
                if self.initial_context.is_none() {
                    self.initial.push(message);
                } else {
                    self.turn("message", message, style, Map::new());
                }
                self.store(style);
            }
            Move::Answer(text, calls, style) => self.answer(text, calls, style),
            Move::Result(pick, outcome, style) if !self.open.is_empty() => self.result(*pick, outcome, style),
            Move::Set(values) if !values.is_empty() => {
                self.context.extend(values.clone());
                self.items.push(json!({ "context": values }));
                self.change("context", values.clone());
            }
            Move::Unset(pick) if !self.turns.is_empty() && !self.context.is_empty() => {
                let key = self.context.keys().nth(pick % self.context.len()).expect("there is one").clone();
                let Some(turn) = self.turns.last_mut() else { return };
                let changes = turn.entry("state_changes").or_insert_with(|| json!({}));
                let removed = changes.as_object_mut().expect("a map");
                removed
                    .entry("context_removed")
                    .or_insert_with(|| json!([]))
                    .as_array_mut()
                    .expect("a list")
                    .push(json!(key));
                self.context.shift_remove(&key);
                self.items.push(json!({ "unset": key }));
            }
            Move::Visible(pick, shown) if !self.store.is_empty() => {
                let at = pick % self.store.len();
                let (id, visible) = &mut self.store[at];
                *visible = *shown;
                let id = id.clone();
                self.items.push(json!({ if *shown { "show" } else { "hide" }: id }));
                if self.turns.is_empty() {
                    self.initial[at]["visible"] = json!(shown);
                } else {
                    self.change("visible", Map::from_iter([(id, json!(shown))]));
                }
            }
            _ => {}
        }
    }

    /// Notes a change of the last turn. A key that is set again is not removed.
    fn change(&mut self, what: &str, entries: Map<String, Value>) {
        let Some(turn) = self.turns.last_mut() else { return };
        let changes =
            turn.entry("state_changes").or_insert_with(|| json!({})).as_object_mut().expect("a map");
        if let (Some(Value::Array(removed)), "context") = (changes.get_mut("context_removed"), what) {
            removed.retain(|key| !entries.contains_key(key.as_str().expect("a text")));
        }
        if changes.get("context_removed").and_then(Value::as_array).is_some_and(Vec::is_empty) {
            changes.shift_remove("context_removed");
        }
        let known = changes.entry(what).or_insert_with(|| json!({})).as_object_mut().expect("a map");
        known.extend(entries);
    }

    fn next_id(&self) -> String {
        let number = self.store.len() + 1;
        if self.named { format!("m-{number}") } else { format!("msg_{number:03}") }
    }

    fn store(&mut self, style: &Style) {
        self.store.push((self.next_id(), !style.hidden));
    }

    fn message(&self, role: &str, more: Value, style: &Style) -> Value {
        let mut message = json!({ "id": self.next_id(), "role": role, "visible": !style.hidden });
        let entries = message.as_object_mut().expect("a map");
        entries.extend(style.agent.map(|agent| ("agent".to_owned(), json!(AGENTS[agent]))));
        entries.extend(more.as_object().expect("a map").clone());
        message
    }

    fn turn(&mut self, kind: &str, message: Value, style: &Style, more: Map<String, Value>) {
        let mut turn = Map::new();
        turn.insert("turn".to_owned(), json!(self.turns.len() + 1));
        turn.insert("type".to_owned(), json!(kind));
        turn.extend(style.agent.map(|agent| ("agent".to_owned(), json!(AGENTS[agent]))));
        turn.extend(more);
        turn.insert("message_created".to_owned(), message);
        self.turns.push(turn);
    }

    /// A message in the compact form: a string where that is possible without much thought, else a map.
    fn item(&self, role: &str, text: Option<&str>, style: &Style, more: Map<String, Value>) -> Value {
        let agent = style.agent.map(|agent| AGENTS[agent]);
        if let (Some(text), false, true) = (text, self.named, more.is_empty()) {
            let flags: Vec<String> = style
                .hidden
                .then(|| "hidden".to_owned())
                .into_iter()
                .chain(agent.map(|name| format!("agent={name}")))
                .collect();
            let flags = if flags.is_empty() { String::new() } else { format!("({})", flags.join(", ")) };
            return format!("{role}{flags}: {text}").into();
        }
        let mut item = Map::new();
        item.insert(role.to_owned(), json!(text));
        item.extend(more);
        if style.hidden {
            item.insert("hidden".to_owned(), json!(true));
        }
        item.extend(agent.map(|agent| ("agent".to_owned(), json!(agent))));
        if self.named {
            let key = if role == "tool" { "message_id" } else { "id" };
            item.insert(key.to_owned(), json!(self.next_id()));
        }
        Value::Object(item)
    }

    fn answer(&mut self, text: &str, calls: &[(usize, Map<String, Value>)], style: &Style) {
        self.initial_context.get_or_insert_with(|| self.context.clone());
        let sent: Vec<Value> =
            self.store.iter().filter(|entry| entry.1).map(|(id, _)| json!({ "ref": id })).collect();
        let (mut raw, mut read, mut short) = (Vec::new(), Vec::new(), Vec::new());
        for (tool, arguments) in calls {
            self.calls += 1;
            let id = if self.named { format!("c-{}", self.calls) } else { format!("call_{:03}", self.calls) };
            let tool = TOOLS[*tool];
            let line = json_line(&Value::Object(arguments.clone()));
            raw.push(json!({"id": id, "function": {"name": tool, "arguments": line}}));
            read.push(json!({"id": id, "function": {"name": tool, "arguments": arguments}}));
            short.push(match simple_call(tool, arguments) {
                Some(call) if !self.named => json!(call),
                _ if self.named => json!({"name": tool, "arguments": arguments, "id": id}),
                _ => json!({"name": tool, "arguments": arguments}),
            });
            self.open.push(Open { id, tool, arguments: Value::Object(arguments.clone()) });
        }
        let item = if calls.is_empty() {
            self.item("assistant", Some(text), style, Map::new())
        } else if text.is_empty()
            && !self.named
            && !style.hidden
            && style.agent.is_none()
            && short.iter().all(Value::is_string)
        {
            let calls: Vec<&str> = short.iter().filter_map(Value::as_str).collect();
            format!("assistant:call {}", calls.join(", ")).into()
        } else {
            let call = if short.len() == 1 { short[0].clone() } else { json!(short) };
            self.item("assistant", Some(text), style, Map::from_iter([("call".to_owned(), call)]))
        };
        self.items.push(item);
        let response = json!({
            "role": "assistant",
            "content": text,
            "tool_calls": if raw.is_empty() { Value::Null } else { json!(raw) },
        });
        let mut more = json!({ "content": text });
        if !read.is_empty() {
            more["tool_calls"] = json!(read);
        }
        let message = self.message("assistant", more, style);
        let entries = Map::from_iter([
            ("messages_sent_to_llm".to_owned(), json!(sent)),
            ("llm_response".to_owned(), response),
        ]);
        self.turn("llm_call", message, style, entries);
        self.store(style);
    }

    fn result(&mut self, pick: usize, outcome: &ToolOutcome, style: &Style) {
        let at = pick % self.open.len();
        let is_oldest = self.open[..at].iter().all(|open| open.tool != self.open[at].tool);
        let Open { id, tool, arguments } = self.open.remove(at);
        let (result, error) = match outcome {
            ToolOutcome::Returned(result) => (result.clone(), Value::Null),
            ToolOutcome::Failed(error) => (Value::Null, json!(error)),
        };
        let success = matches!(outcome, ToolOutcome::Returned(_));
        let content = match outcome {
            ToolOutcome::Returned(Value::String(text)) | ToolOutcome::Failed(text) => text.clone(),
            ToolOutcome::Returned(result) => json_line(result),
        };
        let number = if is_oldest { String::new() } else { format!("#{id}") };
        let plain = !style.hidden && style.agent.is_none() && !self.named;
        let item = match outcome {
            // Strings have the nesting that a value of a tool line may have.
            ToolOutcome::Returned(Value::Object(_) | Value::Array(_)) if plain => {
                format!("tool:{tool}{number}: {content}").into()
            }
            ToolOutcome::Failed(text) if plain => format!("tool:{tool}{number}!: {text}").into(),
            _ => {
                let mut more = Map::new();
                match outcome {
                    ToolOutcome::Returned(result) => more.insert("result".to_owned(), result.clone()),
                    ToolOutcome::Failed(text) => more.insert("error".to_owned(), json!(text)),
                };
                if !is_oldest {
                    more.insert("id".to_owned(), json!(id));
                }
                let item = self.item("tool", None, style, more);
                let mut item = item.as_object().expect("a map").clone();
                item.insert("tool".to_owned(), json!(tool));
                Value::Object(item)
            }
        };
        self.items.push(item);
        let mut response = json!({
            "tool_name": tool, "tool_call_id": id, "response": result, "parameters": arguments,
            "success": success,
        });
        if !success {
            response["error"] = error.clone();
        }
        let more =
            json!({"tool_call_id": id, "tool_name": tool, "content": content, "tool_response": response});
        let message = self.message("tool", more, style);
        let run = json!({
            "id": id, "tool_name": tool, "parameters": arguments, "result": result,
            "success": success, "error": error,
        });
        self.turn("tool_call", message, style, Map::from_iter([("tool_call".to_owned(), run)]));
        self.store(style);
    }

    fn finish(self, script: &Script) -> Written {
        let visible: Vec<&str> =
            self.store.iter().filter(|entry| entry.1).map(|(id, _)| id.as_str()).collect();
        let store: Vec<Value> = self.store.iter().map(|(id, _)| json!({ "ref": id })).collect();
        let mut end = json!({"context": self.context, "message_store": store, "visible_messages": visible});
        if !script.assertions.is_empty() {
            end["assertions"] = json!(script.assertions);
        }
        let head = |keys: &[&str]| -> Map<String, Value> {
            let kept = script.head.iter().filter(|(key, _)| keys.contains(&key.as_str()));
            kept.map(|(key, value)| (key.clone(), value.clone())).collect()
        };
        let full = json!({
            "version": "1.0",
            "metadata": head(&["name"]),
            "agent_config": head(&["model", "temperature"]),
            "initial_state": {
                "context": self.initial_context.as_ref().unwrap_or(&self.context),
                "message_store": self.initial,
            },
            "execution": self.turns,
            "final_state": end,
        });
        let mut compact = script.head.clone();
        if !script.context.is_empty() {
            compact.insert("context".to_owned(), json!(script.context));
        }
        compact.insert("messages".to_owned(), json!(self.items));
        if !script.assertions.is_empty() {
            compact.insert("assertions".to_owned(), json!(script.assertions));
        }
        Written { full, compact: Value::Object(compact) }
    }
}

/// The call as a string, where every argument has a simple name: JSON's literals are also the grammar's.
fn simple_call(tool: &str, arguments: &Map<String, Value>) -> Option<String> {
    let is_simple = |key: &String| key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let simple = arguments.keys().all(|key| !key.is_empty() && is_simple(key));
    let pairs = arguments.iter().map(|(key, value)| format!("{key}={}", json_line(value)));
    simple.then(|| format!("{tool}({})", pairs.collect::<Vec<_>>().join(", ")))
}
