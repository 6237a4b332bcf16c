//! Content that repeats is written once, and reads as if it were not.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};
use transcript_core::document::{Document, Limits, Writing};
use transcript_core::text::content_key;
use transcript_core::write::{Dedupe, dedupe, json_line, without_blobs};

use crate::data::{codes, steps, transcript};

fn once(data: &Value, larger_than: usize) -> Value {
    dedupe(data, &Dedupe { larger_than })
}

/// A run that sends every call the same long text.
fn chatty(turns: usize) -> Value {
    let turn = |n: usize| {
        let message = json!({"id": format!("msg_{n:03}"), "role": "user", "content": "the same long question ".repeat(20)});
        json!({"turn": n, "type": "message", "message_created": message})
    };
    json!({"version": "1.0", "execution": (1..=turns).map(turn).collect::<Vec<_>>()})
}

proptest! {
    // The same cases everywhere, so that a run can be repeated.
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    /// The order of keys and the spelling of numbers are part of what must come back, so texts are compared.
    #[test]
    fn what_is_moved_comes_back(data in transcript(), larger_than in 0_usize..60) {
        let written = once(&data, larger_than);
        prop_assert_eq!(without_blobs(&written).to_string(), data.to_string());
        prop_assert_eq!(once(&written, larger_than).to_string(), written.to_string());
        for (key, content) in written.get("blobs").and_then(Value::as_object).into_iter().flatten() {
            prop_assert_eq!(key, &content_key(content));
            let references = written["execution"].to_string().matches(key).count()
                + written["initial_state"].to_string().matches(key).count();
            prop_assert!(references > 1, "{} is referred to {} times", key, references);
        }
    }

    #[test]
    fn the_steps_are_the_same(data in transcript(), larger_than in 0_usize..60) {
        let written = once(&data, larger_than);
        prop_assert_eq!(steps(&written), steps(&data));
        prop_assert_eq!(codes(&written), codes(&data));
        let document = Document::open(&written.to_string(), &Limits::default());
        prop_assert_eq!(document.expanded().unwrap().to_string(), data.to_string());
    }
}

#[test]
fn a_text_of_many_turns_is_written_once() {
    let data = chatty(500);
    let document = Document::open(&data.to_string(), &Limits::default());
    let writing = Writing { dedupe: Some(Dedupe::default()), ..Writing::default() };
    let written = document.expanded_with(&writing).unwrap();
    assert_eq!(written["blobs"].as_object().unwrap().len(), 1);
    assert!(json_line(&written).len() * 2 < json_line(&data).len());
    assert_eq!(without_blobs(&written), data);
}

#[test]
fn data_and_its_text_are_two_blobs() {
    let result = json!({"temp": 72, "sky": "clear"});
    let turn = json!({"tool_call": {"result": result}, "message_created": {"content": json_line(&result)}});
    let data = json!({"execution": [turn, turn]});
    let written = once(&data, 10);
    assert_eq!(written["blobs"].as_object().unwrap().len(), 2);
    assert_eq!(without_blobs(&written), data);
}

#[test]
fn what_is_inside_a_moved_part_goes_with_it() {
    let part = json!({"inner": "a text that is long enough"});
    let data = json!({"execution": [{"content": part}, {"content": part}]});
    let written = once(&data, 10);
    assert_eq!(written["blobs"].as_object().unwrap().values().collect::<Vec<_>>(), [&part]);
}

#[test]
fn only_content_is_moved() {
    let turn = json!({"llm_config": {"model": "a name that is long enough"}, "messages_sent_to_llm": [{"ref": "a"}]});
    let data = json!({"execution": [turn, turn]});
    assert_eq!(once(&data, 1), data);
}

#[test]
fn blobs_that_are_there_stay_when_nothing_refers_to_them() {
    let data = json!({"execution": [], "blobs": {"sha256:x": "nobody's"}});
    assert_eq!(once(&data, 0), data);
    assert_eq!(without_blobs(&data), data);
}

/// A small text must not become a large document: past the limit references stay, and one diagnostic says so.
#[test]
fn content_in_its_places_is_held_to_the_limit() {
    let long = "x".repeat(10_000);
    let key = content_key(&json!(long));
    let turn = json!({"type": "message", "message_created": {"role": "user", "content": {"$blob": key}}});
    let data = json!({"version": "1.0", "execution": vec![turn; 100], "blobs": {key: long}});
    let limits = Limits { bytes: 100_000, ..Limits::default() };
    let document = Document::open(&data.to_string(), &limits);
    let found: Vec<_> = document.diagnostics().iter().filter(|found| found.code == "T004").collect();
    assert_eq!(found.len(), 1);
    assert!(document.expanded().unwrap().to_string().len() < 150_000);
}

/// A message has the text of its response: two places for one blob, as large runs are written.
#[test]
fn a_document_within_the_limit_is_read_with_its_content_in_two_places() {
    let long = "x".repeat(90_000);
    let key = content_key(&json!(long));
    let text = json!({"$blob": key});
    let turn = json!({"type": "llm_call", "llm_response": {"content": text},
        "message_created": {"role": "assistant", "content": text}});
    let data = json!({"version": "1.0", "execution": [turn], "blobs": {key: long}});
    let limits = Limits { bytes: 100_000, ..Limits::default() };
    let document = Document::open(&data.to_string(), &limits);
    assert!(document.diagnostics().iter().all(|found| found.code != "T004"), "{:?}", document.diagnostics());
    assert_eq!(document.expanded().unwrap()["execution"][0]["message_created"]["content"], long);
}

/// A blob inside a blob is data: nothing is put in place twice, so that blobs cannot grow out of each other.
#[test]
fn a_reference_inside_a_blob_is_data() {
    let inner = json!("inner");
    let outer = json!([{"$blob": content_key(&inner)}, {"$blob": content_key(&inner)}]);
    let turn = json!({"type": "message", "message_created": {"role": "user", "content": {"$blob": content_key(&outer)}}});
    let blobs = json!({content_key(&inner): inner, content_key(&outer): outer});
    let data = json!({"version": "1.0", "execution": [turn], "blobs": blobs});
    let expanded = Document::open(&data.to_string(), &Limits::default()).expanded().unwrap();
    assert_eq!(expanded["execution"][0]["message_created"]["content"], outer);
}

#[test]
fn content_that_would_stand_too_deep_stays_away() {
    let nested = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
    let deep = nested(150);
    let key = content_key(&deep);
    let place = (0..100).fold(json!({"$blob": key}), |inner, _| json!([inner]));
    let data = json!({"version": "1.0", "execution": [{"type": "tool_call", "tool_call": {"tool_name": "t", "result": place}}],
        "blobs": {key: deep}});
    assert_eq!(codes(&data).iter().filter(|code| **code == "T005").count(), 1);
}
