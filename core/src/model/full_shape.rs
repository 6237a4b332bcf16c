//! The full and the partial form as tables: the seed's version 1.0 and the additions of the format page,
//! section 2.

use super::handler_shape::HANDLERS;
use super::known_values::{
    AUTHOR, CALL_TYPE, CALLER, ERROR_TYPE, FINISH, ROLE, TURN_TYPE, USUAL_ROLE, VISIBLE_WORD,
};
use super::shape::{Field, Names, Shape, TEXTS, optional, required};

/// A full or partial transcript.
pub static TRANSCRIPT: Shape = Shape::Map(&[
    optional("version", &Shape::Any, "The version of the format, `\"1.0\"` in quotes."),
    optional("name", &Shape::Text, "What the run is called, where there is no `metadata`."),
    optional("description", &Shape::Text, "What the run shows, where there is no `metadata`."),
    optional("tags", &TEXTS, "Words to find the run by, where there is no `metadata`."),
    optional("author", &AUTHOR, "Who wrote it, where there is no `metadata`."),
    optional("metadata", &METADATA, "What the transcript is: name, description, author, tags."),
    optional(
        "agent_config",
        &AGENT_CONFIG,
        "How the agent is set up when the run begins: model, settings, tools.",
    ),
    optional("agents", &AGENTS, "The agents by name, where there is more than one."),
    optional("initial_state", &INITIAL_STATE, "The context and the messages before the first turn."),
    optional("execution", &EXECUTION, "The turns of the run in order: model calls, tool runs, messages."),
    optional("final_state", &FINAL_STATE, "What holds after the last turn, and the assertions to check."),
    optional("handlers", &HANDLERS, "Mock agents by name, each with the `type` of its answers."),
    optional("blobs", &Shape::Open, "Large contents under their hash, `sha256:` and 64 hex digits."),
    optional("nested", &Shape::Open, "Runs of other agents by id, which `nested_transcript_ref` names."),
    // A separate rule reports the compact list when there is an `execution` too.
    optional(
        "messages",
        &Shape::Any,
        "The messages of a compact transcript; they cannot stand beside `execution`.",
    ),
]);

static METADATA: Shape = Shape::Map(&[
    optional("name", &Shape::Text, "What the run is called, in one word such as `weather_query`."),
    optional("description", &Shape::Text, "What the run shows, in a sentence."),
    optional("created", &Shape::Text, "When it was made, as in `\"2025-01-13T10:30:00Z\"`."),
    optional("author", &AUTHOR, "Who made it: `developer`, `llm-generated`, or a name."),
    optional("tags", &TEXTS, "Words to find the run by."),
    optional(
        "recording",
        &Shape::Open,
        "What a recorder saw and the run has no place for, with the problems.",
    ),
]);

static AGENT_CONFIG: Shape = Shape::Map(&[
    optional("model", &Shape::Text, "The name of the model."),
    optional("temperature", &Shape::Number, "How freely the model chooses its words, from 0."),
    optional("max_tokens", &Shape::Integer, "The most tokens of one answer."),
    optional("top_p", &Shape::Number, "The share of likely words the model chooses from, from 0 to 1."),
    optional("tools", &TOOLS, "The tools it may call: names, or maps with `name` and `parameters`."),
    optional("context", &Shape::Open, "Settings of the agent's own; they are no part of the state."),
]);

/// A list of tools.
pub(super) static TOOLS: Shape = Shape::List(&Shape::TextOr(&TOOL));

static TOOL: Shape = Shape::Map(&[
    required("name", &Shape::Text, "The name by which the model calls the tool."),
    optional("description", &Shape::Text, "What the tool does, as the model is told."),
    optional(
        "parameters",
        &Shape::Open,
        "The JSON Schema of its arguments: `{type: object, properties: ...}`.",
    ),
]);

/// Agents by name.
pub(super) static AGENTS: Shape = Shape::OpenOf(&AGENT);

