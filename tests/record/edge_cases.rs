//! Recorders called out of order, with too much, or with what is no fact.

use proptest::prop_assert;
use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::record::{Fact, FactKind, Options, Recorder};
use transcript_core::write;

use super::samples::{conversation, fact_in_run, message, nested, specialist, weather};
use super::{loaded, refs, replayed};

/// What a recorder says of the last fact.
fn refused(facts: &[Value]) -> String {
    let mut recorder = Recorder::new(Options::default());
    let (last, before) = facts.split_last().unwrap();
    for fact in before {
        recorder.observe_value(fact).unwrap();
    }
    recorder.observe_value(last).unwrap_err().to_string()
}

#[test]
fn what_cannot_stand_where_it_came_is_reported_with_its_number() {
    let called = json!({"fact": "model_called", "call": "c1"});
    let ran = json!({"fact": "tool_called", "id": "a", "name": "x"});
    let entered = json!({"fact": "agent_entered", "agent": "bob", "run": "r1"});
    let answered = json!({"fact": "model_responded", "call": "c1", "content": "x"});
    let returned = json!({"fact": "tool_returned", "id": "a"});
    for (facts, reason) in [
        (
            vec![called.clone(), answered.clone(), answered.clone()],
            "fact 3: the model call `c1` has already ended",
        ),
        (vec![called.clone(), called.clone()], "fact 2: the model call `c1` is already recorded"),
        (
            vec![called, answered, json!({"fact": "chunk", "call": "c1", "delta": "x"})],
            "fact 3: the model call `c1` has already ended",
        ),
        (vec![ran.clone(), returned.clone(), returned], "fact 3: the tool call `a` has already ended"),
        (vec![ran.clone(), ran], "fact 2: the tool call `a` is already recorded; use a new id for each call"),
        (
            vec![json!({"fact": "agent_left", "run": "r1"})],
            "fact 1: the run `r1` was never entered; report `agent_entered` first",
        ),
        (vec![entered.clone(), entered.clone()], "fact 2: the run `r1` is already recorded"),
        (
            vec![
                entered,
                json!({"fact": "agent_left", "run": "r1"}),
                json!({"fact": "agent_left", "run": "r1"}),
            ],
            "fact 3: the run `r1` has already ended",
        ),
        (
            vec![json!({"fact": "agent_entered", "agent": "bob", "run": "r1", "parent_run": "r0"})],
            "fact 1: the run `r0` was never entered; report the outer run first, or remove `parent_run`",
        ),
        (
            vec![message("m1", "user", "Hi"), message("m1", "user", "Hi")],
            "fact 2: the message `m1` is already recorded",
        ),
        (
            vec![
                message("m1", "user", "Hi"),
                json!({"fact": "visibility_changed", "message": "m2", "visible": false}),
            ],
            "fact 2: unknown message `m2`",
        ),
        (
            vec![fact_in_run("r9", message("m1", "user", "Hi"))],
            "fact 1: the run `r9` was never entered; report `agent_entered` first",
        ),
    ] {
        assert_eq!(refused(&facts), reason);
    }
}

#[test]
fn what_is_no_fact_says_why() {
    for (value, reason) in [
        (json!([]), "fact: expected a map, found a list"),
        (json!({}), "the fact has no `fact` key with its kind"),
        (json!({"fact": "tool_call"}), "unknown fact `tool_call`; did you mean `tool_called`?"),
        (json!({"fact": "tool_called", "id": "a"}), "`tool_called` has no `name`"),
        (
            json!({"fact": "tool_called", "id": 1, "name": "x"}),
            "`id` of `tool_called`: expected a string, found a number",
        ),
        (
            json!({"fact": "tool_called", "id": "a", "name": "x", "argument": {}}),
            "unknown key `argument` of `tool_called`; did you mean `arguments`?",
        ),
        (
            json!({"fact": "context_changed", "key": "k"}),
            "`context_changed` has no `value`; write `unset: true` for a key that was removed",
        ),
        (json!({"fact": "agent_left"}), "`agent_left` has no `run`"),
        (
            json!({"fact": "model_responded", "call": "c", "tool_calls": [{"id": "a"}]}),
            "`tool_calls[0]` of `model_responded` has no name",
        ),
        (
            json!({"fact": "model_called", "call": "c", "messages": [{"content": "x"}]}),
            "`messages[0]`: expected an id or a message with a `role`; write an id, `{ref: id}`, or a message",
        ),
        (json!({"fact": "agent_left", "run": "r", "v": 3}), "the fact has version `3`; this reads `1`"),
    ] {
        assert_eq!(Fact::from_value(&value).unwrap_err().to_string(), reason);
    }
    let deep = (0..150).fold(json!(1), |inner, _| json!([inner]));
    let fact = json!({"fact": "tool_returned", "id": "a", "result": deep});
    assert!(Fact::from_value(&fact).unwrap_err().message.contains("more than 100 levels deep"));
    // Hosts in JavaScript write keys in their own way; no value is a value of a context key.
    let fact =
        Fact::from_value(&json!({"fact": "message_appended", "id": "m", "role": "tool", "toolCallId": "a"}));
    assert_eq!(fact.unwrap().get("tool_call_id"), Some(&json!("a")));
    assert!(Fact::from_value(&json!({"fact": "context_changed", "key": "k", "value": null})).is_ok());
}

