//! Transcripts written by a program: a fluent builder, and its steps as plain data.
//!
//! [`TranscriptBuilder`] is the builder of the seed, with what longer runs need in addition. Calls and results are paired,
//! ids follow from positions, time is an argument, and the output is the full format in data.
//!
//! # As data
//!
//! [`from_steps`] takes the recorded calls of a builder in another language:
//!
//! ```json
//! {"name": "weather_query", "created": "2025-01-13T10:30:00Z", "steps": [
//!   {"withConfig": {"model": "gpt-4"}},
//!   {"withUserMessage": "What's the weather?"},
//!   {"thenLlmResponds": {"content": "", "toolCalls": [{"name": "weather", "arguments": {"city": "Rome"}}]}},
//!   {"thenToolExecutes": {"tool": "weather", "parameters": {"city": "Rome"}, "result": {"temp": 21}}},
//!   {"thenLlmResponds": "It's 21°C."},
//!   {"withAssertion": {"type": "contains", "message": "msg_004", "pattern": "21"}}
//! ]}
//! ```
//!
//! `created` may be left out, or null. A step is a map of one method and its argument:
//!
//! | method | argument |
//! | --- | --- |
//! | `withMetadata` `withConfig` `withContext` | a map, whose keys are added |
//! | `withTools` | a list of names or of maps `{name, description?, parameters?}` |
//! | `withSystemMessage` `withDeveloperMessage` `withUserMessage` | the content, or a message |
//! | `withMessage` | a message with its `role` |
//! | `thenUserSays` | the content, or a message |
//! | `thenMessage` | a message with its `role` |
//! | `thenLlmResponds` | the content, or `{content?, toolCalls?, reasoning?, refusal?, parsed?, citations?, annotations?, chunks?, usage?, metadata?, llmConfig?, agent?, hidden?, id?, at?}` |
//! | `thenLlmFails` | `{type, message, status?, agent?, at?}` |
//! | `thenToolExecutes` | `{tool, parameters?, result?, success?, error?, callId?, agent?, hidden?, id?, at?}` |
//! | `thenToolFails` | the same with `error` |
//! | `thenNestedRun` | `{tool, parameters?, agentId, response, transcript?, callId?, agent?, hidden?, id?, at?}` |
//! | `thenContext` | a map, whose keys the turn before sets |
//! | `thenContextRemoved` | a list of keys that the turn before removes |
//! | `thenHides` `thenShows` | an id of a message, or a list of them |
//! | `withAssertion` | a map with its `type` |
//!
//! A message is `{role?, content, hidden?, agent?, id?, at?}`, `at` the time of its turn. A call is
//! `{id?, name, arguments}`, or as models write it `{id?, function: {name, arguments}}`; arguments are a
//! map, or a text of JSON. Keys may be written with underscores as well: `tool_calls`.

mod args;
mod builder;
mod calls;
mod finish;
mod fluent;
mod problems;
mod steps;

pub use builder::TranscriptBuilder;
pub use fluent::Response;
pub use problems::BuildProblem;
pub use steps::{from_steps, problems_of_steps};

use serde::Serialize;

/// Why a step of a builder cannot be carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BuildError {
    /// The number of the step, from 1, in the order of the calls.
    pub step: usize,
    /// The method, such as `thenToolExecutes`.
    pub method: String,
    /// The problem.
    pub message: String,
    /// The remedy, if one is known.
    pub help: Option<String>,
}

impl std::fmt::Display for BuildError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "step {}, {}: {}", self.step, self.method, self.message)?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, "; {help}"))
    }
}

impl std::error::Error for BuildError {}

#[cfg(test)]
mod tests;
