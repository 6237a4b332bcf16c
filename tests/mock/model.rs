//! The model that handlers mock, and hostile input.

use serde_json::{Value, json};
use transcript_core::document::{Document, FileReference, Limits, Options};
use transcript_core::mock::{
    Code, MockError, MockErrorKind, MockHandler, MockModel, Pending, Profile, Queue, Response, Retention,
    Runner, Trace, function,
};

use crate::ModelInput;

fn open(text: &str) -> Document {
    Document::open(text, &Limits::default())
}

#[test]
fn answers_may_come_from_outside_in_any_order() {
    let mut model = MockModel::external().profile(Profile::GoodAgent);
    let input = ModelInput::with(&["user: Hi"]);
    let (first, second) = (model.begin(&input.context()), model.begin(&input.context()));
    assert_eq!((first.call, second.call, model.waiting().collect::<Vec<_>>()), (1, 2, vec![1, 2]));
    assert_eq!(model.answer_value(second, &json!("two")).unwrap().content, "two");
    let error = model.answer_value(first, &json!(5)).unwrap_err();
    assert_eq!(error.message, "Handler returned invalid type: <class 'int'>. Expected MockResponse or str.");
    let error = model.answer_value(Pending { call: 2 }, &json!("again")).unwrap_err();
    assert_eq!(error.message, "call 2 already has a response");
    let error = model.answer_value(Pending { call: 9 }, &json!("what")).unwrap_err();
    assert_eq!(error.message, "there is no call 9; the model was called 2 times");
    let trace: Vec<(u64, &str)> =
        model.take_events().iter().map(|event| (event.call, event.kind.name())).collect();
    assert_eq!(trace, [(1, "before"), (2, "before"), (2, "after"), (1, "error")]);
    assert_eq!(model.responses().count(), 1);
    assert_eq!(model.usage().remaining, None);
    let error = model.call(&input.context()).unwrap_err();
    assert_eq!(error.kind, MockErrorKind::InvalidHandler);
}

/// The request is there before the handler runs, and the answer only when there is one.
#[test]
fn requests_are_kept_before_and_answers_after() {
    let mut model = MockModel::new(Queue::new(["Hi"]));
    let mut input = ModelInput::with(&["user: Hello"]);
    input.kwargs.insert("temperature".to_owned(), json!(0));
    model.call(&input.context()).unwrap();
    model.call(&input.context()).unwrap_err();
    let exchanges: Vec<Value> = model.exchanges().map(|exchange| exchange.to_value()).collect();
    assert_eq!(exchanges.len(), 2);
    assert_eq!(exchanges[0]["messages"][0]["content"], "Hello");
    assert_eq!(
        (&exchanges[0]["response"]["content"], &exchanges[0]["kwargs"]["temperature"]),
        (&json!("Hi"), &json!(0))
    );
    assert_eq!(exchanges[1]["error"]["name"], "MockExhaustedError");
    let pending = model.begin(&input.context());
    assert_eq!(model.exchange(3).unwrap().outcome, None);
    model.answer(pending, Ok(Response::text("late"))).unwrap();
    assert_eq!(model.responses().map(|reply| reply.content.clone()).collect::<Vec<_>>(), ["Hi", "late"]);
    model.reset();
    assert_eq!((model.calls(), model.exchanges().count(), model.usage().used), (0, 0, 0));
}

#[test]
fn what_is_kept_is_bounded_and_counts_are_exact() {
    let keep = Retention { calls: 3, messages: 2, bytes: 1 << 20 };
    let mut model = MockModel::new(function(|_: &transcript_core::mock::MockContext<'_>| "x")).keep(keep);
    let input = ModelInput::with(&["user: a", "assistant: b", "user: c"]);
    for _ in 0..20_000 {
        model.call(&input.context()).unwrap();
    }
    assert_eq!((model.calls(), model.usage().used), (20_000, 20_000));
    let kept: Vec<u64> = model.exchanges().map(|exchange| exchange.call).collect();
    assert_eq!(kept, [19_998, 19_999, 20_000]);
    let last = model.exchange(20_000).unwrap();
    assert_eq!((last.omitted, last.messages.len()), (1, 2));
    assert_eq!(model.take_events().len(), 10_000);
    // A single request that is larger than all that may be kept is not kept.
    let mut model =
        MockModel::new(Queue::new(["x"])).keep(Retention { bytes: 1_000, ..Retention::default() });
    model.call(&ModelInput::with(&[&format!("user: {}", "a".repeat(2_000))]).context()).unwrap();
    assert_eq!((model.calls(), model.exchanges().count()), (1, 0));
}

#[test]
fn a_model_goes_on_from_its_state() {
    let text = "handlers: {a: {type: recording, handler: {type: composite, strategy: round_robin, handlers: [
        {type: queue, responses: [a, b]}, {type: state_machine, initial: s, states: {s: {respond: s, next: t}, t: {respond: t}}}]}}}";
    let document = open(text);
    let model = || MockModel::new(document.mock("a", Profile::Default).unwrap());
    let input = ModelInput::with(&["user: Hi"]);
    let mut one = model();
    let replies: Vec<Value> = (0..2).map(|_| one.call(&input.context()).unwrap().content).collect();
    assert_eq!(replies, ["a", "s"]);
    let state = one.snapshot();
    let mut other = model();
    other.restore(&state).unwrap();
    for model in [&mut one, &mut other] {
        let replies: Vec<Value> = (0..4).map(|_| model.call(&input.context()).unwrap().content).collect();
        assert_eq!(replies, ["b", "t", "t", "t"]);
    }
    assert_eq!(one.snapshot(), other.snapshot());
    let before = other.snapshot();
    let wrong = [
        json!(null),
        json!({}),
        json!({"calls": 1, "answered": 0, "exchanges": [], "handler": {"next": 99}}),
    ];
    for state in wrong {
        assert_eq!(other.restore(&state).unwrap_err().kind, MockErrorKind::InvalidHandler);
        assert_eq!(other.snapshot(), before, "what is refused changes nothing");
    }
}

