//! Documents that say nothing yet, and comments that stay with what they belong to.

use serde_json::json;
use transcript_core::document::{Document, Limits};

use crate::{check, edit_answer, refused};

#[test]
fn an_empty_text_can_be_begun() {
    let message = json!({"add_message": {"index": 0, "message": "user: Hi"}});
    check("", &message, "messages:\n  - \"user: Hi\"\n", &[]);
    check("# mine", &message, "# mine\nmessages:\n  - \"user: Hi\"\n", &[]);
    check("{}", &message, "{\"messages\": [\"user: Hi\"]}", &[]);
    check("name: x # n\n", &message, "name: x # n\nmessages:\n  - \"user: Hi\"\n", &[]);
    let turn = json!({"add_turn": {"step": 1, "turn": {"type": "message", "message_created": {"role": "user", "content": "Hi"}}}});
    let made = "version: \"1.0\"\nexecution:\n  - turn: 1\n    type: message\n    message_created:\n      id: msg_001\n      role: user\n      content: Hi\n";
    check("\n", &turn, &format!("\n{made}"), &["the message has the id `msg_001`"]);
    let set = json!({"set": {"path": ["messages"], "value": ["user: Hi"]}});
    check("# a\n\n", &set, "# a\n\nmessages:\n  - \"user: Hi\"\n", &[]);
    assert_eq!(refused("", &json!({"remove": {"path": ["name"]}})), "path");
    assert_eq!(refused("", &json!({"set": {"path": ["a", 0], "value": 1}})), "path");
    assert_eq!(refused("# a\n", &json!({"set_text": {"message": "msg_001", "text": "x"}})), "path");
}

/// What the cards of the workbench do, from an empty text on.
#[test]
fn a_run_is_made_message_by_message() {
    let add =
        |index: usize, item: serde_json::Value| json!({"add_message": {"index": index, "message": item}});
    let say = |message: &str, text: &str| json!({"set_text": {"message": message, "text": text}});
    let call = |fields: serde_json::Value| {
        let mut change = json!({"set_call": {"message": "msg_003", "call": 0}});
        change["set_call"].as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        change
    };
    let changes = [
        add(0, json!({"role": "system", "content": ""})),
        say("msg_001", "You are helpful"),
        add(1, json!({"role": "user", "content": ""})),
        say("msg_002", "What's the weather?"),
        add(2, json!("assistant:call my_tool()")),
        call(json!({"name": "weather"})),
        call(json!({"arguments": {"location": "NYC"}})),
        add(3, json!("tool:weather: ")),
        say("msg_004", "sunny"),
        add(4, json!({"role": "assistant", "content": ""})),
        say("msg_005", "It is sunny!"),
        json!({"set_assertion": {"index": 9, "value": {"type": "contains", "message": "msg_005", "pattern": "It is sunny!"}}}),
    ];
    let text = changes.iter().fold(String::new(), |text, change| edit_answer(&text, change).text);
    let expected = "messages:
  - \"system: You are helpful\"
  - \"user: What's the weather?\"
  - \"assistant:call weather(location='NYC')\"
  - \"tool:weather: sunny\"
  - \"assistant: It is sunny!\"
assertions:
  - type: contains
    message: msg_005
    pattern: It is sunny!
";
    assert_eq!(text, expected);
}

#[test]
fn a_call_and_its_result_are_added_as_turns() {
    let call = json!({"id": "call_001", "function": {"name": "my_tool", "arguments": {}}});
    let asks = json!({"role": "assistant", "content": "", "tool_calls": [call]});
    let result = json!({"role": "tool", "tool_name": "weather", "tool_call_id": "call_001", "content": ""});
    let run = json!({"id": "call_001", "tool_name": "weather", "parameters": {"location": "NYC"}, "result": "", "success": true});
    let changes = [
        json!({"add_message": {"index": 0, "message": {"role": "user", "content": "Hi"}}}),
        json!({"add_turn": {"step": 1, "turn": {"type": "llm_call", "llm_response": asks, "message_created": asks}}}),
        json!({"set_call": {"message": "msg_002", "call": 0, "name": "weather", "arguments": {"location": "NYC"}}}),
        json!({"add_turn": {"step": 2, "turn": {"type": "tool_call", "tool_call": run, "message_created": result}}}),
        json!({"set_text": {"message": "msg_003", "text": "sunny"}}),
    ];
    let start = "version: \"1.0\" # mine\nexecution: []\n".to_owned();
    let text = changes.iter().fold(start, |text, change| edit_answer(&text, change).text);
    let document = Document::open(&text, &Limits::default());
    assert!(document.diagnostics().is_empty(), "{text}\n{:?}", document.diagnostics());
    assert!(text.starts_with("version: \"1.0\" # mine\n"), "{text}");
    let message = document.step("2").unwrap();
    assert_eq!(serde_json::to_value(&message).unwrap()["tool"]["result"], "sunny", "{text}");
}

