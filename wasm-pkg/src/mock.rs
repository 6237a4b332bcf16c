//! A mock model that lives on the Rust side.

use serde_json::{Map, Value, json};
use transcript_core::canonical::{CanonicalMessage, Request};
use transcript_core::mock::{
    Keep, MockContext, MockError, MockErrorKind, MockModel, Pending, Profile, Reply,
};
use transcript_core::text::Place;
use transcript_core::view::Document;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::answer;
use crate::document::DocumentHandle;

/// The keys of a call that are no settings of the model: those of the formats, and those of the mock itself.
const NOT_SETTINGS: [&str; 10] = [
    "format",
    "messages",
    "system",
    "input",
    "instructions",
    "systemInstructions",
    "agent",
    "iteration",
    "context",
    "tools",
];

/// A mock model with the document that its handler stands in.
#[derive(Debug)]
pub struct Mock {
    model: MockModel,
    document: Option<Document>,
    agent: Option<String>,
    profile: Profile,
}

/// What a host asks a model.
struct Call {
    messages: Vec<CanonicalMessage>,
    agent: Option<String>,
    iteration: u64,
    model: Option<String>,
    tools: Vec<String>,
    context: Map<String, Value>,
    settings: Map<String, Value>,
}

impl Mock {
    /// Sets a handler of the document to work, the only one unless `settings` name another with `agent`; without a
    /// document, answers come from outside. `settings` may also have `profile` and `keep` (`calls`, `messages`,
    /// `bytes`).
    ///
    /// # Errors
    /// When there is no such handler, or a setting is of the wrong kind.
    pub fn new(document: Option<Document>, settings: &Value) -> Result<Self, String> {
        let named = settings.get("agent").and_then(Value::as_str);
        let profile = settings.get("profile").and_then(Value::as_str).unwrap_or("default");
        let profile = Profile::new(profile).ok_or_else(|| {
            format!("there is no profile `{profile}`; there are {}", Profile::NAMES.join(", "))
        })?;
        let (model, agent) = match &document {
            None => (MockModel::outside(), named.map(str::to_owned)),
            Some(document) => {
                let agent = agent_of(document, named)?;
                let runner = document.mock(&agent, profile).map_err(|error| error.message)?;
                (MockModel::new(runner), Some(agent))
            }
        };
        let model = model.profile(profile).keep(keep(settings.get("keep").unwrap_or(&Value::Null))?);
        Ok(Self { model, document, agent, profile })
    }

    /// Has the handler answer a call, JSON in and data out: `{call, reply}` or `{call, error}`.
    ///
    /// # Errors
    /// When it is no call.
    pub fn call(&mut self, call: &str) -> Result<Value, String> {
        let call = self.read(call)?;
        let outcome = self.model.call(&call.context());
        let number = self.model.calls();
        Ok(self.told(number, outcome))
    }

    /// Takes a call that the host answers: `{call, context}`.
    ///
    /// # Errors
    /// When it is no call.
    pub fn begin(&mut self, call: &str) -> Result<Value, String> {
        let call = self.read(call)?;
        let number = self.model.begin(&call.context()).call;
        self.model.take_events();
        let context = json!({
            "agent": call.agent, "messages": call.messages, "iteration": call.iteration, "callCount": number,
            "model": call.model, "tools": call.tools, "context": call.context, "kwargs": call.settings,
        });
        Ok(json!({ "call": number, "context": context }))
    }

    /// Takes what the host answered to a call: a reply as data.
    pub fn answer(&mut self, call: u64, reply: &Value) -> Value {
        let outcome = Reply::from_value(reply, self.profile);
        let outcome = self.model.answer(Pending { call }, outcome);
        self.told(call, outcome)
    }

