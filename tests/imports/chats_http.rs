//! Recorded HTTP of the chats of Ollama, Mistral and Cohere, in HAR files and cassettes of VCR.

use serde_json::{Value, json};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{errors, outline};

fn entry(url: &str, request: &Value, (status, content): (u64, String)) -> Value {
    json!({
        "startedDateTime": "2026-11-27T10:00:00.000Z",
        "request": {"method": "POST", "url": url, "headers": [], "postData": {"text": request.to_string()}},
        "response": {"status": status, "headers": [], "content": {"text": content}},
    })
}

fn import(entries: Vec<Value>) -> ImportView {
    let text = json!({"log": {"version": "1.2", "entries": entries}}).to_string();
    import_log(&[LogFile { path: "run.har", text: &text }], &ImportOptions::default()).unwrap()
}

const OLLAMA: &str = "http://localhost:11434/api/chat";

fn tool() -> Value {
    json!([{"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}])
}

#[test]
fn lines_of_json_and_calls_without_ids_become_turns() {
    let user = json!({"role": "user", "content": "Where is it warmer?"});
    let call = |place: &str| json!({"function": {"name": "weather", "arguments": {"place": place}}});
    let event = |message: Value| json!({"model": "llama-x", "message": message, "done": false}).to_string();
    let last = json!({
        "model": "llama-x", "message": {"role": "assistant", "content": ""}, "done": true, "done_reason": "stop",
        "prompt_eval_count": 5, "eval_count": 7,
    });
    let lines = [
        event(json!({"role": "assistant", "content": "", "thinking": "Hm"})),
        event(json!({"role": "assistant", "content": "I look."})),
        event(json!({"role": "assistant", "content": "", "tool_calls": [call("Oslo")]})),
        event(json!({"role": "assistant", "content": "", "tool_calls": [call("Rome")]})),
        last.to_string(),
    ];
    let second = json!([
        user,
        {"role": "assistant", "content": "I look.", "tool_calls": [call("Oslo"), call("Rome")]},
        {"role": "tool", "tool_name": "weather", "content": "{\"temp\": 5}"},
        {"role": "tool", "content": "{\"temp\": 25}"},
    ]);
    let request = |messages: &Value, stream: Value| json!({"model": "llama-x", "messages": messages, "tools": tool(), "options": {"temperature": 0.5}, "stream": stream});
    let answer =
        json!({"model": "llama-x", "message": {"role": "assistant", "content": "In Rome."}, "done": true});
    let view = import(vec![
        entry(OLLAMA, &request(&json!([user]), Value::Null), (200, lines.join("\n") + "\n")),
        entry(OLLAMA, &request(&second, json!(false)), (200, answer.to_string())),
    ]);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Where is it warmer?",
            "calls weather({\"place\":\"Oslo\"}), weather({\"place\":\"Rome\"})",
            "weather -> {\"temp\": 5}",
            "weather -> {\"temp\": 25}",
            "says: In Rome."
        ]
    );
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    let config = &view.transcript["agent_config"];
    assert_eq!((&config["model"], &config["temperature"]), (&json!("llama-x"), &json!(0.5)));
    let first = &view.transcript["execution"][0]["llm_response"];
    assert_eq!((&first["reasoning"], &first["content"]), (&json!("Hm"), &json!("I look.")));
    assert_eq!(first["usage"], json!({"prompt_eval_count": 5, "eval_count": 7}));
    assert_eq!(first["chunks"][1], json!({"text": "I look."}));
}

#[test]
fn a_failure_and_a_page_are_no_answers_of_ollama() {
    let request = json!({"model": "llama-x", "messages": [{"role": "user", "content": "Hi"}]});
    let error = json!({"error": "model 'llama-x' not found"});
    let page = json!({"id": "c1", "messages": [{"role": "user", "parts": [{"type": "text", "text": "Hi"}]}]});
    let view = import(vec![
        entry(OLLAMA, &request, (404, error.to_string())),
        entry("https://chat.test/api/chat", &page, (200, "{}".to_owned())),
    ]);
    let failed = &view.transcript["execution"][0]["llm_error"];
    assert_eq!((&failed["message"], &failed["status"]), (&json!("model 'llama-x' not found"), &json!(404)));
    assert_eq!(view.transcript["execution"].as_array().unwrap().len(), 1);
    assert_eq!(view.transcript["metadata"]["recording"]["kept"].as_array().unwrap().len(), 1);
}

#[test]
fn a_prompt_without_messages_becomes_a_turn() {
    let url = "http://localhost:11434/api/generate";
    let event =
        |response: &str| json!({"model": "llama3.2", "response": response, "done": false}).to_string();
    let last = json!({
        "model": "llama3.2", "response": "", "done": true, "done_reason": "stop", "context": [1, 2, 3],
        "prompt_eval_count": 26, "eval_count": 259,
    });
    let lines = [event("The"), event(" sky"), last.to_string()];
    let request = json!({"model": "llama3.2", "system": "Be brief", "prompt": "Why is the sky blue?", "keep_alive": "5m"});
    let load = json!({"model": "llama3.2"});
    let loaded = json!({"model": "llama3.2", "response": "", "done": true});
    let view = import(vec![
        entry(url, &load, (200, loaded.to_string())),
        entry(url, &request, (200, lines.join("\n"))),
    ]);
    assert_eq!(
        outline(&view.transcript),
        ["system: Be brief", "user: Why is the sky blue?", "says: The sky"]
    );
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    let answer = &view.transcript["execution"][0]["llm_response"];
    assert_eq!(answer["usage"], json!({"prompt_eval_count": 26, "eval_count": 259}));
    assert_eq!(answer["metadata"]["context"], json!([1, 2, 3]));
    assert_eq!(view.transcript["metadata"]["recording"]["kept"].as_array().unwrap().len(), 1);
}

/// VCR.py, as `cassettes` of the clients of Python have it.
#[test]
fn a_stream_of_cohere_in_a_cassette_is_an_answer() {
    let text = r#"
interactions:
- request:
    body: '{"model": "command-x", "messages": [{"role": "user", "content": "Where is it warmer?"}], "stream": true}'
    headers: {authorization: [Bearer co-0123456789abcdefghij]}
    method: POST
    uri: https://api.cohere.com/v2/chat
  response:
    body:
      string: |+
        event: message-start
        data: {"type":"message-start","id":"29f1","delta":{"message":{"role":"assistant"}}}

        event: tool-plan-delta
        data: {"type":"tool-plan-delta","delta":{"message":{"tool_plan":"I look."}}}

        event: tool-call-start
        data: {"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"c1","type":"function","function":{"name":"weather","arguments":""}}}}}

        event: tool-call-delta
        data: {"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"{\"place\": \"Oslo\"}"}}}}}

        event: tool-call-end
        data: {"type":"tool-call-end","index":0}

        event: message-end
        data: {"type":"message-end","delta":{"finish_reason":"TOOL_CALL","usage":{"tokens":{"input_tokens":71,"output_tokens":26}}}}

    headers: {content-type: [text/event-stream]}
    status: {code: 200, message: OK}
