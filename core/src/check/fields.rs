//! The fields of an assertion, checked against the table of types.

use serde_json::{Map, Value};

use super::Fault;
use crate::diagnostic::{closest, codes, did_you_mean};
use crate::model::{
    ASSERTION_FIELDS, ASSERTION_TYPES, Assertion, AssertionType, Field, SEQUENCE_MODES, Shape,
    assertion_type, has_field, resolve_field_alias,
};

/// An assertion with its fields.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a> {
    /// The type, if the table has it.
    pub kind: Option<&'static AssertionType>,
    pub assertion: &'a Assertion,
}

/// A problem with the fields of an assertion in any run.
pub(crate) enum FieldProblem<'a> {
    NoType,
    UnknownType(&'a str),
    Missing(&'static Field),
    /// The field and the kind that it should be of.
    WrongKind(&'static Field, &'static str),
    Unknown(&'a str),
    /// None of the fields that the type needs one of is there.
    NoneOf(&'static [&'static str]),
    UnknownMode(&'a str),
    EmptyPattern,
    /// A negative maximum, and its unit.
    Negative(i64, &'static str),
}

impl<'a> Fields<'a> {
    pub(crate) fn new(assertion: &'a Assertion) -> Self {
        let name = assertion.data.get("type").and_then(Value::as_str);
        Self { kind: name.and_then(assertion_type), assertion }
    }

    /// The fields; fails with the first problem.
    pub(super) fn validated(assertion: &'a Assertion) -> Result<Self, Box<Fault>> {
        let fields = Self::new(assertion);
        match fields.problems().first() {
            Some(problem) => Err(fields.fault(problem)),
            None => Ok(fields),
        }
    }

    /// The name of the type.
    pub(crate) fn name(&self) -> &'static str {
        self.kind.map_or("", |kind| kind.name)
    }

    /// The problems with the fields.
    pub(crate) fn problems(&self) -> Vec<FieldProblem<'a>> {
        let data = &self.assertion.data;
        let Some(kind) = self.kind else {
            let name = data.get("type").and_then(Value::as_str);
            return vec![name.map_or(FieldProblem::NoType, FieldProblem::UnknownType)];
        };
        let mut problems = Vec::new();
        for field in kind.fields {
            let value = self.raw(field.name);
            match value.filter(|value| !value.is_null() || matches!(field.shape, Shape::Any)) {
                Some(value) => {
                    let wanted = wrong_kind(field.shape, value);
                    problems.extend(wanted.map(|wanted| FieldProblem::WrongKind(field, wanted)));
                }
                None if field.required => problems.push(FieldProblem::Missing(field)),
                None => {}
            }
        }
        // An unknown field may restrict the assertion, so that ignoring it could let anything pass.
        let unknown = data.keys().filter(|key| !has_field(kind, data, key));
        problems.extend(unknown.map(|key| FieldProblem::Unknown(key)));
        if !kind.one_of.is_empty() && kind.one_of.iter().all(|field| self.value(field).is_none()) {
            problems.push(FieldProblem::NoneOf(kind.one_of));
        }
        match kind.name {
            "tool_sequence" => {
                let mode = self.text("mode").filter(|mode| !SEQUENCE_MODES.contains(mode));
                problems.extend(mode.map(FieldProblem::UnknownMode));
            }
            "contains" | "not_contains" | "final_response_contains" | "matches" => {
                problems.extend((self.text("pattern") == Some("")).then_some(FieldProblem::EmptyPattern));
            }
            "max_turns" | "max_tokens" => {
                let what = if kind.name == "max_turns" { "turns" } else { "tokens" };
                let value = self.number("value").filter(|value| *value < 0);
                problems.extend(value.map(|value| FieldProblem::Negative(value, what)));
            }
            _ => {}
        }
        problems
    }

    /// A problem as the reason why the assertion cannot be checked.
    fn fault(&self, problem: &FieldProblem<'a>) -> Box<Fault> {
        let mut code = codes::ASSERTION_FIELDS;
        let mut message = problem.message(self.name());
        let or_list = |meant: Option<&str>, what: &str, names: &[&str]| {
            meant.map_or_else(|| format!("{what} are {}", names.join(", ")), did_you_mean)
        };
        let (field, help) = match *problem {
            FieldProblem::NoType => (None, Some("add a type, such as `type: contains`".to_owned())),
            FieldProblem::UnknownType(name) => {
                code = codes::UNKNOWN_ASSERTION;
                let meant = closest(name, ASSERTION_TYPES.iter().map(|kind| kind.name));
                (Some("type"), meant.map(did_you_mean))
            }
            FieldProblem::Missing(_) | FieldProblem::NoneOf(_) => (None, problem.help()),
            FieldProblem::WrongKind(field, _) => (Some(field.name), None),
            FieldProblem::Unknown(key) => {
                let known = self.kind.iter().flat_map(|kind| kind.fields).chain(ASSERTION_FIELDS);
                let known: Vec<&str> = known.map(|field| field.name).collect();
                let help = match self.kind.and_then(|kind| resolve_field_alias(kind, key)) {
                    Some(other) => {
                        message =
                            format!("`{}` has both `{key}` and `{other}`, which mean the same", self.name());
                        "remove one of them".to_owned()
                    }
                    None => or_list(closest(key, known.iter().copied()), "the fields", &known),
                };
                (Some(key), Some(help))
            }
            FieldProblem::UnknownMode(mode) => {
                (Some("mode"), Some(or_list(closest(mode, SEQUENCE_MODES), "the modes", &SEQUENCE_MODES)))
            }
            FieldProblem::EmptyPattern => (Some("pattern"), None),
            FieldProblem::Negative(..) => (Some("value"), None),
        };
        Fault::new(code, field, message, help)
    }

    /// The data of a field, null included if it is there.
    pub(super) fn raw(&self, field: &str) -> Option<&'a Value> {
        let data: &'a Map<String, Value> = &self.assertion.data;
        data.get(field).or_else(|| data.get(field_alias(field)?))
    }

    /// The data of a field, unless it is absent or null.
    pub(crate) fn value(&self, field: &str) -> Option<&'a Value> {
        self.raw(field).filter(|value| !value.is_null())
    }

    pub(crate) fn text(&self, field: &str) -> Option<&'a str> {
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
    pub(crate) fn tools(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let list = self.value("tools").and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).chain(self.text("tool"))
    }

    pub(crate) fn ignores_case(&self) -> bool {
        self.flag("ignore_case") == Some(true)
    }

    /// The id of the message that it is about, if it names one.
    pub(super) fn message(&self) -> Option<&'a str> {
        match &self.assertion.message {
            Some(id) => Some(&id.value),
            None => self.text("message"),
        }
    }
}

