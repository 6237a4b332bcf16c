//! The steps of a trajectory.

use serde_json::{Map, Value};

use super::super::conversation::{Conversation, Exchange, Outcome, ToolOutcome};
use super::super::keys::{list, non_null_except};
use super::super::values::Entry;
use super::{RunAssembler, Trajectory, sessions};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::text::{JsonMap, json, json_line};
use crate::wire::{Message, ModelRequest, ModelResponse, ParsedContent, ToolCall};

/// The keys of a step that have a place in every run.
const KNOWN: [&str; 9] = [
    "step_id",
    "timestamp",
    "source",
    "message",
    "model_name",
    "reasoning_content",
    "tool_calls",
    "observation",
    "extra",
];

/// The content of a message: a text, or parts with media by their addresses.
fn content(value: Option<&Value>) -> Value {
    let Some(Value::Array(parts)) = value else {
        return match value {
            None | Some(Value::Null) => "".into(),
            Some(other) => other.clone(),
        };
    };
    let part = |part: &Value| {
        let source = part.get("source");
        let of = |key: &str| source.and_then(|source| source.get(key)).and_then(Value::as_str);
        match (part.get("type").and_then(Value::as_str), of("path"), of("media_type")) {
            (Some("image"), Some(path), media_type) => {
                let mut out = json!({"type": "image_url", "image_url": {"url": path}});
                if let (Some(media_type), Some(image)) =
                    (media_type, out.get_mut("image_url").and_then(Value::as_object_mut))
                {
                    image.put("media_type", media_type.into());
                }
                out
            }
            _ => part.clone(),
        }
    };
    parts.iter().map(part).collect()
}

/// The extra data of a step: what a run has places for, and the rest.
#[derive(Debug, Default)]
struct StepExtra {
    known: Map<String, Value>,
    rest: Map<String, Value>,
}

impl StepExtra {
    /// Takes the keys that an export of a run writes, if they have the exported form.
    fn from_step(step: &Value) -> Self {
        let mut out = Self::default();
        for (key, value) in step.get("extra").and_then(Value::as_object).into_iter().flatten() {
            let is_own = match key.as_str() {
                "id" | "refusal" | "finish_reason" | "response_id" | "role" => value.is_string(),
                "visible" => value == false,
                "metadata" | "response_metadata" | "llm_config" | "llm_error" | "context" => {
                    value.is_object()
                }
                "visibility" => value.as_object().is_some_and(|all| all.values().all(Value::is_boolean)),
                "context_removed" => value.as_array().is_some_and(|all| all.iter().all(Value::is_string)),
                _ => false,
            };
            let to = if is_own { &mut out.known } else { &mut out.rest };
            to.insert(key.clone(), value.clone());
        }
        out
    }

    fn take(&mut self, key: &str) -> Option<Value> {
        self.known.shift_remove(key)
    }

    fn map(&mut self, key: &str) -> Map<String, Value> {
        match self.take(key) {
            Some(Value::Object(map)) => map,
            _ => Map::new(),
        }
    }
}

