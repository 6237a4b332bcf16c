//! What a replay ignores by option, and what it never ignores.

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::replay::{Divergence, ReplayAnswer, Request, Session, Settings};

use super::{WEATHER, diverges};

fn begin(text: &str, settings: Value) -> Session {
    let document = Document::open(text, &Limits::default());
    assert!(document.is_ok(), "{:?}", document.diagnostics());
    let settings = Settings::from_value(&settings).unwrap();
    Session::with(document.timeline().unwrap().clone(), settings).unwrap()
}

fn ask(session: &mut Session, messages: &Value) -> ReplayAnswer {
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
    if let ReplayAnswer::Divergence { divergence } = ask(&mut session, &first) {
        return Err(divergence);
    }
    match ask(&mut session, request) {
        ReplayAnswer::Divergence { divergence } => Err(divergence),
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
    assert!(matches!(ask(&mut session, &request), ReplayAnswer::Response { .. }));
}

#[test]
fn a_path_is_disregarded_with_all_below_it_and_nothing_next_to_it() {
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
    assert!(matches!(ignoring(&request(["p", "q"], ["p", "q"])), ReplayAnswer::Response { .. }));
    // Swapped results: each answers the other call. That of the first call is in the place of that of the second.
    let found = diverges(ignoring(&request(["p", "q"], ["q", "p"])));
    assert_eq!(
        (found.path.as_str(), found.recorded_path.as_deref()),
        ("messages[3].name", Some("messages[2].name"))
    );
    let found = diverges(ignoring(&request(["p", "p"], ["p", "p"])));
    assert_eq!(found.path, "messages[1].tool_calls[1].id");
}

#[test]
fn the_order_of_results_counts_when_an_option_says_so() {
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
        assert_eq!(matches!(answer, ReplayAnswer::Response { .. }), passes, "{answer:?}");
        if !passes {
            assert!(diverges(answer).hint.contains("result_order"));
        }
    }
}

