//! Facts reported later or earlier than they happened, and facts that say too little.

use serde_json::{Value, json};
use transcript_core::record::{Options, Recorded, Recorder};

use super::samples::{fact_in_run, message};
use super::{kinds, loaded, recorded, refs, replayed, taken};

/// A run with two tools at once.
fn run() -> Vec<Value> {
    let call = |id: &str| json!({"id": id, "name": "w", "arguments": {"of": id}});
    vec![
        message("m1", "user", "Rome?"),
        json!({"fact": "model_called", "call": "c1", "messages": ["m1"], "model": "gpt-4"}),
        json!({"fact": "model_responded", "call": "c1", "tool_calls": [call("t1"), call("t2")]}),
        json!({"fact": "message_appended", "id": "m2", "role": "assistant", "call": "c1"}),
        json!({"fact": "tool_called", "id": "t1", "name": "w"}),
        json!({"fact": "tool_called", "id": "t2", "name": "w"}),
        json!({"fact": "tool_returned", "id": "t2", "result": 2}),
        json!({"fact": "tool_returned", "id": "t1", "result": 1}),
        json!({"fact": "message_appended", "id": "m3", "role": "tool", "tool_call_id": "t2"}),
        json!({"fact": "message_appended", "id": "m4", "role": "tool", "tool_call_id": "t1"}),
        json!({"fact": "model_called", "call": "c2", "messages": ["m1", "m2", "m3", "m4"]}),
        json!({"fact": "model_responded", "call": "c2", "content": "21", "message": "m5"}),
        json!({"fact": "message_appended", "id": "m5", "role": "assistant"}),
    ]
}

fn moved(facts: &[Value], from: usize, to: usize) -> Vec<Value> {
    let mut facts = facts.to_vec();
    let fact = facts.remove(from);
    facts.insert(to, fact);
    facts
}

/// The turns without what follows from their order.
fn answers(run: &Value) -> Vec<Value> {
    let turns = run["execution"].as_array().unwrap().iter();
    let mut found: Vec<Value> =
        turns.flat_map(|turn| [turn.get("llm_response"), turn.get("tool_call")]).flatten().cloned().collect();
    found.sort_by_key(Value::to_string);
    found
}

#[test]
fn a_fact_that_moved_is_paired_all_the_same() {
    let facts = run();
    let expected = answers(&recorded(&facts));
    assert_eq!(expected.len(), 4);
    for from in 0..facts.len() {
        for to in 0..facts.len() {
            let moved = moved(&facts, from, to);
            let recorded = taken(&moved, Options::default()).finish();
            assert_eq!(recorded.problems, [], "{from} to {to}");
            assert_eq!(answers(&recorded.transcript), expected, "{from} to {to}");
            replayed(&loaded(&recorded));
        }
    }
}

#[test]
fn a_message_reported_after_the_call_it_was_sent_to_is_in_the_store_before_it() {
    let facts = run();
    for (from, to) in [(0, 2), (3, 10), (9, 11), (8, 12)] {
        let run = recorded(&moved(&facts, from, to));
        assert_eq!(kinds(&run), ["llm_call", "tool_call", "tool_call", "llm_call"], "{from} to {to}");
        assert_eq!(refs(&run["execution"][0]["messages_sent_to_llm"]), ["m1"]);
        assert_eq!(refs(&run["execution"][3]["messages_sent_to_llm"]), ["m1", "m2", "m3", "m4"]);
        assert_eq!(run["initial_state"]["message_store"][0]["id"], "m1");
    }
}

#[test]
fn an_answer_and_a_result_reported_before_their_calls_are_theirs() {
    let run = recorded(&[
        message("m1", "user", "Hi"),
        json!({"fact": "model_responded", "call": "c1", "content": "Hello"}),
        json!({"fact": "model_called", "call": "c1", "messages": ["m1"]}),
        json!({"fact": "message_appended", "id": "m2", "role": "assistant", "content": "Hello"}),
        json!({"fact": "tool_returned", "id": "a", "result": 7}),
        json!({"fact": "tool_called", "id": "a", "name": "look"}),
    ]);
    assert_eq!(kinds(&run), ["llm_call", "tool_call"]);
    assert_eq!(run["execution"][0]["llm_response"]["content"], "Hello");
    assert_eq!(run["execution"][0]["message_created"]["id"], "m2");
    assert_eq!(run["execution"][1]["tool_call"]["result"], 7);
    assert_eq!(run["execution"][1]["tool_call"]["tool_name"], "look");
}

