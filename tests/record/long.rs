//! Runs with growing lists of messages: what is written grows with what is new.

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::record::{Options, Recorded, Recorder};
use transcript_core::replay::{ReplayAnswer, Session};
use transcript_core::view::Recording;
use transcript_core::write;

use super::samples::message;
use super::{loaded, refs, taken};

/// How a host says what a model is sent.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Telling {
    Ids,
    Refs,
    Whole,
    Request,
    Nothing,
}

const ALL: [Telling; 5] = [Telling::Ids, Telling::Refs, Telling::Whole, Telling::Request, Telling::Nothing];

/// A run of so many turns of a user and a model, which sends the whole history at each.
fn growing(turns: usize, telling: Telling) -> Vec<Value> {
    let mut out = Vec::new();
    let mut sent: Vec<Value> = Vec::new();
    let say = |out: &mut Vec<Value>, sent: &mut Vec<Value>, role: &str, text: String| {
        let id = format!("m{}", sent.len() + 1);
        out.push(message(&id, role, &text));
        sent.push(match telling {
            Telling::Refs => json!({ "ref": id }),
            Telling::Whole | Telling::Request => json!({"role": role, "content": text}),
            _ => json!(id),
        });
    };
    say(&mut out, &mut sent, "system", "Be brief.".into());
    for turn in 1..=turns {
        say(&mut out, &mut sent, "user", format!("Question {turn}"));
        let call = format!("c{turn}");
        out.push(match telling {
            Telling::Nothing => json!({"fact": "model_called", "call": call}),
            Telling::Request => json!({"fact": "model_called", "call": call,
                "request": {"format": "openai-chat", "messages": sent}}),
            _ => json!({"fact": "model_called", "call": call, "messages": sent}),
        });
        out.push(json!({"fact": "model_responded", "call": call, "content": format!("Answer {turn}")}));
        say(&mut out, &mut sent, "assistant", format!("Answer {turn}"));
    }
    out
}

/// The journal that comes of facts, and the recording.
#[track_caller]
fn journalled(facts: &[Value], options: &str) -> (Recording, String) {
    let mut recording = Recording::begin(options).unwrap();
    let mut journal = recording.header();
    for fact in facts {
        let observed = recording.observe(&fact.to_string());
        assert_eq!(observed.problem, None);
        journal.push_str(&observed.line.unwrap());
    }
    (recording, journal)
}

/// What the call of this place among all was sent.
fn sent(run: &Value, call: usize) -> &Value {
    let mut calls = run["execution"].as_array().unwrap().iter().filter(|turn| turn["type"] == "llm_call");
    &calls.nth(call).unwrap()["messages_sent_to_llm"]
}

/// The transcript with every list spelled out.
fn spelled(recorded: &Recorded) -> Value {
    let mut run = recorded.transcript.clone();
    let document = Document::open(&write::json(&recorded.transcript), &Limits::default());
    let timeline = document.timeline().unwrap();
    for (at, turn) in run["execution"].as_array_mut().unwrap().iter_mut().enumerate() {
        if turn["messages_sent_to_llm"].is_string() {
            let sent = timeline.sent(at + 1).unwrap();
            let sent = sent.iter().map(|sent| json!({"ref": &*sent.message.unwrap().id.value}));
            turn["messages_sent_to_llm"] = sent.collect();
        }
    }
    run
}

#[track_caller]
fn plays(document: &Document) {
    let mut session = Session::new(document.timeline().unwrap().clone()).unwrap();
    while let Some(answer) = session.rehearse() {
        assert!(!matches!(answer, ReplayAnswer::Divergence { .. }), "{answer:#?}");
    }
    session.finish().unwrap();
}

#[test]
fn a_short_run_spells_its_lists_out_and_a_long_one_says_visible() {
    for telling in ALL {
        // 99 turns send 9,900 messages in all, 100 send 10,100.
        let short = taken(&growing(99, telling), Options::default()).finish();
        assert_eq!((short.problems.len(), refs(sent(&short.transcript, 98)).len()), (0, 198), "{telling:?}");
        let long = taken(&growing(100, telling), Options::default()).finish();
        assert_eq!(long.problems, []);
        assert!((0..100).all(|turn| sent(&long.transcript, turn) == "visible"), "{telling:?}");
        let spelled = spelled(&long);
        for turn in 0..99 {
            assert_eq!(sent(&spelled, turn), sent(&short.transcript, turn));
        }
        plays(&loaded(&long));
    }
}

