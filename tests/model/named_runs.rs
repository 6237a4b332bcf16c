//! Runs of other agents, spelled out and named.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::text::Table;
use transcript_core::write::{NestedMode, Nesting, nested};

use crate::data::{codes, steps, transcript};

fn with(data: &Value, mode: NestedMode) -> Value {
    nested(data, &Nesting { mode, files: &Table::new(), bytes: 1 << 20 })
}

fn ask(mut result: Value) -> Value {
    // Without an answer of its own a result is shown as data, with all of the run.
    result["response"] = "yes".into();
    json!({"type": "tool_call", "tool_call": {"tool_name": "ask", "result": result}})
}

fn naming(name: &str) -> Value {
    ask(json!({"nested_transcript_ref": name}))
}

fn user_turn(text: &str) -> Value {
    json!({"type": "message", "message_created": {"role": "user", "content": text}})
}

fn run(turns: Vec<Value>) -> Value {
    json!({"version": "1.0", "execution": turns})
}

proptest! {
    // The same cases everywhere, so that a run can be repeated.
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn what_is_named_comes_back(data in transcript(), most in 0_usize..600) {
        prop_assert_eq!(with(&data, NestedMode::Inline).to_string(), data.to_string());
        for mode in [NestedMode::Reference, NestedMode::Above(most)] {
            let named = with(&data, mode);
            prop_assert_eq!(with(&named, NestedMode::Inline).to_string(), data.to_string());
            prop_assert_eq!(with(&named, mode).to_string(), named.to_string());
        }
        let named = with(&data, NestedMode::Reference).to_string();
        prop_assert!(!named.contains("\"nested_transcript\""));
    }

    #[test]
    fn the_steps_are_the_same(data in transcript(), most in 0_usize..600) {
        let named = with(&data, NestedMode::Above(most));
        prop_assert_eq!(steps(&named), steps(&data));
        // One that is named twice is there once, and so are its faults. What its result says of it is
        // compared only inside of the result (T307).
        let kinds = |data: &Value| {
            codes(data).into_iter().filter(|code| *code != "T307").collect::<BTreeSet<_>>()
        };
        prop_assert_eq!(kinds(&named), kinds(&data));
    }
}

#[test]
fn ids_depend_on_the_place_alone_and_those_of_the_author_are_kept() {
    let inner = run(vec![user_turn("inner")]);
    let outer = run(vec![ask(json!({"nested_transcript": inner}))]);
    let mut data =
        run(vec![ask(json!({"nested_transcript": outer})), ask(json!({"nested_transcript": inner}))]);
    data["nested"] = json!({"nested_002": {"execution": []}});
    let named = with(&data, NestedMode::Reference);
    let ids: Vec<&String> = named["nested"].as_object().unwrap().keys().collect();
    assert_eq!(ids, ["nested_002", "nested_001", "nested_003"]);
    assert_eq!(named["execution"][1]["tool_call"]["result"]["nested_transcript_ref"], "#nested_003");
    let within = &named["nested"]["nested_001"]["execution"][0];
    assert_eq!(within["tool_call"]["result"]["nested_transcript_ref"], "#nested_003");
}

#[test]
fn steps_of_a_named_run_are_shown_and_lie_in_it() {
    let mut data = run(vec![naming("#one"), naming("#one")]);
    data["nested"] = json!({"one": {"execution": [user_turn("hello from one")]}});
    let text = data.to_string();
    let document = Document::open(&text, &Limits::default());
    let paths: Vec<String> = document.steps().into_iter().map(|row| row.path).collect();
    assert_eq!(paths, ["0", "1", "1.1", "2", "2.1"]);
    let step = document.step("2.1").unwrap();
    assert_eq!(step.row.span.start as usize, text.find("{\"type\":\"message\"").unwrap());
    assert_eq!(step.raw, user_turn("hello from one"));
    assert_eq!(document.expanded().unwrap(), data);
}

/// An id means the run that is declared nearest, as names do elsewhere.
#[test]
fn an_id_is_looked_for_from_the_inside_out() {
    let mut inside = run(vec![naming("#a"), naming("#b")]);
    inside["nested"] = json!({"a": {"execution": [user_turn("the inner a")]}});
    let mut data = run(vec![ask(json!({"nested_transcript": inside})), naming("#a")]);
    data["nested"] = json!({"a": {"execution": [user_turn("the outer a")]}, "b": {"execution": [user_turn("the outer b")]}});
    let document = Document::open(&data.to_string(), &Limits::default());
    let summary = |path: &str| document.step(path).unwrap().row.summary;
    assert_eq!(summary("1.1.1"), "the inner a");
    assert_eq!(summary("1.2.1"), "the outer b");
    assert_eq!(summary("2.1"), "the outer a");
    assert_eq!(document.step("1.1.1").unwrap().raw, user_turn("the inner a"));
    let whole = with(&data, NestedMode::Inline);
    assert_eq!(steps(&whole), steps(&data));
    assert!(whole.get("nested").is_none());
}

#[test]
fn a_run_cannot_be_a_part_of_itself() {
    let mut data = run(vec![naming("#a")]);
    data["nested"] = json!({"a": {"execution": [naming("#b")]}, "b": {"execution": [naming("#a")]}});
    assert_eq!(codes(&data).iter().filter(|code| **code == "T714").count(), 1);
    // What cannot be put in place stays as it is, declaration and all.
    let whole = with(&data, NestedMode::Inline);
    assert_eq!(whole["nested"], data["nested"]);
    assert!(Document::open(&data.to_string(), &Limits::default()).steps().len() > 1);
}

/// Each names the next twice: what would be shown doubles thirty times.
#[test]
fn runs_that_grow_out_of_each_other_are_held_to_the_limit() {
    let mut data = run(vec![naming("#r0")]);
    let names = |n: usize| naming(&format!("#r{}", n + 1));
    let nested = (0..30).map(|n| (format!("r{n}"), run(vec![names(n), names(n)])));
    let mut nested: serde_json::Map<String, Value> = nested.collect();
    nested.insert("r30".to_owned(), run(vec![user_turn("end")]));
    data["nested"] = Value::Object(nested);
    let limits = Limits { bytes: 1 << 20, ..Limits::default() };
    let document = Document::open(&data.to_string(), &limits);
    assert!(document.diagnostics().iter().any(|found| found.code == "T004"));
    assert!(document.steps().len() < 100_000);
    let written = with(&data, NestedMode::Inline);
    assert!(written.to_string().len() < 8 << 20);
}

/// A chain of any length is reported, in whichever order it is declared.
#[test]
fn a_long_chain_is_cut() {
    for is_reversed in [false, true] {
        let mut data = run(vec![naming("#r0")]);
        let entry = |n: usize| (format!("r{n}"), run(vec![naming(&format!("#r{}", n + 1))]));
        let mut chain: Vec<(String, Value)> = (0..5000).map(entry).collect();
        chain.push(("r5000".to_owned(), run(vec![user_turn("end")])));
        if is_reversed {
            chain.reverse();
        }
        data["nested"] = Value::Object(chain.into_iter().collect());
        let document = Document::open(&data.to_string(), &Limits::default());
        assert!(document.diagnostics().iter().any(|found| found.code == "T714"), "reversed: {is_reversed}");
        assert!(document.steps().len() < 40, "reversed: {is_reversed}");
        assert!(with(&data, NestedMode::Inline).to_string().len() < 4 << 20);
    }
}
