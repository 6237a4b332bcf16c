//! Handlers in code, by the names of the tests in the seed, and what is wrong with them.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Value, json};
use transcript_core::mock::{
    Composite, Conditional, Fail, MockContext, MockError, MockErrorKind, MockHandler, MockModel, Profile,
    Queue, Recording, Repeat, Respond, Response, State, StateMachine, Trace, function,
};
use transcript_core::model::handlers::Strategy;

use crate::ModelInput;

fn reply_content(model: &mut MockModel, user: &str) -> Value {
    let user = format!("user: {user}");
    model.call(&ModelInput::with(&[&user]).context()).unwrap().content
}

#[test]
fn test_current_api_still_works() {
    let mut mock = MockModel::new(Queue::new(["Response 1", "Response 2"]));
    assert_eq!(reply_content(&mut mock, "Question 1"), "Response 1");
    assert_eq!(reply_content(&mut mock, "Question 2"), "Response 2");
    assert_eq!(mock.usage().all_consumed, Some(true));
}

#[test]
fn test_custom_handler() {
    let contexts = Rc::new(RefCell::new(Vec::new()));
    let seen = contexts.clone();
    let mut mock = MockModel::new(function(move |context: &MockContext<'_>| {
        let last = context.messages.last().map(|message| message.content.clone());
        seen.borrow_mut().push((context.call_count, last));
        Response::text(&format!("Call {}", context.call_count))
    }));
    assert_eq!(reply_content(&mut mock, "Question 1"), "Call 1");
    assert_eq!(reply_content(&mut mock, "Question 2"), "Call 2");
    let question = |text: &str| Some(text.to_owned());
    assert_eq!(*contexts.borrow(), [(1, question("Question 1")), (2, question("Question 2"))]);
}

/// What the loop of an agent asks: the model, then the model again with the result of its tool.
#[test]
fn test_handler_with_execute() {
    let mut mock = MockModel::new(function(|context: &MockContext<'_>| match context.call_count {
        1 => Response::text("I'll check").call("get_weather", json!({})),
        _ => Response::text("It's sunny"),
    }));
    let first = mock.call(&ModelInput::with(&["user: What's the weather?"]).context()).unwrap();
    assert_eq!(&*first.tool_calls[0].name.value, "get_weather");
    let mut input = ModelInput::with(&["user: What's the weather?", "assistant: I'll check", "tool: sunny"]);
    input.iteration = 1;
    let second = mock.call(&input.context()).unwrap();
    assert_eq!((second.content, second.tool_calls.len()), (json!("It's sunny"), 0));
    let iterations: Vec<u64> = mock.exchanges().map(|exchange| exchange.iteration).collect();
    assert_eq!(iterations, [0, 1]);
}

#[test]
fn test_capital_query() {
    let mut mock = MockModel::new(Queue::new(["The capital of France is Paris"]));
    assert!(reply_content(&mut mock, "What is the capital of France?").as_str().unwrap().contains("Paris"));
}

#[test]
fn test_weather_with_context() {
    let mut mock = MockModel::new(function(|context: &MockContext<'_>| {
        let input = context.messages.last().map(|last| last.content.to_lowercase()).unwrap_or_default();
        match &input {
            input if input.contains("paris") => "It's 72°F in Paris",
            input if input.contains("london") => "It's 65°F in London",
            _ => "I don't know that location",
        }
    }));
    assert_eq!(reply_content(&mut mock, "What's the weather in Paris?"), "It's 72°F in Paris");
    assert_eq!(reply_content(&mut mock, "How about London?"), "It's 65°F in London");
}

#[test]
fn test_multi_turn_with_tools() {
    let mut mock = MockModel::new(
        Conditional::new()
            .when(
                |context: &MockContext<'_>| context.call_count == 1,
                Response::text("I'll fetch that data").call("fetch_data", json!({"query": "sales"})),
            )
            .default(Respond::code(|context: &MockContext<'_>| {
                let result = context.messages.last().and_then(|last| last.result.clone());
                format!("The data shows: {}", result.unwrap_or_default().as_str().unwrap_or(""))
            })),
    );
    assert_eq!(reply_content(&mut mock, "Get sales data"), "I'll fetch that data");
    let input =
        ModelInput::with(&["user: Get sales data", "assistant: I'll fetch that data", "tool: 42 sold"]);
    assert_eq!(mock.call(&input.context()).unwrap().content, "The data shows: 42 sold");
}

#[test]
fn test_conditional_responses() {
    let handler = Conditional::new()
        .when(json!({"last_user_contains": "weather"}), "It's sunny!")
        .when("contains(last_user, 'time')", "It's 3 PM")
        .default("I don't understand");
    let mut mock = MockModel::new(handler);
    assert_eq!(reply_content(&mut mock, "What's the weather?"), "It's sunny!");
    assert_eq!(reply_content(&mut mock, "What time is it?"), "It's 3 PM");
    assert_eq!(reply_content(&mut mock, "Random question"), "I don't understand");
}

