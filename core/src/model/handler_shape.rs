//! Handlers as a table: the types, their keys, the tests of conditions, the variables of expressions.
//!
//! The tables are published: rules, hover, completion, schemas and the pages read them.

use super::full_shape::{AGENT_NAME, TOOL_NAME, TOOL_NAMES};
use super::handlers::Strategy;
use super::known_values::USUAL_ROLE;
use super::shape::{Field, NamedValue, Shape, TEXTS, Variant, optional, required, value};
use crate::text::{Doc, doc as about};

/// A document with only handlers.
pub static HANDLERS_DOCUMENT: Shape = Shape::Map(&[
    optional("version", &Shape::Any, "The version of the format."),
    optional("name", &Shape::Text, "The name of the document."),
    optional("description", &Shape::Text, "What the handlers are for."),
    optional("tags", &TEXTS, "Tags to search for."),
    optional("author", &Shape::Text, "The author."),
    optional("metadata", &Shape::Open, "Other data."),
    optional("tools", &TOOLS, "The tools that responses may call; other calls are reported."),
    required("handlers", &HANDLERS, "The handlers by agent name."),
    optional("steps", &STEPS, "The steps of a simulation, in order."),
]);

static STEPS: Shape = Shape::List(&Shape::Open);

/// `handlers`: a handler for each agent.
pub static HANDLERS: Shape = Shape::OpenOf(&HANDLER);

/// One handler, by its `type`.
pub static HANDLER: Shape = Shape::Tagged("type", &HANDLER_TYPES);

static TOOLS: Shape = Shape::List(&Shape::TextOr(&Shape::Open));

const TYPE: Field = required("type", &Shape::Text, "The type of the handler.");

/// The types of handlers.
pub static HANDLER_TYPES: [Variant; 9] = [
    Variant {
        name: "queue",
        doc: about("Returns its responses in order; a call after the last one fails."),
        shape: &Shape::Map(&[TYPE, required("responses", &RESPONSES, "The responses in order.")]),
    },
    Variant {
        name: "conditional",
        doc: about("Returns the response of the first matching rule, or the default."),
        shape: &Shape::Map(&[
            TYPE,
            required("rules", &RULES, "The rules, tried in order at every call."),
            optional("default", &RESPONSE, "The response if no rule matches; without it, the call fails."),
        ]),
    },
    Variant {
        name: "transcript",
        doc: about("Follows a conversation: returns its assistant messages in order."),
        shape: &Shape::Map(&[
            TYPE,
            optional("entries", &ENTRIES, "The messages in order, instead of `source`."),
            optional("source", &Shape::Text, "The path of the transcript to follow, instead of `entries`."),
        ]),
    },
    Variant {
        name: "state_machine",
        doc: about("Responds for its current state, then moves to the next."),
        shape: &Shape::Map(&[
            TYPE,
            required("initial", &Shape::Text, "The initial state."),
            required("states", &STATES, "The states by name."),
        ]),
    },
    Variant {
        name: "composite",
        doc: about("Uses other handlers."),
        shape: &Shape::Map(&[
            TYPE,
            optional(
                "strategy",
                &STRATEGY,
                "Which handler responds: `first_match`, `in_order` or `round_robin`.",
            ),
            required("handlers", &HANDLER_LIST, "The handlers."),
        ]),
    },
    Variant {
        name: "tool_sequence",
        doc: about("Calls tools in order, one per response, then returns a last response."),
        shape: &Shape::Map(&[
            TYPE,
            required("calls", &CALLS, "The calls in order."),
            optional("then", &RESPONSE, "The response after the last call."),
        ]),
    },
    Variant {
        name: "repeat",
        doc: about("Repeats one response."),
        shape: &Shape::Map(&[
            TYPE,
            required("respond", &RESPONSE, "The response."),
            optional("times", &Shape::Integer, "How often. Default: always."),
        ]),
    },
    Variant {
        name: "fail",
        doc: about("Fails, then uses another handler."),
        shape: &Shape::Map(&[
            TYPE,
            optional("times", &Shape::Integer, "How many calls fail. Default: all."),
            optional("error", &ERROR, "The error of the failed call."),
            optional("then", &HANDLER, "The handler for later calls."),
        ]),
    },
    Variant {
        name: "recording",
        doc: about("Forwards every call to another handler and records it."),
        shape: &Shape::Map(&[
            TYPE,
            required("handler", &HANDLER, "The handler that responds."),
            optional("save_as", &Shape::Text, "The name of the recording."),
        ]),
    },
];

