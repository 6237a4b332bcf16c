//! Conversations in the form of ShareGPT, which datasets for training have: `conversations` of messages with `from` and
//! `value`, a conversation each. Calls of tools have no ids: a result is of the first call that waits for one.

mod format;
mod hermes;

use serde_json::{Map, Value};

use super::conversation::ToolOutcome;
use super::files::{LogFile, unique_name};
use super::items::{At, message_step};
use super::preview;
use super::records::Records;
use super::report::Imported;
use super::steps::{Step, StepKind, build_conversation};
use super::values::Entry;
use crate::diagnostic::codes;
use crate::parse::{Data, Node};
use crate::text::{JsonMap, Set, json};
use crate::wire::{self, ModelRequest, Protocol};
use crate::write::Entries;
pub(super) use format::{DETECTION, FORMAT, WORDS, read};
use hermes::TaggedResult;

/// The author of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speaker {
    System,
    Person,
    Model,
    /// The model calls tools.
    Call,
    Tool,
}

impl Speaker {
    /// The author for a role of a dataset; `None` when no dataset has that role.
    fn from_role(role: &str) -> Option<Self> {
        Some(match role.trim().to_ascii_lowercase().as_str() {
            "system" => Self::System,
            "human" | "user" => Self::Person,
            "gpt" | "assistant" | "chatgpt" | "bard" | "bing" | "model" | "ai" => Self::Model,
            "function_call" => Self::Call,
            "tool" | "function" | "function_response" | "observation" => Self::Tool,
            _ => return None,
        })
    }
}

/// A dataset, read.
#[derive(Debug)]
struct Dataset {
    /// The names of its conversations, each with the first words of the user.
    names: Vec<(String, String)>,
    records: Records,
    all: Vec<Node>,
    unrecognized: Vec<Node>,
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

impl Dataset {
    /// ```
    /// use transcript_core::import::{LogFile, read_as};
    /// let text = r#"[{"id": "a", "conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Hello!"}]}]"#;
    /// let read = read_as("sharegpt", &[LogFile { path: "data.json", text }]).unwrap();
    /// assert_eq!(read.names, [("a".to_owned(), "Hi".to_owned())]);
    /// assert_eq!(read.imported(Some(0)).transcript["execution"][0]["llm_response"]["content"], "Hello!");
    /// ```
    fn read(file: &LogFile<'_>) -> Self {
        let mut records = Records::read(file);
        let roots = std::mem::take(&mut records.roots).into_iter();
        let (all, unrecognized): (Vec<Node>, Vec<Node>) = roots.partition(|root| {
            root.get("conversations").is_some_and(|list| matches!(list.data, Data::Seq(_)))
        });
        let mut seen = Set::new();
        let names = all.iter().enumerate().map(|(at, root)| {
            let id = root.get("id").map(Node::to_value).filter(|id| id.is_string() || id.is_number());
            let id = id.map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned));
            let name = id.filter(|id| !id.is_empty()).unwrap_or(format!("conversation-{}", at + 1));
            let name = unique_name(name, at + 1, &mut seen);
            let messages = root.get("conversations").map(Node::items).unwrap_or_default().iter();
            let first = messages
                .map(Node::to_value)
                .find(|message| Speaker::from_role(text(message, "from")) == Some(Speaker::Person));
            (name, first.map(|first| preview::line(text(&first, "value"))).unwrap_or_default())
        });
        Self { names: names.collect(), all, unrecognized, records }
    }

    /// One of the conversations as a transcript.
    fn imported(&self, chosen: Option<usize>) -> Imported {
        let Self { names, records, all, unrecognized } = self;
        let mut records = records.clone();
        let mut steps = Vec::new();
        let mut head = Map::new();
        if let Some(root) = chosen.and_then(|at| all.get(at)) {
            let others = root.entries().iter().filter(|entry| &*entry.key.text != "conversations");
            head = others.map(|entry| (entry.key.text.to_string(), entry.value.to_value())).collect();
            let place = Entry { value: Value::Null, ..records.entry(root) };
            if let Some(Value::String(system)) = head.get("system").filter(|system| *system != "") {
                let message = json!({"from": "system", "value": system});
                steps.extend(
                    read_steps(&message, &place, Speaker::System, &mut Vec::new()).unwrap_or_default(),
                );
                head.shift_remove("system");
            }
            let mut tools = tools(&head);
            let has_tools = !tools.is_empty();
            // Of a pair of answers, the preferred one is the run; the other is kept.
            let messages = root.get("conversations").map(Node::items).unwrap_or_default().iter();
            let preferred = root.get("chosen").filter(|chosen| chosen.get("from").is_some());
            for node in messages.chain(preferred) {
                let record = records.entry(node);
                let role = text(&record.value, "from");
                let speaker = Speaker::from_role(role);
                let has_value = record.value.get("value").is_some_and(|value| !value.is_null());
                let message = speaker
                    .filter(|_| has_value)
                    .and_then(|speaker| read_steps(&record.value, &record, speaker, &mut tools));
                match message {
                    Some(read) => {
                        records.mark_used(record.line);
                        steps.extend(read);
                        if speaker == Some(Speaker::Model)
                            && hermes::has_unreadable_call(text(&record.value, "value"))
                        {
                            let message =
                                "a `<tool_call>` of this message cannot be read; it stays in the text";
                            let help = "a call must be JSON with `name` and `arguments`";
                            records.warn(codes::LOG_ENTRY, record.span, message.to_owned(), help);
                        }
                    }
                    None => {
                        let (message, help) = match (role, speaker) {
                            ("", _) => {
                                ("this is not a message".to_owned(), "a message needs `from` and `value`")
                            }
                            (role, Some(_)) if !has_value => (
                                format!("the message of `{role}` has no `value`"),
                                "a message needs `from` and `value`",
                            ),
                            (role, None) => (
                                format!("unknown role `{role}`"),
                                "use `human`, `gpt`, `system`, `function_call` or `observation`",
                            ),
                            (role, _) => (
                                format!("the value of `{role}` cannot be read"),
                                "a call must be JSON with `name` and `arguments`",
                            ),
                        };
                        let message = format!("{message}; it is kept in `metadata`");
                        records.warn(codes::LOG_ENTRY, record.span, message, help);
                        records.keep(&record, role);
                    }
                }
            }
            if preferred.is_some() {
                head.shift_remove("chosen");
            }
            // The first answer gets the tools; without an answer they stay in the metadata.
            if has_tools && tools.is_empty() {
                head.shift_remove("tools");
            }
        }
        for node in unrecognized {
            let record = records.entry(node);
            let message = "this is not a conversation; it is kept in `metadata`".to_owned();
            records.warn(codes::LOG_ENTRY, record.span, message, "a conversation needs `conversations`");
            records.keep(&record, "");
        }
        let conversation = build_conversation(steps, &mut records);
        let name =
            chosen.filter(|_| names.len() > 1).and_then(|at| names.get(at)).map_or("", |(name, _)| name);
        let own = Entries::default().with("example", (!head.is_empty()).then_some(Value::Object(head)));
        let name = records.name_or_file(name);
        let metadata = records.metadata(name, None, "sharegpt", own);
        records.imported(conversation.transcript(metadata))
    }
}

