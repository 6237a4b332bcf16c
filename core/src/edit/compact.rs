//! The strings of a compact document, written again with changed parts.

use serde_json::{Map, Value};

use crate::expand::CompactLine;
use crate::text::JsonMap;

impl<'s> CompactLine<'s> {
    pub(super) fn with_content(mut self, text: &'s str) -> Self {
        self.content.text = text;
        self
    }

    /// The string again.
    pub(super) fn write(&self) -> String {
        let content = self.content.text;
        if let Some(tool) = self.tool {
            let id = tool.id.map(|id| format!("#{}", id.text)).unwrap_or_default();
            return format!("tool:{}{id}{}: {content}", tool.name.text, if tool.is_error { "!" } else { "" });
        }
        let flags: Vec<&str> = self.flags.iter().map(|flag| flag.text).collect();
        let flags = if flags.is_empty() { String::new() } else { format!("({})", flags.join(", ")) };
        format!("{}{flags}:{} {content}", self.role.text, if self.calls.is_some() { "call" } else { "" })
    }

    /// The same as a map, which can express more than a string.
    pub(super) fn to_map(&self) -> Map<String, Value> {
        let mut map = Map::new();
        let content = Value::from(self.content.text);
        if let Some(tool) = self.tool {
            map.put("tool", tool.name.text.into());
            map.insert(if tool.is_error { "error" } else { "result" }.to_owned(), content);
            if let Some(id) = tool.id {
                map.put("id", id.text.into());
            }
        } else if self.calls.is_some() {
            map.put(self.role.text, "".into());
            map.put("call", content);
        } else {
            map.put(self.role.text, content);
        }
        for flag in &self.flags {
            match flag.text.split_once('=') {
                Some((key, value)) => map.put(key.trim(), value.trim().into()),
                None => map.put(flag.text, true.into()),
            }
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_comes_apart_and_together() {
        for item in [
            "user: Hi: there",
            "assistant(hidden, agent=a): x",
            "assistant:call f(a=1)",
            "tool:w#c1!: no",
            "tool: 5",
        ] {
            assert_eq!(CompactLine::new(item).write(), item);
        }
        assert_eq!(CompactLine::new("assistant: call me").content.text, "call me");
        assert!(CompactLine::new("robot: x").fault.is_some());
        assert_eq!(CompactLine::new("tool:w#c1: x").tool.unwrap().id.unwrap().text, "c1");
    }
}
