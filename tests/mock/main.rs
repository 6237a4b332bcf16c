//! Handlers at work: documents with calls and their outcomes, and handlers in code.

mod cases;
mod code;
mod host;
mod model;
mod tool_text;

use serde_json::{Map, Value};
use transcript_core::canonical::CanonicalMessage;
use transcript_core::mock::MockContext;
use transcript_core::wire::ToolCall;

/// The request to a handler, to be changed by a test.
struct ModelInput {
    agent: Option<String>,
    messages: Vec<CanonicalMessage>,
    iteration: u64,
    call_count: u64,
    model: Option<String>,
    tools: Vec<String>,
    context: Map<String, Value>,
    kwargs: Map<String, Value>,
}

impl ModelInput {
    /// A call with these messages, written as `role: text`.
    fn with(messages: &[&str]) -> Self {
        let message = |text: &&str| {
            let (role, content) = text.split_once(": ").expect("a message is written `role: text`");
            message(role, content)
        };
        Self {
            agent: None,
            messages: messages.iter().map(message).collect(),
            iteration: 0,
            call_count: 1,
            model: None,
            tools: Vec::new(),
            context: Map::new(),
            kwargs: Map::new(),
        }
    }

    fn context(&self) -> MockContext<'_> {
        MockContext {
            agent: self.agent.as_deref(),
            messages: &self.messages,
            iteration: self.iteration,
            call_count: self.call_count,
            model: self.model.as_deref(),
            tools: &self.tools,
            context: &self.context,
            kwargs: &self.kwargs,
        }
    }
}

fn message(role: &str, content: &str) -> CanonicalMessage {
    let mut message = CanonicalMessage { role: role.to_owned(), ..CanonicalMessage::default() };
    match role {
        "tool" => message.result = Some(Value::from(content)),
        _ => content.clone_into(&mut message.content),
    }
    message
}

fn call(id: &str, name: &str) -> ToolCall {
    ToolCall { id: id.to_owned(), name: name.to_owned(), arguments: Value::Object(Map::new()) }
}
