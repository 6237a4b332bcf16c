//! Scenarios as a table: the keys of each map, and their purpose.
//!
//! The reader accepts only these keys, and the published schema is generated from it.

use crate::model::{Field, HANDLER, HANDLERS, RESPONSE, Shape, TEXTS, Variant, optional, required, value};
use crate::text::doc as about;

/// A scenario: agents, and the steps with them.
pub static SCENARIO: Shape = Shape::Map(&[
    optional("version", &Shape::Text, "The version of the format."),
    optional("name", &Shape::Text, "The name of the scenario, and of the transcript of its run."),
    optional("description", &Shape::Text, "A description of the scenario."),
    optional("profile", &PROFILE, "The behaviour of the run."),
    required("agents", &AGENTS, "The agents."),
    optional("handlers", &HANDLERS, "Handlers by agent name, for agents without their own."),
    optional("steps", &STEPS, "The steps, in order."),
    optional("limits", &LIMITS, "The limits of the run."),
]);

static PROFILE: Shape = Shape::OneOf(&[
    value("default", "The documented behaviour."),
    value("good-agent", "The observed behaviour of the Python library good-agent."),
]);

static AGENTS: Shape = Shape::List(&AGENT);

/// An agent of a scenario.
pub(super) static AGENT: Shape = Shape::Map(&[
    optional("key", &Shape::Text, "The key for steps and tools. Default: the name."),
    optional("name", &Shape::Text, "Its name."),
    optional("description", &Shape::Text, "A description."),
    optional("metadata", &Shape::Open, "Other data."),
    optional("system", &Shape::Text, "The instructions."),
    optional("model", &Shape::Text, "The requested model."),
    optional("context", &Shape::Open, "Its context."),
    optional("tools", &TOOLS, "The tools; the host runs tools that are only a name."),
    optional("handler", &HANDLER, "The handler for its model."),
    optional("mock", &MOCK, "The argument of `agent.mock(...)`: a list of responses, or a handler."),
    optional("external", &Shape::Bool, "Whether the host responds."),
    optional("max_iterations", &Shape::Integer, "The maximum number of model calls per step. Default: 10."),
    optional("output_schema", &Shape::Open, "The JSON Schema of its responses."),
    optional("validation", &VALIDATION, "How to handle an invalid order of messages."),
]);

// A handler is a map as a response is; its `type` distinguishes them.
static MOCK: Shape = Shape::Either(&[&MOCK_LIST, &HANDLER]);
static MOCK_LIST: Shape = Shape::List(&MOCK_ITEM);
static MOCK_ITEM: Shape = Shape::Either(&[&RESPONSE, &Shape::Open]);

static VALIDATION: Shape = Shape::OneOf(&[
    value("strict", "The model call fails."),
    value("warn", "Nothing."),
    value("silent", "Nothing."),
]);

static TOOLS: Shape = Shape::List(&TOOL_OR_NAME);
static TOOL_OR_NAME: Shape = Shape::TextOr(&TOOL);

/// A tool of an agent.
pub(super) static TOOL: Shape = Shape::Map(&[
    optional("name", &Shape::Text, "The name. Default: the name of its agent."),
    optional("description", &Shape::Text, "A description."),
    optional("parameters", &Shape::Open, "The JSON Schema of its parameters."),
    optional("results", &RESULTS, "The results: the first match is used."),
    optional("live", &Shape::Bool, "Whether the host runs it."),
    optional("agent", &Shape::Text, "The agent that runs it."),
]);

static RESULTS: Shape = Shape::List(&RESULT);

/// A result that is ready.
pub(super) static RESULT: Shape = Shape::Map(&[
    optional("match", &Shape::Open, "The arguments that must match."),
    optional("return", &Shape::Any, "The result of the tool."),
    optional("error", &ERROR, "The error of the tool."),
]);

static ERROR: Shape = Shape::TextOr(&Shape::Open);

static STEPS: Shape = Shape::List(&Shape::Tagged("op", &STEP));

