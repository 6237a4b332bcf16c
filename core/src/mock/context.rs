//! The handler's view of a call.

use serde_json::{Map, Value};

use crate::canonical::CanonicalMessage;

/// The handler's view of a model call: the agent, the messages, and the counts.
#[derive(Clone, Copy, Debug)]
pub struct MockContext<'a> {
    /// The name of the agent that makes the call.
    pub agent: Option<&'a str>,
    /// The messages of the request, in order.
    pub messages: &'a [CanonicalMessage],
    /// The round of the agent's loop, counted from 0.
    pub iteration: u64,
    /// The calls of the model so far with this one, failed ones included, counted from 1.
    pub call_count: u64,
    /// The requested model.
    pub model: Option<&'a str>,
    /// The names of the tools that the model may call.
    pub tools: &'a [String],
    /// The context of the agent.
    pub context: &'a Map<String, Value>,
    /// Other options of the call, such as a temperature.
    pub kwargs: &'a Map<String, Value>,
}
