//! Images and files are a part of what is sent, in whatever words a framework says them.

use serde_json::{Value, json};
use transcript_core::replay::{ReplayAnswer, Request};

use crate::{ai_sdk, diverges, session};

/// A run with this content of the user message, as a full transcript.
fn run(content: &Value) -> String {
    json!({
        "version": "1.0",
        "initial_state": {"message_store": [{"id": "u", "role": "user", "content": content}]},
        "execution": [{
            "turn": 1,
            "type": "llm_call",
            "messages_sent_to_llm": [{"ref": "u"}],
            "llm_response": {"content": "A cat"},
            "message_created": {"id": "a", "role": "assistant", "content": "A cat"},
        }],
    })
    .to_string()
}

fn user(content: Value) -> Request {
    ai_sdk(&json!([{ "role": "user", "content": content }]))
}

fn matches(recorded: &Value, sent: Value) -> bool {
    matches!(session(&run(recorded)).request(&user(sent)), ReplayAnswer::Response { .. })
}

fn image(data: Value) -> Value {
    json!({"type": "file", "mediaType": "image/png", "data": data, "providerOptions": {"openai": {"detail": "low"}}})
}

#[test]
fn an_image_that_was_not_recorded_is_refused() {
    let text = json!({"type": "text", "text": "What is this?"});
    for (recorded, sent, path) in [
        (json!("What is this?"), json!([text, image(json!("iVBORw0KGgo="))]), "messages[0].parts[0]"),
        (json!(""), json!([image(json!("iVBORw0KGgo="))]), "messages[0].parts[0]"),
        (json!([text, image(json!("iVBORw0KGgo="))]), json!([text]), "messages[0].parts[0]"),
        (
            json!([image(json!("iVBORw0KGgo="))]),
            json!([image(json!("R0lGODlh"))]),
            "messages[0].parts[0].data",
        ),
        // The model reads the parts in their order.
        (
            json!([text, image(json!("iVBORw0KGgo="))]),
            json!([image(json!("iVBORw0KGgo=")), text]),
            "messages[0].parts[0].at",
        ),
        // An unknown kind of part is sent all the same.
        (json!("What is this?"), json!([text, {"type": "hologram", "id": 5}]), "messages[0].parts[0]"),
    ] {
        let found = diverges(session(&run(&recorded)).request(&user(sent)));
        assert_eq!(found.path, path, "{}", found.text);
    }
}

#[test]
fn one_image_is_the_same_in_the_words_of_all() {
    let png = json!("iVBORw0KGgo=");
    let words = [
        image(png.clone()),
        image(json!({"type": "data", "data": "iVBORw0KGgo="})),
        // What JSON text makes of a `Uint8Array` and of a `Buffer`.
        image(
            json!({"type": "data", "data": {"0": 137, "1": 80, "2": 78, "3": 71, "4": 13, "5": 10, "6": 26, "7": 10}}),
        ),
        image(json!({"type": "Buffer", "data": [137, 80, 78, 71, 13, 10, 26, 10]})),
        json!({"type": "image", "image": png}),
        json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo=", "detail": "low"}}),
        json!({"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo"}),
        json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": png}}),
        json!({"$binary": {"media_type": "image/png", "base64": png}}),
    ];
    for recorded in &words {
        for sent in &words {
            assert!(matches(&json!([recorded]), json!([sent])), "{recorded} is {sent}");
        }
    }
    let linked = [
        json!({"type": "file", "mediaType": "image/*", "data": {"type": "url", "url": "https://a.test/cat.png"}}),
        json!({"type": "file", "mediaType": "image/png", "data": "https://a.test/cat.png"}),
        json!({"type": "image_url", "image_url": {"url": "https://a.test/cat.png"}}),
        json!({"type": "image", "source": {"type": "url", "url": "https://a.test/cat.png"}}),
    ];
    for recorded in &linked {
        for sent in &linked {
            assert!(matches(&json!([recorded]), json!([sent])), "{recorded} is {sent}");
        }
        assert!(!matches(&json!([recorded]), json!([words[0]])), "{recorded}");
    }
}

