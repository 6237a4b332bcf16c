//! Spans of OpenTelemetry.

use serde_json::{Value, json};
use transcript_core::document::{Limits, detection};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{errors, fixture, outline};

fn import(text: &str, session: Option<&str>) -> ImportView {
    let options = ImportOptions { session: session.map(str::to_owned), ..ImportOptions::default() };
    import_log(&[LogFile { path: "spans.json", text }], &options).unwrap()
}

fn diagnostic_lines(view: &ImportView) -> Vec<String> {
    let all = view.files.iter().flat_map(|file| &file.diagnostics);
    all.map(|found| format!("{} {}", found.code, found.message)).collect()
}

/// A value as OTLP has it.
fn any(value: &Value) -> Value {
    match value {
        Value::String(text) => json!({ "stringValue": text }),
        Value::Number(number) if number.is_f64() => json!({ "doubleValue": number }),
        Value::Number(number) => json!({"intValue": number.to_string()}),
        Value::Bool(is) => json!({ "boolValue": is }),
        Value::Array(items) => json!({"arrayValue": {"values": items.iter().map(any).collect::<Vec<_>>()}}),
        Value::Object(map) => {
            let list: Vec<Value> =
                map.iter().map(|(key, value)| json!({"key": key, "value": any(value)})).collect();
            json!({"kvlistValue": {"values": list}})
        }
        Value::Null => json!({}),
    }
}

fn attributes(map: &Value) -> Value {
    map.as_object().unwrap().iter().map(|(key, value)| json!({"key": key, "value": any(value)})).collect()
}

/// A span of a trace that begins in that second of a minute.
fn span(trace: &str, id: &str, parent: &str, second: u64, facts: &Value) -> Value {
    let time = (1_777_629_600 + second) * 1_000_000_000;
    json!({"traceId": trace, "spanId": id, "parentSpanId": parent, "name": format!("span {id}"), "kind": 1,
        "startTimeUnixNano": time.to_string(), "endTimeUnixNano": (time + 500_000_000).to_string(), "attributes": attributes(facts)})
}

fn document(spans: &[Value]) -> String {
    json!({"resourceSpans": [{"resource": {"attributes": attributes(&json!({"service.name": "demo"}))},
        "scopeSpans": [{"scope": {"name": "s"}, "spans": spans}]}]})
    .to_string()
}

fn text_message(role: &str, text: &str) -> Value {
    json!({"role": role, "parts": [{"type": "text", "content": text}]})
}

#[test]
fn the_sample_is_a_run_of_one_agent() {
    let text = fixture("otlp-genai-spans.json");
    let found = detection(text.as_bytes(), &Limits::default());
    assert_eq!((found.kind, found.confidence), ("otel-spans", "certain"));
    let view = import(&text, None);
    let run = &view.transcript;
    assert_eq!(errors(run), Vec::<String>::new());
    assert_eq!(
        outline(run),
        ["system: You are helpful", "user: refund", r#"calls lookup({"id": 4471})"#, "lookup -> order 4471"]
    );
    // The conversation names the run, not the trace.
    assert_eq!(view.sessions, ["conv_1"]);
    let answer = &run["execution"][0];
    assert_eq!(answer["timestamp"], "2026-05-01T10:00:01.000Z");
    assert_eq!(answer["llm_response"]["usage"], json!({"input_tokens": 5, "output_tokens": 3}));
    assert_eq!(answer["llm_response"]["finish_reason"], "tool_call");
    // What another attribute says of it stays there.
    let reasons = &answer["llm_response"]["metadata"]["span"]["attributes"]["gen_ai.response.finish_reasons"];
    assert_eq!(reasons, &json!(["tool_calls"]));
    assert_eq!(run["agent_config"]["model"], "gpt-5");
    assert_eq!(answer["messages_sent_to_llm"].as_array().unwrap().len(), 2);
    assert!(view.ok && diagnostic_lines(&view).is_empty(), "{:?}", diagnostic_lines(&view));
}

#[test]
fn what_each_call_repeats_is_reported_once() {
    let call = json!({"role": "assistant", "parts": [{"type": "tool_call", "id": "c1", "name": "look", "arguments": {"n": 1}}]});
    let result = json!({"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": {"seen": true}}]});
    let chat = |id, second, input: &Value, output: Value| {
        span(
            "t",
            id,
            "",
            second,
            &json!({"gen_ai.operation.name": "chat", "gen_ai.request.model": "m", "gen_ai.request.temperature": 0.5,
            "gen_ai.input.messages": input, "gen_ai.output.messages": [output]}),
        )
    };
    let mut history = vec![text_message("user", "Look")];
    let first = chat("a", 1, &json!(history), call.clone());
    history.extend([call, result]);
    let second = chat("b", 2, &json!(history), text_message("assistant", "Seen."));
    history.extend([text_message("assistant", "Seen."), text_message("user", "Again")]);
    let third = chat("c", 3, &json!(history), text_message("assistant", "No."));
    // One object a line, and the spans in the order in which they ended.
    let text = [third, first, second].map(|span| document(&[span])).join("\n");
    let view = import(&text, None);
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Look",
            r#"calls look({"n": 1})"#,
            r#"look -> {"seen": true}"#,
            "says: Seen.",
            "user: Again",
            "says: No."
        ]
    );
    assert_eq!(view.transcript["agent_config"]["temperature"], 0.5);
    assert_eq!(view.files[0].report.layout, "lines");
    let run = &view.transcript["execution"];
    assert_eq!(run[4]["messages_sent_to_llm"].as_array().unwrap().len(), 5);
}

