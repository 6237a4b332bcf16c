//! An answer as blocks, each with the deltas in which it is streamed: as they were recorded, or the text split after white
//! space.

use serde_json::{Map, Value};

use crate::text::{json_compact, json_value, sort_by_key};
use crate::wire::{ModelResponse, ToolCall};

/// A block of an answer.
pub(super) struct Block<'v> {
    pub(super) kind: Kind<'v>,
    /// Its whole text; the arguments of a call.
    pub(super) text: String,
    pub(super) deltas: Vec<Delta>,
}

/// The kind of a block.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind<'v> {
    Reasoning,
    Text,
    Refusal,
    Call(&'v ToolCall),
    /// The action of a vendor's own tool, in the vendor's form.
    Own(&'v Value),
}

/// A piece of a text, and when it was recorded.
pub(super) struct Delta {
    pub(super) text: String,
    pub(super) at: Option<Value>,
}

/// The recorded deltas of each block, by its number: of a text, or of a call after them.
type Recorded = Vec<(u64, Vec<Delta>)>;

/// The number of the first call; texts are numbered in the order of their kinds above.
const FIRST_CALL: u64 = 3;

/// The blocks of an answer in the order of their first occurrence in the recording, if it has them all; else
/// the reasoning, the text, the refusal and the calls. Recorded deltas that do not sum up to a block are
/// ignored.
pub(super) fn blocks(response: &ModelResponse) -> Vec<Block<'_>> {
    let mut recorded = recorded_deltas(&response.chunks);
    let order: Vec<u64> = recorded.iter().map(|(number, _)| *number).collect();
    let texts = [
        (Kind::Reasoning, response.reasoning.as_deref()),
        (Kind::Text, Some(response.content.as_str())),
        (Kind::Refusal, response.refusal.as_deref()),
    ];
    let texts = (0..).zip(texts).filter_map(|(number, (kind, text))| {
        Some((number, kind, text.filter(|text| !text.is_empty())?.to_owned()))
    });
    let calls = (FIRST_CALL..)
        .zip(&response.calls)
        .map(|(number, call)| (number, Kind::Call(call), argument_text(&call.arguments)));
    let mut found: Vec<(Option<usize>, Block<'_>)> = Vec::new();
    for (number, kind, text) in texts.chain(calls) {
        let place = order.iter().position(|one| *one == number);
        let deltas = place.and_then(|place| recorded.get_mut(place));
        let deltas = deltas.map(|(_, deltas)| std::mem::take(deltas)).unwrap_or_default();
        let whole: String = deltas.iter().map(|delta| delta.text.as_str()).collect();
        let is_whole = match kind {
            Kind::Call(call) => is_text_of(&whole, &call.arguments),
            _ => whole == text,
        };
        let block = match is_whole {
            true => Block { kind, text: whole, deltas },
            false => Block { kind, deltas: split(&text), text },
        };
        found.push((place, block));
    }
    if found.iter().all(|(place, _)| place.is_some()) {
        sort_by_key(&mut found, |(place, _)| *place);
    }
    found.into_iter().map(|(_, block)| block).collect()
}

/// Adds blocks of the vendor's own tools, which come before the text about them.
pub(super) fn insert_own<T>(blocks: &mut Vec<T>, own: Vec<T>, is_reasoning: fn(&T) -> bool) {
    let place = blocks.iter().position(|block| !is_reasoning(block)).unwrap_or(blocks.len());
    let rest = blocks.split_off(place);
    blocks.extend(own);
    blocks.extend(rest);
}

/// The blocks of an answer with those of the vendor's own tools, which recordings keep under a key of their metadata.
pub(super) fn blocks_with_own<'v>(
    response: &'v ModelResponse,
    key: &str,
    is_own: fn(&Value) -> bool,
) -> Vec<Block<'v>> {
    let mut out = blocks(response);
    let own = response.metadata.get(key).and_then(Value::as_array).into_iter().flatten();
    let own = own.filter(|part| is_own(part));
    let own = own.map(|part| Block { kind: Kind::Own(part), text: String::new(), deltas: Vec::new() });
    insert_own(&mut out, own.collect(), |block| block.kind == Kind::Reasoning);
    out
}

/// The actions of the vendor's own tools, which recordings keep under a key of their metadata.
pub(super) fn own_parts<'v>(response: &'v ModelResponse, key: &str) -> impl Iterator<Item = &'v Value> {
    let parts = response.metadata.get(key).and_then(Value::as_array).into_iter().flatten();
    parts.filter(|part| part.get("type").is_some_and(Value::is_string))
}

