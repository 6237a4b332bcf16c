//! Data written as YAML is the same data to the readers that people use.
//!
//! PyYAML (both loaders), `yaml` and `js-yaml` are run for real, as is the reader of this workspace, on a
//! list of awkward texts and on generated data. `INTEROP_CASES` and `INTEROP_SEED` widen the search.

mod compare;
mod floats;
mod plain;
mod readers;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::parse::parse;
use transcript_core::{format, write};
use transcript_tests::generate::{awkward, data, full, samples};

/// The levels of nesting that every reader has to follow.
///
/// This workspace's reader has a limit of 200 by default; PyYAML's own loader gives up at some 500.
const DEPTH: usize = 190;

/// What some reader takes for other data than it was written from: the number of the document, and how.
fn disagreements(documents: &[Value]) -> Vec<(usize, String)> {
    let texts: Vec<String> = documents.iter().map(write::yaml).collect();
    let mut found = Vec::new();
    for (reader, answers) in readers::read(&texts) {
        assert_eq!(answers.len(), texts.len(), "{reader} left out texts");
        for (at, answer) in answers.iter().enumerate() {
            if let Some(difference) = compare::difference(&documents[at], answer) {
                found.push((at, format!("{reader}: {difference}, reading\n{}", shortened(&texts[at]))));
            }
        }
    }
    found
}

fn shortened(text: &str) -> String {
    text.chars().take(2_000).collect()
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

/// Texts as people write them, in which readers disagree on the plain scalars, are read alike when they
/// are formatted.
#[test]
fn formatted_documents() {
    let words = [
        "yes",
        "No",
        "on",
        "OFF",
        "y",
        "~",
        "Null",
        "null",
        "True",
        "FALSE",
        "12:30:00",
        "2025-01-13",
        "1_000",
        "=",
        "a:b",
        "+1",
        "-7",
        "0.5",
        "?x",
        "a?b",
        "plain",
        "two words",
        "été",
        "'it''s'",
        "\"a\\tb\"",
    ];
    let mut documents = Vec::new();
    for word in words {
        documents.push(format!("a:   {word}   # c\nb: [ {word} , x]\nc:\n- {word}\n"));
        documents.push(format!("{{a: [ {{k: {word}}}, {word} ]}}\n"));
        documents.push(format!("a: {word}\n   - and no\n   on\n\n   more\n"));
        // A key that is taken for the text of other data stays as it is, and so do the disagreements.
        let key = if ["~", "Null", "True", "FALSE", "+1"].contains(&word) { "key" } else { word };
        documents.push(format!("{key}: 1\nb: |+\n     x\n\n\nc: >-\n    {word}\n    y\n"));
    }
    let limits = Limits::default();
    let mut expected = Vec::new();
    let mut texts = Vec::new();
    for document in &documents {
        let Ok(formatted) = format::draft(document, &limits) else { continue };
        expected.push(parse(document, &limits).root.expect("a map").to_value());
        texts.push(formatted);
    }
    assert!(texts.len() > 90, "only {} are formatted", texts.len());
    for (reader, answers) in readers::read(&texts) {
        for ((text, meant), answer) in texts.iter().zip(&expected).zip(&answers) {
            if let Some(difference) = compare::difference(meant, answer) {
                panic!("{reader}: {difference}, reading\n{text}");
            }
        }
    }
}

/// Whole runs in the full form and the compact one, and what the one becomes as the other.
#[test]
fn generated_transcripts() {
    let cases = setting("INTEROP_CASES").unwrap_or(400) / 8;
    let seed = setting("INTEROP_SEED").unwrap_or(1);
    println!("{cases} runs of seed {seed}");
    let mut documents = Vec::new();
    for (script, extras) in samples(&full::with_extras(12), cases, seed) {
        let mut written = script.write();
        documents.push(written.compact);
        for (extra, at) in extras {
            extra.add(&mut written.full, at);
        }
        let compaction = Document::open(&write::yaml(&written.full), &Limits::default()).compacted(true);
        let text = compaction.text.expect("what is written can be read");
        documents.push(parse(&text, &Limits::default()).root.expect("data").to_value());
        documents.push(written.full);
    }
    assert_agreement(&documents);
}

/// Agents written in Python put `json.dumps` of a tool's result into the content of its message.
#[test]
fn json_on_one_line_is_that_of_python() {
    let texts = awkward::texts();
    let map: serde_json::Map<String, Value> =
        texts.iter().map(|text| (text.clone(), json!([text]))).collect();
    let documents = [
        Value::Object(map),
        json!([null, true, false, {}, [], [[]], {"a": {}}]),
        json!([0, -1, i64::MIN, u64::MAX, 0.1, 1.0, -0.0, 1.5, 100.25, 1e-5, 1e16, 1e22]),
    ];
    let lines: Vec<String> = documents.iter().map(write::json_line).collect();
    assert_eq!(readers::python_json(&lines), lines);
    for (line, document) in lines.iter().zip(&documents) {
        assert!(!line.contains('\n'));
        assert_eq!(serde_json::from_str::<Value>(line).ok().as_ref(), Some(document));
    }
}

/// The number in an environment variable, if it is set.
fn setting(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} must be a number, not {text:?}")))
}

/// The readers do disagree, and the comparison sees it: else the tests above would prove nothing.
#[test]
fn careless_texts_are_caught() {
    const PYTHON: &str = "PyYAML SafeLoader, PyYAML CSafeLoader";
    const ALL: &str = "PyYAML SafeLoader, PyYAML CSafeLoader, yaml, js-yaml, transcript-core";
    let careless = [
        ("a: no\n", json!({"a": "no"}), PYTHON),
        ("a: 12:30:00\n", json!({"a": "12:30:00"}), PYTHON),
        ("a: 2025-01-13\n", json!({"a": "2025-01-13"}), PYTHON),
        ("a: =\n", json!({"a": "="}), PYTHON),
        ("a: 1e22\n", json!({"a": 1e22}), PYTHON),
        ("a: 0o7\n", json!({"a": "0o7"}), "yaml, js-yaml, transcript-core"),
        // This workspace takes every key for a text, and reports one that is none.
        ("12: a\n", json!({"12": "a"}), ALL),
        ("a: |\n  \tb\n", json!({"a": "\tb\n"}), "PyYAML CSafeLoader"),
        ("a: \"\\ud83d\\ude00\"\n", json!({"a": "😀"}), PYTHON),
        ("a: [b?c]\n", json!({"a": ["b?c"]}), "PyYAML SafeLoader"),
        ("a: 0\n", json!({"a": -0.0}), ALL),
        ("a: 1\n", json!({"a": 2}), ALL),
        ("{b: 1, a: 2}\n", json!({"a": 2, "b": 1}), ALL),
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