#[test]
fn a_transcript_of_another_file_is_followed_word_for_word() {
    let run = "messages: ['user: Hi', 'assistant: \"{{ last_user }}\"', \"assistant:call f(x=1)\", 'tool:f: 2', 'assistant: Done']";
    let text = "handlers: {bot: {type: composite, handlers: [{type: transcript, source: run.yaml}]}, lost: {type: transcript, source: gone.yaml}}";
    let options = Options {
        files: [("run.yaml".to_owned(), run.to_owned())].into_iter().collect(),
        ..Options::default()
    };
    let document = Document::open_with(text, &options);
    let paths: Vec<(&str, bool)> = document
        .references()
        .iter()
        .map(|FileReference { path, provided, .. }| (path.as_str(), *provided))
        .collect();
    assert_eq!(paths, [("run.yaml", true), ("gone.yaml", false)]);
    let mut model = MockModel::new(document.mock("bot", Profile::Default).unwrap());
    let input = ModelInput::with(&["user: x"]);
    let first = model.call(&input.context()).unwrap();
    assert_eq!(first.content, "\"{{ last_user }}\"");
    assert_eq!(&*model.call(&input.context()).unwrap().tool_calls[0].name.value, "f");
    assert_eq!(model.call(&input.context()).unwrap().content, "Done");
    assert_eq!(model.call(&input.context()).unwrap_err().kind, MockErrorKind::Exhausted);
    let error = document.mock("lost", Profile::Default).unwrap_err();
    assert_eq!(error.message, "the transcript `gone.yaml` of the handler does not exist");
    assert!(error.span.is_some());
}

/// What is missing or misspelt in a document is reported when its handler is to work.
#[test]
fn handlers_that_cannot_work_say_why() {
    let cases = [
        ("{type: queue}", "`handlers.a` has no `responses`"),
        ("{type: qeue}", "unknown type `qeue` of `handlers.a`"),
        ("{}", "`handlers.a` has no `type`"),
        ("{type: transcript}", "`handlers.a` has neither `entries` nor `source`"),
        ("{type: state_machine, states: {}}", "`handlers.a` has no `initial`"),
        (
            "{type: composite, strategy: random, handlers: []}",
            "`handlers.a` has the unknown strategy `random`",
        ),
        (
            "{type: conditional, rules: [{when: {nope: 1}, respond: x}]}",
            "unknown test `handlers.a.rules[0].when.nope`",
        ),
        (
            "{type: conditional, rules: [{when: 5, respond: x}]}",
            "`handlers.a.rules[0].when` is neither a map of tests nor an expression",
        ),
        ("{type: conditional, rules: [{when: {}}]}", "`handlers.a.rules[0]` has no `respond`"),
        (
            "{type: conditional, rules: [{when: {call_count: often}, respond: x}]}",
            "`handlers.a.rules[0].when.call_count` is `often`, not a number or a map of `at_least` and `at_most`",
        ),
        (
            "{type: conditional, rules: [{when: 'a ==', respond: x}]}",
            "`handlers.a.rules[0].when` cannot be evaluated: ",
        ),
        (
            "{type: conditional, rules: [{when: {last_user_matches: '(a'}, respond: x}]}",
            "`handlers.a.rules[0].when.last_user_matches` cannot be evaluated: ",
        ),
        ("{type: queue, responses: ['{{ a']}", "`handlers.a.responses[0].content` cannot be evaluated: "),
    ];
    for (handler, message) in cases {
        let document = open(&format!("handlers: {{a: {handler}}}"));
        let error = document.mock("a", Profile::Default).unwrap_err();
        assert!(error.message.starts_with(message), "{handler}: {}", error.message);
        assert!(error.span.is_some(), "{handler}");
    }
}

