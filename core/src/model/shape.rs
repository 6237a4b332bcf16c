//! The full format as a table: which keys stand where, and what kind of value each has.
//!
//! The table is what the rules for unknown keys and wrong kinds read, so a key is added here first.
//! It follows the seed's version 1.0 and the additions of the format page, section 2.

/// What kind of value is expected. Null is allowed for every key: the seed writes `error: null`.
#[derive(Debug)]
pub enum Shape {
    /// Anything.
    Any,
    /// A text.
    Text,
    /// A text of messages: text, or a list of parts.
    Content,
    /// A number.
    Number,
    /// An integer.
    Integer,
    /// True or false.
    Bool,
    /// A map with keys of the author's choice.
    Open,
    /// A map with values of one kind under keys of the author's choice.
    OpenOf(&'static Shape),
    /// A list.
    List(&'static Shape),
    /// A map with known keys.
    Map(&'static [Field]),
    /// A text, or the map.
    TextOr(&'static Shape),
    /// One of these, told apart by the kind of the value.
    Either(&'static [&'static Shape]),
    /// A map whose other keys depend on what it has under this key.
    Tagged(&'static str, &'static [Variant]),
}

/// One form of a map that is told by the value of one key.
#[derive(Debug)]
pub struct Variant {
    /// The value.
    pub name: &'static str,
    /// The map, the key itself among its fields.
    pub shape: &'static Shape,
    /// What it is, in one sentence.
    pub doc: &'static str,
}

/// A key of a map.
#[derive(Debug)]
pub struct Field {
    /// The key.
    pub name: &'static str,
    /// What its value is.
    pub shape: &'static Shape,
    /// Whether it must be there.
    pub required: bool,
    /// What it is for, in one sentence: shown on hover, and the description in the JSON Schema.
    pub doc: &'static str,
}

pub(super) const fn may(name: &'static str, shape: &'static Shape, doc: &'static str) -> Field {
    Field { name, shape, required: false, doc }
}

pub(super) const fn must(name: &'static str, shape: &'static Shape, doc: &'static str) -> Field {
    Field { name, shape, required: true, doc }
}

/// A full or partial transcript.
pub static TRANSCRIPT: Shape = Shape::Map(&[
    may("version", &Shape::Any, ""),
    may("name", &Shape::Text, ""),
    may("description", &Shape::Text, ""),
    may("tags", &TEXTS, ""),
    may("author", &Shape::Text, ""),
    may("metadata", &METADATA, ""),
    may("agent_config", &AGENT_CONFIG, ""),
    may("agents", &AGENTS, ""),
    may("initial_state", &INITIAL_STATE, ""),
    may("execution", &EXECUTION, ""),
    may("final_state", &FINAL_STATE, ""),
    may("handlers", &super::HANDLERS, "A mock handler for each agent, by the agent's name."),
    may("blobs", &Shape::Open, ""),
    may("nested", &Shape::Open, ""),
    // The compact list, which a rule of its own speaks of when it stands beside `execution`.
    may("messages", &Shape::Any, ""),
]);

pub(super) static TEXTS: Shape = Shape::List(&Shape::Text);

static METADATA: Shape = Shape::Map(&[
    may("name", &Shape::Text, ""),
    may("description", &Shape::Text, ""),
    may("created", &Shape::Text, ""),
    may("author", &Shape::Text, ""),
    may("tags", &TEXTS, ""),
]);

static AGENT_CONFIG: Shape = Shape::Map(&[
    may("model", &Shape::Text, ""),
    may("temperature", &Shape::Number, ""),
    may("max_tokens", &Shape::Integer, ""),
    may("top_p", &Shape::Number, ""),
    may("tools", &TOOLS, ""),
    may("context", &Shape::Open, ""),
]);

static TOOLS: Shape = Shape::List(&Shape::TextOr(&TOOL));

static TOOL: Shape = Shape::Map(&[
    must("name", &Shape::Text, ""),
    may("description", &Shape::Text, ""),
    may("parameters", &Shape::Open, ""),
]);

static AGENTS: Shape = Shape::OpenOf(&AGENT);

static AGENT: Shape = Shape::Map(&[
    may("config", &AGENT_CONFIG, ""),
    may("context", &Shape::Open, ""),
    may("tools", &TOOLS, ""),
    may("message_store", &MESSAGES, ""),
]);

static INITIAL_STATE: Shape =
    Shape::Map(&[may("context", &Shape::Open, ""), may("message_store", &MESSAGES, "")]);

static MESSAGES: Shape = Shape::List(&MESSAGE);

static MESSAGE: Shape = Shape::Map(&[
    may("id", &Shape::Text, ""),
    may("ulid", &Shape::Text, ""),
    must("role", &Shape::Text, ""),
    may("content", &Shape::Content, ""),
    may("visible", &Shape::Bool, ""),
    may("metadata", &Shape::Open, ""),
    may("tool_calls", &TOOL_CALLS, ""),
    may("tool_call_id", &Shape::Text, ""),
    may("tool_name", &Shape::Text, ""),
    may("tool_response", &TOOL_RESPONSE, ""),
    may("agent", &Shape::Text, ""),
    may("timestamp", &Shape::Text, ""),
    may("refusal", &Shape::Text, ""),
    may("reasoning", &Shape::Content, ""),
    may("citations", &Shape::Any, ""),
    may("annotations", &Shape::Any, ""),
    may("usage", &Shape::Open, ""),
]);

static TOOL_CALLS: Shape = Shape::List(&TOOL_CALL);

static TOOL_CALL: Shape = Shape::Map(&[
    may("id", &Shape::Text, ""),
    may("type", &Shape::Text, ""),
    may("index", &Shape::Integer, ""),
    must("function", &FUNCTION, ""),
]);

static FUNCTION: Shape = Shape::Map(&[must("name", &Shape::Text, ""), may("arguments", &Shape::Any, "")]);

static TOOL_RESPONSE: Shape = Shape::Map(&[
    may("tool_name", &Shape::Text, ""),
    may("tool_call_id", &Shape::Text, ""),
    may("response", &Shape::Any, ""),
    may("parameters", &Shape::Open, ""),
    may("success", &Shape::Bool, ""),
    may("error", &Shape::Any, ""),
]);

static EXECUTION: Shape = Shape::List(&TURN);

static TURN: Shape = Shape::Map(&[
    may("turn", &Shape::Integer, ""),
    must("type", &Shape::Text, ""),
    may("timestamp", &Shape::Text, ""),
    may("agent", &Shape::Text, ""),
    may("messages_sent_to_llm", &SENT, ""),
    may("llm_config", &LLM_CONFIG, ""),
    may("llm_response", &LLM_RESPONSE, ""),
    may("llm_error", &LLM_ERROR, ""),
    may("tool_call", &TOOL_RUN, ""),
    may("message_created", &MESSAGE, ""),
    may("state_changes", &STATE_CHANGES, ""),
]);

static SENT: Shape = Shape::List(&SENT_ITEM);

static SENT_ITEM: Shape = Shape::Map(&[
    may("ref", &Shape::Text, ""),
    may("id", &Shape::Text, ""),
    may("ulid", &Shape::Text, ""),
    may("role", &Shape::Text, ""),
    may("content", &Shape::Content, ""),
    may("tool_calls", &TOOL_CALLS, ""),
    may("tool_call_id", &Shape::Text, ""),
    may("tool_name", &Shape::Text, ""),
    may("agent", &Shape::Text, ""),
    may("metadata", &Shape::Open, ""),
]);

static LLM_CONFIG: Shape = Shape::Map(&[
    may("model", &Shape::Text, ""),
    may("temperature", &Shape::Number, ""),
    may("max_tokens", &Shape::Integer, ""),
    may("top_p", &Shape::Number, ""),
    may("stop", &Shape::Any, ""),
    may("seed", &Shape::Integer, ""),
    may("tools", &TOOLS, ""),
    may("tool_choice", &Shape::Any, ""),
    may("response_schema", &Shape::Open, ""),
]);

static LLM_RESPONSE: Shape = Shape::Map(&[
    may("role", &Shape::Text, ""),
    may("content", &Shape::Content, ""),
    may("tool_calls", &TOOL_CALLS, ""),
    may("usage", &Shape::Open, ""),
    may("refusal", &Shape::Text, ""),
    may("reasoning", &Shape::Content, ""),
    may("citations", &Shape::Any, ""),
    may("annotations", &Shape::Any, ""),
    may("metadata", &Shape::Open, ""),
    may("parsed", &Shape::Any, ""),
    may("chunks", &CHUNKS, ""),
    may("finish_reason", &Shape::Text, ""),
    may("model", &Shape::Text, ""),
    may("id", &Shape::Text, ""),
]);

static CHUNKS: Shape = Shape::List(&Shape::Open);

static LLM_ERROR: Shape = Shape::Map(&[
    may("type", &Shape::Text, ""),
    may("message", &Shape::Text, ""),
    may("status", &Shape::Integer, ""),
]);

static TOOL_RUN: Shape = Shape::Map(&[
    may("id", &Shape::Text, ""),
    must("tool_name", &Shape::Text, ""),
    may("parameters", &Shape::Any, ""),
    may("result", &Shape::Any, ""),
    may("success", &Shape::Bool, ""),
    may("error", &Shape::Any, ""),
]);

static STATE_CHANGES: Shape = Shape::Map(&[
    may("context", &Shape::Open, ""),
    may("context_removed", &TEXTS, ""),
    may("visible", &VISIBLE_CHANGES, ""),
]);

static VISIBLE_CHANGES: Shape = Shape::OpenOf(&Shape::Bool);

static FINAL_STATE: Shape = Shape::Map(&[
    may("context", &Shape::Open, ""),
    may("message_store", &REFS, ""),
    may("visible_messages", &VISIBLE, ""),
    may("assertions", &ASSERTIONS, ""),
]);

static REFS: Shape = Shape::List(&REF);

// A recorder may write whole messages here as well as references.
static REF: Shape = Shape::Map(&[
    may("ref", &Shape::Text, ""),
    may("id", &Shape::Text, ""),
    may("ulid", &Shape::Text, ""),
    may("role", &Shape::Text, ""),
    may("content", &Shape::Content, ""),
    may("visible", &Shape::Bool, ""),
    may("tool_calls", &TOOL_CALLS, ""),
    may("tool_call_id", &Shape::Text, ""),
    may("tool_name", &Shape::Text, ""),
    may("tool_response", &TOOL_RESPONSE, ""),
    may("agent", &Shape::Text, ""),
    may("metadata", &Shape::Open, ""),
]);

static VISIBLE: Shape = Shape::List(&VISIBLE_ITEM);

static VISIBLE_ITEM: Shape = Shape::TextOr(&Shape::Map(&[must("ref", &Shape::Text, "")]));

static ASSERTIONS: Shape = Shape::List(&Shape::Open);
