//! The table of assertions: their types, and the fields of each.
//!
//! The expander, the rules, completion and the schemas use this one table. The types are those of
//! the product page, P4; the meaning of their fields is defined here.

use serde_json::{Map, Value};

use super::Field;
use super::full_shape::{MESSAGE_ID, TOOL_NAME, TOOL_NAMES};
use super::known_values::USUAL_ROLE;
use super::shape::{Shape, optional, required};
use crate::text::{Doc, doc as about};

/// One type of assertion.
#[derive(Debug)]
pub struct AssertionType {
    /// The name in `type`, and as the key of the short form.
    pub name: &'static str,
    /// The field for the value of the short form: `{contains: "72"}` is
    /// `{type: contains, pattern: "72"}`. `None` for a type that has no field.
    pub short: Option<&'static str>,
    /// The fields in addition to `type`.
    pub fields: &'static [Field],
    /// At least one of these fields is required; empty when the type requires none.
    pub one_of: &'static [&'static str],
    /// The assertion, in one sentence.
    pub doc: Doc,
}

/// The comparison modes of `tool_sequence`; the first is the default.
///
/// `strict`: these calls, in this order, and no others. `unordered`: these calls and no others, in any
/// order. `subset`: the run makes no other calls than these, and may leave some out. `superset`: the
/// run makes all of these calls, and may make others. Each name is called as often as it is listed.
pub const SEQUENCE_MODES: [&str; 4] = ["strict", "unordered", "subset", "superset"];

/// The type of that name.
///
/// ```
/// use transcript_core::model::assertion_type;
/// assert_eq!(assertion_type("contains").unwrap().short, Some("pattern"));
/// assert!(assertion_type("contain").is_none());
/// ```
#[must_use]
pub fn assertion_type(name: &str) -> Option<&'static AssertionType> {
    ASSERTION_TYPES.iter().find(|kind| kind.name == name)
}

/// The field of a type for an alias: `arguments` of a call are its `parameters`. `None` for an unknown alias.
///
/// ```
/// use transcript_core::model::{assertion_type, resolve_field_alias};
/// assert_eq!(resolve_field_alias(assertion_type("tool_called").unwrap(), "arguments"), Some("parameters"));
/// assert_eq!(resolve_field_alias(assertion_type("contains").unwrap(), "arguments"), None);
/// ```
#[must_use]
pub fn resolve_field_alias(kind: &AssertionType, word: &str) -> Option<&'static str> {
    let meant = kind.fields.iter().find(|field| field.name == "parameters" && word == "arguments");
    meant.map(|field| field.name)
}

/// Whether a type has a field with that name in an assertion with this data. Only one of two names for a
/// field counts.
///
/// ```
/// use transcript_core::model::{assertion_type, has_field};
/// let data = serde_json::Map::new();
/// assert!(has_field(assertion_type("contains").unwrap(), &data, "ignore_case"));
/// assert!(!has_field(assertion_type("contains").unwrap(), &data, "mode"));
/// ```
#[must_use]
pub fn has_field(kind: &AssertionType, data: &Map<String, Value>, word: &str) -> bool {
    let meant = resolve_field_alias(kind, word).filter(|meant| !data.contains_key(*meant));
    meant.is_some() || kind.fields.iter().chain(ASSERTION_FIELDS).any(|field| field.name == word)
}

/// The fields that every assertion may have.
pub static ASSERTION_FIELDS: &[Field] = &[
    required("type", &Shape::Text, "The type of the assertion."),
    optional("description", &Shape::Text, "A description for people."),
    optional(
        "agent",
        &Shape::Text,
        "The agent to check: a nested one, or one of several in the run. Default: the run.",
    ),
];

const MESSAGE: Field =
    optional("message", &MESSAGE_ID, "The id of the message; without it, the last message of the run.");
const IGNORE_CASE: Field = optional("ignore_case", &Shape::Bool, "Whether to ignore case. Default: false.");
const PATTERN: Field = required("pattern", &Shape::Text, "The literal text.");
const VALUE: Field = optional("value", &Shape::Integer, "The exact number.");
const MIN: Field = optional("min", &Shape::Integer, "The minimum.");
const MAX: Field = optional("max", &Shape::Integer, "The maximum.");
const ANY_COUNT: &[&str] = &["value", "min", "max"];
const TOOL: Field = required("tool", &TOOL_NAME, "The name of the tool.");