/// Patterns that are meant to hang, templates that grow, replies of megabytes: an error or an answer, and the
/// handler goes on.
#[test]
fn input_that_is_meant_to_hurt_is_reported_and_leaves_the_handler_usable() {
    let braces = "{{ last_user }}".repeat(200);
    let nested = "(a*)*".repeat(50);
    let text = json!({"handlers": {
        "grows": {"type": "queue", "responses": [braces, "never"]},
        "hangs": {"type": "conditional", "rules": [{"when": {"last_user_matches": format!("{nested}b$")}, "respond": "x"}], "default": "fine"},
        "large": {"type": "repeat", "respond": "x".repeat(4 << 20)},
        "looks": {"type": "conditional", "rules": (0..2_000).map(|n| json!({"when": {"last_user_contains": format!("never {n}")}, "respond": "x"})).collect::<Value>(), "default": "fine"},
    }});
    let document = open(&text.to_string());
    let ask = |agent: &str, user: &str| {
        let mut runner = document.mock(agent, Profile::Default).unwrap();
        let mut trace = Trace::default();
        let input = ModelInput::with(&[&format!("user: {user}")]);
        let first = runner.handle(&input.context(), &mut trace);
        assert!(trace.decisions.len() <= 1_000);
        let small = ModelInput::with(&["user: x"]);
        (first, runner.handle(&small.context(), &mut trace))
    };
    let long = "a".repeat(1 << 20);
    let (first, then) = ask("grows", &long);
    let error = first.unwrap_err();
    assert_eq!(
        (error.kind, error.path.as_str()),
        (MockErrorKind::Condition, "handlers.grows.responses[0].content")
    );
    assert_eq!(then.unwrap().content, "x".repeat(200));
    let (first, then) = ask("hangs", &"a".repeat(4 << 10));
    assert_eq!((first.unwrap().content, then.unwrap().content), (json!("fine"), json!("fine")));
    let (first, _) = ask("large", "x");
    assert_eq!(first.unwrap().content.as_str().map(str::len), Some(4 << 20));
    let (first, then) = ask("looks", &long);
    assert_eq!(first.unwrap_err().kind, MockErrorKind::Condition);
    assert_eq!(then.unwrap().content, "fine");
}

/// A run of many calls costs as many steps, not their square: nothing of earlier calls is looked at again.
#[test]
fn a_long_queue_answers_to_its_end() {
    let responses: Vec<Value> =
        (0..10_000).map(|n| json!(format!("answer {n} to {{{{ last_user }}}}"))).collect();
    let document = open(&json!({"handlers": {"a": {"type": "queue", "responses": responses}}}).to_string());
    let mut model = MockModel::new(document.mock("a", Profile::Default).unwrap());
    let mut input = ModelInput::with(&[]);
    for n in 0..10_000 {
        input.messages.push(crate::message("user", &n.to_string()));
        let reply = model.call(&input.context()).unwrap();
        assert_eq!(reply.content, format!("answer {n} to {n}"));
        input.messages.push(crate::message("assistant", "x"));
    }
    assert_eq!(model.usage().remaining, Some(0));
}

/// What is kept of a call is shared with the call before it, as long as it says the same.
#[test]
fn calls_share_the_messages_that_are_kept() {
    let mut model = MockModel::new(Queue::new(["A", "B", "C"]));
    let mut input = ModelInput::with(&["user: Hi", "assistant: Hello!"]);
    model.call(&input.context()).unwrap();
    input.messages.push(crate::message("user", "Bye"));
    model.call(&input.context()).unwrap();
    input.messages[0].content = "Good day".to_owned();
    model.call(&input.context()).unwrap();
    let kept: Vec<_> = model.exchanges().map(|exchange| &exchange.messages).collect();
    let shared = |a: usize, b: usize, at: usize| std::rc::Rc::ptr_eq(&kept[a][at], &kept[b][at]);
    assert!(shared(0, 1, 0) && shared(0, 1, 1) && shared(1, 2, 1) && shared(1, 2, 2));
    assert_eq!((kept[1][0].content.as_str(), kept[2][0].content.as_str()), ("Hi", "Good day"));
}

