//! Handlers as a table: the types, their keys, the tests of conditions, the variables of expressions.
//!
//! The tables are published: rules, hover, completion, schemas and the pages read them.

use super::full_shape::{AGENT_NAME, TOOL_NAME, TOOL_NAMES};
use super::handlers::Strategy;
use super::known_values::USUAL_ROLE;
use super::shape::{Field, NamedValue, Shape, TEXTS, Variant, optional, required, value};
use crate::text::doc as about;

/// A document of handlers alone.
pub static HANDLERS_DOCUMENT: Shape = Shape::Map(&[
    optional("version", &Shape::Any, "The version of the format."),
    optional("name", &Shape::Text, "The name of the document."),
    optional("description", &Shape::Text, "What the handlers are for."),
    optional("tags", &TEXTS, "Words to find the document by."),
    optional("author", &Shape::Text, "Who wrote it."),
    optional("metadata", &Shape::Open, "Anything else that is worth keeping."),
    optional("tools", &TOOLS, "The tools that responses may call; calls of others are reported."),
    required("handlers", &HANDLERS, "A handler for each agent, by the agent's name."),
    optional("steps", &STEPS, "What a simulation does with the agents, in order; the steps of a scenario."),
]);

static STEPS: Shape = Shape::List(&Shape::Open);

/// `handlers`: a handler for each agent.
pub static HANDLERS: Shape = Shape::OpenOf(&HANDLER);

/// One handler, by its `type`.
pub static HANDLER: Shape = Shape::Tagged("type", &HANDLER_TYPES);

static TOOLS: Shape = Shape::List(&Shape::TextOr(&Shape::Open));

const TYPE: Field = required("type", &Shape::Text, "What the handler does.");

