//! The changes that can be requested, and their plain data.

use serde_json::{Map, Value};

use super::op::{Part, Path};
use crate::diagnostic::InvalidInput;
use crate::text::JsonMap;

/// A change of a document. Ids are those of the document, written or generated from the position, as
/// [`crate::document::Document`] shows them; steps count from 1, and 0 is the initial state.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the comment of each variant describes its fields")]
pub enum Change {
    /// Sets the value at `path`; keys that are missing on the way are added.
    Set { path: Path, value: Value },
    /// Removes the item or entry at `path`, with the comments of its own.
    Remove { path: Path },
    /// Inserts `value` before item number `index` of the list at `path`, or after its last.
    Insert { path: Path, index: usize, value: Value },
    /// Moves an item of the list at `path`, so that it is number `to` afterwards.
    Move { path: Path, from: usize, to: usize },
    /// Renames the key of the entry at `path`.
    RenameKey { path: Path, key: String },
    /// Sets the text of a message.
    SetText { message: String, text: String },
    /// Sets the role of a message.
    SetRole { message: String, role: String },
    /// Sets the tool or the arguments of call number `call` of a message, if present.
    SetCall { message: String, call: usize, name: Option<String>, arguments: Option<Value> },
    /// Hides or shows a message from the end of step `from` on, or as long as it exists.
    SetVisible { message: String, visible: bool, from: Option<usize> },
    /// Inserts a message before number `index` of the initial store or, in a compact document, of
    /// `messages`.
    AddMessage { index: usize, message: Value },
    /// Removes a message with all that refers to it.
    RemoveMessage { message: String },
    /// Moves a message within the initial store or, in a compact document, within `messages`.
    MoveMessage { message: String, to: usize },
    /// Inserts a turn before the one of step `step`, or after the last.
    AddTurn { step: usize, turn: Value },
    /// Removes the turn of a step and all references to its message.
    RemoveTurn { step: usize },
    /// Moves the turn of step `step`, so that it is step `to` afterwards.
    MoveTurn { step: usize, to: usize },
    /// Changes the id of a message or a call, everywhere.
    RenameId { from: String, to: String },
    /// Sets a key of the context at the end of a step, or removes the step's change of it.
    SetContext { step: usize, key: String, value: Option<Value> },
    /// Sets assertion number `index`, or appends one if there is none of that number, or removes it.
    SetAssertion { index: usize, value: Option<Value> },
    /// Sets the note on the step with this path, such as `2` or `2.1`: the comment above it. An empty text removes it.
    SetNote { step: String, text: String },
}

impl Change {
    /// Whether it is a change of data, which may leave a document incomplete.
    ///
    /// ```
    /// use transcript_core::edit::Change;
    /// assert!(Change::Remove { path: vec!["name".into()] }.is_data());
    /// assert!(!Change::RemoveTurn { step: 1 }.is_data());
    /// ```
    #[must_use]
    pub fn is_data(&self) -> bool {
        matches!(
            self,
            Change::Set { .. }
                | Change::Remove { .. }
                | Change::Insert { .. }
                | Change::Move { .. }
                | Change::RenameKey { .. }
        )
    }

