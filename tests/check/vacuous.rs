//! Assertions that ask nothing, or of what a run does not say, never pass; nor do runs that fail inside.

use serde_json::{Value, json};
use transcript_core::check::{Run, Status};
use transcript_core::document::Document;
use transcript_core::view::CheckView;

use super::{one, open};

fn weather(city: &str) -> Value {
    json!({"messages": [
        {"role": "assistant", "tool_calls": [{"id": "1", "name": "weather", "arguments": {"city": city}}]}
    ]})
}

#[test]
fn the_arguments_of_an_assertion_are_its_parameters() {
    for key in ["parameters", "arguments"] {
        let assertion = json!({"type": "tool_called", "tool": "weather", key: {"city": "Paris"}});
        assert_eq!(one(&assertion, &weather("NYC")).status, Status::Failed, "{key}");
        assert_eq!(one(&assertion, &weather("Paris")).status, Status::Passed, "{key}");
        let short = json!({"tool_not_called": {"tool": "weather", key: {"city": "Paris"}}});
        assert_eq!(one(&short, &weather("NYC")).status, Status::Passed, "{key}");
        assert_eq!(one(&short, &weather("Paris")).status, Status::Failed, "{key}");
    }
    let both =
        json!({"type": "tool_called", "tool": "weather", "parameters": {}, "arguments": {"city": "Paris"}});
    let both = one(&both, &weather("Paris"));
    assert_eq!(both.field.as_deref(), Some("arguments"));
    assert_eq!(both.message, "`tool_called` has both `arguments` and `parameters`, which mean the same");
    let wrong =
        one(&json!({"type": "tool_called", "tool": "weather", "arguments": "Paris"}), &weather("Paris"));
    assert_eq!(wrong.status, Status::Error);
}

#[test]
fn any_field_that_a_type_does_not_have_is_an_error() {
    for (assertion, field) in [
        (json!({"type": "tool_called", "tool": "weather", "args": {"city": "Paris"}}), "args"),
        (json!({"type": "tool_called", "tool": "weather", "with": {"city": "Paris"}}), "with"),
        (json!({"type": "not_contains", "pattern": "a", "msg": "msg_001"}), "msg"),
        (json!({"type": "tool_sequence", "tools": ["weather"], "order": "superset"}), "order"),
    ] {
        let outcome = one(&assertion, &weather("NYC"));
        assert_eq!((outcome.status, outcome.field.as_deref()), (Status::Error, Some(field)), "{assertion}");
        assert!(outcome.help.as_deref().unwrap().starts_with("the fields are "), "{assertion}");
    }
}

#[test]
fn a_known_field_by_another_word_has_a_safe_fix() {
    let text = "messages: ['user: Hi', 'assistant:call f(x=1)', 'tool:f: 2']\nassertions: [{tool_called: {tool: f, arguments: {x: 1}}}]";
    let document = open(text);
    let found: Vec<_> = document.diagnostics().iter().filter(|found| found.code == "T502").collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].message, "`arguments` of `tool_called` is read as `parameters`");
    assert_eq!(found[0].fixes[0].title, "rename to `parameters`");
    assert_eq!(document.check()[0].status, Status::Passed);
}

#[test]
fn what_fails_anywhere_is_an_error_of_the_run() {
    let nested = json!({"messages": [{"role": "assistant", "content": "a"}], "errors": ["out of reach"],
        "calls": [{"name": "danger", "failed": true}]});
    let message = json!({"role": "tool", "name": "f", "content": "no", "is_error": true});
    for run in [
        json!({"calls": [{"name": "weather", "failed": true}]}),
        json!({"nested": {"2": nested}}),
        json!({"nested": {"2": {"nested": {"1": nested}}}}),
        json!({"messages": [message], "errors": []}),
        json!({"messages": [message]}),
    ] {
        assert_eq!(one(&json!({"no_errors": {}}), &run).status, Status::Failed, "{run}");
    }
    let outcome = one(&json!({"no_errors": {}}), &json!({"nested": {"2": {"nested": {"1": nested}}}}));
    assert_eq!(outcome.message, "the model call fails in step 2.1");
    let run = json!({"messages": [message], "calls": [{"id": "c", "name": "f", "failed": true}]});
    assert_eq!(Run::from_value(&run).unwrap().errors.len(), 2);
}

