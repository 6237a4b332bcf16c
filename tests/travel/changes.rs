//! Every kind of change on the seed's weather run, with what follows worked out by hand.

use serde_json::json;
use transcript_core::document::{Document, Limits};
use transcript_core::model::Sent;
use transcript_core::travel::{Change, StepPath, travel};
use transcript_core::write;

use crate::{changes, go, mark_lines, read, weather};

#[test]
fn skipping_the_tool_leaves_a_call_open_and_the_answer_without_ground() {
    let new = go(&weather(), &json!({"skip": {"step": "2"}}));
    assert_eq!(mark_lines(&new), ["1<1 unanswered open call_abc123", "2<3 diverged at messages[3]"]);
    let differs = new.marks[1].difference.as_ref().unwrap();
    assert_eq!(differs.before.as_ref().unwrap()["result"]["temperature"], 72);
    assert_eq!(differs.after, None);
    let full = write::transcript(&new.transcript);
    assert_eq!(full["execution"][1]["turn"], 2);
    let sent = &full["execution"][1]["messages_sent_to_llm"];
    assert_eq!(*sent, json!([{"ref": "msg_001"}, {"ref": "msg_002"}, {"ref": "msg_003"}]));
    let end = &full["final_state"];
    assert_eq!(end["visible_messages"], json!(["msg_001", "msg_002", "msg_003", "msg_005"]));
    assert_eq!(end["message_store"][3], json!({"ref": "msg_005"}));
    assert_eq!(end["context"]["conversation_count"], 2);
    assert_eq!(end["assertions"].as_array().unwrap().len(), 3);
}

#[test]
fn skipping_the_call_takes_its_result_with_it() {
    let new = go(&weather(), &json!({"skip": {"step": 1}}));
    assert_eq!(mark_lines(&new), ["1<3 diverged at messages[2]"]);
    assert_eq!(new.dropped.len(), 1);
    assert_eq!(new.dropped[0].step, "2");
    assert_eq!(new.dropped[0].reason, "its call was in step 1, which was removed");
    let full = write::transcript(&new.transcript);
    assert_eq!(full["final_state"]["context"]["last_action"], "weather_reported");
}

#[test]
fn skipping_the_last_answer_leaves_its_assertion_out() {
    let new = go(&weather(), &json!({"skip": {"step": "3"}}));
    assert_eq!(mark_lines(&new), ["1<1 kept", "2<2 kept"]);
    assert_eq!(new.notes, ["removed assertion 1: it refers to `msg_005`, which was removed"]);
    let full = write::transcript(&new.transcript);
    // The key agreed with the run and follows it; the assertion about it stays as the author's own.
    assert_eq!(full["final_state"]["context"]["conversation_count"], 1);
    assert_eq!(full["final_state"]["assertions"].as_array().unwrap().len(), 2);
}

#[test]
fn another_answer_makes_other_calls() {
    let response = json!({"content": "Paris then", "tool_calls": [{"name": "weather", "arguments": {"location": "Paris"}}]});
    let new = go(&weather(), &json!({"replace_response": {"step": "1", "response": response}}));
    assert_eq!(mark_lines(&new), ["1<1 changed open call_002", "2<3 diverged at messages[2].content"]);
    assert_eq!(new.dropped[0].reason, "step 1 no longer has its call");
    let created = new.transcript.turns[0].created.as_ref().unwrap();
    assert_eq!(
        (&*created.id.value, created.tool_calls[0].arguments["location"].as_str()),
        ("msg_003", Some("Paris"))
    );
}

#[test]
fn the_same_call_keeps_its_result() {
    let response = json!({"content": "One moment", "tool_calls": [["weather", {"location": "NYC"}]]});
    let new = go(&weather(), &json!({"replace_response": {"step": "1", "response": response}}));
    assert_eq!(mark_lines(&new), ["1<1 changed", "2<2 kept", "3<3 diverged at messages[2].content"]);
    let response = json!({"content": "One moment", "tool_calls": [
        {"id": "call_abc123", "name": "weather", "arguments": {"location": "Paris"}}]});
    let new = go(&weather(), &json!({"replace_response": {"step": "1", "response": response}}));
    assert_eq!(mark_lines(&new)[1], "2<2 diverged at arguments.location");
    assert_eq!(new.marks[1].difference.as_ref().unwrap().before, Some(json!("NYC")));
    assert_eq!(mark_lines(&new)[2], "3<3 diverged at messages[2].content on 2");
}

