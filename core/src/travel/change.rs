//! The changes that can be requested, and their plain data.

use serde_json::{Map, Value};

use crate::diagnostic::InvalidInput;
use crate::text::json;

/// The path of a step: `2`, or `2.1` for the first step of the run inside step 2. The initial state is step 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StepPath(Vec<usize>);

impl StepPath {
    /// Reads a path.
    ///
    /// # Errors
    /// When it is no path.
    ///
    /// ```
    /// use transcript_core::travel::StepPath;
    /// assert_eq!(StepPath::new("2.1").unwrap().to_string(), "2.1");
    /// assert_eq!(StepPath::new("2.").unwrap_err().to_string(), "`2.` is not a step; write `2`, or `2.1` in a nested run");
    /// ```
    pub fn new(path: &str) -> Result<Self, InvalidInput> {
        let parts = path.split('.').map(|part| part.parse().ok());
        let parts = parts.collect::<Option<Vec<usize>>>();
        parts
            .map(Self)
            .ok_or_else(|| format!("`{path}` is not a step; write `2`, or `2.1` in a nested run").into())
    }

    pub(super) fn parts(&self) -> &[usize] {
        &self.0
    }
}

impl std::fmt::Display for StepPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, part) in self.0.iter().enumerate() {
            write!(f, "{}{part}", if index > 0 { "." } else { "" })?;
        }
        Ok(())
    }
}

/// A change of a run. Steps are those of the original run, whatever changes came before.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the comment of each variant describes its fields")]
pub enum Change {
    /// The step does not happen.
    Skip { step: StepPath },
    /// The model's answer changes: to a text, or a map with `content` and `tool_calls` in a handler's
    /// form.
    ReplaceAnswer { step: StepPath, response: Value },
    /// The tool's result changes, or it fails.
    ReplaceResult { step: StepPath, result: Result<Value, Value> },
    /// The content of the step's message changes, and with it its answer or result. In the initial state
    /// `message` specifies which one; otherwise it may be absent.
    EditMessage { step: StepPath, message: Option<String>, content: Value },
    /// A key of the context has another value after the step, or is removed.
    SetContext { step: StepPath, key: String, value: Option<Value> },
    /// The step moves to the place of step `to` of the same run: before it if it came after it, otherwise
    /// behind it.
    Move { step: StepPath, to: StepPath },
    /// A turn in the full form is inserted after the step, and after earlier insertions there.
    Insert { after: StepPath, turn: Value },
    /// The run ends after the step. For a step in a nested run, all runs around it end there too.
    Fork { at: StepPath },
}

impl Change {
    /// The names of the changes in plain data, in the order of the variants.
    pub const NAMES: [&'static str; 8] = [
        "skip",
        "replace_response",
        "replace_result",
        "edit_message",
        "set_context",
        "move",
        "insert",
        "fork",
    ];

    /// Reads a change from its plain data: a map with its name as the one key and a map of its fields, such
    /// as `{"skip": {"step": "2"}}`. A step is a text or a number.
    ///
    /// # Errors
    /// When a value is missing or of the wrong kind.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::travel::Change;
    /// let value = json!({"set_context": {"step": "1", "key": "user", "value": "Bo"}});
    /// assert_eq!(Change::from_value(&value).unwrap().to_value(), value);
    /// assert_eq!(
    ///     Change::from_value(&json!({"skipp": {}})).unwrap_err().to_string(),
    ///     "unknown change `skipp`; did you mean `skip`?"
    /// );
    /// ```
    pub fn from_value(value: &Value) -> Result<Self, InvalidInput> {
        let map = value.as_object().filter(|map| map.len() == 1);
        let Some((name, Value::Object(fields))) = map.and_then(|map| map.iter().next()) else {
            return Err("a change is a map with one key: the name, with a map of fields".into());
        };
        let fields = Fields { name, map: fields };
        let (change, known): (_, &[&str]) = match name.as_str() {
            "skip" => (Change::Skip { step: fields.step("step")? }, &["step"]),
            "replace_response" => (
                Change::ReplaceAnswer { step: fields.step("step")?, response: fields.value("response")? },
                &["step", "response"],
            ),
            "replace_result" => (
                Change::ReplaceResult { step: fields.step("step")?, result: fields.outcome()? },
                &["step", "result", "error"],
            ),
            "edit_message" => {
                let message = fields.map.get("message").map(|_| fields.text("message")).transpose()?;
                let (step, content) = (fields.step("step")?, fields.value("content")?);
                (Change::EditMessage { step, message, content }, &["step", "message", "content"])
            }
            "set_context" => (
                Change::SetContext {
                    step: fields.step("step")?,
                    key: fields.text("key")?,
                    value: fields.value_or_unset()?,
                },
                &["step", "key", "value", "unset"],
            ),
            "move" => (Change::Move { step: fields.step("step")?, to: fields.step("to")? }, &["step", "to"]),
            "insert" => (
                Change::Insert { after: fields.step("after")?, turn: fields.value("turn")? },
                &["after", "turn"],
            ),
            "fork" => (Change::Fork { at: fields.step("at")? }, &["at"]),
            _ => {
                return Err(InvalidInput::unknown(format!("unknown change `{name}`"), name, Self::NAMES));
            }
        };
        match fields.map.keys().find(|key| !known.contains(&key.as_str())) {
            Some(key) => Err(format!("unknown field `{key}` of `{name}`").into()),
            None => Ok(change),
        }
    }

