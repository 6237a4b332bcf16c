//! Recorded HTTP: real cassettes of VCR.py, with their requests replayed against the imported run, and the forms of
//! others.

use std::fs;

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits, detection};
use transcript_core::import::LogFile;
use transcript_core::parse::{Node, parse};
use transcript_core::replay::{ReplayAnswer, Request, Session};
use transcript_core::text::LineIndex;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{errors, folder, leaves, outline};

fn import(path: &str, text: &str, session: Option<&str>) -> ImportView {
    let options = ImportOptions { session: session.map(str::to_owned), ..ImportOptions::default() };
    import_log(&[LogFile { path, text }], &options).unwrap()
}

/// The outcome of each conversation of a recording.
fn conversations(path: &str, text: &str) -> Vec<ImportView> {
    let view = import(path, text, None);
    match view.problem {
        None => vec![view],
        Some(_) if view.sessions.len() > 1 => {
            view.sessions.iter().map(|name| import(path, text, Some(name))).collect()
        }
        Some(problem) => panic!("{path}: {problem:?}"),
    }
}

fn only(text: &str) -> ImportView {
    let mut all = conversations("x", text);
    assert_eq!(all.len(), 1);
    all.remove(0)
}

fn samples() -> Vec<(String, String)> {
    let entries = fs::read_dir(folder().join("vcr")).unwrap();
    let mut all: Vec<(String, String)> = entries
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(&path).unwrap())
        })
        .collect();
    all.sort();
    all
}

/// The interactions of a cassette of VCR.py with their lines.
fn interactions(text: &str) -> Vec<(u32, Node)> {
    let root = parse(text, &Limits::default()).root.unwrap();
    let lines = LineIndex::new(text);
    let items = root.get("interactions").unwrap().items().iter();
    items.map(|item| (lines.line(item.span.start as usize), item.clone())).collect()
}

fn string<'n>(item: &'n Node, path: &[&str]) -> &'n str {
    path.iter().fold(item, |node, key| node.get(key).unwrap()).as_str().unwrap()
}

/// The data of a response: of a stream that of its events.
fn response(item: &Node) -> Vec<Value> {
    let text = string(item, &["response", "body", "string"]);
    match text.strip_prefix("data: ") {
        None => vec![serde_json::from_str(text).unwrap()],
        Some(_) => {
            let events = text.lines().filter_map(|line| line.strip_prefix("data: "));
            events.filter_map(|event| serde_json::from_str(event).ok()).collect()
        }
    }
}

/// Sends the requests of a cassette to a transcript; returns how many calls were answered as recorded.
fn replay(view: &ImportView, text: &str, name: &str) -> usize {
    let yaml = view.text.as_ref().unwrap();
    let document = Document::open(yaml, &Limits::default());
    let mut session = Session::new(document.timeline().unwrap().clone()).unwrap();
    let used = &view.files[0].report.used;
    let mut answered = 0;
    for (line, item) in interactions(text) {
        if !used.contains(&line) {
            continue;
        }
        let mut request: Value = serde_json::from_str(string(&item, &["request", "body"])).unwrap();
        request["format"] = "openai-chat".into();
        let answer = session.request(&Request::from_value(&request).unwrap());
        let ReplayAnswer::Response { response: message, .. } = answer else {
            panic!("{name}:{line}: {answer:?}")
        };
        let message = serde_json::to_value(&message).unwrap();
        let recorded = response(&item);
        let content: String = recorded
            .iter()
            .filter_map(|event| {
                let choice = event["choices"].get(0)?;
                choice.get("message").or(choice.get("delta"))?["content"].as_str()
            })
            .collect();
        assert_eq!(message["content"], content, "{name}:{line}");
        answered += 1;
    }
    assert_eq!(session.remaining(), 0, "{name}");
    answered
}