#[test]
fn content_may_stand_at_an_event_of_the_span() {
    let mut one = span("t", "a", "", 1, &json!({"gen_ai.operation.name": "chat"}));
    one["events"] = json!([{"name": "gen_ai.client.inference.operation.details", "attributes": attributes(&json!({
        "gen_ai.input.messages": serde_json::to_string(&[text_message("user", "Hi")]).unwrap(),
        "gen_ai.output.messages": serde_json::to_string(&[text_message("assistant", "Hello!")]).unwrap(),
    }))}]);
    assert_eq!(outline(&import(&document(&[one]), None).transcript), ["user: Hi", "says: Hello!"]);
}

#[test]
fn older_spans_have_an_attribute_for_each_fact() {
    let one = span(
        "t",
        "a",
        "",
        1,
        &json!({
            "gen_ai.system": "OpenAI", "llm.request.type": "chat", "gen_ai.request.model": "gpt-4",
            "gen_ai.prompt.0.role": "system", "gen_ai.prompt.0.content": "Be brief.",
            "gen_ai.prompt.1.role": "user", "gen_ai.prompt.1.content": "Weather?",
            "gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.finish_reason": "tool_calls",
            "gen_ai.completion.0.tool_calls.0.id": "c1", "gen_ai.completion.0.tool_calls.0.name": "weather",
            "gen_ai.completion.0.tool_calls.0.arguments": "{\"city\": \"Oslo\"}",
            "llm.request.functions.0.name": "weather", "llm.request.functions.0.parameters": "{\"type\": \"object\"}",
            "gen_ai.usage.prompt_tokens": 9, "gen_ai.usage.completion_tokens": 4,
        }),
    );
    let two = span(
        "t",
        "b",
        "",
        2,
        &json!({
            "llm.request.type": "chat", "gen_ai.request.model": "gpt-4",
            "gen_ai.prompt.0.role": "system", "gen_ai.prompt.0.content": "Be brief.",
            "gen_ai.prompt.1.role": "user", "gen_ai.prompt.1.content": "Weather?",
            "gen_ai.prompt.2.role": "assistant", "gen_ai.prompt.2.tool_calls.0.id": "c1",
            "gen_ai.prompt.2.tool_calls.0.name": "weather", "gen_ai.prompt.2.tool_calls.0.arguments": "{\"city\": \"Oslo\"}",
            "gen_ai.prompt.3.role": "tool", "gen_ai.prompt.3.tool_call_id": "c1", "gen_ai.prompt.3.content": "4 degrees",
            "gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": "Cold.",
        }),
    );
    let view = import(&document(&[one, two]), None);
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    assert_eq!(
        outline(&view.transcript),
        [
            "system: Be brief.",
            "user: Weather?",
            r#"calls weather({"city": "Oslo"})"#,
            "weather -> 4 degrees",
            "says: Cold."
        ]
    );
    assert_eq!(view.transcript["execution"][0]["llm_response"]["finish_reason"], "tool_calls");
    assert_eq!(
        view.transcript["agent_config"]["tools"][0],
        json!({"name": "weather", "parameters": {"type": "object"}})
    );
}

