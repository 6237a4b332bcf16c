//! What the libraries that own the formats wrote themselves, by the scripts in `makers`.

use serde_json::{Value, json};
use transcript_core::diagnostic::Severity;
use transcript_core::document::{Document, Limits, detection};
use transcript_core::export::Settings;
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{errors, fixture, outline};

fn import(path: &str, kind: &str) -> ImportView {
    let text = fixture(&format!("made/{path}"));
    let found = detection(text.as_bytes(), &Limits::default());
    assert_eq!((found.kind, found.confidence), (kind, "certain"), "{path}");
    let view = import_log(&[LogFile { path, text: &text }], &ImportOptions::default()).unwrap();
    assert!(view.ok, "{path}: {:?}", view.problem);
    view
}

fn diagnostic_lines(view: &ImportView) -> Vec<String> {
    let all = view.files.iter().flat_map(|file| &file.diagnostics);
    all.map(|found| format!("{} {}", found.code, found.message)).collect()
}

/// The run that the makers of LangSmith and OpenTelemetry have in common.
const CITIES: [&str; 6] = [
    "system: Be brief.",
    "user: How is NYC, how is LA?",
    r#"calls weather({"city": "NYC"}), weather({"city": "LA"})"#,
    r#"weather -> {"sky": "sunny", "temp_f": 72}"#,
    "weather fails: the service did not answer in time",
    "says: NYC is sunny; LA did not answer.",
];

#[test]
fn runs_of_the_tracer_of_langchain_are_read() {
    let view = import("langsmith-client.jsonl", "langsmith-runs");
    let run = &view.transcript;
    assert_eq!(outline(run), CITIES);
    assert_eq!((diagnostic_lines(&view), errors(run)), (vec![], vec![]));
    let tool = &run["agent_config"]["tools"][0];
    assert_eq!((&tool["name"], &tool["parameters"]["required"]), (&json!("weather"), &json!(["city"])));
    let turns = run["execution"].as_array().unwrap();
    for (answer, finish) in [(&turns[0], "tool_calls"), (turns.last().unwrap(), "stop")] {
        let response = &answer["llm_response"];
        assert_eq!((&response["model"], &response["finish_reason"]), (&json!("scripted-1"), &json!(finish)));
        assert_eq!(response["usage"]["total_tokens"], 17);
    }
    let ids: Vec<&Value> = turns[1..3].iter().map(|turn| &turn["tool_call"]["id"]).collect();
    assert_eq!(ids, ["call_1", "call_2"]);
}

#[test]
fn spans_of_opentelemetry_are_the_same_run_in_both_forms_of_its_ids() {
    for path in ["otlp-genai.json", "otlp-protobuf.json"] {
        let view = import(path, "otel-spans");
        let run = &view.transcript;
        // The tool failed by its exception, and the model got it in other words.
        let mut cities = CITIES;
        cities[4] = "weather fails: no answer";
        assert_eq!(outline(run), cities, "{path}");
        let error_text = &run["execution"][2]["message_created"]["content"];
        assert_eq!(error_text, "the service did not answer in time");
        assert_eq!((diagnostic_lines(&view), errors(run)), (vec![], vec![]), "{path}");
        assert_eq!(run["agent_config"]["temperature"], 0.25);
        let turns = run["execution"].as_array().unwrap();
        let response = &turns[0]["llm_response"];
        assert_eq!(
            (&response["model"], &response["finish_reason"]),
            (&json!("gpt-5-mini-2026"), &json!("tool_calls"))
        );
        assert_eq!((&response["id"], &response["usage"]["input_tokens"]), (&json!("chatcmpl-1"), &json!(12)));
        assert_eq!(turns[2]["tool_call"]["success"], false);
    }
}

