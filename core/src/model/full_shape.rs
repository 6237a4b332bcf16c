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
    optional("name", &Shape::Text, "The name of the run, without `metadata`."),
    optional("description", &Shape::Text, "A description of the run, without `metadata`."),
    optional("tags", &TEXTS, "Tags of the run, without `metadata`."),
    optional("author", &AUTHOR, "The author, without `metadata`."),
    optional("metadata", &METADATA, "What the transcript is: name, description, author, tags."),
    optional(
        "agent_config",
        &AGENT_CONFIG,
        "The initial configuration of the agent: model, settings, tools.",
    ),
    optional("agents", &AGENTS, "The agents by name, if there are several."),
    optional("initial_state", &INITIAL_STATE, "The context and the messages before the first turn."),
    optional("execution", &EXECUTION, "The turns of the run in order: model calls, tool runs, messages."),
    optional("final_state", &FINAL_STATE, "The state after the last turn, and the assertions."),
    optional("handlers", &HANDLERS, "Mock handlers by agent name, each with its `type`."),
    optional("blobs", &Shape::Open, "Large contents by hash: `sha256:` and 64 hex digits."),
    optional("nested", &Shape::Open, "Nested runs by id, for `nested_transcript_ref`."),
    // A rule of its own reports the compact list when there is an `execution` too.
    optional("messages", &Shape::Any, "The messages of a compact transcript, without `execution`."),
]);

static METADATA: Shape = Shape::Map(&[
    optional("name", &Shape::Text, "A short name of the run, such as `weather_query`."),
    optional("description", &Shape::Text, "A one-sentence description of the run."),
    optional("created", &Shape::Text, "The creation time, such as `\"2025-01-13T10:30:00Z\"`."),
    optional("author", &AUTHOR, "The author: `developer`, `llm-generated`, or a name."),
    optional("tags", &TEXTS, "Tags to search for."),
    optional("forked_from", &Shape::Open, "The name of the run and the step that this run was forked from."),
    optional("recording", &Shape::Open, "Recorded data without an equivalent in the run, and problems."),
]);

static AGENT_CONFIG: Shape = Shape::Map(&[
    optional("model", &Shape::Text, "The name of the model."),
    optional("temperature", &Shape::Number, "The sampling temperature, from 0."),
    optional("max_tokens", &Shape::Integer, "The maximum number of tokens of a response."),
    optional("top_p", &Shape::Number, "The nucleus sampling probability, from 0 to 1."),
    optional("tools", &TOOLS, "The tools it may call: names, or maps with `name` and `parameters`."),
    optional("context", &Shape::Open, "Settings of the agent; not part of the state."),
]);

/// A list of tools.
pub(super) static TOOLS: Shape = Shape::List(&Shape::TextOr(&TOOL));

static TOOL: Shape = Shape::Map(&[
    required("name", &Shape::Text, "The name of the tool."),
    optional("description", &Shape::Text, "The description of the tool for the model."),
    optional(
        "parameters",
        &Shape::Open,
        "The JSON Schema of its arguments: `{type: object, properties: ...}`.",
    ),
]);

/// Agents by name.
pub(super) static AGENTS: Shape = Shape::OpenOf(&AGENT);

static AGENT: Shape = Shape::Map(&[
    optional("config", &AGENT_CONFIG, "The configuration of this agent."),
    optional("context", &Shape::Open, "Its context before the first turn."),
    optional("tools", &TOOLS, "The tools it may call."),
    optional("message_store", &MESSAGES, "Its messages before the first turn."),
]);

static INITIAL_STATE: Shape = Shape::Map(&[
    optional("context", &Shape::Open, "The values of the agent outside the conversation."),
    optional(
        "message_store",
        &MESSAGES,
        "The messages before the first turn, usually starting with `system`.",
    ),
]);

static MESSAGES: Shape = Shape::List(&MESSAGE);

