//! Tools: what they return besides text, and calls that no model made.

use serde_json::{Value, json};
use transcript_core::diagnostic::Severity;
use transcript_core::document::{Document, Limits};
use transcript_core::record::Options;
use transcript_core::replay::{ReplayAnswer, Request, Session, Settings, ToolAnswer, ToolMatch, ToolSession};
use transcript_core::write;

use super::samples::message;
use super::{kinds, loaded, recorded, round_trip, taken};

/// Eight bytes of a picture.
const PICTURE: &str = "iVBORw0KGgo=";

/// A run with a tool that returns an image, in requests of a framework; `stored` is what the store has of the result.
fn pictured(format: &str, first: Value, second: Value, stored: Option<Value>) -> Vec<Value> {
    let calls = json!([{"id": "t1", "name": "look", "arguments": {"at": "sky"}}]);
    let mut result = json!({"fact": "message_appended", "id": "m3", "role": "tool", "tool_call_id": "t1"});
    if let Some(stored) = stored {
        result["content"] = stored;
    }
    vec![
        message("m1", "user", "Look."),
        json!({"fact": "model_called", "call": "c1", "request": {"format": format, "messages": first}}),
        json!({"fact": "model_responded", "call": "c1", "content": "", "tool_calls": calls, "message": "m2"}),
        json!({"fact": "message_appended", "id": "m2", "role": "assistant"}),
        json!({"fact": "tool_called", "id": "t1", "name": "look", "arguments": {"at": "sky"}}),
        json!({"fact": "tool_returned", "id": "t1", "result": {"seen": true}}),
        result,
        json!({"fact": "model_called", "call": "c2", "request": {"format": format, "messages": second}}),
        json!({"fact": "model_responded", "call": "c2", "content": "A sky.", "message": "m4"}),
        json!({"fact": "message_appended", "id": "m4", "role": "assistant"}),
    ]
}

/// The second request of a format, and the first, which it goes on from, with the form of the result in it.
fn requests() -> Vec<(&'static str, Value, Vec<Value>, Value)> {
    let ai_sdk =
        |image: Value| json!([{"type": "text", "text": "The sky: "}, image, {"type": "text", "text": "!"}]);
    let ai_sdk_of = |value: &Value| {
        json!([
            {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "t1", "toolName": "look", "input": {"at": "sky"}}]},
            {"role": "tool", "content": [
                {"type": "tool-result", "toolCallId": "t1", "toolName": "look", "output": {"type": "content", "value": value}},
            ]},
        ])
    };
    let images = [
        json!({"type": "file", "mediaType": "image/png", "data": {"type": "data", "data": PICTURE}}),
        json!({"type": "file", "mediaType": "image/png", "data": {"type": "data", "data": {"$binary": {"media_type": "application/octet-stream", "base64": PICTURE}}}}),
        json!({"type": "media", "mediaType": "image/png", "data": PICTURE}),
        json!({"type": "image-data", "mediaType": "image/png", "data": PICTURE}),
        json!({"type": "file-data", "mediaType": "application/pdf", "data": PICTURE, "filename": "sky.pdf"}),
        json!({"type": "image-url", "url": "https://example.com/sky.png"}),
        json!({"type": "custom", "sky": "blue"}),
    ];
    let mut out: Vec<(&str, Value, Vec<Value>, Value)> = Vec::new();
    for image in images {
        let value = ai_sdk(image);
        let first = json!([{"role": "user", "content": [{"type": "text", "text": "Look."}]}]);
        out.push(("ai-sdk", first, ai_sdk_of(&value).as_array().unwrap().clone(), value));
    }
    let blocks = json!([
        {"type": "text", "text": "{\"a\": 1}"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PICTURE}},
    ]);
    let anthropic = json!([
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "look", "input": {"at": "sky"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": blocks}]},
    ]);
    let input = json!([{"role": "user", "content": "Look."}]);
    out.push(("anthropic", input.clone(), anthropic.as_array().unwrap().clone(), blocks));
    let output = json!([
        {"type": "input_image", "image_url": format!("data:image/png;base64,{PICTURE}")},
        {"type": "input_file", "file_id": "file-1"},
        {"type": "input_text", "text": "both"},
    ]);
    let responses = json!([
        {"type": "function_call", "call_id": "t1", "name": "look", "arguments": "{\"at\": \"sky\"}"},
        {"type": "function_call_output", "call_id": "t1", "output": output},
    ]);
    out.push(("openai-responses", input, responses.as_array().unwrap().clone(), output));
    out
}

