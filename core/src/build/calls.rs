//! Calls that wait for their results.

use std::collections::VecDeque;

use serde_json::{Map, Value, json};

use super::args::{Args, Fault, entries, fault};
use crate::parse::json_text;
use crate::text::{Set, Table, json_line};

/// The calls of a run: which ids are taken, and which calls are still open.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    count: usize,
    ids: Set<String>,
    /// The open calls of each tool, oldest first.
    open: Table<String, VecDeque<Call>>,
}

/// One call, as it stands in the answer and in the message made of it.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub id: String,
    pub tool: String,
    /// As data, unless the text is no JSON.
    pub arguments: Value,
    /// As text.
    pub text: String,
}

impl Call {
    /// As the model wrote it.
    pub(super) fn raw(&self) -> Value {
        json!({"id": self.id, "function": {"name": self.tool, "arguments": self.text}})
    }

    /// As it is stored.
    pub(super) fn stored(&self) -> Value {
        json!({"id": self.id, "function": {"name": self.tool, "arguments": self.arguments}})
    }
}

impl Calls {
    /// Reads the calls of one answer and opens them.
    pub(super) fn read(&mut self, value: Option<Value>) -> Result<Vec<Call>, Fault> {
        let items = match value {
            None => return Ok(Vec::new()),
            Some(Value::Array(items)) => items,
            Some(_) => return Err(fault("`toolCalls` is no list")),
        };
        let before = self.count;
        let mut calls: Vec<Call> = Vec::with_capacity(items.len());
        for item in items {
            match self.parse_call(item) {
                Ok(call) => calls.push(call),
                Err(fault) => {
                    self.count = before;
                    for call in &calls {
                        self.ids.remove(&call.id);
                    }
                    return Err(fault);
                }
            }
        }
        for call in &calls {
            self.open.entry(call.tool.clone()).or_default().push_back(call.clone());
        }
        Ok(calls)
    }

    fn parse_call(&mut self, item: Value) -> Result<Call, Fault> {
        let mut args = Args::new(Value::Object(entries(item, "a tool call")?), "name");
        let id = args.text("id")?;
        // `type: function` says nothing more.
        args.take("type");
        let (tool, arguments) = match args.take("function") {
            Some(function) => {
                let mut inner = Args::new(Value::Object(entries(function, "`function`")?), "name");
                let found = (inner.text("name")?, inner.take("arguments"));
                inner.finish()?;
                found
            }
            None => {
                let name = args.text("name")?;
                let name = name.map_or_else(|| args.text("toolName"), |name| Ok(Some(name)))?;
                let arguments = args.take("arguments");
                (name, arguments.or_else(|| args.take("parameters")))
            }
        };
        args.finish()?;
        let Some(tool) = tool.filter(|tool| !tool.is_empty()) else {
            return Err(fault("a tool call names no tool"));
        };
        let (arguments, text) = match arguments {
            None => (Value::Object(Map::new()), "{}".to_owned()),
            // Arguments that are no JSON are kept, as a model may write such.
            Some(Value::String(text)) => {
                (json_text(&text).unwrap_or_else(|| Value::String(text.clone())), text)
            }
            Some(data) => {
                let text = json_line(&data);
                (data, text)
            }
        };
        let id = self.id(id)?;
        Ok(Call { id, tool, arguments, text })
    }

    fn id(&mut self, given: Option<String>) -> Result<String, Fault> {
        self.count += 1;
        let id = match given {
            Some(id) => id,
            None => {
                while self.ids.contains(&format!("call_{:03}", self.count)) {
                    self.count += 1;
                }
                format!("call_{:03}", self.count)
            }
        };
        if self.ids.insert(id.clone()) { Ok(id) } else { Err(fault(format!("two calls have the id `{id}`"))) }
    }

    /// Closes the call that a result answers: the one of the given id, else the oldest open one of the
    /// tool with those parameters, else its oldest.
    pub(super) fn answer(
        &mut self,
        tool: &str,
        parameters: Option<&Value>,
        id: Option<&str>,
    ) -> Result<Call, Fault> {
        let found = self.open.get_mut(tool).and_then(|open| {
            let at = match (id, parameters) {
                (Some(id), _) => open.iter().position(|call| call.id == id)?,
                (None, Some(wanted)) => open.iter().position(|call| call.arguments == *wanted).unwrap_or(0),
                (None, None) => 0,
            };
            open.remove(at)
        });
        found.ok_or_else(|| {
            let open = self.open.iter().find(|(_, calls)| !calls.is_empty()).map(|(tool, _)| tool);
            let help = match (self.ids.contains(id.unwrap_or("")), open) {
                (true, _) => "a call is answered once, by its own tool".to_owned(),
                (_, Some(open)) => format!("the open calls are of other tools, such as `{open}`"),
                (_, None) => "let the model call it first: `thenLlmResponds` with `toolCalls`".to_owned(),
            };
            let message = match id {
                Some(id) => format!("no open call of `{tool}` has the id `{id}`"),
                None => format!("`{tool}` has no open call to answer"),
            };
            (message, Some(help))
        })
    }
}
