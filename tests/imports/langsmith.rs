//! Runs of LangSmith.

use serde_json::{Value, json};
use transcript_core::canonical::Request;
use transcript_core::document::{Document, Limits, detection};
use transcript_core::import::LogFile;
use transcript_core::replay::{ReplayAnswer, Session};
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{errors, fixture, outline};

fn import(text: &str, session: Option<&str>) -> ImportView {
    let options = ImportOptions { session: session.map(str::to_owned), ..ImportOptions::default() };
    import_log(&[LogFile { path: "runs.json", text }], &options).unwrap()
}

fn diagnostic_lines(view: &ImportView) -> Vec<String> {
    let all = view.files.iter().flat_map(|file| &file.diagnostics);
    all.map(|found| format!("{} {}", found.code, found.message)).collect()
}

/// A run ordered by its number.
fn run(number: u32, kind: &str, name: &str, inputs: Value, outputs: Value) -> Value {
    json!({"id": format!("r{number}"), "trace_id": "t", "parent_run_id": null, "dotted_order": format!("20260501T1000{number:02}Zr{number}"),
        "start_time": format!("2026-05-01T10:00:{number:02}.000000"), "end_time": format!("2026-05-01T10:00:{number:02}.500000"),
        "name": name, "run_type": kind, "inputs": inputs, "outputs": outputs, "error": null, "status": "success"})
}

/// A message as LangChain writes it.
fn lc(class: &str, kwargs: Value) -> Value {
    json!({"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", class], "kwargs": kwargs})
}

fn generations(message: Value) -> Value {
    json!({"generations": [[{"text": "", "message": message}]], "llm_output": null})
}

