//! The compact form as tables, after the format page, section 3.

use super::full_shape::{AGENT_NAME, AGENTS, MESSAGE_ID, TOOL_NAME, TOOLS};
use super::handler_shape::HANDLERS;
use super::known_values::AUTHOR;
use super::shape::{Field, Shape, TEXTS, optional, required};
use crate::text::{Doc, doc as about};

/// A compact transcript.
pub static COMPACT: Shape = Shape::Map(&[
    optional("version", &Shape::Any, "The version of the format, `\"1.0\"` in quotes."),
    optional("name", &Shape::Text, "A short name of the run, such as `weather_query`."),
    optional("description", &Shape::Text, "A one-sentence description of the run."),
    optional("tags", &TEXTS, "Tags to search for."),
    optional("author", &AUTHOR, "The author: `developer`, `llm-generated`, or a name."),
    optional("created", &Shape::Text, "The creation time, such as `\"2025-01-13T10:30:00Z\"`."),
    optional("model", &Shape::Text, "The name of the model."),
    optional("temperature", &Shape::Number, "The sampling temperature, from 0."),
    optional("max_tokens", &Shape::Integer, "The maximum number of tokens of a response."),
    optional("tools", &TOOLS, "The tools the model may call: names, or maps with `name` and `parameters`."),
    optional("agents", &AGENTS, "The agents by name, if there are several."),
    optional("context", &Shape::Open, "The initial values of the agent outside the conversation."),
    optional("handlers", &HANDLERS, "Mock handlers by agent name, each with its `type`."),
    required(
        "messages",
        &MESSAGES,
        "The run: `\"user: Hello!\"`, `\"assistant:call NAME(...)\"`, `\"tool:NAME: RESULT\"`.",
    ),
    optional("assertions", &EXPECTATIONS, "The assertions on the run."),
    optional("blobs", &Shape::Open, "Large contents by hash: `sha256:` and 64 hex digits."),
    optional("nested", &Shape::Open, "Nested runs by id, for `nested_transcript_ref`."),
]);

static EXPECTATIONS: Shape = Shape::List(&Shape::Expect);
static MESSAGES: Shape = Shape::List(&Shape::Item);

/// One kind of map in a compact list.
#[derive(Debug)]
pub struct ItemKind {
    /// The key that marks it.
    pub name: &'static str,
    /// Its effect, in one sentence.
    pub doc: Doc,
    /// The shape of its value.
    pub shape: &'static Shape,
    /// The other keys that the item may have.
    pub other_keys: &'static [Field],
}

/// The kind of map that has this key.
///
/// ```
/// use transcript_core::model::item_kind;
/// assert_eq!(item_kind("assistant").unwrap().other_keys[0].name, "call");
/// assert!(item_kind("robot").is_none());
/// ```
#[must_use]
pub fn item_kind(name: &str) -> Option<&'static ItemKind> {
    ITEMS.iter().find(|kind| kind.name == name)
}

const HIDDEN: Field = optional("hidden", &Shape::Bool, "Whether the message is hidden from the model.");
const AGENT: Field = optional("agent", &AGENT_NAME, "The agent it belongs to, if there are several.");
const ID: Field = optional("id", &Shape::Text, "The id for references. Default: `msg_001` and so on.");

static MESSAGE_KEYS: &[Field] = &[HIDDEN, AGENT, ID];
static ASSISTANT_KEYS: &[Field] = &[
    optional("call", &Shape::Any, "The tools the model calls: `weather(location='NYC')`, or a list."),
    HIDDEN,
    AGENT,
    ID,
];
static RESULT_KEYS: &[Field] = &[
    optional("result", &Shape::Any, "The result of the tool."),
    optional("error", &Shape::Any, "The error, instead of a `result`."),
    HIDDEN,
    AGENT,
    optional("id", &Shape::Text, "The id of the call. Default: the oldest open call."),
    optional("message_id", &Shape::Text, "The id for references to the message. Default: by its position."),
];

/// The maps of a compact list: the roles first, then items that are no message.
pub static ITEMS: &[ItemKind] = &[
    ItemKind {
        name: "system",
        doc: about("Instructions for the model."),
        shape: &Shape::Content,
        other_keys: MESSAGE_KEYS,
    },
    ItemKind {
        name: "developer",
        doc: about("Instructions for newer models."),
        shape: &Shape::Content,
        other_keys: MESSAGE_KEYS,
    },
    ItemKind {
        name: "user",
        doc: about("A user message."),
        shape: &Shape::Content,
        other_keys: MESSAGE_KEYS,
    },
    ItemKind {
        name: "assistant",
        doc: about("A model message, with its tool calls."),
        shape: &Shape::Content,
        other_keys: ASSISTANT_KEYS,
    },
    ItemKind { name: "tool", doc: about("A tool result."), shape: &TOOL_NAME, other_keys: RESULT_KEYS },
    ItemKind {
        name: "context",
        doc: about("Sets context keys in the previous turn."),
        shape: &Shape::Open,
        other_keys: &[],
    },
    ItemKind {
        name: "unset",
        doc: about("Removes context keys in the previous turn: a key or a list."),
        shape: &KEYS,
        other_keys: &[],
    },
    ItemKind {
        name: "expect",
        doc: about("An assertion, such as `{contains: \"72\"}`. Default: on the previous message."),
        shape: &Shape::Expect,
        other_keys: &[],
    },
    ItemKind {
        name: "hide",
        doc: about("Hides messages from the model: an id or a list."),
        shape: &IDS,
        other_keys: &[],
    },
    ItemKind {
        name: "show",
        doc: about("Shows messages to the model again: an id or a list."),
        shape: &IDS,
        other_keys: &[],
    },
];

static IDS: Shape = Shape::Either(&[&MESSAGE_ID, &ID_LIST]);
static KEYS: Shape = Shape::Either(&[&Shape::Text, &Shape::List(&Shape::Text)]);
static ID_LIST: Shape = Shape::List(&MESSAGE_ID);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ROLES;

    #[test]
    fn the_roles_come_first_in_their_order() {
        let names: Vec<&str> = ITEMS.iter().take(5).map(|kind| kind.name).collect();
        assert_eq!(names, ROLES);
    }
}
