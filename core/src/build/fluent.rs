//! The builder's methods in Rust style.

use serde_json::{Map, Value};

use super::TranscriptBuilder;
use crate::text::{JsonMap, json};

/// What the model answers.
///
/// ```
/// use serde_json::json;
/// use transcript_core::build::{Response, TranscriptBuilder};
/// let reply = Response::text("Two at once.").call("a", json!({})).call("b", json!({"x": 1})).usage(45, 12);
/// let run = TranscriptBuilder::new("parallel").then_llm_responds(reply).build().unwrap();
/// assert_eq!(run["execution"][0]["llm_response"]["usage"]["total_tokens"], 57);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Response(Map<String, Value>);

impl Response {
    /// An answer with that text; empty for one that only calls tools.
    #[must_use]
    pub fn text(content: impl Into<String>) -> Self {
        Self(Map::from_iter([("content".to_owned(), Value::String(content.into()))]))
    }

    /// The same with one more call, which gets its id from its place.
    #[must_use]
    pub fn call(self, tool: &str, arguments: Value) -> Self {
        self.add_call(json!({"name": tool, "arguments": arguments}))
    }

    /// The same with one more call with that id.
    #[must_use]
    pub fn call_with_id(self, id: &str, tool: &str, arguments: Value) -> Self {
        self.add_call(json!({"id": id, "name": tool, "arguments": arguments}))
    }

    fn add_call(mut self, call: Value) -> Self {
        if let Value::Array(calls) = self.0.entry("toolCalls").or_insert_with(|| json!([])) {
            calls.push(call);
        }
        self
    }

    /// The same with the tokens used.
    #[must_use]
    pub fn usage(self, prompt: u64, completion: u64) -> Self {
        self.with(
            "usage",
            json!({
                "prompt_tokens": prompt,
                "completion_tokens": completion,
                "total_tokens": prompt.saturating_add(completion),
            }),
        )
    }

    /// The same with another key that the [module](super) lists, such as `reasoning`.
    #[must_use]
    pub fn with(mut self, key: &str, value: Value) -> Self {
        self.0.put(key, value);
        self
    }
}

impl From<&str> for Response {
    fn from(content: &str) -> Self {
        Self::text(content)
    }
}

impl From<String> for Response {
    fn from(content: String) -> Self {
        Self::text(content)
    }
}

impl TranscriptBuilder {
    /// Carries out a step by its name in data, for steps without a method.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::build::TranscriptBuilder;
    /// let hidden = json!({"content": "for the log", "hidden": true});
    /// let run = TranscriptBuilder::new("x").with_step("withSystemMessage", hidden).build().unwrap();
    /// assert_eq!(run["final_state"]["visible_messages"], json!([]));
    /// ```
    #[must_use]
    pub fn with_step(mut self, method: &str, argument: Value) -> Self {
        self.step(method, argument);
        self
    }

    /// Sets the time of creation, as text in ISO 8601.
    #[must_use]
    pub fn with_created(mut self, created: impl Into<String>) -> Self {
        self.metadata.put("created", Value::String(created.into()));
        self
    }

    /// Adds keys to the metadata, such as `description` or `tags`.
    #[must_use]
    pub fn with_metadata(self, metadata: Value) -> Self {
        self.with_step("withMetadata", metadata)
    }

    /// Adds keys to the agent's configuration.
    #[must_use]
    pub fn with_config(self, config: Value) -> Self {
        self.with_step("withConfig", config)
    }

    /// Adds keys to the context before the first turn.
    #[must_use]
    pub fn with_context(self, context: Value) -> Self {
        self.with_step("withContext", context)
    }

    /// Sets the tools: names, or maps with a schema.
    #[must_use]
    pub fn with_tools<T: Into<Value>>(self, tools: impl IntoIterator<Item = T>) -> Self {
        self.with_step("withTools", Value::Array(tools.into_iter().map(Into::into).collect()))
    }

