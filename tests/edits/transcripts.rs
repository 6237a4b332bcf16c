//! Changes of messages, turns, ids and visibility in all three forms.

use serde_json::json;
use transcript_core::document::{Document, Limits};

use crate::{check, edit_answer, refused};

const COMPACT: &str = "\
# A weather run
messages:
  - \"system: You are helpful\"   # the rules
  - 'user: What''s the weather?'
  - \"assistant:call weather(city='NYC')\"
  - \"tool:weather#call_001: {temp: 72}\"
  - {hide: msg_001}
  # The answer
  - \"assistant: 72°F\" # good
assertions:
  - {type: contains, message: msg_005, pattern: \"72\"}
";

const FULL: &str = "\
version: \"1.0\"
initial_state:
  message_store:
    - id: a   # first
      role: user
      content: 'Hi'
    # second
    - {id: b, role: user, content: There}
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm:
      - ref: a
      - ref: b # this one too
    llm_response:
      role: assistant
      content: Yes?
    message_created: {id: c, role: assistant, content: Yes?}
  # The second call
  - turn: 2
    type: llm_call
    messages_sent_to_llm: [{ref: a}, {ref: b}, {ref: c}]
    llm_response: {role: assistant, content: Bye}
    message_created:
      id: d
      role: assistant
      content: Bye
    state_changes:
      visible:
        a: false
final_state:
  visible_messages: [b, c, d]
  assertions:
    - type: contains # checked
      message: c
      pattern: Yes
";

fn replaced(text: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(text.to_owned(), |text, (old, new)| {
        assert_eq!(text.matches(old).count(), 1, "{old}");
        text.replace(old, new)
    })
}

#[test]
fn a_compact_text_changes_inside_its_quotes() {
    let change = json!({"set_text": {"message": "msg_002", "text": "How's LA?"}});
    check(COMPACT, &change, &replaced(COMPACT, &[("What''s the weather?", "How''s LA?")]), &[]);
    let change = json!({"set_role": {"message": "msg_001", "role": "developer"}});
    check(COMPACT, &change, &replaced(COMPACT, &[("system:", "developer:")]), &[]);
    let change = json!({"set_text": {"message": "msg_003", "text": "I'll look"}});
    let call = "\"assistant:call weather(city='NYC')\"";
    let map = "assistant: I'll look\n    call: weather(city='NYC')";
    check(COMPACT, &change, &replaced(COMPACT, &[(call, map)]), &[]);
    let change = json!({"set_text": {"message": "msg_004", "text": "none"}});
    check(COMPACT, &change, &replaced(COMPACT, &[("{temp: 72}", "none")]), &[]);
    let change = json!({"set_text": {"message": "msg_004", "text": "72"}});
    // What was data stays data, if the text is one.
    check(COMPACT, &change, &replaced(COMPACT, &[("{temp: 72}", "72")]), &[]);
    let change = json!({"set_text": {"message": "msg_004", "text": "{temp: 7}"}});
    let map = "tool: weather\n    result: \"{temp: 7}\"\n    id: call_001";
    check(COMPACT, &change, &replaced(COMPACT, &[("\"tool:weather#call_001: {temp: 72}\"", map)]), &[]);
}

#[test]
fn counted_ids_follow_what_they_name() {
    let change = json!({"remove_message": {"message": "msg_002"}});
    let expected = replaced(COMPACT, &[("  - 'user: What''s the weather?'\n", ""), ("msg_005", "msg_004")]);
    check(COMPACT, &change, &expected, &["also changed 1 reference to messages and calls with counted ids"]);
    let change = json!({"remove_message": {"message": "msg_001"}});
    let expected = replaced(
        COMPACT,
        &[
            ("  - \"system: You are helpful\"   # the rules\n", ""),
            ("  - {hide: msg_001}\n", ""),
            ("msg_005", "msg_004"),
        ],
    );
    let notes = [
        "also removed 1 reference to `msg_001`",
        "also changed 1 reference to messages and calls with counted ids",
    ];
    check(COMPACT, &change, &expected, &notes);
    let change =
        json!({"add_message": {"index": 2, "message": {"role": "assistant", "content": "Hm: well"}}});
    let expected =
        replaced(COMPACT, &[("?'\n", "?'\n  - \"assistant: Hm: well\"\n"), ("msg_005", "msg_006")]);
    check(COMPACT, &change, &expected, &["also changed 1 reference to messages and calls with counted ids"]);
    let change = json!({"add_message": {"index": 2, "message": "assistant:call other()"}});
    let expected = replaced(
        COMPACT,
        &[
            ("?'\n", "?'\n  - \"assistant:call other()\"\n"),
            ("msg_005", "msg_006"),
            ("#call_001", "#call_002"),
        ],
    );
    let notes = [
        "also changed 2 references to messages and calls with counted ids",
        "the document has a new error: the call to `other` has no result, but the model is called again",
    ];
    check(COMPACT, &change, &expected, &notes);
    let change = json!({"move_message": {"message": "msg_005", "to": 0}});
    let answer = "  # The answer\n  - \"assistant: 72°F\" # good\n";
    let expected = replaced(
        COMPACT,
        &[
            (answer, ""),
            ("messages:\n", &format!("messages:\n{answer}")),
            ("msg_001", "msg_002"),
            ("msg_005", "msg_001"),
        ],
    );
    check(COMPACT, &change, &expected, &["also changed 2 references to messages and calls with counted ids"]);
}

#[test]
fn visibility_of_a_compact_message_is_a_flag_or_an_item() {
    let change = json!({"set_visible": {"message": "msg_002", "visible": false}});
    let note = ["this changes what later calls send"];
    check(COMPACT, &change, &replaced(COMPACT, &[("'user: What", "'user(hidden): What")]), &note);
    let change = json!({"set_visible": {"message": "msg_002", "visible": false, "from": 1}});
    let item = "  - hide: msg_002\n  - \"tool:";
    check(COMPACT, &change, &replaced(COMPACT, &[("  - \"tool:", item)]), &note);
    let change = json!({"set_visible": {"message": "msg_004", "visible": false}});
    let map = "tool: weather\n    result:\n      temp: 72\n    id: call_001\n    hidden: true";
    check(COMPACT, &change, &replaced(COMPACT, &[("\"tool:weather#call_001: {temp: 72}\"", map)]), &note);
}

#[test]
fn a_compact_id_turns_its_item_into_a_map() {
    let change = json!({"rename_id": {"from": "msg_005", "to": "answer"}});
    let map = "assistant: \"72°F\" # good\n    id: answer\n";
    let expected = replaced(COMPACT, &[("\"assistant: 72°F\" # good\n", map), ("msg_005", "answer")]);
    check(COMPACT, &change, &expected, &["also changed 1 reference to `msg_005`"]);
    assert_eq!(refused(COMPACT, &json!({"rename_id": {"from": "msg_004", "to": "x"}})), "change");
    assert_eq!(refused(COMPACT, &json!({"rename_id": {"from": "call_001", "to": "x"}})), "path");
    assert_eq!(refused(COMPACT, &json!({"rename_id": {"from": "msg_001", "to": "msg_002"}})), "taken");
}

#[test]
fn context_and_assertions_of_a_compact_document() {
    let change = json!({"set_context": {"step": 0, "key": "city", "value": "NYC"}});
    check(
        COMPACT,
        &change,
        &replaced(COMPACT, &[("messages:\n", "context:\n  city: NYC\nmessages:\n")]),
        &[],
    );
    let change = json!({"set_context": {"step": 1, "key": "city", "value": "NYC"}});
    let item = "  - context:\n      city: NYC\n  - \"tool:";
    check(COMPACT, &change, &replaced(COMPACT, &[("  - \"tool:", item)]), &[]);
    let change = json!({"set_assertion": {"index": 1, "value": {"type": "no_errors"}}});
    check(COMPACT, &change, &format!("{COMPACT}  - type: no_errors\n"), &[]);
    let change = json!({"set_assertion": {"index": 0}});
    let line = "\n  - {type: contains, message: msg_005, pattern: \"72\"}";
    check(COMPACT, &change, &replaced(COMPACT, &[(line, " []")]), &[]);
}

#[test]
fn a_call_changes_where_it_stands() {
    let change =
        json!({"set_call": {"message": "msg_003", "call": 0, "arguments": {"city": "Rome", "days": [1]}}});
    let call = ("weather(city='NYC')", "weather(city='Rome', days=[1])");
    check(COMPACT, &change, &replaced(COMPACT, &[call]), &[]);
    // The answer names the tool too.
    let change = json!({"set_call": {"message": "msg_003", "call": 0, "name": "sky"}});
    let names = [("call weather(", "call sky("), ("tool:weather#", "tool:sky#")];
    check(COMPACT, &change, &replaced(COMPACT, &names), &[]);
    let listed = "messages:\n  - assistant: Let me see # thinks\n    call: [a(x=1), {name: b, arguments: {at: 2}, id: k}]\n";
    let change = json!({"set_call": {"message": "msg_001", "call": 1, "arguments": {"at": 3}}});
    check(listed, &change, &listed.replace("at: 2", "at: 3"), &[]);
    let change = json!({"set_call": {"message": "msg_001", "call": 0, "name": "c"}});
    check(listed, &change, &listed.replace("a(x=1)", "c(x=1)"), &[]);
    for (call, arguments) in [(1, json!({})), (0, json!([1]))] {
        let change = json!({"set_call": {"message": "msg_003", "call": call, "arguments": arguments}});
        let reason = if call == 1 { "path" } else { "change" };
        assert_eq!(refused(COMPACT, &change), reason);
    }
}

#[test]
fn a_call_of_a_full_document_changes_with_its_result() {
    let text = "\
version: '1.0'
execution:
  - turn: 1
    type: llm_call
    llm_response:
      content: ''
      tool_calls: [{id: k, function: {name: sky, arguments: '{\"at\": 1}'}}] # as sent
    message_created:
      role: assistant
      content: ''
      tool_calls: [{id: k, function: {name: sky, arguments: {at: 1}}}]
  - turn: 2
    type: tool_call
    tool_call: {id: k, tool_name: sky, parameters: {at: 1}, result: sun}
    message_created: {role: tool, tool_call_id: k, tool_name: sky, content: sun}
";
    let change =
        json!({"set_call": {"message": "msg_001", "call": 0, "name": "air", "arguments": {"at": 2}}});
    let expected = text.replace("at: 1", "at: 2").replace("\"at\": 1", "\"at\": 2").replace("sky", "air");
    check(text, &change, &expected, &["also changed the call in step 2"]);
}

#[test]
fn a_full_message_changes_with_its_answer() {
    let change = json!({"set_text": {"message": "a", "text": "Hello"}});
    check(FULL, &change, &replaced(FULL, &[("'Hi'", "'Hello'")]), &[]);
    let change = json!({"set_text": {"message": "d", "text": "So long"}});
    let expected = FULL.replace("content: Bye", "content: So long");
    check(FULL, &change, &expected, &["also changed the response in step 2"]);
}

#[test]
fn an_id_is_renamed_everywhere() {
    let change = json!({"rename_id": {"from": "a", "to": "first"}});
    let expected = replaced(
        FULL,
        &[
            ("- id: a ", "- id: first "),
            ("- ref: a\n", "- ref: first\n"),
            ("[{ref: a}", "[{ref: first}"),
            ("        a: false", "        first: false"),
        ],
    );
    check(FULL, &change, &expected, &["also changed 3 references to `a`"]);
    let change = json!({"rename_id": {"from": "c", "to": "no"}});
    let expected = replaced(
        FULL,
        &[
            ("{id: c,", "{id: \"no\","),
            ("{ref: c}", "{ref: \"no\"}"),
            ("[b, c, d]", "[b, \"no\", d]"),
            ("message: c", "message: \"no\""),
        ],
    );
    check(FULL, &change, &expected, &["also changed 3 references to `c`"]);
}

#[test]
fn visibility_rewrites_what_later_calls_were_sent() {
    let change = json!({"set_visible": {"message": "b", "visible": false}});
    let expected = replaced(
        FULL,
        &[
            ("content: There}", "content: There, visible: false}"),
            ("      - ref: b # this one too\n", ""),
            ("{ref: a}, {ref: b}, ", "{ref: a}, "),
            ("[b, c, d]", "[c, d]"),
        ],
    );
    let notes =
        ["also updated what 2 later calls were sent", "also updated `visible_messages` in the final state"];
    check(FULL, &change, &expected, &notes);
    // And back, but for the comment of what was taken out.
    let back = edit_answer(&expected, &json!({"set_visible": {"message": "b", "visible": true}}));
    let again =
        replaced(FULL, &[("content: There}", "content: There, visible: true}"), (" # this one too", "")]);
    assert_eq!(back.text, again);
    // A later turn that says something of its own ends the change.
    let answer = edit_answer(FULL, &json!({"set_visible": {"message": "a", "visible": false}}));
    assert!(answer.text.contains("visible_messages: [b, c, d]"));
    let change = json!({"set_visible": {"message": "b", "visible": false, "from": 1}});
    let expected = replaced(
        FULL,
        &[
            ("content: Yes?}\n", "content: Yes?}\n    state_changes:\n      visible:\n        b: false\n"),
            ("{ref: a}, {ref: b}, ", "{ref: a}, "),
            ("[b, c, d]", "[c, d]"),
        ],
    );
    check(
        FULL,
        &change,
        &expected,
        &["also updated what 1 later call was sent", "also updated `visible_messages` in the final state"],
    );
}

#[test]
fn what_names_a_removed_message_goes_with_it() {
    let change = json!({"remove_message": {"message": "b"}});
    let expected = replaced(
        FULL,
        &[
            ("    # second\n    - {id: b, role: user, content: There}\n", ""),
            ("      - ref: b # this one too\n", ""),
            ("{ref: a}, {ref: b}, ", "{ref: a}, "),
            ("[b, c, d]", "[c, d]"),
        ],
    );
    check(FULL, &change, &expected, &["also removed 3 references to `b`"]);
}

#[test]
fn turns_are_numbered_again() {
    let first = FULL.split("execution:\n").nth(1).unwrap().split("  # The second").next().unwrap();
    let change = json!({"remove_turn": {"step": 1}});
    let expected = replaced(
        FULL,
        &[
            (first, ""),
            ("turn: 2", "turn: 1"),
            (", {ref: c}", ""),
            ("[b, c, d]", "[b, d]"),
            ("\n    - type: contains # checked\n      message: c\n      pattern: Yes\n", " []\n"),
        ],
    );
    check(FULL, &change, &expected, &["also removed 3 references to `c`", "also renumbered 1 turn"]);
    let change = json!({"add_turn": {"step": 2, "turn": {"type": "message", "message_created": {"id": "m", "role": "user", "content": "So"}}}});
    let turn = "  - turn: 2\n    type: message\n    message_created:\n      id: m\n      role: user\n      content: So\n";
    let expected = replaced(
        FULL,
        &[
            ("turn: 2", "turn: 3"),
            ("  # The second", &format!("{turn}  # The second")),
            (", {ref: c}]", ", {ref: c}, {ref: m}]"),
            ("[b, c, d]", "[b, c, m, d]"),
        ],
    );
    let notes = [
        "also renumbered 1 turn",
        "also updated what 1 later call was sent",
        "also updated `visible_messages` in the final state",
    ];
    check(FULL, &change, &expected, &notes);
    // The second call was sent the answer of the first.
    assert_eq!(refused(FULL, &json!({"move_turn": {"step": 2, "to": 1}})), "meaning");
    let turn = |number: u8, id: &str| {
        format!(
            "  - turn: {number} # {id}\n    type: message\n    message_created: {{id: {id}, role: user, content: x}}\n"
        )
    };
    let text = |first: &str, second: &str| {
        let start = "version: '1.0'\ninitial_state: {message_store: []}\nexecution:\n";
        format!("{start}{}{}", turn(1, first), turn(2, second))
    };
    let answer = edit_answer(&text("a", "b"), &json!({"move_turn": {"step": 2, "to": 1}}));
    let expected = text("b", "a");
    assert_eq!(answer.text, expected);
}

#[test]
fn context_of_a_step_reaches_the_final_state() {
    let text = "version: '1.0'\nexecution:\n  - {turn: 1, type: llm_call} # c\nfinal_state:\n  context: {n: 1} # n\n";
    let change = json!({"set_context": {"step": 1, "key": "n", "value": 2}});
    let expected = "version: '1.0'\nexecution:\n  - {turn: 1, type: llm_call, state_changes: {context: {\"n\": 2}}} # c\nfinal_state:\n  context: {n: 2} # n\n";
    check(text, &change, expected, &["also changed `n` in the final state"]);
}

#[test]
fn ids_that_count_follow_in_partial_documents_too() {
    let text = "execution:\n- type: llm_call\n  llm_response: {content: One}\n- type: llm_call\n  messages_sent_to_llm:\n  - ref: msg_001\n  llm_response: {content: Two}\n";
    let change = json!({"add_turn": {"step": 1, "turn": {"type": "message", "message_created": {"role": "user", "content": "Hi"}}}});
    let turn = "- type: message\n  message_created:\n    role: user\n    content: Hi\n";
    let expected = replaced(
        text,
        &[("execution:\n", &format!("execution:\n{turn}")), ("msg_001", "msg_001\n  - ref: msg_002")],
    );
    let notes = [
        "also changed 1 reference to messages and calls with counted ids",
        "also updated what 1 later call was sent",
    ];
    check(text, &change, &expected, &notes);
    let change = json!({"rename_id": {"from": "msg_001", "to": "x"}});
    assert_eq!(refused(text, &change), "change");
}

#[test]
fn calls_are_renamed_in_full_documents() {
    let text = include_str!("../suite/seeds/weather_query_with_tools.txt");
    let text = text.split_once('\n').unwrap().1.split("==== ").next().unwrap();
    let answer = edit_answer(text, &json!({"rename_id": {"from": "call_abc123", "to": "call_weather"}}));
    assert_eq!(answer.text, text.replace("call_abc123", "call_weather"));
    assert_eq!(answer.edits.len(), text.matches("call_abc123").count());
    assert!(Document::open(&answer.text, &Limits::default()).is_ok());
}

#[test]
fn what_cannot_be_done_is_reported() {
    assert_eq!(refused("messages: [", &json!({"remove_message": {"message": "msg_001"}})), "unreadable");
    assert_eq!(refused("a: 1", &json!({"remove_message": {"message": "msg_001"}})), "change");
    assert_eq!(refused(COMPACT, &json!({"remove_turn": {"step": 1}})), "change");
    assert_eq!(refused(FULL, &json!({"remove_turn": {"step": 9}})), "path");
    assert_eq!(refused(FULL, &json!({"set_text": {"message": "z", "text": ""}})), "path");
    assert_eq!(refused(FULL, &json!({"wish": {}})), "change");
}

#[test]
fn a_message_is_added_in_the_compact_form_or_not_at_all() {
    let text = "messages:\n  - \"user: x\"\n";
    let add = |message: serde_json::Value| json!({"add_message": {"index": 1, "message": message}});
    for (message, item) in [
        (json!({"role": "user", "content": "z", "id": "q"}), "  - user: z\n    id: q\n"),
        (json!({"role": "user", "content": "z", "visible": false}), "  - user: z\n    hidden: true\n"),
        (
            json!({"role": "assistant", "tool_calls": [
                {"id": "c", "type": "function", "function": {"name": "w", "arguments": "{\"a\": 1}"}}
            ]}),
            "  - assistant: \"\"\n    call:\n      - id: c\n        name: w\n        arguments:\n          a: 1\n",
        ),
        (json!({"role": "system", "content": "z", "visible": true, "id": null}), "  - \"system: z\"\n"),
    ] {
        let answer = edit_answer(text, &add(message));
        assert_eq!(answer.text, format!("{text}{item}"));
        assert!(Document::open(&answer.text, &Limits::default()).is_ok());
    }
    assert_eq!(refused(text, &add(json!({"role": "usr", "content": "z"}))), "change");
    assert_eq!(refused(text, &add(json!({"role": "user", "content": "z", "mood": 1}))), "change");
    assert_eq!(refused(text, &add(json!({"role": "tool", "tool_name": "w", "content": "z"}))), "meaning");
    assert_eq!(refused(text, &add(json!("usr: z"))), "meaning");
    let answered = edit_answer(
        "messages:\n  - \"assistant:call w()\"\n",
        &add(json!({"role": "tool", "tool_name": "w", "content": "z", "tool_call_id": "call_001"})),
    );
    assert_eq!(
        answered.text,
        "messages:\n  - \"assistant:call w()\"\n  - tool: w\n    result: z\n    id: call_001\n"
    );
    let data = edit_answer(text, &json!({"insert": {"path": ["messages"], "index": 1, "value": "usr: z"}}));
    assert_eq!(data.notes.len(), 1, "{:?}", data.notes);
}

#[test]
fn a_turn_that_is_added_has_a_free_id() {
    let turn = json!({"type": "message", "message_created": {"role": "user", "content": "hm"}});
    let answer = edit_answer(
        "version: \"1.0\"\ninitial_state:\n  message_store:\n    - {id: msg_002, role: user, content: Hi}\nexecution: []\n",
        &json!({"add_turn": {"step": 1, "turn": turn}}),
    );
    assert_eq!(answer.notes, ["the message has the id `msg_003`"]);
    assert!(answer.text.contains("id: msg_003"));
}

#[test]
fn the_turn_that_makes_a_removed_message_goes_with_it() {
    let change = json!({"remove_message": {"message": "c"}});
    let answer = edit_answer(FULL, &change);
    assert_eq!(answer.text, edit_answer(FULL, &json!({"remove_turn": {"step": 1}})).text);
    assert_eq!(
        answer.notes,
        [
            "removed step 1, which adds the message",
            "also removed 3 references to `c`",
            "also renumbered 1 turn"
        ]
    );
    assert!(answer.text.contains("# The second call") && !answer.text.contains("Yes"));
}

#[test]
fn a_call_that_loses_its_result_is_reported() {
    let text = "\
execution:
  - turn: 1
    type: llm_call
    llm_response: {content: '', tool_calls: [{id: call_001, name: weather, arguments: {}}]}
  # The weather
  - turn: 2
    type: tool_call
    tool_call: {id: call_001, tool_name: weather, parameters: {}, result: 72}
";
    let expected = text.split("  # The weather").next().unwrap();
    let notes = ["removed step 2, which adds the message", "the call in step 1 has no result now"];
    check(text, &json!({"remove_message": {"message": "msg_002"}}), expected, &notes);
}

const AGENTS: &str = "\
version: \"1.0\"
agents:
  scout:
    message_store:
      - {id: s1, role: system, content: Look} # first
      # the second
      - {id: s2, role: user, content: Where?}
  clerk:
    message_store: [{role: system, content: Write}]
execution:
  - turn: 1
    type: llm_call
    agent: scout
    messages_sent_to_llm: [{ref: s1}, {ref: s2}]
    llm_response: {content: Here}
    message_created: {id: s3, role: assistant, content: Here}
  - turn: 2
    type: llm_call
    agent: clerk
    messages_sent_to_llm: [{ref: msg_003}]
    llm_response: {content: Done}
    message_created: {id: c2, role: assistant, content: Done}
";

#[test]
fn messages_that_agents_begin_with_are_messages() {
    let replaced = |pairs: &[(&str, &str)]| {
        pairs.iter().fold(AGENTS.to_owned(), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replace(from, to)
        })
    };
    let change = json!({"set_text": {"message": "s2", "text": "Which way"}});
    check(AGENTS, &change, &replaced(&[("Where?", "Which way")]), &[]);
    let change = json!({"rename_id": {"from": "s2", "to": "ask"}});
    let notes = ["also changed 1 reference to `s2`"];
    check(AGENTS, &change, &replaced(&[("id: s2", "id: ask"), ("ref: s2", "ref: ask")]), &notes);
    let change = json!({"remove_message": {"message": "s2"}});
    let expected = replaced(&[
        ("      # the second\n      - {id: s2, role: user, content: Where?}\n", ""),
        (", {ref: s2}", ""),
        ("msg_003", "msg_002"),
    ]);
    let notes = [
        "also removed 1 reference to `s2`",
        "also changed 1 reference to messages and calls with counted ids",
    ];
    check(AGENTS, &change, &expected, &notes);
    let change = json!({"set_visible": {"message": "s2", "visible": false}});
    let expected = replaced(&[("content: Where?", "content: Where?, visible: false"), (", {ref: s2}", "")]);
    check(AGENTS, &change, &expected, &["also updated what 1 later call was sent"]);
    // It is shown again to its own agent alone.
    let change = json!({"set_visible": {"message": "s2", "visible": true}});
    let shown = edit_answer(&expected, &change).text;
    assert_eq!(shown, replaced(&[("content: Where?", "content: Where?, visible: true")]));
    let change = json!({"move_message": {"message": "s2", "to": 0}});
    let moved = edit_answer(AGENTS, &change).text;
    let second = "      # the second\n      - {id: s2, role: user, content: Where?}\n";
    let first = "      - {id: s1, role: system, content: Look} # first\n";
    assert!(moved.contains(&format!("{second}{first}")), "{moved}");
}

#[test]
fn comments_in_brackets_move_with_their_message() {
    let text = "\
messages: [
  \"user: a\", # of a
  # above b
  \"assistant: b\", # of b
  \"user: c\" # of c
]
";
    let change = json!({"move_message": {"message": "msg_001", "to": 2}});
    let expected = "\
messages: [
  # above b
  \"assistant: b\", # of b
  \"user: c\", # of c
  \"user: a\" # of a
]
";
    check(text, &change, expected, &[]);
    // What shares its line with a bracket changes places alone.
    let text = "messages: [\"user: a\", # of a\n  \"assistant: b\"]\n";
    let expected = "messages: [\"assistant: b\", # of a\n  \"user: a\"]\n";
    check(text, &json!({"move_message": {"message": "msg_001", "to": 1}}), expected, &[]);
}