#[test]
fn events_may_be_the_messages() {
    let mut one = span("t", "a", "", 1, &json!({"gen_ai.operation.name": "chat"}));
    let event = |name: &str, facts: Value| json!({"name": name, "attributes": attributes(&facts)});
    one["events"] = json!([
        event("gen_ai.system.message", json!({"content": "Be brief."})),
        event(
            "gen_ai.user.message",
            json!({"gen_ai.event.content": "{\"content\": \"Hi\", \"role\": \"user\"}"})
        ),
        event(
            "gen_ai.choice",
            json!({"index": 0, "finish_reason": "stop", "message": {"content": "Hello!"}})
        ),
    ]);
    let view = import(&document(&[one]), None);
    assert_eq!(outline(&view.transcript), ["system: Be brief.", "user: Hi", "says: Hello!"]);
    assert_eq!(view.transcript["execution"][0]["llm_response"]["finish_reason"], "stop");
}

#[test]
fn an_agent_that_ran_as_a_tool_is_a_run_in_its_result() {
    let chat = |id, parent, second, input: Value, output: Value| {
        span(
            "t",
            id,
            parent,
            second,
            &json!({"gen_ai.operation.name": "chat", "gen_ai.input.messages": [input], "gen_ai.output.messages": [output]}),
        )
    };
    let call = json!({"role": "assistant", "parts": [{"type": "tool_call", "id": "c1", "name": "ask", "arguments": {}}]});
    let spans = [
        span(
            "t",
            "top",
            "",
            0,
            &json!({"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "boss"}),
        ),
        chat("a", "top", 1, text_message("user", "Go"), call),
        span(
            "t",
            "f",
            "top",
            2,
            &json!({"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "ask", "gen_ai.tool.call.id": "c1",
            "gen_ai.tool.call.result": "\"Worked.\""}),
        ),
        span(
            "t",
            "sub",
            "f",
            3,
            &json!({"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "worker"}),
        ),
        chat("b", "sub", 4, text_message("user", "Work"), text_message("assistant", "Worked.")),
    ];
    let view = import(&document(&spans), None);
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    let result = &view.transcript["execution"][1]["tool_call"]["result"];
    assert_eq!((&result["type"], &result["agent_id"]), (&json!("nested_agent_result"), &json!("worker")));
    assert_eq!(outline(&result["nested_transcript"]), ["user: Work", "says: Worked."]);
}

#[test]
fn traces_without_a_model_are_not_offered() {
    let http = |trace| span(trace, "h", "", 1, &json!({"http.request.method": "GET"}));
    let chat = |trace, text| {
        span(
            trace,
            "c",
            "",
            1,
            &json!({"gen_ai.operation.name": "chat", "gen_ai.input.messages": [text_message("user", text)],
            "gen_ai.output.messages": [text_message("assistant", "Yes")]}),
        )
    };
    let view = import(&document(&[http("x"), chat("y", "One")]), None);
    assert_eq!(
        (view.sessions, outline(&view.transcript)),
        (vec!["y".to_owned()], vec!["user: One".to_owned(), "says: Yes".to_owned()])
    );
    let view = import(&document(&[http("x"), chat("y", "One"), chat("z", "Two")]), None);
    assert_eq!(view.problem.as_ref().unwrap().message, "the log has 2 traces: `y` (\"One\"), `z` (\"Two\")");
    assert_eq!(view.first_words, ["One", "Two"]);
    let none = import(&document(&[http("x")]), None);
    assert_eq!(none.files[0].report.kept.len(), 1);
}

#[test]
fn a_call_without_content_says_so_and_a_failed_one_fails() {
    let mut failed = span(
        "t",
        "b",
        "",
        2,
        &json!({"gen_ai.operation.name": "chat", "error.type": "timeout", "gen_ai.input.messages": [text_message("user", "Hi")]}),
    );
    failed["status"] = json!({"code": 2, "message": "too late"});
    let silent = span(
        "t",
        "a",
        "",
        1,
        &json!({"gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": 7, "gen_ai.response.id": "r"}),
    );
    let view = import(&document(&[silent, failed]), None);
    assert_eq!(errors(&view.transcript).len(), 1, "{:?}", errors(&view.transcript));
    assert_eq!(
        diagnostic_lines(&view),
        ["T905 the trace has neither the request nor the content of this response"]
    );
    let run = &view.transcript["execution"];
    assert_eq!(
        (&run[0]["llm_response"]["usage"]["input_tokens"], &run[0]["llm_response"]["id"]),
        (&json!(7), &json!("r"))
    );
    assert_eq!(outline(&view.transcript).last().unwrap(), "fails: too late");
}

/// A line that is lost may leave a map in the place of a text or a number.
#[test]
fn figures_that_are_maps_are_kept_in_the_metadata() {
    let mut chat = span(
        "t",
        "a",
        "",
        1,
        &json!({"gen_ai.operation.name": "chat", "gen_ai.request.temperature": 0.5, "gen_ai.request.top_p": 1,
            "gen_ai.output.messages": [text_message("assistant", "Hello!")], "gen_ai.response.finish_reasons": ["stop"]}),
    );
    for (key, value) in [
        ("gen_ai.response.finish_reasons", json!({"arrayValue": {"values": [{}]}})),
        ("gen_ai.request.temperature", json!({})),
    ] {
        let attributes = chat["attributes"].as_array_mut().unwrap();
        attributes.iter_mut().find(|one| one["key"] == key).unwrap()["value"] = value;
    }
    let view = import(&document(&[chat]), None);
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    let turn = &view.transcript["execution"][0];
    assert_eq!(outline(&view.transcript), ["says: Hello!"]);
    assert_eq!(turn["llm_response"].get("finish_reason"), None);
    let metadata = &turn["llm_response"]["metadata"];
    assert_eq!(
        (&metadata["finish_reason"], &metadata["llm_config"]),
        (&json!({}), &json!({"temperature": {}}))
    );
    assert_eq!(view.transcript["agent_config"]["top_p"], 1);
}

/// Visual Studio logs its agent and the tools, but no model call.
#[test]
fn an_agent_without_model_calls_is_one_call_with_its_tools() {
    let agent = |id: &str, second| {
        let facts = json!({"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "helper", "gen_ai.request.model": "gpt-x"});
        span("t", id, "", second, &facts)
    };
    let tool = |id: &str, parent: &str, second, call: &str, name: &str, result: &str| {
        span(
            "t",
            id,
            parent,
            second,
            &json!({"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name, "gen_ai.tool.call.id": call,
                "gen_ai.tool.call.arguments": "{\"n\":1}", "gen_ai.tool.call.result": result}),
        )
    };
    let text = document(&[
        agent("a", 0),
        tool("b", "a", 1, "c1", "patch", "Applied."),
        tool("c", "a", 3, "c2", "build", "Built."),
        agent("d", 10),
        tool("e", "d", 11, "c3", "find", "Found."),
    ]);
    let view = import(&text, None);
    assert!(view.ok);
    assert_eq!(
        outline(&view.transcript),
        [
            "calls patch({\"n\":1}), build({\"n\":1})",
            "patch -> Applied.",
            "build -> Built.",
            "calls find({\"n\":1})",
            "find -> Found.",
        ]
    );
    assert_eq!(view.transcript["agent_config"]["model"], "gpt-x");
    assert_eq!(view.transcript["execution"][0]["llm_response"]["tool_calls"][1]["id"], "c2");
    let found = diagnostic_lines(&view);
    assert_eq!(found.len(), 2);
    assert!(found[0].contains("neither the request nor the content"), "{found:?}");
}
