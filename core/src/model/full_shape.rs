//! The full and the partial form as tables: the seed's version 1.0 and the additions of the format page,
//! section 2.

use super::handler_shape::HANDLERS;
use super::shape::{Field, Names, Shape, TEXTS, may, must};
use super::words::{
    AUTHOR, CALL_TYPE, CALLER, ERROR_TYPE, FINISH, ROLE, TURN_TYPE, USUAL_ROLE, VISIBLE_WORD,
};

/// A full or partial transcript.
pub static TRANSCRIPT: Shape = Shape::Map(&[
    may("version", &Shape::Any, "The version of the format, `\"1.0\"` in quotes."),
    may("name", &Shape::Text, "What the run is called, where there is no `metadata`."),
    may("description", &Shape::Text, "What the run shows, where there is no `metadata`."),
    may("tags", &TEXTS, "Words to find the run by, where there is no `metadata`."),
    may("author", &AUTHOR, "Who wrote it, where there is no `metadata`."),
    may("metadata", &METADATA, "What the transcript is: name, description, author, tags."),
    may(
        "agent_config",
        &AGENT_CONFIG,
        "How the agent is set up when the run begins: model, settings, tools.",
    ),
    may("agents", &AGENTS, "The agents by name, where there is more than one."),
    may("initial_state", &INITIAL_STATE, "The context and the messages before the first turn."),
    may("execution", &EXECUTION, "The turns of the run in order: model calls, tool runs, messages."),
    may("final_state", &FINAL_STATE, "What holds after the last turn, and the assertions to check."),
    may("handlers", &HANDLERS, "Mock agents by name, each with the `type` of its answers."),
    may("blobs", &Shape::Open, "Large contents under their hash, `sha256:` and 64 hex digits."),
    may("nested", &Shape::Open, "Runs of other agents by id, which `nested_transcript_ref` names."),
    // A rule of its own speaks of the compact list when it stands beside `execution`.
    may(
        "messages",
        &Shape::Any,
        "The messages of a compact transcript; they cannot stand beside `execution`.",
    ),
]);

static METADATA: Shape = Shape::Map(&[
    may("name", &Shape::Text, "What the run is called, in one word such as `weather_query`."),
    may("description", &Shape::Text, "What the run shows, in a sentence."),
    may("created", &Shape::Text, "When it was made, as in `\"2025-01-13T10:30:00Z\"`."),
    may("author", &AUTHOR, "Who made it: `developer`, `llm-generated`, or a name."),
    may("tags", &TEXTS, "Words to find the run by."),
    may("recording", &Shape::Open, "What a recorder saw and the run has no place for, with the problems."),
]);

static AGENT_CONFIG: Shape = Shape::Map(&[
    may("model", &Shape::Text, "The name of the model."),
    may("temperature", &Shape::Number, "How freely the model chooses its words, from 0."),
    may("max_tokens", &Shape::Integer, "The most tokens of one answer."),
    may("top_p", &Shape::Number, "The share of likely words the model chooses from, from 0 to 1."),
    may("tools", &TOOLS, "The tools it may call: names, or maps with `name` and `parameters`."),
    may("context", &Shape::Open, "Settings of the agent's own; they are no part of the state."),
]);

/// A list of tools.
pub(super) static TOOLS: Shape = Shape::List(&Shape::TextOr(&TOOL));

static TOOL: Shape = Shape::Map(&[
    must("name", &Shape::Text, "The name by which the model calls the tool."),
    may("description", &Shape::Text, "What the tool does, as the model is told."),
    may("parameters", &Shape::Open, "The JSON Schema of its arguments: `{type: object, properties: ...}`."),
]);

/// Agents by name.
pub(super) static AGENTS: Shape = Shape::OpenOf(&AGENT);

static AGENT: Shape = Shape::Map(&[
    may("config", &AGENT_CONFIG, "How this agent is set up."),
    may("context", &Shape::Open, "Its context before the first turn."),
    may("tools", &TOOLS, "The tools it may call."),
    may("message_store", &MESSAGES, "Its messages before the first turn."),
]);

static INITIAL_STATE: Shape = Shape::Map(&[
    may("context", &Shape::Open, "The values the agent keeps outside the conversation."),
    may("message_store", &MESSAGES, "The messages before the first turn, most often a `system` one first."),
]);

static MESSAGES: Shape = Shape::List(&MESSAGE);

