//! What the devtools of the AI SDK write. The fixtures are of `@ai-sdk/devtools` 0.0.24, as a middleware, and 1.0.22, as
//! telemetry, with models that answer from a list.

use serde_json::{Value, json};
use transcript_core::document::{Limits, detection};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{errors, fixture, lost, outline};

fn import(text: &str, session: Option<&str>) -> ImportView {
    let options = ImportOptions { session: session.map(str::to_owned), ..ImportOptions::default() };
    import_log(&[LogFile { path: ".devtools/generations.json", text }], &options).unwrap()
}

fn diagnostic_lines(view: &ImportView) -> Vec<String> {
    let all = view.files.iter().flat_map(|file| &file.diagnostics);
    all.map(|found| format!("{} {}", found.code, found.message)).collect()
}

fn data(path: &str) -> Value {
    serde_json::from_str(&fixture(path)).unwrap()
}

/// The id of a run of a fixture.
fn run_of(data: &Value, at: usize) -> String {
    data["runs"][at]["id"].as_str().unwrap().to_owned()
}

/// A call of a model with one question.
fn step(id: &str, run: &str, number: u32, question: &str, output: &Value) -> Value {
    let input = json!({"prompt": [{"role": "user", "content": [{"type": "text", "text": question}]}]});
    json!({"id": id, "run_id": run, "step_number": number, "type": "generate", "model_id": "m", "provider": null,
        "started_at": format!("2026-05-01T10:00:{number:02}.000Z"), "duration_ms": 5, "input": input.to_string(),
        "output": output.as_object().map(|_| output.to_string()), "usage": null, "error": null, "raw_request": null,
        "raw_response": null, "raw_chunks": null, "provider_options": null})
}

fn text_answer(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}], "finishReason": "stop"})
}

fn run(id: &str) -> Value {
    json!({"id": id, "started_at": "2026-05-01T10:00:00.000Z"})
}

#[test]
fn a_run_of_the_middleware_has_its_calls_its_stream_and_its_settings() {
    let text = fixture("ai-sdk-devtools-6.json");
    let found = detection(text.as_bytes(), &Limits::default());
    assert_eq!((found.kind, found.confidence), ("ai-sdk-devtools", "certain"));
    let whole = data("ai-sdk-devtools-6.json");
    let view = import(&text, Some(&run_of(&whole, 0)));
    // The page ran the last call, and not the program.
    assert_eq!(errors(&view.transcript), ["T204: the call to `weather` has no result at the end of the run"]);
    assert_eq!(
        outline(&view.transcript),
        [
            "system: Be brief.",
            "user: How warm is it in Bern?",
            r#"calls weather({"city":"Bern"})"#,
            r#"weather -> {"city": "Bern", "degrees": 21}"#,
            "says: It is 21 degrees in Bern.",
            "user: And Rome?",
            r#"calls weather({"city":"Rome"})"#,
        ]
    );
    let config = &view.transcript["agent_config"];
    assert_eq!(
        (&config["model"], &config["temperature"], &config["tools"][0]["name"]),
        (&json!("mock-1"), &json!(0.2), &json!("weather"))
    );
    assert_eq!(config["tools"][0]["parameters"]["required"], json!(["city"]));
    let answers: Vec<&Value> = view.transcript["execution"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|turn| turn.get("llm_response"))
        .collect();
    assert_eq!((&answers[0]["content"], &answers[0]["id"]), (&json!("I look."), &json!("r1")));
    assert_eq!(
        (&answers[0]["finish_reason"], &answers[0]["metadata"]["finishReason"]["raw"]),
        (&json!("tool-calls"), &json!("tool_calls"))
    );
    assert_eq!(answers[1]["reasoning"], "It is warm.");
    assert_eq!(
        (&answers[2]["content"], &answers[2]["usage"]["outputTokens"]["total"]),
        (&json!("Good bye."), &json!(5))
    );
    assert!(view.ok && diagnostic_lines(&view).is_empty(), "{:?}", diagnostic_lines(&view));
    // The second run failed.
    let view = import(&text, Some(&run_of(&whole, 1)));
    assert_eq!(outline(&view.transcript), ["user: Anybody?", "fails: the service is busy"]);
    // Runs are distinguished by their first prompt.
    let problem = import(&text, None).problem.unwrap().message;
    assert!(
        problem.contains("(\"How warm is it in Bern?\")") && problem.contains("(\"Anybody?\")"),
        "{problem}"
    );
}

