//! The strings of a compact document, taken apart only as far as an edit needs.

use serde_json::{Map, Value};

use crate::model::ROLES;

/// A string `role(flags): text`, `role(flags):call calls`, or `tool:name#id!: text`.
#[derive(Debug, PartialEq)]
pub(super) struct Line<'s> {
    pub role: &'s str,
    pub flags: Vec<&'s str>,
    /// Of a tool's answer: name, id of the call, and whether it is an error.
    pub tool: Option<(&'s str, Option<&'s str>, bool)>,
    pub calls: bool,
    pub text: &'s str,
}

impl<'s> Line<'s> {
    /// The parts of `item`; `None` when it is not written in the grammar.
    pub(super) fn new(item: &'s str) -> Option<Self> {
        let role = ROLES
            .into_iter()
            .find(|role| item.strip_prefix(role).is_some_and(|rest| rest.starts_with([':', '('])))?;
        let rest = item.get(role.len()..)?;
        let named = role == "tool"
            && rest.strip_prefix(':').is_some_and(|rest| rest.starts_with(|c: char| !c.is_whitespace()));
        let trimmed = |text: &'s str| text.strip_prefix(' ').unwrap_or(text);
        let role = item.get(..role.len())?;
        if named {
            let (head, text) = rest.get(1..)?.split_once(':')?;
            let (head, is_error) = head.strip_suffix('!').map_or((head, false), |head| (head, true));
            let (name, id) = head.split_once('#').map_or((head, None), |(name, id)| (name, Some(id)));
            let tool = Some((name, id, is_error));
            return Some(Self { role, flags: Vec::new(), tool, calls: false, text: trimmed(text) });
        }
        let (flags, rest) = match rest.strip_prefix('(') {
            Some(inside) => {
                let (flags, rest) = inside.split_once(')')?;
                (flags.split(',').map(str::trim).filter(|flag| !flag.is_empty()).collect(), rest)
            }
            None => (Vec::new(), rest),
        };
        let body = rest.strip_prefix(':')?;
        let calls = body.strip_prefix("call").filter(|_| role == "assistant");
        match calls.filter(|rest| rest.starts_with(char::is_whitespace)) {
            Some(calls) => Some(Self { role, flags, tool: None, calls: true, text: trimmed(calls) }),
            None => Some(Self { role, flags, tool: None, calls: false, text: trimmed(body) }),
        }
    }

    /// The string again.
    pub(super) fn write(&self) -> String {
        if let Some((name, id, is_error)) = self.tool {
            let id = id.map(|id| format!("#{id}")).unwrap_or_default();
            return format!("tool:{name}{id}{}: {}", if is_error { "!" } else { "" }, self.text);
        }
        let flags =
            if self.flags.is_empty() { String::new() } else { format!("({})", self.flags.join(", ")) };
        format!("{}{flags}:{} {}", self.role, if self.calls { "call" } else { "" }, self.text)
    }

    /// The same as a map, which can hold more than a string.
    pub(super) fn to_map(&self) -> Map<String, Value> {
        let mut map = Map::new();
        if let Some((name, id, is_error)) = self.tool {
            map.insert("tool".to_owned(), name.into());
            map.insert(if is_error { "error" } else { "result" }.to_owned(), self.text.into());
            if let Some(id) = id {
                map.insert("id".to_owned(), id.into());
            }
        } else {
            map.insert(self.role.to_owned(), if self.calls { Value::from("") } else { self.text.into() });
            if self.calls {
                map.insert("call".to_owned(), self.text.into());
            }
        }
        for flag in &self.flags {
            match flag.split_once('=') {
                Some((key, value)) => map.insert(key.trim().to_owned(), value.trim().into()),
                None => map.insert((*flag).to_owned(), true.into()),
            };
        }
        map
    }
}

/// The id of the call that a `tool:` line names.
pub(super) fn call_id(item: &str) -> Option<&str> {
    Line::new(item)?.tool?.1
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
            assert_eq!(Line::new(item).unwrap().write(), item);
        }
        assert_eq!(Line::new("assistant: call me").unwrap().text, "call me");
        assert_eq!(Line::new("robot: x"), None);
        assert_eq!(call_id("tool:w#c1: x"), Some("c1"));
    }
}
