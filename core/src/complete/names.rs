//! The names in a document: messages, calls, tools, agents, keys of the context, states.

use serde_json::Value;

use super::place::{Place, Step};
use crate::expand;
use crate::model::{Content, Message, Transcript};
use crate::parse::{self, Kind, Limits, Node, read};
use crate::text::{Set, json_line, sort_by_key};

/// The maximum length of a message's text that is shown, in characters.
const SHOWN: usize = 60;

/// A name with its meaning.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Named {
    pub name: String,
    /// Its kind, in a few words.
    pub detail: String,
    /// A longer description.
    pub doc: String,
}

/// A tool that the document declares.
#[derive(Clone, Debug, Default)]
pub(super) struct Tool {
    pub name: String,
    pub description: String,
    /// The JSON Schema of its arguments.
    pub parameters: Value,
}

/// The declarations in the readable part of a text.
#[derive(Debug, Default)]
pub(super) struct Declared {
    root: Option<Node>,
    run: Transcript,
}

impl Declared {
    pub(super) fn from_text(text: &str, limits: &Limits) -> Self {
        let Some(root) = parse::parse(text, limits).root else { return Self::default() };
        let run = match parse::detect(&root) {
            Kind::Compact => expand::compact(text, &root, limits).0,
            _ => read::transcript(&root, read::Fill::CreatedMessages),
        };
        Self { root: Some(root), run }
    }

    fn stored(&self) -> impl Iterator<Item = &Message> {
        let created = self.run.turns.iter().filter_map(|turn| turn.created.as_ref());
        self.run.initial.iter().chain(created)
    }

    /// The messages in order, each id once.
    pub(super) fn messages(&self) -> Vec<Named> {
        let all = self.stored().filter(|message| !message.id.value.is_empty());
        unique(all.map(|message| Named {
            name: message.id.value.to_string(),
            detail: message.role.value.name().to_owned(),
            doc: message_text(message),
        }))
    }

    /// The calls in order, with the arguments.
    pub(super) fn calls(&self) -> Vec<Named> {
        let answers = self.run.turns.iter().filter_map(|turn| turn.response.as_ref());
        let answered = answers.flat_map(|answer| &answer.tool_calls);
        let all = self.stored().flat_map(|message| &message.tool_calls).chain(answered);
        unique(all.filter_map(|call| {
            let doc = format!("{}({})", call.name.value, shortened(&json_line(&call.arguments)));
            Some(Named {
                name: call.id.as_ref()?.value.to_string(),
                detail: call.name.value.to_string(),
                doc,
            })
        }))
    }

    /// The declared tools; those of the whole document, since names are shared between agents.
    pub(super) fn tools(&self) -> Vec<Tool> {
        let Some(root) = &self.root else { return Vec::new() };
        let agents =
            root.get("agents").map(Node::entries).unwrap_or_default().iter().map(|entry| &entry.value);
        let lists = [root.get("tools"), root.get("agent_config").and_then(|config| config.get("tools"))];
        let of_agents = agents.flat_map(|agent| {
            [agent.get("tools"), agent.get("config").and_then(|config| config.get("tools"))]
        });
        let entries = lists.into_iter().chain(of_agents).flatten().flat_map(Node::items);
        let (mut tools, mut seen) = (Vec::new(), Set::new());
        for entry in entries {
            let Some(name) = entry.as_str().or_else(|| entry.get("name")?.as_str()) else { continue };
            let text = |key: &str| entry.get(key).and_then(Node::as_str).unwrap_or_default().to_owned();
            let parameters = entry.get("parameters").map(Node::to_value).unwrap_or_default();
            if seen.insert(name) {
                tools.push(Tool { name: name.to_owned(), description: text("description"), parameters });
            }
        }
        tools
    }

    /// The declared tools, followed by those that are only used.
    pub(super) fn tool_names(&self) -> Vec<Named> {
        let declared = self.tools().into_iter().map(|tool| Named {
            detail: signature(&tool),
            name: tool.name,
            doc: tool.description,
        });
        let used = self.calls().into_iter().map(|call| call.detail);
        let ran = self.run.turns.iter().filter_map(|turn| turn.tool.as_ref());
        let used = used.chain(ran.map(|tool| tool.name.value.to_string())).filter(|name| !name.is_empty());
        unique(declared.chain(used.map(|name| Named {
            name,
            detail: "used in this file".to_owned(),
            doc: String::new(),
        })))
    }