#[test]
fn a_run_in_a_tool_is_a_run_in_its_result() {
    let text = fixture("ai-sdk-devtools-7.json");
    let whole = data("ai-sdk-devtools-7.json");
    let view = import(&text, Some(&run_of(&whole, 0)));
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    assert_eq!(
        outline(&view.transcript),
        [
            "system: Be brief.",
            "user: Tell of the sea.",
            r#"calls research({"about": "the sea"})"#,
            "research -> The sea is cold.",
            r#"calls lookup({"id": 7})"#,
            "lookup fails: Error: no such id",
            "says: Cold, and 7.",
        ]
    );
    assert_eq!(view.transcript["metadata"]["name"], "boss");
    let result = &view.transcript["execution"][1]["tool_call"]["result"];
    assert_eq!((&result["type"], &result["agent_id"]), (&json!("nested_agent_result"), &json!("helper")));
    assert_eq!(outline(&result["nested_transcript"]), ["user: About the sea", "says: The sea is cold."]);
    assert_eq!(result["nested_transcript"]["agent_config"]["model"], "small-1");
    // The helper has no run of its own.
    let names = import(&text, None).sessions;
    assert_eq!(names, [0, 2, 3].map(|at| run_of(&whole, at)));
    assert!(diagnostic_lines(&view).is_empty(), "{:?}", diagnostic_lines(&view));
}

#[test]
fn the_outcome_of_the_last_calls_is_known_though_no_model_got_it() {
    let whole = data("ai-sdk-devtools-7.json");
    let view = import(&fixture("ai-sdk-devtools-7.json"), Some(&run_of(&whole, 2)));
    assert_eq!(
        outline(&view.transcript),
        ["user: What time is it?", "calls now({})", r#"now -> {"hour": 12}"#]
    );
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
}

#[test]
fn runs_in_calls_side_by_side_are_distinguished_by_what_they_ended_with() {
    let call = |id: &str, output: &str| {
        [
            json!({"type": "tool-call", "toolCallId": id, "toolName": "ask", "input": {"n": id}}),
            json!({"type": "tool-result", "toolCallId": id, "toolName": "ask", "input": {"n": id}, "output": output}),
        ]
    };
    let [one, two] = [call("c1", "A"), call("c2", "B")];
    let output = json!({"content": [one[0], two[0], one[1], two[1]], "finishReason": "tool-calls"});
    let inner = |id: &str| {
        let mut run = run(id);
        (run["parent_run_id"], run["parent_step_id"]) = (json!("r"), json!("s1"));
        run["started_at"] = json!("2026-05-01T10:00:01.500Z");
        run
    };
    let mut lone = inner("r4");
    lone["parent_step_id"] = json!("gone");
    let file = json!({"runs": [run("r"), inner("r2"), inner("r3"), lone], "steps": [step("s1", "r", 1, "Go", &output),
        step("s2", "r2", 2, "To B", &text_answer("B")), step("s3", "r3", 3, "To A", &text_answer("A")), step("s4", "r4", 4, "Lost", &text_answer("C"))]});
    let view = import(&file.to_string(), Some("r"));
    let result =
        |at: usize| outline(&view.transcript["execution"][at]["tool_call"]["result"]["nested_transcript"]);
    assert_eq!(result(1), ["user: To A", "says: A"]);
    assert_eq!(result(2), ["user: To B", "says: B"]);
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    // A call that is not in the file is unknown, so the run is separate.
    assert_eq!(import(&file.to_string(), None).sessions, ["r", "r4"]);
}

#[test]
fn runs_that_stand_in_one_another_are_read_and_end() {
    let output =
        json!({"content": [{"type": "tool-call", "toolCallId": "c", "toolName": "ask", "input": {}}]});
    let mut one = run("a");
    (one["parent_run_id"], one["parent_step_id"]) = (json!("b"), json!("t"));
    let mut two = run("b");
    (two["parent_run_id"], two["parent_step_id"]) = (json!("a"), json!("s"));
    let file = json!({"runs": [one, two], "steps": [step("s", "a", 1, "A", &output), step("t", "b", 2, "B", &output)]});
    let view = import(&file.to_string(), Some("a"));
    assert_eq!(outline(&view.transcript), ["user: A", "calls ask({})"]);
}

#[test]
fn a_call_that_has_no_end_or_was_aborted_is_reported() {
    let mut aborted = step(
        "s2",
        "r",
        2,
        "Go on",
        &json!({"textParts": [{"id": "t", "text": "I be"}], "reasoningParts": [], "toolCalls": []}),
    );
    aborted["error"] = json!("Request aborted");
    aborted["raw_chunks"] = json!(r#"[{"delta":"I be"}]"#);
    let mut early =
        step("s3", "r", 3, "Once more", &json!({"textParts": [], "reasoningParts": [], "toolCalls": []}));
    early["error"] = json!("Request aborted");
    let file = json!({"runs": [run("r")], "steps": [step("s1", "r", 1, "Hi", &Value::Null), aborted, early]});
    let view = import(&file.to_string(), None);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Hi",
            "fails: the call does not end in this file",
            "user: Go on",
            "says: I be",
            "user: Once more",
            "fails: Request aborted",
        ]
    );
    let answer = &view.transcript["execution"][2]["llm_response"]["metadata"];
    assert_eq!(
        (&answer["incomplete"], &answer["span"]["error"], &answer["span"]["raw_chunks"][0]["delta"]),
        (&json!(true), &json!("Request aborted"), &json!("I be"))
    );
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
}