// In the order in which the seed writes a message: role, content, visibility.
static MESSAGE: Shape = Shape::Map(&[
    optional("id", &Shape::Text, "The id for references, such as `msg_001`."),
    optional("ulid", &Shape::Text, "The id in the store of the agent."),
    required("role", &ROLE, "The role: `system`, `developer`, `user`, `assistant` or `tool`."),
    optional("timestamp", &Shape::Text, "The creation time, such as `\"2025-01-13T10:30:01Z\"`."),
    optional("agent", &AGENT_NAME, "The agent it belongs to, if there are several."),
    optional("tool_call_id", &CALL, "The call id of this tool message."),
    optional("tool_name", &TOOL_NAME, "The tool of the result."),
    optional("content", &Shape::Content, "The content: a string or a list of parts."),
    optional("tool_calls", &TOOL_CALLS, "The tool calls of this message."),
    optional("tool_response", &TOOL_RESPONSE, "The result of the tool as data."),
    optional("reasoning", &Shape::Content, "The reasoning of the model."),
    optional("refusal", &Shape::Text, "The refusal of the model."),
    optional("citations", &Shape::Any, "The sources of the response."),
    optional("annotations", &Shape::Any, "Annotations of the provider."),
    optional("usage", &Shape::Open, "Tokens used: `prompt_tokens`, `completion_tokens`, `total_tokens`."),
    optional("visible", &Shape::Bool, "Whether the model can see it. Default: `true`."),
    optional("metadata", &Shape::Open, "Other data of the message."),
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
    optional("id", &Shape::Text, "The id for the result of the call."),
    optional("type", &CALL_TYPE, "The kind of call, `function`."),
    optional("index", &Shape::Integer, "The index of the call in the response."),
    required("function", &FUNCTION, "The tool and its arguments."),
]);

static FUNCTION: Shape = Shape::Map(&[
    required("name", &TOOL_NAME, "The name of the tool."),
    optional("arguments", &Shape::Any, "The arguments by name: a map, or a JSON string."),
]);

static TOOL_RESPONSE: Shape = Shape::Map(&[
    optional("tool_name", &TOOL_NAME, "The tool of the result."),
    optional("tool_call_id", &CALL, "The id of its call."),
    optional("response", &Shape::Any, "The result of the tool."),
    optional("parameters", &Shape::Any, "The arguments by name."),
    optional("success", &Shape::Bool, "Whether the tool succeeded."),
    optional("error", &Shape::Any, "The error, if it failed."),
]);

static EXECUTION: Shape = Shape::List(&TURN);

static TURN: Shape = Shape::Map(&[
    optional("turn", &Shape::Integer, "The number of the turn, counted from 1."),
    required("type", &TURN_TYPE, "The type: `llm_call`, `tool_call` or `message`."),
    optional("timestamp", &Shape::Text, "The time, such as `\"2025-01-13T10:30:01Z\"`."),
    optional("agent", &AGENT_NAME, "The agent of the turn, if there are several."),
    optional(
        "messages_sent_to_llm",
        &SENT,
        "The sent messages in order: `{ref: msg_001}` for each, or `visible` for all visible ones.",
    ),
    optional("llm_config", &LLM_CONFIG, "Settings of this call that differ from the agent."),
    optional("llm_response", &LLM_RESPONSE, "The response of the model."),
    optional("llm_error", &LLM_ERROR, "The error of the model call, instead of `llm_response`."),
    optional("tool_call", &TOOL_RUN, "The tool that ran, and its result."),
    optional("message_created", &MESSAGE, "The message added to the store."),
    optional("state_changes", &STATE_CHANGES, "Changes of the context and of visibility."),
]);

static SENT: Shape = Shape::Either(&[&SENT_LIST, &VISIBLE_WORD]);

static SENT_LIST: Shape = Shape::List(&SENT_ITEM);

// A sent message that was never stored is here in full.
static SENT_ITEM: Shape = Shape::Map(&[
    optional("ref", &MESSAGE_ID, "The id of a stored message."),
    optional("id", &Shape::Text, "The id of a message that was never stored."),
    optional("ulid", &Shape::Text, "The id in the store of the agent."),
    optional("role", &USUAL_ROLE, "The role of a message that was never stored."),
    optional("agent", &AGENT_NAME, "The agent the message belongs to, if there are several."),
    optional("tool_call_id", &CALL, "The call id of the tool message."),
    optional("tool_name", &TOOL_NAME, "The tool of the result."),
    optional("content", &Shape::Content, "The sent text, if it differs from the store."),
    optional("tool_calls", &TOOL_CALLS, "The tool calls of the message."),
    optional("metadata", &Shape::Open, "Other data."),
]);

static LLM_CONFIG: Shape = Shape::Map(&[
    optional("model", &Shape::Text, "The name of the model."),
    optional("temperature", &Shape::Number, "The sampling temperature, from 0."),
    optional("max_tokens", &Shape::Integer, "The maximum number of tokens of the response."),
    optional("top_p", &Shape::Number, "The nucleus sampling probability, from 0 to 1."),
    optional("stop", &Shape::Any, "A stop sequence, or a list."),
    optional("seed", &Shape::Integer, "The random seed for the provider."),
    optional("tools", &TOOLS, "The tools that this call may use."),
    optional(
        "tool_choice",
        &Shape::Any,
        "Which tool must be called: `auto`, `none`, `required`, or one tool.",
    ),
    optional("response_schema", &Shape::Open, "The JSON Schema for structured output."),
]);