/// The types of handlers.
pub static HANDLER_TYPES: [Variant; 9] = [
    Variant {
        name: "queue",
        doc: about("Gives its responses one after the other; a call after the last one fails."),
        shape: &Shape::Map(&[TYPE, required("responses", &RESPONSES, "The responses in order.")]),
    },
    Variant {
        name: "conditional",
        doc: about("Gives the response of the first rule whose condition holds, else the default."),
        shape: &Shape::Map(&[
            TYPE,
            required("rules", &RULES, "The rules, tried in order at every call."),
            optional("default", &RESPONSE, "The response when no rule fires; without one the call fails."),
        ]),
    },
    Variant {
        name: "transcript",
        doc: about("Follows a conversation: gives its assistant messages one after the other."),
        shape: &Shape::Map(&[
            TYPE,
            optional("entries", &ENTRIES, "The messages in order; `source` may stand instead."),
            optional(
                "source",
                &Shape::Text,
                "The path of the transcript to follow; `entries` may stand instead.",
            ),
        ]),
    },
    Variant {
        name: "state_machine",
        doc: about("Answers in its current state, then moves to the next."),
        shape: &Shape::Map(&[
            TYPE,
            required("initial", &Shape::Text, "The state that answers the first call."),
            required("states", &STATES, "The states by name."),
        ]),
    },
    Variant {
        name: "composite",
        doc: about("Asks other handlers."),
        shape: &Shape::Map(&[
            TYPE,
            optional(
                "strategy",
                &STRATEGY,
                "Which handler answers: `first_match`, `in_order` or `round_robin`.",
            ),
            required("handlers", &HANDLER_LIST, "The handlers to ask."),
        ]),
    },
    Variant {
        name: "tool_sequence",
        doc: about("Calls tools one after the other, one a response, then gives a last response."),
        shape: &Shape::Map(&[
            TYPE,
            required("calls", &CALLS, "The calls in order."),
            optional("then", &RESPONSE, "The response after the last call."),
        ]),
    },
    Variant {
        name: "repeat",
        doc: about("Gives one response again and again."),
        shape: &Shape::Map(&[
            TYPE,
            required("respond", &RESPONSE, "The response."),
            optional("times", &Shape::Integer, "How often; without a number, for ever."),
        ]),
    },
    Variant {
        name: "fail",
        doc: about("Fails, then leaves the answer to another handler."),
        shape: &Shape::Map(&[
            TYPE,
            optional("times", &Shape::Integer, "How many calls fail; without a number, all."),
            optional("error", &ERROR, "What the failed call says."),
            optional("then", &HANDLER, "The handler that answers afterwards."),
        ]),
    },
    Variant {
        name: "recording",
        doc: about("Passes every call on to another handler and keeps what was asked and answered."),
        shape: &Shape::Map(&[
            TYPE,
            required("handler", &HANDLER, "The handler that answers."),
            optional("save_as", &Shape::Text, "The name that the recording is kept under."),
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
    optional("content", &Shape::Content, "The text; `{{ expression }}` in it is filled in."),
    optional("role", &Shape::Text, "Who speaks: `assistant`, unless said otherwise."),
    optional("tool_calls", &CALLS, "The tools that the response calls."),
    optional("type", &Shape::Text, "`message` or `tool_call`, as the Python library has it."),
    optional("tool_name", &TOOL_NAME, "The tool of the one call, as the Python library has it."),
    optional("tool_arguments", &ARGUMENTS, "The arguments of that call."),
    optional("tool_result", &Shape::Any, "What that tool returns without running."),
    optional("tool_call_id", &Shape::Text, "The id of that call."),
    optional("refusal", &Shape::Text, "Why the model refuses."),
    optional("reasoning", &Shape::Content, "What the model thought."),
    optional("citations", &Shape::Any, "The sources it names."),
    optional("annotations", &Shape::Any, "Notes on parts of the text."),
    optional("usage", &Shape::Open, "The tokens used."),
    optional("metadata", &Shape::Open, "Anything else, kept with the message."),
    optional("parsed", &Shape::Any, "The answer as data, where a schema was asked for."),
    optional("chunks", &CHUNKS, "The pieces in which the answer is streamed."),
    optional("finish_reason", &Shape::Text, "Why the model stopped."),
    optional("model", &Shape::Text, "The model that answered."),
]));

static CHUNKS: Shape = Shape::List(&Shape::Open);

static ENTRIES: Shape = Shape::List(&ENTRY);

// `[role, text, {...}]` is what the Python library takes.
static ENTRY: Shape = Shape::Either(&[&RESPONSE, &ANYTHINGS]);

static ANYTHINGS: Shape = Shape::List(&Shape::Any);

static CALLS: Shape = Shape::List(&CALL);

/// A tool call: a map, or a pair of name and arguments.
pub static CALL: Shape = Shape::Either(&[&CALL_MAP, &ANYTHINGS]);

static CALL_MAP: Shape = Shape::Map(&[
    optional("name", &TOOL_NAME, "The tool."),
    optional("arguments", &ARGUMENTS, "What it is called with."),
    optional("result", &Shape::Any, "What the tool returns without running."),
    optional("error", &Shape::Any, "How the tool fails without running."),
    optional("id", &Shape::Text, "The id of the call."),
    optional("tool_name", &TOOL_NAME, "The tool, as the Python library has it; `name` is written."),
    optional("parameters", &ARGUMENTS, "The arguments under another name; `arguments` is written."),
    optional("type", &Shape::Text, "`function`."),
    optional("function", &FUNCTION, "Name and arguments, as chat APIs have them."),
]);

static FUNCTION: Shape = Shape::Map(&[
    required("name", &TOOL_NAME, "The tool."),
    optional("arguments", &ARGUMENTS, "What it is called with."),
]);

// A map, or the JSON text of one.
static ARGUMENTS: Shape = Shape::TextOr(&Shape::Open);

static ERROR: Shape = Shape::TextOr(&Shape::Map(&[
    optional("type", &Shape::Text, "The kind of failure, such as `rate_limit`."),
    optional("message", &Shape::Text, "What it says."),
    optional("status", &Shape::Integer, "The HTTP status, where there is one."),
]));

static RULES: Shape = Shape::List(&Shape::Map(&[
    optional("when", &CONDITION, "When the rule fires; without one, always."),
    optional("respond", &RESPONSE, "What it answers; `handler` may stand instead."),
    optional("handler", &HANDLER, "Who answers; one without an answer leaves the call to the next rule."),
]));

static STATES: Shape = Shape::OpenOf(&Shape::Map(&[
    required("respond", &RESPONSE, "What the state answers."),
    optional("transitions", &TRANSITIONS, "Where to go afterwards: the first whose condition holds."),
    optional("next", &Shape::Text, "Where to go when no transition is taken; without one, nowhere."),
]));

static TRANSITIONS: Shape = Shape::List(&Shape::Map(&[
    required("to", &Shape::Text, "The state to go to."),
    optional("when", &CONDITION, "When to go there; without one, always."),
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
        optional("at_least", &Shape::Integer, "The least number."),
        optional("at_most", &Shape::Integer, "The greatest number."),
    ]),
]);