#[test]
fn what_is_kept_and_written_grows_with_what_is_new() {
    for telling in [Telling::Ids, Telling::Request, Telling::Nothing] {
        let mut per_turn = Vec::new();
        for turns in [125, 250, 500] {
            let (recording, journal) = journalled(&growing(turns, telling), "");
            let kept = taken(&growing(turns, telling), Options::default()).bytes();
            let saved = recording.finish("yaml").text;
            per_turn.push([journal.len(), kept, saved.len()].map(|bytes| bytes / turns));
        }
        for (what, least) in per_turn[0].iter().enumerate() {
            let most = per_turn[2][what];
            // Longer numbers and lists that are written whole aside, a turn takes as much however many there are.
            assert!(most <= least + least / 3 + 40, "{telling:?} {per_turn:?}");
        }
        assert!(per_turn[2].iter().all(|bytes| *bytes < 3000), "{telling:?} {per_turn:?}");
    }
}

#[test]
fn a_journal_of_a_long_run_gives_the_same_transcript_again() {
    for telling in ALL {
        let facts = growing(150, telling);
        let (recording, journal) = journalled(&facts, "{}");
        let (again, resumed) = Recording::resume("", &journal).unwrap();
        assert_eq!((resumed.facts, resumed.problems.len()), (facts.len(), 0));
        assert_eq!(again.finish("yaml"), recording.finish("yaml"), "{telling:?}");
        assert_eq!(again.journal(), journal);
    }
}

#[test]
fn a_lost_line_costs_no_more_than_there_was_before_it() {
    let (recording, journal) = journalled(&growing(150, Telling::Ids), "");
    let whole: Value = serde_json::from_str(&recording.finish("json").text).unwrap();
    let lines: Vec<&str> = journal.lines().collect();
    for lost in (1..lines.len()).filter(|at| lines[*at].contains("model_called")).step_by(29) {
        let left: Vec<&str> =
            lines.iter().enumerate().filter(|(at, _)| *at != lost).map(|(_, line)| *line).collect();
        let (again, _) = Recording::resume("", &left.join("\n")).unwrap();
        let run: Value = serde_json::from_str(&again.finish("json").text).unwrap();
        let last =
            |run: &Value| run["execution"].as_array().unwrap().last().unwrap()["message_created"].clone();
        assert_eq!(last(&run), last(&whole));
        // Calls behind it were sent what could be seen, and the run plays.
        plays(&Document::open(&again.finish("yaml").text, &Limits::default()));
        let known =
            again.finish("json").problems.iter().filter(|found| found.message.contains("too little")).count();
        assert!(known <= lost / 4 + 2, "{lost}: {known}");
    }
}

