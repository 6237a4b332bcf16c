//! A mock model that lives on the Rust side.

use serde_json::{Map, Value, json};
use transcript_core::canonical::{CanonicalMessage, LastRequest, Request, request_keys};
use transcript_core::diagnostic::InvalidInput;
use transcript_core::document::Document;
use transcript_core::mock::{
    Attempt, Code, FunctionResults, MessageHistory, MockContext, MockError, MockErrorKind, MockModel,
    Pending, Profile, Response, Retention, latest, message_value,
};
use transcript_core::text::Place;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::answer;
use crate::document::DocumentHandle;

/// The keys of a call that are no settings of the model: those of the formats, and those of the mock itself.
const NOT_SETTINGS: [&str; 11] = [
    "format",
    "messages",
    "keep",
    "system",
    "input",
    "instructions",
    "systemInstructions",
    "agent",
    "iteration",
    "context",
    "tools",
];

/// A mock model with the document of its handler.
#[derive(Debug)]
pub struct Mock {
    model: MockModel,
    document: Option<Document>,
    agent: Option<String>,
    profile: Profile,
    /// The request of the last call.
    last_request: LastRequest,
    /// Its messages. Those that did not change since the mark are known to the host.
    history: MessageHistory,
    /// The call that waits for a function of the host.
    open: Option<(Pending, Call, FunctionResults)>,
}

/// A call of the model without its messages.
#[derive(Debug)]
struct Call {
    agent: Option<String>,
    iteration: u64,
    model: Option<String>,
    tools: Vec<String>,
    context: Map<String, Value>,
    settings: Map<String, Value>,
}

impl Mock {
    /// Starts a handler of the document, the only one unless `settings` name another with `agent`; without a
    /// document, answers come from outside. `settings` may also have `profile`, `keep` (`calls`, `messages`,
    /// `bytes`) and `code`, a list of the places of functions of the host in the handlers.
    ///
    /// # Errors
    /// When there is no such handler, or a setting is of the wrong kind.
    pub fn new(document: Option<Document>, settings: &Value) -> Result<Self, InvalidInput> {
        let named = settings.get("agent").and_then(Value::as_str);
        let profile = settings.get("profile").and_then(Value::as_str).unwrap_or("default");
        let profile = Profile::new(profile).ok_or_else(|| {
            format!("unknown profile `{profile}`; use one of {}", Profile::NAMES.join(", "))
        })?;
        let (model, agent) = match &document {
            None => (MockModel::external(), named.map(str::to_owned)),
            Some(document) => {
                let agent = agent_of(document, named)?;
                let paths = settings.get("code").and_then(Value::as_array).into_iter().flatten();
                let code = Code::new(paths.filter_map(Value::as_str));
                let runner = document.mock_with(&agent, profile, &code).map_err(|error| error.message)?;
                (MockModel::new(runner), Some(agent))
            }
        };
        let model = model.profile(profile).keep(keep(settings.get("keep").unwrap_or(&Value::Null))?);
        Ok(Self {
            model,
            document,
            agent,
            profile,
            last_request: LastRequest::default(),
            history: MessageHistory::default(),
            open: None,
        })
    }

    /// Has the handler answer a call, JSON in and data out: `{call, reply}`, `{call, error}`, or `{call, asks, context}`
    /// if a function of the host must be called first, whose result [`Mock::function_result`] takes.
    ///
    /// # Errors
    /// When it is no call.
    pub fn call(&mut self, call: &str) -> Result<Value, InvalidInput> {
        let call = self.read(call)?;
        if let Some((before, ..)) = self.open.take() {
            self.model.give_up(&before);
        }
        let pending = self.model.begin(&call.context(self.history.messages()));
        let mut answer_data = self.attempt(pending, call, FunctionResults::default());
        if let (Some(map), Some((pending, call, _))) = (answer_data.as_object_mut(), &self.open) {
            let context = call.to_map(pending.call);
            map.extend(self.host_context(context));
        }
        Ok(answer_data)
    }