static AGENT: Shape = Shape::Map(&[
    optional("config", &AGENT_CONFIG, "How this agent is set up."),
    optional("context", &Shape::Open, "Its context before the first turn."),
    optional("tools", &TOOLS, "The tools it may call."),
    optional("message_store", &MESSAGES, "Its messages before the first turn."),
]);

static INITIAL_STATE: Shape = Shape::Map(&[
    optional("context", &Shape::Open, "The values the agent keeps outside the conversation."),
    optional(
        "message_store",
        &MESSAGES,
        "The messages before the first turn, most often a `system` one first.",
    ),
]);

static MESSAGES: Shape = Shape::List(&MESSAGE);

// In the order in which the seed writes a message: role, content, visibility.
static MESSAGE: Shape = Shape::Map(&[
    optional("id", &Shape::Text, "The name other parts refer to it by, as in `msg_001`."),
    optional("ulid", &Shape::Text, "The id in the agent's own store."),
    required("role", &ROLE, "Who speaks: `system`, `developer`, `user`, `assistant` or `tool`."),
    optional("timestamp", &Shape::Text, "When it was made, as in `\"2025-01-13T10:30:01Z\"`."),
    optional("agent", &AGENT_NAME, "The agent it belongs to, where there are several."),
    optional("tool_call_id", &CALL, "The id of the call that this message answers."),
    optional("tool_name", &TOOL_NAME, "The tool that answers."),
    optional("content", &Shape::Content, "What it says: a text, or a list of parts."),
    optional("tool_calls", &TOOL_CALLS, "The tools that the model calls with this message."),
    optional("tool_response", &TOOL_RESPONSE, "The tool's answer as data."),
    optional("reasoning", &Shape::Content, "What the model thought before it answered."),
    optional("refusal", &Shape::Text, "Why the model would not answer."),
    optional("citations", &Shape::Any, "The sources the answer names."),
    optional("annotations", &Shape::Any, "What the provider says of parts of the answer."),
    optional("usage", &Shape::Open, "Tokens used: `prompt_tokens`, `completion_tokens`, `total_tokens`."),
    optional("visible", &Shape::Bool, "Whether the model can see it; `true` when left out."),
    optional("metadata", &Shape::Open, "What else is to be kept with the message."),
]);

/// The id of a message.
pub(super) static MESSAGE_ID: Shape = Shape::Name(Names::Message);
static CALL: Shape = Shape::Name(Names::Call);
/// The name of a tool.
pub(super) static TOOL_NAME: Shape = Shape::Name(Names::Tool);
/// The names of tools.
pub(super) static TOOL_NAMES: Shape = Shape::List(&TOOL_NAME);
/// The name of an agent.
pub(super) static AGENT_NAME: Shape = Shape::Name(Names::Agent);

static TOOL_CALLS: Shape = Shape::List(&TOOL_CALL);

static TOOL_CALL: Shape = Shape::Map(&[
    optional("id", &Shape::Text, "The name by which the tool's result refers to the call."),
    optional("type", &CALL_TYPE, "The kind of call, `function`."),
    optional("index", &Shape::Integer, "The place of the call in the answer, counted from 0."),
    required("function", &FUNCTION, "The tool and its arguments."),
]);

static FUNCTION: Shape = Shape::Map(&[
    required("name", &TOOL_NAME, "The name of the tool."),
    optional("arguments", &Shape::Any, "The arguments by name: a map, or the same as JSON text."),
]);

static TOOL_RESPONSE: Shape = Shape::Map(&[
    optional("tool_name", &TOOL_NAME, "The tool that answers."),
    optional("tool_call_id", &CALL, "The id of the call it answers."),
    optional("response", &Shape::Any, "What the tool returned."),
    optional("parameters", &Shape::Any, "What the tool was called with, by name."),
    optional("success", &Shape::Bool, "Whether the tool succeeded."),
    optional("error", &Shape::Any, "What went wrong, if it failed."),
]);