#[test]
fn another_result_is_what_the_model_is_sent() {
    let new = go(&weather(), &json!({"replace_result": {"step": "2", "result": {"temperature": 20}}}));
    assert_eq!(
        mark_lines(&new),
        ["1<1 kept", "2<2 changed", "3<3 diverged at messages[3].result.temperature"]
    );
    let full = write::transcript(&new.transcript);
    assert_eq!(full["execution"][1]["message_created"]["content"], r#"{"temperature": 20}"#);
    assert_eq!(
        full["execution"][1]["message_created"]["tool_response"]["response"],
        json!({"temperature": 20})
    );
    let new = go(&weather(), &json!({"replace_result": {"step": "2", "error": "no network"}}));
    assert_eq!(mark_lines(&new)[2], "3<3 diverged at messages[3].is_error");
    let run = new.transcript.turns[1].tool.as_ref().unwrap();
    assert_eq!((run.success, run.error.as_ref().unwrap().to_text().as_str()), (false, "no network"));
}

#[test]
fn what_a_message_says_is_what_it_was_made_of() {
    let new = go(
        &weather(),
        &json!({"edit_message": {"step": 0, "message": "msg_002", "content": "And in Rome?"}}),
    );
    assert_eq!(
        mark_lines(&new),
        [
            "0<0 changed",
            "1<1 diverged at messages[1].content",
            "2<2 depends on 1",
            "3<3 diverged at messages[1].content on 1"
        ]
    );
    let new = go(&weather(), &json!({"edit_message": {"step": "3", "content": "Fine."}}));
    assert_eq!(mark_lines(&new), ["1<1 kept", "2<2 kept", "3<3 changed"]);
    let full = write::transcript(&new.transcript);
    assert_eq!(full["execution"][2]["llm_response"]["content"], "Fine.");
    assert_eq!(full["execution"][2]["message_created"]["content"], "Fine.");
    let new = go(&weather(), &json!({"edit_message": {"step": "2", "content": "{\"temperature\": 3}"}}));
    assert_eq!(new.transcript.turns[1].tool.as_ref().unwrap().result, json!({"temperature": 3}));
}

#[test]
fn the_context_follows_to_the_end() {
    let new = go(
        &weather(),
        &json!([
            {"set_context": {"step": "0", "key": "custom_var", "value": "other"}},
            {"set_context": {"step": "1", "key": "seen", "value": true}},
            {"set_context": {"step": "3", "key": "last_action", "unset": true}},
        ]),
    );
    assert_eq!(mark_lines(&new), ["0<0 changed", "1<1 changed", "2<2 kept", "3<3 changed"]);
    let full = write::transcript(&new.transcript);
    let context = json!({"custom_var": "other", "conversation_count": 2, "seen": true});
    assert_eq!(full["final_state"]["context"], context);
}

#[test]
fn moving_a_result_before_its_call_is_reported() {
    let new = go(&weather(), &json!({"move": {"step": "2", "to": "1"}}));
    assert_eq!(
        mark_lines(&new),
        [
            "1<2 orphaned",
            "2<1 diverged at messages[2] on 1 open call_abc123",
            "3<3 diverged at messages[2].role on 1"
        ]
    );
    assert!(new.transcript.turns[0].timestamp.is_none());
}

#[test]
fn an_inserted_turn_is_seen_from_there_on() {
    let turn = json!({"type": "message", "message_created": {"role": "user", "content": "In Celsius"}});
    let new = go(
        &weather(),
        &json!([{"insert": {"after": "2", "turn": turn}}, {"insert": {"after": "2", "turn": turn}}]),
    );
    assert_eq!(
        mark_lines(&new),
        ["1<1 kept", "2<2 kept", "3<new changed", "4<new changed", "5<3 diverged at messages[4]"]
    );
    let ids: Vec<&str> =
        new.transcript.turns.iter().map(|turn| &*turn.created.as_ref().unwrap().id.value).collect();
    assert_eq!(ids, ["msg_003", "msg_004", "msg_006", "msg_007", "msg_005"]);
    assert!(matches!(new.transcript.turns[4].sent, Sent::Visible));
    let full = write::transcript(&new.transcript);
    assert_eq!(full["execution"][4]["messages_sent_to_llm"][5], json!({"ref": "msg_007"}));
    assert_eq!(full["final_state"]["message_store"].as_array().unwrap().len(), 7);
}

#[test]
fn a_fork_ends_where_it_begins_and_says_where_that_was() {
    let new = go(&weather(), &json!({"fork": {"at": "2"}}));
    assert_eq!(mark_lines(&new), ["1<1 kept", "2<2 kept"]);
    let metadata = &new.transcript.metadata;
    assert_eq!(metadata["forked_from"], json!({"name": "weather_query_with_tools", "step": "2"}));
    assert_eq!(metadata["name"], "weather_query_with_tools_from_2");
    assert!(!metadata.contains_key("created"));
    let text = write::yaml(&write::transcript(&new.transcript));
    assert!(Document::open(&text, &Limits::default()).diagnostics().iter().all(|found| found.code != "T103"));
    assert_eq!(go(&weather(), &json!({"fork": {"at": 0}})).transcript.turns.len(), 0);
}

#[test]
fn steps_are_named_as_in_the_run_before() {
    let new = go(
        &weather(),
        &json!([
            {"skip": {"step": "1"}},
            {"replace_response": {"step": "3", "response": "I do not know."}},
            {"insert": {"after": "1", "turn": {"type": "message", "message_created": {"role": "user", "content": "?"}}}},
        ]),
    );
    assert_eq!(mark_lines(&new), ["1<new changed", "2<3 changed at messages[2].role"]);
}

#[test]
fn other_lists_lose_what_is_gone_and_keep_their_order() {
    let run = read(
        r#"
version: "1.0"
initial_state:
  message_store:
    - {id: s, role: system, content: Be brief}
    - {id: u, role: user, content: One}
execution:
  - {turn: 1, type: message, message_created: {id: v, role: user, content: Two}}
  - {turn: 2, type: message, message_created: {id: w, role: user, content: Three}}
  - turn: 3
    type: llm_call
    messages_sent_to_llm: [{ref: s}, {ref: w}, {ref: v, content: Second}]
    llm_response: {content: Ok}
    message_created: {id: a, role: assistant, content: Ok}
    state_changes: {visible: {v: false}}
"#,
    );
    let new = go(&run, &json!({"skip": {"step": "1"}}));
    assert_eq!(mark_lines(&new), ["1<2 kept", "2<3 diverged at messages[2]"]);
    assert_eq!(new.marks[1].dropped, ["v", "v"]);
    let full = write::transcript(&new.transcript);
    assert_eq!(full["execution"][1]["messages_sent_to_llm"], json!([{"ref": "s"}, {"ref": "w"}]));
    assert!(full["execution"][1].get("state_changes").is_none());
    // The text that the model saw was made of the text of the message.
    let new = go(&run, &json!({"edit_message": {"step": "1", "content": "2"}}));
    let full = write::transcript(&new.transcript);
    assert_eq!(full["execution"][2]["messages_sent_to_llm"][2], json!({"ref": "v"}));
    assert_eq!(mark_lines(&new)[2], "3<3 diverged at messages[2].content");
}

#[test]
fn a_run_inside_a_run_is_changed_and_its_result_follows() {
    let run = read(crate::ASKING);
    let new = go(&run, &json!({"replace_response": {"step": "2.2", "response": "It rains"}}));
    assert_eq!(
        mark_lines(&new),
        ["1<1 kept", "2<2 changed", "2.1<2.1 kept", "2.2<2.2 changed", "3<3 diverged at messages[2].result"]
    );
    let tool = new.transcript.turns[1].tool.as_ref().unwrap();
    assert_eq!(tool.result["response"], "It rains");
    assert_eq!(tool.result["nested_transcript"]["execution"][1]["llm_response"]["content"], "It rains");
    assert_eq!(
        new.transcript.turns[1].created.as_ref().unwrap().content.as_ref().unwrap().to_text(),
        "It rains"
    );
    let new = go(&run, &json!({"edit_message": {"step": "2.1", "content": "y"}}));
    assert_eq!(
        mark_lines(&new),
        [
            "1<1 kept",
            "2<2 depends on 2.2",
            "2.1<2.1 changed",
            "2.2<2.2 diverged at messages[0].content",
            "3<3 depends on 2"
        ]
    );
    let new = go(&run, &json!({"fork": {"at": "2.1"}}));
    assert_eq!(mark_lines(&new), ["1<1 kept", "2<2 depends on 2.1", "2.1<2.1 kept"]);
}

#[test]
fn what_cannot_be_done_is_refused_with_the_number_of_the_change() {
    let refused = |value| travel(&weather(), &changes(&value)).unwrap_err().to_string();
    for (value, why) in [
        (json!({"skip": {"step": "4"}}), "change 1: there is no step `4`; the run has 3 steps"),
        (json!({"skip": {"step": "2.1"}}), "change 1: step `2` has no nested run"),
        (json!([{"skip": {"step": "1"}}, {"skip": {"step": "1"}}]), "change 2: step `1` is already skipped"),
        (
            json!({"replace_response": {"step": "2", "response": "x"}}),
            "change 1: step `2` does not call a model",
        ),
        (json!({"replace_result": {"step": "1", "result": 1}}), "change 1: step `1` does not run a tool"),
        (
            json!([{"fork": {"at": "1"}}, {"move": {"step": "1", "to": "2"}}]),
            "change 2: step `2` is after the end of the forked run",
        ),
        (
            json!({"edit_message": {"step": "0", "content": "x"}}),
            "change 1: the initial state has several messages; set `message`",
        ),
        (
            json!({"insert": {"after": "1", "turn": {"type": "message", "message_created": {"id": "msg_001", "role": "user"}}}}),
            "change 1: the run already has a message `msg_001`",
        ),
    ] {
        assert_eq!(refused(value.clone()), why, "{value}");
    }
    let own = refused(json!({"insert": {"after": "1", "turn": {"type": "dance"}}}));
    assert!(own.contains("`llm_call`, `tool_call` or `message`"), "{own}");
    assert!(StepPath::new("99999999999999999999999").is_err());
}

#[test]
fn changes_go_through_plain_data() {
    let all = json!([
        {"skip": {"step": "2"}},
        {"replace_response": {"step": "1", "response": "Hi"}},
        {"replace_result": {"step": "2.1", "result": null}},
        {"replace_result": {"step": "2", "error": "x"}},
        {"edit_message": {"step": "0", "message": "msg_001", "content": "x"}},
        {"edit_message": {"step": "1", "content": "x"}},
        {"set_context": {"step": "1", "key": "a", "value": null}},
        {"set_context": {"step": "1", "key": "a", "unset": true}},
        {"move": {"step": "2", "to": "1"}},
        {"insert": {"after": "0", "turn": {}}},
        {"fork": {"at": "1"}},
    ]);
    let written: Vec<_> = changes(&all).iter().map(Change::to_value).collect();
    assert_eq!(serde_json::Value::from(written), all);
    for (value, why) in [
        (json!({"skip": {}}), "`skip` needs `step`, the path of a step"),
        (json!({"skip": {"step": "1", "to": 2}}), "unknown field `to` of `skip`"),
        (json!({"replace_result": {"step": 1}}), "`replace_result` needs `result`, or `error`, but not both"),
        (
            json!({"set_context": {"step": 1, "key": "a"}}),
            "`set_context` needs `value`, or `unset: true`, but not both",
        ),
        (json!({"skip": {"step": "x"}}), "`x` is not a step; write `2`, or `2.1` in a nested run"),
    ] {
        assert_eq!(Change::from_value(&value).unwrap_err().to_string(), why);
    }
}