#[test]
fn a_state_machine_in_code_keeps_its_history() {
    let mut machine = StateMachine::new(
        "greeting",
        [
            State::new("greeting", "Hello!").to("weather", json!({"last_user_contains": "weather"})),
            State::new("weather", Respond::code(|_: &MockContext<'_>| "Sunny")).next("greeting"),
        ],
    );
    let input = ModelInput::with(&["user: the weather?"]);
    let mut trace = Trace::default();
    assert_eq!(machine.handle(&input.context(), &mut trace).unwrap().content, "Hello!");
    assert_eq!(machine.handle(&input.context(), &mut trace).unwrap().content, "Sunny");
    assert_eq!(machine.history(), ["greeting", "weather", "greeting"]);
    machine.reset();
    assert_eq!(machine.history(), ["greeting"]);
}

#[test]
fn handlers_in_code_ask_each_other() {
    let inner = Fail::new("down").times(1).then(Queue::new(["up"]));
    let handler =
        Composite::new(Strategy::InOrder).handler(Recording::new(inner)).handler(Repeat::new("for ever"));
    let mut mock = MockModel::new(handler);
    let input = ModelInput::with(&[]);
    let error = mock.call(&input.context()).unwrap_err();
    assert_eq!(error.kind, MockErrorKind::Failed(Box::new(json!("down"))));
    let replies: Vec<Value> = (0..3).map(|_| mock.call(&input.context()).unwrap().content).collect();
    assert_eq!(replies, ["up", "for ever", "for ever"]);
    let mut calls = Vec::new();
    mock.handler().unwrap().recordings(&mut |_, found| calls.push(found.as_array().unwrap().len()));
    assert_eq!(calls, [3]);
}

#[test]
fn transcripts_and_tools_in_code() {
    let entry = |role: &str, text: &str| Response { role: Some(role.to_owned()), ..Response::text(text) };
    let mut mock = MockModel::new(Queue::transcript([entry("user", "Hi"), entry("assistant", "Hello")]));
    assert_eq!(mock.usage().remaining, Some(1));
    assert_eq!(reply_content(&mut mock, "Hi"), "Hello");
    let mut mock = MockModel::new(Queue::tools([("search", json!({"q": 1}))], Some("Done")));
    assert_eq!(mock.call(&ModelInput::with(&[]).context()).unwrap().tool_calls[0].arguments, json!({"q": 1}));
    assert_eq!(reply_content(&mut mock, ""), "Done");
}

/// Every shape that a host may answer with, and those that are no answer.
#[test]
fn answers_of_hosts_are_read_in_every_shape() {
    let fine = [
        json!("Hi"),
        json!({"content": "Hi"}),
        json!({"content": [{"type": "text", "text": "Hi"}]}),
        json!({"tool_calls": [{"name": "f", "arguments": {}}]}),
        json!({"tool_calls": [["f", {}]]}),
        json!({"tool_calls": [{"tool_name": "f", "parameters": {}}]}),
        json!({"tool_calls": [{"type": "function", "function": {"name": "f", "arguments": "{}"}}]}),
        json!({"type": "tool_call", "tool_name": "f", "tool_arguments": {}, "tool_result": 1}),
        json!({"refusal": "no"}),
        json!({"content": "{{ last_user }}"}),
    ];
    for value in &fine {
        let reply = Response::from_value(value, Profile::Default).unwrap();
        let again = Response::from_value(&reply.to_value(), Profile::Default).unwrap();
        assert_eq!(again, reply, "{value}");
    }
    let braces = Response::from_value(&fine[9], Profile::Default).unwrap();
    assert_eq!(braces.content, "{{ last_user }}", "a text of code is no template");
    let refused = [
        (json!(123), "a handler returned 123;", "int"),
        (json!(1.5), "a handler returned 1.5;", "float"),
        (json!(true), "a handler returned true;", "bool"),
        (json!(null), "a handler returned nothing;", "NoneType"),
        (json!(["Hi"]), "a handler returned a list;", "list"),
    ];
    for (value, message, python) in refused {
        let error = Response::from_value(&value, Profile::Default).unwrap_err();
        assert!(error.message.starts_with(message), "{}", error.message);
        assert_eq!(error.kind, MockErrorKind::InvalidResponse);
        let error = Response::from_value(&value, Profile::GoodAgent).unwrap_err();
        let text =
            format!("Handler returned invalid type: <class '{python}'>. Expected MockResponse or str.");
        assert_eq!(error.message, text);
    }
    let maps = [
        (json!({}), "without keys of a response"),
        (json!({"text": "Hi"}), "without keys of a response"),
        (json!({"content": 5}), "with 5 as `content`"),
        (json!({"tool_calls": "f"}), "with a string as `tool_calls`, expected a list"),
        (json!({"tool_calls": [{"arguments": {}}]}), "with a tool call without a name"),
    ];
    for (value, message) in maps {
        let error = Response::from_value(&value, Profile::Default).unwrap_err();
        assert!(error.message.contains(message), "{}", error.message);
    }
}

/// What cannot work says so when it is tried, and the handler can be called again.
#[test]
fn broken_parts_of_code_are_reported() {
    let mut handler = Conditional::new()
        .when(json!({"last_user_equals": "x"}), json!(5))
        .when(json!({"last_user_contain": "x"}), "never")
        .default("never");
    let ask = |handler: &mut Conditional, text: &str| {
        handler.handle(&ModelInput::with(&[text]).context(), &mut Trace::default()).unwrap_err()
    };
    let error = ask(&mut handler, "user: x");
    assert_eq!(error.kind, MockErrorKind::InvalidResponse);
    let error: Box<MockError> = ask(&mut handler, "user: y");
    assert_eq!(error.kind, MockErrorKind::Condition);
    assert_eq!(error.message, "unknown test `last_user_contain`");
}