    /// Takes that the host failed to answer: an error as [`MockError::to_value`] has it, or any other `{name, message}`.
    pub fn fail(&mut self, call: u64, error: &Value) -> Value {
        let known = MockError::from_value(error).unwrap_or_else(|| {
            let message = error.get("message").and_then(Value::as_str).unwrap_or_default();
            MockError::new(MockErrorKind::Failed(Box::new(error.clone())), message)
        });
        let outcome = self.model.answer(Pending { call }, Err(known));
        self.told(call, outcome)
    }

    fn told(&mut self, call: u64, outcome: Result<Reply, Box<MockError>>) -> Value {
        // The host tells of events itself.
        self.model.take_events();
        match outcome {
            Ok(reply) => json!({ "call": call, "reply": reply.to_value() }),
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

    /// What was tried for the last call: `{decisions, leftOff, answered, text}`.
    #[must_use]
    pub fn trace(&self) -> Value {
        let trace = self.model.trace();
        let mut value = serde_json::to_value(trace).unwrap_or_default();
        if let Some(map) = value.as_object_mut() {
            map.insert("text".to_owned(), trace.to_text().into());
        }
        value
    }

    fn read(&self, call: &str) -> Result<Call, String> {
        let value: Value =
            serde_json::from_str(call).map_err(|error| format!("the call cannot be read: {error}"))?;
        let messages = Request::from_value(&value).map_err(|error| error.0)?.messages();
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let iteration = value.get("iteration").and_then(Value::as_u64).unwrap_or_else(|| round(&messages));
        let entries = value.as_object().into_iter().flatten();
        let settings = entries.filter(|(key, _)| *key != "model" && !NOT_SETTINGS.contains(&key.as_str()));
        Ok(Call {
            agent: text("agent").or_else(|| self.agent.clone()),
            iteration,
            model: text("model"),
            tools: value
                .get("tools")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(tool)
                .collect(),
            context: value.get("context").and_then(Value::as_object).cloned().unwrap_or_default(),
            settings: settings.map(|(key, value)| (key.clone(), value.clone())).collect(),
            messages,
        })
    }
}

impl Call {
    fn context(&self) -> MockContext<'_> {
        MockContext {
            agent: self.agent.as_deref(),
            messages: &self.messages,
            iteration: self.iteration,
            call_count: 0,
            model: self.model.as_deref(),
            tools: &self.tools,
            context: &self.context,
            kwargs: &self.settings,
        }
    }
}

/// The handler that is meant.
fn agent_of(document: &Document, named: Option<&str>) -> Result<String, String> {
    match (named, document.mocked().as_slice()) {
        (Some(named), _) => Ok(named.to_owned()),
        (None, [only]) => Ok((*only).to_owned()),
        (None, []) => Err("the document has no handlers".to_owned()),
        (None, several) => {
            let names: Vec<String> = several.iter().take(10).map(|name| format!("`{name}`")).collect();
            Err(format!("the document has several handlers; say which with `agent`: {}", names.join(", ")))
        }
    }
}

fn keep(given: &Value) -> Result<Keep, String> {
    let mut keep = Keep::default();
    for (name, place) in
        [("calls", &mut keep.calls), ("messages", &mut keep.messages), ("bytes", &mut keep.bytes)]
    {
        let Some(value) = given.get(name).filter(|value| !value.is_null()) else { continue };
        let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
        *place = number.ok_or_else(|| format!("`keep.{name}` is no whole number"))?;
    }
    Ok(keep)
}

/// The round of an agent's loop in which messages are sent: the answers since somebody last said something.
fn round(messages: &[CanonicalMessage]) -> u64 {
    let since = messages.iter().rev().take_while(|message| message.role != "user");
    since.filter(|message| message.role == "assistant").count() as u64
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
        let settings: Value = serde_json::from_str(settings)?;
        let document = document.map(DocumentHandle::into_document);
        let mock = Mock::new(document, &settings).map_err(|error| JsError::new(&error))?;
        Ok(Self { mock })
    }

    /// Has the handler answer a call; JSON in and out.
    ///
    /// # Errors
    /// When it is no call.
    pub fn call(&mut self, call: &str) -> Result<String, JsError> {
        self.mock.call(call).map(|told| told.to_string()).map_err(|error| JsError::new(&error))
    }

