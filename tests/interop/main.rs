//! Data written as YAML is the same data to the readers that people use.
//!
//! PyYAML (both loaders), `yaml` and `js-yaml` are run for real, as is the crate's own parser, on a
//! list of awkward texts and on generated data. `INTEROP_CASES` and `INTEROP_SEED` widen the search.

mod awkward;
mod compare;
mod data;
mod granit;
mod readers;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use serde_json::{Value, json};
use transcript_core::write;

/// The levels of nesting that every reader is asked to follow; PyYAML follows some 300.
const DEPTH: usize = 200;

/// What some reader takes for other data than it was written from: the number of the document, and how.
fn disagreements(documents: &[Value]) -> Vec<(usize, String)> {
    let texts: Vec<String> = documents.iter().map(write::yaml).collect();
    let mut found = Vec::new();
    for (reader, answers) in readers::read(&texts) {
        assert_eq!(answers.len(), texts.len(), "{reader} left out texts");
        for (at, answer) in answers.iter().enumerate() {
            if let Some(difference) = compare::difference(&documents[at], answer) {
                found.push((at, format!("{reader}: {difference}, reading\n{}", texts[at])));
            }
        }
    }
    found
}

#[track_caller]
fn assert_agreement(documents: &[Value]) {
    let found = disagreements(documents);
    let first: Vec<&str> = found.iter().take(20).map(|(_, words)| words.as_str()).collect();
    assert!(found.is_empty(), "{} disagreements, among them\n{}", found.len(), first.join("\n"));
}

#[test]
fn awkward_texts_as_documents() {
    assert_agreement(&awkward::texts().into_iter().map(Value::String).collect::<Vec<_>>());
}

#[test]
fn awkward_texts_as_values() {
    let documents: Vec<Value> = awkward::texts()
        .iter()
        .flat_map(|text| {
            [json!({"a": text, "b": 1}), json!({"a": {"b": text}}), json!([{"a": text, "b": text}])]
        })
        .collect();
    assert_agreement(&documents);
}

#[test]
fn awkward_texts_as_items() {
    let documents: Vec<Value> = awkward::texts()
        .iter()
        .flat_map(|text| {
            [
                json!([text]),
                json!({"a": [text, text, "b"]}),
                // The map keeps the list from going into flow.
                json!({"a": [text, {}], "b": 1}),
                json!([[[text], [{}, text]]]),
            ]
        })
        .collect();
    assert_agreement(&documents);
}

#[test]
fn awkward_texts_as_keys() {
    let documents: Vec<Value> = awkward::texts()
        .iter()
        .flat_map(|text| {
            [
                json!({text: 1}),
                json!({text: text, "b": {text: []}}),
                json!([{text: [text, {}], "b": {text: {"c": "x\ny"}}}]),
            ]
        })
        .collect();
    assert_agreement(&documents);
}

#[test]
fn awkward_texts_together() {
    let texts = awkward::texts();
    let map: serde_json::Map<String, Value> = texts.iter().map(|text| (text.clone(), json!(text))).collect();
    assert!(map.len() >= 110, "only {} different texts", map.len());
    assert_agreement(&[json!(texts), Value::Object(map)]);
}

#[test]
fn awkward_numbers() {
    let numbers = awkward::numbers();
    let mut documents: Vec<Value> = numbers.clone();
    documents.push(json!({"a": numbers, "b": [numbers, {}]}));
    assert_agreement(&documents);
}

#[test]
fn deep_nesting() {
    let nest = |depth: usize, wrap: fn(Value) -> Value| (0..depth).fold(json!("no"), |inner, _| wrap(inner));
    assert_agreement(&[
        nest(DEPTH, |inner| json!([inner, {}])),
        nest(DEPTH, |inner| json!({"a": inner})),
        nest(DEPTH / 2, |inner| json!([{"a": inner, "b": [[]]}])),
    ]);
}

#[test]
fn generated_data() {
    let cases = setting("INTEROP_CASES").unwrap_or(400);
    let seed = setting("INTEROP_SEED").unwrap_or(1);
    let config = Config { failure_persistence: None, max_shrink_iters: 200, ..Config::default() };
    let mut seed_bytes = [0; 32];
    seed_bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed_bytes);
    let mut runner = TestRunner::new_with_rng(config, rng);

    let strategy = data::documents();
    let trees: Vec<_> =
        (0..cases).map(|_| strategy.new_tree(&mut runner).expect("the strategy rejects nothing")).collect();
    let documents: Vec<Value> = trees.iter().map(ValueTree::current).collect();
    let Some((at, _)) = disagreements(&documents).into_iter().next() else { return };
    let Some(tree) = trees.into_iter().nth(at) else { return };
    let outcome = runner.run_one(tree, |document| {
        match disagreements(std::slice::from_ref(&document)).into_iter().next() {
            None => Ok(()),
            Some((_, words)) => Err(TestCaseError::fail(words)),
        }
    });
    panic!("of {cases} documents from seed {seed}, number {at} is read wrongly: {outcome:#?}");
}

/// The number in an environment variable, if it is set.
fn setting(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} must be a number, not {text:?}")))
}

/// The readers do disagree, and the comparison sees it: else the tests above would prove nothing.
#[test]
fn careless_texts_are_caught() {
    let careless = [
        ("a: no\n", json!({"a": "no"}), "PyYAML SafeLoader, PyYAML CSafeLoader"),
        ("a: 12:30:00\n", json!({"a": "12:30:00"}), "PyYAML SafeLoader, PyYAML CSafeLoader"),
        ("a: 2025-01-13\n", json!({"a": "2025-01-13"}), "PyYAML SafeLoader, PyYAML CSafeLoader"),
        ("a: =\n", json!({"a": "="}), "PyYAML SafeLoader, PyYAML CSafeLoader"),
        ("a: 1e22\n", json!({"a": 1e22}), "PyYAML SafeLoader, PyYAML CSafeLoader"),
        ("a: 0o7\n", json!({"a": "0o7"}), "yaml, js-yaml, granit-parser"),
        (
            "12: a\n",
            json!({"12": "a"}),
            "PyYAML SafeLoader, PyYAML CSafeLoader, yaml, js-yaml, granit-parser",
        ),
        ("a: |\n  \tb\n", json!({"a": "\tb\n"}), "PyYAML CSafeLoader"),
        ("a: \"\\ud83d\\ude00\"\n", json!({"a": "😀"}), "PyYAML SafeLoader, PyYAML CSafeLoader"),
        ("a: 0\n", json!({"a": -0.0}), "PyYAML SafeLoader, PyYAML CSafeLoader, yaml, js-yaml, granit-parser"),
    ];
    let texts: Vec<String> = careless.iter().map(|(text, ..)| (*text).to_owned()).collect();
    let answers = readers::read(&texts);
    for (at, (text, meant, expected)) in careless.iter().enumerate() {
        let wrong: Vec<&str> = answers
            .iter()
            .filter(|(_, answers)| compare::difference(meant, &answers[at]).is_some())
            .map(|(reader, _)| reader.as_str())
            .collect();
        assert_eq!(wrong.join(", "), *expected, "reading {text}");
    }
}