    /// Reads a list of changes, or one.
    ///
    /// # Errors
    /// As [`Change::from_value`], with the number of the change.
    pub fn list(value: &Value) -> Result<Vec<Self>, InvalidInput> {
        match value {
            Value::Array(changes) => {
                let read = |(index, change)| {
                    Self::from_value(change).map_err(|why| format!("change {}: {why}", index + 1).into())
                };
                changes.iter().enumerate().map(read).collect()
            }
            one => Ok(vec![Self::from_value(one)?]),
        }
    }

    /// The change as plain data.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let step = |step: &StepPath| step.to_string();
        match self {
            Change::Skip { step: at } => json!({"skip": {"step": step(at)}}),
            Change::ReplaceAnswer { step: at, response } => {
                json!({"replace_response": {"step": step(at), "response": response}})
            }
            Change::ReplaceResult { step: at, result: Ok(result) } => {
                json!({"replace_result": {"step": step(at), "result": result}})
            }
            Change::ReplaceResult { step: at, result: Err(error) } => {
                json!({"replace_result": {"step": step(at), "error": error}})
            }
            Change::EditMessage { step: at, message: None, content } => {
                json!({"edit_message": {"step": step(at), "content": content}})
            }
            Change::EditMessage { step: at, message: Some(message), content } => {
                json!({"edit_message": {"step": step(at), "message": message, "content": content}})
            }
            Change::SetContext { step: at, key, value: Some(value) } => {
                json!({"set_context": {"step": step(at), "key": key, "value": value}})
            }
            Change::SetContext { step: at, key, value: None } => {
                json!({"set_context": {"step": step(at), "key": key, "unset": true}})
            }
            Change::Move { step: at, to } => json!({"move": {"step": step(at), "to": step(to)}}),
            Change::Insert { after, turn } => json!({"insert": {"after": step(after), "turn": turn}}),
            Change::Fork { at } => json!({"fork": {"at": step(at)}}),
        }
    }

    /// The step it is about.
    #[must_use]
    pub fn step(&self) -> &StepPath {
        match self {
            Change::Skip { step }
            | Change::ReplaceAnswer { step, .. }
            | Change::ReplaceResult { step, .. }
            | Change::EditMessage { step, .. }
            | Change::SetContext { step, .. }
            | Change::Move { step, .. }
            | Change::Insert { after: step, .. }
            | Change::Fork { at: step } => step,
        }
    }
}

struct Fields<'v> {
    name: &'v str,
    map: &'v Map<String, Value>,
}

impl Fields<'_> {
    fn lacks(&self, key: &str, what: &str) -> InvalidInput {
        format!("`{}` needs `{key}`, {what}", self.name).into()
    }

    fn value(&self, key: &str) -> Result<Value, InvalidInput> {
        self.map.get(key).cloned().ok_or_else(|| self.lacks(key, "a value"))
    }

    fn text(&self, key: &str) -> Result<String, InvalidInput> {
        let text = self.map.get(key).and_then(Value::as_str);
        text.map(str::to_owned).ok_or_else(|| self.lacks(key, "a string"))
    }

    fn step(&self, key: &str) -> Result<StepPath, InvalidInput> {
        match self.map.get(key) {
            Some(Value::String(path)) => StepPath::new(path),
            Some(Value::Number(number)) if number.is_u64() => StepPath::new(&number.to_string()),
            _ => Err(self.lacks(key, "the path of a step")),
        }
    }

    fn outcome(&self) -> Result<Result<Value, Value>, InvalidInput> {
        match (self.map.get("result"), self.map.get("error")) {
            (Some(result), None) => Ok(Ok(result.clone())),
            (None, Some(error)) => Ok(Err(error.clone())),
            _ => Err(self.lacks("result", "or `error`, but not both")),
        }
    }

    fn value_or_unset(&self) -> Result<Option<Value>, InvalidInput> {
        match (self.map.get("value"), self.map.get("unset")) {
            (Some(value), None | Some(Value::Bool(false))) => Ok(Some(value.clone())),
            (None, Some(Value::Bool(true))) => Ok(None),
            _ => Err(self.lacks("value", "or `unset: true`, but not both")),
        }
    }
}