#[test]
fn a_tool_may_return_an_image_and_any_list_of_maps() {
    let run = |content: Value| {
        json!({
            "version": "1.0",
            "initial_state": {"message_store": [
                {"id": "a", "role": "assistant", "content": "", "tool_calls": [{"id": "c", "function": {"name": "look", "arguments": {}}}]},
                {"id": "t", "role": "tool", "tool_call_id": "c", "tool_name": "look", "content": content},
            ]},
            "execution": [{
                "turn": 1,
                "type": "llm_call",
                "messages_sent_to_llm": [{"ref": "a"}, {"ref": "t"}],
                "llm_response": {"content": "A cat"},
                "message_created": {"id": "b", "role": "assistant", "content": "A cat"},
            }],
        })
        .to_string()
    };
    let sent = |output: Value| {
        ai_sdk(&json!([
            {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "c", "toolName": "look", "input": {}}]},
            {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c", "toolName": "look", "output": output}]},
        ]))
    };
    let parts = json!([{"type": "text", "text": "here"}, image(json!("R0lGODlh"))]);
    let with_image = sent(json!({"type": "content", "value": parts}));
    assert!(matches!(session(&run(parts)).request(&with_image), ReplayAnswer::Response { .. }));
    assert_eq!(diverges(session(&run(json!("here"))).request(&with_image)).path, "messages[1].parts[0]");
    let weather = json!([{"type": "sunny", "temp": 72}]);
    let as_json = sent(json!({"type": "json", "value": weather}));
    assert!(matches!(session(&run(weather)).request(&as_json), ReplayAnswer::Response { .. }));
}

#[test]
fn the_reasoning_of_the_model_is_no_part_of_the_comparison() {
    let request = json!([
        {"role": "user", "content": [{"type": "text", "text": "Hi"}]},
        {"role": "assistant", "content": [{"type": "reasoning", "text": "hm"}, {"type": "text", "text": "Hello!"}]},
        {"role": "user", "content": [{"type": "text", "text": "Bye"}]},
    ]);
    let mut session = session("messages: ['user: Hi', 'assistant: Hello!', 'user: Bye', 'assistant: Bye!']");
    session.request(&ai_sdk(&json!([request[0]])));
    assert!(matches!(session.request(&ai_sdk(&request)), ReplayAnswer::Response { .. }));
}

/// OpenAI's `ChatCompletionContentPartRefusal` and `ResponseOutputRefusal`.
#[test]
fn a_refusal_that_comes_back_as_a_part_is_the_recorded_one() {
    let run = json!({
        "version": "1.0",
        "initial_state": {"message_store": [{"id": "u", "role": "user", "content": "How?"}]},
        "execution": [
            {
                "turn": 1, "type": "llm_call", "messages_sent_to_llm": [{"ref": "u"}],
                "llm_response": {"content": "", "refusal": "no"},
                "message_created": {"id": "a", "role": "assistant", "content": ""},
            },
            {"turn": 2, "type": "message", "message_created": {"id": "v", "role": "user", "content": "Why?"}},
            {
                "turn": 3, "type": "llm_call", "messages_sent_to_llm": [{"ref": "u"}, {"ref": "a"}, {"ref": "v"}],
                "llm_response": {"content": "Because"},
                "message_created": {"id": "b", "role": "assistant", "content": "Because"},
            },
        ],
    })
    .to_string();
    let [user, again] = ["How?", "Why?"].map(|text| json!({"role": "user", "content": text}));
    let refusal = json!({"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]});
    for (format, list) in [("openai-chat", "messages"), ("openai-responses", "input")] {
        let request =
            |messages: Value| Request::from_value(&json!({"format": format, list: messages})).unwrap();
        let mut session = session(&run);
        session.request(&request(json!([user])));
        let answer = session.request(&request(json!([user, refusal, again])));
        assert!(matches!(answer, ReplayAnswer::Response { .. }), "{format}: {answer:?}");
    }
}

#[test]
fn content_is_parts_if_any_item_is_one() {
    let read = |content: Value| {
        let message = json!({"role": "user", "content": content});
        let request = Request::from_value(&json!({"format": "openai-chat", "messages": [message]})).unwrap();
        let message = request.messages().remove(0);
        (message.content, message.parts)
    };
    assert_eq!(read(json!([{"text": "Hi"}])), ("Hi".to_owned(), Vec::new()));
    let mixed = json!([{"type": "text", "text": "Hi"}, null, {"x": 1}]);
    assert_eq!(read(mixed), ("Hi".to_owned(), vec![json!({"x": 1, "at": 2})]));
    for data in [r#"[{"x": 1}]"#, r#"["Hi", 1]"#, r#"{"x": 1}"#] {
        assert_eq!(read(serde_json::from_str(data).unwrap()), (data.to_owned(), Vec::new()));
    }
}