/// What a replay says to these requests.
fn strict(facts: &[Value], format: &str, requests: [&Value; 2]) -> Vec<ReplayAnswer> {
    let document = loaded(&taken(facts, Options::default()).finish());
    let mut session = Session::new(document.timeline().unwrap().clone()).unwrap();
    let ask = |messages: &Value| {
        let mut request = json!({"format": format});
        request[if format == "openai-responses" { "input" } else { "messages" }] = messages.clone();
        Request::from_value(&request).unwrap()
    };
    requests.into_iter().map(|messages| session.request(&ask(messages))).collect()
}

#[test]
fn the_parts_that_a_tool_returned_are_in_what_the_model_was_sent() {
    for (format, first, more, content) in requests() {
        let mut second = first.as_array().unwrap().clone();
        second.extend(more);
        let second = Value::Array(second);
        // The store may have the parts, or words alone.
        for stored in [Some(content.clone()), Some("a picture".into()), None] {
            let key = if format == "openai-responses" { "input" } else { "messages" };
            let mut facts = pictured(format, first.clone(), second.clone(), stored.clone());
            if key == "input" {
                for (at, sent) in [(1, &first), (7, &second)] {
                    facts[at]["request"] = json!({"format": format, "input": sent});
                }
            }
            let answers = strict(&facts, format, [&first, &second]);
            assert!(
                answers.iter().all(|answer| matches!(answer, ReplayAnswer::Response { .. })),
                "{format} {stored:?}\n{content:#}\n{answers:#?}"
            );
        }
    }
}

#[test]
fn the_bytes_of_a_part_are_binary_and_its_place_is_kept() {
    let (format, first, more, content) = requests().remove(0);
    let mut second = first.as_array().unwrap().clone();
    second.extend(more);
    let recorded = recorded(&pictured(format, first, Value::Array(second), Some("a picture".into())));
    let sent = &recorded["execution"][2]["messages_sent_to_llm"][2];
    assert_eq!(
        sent["content"],
        json!([
            {"type": "text", "text": "The sky: "},
            {"$binary": {"media_type": "image/png", "base64": PICTURE}},
            {"type": "text", "text": "!"},
        ]),
        "{content}"
    );
}

#[test]
fn a_result_with_parts_that_the_store_has_is_named_and_not_repeated() {
    let (format, first, more, content) = requests().remove(0);
    let mut second = first.as_array().unwrap().clone();
    second.extend(more);
    let recorded = recorded(&pictured(format, first, Value::Array(second), Some(content)));
    let sent = recorded["execution"][2]["messages_sent_to_llm"].as_array().unwrap();
    assert_eq!(super::refs(&json!(sent)), ["m1", "m2", "m3"]);
}

/// A program that calls tools itself, one of them failing, and its model afterwards.
fn called_by_the_host() -> Vec<Value> {
    vec![
        json!({"fact": "tool_called", "id": "own_1", "name": "look", "arguments": {"at": "sky"}}),
        json!({"fact": "tool_returned", "id": "own_1", "result": {"seen": true}}),
        json!({"fact": "tool_called", "id": "t1", "name": "look", "arguments": {"at": "sea"}}),
        json!({"fact": "tool_failed", "id": "t1", "error": "too far"}),
    ]
}