    /// Reads a change from its plain data: a map with its name as the one key, such as
    /// `{"rename_id": {"from": "msg_001", "to": "question"}}`. Null counts as absent.
    ///
    /// # Errors
    ///
    /// When a value is missing or of the wrong kind.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::edit::Change;
    /// let change = Change::from_value(&json!({"set": {"path": ["messages", 0], "value": "user: Hi"}})).unwrap();
    /// assert_eq!(change, Change::Set { path: vec!["messages".into(), 0.into()], value: "user: Hi".into() });
    /// let error = Change::from_value(&json!({"sit": {}})).unwrap_err();
    /// assert_eq!(error.to_string(), "unknown change `sit`; did you mean `set`?");
    /// let error = Change::from_value(&json!({"set_text": {"mesage": "msg_001", "text": "Hi"}})).unwrap_err();
    /// assert_eq!(error.to_string(), "unknown field `mesage` of `set_text`; did you mean `message`?");
    /// ```
    pub fn from_value(value: &Value) -> Result<Self, InvalidInput> {
        let map = value.as_object().filter(|map| map.len() == 1);
        let Some((name, Value::Object(fields))) = map.and_then(|map| map.iter().next()) else {
            return Err("a change is a map with one key: the name, with a map of fields".into());
        };
        let names = || CHANGES.iter().map(|(name, _)| *name);
        let Some((_, known)) = CHANGES.iter().find(|(known, _)| known == name) else {
            return Err(InvalidInput::unknown(format!("unknown change `{name}`"), name, names()));
        };
        if let Some(key) = fields.keys().find(|key| !known.contains(&key.as_str())) {
            let message = format!("unknown field `{key}` of `{name}`");
            return Err(InvalidInput::unknown(message, key, known.iter().copied())
                .or_hint(&format!("the fields are {}", known.join(", "))));
        }
        let fields = Fields { name, map: fields };
        Ok(match name.as_str() {
            "set" => Change::Set { path: fields.path()?, value: fields.value("value")? },
            "remove" => Change::Remove { path: fields.path()? },
            "insert" => Change::Insert {
                path: fields.path()?,
                index: fields.number("index")?,
                value: fields.value("value")?,
            },
            "move" => {
                Change::Move { path: fields.path()?, from: fields.number("from")?, to: fields.number("to")? }
            }
            "rename_key" => Change::RenameKey { path: fields.path()?, key: fields.text("key")? },
            "set_text" => Change::SetText { message: fields.text("message")?, text: fields.text("text")? },
            "set_role" => Change::SetRole { message: fields.text("message")?, role: fields.text("role")? },
            "set_call" => Change::SetCall {
                message: fields.text("message")?,
                call: fields.number("call")?,
                name: fields.get("name").map(|_| fields.text("name")).transpose()?,
                arguments: fields.get("arguments").cloned(),
            },
            "set_visible" => Change::SetVisible {
                message: fields.text("message")?,
                visible: fields
                    .get("visible")
                    .and_then(Value::as_bool)
                    .ok_or_else(|| fields.lacks("visible", "a boolean"))?,
                from: fields.get("from").map(|_| fields.number("from")).transpose()?,
            },
            "add_message" => {
                Change::AddMessage { index: fields.number("index")?, message: fields.value("message")? }
            }
            "remove_message" => Change::RemoveMessage { message: fields.text("message")? },
            "move_message" => {
                Change::MoveMessage { message: fields.text("message")?, to: fields.number("to")? }
            }
            "add_turn" => Change::AddTurn { step: fields.number("step")?, turn: fields.value("turn")? },
            "remove_turn" => Change::RemoveTurn { step: fields.number("step")? },
            "move_turn" => Change::MoveTurn { step: fields.number("step")?, to: fields.number("to")? },
            "rename_id" => Change::RenameId { from: fields.text("from")?, to: fields.text("to")? },
            "set_context" => Change::SetContext {
                step: fields.number("step")?,
                key: fields.text("key")?,
                value: fields.map.get("value").cloned(),
            },
            "set_assertion" => {
                Change::SetAssertion { index: fields.number("index")?, value: fields.get("value").cloned() }
            }
            "set_note" => Change::SetNote {
                step: fields.number("step").map(|step| step.to_string()).or_else(|_| fields.text("step"))?,
                text: fields.text("text")?,
            },
            _ => return Err(format!("unknown change `{name}`").into()),
        })
    }