/// 38 files with 68 calls, as a look at them with other means says.
#[test]
fn real_cassettes_become_transcripts_that_answer_their_own_requests() {
    let (mut files, mut talks, mut calls) = (0, 0, 0);
    for (name, text) in samples() {
        let found = detection(text.as_bytes(), &Limits::default());
        assert_eq!((found.kind, found.confidence), ("http-recording", "certain"), "{name}");
        files += 1;
        for view in conversations(&name, &text) {
            assert!(view.ok, "{name}: {}", view.rendered);
            let mut reported = errors(&view.transcript);
            if name.contains("extract_with_real_api") {
                // The structured answer is a call without an answer.
                assert_eq!(reported, ["T204: the call to `WeatherInfo` has no result at the end of the run"]);
                reported.clear();
            }
            assert_eq!(reported, Vec::<String>::new(), "{name}");
            talks += 1;
            calls += replay(&view, &text, &name);
        }
    }
    println!("{files} files, {talks} conversations, {calls} calls");
    assert_eq!((files, calls), (38, 68));
}

/// Every text and number of the bodies is in one of the transcripts, except the padding of streams against
/// listeners.
#[test]
fn nothing_of_a_body_is_lost() {
    for (name, text) in samples() {
        let mut there = Vec::new();
        for view in conversations(&name, &text) {
            leaves(&view.transcript, &mut there);
        }
        let all = there.join("\u{0}");
        for (line, item) in interactions(&text) {
            let mut wanted: Vec<Value> = response(&item);
            for event in &mut wanted {
                event.as_object_mut().unwrap().shift_remove("obfuscation");
                // What kind of message it is, its address says.
                event.as_object_mut().unwrap().shift_remove("object");
            }
            wanted.push(serde_json::from_str(string(&item, &["request", "body"])).unwrap());
            let mut texts = Vec::new();
            wanted.iter().for_each(|value| leaves(value, &mut texts));
            let missing: Vec<&String> =
                texts.iter().filter(|text| !there.contains(text) && !all.contains(text.as_str())).collect();
            // A part that is text is one by its place, and a tool is a function unless it says otherwise.
            let says = |text: &&&String| !["text", "function"].contains(&text.as_str());
            let missing: Vec<&&String> = missing.iter().filter(says).collect();
            assert!(missing.is_empty(), "{name}:{line}: {missing:?}");
        }
    }
}

/// The values of all headers, but for those that say nothing of who asks.
#[test]
fn no_header_that_lets_one_in_is_in_a_transcript() {
    for (name, text) in samples() {
        let cookies: Vec<&str> = text
            .match_indices("__cf_bm=")
            .map(|(at, _)| text[at + 8..].split([';', '\n']).next().unwrap())
            .collect();
        assert!(!cookies.is_empty(), "{name}");
        for view in conversations(&name, &text) {
            let made = view.text.unwrap();
            assert!(cookies.iter().all(|cookie| !made.contains(cookie)), "{name}");
            assert!(!made.contains("x-stainless") && !made.contains("cf-ray"), "{name}");
        }
    }
}

fn vcr(interactions: &[Value]) -> String {
    json!({"version": 1, "interactions": interactions}).to_string()
}

fn call(url: &str, request: &Value, response: &Value) -> Value {
    json!({
        "request": {"method": "POST", "uri": url, "body": request.to_string(), "headers": {
            "authorization": ["Bearer sk-live-0123456789abcdef"]}},
        "response": {"status": {"code": 200, "message": "OK"}, "headers": {}, "body": {"string": match response {
            Value::String(text) => text.clone(), other => other.to_string() }}},
    })
}

const CHAT: &str = "https://api.openai.com/v1/chat/completions";
const RESPONSES: &str = "https://api.openai.com/v1/responses";
const MESSAGES: &str = "https://api.anthropic.com/v1/messages";

