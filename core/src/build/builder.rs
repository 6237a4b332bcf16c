//! The one implementation: steps as data, carried out in order.

use crate::text::{JsonMap, Set, Table, json, text_or_json};
use serde_json::{Map, Value};

use super::BuildError;
use super::args::{Args, Fault, entries, fault, texts};
use super::calls::Calls;
use super::problems::Origins;
use crate::diagnostic::{closest, closest_id};
use crate::model::{Content, IdCounter, ROLES, ToolRun, message_id};
use crate::parse::Limits;
use crate::write::{self, Entries, message_reference, nested_result_entry, turn_entry};

/// The methods by their names in data.
const METHODS: [&str; 20] = [
    "withMetadata",
    "withConfig",
    "withContext",
    "withTools",
    "withSystemMessage",
    "withDeveloperMessage",
    "withUserMessage",
    "withMessage",
    "thenUserSays",
    "thenMessage",
    "thenLlmResponds",
    "thenLlmFails",
    "thenToolExecutes",
    "thenToolFails",
    "thenNestedRun",
    "thenContext",
    "thenContextRemoved",
    "thenHides",
    "thenShows",
    "withAssertion",
];

/// Writes a transcript step by step.
///
/// A step that cannot be carried out changes nothing. [`TranscriptBuilder::build`] returns the errors of all steps, so
/// that a chain of calls needs no checks.
///
/// ```
/// use serde_json::json;
/// use transcript_core::build::{Response, TranscriptBuilder};
/// let run = TranscriptBuilder::new("weather_query")
///     .with_user_message("What's the weather?")
///     .then_llm_responds(Response::text("").call("weather", json!({"city": "Rome"})))
///     .then_tool_executes("weather", json!({"city": "Rome"}), json!({"temp": 21}))
///     .then_llm_responds("It's 21°C.")
///     .build()
///     .unwrap();
/// assert_eq!(run["execution"][1]["tool_call"]["id"], "call_001");
/// assert_eq!(run["execution"][1]["message_created"]["content"], "{\"temp\": 21}");
/// ```
#[derive(Clone, Debug)]
pub struct TranscriptBuilder {
    pub(super) metadata: Map<String, Value>,
    pub(super) config: Map<String, Value>,
    pub(super) context: Map<String, Value>,
    pub(super) initial: Vec<Value>,
    pub(super) turns: Vec<Value>,
    pub(super) assertions: Vec<Value>,
    /// Every message with whether the model sees it now.
    pub(super) store: Vec<(String, bool)>,
    /// The store indexes of the messages that the model sees now.
    shown: Set<usize>,
    places: Table<String, usize>,
    /// The counter for messages without their own ids.
    numbered: IdCounter,
    /// The keys of the context now.
    now: Set<String>,
    calls: Calls,
    step: usize,
    /// How many references the calls were sent so far; `None` after too many.
    sent: Option<usize>,
    pub(super) errors: Vec<BuildError>,
    pub(super) origins: Origins,
}

