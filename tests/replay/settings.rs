//! What a replay disregards when it is told to, and what it never does.

use serde_json::{Value, json};
use transcript_core::replay::{Answer, Divergence, Request, Session, Settings};
use transcript_core::view::{Document, Limits};

use super::{WEATHER, diverges};

fn begin(text: &str, settings: Value) -> Session {
    let document = Document::open(text, &Limits::default());
    assert!(document.is_ok(), "{:?}", document.diagnostics());
    let settings = Settings::from_value(&settings).unwrap();
    Session::with(document.timeline().unwrap().clone(), settings).unwrap()
}

fn ask(session: &mut Session, messages: &Value) -> Answer {
    session.request(&Request::from_value(&json!({ "messages": messages })).unwrap())
}

/// The second request of the weather run, its call under any id.
fn second(id: &str, text: &str, result: Value) -> Value {
    json!([
        { "role": "system", "content": "You are helpful" },
        { "role": "user", "content": text },
        { "role": "assistant", "content": "I'll check.", "tool_calls": [
            { "id": id, "name": "weather", "arguments": { "location": "NYC" } },
        ] },
        { "role": "tool", "tool_call_id": id, "name": "weather", "result": result },
    ])
}

fn sunny() -> Value {
    json!({ "temp": 72, "condition": "sunny" })
}

/// What the second request gives after a first one that matches.
fn after_first(settings: Value, request: &Value) -> Result<(), Box<Divergence>> {
    let mut session = begin(WEATHER, settings);
    let first = json!([request[0], request[1]]);
    if let Answer::Divergence { divergence } = ask(&mut session, &first) {
        return Err(divergence);
    }
    match ask(&mut session, request) {
        Answer::Divergence { divergence } => Err(divergence),
        _ => Ok(()),
    }
}

#[test]
fn each_ignore_lets_its_own_difference_pass_and_is_named_by_the_hint() {
    let question = "What's the weather?";
    let cases = [
        ("whitespace", second("call_001", " What's  the\nweather?", sunny())),
        ("ids", second("toolu_9", question, sunny())),
    ];
    for (name, request) in cases {
        let found = after_first(json!(null), &request).unwrap_err();
        assert!(found.hint.contains(&format!("`ignore: [\"{name}\"]`")), "{name}: {}", found.hint);
        assert_eq!(after_first(json!({ "ignore": [name] }), &request), Ok(()), "{name}");
        let other = if name == "ids" { "whitespace" } else { "ids" };
        assert!(after_first(json!({ "ignore": [other] }), &request).is_err(), "{name}");
    }
}

#[test]
fn points_in_time_in_texts_may_differ() {
    let run = "messages: ['user: It is 2025-11-20T10:00:00Z now', 'assistant: Yes']";
    let request = json!([{ "role": "user", "content": "It is 2026-01-01 09:30 now" }]);
    let found = diverges(ask(&mut begin(run, json!(null)), &request));
    assert!(found.hint.contains("`ignore: [\"timestamps\"]`"), "{}", found.hint);
    let mut session = begin(run, json!({ "ignore": "timestamps" }));
    assert!(matches!(ask(&mut session, &request), Answer::Response { .. }));
}

#[test]
fn a_path_is_disregarded_with_all_below_it_and_nothing_beside_it() {
    let question = "What's the weather?";
    let other = second("call_001", question, json!({ "temp": 5, "condition": "sunny" }));
    let settings = json!({ "ignore": ["messages[*].result.temp"] });
    assert_eq!(after_first(settings.clone(), &other), Ok(()));
    let without = second("call_001", question, json!({ "condition": "sunny" }));
    assert_eq!(after_first(settings.clone(), &without), Ok(()));
    let cloudy = second("call_001", question, json!({ "temp": 5, "condition": "cloudy" }));
    let found = after_first(settings, &cloudy).unwrap_err();
    assert_eq!(found.path, "messages[3].result.condition");
    assert_eq!(after_first(json!({ "ignore": ["messages[3].result"] }), &cloudy), Ok(()));
}

#[test]
fn an_id_that_stands_for_two_calls_is_no_id() {
    let run = r#"
messages:
  - "user: x"
  - {assistant: "", call: ["a()", "b()"]}
  - "tool:a: 1"
  - "tool:b: 2"
  - "assistant: done"
"#;
    let request = |ids: [&str; 2], answered: [&str; 2]| {
        json!([
            { "role": "user", "content": "x" },
            { "role": "assistant", "content": "", "tool_calls": [
                { "id": ids[0], "name": "a", "arguments": {} },
                { "id": ids[1], "name": "b", "arguments": {} } ] },
            { "role": "tool", "tool_call_id": answered[0], "name": "a", "result": 1 },
            { "role": "tool", "tool_call_id": answered[1], "name": "b", "result": 2 },
        ])
    };
    let ignoring = |request: &Value| {
        let mut session = begin(run, json!({ "ignore": ["ids"] }));
        ask(&mut session, &json!([{ "role": "user", "content": "x" }]));
        ask(&mut session, request)
    };
    assert!(matches!(ignoring(&request(["p", "q"], ["p", "q"])), Answer::Response { .. }));
    // Swapped results: each answers the other call.
    let found = diverges(ignoring(&request(["p", "q"], ["q", "p"])));
    assert_eq!(found.path, "messages[2].name");
    let found = diverges(ignoring(&request(["p", "p"], ["p", "p"])));
    assert_eq!(found.path, "messages[1].tool_calls[1].id");
}

