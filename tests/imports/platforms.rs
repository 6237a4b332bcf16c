//! Runs of Langfuse, Braintrust, MLflow, AutoGen and LangSmith, spans of any-agent, Phoenix and the AI SDK, and recordings of the
//! Claude Agent SDK: each in its form of the platform.

use serde_json::{Value, json};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, import_log};

use crate::{checked, fixture, import_session, outline};

fn usage(turn: &Value) -> &Value {
    &turn["llm_response"]["usage"]
}

const USAGE: &str = r#"{"input_tokens":50,"output_tokens":9,"input_tokens_details":{"cached_tokens":30},"output_tokens_details":{"reasoning_tokens":4}}"#;

#[test]
fn observations_of_langfuse_are_a_run() {
    let view = import_session("langfuse-trace", &fixture("platforms/langfuse.json"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: How warm is it in Bern?",
            r#"calls weather({"city": "Bern"})"#,
            "weather -> 12 degrees",
            "says: It is 12 degrees.",
            "user: How warm is it in Bern?",
            "fails: Too many requests",
        ]
    );
    let turn = &view.transcript["execution"][0];
    assert_eq!(*usage(turn), serde_json::from_str::<Value>(USAGE).unwrap());
    assert_eq!(view.transcript["agent_config"]["model"], "gemini-3-pro");
    let recording = &view.transcript["metadata"]["recording"];
    assert_eq!((&recording["format"], &recording["trace"]["userId"]), (&json!("langfuse"), &json!("ann")));
}

#[test]
fn tools_in_the_messages_and_calls_of_langchain_are_read() {
    let observation = |id: &str, start: u32, kind: &str, input: Value, output: Value| {
        let (input, output) = (input.to_string(), output.to_string());
        json!({"id": id, "traceId": "t", "type": kind, "name": "n", "startTime": format!("2026-03-02T09:00:0{start}Z"),
            "input": input, "output": output, "model": "m"})
    };
    let user = json!({"role": "user", "content": "Go"});
    let tool = json!({"role": "tool", "content": {"type": "function", "function": {"name": "n"}}});
    let calls = json!([{"id": "c", "type": "function", "function": {"name": "n", "arguments": "{}"}}]);
    let answer = json!({"role": "assistant", "content": "", "additional_kwargs": {"tool_calls": calls}});
    let result = json!({"type": "tool", "name": "n", "tool_call_id": "c", "content": "done"});
    let observations = json!([
        observation("a", 1, "GENERATION", json!([user, tool]), answer),
        observation("b", 2, "SPAN", json!({}), result),
    ]);
    let text = json!({"trace": {"id": "t"}, "observations": observations}).to_string();
    let view = import_session("langfuse-trace", &text);
    assert_eq!(outline(&view.transcript), ["user: Go", "calls n({})", "n -> done"]);
}

#[test]
fn rows_of_braintrust_are_joined() {
    let view = import_session("braintrust-logs", &fixture("platforms/braintrust.jsonl"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: How warm is it in Bern?",
            r#"calls weather({"city":"Bern"})"#,
            "weather fails: The station is offline"
        ]
    );
    let turn = &view.transcript["execution"][0];
    assert_eq!(*usage(turn), serde_json::from_str::<Value>(USAGE).unwrap());
    assert_eq!(turn["timestamp"], "2026-03-02T09:00:01.000Z");
}

#[test]
fn a_trace_of_mlflow_is_a_run() {
    let view = import_session("mlflow-traces", &fixture("platforms/mlflow.json"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: How warm is it in Bern?",
            r#"calls weather({"city": "Bern"})"#,
            "weather -> 12 degrees",
            "says: It is 12 degrees.",
        ]
    );
    let turns = view.transcript["execution"].as_array().unwrap();
    assert_eq!(
        *usage(&turns[0]),
        json!({"input_tokens": 50, "output_tokens": 9, "input_tokens_details": {"cached_tokens": 30}})
    );
    assert_eq!(*usage(&turns[2]), json!({"prompt_tokens": 70, "completion_tokens": 6, "total_tokens": 76}));
    assert_eq!(turns[0]["timestamp"], "2026-03-02T09:00:01.000Z");
    let config = &view.transcript["agent_config"];
    assert_eq!((&config["model"], &config["temperature"]), (&json!("gpt-5"), &json!(0.5)));
    let recording = &view.transcript["metadata"]["recording"];
    assert_eq!(recording["format"], "mlflow");
    assert_eq!(recording["trace"]["info"]["trace_metadata"]["mlflow.trace.session"], "s-1");
    assert_eq!(recording["kept"].as_array().unwrap().len(), 2, "the agent and the parser");
}