#[test]
fn a_recorder_goes_on_after_what_came_wrongly_and_keeps_it() {
    let mut recorder = Recorder::new(Options::default());
    let stray = json!({"fact": "model_responded", "call": "c9", "content": "lost?"});
    let nonsense = json!({"fact": "nonsense"});
    // Its call may be reported later.
    assert_eq!(recorder.observe_value(&stray), Ok(1));
    for fact in weather() {
        recorder.observe_value(&fact).unwrap();
    }
    assert!(recorder.observe_value(&nonsense).is_err());
    let recorded = recorder.finish();
    assert_eq!(recorded.problems.iter().map(|found| found.seq).collect::<Vec<_>>(), [1, 18]);
    let kept = &recorded.transcript["metadata"]["recording"]["not_in_place"];
    assert_eq!(kept[0]["problem"], "unknown model call `c9`");
    assert_eq!(
        kept[0]["fact"],
        json!({"v": 1, "seq": 1, "fact": "model_responded", "call": "c9", "content": "lost?"})
    );
    assert_eq!(kept[1]["fact"], nonsense);
    replayed(&loaded(&recorded));
}

#[test]
fn a_call_that_was_sent_what_nobody_appended_says_what_else_it_was_sent() {
    let mut recorder = Recorder::new(Options::default());
    for fact in [
        message("m1", "user", "Hi"),
        message("m2", "user", "Hey"),
        json!({"fact": "model_called", "call": "c1", "messages": ["m1", "m0", "m2"]}),
        json!({"fact": "model_responded", "call": "c1", "content": "Hello"}),
    ] {
        recorder.observe_value(&fact).unwrap();
    }
    let recorded = recorder.finish();
    assert_eq!(
        recorded.problems[0].message,
        "the model call `c1` has the message `m0`, which was never appended"
    );
    assert_eq!((recorded.problems.len(), recorded.problems[0].seq), (1, 3));
    assert_eq!(refs(&recorded.transcript["execution"][0]["messages_sent_to_llm"]), ["m1", "m2"]);
    let notes = &recorded.transcript["metadata"]["recording"];
    assert_eq!(notes["sent_unknown"][0]["messages"], json!(["m1", "m0", "m2"]));
    assert_eq!(notes["doubtful"], json!([{"seq": 3, "problem": recorded.problems[0].message}]));
    replayed(&loaded(&recorded));
}

#[test]
fn a_tool_may_return_megabytes_and_the_limit_on_bytes_holds() {
    let facts = |bytes: usize| {
        vec![
            message("m1", "user", "Hi"),
            json!({"fact": "model_called", "call": "c1"}),
            json!({"fact": "model_responded", "call": "c1", "tool_calls": [{"id": "a", "name": "read"}]}),
            json!({"fact": "tool_called", "id": "a", "name": "read"}),
            json!({"fact": "tool_returned", "id": "a", "result": "x".repeat(bytes)}),
            json!({"fact": "message_appended", "id": "m2", "role": "tool", "tool_call_id": "a"}),
        ]
    };
    let mut recorder = Recorder::new(Options::default());
    for fact in facts(5 << 20) {
        recorder.observe_value(&fact).unwrap();
    }
    assert!(recorder.bytes() > 5 << 20);
    let text = write::yaml(&recorder.finish().transcript);
    let document = Document::open(&text, &Limits::default());
    assert!(document.is_ok());
    assert_eq!(
        document.timeline().unwrap().stored()[1].message.content.as_ref().unwrap().to_text().len(),
        5 << 20
    );

    let mut small = Recorder::new(Options { max_bytes: 4000, ..Options::default() });
    let outcomes: Vec<bool> = facts(5000).iter().map(|fact| small.observe_value(fact).is_ok()).collect();
    assert_eq!(outcomes, [true, true, true, true, false, true]);
    let problem = small.observe_value(&facts(5000)[4]).unwrap_err();
    assert!(problem.message.starts_with("`tool_returned` has 5"), "{problem}");
    assert!(problem.message.contains("of 4000 bytes; it is not recorded"), "{problem}");
    assert!(small.bytes() <= 4000);
    let recorded = small.finish();
    assert_eq!(recorded.transcript["metadata"]["recording"]["not_kept"], 2);
    // What is no fact takes room as well.
    let mut small = Recorder::new(Options { max_bytes: 4000, ..Options::default() });
    for _ in 0..1000 {
        assert!(small.observe_value(&json!({"fact": "nonsense"})).is_err());
    }
    assert!(small.bytes() <= 4000 && small.problems().count() < 50);
}