#[test]
fn a_call_that_no_model_made_has_its_id_and_says_who_made_it() {
    let transcript = round_trip(&called_by_the_host(), Options::default());
    assert_eq!(kinds(&transcript), ["tool_call", "tool_call"]);
    let run = |at: usize| &transcript["execution"][at]["tool_call"];
    assert_eq!((&run(0)["id"], &run(0)["caller"]), (&json!("own_1"), &json!("host")));
    assert_eq!((&run(1)["id"], &run(1)["caller"]), (&json!("t1"), &json!("host")));
    assert_eq!(transcript["metadata"]["recording"], Value::Null);
}

#[test]
fn its_result_comes_again() {
    let document = loaded(&taken(&called_by_the_host(), Options::default()).finish());
    let timeline = || document.timeline().unwrap().clone();
    for way in [ToolMatch::Arguments, ToolMatch::Id, ToolMatch::Order] {
        let mut session = ToolSession::new(timeline(), way, Settings::default());
        let answer = session.call(Some("own_1"), "look", &json!({"at": "sky"}));
        assert!(matches!(answer, ToolAnswer::Result { result, .. } if result == json!({"seen": true})));
    }
}

#[test]
fn an_id_that_a_model_gives_to_a_call_of_its_own_stays_with_that() {
    let calls = json!([{"id": "t1", "name": "look", "arguments": {}}]);
    let mut facts = vec![
        message("m1", "user", "Look."),
        json!({"fact": "agent_entered", "run": "other", "agent": "bob", "parent_run": ""}),
        json!({"fact": "tool_called", "run": "other", "id": "t1", "name": "look"}),
        json!({"fact": "tool_returned", "run": "other", "id": "t1", "result": 1}),
    ];
    facts.extend([
        json!({"fact": "model_called", "call": "c1"}),
        json!({"fact": "model_responded", "call": "c1", "content": "", "tool_calls": calls, "message": "m2"}),
        json!({"fact": "message_appended", "id": "m2", "role": "assistant"}),
        json!({"fact": "tool_called", "id": "t1", "name": "look"}),
        json!({"fact": "tool_returned", "id": "t1", "result": 2}),
    ]);
    let transcript = round_trip(&facts, Options::default());
    let runs: Vec<&Value> = transcript["execution"]
        .as_array()
        .unwrap()
        .iter()
        .map(|turn| &turn["tool_call"])
        .filter(|run| run.is_object())
        .collect();
    assert_eq!(
        (&runs[0]["id"], &runs[0]["caller"], &runs[0]["result"]),
        (&json!("t1_2"), &json!("host"), &json!(1))
    );
    assert_eq!(
        (&runs[1]["id"], &runs[1]["caller"], &runs[1]["result"]),
        (&json!("t1"), &Value::Null, &json!(2))
    );
    assert_eq!(
        transcript["metadata"]["recording"]["renamed_calls"],
        json!([{"agent": "bob", "id": "t1", "written": "t1_2"}])
    );
}

/// A program without a model that was offered tools, twice, and calls one.
fn offered() -> Vec<Value> {
    let tool =
        |name: &str, says: &str| json!({"name": name, "description": says, "parameters": {"type": "object"}});
    vec![
        json!({"fact": "tools_listed", "tools": [tool("look", "Looks."), tool("hear", "Hears.")]}),
        json!({"fact": "tools_listed", "tools": [tool("look", "Looks around.")]}),
        json!({"fact": "tool_called", "id": "own_1", "name": "look", "arguments": {}}),
        json!({"fact": "tool_returned", "id": "own_1", "result": 1}),
    ]
}

#[test]
fn tools_that_were_listed_are_those_of_an_agent_without_a_model() {
    let transcript = round_trip(&offered(), Options::default());
    let tools = transcript["agent_config"]["tools"].as_array().unwrap();
    let declared: Vec<(&Value, &Value)> =
        tools.iter().map(|tool| (&tool["name"], &tool["description"])).collect();
    assert_eq!(declared, [(&json!("look"), &json!("Looks around.")), (&json!("hear"), &json!("Hears."))]);
}