// In the order in which the seed writes a message: who speaks, what is said, who sees it.
static MESSAGE: Shape = Shape::Map(&[
    may("id", &Shape::Text, "The name other parts refer to it by, as in `msg_001`."),
    may("ulid", &Shape::Text, "The id in the agent's own store."),
    must("role", &ROLE, "Who speaks: `system`, `developer`, `user`, `assistant` or `tool`."),
    may("timestamp", &Shape::Text, "When it was made, as in `\"2025-01-13T10:30:01Z\"`."),
    may("agent", &AGENT_NAME, "The agent it belongs to, where there are several."),
    may("tool_call_id", &CALL, "The id of the call that this message answers."),
    may("tool_name", &TOOL_NAME, "The tool that answers."),
    may("content", &Shape::Content, "What it says: a text, or a list of parts."),
    may("tool_calls", &TOOL_CALLS, "The tools that the model calls with this message."),
    may("tool_response", &TOOL_RESPONSE, "The tool's answer as data."),
    may("reasoning", &Shape::Content, "What the model thought before it answered."),
    may("refusal", &Shape::Text, "Why the model would not answer."),
    may("citations", &Shape::Any, "The sources the answer names."),
    may("annotations", &Shape::Any, "What the provider says of parts of the answer."),
    may("usage", &Shape::Open, "Tokens used: `prompt_tokens`, `completion_tokens`, `total_tokens`."),
    may("visible", &Shape::Bool, "Whether the model can see it; `true` when left out."),
    may("metadata", &Shape::Open, "What else is to be kept with the message."),
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
    may("id", &Shape::Text, "The name by which the tool's result refers to the call."),
    may("type", &CALL_TYPE, "The kind of call, `function`."),
    may("index", &Shape::Integer, "The place of the call in the answer, counted from 0."),
    must("function", &FUNCTION, "The tool and its arguments."),
]);

static FUNCTION: Shape = Shape::Map(&[
    must("name", &TOOL_NAME, "The name of the tool."),
    may("arguments", &Shape::Any, "The arguments by name: a map, or the same as JSON text."),
]);

static TOOL_RESPONSE: Shape = Shape::Map(&[
    may("tool_name", &TOOL_NAME, "The tool that answers."),
    may("tool_call_id", &CALL, "The id of the call it answers."),
    may("response", &Shape::Any, "What the tool returned."),
    may("parameters", &Shape::Any, "What the tool was called with, by name."),
    may("success", &Shape::Bool, "Whether the tool succeeded."),
    may("error", &Shape::Any, "What went wrong, if it failed."),
]);

static EXECUTION: Shape = Shape::List(&TURN);

static TURN: Shape = Shape::Map(&[
    may("turn", &Shape::Integer, "The number of the turn, counted from 1."),
    must("type", &TURN_TYPE, "What happened: `llm_call`, `tool_call` or `message`."),
    may("timestamp", &Shape::Text, "When it happened, as in `\"2025-01-13T10:30:01Z\"`."),
    may("agent", &AGENT_NAME, "The agent whose turn it is, where there are several."),
    may(
        "messages_sent_to_llm",
        &SENT,
        "What the model saw, in order: `{ref: msg_001}` for each message, or `visible` for all that it could see.",
    ),
    may("llm_config", &LLM_CONFIG, "Settings of this call, where they differ from the agent's."),
    may("llm_response", &LLM_RESPONSE, "What the model answered."),
    may("llm_error", &LLM_ERROR, "How the model call failed, instead of `llm_response`."),
    may("tool_call", &TOOL_RUN, "The tool that ran, and its result."),
    may("message_created", &MESSAGE, "The message that went into the store."),
    may("state_changes", &STATE_CHANGES, "What changed in the context and in what is visible."),
]);

static SENT: Shape = Shape::Either(&[&SENT_LIST, &VISIBLE_WORD]);

static SENT_LIST: Shape = Shape::List(&SENT_ITEM);

// A sent message that was never stored stands here in full.
static SENT_ITEM: Shape = Shape::Map(&[
    may("ref", &MESSAGE_ID, "The id of the stored message that was sent."),
    may("id", &Shape::Text, "The id of a message that was never stored."),
    may("ulid", &Shape::Text, "The id in the agent's own store."),
    may("role", &USUAL_ROLE, "Who speaks, of a message that was never stored."),
    may("agent", &AGENT_NAME, "The agent the message belongs to, where there are several."),
    may("tool_call_id", &CALL, "The id of the call that the message answers."),
    may("tool_name", &TOOL_NAME, "The tool that answers."),
    may("content", &Shape::Content, "The text the model saw, when it is not that of the store."),
    may("tool_calls", &TOOL_CALLS, "The tools that the message calls."),
    may("metadata", &Shape::Open, "What else is to be kept with it."),
]);

static LLM_CONFIG: Shape = Shape::Map(&[
    may("model", &Shape::Text, "The name of the model."),
    may("temperature", &Shape::Number, "How freely the model chooses its words, from 0."),
    may("max_tokens", &Shape::Integer, "The most tokens of the answer."),
    may("top_p", &Shape::Number, "The share of likely words the model chooses from, from 0 to 1."),
    may("stop", &Shape::Any, "A text, or a list of texts, at which the answer ends."),
    may("seed", &Shape::Integer, "The seed of the provider's random choices."),
    may("tools", &TOOLS, "The tools that this call may use."),
    may("tool_choice", &Shape::Any, "Which tool must be called: `auto`, `none`, `required`, or one tool."),
    may("response_schema", &Shape::Open, "The JSON Schema of a structured answer."),
]);