static STRATEGY: Shape = Shape::OneOf(&STRATEGIES);

const fn strategy((name, doc): (&'static str, &'static str)) -> NamedValue {
    value(name, doc)
}

static STRATEGIES: [NamedValue; 3] =
    [strategy(Strategy::NAMES[0]), strategy(Strategy::NAMES[1]), strategy(Strategy::NAMES[2])];

static HANDLER_LIST: Shape = Shape::List(&HANDLER);

static RESPONSES: Shape = Shape::List(&RESPONSE);

/// A response: its text, or a map.
pub static RESPONSE: Shape = Shape::TextOr(&Shape::Map(&[
    optional("content", &Shape::Content, "The text, which may contain `{{ expression }}`."),
    optional("role", &Shape::Text, "The role. Default: `assistant`."),
    optional("tool_calls", &CALLS, "The tools that the response calls."),
    optional("type", &Shape::Text, "`message` or `tool_call`, as in the Python library."),
    optional("tool_name", &TOOL_NAME, "The tool of a single call, as in the Python library."),
    optional("tool_arguments", &ARGUMENTS, "The arguments of that call."),
    optional("tool_result", &Shape::Any, "The result of that tool, without running it."),
    optional("tool_call_id", &Shape::Text, "The id of that call."),
    optional("refusal", &Shape::Text, "The refusal of the model."),
    optional("reasoning", &Shape::Content, "The reasoning of the model."),
    optional("citations", &Shape::Any, "The sources."),
    optional("annotations", &Shape::Any, "Annotations of the text."),
    optional("usage", &Shape::Open, "The tokens used."),
    optional("metadata", &Shape::Open, "Other data of the message."),
    optional("parsed", &Shape::Any, "The structured output."),
    optional("chunks", &CHUNKS, "The chunks of the streamed response."),
    optional("finish_reason", &Shape::Text, "The finish reason."),
    optional("model", &Shape::Text, "The model that responded."),
]));

static CHUNKS: Shape = Shape::List(&Shape::Open);

static ENTRIES: Shape = Shape::List(&ENTRY);

// The Python library uses `[role, text, {...}]`.
static ENTRY: Shape = Shape::Either(&[&RESPONSE, &ANYTHINGS]);

static ANYTHINGS: Shape = Shape::List(&Shape::Any);

static CALLS: Shape = Shape::List(&CALL);

/// A tool call: a map, or a pair of name and arguments.
pub static CALL: Shape = Shape::Either(&[&CALL_MAP, &ANYTHINGS]);

static CALL_MAP: Shape = Shape::Map(&[
    optional("name", &TOOL_NAME, "The tool."),
    optional("arguments", &ARGUMENTS, "The arguments."),
    optional("result", &Shape::Any, "The result of the tool, without running it."),
    optional("error", &Shape::Any, "The error of the tool, without running it."),
    optional("id", &Shape::Text, "The id of the call."),
    optional("tool_name", &TOOL_NAME, "The tool, as in the Python library; written as `name`."),
    optional("parameters", &ARGUMENTS, "The arguments under another name; written as `arguments`."),
    optional("type", &Shape::Text, "`function`."),
    optional("function", &FUNCTION, "Name and arguments, as in chat APIs."),
]);

static FUNCTION: Shape = Shape::Map(&[
    required("name", &TOOL_NAME, "The tool."),
    optional("arguments", &ARGUMENTS, "The arguments."),
]);

// A map, or the JSON text of one.
static ARGUMENTS: Shape = Shape::TextOr(&Shape::Open);

static ERROR: Shape = Shape::TextOr(&Shape::Map(&[
    optional("type", &Shape::Text, "The type of the error, such as `rate_limit`."),
    optional("message", &Shape::Text, "The text."),
    optional("status", &Shape::Integer, "The HTTP status."),
]));

static RULES: Shape = Shape::List(&Shape::Map(&[
    optional("when", &CONDITION, "The condition of the rule. Default: always."),
    optional("respond", &RESPONSE, "The response, instead of `handler`."),
    optional("handler", &HANDLER, "The handler; without a response, the next rule is tried."),
]));

static STATES: Shape = Shape::OpenOf(&Shape::Map(&[
    required("respond", &RESPONSE, "The response of the state."),
    optional("transitions", &TRANSITIONS, "The transitions: the first match is used."),
    optional("next", &Shape::Text, "The next state if no transition matches. Default: the same state."),
]));