static LLM_RESPONSE: Shape = Shape::Map(&[
    optional("role", &USUAL_ROLE, "The role, `assistant`."),
    optional("content", &Shape::Content, "The content of the response."),
    optional("tool_calls", &TOOL_CALLS, "The tools the model calls, each with an `id`."),
    optional("usage", &Shape::Open, "Tokens used: `prompt_tokens`, `completion_tokens`, `total_tokens`."),
    optional("refusal", &Shape::Text, "The refusal of the model."),
    optional("reasoning", &Shape::Content, "The reasoning of the model."),
    optional("citations", &Shape::Any, "The sources of the response."),
    optional("annotations", &Shape::Any, "Annotations of the provider."),
    optional("metadata", &Shape::Open, "Other data of the provider."),
    optional("parsed", &Shape::Any, "The structured output for `response_schema`."),
    optional("chunks", &CHUNKS, "The chunks of a streamed response in order."),
    optional("finish_reason", &FINISH, "The finish reason of the provider."),
    optional("model", &Shape::Text, "The model that responded, as named by the provider."),
    optional("id", &Shape::Text, "The response id of the provider."),
]);

static CHUNKS: Shape = Shape::List(&Shape::Open);

static LLM_ERROR: Shape = Shape::Map(&[
    optional("type", &ERROR_TYPE, "The type of the error."),
    optional("message", &Shape::Text, "The message of the provider."),
    optional("status", &Shape::Integer, "The HTTP status, such as 429."),
    optional("chunks", &CHUNKS, "The streamed chunks before the failure."),
]);

static TOOL_RUN: Shape = Shape::Map(&[
    optional("id", &CALL, "The id of its call."),
    optional("caller", &CALLER, "`host` if the program called the tool itself."),
    required("tool_name", &TOOL_NAME, "The tool that ran."),
    optional("parameters", &Shape::Any, "The arguments by name."),
    optional("result", &Shape::Any, "The result; `nested_transcript` is the run of a nested agent."),
    optional("success", &Shape::Bool, "Whether it succeeded. Default: `true`."),
    optional("error", &Shape::Any, "The error, if it failed."),
]);

static STATE_CHANGES: Shape = Shape::Map(&[
    optional("context", &Shape::Open, "Context keys with their new values."),
    optional("context_removed", &TEXTS, "Removed context keys."),
    optional("visible", &VISIBLE_CHANGES, "Messages that were hidden (`false`) or shown (`true`), by id."),
]);

static VISIBLE_CHANGES: Shape = Shape::Keyed(Names::Message, &Shape::Bool);

static FINAL_STATE: Shape = Shape::Map(&[
    optional("context", &Shape::Open, "The context after the last turn, in full."),
    optional("message_store", &REFS, "All messages of the store, each as `{ref: msg_001}`."),
    optional("visible_messages", &VISIBLE, "The ids of the messages the model can see at the end."),
    optional("assertions", &ASSERTIONS, "The assertions on the run."),
]);

static REFS: Shape = Shape::List(&REF);

// A recorder may write whole messages here instead of references.
static REF: Shape = Shape::Map(&[
    optional("ref", &MESSAGE_ID, "The id of a message of the run."),
    optional("id", &MESSAGE_ID, "The id of a message that is written in full."),
    optional("ulid", &Shape::Text, "The id in the store of the agent."),
    optional("role", &USUAL_ROLE, "The role."),
    optional("agent", &AGENT_NAME, "The agent it belongs to, if there are several."),
    optional("tool_call_id", &CALL, "The call id of the tool message."),
    optional("tool_name", &TOOL_NAME, "The tool of the result."),
    optional("content", &Shape::Content, "The content: a string or a list of parts."),
    optional("tool_calls", &TOOL_CALLS, "The tool calls of the message."),
    optional("tool_response", &TOOL_RESPONSE, "The result of the tool as data."),
    optional("visible", &Shape::Bool, "Whether the model can see it."),
    optional("metadata", &Shape::Open, "Other data of the message."),
]);

static VISIBLE: Shape = Shape::List(&VISIBLE_ITEM);

static VISIBLE_ITEM: Shape = Shape::TextOr(&Shape::Map(VISIBLE_REF));

static VISIBLE_REF: &[Field] = &[required("ref", &MESSAGE_ID, "The id of a message the model can see.")];

/// Assertions in full.
static ASSERTIONS: Shape = Shape::List(&Shape::Assertion);
