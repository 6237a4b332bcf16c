//! What a document says again of its run follows a change, and what refers to a thing goes with it.

use serde_json::json;
use transcript_core::document::{Document, Limits};
use transcript_core::view::edit;

use crate::{check, edit_answer};

const FULL: &str = "\
version: \"1.0\"
initial_state:
  context: {city: Rome}
  message_store:
    - {id: a, role: system, content: Rules}
    - {id: b, role: user, content: Hi}
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm: [{ref: a}, {ref: b}]
    llm_response:
      content: \"\"
      tool_calls:
        - {id: call_001, type: function, function: {name: sky, arguments: \"{}\"}}
    message_created:
      id: c
      role: assistant
      content: \"\"
      tool_calls:
        - {id: call_001, type: function, function: {name: sky, arguments: {}}}
  - turn: 2
    type: tool_call
    tool_call: {id: call_001, tool_name: sky, parameters: {}, result: {temp: 7}, success: true}
    message_created: {id: d, role: tool, tool_call_id: call_001, tool_name: sky, content: '{\"temp\": 7}'}
    state_changes:
      context: {temp: 7}
  # The answer
  - turn: 3
    type: llm_call
    messages_sent_to_llm:
      - ref: a
      - ref: b
      - ref: c # the call
      - ref: d
    llm_response: {content: It is 7}
    message_created: {id: e, role: assistant, content: It is 7}
final_state:
  context: {city: Rome, temp: 7}
  message_store: [{ref: a}, {ref: b}, {ref: c}, {ref: d}, {ref: e}]
  visible_messages: [a, b, c, d, e]
  assertions:
    - {type: contains, message: d, pattern: temp}
    - {type: contains, message: e, pattern: \"7\"}
";

fn replaced(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(FULL.to_owned(), |text, (old, new)| {
        assert_eq!(text.matches(old).count(), 1, "{old}");
        text.replace(old, new)
    })
}

/// No rule finds anything that it did not find before.
#[track_caller]
fn sound(text: &str) {
    let document = Document::open(text, &Limits::default());
    let found: Vec<&str> = document.diagnostics().iter().map(|found| found.code).collect();
    assert!(found.is_empty(), "{found:?}\n{text}");
}

const LISTS: [&str; 2] =
    ["also updated `message_store` in the final state", "also updated `visible_messages` in the final state"];

#[test]
fn the_example_is_sound() {
    sound(FULL);
}

#[test]
fn the_result_follows_the_text_of_its_message() {
    let change = |text: &str| json!({"set_text": {"message": "d", "text": text}});
    let note = ["also changed the result in step 2"];
    let expected =
        replaced(&[("result: {temp: 7}", "result: {temp: 9}"), ("'{\"temp\": 7}'", "'{\"temp\": 9}'")]);
    check(FULL, &change("{\"temp\": 9}"), &expected, &note);
    let expected = replaced(&[("result: {temp: 7}", "result: cold"), ("'{\"temp\": 7}'", "'cold'")]);
    check(FULL, &change("cold"), &expected, &note);
    // A message that says something else than the result is the author's own.
    let other = replaced(&[("'{\"temp\": 7}'", "'Seven'")]);
    let note = ["the result in step 2 is unchanged, because the message had another text"];
    check(&other, &change("Eight"), &other.replace("Seven", "Eight"), &note);
    // In a compact document the line is both.
    let compact = "messages:\n  - \"assistant:call f()\"\n  - \"tool:f: {temp: 7}\" # warm\n  - {tool: f, result: {a: 1}}\n";
    let change = |message: &str, text: &str| json!({"set_text": {"message": message, "text": text}});
    check(compact, &change("msg_002", "{\"temp\": 9}"), &compact.replace("temp: 7", "temp: 9"), &[]);
    check(compact, &change("msg_003", "[1, 2]"), &compact.replace("{a: 1}", "[1, 2]"), &[]);
    check(compact, &change("msg_003", "{a: 2}"), &compact.replace("{a: 1}", "\"{a: 2}\""), &[]);
}

#[test]
fn a_failed_tool_follows_too() {
    let text = FULL
        .replace("result: {temp: 7}, success: true", "result: null, success: false, error: too late")
        .replace("'{\"temp\": 7}'", "too late");
    let change = json!({"set_text": {"message": "d", "text": "too early"}});
    check(&text, &change, &text.replace("too late", "too early"), &["also changed the result in step 2"]);
}

#[test]
fn what_has_its_role_from_the_run_keeps_it() {
    let compact =
        "messages:\n  - \"user: Hi\"\n  - \"assistant:call f()\"\n  - \"tool:f: 7\"\n  - \"assistant: So\"\n";
    let words = |text: &str, message: &str, role: &str| {
        let answer = edit(text, &json!({"set_role": {"message": message, "role": role}}), &Limits::default());
        let problem = answer.problem.expect("the role is kept");
        assert_eq!((&*problem.reason, problem.help.is_some()), ("change", true));
        problem.message
    };
    let answered = |id: &str| format!("`{id}` is a model response, so its role must be `assistant`");
    let result = |id: &str| format!("`{id}` is a tool result, so its role must be `tool`");
    assert_eq!(words(FULL, "e", "user"), answered("e"));
    assert_eq!(words(FULL, "c", "user"), answered("c"));
    assert_eq!(words(FULL, "d", "user"), result("d"));
    assert_eq!(words(compact, "msg_002", "user"), answered("msg_002"));
    assert_eq!(words(compact, "msg_003", "user"), result("msg_003"));
    let none = "`msg_001` has no call, so it cannot be a tool result";
    assert_eq!(words(compact, "msg_001", "tool"), none);
    let partial = "execution:\n- type: message\n  message_created: {role: user, content: Hi}\n- type: llm_call\n  llm_response: {content: So}\n";
    assert_eq!(words(partial, "msg_002", "user"), answered("msg_002"));
    let arrives = "`msg_001` is in step 1, which does not call the model";
    assert_eq!(words(partial, "msg_001", "assistant"), arrives);
}

#[test]
fn a_compact_message_without_calls_takes_any_other_role() {
    let text =
        "messages:\n  - \"user: Hi\"\n  - \"assistant(hidden): So\" # said\n  - {assistant: Well, id: w}\n";
    let role = |message: &str, role: &str| json!({"set_role": {"message": message, "role": role}});
    check(text, &role("msg_002", "system"), &text.replace("assistant(hidden)", "system(hidden)"), &[]);
    check(text, &role("w", "user"), &text.replace("{assistant: Well", "{user: Well"), &[]);
    check(text, &role("w", "assistant"), text, &[]);
}

#[test]
fn a_result_without_a_text_takes_data_or_text() {
    let text = "messages:\n  - \"user: Hi\"\n  - \"assistant:call f()\" # asks\n  - \"tool:f: \"\n";
    let result = |text: &str| json!({"set_text": {"message": "msg_003", "text": text}});
    check(text, &result("72"), &text.replace("tool:f: ", "tool:f: 72"), &[]);
    check(text, &result("sunny"), &text.replace("tool:f: ", "tool:f: sunny"), &[]);
}

#[test]
fn the_results_of_removed_calls_go_with_them() {
    let answer = edit_answer(FULL, &json!({"remove_turn": {"step": 1}}));
    sound(&answer.text);
    let last = FULL.split("  # The answer\n").nth(1).unwrap().split("final_state").next().unwrap();
    let last = last.replace("turn: 3", "turn: 1").replace("      - ref: c # the call\n      - ref: d\n", "");
    let head = FULL.split("  - turn: 1").next().unwrap();
    let end = "final_state:\n  context: {city: Rome}\n  message_store: [{ref: a}, {ref: b}, {ref: e}]\n  visible_messages: [a, b, e]\n  assertions:\n    - {type: contains, message: e, pattern: \"7\"}\n";
    assert_eq!(answer.text, format!("{head}  # The answer\n{last}{end}"));
    let notes = [
        "also removed 1 result of its call",
        "also removed 3 references to `c`",
        "also removed 4 references to `d`",
        "also renumbered 1 turn",
        "also changed `temp` in the final state",
    ];
    assert_eq!(answer.notes, notes);
    let compact = "messages:\n  - \"user: Hi\"\n  - \"assistant:call f(), g()\"\n  - \"tool:g: 1\"\n  - \"assistant:call f()\"\n  - \"tool:f#call_001: 2\"\n  - \"tool:f#call_003: 3\" # last\n  - \"assistant: So\"\nassertions:\n  - {type: equals, message: msg_003, value: \"1\"}\n  - {type: equals, message: msg_006, value: \"3\"}\n";
    let expected = "messages:\n  - \"user: Hi\"\n  - \"assistant:call f()\"\n  - \"tool:f#call_001: 3\" # last\n  - \"assistant: So\"\nassertions:\n  - {type: equals, message: msg_003, value: \"3\"}\n";
    let notes = [
        "also removed 2 results of its calls",
        "also removed 1 reference to `msg_003`",
        "also changed 2 references to messages and calls with counted ids",
    ];
    check(compact, &json!({"remove_message": {"message": "msg_002"}}), expected, &notes);
}

#[test]
fn a_message_that_comes_in_is_sent_and_listed() {
    let change =
        json!({"add_message": {"index": 1, "message": {"id": "n", "role": "system", "content": "More"}}});
    let expected = replaced(&[
        ("    - {id: b,", "    - id: \"n\"\n      role: system\n      content: More\n    - {id: b,"),
        ("m: [{ref: a}, {ref: b}]\n", "m: [{ref: a}, {ref: \"n\"}, {ref: b}]\n"),
        ("      - ref: b\n", "      - ref: \"n\"\n      - ref: b\n"),
        ("store: [{ref: a}, ", "store: [{ref: a}, {ref: \"n\"}, "),
        ("messages: [a, ", "messages: [a, \"n\", "),
    ]);
    check(FULL, &change, &expected, &["also updated what 2 later calls were sent", LISTS[0], LISTS[1]]);
    sound(&expected);
    // One that is hidden is in the store alone.
    let change = json!({"add_message": {"index": 2, "message": {"id": "z", "role": "user", "content": "x", "visible": false}}});
    let answer = edit_answer(FULL, &change);
    assert_eq!(answer.notes, [LISTS[0]]);
    sound(&answer.text);
    let change = json!({"add_turn": {"step": 3, "turn": {"type": "message", "message_created": {"id": "z", "role": "user", "content": "And?"}, "state_changes": {"context": {"asked": true}}}}});
    let answer = edit_answer(FULL, &change);
    let notes = [
        "also renumbered 1 turn",
        "also updated what 1 later call was sent",
        LISTS[0],
        LISTS[1],
        "also changed `asked` in the final state",
    ];
    assert_eq!(answer.notes, notes);
    assert!(answer.text.contains("      - ref: c # the call\n      - ref: d\n      - ref: z\n"));
    assert!(answer.text.contains("context: {city: Rome, temp: 7, asked: true}"));
    sound(&answer.text);
}

#[test]
fn a_message_that_moves_moves_in_every_list() {
    let change = json!({"move_message": {"message": "b", "to": 0}});
    let lines = "    - {id: a, role: system, content: Rules}\n";
    let expected = replaced(&[
        (lines, ""),
        ("content: Hi}\n", &format!("content: Hi}}\n{lines}")),
        ("m: [{ref: a}, {ref: b}]\n", "m: [{ref: b}, {ref: a}]\n"),
        ("      - ref: a\n      - ref: b\n", "      - ref: b\n      - ref: a\n"),
        ("store: [{ref: a}, {ref: b}", "store: [{ref: b}, {ref: a}"),
        ("messages: [a, b", "messages: [b, a"),
    ]);
    check(FULL, &change, &expected, &["also updated what 2 later calls were sent", LISTS[0], LISTS[1]]);
    let back = edit_answer(&expected, &json!({"move_message": {"message": "b", "to": 1}}));
    assert_eq!(back.text, FULL);
}

#[test]
fn the_context_follows_to_the_end() {
    let note = |key: &str| format!("also changed `{key}` in the final state");
    let change = json!({"set_context": {"step": 2, "key": "temp"}});
    let answer = edit_answer(FULL, &change);
    assert!(answer.text.contains("context: {city: Rome}\n  message_store: [{ref"), "{}", answer.text);
    assert_eq!(answer.notes, [note("temp")]);
    let change = json!({"set_context": {"step": 1, "key": "new", "value": 1}});
    let answer = edit_answer(FULL, &change);
    assert!(answer.text.contains("context: {city: Rome, temp: 7, new: 1}"), "{}", answer.text);
    assert_eq!(answer.notes, [note("new")]);
    sound(&answer.text);
    // What a later step sets again is as it was.
    let change = json!({"set_context": {"step": 1, "key": "temp", "value": 1}});
    let answer = edit_answer(FULL, &change);
    assert!(answer.notes.is_empty() && answer.text.contains("context: {city: Rome, temp: 7}"));
}

#[test]
fn what_did_not_agree_is_left_alone() {
    // A model that was sent its last message only, and a list of the author's own.
    let text = replaced(&[
        ("m: [{ref: a}, {ref: b}]\n", "m: [{ref: b}]\n"),
        ("messages: [a, b, c, d, e]", "messages: [e]"),
        ("context: {city: Rome, temp: 7}", "context: {city: Paris, temp: 7}"),
    ]);
    let change =
        json!({"add_message": {"index": 1, "message": {"id": "z", "role": "user", "content": "More"}}});
    let answer = edit_answer(&text, &change);
    assert!(answer.text.contains("m: [{ref: b}]\n") && answer.text.contains("messages: [e]"));
    assert!(answer.text.contains("      - ref: z\n      - ref: b\n"));
    assert_eq!(answer.notes, ["also updated what 1 later call was sent", LISTS[0]]);
}

/// An item that cannot be read is no step of the document, so it is none of an edit.
#[test]
fn context_of_a_step_behind_an_item_that_cannot_be_read() {
    let text = "messages:\n  - 'user: Hi'\n  - 'assistant (x): Hello'\n  - 'user: Well?'\n  - 'assistant: Bye'\n  - 'user: Ok'\n";
    let change = json!({"set_context": {"step": 1, "key": "k", "value": 1}});
    let bye = "  - 'assistant: Bye'\n";
    let with_context = format!("{bye}  - context:\n      k: 1\n");
    check(text, &change, &text.replace(bye, &with_context), &[]);
}