#[test]
fn the_messages_of_anthropic_are_read_whole_and_streamed() {
    let tools = json!([{"name": "weather", "input_schema": {"type": "object"}}]);
    let user = json!({"role": "user", "content": "Weather?"});
    let events = [
        json!({"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude", "content": [], "usage": {"input_tokens": 5, "output_tokens": 1}}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Hm."}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "c2ln"}}),
        json!({"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "I look."}}),
        json!({"type": "content_block_start", "index": 2, "content_block": {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {}}}),
        json!({"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": "{\"city\": "}}),
        json!({"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": "\"Rome\"}"}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 9}}),
        json!({"type": "message_stop"}),
    ];
    let stream: String = events
        .iter()
        .map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap()))
        .collect();
    let second = json!([
        user,
        {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {"city": "Rome"}},
        ]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "is_error": true, "content": "no such city"}]},
    ]);
    let text = vcr(&[
        call(
            MESSAGES,
            &json!({"model": "claude", "max_tokens": 100, "system": "Be kind", "stream": true, "tools": tools, "messages": [user]}),
            &stream.into(),
        ),
        call(
            MESSAGES,
            &json!({"model": "claude", "max_tokens": 100, "system": "Be kind", "tools": tools, "messages": second}),
            &json!({"id": "msg_2", "type": "message", "role": "assistant", "model": "claude", "content": [{"type": "text", "text": "Sorry."}], "stop_reason": "end_turn", "usage": {"input_tokens": 20, "output_tokens": 2}}),
        ),
    ]);
    let view = only(&text);
    assert_eq!(
        outline(&view.transcript),
        [
            "system: Be kind",
            "user: Weather?",
            "calls weather({\"city\": \"Rome\"})",
            "weather fails: no such city",
            "says: Sorry."
        ]
    );
    let first = &view.transcript["execution"][0];
    assert_eq!(first["llm_response"]["reasoning"], "Hm.");
    assert_eq!(first["llm_response"]["usage"], json!({"input_tokens": 5, "output_tokens": 9}));
    let chunks = &first["llm_response"]["chunks"];
    assert_eq!(chunks[0], json!({"reasoning": "Hm."}));
    assert_eq!(chunks[4], json!({"tool_call_delta": {"index": 0, "arguments": "\"Rome\"}"}}));
    assert_eq!(view.transcript["agent_config"]["tools"][0]["parameters"], json!({"type": "object"}));
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    let mut there = Vec::new();
    leaves(&view.transcript, &mut there);
    assert!(there.iter().any(|text| text == "c2ln"));
    assert!(!view.text.unwrap().contains("sk-live"));
}

