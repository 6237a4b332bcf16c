//! The options of a recorder.

use serde_json::{Value, json};
use transcript_core::record::{Options, Recorder};
use transcript_core::replay::ReplayAnswer;

use super::samples::{message, weather};
use super::{loaded, refs, replayed, round_trip, taken};

fn options(value: Value) -> Options {
    Options::from_value(&value).unwrap()
}

#[test]
fn ulids_are_kept_next_to_short_ids_or_dropped() {
    let kept = round_trip(&weather(), options(json!({"ulids": "keep"})));
    let store = &kept["initial_state"]["message_store"];
    assert_eq!(
        (&store[0]["id"], &store[0]["ulid"]),
        (&json!("msg_001"), &json!("01HQXXXXXXXXXXXXXXXXXXXXX1"))
    );
    let dropped = round_trip(&weather(), options(json!({"ulids": "drop"})));
    assert_eq!(dropped["initial_state"]["message_store"][0]["id"], "msg_001");
    assert!(!dropped.to_string().contains("01HQ"));
    // Other ids are the host's own where they are kept.
    let facts = [message("first", "user", "Hi"), json!({"fact": "model_called", "call": "c1"})];
    let ids = |ulids: &str| {
        let run = round_trip(&facts, options(json!({"ulids": ulids})));
        refs(&run["execution"][0]["messages_sent_to_llm"])[0].to_owned()
    };
    assert_eq!((ids("keep"), ids("drop")), ("first".to_owned(), "msg_001".to_owned()));
}

#[test]
fn the_compact_form_is_written_where_it_says_all() {
    let facts = |usage: Value| {
        vec![
            message("x", "system", "You are helpful"),
            message("y", "user", "Hello!"),
            json!({"fact": "model_called", "call": "c1", "model": "gpt-4"}),
            json!({"fact": "model_responded", "call": "c1", "content": "Hi there!", "usage": usage}),
            message("z", "assistant", "Hi there!"),
        ]
    };
    let read_options = || options(json!({"name": "greeting", "compact": true, "ulids": "drop"}));
    let recorded = taken(&facts(Value::Null), read_options()).finish();
    assert!(recorded.is_compact, "{:?}", recorded.losses);
    assert_eq!(
        recorded.transcript,
        json!({"name": "greeting", "author": "recorder", "model": "gpt-4",
            "messages": ["system: You are helpful", "user: Hello!", "assistant: Hi there!"]})
    );
    replayed(&loaded(&recorded));
    let recorded = taken(&facts(json!({"total_tokens": 9})), read_options()).finish();
    assert!(!recorded.is_compact);
    assert!(recorded.losses[0].contains("usage"), "{:?}", recorded.losses);
    assert_eq!(recorded.transcript["execution"][0]["llm_response"]["usage"], json!({"total_tokens": 9}));
}

#[test]
fn each_tool_has_its_serializer() {
    let facts = |content: Value| {
        let mut facts = vec![message("m1", "user", "?")];
        for tool in ["a", "b", "c", "d"] {
            facts.push(json!({"fact": "tool_called", "id": tool, "name": tool}));
            facts.push(json!({"fact": "tool_returned", "id": tool, "result": {"ok": true, "none": null}}));
            facts.push(json!({"fact": "message_appended", "id": format!("m-{tool}"), "role": "tool",
                "tool_call_id": tool, "content": content}));
        }
        facts
    };
    let texts = |content: Value, settings: Value| -> Vec<String> {
        let run = taken(&facts(content), options(settings)).finish().transcript;
        let turns = run["execution"].as_array().unwrap().iter();
        turns.map(|turn| turn["message_created"]["content"].as_str().unwrap().to_owned()).collect()
    };
    let settings = json!({"serializers": {"a": "json", "b": "python", "c": "text"}, "serializer": "python"});
    let json_text = "{\"ok\": true, \"none\": null}";
    let python = "{'ok': True, 'none': None}";
    assert_eq!(texts(Value::Null, settings.clone()), [json_text, python, json_text, python]);
    // The words of the host come first.
    assert_eq!(texts(json!("mine"), settings), ["mine"; 4]);
}