    /// Takes the result of the function that was requested, or with `failed` its error, `{name, message}`; answers as
    /// [`Mock::call`].
    ///
    /// # Errors
    /// When that call does not wait for a function.
    pub fn function_result(
        &mut self,
        number: u64,
        function: usize,
        result: Value,
        failed: bool,
    ) -> Result<Value, InvalidInput> {
        let (pending, call, mut results) = self
            .open
            .take_if(|(pending, ..)| pending.call == number)
            .ok_or_else(|| format!("call {number} does not wait for a function"))?;
        results.add(function, if failed { Err(result) } else { Ok(result) });
        Ok(self.attempt(pending, call, results))
    }

    fn attempt(&mut self, pending: Pending, call: Call, results: FunctionResults) -> Value {
        let number = pending.call;
        let context = call.context(self.history.messages());
        match self.model.attempt_with_history(&pending, &context, Some(&self.history), &results) {
            Attempt::Done(outcome) => self.outcome(number, outcome),
            Attempt::NeedsFunction(function_call) => {
                self.open = Some((pending, call, results));
                json!({ "call": number, "asks": function_call })
            }
        }
    }

    /// Takes a call that the host answers: `{call, context, same}`. The host has `same` of the messages in the context
    /// from the context before.
    ///
    /// # Errors
    /// When it is no call.
    pub fn begin(&mut self, call: &str) -> Result<Value, InvalidInput> {
        let call = self.read(call)?;
        let number = self.model.begin(&call.context(self.history.messages())).call;
        self.model.take_events();
        let mut answer_data = self.host_context(call.to_map(number));
        answer_data.insert("call".to_owned(), number.into());
        Ok(answer_data.into())
    }

    /// What functions of the host see of a call: its `context`. The host has `same` of its messages from before.
    fn host_context(&mut self, call: Map<String, Value>) -> Map<String, Value> {
        let (messages, same) = (self.history.messages(), self.history.unchanged());
        let new = messages.iter().skip(same).map(message_value).collect();
        let mut context = latest(messages, Some(&self.history));
        context.extend(call);
        context.insert("messages".to_owned(), new);
        self.history.mark();
        Map::from_iter([("context".to_owned(), context.into()), ("same".to_owned(), same.into())])
    }

    /// Takes what the host answered to a call: a reply as data.
    pub fn answer(&mut self, call: u64, reply: &Value) -> Value {
        let outcome = Response::from_value(reply, self.profile);
        let outcome = self.model.answer(Pending { call }, outcome);
        self.outcome(call, outcome)
    }

    /// Takes that the host failed to answer: an error as [`MockError::to_value`] has it, or any other `{name, message}`.
    pub fn fail(&mut self, call: u64, error: &Value) -> Value {
        let known = MockError::from_value(error).unwrap_or_else(|| {
            let message = error.get("message").and_then(Value::as_str).unwrap_or_default();
            MockError::new(MockErrorKind::Failed(Box::new(error.clone())), message)
        });
        let outcome = self.model.answer(Pending { call }, Err(known));
        self.outcome(call, outcome)
    }

    fn outcome(&mut self, call: u64, outcome: Result<Response, Box<MockError>>) -> Value {
        // The host emits events itself.
        self.model.take_events();
        match outcome {
            Ok(reply) => json!({ "call": call, "response": reply.to_value() }),
            Err(error) => {
                let mut value = error.to_value();
                let place = self.document.as_ref().zip(error.span);
                let place = place.map(|(document, span)| Place::new(document.text(), document.lines(), span));
                if let (Some(place), Some(map)) = (place, value.as_object_mut()) {
                    map.insert("place".to_owned(), serde_json::to_value(place).unwrap_or_default());
                }
                json!({ "call": call, "error": value })
            }
        }
    }

    /// `{agent, calls, used, remaining, allConsumed, waiting}`.
    #[must_use]
    pub fn usage(&self) -> Value {
        let usage = self.model.usage();
        json!({
            "agent": self.agent,
            "calls": self.model.calls(),
            "used": usage.used,
            "remaining": usage.remaining,
            "allConsumed": usage.all_consumed,
            "waiting": self.model.waiting().collect::<Vec<_>>(),
        })
    }