/// The tools, as a list or as its JSON.
fn tools(head: &Map<String, Value>) -> Vec<Value> {
    let list = match head.get("tools") {
        Some(Value::String(text)) => crate::text::json_value(text).unwrap_or_default(),
        other => other.cloned().unwrap_or_default(),
    };
    let read = Protocol::Chat.parse_request(&json!({"messages": [], "tools": list}));
    let all = read.map(|read| read.tools).unwrap_or_default();
    if all.iter().all(|tool| tool.get("name").is_some_and(Value::is_string)) { all } else { Vec::new() }
}

/// The steps of a message: one, or one for each result in it. `None` when it cannot be read. The first answer gets the
/// tools.
fn read_steps(message: &Value, place: &Entry, speaker: Speaker, tools: &mut Vec<Value>) -> Option<Vec<Step>> {
    let content = message.get("value");
    let others = message.as_object()?.iter().filter(|(key, _)| !["from", "value"].contains(&key.as_str()));
    let mut others: Map<String, Value> = others.map(|(key, value)| (key.clone(), value.clone())).collect();
    // Some roles name the product.
    if let Some(from @ ("chatgpt" | "bard" | "bing")) = message.get("from").and_then(Value::as_str) {
        others.put("from", from.into());
    }
    let at = At { line: place.line, span: place.span, time: None };
    let answer = match speaker {
        Speaker::Model => match content.and_then(Value::as_str).and_then(hermes::answer) {
            Some((calls, text)) => {
                if content.and_then(Value::as_str).is_some_and(hermes::has_text_after_call) {
                    others.put_some("value", content.cloned());
                }
                json!({"role": "assistant", "content": text, "tool_calls": calls})
            }
            None => json!({"role": "assistant", "content": content}),
        },
        Speaker::Call => json!({"role": "assistant", "tool_calls": calls(content?)?}),
        Speaker::System | Speaker::Person | Speaker::Tool => {
            let role = match speaker {
                Speaker::System => "system",
                Speaker::Tool => "tool",
                _ => "user",
            };
            let tagged = content.and_then(Value::as_str).filter(|_| speaker == Speaker::Tool);
            let results = tagged.and_then(hermes::results).unwrap_or_else(|| {
                let content = content.cloned().unwrap_or_default();
                vec![TaggedResult { name: None, content, others: Map::new() }]
            });
            let read = results.into_iter().map(|result| {
                let message = json!({"role": role, "name": result.name, "content": result.content});
                let mut message = wire::chat_message(&message)?;
                message.others.extend(result.others);
                message.others.extend(others.clone());
                message.others.put("line", place.line.into());
                Some(message_step(message, ToolOutcome::default(), at.clone()))
            });
            return read.collect();
        }
    };
    let response = Protocol::Chat.parse_response(&json!({"choices": [{"message": answer}]}))?;
    let request = ModelRequest { tools: std::mem::take(tools), ..ModelRequest::default() };
    let kind = StepKind::Response(Box::new(response), Box::new(request), others);
    Some(vec![Step { line: place.line, span: place.span, time: None, kind }])
}

/// The calls in a value: one or several as JSON, or as data.
fn calls(value: &Value) -> Option<Vec<Value>> {
    let read: Value = match value {
        Value::String(text) => crate::text::json_value(text).ok()?,
        other => other.clone(),
    };
    let all = match read {
        Value::Array(all) => all,
        one => vec![one],
    };
    let call = |call: Value| {
        let name = call.get("name")?.as_str()?;
        let key = ["arguments", "parameters"].into_iter().find(|key| call.get(key).is_some());
        let arguments = key.and_then(|key| call.get(key)).cloned().unwrap_or(json!({}));
        let mut others = call.as_object()?.clone();
        others.retain(|other, _| other != "name" && Some(other.as_str()) != key);
        let id = others.shift_remove("id").unwrap_or_default();
        let mut out =
            json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
        out.as_object_mut()?.extend(others);
        Some(out)
    };
    all.into_iter().map(call).collect()
}