const OP: Field = required("op", &Shape::Text, "The operation.");
const WHO: Field = optional("agent", &Shape::Text, "The agent; optional if there is only one.");
const MESSAGE_CONTENT: Field = optional("content", &Shape::Content, "The first message.");
const ROLE: Field = optional("role", &ROLES, "The role. Default: `user`.");
const PASSED: Field = optional("kwargs", &Shape::Open, "Settings for the model, such as a temperature.");
const ROUNDS: Field = optional("max_iterations", &Shape::Integer, "The maximum number of model calls.");
const TURNS: Field = optional("max_iterations", &Shape::Integer, "The maximum number of turns. Default: 20.");
const SCHEMA: Field = optional("output_schema", &Shape::Open, "The JSON Schema of the response.");
const BREAK: Field =
    optional("break_after", &Shape::Integer, "The number of messages after which the consumer stops.");

static ROLES: Shape = Shape::OneOf(&[
    value("system", "The instructions."),
    value("user", "A user message."),
    value("assistant", "The model."),
]);

static CALL: Shape = Shape::Map(&[OP, WHO, MESSAGE_CONTENT, ROLE, PASSED, ROUNDS, SCHEMA]);
static EXECUTE: Shape = Shape::Map(&[OP, WHO, MESSAGE_CONTENT, ROLE, PASSED, ROUNDS, SCHEMA, BREAK]);
static WHO_ALONE: Shape = Shape::Map(&[OP, WHO]);
static INSIDE: Shape = Shape::List(&OPENING);

/// An initial message of a conversation.
pub(super) static OPENING: Shape = Shape::Map(&[
    required("agent", &Shape::Text, "The agent that gets it."),
    ROLE,
    optional("content", &Shape::Content, "The text."),
]);

/// The steps by their `op`.
pub(super) static STEP: [Variant; 10] = [
    Variant { name: "call", doc: about("Runs the agent and returns the last response."), shape: &CALL },
    Variant { name: "execute", doc: about("Runs the agent and streams every message."), shape: &EXECUTE },
    Variant {
        name: "conversation",
        doc: about("Runs a conversation of agents."),
        shape: &Shape::Map(&[
            OP,
            required("agents", &TEXTS, "The participants, in the order of their turns."),
            optional("append_inside", &INSIDE, "The initial messages."),
            PASSED,
            TURNS,
            BREAK,
        ]),
    },
    Variant {
        name: "reenter",
        doc: about("Restarts the mock of an agent."),
        shape: &Shape::Map(&[OP, WHO, optional("reset", &Shape::Bool, "Whether its handler is reset.")]),
    },
    Variant {
        name: "append",
        doc: about("Adds a message to an agent."),
        shape: &Shape::Map(&[OP, WHO, ROLE, MESSAGE_CONTENT]),
    },
    Variant {
        name: "set_context",
        doc: about("Changes the context of an agent."),
        shape: &Shape::Map(&[
            OP,
            WHO,
            optional("context", &Shape::Open, "The keys to set."),
            optional("remove", &TEXTS, "The keys to remove."),
        ]),
    },
    Variant {
        name: "mock_call",
        doc: about("Calls the model once, without running its tool calls."),
        shape: &CALL,
    },
    Variant {
        name: "mock_execute",
        doc: about("Like `execute`; in the library, it returns the queue directly."),
        shape: &EXECUTE,
    },
    Variant { name: "pending", doc: about("Lists the tool calls without a result."), shape: &WHO_ALONE },
    Variant { name: "validate", doc: about("Lists problems in the order of messages."), shape: &WHO_ALONE },
];

/// The limits of a run.
pub(super) static LIMITS: Shape = Shape::Map(&[
    optional("model_calls", &Shape::Integer, "The number of model calls. Default: 1000."),
    optional("tool_calls", &Shape::Integer, "The number of tool calls. Default: 4000."),
    optional("message_bytes", &Shape::Integer, "The bytes of a message or result. Default: 4194304."),
    optional("total_bytes", &Shape::Integer, "The bytes of all messages. Default: 67108864."),
    optional("depth", &Shape::Integer, "The maximum depth of nested agents. Default: 16, at most 32."),
]);