/// The result of facts that are all accepted, some with warnings.
fn doubted(facts: &[Value]) -> Recorded {
    let mut recorder = Recorder::new(Options::default());
    for fact in facts {
        recorder.observe_value(fact).unwrap();
    }
    recorder.finish()
}

fn problem_lines(recorded: &Recorded) -> Vec<String> {
    recorded.problems.iter().map(ToString::to_string).collect()
}

#[test]
fn messages_without_words_take_the_answers_of_calls_at_once_in_order() {
    let mut facts = vec![
        message("m1", "user", "Hi"),
        json!({"fact": "model_called", "call": "c1", "messages": ["m1"]}),
        json!({"fact": "model_called", "call": "c2", "messages": ["m1"]}),
        json!({"fact": "model_responded", "call": "c1", "content": "one"}),
        json!({"fact": "model_responded", "call": "c2", "content": "two"}),
        json!({"fact": "message_appended", "id": "m2", "role": "assistant"}),
        json!({"fact": "message_appended", "id": "m3", "role": "assistant"}),
    ];
    let run = recorded(&facts);
    let answer_at = |at: usize| {
        let turn = &run["execution"][at];
        (turn["llm_response"]["content"].clone(), turn["message_created"]["id"].clone())
    };
    assert_eq!(answer_at(0), (json!("one"), json!("m2")));
    assert_eq!(answer_at(1), (json!("two"), json!("m3")));
    // A message without an answer has no content, which is reported.
    facts.push(json!({"fact": "message_appended", "id": "m4", "role": "assistant"}));
    let problems = problem_lines(&doubted(&facts));
    assert_eq!(problems.len(), 1);
    assert!(problems[0].starts_with("fact 8: the message `m4` has no content"), "{problems:?}");
}

#[test]
fn an_answer_that_was_never_stored_is_not_that_of_a_later_call() {
    let run = recorded(&[
        message("m1", "user", "Hi"),
        json!({"fact": "model_called", "call": "c1", "messages": ["m1"]}),
        json!({"fact": "model_responded", "call": "c1", "content": "a draft"}),
        json!({"fact": "model_called", "call": "c2", "messages": ["m1"]}),
        json!({"fact": "model_responded", "call": "c2", "content": "said"}),
        json!({"fact": "message_appended", "id": "m2", "role": "assistant"}),
    ]);
    assert!(run["execution"][0].get("message_created").is_none());
    assert_eq!(run["execution"][1]["message_created"]["content"], "said");
}

#[test]
fn what_belongs_to_calls_that_nobody_made_is_reported_in_the_end_and_kept() {
    let stray = [
        json!({"fact": "model_responded", "call": "c9", "content": "lost?"}),
        json!({"fact": "model_failed", "call": "c8", "error": "boom"}),
        json!({"fact": "tool_returned", "id": "t9", "result": 1}),
    ];
    let found = doubted(&stray);
    assert_eq!(
        problem_lines(&found),
        [
            "fact 1: unknown model call `c9`; report `model_called` too",
            "fact 2: unknown model call `c8`; report `model_called` too",
            "fact 3: unknown tool call `t9`; report `tool_called` too",
        ]
    );
    let kept = found.transcript["metadata"]["recording"]["not_in_place"].as_array().unwrap();
    assert_eq!(kept.len(), 3);
    assert_eq!(kept[2]["fact"]["result"], 1);
    loaded(&found);
}