/// All types of assertions.
pub static ASSERTION_TYPES: &[AssertionType] = &[
    AssertionType {
        name: "contains",
        short: Some("pattern"),
        fields: &[PATTERN, MESSAGE, IGNORE_CASE],
        one_of: &[],
        doc: about("The text of a message contains a text."),
    },
    AssertionType {
        name: "not_contains",
        short: Some("pattern"),
        fields: &[PATTERN, MESSAGE, IGNORE_CASE],
        one_of: &[],
        doc: about("The text of a message does not contain a text."),
    },
    AssertionType {
        name: "matches",
        short: Some("pattern"),
        fields: &[required("pattern", &Shape::Text, "The regular expression."), MESSAGE, IGNORE_CASE],
        one_of: &[],
        doc: about("The text of a message matches a regular expression."),
    },
    AssertionType {
        name: "equals",
        short: Some("value"),
        fields: &[
            required("value", &Shape::Any, "The whole text, or the data of its JSON."),
            MESSAGE,
            IGNORE_CASE,
        ],
        one_of: &[],
        doc: about("A message equals this text or data."),
    },
    AssertionType {
        name: "tool_called",
        short: Some("tool"),
        fields: &[
            TOOL,
            optional(
                "parameters",
                &Shape::Open,
                "Arguments of a call, which may have others. `arguments` means the same.",
            ),
        ],
        one_of: &[],
        doc: about("The model calls a tool at least once."),
    },
    AssertionType {
        name: "tool_not_called",
        short: Some("tool"),
        fields: &[
            TOOL,
            optional(
                "parameters",
                &Shape::Open,
                "Arguments that no call may have together. `arguments` means the same.",
            ),
        ],
        one_of: &[],
        doc: about("The model never calls a tool, and neither does a nested agent."),
    },
    AssertionType {
        name: "tool_call_count",
        short: Some("value"),
        fields: &[optional("tool", &TOOL_NAME, "The name of the tool. Default: all tools."), VALUE, MIN, MAX],
        one_of: ANY_COUNT,
        doc: about("The model makes this many calls."),
    },
    AssertionType {
        name: "tool_sequence",
        short: Some("tools"),
        fields: &[
            required("tools", &TOOL_NAMES, "The names of the tools, one per call."),
            optional("mode", &Shape::Text, "How to compare: strict, unordered, subset or superset."),
        ],
        one_of: &[],
        doc: about("The model calls these tools in this order."),
    },
    AssertionType {
        name: "context_value",
        short: Some("key"),
        fields: &[
            required("key", &Shape::Text, "The key of the context at the end of the run."),
            required("value", &Shape::Any, "Its value."),
        ],
        one_of: &[],
        doc: about("A context key has this value at the end of the run."),
    },
    AssertionType {
        name: "message_count",
        short: Some("value"),
        fields: &[
            optional("role", &USUAL_ROLE, "The role to count. Default: all messages."),
            VALUE,
            MIN,
            MAX,
        ],
        one_of: ANY_COUNT,
        doc: about("The number of messages at the end of the run, including hidden ones."),
    },
    AssertionType {
        name: "visible",
        short: Some("message"),
        fields: &[
            required("message", &MESSAGE_ID, "The id of the message."),
            optional("value", &Shape::Bool, "Whether it is visible. Default: true."),
        ],
        one_of: &[],
        doc: about("A message is visible to the model at the end of the run."),
    },
    AssertionType {
        name: "final_response_contains",
        short: Some("pattern"),
        fields: &[PATTERN, IGNORE_CASE],
        one_of: &[],
        doc: about("The last model response contains a text."),
    },
    AssertionType {
        name: "max_tokens",
        short: Some("value"),
        fields: &[required("value", &Shape::Integer, "The maximum number of tokens.")],
        one_of: &[],
        doc: about("All responses together use at most this many tokens."),
    },
    AssertionType {
        name: "max_turns",
        short: Some("value"),
        fields: &[required("value", &Shape::Integer, "The maximum number of turns.")],
        one_of: &[],
        doc: about("The run has at most this many turns."),
    },
    AssertionType {
        name: "no_errors",
        short: None,
        fields: &[],
        one_of: &[],
        doc: about("No tool and no model call fails, including those of nested runs."),
    },
    AssertionType {
        name: "json_path",
        short: Some("path"),
        fields: &[
            required("path", &Shape::Text, "The JMESPath expression."),
            MESSAGE,
            optional("value", &Shape::Any, "The expected value. Default: anything but null and false."),
        ],
        one_of: &[],
        doc: about("A JMESPath expression on the JSON of a message returns this value."),
    },
    AssertionType {
        name: "expr",
        short: Some("expr"),
        fields: &[required("expr", &Shape::Text, "The JMESPath expression.")],
        one_of: &[],
        doc: about("A JMESPath expression on the whole run is true."),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        for (index, kind) in ASSERTION_TYPES.iter().enumerate() {
            let has = |name: &str| kind.fields.iter().any(|field| field.name == name);
            assert!(ASSERTION_TYPES.iter().skip(index + 1).all(|other| other.name != kind.name));
            assert_eq!(kind.short.is_none(), kind.fields.is_empty(), "{}", kind.name);
            assert!(kind.short.is_none_or(has) && kind.one_of.iter().all(|name| has(name)), "{}", kind.name);
            let common = |field: &&Field| ASSERTION_FIELDS.iter().any(|other| other.name == field.name);
            assert_eq!(kind.fields.iter().find(common).map(|field| field.name), None);
            for doc in kind.fields.iter().map(|field| field.doc).chain([kind.doc]) {
                assert!(doc.ends_with('.') && doc.len() > 5, "{}: {doc}", kind.name);
            }
        }
    }
}