    /// The change as plain data, which [`Change::from_value`] reads.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut fields = WrittenFields(Map::new());
        let out = &mut fields;
        let (name, _) = match self {
            Change::Set { path, value } => ("set", out.path(path).value("value", value)),
            Change::Remove { path } => ("remove", out.path(path)),
            Change::Insert { path, index, value } => {
                ("insert", out.path(path).number("index", *index).value("value", value))
            }
            Change::Move { path, from, to } => {
                ("move", out.path(path).number("from", *from).number("to", *to))
            }
            Change::RenameKey { path, key } => ("rename_key", out.path(path).text("key", key)),
            Change::SetText { message, text } => {
                ("set_text", out.text("message", message).text("text", text))
            }
            Change::SetRole { message, role } => {
                ("set_role", out.text("message", message).text("role", role))
            }
            Change::SetCall { message, call, name, arguments } => {
                out.text("message", message).number("call", *call);
                if let Some(name) = name {
                    out.text("name", name);
                }
                ("set_call", out.value_if_any("arguments", arguments.as_ref()))
            }
            Change::SetVisible { message, visible, from } => {
                out.text("message", message).value("visible", &Value::Bool(*visible));
                if let Some(from) = from {
                    out.number("from", *from);
                }
                ("set_visible", out)
            }
            Change::AddMessage { index, message } => {
                ("add_message", out.number("index", *index).value("message", message))
            }
            Change::RemoveMessage { message } => ("remove_message", out.text("message", message)),
            Change::MoveMessage { message, to } => {
                ("move_message", out.text("message", message).number("to", *to))
            }
            Change::AddTurn { step, turn } => ("add_turn", out.number("step", *step).value("turn", turn)),
            Change::RemoveTurn { step } => ("remove_turn", out.number("step", *step)),
            Change::MoveTurn { step, to } => ("move_turn", out.number("step", *step).number("to", *to)),
            Change::RenameId { from, to } => ("rename_id", out.text("from", from).text("to", to)),
            Change::SetContext { step, key, value } => (
                "set_context",
                out.number("step", *step).text("key", key).value_if_any("value", value.as_ref()),
            ),
            Change::SetAssertion { index, value } => {
                ("set_assertion", out.number("index", *index).value_if_any("value", value.as_ref()))
            }
            Change::SetNote { step, text } => ("set_note", out.text("step", step).text("text", text)),
        };
        let mut change = WrittenFields(Map::new());
        change.put(name, Value::Object(fields.0));
        Value::Object(change.0)
    }
}

/// The fields of a change as plain data. Its functions are not inlined: there are many fields.
struct WrittenFields(Map<String, Value>);

impl WrittenFields {
    fn put(&mut self, key: &str, value: Value) -> &mut Self {
        self.0.put(key, value);
        self
    }

    #[inline(never)]
    fn text(&mut self, key: &str, text: &str) -> &mut Self {
        self.put(key, text.into())
    }

    #[inline(never)]
    fn number(&mut self, key: &str, number: usize) -> &mut Self {
        self.put(key, number.into())
    }

    #[inline(never)]
    fn value(&mut self, key: &str, value: &Value) -> &mut Self {
        self.put(key, value.clone())
    }

    fn value_if_any(&mut self, key: &str, value: Option<&Value>) -> &mut Self {
        match value {
            Some(value) => self.value(key, value),
            None => self,
        }
    }

    #[inline(never)]
    fn path(&mut self, path: &[Part]) -> &mut Self {
        let part = |part: &Part| match part {
            Part::Key(key) => Value::from(key.as_str()),
            Part::Index(index) => Value::from(*index),
        };
        self.put("path", path.iter().map(part).collect())
    }
}

/// The changes and their fields.
const CHANGES: [(&str, &[&str]); 19] = [
    ("set", &["path", "value"]),
    ("remove", &["path"]),
    ("insert", &["path", "index", "value"]),
    ("move", &["path", "from", "to"]),
    ("rename_key", &["path", "key"]),
    ("set_text", &["message", "text"]),
    ("set_role", &["message", "role"]),
    ("set_call", &["message", "call", "name", "arguments"]),
    ("set_visible", &["message", "visible", "from"]),
    ("add_message", &["index", "message"]),
    ("remove_message", &["message"]),
    ("move_message", &["message", "to"]),
    ("add_turn", &["step", "turn"]),
    ("remove_turn", &["step"]),
    ("move_turn", &["step", "to"]),
    ("rename_id", &["from", "to"]),
    ("set_context", &["step", "key", "value"]),
    ("set_assertion", &["index", "value"]),
    ("set_note", &["step", "text"]),
];