static EXECUTION: Shape = Shape::List(&TURN);

static TURN: Shape = Shape::Map(&[
    optional("turn", &Shape::Integer, "The number of the turn, counted from 1."),
    required("type", &TURN_TYPE, "What happened: `llm_call`, `tool_call` or `message`."),
    optional("timestamp", &Shape::Text, "When it happened, as in `\"2025-01-13T10:30:01Z\"`."),
    optional("agent", &AGENT_NAME, "The agent whose turn it is, where there are several."),
    optional(
        "messages_sent_to_llm",
        &SENT,
        "What the model saw, in order: `{ref: msg_001}` for each message, or `visible` for all that it could see.",
    ),
    optional("llm_config", &LLM_CONFIG, "Settings of this call, where they differ from the agent's."),
    optional("llm_response", &LLM_RESPONSE, "What the model answered."),
    optional("llm_error", &LLM_ERROR, "How the model call failed, instead of `llm_response`."),
    optional("tool_call", &TOOL_RUN, "The tool that ran, and its result."),
    optional("message_created", &MESSAGE, "The message that went into the store."),
    optional("state_changes", &STATE_CHANGES, "What changed in the context and in what is visible."),
]);

static SENT: Shape = Shape::Either(&[&SENT_LIST, &VISIBLE_WORD]);

static SENT_LIST: Shape = Shape::List(&SENT_ITEM);

// A sent message that was never stored is here in full.
static SENT_ITEM: Shape = Shape::Map(&[
    optional("ref", &MESSAGE_ID, "The id of the stored message that was sent."),
    optional("id", &Shape::Text, "The id of a message that was never stored."),
    optional("ulid", &Shape::Text, "The id in the agent's own store."),
    optional("role", &USUAL_ROLE, "Who speaks, of a message that was never stored."),
    optional("agent", &AGENT_NAME, "The agent the message belongs to, where there are several."),
    optional("tool_call_id", &CALL, "The id of the call that the message answers."),
    optional("tool_name", &TOOL_NAME, "The tool that answers."),
    optional("content", &Shape::Content, "The text the model saw, when it is not that of the store."),
    optional("tool_calls", &TOOL_CALLS, "The tools that the message calls."),
    optional("metadata", &Shape::Open, "What else is to be kept with it."),
]);

static LLM_CONFIG: Shape = Shape::Map(&[
    optional("model", &Shape::Text, "The name of the model."),
    optional("temperature", &Shape::Number, "How freely the model chooses its words, from 0."),
    optional("max_tokens", &Shape::Integer, "The most tokens of the answer."),
    optional("top_p", &Shape::Number, "The share of likely words the model chooses from, from 0 to 1."),
    optional("stop", &Shape::Any, "A text, or a list of texts, at which the answer ends."),
    optional("seed", &Shape::Integer, "The seed of the provider's random choices."),
    optional("tools", &TOOLS, "The tools that this call may use."),
    optional(
        "tool_choice",
        &Shape::Any,
        "Which tool must be called: `auto`, `none`, `required`, or one tool.",
    ),
    optional("response_schema", &Shape::Open, "The JSON Schema of a structured answer."),
]);

static LLM_RESPONSE: Shape = Shape::Map(&[
    optional("role", &USUAL_ROLE, "Who speaks, `assistant`."),
    optional("content", &Shape::Content, "What the model said."),
    optional("tool_calls", &TOOL_CALLS, "The tools the model calls, each with an `id`."),
    optional("usage", &Shape::Open, "Tokens used: `prompt_tokens`, `completion_tokens`, `total_tokens`."),
    optional("refusal", &Shape::Text, "Why the model would not answer."),
    optional("reasoning", &Shape::Content, "What the model thought before it answered."),
    optional("citations", &Shape::Any, "The sources the answer names."),
    optional("annotations", &Shape::Any, "What the provider says of parts of the answer."),
    optional("metadata", &Shape::Open, "What else the provider returned."),
    optional("parsed", &Shape::Any, "The answer as data, where `response_schema` asked for some."),
    optional("chunks", &CHUNKS, "The pieces of a streamed answer in order."),
    optional("finish_reason", &FINISH, "Why the answer ended, in the provider's word."),
    optional("model", &Shape::Text, "The model that answered, in the provider's words."),
    optional("id", &Shape::Text, "The provider's id of the answer."),
]);

