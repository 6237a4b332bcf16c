//! The compact form as tables, after the format page, section 3.

use super::full_shape::{AGENT_NAME, AGENTS, MESSAGE_ID, TOOL_NAME, TOOLS};
use super::handler_shape::HANDLERS;
use super::known_values::AUTHOR;
use super::shape::{Field, Shape, TEXTS, optional, required};
use crate::text::doc as about;

/// A compact transcript.
pub static COMPACT: Shape = Shape::Map(&[
    optional("version", &Shape::Any, "The version of the format, `\"1.0\"` in quotes."),
    optional("name", &Shape::Text, "What the run is called, in one word such as `weather_query`."),
    optional("description", &Shape::Text, "What the run shows, in a sentence."),
    optional("tags", &TEXTS, "Words to find the run by."),
    optional("author", &AUTHOR, "Who made it: `developer`, `llm-generated`, or a name."),
    optional("created", &Shape::Text, "When it was made, as in `\"2025-01-13T10:30:00Z\"`."),
    optional("model", &Shape::Text, "The name of the model."),
    optional("temperature", &Shape::Number, "How freely the model chooses its words, from 0."),
    optional("max_tokens", &Shape::Integer, "The most tokens of one answer."),
    optional("tools", &TOOLS, "The tools the model may call: names, or maps with `name` and `parameters`."),
    optional("agents", &AGENTS, "The agents by name, where there is more than one."),
    optional("context", &Shape::Open, "The values the agent keeps outside the conversation, at the start."),
    optional("handlers", &HANDLERS, "Mock agents by name, each with the `type` of its answers."),
    required(
        "messages",
        &MESSAGES,
        "The run: `\"user: Hello!\"`, `\"assistant:call NAME(...)\"`, `\"tool:NAME: RESULT\"`.",
    ),
    optional("assertions", &EXPECTATIONS, "What must hold of the run."),
    optional("blobs", &Shape::Open, "Large contents under their hash, `sha256:` and 64 hex digits."),
    optional("nested", &Shape::Open, "Runs of other agents by id, which `nested_transcript_ref` names."),
]);

static EXPECTATIONS: Shape = Shape::List(&Shape::Expect);
static MESSAGES: Shape = Shape::List(&Shape::Item);

/// One kind of map in a compact list.
#[derive(Debug)]
pub struct ItemKind {
    /// The key that marks it.
    pub name: &'static str,
    /// Its effect, in one sentence.
    pub doc: &'static str,
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

const HIDDEN: Field = optional("hidden", &Shape::Bool, "Whether the model cannot see the message.");
const AGENT: Field = optional("agent", &AGENT_NAME, "The agent it belongs to, where there are several.");
const ID: Field =
    optional("id", &Shape::Text, "The name other parts refer to it by; `msg_001` and so on when left out.");

static MESSAGE_KEYS: &[Field] = &[HIDDEN, AGENT, ID];
static ASSISTANT_KEYS: &[Field] = &[
    optional("call", &Shape::Any, "The tools the model calls: `weather(location='NYC')`, or a list."),
    HIDDEN,
    AGENT,
    ID,
];
static RESULT_KEYS: &[Field] = &[
    optional("result", &Shape::Any, "What the tool returned."),
    optional("error", &Shape::Any, "What went wrong, instead of a `result`."),
    HIDDEN,
    AGENT,
    optional("id", &Shape::Text, "The id of the call that is answered; the oldest open one when left out."),
    optional(
        "message_id",
        &Shape::Text,
        "The name other parts refer to the message by; by its place when left out.",
    ),
];

/// The maps of a compact list: the roles first, then items that are no message.
pub static ITEMS: &[ItemKind] = &[
    ItemKind {
        name: "system",
        doc: about("Instructions to the model."),
        shape: &Shape::Content,
        other_keys: MESSAGE_KEYS,
    },
    ItemKind {
        name: "developer",
        doc: about("Instructions to the model, as newer models call them."),
        shape: &Shape::Content,
        other_keys: MESSAGE_KEYS,
    },
    ItemKind {
        name: "user",
        doc: about("What the person says."),
        shape: &Shape::Content,
        other_keys: MESSAGE_KEYS,
    },
    ItemKind {
        name: "assistant",
        doc: about("What the model says, with the tools it calls."),
        shape: &Shape::Content,
        other_keys: ASSISTANT_KEYS,
    },
    ItemKind {
        name: "tool",
        doc: about("What a tool returned."),
        shape: &TOOL_NAME,
        other_keys: RESULT_KEYS,
    },
    ItemKind {
        name: "context",
        doc: about("Sets keys of the context, as part of the turn before."),
        shape: &Shape::Open,
        other_keys: &[],
    },
    ItemKind {
        name: "unset",
        doc: about("Removes keys of the context, as part of the turn before: a key or a list of them."),
        shape: &KEYS,
        other_keys: &[],
    },
    ItemKind {
        name: "expect",
        doc: about(
            "What must hold of the run: `{contains: \"72\"}`, about the message before unless it names one.",
        ),
        shape: &Shape::Expect,
        other_keys: &[],
    },
    ItemKind {
        name: "hide",
        doc: about("Hides a message from the model, or several: their ids."),
        shape: &IDS,
        other_keys: &[],
    },
    ItemKind {
        name: "show",
        doc: about("Lets the model see a message again, or several: their ids."),
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