#[test]
fn what_names_nothing_known_is_reported_and_kept() {
    let call = json!({"id": "t1", "name": "weather", "arguments": {}});
    let found = doubted(&[
        message("m1", "user", "Hi"),
        json!({"fact": "context_changed", "key": "k", "value": 1}),
        json!({"fact": "context_changed", "key": "k", "value": 2}),
        json!({"fact": "model_called", "call": "c1", "messages": ["m1"]}),
        json!({"fact": "model_responded", "call": "c1", "tool_calls": [call]}),
        json!({"fact": "message_appended", "id": "m2", "role": "assistant", "call": "c7"}),
        json!({"fact": "tool_called", "id": "t1", "name": "climate"}),
        json!({"fact": "tool_returned", "id": "t1", "result": "mild"}),
        json!({"fact": "message_appended", "id": "m3", "role": "tool", "tool_call_id": "t1"}),
        json!({"fact": "context_changed", "key": "k", "value": 3, "during": "t7"}),
    ]);
    assert_eq!(
        problem_lines(&found),
        [
            "fact 6: the message `m2` refers to the unknown model call `c7`; report `model_called` too",
            "fact 7: the tool `climate` ran for the call `t1` to `weather`; the transcript has the name from the model",
            "fact 10: `during` refers to the unknown call `t7`; the change is recorded with the previous facts",
        ]
    );
    let notes = &found.transcript["metadata"]["recording"];
    assert_eq!(notes["doubtful"].as_array().unwrap().len(), 3);
    assert_eq!(notes["overwritten"][0]["value"], 1);
    assert_eq!(found.transcript["initial_state"]["context"], json!({"k": 2}));
    assert_eq!(found.transcript["execution"][1]["tool_call"]["tool_name"], "weather");
    assert_eq!(found.transcript["final_state"]["context"], json!({"k": 3}));
    let document = loaded(&found);
    // The notes are at home in the format.
    assert!(document.diagnostics().iter().all(|it| it.code != "T103"), "{:?}", document.diagnostics());
}

#[test]
fn a_tools_message_without_a_call_is_reported() {
    let mut facts = run();
    facts.push(json!({"fact": "message_appended", "id": "m6", "role": "tool", "tool_call_id": "zz",
        "content": "orphan"}));
    let found = doubted(&facts);
    assert_eq!(
        problem_lines(&found),
        ["fact 14: the message `m6` refers to the unknown tool call `zz`; report `tool_called` too"]
    );
    assert_eq!(found.transcript["execution"][4]["message_created"]["content"], "orphan");
}

#[test]
fn a_role_that_is_none_and_an_empty_id_are_refused() {
    for (fact, reason) in [
        (
            message("m1", "alien", "x"),
            "fact 1: unknown role `alien` of `message_appended`; the roles are `system`, `developer`, `user`, \
             `assistant`, `tool`",
        ),
        (
            message("m1", "asistant", "x"),
            "fact 1: unknown role `asistant` of `message_appended`; did you mean `assistant`?",
        ),
        (message("", "user", "x"), "fact 1: `id` of `message_appended` is empty"),
        (json!({"fact": "model_called", "call": ""}), "fact 1: `call` of `model_called` is empty"),
        (json!({"fact": "tool_called", "id": "a", "name": ""}), "fact 1: `name` of `tool_called` is empty"),
    ] {
        let mut recorder = Recorder::new(Options::default());
        assert_eq!(recorder.observe_value(&fact).unwrap_err().to_string(), reason);
        let kept = &recorder.finish().transcript["metadata"]["recording"]["not_in_place"];
        assert_eq!(kept[0]["fact"], fact);
    }
}

#[test]
fn a_call_of_another_agent_that_was_sent_what_comes_later_holds_it_whole() {
    let found = doubted(&[
        json!({"fact": "agent_entered", "run": "A", "agent": "alice"}),
        json!({"fact": "agent_entered", "run": "B", "agent": "bob"}),
        fact_in_run("A", message("a1", "user", "Hi")),
        fact_in_run("A", json!({"fact": "model_called", "call": "c1", "messages": ["a1", "b2"]})),
        fact_in_run("A", json!({"fact": "model_responded", "call": "c1", "content": "Hello"})),
        fact_in_run("B", message("b1", "user", "Ho")),
        fact_in_run("B", message("b2", "user", "Later")),
    ]);
    assert_eq!(found.problems, []);
    let sent = &found.transcript["execution"][0]["messages_sent_to_llm"];
    assert_eq!(sent[0]["ref"], "a1");
    assert_eq!((&sent[1]["role"], &sent[1]["content"]), (&json!("user"), &json!("Later")));
    loaded(&found);
}
