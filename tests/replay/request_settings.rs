//! What a strict replay compares of a request in addition to its messages: the model, its settings and the tools it may call.

use serde_json::{Map, Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::replay::{Divergence, ReplayAnswer, Request, Session, Settings};

use super::{capture, diverges};

/// The run of the captured requests, with what its calls were set up with.
const RUN: &str = r#"
version: "1.0"
agent_config:
  model: gpt-x
  temperature: 0.5
  context: {temperature: 9}
  tools:
    - name: weather
      description: Get weather
      parameters:
        type: object
        properties: {location: {type: string}}
        required: [location]
        additionalProperties: false
initial_state:
  message_store:
    - {id: msg_001, role: system, content: You are helpful}
    - {id: msg_002, role: user, content: "What's the weather?"}
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm: [{ref: msg_001}, {ref: msg_002}]
    llm_config: {max_tokens: 256, stop: [END], tool_choice: auto}
    llm_response: {content: Sunny}
"#;

fn begin(text: &str, settings: &Value) -> Session {
    let document = Document::open(text, &Limits::default());
    assert!(document.is_ok(), "{:?}", document.diagnostics());
    let settings = Settings::from_value(settings).unwrap();
    Session::with(document.timeline().unwrap().clone(), settings).unwrap()
}

fn ask(text: &str, settings: &Value, request: &Value) -> ReplayAnswer {
    begin(text, settings).request(&Request::from_value(request).unwrap())
}

fn differs(compare: &[&str], request: &Value) -> Divergence {
    diverges(ask(RUN, &json!({ "compare": compare }), request))
}

fn passes(compare: &[&str], request: &Value) {
    let answer = ask(RUN, &json!({ "compare": compare }), request);
    assert!(matches!(answer, ReplayAnswer::Response { .. }), "{answer:?}");
}

fn place(found: &Divergence) -> (&str, Option<Value>, Option<Value>) {
    (&found.path, found.expected.clone(), found.actual.clone())
}

/// The first request of a capture, with the settings of the run as its format has them.
fn first(file: &str, format: &str, settings: Value) -> Value {
    let calls: Value = serde_json::from_str(&capture(file)).unwrap();
    let mut request = match &calls[0]["body"] {
        Value::Null => calls[0].clone(),
        body => body.clone(),
    };
    if format == "ai-sdk" {
        request["messages"] = request["prompt"].take();
    }
    let keys = request.as_object_mut().unwrap();
    keys.insert("format".to_owned(), format.into());
    keys.extend(settings.as_object().unwrap().clone());
    request
}

/// Requests of the clients and frameworks that all say the same.
fn captured() -> Vec<Value> {
    let openai = json!({ "max_completion_tokens": 256, "temperature": 0.5, "stop": "END" });
    let responses = json!({ "max_output_tokens": 256, "temperature": 0.5, "stop": ["END"] });
    let anthropic = json!({ "model": "gpt-x", "temperature": 0.5, "stop_sequences": ["END"], "tool_choice": { "type": "auto" } });
    let ai_sdk = json!({ "maxOutputTokens": 256, "temperature": 0.5, "stopSequences": ["END"] });
    let agents = json!({ "modelSettings": { "maxTokens": 256, "temperature": 0.5, "stop": "END", "toolChoice": "auto" } });
    vec![
        first("http_openai_chat_json_requests", "openai-chat", openai),
        first("http_openai_responses_json_requests", "openai-responses", responses),
        first("http_anthropic_messages_json_requests", "anthropic", anthropic),
        first("aisdk_generateText_calls", "ai-sdk", ai_sdk),
        first("openai_agents_run_calls", "openai-agents", agents),
    ]
}

#[test]
fn the_same_model_settings_and_tools_pass_in_the_words_of_every_format() {
    for request in captured() {
        passes(&["model", "settings", "tools"], &request);
    }
}

#[test]
fn nothing_but_messages_is_compared_unless_it_is_named() {
    for mut request in captured() {
        request["model"] = json!("another");
        request["tools"] = json!([]);
        request["temperature"] = json!(2);
        passes(&[], &request);
    }
}

#[test]
fn another_model_is_named() {
    for mut request in captured() {
        request["model"] = json!("gpt-y");
        let found = differs(&["model"], &request);
        assert_eq!(place(&found), ("model", Some(json!("gpt-x")), Some(json!("gpt-y"))));
        assert_eq!(found.step, "1");
        assert!(
            found.text.contains("at model\n  expected: \"gpt-x\"\n  actual:   \"gpt-y\""),
            "{}",
            found.text
        );
        assert!(found.hint.contains("record the run again"), "{}", found.hint);
    }
    let [mut chat, .., mut ai_sdk, _] = <[Value; 5]>::try_from(captured()).unwrap();
    for request in [&mut chat, &mut ai_sdk] {
        request.as_object_mut().unwrap().remove("model");
    }
    assert_eq!(place(&differs(&["model"], &chat)), ("model", Some(json!("gpt-x")), None));
    passes(&["model"], &ai_sdk);
}

#[test]
fn another_setting_is_named_by_the_name_that_recordings_have() {
    let [mut chat, _, mut anthropic, mut ai_sdk, _] = <[Value; 5]>::try_from(captured()).unwrap();
    chat["temperature"] = json!(0.7);
    let found = differs(&["settings"], &chat);
    assert_eq!(place(&found), ("settings.temperature", Some(json!(0.5)), Some(json!(0.7))));
    assert!(found.hint.contains("`ignore: [\"settings.temperature\"]`"), "{}", found.hint);
    anthropic["max_tokens"] = json!(1024);
    let found = differs(&["settings"], &anthropic);
    assert_eq!(place(&found), ("settings.max_tokens", Some(json!(256)), Some(json!(1024))));
    ai_sdk.as_object_mut().unwrap().remove("maxOutputTokens");
    assert_eq!(place(&differs(&["settings"], &ai_sdk)), ("settings.max_tokens", Some(json!(256)), None));
    ai_sdk["maxOutputTokens"] = json!(256);
    ai_sdk["toolChoice"] = json!({ "type": "tool", "toolName": "weather" });
    let found = differs(&["settings"], &ai_sdk);
    assert_eq!(
        place(&found),
        ("settings.tool_choice", Some(json!("auto")), Some(json!({ "tool": "weather" })))
    );
}

#[test]
fn another_tool_or_another_schema_is_named() {
    let [chat, _, anthropic, ai_sdk, _] = <[Value; 5]>::try_from(captured()).unwrap();
    let ways = [
        (chat, "/tools/0/function", "/tools/0/function/parameters"),
        (anthropic, "/tools/0", "/tools/0/input_schema"),
        (ai_sdk, "/tools/0", "/tools/0/inputSchema"),
    ];
    for (request, declared, schema) in ways {
        let changed = |at: &str, value: Value| {
            let mut request = request.clone();
            *request.pointer_mut(at).unwrap() = value;
            differs(&["tools"], &request)
        };
        let found = changed(&format!("{schema}/properties/location/type"), json!("number"));
        assert_eq!(
            place(&found),
            (
                "tools.weather.parameters.properties.location.type",
                Some(json!("string")),
                Some(json!("number"))
            )
        );
        let found = changed(&format!("{declared}/description"), json!("Say the weather"));
        assert_eq!(found.path, "tools.weather.description");
        let found = changed(&format!("{declared}/name"), json!("forecast"));
        assert_eq!((&*found.path, &found.expected.unwrap()["name"]), ("tools.weather", &json!("weather")));
        let mut more = request.clone();
        more["tools"].as_array_mut().unwrap().push(json!({ "name": "search" }));
        let found = differs(&["tools"], &more);
        assert_eq!(place(&found), ("tools.search", None, Some(json!({ "name": "search" }))));
        let mut none = request.clone();
        none.as_object_mut().unwrap().remove("tools");
        assert_eq!(differs(&["tools"], &none).path, "tools.weather");
    }
}

#[test]
fn what_the_recording_does_not_have_is_not_compared() {
    let bare = "messages: ['user: Hi', 'assistant: Hello!']";
    let names = "tools: [weather]\nmessages: ['user: Hi', 'assistant: Hello!']";
    let compare = json!({ "compare": ["model", "settings", "tools"] });
    let request = json!({ "model": "x", "temperature": 1, "messages": [{ "role": "user", "content": "Hi" }],
        "tools": [{ "name": "weather", "description": "Any", "parameters": { "type": "object" } }] });
    for text in [bare, names] {
        let answer = ask(text, &compare, &request);
        assert!(matches!(answer, ReplayAnswer::Response { .. }), "{answer:?}");
    }
}

#[test]
fn a_call_says_more_than_its_agent() {
    let text = r#"
version: "1.0"
agent_config: {model: big, temperature: 0, tools: [{name: a, description: A}, b]}
agents:
  helper: {config: {model: small}, tools: [c]}
initial_state: {message_store: [{id: m, role: user, content: Hi}]}
execution:
  - {turn: 1, type: llm_call, messages_sent_to_llm: [{ref: m}], llm_config: {model: other, tools: [a]}, llm_response: {content: "1"}}
  - {turn: 2, type: llm_call, agent: helper, messages_sent_to_llm: [{ref: m}], llm_response: {content: "2"}}
"#;
    let compare = json!({ "compare": ["model", "settings", "tools"], "order": "any" });
    let request_with = |more: Value| {
        let mut request = json!({ "messages": [{ "role": "user", "content": "Hi" }], "temperature": 0 });
        request.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_else(Map::new));
        request
    };
    let mut session = begin(text, &compare);
    let mut answer = |more: Value| session.request(&Request::from_value(&request_with(more)).unwrap());
    // The second call is found by its model, though its messages are those of the first.
    let second = answer(json!({ "model": "small", "tools": ["c"] }));
    assert!(matches!(&second, ReplayAnswer::Response { step, .. } if step == "2"), "{second:?}");
    let found = diverges(answer(json!({ "model": "big", "tools": ["a"] })));
    assert_eq!(place(&found), ("model", Some(json!("other")), Some(json!("big"))));
    let found = diverges(answer(json!({ "model": "other", "tools": [{ "name": "a", "description": "B" }] })));
    assert_eq!(found.path, "tools.a.description");
    let first = answer(json!({ "model": "other", "tools": [{ "name": "a", "description": "A" }] }));
    assert!(matches!(&first, ReplayAnswer::Response { step, .. } if step == "1"), "{first:?}");
}

#[test]
fn places_in_settings_and_tools_may_be_ignored() {
    let [mut chat, ..] = <[Value; 5]>::try_from(captured()).unwrap();
    chat["temperature"] = json!(0.7);
    chat["tools"][0]["function"]["description"] = json!("Say the weather");
    let ignore = ["settings.temperature", "tools.*.description"];
    let settings = json!({ "compare": ["settings", "tools"], "ignore": ignore });
    let answer = ask(RUN, &settings, &chat);
    assert!(matches!(answer, ReplayAnswer::Response { .. }), "{answer:?}");
    let wrong = Settings::from_value(&json!({ "compare": ["setings"] })).unwrap_err();
    assert_eq!(wrong.to_string(), "unknown value `setings` for compare; did you mean `settings`?");
}

/// A recording that is played against itself makes its own requests, which have nothing but messages.
#[test]
fn a_rehearsal_compares_messages() {
    let mut session = begin(RUN, &json!({ "compare": ["model", "settings", "tools"] }));
    let answer = session.rehearse().unwrap();
    assert!(matches!(answer, ReplayAnswer::Response { .. }), "{answer:?}");
}