struct Fields<'v> {
    name: &'v str,
    map: &'v Map<String, Value>,
}

impl<'v> Fields<'v> {
    fn get(&self, key: &str) -> Option<&'v Value> {
        self.map.get(key).filter(|value| !value.is_null())
    }

    fn lacks(&self, key: &str, what: &str) -> InvalidInput {
        format!("`{}` needs `{key}`, {what}", self.name).into()
    }

    fn value(&self, key: &str) -> Result<Value, InvalidInput> {
        self.map.get(key).cloned().ok_or_else(|| self.lacks(key, "a value"))
    }

    fn text(&self, key: &str) -> Result<String, InvalidInput> {
        let text = self.get(key).and_then(Value::as_str);
        text.map(str::to_owned).ok_or_else(|| self.lacks(key, "a string"))
    }

    fn number(&self, key: &str) -> Result<usize, InvalidInput> {
        let number = self.get(key).and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok());
        number.ok_or_else(|| self.lacks(key, "an integer from 0"))
    }

    fn path(&self) -> Result<Path, InvalidInput> {
        let part = |part: &Value| match part {
            Value::String(key) => Some(Part::Key(key.clone())),
            _ => usize::try_from(part.as_u64()?).ok().map(Part::Index),
        };
        let parts = self.get("path").and_then(Value::as_array);
        let path = parts.and_then(|parts| parts.iter().map(part).collect());
        path.ok_or_else(|| self.lacks("path", "a list of keys and indices"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{CHANGES, Change};

    #[test]
    fn each_change_is_read_as_it_is_written() {
        let data = [
            json!({"set": {"path": ["messages", 0], "value": null}}),
            json!({"remove": {"path": []}}),
            json!({"insert": {"path": ["messages"], "index": 1, "value": "user: Hi"}}),
            json!({"move": {"path": ["messages"], "from": 0, "to": 2}}),
            json!({"rename_key": {"path": ["context", "city"], "key": "town"}}),
            json!({"set_text": {"message": "m", "text": "Hi"}}),
            json!({"set_role": {"message": "m", "role": "user"}}),
            json!({"set_call": {"message": "m", "call": 0, "name": "weather", "arguments": {"city": "Rome"}}}),
            json!({"set_visible": {"message": "m", "visible": false, "from": 3}}),
            json!({"add_message": {"index": 0, "message": {"role": "user"}}}),
            json!({"remove_message": {"message": "m"}}),
            json!({"move_message": {"message": "m", "to": 1}}),
            json!({"add_turn": {"step": 1, "turn": {"type": "message"}}}),
            json!({"remove_turn": {"step": 1}}),
            json!({"move_turn": {"step": 1, "to": 2}}),
            json!({"rename_id": {"from": "m", "to": "n"}}),
            json!({"set_context": {"step": 1, "key": "city", "value": null}}),
            json!({"set_assertion": {"index": 0, "value": {"contains": "Hi"}}}),
            json!({"set_note": {"step": "2.1", "text": "Why?"}}),
        ];
        let named: Vec<&str> =
            data.iter().filter_map(|change| change.as_object()?.keys().next()).map(String::as_str).collect();
        assert_eq!(named, CHANGES.map(|(name, _)| name));
        for change in data {
            assert_eq!(Change::from_value(&change).unwrap().to_value(), change);
        }
    }

    #[test]
    fn what_a_change_leaves_out_stays_so() {
        for change in [
            json!({"set_call": {"message": "m", "call": 0}}),
            json!({"set_visible": {"message": "m", "visible": true}}),
            json!({"set_context": {"step": 1, "key": "city"}}),
            json!({"set_assertion": {"index": 0}}),
        ] {
            assert_eq!(Change::from_value(&change).unwrap().to_value(), change);
        }
    }
}