#[test]
fn the_sample_is_a_run_with_a_tool() {
    let text = fixture("langsmith-runs.json");
    let found = detection(text.as_bytes(), &Limits::default());
    assert_eq!((found.kind, found.confidence), ("langsmith-runs", "certain"));
    let view = import(&text, None);
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    assert_eq!(
        outline(&view.transcript),
        ["user: refund", r#"calls lookup({"id": 4471})"#, "lookup -> order 4471"]
    );
    let answer = &view.transcript["execution"][0]["llm_response"];
    assert_eq!(answer["usage"], json!({"prompt_tokens": 5, "completion_tokens": 3, "total_tokens": 8}));
    assert!(view.ok && diagnostic_lines(&view).is_empty(), "{:?}", diagnostic_lines(&view));
    // The chain around them has no place in the run.
    assert_eq!(view.files[0].report.kept.len(), 1);
}

#[test]
fn the_order_of_the_runs_is_not_that_of_the_file() {
    let call = json!({"content": [{"type": "text", "text": "I look."}, {"type": "tool_use", "id": "c1", "name": "look", "input": {}}],
        "tool_calls": [{"name": "look", "args": {"n": 1}, "id": "c1", "type": "tool_call"}],
        "usage_metadata": {"input_tokens": 9, "output_tokens": 4, "total_tokens": 13},
        "response_metadata": {"model_name": "gpt-5", "finish_reason": "tool_calls"}, "id": "run-1"});
    let first = vec![
        lc("SystemMessage", json!({"content": "Be brief."})),
        lc("HumanMessage", json!({"content": "Look"})),
    ];
    let mut second = first.clone();
    second.push(lc("AIMessage", call.clone()));
    second.push(lc(
        "ToolMessage",
        json!({"content": "seen", "tool_call_id": "c1", "name": "look", "status": "success"}),
    ));
    let mut call_run =
        run(1, "llm", "ChatOpenAI", json!({"messages": [first]}), generations(lc("AIMessageChunk", call)));
    call_run["extra"] = json!({"invocation_params": {"model": "gpt-5", "temperature": 0, "tools": [{"type": "function", "function": {"name": "look"}}]}});
    let tool = run(
        2,
        "tool",
        "look",
        json!({"input": "{'n': 1}"}),
        json!({"output": lc("ToolMessage", json!({"content": "seen", "tool_call_id": "c1", "name": "look"}))}),
    );
    let answered = run(
        3,
        "llm",
        "ChatOpenAI",
        json!({"messages": [second]}),
        generations(lc("AIMessage", json!({"content": "Seen."}))),
    );
    let lines: Vec<String> = [answered, tool, call_run].iter().map(Value::to_string).collect();
    let view = import(&lines.join("\r\n"), None);
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    assert_eq!(
        outline(&view.transcript),
        ["system: Be brief.", "user: Look", r#"calls look({"n": 1})"#, "look -> seen", "says: Seen."]
    );
    let config = &view.transcript["agent_config"];
    assert_eq!(
        (&config["model"], &config["temperature"], &config["tools"][0]["name"]),
        (&json!("gpt-5"), &json!(0), &json!("look"))
    );
    let answer = &view.transcript["execution"][0]["llm_response"];
    assert_eq!(
        (&answer["content"], &answer["finish_reason"], &answer["usage"]["total_tokens"]),
        (&json!("I look."), &json!("tool_calls"), &json!(13))
    );
    assert!(diagnostic_lines(&view).is_empty(), "{:?}", diagnostic_lines(&view));
}

#[test]
fn runs_may_stand_in_one_another_and_fail() {
    let mut chain = run(0, "chain", "Agent", json!({"question": "Hi"}), json!({}));
    let mut failed =
        run(1, "llm", "Chat", json!({"messages": [{"role": "user", "content": "Hi"}]}), Value::Null);
    failed["error"] = json!("RateLimitError()");
    let again = run(
        2,
        "llm",
        "Chat",
        json!({"messages": [{"role": "user", "content": "Hi"}]}),
        json!({"choices": [{"message": {"role": "assistant", "content": "Hello!"}}]}),
    );
    failed.as_object_mut().unwrap().shift_remove("trace_id");
    chain["child_runs"] = json!([failed, again]);
    let view = import(&chain.to_string(), None);
    assert_eq!(outline(&view.transcript), ["user: Hi", "fails: RateLimitError()", "says: Hello!"]);
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
}

#[test]
fn messages_of_other_forms_are_read() {
    let inputs = json!({"messages": [["system", "Be brief."], {"type": "human", "data": {"content": "Hi"}}, {"type": "ai", "content": "Hello."},
        {"role": "user", "content": "Bye"}]});
    let view = import(
        &json!([run(1, "llm", "Chat", inputs, json!({"role": "assistant", "content": "Bye."}))]).to_string(),
        None,
    );
    // The answer of an earlier call is in the history alone.
    assert_eq!(
        outline(&view.transcript),
        ["system: Be brief.", "user: Hi", "assistant: Hello.", "user: Bye", "says: Bye."]
    );
    let prompt = run(
        1,
        "llm",
        "Old",
        json!({"prompts": ["Say hi"]}),
        json!({"generations": [[{"text": "hi", "generation_info": {"finish_reason": "stop"}}]]}),
    );
    assert_eq!(outline(&import(&json!([prompt]).to_string(), None).transcript), ["user: Say hi", "says: hi"]);
}

#[test]
fn traces_are_chosen_from_and_what_is_no_run_is_kept() {
    let one = run(
        1,
        "llm",
        "Chat",
        json!({"messages": [{"role": "user", "content": "One"}]}),
        json!({"content": "1", "role": "assistant"}),
    );
    let mut two = one.clone();
    (two["trace_id"], two["name"]) = (json!("u"), json!("Other"));
    let view = import(&json!([one, two]).to_string(), None);
    assert_eq!(view.problem.as_ref().unwrap().message, "the log has 2 traces: `t` (\"One\"), `u` (\"One\")");
    assert_eq!(view.first_words, ["One", "One"]);
    let view = import(&json!([one, {"odd": true}, 5]).to_string(), None);
    assert_eq!(
        diagnostic_lines(&view),
        [
            "T903 this is not a run; it is kept in `metadata`",
            "T903 expected a run, found a number; it is kept in `metadata`"
        ]
    );
    assert_eq!(view.files[0].report.kept.len(), 2);
}

/// LangChain sends a model the calls that it could not read, and those that only the vendor's form has, as well as its
/// own; an imported log has them, and the same messages replay it.
#[test]
fn calls_that_langchain_sends_in_any_of_its_forms_replay() {
    let own = json!([{"id": "k", "name": "f", "args": {"n": 1}, "type": "tool_call"}]);
    let unread =
        json!([{"id": "k", "name": "f", "args": "{bad", "error": "no JSON", "type": "invalid_tool_call"}]);
    let vendor =
        json!([{"id": "k", "type": "function", "function": {"name": "f", "arguments": "{\"n\": 1}"}}]);
    let parts =
        json!([{"type": "text", "text": "I look."}, {"type": "function_call", "name": "f", "call_id": "k"}]);
    let untyped = json!([{"text": "I look."}]);
    let result = json!([{"text": "a", "id": 1}]);
    for (call, arguments) in [
        (json!({"content": parts, "tool_calls": own}), json!({"n": 1})),
        (json!({"content": "", "tool_calls": [], "invalid_tool_calls": unread}), json!("{bad")),
        (json!({"content": untyped, "additional_kwargs": {"tool_calls": vendor}}), json!({"n": 1})),
    ] {
        let messages = [
            lc("HumanMessage", json!({"content": "hi"})),
            lc("AIMessageChunk", call),
            lc("ToolMessage", json!({"content": result, "tool_call_id": "k"})),
        ];
        let answer = generations(lc("AIMessage", json!({"content": "ok"})));
        let runs = json!([run(1, "llm", "Chat", json!({"messages": [messages]}), answer)]).to_string();
        let transcript = import(&runs, None).transcript;
        let request = Request::from_value(&json!({"format": "langchain", "messages": messages})).unwrap();
        assert_eq!(
            (&request.messages()[1].tool_calls[0].arguments, &request.messages()[2].result),
            (&arguments, &Some(result.clone()))
        );
        let document = Document::open(&transcript.to_string(), &Limits::default());
        let mut session = Session::new(document.timeline().unwrap().clone()).unwrap();
        let answer = session.request(&request);
        assert!(matches!(answer, ReplayAnswer::Response { .. }), "{answer:?}");
    }
}