static LLM_RESPONSE: Shape = Shape::Map(&[
    may("role", &USUAL_ROLE, "Who speaks, `assistant`."),
    may("content", &Shape::Content, "What the model said."),
    may("tool_calls", &TOOL_CALLS, "The tools the model calls, each with an `id`."),
    may("usage", &Shape::Open, "Tokens used: `prompt_tokens`, `completion_tokens`, `total_tokens`."),
    may("refusal", &Shape::Text, "Why the model would not answer."),
    may("reasoning", &Shape::Content, "What the model thought before it answered."),
    may("citations", &Shape::Any, "The sources the answer names."),
    may("annotations", &Shape::Any, "What the provider says of parts of the answer."),
    may("metadata", &Shape::Open, "What else the provider returned."),
    may("parsed", &Shape::Any, "The answer as data, where `response_schema` asked for some."),
    may("chunks", &CHUNKS, "The pieces of a streamed answer in order."),
    may("finish_reason", &FINISH, "Why the answer ended, in the provider's word."),
    may("model", &Shape::Text, "The model that answered, in the provider's words."),
    may("id", &Shape::Text, "The provider's id of the answer."),
]);

static CHUNKS: Shape = Shape::List(&Shape::Open);

static LLM_ERROR: Shape = Shape::Map(&[
    may("type", &ERROR_TYPE, "What kind of failure it was."),
    may("message", &Shape::Text, "What the provider said."),
    may("status", &Shape::Integer, "The HTTP status, such as 429."),
    may("chunks", &CHUNKS, "The pieces of a streamed answer that had come before it failed."),
]);

static TOOL_RUN: Shape = Shape::Map(&[
    may("id", &CALL, "The id of the call that this run answers."),
    may("caller", &CALLER, "Who called the tool: `host` of a call that no model asked for."),
    must("tool_name", &TOOL_NAME, "The tool that ran."),
    may("parameters", &Shape::Any, "What it was called with, by name."),
    may("result", &Shape::Any, "What it returned; a run of another agent is its `nested_transcript`."),
    may("success", &Shape::Bool, "Whether it succeeded; `true` when left out."),
    may("error", &Shape::Any, "What went wrong, if it failed."),
]);

static STATE_CHANGES: Shape = Shape::Map(&[
    may("context", &Shape::Open, "Keys of the context that were set, with their new values."),
    may("context_removed", &TEXTS, "Keys of the context that were removed."),
    may("visible", &VISIBLE_CHANGES, "Messages that were hidden (`false`) or shown (`true`), by id."),
]);

static VISIBLE_CHANGES: Shape = Shape::Keyed(Names::Message, &Shape::Bool);

static FINAL_STATE: Shape = Shape::Map(&[
    may("context", &Shape::Open, "The context after the last turn, in full."),
    may("message_store", &REFS, "All messages in the store, each as `{ref: msg_001}`."),
    may("visible_messages", &VISIBLE, "The ids of the messages the model can see at the end."),
    may("assertions", &ASSERTIONS, "What must hold of the run."),
]);

static REFS: Shape = Shape::List(&REF);

// A recorder may write whole messages here as well as references.
static REF: Shape = Shape::Map(&[
    may("ref", &MESSAGE_ID, "The id of a message of the run."),
    may("id", &MESSAGE_ID, "The id of a message that is written in full."),
    may("ulid", &Shape::Text, "The id in the agent's own store."),
    may("role", &USUAL_ROLE, "Who speaks."),
    may("agent", &AGENT_NAME, "The agent it belongs to, where there are several."),
    may("tool_call_id", &CALL, "The id of the call that the message answers."),
    may("tool_name", &TOOL_NAME, "The tool that answers."),
    may("content", &Shape::Content, "What it says: a text, or a list of parts."),
    may("tool_calls", &TOOL_CALLS, "The tools that the message calls."),
    may("tool_response", &TOOL_RESPONSE, "The tool's answer as data."),
    may("visible", &Shape::Bool, "Whether the model can see it."),
    may("metadata", &Shape::Open, "What else is to be kept with the message."),
]);

static VISIBLE: Shape = Shape::List(&VISIBLE_ITEM);

static VISIBLE_ITEM: Shape = Shape::TextOr(&Shape::Map(VISIBLE_REF));

static VISIBLE_REF: &[Field] = &[must("ref", &MESSAGE_ID, "The id of a message the model can see.")];

/// Assertions in full.
static ASSERTIONS: Shape = Shape::List(&Shape::Assertion);
