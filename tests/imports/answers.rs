//! Answers with content that is no text: their words are the content of the run, and the whole is kept too.

use serde_json::{Value, json};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{errors, lost, outline};

fn import(text: &str) -> ImportView {
    import_log(&[LogFile { path: "log", text }], &ImportOptions::default()).unwrap()
}

/// The answer with this content in a chat; all but the user's message is in the turns.
fn of_chat(content: &Value) -> Value {
    let view = import(
        &json!([{"role": "user", "content": "go"}, {"role": "assistant", "content": content}]).to_string(),
    );
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    assert_eq!(outline(&view.transcript)[0], "user: go");
    let answer = view.transcript["execution"][0]["llm_response"].clone();
    assert_eq!(lost(std::slice::from_ref(content), &json!([answer, kinds()])), Vec::<String>::new());
    answer
}

/// The kinds of parts, which say nothing once the parts are read.
fn kinds() -> Value {
    json!(["text", "thinking", "refusal"])
}

#[test]
fn the_texts_among_other_parts_are_the_content() {
    let image = json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}});
    let parts =
        json!([{"type": "text", "text": "Here it "}, image, {"text": "is"}, {"type": "text", "text": "."}]);
    let answer = of_chat(&parts);
    assert_eq!(answer["content"], "Here it is.");
    assert_eq!(answer["metadata"]["content"], parts);
    // What a text says next to its words stays as well.
    let cited = json!([{"type": "text", "text": "So it is", "citation": "page 4"}]);
    let answer = of_chat(&cited);
    assert_eq!((&answer["content"], &answer["metadata"]["content"]), (&json!("So it is"), &cited));
    // Texts alone say nothing more.
    let plain = of_chat(&json!([{"type": "text", "text": "So it is"}]));
    assert_eq!((&plain["content"], &plain["metadata"]["content"]), (&json!("So it is"), &Value::Null));
}

#[test]
fn a_part_that_is_a_refusal_is_the_refusal() {
    let answer = of_chat(&json!([{"type": "refusal", "refusal": "I will not"}]));
    assert_eq!((&answer["content"], &answer["refusal"]), (&json!(""), &json!("I will not")));
}

