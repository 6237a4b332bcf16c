//! Builds a conversation from steps in order: messages, responses and failed calls.

use serde_json::{Map, Value};

use super::conversation::{Conversation, Exchange, Outcome, ResultMatch, ToolOutcome};
use super::records::Records;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::text::Span;
use crate::wire::{Message, ModelRequest, ModelResponse};
use crate::write::Entries;

/// A step of a conversation.
#[derive(Debug)]
pub(super) struct Step {
    /// The line of it, from 1, and its place in the text.
    pub line: u32,
    pub span: Span,
    pub time: Option<String>,
    pub kind: StepKind,
}

/// The kind of a step.
#[derive(Debug)]
pub(super) enum StepKind {
    /// A message that no model made; for a tool, with its outcome.
    Message(Box<Message>, ToolOutcome),
    /// The response of a model and its request; the `messages` of the request are those of this call only.
    Response(Box<ModelResponse>, Box<ModelRequest>, Map<String, Value>),
    /// The model was called and failed.
    Failed(Map<String, Value>),
}

/// Builds the conversation in a file. A second result of a call is unmapped; a result without a call is a tool message.
pub(super) fn build_conversation(steps: Vec<Step>, log: &mut Records) -> Conversation {
    build_inner_conversation(steps, &mut log.unmapped.results, &mut log.diagnostics)
}

/// Builds the conversation of one of several runs in the files.
pub(super) fn build_inner_conversation(
    steps: Vec<Step>,
    unmapped: &mut Vec<Value>,
    found: &mut Vec<Diagnostic>,
) -> Conversation {
    let mut conversation = Conversation::default();
    for Step { line, span, time, kind } in steps {
        conversation.set_place(span);
        let mut warn = |message: String, help: &str| {
            found.push(Diagnostic::new(codes::LOG_PAIR, Severity::Warning, span, message).help(help));
        };
        let exchange = |request: ModelRequest, outcome: Outcome, about| {
            Exchange::single_agent((line, span), request, outcome, time.clone(), about)
        };
        let exchange = match kind {
            StepKind::Message(message, tool_outcome) => {
                let matched = if message.role == "tool" {
                    conversation.match_result(&message)
                } else {
                    ResultMatch::Open
                };
                let id = message.tool_call_id.clone().unwrap_or_default();
                match matched {
                    ResultMatch::Open | ResultMatch::Late => {}
                    ResultMatch::AlreadyAnswered => {
                        warn(
                            format!("the call `{id}` already has a result"),
                            "this one is kept in `metadata`",
                        );
                        unmapped.push(result_entry(line, &message));
                        continue;
                    }
                    ResultMatch::NoCall => {
                        conversation.add_result(None, *message, tool_outcome, time.as_deref());
                        continue;
                    }
                }
                conversation.receive(*message, tool_outcome, time.as_deref());
                continue;
            }
            StepKind::Response(answer, request, about) => exchange(*request, Outcome::Answer(answer), about),
            StepKind::Failed(error) => exchange(ModelRequest::default(), Outcome::Error(error), Map::new()),
        };
        conversation.add_exchange(exchange);
    }
    found.extend(conversation.finish("no message", "this one"));
    conversation
}

/// The result of a call that another agent carried out.
pub(super) fn nested_result(agent: Option<&str>, response: Value, transcript: Value) -> Value {
    Entries::default()
        .with("type", Value::from("nested_agent_result"))
        .with("agent_id", agent.map(Value::from))
        .with("response", response)
        .with("nested_transcript", transcript)
        .into_value()
}

/// A result as `metadata` keeps it.
fn result_entry(line: u32, message: &Message) -> Value {
    Entries::default()
        .with("line", Value::from(line))
        .with("tool_call_id", message.tool_call_id.as_deref().map(Value::from))
        .with("tool_name", message.name.as_deref().map(Value::from))
        .with("content", message.content.clone())
        .with("is_error", message.is_error.then_some(Value::Bool(true)))
        .with("metadata", (!message.others.is_empty()).then(|| Value::Object(message.others.clone())))
        .into_value()
}