#[test]
fn responses_go_on_by_the_id_of_the_one_before() {
    let answer = |id: &str, output: Value| json!({"id": id, "object": "response", "status": "completed", "model": "gpt", "output": output, "usage": {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3}});
    let whole = answer(
        "resp_1",
        json!([
            {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Look it up"}]},
            {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "lookup", "arguments": "{\"id\":7}"},
        ]),
    );
    let stream = [
        json!({"type": "response.created", "response": {"id": "resp_1", "output": []}}),
        json!({"type": "response.output_item.added", "output_index": 1, "item": {"type": "function_call", "call_id": "call_1", "name": "lookup", "arguments": ""}}),
        json!({"type": "response.function_call_arguments.delta", "output_index": 1, "delta": "{\"id\":7}"}),
        json!({"type": "response.completed", "response": whole}),
    ];
    let stream: String = stream.iter().map(|event| format!("data: {event}\r\n\r\n")).collect();
    let text = vcr(&[
        call(
            RESPONSES,
            &json!({"model": "gpt", "instructions": "Be kind", "input": "Where is it?", "stream": true}),
            &stream.into(),
        ),
        call(
            RESPONSES,
            &json!({"model": "gpt", "instructions": "Be kind", "previous_response_id": "resp_1",
            "input": [{"type": "function_call_output", "call_id": "call_1", "output": "{\"place\":\"here\"}"}]}),
            &answer(
                "resp_2",
                json!([{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Here."}]}]),
            ),
        ),
        // The same again from the first answer is another conversation.
        call(
            RESPONSES,
            &json!({"model": "gpt", "previous_response_id": "resp_1",
            "input": [{"type": "function_call_output", "call_id": "call_1", "output": "gone"}]}),
            &answer(
                "resp_3",
                json!([{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Gone."}]}]),
            ),
        ),
    ]);
    let all = conversations("x", &text);
    assert_eq!(
        outline(&all[0].transcript),
        [
            "system: Be kind",
            "user: Where is it?",
            "calls lookup({\"id\":7})",
            "lookup -> {\"place\":\"here\"}",
            "says: Here."
        ]
    );
    let turns = outline(&all[1].transcript);
    assert_eq!(turns[turns.len() - 1], "says: Gone.");
    assert!(turns.contains(&"user: Where is it?".to_owned()));
    for view in &all {
        assert_eq!(errors(&view.transcript), Vec::<String>::new());
    }
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn chat(messages: Value, answer: &str) -> Value {
    let message = json!({"role": "assistant", "content": answer});
    call(
        CHAT,
        &json!({"model": "m", "messages": messages}),
        &json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}),
    )
}

#[test]
fn several_conversations_are_listed_and_one_is_chosen() {
    let answer = json!({"role": "assistant", "content": "A"});
    let text = vcr(&[
        chat(json!([user("one")]), "A"),
        chat(json!([user("two")]), "A"),
        chat(json!([user("one"), answer, user("more")]), "B"),
        chat(json!([user("two"), answer, user("less")]), "C"),
    ]);
    let view = import("x.json", &text, None);
    assert_eq!(view.sessions, ["conversation-1", "conversation-2"]);
    let problem = view.problem.unwrap();
    assert_eq!(
        problem.message,
        "the recording has 2 conversations: `conversation-1` (\"one\"), `conversation-2` (\"two\")"
    );
    let second = import("x.json", &text, Some("conversation-2"));
    assert_eq!(outline(&second.transcript), ["user: two", "says: A", "user: less", "says: C"]);
    assert_eq!(second.transcript["metadata"]["name"], "x conversation-2");
    let other = import("x.json", &text, Some("conversation-3")).problem.unwrap();
    assert_eq!(other.help.as_deref(), Some("did you mean `conversation-1`?"));
}

#[test]
fn failures_and_other_services_stand_where_they_belong() {
    let mut limited = chat(json!([user("Hi")]), "");
    limited["response"]["status"] = json!({"code": 429, "message": "Too Many Requests"});
    limited["response"]["headers"] = json!({"Retry-After": ["3"]});
    limited["response"]["body"] =
        json!({"string": "{\"error\": {\"type\": \"rate_limit_exceeded\", \"message\": \"slow down\"}}"});
    let token = json!({
        "request": {"method": "POST", "uri": "https://auth.test/token?client_secret=0a1b2c3d4e5f", "body": "grant=x", "headers": {}},
        "response": {"status": {"code": 200}, "headers": {}, "body": {"string": "{\"access_token\": \"q7Zr2mKd90aLxT\", \"scope\": \"all\"}"}},
    });
    let text = vcr(&[token, limited, chat(json!([user("Hi")]), "Hello!")]);
    let view = only(&text);
    assert_eq!(outline(&view.transcript), ["user: Hi", "fails: slow down", "says: Hello!"]);
    let error = &view.transcript["execution"][0]["llm_error"];
    assert_eq!((&error["status"], &error["retry_after"]), (&json!(429), &json!("3")));
    let kept = &view.transcript["metadata"]["recording"]["kept"][0]["entry"];
    assert_eq!(kept["response"]["body"]["scope"], "all");
    let yaml = view.text.unwrap();
    assert!(!yaml.contains("q7Zr2mKd90aLxT") && !yaml.contains("0a1b2c3d4e5f"), "{yaml}");
    assert_eq!(view.files[0].report.kept[0].kind, "POST https://auth.test/token");
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
}

/// An error next to an answer is a warning; one in place of it is a failure, whole and streamed.
#[test]
fn an_error_in_a_good_response_is_a_failure_if_there_is_no_answer() {
    let request = json!({"model": "m", "messages": [user("Hi")]});
    let body = |content: &str, error: Value| json!({"choices": [{"message": {"role": "assistant", "content": content}}], "error": error});
    let outlined = |url: &str, request: &Value, response: Value| {
        outline(&only(&vcr(&[call(url, request, &response)])).transcript)
    };
    let error = json!({"message": "upstream died"});
    assert_eq!(outlined(CHAT, &request, body("", error.clone())), ["user: Hi", "fails: upstream died"]);
    assert_eq!(outlined(CHAT, &request, body("Hello!", error.clone())), ["user: Hi", "says: Hello!"]);
    assert_eq!(outlined(CHAT, &request, body("Hello!", json!({}))), ["user: Hi", "says: Hello!"]);
    let output = json!([{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hel"}]}]);
    let request = json!({"model": "m", "input": "Hi"});
    for (status, error, expected) in [
        ("failed", error.clone(), "fails: upstream died"),
        ("completed", error, "says: Hel"),
        ("completed", json!({}), "says: Hel"),
    ] {
        let whole = json!({"object": "response", "status": status, "error": error, "output": output});
        let event = json!({"type": format!("response.{status}"), "response": whole});
        for response in [whole, format!("data: {event}\n\n").into()] {
            assert_eq!(outlined(RESPONSES, &request, response), ["user: Hi", expected]);
        }
    }
}

#[test]
fn a_call_of_claude_on_vertex_has_its_model_in_its_address() {
    let url =
        "https://h.test/v1/projects/p/locations/l/publishers/anthropic/models/claude-x@20241022:rawPredict";
    let request =
        json!({"anthropic_version": "vertex-2023-10-16", "max_tokens": 9, "messages": [user("Hi")]});
    let response =
        json!({"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Hello!"}]});
    let view = only(&vcr(&[call(url, &request, &response)]));
    assert_eq!(outline(&view.transcript), ["user: Hi", "says: Hello!"]);
    assert_eq!(view.transcript["agent_config"]["model"], "claude-x@20241022");
}

/// A tool may print the key of the program, and a model the password of a service.
#[test]
fn a_credential_is_taken_out_of_the_bodies_of_all_interactions() {
    let login = json!({
        "request": {"method": "GET", "uri": "https://shop.test/orders", "headers": {"X-Api-Key": ["shop-4711-quiet-owl"]}},
        "response": {"status": {"code": 200}, "headers": {}, "body": {"string": "{}"}},
    });
    let asked = chat(json!([user("The key is shop-4711-quiet-owl.")]), "It is shop-4711-quiet-owl, thanks.");
    for order in [[login.clone(), asked.clone()], [asked.clone(), login.clone()]] {
        let view = only(&vcr(&order));
        let expected = ["user: The key is [redacted].", "says: It is [redacted], thanks."];
        assert_eq!(outline(&view.transcript), expected);
        assert!(!view.text.unwrap().contains("4711"));
    }
    // In a stream, each event may have a part of it.
    let event =
        |text: &str| format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": {"content": text}}]}));
    let mut streamed = asked;
    let events = event("It is shop-4711") + &event("-quiet-owl.") + "data: [DONE]\n\n";
    streamed["response"]["body"] = json!({"string": events});
    let view = only(&vcr(&[login, streamed]));
    assert_eq!(outline(&view.transcript), ["user: The key is [redacted].", "says: It is [redacted]."]);
    assert!(!view.text.unwrap().contains("4711"));
}

/// Whoever has the address of a webhook may call it.
#[test]
fn the_token_in_the_address_of_a_webhook_is_taken_out() {
    let hook = json!({
        "request": {"method": "POST", "uri": "https://hooks.slack.com/services/T0A1B2/B0Z9Y8/q7Zt4mXw9Lr2Vb8NcK1yHsPd", "body": "hi", "headers": {}},
        "response": {"status": {"code": 200}, "headers": {}, "body": {"string": "sent to q7Zt4mXw9Lr2Vb8NcK1yHsPd"}},
    });
    let view = only(&vcr(&[hook, chat(json!([user("Hi")]), "Hello!")]));
    let kept = &view.transcript["metadata"]["recording"]["kept"][0]["entry"];
    assert_eq!(kept["request"]["url"], "https://hooks.slack.com/services/T0A1B2/B0Z9Y8/[redacted]");
    assert_eq!(kept["response"]["body"], "sent to [redacted]");
    let report = serde_json::to_string(&view.files[0].report).unwrap();
    assert!(report.contains("hooks.slack.com") && !report.contains("q7Zt4mXw9"), "{report}");
    assert!(!view.transcript.to_string().contains("q7Zt4mXw9"));
}

#[test]
fn packed_and_binary_bodies_are_read_or_reported() {
    // `gzip.compress` and `base64.b64encode` of Python 3 wrote it of the answer below.
    let text = "interactions:\n- request:\n    body: '{\"model\": \"m\", \"messages\": [{\"role\": \"user\", \"content\": \"Hi\"}]}'\n    headers: {}\n    method: POST\n    uri: https://api.openai.com/v1/chat/completions\n  response:\n    body:\n      string: !!binary |\n        H4sIAAAAAAACA6tWSs7Iz0xOLVayiq5Wyk0tLk5MT1WyqlYqys8B0kqJxcWZxSWJeSVKOkrJ+XklqUCWlZJHak5OvlJtbWwtAKWXcpRAAAAA\n    headers:\n      content-encoding:\n      - gzip\n    status:\n      code: 200\n      message: OK\nversion: 1\n";
    let view = only(text);
    let turns = outline(&view.transcript);
    assert_eq!(turns[0], "user: Hi");
    assert_eq!(turns[1], "says: Hello", "{}", view.rendered);
    let brotli = text.replace("- gzip", "- br").replace("H4sIAAAAAAACA6tW", "CwKAaGn/ABEiM0RV");
    let view = only(&brotli);
    assert_eq!(outline(&view.transcript), ["user: Hi", "fails: its encoding Brotli is not supported"]);
    assert!(view.rendered.contains("the response cannot be read: its encoding Brotli is not supported"));
}

#[test]
fn other_recorders_are_read_as_well() {
    let request = json!({"model": "m", "messages": [user("Hi")]});
    let answer = json!({"choices": [{"message": {"role": "assistant", "content": "Hello!"}, "finish_reason": "stop"}]});
    let nock = json!([{"scope": "https://api.openai.com:443", "method": "POST", "path": "/v1/chat/completions", "body": request,
        "status": 200, "response": answer, "rawHeaders": ["Date", "Fri, 21 Nov 2025 22:31:54 GMT", "Set-Cookie", "sid=a1b2c3d4e5f6g7"]}]);
    // The bytes of a compressed answer are hexadecimal texts; those of the same data as above.
    let hex = "1f8b0800000000000203ab564acec8cf4c4e2d56b28aae56ca4d2d2e4e4c4f55b2aa562acacf01d24a89c5c599c5258979254a3a4ac9f97925a940969592476a4e4ebe526d6d6c2d00a597729440000000";
    let nock_packed = json!([{"scope": "https://api.openai.com:443", "method": "POST", "path": "/v1/chat/completions", "body": request,
        "status": 200, "response": [hex], "rawHeaders": {"content-encoding": "gzip"}, "responseIsBinary": false}]);
    let ruby = format!(
        "---\nhttp_interactions:\n- request:\n    method: post\n    uri: {CHAT}\n    body:\n      encoding: UTF-8\n      string: '{request}'\n    headers:\n      Authorization:\n      - Bearer sk-live-0123456789abcdef\n  response:\n    status:\n      code: 200\n      message: OK\n    headers: {{}}\n    body:\n      encoding: UTF-8\n      string: '{answer}'\n  recorded_at: Fri, 21 Nov 2025 22:31:54 GMT\nrecorded_with: VCR 6.3.1\n"
    );
    let har = json!({"log": {"version": "1.2", "creator": {"name": "Polly.JS", "version": "6.0.6"}, "_recordingName": "greets", "entries": [{
        "startedDateTime": "2025-11-21T22:31:54.000Z", "time": 5,
        "request": {"method": "POST", "url": CHAT, "headers": [{"name": "authorization", "value": "Bearer sk-live-0123456789abcdef"}],
            "postData": {"mimeType": "application/json", "text": request.to_string()}},
        "response": {"status": 200, "headers": [], "content": {"mimeType": "application/json", "text": answer.to_string()}}}]}});
    for (style, text, time) in [
        ("nock", nock.to_string(), Some("2025-11-21T22:31:54Z")),
        ("nock", nock_packed.to_string(), None),
        ("vcr-ruby", ruby, Some("2025-11-21T22:31:54Z")),
        ("har", har.to_string(), Some("2025-11-21T22:31:54.000Z")),
    ] {
        let view = only(&text);
        assert_eq!(view.transcript["metadata"]["recording"]["format"], style);
        let turns = outline(&view.transcript);
        assert!(
            turns == ["user: Hi", "says: Hello!"] || turns == ["user: Hi", "says: Hello"],
            "{style}: {turns:?} {}",
            view.rendered
        );
        assert_eq!(view.transcript["execution"][0]["timestamp"].as_str(), time, "{style}");
        let yaml = view.text.unwrap();
        assert!(!yaml.contains("sk-live") && !yaml.contains("a1b2c3d4e5f6g7"), "{style}");
        assert_eq!(errors(&view.transcript), Vec::<String>::new(), "{style}");
    }
}

/// Whatever line a cassette is cut at or broken in, what is whole is read, and nothing of the rest lets anyone in.
#[test]
fn a_broken_interaction_costs_no_more_than_itself() {
    let (name, text) = samples().into_iter().find(|(name, _)| name.contains("long_conversation")).unwrap();
    let whole = conversations(&name, &text);
    let starts: Vec<usize> = text.match_indices("- request:").map(|(at, _)| at).collect();
    assert!(starts.len() > 3 && whole.len() == 1);
    // The quote of the second request is open.
    let quote = starts[1] + text[starts[1]..].find('\'').unwrap();
    let broken = format!("{}\t\u{7}: [{}", &text[..quote], &text[quote + 1..]);
    let views = conversations(&name, &broken);
    let used: usize = views.iter().map(|view| view.files[0].report.used.len()).sum();
    assert_eq!(used, starts.len() - 1);
    let lost = &views[0].files[0].report.lost;
    let line = text[..starts[1]].matches('\n').count() as u32 + 1;
    assert_eq!((lost.len(), lost[0].line), (1, line));
    assert!(!views[0].ok);
    for at in (starts[1]..text.len()).step_by(997) {
        let cut = &text[..text.floor_char_boundary(at)];
        let views = conversations(&name, cut);
        let used: usize = views.iter().map(|view| view.files[0].report.used.len()).sum();
        let whole = starts.iter().filter(|start| **start <= at).count();
        assert!(used == whole || used + 1 == whole, "{at}: {used} of {whole}");
        for view in views {
            assert!(!view.text.unwrap().contains("__cf_bm"), "{at}");
        }
    }
}

#[test]
fn hostile_cassettes_are_answered() {
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let request = format!(
        "{{\"model\": \"m\", \"messages\": [{{\"role\": \"user\", \"content\": \"Hi\"}}], \"deep\": {deep}}}"
    );
    let mut changed = chat(json!([user("Hi")]), "x");
    changed["request"]["body"] = request.into();
    let mut huge_index = chat(json!([user("Hi")]), "x");
    huge_index["response"]["body"] = json!({"string": "data: {\"choices\": [{\"index\": 99999999999, \"delta\": {\"tool_calls\": [{\"index\": 88888888888}]}}]}\n\ndata: \u{0}\n\n"});
    let no_data = json!({"request": 5, "response": []});
    let text = vcr(&[
        no_data,
        changed,
        huge_index,
        json!(null),
        chat(json!([{"role": 7}, "text", user("\u{0}")]), "fine"),
    ]);
    for view in conversations("x", &text) {
        assert!(view.text.is_some());
        assert_eq!(errors(&view.transcript), Vec::<String>::new());
    }
    let many = vcr(&(0..2000).map(|at| chat(json!([user(&format!("{at}"))]), "A")).collect::<Vec<_>>());
    assert_eq!(import("x", &many, None).sessions.len(), 2000);
}

/// Calls of the time before they had ids, which a history repeats.
#[test]
fn calls_without_ids_are_known_when_they_come_again() {
    let called =
        r#"{"role": "assistant", "content": "", "function_call": {"name": "look", "arguments": "{}"}}"#;
    let interaction = |messages: &str, answer: &str| {
        format!(
            r#"{{"scope": "https://h:443", "method": "POST", "path": "/v1/chat/completions", "status": 200,
                "body": {{"messages": [{messages}]}}, "response": {{"choices": [{{"message": {answer}}}]}}}}"#
        )
    };
    let user = r#"{"role": "user", "content": "Hi"}"#;
    let second = format!(r#"{user}, {called}, {{"role": "function", "name": "look", "content": "7"}}"#);
    let more = format!(r#"{second}, {called}, {{"role": "function", "name": "look", "content": "8"}}"#);
    let done = r#"{"role": "assistant", "content": "Done"}"#;
    let all = [interaction(user, called), interaction(&second, called), interaction(&more, done)];
    let text = format!("[{}]", all.join(", "));
    let imported = only(&text);
    assert_eq!(imported.files[0].diagnostics.iter().map(|found| &found.message).collect::<Vec<_>>(), [""; 0]);
    let run = ["user: Hi", "calls look({})", "look -> 7", "calls look({})", "look -> 8", "says: Done"];
    assert_eq!(outline(&imported.transcript), run);
    assert_eq!(errors(&imported.transcript), Vec::<String>::new());
}