#[test]
fn the_order_of_results_counts_when_it_is_asked_for() {
    let run = r#"
messages:
  - "user: x"
  - {assistant: "", call: ["a()", "b()"]}
  - "tool:a: 1"
  - "tool:b: 2"
  - "assistant: done"
"#;
    let swapped = json!([
        { "role": "user", "content": "x" },
        { "role": "assistant", "content": "", "tool_calls": [
            { "id": "call_001", "name": "a", "arguments": {} }, { "id": "call_002", "name": "b", "arguments": {} } ] },
        { "role": "tool", "tool_call_id": "call_002", "name": "b", "result": 2 },
        { "role": "tool", "tool_call_id": "call_001", "name": "a", "result": 1 },
    ]);
    for (settings, passes) in [(json!(null), true), (json!({ "compare": ["result_order"] }), false)] {
        let mut session = begin(run, settings);
        ask(&mut session, &json!([{ "role": "user", "content": "x" }]));
        let answer = ask(&mut session, &swapped);
        assert_eq!(matches!(answer, Answer::Response { .. }), passes, "{answer:?}");
        if !passes {
            assert!(diverges(answer).hint.contains("result_order"));
        }
    }
}

/// Two agents that run side by side, and a question that is asked twice.
const SIDE_BY_SIDE: &str = r#"
version: "1.0"
initial_state: {message_store: [{id: a, role: user, content: A}, {id: b, role: user, content: B}]}
execution:
  - {turn: 1, type: llm_call, messages_sent_to_llm: [{ref: a}], llm_response: {content: first A}}
  - {turn: 2, type: llm_call, messages_sent_to_llm: [{ref: b}], llm_response: {content: B}}
  - {turn: 3, type: llm_call, messages_sent_to_llm: [{ref: a}], llm_response: {content: second A}}
"#;

#[test]
fn calls_in_any_order_find_their_own_answers() {
    let mut session = begin(SIDE_BY_SIDE, json!({ "order": "any" }));
    let mut said = Vec::new();
    for text in ["B", "A", "A"] {
        match ask(&mut session, &json!([{ "role": "user", "content": text }])) {
            Answer::Response { response, .. } => said.push(response.content),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(said, ["B", "first A", "second A"]);
    assert_eq!(session.finish(), Ok(()));
    assert!(
        diverges(ask(&mut session, &json!([{ "role": "user", "content": "A" }]))).text.contains("one more")
    );
}

#[test]
fn in_any_order_a_request_that_nothing_fits_is_held_against_the_next() {
    let mut session = begin(SIDE_BY_SIDE, json!({ "order": "any" }));
    ask(&mut session, &json!([{ "role": "user", "content": "A" }]));
    let found = diverges(ask(&mut session, &json!([{ "role": "user", "content": "C" }])));
    assert_eq!((found.step.as_str(), found.path.as_str()), ("2", "messages[0].content"));
    assert_eq!(session.leftover(), ["2", "3"]);
}

#[test]
fn leftovers_fail_unless_they_are_allowed() {
    let session = begin(SIDE_BY_SIDE, json!(null));
    assert_eq!(
        session.finish().unwrap_err(),
        "3 recorded model calls were never made: step 1, step 2, step 3"
    );
    assert_eq!(begin(SIDE_BY_SIDE, json!({ "leftover": "allow" })).finish(), Ok(()));
}

#[test]
fn settings_that_are_none_are_refused_in_words() {
    for (settings, expected) in [
        (json!({ "ignore": ["id"] }), "`id` is nothing that ignore knows; did you mean `ids`?"),
        (
            json!({ "ignores": [] }),
            "`ignores` is nothing that a replay's settings knows; did you mean `ignore`?",
        ),
        (json!({ "ignore": ["a..b"] }), "`ignore` has the path `a..b`: a key is missing"),
        (json!({ "order": "all" }), "`all` is nothing that order knows; known are `sequence`, `any`"),
        (json!({ "leftover": true }), "`leftover` is not a text"),
        (json!(5), "the settings of a replay are not a map"),
    ] {
        assert_eq!(Settings::from_value(&settings).unwrap_err().0, expected);
    }
}
