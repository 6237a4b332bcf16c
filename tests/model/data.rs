//! Generated transcripts with repeated content and nested runs.

use proptest::prelude::*;
use serde_json::{Value, json};
use transcript_core::document::{Document, Limits, Options};

/// Few different contents, some a part of others, some nearly the same.
fn content() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!("short")),
        Just(json!("a text that is long enough to be moved")),
        Just(json!("{\"temp\": 72, \"sky\": \"clear and bright\"}")),
        Just(json!({"temp": 72, "sky": "clear and bright"})),
        Just(json!({"sky": "clear and bright", "temp": 72})),
        Just(json!({"temp": 72.0, "sky": "clear and bright"})),
        Just(json!({"$binary": {"media_type": "image/png", "base64": "aGVsbG8gd29ybGQsIGhlbGxv"}})),
        Just(Value::Null),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            (inner.clone(), inner).prop_map(|(a, b)| json!({"first": a, "content": b})),
        ]
    })
}

/// The turns of a run with up to `depth` runs within each other.
fn turns(depth: u32) -> BoxedStrategy<Value> {
    let answer = content().prop_map(|content| {
        json!({
            "type": "llm_call",
            "llm_response": {"content": content, "tool_calls": null},
            "message_created": {"role": "assistant", "content": content},
            "state_changes": {"context": {"last": content}},
        })
    });
    let result = content()
        .prop_map(|result| json!({"type": "tool_call", "tool_call": {"tool_name": "t", "result": result}}));
    let turn = if depth == 0 {
        prop_oneof![answer, result].boxed()
    } else {
        let ask = (turns(depth - 1), content()).prop_map(|(execution, words)| {
            let run = json!({"version": "1.0", "execution": execution});
            let result = json!({"before": words, "nested_transcript": run, "response": words});
            json!({"type": "tool_call", "tool_call": {"tool_name": "ask", "result": result}})
        });
        prop_oneof![answer, result, ask].boxed()
    };
    proptest::collection::vec(turn, 0..5).prop_map(Value::from).boxed()
}

/// A full transcript.
pub(crate) fn transcript() -> impl Strategy<Value = Value> {
    (turns(2), content()).prop_map(|(execution, words)| {
        json!({
            "version": "1.0",
            "initial_state": {"context": {"now": words}, "message_store": [{"role": "user", "content": words}]},
            "execution": execution,
        })
    })
}

/// The steps of a document with their details, without the places that they have in the text.
pub(crate) fn steps(document: &Value) -> Vec<Value> {
    steps_with(document, &Options::default())
}

pub(crate) fn steps_with(document: &Value, options: &Options) -> Vec<Value> {
    let document = Document::open_with(&document.to_string(), options);
    let detail = |path: &str| {
        let mut detail = serde_json::to_value(document.step(path).unwrap()).unwrap();
        for placed in ["span", "line", "problem"] {
            detail["row"].as_object_mut().unwrap().remove(placed);
        }
        // The data of the step itself names runs or spells them out, which other tests compare.
        detail.as_object_mut().unwrap().remove("raw");
        if let Some(result) = detail.pointer_mut("/tool/result").and_then(Value::as_object_mut) {
            result.retain(|key, _| !key.starts_with("nested_transcript"));
        }
        detail
    };
    document.steps().iter().map(|row| detail(&row.path)).collect()
}

/// The codes of everything that is wrong with a document.
pub(crate) fn codes(document: &Value) -> Vec<&'static str> {
    let document = Document::open(&document.to_string(), &Limits::default());
    document.diagnostics().iter().map(|found| found.code).collect()
}