/// Two agents that run side by side, and a request that comes twice.
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
    let mut answers = Vec::new();
    for text in ["B", "A", "A"] {
        match ask(&mut session, &json!([{ "role": "user", "content": text }])) {
            ReplayAnswer::Response { response, .. } => answers.push(response.content),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(answers, ["B", "first A", "second A"]);
    assert_eq!(session.finish(), Ok(()));
    assert!(
        diverges(ask(&mut session, &json!([{ "role": "user", "content": "A" }])))
            .text
            .contains("makes another")
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
        session.finish().unwrap_err().to_string(),
        "3 recorded model calls were never made: step 1, step 2, step 3"
    );
    assert_eq!(begin(SIDE_BY_SIDE, json!({ "leftover": "allow" })).finish(), Ok(()));
}

#[test]
fn settings_that_are_none_are_refused_in_words() {
    for (settings, expected) in [
        (json!({ "ignore": ["id"] }), "unknown value `id` for ignore; did you mean `ids`?"),
        (json!({ "ignores": [] }), "unknown value `ignores` for a replay's settings; did you mean `ignore`?"),
        (
            json!({ "ignore": ["message[*].content"] }),
            "`ignore` has the path `message[*].content`: paths start with `messages`, or with `arguments` for mocked tools; did you mean `messages[*].content`?",
        ),
        (
            json!({ "ignore": ["arguments.x"] }),
            "`ignore` has the path `arguments.x`: paths start with `messages`, or with `arguments` for mocked tools; did you mean `messages[*].tool_calls[*].arguments.x`?",
        ),
        (
            json!({ "ignore": ["messages[0].contents"] }),
            "`ignore` has the path `messages[0].contents`: unknown key `contents` in a message; did you mean `content`?",
        ),
        (
            json!({ "ignore": ["messages[*].tool_calls[0].function.arguments"] }),
            "`ignore` has the path `messages[*].tool_calls[0].function.arguments`: unknown key `function` in a call; its keys are `id`, `name`, `arguments`",
        ),
        (
            json!({ "ignore": ["messages.content"] }),
            "`ignore` has the path `messages.content`: `messages` is a list: write `messages[*].content` or use an index",
        ),
        (
            json!({ "ignore": ["messages[1].content[0].text"] }),
            "`ignore` has the path `messages[1].content[0].text`: `content` has no keys",
        ),
        (
            json!({ "ignore": ["messages"] }),
            "`messages` cannot be ignored as a whole; use a path in it, such as `messages[*].content`",
        ),
        (json!({ "ignore": ["a..b"] }), "`ignore` has the path `a..b`: a key is missing"),
        (json!({ "order": "all" }), "unknown value `all` for order; use one of `sequence`, `any`"),
        (json!({ "leftover": true }), "`leftover`: expected a string"),
        (json!(5), "replay settings: expected a map"),
    ] {
        assert_eq!(Settings::from_value(&settings).unwrap_err().to_string(), expected);
    }
}

#[test]
fn settings_of_mocked_tools_have_paths_in_arguments() {
    for (path, expected) in [
        (
            "messages[0].content",
            "`ignore` has the path `messages[0].content`: paths of mocked tools start with `arguments`; messages are not compared",
        ),
        (
            "messages[*].tool_calls[*].arguments.now",
            "`ignore` has the path `messages[*].tool_calls[*].arguments.now`: paths of mocked tools start with `arguments`; messages are not compared; did you mean `arguments.now`?",
        ),
        (
            "argument.now",
            "`ignore` has the path `argument.now`: paths of mocked tools start with `arguments`; messages are not compared; did you mean `arguments.now`?",
        ),
        ("arguments", "`arguments` cannot be ignored as a whole; use a path in it, such as `arguments.now`"),
    ] {
        assert_eq!(Settings::for_tools(&json!({ "ignore": [path] })).unwrap_err().to_string(), expected);
    }
    for path in ["arguments.now", "arguments[\"a b\"][0].c", "arguments.*", "**.now"] {
        assert!(Settings::for_tools(&json!({ "ignore": [path] })).is_ok(), "{path}");
    }
}

#[test]
fn paths_that_can_name_something_are_taken() {
    for path in [
        "messages[0]",
        "messages.0.content",
        "messages[*].*",
        "messages[*].tool_calls[*].arguments.a[2].b",
        "messages[*].tool_calls[0].id",
        "messages[2].result.a.b",
        "messages[2].parts[0].media_type",
        "messages[2].is_error",
        "**.now",
        "*[0].content",
    ] {
        assert!(Settings::from_value(&json!({ "ignore": [path] })).is_ok(), "{path}");
    }
}

/// OpenAI's messages cannot say that a tool failed, so that there its words show it.
#[test]
fn a_failed_tool_is_known_by_its_words_where_no_flag_shows_it() {
    let run = "messages: ['user: x', {assistant: '', call: 't()'}, 'tool:t!: boom', 'assistant: sorry']";
    let answer = |format: &str, text: &str, flag: Option<bool>, settings: Value| {
        let mut session = begin(run, settings);
        ask(&mut session, &json!([{ "role": "user", "content": "x" }]));
        let mut result = json!({ "role": "tool", "tool_call_id": "call_001", "content": text });
        if let Some(flag) = flag {
            result["is_error"] = json!(flag);
        }
        let call = match format {
            "openai-chat" => {
                json!({ "id": "call_001", "type": "function", "function": { "name": "t", "arguments": "{}" } })
            }
            _ => json!({ "id": "call_001", "name": "t", "arguments": {} }),
        };
        let messages = json!([{ "role": "user", "content": "x" },
            { "role": "assistant", "content": "", "tool_calls": [call] }, result]);
        let request = Request::from_value(&json!({ "format": format, "messages": messages })).unwrap();
        matches!(session.request(&request), ReplayAnswer::Response { .. })
    };
    assert!(answer("openai-chat", "boom", None, json!(null)));
    assert!(!answer("openai-chat", "all is well", None, json!(null)));
    assert!(answer("canonical", "Error: boom", Some(true), json!(null)));
    assert!(!answer("canonical", "boom", Some(false), json!(null)));
    assert!(!answer("canonical", "Error: boom", Some(true), json!({ "compare": ["error_text"] })));
    assert!(answer("canonical", "boom", Some(true), json!({ "compare": ["error_text"] })));
}

#[test]
fn ids_that_count_anew_in_each_message_and_calls_without_ids_may_be_disregarded() {
    let run = r#"
messages:
  - "user: x"
  - {assistant: "", call: ["a()", "b()"]}
  - "tool:a: 1"
  - "tool:b: 2"
  - {assistant: "", call: "a()"}
  - "tool:a: 3"
  - "assistant: done"
"#;
    for ids in [["call_0", "call_1", "call_0"], ["", "", ""]] {
        let mut session = begin(run, json!({ "ignore": ["ids"] }));
        let call = |id: &str, name: &str| json!({ "id": id, "name": name, "arguments": {} });
        let result = |id: &str, name: &str, value: i64| {
            let mut message = json!({ "role": "tool", "name": name, "result": value });
            if !id.is_empty() {
                message["tool_call_id"] = json!(id);
            }
            message
        };
        let mut messages = vec![json!({ "role": "user", "content": "x" })];
        assert!(matches!(ask(&mut session, &json!(messages)), ReplayAnswer::Response { .. }));
        messages.push(json!({ "role": "assistant", "tool_calls": [call(ids[0], "a"), call(ids[1], "b")] }));
        messages.push(result(ids[0], "a", 1));
        messages.push(result(ids[1], "b", 2));
        let answer = ask(&mut session, &json!(messages));
        assert!(matches!(answer, ReplayAnswer::Response { .. }), "{ids:?} {answer:?}");
        messages.push(json!({ "role": "assistant", "tool_calls": [call(ids[2], "a")] }));
        messages.push(result(ids[2], "a", 3));
        let answer = ask(&mut session, &json!(messages));
        assert!(matches!(answer, ReplayAnswer::Response { .. }), "{ids:?} {answer:?}");
    }
}

#[test]
fn what_was_not_recorded_is_replayed_only_when_that_is_allowed() {
    let run = r#"
version: "1.0"
initial_state: {message_store: [{id: a, role: user, content: A}]}
execution:
  - {turn: 1, type: llm_call, llm_response: {content: first}}
  - {turn: 2, type: llm_call, messages_sent_to_llm: [{ref: a}], llm_response: {content: second}}
"#;
    let document = Document::open(run, &Limits::default());
    let timeline = document.timeline().unwrap();
    let refused = Session::new(timeline.clone()).unwrap_err().to_string();
    assert!(
        refused.contains("step 1 has no recorded request") && refused.contains("`unrecorded: \"allow\"`"),
        "{refused}"
    );
    for order in ["sequence", "any"] {
        let mut session = begin(run, json!({ "unrecorded": "allow", "order": order }));
        let mut answer_to =
            |text: &str| match ask(&mut session, &json!([{ "role": "user", "content": text }])) {
                ReplayAnswer::Response { response, .. } => response.content,
                other => panic!("{order}: {other:?}"),
            };
        let answers = if order == "any" {
            [answer_to("A"), answer_to("whatever")]
        } else {
            [answer_to("whatever"), answer_to("A")]
        };
        let expected = if order == "any" { ["second", "first"] } else { ["first", "second"] };
        assert_eq!(answers, expected);
    }
}

#[test]
fn a_divergence_is_remembered_whatever_comes_after_it() {
    let mut session = begin("messages: ['user: a', 'assistant: b']", json!(null));
    ask(&mut session, &json!([{ "role": "user", "content": "A" }]));
    assert!(matches!(
        ask(&mut session, &json!([{ "role": "user", "content": "a" }])),
        ReplayAnswer::Response { .. }
    ));
    assert_eq!(session.finish().unwrap_err().to_string(), "the run diverged at step 1: messages[0].content");
}

#[test]
fn hints_name_a_message_that_is_missing_or_too_many_and_no_more_than_the_place() {
    let run = "messages: ['system: S', 'user: a', 'assistant: b']";
    let system = json!({ "role": "system", "content": "S" });
    let user = json!({ "role": "user", "content": "a" });
    let hint = |messages: Value| diverges(ask(&mut begin(run, json!(null)), &messages)).hint;
    assert!(hint(json!([user])).starts_with("messages[0] of the recording, a system message, is missing"));
    let inserted = json!({ "role": "user", "content": "psst" });
    assert!(
        hint(json!([system, inserted, user]))
            .starts_with("messages[1], a user message, is not in the recording")
    );
    let reworded = json!({ "role": "user", "content": "other" });
    assert!(hint(json!([system, reworded])).contains("`ignore: [\"messages[1].content\"]`"));
    let unseen = json!({ "role": "user", "content": "a\u{200b}" });
    let found = diverges(ask(&mut begin(run, json!(null)), &json!([system, unseen])));
    assert!(found.text.contains("actual:   \"a\\u{200b}\""), "{}", found.text);
}