/// A span of the second version.
fn old_span(id: u64, kind: &str, attributes: &[(&str, Value)]) -> Value {
    let mut all = json!({"mlflow.traceRequestId": "\"58f4\"", "mlflow.spanType": format!("\"{kind}\"")});
    for (key, value) in attributes {
        all[*key] = value.to_string().into();
    }
    json!({"name": "n", "context": {"span_id": format!("0x{id}"), "trace_id": "0x1"}, "parent_id": null,
        "start_time": 1_772_442_000_000_000_000_u64 + id, "end_time": 1_772_442_000_000_000_009_u64 + id,
        "status_code": "OK", "status_message": "", "attributes": all, "events": []})
}

fn old_trace(spans: &[Value]) -> Value {
    let info = json!({"request_id": "58f4", "experiment_id": "0", "timestamp_ms": 1_772_442_000_000_u64, "status": "OK"});
    json!({"info": info, "data": {"spans": spans, "request": "{}", "response": "{}"}})
}

#[test]
fn messages_of_langchain_and_errors_of_mlflow_are_read() {
    let user = json!({"content": "Go", "type": "human", "additional_kwargs": {}});
    let call = json!({"name": "n", "args": {"a": 1}, "id": "c", "type": "tool_call"});
    let answer = json!({"content": "", "type": "ai", "tool_calls": [call], "additional_kwargs": {}});
    let generation = json!({"text": "", "type": "ChatGeneration", "message": answer});
    let mut failed = old_span(2, "TOOL", &[("mlflow.spanInputs", json!("{'a': 1}"))]);
    failed["status_code"] = json!("ERROR");
    failed["status_message"] = json!("no such file");
    let trace = old_trace(&[
        old_span(
            1,
            "CHAT_MODEL",
            &[
                ("mlflow.spanInputs", json!([[user]])),
                ("mlflow.spanOutputs", json!({"generations": [[generation]], "llm_output": null})),
                ("invocation_params", json!({"model": "m", "temperature": 0.5})),
            ],
        ),
        failed,
    ]);
    let view = import_session("mlflow-traces", &serde_json::to_string_pretty(&trace).unwrap());
    checked(&view);
    assert_eq!(outline(&view.transcript), ["user: Go", "calls n({\"a\": 1})", "n fails: no such file"]);
    assert_eq!(view.transcript["agent_config"]["temperature"], 0.5);
    assert_eq!(view.transcript["metadata"]["recording"]["trace"]["info"]["request_id"], "58f4");
}

#[test]
fn standard_messages_of_mlflow_stand_for_forms_that_are_not_known() {
    let messages = json!([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello!"}]);
    let known = old_span(
        1,
        "CHAT_MODEL",
        &[
            ("mlflow.spanInputs", json!({"contents": "Hi", "model": "gemini-3-pro"})),
            ("mlflow.spanOutputs", json!({"candidates": [{"content": {"parts": [{"text": "Hello!"}]}}]})),
            ("mlflow.chat.messages", messages),
        ],
    );
    let view = import_session("mlflow-traces", &old_trace(&[known]).to_string());
    assert_eq!(outline(&view.transcript), ["user: Hi", "says: Hello!"]);
    // Anthropic's client, one trace a line.
    let result = json!([{"type": "tool_result", "tool_use_id": "t", "content": "done"}]);
    let sent = json!([
        {"role": "user", "content": "Go"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "n", "input": {"a": 1}}]},
        {"role": "user", "content": result},
    ]);
    let body = json!({"type": "message", "role": "assistant", "content": [{"type": "text", "text": "So."}],
        "stop_reason": "end_turn", "usage": {"input_tokens": 4, "output_tokens": 2}});
    let span = old_span(
        1,
        "CHAT_MODEL",
        &[
            (
                "mlflow.spanInputs",
                json!({"system": "Be kind", "model": "claude-x", "max_tokens": 9, "messages": sent}),
            ),
            ("mlflow.spanOutputs", body),
        ],
    );
    let mut other = old_trace(&[old_span(
        1,
        "CHAT_MODEL",
        &[
            ("mlflow.spanInputs", json!({"input": "Hi", "model": "gpt-5"})),
            (
                "mlflow.spanOutputs",
                json!({"output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hello!"}]}]}),
            ),
        ],
    )]);
    other["data"]["spans"][0]["attributes"]["mlflow.traceRequestId"] = json!("\"58f5\"");
    let text = format!("{}\n{other}\n", old_trace(&[span]));
    let files = [LogFile { path: "traces.jsonl", text: &text }];
    let chosen = |session: &str| {
        import_log(&files, &ImportOptions { session: Some(session.to_owned()), ..ImportOptions::default() })
            .unwrap()
    };
    let run = chosen("58f4").transcript;
    assert_eq!(outline(&run), ["system: Be kind", "user: Go", "assistant: ", "tool: done", "says: So."]);
    assert_eq!(
        run["initial_state"]["message_store"][2]["tool_calls"],
        json!([{"id": "t", "type": "function", "function": {"name": "n", "arguments": {"a": 1}}}])
    );
    assert_eq!(outline(&chosen("58f5").transcript), ["user: Hi", "says: Hello!"]);
}