#[test]
fn content_that_is_data_is_its_json() {
    for (data, text) in [
        (json!({"answer": "ok", "n": 1}), r#"{"answer": "ok", "n": 1}"#),
        (json!(7.5), "7.5"),
        (json!(true), "true"),
        (json!([{"row": 1}, 2]), r#"[{"row": 1}, 2]"#),
    ] {
        // A list of data is looked for as the text that it becomes.
        assert_eq!(of_chat(&text.into())["content"], text);
        let chat = json!([{"role": "user", "content": "go"}, {"role": "assistant", "content": data}]);
        let view = import(&chat.to_string());
        assert_eq!(errors(&view.transcript), Vec::<String>::new());
        assert_eq!(outline(&view.transcript), ["user: go", &format!("says: {text}")]);
    }
}

#[test]
fn a_history_with_such_an_answer_repeats_it() {
    let parts = json!([{"type": "text", "text": "Here"}, {"type": "image_url", "image_url": {"url": "u"}}]);
    let line = |messages: Value, content: &Value| {
        let message = json!({"role": "assistant", "content": content});
        json!({"request": {"model": "m", "messages": messages},
            "response": {"object": "chat.completion", "model": "m", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}}).to_string()
    };
    for content in [parts, json!({"a": 1})] {
        let (first, second) =
            (json!({"role": "user", "content": "Q1"}), json!({"role": "user", "content": "Q2"}));
        let message = json!({"role": "assistant", "content": content});
        let text = [line(json!([first]), &content), line(json!([first, message, second]), &"End".into())];
        let view = import(&text.join("\n"));
        assert_eq!(errors(&view.transcript), Vec::<String>::new());
        let turns = outline(&view.transcript);
        assert_eq!(
            (turns.len(), turns[2].as_str(), turns[3].as_str()),
            (4, "user: Q2", "says: End"),
            "{turns:?}"
        );
    }
}

#[test]
fn a_thought_that_is_a_list_is_the_reasoning_of_mistral() {
    let parts = json!([{"type": "thinking", "thinking": [{"type": "text", "text": "HMM"}]}, {"type": "text", "text": "Answer"}]);
    let chat = json!([{"role": "user", "content": "think"}, {"role": "assistant", "content": parts}]);
    let view = import(&chat.to_string());
    assert_eq!(view.transcript["metadata"]["recording"]["format"], "openai-chat");
    let answer = &view.transcript["execution"][0]["llm_response"];
    assert_eq!((&answer["content"], &answer["reasoning"]), (&json!("Answer"), &json!("HMM")));
    assert_eq!(view.transcript["execution"][0]["message_created"]["reasoning"], "HMM");
    // What of a thought is no text stays with it.
    let unknown = json!([{"type": "thinking", "thinking": [{"type": "reference", "ids": [77]}]}, {"type": "text", "text": "A"}]);
    assert_eq!(of_chat(&unknown)["metadata"]["content"], unknown);
}

#[test]
fn a_stream_of_mistral_has_its_thoughts_and_its_words() {
    let event = |delta: Value| {
        format!(
            "data: {}\n\n",
            json!({"id": "s", "object": "chat.completion.chunk", "model": "m", "choices": [{"index": 0, "delta": delta}]})
        )
    };
    let thought =
        |text: &str| json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": text}]}]});
    let call = json!({"tool_calls": [{"index": 0, "id": "c1", "function": {"name": "f", "arguments": {"k": 1}}, "extra_content": {"signature": "SIG"}}]});
    let body = [
        json!({"role": "assistant", "content": ""}),
        thought("HM"),
        json!({"content": "So"}),
        json!({"content": "."}),
        call,
    ]
    .map(event)
    .concat()
        + "data: [DONE]\n\n";
    let tape = json!({"version": 1, "interactions": [{
        "request": {"method": "POST", "uri": "https://api.mistral.ai/v1/chat/completions", "headers": {}, "body": json!({"model": "m", "stream": true, "messages": [{"role": "user", "content": "go"}]}).to_string()},
        "response": {"status": {"code": 200, "message": "OK"}, "headers": {"content-type": ["text/event-stream"]}, "body": {"string": body}}}]});
    let view = import(&tape.to_string());
    let answer = &view.transcript["execution"][0]["llm_response"];
    assert_eq!(
        (&answer["content"], &answer["reasoning"]),
        (&json!("So."), &json!("HM")),
        "{}",
        view.rendered
    );
    assert_eq!(answer["tool_calls"][0]["function"]["arguments"], r#"{"k": 1}"#);
    assert_eq!(
        answer["metadata"]["calls"],
        json!([{"tool_call_id": "c1", "about": {"extra_content": {"signature": "SIG"}}}])
    );
}

#[test]
fn content_of_anthropic_that_is_data_is_its_json() {
    let file = json!({"model": "claude", "max_tokens": 5, "system": "S", "messages": [
        {"role": "user", "content": "go"}, {"role": "assistant", "content": {"a": "ADATA"}},
        {"role": "user", "content": "on"}, {"role": "assistant", "content": 5},
        {"role": "user", "content": "on"}, {"role": "assistant", "content": ["plain ", {"text": "words"}]}]});
    let view = import(&file.to_string());
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    let answers = outline(&view.transcript).into_iter().filter(|turn| turn.starts_with("says"));
    assert_eq!(answers.collect::<Vec<_>>(), [r#"says: {"a": "ADATA"}"#, "says: 5", "says: plain words"]);
    assert_eq!(view.files[0].diagnostics.len(), 0, "{}", view.rendered);
}

#[test]
fn an_answer_of_responses_has_its_words_in_any_form() {
    let message = |content: Value| json!({"type": "message", "role": "assistant", "content": content});
    for (content, text) in [
        (json!({"a": "ADATA"}), r#"{"a": "ADATA"}"#),
        (json!([{"text": "untyped"}]), "untyped"),
        (json!("bare"), "bare"),
        (json!([{"type": "output_text", "text": "typed"}]), "typed"),
    ] {
        let input = json!([{"role": "user", "content": "go"}, message(content.clone())]);
        let view = import(&json!({"model": "m", "input": input}).to_string());
        assert_eq!(errors(&view.transcript), Vec::<String>::new());
        assert_eq!(outline(&view.transcript), ["user: go", &format!("says: {text}")]);
        // The same as the body of an answer.
        let body = json!({"id": "r", "object": "response", "status": "completed", "model": "m", "output": [message(content)]});
        let view = import(&json!({"request": {"model": "m", "input": "go"}, "response": body}).to_string());
        assert_eq!(outline(&view.transcript), ["user: go", &format!("says: {text}")]);
    }
}

#[test]
fn a_session_of_codex_has_a_part_without_a_type() {
    let file = json!({"session": {"timestamp": "2025-04-17T10:00:00.000Z", "id": "s1", "instructions": "I"}, "items": [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "q"}]},
        {"type": "message", "role": "assistant", "content": [{"text": "LOSTWORDS"}]}]});
    assert_eq!(outline(&import(&file.to_string()).transcript).last().unwrap(), "says: LOSTWORDS");
}

#[test]
fn answers_of_other_logs_have_their_words_too() {
    let parts = json!([{"type": "text", "text": "TT"}, {"type": "image", "image": "IMG"}]);
    let inspect = |content: &Value| {
        json!({"version": 2, "status": "success", "eval": {"task": "t", "model": "m", "created": "2026-01-01T00:00:00Z", "run_id": "r", "task_id": "x"},
        "plan": {}, "samples": [{"id": 1, "epoch": 1, "input": "go", "target": "t", "messages": [{"role": "user", "content": "go"}, {"role": "assistant", "content": content}]}]})
    };
    let atif = |content: &Value| {
        json!({"schema_version": "ATIF-v1.8", "session_id": "s", "agent": {"name": "a", "version": "1"},
        "steps": [{"step_id": 1, "source": "user", "message": "go"}, {"step_id": 2, "source": "agent", "message": content}]})
    };
    let langsmith = |content: &Value| {
        let message = |class: &str, content: &Value| json!({"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", class], "kwargs": {"content": content}});
        json!([{"id": "r1", "trace_id": "t", "parent_run_id": null, "dotted_order": "20260501T100001Zr1", "name": "m", "run_type": "llm",
            "start_time": "2026-05-01T10:00:01.000000", "end_time": "2026-05-01T10:00:02.000000", "error": null, "status": "success",
            "inputs": {"messages": [[message("HumanMessage", &"go".into())]]},
            "outputs": {"generations": [[{"text": "", "message": message("AIMessage", content)}]]}}])
    };
    for (content, text) in [(&parts, "TT"), (&json!({"a": "ADATA"}), r#"{"a": "ADATA"}"#), (&json!(5), "5")] {
        let files =
            [("inspect", inspect(content)), ("atif", atif(content)), ("langsmith", langsmith(content))];
        for (name, file) in files {
            let view = import(&file.to_string());
            assert_eq!(errors(&view.transcript), Vec::<String>::new(), "{name}");
            assert_eq!(outline(&view.transcript), ["user: go", &format!("says: {text}")], "{name}");
            let more = &view.transcript["execution"][0]["llm_response"]["metadata"]["content"];
            assert_eq!(more, if content.is_array() { content } else { &Value::Null }, "{name}");
        }
    }
}

#[test]
fn an_answer_of_the_ai_sdk_that_is_data_is_its_json() {
    let call = json!({"type": "tool-call", "toolCallId": "c1", "toolName": "f", "input": {}});
    let result = json!({"type": "tool-result", "toolCallId": "c1", "toolName": "f", "output": {"type": "text", "value": "r"}});
    let file = json!([{"role": "user", "content": "go"}, {"role": "assistant", "content": [call]},
        {"role": "tool", "content": [result]}, {"role": "assistant", "content": {"a": "ADATA"}}]);
    let turns = outline(&import(&file.to_string()).transcript);
    assert_eq!(turns.last().unwrap(), r#"says: {"a": "ADATA"}"#);
}

#[test]
fn a_span_of_the_agents_sdk_that_is_data_is_its_json() {
    let lines = [
        json!({"object": "trace", "id": "t", "workflow_name": "W"}),
        json!({"object": "trace.span", "id": "g", "trace_id": "t", "parent_id": null, "started_at": "2026-05-01T10:00:00+00:00", "ended_at": "2026-05-01T10:00:01+00:00", "error": null,
            "span_data": {"type": "generation", "input": [{"role": "user", "content": "go"}], "output": [{"role": "assistant", "content": {"o": "OUTDATA"}}], "model": "m"}}),
    ];
    let text = lines.map(|line| line.to_string()).join("\n");
    assert_eq!(outline(&import(&text).transcript), ["user: go", r#"says: {"o": "OUTDATA"}"#]);
}
