use serde_json::Value;

use super::*;
use crate::text::json;

fn messages(errors: Vec<BuildError>) -> Vec<String> {
    errors.iter().map(|error| format!("{} {}", error.step, error.message)).collect()
}

#[test]
fn results_answer_the_oldest_open_call_with_their_parameters() {
    let run = TranscriptBuilder::new("x")
        .then_llm_responds(
            Response::text("").call("w", json!({"c": 1})).call("w", json!({"c": 2})).call_with_id(
                "k",
                "v",
                json!("{x"),
            ),
        )
        .then_tool_executes("w", json!({"c": 2}), json!("two"))
        .then_tool_executes("w", json!({"c": 3}), json!(null))
        .then_tool_fails("v", Value::Null, "broken")
        .build()
        .unwrap();
    let of = |turn: usize, path: &str| run["execution"][turn].pointer(path).cloned().unwrap_or_default();
    assert_eq!(of(1, "/tool_call/id"), "call_002");
    assert_eq!(of(1, "/message_created/content"), "two");
    assert_eq!(of(2, "/tool_call/id"), "call_001");
    assert_eq!(of(2, "/message_created/content"), "null");
    assert_eq!(of(3, "/tool_call/id"), "k");
    assert_eq!(of(3, "/tool_call/parameters"), "{x");
    assert_eq!(of(3, "/message_created/content"), "broken");
    assert_eq!(of(0, "/llm_response/tool_calls/2/function/arguments"), "{x");
}

#[test]
fn every_fault_is_reported_with_its_step() {
    let errors = TranscriptBuilder::new("x")
        .then_llm_responds(Response::text("").call_with_id("a", "t", json!({})).call_with_id(
            "a",
            "t",
            json!({}),
        ))
        .then_llm_responds(Response::text("").call_with_id("a", "t", json!({})))
        .then_tool_executes("u", json!({}), json!(1))
        .then_tool_executes("t", json!({}), json!(1))
        .then_tool_executes("t", json!({}), json!(1))
        .with_user_message("late")
        .then_hides("msg_009")
        .then_context_removed("nothing")
        .with_assertion("contains", json!({"pattern": "x"}))
        .with_step("thenLLMResponds", json!("x"))
        .with_step("thenUserSays", json!({"content": "x", "hiden": true}))
        .build()
        .unwrap_err();
    assert_eq!(
        messages(errors),
        [
            "1 duplicate call id `a`",
            "3 there is no open call to `u`",
            "5 there is no open call to `t`",
            "6 the run has already started",
            "7 unknown message `msg_009`",
            "8 unknown context key `nothing`",
            "10 unknown method `thenLLMResponds`",
            "11 unknown argument `hiden`",
        ]
    );
}

#[test]
fn changes_belong_to_the_turn_before_or_to_the_beginning() {
    let run = TranscriptBuilder::new("x")
        .with_context(json!({"a": 1}))
        .with_user_message("Hi")
        .then_context(json!({"b": 2}))
        .then_hides("msg_001")
        .then_llm_responds("Hello!")
        .then_context(json!({"a": 2, "c": 3}))
        .then_context_removed("b")
        .then_shows("msg_001")
        .build()
        .unwrap();
    assert_eq!(run["initial_state"]["context"], json!({"a": 1, "b": 2}));
    assert_eq!(run["execution"][0]["messages_sent_to_llm"], json!([]));
    let changes =
        json!({"context": {"a": 2, "c": 3}, "context_removed": ["b"], "visible": {"msg_001": true}});
    assert_eq!(run["execution"][0]["state_changes"], changes);
    assert_eq!(run["final_state"]["context"], json!({"a": 2, "c": 3}));
    assert_eq!(run["final_state"]["visible_messages"], json!(["msg_001", "msg_002"]));
}

#[test]
fn own_and_generated_ids_do_not_clash() {
    let run = TranscriptBuilder::new("x")
        .with_step("withUserMessage", json!({"content": "Hi", "id": "msg_002"}))
        .then_llm_responds(Response::text("").call_with_id("call_002", "t", json!({})).call("t", json!({})))
        .build()
        .unwrap();
    assert_eq!(run["execution"][0]["message_created"]["id"], "msg_003");
    assert_eq!(run["execution"][0]["llm_response"]["tool_calls"][1]["id"], "call_003");
}

/// A message without an id has the first free number at or after its position.
#[test]
fn generated_ids_pass_over_all_that_are_taken() {
    let own =
        [Some("msg_003"), Some("msg_004"), None, None, Some("msg_010"), None, Some("x"), None, None, None];
    let expected = [
        "msg_003", "msg_004", "msg_005", "msg_006", "msg_010", "msg_007", "x", "msg_008", "msg_009",
        "msg_011",
    ];
    let step = |id: &Option<&str>| json!({"thenUserSays": {"content": "Hi", "id": id}});
    let run = from_steps(&json!({"name": "x", "steps": own.iter().map(step).collect::<Vec<_>>()})).unwrap();
    let turns = run["execution"].as_array().unwrap();
    let ids: Vec<&Value> = turns.iter().map(|turn| &turn["message_created"]["id"]).collect();
    assert_eq!(ids, expected);
}

#[test]
fn a_long_run_reports_that_it_is_too_long() {
    let mut steps: Vec<Value> = vec![json!({"withUserMessage": {"content": "x".repeat(9), "hidden": true}})];
    for _ in 0..40 {
        steps.extend((0..1_000).map(|_| json!({"thenUserSays": "a"})));
        steps.extend([
            json!({"thenLlmResponds": "b"}),
            json!({"thenLlmFails": {"type": "t", "message": "m"}}),
        ]);
    }
    steps.push(json!({"thenHides": "msg_999999"}));
    let errors = from_steps(&json!({"name": "x", "steps": steps})).unwrap_err();
    // The calls of round n are sent 1001n - 1 and 1001n messages: 31 rounds come to 992,961. Each round has 1,002
    // steps, and the call of round 32 is step 1 + 31 * 1002 + 1001.
    assert_eq!(messages(errors), ["32064 the model calls have more than 1000000 messages in total"]);
}
