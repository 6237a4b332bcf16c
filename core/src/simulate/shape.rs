//! Scenarios as a table: the keys of each map, and their purpose.
//!
//! The reader accepts only these keys, and the published schema is generated from it.

use crate::model::{Field, HANDLER, HANDLERS, RESPONSE, Shape, TEXTS, Variant, optional, required, value};
use crate::text::doc as about;

/// A scenario: agents, and the steps with them.
pub static SCENARIO: Shape = Shape::Map(&[
    optional("version", &Shape::Text, "The version of the format."),
    optional("name", &Shape::Text, "The name of the scenario, and of the transcript of its run."),
    optional("description", &Shape::Text, "What the scenario is for."),
    optional("profile", &PROFILE, "Whose behaviour the run has."),
    required("agents", &AGENTS, "The agents."),
    optional("handlers", &HANDLERS, "Handlers by agent, for those that have none of their own."),
    optional("steps", &STEPS, "What is done with them, in order."),
    optional("limits", &LIMITS, "What the run may cost."),
]);

static PROFILE: Shape = Shape::OneOf(&[
    value("default", "What the documents promise."),
    value("good-agent", "What the Python library good-agent was observed to do."),
]);

static AGENTS: Shape = Shape::List(&AGENT);

/// An agent of a scenario.
pub(super) static AGENT: Shape = Shape::Map(&[
    optional("key", &Shape::Text, "What steps and tools call it; its name where there is none."),
    optional("name", &Shape::Text, "Its name."),
    optional("description", &Shape::Text, "What it is for."),
    optional("metadata", &Shape::Open, "Anything else that is worth keeping."),
    optional("system", &Shape::Text, "Its instructions."),
    optional("model", &Shape::Text, "The model it asks for."),
    optional("context", &Shape::Open, "Its context."),
    optional("tools", &TOOLS, "Its tools; one that is only a name is run by the host."),
    optional("handler", &HANDLER, "The handler that answers for its model."),
    optional(
        "mock",
        &MOCK,
        "What is given to `agent.mock(...)`: responses one after the other, or one handler.",
    ),
    optional("external", &Shape::Bool, "Whether code of the host answers."),
    optional("max_iterations", &Shape::Integer, "How many calls of the model one step may make; 10."),
    optional("output_schema", &Shape::Open, "A JSON Schema that its answers fit."),
    optional("validation", &VALIDATION, "What is done about messages in an order that models do not take."),
]);

// A handler is a map as a response is; its `type` distinguishes them.
static MOCK: Shape = Shape::Either(&[&MOCK_LIST, &HANDLER]);
static MOCK_LIST: Shape = Shape::List(&MOCK_ITEM);
static MOCK_ITEM: Shape = Shape::Either(&[&RESPONSE, &Shape::Open]);

static VALIDATION: Shape = Shape::OneOf(&[
    value("strict", "The call of the model fails."),
    value("warn", "Nothing."),
    value("silent", "Nothing."),
]);

static TOOLS: Shape = Shape::List(&TOOL_OR_NAME);
static TOOL_OR_NAME: Shape = Shape::TextOr(&TOOL);

/// A tool of an agent.
pub(super) static TOOL: Shape = Shape::Map(&[
    optional("name", &Shape::Text, "Its name; that of the agent that it stands for, where there is none."),
    optional("description", &Shape::Text, "What it is for."),
    optional("parameters", &Shape::Open, "The JSON Schema of its parameters."),
    optional("results", &RESULTS, "What it returns: the first entry that fits."),
    optional("live", &Shape::Bool, "Whether the host runs it."),
    optional("agent", &Shape::Text, "The agent that answers for it."),
]);

static RESULTS: Shape = Shape::List(&RESULT);

/// A result that is ready.
pub(super) static RESULT: Shape = Shape::Map(&[
    optional("match", &Shape::Open, "The arguments it is for: each has this value."),
    optional("return", &Shape::Any, "What the tool returns."),
    optional("error", &ERROR, "How the tool fails."),
]);

static ERROR: Shape = Shape::TextOr(&Shape::Open);

static STEPS: Shape = Shape::List(&Shape::Tagged("op", &STEP));