#[test]
fn the_words_of_a_result_count_whichever_fact_comes_first() {
    let called = json!({"fact": "model_called", "call": "c1", "messages": ["m1"]});
    let answered =
        json!({"fact": "model_responded", "call": "c1", "tool_calls": [{"id": "t1", "name": "weather"}]});
    let facts = [
        answered,
        json!({"fact": "tool_called", "id": "t1", "name": "weather"}),
        json!({"fact": "tool_returned", "id": "t1", "result": {"temp": 21}}),
        json!({"fact": "tool_message_created", "id": "t1", "content": "21 degrees"}),
        json!({"fact": "message_appended", "id": "m3", "role": "tool", "tool_call_id": "t1"}),
        json!({"fact": "context_changed", "key": "n", "value": 1, "during": "t1"}),
    ];
    let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in &facts {
        let longer = |order: &Vec<usize>| {
            let order = order.clone();
            let left = (0..facts.len()).filter(|at| !order.contains(at)).collect::<Vec<_>>();
            left.into_iter().map(move |at| [&order[..], &[at]].concat())
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    assert_eq!(orders.len(), 720);
    let first = [
        message("m1", "user", "?"),
        called,
        json!({"fact": "message_appended", "id": "m2", "role": "assistant", "call": "c1"}),
    ];
    let mut wanted = None;
    for order in orders {
        let facts: Vec<Value> =
            first.iter().cloned().chain(order.iter().map(|at| facts[*at].clone())).collect();
        let recorded = taken(&facts, Options::default()).finish();
        assert_eq!(recorded.problems, [], "{order:?}");
        let run = recorded.transcript;
        assert_eq!(run["execution"][1]["message_created"]["content"], "21 degrees", "{order:?}");
        assert_eq!(run["execution"][1]["tool_call"]["result"], json!({"temp": 21}));
        assert_eq!(wanted.get_or_insert_with(|| run.clone()), &run, "{order:?}");
    }
    // The words of the message come first; words of a call that was never made are reported.
    let own = json!({"fact": "message_appended", "id": "m3", "role": "tool", "tool_call_id": "t1", "content": "mine"});
    let mut facts: Vec<Value> = first.iter().chain(&facts[..4]).cloned().collect();
    facts.push(own);
    let run = round_trip(&facts, Options::default());
    assert_eq!(run["execution"][1]["message_created"]["content"], "mine");
    facts.push(json!({"fact": "tool_message_created", "id": "t7", "content": "x"}));
    let problems = taken(&facts, Options::default()).finish().problems;
    assert_eq!(problems.iter().map(|found| found.seq).collect::<Vec<_>>(), [9]);
}

#[test]
fn a_clock_that_goes_back_leaves_the_turns_in_their_order() {
    let at = |mut fact: Value, second: u32| {
        fact["at"] = format!("2025-01-13T10:30:{second:02}Z").into();
        fact
    };
    let mut facts = vec![at(message("m1", "user", "?"), 50)];
    for (number, (begin, end)) in [(40, 41), (20, 45), (10, 5), (46, 30)].into_iter().enumerate() {
        let call = format!("c{number}");
        facts.push(at(json!({"fact": "model_called", "call": call}), begin));
        facts.push(at(json!({"fact": "model_responded", "call": call, "content": call}), end));
        facts.push(message(&format!("a{number}"), "assistant", &call));
    }
    let run = round_trip(&facts, Options::default());
    let turns = run["execution"].as_array().unwrap();
    let contents: Vec<_> =
        turns.iter().map(|turn| turn["message_created"]["content"].as_str().unwrap()).collect();
    assert_eq!(contents, ["c0", "c1", "c2", "c3"]);
    // A time before that of the turn before it is none of its turn; where none is left the turn has no time.
    let times: Vec<_> =
        turns.iter().map(|turn| turn["timestamp"].as_str().map(|time| &time[17..19])).collect();
    assert_eq!(times, [Some("40"), Some("45"), None, Some("46")]);
}

#[test]
fn pieces_of_answers_are_kept_where_an_option_says_so() {
    let facts = [
        message("m1", "user", "Hi"),
        json!({"fact": "model_called", "call": "c1"}),
        json!({"fact": "chunk", "call": "c1", "delta": "Hel"}),
        json!({"fact": "chunk", "call": "c1", "delta": {"text": "lo", "at_ms": 12}}),
        json!({"fact": "model_responded", "call": "c1", "content": "Hello"}),
        json!({"fact": "model_called", "call": "c2"}),
        json!({"fact": "chunk", "call": "c2", "delta": "By"}),
    ];
    let run = round_trip(&facts, options(json!({"chunks": true})));
    assert_eq!(
        run["execution"][0]["llm_response"]["chunks"],
        json!([{"text": "Hel"}, {"text": "lo", "at_ms": 12}])
    );
    assert_eq!(run["execution"][1]["llm_error"]["chunks"], json!([{"text": "By"}]));
    let run = round_trip(&facts, Options::default());
    assert!(run["execution"][0]["llm_response"].get("chunks").is_none());
    let mut recorder = Recorder::new(Options::default());
    for fact in &facts {
        recorder.observe_value(fact).unwrap();
    }
    let before = recorder.bytes();
    let piece = json!({"fact": "chunk", "call": "c2", "delta": "x".repeat(1000)});
    recorder.observe_value(&piece).unwrap();
    assert_eq!(recorder.bytes(), before);
}

#[test]
fn a_stream_that_broke_off_keeps_what_had_come() {
    let chunks = [json!({"text": "Hel"}), json!({"text": "lo", "at_ms": 12})];
    let of_error = json!([{"text": "He"}]);
    let error = json!({"type": "overloaded", "message": "try again", "status": 529});
    let mut with_chunks = error.clone();
    with_chunks["chunks"] = of_error.clone();
    let mut with_reported = error.clone();
    with_reported["chunks"] = json!(chunks);
    let other_error = json!({"type": "api_error", "message": "try again", "chunks": chunks});
    for (error, are_reported, are_kept, wanted) in [
        (&error, true, true, &with_reported),
        (&error, true, false, &error),
        (&with_chunks, false, false, &with_chunks),
        (&with_chunks, true, false, &with_chunks),
        // Chunks that were reported one by one are more exact than those of the error.
        (&with_chunks, true, true, &with_reported),
        (&json!("try again"), true, true, &other_error),
    ] {
        let mut facts = vec![message("m1", "user", "Hi"), json!({"fact": "model_called", "call": "c1"})];
        let pieces = chunks.iter().filter(|_| are_reported);
        facts.extend(pieces.map(|piece| json!({"fact": "chunk", "call": "c1", "delta": piece})));
        facts.push(json!({"fact": "model_failed", "call": "c1", "error": error}));
        let recorded = taken(&facts, options(json!({"chunks": are_kept}))).finish();
        assert_eq!(recorded.problems, []);
        let document = loaded(&recorded);
        let answers = replayed(&document);
        let [ReplayAnswer::Error { error, .. }] = answers.as_slice() else { panic!("{answers:?}") };
        assert_eq!((&recorded.transcript["execution"][0]["llm_error"], error), (wanted, wanted));
        assert_eq!(document.expanded().unwrap()["execution"][0]["llm_error"], *wanted);
    }
}

#[test]
fn visibility_and_context_change_where_they_changed() {
    let facts = [
        json!({"fact": "context_changed", "key": "old", "value": 1}),
        message("m1", "system", "Be kind"),
        message("m2", "user", "Hi"),
        message("m3", "user", "Never mind"),
        json!({"fact": "visibility_changed", "message": "m3", "visible": false}),
        json!({"fact": "model_called", "call": "c1"}),
        json!({"fact": "model_responded", "call": "c1", "content": "Hello"}),
        message("m4", "assistant", "Hello"),
        json!({"fact": "visibility_changed", "message": "m2", "visible": false}),
        json!({"fact": "context_changed", "key": "old", "unset": true}),
        json!({"fact": "context_changed", "key": "n", "value": 1}),
        json!({"fact": "context_changed", "key": "n", "value": 2}),
        json!({"fact": "model_called", "call": "c2"}),
        json!({"fact": "model_responded", "call": "c2", "content": "Hello?"}),
        message("m5", "assistant", "Hello?"),
    ];
    let run = round_trip(&facts, options(json!({"context": {"given": true}})));
    assert_eq!(run["initial_state"]["context"], json!({"given": true, "old": 1}));
    assert_eq!(run["initial_state"]["message_store"][2]["visible"], false);
    let turns = &run["execution"];
    assert_eq!(refs(&turns[0]["messages_sent_to_llm"]), ["m1", "m2"]);
    assert_eq!(
        turns[0]["state_changes"],
        json!({"context": {"n": 2}, "context_removed": ["old"], "visible": {"m2": false}})
    );
    assert_eq!(refs(&turns[1]["messages_sent_to_llm"]), ["m1", "m4"]);
    assert_eq!(run["final_state"]["context"], json!({"given": true, "n": 2}));
    assert_eq!(run["final_state"]["visible_messages"], json!(["m1", "m4", "m5"]));
    // The value in between has no place in a turn, and is not lost.
    assert_eq!(run["metadata"]["recording"]["overwritten"][0]["value"], 1);
}

#[test]
fn what_a_change_was_made_during_is_named_or_what_was_seen_last() {
    let call = |id: &str| json!({"id": id, "name": "set", "arguments": {}});
    let facts = [
        message("m1", "user", "Hi"),
        json!({"fact": "model_called", "call": "c1"}),
        json!({"fact": "model_responded", "call": "c1", "tool_calls": [call("a"), call("b")]}),
        json!({"fact": "message_appended", "id": "m2", "role": "assistant"}),
        json!({"fact": "tool_called", "id": "a", "name": "set"}),
        json!({"fact": "tool_called", "id": "b", "name": "set"}),
        json!({"fact": "context_changed", "key": "by_a", "value": 1, "during": "a"}),
        json!({"fact": "context_changed", "key": "by_b", "value": 1}),
        // Of two that set one key, the later one holds in the end, though its turn comes first.
        json!({"fact": "context_changed", "key": "both", "value": "b", "during": "b"}),
        json!({"fact": "context_changed", "key": "both", "value": "a", "during": "a"}),
        json!({"fact": "tool_returned", "id": "a", "result": 1}),
        json!({"fact": "tool_returned", "id": "b", "result": 2}),
    ];
    let run = round_trip(&facts, Options::default());
    let changes = |at: usize| run["execution"][at]["state_changes"]["context"].clone();
    assert_eq!(changes(1), json!({"by_a": 1}));
    assert_eq!(changes(2), json!({"by_b": 1, "both": "a"}));
    assert_eq!(run["final_state"]["context"]["both"], "a");
}

#[test]
fn options_that_are_none_are_refused() {
    for (value, reason) in [
        (json!([]), "options: expected a map, found a list"),
        (json!({"compct": true}), "unknown option `compct`; did you mean `compact`?"),
        (json!({"ulids": "yes"}), "option `ulids`: expected `keep` or `drop`"),
        (json!({"nested": "own"}), "option `nested`: expected `inline` or a number of bytes"),
        (json!({"serializers": {"a": "xml"}}), "option `serializers`: expected `json`, `text` or `python`"),
        (json!({"maxBytes": -1}), "option `maxBytes`: expected a number of bytes"),
    ] {
        assert_eq!(Options::from_value(&value).unwrap_err().to_string(), reason);
    }
    assert_eq!(Options::from_value(&Value::Null), Ok(Options::default()));
}