#[test]
fn keys_in_packed_bodies_are_blanked_and_odd_entries_kept() {
    let mut first = step("s1", "r", 1, "Hi", &text_answer("Hello."));
    first["raw_request"] =
        json!(r#"{"headers": {"authorization": "Bearer k8Wq2mXz7Lr4Tb9N"}, "model": "m"}"#);
    first["input"] = json!("no JSON {");
    let file = json!({"runs": [run("r"), {"odd": 1}], "steps": [first, 5, {"id": "x"}], "version": 3});
    let view = import(&file.to_string(), None);
    assert!(!view.text.as_ref().unwrap().contains("k8Wq2mXz7Lr4Tb9N"));
    assert_eq!(outline(&view.transcript), ["says: Hello."]);
    // What cannot be read as JSON stays as it is.
    assert_eq!(view.transcript["execution"][0]["llm_response"]["metadata"]["span"]["input"], "no JSON {");
    let kept = &view.transcript["metadata"]["recording"]["kept"];
    assert_eq!(kept.as_array().unwrap().len(), 4, "{kept}");
    assert_eq!(view.files[0].report.kept.len(), 4);
}

#[test]
fn a_file_that_is_cut_is_read_as_far_as_it_goes() {
    let text = fixture("ai-sdk-devtools-6.json");
    let whole = data("ai-sdk-devtools-6.json");
    let end = text.find("\"step_number\": 3").unwrap();
    let view = import(&text[..end], Some(&run_of(&whole, 0)));
    assert_eq!(&*view.kind, "ai-sdk-devtools");
    assert_eq!(outline(&view.transcript).last().unwrap(), "says: It is 21 degrees in Bern.");
    assert!(!view.ok || view.files[0].report.truncated_line.is_some());
    // Windows line ends and a byte order mark change nothing.
    let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    let (one, other) = (import(&text, Some(&run_of(&whole, 0))), import(&windows, Some(&run_of(&whole, 0))));
    assert_eq!(one.transcript, other.transcript);
}

/// The step with JSON texts parsed.
fn unpacked(step: &Value) -> Value {
    let mut out = step.clone();
    for value in out.as_object_mut().unwrap().values_mut() {
        let read = value.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
        if let Some(read) = read.filter(|read| read.is_object() || read.is_array()) {
            *value = read;
        }
    }
    out
}

#[test]
fn no_text_of_a_call_is_lost() {
    // What the form of a run says, and what of a message follows from its place.
    let form = [
        "user",
        "text",
        "reasoning",
        "function",
        "tool-call",
        "tool-result",
        "json",
        "error-text",
        "tool-error",
        "false",
    ];
    let mut checked = 0;
    for path in ["ai-sdk-devtools-6.json", "ai-sdk-devtools-7.json"] {
        let whole = data(path);
        for at in import(&fixture(path), None).sessions {
            let view = import(&fixture(path), Some(&at));
            let steps = whole["steps"].as_array().unwrap().iter().filter(|step| step["run_id"] == *at);
            let steps: Vec<Value> = steps.map(unpacked).collect();
            let mut missing = lost(&steps, &view.transcript);
            missing.retain(|text| !form.contains(&text.as_str()));
            assert_eq!(missing, Vec::<String>::new(), "{path}, {at}");
            checked += steps.len();
        }
    }
    assert_eq!(checked, 9);
}
