//! Spans by the conventions of OpenInference, in OTLP and as Python prints them. The fixtures are of the OpenTelemetry SDK for
//! Python 1.45 with `openinference-instrumentation-openai` 0.1, of the same three calls.

use serde_json::{Value, json};
use transcript_core::document::{Limits, detection};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{errors, fixture, outline};

fn import(text: &str) -> ImportView {
    import_log(&[LogFile { path: "spans.json", text }], &ImportOptions::default()).unwrap()
}

fn diagnostic_lines(view: &ImportView) -> Vec<String> {
    let all = view.files.iter().flat_map(|file| &file.diagnostics);
    all.map(|found| format!("{} {}", found.code, found.message)).collect()
}

/// A span as Python prints it.
fn printed(id: &str, second: u32, attributes: Value) -> Value {
    json!({"name": format!("span {id}"), "context": {"trace_id": "0x0a", "span_id": format!("0x{id}"), "trace_state": "[]"},
        "kind": "SpanKind.INTERNAL", "parent_id": null, "start_time": format!("2026-05-01T10:00:{second:02}.000000Z"),
        "end_time": format!("2026-05-01T10:00:{second:02}.500000Z"), "status": {"status_code": "UNSET"}, "attributes": attributes,
        "events": [], "links": [], "resource": {"attributes": {"service.name": "demo"}, "schema_url": ""}})
}

fn lines(spans: &[Value]) -> String {
    spans.iter().map(|span| serde_json::to_string_pretty(span).unwrap()).collect::<Vec<_>>().join("\n")
}

#[test]
fn both_forms_of_the_same_spans_are_the_same_run() {
    for (path, why) in
        [("openinference-otlp.json", "resourceSpans"), ("openinference-console.txt", "in Python")]
    {
        let text = fixture(path);
        let found = detection(text.as_bytes(), &Limits::default());
        assert_eq!((found.kind, found.confidence), ("otel-spans", "certain"), "{path}");
        assert!(found.reason.contains(why), "{}", found.reason);
        let view = import(&text);
        assert_eq!(errors(&view.transcript), Vec::<String>::new(), "{path}");
        assert_eq!(
            outline(&view.transcript),
            [
                "system: Be brief.",
                "user: How warm is it in Bern?Please.",
                r#"calls weather({"city": "Bern"})"#,
                r#"weather -> {"city": "Bern", "degrees": 21}"#,
                "says: It is 21 degrees in Bern.",
                "user: Anybody?",
                "fails: BadRequestError: Error code: 400 - no such model",
            ],
            "{path}"
        );
        let config = &view.transcript["agent_config"];
        assert_eq!(
            (&config["model"], &config["temperature"], &config["tools"][0]["name"]),
            (&json!("gpt-5-mini"), &json!(0.2), &json!("weather")),
            "{path}"
        );
        let answer = &view.transcript["execution"][0]["llm_response"];
        assert_eq!(
            (&answer["model"], &answer["finish_reason"], &answer["usage"]),
            (
                &json!("gpt-5-mini-2026"),
                &json!("tool_calls"),
                &json!({"total_tokens": 17, "prompt_tokens": 12, "completion_tokens": 5})
            ),
            "{path}"
        );
        let trace = &view.transcript["metadata"]["recording"]["trace"];
        assert!(trace["from"]["resource"].to_string().contains("weather"), "{trace}");
        assert!(view.ok && diagnostic_lines(&view).is_empty(), "{path}: {:?}", diagnostic_lines(&view));
        // The span of the agent has no place in the run.
        assert_eq!(view.files[0].report.kept.len(), 1, "{path}");
    }
}

#[test]
fn a_span_that_is_kept_is_kept_as_it_was_printed() {
    let view = import(&fixture("openinference-console.txt"));
    let kept = &view.transcript["metadata"]["recording"]["kept"][0]["entry"];
    assert_eq!((&kept["name"], &kept["parent_id"]), (&json!("assistant"), &Value::Null));
    assert!(kept["context"]["trace_id"].as_str().unwrap().starts_with("0x"));
    // Its line is that of the file.
    let line = view.files[0].report.kept[0].line;
    let text = fixture("openinference-console.txt");
    let shown: Vec<&str> = text.lines().skip(line as usize - 1).take(2).collect();
    assert_eq!(shown, ["{", "    \"name\": \"assistant\","]);
}

