//! The common parts of all protocols: contents, other keys, arguments.

use serde_json::{Map, Value};

use super::{Message, role};
use crate::parse;
use crate::text::JsonMap;

impl Message {
    /// The message in stored form: with a role of the format if it has a synonym of one, and its content as
    /// one text if it is only text without further data. A refusal is not part of the content.
    pub(crate) fn normalized(self, texts: &[&str]) -> Self {
        let role = match role(&self.role) {
            Some("developer") => "system".to_owned(),
            Some(role) => role.to_owned(),
            None => self.role,
        };
        let (content, refusals) = split_content(Some(&self.content), &|part| match refusal_of(part) {
            Some(refusal) => Part::Inner(Some(refusal)),
            None => text_of(part, texts).map_or(Part::Other, Part::Text),
        });
        let mut others = self.others;
        if !refusals.is_empty() {
            others.put("refusal", refusals.concat().into());
        }
        Self { role, content, others, ..self }
    }
}

/// The parts of content with more data than the text or the result read from them, such as the end of a
/// cache.
pub(crate) fn extra_parts(content: Option<&Value>) -> Option<Value> {
    let known = ["type", "text", "tool_use_id", "content", "is_error"];
    let parts = content.and_then(Value::as_array).into_iter().flatten();
    let is_read = |part: &&Value| {
        let kind = part.get("type").and_then(Value::as_str).unwrap_or_default();
        matches!(kind, "text" | "tool_result" | "input_text")
    };
    let more: Value =
        parts.filter(is_read).filter(|part| !non_empty_except(part, &known).is_empty()).cloned().collect();
    more.as_array().is_some_and(|parts| !parts.is_empty()).then_some(more)
}

/// The kinds of parts of a content.
pub(crate) enum Part<'v> {
    Text(&'v str),
    /// A part that is not content, such as reasoning, with its text.
    Inner(Option<&'v str>),
    Other,
}

/// Content as one text where its parts are texts, else its parts; and the texts of inner parts.
pub(crate) fn split_content<'v>(
    content: Option<&'v Value>,
    classify: &dyn Fn(&'v Value) -> Part<'v>,
) -> (Value, Vec<&'v str>) {
    let parts = match content {
        None | Some(Value::Null) => return ("".into(), Vec::new()),
        Some(Value::Array(parts)) => parts,
        Some(other) => return (other.clone(), Vec::new()),
    };
    let (mut text, mut is_text) = (String::new(), true);
    let (mut rest, mut inner) = (Vec::new(), Vec::new());
    for part in parts {
        match classify(part) {
            Part::Inner(found) => {
                inner.extend(found);
                continue;
            }
            Part::Text(piece) => text.push_str(piece),
            Part::Other => is_text = false,
        }
        rest.push(part);
    }
    (if is_text { text.into() } else { rest.into_iter().cloned().collect() }, inner)
}

/// Parses the text of a tool result: data when it is JSON, else the text.
pub(crate) fn parse_result_text(text: &str) -> Value {
    parse::json_text(text).unwrap_or_else(|| Value::String(text.to_owned()))
}

/// Returns arguments as data: JSON text is parsed, and a missing value or an empty text gives no arguments.
pub(crate) fn parse_arguments(value: Option<&Value>) -> Value {
    read_arguments(value, parse::json_text)
}

/// The same for a log of another program: a number in the text that 64 bits cannot hold exactly becomes its text.
pub(crate) fn parse_logged_arguments(value: &Value) -> Value {
    read_arguments(Some(value), parse::json_exactly)
}

fn read_arguments(value: Option<&Value>, parse: fn(&str) -> Option<Value>) -> Value {
    match value {
        None | Some(Value::Null) => Value::Object(Map::new()),
        Some(Value::String(text)) if text.trim().is_empty() => Value::Object(Map::new()),
        Some(Value::String(text)) => parse(text).unwrap_or_else(|| text.as_str().into()),
        Some(other) => other.clone(),
    }
}

/// The refusal in a part that is one.
pub(super) fn refusal_of(part: &Value) -> Option<&str> {
    part.get("refusal").filter(|_| part.get("type").is_some_and(|kind| kind == "refusal"))?.as_str()
}

/// The text of a part that is one.
pub(super) fn text_of<'v>(part: &'v Value, kinds: &[&str]) -> Option<&'v str> {
    if let Value::String(text) = part {
        return Some(text);
    }
    let kind = part.get("type")?.as_str()?;
    kinds.contains(&kind).then(|| part.get("text")?.as_str())?
}

