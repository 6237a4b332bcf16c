//! A small JSON Schema validator: whether data fits, and where it does not.
//!
//! It supports what agents' tools use: `type`, `required`, `properties`, `additionalProperties`,
//! `items`, `prefixItems`, `enum`, `const`, bounds of numbers, texts, lists and maps, `anyOf`, `oneOf`,
//! `allOf`, `not`, and `$ref` into the schema itself. Other keywords are ignored, `pattern` and
//! `format` among them, so that it never reports what a full validator would accept.

use std::cell::Cell;

use serde_json::{Map, Value};

use crate::parse::{Node, same};
use crate::text::{Span, kind_name};

/// The maximum depth of `$ref` before data counts as valid.
const DEPTH: usize = 64;

/// The most faults reported for one value.
const FAULTS: usize = 5;

/// The work spent on one value if nothing else is checked.
const WORK: usize = 1_000_000;

/// One fault of a value.
#[derive(Debug)]
pub(super) struct Fault {
    /// The keys and indexes that lead to the place.
    pub way: Vec<Step>,
    /// The fault, as the end of a sentence: "is a text, not a number".
    pub what: String,
}

/// One step into a value.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Key(String),
    Index(usize),
}

impl Fault {
    /// The way as people write it: `filter.tags[2]`; empty for the value itself.
    pub(super) fn path(&self) -> String {
        let mut out = String::new();
        for step in &self.way {
            match step {
                Step::Key(key) if out.is_empty() => out.push_str(key),
                Step::Key(key) => out.push_str(&format!(".{key}")),
                Step::Index(index) => out.push_str(&format!("[{index}]")),
            }
        }
        out
    }
}

/// The faults of `value` against `schema`, the first few of them. `allowance` is the work that is left:
/// when it is used up, everything fits.
pub(super) fn check(schema: &Value, value: &Value, allowance: &Cell<usize>) -> Vec<Fault> {
    let mut checker = Checker { root: schema, allowance, way: Vec::new(), faults: Vec::new(), depth: 0 };
    checker.check(schema, value);
    checker.faults
}

/// The mismatches of `value` with `schema`, a sentence each about `whole` or a part of it.
pub(crate) fn misfits(schema: &Value, value: &Value, whole: &str) -> Vec<String> {
    let sentence = |fault: Fault| match &*fault.path() {
        "" => format!("{whole} {}", fault.what),
        path => format!("`{path}` {}", fault.what),
    };
    check(schema, value, &Cell::new(WORK)).into_iter().map(sentence).collect()
}

/// The places of the key and of the value at a path, as far as it can be followed: data in a text is one place.
pub(super) fn place(mut node: &Node, path: &[Step]) -> (Option<Span>, Span) {
    let mut key = None;
    for step in path {
        let next = match step {
            Step::Key(name) => node.entries().iter().find(|entry| *entry.key.text == **name).map(|entry| {
                key = Some(entry.key.span);
                &entry.value
            }),
            Step::Index(index) => node.items().get(*index),
        };
        match next {
            Some(next) => node = next,
            None => return (None, node.span),
        }
    }
    (key, node.span)
}

struct Checker<'s> {
    root: &'s Value,
    allowance: &'s Cell<usize>,
    way: Vec<Step>,
    faults: Vec<Fault>,
    depth: usize,
}

impl<'s> Checker<'s> {
    fn fault(&mut self, what: String) {
        if self.faults.len() < FAULTS {
            self.faults.push(Fault { way: self.way.clone(), what });
        }
    }

    /// Spends `work` of the allowance; returns whether there was enough.
    fn spend(&self, work: usize) -> bool {
        let left = self.allowance.get();
        self.allowance.set(left.saturating_sub(work));
        left > work
    }

    /// Whether the value fits, without the reason.
    fn fits(&mut self, schema: &'s Value, value: &Value) -> bool {
        let before = std::mem::take(&mut self.faults);
        self.check(schema, value);
        std::mem::replace(&mut self.faults, before).is_empty()
    }

    fn check(&mut self, schema: &'s Value, value: &Value) {
        if self.depth >= DEPTH || !self.spend(1) {
            return;
        }
        let schema = match schema {
            Value::Object(schema) => schema,
            Value::Bool(false) => return self.fault("is not allowed".to_owned()),
            _ => return,
        };
        self.depth += 1;
        self.keywords(schema, value);
        self.depth -= 1;
    }

