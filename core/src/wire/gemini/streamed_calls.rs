//! Calls whose arguments Vertex AI streams in several parts (`partialArgs`): the first has the name, and all but the last say that
//! the call goes on (`willContinue`).

use serde_json::{Map, Value};

use super::super::content::list;
use super::{Part, classify, field};
use crate::text::JsonMap;

/// The most steps of a path, and the most items that it skips: beyond them it is hostile or broken.
const MOST: usize = 64;

/// Adds a part to those before it. The arguments of a call that goes on are added to the call; `open` is its index, if there is one.
pub(super) fn push_part(parts: &mut Vec<Value>, open: &mut Option<usize>, part: &Value) {
    let Part::Call(call) = classify(part) else { return parts.push(part.clone()) };
    let goes_on = field(call, "willContinue").is_some_and(|goes_on| *goes_on == true);
    let continued = open.take().filter(|_| field(call, "name").is_none());
    let at = continued.unwrap_or(parts.len());
    if continued.is_none() {
        parts.push(part.clone());
    }
    *open = goes_on.then_some(at);
    let pieces = field(call, "partialArgs");
    if continued.is_none() && !goes_on && pieces.is_none() {
        return;
    }
    let Some(Value::Object(whole)) = parts.get_mut(at) else { return };
    if let Value::Object(more) = part {
        for (key, value) in more {
            whole.entry(key).or_insert_with(|| value.clone());
        }
    }
    let key = if whole.contains_key("functionCall") { "functionCall" } else { "function_call" };
    let Some(Value::Object(whole)) = whole.get_mut(key) else { return };
    for key in ["partialArgs", "partial_args", "willContinue", "will_continue"] {
        whole.shift_remove(key);
    }
    let arguments = whole.entry("args").or_insert_with(|| Map::new().into());
    for piece in pieces.and_then(Value::as_array).into_iter().flatten() {
        let path = field(piece, "jsonPath").and_then(Value::as_str).unwrap_or_default();
        let mut values = ["stringValue", "numberValue", "boolValue"].into_iter();
        let value = values.find_map(|key| field(piece, key)).cloned().unwrap_or_default();
        match (place(arguments, path), value) {
            (Some(Value::String(text)), Value::String(more)) => text.push_str(&more),
            (Some(place), value) => *place = value,
            // A path of another form is kept as the name of the argument.
            (None, value) => {
                if let Value::Object(arguments) = arguments {
                    arguments.put(path, value);
                }
            }
        }
    }
}

/// The place of a JSON Path such as `$.days[0]['from']`, which is made if it does not exist.
fn place<'v>(mut at: &'v mut Value, path: &str) -> Option<&'v mut Value> {
    let mut rest = path.strip_prefix('$')?;
    for _ in 0..MOST {
        if rest.is_empty() {
            return Some(at);
        }
        let (key, after) = match rest.strip_prefix('[') {
            Some(inner) => inner.split_once(']')?,
            None => {
                let name = rest.strip_prefix('.')?;
                name.split_at_checked(name.find(['.', '[']).unwrap_or(name.len()))?
            }
        };
        let index = key.parse::<usize>().ok().filter(|_| rest.starts_with('['));
        rest = after;
        at = match index {
            Some(index) => {
                if !at.is_array() {
                    *at = Value::Array(Vec::new());
                }
                let items = at.as_array_mut()?;
                if items.len() <= index && index - items.len() < MOST {
                    items.resize(index + 1, Value::Null);
                }
                items.get_mut(index)?
            }
            None => {
                if !at.is_object() {
                    *at = Map::new().into();
                }
                at.as_object_mut()?.entry(key.trim_matches(['\'', '"'])).or_insert(Value::Null)
            }
        };
    }
    None
}

/// The arguments of the call at an index as a text.
pub(super) fn arguments(parts: &[Value], at: usize) -> Option<String> {
    field(field(parts.get(at)?, "functionCall")?, "args").map(Value::to_string)
}

/// The parts of contents in order, with each call once.
pub(super) fn joined_parts(contents: &[Value]) -> Vec<Value> {
    let (mut parts, mut open) = (Vec::new(), None);
    for part in contents.iter().flat_map(|content| list(content, "parts")) {
        push_part(&mut parts, &mut open, part);
    }
    parts
}