fn recorded_deltas(chunks: &[Value]) -> Recorded {
    let mut out = Recorded::new();
    let mut last = FIRST_CALL;
    for chunk in chunks {
        let at = chunk.get("at_ms").filter(|at| at.is_number());
        let mut add = |number: u64, text: &str| {
            let place = out.iter().position(|(one, _)| *one == number).unwrap_or_else(|| {
                out.push((number, Vec::new()));
                out.len() - 1
            });
            if let Some((_, deltas)) = out.get_mut(place).filter(|_| !text.is_empty()) {
                deltas.push(Delta { text: text.to_owned(), at: at.cloned() });
            }
        };
        for (number, key) in (0..).zip(["reasoning", "text", "refusal"]) {
            if let Some(Value::String(text)) = chunk.get(key) {
                add(number, text);
            }
        }
        let Some(call) = chunk.get("tool_call_delta").filter(|call| call.is_object()) else { continue };
        if let Some(Value::Number(index)) = call.get("index") {
            last = index.as_u64().map_or(u64::MAX, |index| index.saturating_add(FIRST_CALL));
        }
        let arguments = call.pointer("/function/arguments").filter(|arguments| !arguments.is_null());
        let arguments = arguments.or_else(|| call.get("arguments"));
        add(last, arguments.and_then(Value::as_str).unwrap_or_default());
    }
    out
}

/// Arguments as the text that a model writes: as JSON of ECMAScript, unless they are a text.
fn argument_text(arguments: &Value) -> String {
    match arguments {
        Value::Null => "{}".to_owned(),
        Value::String(text) => text.clone(),
        data => json_compact(data),
    }
}

/// Arguments as data, unless they are a text that is not JSON.
pub(super) fn argument_data(arguments: &Value) -> Value {
    match arguments {
        Value::Null => Value::Object(Map::new()),
        Value::String(text) => json_value(text).unwrap_or_else(|_| arguments.clone()),
        data => data.clone(),
    }
}

/// Whether a text says the arguments.
fn is_text_of(text: &str, arguments: &Value) -> bool {
    match json_value(text) {
        Ok(data) => is_same(&data, arguments),
        Err(_) => text == argument_text(arguments),
    }
}

/// Whether two values are the same to a host with doubles as numbers, which the data has passed through.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let has =
                |(key, value): (&String, &Value)| other.get(key).is_some_and(|other| is_same(value, other));
            one.len() == other.len() && one.iter().all(has)
        }
        _ => one == other,
    }
}

/// Splits a text before each word except the first; deterministic.
fn split(text: &str) -> Vec<Delta> {
    let (mut out, mut begin) = (Vec::new(), 0);
    let (mut has_word, mut is_after_space) = (false, false);
    let mut cut = |from: usize, to: usize| {
        let text = text.get(from..to).unwrap_or_default();
        if !text.is_empty() {
            out.push(Delta { text: text.to_owned(), at: None });
        }
    };
    for (at, c) in text.char_indices() {
        let is_space = is_space(c);
        if has_word && is_after_space && !is_space {
            cut(begin, at);
            begin = at;
        }
        has_word |= !is_space;
        is_after_space = is_space;
    }
    cut(begin, text.len());
    out
}

/// White space of ECMAScript.
fn is_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_text_is_split_where_ecmascript_has_white_space() {
        let pieces = |text: &str| split(text).into_iter().map(|delta| delta.text).collect::<Vec<_>>();
        assert_eq!(pieces(" a  b\n"), [" a  ", "b\n"]);
        assert_eq!(pieces("a\u{a0}b\u{85}c\u{feff}d"), ["a\u{a0}", "b\u{85}c\u{feff}", "d"]);
        assert_eq!(pieces(" \t"), [" \t"]);
        assert!(pieces("").is_empty());
    }

    #[test]
    fn a_text_says_arguments_whatever_its_white_space_and_numbers() {
        assert!(is_text_of("{ \"b\": 1.0, \"a\": [] }", &json!({"a": [], "b": 1})));
        assert!(is_text_of("{\"id\": 12345678901234567890}", &json!({"id": 12_345_678_901_234_567_000_u64})));
        assert!(is_text_of("{\"cut", &json!("{\"cut")));
        assert!(!is_text_of("{\"a\": 1}", &json!({"a": 2})) && !is_text_of("", &json!({})));
    }
}
