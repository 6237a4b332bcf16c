//! Functions of a host in handlers: which one is called, and what its result does.

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::mock::{
    Attempt, Code, ExpectedResult, FunctionCall, FunctionResults, MockErrorKind, MockHandler, MockModel,
    Profile, Response, Trace,
};

use crate::ModelInput;

/// A model of the only handler of a document, with functions at these places.
fn model(text: &str, code: &[&str]) -> MockModel {
    let document = Document::open(text, &Limits::default());
    let code = Code::new(code.iter().map(|path| format!("handlers.a{path}")));
    MockModel::new(document.mock_with("a", Profile::Default, &code).unwrap())
}

/// Calls a model, with functions that return this in order of their numbers; the numbers of those that were called.
fn call(
    model: &mut MockModel,
    says: &[Result<Value, Value>],
) -> (Result<Response, MockErrorKind>, Vec<usize>, Vec<FunctionCall>) {
    let input = ModelInput::with(&["user: Hi"]);
    let (mut results, mut numbers, mut questions) = (FunctionResults::default(), Vec::new(), Vec::new());
    let pending = model.begin(&input.context());
    loop {
        match model.attempt(&pending, &input.context(), &results) {
            Attempt::Done(outcome) => return (outcome.map_err(|error| error.kind), numbers, questions),
            Attempt::NeedsFunction(question) => {
                results.add(question.function, says[question.function].clone());
                numbers.push(question.function);
                questions.push(question);
            }
        }
    }
}

const RULES: &str = "handlers: {a: {type: conditional, rules: [{when: {}, respond: One}, {when: {all: [{}, {not: {}}]}, respond: ''}], default: None}}";
const PLACES: [&str; 3] = [".rules[0].when", ".rules[1].when.all[1].not", ".rules[1].respond"];

#[test]
fn a_condition_asks_only_as_far_as_it_must() {
    let mut model = model(RULES, &PLACES);
    let (reply, called, questions) = call(&mut model, &[Ok(true.into())]);
    assert_eq!((reply.unwrap().content, called), ("One".into(), vec![0]));
    assert_eq!(
        (&*questions[0].path, questions[0].wants),
        ("handlers.a.rules[0].when", ExpectedResult::Condition)
    );
    let (reply, called, questions) =
        call(&mut model, &[Ok(false.into()), Ok(false.into()), Ok(json!("Two, as {{ this }} stands"))]);
    assert_eq!((reply.unwrap().content, called), ("Two, as {{ this }} stands".into(), vec![0, 1, 2]));
    assert_eq!(questions[2].wants, ExpectedResult::Answer);
    let (reply, called, _) = call(&mut model, &[Ok(false.into()), Ok(true.into())]);
    assert_eq!((reply.unwrap().content, called), ("None".into(), vec![0, 1]));
    let reasons: Vec<&str> =
        model.trace().decisions.iter().map(|decision| decision.reason.as_str()).collect();
    assert_eq!(reasons, ["the function returned false", "the function returned true", "no rule matches"]);
    assert_eq!((model.calls(), model.usage().used, model.waiting().count()), (3, 3, 0));
}

#[test]
fn what_a_function_throws_has_its_name_and_its_place() {
    let mut model = model(RULES, &PLACES);
    let thrown = json!({"name": "TypeError", "message": "no idea", "failure": 4});
    let (reply, ..) = call(&mut model, &[Err(thrown.clone())]);
    assert_eq!(reply.unwrap_err(), MockErrorKind::Function(Box::new(thrown.clone())));
    let error = model.exchange(1).unwrap().to_value()["error"].clone();
    assert_eq!(error["name"], "MockFunctionError");
    assert_eq!(error["message"], "`handlers.a.rules[0].when` threw TypeError: no idea");
    assert_eq!((&error["path"], &error["thrown"]), (&json!("handlers.a.rules[0].when"), &thrown));
    let (reply, ..) = call(&mut model, &[Ok(false.into()), Ok(false.into()), Ok(12.into())]);
    assert_eq!(reply.unwrap_err(), MockErrorKind::InvalidResponse);
    assert_eq!(model.exchange(2).unwrap().to_value()["error"]["path"], "handlers.a.rules[1].respond");
}

#[test]
fn a_machine_moves_when_its_functions_have_answered() {
    let text = "handlers: {a: {type: state_machine, initial: x, states: {x: {respond: '', transitions: [{to: y, when: {}}]}, y: {respond: Y}}}}";
    let mut model = model(text, &[".states.x.respond", ".states.x.transitions[0].when"]);
    for (moves, next) in [(false, "x"), (true, "y")] {
        let (reply, called, _) = call(&mut model, &[Ok("X".into()), Ok(moves.into())]);
        assert_eq!((reply.unwrap().content, called), ("X".into(), vec![0, 1]));
        assert_eq!(model.handler().unwrap().snapshot()["state"], next);
    }
    assert_eq!(call(&mut model, &[]).0.unwrap().content, "Y");
}

#[test]
fn handlers_around_a_function_count_its_call_once() {
    let queue = "{type: queue, responses: [First]}";
    let placed = "{type: repeat, respond: ''}";
    for (strategy, expected) in
        [("in_order", vec!["First", "F", "F"]), ("round_robin", vec!["First", "F", "F"])]
    {
        let text = format!(
            "handlers: {{a: {{type: recording, handler: {{type: composite, strategy: {strategy}, handlers: [{queue}, {placed}]}}}}}}"
        );
        let mut model = model(&text, &[".handler.handlers[1]"]);
        let replies: Vec<String> = (0..3)
            .map(|_| call(&mut model, &[Ok("F".into())]).0.unwrap().content.as_str().unwrap().to_owned())
            .collect();
        assert_eq!(replies, expected, "{strategy}");
        let state = model.handler().unwrap().snapshot();
        assert_eq!((&state["calls"], state["exchanges"].as_array().unwrap().len()), (&json!(3), 3));
        assert!(
            state["exchanges"].as_array().unwrap().iter().all(|exchange| exchange.get("response").is_some())
        );
    }
    let failing =
        "handlers: {a: {type: fail, times: 1, then: {type: tool_sequence, calls: [{name: f}], then: ''}}}";
    let mut model = model(failing, &[".then.then"]);
    let outcomes: Vec<_> = (0..3).map(|_| call(&mut model, &[Ok("F".into())])).collect();
    assert!(matches!(outcomes[0].0, Err(MockErrorKind::Failed(_))));
    assert_eq!(outcomes.iter().map(|(_, called, _)| called.len()).collect::<Vec<_>>(), [0, 0, 1]);
}

#[test]
fn without_a_host_a_function_is_an_error() {
    let document = Document::open(RULES, &Limits::default());
    let code = Code::new(["handlers.a"]);
    let mut runner = document.mock_with("a", Profile::Default, &code).unwrap();
    let input = ModelInput::with(&["user: Hi"]);
    let error = runner.handle(&input.context(), &mut Trace::default()).unwrap_err();
    assert_eq!(error.message, "`handlers.a` is a function, which cannot be called here");
}

#[test]
fn a_call_is_given_up() {
    let mut model = model(RULES, &PLACES);
    let input = ModelInput::with(&["user: Hi"]);
    let pending = model.begin(&input.context());
    model.give_up(&pending);
    let attempt = model.attempt(&pending, &input.context(), &FunctionResults::default());
    assert!(matches!(attempt, Attempt::Done(Err(_))), "{attempt:?}");
    assert_eq!(model.calls(), 1);
}