/// The text under a key.
pub(super) fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(Value::as_str).map(str::to_owned)
}

/// The items of the list under a key.
pub(super) fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The other entries of a map; null and empty lists are left out.
pub(crate) fn non_empty_except(value: &Value, but: &[&str]) -> Map<String, Value> {
    other_entries(value, but).map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// Whether a map has other entries; null and empty lists do not count.
pub(super) fn has_non_empty_except(value: &Value, but: &[&str]) -> bool {
    other_entries(value, but).next().is_some()
}

fn other_entries<'v>(value: &'v Value, but: &[&str]) -> impl Iterator<Item = (&'v String, &'v Value)> {
    let entries = value.as_object().into_iter().flatten();
    let says = |value: &Value| !value.is_null() && value.as_array().is_none_or(|items| !items.is_empty());
    entries.filter(move |(key, value)| !but.contains(&key.as_str()) && says(value))
}

/// Whether a value is null, or a list or a map without entries.
pub(crate) fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    }
}

/// Moves a value to another key, unless that is taken.
pub(super) fn rename(map: &mut Map<String, Value>, from: &str, to: &str) {
    if !map.contains_key(to)
        && let Some(value) = map.shift_remove(from)
    {
        map.put(to, value);
    }
}

/// Vendors' names for a setting, each with that of recordings.
pub(crate) const SETTING_NAMES: [(&str, &str); 7] = [
    ("max_output_tokens", "max_tokens"),
    ("max_completion_tokens", "max_tokens"),
    ("stop_sequences", "stop"),
    ("num_predict", "max_tokens"),
    ("think", "thinking"),
    ("p", "top_p"),
    ("k", "top_k"),
];

/// The vendors' places for the schema of a structured answer: a key of the request, and the path to the
/// schema below it.
pub(crate) const SETTING_SCHEMAS: [(&str, &[&str]); 6] = [
    ("response_format", &["json_schema", "schema"]),
    ("response_format", &["schema"]),
    ("response_format", &["json_schema"]),
    ("output_config", &["format", "schema"]),
    ("output_format", &["schema"]),
    ("text", &["format", "schema"]),
];

/// The settings of a request, which are all its keys but some, by the names that recordings have for them.
/// The schema of an answer is taken from the vendor's place for it; other values there stay.
pub(super) fn settings(body: &Value, but: &[&str]) -> Map<String, Value> {
    let mut out = non_empty_except(body, but);
    for (from, to) in SETTING_NAMES {
        rename(&mut out, from, to);
    }
    for (key, path) in SETTING_SCHEMAS {
        let schema = out.get(key).and_then(|value| path.iter().try_fold(value, |value, key| value.get(key)));
        if let Some(schema) = schema.cloned() {
            out.entry("response_schema").or_insert(schema);
        }
    }
    out
}

/// Adds a piece of text to the text under a key.
pub(super) fn append(map: &mut Map<String, Value>, key: &str, piece: &str) {
    match map.get_mut(key) {
        Some(Value::String(text)) => text.push_str(piece),
        Some(Value::Array(parts)) => parts.push(piece.into()),
        _ => map.put(key, piece.into()),
    }
}

/// The map at an index of a list, which grows up to it; `None` beyond the limit of a stream.
pub(super) fn slot(items: &mut Vec<Value>, at: u64) -> Option<&mut Map<String, Value>> {
    let at = usize::try_from(at).ok().filter(|at| *at < MOST)?;
    if items.len() <= at {
        items.resize(at + 1, Value::Object(Map::new()));
    }
    items.get_mut(at)?.as_object_mut()
}

/// The maximum number of parts of one answer: an index beyond it is hostile or broken.
const MOST: usize = 1 << 16;