#[test]
fn a_model_is_offered_what_its_calls_say_and_not_what_was_listed() {
    let mut facts = offered();
    facts.extend([
        json!({"fact": "model_called", "call": "c1", "messages": [{"role": "user", "content": "Hi"}]}),
        json!({"fact": "model_responded", "call": "c1", "content": "Hi."}),
    ]);
    assert_eq!(recorded(&facts)["agent_config"]["tools"], Value::Null);
}

#[test]
fn what_the_host_says_of_a_run_is_metadata_of_that_run() {
    let guard = |at: u64| json!({"fact": "metadata_set", "metadata": {"guardrails": {"pii": at}, "at": at}});
    let mut facts = vec![guard(1), guard(2)];
    facts.push(json!({"fact": "tool_called", "id": "t1", "name": "ask"}));
    facts.push(json!({"fact": "agent_entered", "run": "r1", "agent": "bob", "parent_call": "t1"}));
    facts.push(json!({"fact": "metadata_set", "run": "r1", "metadata": {"of": "bob"}}));
    facts.push(json!({"fact": "agent_left", "run": "r1"}));
    facts.push(json!({"fact": "tool_returned", "id": "t1", "result": "Hello."}));
    let transcript = round_trip(&facts, Options::default());
    assert_eq!(transcript["metadata"]["guardrails"], json!({"pii": 2}));
    assert_eq!((&transcript["metadata"]["at"], &transcript["metadata"]["of"]), (&json!(2), &Value::Null));
    let nested = &transcript["execution"][0]["tool_call"]["result"]["nested_transcript"];
    assert_eq!(nested["metadata"]["of"], "bob");
}

#[test]
fn arguments_that_are_no_json_come_back_whatever_the_framework_sends_for_them() {
    let broken = "{\"location\":";
    // Some frameworks send the text again, others no arguments, since there are none that they could read.
    for sent in [json!(broken), json!({})] {
        let call = json!({"id": "t1", "name": "weather", "arguments": broken});
        let history = json!([
            {"role": "user", "content": "Q"},
            {"role": "assistant", "content": "", "tool_calls": [{"id": "t1", "name": "weather", "arguments": sent}]},
            {"role": "tool", "tool_call_id": "t1", "content": "no JSON"},
        ]);
        let recorded = taken(
            &[
                message("m1", "user", "Q"),
                json!({"fact": "model_called", "call": "c1", "messages": ["m1"]}),
                json!({"fact": "model_responded", "call": "c1", "content": "", "tool_calls": [call], "message": "m2"}),
                json!({"fact": "message_appended", "id": "m2", "role": "assistant"}),
                json!({"fact": "tool_returned", "id": "t1", "result": "no JSON"}),
                json!({"fact": "message_appended", "id": "m3", "role": "tool", "tool_call_id": "t1"}),
                json!({"fact": "model_called", "call": "c2", "messages": history}),
                json!({"fact": "model_responded", "call": "c2", "content": "End.", "message": "m4"}),
                json!({"fact": "message_appended", "id": "m4", "role": "assistant"}),
            ],
            Options::default(),
        )
        .finish();
        assert_eq!(recorded.problems, []);
        let text = write::yaml(&recorded.transcript);
        let document = Document::open(&text, &Limits::default());
        let reported: Vec<(&str, Severity)> =
            document.diagnostics().iter().map(|found| (found.code, found.severity)).collect();
        assert!(reported.contains(&("T206", Severity::Warning)), "{reported:?}");
        assert!(reported.iter().all(|(_, severity)| *severity != Severity::Error), "{reported:?}\n{text}");
        super::replayed(&document);
        let mut session = Session::new(document.timeline().unwrap().clone()).unwrap();
        let first = Request::from_value(&json!({"messages": [history[0]]})).unwrap();
        assert!(!matches!(session.request(&first), ReplayAnswer::Divergence { .. }), "{text}");
        let second = Request::from_value(&json!({"messages": history})).unwrap();
        let answer = session.request(&second);
        assert!(!matches!(answer, ReplayAnswer::Divergence { .. }), "{answer:#?}");
        session.finish().unwrap();
    }
}