    /// The calls that are kept, as data.
    #[must_use]
    pub fn exchanges(&self) -> Value {
        self.model.exchanges().map(transcript_core::mock::Exchange::to_value).collect()
    }

    /// The trace of the last call: `{decisions, omitted, answered, text}`.
    #[must_use]
    pub fn trace(&self) -> Value {
        let trace = self.model.trace();
        let mut value = serde_json::to_value(trace).unwrap_or_default();
        if let Some(map) = value.as_object_mut() {
            map.insert("text".to_owned(), trace.to_text().into());
        }
        value
    }

    fn read(&mut self, call: &str) -> Result<Call, InvalidInput> {
        let value: Value = transcript_core::text::json_value(call)
            .map_err(|error| format!("the call cannot be read: {error}"))?;
        let request = Request::from_value(&value).map_err(|error| error.to_string())?;
        if !self.last_request.covers(&request) {
            return Err("the call omits messages that were never sent (`keep`)".into());
        }
        self.last_request.mark();
        self.last_request.update(&request);
        let same = self.last_request.unchanged();
        self.history.truncate(same);
        for message in self.last_request.as_slice().iter().skip(same) {
            self.history.push(CanonicalMessage::clone(message));
        }
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let iteration =
            value.get("iteration").and_then(Value::as_u64).unwrap_or_else(|| self.history.round() as u64);
        let keys = request_keys(&value);
        let settings =
            keys.iter().filter(|(key, _)| *key != "model" && !NOT_SETTINGS.contains(&key.as_str()));
        Ok(Call {
            agent: text("agent").or_else(|| self.agent.clone()),
            iteration,
            model: text("model"),
            tools: keys
                .get("tools")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(tool)
                .collect(),
            context: value.get("context").and_then(Value::as_object).cloned().unwrap_or_default(),
            settings: settings.map(|(key, value)| (key.clone(), value.clone())).collect(),
        })
    }
}

impl Call {
    fn context<'a>(&'a self, messages: &'a [CanonicalMessage]) -> MockContext<'a> {
        MockContext {
            agent: self.agent.as_deref(),
            messages,
            iteration: self.iteration,
            call_count: 0,
            model: self.model.as_deref(),
            tools: &self.tools,
            context: &self.context,
            kwargs: &self.settings,
        }
    }