static TRANSITIONS: Shape = Shape::List(&Shape::Map(&[
    required("to", &Shape::Text, "The target state."),
    optional("when", &CONDITION, "The condition. Default: always."),
]));

/// A condition: an expression, or a map of tests that must all hold.
pub static CONDITION: Shape = Shape::TextOr(&CONDITION_TESTS);

static CONDITION_TESTS: Shape = Shape::Map(CONDITIONS);

static CONDITION_LIST: Shape = Shape::List(&CONDITION);

static ONE_OR_MORE: Shape = Shape::Either(&[&Shape::Text, &TEXTS]);

static TOOL_OR_MORE: Shape = Shape::Either(&[&TOOL_NAME, &TOOL_NAMES]);
static AGENT_OR_MORE: Shape = Shape::Either(&[&AGENT_NAME, &Shape::List(&AGENT_NAME)]);
static ROLE_OR_MORE: Shape = Shape::Either(&[&USUAL_ROLE, &Shape::List(&USUAL_ROLE)]);

static COUNT: Shape = Shape::Either(&[
    &Shape::Integer,
    &Shape::Map(&[
        optional("at_least", &Shape::Integer, "The minimum."),
        optional("at_most", &Shape::Integer, "The maximum."),
    ]),
]);

/// The tests that a condition may name.
pub static CONDITIONS: &[Field] = &[
    optional(
        "last_user_contains",
        &ONE_OR_MORE,
        "The last user message contains the text, or one of the texts.",
    ),
    optional("last_user_equals", &ONE_OR_MORE, "The last user message equals the text, or one of the texts."),
    optional("last_user_matches", &Shape::Text, "The last user message matches the regular expression."),
    optional(
        "last_assistant_contains",
        &ONE_OR_MORE,
        "The last assistant message contains the text, or one of the texts.",
    ),
    optional(
        "last_assistant_equals",
        &ONE_OR_MORE,
        "The last assistant message equals the text, or one of the texts.",
    ),
    optional(
        "last_assistant_matches",
        &Shape::Text,
        "The last assistant message matches the regular expression.",
    ),
    optional(
        "last_tool_contains",
        &ONE_OR_MORE,
        "The last tool result contains the text, or one of the texts.",
    ),
    optional("last_tool_equals", &ONE_OR_MORE, "The last tool result equals the text, or one of the texts."),
    optional("last_tool_matches", &Shape::Text, "The last tool result matches the regular expression."),
    optional("last_tool_name", &TOOL_OR_MORE, "The last tool result is from this tool, or one of them."),
    optional("last_tool_failed", &Shape::Bool, "Whether the last tool result is an error."),
    optional("last_role", &ROLE_OR_MORE, "The last message has this role, or one of them."),
    optional("tool_called", &TOOL_OR_MORE, "This tool, or one of them, was called earlier in the run."),
    optional("call_count", &COUNT, "The number of the model call, from 1."),
    optional("iteration", &COUNT, "The iteration of the agent's loop, from 0."),
    optional("message_count", &COUNT, "The number of sent messages."),
    optional("context", &Shape::Open, "The context has these keys with these values."),
    optional("agent", &AGENT_OR_MORE, "The calling agent has this name, or one of them."),
    optional("model", &ONE_OR_MORE, "The requested model has this name, or one of them."),
    optional("ignore_case", &Shape::Bool, "Whether text tests in the same map ignore case."),
    optional("all", &CONDITION_LIST, "All of these conditions are true."),
    optional("any", &CONDITION_LIST, "At least one of these conditions is true."),
    optional("not", &CONDITION, "This condition is false."),
];

/// Common wrong names for keys of handlers, each with the right key. They are accepted and reported.
static OTHER_NAMES: [(&str, &str); 26] = [
    ("initial_state", "initial"),
    ("transcript", "entries"),
    ("messages", "entries"),
    ("text", "content"),
    ("message", "content"),
    ("tool", "name"),
    ("args", "arguments"),
    ("if", "when"),
    ("condition", "when"),
    ("match", "when"),
    ("then", "respond"),
    ("response", "respond"),
    ("reply", "respond"),
    ("answer", "respond"),
    ("count", "times"),
    ("default_next", "next"),
    ("next_state", "next"),
    ("start", "initial"),
    ("fallback", "default"),
    ("else", "default"),
    ("otherwise", "default"),
    ("default_response", "default"),
    ("gte", "at_least"),
    ("min", "at_least"),
    ("lte", "at_most"),
    ("max", "at_most"),
];