impl FieldProblem<'_> {
    /// The problem in an assertion of the type `name`.
    pub(crate) fn message(&self, name: &str) -> String {
        match self {
            Self::NoType => "the assertion has no `type`".to_owned(),
            Self::UnknownType(name) => format!("unknown assertion type `{name}`"),
            Self::Missing(field) => format!("`{name}` has no `{}`", field.name),
            Self::WrongKind(field, wanted) => format!("`{}` of `{name}`: expected {wanted}", field.name),
            Self::Unknown(key) => format!("unknown field `{key}` of `{name}`"),
            Self::NoneOf(fields) => {
                let fields: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
                format!("`{name}` needs one of {}", fields.join(", "))
            }
            Self::UnknownMode(mode) => format!("unknown mode `{mode}`"),
            Self::EmptyPattern => "`pattern` is empty, so the assertion always passes".to_owned(),
            Self::Negative(value, what) => {
                format!("`value` is {value}, but a run cannot have less than 0 {what}")
            }
        }
    }

    /// How to fix it, where that does not depend on the place.
    pub(crate) fn help(&self) -> Option<String> {
        match self {
            Self::Missing(field) => Some(format!("add `{}: ...`", field.name)),
            Self::NoneOf(_) => Some("add the number".to_owned()),
            Self::EmptyPattern => Some("add the expected text".to_owned()),
            Self::Negative(..) => Some("add the number".to_owned()),
            _ => None,
        }
    }
}

/// Another word for a field; see [`resolve_field_alias`].
pub(crate) fn field_alias(field: &str) -> Option<&'static str> {
    (field == "parameters").then_some("arguments")
}

/// The kind that the value should be of, if it is not.
fn wrong_kind(shape: &Shape, value: &Value) -> Option<&'static str> {
    let (fits, wanted) = match shape {
        Shape::Text => (value.is_string(), "a string"),
        Shape::Bool => (value.is_boolean(), "a boolean"),
        Shape::Integer => (value.as_i64().is_some(), "an integer"),
        Shape::Open => (value.is_object(), "a map"),
        Shape::List(_) => {
            (value.as_array().is_some_and(|items| items.iter().all(Value::is_string)), "a list of strings")
        }
        _ => (true, ""),
    };
    (!fits).then_some(wanted)
}