/// The call of the session that the fixtures of Claude Code have.
fn read_of_main() -> String {
    format!(r#"calls Read({{"file_path": "{}"}})"#, ["", "home", "u", "app", "main.rs"].join("/"))
}

/// The converter of harbor writes what is known of a result behind its words.
#[test]
fn trajectories_that_harbor_made_of_sessions_have_the_results_that_the_models_saw() {
    let view = import("harbor-claude.json", "atif-trajectory");
    let run = &view.transcript;
    assert_eq!(outline(run), ["user: Fix the bug", &read_of_main(), "Read -> fn main(){}", "says: Done.",]);
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    assert_eq!(run["execution"][0]["llm_response"]["reasoning"], "I should look");
    let seen = &run["execution"][1]["message_created"]["metadata"];
    assert!(seen["content"].as_str().unwrap().starts_with("fn main(){}\n\n[metadata] {"), "{seen}");
    let view = import("harbor-codex.json", "atif-trajectory");
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    assert_eq!(
        outline(&view.transcript),
        [
            "user: <environment_context>…</environment_context>",
            "user: Fix the bug",
            // The converter makes one step of the call and of the answer to its result.
            r#"calls exec_command({"cmd": ["bash", "-lc", "cat main.rs"]})"#,
            "exec_command -> fn main(){}",
        ]
    );
    assert_eq!(view.transcript["execution"][0]["llm_response"]["content"], "Done.");
}

#[test]
fn steps_of_an_agent_amid_those_of_another_are_a_run_of_its_own() {
    let view = import("harbor-agents.json", "atif-trajectory");
    let run = &view.transcript;
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    assert_eq!(
        outline(run),
        [
            "user: Count the files, and have the tests looked at",
            r#"calls Bash({"command": "ls | wc -l"}), Task({"prompt": "Look at the tests", "subagent_type": "reviewer"})"#,
            "Bash fails: ls: permission denied",
            "Task -> All 3 pass",
            "says: I cannot count them; all 3 tests pass.",
        ]
    );
    let inner = &run["execution"][2]["tool_call"]["result"];
    assert_eq!((&inner["agent_id"], &inner["response"]), (&json!("a1"), &json!("All 3 pass")));
    assert_eq!(
        outline(&inner["nested_transcript"]),
        [
            "user: Look at the tests",
            r#"calls Bash({"command": "make test"})"#,
            "Bash -> ok 3",
            "says: All 3 pass"
        ]
    );
    // As a trajectory again, the agent has one of its own.
    let document = Document::open(&transcript_core::write::yaml(run), &Limits::default());
    assert!(document.diagnostics().iter().all(|found| found.severity != Severity::Error));
    let made = document.exported("atif", &Settings::default()).unwrap().text.unwrap();
    let made: Value = serde_json::from_str(&made).unwrap();
    assert_eq!(made["subagent_trajectories"][0]["steps"].as_array().unwrap().len(), 3);
}

#[test]
fn steps_of_agents_that_no_result_names_are_kept_and_reported() {
    let text = fixture("made/harbor-agents.json").replace("\"agentId\": \"a1\"", "\"agentName\": \"a1\"");
    let view = import_log(&[LogFile { path: "t.json", text: &text }], &ImportOptions::default()).unwrap();
    let note = "steps belong to agents without a result; they are kept in `metadata`";
    assert_eq!(diagnostic_lines(&view), [format!("T905 {note}")]);
    assert_eq!(outline(&view.transcript).len(), 5);
    let kept = view.transcript["metadata"]["recording"]["kept"].as_array().unwrap();
    assert_eq!(kept.len(), 3, "{kept:?}");
    let report = &view.files[0].report;
    assert_eq!((report.used.len(), report.kept.len()), (3, 3));
}

/// Sessions that harbor writes, so that an agent goes on where a trajectory ends.
#[test]
fn sessions_that_harbor_made_of_trajectories_are_read() {
    let view = import("harbor-claude-session.jsonl", "claude-code-session");
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    assert_eq!(
        outline(&view.transcript),
        ["user: Fix the bug", &read_of_main(), "Read -> fn main(){}", "says: Done.",]
    );
    // What Codex puts before the first words of a person is none of theirs.
    let view = import("harbor-codex-session.jsonl", "codex-rollout");
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Fix the bug",
            r#"calls exec_command({"cmd": ["bash", "-lc", "cat main.rs"]})"#,
            "exec_command -> fn main(){}",
        ]
    );
}
