//! The fields of an assertion, held to the table of types.

use serde_json::{Map, Value};

use super::Fault;
use crate::diagnostic::{closest, codes};
use crate::model::{
    ASSERTION_FIELDS, ASSERTION_TYPES, Assertion, Field, SEQUENCE_MODES, Shape, assertion_type, has_field,
};

/// An assertion whose fields are of the kinds that its type asks for.
pub(super) struct Fields<'a> {
    /// The name of its type.
    pub(super) name: &'static str,
    data: &'a Map<String, Value>,
    assertion: &'a Assertion,
}

impl<'a> Fields<'a> {
    pub(super) fn read(assertion: &'a Assertion) -> Result<Self, Box<Fault>> {
        let data = &assertion.data;
        let Some(name) = data.get("type").and_then(Value::as_str) else {
            let help = "write `type: contains` or another type of the table";
            return Err(Fault::new(
                codes::ASSERTION_FIELDS,
                None,
                "the assertion has no `type`",
                Some(help.to_owned()),
            ));
        };
        let Some(kind) = assertion_type(name) else {
            let meant = closest(name, ASSERTION_TYPES.iter().map(|kind| kind.name));
            let message = format!("unknown type of assertion `{name}`");
            let help = meant.map(did_you_mean);
            return Err(Fault::new(codes::UNKNOWN_ASSERTION, Some("type"), message, help));
        };
        for field in kind.fields {
            let value = field_or_alias(data, field.name);
            let value = value.filter(|value| !value.is_null() || matches!(field.shape, Shape::Any));
            match value {
                Some(value) => check_field(kind.name, field, value)?,
                None if field.required => {
                    let message = format!("`{name}` has no `{}`", field.name);
                    return Err(Fault::new(
                        codes::ASSERTION_FIELDS,
                        None,
                        message,
                        Some(format!("add `{}: ...`", field.name)),
                    ));
                }
                None => {}
            }
        }
        let known = || kind.fields.iter().chain(ASSERTION_FIELDS).map(|field| field.name);
        // What a field asks that is not known cannot be told, so that passing it over could pass anything.
        if let Some(key) = data.keys().find(|key| !has_field(kind, data, key)) {
            if key == "arguments" && kind.fields.iter().any(|field| field.name == "parameters") {
                let message = format!("`{name}` has `arguments` and `parameters`, which are the same");
                let help = Some("leave one of them out".to_owned());
                return Err(Fault::new(codes::ASSERTION_FIELDS, Some(key), message, help));
            }
            let help = match closest(key, known()) {
                Some(meant) => did_you_mean(meant),
                None => format!("its fields are {}", known().collect::<Vec<_>>().join(", ")),
            };
            let message = format!("`{name}` has no field `{key}`");
            return Err(Fault::new(codes::ASSERTION_FIELDS, Some(key), message, Some(help)));
        }
        let fields = Self { name: kind.name, data, assertion };
        if !kind.one_of.is_empty() && kind.one_of.iter().all(|field| fields.value(field).is_none()) {
            let names: Vec<String> = kind.one_of.iter().map(|name| format!("`{name}`")).collect();
            let message = format!("`{name}` has none of {}", names.join(", "));
            return Err(Fault::new(
                codes::ASSERTION_FIELDS,
                None,
                message,
                Some("add the number".to_owned()),
            ));
        }
        if let Some(mode) = fields.text("mode").filter(|mode| !SEQUENCE_MODES.contains(mode)) {
            let help = match closest(mode, SEQUENCE_MODES) {
                Some(meant) => did_you_mean(meant),
                None => format!("the modes are {}", SEQUENCE_MODES.join(", ")),
            };
            return Err(Fault::new(
                codes::ASSERTION_FIELDS,
                Some("mode"),
                format!("unknown mode `{mode}`"),
                Some(help),
            ));
        }
        Ok(fields)
    }

    /// The data of a field, null included if it is there.
    pub(super) fn raw(&self, field: &str) -> Option<&'a Value> {
        field_or_alias(self.data, field)
    }

    /// The data of a field, unless it is absent or null.
    pub(super) fn value(&self, field: &str) -> Option<&'a Value> {
        self.raw(field).filter(|value| !value.is_null())
    }

    pub(super) fn text(&self, field: &str) -> Option<&'a str> {
        self.value(field).and_then(Value::as_str)
    }

    /// The text of a field that the table of types requires.
    pub(super) fn required_text(&self, field: &str) -> &'a str {
        self.text(field).unwrap_or("")
    }

    pub(super) fn number(&self, field: &str) -> Option<i64> {
        self.value(field).and_then(Value::as_i64)
    }

    pub(super) fn flag(&self, field: &str) -> Option<bool> {
        self.value(field).and_then(Value::as_bool)
    }

    /// The tools that it names.
    pub(super) fn tools(&self) -> impl Iterator<Item = &'a str> {
        let list = self.value("tools").and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).chain(self.text("tool"))
    }

    pub(super) fn ignores_case(&self) -> bool {
        self.flag("ignore_case") == Some(true)
    }

    /// The id of the message that it speaks of, if it names one.
    pub(super) fn message(&self) -> Option<&'a str> {
        match &self.assertion.message {
            Some(id) => Some(&id.value),
            None => self.text("message"),
        }
    }
}

/// The data of a field, or of the other word for it.
fn field_or_alias<'a>(data: &'a Map<String, Value>, field: &str) -> Option<&'a Value> {
    data.get(field).or_else(|| data.get("arguments").filter(|_| field == "parameters"))
}

pub(super) fn did_you_mean(meant: &str) -> String {
    format!("did you mean `{meant}`?")
}

fn check_field(name: &str, field: &Field, value: &Value) -> Result<(), Box<Fault>> {
    let (fits, wanted) = match field.shape {
        Shape::Text => (value.is_string(), "a text"),
        Shape::Bool => (value.is_boolean(), "true or false"),
        Shape::Integer => (value.as_i64().is_some(), "a whole number"),
        Shape::Open => (value.is_object(), "a map"),
        Shape::List(_) => {
            (value.as_array().is_some_and(|items| items.iter().all(Value::is_string)), "a list of texts")
        }
        _ => (true, ""),
    };
    if fits {
        return Ok(());
    }
    Err(Fault::new(
        codes::ASSERTION_FIELDS,
        Some(field.name),
        format!("`{}` of `{name}` is not {wanted}", field.name),
        None,
    ))
}