    /// Takes a call that the host answers; JSON in and out.
    ///
    /// # Errors
    /// When it is no call.
    #[wasm_bindgen(js_name = beginCall)]
    pub fn begin_call(&mut self, call: &str) -> Result<String, JsError> {
        self.mock.begin(call).map(|told| told.to_string()).map_err(|error| JsError::new(&error))
    }

    /// Takes what the host answered, or with `failed` how it failed; JSON in and out.
    ///
    /// # Errors
    /// When that is no JSON.
    pub fn answer(&mut self, call: u32, outcome: &str, failed: bool) -> Result<String, JsError> {
        let outcome: Value = serde_json::from_str(outcome)?;
        let call = u64::from(call);
        let told = if failed { self.mock.fail(call, &outcome) } else { self.mock.answer(call, &outcome) };
        Ok(told.to_string())
    }

    /// How much was used, as a JSON map.
    #[must_use]
    pub fn usage(&self) -> String {
        self.mock.usage().to_string()
    }

    /// What was asked and answered, as a JSON list.
    #[must_use]
    pub fn exchanges(&self) -> String {
        self.mock.exchanges().to_string()
    }

    /// What was tried for the last call, as a JSON map.
    #[must_use]
    pub fn trace(&self) -> String {
        self.mock.trace().to_string()
    }

    /// Begins anew.
    pub fn reset(&mut self) {
        self.mock.model.reset();
    }

    /// The state as JSON text.
    #[must_use]
    pub fn snapshot(&self) -> String {
        answer::json(&self.mock.model.snapshot())
    }

    /// Takes up a state.
    ///
    /// # Errors
    /// When it is no state of this model.
    pub fn restore(&mut self, state: &str) -> Result<(), JsError> {
        let state: Value = serde_json::from_str(state)?;
        self.mock.model.restore(&state).map_err(|error| JsError::new(&error.message))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use transcript_core::view::{Document, Limits};

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
        let asked = mock.exchanges();
        assert_eq!(asked[0]["tools"], json!(["f"]));
        assert_eq!(asked[0]["kwargs"], json!({"temperature": 0}));
        assert_eq!((&asked[0]["agent"], &asked[0]["model"]), (&json!("bot"), &json!("m")));
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
        assert_eq!(mock.call(&call).unwrap()["reply"]["content"], "Hi");
        let told = mock.call(&call).unwrap();
        assert_eq!(told["error"]["name"], "MockExhaustedError");
        assert_eq!(told["error"]["place"]["line"], 2);
    }

    #[test]
    fn which_handler_is_meant_has_to_be_said() {
        let text = "handlers: {a: {type: queue, responses: [A]}, b: {type: queue, responses: [B]}}";
        let open = || Some(Document::open(text, &Limits::default()));
        assert!(Mock::new(open(), &json!({})).unwrap_err().ends_with("say which with `agent`: `a`, `b`"));
        let mut mock = Mock::new(open(), &json!({"agent": "b"})).unwrap();
        assert_eq!(mock.call(r#"{"messages": []}"#).unwrap()["reply"]["content"], "B");
    }

    #[test]
    fn an_answer_from_outside_is_taken_once() {
        let mut mock = Mock::new(None, &json!({})).unwrap();
        let begun = mock.begin(r#"{"messages": []}"#).unwrap();
        assert_eq!(begun["call"], 1);
        assert_eq!(mock.answer(1, &json!("Hi"))["reply"]["content"], "Hi");
        assert_eq!(mock.answer(1, &json!("Hi"))["error"]["name"], "InvalidReplyError");
        mock.begin(r#"{"messages": []}"#).unwrap();
        let failed = mock.fail(2, &json!({"name": "TypeError", "message": "no"}));
        assert_eq!(
            (&failed["error"]["name"], &failed["error"]["message"]),
            (&json!("MockFailure"), &json!("no"))
        );
    }
}