    /// Adds a system message to the initial store.
    #[must_use]
    pub fn with_system_message(self, content: &str) -> Self {
        self.with_step("withSystemMessage", content.into())
    }

    /// Adds a developer message to the initial store.
    #[must_use]
    pub fn with_developer_message(self, content: &str) -> Self {
        self.with_step("withDeveloperMessage", content.into())
    }

    /// Adds a user message to the initial store.
    #[must_use]
    pub fn with_user_message(self, content: &str) -> Self {
        self.with_step("withUserMessage", content.into())
    }

    /// Adds a message to the initial store that the model does not see.
    #[must_use]
    pub fn with_hidden_message(self, role: &str, content: &str) -> Self {
        self.with_step("withMessage", json!({"role": role, "content": content, "hidden": true}))
    }

    /// Adds another message of the user.
    #[must_use]
    pub fn then_user_says(self, content: &str) -> Self {
        self.with_step("thenUserSays", content.into())
    }

    /// A message of another role arrives, such as `system` or `developer`.
    #[must_use]
    pub fn then_message(self, role: &str, content: &str) -> Self {
        self.with_step("thenMessage", json!({"role": role, "content": content}))
    }

    /// The model is sent every visible message and answers.
    #[must_use]
    pub fn then_llm_responds(self, reply: impl Into<Response>) -> Self {
        self.with_step("thenLlmResponds", Value::Object(reply.into().0))
    }

    /// The model is sent every visible message and fails.
    #[must_use]
    pub fn then_llm_fails(self, kind: &str, message: &str) -> Self {
        self.with_step("thenLlmFails", json!({"type": kind, "message": message}))
    }

    /// A tool returns a result. It answers the oldest open call of the tool with these parameters or,
    /// without one, the tool's oldest open call.
    #[must_use]
    pub fn then_tool_executes(self, tool: &str, parameters: Value, result: Value) -> Self {
        let argument = json!({"tool": tool, "parameters": parameters, "result": result});
        self.with_step("thenToolExecutes", argument)
    }

    /// A tool fails; which call it answers is as for a result.
    #[must_use]
    pub fn then_tool_fails(self, tool: &str, parameters: Value, error: &str) -> Self {
        self.with_step("thenToolFails", json!({"tool": tool, "parameters": parameters, "error": error}))
    }

    /// Another agent runs as a tool; `transcript` is its own run, null when that is not recorded.
    #[must_use]
    pub fn then_nested_run(
        self,
        tool: &str,
        parameters: Value,
        agent: &str,
        response: &str,
        transcript: Value,
    ) -> Self {
        let argument = json!({
            "tool": tool, "parameters": parameters, "agentId": agent, "response": response,
            "transcript": transcript,
        });
        self.with_step("thenNestedRun", argument)
    }

    /// The turn before sets keys of the context; before the first turn, the initial context does.
    #[must_use]
    pub fn then_context(self, context: Value) -> Self {
        self.with_step("thenContext", context)
    }

    /// The turn before removes a key of the context.
    #[must_use]
    pub fn then_context_removed(self, key: &str) -> Self {
        self.with_step("thenContextRemoved", key.into())
    }

    /// From the turn before on, the model does not see a message.
    #[must_use]
    pub fn then_hides(self, message: &str) -> Self {
        self.with_step("thenHides", message.into())
    }

    /// From the turn before on, the model sees a message.
    #[must_use]
    pub fn then_shows(self, message: &str) -> Self {
        self.with_step("thenShows", message.into())
    }

    /// Adds an assertion about the run; `fields` is a map of its type's fields.
    #[must_use]
    pub fn with_assertion(self, kind: &str, fields: Value) -> Self {
        let mut data = json!({"type": kind});
        match (&mut data, fields) {
            (Value::Object(data), Value::Object(fields)) => data.extend(fields),
            (data, fields) => *data = fields,
        }
        self.with_step("withAssertion", data)
    }
}