    fn keywords(&mut self, schema: &'s Map<String, Value>, value: &Value) {
        if let Some(target) = schema.get("$ref").and_then(Value::as_str).and_then(|way| self.target(way)) {
            self.check(target, value);
        }
        if let Some(wanted) = schema.get("type")
            && !has_type(wanted, value)
        {
            // Only a number can fail to be whole.
            let what = match value {
                Value::Number(number) => format!("`{number}`"),
                other => kind_name(other).to_owned(),
            };
            return self.fault(format!("must be {}, found {what}", type_names(wanted)));
        }
        if let Some(only) = schema.get("const")
            && !same(only, value)
        {
            self.fault(format!("must be `{1}`, found `{0}`", short(value), short(only)));
        }
        if let Some(Value::Array(choices)) = schema.get("enum") {
            let fits = !self.spend(choices.len()) || choices.iter().any(|choice| same(choice, value));
            if !fits {
                let first: Vec<String> =
                    choices.iter().take(8).map(|choice| format!("`{}`", short(choice))).collect();
                let more = if choices.len() > 8 { ", ..." } else { "" };
                self.fault(format!("must be one of {1}{more}, found `{0}`", short(value), first.join(", ")));
            }
        }
        match value {
            Value::Number(number) => self.number(schema, number.as_f64().unwrap_or_default()),
            Value::String(text) => {
                self.size(schema, text.chars().count(), ["minLength", "maxLength"], "characters")
            }
            Value::Array(items) => self.list(schema, items),
            Value::Object(entries) => self.map(schema, entries),
            Value::Null | Value::Bool(_) => {}
        }
        self.combined(schema, value);
    }

    fn combined(&mut self, schema: &'s Map<String, Value>, value: &Value) {
        let list = |key: &str| schema.get(key).and_then(Value::as_array);
        for inner in list("allOf").into_iter().flatten() {
            self.check(inner, value);
        }
        if let Some(choices) = list("anyOf")
            && !choices.iter().any(|choice| self.fits(choice, value))
        {
            self.fault("matches none of the allowed schemas".to_owned());
        }
        if let Some(choices) = list("oneOf") {
            match choices.iter().filter(|choice| self.fits(choice, value)).count() {
                1 => {}
                0 => self.fault("matches none of the allowed schemas".to_owned()),
                // Once the allowance is used up, every form seems to fit.
                _ if self.allowance.get() == 0 => {}
                _ => self.fault("matches more than one schema of `oneOf`".to_owned()),
            }
        }
        if let Some(inner) = schema.get("not")
            && self.fits(inner, value)
            && self.depth < DEPTH
            && self.allowance.get() > 0
        {
            self.fault("matches the schema in `not`".to_owned());
        }
    }

    fn number(&mut self, schema: &Map<String, Value>, number: f64) {
        type Test = fn(f64, f64) -> bool;
        let bounds: [(&str, Test, &str); 4] = [
            ("minimum", |number, bound| number < bound, "less than"),
            ("maximum", |number, bound| number > bound, "greater than"),
            ("exclusiveMinimum", |number, bound| number <= bound, "not greater than"),
            ("exclusiveMaximum", |number, bound| number >= bound, "not less than"),
        ];
        for (key, breaks, words) in bounds {
            if let Some(bound) = schema.get(key)
                && bound.as_f64().is_some_and(|bound| breaks(number, bound))
            {
                self.fault(format!("is {words} {bound}"));
            }
        }
    }

    fn size(&mut self, schema: &Map<String, Value>, size: usize, keys: [&str; 2], what: &str) {
        let bound = |key: &str| schema.get(key).and_then(Value::as_u64);
        let size = u64::try_from(size).unwrap_or(u64::MAX);
        let what = if size == 1 { what.trim_end_matches('s') } else { what };
        let [least, most] = keys.map(bound);
        if let Some(least) = least.filter(|least| size < *least) {
            self.fault(format!("has {size} {what}, fewer than {least}"));
        }
        if let Some(most) = most.filter(|most| size > *most) {
            self.fault(format!("has {size} {what}, more than {most}"));
        }
    }

    fn list(&mut self, schema: &'s Map<String, Value>, items: &[Value]) {
        self.size(schema, items.len(), ["minItems", "maxItems"], "items");
        let heads: &[Value] = schema.get("prefixItems").and_then(Value::as_array).map_or(&[], Vec::as_slice);
        let rest = schema.get("items").filter(|rest| rest.is_object() || rest.is_boolean());
        for (index, item) in items.iter().enumerate() {
            if let Some(inner) = heads.get(index).or(rest) {
                self.inner(Step::Index(index), inner, item);
            }
        }
    }

    fn map(&mut self, schema: &'s Map<String, Value>, entries: &Map<String, Value>) {
        self.size(schema, entries.len(), ["minProperties", "maxProperties"], "keys");
        for name in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
            if let Some(name) = name.as_str().filter(|name| self.spend(1) && !entries.contains_key(*name)) {
                self.fault(format!("has no `{name}`"));
            }
        }
        let known = schema.get("properties").and_then(Value::as_object);
        let rest = schema.get("additionalProperties");
        let is_patterned = schema.contains_key("patternProperties");
        for (key, value) in entries {
            match known.and_then(|known| known.get(key)) {
                Some(inner) => self.inner(Step::Key(key.clone()), inner, value),
                None if is_patterned => {}
                None => match rest {
                    Some(Value::Bool(false)) => {
                        self.way.push(Step::Key(key.clone()));
                        self.fault("is not declared".to_owned());
                        self.way.pop();
                    }
                    Some(inner) => self.inner(Step::Key(key.clone()), inner, value),
                    None => {}
                },
            }
        }
    }

    fn inner(&mut self, step: Step, schema: &'s Value, value: &Value) {
        self.way.push(step);
        self.check(schema, value);
        self.way.pop();
    }

    /// The schema that a `$ref` into the schema itself names.
    fn target(&self, way: &str) -> Option<&'s Value> {
        let pointer = way.strip_prefix('#')?;
        self.root.pointer(pointer)
    }
}