    /// The call as functions of the host see it, without its messages.
    fn to_map(&self, number: u64) -> Map<String, Value> {
        let entries = [
            ("agent", self.agent.as_deref().into()),
            ("iteration", self.iteration.into()),
            ("callCount", number.into()),
            ("model", self.model.as_deref().into()),
            ("tools", self.tools.as_slice().into()),
            ("context", self.context.clone().into()),
            ("kwargs", self.settings.clone().into()),
        ];
        entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// The agent whose handler is used.
fn agent_of(document: &Document, named: Option<&str>) -> Result<String, InvalidInput> {
    match (named, document.mocked().as_slice()) {
        (Some(named), _) => Ok(named.to_owned()),
        (None, [only]) => Ok((*only).to_owned()),
        (None, []) => Err("the document has no handlers".into()),
        (None, several) => {
            let names: Vec<String> = several.iter().take(10).map(|name| format!("`{name}`")).collect();
            Err(format!("the document has several handlers; choose one with `agent`: {}", names.join(", "))
                .into())
        }
    }
}

fn keep(limits: &Value) -> Result<Retention, InvalidInput> {
    let mut keep = Retention::default();
    for (name, place) in
        [("calls", &mut keep.calls), ("messages", &mut keep.messages), ("bytes", &mut keep.bytes)]
    {
        let Some(value) = limits.get(name).filter(|value| !value.is_null()) else { continue };
        let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
        *place = number.ok_or_else(|| format!("`keep.{name}`: expected an integer"))?;
    }
    Ok(keep)
}

/// The name of a tool in the words of any framework.
fn tool(value: &Value) -> Option<String> {
    let named = value.get("function").and_then(|function| function.get("name")).or_else(|| value.get("name"));
    named.unwrap_or(value).as_str().map(str::to_owned)
}

/// A mock model.
#[wasm_bindgen]
#[derive(Debug)]
pub struct MockHandle {
    mock: Mock,
}

#[wasm_bindgen]
impl MockHandle {
    /// Sets a handler of the document, which is taken over, to work; `settings` is JSON text of what [`Mock::new`]
    /// takes.
    ///
    /// # Errors
    /// As [`Mock::new`].
    pub fn begin(document: Option<DocumentHandle>, settings: &str) -> Result<Self, JsError> {
        let settings: Value = transcript_core::text::json_value(settings)?;
        let document = document.map(DocumentHandle::into_document);
        let mock = Mock::new(document, &settings)?;
        Ok(Self { mock })
    }

    /// Has the handler answer a call; JSON in and out.
    ///
    /// # Errors
    /// When it is no call.
    pub fn call(&mut self, call: &str) -> Result<String, JsError> {
        self.mock.call(call).map(|answer_data| answer_data.to_string()).map_err(JsError::from)
    }

    /// Takes the result of the function that was requested, or with `failed` its error; JSON in and out.
    ///
    /// # Errors
    /// When that is no JSON, or the call waits for no function.
    #[wasm_bindgen(js_name = functionResult)]
    pub fn function_result(
        &mut self,
        call: u32,
        function: u32,
        result: &str,
        failed: bool,
    ) -> Result<String, JsError> {
        let result: Value = transcript_core::text::json_value(result)?;
        let answer_data = self.mock.function_result(u64::from(call), function as usize, result, failed);
        answer_data.map(|answer_data| answer_data.to_string()).map_err(JsError::from)
    }

    /// Cancels a call that waits for the host.
    #[wasm_bindgen(js_name = giveUp)]
    pub fn give_up(&mut self, call: u32) {
        let call = u64::from(call);
        self.mock.open.take_if(|(pending, ..)| pending.call == call);
        self.mock.model.give_up(&Pending { call });
    }

    /// Takes a call that the host answers; JSON in and out.
    ///
    /// # Errors
    /// When it is no call.
    #[wasm_bindgen(js_name = beginCall)]
    pub fn begin_call(&mut self, call: &str) -> Result<String, JsError> {
        self.mock.begin(call).map(|answer_data| answer_data.to_string()).map_err(JsError::from)
    }

    /// Takes what the host answered, or with `failed` how it failed; JSON in and out.
    ///
    /// # Errors
    /// When that is no JSON.
    pub fn answer(&mut self, call: u32, outcome: &str, failed: bool) -> Result<String, JsError> {
        let outcome: Value = transcript_core::text::json_value(outcome)?;
        let call = u64::from(call);
        let answer_data =
            if failed { self.mock.fail(call, &outcome) } else { self.mock.answer(call, &outcome) };
        Ok(answer_data.to_string())
    }

    /// How much was used, as a JSON map.
    #[must_use]
    pub fn usage(&self) -> String {
        self.mock.usage().to_string()
    }

    /// The recorded requests and replies, as a JSON list.
    #[must_use]
    pub fn exchanges(&self) -> String {
        self.mock.exchanges().to_string()
    }

    /// The trace of the last call, as a JSON map.
    #[must_use]
    pub fn trace(&self) -> String {
        self.mock.trace().to_string()
    }

    /// Resets the state.
    pub fn reset(&mut self) {
        self.mock.model.reset();
    }

    /// The state as JSON text.
    #[must_use]
    pub fn snapshot(&self) -> String {
        answer::json(&self.mock.model.snapshot())
    }

    /// Restores a state.
    ///
    /// # Errors
    /// When it is no state of this model.
    pub fn restore(&mut self, state: &str) -> Result<(), JsError> {
        let state: Value = transcript_core::text::json_value(state)?;
        self.mock.model.restore(&state).map_err(|error| JsError::new(&error.message))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use transcript_core::document::{Document, Limits};

    use super::Mock;

    fn mock(text: &str) -> Mock {
        Mock::new(Some(Document::open(text, &Limits::default())), &json!({})).unwrap()
    }

    #[test]
    fn a_call_in_the_words_of_a_framework_reaches_the_rules() {
        let mut mock = mock(
            "handlers: {bot: {type: conditional, rules: [{when: \"contains(tools, 'f')\", respond: Yes}], default: No}}",
        );
        let call = json!({
            "format": "openai-chat", "model": "m", "temperature": 0,
            "messages": [{"role": "user", "content": "Hi"}],
            "tools": [{"type": "function", "function": {"name": "f"}}],
        });
        mock.call(&call.to_string()).unwrap();
        let exchanges = mock.exchanges();
        assert_eq!(exchanges[0]["tools"], json!(["f"]));
        assert_eq!(exchanges[0]["kwargs"], json!({"temperature": 0}));
        assert_eq!((&exchanges[0]["agent"], &exchanges[0]["model"]), (&json!("bot"), &json!("m")));
    }

    #[test]
    fn the_round_follows_from_the_messages() {
        let mut mock = Mock::new(None, &json!({})).unwrap();
        let mut round = |messages: serde_json::Value| {
            mock.begin(&json!({ "messages": messages }).to_string()).unwrap()["context"]["iteration"].clone()
        };
        let user = json!({"role": "user", "content": "Hi"});
        let call = json!({"role": "assistant", "tool_calls": [{"id": "a", "name": "f", "arguments": {}}]});
        let tool = json!({"role": "tool", "tool_call_id": "a", "result": 1});
        assert_eq!(round(json!([user])), 0);
        assert_eq!(round(json!([user, call, tool])), 1);
        assert_eq!(round(json!([user, call, tool, call, tool])), 2);
        assert_eq!(round(json!([user, call, tool, user])), 0);
    }

    #[test]
    fn an_error_has_its_place_in_the_document() {
        let mut mock = mock("handlers:\n  bot: {type: queue, responses: [Hi]}\n");
        let call = json!({"messages": []}).to_string();
        assert_eq!(mock.call(&call).unwrap()["response"]["content"], "Hi");
        let answer_data = mock.call(&call).unwrap();
        assert_eq!(answer_data["error"]["name"], "MockExhaustedError");
        assert_eq!(answer_data["error"]["place"]["line"], 2);
    }

    #[test]
    fn the_handler_must_be_named_if_there_are_several() {
        let text = "handlers: {a: {type: queue, responses: [A]}, b: {type: queue, responses: [B]}}";
        let open = || Some(Document::open(text, &Limits::default()));
        assert!(
            Mock::new(open(), &json!({}))
                .unwrap_err()
                .to_string()
                .ends_with("choose one with `agent`: `a`, `b`")
        );
        let mut mock = Mock::new(open(), &json!({"agent": "b"})).unwrap();
        assert_eq!(mock.call(r#"{"messages": []}"#).unwrap()["response"]["content"], "B");
    }

    #[test]
    fn an_answer_from_outside_is_taken_once() {
        let mut mock = Mock::new(None, &json!({})).unwrap();
        let started = mock.begin(r#"{"messages": []}"#).unwrap();
        assert_eq!(started["call"], 1);
        assert_eq!(mock.answer(1, &json!("Hi"))["response"]["content"], "Hi");
        assert_eq!(mock.answer(1, &json!("Hi"))["error"]["name"], "InvalidResponseError");
        mock.begin(r#"{"messages": []}"#).unwrap();
        let failed = mock.fail(2, &json!({"name": "TypeError", "message": "no"}));
        assert_eq!(
            (&failed["error"]["name"], &failed["error"]["message"]),
            (&json!("MockFailureError"), &json!("no"))
        );
    }
}