/// The tests that a condition may name.
pub static CONDITIONS: &[Field] = &[
    optional(
        "last_user_contains",
        &ONE_OR_MORE,
        "The last user message contains the text, or one of the texts.",
    ),
    optional("last_user_equals", &ONE_OR_MORE, "The last user message is the text, or one of the texts."),
    optional(
        "last_user_matches",
        &Shape::Text,
        "The regular expression matches somewhere in the last user message.",
    ),
    optional(
        "last_assistant_contains",
        &ONE_OR_MORE,
        "The last assistant message contains the text, or one of the texts.",
    ),
    optional(
        "last_assistant_equals",
        &ONE_OR_MORE,
        "The last assistant message is the text, or one of the texts.",
    ),
    optional(
        "last_assistant_matches",
        &Shape::Text,
        "The regular expression matches somewhere in the last assistant message.",
    ),
    optional(
        "last_tool_contains",
        &ONE_OR_MORE,
        "The last tool result contains the text, or one of the texts.",
    ),
    optional("last_tool_equals", &ONE_OR_MORE, "The last tool result is the text, or one of the texts."),
    optional(
        "last_tool_matches",
        &Shape::Text,
        "The regular expression matches somewhere in the last tool result.",
    ),
    optional("last_tool_name", &TOOL_OR_MORE, "The last tool result is of this tool, or of one of them."),
    optional("last_tool_failed", &Shape::Bool, "Whether the last tool result is an error."),
    optional("last_role", &ROLE_OR_MORE, "The last message has this role, or one of them."),
    optional("tool_called", &TOOL_OR_MORE, "This tool, or one of them, has been called before in the run."),
    optional("call_count", &COUNT, "Which call of the model this is, counted from 1."),
    optional("iteration", &COUNT, "Which round of the agent's loop this is, counted from 0."),
    optional("message_count", &COUNT, "How many messages the model is sent."),
    optional("context", &Shape::Open, "The context has these keys with these values."),
    optional("agent", &AGENT_OR_MORE, "The agent that asks has this name, or one of them."),
    optional("model", &ONE_OR_MORE, "The model that is asked for has this name, or one of them."),
    optional("ignore_case", &Shape::Bool, "Whether the tests of texts in the same map disregard capitals."),
    optional("all", &CONDITION_LIST, "All of these conditions hold."),
    optional("any", &CONDITION_LIST, "One of these conditions holds."),
    optional("not", &CONDITION, "This condition does not hold."),
];

/// Names that people give to keys of handlers out of habit, each with the key that is meant. They are read as
/// meant and reported.
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

/// The key among these fields that a common other name stands for.
///
/// ```
/// use transcript_core::model::{HANDLER_TYPES, resolve_key_alias};
/// let repeat = HANDLER_TYPES.iter().find(|variant| variant.name == "repeat").unwrap();
/// assert_eq!(resolve_key_alias(repeat.shape.fields(), "count"), Some("times"));
/// ```
#[must_use]
pub fn resolve_key_alias(fields: &[Field], key: &str) -> Option<&'static str> {
    let is_field = |name: &str| fields.iter().any(|field| field.name == name);
    // These keys stand outside handlers as well, where no other name is read.
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
    /// What kind of value it has, in the author's words.
    pub kind: &'static str,
    /// What it holds, in one sentence.
    pub doc: &'static str,
}

const fn variable(name: &'static str, kind: &'static str, doc: &'static str) -> Variable {
    Variable { name, kind, doc: about(doc) }
}

/// The variables that an expression in a condition or between `{{` and `}}` sees.
pub static VARIABLES: [Variable; 12] = [
    variable("last_user", "a text or null", "The text of the last user message."),
    variable("last_assistant", "a text or null", "The text of the last assistant message."),
    variable("last_tool", "a text or null", "The text of the last tool result."),
    variable(
        "last_result",
        "any value or null",
        "The last tool result as data, such as `last_result.temp` needs it.",
    ),
    variable("last_role", "a text or null", "The role of the last message."),
    variable(
        "messages",
        "a list of maps",
        "The messages that the model is sent, each with `role` and `content`.",
    ),
    variable("context", "a map", "The context of the agent."),
    variable("agent", "a text or null", "The name of the agent that asks."),
    variable("iteration", "a number", "The round of the agent's loop, counted from 0."),
    variable("call_count", "a number", "The calls of the model so far with this one, counted from 1."),
    variable("model", "a text or null", "The model that is asked for."),
    variable("tools", "a list of strings", "The names of the tools that the model may call."),
];

/// The variables that the expression of an assertion sees: the run as it was when it ended.
pub static RUN_VARIABLES: [Variable; 8] = [
    variable(
        "messages",
        "a list of maps",
        "The messages of the store, hidden ones included, each with `id`, `role`, its text as `content`, `data` where that is JSON, `visible` and `step`, \
         and where there are any `tool_calls`, `tool_call_id`, `name` and `agent`.",
    ),
    variable(
        "calls",
        "a list of maps",
        "The calls of the model in order, each with `name`, `arguments`, `step` and `failed`, and where there are any \
         `id`, `message` and `result`.",
    ),
    variable("context", "a map", "The context when the run ends."),
    variable("answer", "a text or null", "The text of the model's last answer."),
    variable("turns", "a number or null", "The number of turns; null when it is not known."),
    variable("tokens", "a number or null", "The tokens that all answers used; null when that is not known."),
    variable(
        "errors",
        "a list of maps",
        "What failed, each with `step`, `message` in words, and `tool` where it was one.",
    ),
    variable("nested", "a map", "The runs of other agents by their step, such as `nested.\"2\".answer`."),
];

/// The type of that name.
///
/// ```
/// use transcript_core::model::handler_type;
/// assert!(handler_type("queue").unwrap().doc.starts_with("Gives its responses"));
/// ```
#[must_use]
pub fn handler_type(name: &str) -> Option<&'static Variant> {
    HANDLER_TYPES.iter().find(|variant| variant.name == name)
}

/// The names of the strategies of a composite.
pub fn strategies() -> impl Iterator<Item = &'static str> {
    Strategy::NAMES.iter().map(|(name, _)| *name)
}