impl TranscriptBuilder {
    /// Begins a transcript of that name by the author `builder`.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        let metadata = json!({"name": name.into(), "author": "builder"});
        Self {
            metadata: entries(metadata, "").unwrap_or_default(),
            config: Map::new(),
            context: Map::new(),
            initial: Vec::new(),
            turns: Vec::new(),
            assertions: Vec::new(),
            store: Vec::new(),
            shown: Set::new(),
            places: Table::new(),
            numbered: IdCounter::default(),
            now: Set::new(),
            calls: Calls::default(),
            step: 0,
            sent: Some(0),
            errors: Vec::new(),
            origins: Origins::default(),
        }
    }

    /// Carries out one step, or notes why it cannot be.
    pub(super) fn step(&mut self, method: &str, argument: Value) {
        self.step += 1;
        // Once a run is too long, later steps are no errors.
        if self.sent.is_none() {
            return;
        }
        let before = (self.initial.len(), self.turns.len(), self.assertions.len());
        if let Err(Fault { message, help }) = self.carry_out(method, argument) {
            self.errors.push(BuildError { step: self.step, method: method.to_owned(), message, help });
            return;
        }
        let origin = (self.step, method.to_owned());
        if self.initial.len() > before.0 {
            self.origins.initial.push(origin);
        } else if self.turns.len() > before.1 {
            self.origins.turns.push(origin);
        } else if self.assertions.len() > before.2 {
            self.origins.assertions.push(origin);
        }
    }

    fn carry_out(&mut self, method: &str, argument: Value) -> Result<(), Fault> {
        match method {
            "withMetadata" => self.metadata.extend(entries(argument, "the metadata")?),
            "withConfig" => self.config.extend(entries(argument, "the configuration")?),
            "withContext" => {
                for (key, value) in entries(argument, "the context")? {
                    self.now.insert(key.clone());
                    self.context.insert(key, value);
                }
            }
            "withTools" => {
                let Value::Array(tools) = argument else { return Err(fault("tools: expected a list")) };
                self.config.put("tools", Value::Array(tools));
            }
            "withSystemMessage" => self.initial_message(argument, Some("system"))?,
            "withDeveloperMessage" => self.initial_message(argument, Some("developer"))?,
            "withUserMessage" => self.initial_message(argument, Some("user"))?,
            "withMessage" => self.initial_message(argument, None)?,
            "thenUserSays" => self.add_message(argument, Some("user"))?,
            "thenMessage" => self.add_message(argument, None)?,
            "thenLlmResponds" => self.add_response(argument)?,
            "thenLlmFails" => self.add_failure(argument)?,
            "thenToolExecutes" => self.add_tool_run(argument, false)?,
            "thenToolFails" => self.add_tool_run(argument, true)?,
            "thenNestedRun" => self.nested_run(argument)?,
            "thenContext" => self.sets_context(entries(argument, "the context")?),
            "thenContextRemoved" => self.removes_context(texts(argument, "the argument")?)?,
            "thenHides" => self.set_visible(texts(argument, "the argument")?, false)?,
            "thenShows" => self.set_visible(texts(argument, "the argument")?, true)?,
            "withAssertion" => {
                let data = entries(argument, "the assertion")?;
                if !data.get("type").is_some_and(Value::is_string) {
                    return Err(Fault::with_help(
                        "the assertion has no `type`",
                        Some("add one, such as `contains`".to_owned()),
                    ));
                }
                self.assertions.push(Value::Object(data));
            }
            other => {
                let near = closest(other, METHODS).map(|near| format!("did you mean `{near}`?"));
                return Err(Fault::with_help(format!("unknown method `{other}`"), near));
            }
        }
        Ok(())
    }

    /// A new message of the store: `{id, role, agent?, ...body, visible}`.
    fn stored(
        &mut self,
        id: Option<String>,
        role: &str,
        body: Map<String, Value>,
        common: &Common,
    ) -> Result<Value, Fault> {
        let id = match id {
            Some(id) if self.places.contains_key(&id) => {
                return Err(fault(format!("duplicate message id `{id}`")));
            }
            Some(id) => id,
            None => {
                let position = self.store.len() + 1;
                self.numbered.free_at(position, message_id, &|id| self.places.contains_key(id))
            }
        };
        self.places.insert(id.clone(), self.store.len());
        if !common.hidden {
            self.shown.insert(self.store.len());
        }
        self.store.push((id.clone(), !common.hidden));
        let mut message =
            Map::from_iter([("id".to_owned(), Value::String(id)), ("role".to_owned(), role.into())]);
        if let Some(agent) = &common.agent {
            message.put("agent", agent.as_str().into());
        }
        message.extend(body);
        message.put("visible", (!common.hidden).into());
        Ok(Value::Object(message))
    }

    fn message(&mut self, argument: Value, role: Option<&str>) -> Result<(Value, Common), Fault> {
        let mut args = Args::new(argument, "content");
        let own = args.text("role")?;
        let role = match (role, own) {
            (Some(role), None) => role.to_owned(),
            (Some(role), Some(own)) if own == role => own,
            (None, Some(own)) => own,
            (None, None) => return Err(fault("the message has no `role`")),
            (Some(role), Some(own)) => {
                return Err(fault(format!("expected the role `{own}`, found `{role}`")));
            }
        };
        if matches!(role.as_str(), "assistant" | "tool") && !self.turns.is_empty() {
            let method = if role == "tool" { "thenToolExecutes" } else { "thenLlmResponds" };
            return Err(Fault::with_help(
                format!("a message with the role `{role}` cannot be added here"),
                Some(format!("use `{method}`")),
            ));
        }
        if !ROLES.contains(&role.as_str()) {
            let near = closest(&role, ROLES).map(|near| format!("did you mean `{near}`?"));
            return Err(Fault::with_help(format!("unknown role `{role}`"), near));
        }
        let content = args.take("content");
        let (id, common) = (args.text("id")?, Common::take(&mut args)?);
        args.finish()?;
        let Some(content @ (Value::String(_) | Value::Array(_))) = content else {
            return Err(fault("content: expected a string or a list of parts"));
        };
        let body = Map::from_iter([("content".to_owned(), content)]);
        Ok((self.stored(id, &role, body, &common)?, common))
    }

    fn initial_message(&mut self, argument: Value, role: Option<&str>) -> Result<(), Fault> {
        if !self.turns.is_empty() {
            let help = "use `thenUserSays` or `thenMessage` for a later message";
            return Err(Fault::with_help("the run has already started", Some(help.to_owned())));
        }
        let (message, _) = self.message(argument, role)?;
        self.initial.push(message);
        Ok(())
    }

    fn add_message(&mut self, argument: Value, role: Option<&str>) -> Result<(), Fault> {
        let (message, common) = self.message(argument, role)?;
        self.turn("message", &common, [("message_created", message)]);
        Ok(())
    }

    fn add_response(&mut self, argument: Value) -> Result<(), Fault> {
        let mut args = Args::new(argument, "content");
        let content = args.take("content").unwrap_or_else(|| "".into());
        let calls = args.take("toolCalls");
        let mut response = Map::from_iter([
            ("role".to_owned(), "assistant".into()),
            ("content".to_owned(), content.clone()),
            ("tool_calls".to_owned(), Value::Null),
        ]);
        const REST: [&str; 8] =
            ["usage", "reasoning", "refusal", "parsed", "citations", "annotations", "chunks", "metadata"];
        for key in REST {
            if let Some(value) = args.take(key) {
                response.put(key, value);
            }
        }
        let config = args.take("llmConfig");
        let (id, common) = (args.text("id")?, Common::take(&mut args)?);
        args.finish()?;
        if !matches!(content, Value::String(_) | Value::Array(_)) {
            return Err(fault("content: expected a string or a list of parts"));
        }
        if let Some(id) = id.as_ref().filter(|id| self.places.contains_key(*id)) {
            return Err(fault(format!("duplicate message id `{id}`")));
        }
        let sent = self.sent()?;
        let calls = self.calls.read(calls)?;
        let mut body = Map::from_iter([("content".to_owned(), content)]);
        if !calls.is_empty() {
            let raw = calls.iter().map(|call| write::tool_call(call, call.arguments_text().into()));
            let stored = calls.iter().map(|call| write::tool_call(call, call.arguments.clone()));
            response.put("tool_calls", raw.collect());
            body.put("tool_calls", stored.collect());
        }
        let message = self.stored(id, "assistant", body, &common)?;
        let parts = [
            ("messages_sent_to_llm", sent),
            ("llm_config", config.unwrap_or_default()),
            ("llm_response", Value::Object(response)),
            ("message_created", message),
        ];
        self.turn("llm_call", &common, parts.into_iter().filter(|(_, value)| !value.is_null()));
        Ok(())
    }

    fn add_failure(&mut self, argument: Value) -> Result<(), Fault> {
        let mut args = Args::new(argument, "message");
        let mut error = Map::new();
        for key in ["type", "message", "status"] {
            if let Some(value) = args.take(key) {
                error.put(key, value);
            }
        }
        let common = Common::take(&mut args)?;
        args.finish()?;
        let sent = self.sent()?;
        self.turn("llm_call", &common, [("messages_sent_to_llm", sent), ("llm_error", Value::Object(error))]);
        Ok(())
    }

    fn add_tool_run(&mut self, argument: Value, failed: bool) -> Result<(), Fault> {
        let mut args = Args::new(argument, "tool");
        let run = ToolStep::take(&mut args)?;
        let result = args.take("result").unwrap_or_default();
        let error = args.text("error")?;
        let success = match args.take("success") {
            None => !failed && error.is_none(),
            Some(Value::Bool(success)) if !(failed && success) => success,
            Some(_) => {
                return Err(fault("`success` is not a boolean, or contradicts the method"));
            }
        };
        args.finish()?;
        if failed && error.is_none() {
            return Err(fault("the error is missing"));
        }
        let content = match (&error, success) {
            (Some(error), false) => error.clone(),
            _ => text_or_json(&result),
        };
        self.tool_turn(run, content.into(), result, success, error, true)
    }

    fn nested_run(&mut self, argument: Value) -> Result<(), Fault> {
        let mut args = Args::new(argument, "tool");
        let run = ToolStep::take(&mut args)?;
        let (agent, response) = (args.text("agentId")?, args.take("response").unwrap_or_default());
        let transcript = args.take("transcript");
        args.finish()?;
        let result = nested_result_entry(agent.as_deref(), Some(response.clone()));
        let result = result.with("nested_transcript", transcript).into_value();
        // The run is in the result; the model gets the answer alone.
        let content = text_or_json(&response).into();
        self.tool_turn(run, content, result, true, None, false)
    }

    fn tool_turn(
        &mut self,
        run: ToolStep,
        content: Value,
        result: Value,
        success: bool,
        error: Option<String>,
        with_response: bool,
    ) -> Result<(), Fault> {
        let ToolStep { tool, parameters, call_id, id, common } = run;
        if let Some(id) = id.as_ref().filter(|id| self.places.contains_key(*id)) {
            return Err(fault(format!("duplicate message id `{id}`")));
        }
        let call = self.calls.answer(&tool, parameters.as_ref(), call_id.as_deref())?;
        let parameters = parameters.unwrap_or(call.arguments);
        let error = error.map(|error| Content::Text(error.into()));
        let call_id = call.id.as_ref().map(|id| &*id.value);
        let run = ToolRun { success, ..ToolRun::new(call_id, &tool, parameters, result, error) };
        let body = Entries::default()
            .with("tool_call_id", call_id.map(Value::from))
            .with("tool_name", Value::from(tool))
            .with("content", content)
            .with("tool_response", with_response.then(|| write::tool_response(&run)));
        let message = self.stored(id, "tool", body.0, &common)?;
        let run = write::tool_run(&run);
        self.turn("tool_call", &common, [("tool_call", run), ("message_created", message)]);
        Ok(())
    }

    fn turn(&mut self, kind: &str, common: &Common, parts: impl IntoIterator<Item = (&'static str, Value)>) {
        let (agent, time) = (common.agent.as_deref(), common.at.as_deref());
        let mut turn = turn_entry(self.turns.len() + 1, kind, agent, time);
        turn.0.extend(parts.into_iter().map(|(key, value)| (key.to_owned(), value)));
        self.turns.push(turn.into_value());
    }

    /// References to every message that the model sees now. They add up to a number that grows with the square
    /// of the calls, so that it has a limit.
    fn sent(&mut self) -> Result<Value, Fault> {
        let count = self.sent.unwrap_or_default() + self.shown.len();
        let limit = Limits::default().expanded;
        if count > limit {
            self.sent = None;
            let help = "hide messages that the model no longer needs, or build several transcripts";
            return Err(Fault::with_help(
                format!("the model calls have more than {limit} messages in total"),
                Some(help.to_owned()),
            ));
        }
        self.sent = Some(count);
        let shown = self.shown.iter().filter_map(|place| self.store.get(*place));
        Ok(shown.map(|(id, _)| message_reference(id)).collect())
    }

    /// The changes of the last turn under `key`, `empty` if there are none.
    fn changes(&mut self, key: &str, empty: Value) -> Option<&mut Value> {
        let turn = self.turns.last_mut()?.as_object_mut()?;
        let changes = turn.entry("state_changes").or_insert_with(|| json!({})).as_object_mut()?;
        Some(changes.entry(key.to_owned()).or_insert(empty))
    }

    fn sets_context(&mut self, set: Map<String, Value>) {
        if let Some(Value::Array(removed)) = self.removed_by_last() {
            removed.retain(|key| !key.as_str().is_some_and(|key| set.contains_key(key)));
        }
        self.now.extend(set.keys().cloned());
        match self.changes("context", json!({})).and_then(Value::as_object_mut) {
            Some(context) => context.extend(set),
            None => self.context.extend(set),
        }
    }

    fn removed_by_last(&mut self) -> Option<&mut Value> {
        self.turns.last_mut()?.get_mut("state_changes")?.get_mut("context_removed")
    }

    fn removes_context(&mut self, keys: Vec<String>) -> Result<(), Fault> {
        if let Some(key) = keys.iter().find(|key| !self.now.contains(*key)) {
            return Err(fault(format!("unknown context key `{key}`")));
        }
        for key in keys {
            self.now.remove(&key);
            match self.changes("context_removed", json!([])).and_then(Value::as_array_mut) {
                Some(removed) => removed.push(key.into()),
                None => {
                    self.context.shift_remove(&key);
                }
            }
        }
        Ok(())
    }

    fn set_visible(&mut self, ids: Vec<String>, visible: bool) -> Result<(), Fault> {
        if let Some(id) = ids.iter().find(|id| !self.places.contains_key(*id)) {
            let near = closest_id(id, self.places.keys().map(String::as_str));
            return Err(Fault::with_help(
                format!("unknown message `{id}`"),
                near.map(|near| format!("did you mean `{near}`?")),
            ));
        }
        for id in ids {
            let Some(&place) = self.places.get(&id) else { continue };
            if let Some(entry) = self.store.get_mut(place) {
                entry.1 = visible;
            }
            if visible {
                self.shown.insert(place);
            } else {
                self.shown.remove(&place);
            }
            match self.changes("visible", json!({})).and_then(Value::as_object_mut) {
                Some(changes) => {
                    changes.insert(id, visible.into());
                }
                None => {
                    if let Some(Value::Object(message)) = self.initial.get_mut(place) {
                        message.put("visible", visible.into());
                    }
                }
            }
        }
        Ok(())
    }
}

/// The options that any turn may have.
pub(super) struct Common {
    agent: Option<String>,
    at: Option<String>,
    hidden: bool,
}

impl Common {
    fn take(args: &mut Args) -> Result<Self, Fault> {
        Ok(Self { agent: args.text("agent")?, at: args.text("at")?, hidden: args.flag("hidden")? })
    }
}

/// The options of both kinds of tool turns.
struct ToolStep {
    tool: String,
    parameters: Option<Value>,
    call_id: Option<String>,
    id: Option<String>,
    common: Common,
}

impl ToolStep {
    fn take(args: &mut Args) -> Result<Self, Fault> {
        let Some(tool) = args.text("tool")? else { return Err(fault("`tool` is missing")) };
        let parameters = args.take("parameters");
        let (call_id, id) = (args.text("callId")?, args.text("id")?);
        Ok(Self { tool, parameters, call_id, id, common: Common::take(args)? })
    }
}