    pub(super) fn agents(&self) -> Vec<Named> {
        let Some(root) = &self.root else { return Vec::new() };
        let maps = ["agents", "handlers"].into_iter().filter_map(|key| root.get(key)).flat_map(Node::entries);
        let keys = maps.map(|entry| entry.key.text.to_string());
        let used = self.stored().filter_map(|message| message.agent.as_deref().map(str::to_owned));
        unique(keys.chain(used).map(|name| Named { name, detail: "agent".to_owned(), doc: String::new() }))
    }

    /// The keys of the context, at the start or set by a turn.
    pub(super) fn context(&self) -> Vec<Named> {
        let maps =
            [&self.run.context].into_iter().chain(self.run.turns.iter().map(|turn| &turn.changes.context));
        unique(maps.flatten().map(|(key, value)| Named {
            name: key.clone(),
            detail: shortened(&json_line(value)),
            doc: String::new(),
        }))
    }

    /// The states of the machine around the place.
    pub(super) fn states(&self, place: &Place) -> Vec<Named> {
        let Some(mut node) = self.root.as_ref() else { return Vec::new() };
        let mut states = node.get("states");
        for level in &place.levels {
            let next = match &level.step {
                Step::Key(key) => node.get(key),
                Step::Item(index) => node.items().get(*index),
            };
            let Some(next) = next else { break };
            node = next;
            states = node.get("states").or(states);
        }
        let entries = states.map(Node::entries).unwrap_or_default();
        entries
            .iter()
            .map(|entry| {
                let respond = entry.value.get("respond");
                let text =
                    respond.and_then(|answer| answer.as_str().or_else(|| answer.get("content")?.as_str()));
                let doc = shortened(text.unwrap_or_default());
                Named { name: entry.key.text.to_string(), detail: "state".to_owned(), doc }
            })
            .collect()
    }
}

/// The first of each name.
fn unique(all: impl Iterator<Item = Named>) -> Vec<Named> {
    let mut seen = Set::new();
    all.filter(|named| seen.insert(named.name.clone())).collect()
}

/// The text of a message, shortened.
fn message_text(message: &Message) -> String {
    let text = message.content.as_ref().map(Content::to_text).unwrap_or_default();
    if !text.trim().is_empty() {
        return shortened(&text);
    }
    let calls = message.tool_calls.iter().map(|call| format!("calls {}", call.name.value));
    calls.collect::<Vec<_>>().join(", ")
}

/// The beginning of a text on one line.
pub(super) fn shortened(text: &str) -> String {
    let mut words = text.split_whitespace();
    let mut line = String::new();
    while line.len() <= SHOWN * 4
        && let Some(word) = words.next()
    {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or("")),
        None => line,
    }
}

/// The signature of a declared tool: `weather(location, days?)`.
pub(super) fn signature(tool: &Tool) -> String {
    let arguments: Vec<String> = arguments(tool)
        .into_iter()
        .map(|argument| if argument.required { argument.name } else { format!("{}?", argument.name) })
        .collect();
    format!("{}({})", tool.name, arguments.join(", "))
}

/// An argument that a tool declares.
pub(super) struct Argument {
    pub name: String,
    pub required: bool,
    /// Its type in the schema, if that is one word.
    pub kind: String,
    pub doc: String,
    pub values: Vec<Value>,
}

/// The declared arguments, the required ones first.
pub(super) fn arguments(tool: &Tool) -> Vec<Argument> {
    let properties = tool.parameters.get("properties").and_then(Value::as_object);
    let required = tool.parameters.get("required").and_then(Value::as_array);
    let is_required =
        |name: &str| required.is_some_and(|names| names.iter().any(|other| other.as_str() == Some(name)));
    let mut found: Vec<Argument> = properties
        .into_iter()
        .flatten()
        .map(|(name, schema)| {
            let text = |key: &str| schema.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            let kind = text("type");
            let values = match schema.get("enum").and_then(Value::as_array) {
                Some(values) => values.clone(),
                None if kind == "boolean" => vec![Value::Bool(true), Value::Bool(false)],
                None => Vec::new(),
            };
            Argument {
                name: name.clone(),
                required: is_required(name),
                kind,
                doc: text("description"),
                values,
            }
        })
        .collect();
    sort_by_key(&mut found, |argument| !argument.required);
    found
}