- request:
    body: '{"model": "command-x", "messages": [{"role": "user", "content": "Where is it warmer?"}, {"role": "assistant", "tool_plan": "I look.", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{\"place\": \"Oslo\"}"}}]}, {"role": "tool", "tool_call_id": "c1", "content": [{"type": "document", "document": {"data": {"temp": 5}}}]}]}'
    headers: {}
    method: POST
    uri: https://api.cohere.com/v2/chat
  response:
    body:
      string: '{"id": "29f2", "finish_reason": "COMPLETE", "message": {"role": "assistant", "content": [{"type": "text", "text": "Cold."}]}, "usage": {"tokens": {"input_tokens": 90, "output_tokens": 2}}}'
    headers: {}
    status: {code: 200, message: OK}
version: 1
"#;
    let files = [LogFile { path: "cassette.yaml", text }];
    let view = import_log(&files, &ImportOptions::default()).unwrap();
    assert!(view.ok);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Where is it warmer?",
            "calls weather({\"place\": \"Oslo\"})",
            "weather -> {\"temp\": 5}",
            "says: Cold."
        ]
    );
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    assert_eq!(view.transcript["execution"][0]["llm_response"]["content"], "I look.");
    assert_eq!(view.transcript["execution"][2]["llm_response"]["usage"]["tokens"]["input_tokens"], 90);
}

#[test]
fn a_thought_of_mistral_in_pieces_is_one() {
    let request =
        json!({"model": "magistral-x", "messages": [{"role": "user", "content": "2 + 2?"}], "stream": true});
    let thought = |text: &str| json!([{"type": "thinking", "thinking": [{"type": "text", "text": text}]}]);
    let chunk = |content: Value| json!({"id": "m1", "object": "chat.completion.chunk", "model": "magistral-x", "choices": [{"index": 0, "delta": {"content": content}}]});
    let mut last = chunk(json!("ur."));
    last["choices"][0]["finish_reason"] = json!("stop");
    last["usage"] = json!({"prompt_tokens": 5, "completion_tokens": 7, "total_tokens": 12});
    let events = [chunk(thought("Let me ")), chunk(thought("add.")), chunk(json!("Fo")), last];
    let stream: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    let limited = json!({"object": "error", "message": "Requests rate limit exceeded", "type": "rate_limited", "code": "1300"});
    let url = "https://api.mistral.ai/v1/chat/completions";
    let view = import(vec![
        entry(url, &request, (429, limited.to_string())),
        entry(url, &request, (200, stream + "data: [DONE]\n\n")),
    ]);
    let turns = &view.transcript["execution"];
    assert_eq!(
        (&turns[0]["llm_error"]["type"], &turns[0]["llm_error"]["message"]),
        (&json!("rate_limited"), &json!("Requests rate limit exceeded"))
    );
    let answer = &turns[1]["llm_response"];
    assert_eq!((&answer["reasoning"], &answer["content"]), (&json!("Let me add."), &json!("Four.")));
    assert_eq!(
        answer["chunks"],
        json!([{"reasoning": "Let me "}, {"reasoning": "add."}, {"text": "Fo"}, {"text": "ur."}])
    );
}