#[test]
fn calls_of_runs_inside_are_calls() {
    let run = json!({"nested": {"2": {"calls": [{"name": "danger", "arguments": {"x": 1}}]}}});
    let outcome = one(&json!({"tool_not_called": "danger"}), &run);
    assert_eq!((outcome.status, outcome.evidence.len()), (Status::Failed, 1));
    assert_eq!(outcome.evidence[0].step.as_deref(), Some("2"));
    let other = json!({"type": "tool_not_called", "tool": "danger", "parameters": {"x": 2}});
    assert_eq!(one(&other, &run).status, Status::Passed);
    assert_eq!(one(&json!({"tool_called": "danger"}), &run).status, Status::Failed);
}

#[test]
fn a_recorded_run_inside_is_seen_by_check_and_rule_alike() {
    let inner = json!({"version": "1.0", "initial_state": {"message_store": []}, "execution": [
        {"turn": 1, "type": "llm_call",
         "llm_response": {"content": "", "tool_calls": [{"id": "d", "function": {"name": "danger", "arguments": {}}}]},
         "message_created": {"id": "msg_001", "role": "assistant", "content": "", "tool_calls": [{"id": "d", "function": {"name": "danger", "arguments": {}}}]}},
        {"turn": 2, "type": "tool_call", "tool_call": {"id": "d", "tool_name": "danger", "parameters": {}, "success": false, "error": "no"},
         "message_created": {"id": "msg_002", "role": "tool", "tool_call_id": "d", "tool_name": "danger", "content": "no"}},
    ], "final_state": {}});
    let call = json!({"id": "c", "function": {"name": "ask", "arguments": {}}});
    let text = json!({"version": "1.0", "initial_state": {"message_store": []}, "execution": [
        {"turn": 1, "type": "llm_call", "llm_response": {"content": "", "tool_calls": [call]},
         "message_created": {"id": "msg_001", "role": "assistant", "content": "", "tool_calls": [call]}},
        {"turn": 2, "type": "tool_call", "tool_call": {"id": "c", "tool_name": "ask", "parameters": {},
            "result": {"response": "done", "nested_transcript": inner}},
         "message_created": {"id": "msg_002", "role": "tool", "tool_call_id": "c", "tool_name": "ask", "content": "done"}},
    ], "final_state": {"assertions": [{"type": "no_errors"}, {"type": "tool_not_called", "tool": "danger"}]}});
    let document = open(&text.to_string());
    let outcomes = document.check();
    assert!(outcomes.iter().all(|outcome| outcome.status == Status::Failed), "{outcomes:?}");
    assert_eq!(outcomes.len(), 2);
    assert_eq!(outcomes[0].evidence[0].step.as_deref(), Some("2.2"));
    let count = document.diagnostics().iter().filter(|found| found.code == "T503").count();
    assert_eq!(count, 2, "{:?}", document.diagnostics());
}

#[test]
fn a_run_in_the_words_of_javascript_is_read() {
    let camel = json!({"messages": [
        {"role": "assistant", "toolCalls": [{"id": "1", "name": "f", "arguments": {}}]},
        {"role": "tool", "toolCallId": "1", "isError": true, "content": "no"},
    ]});
    let parts = json!({"messages": [
        {"role": "assistant", "content": [{"type": "text", "text": "wait"},
            {"type": "tool-call", "toolCallId": "1", "toolName": "f", "input": {}}]},
        {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "1", "toolName": "f",
            "output": {"type": "error-text", "value": "no"}}]},
    ]});
    let blocks = json!({"messages": [
        {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "f", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "no", "is_error": true}]},
    ]});
    for run in [camel, parts, blocks] {
        assert_eq!(one(&json!({"tool_not_called": "f"}), &run).status, Status::Failed, "{run}");
        let outcome = one(&json!({"no_errors": {}}), &run);
        assert_eq!((outcome.status, &*outcome.message), (Status::Failed, "`f` fails"), "{run}");
        assert!(Run::from_value(&run).unwrap().calls[0].failed, "{run}");
    }
}