static CHUNKS: Shape = Shape::List(&Shape::Open);

static LLM_ERROR: Shape = Shape::Map(&[
    optional("type", &ERROR_TYPE, "What kind of failure it was."),
    optional("message", &Shape::Text, "What the provider said."),
    optional("status", &Shape::Integer, "The HTTP status, such as 429."),
    optional("chunks", &CHUNKS, "The pieces of a streamed answer that had come before it failed."),
]);

static TOOL_RUN: Shape = Shape::Map(&[
    optional("id", &CALL, "The id of the call that this run answers."),
    optional("caller", &CALLER, "Who called the tool: `host` of a call that no model asked for."),
    required("tool_name", &TOOL_NAME, "The tool that ran."),
    optional("parameters", &Shape::Any, "What it was called with, by name."),
    optional("result", &Shape::Any, "What it returned; a run of another agent is its `nested_transcript`."),
    optional("success", &Shape::Bool, "Whether it succeeded; `true` when left out."),
    optional("error", &Shape::Any, "What went wrong, if it failed."),
]);

static STATE_CHANGES: Shape = Shape::Map(&[
    optional("context", &Shape::Open, "Keys of the context that were set, with their new values."),
    optional("context_removed", &TEXTS, "Keys of the context that were removed."),
    optional("visible", &VISIBLE_CHANGES, "Messages that were hidden (`false`) or shown (`true`), by id."),
]);

static VISIBLE_CHANGES: Shape = Shape::Keyed(Names::Message, &Shape::Bool);

static FINAL_STATE: Shape = Shape::Map(&[
    optional("context", &Shape::Open, "The context after the last turn, in full."),
    optional("message_store", &REFS, "All messages in the store, each as `{ref: msg_001}`."),
    optional("visible_messages", &VISIBLE, "The ids of the messages the model can see at the end."),
    optional("assertions", &ASSERTIONS, "What must hold of the run."),
]);

static REFS: Shape = Shape::List(&REF);

// A recorder may write whole messages here instead of references.
static REF: Shape = Shape::Map(&[
    optional("ref", &MESSAGE_ID, "The id of a message of the run."),
    optional("id", &MESSAGE_ID, "The id of a message that is written in full."),
    optional("ulid", &Shape::Text, "The id in the agent's own store."),
    optional("role", &USUAL_ROLE, "Who speaks."),
    optional("agent", &AGENT_NAME, "The agent it belongs to, where there are several."),
    optional("tool_call_id", &CALL, "The id of the call that the message answers."),
    optional("tool_name", &TOOL_NAME, "The tool that answers."),
    optional("content", &Shape::Content, "What it says: a text, or a list of parts."),
    optional("tool_calls", &TOOL_CALLS, "The tools that the message calls."),
    optional("tool_response", &TOOL_RESPONSE, "The tool's answer as data."),
    optional("visible", &Shape::Bool, "Whether the model can see it."),
    optional("metadata", &Shape::Open, "What else is to be kept with the message."),
]);

static VISIBLE: Shape = Shape::List(&VISIBLE_ITEM);

static VISIBLE_ITEM: Shape = Shape::TextOr(&Shape::Map(VISIBLE_REF));

static VISIBLE_REF: &[Field] = &[required("ref", &MESSAGE_ID, "The id of a message the model can see.")];

/// Assertions in full.
static ASSERTIONS: Shape = Shape::List(&Shape::Assertion);
