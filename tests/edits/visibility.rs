//! Hiding and showing messages, again and again.

use serde_json::json;

use crate::{check, edit_answer};

const FOLLOWS: &str = "this changes what later calls send";

const COMPACT: &str = "\
messages:
  - \"user(hidden): Hi\"
  - \"assistant: Hello\"
  - {hide: msg_002} # for now
  - hide: [msg_001, msg_002]
  - \"user: More\"
  - \"assistant: Yes\"
";

#[test]
fn showing_undoes_every_hiding_of_a_compact_document() {
    let change = json!({"set_visible": {"message": "msg_001", "visible": true}});
    let expected = COMPACT.replace("user(hidden)", "user").replace("msg_001, ", "");
    check(COMPACT, &change, &expected, &["also removed 1 later change of its visibility", FOLLOWS]);
    let change = json!({"set_visible": {"message": "msg_002", "visible": true}});
    let expected = COMPACT.replace("  - {hide: msg_002} # for now\n", "").replace(", msg_002", "");
    check(COMPACT, &change, &expected, &["also removed 2 later changes of its visibility", FOLLOWS]);
    // At the step that hides it, showing takes the hiding back; later, it is a step of its own.
    let change = json!({"set_visible": {"message": "msg_002", "visible": true, "from": 1}});
    check(COMPACT, &change, &expected, &[FOLLOWS]);
    let change = json!({"set_visible": {"message": "msg_002", "visible": true, "from": 2}});
    let expected = COMPACT.replace("More\"\n", "More\"\n  - show: msg_002\n");
    check(COMPACT, &change, &expected, &[FOLLOWS]);
    let change = json!({"set_visible": {"message": "msg_002", "visible": false, "from": 2}});
    check(COMPACT, &change, COMPACT, &[]);
}

#[test]
fn hiding_and_showing_again_leaves_the_text_as_it_was() {
    let text = "messages:\n  - \"user: Hi\"\n  - {assistant: Hello, call: a()}\n  - \"tool:a: 1\"\n  - \"assistant: Yes\"\n";
    for (message, from) in [("msg_001", 1), ("msg_001", 3), ("msg_002", 2), ("msg_003", 3)] {
        let hide = json!({"set_visible": {"message": message, "visible": false, "from": from}});
        let show = json!({"set_visible": {"message": message, "visible": true, "from": from}});
        let hidden = edit_answer(text, &hide).text;
        assert_ne!(hidden, text);
        assert_eq!(edit_answer(&hidden, &show).text, text);
        let always = json!({"set_visible": {"message": message, "visible": true}});
        assert_eq!(edit_answer(&hidden, &always).text, text);
    }
    for message in ["msg_001", "msg_002"] {
        let hidden = edit_answer(text, &json!({"set_visible": {"message": message, "visible": false}})).text;
        assert_eq!(
            edit_answer(&hidden, &json!({"set_visible": {"message": message, "visible": true}})).text,
            text
        );
    }
}

#[test]
fn showing_undoes_every_hiding_of_a_full_document() {
    let text = |changes: &str, sent: &str, end: &str| {
        format!(
            "version: '1.0'\ninitial_state:\n  message_store:\n    - {{id: a, role: user, content: Hi}}\nexecution:\n  - turn: 1\n    type: message\n    message_created: {{id: b, role: user, content: So}}\n{changes}  - turn: 2\n    type: llm_call\n    messages_sent_to_llm: [{sent}]\n    llm_response: {{content: Yes}}\n    message_created: {{id: c, role: assistant, content: Yes}}\nfinal_state:\n  visible_messages: [{end}]\n"
        )
    };
    let shown = text("", "{ref: a}, {ref: b}", "a, b, c");
    let hidden = text("    state_changes:\n      visible:\n        a: false\n", "{ref: b}", "b, c");
    let lists =
        ["also updated what 1 later call was sent", "also updated `visible_messages` in the final state"];
    let change = |visible: bool, from: Option<u8>| json!({"set_visible": {"message": "a", "visible": visible, "from": from}});
    check(&shown, &change(false, Some(1)), &hidden, &lists);
    check(&hidden, &change(true, Some(1)), &shown, &lists);
    let always = ["also removed 1 later change of its visibility", lists[0], lists[1]];
    check(&hidden, &change(true, None), &shown, &always);
}