#[test]
fn lines_that_others_print_between_the_spans_cost_nothing_but_themselves() {
    let text = fixture("openinference-console.txt")
        .replace("\n{\n    \"name\": \"weather\"", "\nINFO: running [3]\n{\n    \"name\": \"weather\"");
    let text = format!("starting up\n{}", text.replace('\n', "\r\n"));
    assert_eq!(detection(text.as_bytes(), &Limits::default()).kind, "otel-spans");
    let view = import(&text);
    assert_eq!(outline(&view.transcript).len(), 7);
    assert!(!view.ok);
    let lost = view.transcript["metadata"]["recording"]["lost"].to_string();
    assert!(lost.contains("starting up") && lost.contains("INFO: running"), "{lost}");
}

#[test]
fn one_span_alone_is_reported_and_sessions_join_traces() {
    let call = |id: &str, trace: &str, second: u32, question: &str| {
        let mut span = printed(
            id,
            second,
            json!({"openinference.span.kind": "llm", "session.id": "s",
            "llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": question,
            "llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": "Yes."}),
        );
        span["context"]["trace_id"] = json!(trace);
        span
    };
    let one = serde_json::to_string_pretty(&call("1", "0xa", 1, "One?")).unwrap();
    assert_eq!(detection(one.as_bytes(), &Limits::default()).kind, "otel-spans");
    let view = import(&lines(&[call("1", "0xa", 1, "One?"), call("2", "0xb", 2, "Two?")]));
    assert_eq!(outline(&view.transcript), ["user: One?", "says: Yes.", "user: Two?", "says: Yes."]);
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
}

#[test]
fn messages_without_a_list_are_read_from_the_whole() {
    let body = json!({"model": "m", "messages": [{"role": "user", "content": "Hi"}]}).to_string();
    let answer = json!({"choices": [{"message": {"role": "assistant", "content": "Hello!"}, "finish_reason": "stop"}]}).to_string();
    let facts = json!({"openinference.span.kind": "LLM", "input.value": body, "output.value": answer});
    assert_eq!(outline(&import(&lines(&[printed("1", 1, facts)])).transcript), ["user: Hi", "says: Hello!"]);
    let facts = json!({"openinference.span.kind": "LLM", "input.value": "Hi", "output.value": "{}"});
    assert_eq!(outline(&import(&lines(&[printed("1", 1, facts)])).transcript), ["user: Hi", "says: {}"]);
    let facts = json!({"openinference.span.kind": "LLM", "llm.prompts.0.prompt.text": "Say hi", "llm.choices.0.completion.text": "hi"});
    assert_eq!(outline(&import(&lines(&[printed("1", 1, facts)])).transcript), ["user: Say hi", "says: hi"]);
}