impl RunAssembler<'_> {
    /// Reads a step; `false` when it is none.
    pub(super) fn step(
        &mut self,
        conversation: &mut Conversation,
        run: &Trajectory,
        record: &Entry,
        (depth, has_number): (usize, bool),
    ) -> bool {
        let step = &record.value;
        let text = |key: &str| step.get(key).and_then(Value::as_str);
        let Some(source) = text("source") else { return false };
        conversation.set_place(record.span);
        let mut extra = StepExtra::from_step(step);
        let message_content = content(step.get("message"));
        let id = extra.take("id");
        conversation.set_next_id(id.as_ref().and_then(Value::as_str).unwrap_or_default());
        let mut about = Map::new();
        for (key, value) in step.as_object().into_iter().flatten() {
            let is_agents = source == "agent" && matches!(key.as_str(), "metrics" | "llm_call_count");
            // A key that belongs only to steps of the agent would be lost on another step.
            let is_taken = match key.as_str() {
                "model_name" | "reasoning_content" | "tool_calls" => source == "agent",
                "step_id" => true,
                key => KNOWN.contains(&key),
            };
            if !is_taken && !is_agents && !value.is_null() {
                about.insert(key.clone(), value.clone());
            }
        }
        let changes = ["context", "context_removed", "visibility"].map(|key| extra.take(key));
        let is_change = changes.iter().any(Option::is_some);
        let is_silent = message_content == ""
            && extra.known.is_empty()
            && extra.rest.is_empty()
            && about.is_empty()
            && ["observation", "timestamp"].iter().all(|key| step.get(*key).is_none_or(Value::is_null));
        if let Some(number) = step.get("step_id").filter(|number| has_number && !number.is_null()) {
            about.put("step_id", number.clone());
        }
        match source {
            "agent" => self.answer(conversation, record, message_content, (&mut extra, about)),
            // A step without content only changes the context.
            _ if is_silent && is_change => {}
            _ => {
                let role = match (extra.take("role"), source) {
                    (Some(Value::String(role)), _) => role,
                    (_, "system") => "system".to_owned(),
                    _ => "user".to_owned(),
                };
                if !matches!(source, "system" | "user") {
                    about.put("source", source.into());
                }
                about.put("line", record.line.into());
                about.extend(extra.map("metadata"));
                let message = Message { others: about, ..Message::new(&role, message_content) };
                conversation.add_message(&message, "", text("timestamp"));
            }
        }
        extra.rest.extend(std::mem::take(&mut extra.known).into_iter().filter(|(key, _)| key != "visible"));
        if !extra.rest.is_empty() {
            conversation.amend_message("metadata", json!({"extra": extra.rest}));
        }
        if step.get("extra").and_then(|extra| extra.get("visible")) == Some(&Value::Bool(false)) {
            conversation.hide_last();
        }
        apply(conversation, changes);
        self.observation(conversation, run, record, depth);
        true
    }

    fn answer(
        &mut self,
        conversation: &mut Conversation,
        record: &Entry,
        message_content: Value,
        (extra, mut about): (&mut StepExtra, Map<String, Value>),
    ) {
        let step = &record.value;
        let text = |key: &str| step.get(key).and_then(Value::as_str).map(str::to_owned);
        let mut metadata = extra.map("response_metadata");
        let own = extra.map("metadata");
        let count = step.get("llm_call_count").filter(|count| **count != 1);
        about.put_some("llm_call_count", count.cloned());
        let message_content = ParsedContent::from_content(Some(&message_content), &mut metadata);
        let call = |call| ToolCall::from_keys(call, "tool_call_id", "function_name", &["arguments"]);
        let calls: Vec<ToolCall> = list(step, "tool_calls").iter().map(call).collect();
        let more = list(step, "tool_calls").iter().filter_map(|call| {
            let more = non_null_except(call, &["tool_call_id", "function_name", "arguments"]);
            let id = call.get("tool_call_id").cloned().unwrap_or_default();
            (!more.is_empty()).then(|| json!({"tool_call_id": id, "about": more}))
        });
        let more: Vec<Value> = more.collect();
        if !more.is_empty() {
            metadata.put("calls", Value::Array(more));
        }
        let request = ModelRequest { config: extra.map("llm_config"), ..ModelRequest::default() };
        let outcome = match extra.take("llm_error") {
            Some(Value::Object(error)) if message_content.text.is_empty() && calls.is_empty() => {
                Outcome::Error(error)
            }
            other => {
                extra.rest.put_some("llm_error", other);
                metadata.extend(about);
                about = Map::new();
                Outcome::Answer(Box::new(ModelResponse {
                    id: extra.take("response_id").and_then(|id| id.as_str().map(str::to_owned)),
                    model: text("model_name").map(Value::from),
                    content: message_content.text,
                    reasoning: text("reasoning_content").or(message_content.reasoning),
                    refusal: extra
                        .take("refusal")
                        .and_then(|refusal| refusal.as_str().map(str::to_owned))
                        .or(message_content.refusal),
                    calls,
                    usage: step.get("metrics").and_then(usage),
                    finish_reason: extra.take("finish_reason"),
                    metadata,
                    chunks: Vec::new(),
                }))
            }
        };
        let is_answer = matches!(outcome, Outcome::Answer(_));
        let place = (record.line, record.span);
        let exchange = Exchange::single_agent(place, request, outcome, text("timestamp"), about);
        conversation.add_exchange(exchange);
        if is_answer && !own.is_empty() {
            conversation.amend_message("metadata", Value::Object(own));
        }
    }

    /// What the agent received after a step: results of its calls, or messages of its environment.
    fn observation(
        &mut self,
        conversation: &mut Conversation,
        run: &Trajectory,
        record: &Entry,
        depth: usize,
    ) {
        let Some(observation) = record.value.get("observation").filter(|one| !one.is_null()) else {
            return;
        };
        let results = list(observation, "results");
        if results.is_empty() {
            conversation.amend_message("metadata", json!({"observation": observation}));
            return;
        }
        let more = non_null_except(observation, &["results"]);
        if !more.is_empty() {
            conversation.amend_message("metadata", json!({"observation": more}));
        }
        for result in results {
            // A text is its content.
            let whole = (!result.is_object()).then(|| json!({ "content": result }));
            let result = whole.as_ref().unwrap_or(result);
            let mut content = content(result.get("content"));
            let taken = ["source_call_id", "content", "extra", "subagent_trajectory_ref"];
            let mut about = non_null_except(result, &taken);
            let mut extra = result.get("extra").and_then(Value::as_object).cloned().unwrap_or_default();
            let error = match extra.get("error") {
                Some(Value::String(_)) => {
                    extra.shift_remove("error").and_then(|error| error.as_str().map(str::to_owned))
                }
                _ => None,
            };
            let mut is_error = extra.get("is_error") == Some(&Value::Bool(true));
            if is_error {
                extra.shift_remove("is_error");
            }
            is_error |= extra.get("tool_result_is_error") == Some(&Value::Bool(true));
            if let Some(visible) =
                sessions::model_visible_result(result).filter(|visible| visible.content != content)
            {
                about.put("content", std::mem::replace(&mut content, visible.content));
            }
            let id = extra.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
            if !id.is_empty() {
                extra.shift_remove("id");
            }
            let own = extra.shift_remove("result").filter(|_| error.is_none());
            let (nested, others) = self.referred(run, result, &content, depth);
            if !others.is_empty() {
                about.put("subagent_trajectory_ref", Value::Array(others));
            }
            if content == ""
                && let Some(response) = nested.as_ref().and_then(|nested| nested.get("response"))
            {
                content = if response.is_string() { response.clone() } else { json_line(response).into() };
            }
            if !extra.is_empty() {
                match extra.shift_remove("metadata") {
                    Some(Value::Object(metadata)) => about.extend(metadata),
                    other => extra.put_some("metadata", other),
                }
                if !extra.is_empty() {
                    about.put("extra", Value::Object(extra));
                }
            }
            let named = result.get("source_call_id").and_then(Value::as_str);
            // A result that names no call is that of the only one.
            let call = match named {
                Some(named) => conversation.first_open_call_with_id(named),
                None => conversation
                    .open_calls()
                    .pop()
                    .filter(|_| results.len() == 1 && conversation.open_calls().len() == 1),
            };
            let error = error.or_else(|| {
                is_error.then(|| content.as_str().map_or_else(|| content.to_string(), str::to_owned))
            });
            if let Some(pending) = named
                .filter(|_| call.is_none())
                .and_then(|named| conversation.pending_call_id(named).cloned())
            {
                let message = Message { others: about, ..Message::result(Some(&pending), content) };
                self.records.diagnostics.extend(conversation.take_diagnostics());
                conversation.fill_pending_result(
                    &message,
                    ToolOutcome { result: nested.or(own), error, ..ToolOutcome::default() },
                );
                for found in conversation.take_diagnostics() {
                    self.records.kinds.add("results come after another model response", found);
                }
                continue;
            }
            conversation.set_next_id(&id);
            match call {
                Some(call) => {
                    let tool_outcome = ToolOutcome { result: nested.or(own), error, time: None, about };
                    conversation.add_result(Some(call), Message::new("tool", content), tool_outcome, None);
                }
                None => {
                    if let Some(named) = named {
                        let (kind, message) = match conversation.has_call(named) {
                            true => (
                                "results are for calls that already have one",
                                format!("the call `{named}` already has a result"),
                            ),
                            false => (
                                "results have no earlier call",
                                format!("no step has the call `{named}` of this result"),
                            ),
                        };
                        let found = Diagnostic::new(codes::LOG_PAIR, Severity::Warning, record.span, message);
                        self.records.kinds.add(kind, found.help("it is imported as a message to the agent"));
                        about.put("source_call_id", named.into());
                    }
                    if let Some(nested) = nested.or(own) {
                        about.put("result", nested);
                    }
                    about.put_some("error", error.map(Value::from));
                    about.put("source", "observation".into());
                    let message = Message { others: about, ..Message::new("user", content) };
                    conversation.add_message(&message, "", None);
                }
            }
        }
    }

    /// The first run that a result refers to and that is in the file, and the references that are left.
    fn referred(
        &mut self,
        run: &Trajectory,
        result: &Value,
        content: &Value,
        depth: usize,
    ) -> (Option<Value>, Vec<Value>) {
        let content = if result.get("content").is_none_or(Value::is_null) { &Value::Null } else { content };
        let agent = sessions::agent_of_result(result);
        let mut nested = agent.and_then(|agent| self.nested(run, agent, content, depth));
        let mut others = Vec::new();
        for reference in list(result, "subagent_trajectory_ref") {
            let ids = ["trajectory_id", "session_id"].map(|key| reference.get(key).and_then(Value::as_str));
            let found = ids.into_iter().flatten().filter(|_| nested.is_none());
            let found =
                found.collect::<Vec<_>>().into_iter().find_map(|id| self.nested(run, id, content, depth));
            match found {
                Some(found) => nested = Some(found),
                None => others.push(reference.clone()),
            }
        }
        (nested, others)
    }
}

