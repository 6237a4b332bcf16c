//! Repeated content, written once under `blobs`.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::text::{JsonMap, Table, content_key};

/// The content to write once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dedupe {
    /// Content is written once if it is larger than this many bytes: of text in UTF-8, or of data roughly
    /// as JSON, escapes not counted. A reference takes about 90 bytes, so a much lower limit gains
    /// nothing.
    pub larger_than: usize,
}

impl Default for Dedupe {
    fn default() -> Self {
        Self { larger_than: 256 }
    }
}

/// The keys with content as their values: messages, what tools take and return, their declarations.
const CONTENT: [&str; 15] = [
    "content",
    "result",
    "response",
    "parameters",
    "arguments",
    "error",
    "reasoning",
    "refusal",
    "citations",
    "annotations",
    "parsed",
    "text",
    "context",
    "tools",
    "response_schema",
];

/// A full transcript's data with large repeated content moved to `blobs`, and references such as
/// `{$blob: "sha256:..."}` in its places.
///
/// Content is the value of `content`, `result`, `response`, `parameters`, `arguments`, `context` and the
/// like, and every text, list and map inside it, except in runs of other agents, which have content of
/// their own. The largest repeated part is moved, together with content that is only inside it. Blobs
/// come last, in the order in which they are first referred to, after those that the data has already.
///
/// ```
/// use serde_json::json;
/// use transcript_core::write::{Dedupe, dedupe, without_blobs};
/// let message = json!({"role": "user", "content": "the same long question"});
/// let data = json!({"execution": [{"message_created": message}, {"message_created": message}]});
/// let written = dedupe(&data, &Dedupe { larger_than: 10 });
/// let (key, content) = written["blobs"].as_object().unwrap().iter().next().unwrap();
/// assert_eq!(content, "the same long question");
/// assert_eq!(written["execution"][1]["message_created"]["content"]["$blob"], key.as_str());
/// assert_eq!(without_blobs(&written), data);
/// ```
#[must_use]
pub fn dedupe(value: &Value, options: &Dedupe) -> Value {
    let whole = match value.get("blobs") {
        Some(_) => Cow::Owned(without_blobs(value)),
        None => Cow::Borrowed(value),
    };
    let mut parts = Parts { larger_than: options.larger_than, ..Parts::default() };
    parts.count(&whole, false, true);
    let chosen: Vec<bool> =
        parts.facts.iter().map(|fact| fact.count > 1 && fact.bytes > options.larger_than).collect();
    if !chosen.contains(&true) {
        return whole.into_owned();
    }
    // A chosen part may occur only once outside of larger ones that are moved.
    let mut writer = Writer::new(&parts, chosen);
    writer.write(&whole, false, true);
    let chosen = writer.reached.iter().map(|&reached| reached > 1).collect();
    let mut writer = Writer::new(&parts, chosen);
    let mut out = writer.write(&whole, false, true);
    if let (Value::Object(entries), false) = (&mut out, writer.blobs.is_empty()) {
        match entries.get_mut("blobs") {
            Some(Value::Object(blobs)) => blobs.extend(writer.blobs),
            _ => {
                entries.put("blobs", Value::Object(writer.blobs));
            }
        }
    }
    out
}

/// Facts about one content, at all its places.
struct Fact {
    bytes: usize,
    count: usize,
}