#[test]
fn thoughts_pictures_and_older_calls_are_read() {
    let view = import(&lines(&[printed(
        "1",
        1,
        json!({"openinference.span.kind": "LLM",
        "llm.input_messages.10.message.role": "function", "llm.input_messages.10.message.name": "look",
        "llm.input_messages.10.message.content": "seen",
        "llm.input_messages.2.message.role": "assistant",
        "llm.input_messages.2.message.function_call_name": "look", "llm.input_messages.2.message.function_call_arguments_json": "{\"n\": 1}",
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.contents.0.message_content.type": "image",
        "llm.input_messages.0.message.contents.0.message_content.image.image.url": "https://example.org/a.png",
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.contents.0.message_content.type": "reasoning",
        "llm.output_messages.0.message.contents.0.message_content.text": "A cat?",
        "llm.output_messages.0.message.contents.1.message_content.type": "text",
        "llm.output_messages.0.message.contents.1.message_content.text": "A cat."}),
    )]));
    let store = view.transcript["initial_state"]["message_store"].as_array().unwrap().clone();
    assert_eq!(
        store[0]["content"],
        json!([{"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}])
    );
    // Places are numbers: the tenth comes after the second.
    assert_eq!(
        (&store[1]["tool_calls"][0]["function"]["arguments"], &store[2]["content"]),
        (&json!({"n": 1}), &json!("seen"))
    );
    let answer = &view.transcript["execution"][0]["llm_response"];
    assert_eq!((&answer["content"], &answer["reasoning"]), (&json!("A cat."), &json!("A cat?")));
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
}

#[test]
fn content_that_is_hidden_leaves_the_figures_and_is_reported() {
    let facts = json!({"openinference.span.kind": "LLM", "llm.model_name": "m", "llm.token_count.prompt": 3, "llm.token_count.total": 4});
    let view = import(&lines(&[printed("1", 1, facts)]));
    assert_eq!(
        diagnostic_lines(&view),
        ["T905 the trace has neither the request nor the content of this response"]
    );
    assert_eq!(
        view.transcript["execution"][0]["llm_response"]["metadata"]["span"]["attributes"]["llm.token_count.prompt"],
        3
    );
}

#[test]
fn keys_that_contradict_one_another_or_go_deep_lose_nothing() {
    let deep = format!("llm.input_messages.0.message.{}", vec!["a"; 5000].join("."));
    let mut facts = json!({"openinference.span.kind": "LLM", "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": "Hi", "llm.input_messages.0.message.content.extra": "more",
        "llm.input_messages.99999999999.message.content": "Far", "llm.output_messages.0.message.content": "Yes."});
    facts[deep] = json!("down there");
    let view = import(&lines(&[printed("1", 1, facts)]));
    let turns = outline(&view.transcript);
    assert_eq!(turns, ["user: Hi", "user: Far", "says: Yes."]);
    let text = view.text.unwrap();
    assert!(text.contains("down there") && text.contains("more"), "{text}");
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
}

#[test]
fn a_call_of_one_conversation_is_not_answered_though_another_goes_on() {
    let exchange = |id: &str, second: u32, question: &str, answer: Value| {
        let mut facts = json!({"openinference.span.kind": "LLM", "llm.input_messages.0.message.role": "user",
            "llm.input_messages.0.message.content": question});
        facts.as_object_mut().unwrap().extend(answer.as_object().unwrap().clone());
        printed(id, second, facts)
    };
    let call = json!({"llm.output_messages.0.message.tool_calls.0.tool_call.id": "c1",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "look",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": "{}"});
    let yes = json!({"llm.output_messages.0.message.content": "Yes."});
    let view = import(&lines(&[exchange("1", 1, "One?", call.clone()), exchange("2", 2, "Two?", yes)]));
    assert_eq!(outline(&view.transcript), ["user: One?", "calls look({})", "user: Two?", "says: Yes.",]);
    assert_eq!(
        diagnostic_lines(&view),
        ["T905 no span and no message has the result of a call before this one"]
    );
    let open = "T204: the call to `look` has no result in the imported log";
    assert_eq!(errors(&view.transcript), [open]);
    // At the end of the run it is open, as it was.
    let view = import(&lines(&[exchange("1", 1, "One?", call)]));
    assert_eq!(outline(&view.transcript), ["user: One?", "calls look({})"]);
    assert!(diagnostic_lines(&view).is_empty(), "{:?}", diagnostic_lines(&view));
}

#[test]
fn a_tool_without_a_name_and_a_result_without_its_call_are_kept() {
    let facts = json!({"openinference.span.kind": "LLM", "llm.tools.0.tool.json_schema": "{\"type\": \"object\"}",
        "llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": "Hi",
        "llm.input_messages.1.message.role": "tool", "llm.input_messages.1.message.tool_call_id": "gone",
        "llm.input_messages.1.message.content": "seen", "llm.output_messages.0.message.content": "Yes."});
    let view = import(&lines(&[printed("1", 1, facts)]));
    assert_eq!(outline(&view.transcript), ["user: Hi", "tool: seen", "says: Yes."]);
    assert_eq!(view.transcript["execution"][0]["llm_config"]["unnamed_tools"], json!([{"type": "object"}]));
    assert_eq!(view.transcript["initial_state"]["message_store"][1]["metadata"]["tool_call_id"], "gone");
    // Nothing says which call it answers, which is no error.
    assert_eq!(errors(&view.transcript), ["T203: a tool result has no call id"]);
}
