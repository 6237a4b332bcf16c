//! Why an answer ended: the package reads the same file.

use serde_json::{Value, json};
use transcript_core::wire::write_exchange;

/// The reason that a chat completion has for a recorded one.
fn encoded(recorded: &str) -> Value {
    let data = json!({"answer": {"step": "1", "content": "Hi", "finish_reason": recorded}, "request": {"model": "m"}});
    write_exchange("response", "openai-chat", &data).unwrap()["response"]["choices"][0]["finish_reason"]
        .clone()
}

#[test]
fn finish_reasons_of_every_vendor_are_classified() {
    let kinds: Value = serde_json::from_str(include_str!("finish-reasons.json")).unwrap();
    for (kind, expected) in [("length", "length"), ("filter", "content_filter"), ("normal", "stop")] {
        for reason in kinds[kind].as_array().unwrap() {
            let reason = reason.as_str().unwrap();
            assert_eq!(encoded(reason), expected, "{reason}");
            assert_eq!(encoded(&reason.to_uppercase()), expected, "{reason}");
        }
    }
}