#[test]
fn agents_within_each_other_are_bounded() {
    let mut recorder = Recorder::new(Options::default());
    let mut refused = 0;
    let mut parent = String::new();
    for depth in 0..40 {
        let run = format!("r{depth}");
        let ask = json!({"id": "ask", "name": "ask", "arguments": {}});
        let mut facts = vec![
            fact_in_run(&parent, message(&format!("m{depth}"), "user", "?")),
            fact_in_run(
                &parent,
                json!({"fact": "model_called", "call": "c0", "messages": [format!("m{depth}")]}),
            ),
            fact_in_run(&parent, json!({"fact": "model_responded", "call": "c0", "tool_calls": [ask]})),
            fact_in_run(&parent, json!({"fact": "tool_called", "id": "ask", "name": "ask"})),
        ];
        facts.push(specialist(&run, &parent, "ask", "?").swap_remove(0));
        refused += facts.iter().filter(|fact| recorder.observe_value(fact).is_err()).count();
        parent = run;
    }
    assert!(
        refused > 0 && recorder.problems().any(|found| found.message.contains("more than 16 levels deep"))
    );
    let text = write::yaml(&recorder.finish().transcript);
    assert!(Document::open(&text, &Limits::default()).is_ok());
}

#[test]
fn facts_in_any_order_at_all_are_recorded_or_kept_unmapped() {
    let facts: Vec<Value> = [nested(), conversation(), parallel_of("p")].into_iter().flatten().collect();
    let indices = proptest::collection::vec(0..facts.len(), 1..120);
    super::order::holds(&indices, |order| {
        let mut recorder = Recorder::new(Options { chunks: true, ..Options::default() });
        let mut wrong = 0;
        for at in &order {
            wrong += usize::from(recorder.observe_value(&facts[*at]).is_err());
        }
        let recorded = recorder.finish();
        let kept =
            recorded.transcript["metadata"]["recording"]["not_in_place"].as_array().map_or(0, Vec::len);
        let is_reported = recorded.problems.len() >= kept;
        let is_complete = recorder.facts().count() + wrong == order.len();
        prop_assert!(kept >= wrong && is_reported && is_complete, "{kept} are kept of {wrong} in {order:?}");
        let text = write::yaml(&recorded.transcript);
        let document = Document::open(&text, &Limits::default());
        prop_assert!(document.is_whole(), "{order:?}\n{text}");
        // Every accepted answer is an answer of the run, unless its call was not reported.
        let reported = recorder.facts().filter(|fact| fact.kind == FactKind::ModelResponded).count();
        let expected = (reported + wrong).saturating_sub(kept);
        let answers = text.matches("llm_response:").count();
        prop_assert!(answers >= expected, "{answers} of {expected} in {order:?}\n{text}");
        Ok(())
    });
}

fn parallel_of(run: &str) -> Vec<Value> {
    let mut facts = vec![json!({"fact": "agent_entered", "agent": run, "run": run})];
    facts.extend(super::samples::parallel().into_iter().map(|fact| fact_in_run(run, fact)));
    facts
}

/// Many of everything: work that grew with the square of it would not end.
#[test]
fn many_agents_calls_and_changes_take_no_longer_than_they_must() {
    const MANY: usize = 8_000;
    let mut recorder = Recorder::new(Options::default());
    let mut take = |fact: Value| drop(recorder.observe_value(&fact));
    take(message("m", "user", "Hi"));
    for at in 0..MANY {
        // Parallel agents, calls without answers or messages, results without calls, keys of the context.
        take(json!({"fact": "agent_entered", "agent": format!("a{at}"), "run": format!("r{at}")}));
        take(fact_in_run(&format!("r{at}"), message("x", "user", "Hi")));
        take(json!({"fact": "model_called", "call": format!("c{at}"), "messages": ["m"]}));
        take(json!({"fact": "model_responded", "call": format!("c{at}"), "content": "same"}));
        take(json!({"fact": "tool_called", "id": format!("t{at}"), "name": "x"}));
        take(json!({"fact": "context_changed", "key": format!("k{at}"), "value": at}));
    }
    for at in 0..MANY {
        take(message(&format!("m{at}"), "assistant", "same"));
        take(json!({"fact": "context_changed", "key": format!("k{}", MANY - at - 1), "unset": true}));
    }
    let run = recorder.finish().transcript;
    let turns = run["execution"].as_array().unwrap();
    // A message reaches the first agent before anyone has begun.
    assert_eq!(turns.len(), 3 * MANY - 1);
    let answered = turns.iter().filter(|turn| turn.get("llm_response").is_some());
    assert!(answered.clone().all(|turn| turn.get("message_created").is_some()));
    assert_eq!(answered.count(), MANY);
}