#[test]
fn a_key_that_nobody_knows_is_refused() {
    for (run, wanted) in [
        (
            json!({"messages": [{"role": "tool", "is_eror": true}]}),
            "unknown key `is_eror` in messages[0]; did you mean `is_error`?",
        ),
        (
            json!({"messages": [{"role": "assistant", "tool_calls": [], "toolCalls": [{"name": "f"}]}]}),
            "messages[0] has both `toolCalls` and `tool_calls`, which mean the same",
        ),
        (
            json!({"calls": [{"name": "f", "argument": {}}]}),
            "unknown key `argument` in calls[0]; did you mean `arguments`?",
        ),
        (
            json!({"messages": [{"role": "assistant", "tool_calls": [{"function": {"name": "f", "argumets": "{}"}}]}]}),
            "unknown key `argumets` in messages[0].tool_calls[0].function; did you mean `arguments`?",
        ),
    ] {
        assert_eq!(Run::from_value(&run).unwrap_err().to_string(), wanted, "{run}");
    }
    let silent = json!({"messages": [{"role": "assistant", "content": "a", "refusal": null, "function_call": null, "annotations": []}]});
    assert!(Run::from_value(&silent).is_ok());
}

#[test]
fn tokens_are_known_when_all_answers_have_them() {
    let answer = |usage: Value| json!({"role": "assistant", "content": "a", "usage": usage});
    let figures = json!({"prompt_tokens": 1, "completion_tokens": 2});
    let most = json!({"max_tokens": 10});
    let status = |messages: Vec<Value>| one(&most, &json!({ "messages": messages })).status;
    assert_eq!(status(vec![answer(figures.clone()), answer(figures.clone())]), Status::Passed);
    assert_eq!(status(vec![answer(figures.clone()), answer(json!(null))]), Status::Error);
    assert_eq!(status(vec![answer(figures.clone()), answer(json!({}))]), Status::Error);
    let turn = |number: u32, usage: Value| {
        json!({"turn": number, "type": "llm_call", "llm_response": {"content": "a", "usage": usage},
            "message_created": {"id": format!("msg_00{number}"), "role": "assistant", "content": "a"}})
    };
    let recorded = |second: Value| {
        let text = json!({"version": "1.0", "initial_state": {"message_store": []},
            "execution": [turn(1, figures.clone()), turn(2, second)],
            "final_state": {"assertions": [{"type": "max_tokens", "value": 10}]}});
        open(&text.to_string()).check()[0].status
    };
    assert_eq!(recorded(figures.clone()), Status::Passed);
    assert_eq!(recorded(json!(null)), Status::Error);
}

fn unread(outcomes: &[CheckView]) -> bool {
    matches!(outcomes, [one] if one.status == Status::Error && one.message.contains("no complete run"))
}

#[test]
fn what_cannot_be_read_does_not_pass() {
    let whole = open("messages: ['user: Hi']\nassertions: [{message_count: 1}]");
    for text in ["messages: ['user: Hi'\nassertions: [{message_count: 1}]", "", "- 1"] {
        let broken: Document = open(text);
        assert!(unread(&broken.check()), "{text}");
        assert!(unread(&broken.check_run(&json!({"messages": []})).unwrap()), "{text}");
        assert!(unread(&broken.check_against(&whole)) && unread(&whole.check_against(&broken)), "{text}");
    }
}