#[test]
fn a_list_that_is_not_what_can_be_seen_is_written_out() {
    // The host sends what is hidden, leaves one out, changes words, adds a message that is nowhere stored.
    let mut facts = growing(120, Telling::Ids);
    let ids = |count: usize| (1..=count).map(|at| format!("m{at}")).collect::<Vec<_>>();
    let call = |facts: &mut Vec<Value>, name: &str, messages: Value| {
        facts.push(json!({"fact": "model_called", "call": name, "messages": messages}));
        facts.push(json!({"fact": "model_responded", "call": name, "content": name}));
    };
    let all = ids(241);
    call(&mut facts, "left out", json!(all[1..]));
    call(&mut facts, "short", json!(all[..200]));
    let mut other: Vec<Value> = all.iter().map(|id| json!(id)).collect();
    other[40] = json!({"ref": "m41", "content": "Other words"});
    call(&mut facts, "words", json!(other));
    other.push(json!({"role": "user", "content": "Nowhere stored"}));
    call(&mut facts, "more", json!(other));
    call(&mut facts, "all", json!(all));
    facts.push(json!({"fact": "visibility_changed", "message": "m7", "visible": false}));
    call(&mut facts, "hidden", json!(all));
    let without: Vec<&String> = all.iter().filter(|id| *id != "m7").collect();
    call(&mut facts, "without", json!(without));
    facts.push(json!({"fact": "visibility_changed", "message": "m7", "visible": true}));
    call(&mut facts, "again", json!(without));
    call(&mut facts, "shown", json!(all));
    let (recording, journal) = journalled(&facts, "");
    let run: Value = serde_json::from_str(&recording.finish("json").text).unwrap();
    let list = |turn: usize| sent(&run, 119 + turn).as_array().cloned().unwrap_or_default();
    assert_eq!(refs(sent(&run, 120)), all[1..]);
    assert_eq!(refs(sent(&run, 121)), all[..200]);
    assert_eq!((list(3).len(), &list(3)[40]), (241, &json!({"ref": "m41", "content": "Other words"})));
    assert_eq!((list(4).len(), list(4)[241]["content"].as_str()), (242, Some("Nowhere stored")));
    assert_eq!(sent(&run, 124), "visible");
    assert_eq!(refs(sent(&run, 125)), all);
    assert_eq!(sent(&run, 126), "visible");
    assert_eq!(refs(sent(&run, 127)), without);
    assert_eq!(sent(&run, 128), "visible");
    let (again, _) = Recording::resume("", &journal).unwrap();
    assert_eq!(again.finish("json").text, recording.finish("json").text);
    plays(&Document::open(&recording.finish("yaml").text, &Limits::default()));
}

#[test]
fn calls_that_are_made_at_once_say_what_each_could_see() {
    let mut facts = growing(120, Telling::Nothing);
    for name in ["a", "b", "c"] {
        facts.push(json!({"fact": "model_called", "call": name}));
    }
    for name in ["b", "a", "c"] {
        facts.push(
            json!({"fact": "model_responded", "call": name, "content": name, "message": format!("of {name}")}),
        );
        facts.push(json!({"fact": "message_appended", "id": format!("of {name}"), "role": "assistant"}));
    }
    let run = taken(&facts, Options::default()).finish().transcript;
    assert_eq!(sent(&run, 120), "visible");
    // The answer of `b` was there when these are written, and not when they were made.
    assert_eq!((refs(sent(&run, 121)).len(), refs(sent(&run, 122)).len()), (241, 241));
}

#[test]
fn the_compact_form_of_a_long_run_loses_nothing() {
    let options = Options { compact: true, name: Some("long".into()), ..Options::default() };
    let recorded = taken(&growing(120, Telling::Ids), options).finish();
    assert_eq!(recorded.losses.len(), usize::from(!recorded.is_compact));
    // Ids of the host are what the compact form has no place for.
    let options = Options::from_value(&json!({"compact": true, "ulids": "drop"})).unwrap();
    let recorded = taken(&growing(120, Telling::Ids), options).finish();
    assert!(recorded.is_compact, "{:?}", recorded.losses);
    plays(&loaded(&recorded));
}

#[test]
fn lists_that_are_spelled_out_count_and_those_that_can_be_seen_do_not() {
    let limit = |bytes: usize| Options { max_bytes: bytes, ..Options::default() };
    for telling in ALL {
        // Below 3,000 bytes a turn; spelled out, the lists would take 64 bytes for each of 250,000 messages.
        let recorder = taken(&growing(500, telling), limit(2_000_000));
        assert!(recorder.bytes() < 2_000_000, "{telling:?}");
    }
    // One that is never stored is in every list.
    let mut facts = growing(500, Telling::Request);
    for fact in &mut facts {
        if let Some(messages) = fact["request"]["messages"].as_array_mut() {
            messages.insert(0, json!({"role": "system", "content": "Never stored"}));
        }
    }
    let mut recorder = Recorder::new(limit(2_000_000));
    let refused = facts.iter().filter_map(|fact| recorder.observe_value(fact).err()).count();
    assert!(refused > 0 && recorder.bytes() <= 2_000_000);
}
