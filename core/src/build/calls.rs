//! Calls that wait for their results.

use std::collections::VecDeque;

use serde_json::{Map, Value};

use super::args::{Args, Fault, entries, fault};
use crate::model::{IdCounter, ToolCall, call_id};
use crate::parse::json_text;
use crate::text::{Set, Table};

/// The calls of a run: which ids are taken, and which calls are still open.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    /// Counts every call.
    numbered: IdCounter,
    ids: Set<String>,
    /// The open calls of each tool, oldest first.
    open: Table<String, VecDeque<ToolCall>>,
}

impl Calls {
    /// Reads the calls of one answer and opens them.
    pub(super) fn read(&mut self, value: Option<Value>) -> Result<Vec<ToolCall>, Fault> {
        let items = match value {
            None => return Ok(Vec::new()),
            Some(Value::Array(items)) => items,
            Some(_) => return Err(fault("`toolCalls`: expected a list")),
        };
        let before = self.numbered;
        let mut calls: Vec<ToolCall> = Vec::with_capacity(items.len());
        for item in items {
            match self.parse_call(item) {
                Ok(call) => calls.push(call),
                Err(fault) => {
                    self.numbered = before;
                    for id in calls.iter().filter_map(|call| call.id.as_ref()) {
                        self.ids.remove(&*id.value);
                    }
                    return Err(fault);
                }
            }
        }
        for call in &calls {
            self.open.entry(call.name.value.to_string()).or_default().push_back(call.clone());
        }
        Ok(calls)
    }

    fn parse_call(&mut self, item: Value) -> Result<ToolCall, Fault> {
        let mut args = Args::new(Value::Object(entries(item, "a tool call")?), "name");
        let id = args.text("id")?;
        // `type: function` adds nothing.
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
            return Err(fault("a tool call has no name"));
        };
        let (arguments, raw) = match arguments {
            None => (Value::Object(Map::new()), None),
            // Arguments that are no JSON are kept, as a model may write them.
            Some(Value::String(text)) => {
                (json_text(&text).unwrap_or_else(|| Value::String(text.clone())), Some(text.into()))
            }
            Some(data) => (data, None),
        };
        let id = self.new_id(id)?;
        Ok(ToolCall { raw, ..ToolCall::unplaced(Some(&id), &tool, arguments) })
    }

    /// A unique id for a call: its own, else the next one.
    fn new_id(&mut self, own: Option<String>) -> Result<String, Fault> {
        let id = match own {
            Some(id) => {
                self.numbered.skip();
                id
            }
            None => self.numbered.next_free(call_id, &|id| self.ids.contains(id)),
        };
        if self.ids.insert(id.clone()) { Ok(id) } else { Err(fault(format!("duplicate call id `{id}`"))) }
    }

    /// Closes the call of a result: the one with the id, else the oldest open one of the
    /// tool with those parameters, else its oldest.
    pub(super) fn answer(
        &mut self,
        tool: &str,
        parameters: Option<&Value>,
        id: Option<&str>,
    ) -> Result<ToolCall, Fault> {
        let found = self.open.get_mut(tool).and_then(|open| {
            let at = match (id, parameters) {
                (Some(id), _) => {
                    open.iter().position(|call| call.id.as_ref().is_some_and(|own| *own.value == *id))?
                }
                (None, Some(wanted)) => open.iter().position(|call| call.arguments == *wanted).unwrap_or(0),
                (None, None) => 0,
            };
            open.remove(at)
        });
        found.ok_or_else(|| {
            let open = self.open.iter().find(|(_, calls)| !calls.is_empty()).map(|(tool, _)| tool);
            let help = match (self.ids.contains(id.unwrap_or("")), open) {
                (true, _) => "add one result for each call, from the same tool".to_owned(),
                (_, Some(open)) => format!("the open calls are to other tools, such as `{open}`"),
                (_, None) => "add the call first: `thenLlmResponds` with `toolCalls`".to_owned(),
            };
            let message = match id {
                Some(id) => format!("no open call to `{tool}` has the id `{id}`"),
                None => format!("there is no open call to `{tool}`"),
            };
            Fault::with_help(message, Some(help))
        })
    }
}
