//! Calls without a result in the log: they are not answered, and nothing says that they failed.

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::export::Settings;
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, Status, import_log};

use crate::{errors, outline};

fn import(text: &str) -> ImportView {
    let view = import_log(&[LogFile { path: "log.json", text }], &ImportOptions::default()).unwrap();
    assert_eq!(view.problem, None);
    view
}

/// A conversation of Cline: it calls tools by blocks, and gives the results back as words of the user.
fn cline() -> String {
    let user = |text: &str| json!({"role": "user", "content": [{"type": "text", "text": text}]});
    json!([
        user("<task>List the files</task>"),
        {"role": "assistant", "content": [
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "t1", "name": "execute_command", "input": {"command": "ls"}}]},
        user("[execute_command for 'ls'] Result:\nCommand executed.\nOutput:\nREADME.md"),
        {"role": "assistant", "content": [
            {"type": "tool_use", "id": "t2", "name": "attempt_completion", "input": {"result": "README.md"}}]},
    ])
    .to_string()
}

#[test]
fn results_that_follow_as_words_of_the_user_fail_nothing() {
    let view = import(&cline());
    assert!(view.ok, "{}", view.rendered);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: <task>List the files</task>",
            "calls execute_command({\"command\": \"ls\"})",
            "user: [execute_command for 'ls'] Result:\nCommand executed.\nOutput:\nREADME.md",
            "calls attempt_completion({\"result\": \"README.md\"})",
        ]
    );
    let numbers: Vec<&Value> =
        view.transcript["execution"].as_array().unwrap().iter().map(|turn| &turn["turn"]).collect();
    assert_eq!(numbers, [1, 2, 3]);
    assert_eq!(view.transcript["execution"][0]["message_created"]["metadata"]["unanswered"], json!(["t1"]));
    // It is reported, and no error.
    let text = view.text.unwrap();
    assert!(!text.contains("success: false"), "{text}");
    assert_eq!(
        errors(&view.transcript),
        [
            "T204: the call to `execute_command` has no result in the imported log",
            "T204: the call to `attempt_completion` has no result at the end of the run",
        ]
    );
}

#[test]
fn the_rows_of_a_run_say_which_calls_are_not_answered() {
    let text = import(&cline()).text.unwrap();
    let document = Document::open(&text, &Limits::default());
    let steps = document.steps();
    assert!(steps.iter().all(|step| step.status == Status::Ok), "{steps:?}");
    let open: Vec<(&str, bool)> =
        steps.iter().flat_map(|step| &step.tools).map(|tool| (tool.name.as_str(), tool.unanswered)).collect();
    assert_eq!(open, [("execute_command", true), ("attempt_completion", true)]);
    let answered =
        "messages:\n  - 'user: Hi'\n  - \"assistant:call f()\"\n  - 'tool:f: 7'\n  - 'assistant: 7'\n";
    let document = Document::open(answered, &Limits::default());
    assert!(document.steps().iter().flat_map(|step| step.tools.clone()).all(|tool| !tool.unanswered));
}

/// No assertion that asks for errors finds one.
#[test]
fn checks_find_no_error_in_a_call_without_a_result() {
    let mut run = import(&cline()).transcript;
    run["final_state"]["assertions"] = json!([{"type": "no_errors"}]);
    let text = transcript_core::write::yaml(&run);
    let document = Document::open(&text, &Limits::default());
    let codes: Vec<&str> = document.diagnostics().iter().map(|found| found.code).collect();
    assert_eq!(codes, ["T204", "T204"]);
}

#[test]
fn a_run_without_results_can_be_exported_to_every_form() {
    let text = import(&cline()).text.unwrap();
    let document = Document::open(&text, &Limits::default());
    for form in ["openai", "anthropic", "atif", "events", "markdown", "html", "compact"] {
        let text = document.exported(form, &Settings::default()).unwrap().text;
        let text = text.unwrap_or_else(|| panic!("{form}"));
        assert!(!text.contains("has the result of this call"), "{form}: {text}");
    }
}

/// A tool ran, and its span does not have what it returned: OpenTelemetry leaves contents out by default.
#[test]
fn a_run_of_a_tool_without_its_result_has_not_failed() {
    let span = |id: &str, name: &str, kind: &str, more: Value| {
        let mut attributes = json!({"gen_ai.operation.name": kind, "gen_ai.provider.name": "openai", "gen_ai.request.model": "m"});
        attributes.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let attributes: Vec<Value> = attributes
            .as_object()
            .unwrap()
            .iter()
            .map(|(key, value)| json!({"key": key, "value": {"stringValue": value}}))
            .collect();
        json!({"traceId": "0af7651916cd43dd8448eb211c80319c", "spanId": id, "name": name,
            "startTimeUnixNano": format!("176800000000000000{id}"), "endTimeUnixNano": format!("176800000000000000{id}"),
            "attributes": attributes})
    };
    let user = json!([{"role": "user", "parts": [{"type": "text", "content": "Weather?"}]}]).to_string();
    let call = json!([{"role": "assistant", "parts": [
        {"type": "tool_call", "id": "c1", "name": "weather", "arguments": {}}]}])
    .to_string();
    let spans = [
        span("1", "chat m", "chat", json!({"gen_ai.input.messages": user, "gen_ai.output.messages": call})),
        span(
            "2",
            "execute_tool weather",
            "execute_tool",
            json!({"gen_ai.tool.name": "weather", "gen_ai.tool.call.id": "c1"}),
        ),
    ];
    let view = import(&json!({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}).to_string());
    assert_eq!(outline(&view.transcript), ["user: Weather?", "calls weather({})"]);
    let text = view.text.unwrap();
    assert!(!text.contains("success: false") && text.contains("execute_tool weather"), "{text}");
}