/// Applies the changes of a step.
fn apply(conversation: &mut Conversation, [context, removed, shown]: [Option<Value>; 3]) {
    let mut changes = Map::new();
    let empty = Map::new();
    let set = context.as_ref().and_then(Value::as_object).unwrap_or(&empty);
    let gone = removed.as_ref().and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    if set.is_empty() && gone.is_empty() && shown.is_none() {
        return;
    }
    conversation.change_context(set, gone);
    if let Some(Value::Object(shown)) = &shown {
        conversation.set_visibility(shown);
    }
    for (key, value) in [("context", context), ("context_removed", removed), ("visible", shown)] {
        changes.put_some(key, value);
    }
    if conversation.has_turns() {
        conversation.amend_turn("state_changes", Value::Object(changes));
    }
}

/// The tokens of an answer: those of the exported run, or by the vendors' names.
fn usage(metrics: &Value) -> Option<Value> {
    let metrics = metrics.as_object()?;
    if let Some(extra) = metrics.get("extra").filter(|extra| extra.is_object()) {
        let is_own = |key: &&str| extra.get(*key).is_some_and(Value::is_u64);
        if ["prompt_tokens", "input_tokens", "inputTokens", "promptTokens"].iter().any(is_own) {
            return Some(extra.clone());
        }
    }
    let mut out = Map::new();
    for (key, value) in metrics {
        match key.as_str() {
            _ if value.is_null() => {}
            "cached_tokens" => {
                out.put("prompt_tokens_details", json!({"cached_tokens": value}));
            }
            key => {
                out.put(key, value.clone());
            }
        }
    }
    (!out.is_empty()).then_some(Value::Object(out))
}