/// A queue that the library gets as a handler reports its end differently from a queue alone, and
/// treats every response as the assistant's.
#[test]
fn the_library_has_two_engines() {
    let text = "handlers: {a: {type: queue, responses: [{role: user, content: odd}, {type: tool_call, tool_name: f}]}}";
    let handler = open(text).handler("a").unwrap();
    let input = ModelInput::with(&["user: Hi"]);
    let outcomes = |mut runner: Runner| -> Vec<Result<Value, (String, &'static str)>> {
        let mut answer = || runner.handle(&input.context(), &mut Trace::default());
        let error_parts = |error: Box<MockError>| (error.message.clone(), error.kind.python_name());
        (0..3).map(|_| answer().map(|reply| reply.to_value()).map_err(error_parts)).collect()
    };
    let error = |message: &str| Err((message.to_owned(), "ValueError"));
    assert_eq!(
        outcomes(Runner::with(&handler, "handlers.a", Profile::GoodAgent).unwrap()),
        [
            error("Expected assistant message, got message:user"),
            error("Expected assistant message, got tool_call:assistant"),
            error("No more mock responses available"),
        ]
    );
    assert_eq!(
        outcomes(
            Runner::in_handler_engine(&handler, "handlers.a", Profile::GoodAgent, &Code::default()).unwrap()
        ),
        [
            Ok(json!({"role": "user", "content": "odd"})),
            Ok(json!({"content": null})),
            error("Mock exhausted: needed response 3 but only 2 were queued"),
        ]
    );
}

/// Handlers within handlers, as deep as a document may be.
#[test]
fn deep_handlers_answer() {
    let wrap = |inner: String, n: usize| match n % 3 {
        0 => format!("{{type: fail, times: 0, then: {inner}}}"),
        1 => format!("{{type: recording, handler: {inner}}}"),
        _ => format!("{{type: fail, times: 1, error: down, then: {inner}}}"),
    };
    let deep = |levels| {
        format!("handlers: {{a: {}}}", (0..levels).fold("{type: repeat, respond: up}".to_owned(), wrap))
    };
    let limits = Limits { depth: 400, ..Limits::default() };
    let document = Document::open(&deep(390), &limits);
    let mut runner = document.mock("a", Profile::Default).unwrap();
    let input = ModelInput::with(&["user: Hi"]);
    let mut ask = || runner.handle(&input.context(), &mut Trace::default());
    let failures = (0..200).map_while(|_| ask().err()).filter(|error| error.message == "down").count();
    assert_eq!(failures, 130);
    assert_eq!(ask().unwrap().content, "up");
    let asks = |inner: String, _| format!("{{type: composite, handlers: [{inner}]}}");
    let inner = (0..195).fold("{type: queue, responses: []}".to_owned(), asks);
    let document = Document::open(&format!("handlers: {{a: {inner}}}"), &limits);
    let mut runner = document.mock("a", Profile::Default).unwrap();
    let error = runner.handle(&input.context(), &mut Trace::default()).unwrap_err();
    assert_eq!((error.kind, error.path.as_str()), (MockErrorKind::Exhausted, "handlers.a"));
    // Of one that is deeper than a document may be the rest is missing, which the document reports.
    let document = Document::open(&deep(500), &limits);
    assert!(!document.is_ok());
    assert!(document.mock("a", Profile::Default).is_ok_and(|runner| runner.remaining().is_some()));
}

/// A rule that leaves the answer to a handler: its failures and its place count, and where it has no more answers the next
/// rule is tried.
#[test]
fn a_rule_may_leave_the_answer_to_a_handler() {
    let text = "handlers:
  a:
    type: conditional
    rules:
      - {when: {last_user_contains: order}, handler: {type: fail, times: 1, error: slow down}}
      - {when: {last_user_contains: order}, handler: {type: queue, responses: [One, Two]}}
      - {when: {last_user_contains: order}, respond: Enough}
";
    let document = open(text);
    assert_eq!(document.diagnostics().iter().filter(|found| found.code != "T607").count(), 0);
    let model = || MockModel::new(document.mock("a", Profile::Default).unwrap());
    let (order, other) = (ModelInput::with(&["user: order"]), ModelInput::with(&["user: other"]));
    let mut one = model();
    assert_eq!(one.call(&order.context()).unwrap_err().message, "slow down");
    assert_eq!(one.call(&order.context()).unwrap().content, "One");
    assert!(
        one.call(&other.context()).unwrap_err().message.contains("no rule of `handlers.a` matches call 3")
    );
    let mut two = model();
    two.restore(&one.snapshot()).unwrap();
    for model in [&mut one, &mut two] {
        let replies: Vec<Value> = (0..3).map(|_| model.call(&order.context()).unwrap().content).collect();
        assert_eq!(replies, ["Two", "Enough", "Enough"]);
    }
    one.reset();
    assert_eq!(one.call(&order.context()).unwrap_err().message, "slow down");
    assert!(model().restore(&json!({"handler": {}})).is_err());
}