#[test]
fn what_asks_nothing_is_an_error() {
    let run = json!({"turns": 1, "messages": [{"role": "assistant", "content": "a"}, {"role": "critic", "content": "b"}]});
    for (assertion, field) in [
        (json!({"message_count": {"role": "asistant", "value": 0}}), "role"),
        (json!({"contains": ""}), "pattern"),
        (json!({"not_contains": ""}), "pattern"),
        (json!({"final_response_contains": ""}), "pattern"),
        (json!({"expr": "mesages == `null`"}), "expr"),
        (json!({"expr": "`true`"}), "expr"),
        (json!({"matches": ""}), "pattern"),
        (json!({"tool_sequence": {"tools": [], "mode": "superset"}}), "tools"),
        (json!({"tool_call_count": {"min": 0}}), "min"),
        (json!({"message_count": {"min": 0}}), "min"),
        (json!({"max_turns": {"value": -1}}), "value"),
    ] {
        let outcome = one(&assertion, &run);
        assert_eq!((outcome.status, outcome.field.as_deref()), (Status::Error, Some(field)), "{assertion}");
    }
    for assertion in [
        json!({"message_count": {"role": "critic", "value": 1}}),
        json!({"message_count": {"role": "user", "value": 0}}),
        json!({"tool_call_count": {"tool": "typo", "max": 3}}),
        json!({"tool_call_count": {"min": 0, "max": 3}}),
        json!({"tool_sequence": []}),
        json!({"expr": "length(@) > `0`"}),
    ] {
        assert_eq!(one(&assertion, &run).status, Status::Passed, "{assertion}");
    }
    for bound in [json!({"value": 0}), json!({"max": 3})] {
        let mut count = bound;
        count["tool"] = "wether".into();
        let outcome = one(&json!({ "tool_call_count": count }), &weather("NYC"));
        assert_eq!((outcome.status, outcome.field.as_deref()), (Status::Error, Some("tool")));
        assert_eq!(outcome.help.as_deref(), Some("did you mean `weather`?"));
    }
    let text = "tools: [weather]\nmessages: ['user: Hi']\nassertions: [{tool_call_count: {tool: wether, max: 3}}, {tool_call_count: {tool: weather, max: 3}}]";
    let outcomes = open(text).check();
    assert_eq!(outcomes[0].help.as_deref(), Some("did you mean `weather`?"));
    assert_eq!([outcomes[0].status, outcomes[1].status], [Status::Error, Status::Passed]);
}

#[test]
fn capitals_that_do_not_count_are_compared_letter_by_letter() {
    let run = json!({"messages": [{"role": "assistant", "content": "ΟΔΟΣ"}]});
    for pattern in ["Σ", "σ", "ς", "οδος", "οδοσ"] {
        let assertion = json!({"type": "contains", "pattern": pattern, "ignore_case": true});
        assert_eq!(one(&assertion, &run).status, Status::Passed, "{pattern}");
    }
    assert_eq!(
        one(&json!({"type": "equals", "value": "οδοσ", "ignore_case": true}), &run).status,
        Status::Passed
    );
}

#[test]
fn evidence_shows_how_two_sides_were_compared() {
    let run = json!({"turns": 3, "messages": [{"role": "assistant", "content": "ok"}]});
    for (assertion, expected, actual) in [
        (json!({"expr": "turns < `3`"}), json!({"<": 3}), json!(3)),
        (json!({"expr": "answer != 'ok'"}), json!({"!=": "ok"}), json!("ok")),
        (json!({"expr": "turns == `2`"}), json!(2), json!(3)),
        (json!({"max_turns": 2}), json!({"max": 2}), json!(3)),
    ] {
        let outcome = one(&assertion, &run);
        assert_eq!(outcome.status, Status::Failed, "{assertion}");
        let evidence = &outcome.evidence[0];
        assert_eq!((&evidence.expected, &evidence.actual), (&Some(expected), &Some(actual)), "{assertion}");
    }
}

#[test]
fn a_type_that_takes_no_value_may_stand_alone() {
    let document =
        open("messages: ['user: Hi', 'assistant: Hello']\nassertions: [no_errors, {contains: Hello}]");
    assert!(document.is_ok(), "{:?}", document.diagnostics());
    let statuses: Vec<Status> = document.check().iter().map(|outcome| outcome.status).collect();
    assert_eq!(statuses, [Status::Passed, Status::Passed]);
}