/// A run of two turns in which the server gives each call the same id; `results` are what the tool returns.
fn reused(results: [&str; 2]) -> (Vec<Value>, Vec<Value>) {
    let call = |at: u64| json!([{"id": "call_0", "name": "look", "arguments": {"at": at}}]);
    let mut history = vec![json!({"role": "user", "content": "Q"})];
    let (mut facts, mut requests) = (Vec::new(), Vec::new());
    for (at, result) in (1..).zip(results) {
        requests.push(json!({"messages": history}));
        let id = format!("c{at}");
        facts.push(json!({"fact": "model_called", "call": id, "messages": history}));
        facts.push(json!({"fact": "model_responded", "call": id, "content": "", "tool_calls": call(at)}));
        facts.push(json!({"fact": "tool_called", "id": "call_0", "name": "look", "arguments": {"at": at}}));
        facts.push(json!({"fact": "tool_returned", "id": "call_0", "result": result}));
        history.push(json!({"role": "assistant", "content": "", "tool_calls": call(at)}));
        history.push(json!({"role": "tool", "tool_call_id": "call_0", "content": result}));
    }
    requests.push(json!({"messages": history}));
    facts.push(json!({"fact": "model_called", "call": "c3", "messages": history}));
    facts.push(json!({"fact": "model_responded", "call": "c3", "content": "End."}));
    (facts, requests)
}

#[test]
fn calls_that_a_server_gives_one_id_are_calls_of_their_own() {
    let (facts, _) = reused(["first", "second"]);
    let transcript = round_trip(&facts, Options::default());
    assert_eq!(kinds(&transcript), ["llm_call", "tool_call", "llm_call", "tool_call", "llm_call"]);
    let runs = [&transcript["execution"][1]["tool_call"], &transcript["execution"][3]["tool_call"]];
    assert_eq!(runs.map(|run| run["id"].as_str().unwrap()), ["call_0", "call_0_2"]);
    assert_eq!(runs.map(|run| run["result"].as_str().unwrap()), ["first", "second"]);
    let sent = transcript["execution"][4]["messages_sent_to_llm"].as_array().unwrap();
    let answers: Vec<&str> = sent.iter().filter_map(|item| item["tool_call_id"].as_str()).collect();
    assert_eq!(answers, ["call_0", "call_0_2"]);
    let noted = json!([{"id": "call_0", "written": "call_0_2"}]);
    assert_eq!(transcript["metadata"]["recording"]["renamed_calls"], noted);
    assert_eq!(transcript["metadata"]["recording"]["uncalled"], Value::Null);

    // An agent that is given the ids of the recording sends those back; what else it sends is drift.
    let document = loaded(&taken(&facts, Options::default()).finish());
    for (results, is_same) in [
        (["first", "second"], true),
        (["first", "other"], false),
        (["other", "second"], false),
        (["first", "first"], false),
    ] {
        let mut session = Session::new(document.timeline().unwrap().clone()).unwrap();
        let mut requests = reused(results).1;
        requests[2]["messages"][3]["tool_calls"][0]["id"] = "call_0_2".into();
        requests[2]["messages"][4]["tool_call_id"] = "call_0_2".into();
        let diverged = requests.iter().any(|request| {
            let request = Request::from_value(request).unwrap();
            matches!(session.request(&request), ReplayAnswer::Divergence { .. })
        });
        assert_eq!(!diverged, is_same, "{results:?}");
    }
}