#[test]
fn recordings_of_autogen_are_runs() {
    let view = import_session("autogen-recording", &fixture("platforms/autogen.json"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "system: You are a helpful assistant.",
            "user: How warm is it?In Bern.",
            r#"calls weather({"city": "Bern"})"#,
            "weather -> 12 degrees",
            "says: It is 12 degrees.",
        ]
    );
    let turn = &view.transcript["execution"][0];
    assert_eq!(turn["llm_response"]["reasoning"], "The tool knows.");
    assert_eq!(*usage(turn), json!({"input_tokens": 40, "output_tokens": 9}));
}

#[test]
fn a_batch_of_langsmith_has_the_begin_and_the_end_of_a_run() {
    let view = import_session("langsmith-runs", &fixture("platforms/langsmith-batch.json"));
    checked(&view);
    assert_eq!(outline(&view.transcript), ["user: Hi", "says: Hello!"]);
    let expected = json!({"input_tokens": 9, "output_tokens": 5,
        "input_tokens_details": {"cached_tokens": 4}, "output_tokens_details": {"reasoning_tokens": 2}});
    assert_eq!(*usage(&view.transcript["execution"][0]), expected);
}

#[test]
fn traces_of_any_agent_are_spans() {
    let view = import_session("otel-spans", &fixture("platforms/any-agent.json"));
    assert_eq!(
        outline(&view.transcript),
        [
            "system: Use the tools.",
            "user: What year is it?",
            r#"calls get_time({"zone": "UTC"})"#,
            "get_time -> 2026-03-02",
            "says: It is 2026.",
        ]
    );
    assert_eq!(view.transcript["execution"][0]["timestamp"], "2026-03-02T09:00:01.000Z");
}

#[test]
fn spans_of_phoenix_are_a_run() {
    let view = import_session("otel-spans", &fixture("platforms/phoenix.json"));
    assert_eq!(
        outline(&view.transcript),
        [
            "user: How warm is it?",
            "calls weather({})",
            "weather fails: The station is offline",
            "says: I cannot tell."
        ]
    );
    let response = &view.transcript["execution"][0]["llm_response"];
    assert_eq!(
        (&response["model"], &response["usage"]["prompt_tokens"]),
        (&json!("claude-opus-5"), &json!(40))
    );
}

#[test]
fn the_calls_of_an_answer_that_is_a_text_are_those_of_the_tools_that_ran() {
    let span = |id: &str, kind: &str, second: u32, attributes: Value| {
        let time = |part: u32| format!("2026-03-02T09:00:0{second}.{part}00Z");
        json!({"name": "weather", "context": {"trace_id": "t", "span_id": id}, "span_kind": kind, "parent_id": null,
            "start_time": time(0), "end_time": time(5), "attributes": attributes})
    };
    let spans = json!([
        span("a", "LLM", 1, json!({"input.value": "How warm is it?", "output.value": "ToolCall(weather)"})),
        span(
            "b",
            "TOOL",
            2,
            json!({"tool.name": "weather", "tool.id": "c1", "input.value": "{\"city\": \"Bern\"}", "output.value": "12"})
        ),
        span("c", "LLM", 3, json!({"output.value": "It is 12 degrees."})),
    ]);
    let view = import_session("otel-spans", &spans.to_string());
    assert_eq!(view.files[0].report.kept, []);
    let called = r#"calls weather({"city": "Bern"})"#;
    let run = ["user: How warm is it?", called, "weather -> 12", "says: It is 12 degrees."];
    assert_eq!(outline(&view.transcript), run);
    let response = &view.transcript["execution"][0]["llm_response"];
    assert_eq!(
        (&response["content"], &response["tool_calls"][0]["id"]),
        (&json!("ToolCall(weather)"), &json!("c1"))
    );
}