const OP: Field = required("op", &Shape::Text, "What the step does.");
const WHO: Field = optional("agent", &Shape::Text, "The agent; it may be left out where there is only one.");
const MESSAGE_CONTENT: Field = optional("content", &Shape::Content, "What is said at the beginning.");
const ROLE: Field = optional("role", &ROLES, "Who says it; the user.");
const PASSED: Field =
    optional("kwargs", &Shape::Open, "What is passed on to the model, such as a temperature.");
const ROUNDS: Field = optional("max_iterations", &Shape::Integer, "How many calls of the model it may make.");
const TURNS: Field = optional("max_iterations", &Shape::Integer, "How many turns it may have; 20.");
const SCHEMA: Field = optional("output_schema", &Shape::Open, "A JSON Schema that the answer fits.");
const BREAK: Field =
    optional("break_after", &Shape::Integer, "After how many messages the consumer stops listening.");

static ROLES: Shape = Shape::OneOf(&[
    value("system", "The instructions."),
    value("user", "The person, or whoever takes that part."),
    value("assistant", "The model."),
]);

static CALL: Shape = Shape::Map(&[OP, WHO, MESSAGE_CONTENT, ROLE, PASSED, ROUNDS, SCHEMA]);
static EXECUTE: Shape = Shape::Map(&[OP, WHO, MESSAGE_CONTENT, ROLE, PASSED, ROUNDS, SCHEMA, BREAK]);
static WHO_ALONE: Shape = Shape::Map(&[OP, WHO]);
static INSIDE: Shape = Shape::List(&OPENING);

/// An initial message of a conversation.
pub(super) static OPENING: Shape = Shape::Map(&[
    required("agent", &Shape::Text, "The agent whose history it comes into."),
    ROLE,
    optional("content", &Shape::Content, "What it says."),
]);

/// The steps by their `op`.
pub(super) static STEP: [Variant; 10] = [
    Variant { name: "call", doc: about("Asks, and ends in the last answer."), shape: &CALL },
    Variant { name: "execute", doc: about("Asks, and gives out every message."), shape: &EXECUTE },
    Variant {
        name: "conversation",
        doc: about("Lets agents talk in turn."),
        shape: &Shape::Map(&[
            OP,
            required("agents", &TEXTS, "Who takes part, in the order of their turns."),
            optional("append_inside", &INSIDE, "The messages that are there at the beginning."),
            PASSED,
            TURNS,
            BREAK,
        ]),
    },
    Variant {
        name: "reenter",
        doc: about("Leaves the mock of an agent and enters it again."),
        shape: &Shape::Map(&[OP, WHO, optional("reset", &Shape::Bool, "Whether its handler begins anew.")]),
    },
    Variant {
        name: "append",
        doc: about("Puts a message into an agent's history."),
        shape: &Shape::Map(&[OP, WHO, ROLE, MESSAGE_CONTENT]),
    },
    Variant {
        name: "set_context",
        doc: about("Changes an agent's context."),
        shape: &Shape::Map(&[
            OP,
            WHO,
            optional("context", &Shape::Open, "The keys to set."),
            optional("remove", &TEXTS, "The keys to remove."),
        ]),
    },
    Variant {
        name: "mock_call",
        doc: about("Calls the model once and leaves its tool calls open."),
        shape: &CALL,
    },
    Variant {
        name: "mock_execute",
        doc: about("As `execute`; in the library, gives the queue out past model and tools."),
        shape: &EXECUTE,
    },
    Variant { name: "pending", doc: about("Lists the tool calls without an answer."), shape: &WHO_ALONE },
    Variant {
        name: "validate",
        doc: about("Lists what models would not take about the order of messages."),
        shape: &WHO_ALONE,
    },
];

/// The limits of a run.
pub(super) static LIMITS: Shape = Shape::Map(&[
    optional("model_calls", &Shape::Integer, "The calls of models; 1000."),
    optional("tool_calls", &Shape::Integer, "The tools that run; 4000."),
    optional("message_bytes", &Shape::Integer, "The bytes of one message or result; 4194304."),
    optional("total_bytes", &Shape::Integer, "The bytes of all messages; 67108864."),
    optional("depth", &Shape::Integer, "How deep agents may call each other as tools; 16, 32 at most."),
]);