#[test]
fn json_on_one_line_stays_on_it() {
    let set = json!({"set": {"path": ["messages"], "value": ["user: Hi"]}});
    check("{}\n", &set, "{\"messages\": [\"user: Hi\"]}\n", &[]);
    check("{\n}", &set, "{\n  \"messages\": [\n    \"user: Hi\"\n  ]\n}", &[]);
}

#[test]
fn a_comment_in_empty_brackets_stays() {
    let message = json!({"add_message": {"index": 0, "message": "user: Hi"}});
    check("messages: [ # c\n ]\n", &message, "messages: [ # c\n \"user: Hi\" ]\n", &[]);
    check("messages: [\n  # c\n  ]\n", &message, "messages: [\n  # c\n  \"user: Hi\" ]\n", &[]);
    let text = "messages: []\ncontext: { # c\n}\n";
    let set = json!({"set": {"path": ["context", "city"], "value": "Rome"}});
    check(text, &set, "messages: []\ncontext: { # c\n city: Rome }\n", &[]);
}

#[test]
fn a_comment_between_a_key_and_its_value_stays() {
    let text = "messages: []\nname:\n  # why\n  x # this\n";
    let set = json!({"set": {"path": ["name"], "value": "one\ntwo"}});
    check(text, &set, "messages: []\nname:\n  # why\n  \"one\\ntwo\" # this\n", &[]);
    let text = "messages: []\ncontext:\n  # why\n  ~\nname: x\n";
    let set = json!({"set": {"path": ["context"], "value": {"city": "Rome", "n": {"a": [1]}}}});
    let lines = "  city: Rome\n  \"n\":\n    a: [1]\n";
    check(text, &set, &format!("messages: []\ncontext:\n  # why\n{lines}name: x\n"), &[]);
    let text = "messages:\n  -\n    # why\n    \"user: x\"\n";
    let set = json!({"set": {"path": ["messages", 0], "value": {"user": "x", "id": "q"}}});
    check(text, &set, "messages:\n  -\n    # why\n    user: x\n    id: q\n", &[]);
}

#[test]
fn the_last_comment_inside_an_item_goes_with_it() {
    let item = "  - user: a\n    id: q\n    # the end of it\n";
    let (other, head) = ("  - \"user: b\"\n", "messages:\n");
    let text = format!("{head}{item}{other}");
    check(&text, &json!({"remove_message": {"message": "q"}}), &format!("{head}{other}"), &[]);
    let swapped = format!("{head}{other}{item}");
    check(&text, &json!({"move_message": {"message": "q", "to": 1}}), &swapped, &[]);
    check(&swapped, &json!({"move_message": {"message": "q", "to": 0}}), &text, &[]);
    let added = json!({"add_message": {"index": 2, "message": "user: c"}});
    check(&swapped, &added, &format!("{swapped}  - \"user: c\"\n"), &[]);
    let open = swapped.trim_end();
    check(open, &added, &format!("{open}\n  - \"user: c\""), &[]);
    let nested = "messages: []\ncontext:\n  a:\n    - - k: 1\n        # of k\n      - b\n";
    let swapped = "messages: []\ncontext:\n  a:\n    - - b\n      - k: 1\n        # of k\n";
    check(nested, &json!({"move": {"path": ["context", "a", 0], "from": 0, "to": 1}}), swapped, &[]);
}