/// Results name their calls by name and parameters, not by id.
#[test]
fn results_of_the_first_chat_of_cohere_go_to_the_calls_that_they_name() {
    let call = |place: &str| json!({"name": "weather", "parameters": {"place": place}});
    let request = json!({"model": "command-x", "message": "Where is it warm?"});
    let mut later = request.clone();
    let asked = json!({"role": "CHATBOT", "message": "", "tool_calls": [call("Oslo"), call("Rome")]});
    later["chat_history"] = json!([{"role": "USER", "message": "Where is it warm?"}, asked]);
    later["message"] = json!("");
    later["tool_results"] = json!([
        {"call": call("Rome"), "outputs": [{"temp": 20}]}, {"call": call("Oslo"), "outputs": [{"temp": 5}]},
    ]);
    let calls = json!({"text": "", "tool_calls": [call("Oslo"), call("Rome")]});
    let view = import(vec![
        entry(COHERE_V1, &request, (200, calls.to_string())),
        entry(COHERE_V1, &later, (200, json!({"text": "Rome."}).to_string())),
    ]);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Where is it warm?",
            "calls weather({\"place\":\"Oslo\"}), weather({\"place\":\"Rome\"})",
            "weather -> [{\"temp\": 5}]",
            "weather -> [{\"temp\": 20}]",
            "says: Rome.",
        ]
    );
}

const COHERE_V1: &str = "https://api.cohere.com/v1/chat";

/// The first chat of Cohere: calls without ids, and results that repeat their calls.
#[test]
fn the_first_chat_of_cohere_is_read_whole_and_as_lines_of_json() {
    let call = json!({"name": "weather", "parameters": {"place": "Oslo"}});
    let request = json!({
        "model": "command-x", "message": "Is it warm?", "preamble": "Be kind.", "temperature": 0.5,
        "chat_history": [{"role": "USER", "message": "Hi"}, {"role": "CHATBOT", "message": "Hello!"}],
    });
    let mut later = request.clone();
    later["tool_results"] = json!([{"call": call, "outputs": [{"temp": 5}]}]);
    later["stream"] = json!(true);
    let answer = json!({
        "text": "I look.", "generation_id": "g1", "tool_calls": [call], "finish_reason": "COMPLETE",
        "chat_history": [], "meta": {"api_version": {"version": "1"}, "billed_units": {"input_tokens": 7, "output_tokens": 2}},
    });
    let event = |kind: &str, more: Value| {
        let mut event = json!({"is_finished": kind == "stream-end", "event_type": kind});
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        event.to_string()
    };
    let whole = json!({"text": "It is cold.", "generation_id": "g2", "documents": [{"id": "d"}], "meta": {"tokens": {"input_tokens": 20, "output_tokens": 3}}});
    let lines = [
        event("stream-start", json!({"generation_id": "g2"})),
        event("text-generation", json!({"text": "It is "})),
        event("text-generation", json!({"text": "cold."})),
        event("citation-generation", json!({"citations": [{"start": 0, "end": 2}]})),
        event("stream-end", json!({"finish_reason": "COMPLETE", "response": whole})),
    ];
    let view = import(vec![
        entry(COHERE_V1, &request, (200, answer.to_string())),
        entry(COHERE_V1, &later, (200, lines.join("\n"))),
    ]);
    assert!(view.ok);
    assert_eq!(
        outline(&view.transcript),
        [
            "system: Be kind.",
            "user: Hi",
            "assistant: Hello!",
            "user: Is it warm?",
            "calls weather({\"place\":\"Oslo\"})",
            "weather -> [{\"temp\": 5}]",
            "says: It is cold.",
        ]
    );
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    let first = &view.transcript["execution"][0]["llm_response"];
    assert_eq!((&first["content"], &first["id"]), (&json!("I look."), &json!("g1")));
    assert_eq!(first["usage"], json!({"billed_units": {"input_tokens": 7, "output_tokens": 2}}));
    let last = &view.transcript["execution"][2]["llm_response"];
    assert_eq!((&last["id"], &last["finish_reason"]), (&json!("g2"), &json!("COMPLETE")));
    assert_eq!(last["chunks"], json!([{"text": "It is "}, {"text": "cold."}]));
    assert_eq!(last["metadata"]["documents"], json!([{"id": "d"}]));
}