/// The other names of a key of handlers.
///
/// ```
/// use transcript_core::model::key_aliases;
/// assert!(key_aliases("times").eq(["count"]));
/// ```
pub fn key_aliases(key: &str) -> impl Iterator<Item = &'static str> {
    OTHER_NAMES.iter().filter(move |(_, meant)| *meant == key).map(|(name, _)| *name)
}

/// The key among these fields that has the common other name `key`.
///
/// ```
/// use transcript_core::model::{HANDLER_TYPES, resolve_key_alias};
/// let repeat = HANDLER_TYPES.iter().find(|variant| variant.name == "repeat").unwrap();
/// assert_eq!(resolve_key_alias(repeat.shape.fields(), "count"), Some("times"));
/// ```
#[must_use]
pub fn resolve_key_alias(fields: &[Field], key: &str) -> Option<&'static str> {
    let is_field = |name: &str| fields.iter().any(|field| field.name == name);
    // These keys also occur outside handlers, where no other name is read.
    let is_own = is_field("tool_arguments") || (is_field("parameters") && is_field("function"));
    if ["content", "name", "arguments"].into_iter().any(is_field) && !is_own {
        return None;
    }
    let meant = OTHER_NAMES.iter().find(|(name, meant)| *name == key && is_field(meant));
    meant.map(|(_, meant)| *meant).filter(|_| !is_field(key))
}

/// A variable that an expression sees.
#[derive(Debug)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// The kind of its value, in the author's words.
    pub kind: &'static str,
    /// Its content, in one sentence.
    pub doc: Doc,
}

const fn variable(name: &'static str, kind: &'static str, doc: &'static str) -> Variable {
    Variable { name, kind, doc: about(doc) }
}

/// The variables that an expression in a condition or between `{{` and `}}` sees.
pub static VARIABLES: [Variable; 12] = [
    variable("last_user", "a string or null", "The text of the last user message."),
    variable("last_assistant", "a string or null", "The text of the last assistant message."),
    variable("last_tool", "a string or null", "The text of the last tool result."),
    variable(
        "last_result",
        "any value or null",
        "The last tool result as data, for example for `last_result.temp`.",
    ),
    variable("last_role", "a string or null", "The role of the last message."),
    variable("messages", "a list of maps", "The sent messages, each with `role` and `content`."),
    variable("context", "a map", "The context of the agent."),
    variable("agent", "a string or null", "The name of the calling agent."),
    variable("iteration", "a number", "The iteration of the agent's loop, from 0."),
    variable("call_count", "a number", "The number of this model call, from 1."),
    variable("model", "a string or null", "The requested model."),
    variable("tools", "a list of strings", "The names of the tools that the model may call."),
];

/// The variables of an assertion's expression: the run at its end.
pub static RUN_VARIABLES: [Variable; 8] = [
    variable(
        "messages",
        "a list of maps",
        "The messages of the store, including hidden ones, each with `id`, `role`, its text as `content`, `data` if that is JSON, `visible` and `step`, and optionally `tool_calls`, `tool_call_id`, `name` and `agent`.",
    ),
    variable(
        "calls",
        "a list of maps",
        "The tool calls in order, each with `name`, `arguments`, `step` and `failed`, and optionally `id`, `message` and `result`.",
    ),
    variable("context", "a map", "The context at the end of the run."),
    variable("answer", "a string or null", "The text of the last model response."),
    variable("turns", "a number or null", "The number of turns; null if unknown."),
    variable("tokens", "a number or null", "The tokens of all responses; null if unknown."),
    variable("errors", "a list of maps", "The errors, each with `step`, `message`, and `tool` for a tool."),
    variable("nested", "a map", "The nested runs by step, such as `nested.\"2\".answer`."),
];

/// The type of that name.
///
/// ```
/// use transcript_core::model::handler_type;
/// assert!(handler_type("queue").unwrap().doc.starts_with("Returns its responses"));
/// ```
#[must_use]
pub fn handler_type(name: &str) -> Option<&'static Variant> {
    HANDLER_TYPES.iter().find(|variant| variant.name == name)
}

/// The names of the strategies of a composite.
pub fn strategies() -> impl Iterator<Item = &'static str> {
    Strategy::NAMES.iter().map(|(name, _)| *name)
}