#[test]
fn sessions_with_spans_of_the_same_ids_stay_apart() {
    let span = |trace: &str| {
        let context = json!({"trace_id": trace, "span_id": "0"});
        json!({"name": "m", "context": context, "span_kind": "LLM", "parent_id": null, "start_time": "2026-03-02T09:00:00Z",
            "end_time": "2026-03-02T09:00:01Z", "attributes": {"session.id": "s", "input.value": "Hi", "output.value": trace}})
    };
    let text = json!({"first": [span("a")], "second": [span("b")]}).to_string();
    let view = import_log(&[LogFile { path: "spans.json", text: &text }], &ImportOptions::default()).unwrap();
    assert_eq!(view.sessions, ["a", "b"]);
}

#[test]
fn spans_of_the_ai_sdk_are_calls_of_models() {
    let span = |id: &str, start: u64, attributes: Value| {
        json!({"name": "ai", "spanContext": {"traceId": "t", "spanId": id}, "attributes": attributes,
            "startTime": [start, 5_000_000], "endTime": [start + 1, 0]})
    };
    let prompt = json!([{"role": "user", "content": [{"type": "text", "text": "Go"}]}]).to_string();
    let calls = json!([{"toolCallId": "c", "toolName": "go", "input": {"fast": true}}]).to_string();
    let spans = json!([
        span(
            "a",
            1_772_442_000,
            json!({"ai.operationId": "ai.generateText.doGenerate", "ai.model.id": "m",
            "ai.prompt.messages": prompt, "ai.response.toolCalls": calls, "ai.usage.inputTokens": 7})
        ),
        span(
            "b",
            1_772_442_002,
            json!({"ai.operationId": "ai.toolCall", "ai.toolCall.name": "go", "ai.toolCall.id": "c",
            "ai.toolCall.args": "{\"fast\": true}", "ai.toolCall.result": "\"gone\""})
        ),
    ]);
    let view = import_session("otel-spans", &spans.to_string());
    assert_eq!(outline(&view.transcript), ["user: Go", r#"calls go({"fast": true})"#, "go -> gone"]);
    let turn = &view.transcript["execution"][0];
    assert_eq!(
        (&turn["timestamp"], usage(turn)),
        (&json!("2026-03-02T09:00:00.005Z"), &json!({"input_tokens": 7}))
    );
}

#[test]
fn a_span_that_is_logged_when_it_starts_is_one_with_its_end() {
    let span = |end: Value| {
        let output =
            json!([{"role": "assistant", "parts": [{"type": "text", "content": "Hello!"}]}]).to_string();
        let mut attributes = json!({"gen_ai.operation.name": "chat"});
        if !end.is_null() {
            attributes["gen_ai.output.messages"] = output.into();
        }
        json!({"name": "chat", "context": {"trace_id": "0x1", "span_id": "0x2"}, "parent_id": null,
            "start_time": "2026-03-02T09:00:00Z", "end_time": end, "attributes": attributes})
    };
    let text = format!("{}\n{}\n", span(Value::Null), span(json!("2026-03-02T09:00:01Z")));
    let view = import_session("otel-spans", &text);
    assert_eq!(outline(&view.transcript), ["says: Hello!"]);
    let report = &view.files[0].report;
    assert!(report.used.contains(&1) && report.used.contains(&2), "{report:?}");
    assert!(report.streamed.is_empty() && report.kept.is_empty(), "{report:?}");
}

#[test]
fn recordings_of_the_claude_agent_sdk_are_sessions() {
    let view = import_session("claude-code-session", &fixture("platforms/claude-agent-sdk.json"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: List the files.",
            r#"calls Bash({"command": "ls"})"#,
            "Bash -> note.md",
            "says: There is one note."
        ]
    );
    assert_eq!(view.transcript["execution"][0]["llm_response"]["reasoning"], "A shell will do.");
}