/// A content with its parts as numbers, so that equal ones are found without a deep comparison.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Shape<'v> {
    Text(&'v str),
    Other(String),
    List(Vec<usize>),
    Map(Vec<(&'v str, usize)>),
    /// A map around a run of another agent, by its place in the walk. It equals no other: the content of
    /// the run is not numbered.
    AroundRun(usize),
}

#[derive(Default)]
struct Parts<'v> {
    numbers: Table<Shape<'v>, usize>,
    facts: Vec<Fact>,
    /// For every value inside content, in the order of a walk: its number, and how many values the
    /// walk visits within it.
    order: Vec<(usize, usize)>,
    /// The limit of the options.
    larger_than: usize,
}

impl<'v> Parts<'v> {
    fn count(&mut self, value: &'v Value, is_content: bool, is_root: bool) -> usize {
        let at = self.order.len();
        if is_content {
            self.order.push((0, 0));
        }
        let (shape, bytes) = match value {
            Value::String(text) => (Shape::Text(text), text.len()),
            Value::Array(items) => {
                let items: Vec<usize> =
                    items.iter().map(|item| self.count(item, is_content, false)).collect();
                let bytes = items.iter().map(|&item| self.bytes(item) + 2).sum::<usize>() + 2;
                (Shape::List(items), bytes)
            }
            Value::Object(entries) => {
                let mut parts = Vec::with_capacity(entries.len());
                let mut bytes = 2;
                let mut is_around_run = false;
                for (key, entry) in entries {
                    let Some(is_inside) = inside(key, is_content, is_root) else { continue };
                    // A short text that is all of a content needs no number.
                    if is_inside && !is_content && is_short(entry, self.larger_than) {
                        self.order.push((usize::MAX, 1));
                        continue;
                    }
                    let part = self.count(entry, is_inside, false);
                    is_around_run |= !is_inside;
                    bytes += key.len() + self.bytes(part) + 6;
                    parts.push((key.as_str(), part));
                }
                (if is_around_run { Shape::AroundRun(at) } else { Shape::Map(parts) }, bytes)
            }
            other => {
                let text = other.to_string();
                let bytes = text.len();
                (Shape::Other(text), bytes)
            }
        };
        if !is_content {
            return 0;
        }
        let next = self.facts.len();
        let number = *self.numbers.entry(shape).or_insert(next);
        if number == next {
            self.facts.push(Fact { bytes, count: 0 });
        }
        if let Some(fact) = self.facts.get_mut(number) {
            fact.count += 1;
        }
        let length = self.order.len() - at;
        if let Some(slot) = self.order.get_mut(at) {
            *slot = (number, length);
        }
        number
    }

    fn bytes(&self, number: usize) -> usize {
        self.facts.get(number).map_or(0, |fact| fact.bytes)
    }
}

/// Whether a value is a text of so many bytes at most, or one of the shorter values without entries.
fn is_short(value: &Value, bytes: usize) -> bool {
    match value {
        Value::String(text) => text.len() <= bytes,
        Value::Null | Value::Bool(_) => true,
        _ => false,
    }
}

/// Whether the value of a key is content; `None` to leave it unchanged.
fn inside(key: &str, is_content: bool, is_root: bool) -> Option<bool> {
    match key {
        "blobs" if is_root => None,
        "nested_transcript" => Some(false),
        _ => Some(is_content || CONTENT.contains(&key)),
    }
}

struct Writer<'p, 'v> {
    parts: &'p Parts<'v>,
    /// Whether to move content, by number.
    chosen: Vec<bool>,
    /// By number, in how many places it would be referred to.
    reached: Vec<usize>,
    keys: Table<usize, String>,
    blobs: Map<String, Value>,
    at: usize,
}

impl<'p, 'v> Writer<'p, 'v> {
    fn new(parts: &'p Parts<'v>, chosen: Vec<bool>) -> Self {
        let reached = vec![0; chosen.len()];
        Self { parts, chosen, reached, keys: Table::new(), blobs: Map::new(), at: 0 }
    }

    fn write(&mut self, value: &Value, is_content: bool, is_root: bool) -> Value {
        if is_content {
            let (number, length) = self.parts.order.get(self.at).copied().unwrap_or_default();
            if self.chosen.get(number).copied().unwrap_or(false) {
                self.at += length;
                return self.reference(number, value);
            }
            self.at += 1;
        }
        match value {
            Value::Array(items) => {
                Value::Array(items.iter().map(|item| self.write(item, is_content, false)).collect())
            }
            Value::Object(entries) => {
                let written = entries.iter().map(|(key, entry)| {
                    let entry = match inside(key, is_content, is_root) {
                        Some(is_content) => self.write(entry, is_content, false),
                        None => entry.clone(),
                    };
                    (key.clone(), entry)
                });
                Value::Object(written.collect())
            }
            other => other.clone(),
        }
    }

    fn reference(&mut self, number: usize, value: &Value) -> Value {
        if let Some(reached) = self.reached.get_mut(number) {
            *reached += 1;
        }
        let key = self.keys.entry(number).or_insert_with(|| content_key(value)).clone();
        if !self.blobs.contains_key(&key) {
            self.blobs.insert(key.clone(), value.clone());
        }
        Value::Object(Map::from_iter([("$blob".to_owned(), Value::String(key))]))
    }
}

/// The data with the content of every blob in place of its references; unused blobs stay, and so do
/// references to missing ones.
///
/// The output grows with the number of references to large content. Open untrusted text as a document,
/// which enforces its limits on this.
#[must_use]
pub fn without_blobs(value: &Value) -> Value {
    let Value::Object(entries) = value else { return value.clone() };
    let Some(Value::Object(blobs)) = entries.get("blobs") else { return value.clone() };
    let mut unused = blobs.clone();
    let mut out = Map::new();
    for (key, entry) in entries.iter().filter(|(key, _)| *key != "blobs") {
        out.insert(key.clone(), in_place(entry, blobs, &mut unused));
    }
    if !unused.is_empty() {
        out.put("blobs", Value::Object(unused));
    }
    Value::Object(out)
}

fn in_place(value: &Value, blobs: &Map<String, Value>, unused: &mut Map<String, Value>) -> Value {
    match value {
        Value::Array(items) => items.iter().map(|item| in_place(item, blobs, unused)).collect(),
        Value::Object(entries) => {
            let reference = entries.get("$blob").and_then(Value::as_str).filter(|_| entries.len() == 1);
            if let Some((key, content)) = reference.and_then(|key| Some((key, blobs.get(key)?))) {
                unused.remove(key);
                return content.clone();
            }
            let entries = entries.iter().map(|(key, entry)| (key.clone(), in_place(entry, blobs, unused)));
            Value::Object(entries.collect())
        }
        other => other.clone(),
    }
}