fn has_type(wanted: &Value, value: &Value) -> bool {
    match wanted {
        Value::Array(names) => names.iter().any(|name| has_type(name, value)),
        Value::String(name) => match (name.as_str(), value) {
            ("integer", Value::Number(number)) => {
                number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|it| it.fract() == 0.0)
            }
            ("null", Value::Null)
            | ("boolean", Value::Bool(_))
            | ("number", Value::Number(_))
            | ("string", Value::String(_))
            | ("array", Value::Array(_))
            | ("object", Value::Object(_)) => true,
            ("null" | "boolean" | "number" | "integer" | "string" | "array" | "object", _) => false,
            // A type that JSON Schema does not know, such as `date`, allows everything.
            _ => true,
        },
        _ => true,
    }
}

fn type_names(wanted: &Value) -> String {
    match wanted {
        Value::Array(names) => names.iter().map(type_names).collect::<Vec<_>>().join(" or "),
        Value::String(name) => match name.as_str() {
            "integer" => "an integer",
            "number" => "a number",
            "string" => "a string",
            "boolean" => "a boolean",
            "array" => "a list",
            "object" => "a map",
            other => other,
        }
        .to_owned(),
        _ => String::new(),
    }
}

/// The value in a few characters.
fn short(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut out: String = text.chars().take(40).collect();
    if out.len() < text.len() {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn faults(schema: &Value, value: &Value) -> Vec<String> {
        let left = Cell::new(10_000);
        check(schema, value, &left).iter().map(|fault| format!("{} {}", fault.path(), fault.what)).collect()
    }

    #[test]
    fn each_keyword_finds_its_fault() {
        let cases = [
            (json!({"type": "string"}), json!(1), " must be a string, found `1`"),
            (json!({"type": ["string", "null"]}), json!([]), " must be a string or null, found a list"),
            (json!({"type": "integer"}), json!(1.5), " must be an integer, found `1.5`"),
            (json!({"required": ["city"]}), json!({}), " has no `city`"),
            (json!({"properties": {"a": {"minimum": 3}}}), json!({"a": 2}), "a is less than 3"),
            (json!({"additionalProperties": false}), json!({"b": 1}), "b is not declared"),
            (json!({"additionalProperties": {"type": "null"}}), json!({"b": 1}), "b must be null, found `1`"),
            (json!({"items": {"exclusiveMaximum": 5}}), json!([1, 5]), "[1] is not less than 5"),
            (json!({"enum": ["C", "F"]}), json!("K"), " must be one of `C`, `F`, found `K`"),
            (json!({"const": 1}), json!(2), " must be `1`, found `2`"),
            (json!({"maxLength": 2}), json!("äöü"), " has 3 characters, more than 2"),
            (json!({"minItems": 1}), json!([]), " has 0 items, fewer than 1"),
            (
                json!({"anyOf": [{"type": "null"}, {"minimum": 9}]}),
                json!(1),
                " matches none of the allowed schemas",
            ),
            (
                json!({"oneOf": [{"type": "number"}, {"minimum": 0}]}),
                json!(1),
                " matches more than one schema of `oneOf`",
            ),
            (json!({"allOf": [true, {"maximum": 0}]}), json!(1), " is greater than 0"),
            (json!({"not": {"type": "null"}}), json!(null), " matches the schema in `not`"),
            (
                json!({"$ref": "#/$defs/a", "$defs": {"a": {"properties": {"x": {"$ref": "#/$defs/b"}}}, "b": false}}),
                json!({"x": 1}),
                "x is not allowed",
            ),
        ];
        for (schema, value, wanted) in cases {
            assert_eq!(faults(&schema, &value), [wanted], "{schema}");
        }
    }

    #[test]
    fn what_fits_has_no_fault() {
        let cases = [
            (json!({"type": "integer"}), json!(2.0)),
            (json!({"type": "number"}), json!(2)),
            (json!({"enum": [1]}), json!(1.0)),
            (json!({"pattern": "^a", "format": "date"}), json!("b")),
            (json!({"type": "date"}), json!(7)),
            (json!({"$ref": "https://example.org/x"}), json!(7)),
            (json!({"patternProperties": {"^x": {}}, "additionalProperties": false}), json!({"x1": 7})),
            (json!({"oneOf": [{"type": "null"}, {"type": "number"}]}), json!(7)),
            (json!(true), json!(7)),
        ];
        for (schema, value) in cases {
            assert_eq!(faults(&schema, &value), Vec::<String>::new(), "{schema}");
        }
    }

    #[test]
    fn a_schema_that_names_itself_ends() {
        let twice = json!({"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}]}}});
        let left = Cell::new(10_000);
        assert!(check(&twice, &json!(1), &left).is_empty());
        assert_eq!(left.get(), 0);
        assert!(faults(&json!({"not": {"$ref": "#"}}), &json!(1)).len() <= 1);
    }
}
