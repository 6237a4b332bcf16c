//! The request and the response of a step as JSON text.

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::view::Exchange;

/// The request is shown as it was sent, also what no vendor accepts.
#[test]
fn messages_keep_the_role_and_the_content_that_were_sent() {
    let text = r#"
version: "1.0"
initial_state: {context: {}, message_store: [{id: a, role: user, content: Hi}]}
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm:
      - ref: a
      - {role: critic, content: "Be strict"}
      - {role: assistant, content: null, tool_calls: [{id: c1, name: f, arguments: {n: 1}}]}
      - {role: tool, content: "1"}
    llm_response: {content: Hello}
    message_created: {id: b, role: assistant, content: Hello}
"#;
    let document = Document::open(text, &Limits::default());
    let exchange = Exchange::of(&document.step("1").unwrap());
    let request: Value = serde_json::from_str(exchange.request.as_deref().unwrap()).unwrap();
    assert_eq!(
        request["messages"],
        json!([
            {"role": "user", "content": "Hi"},
            {"role": "critic", "content": "Be strict"},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{\"n\": 1}"}},
            ]},
            {"role": "tool", "content": "1"},
        ])
    );
}
