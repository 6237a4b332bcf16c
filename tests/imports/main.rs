//! The files of other programs, as they were written by those programs: what is read of each, what is reported, and
//! that nothing is lost.

mod agentloom;
mod ai_sdk;
mod aider;
mod aimock;
mod answers;
mod antigravity;
mod atif;
mod bedrock_http;
mod bodies;
mod cassettes;
mod chatgpt;
mod chats;
mod chats_http;
mod claude;
mod claude_ai;
mod claude_answers;
mod claude_folders;
mod claude_order;
mod cline;
mod codex;
mod codex_forms;
mod codex_sessions;
mod continue_dev;
mod copilot_cli;
mod crewai;
mod cursor;
mod cut_documents;
mod cut_runs;
mod cuts;
mod damage;
mod devtools;
mod each_session;
mod edge_cases;
mod factory_droid;
mod formats;
mod formatted;
mod gemini;
mod gemini_cli;
mod gemini_http;
mod google_adk;
mod grok;
mod iflow;
mod inspect;
mod kimi;
mod kiro;
mod langsmith;
mod large;
mod large_numbers;
mod letta;
mod library_output;
mod lines;
mod losses;
mod lost_lines;
mod managed_agents;
mod mini_swe_agent;
mod mutations;
mod opencode;
mod openhands;
mod openinference;
mod otel;
mod out_of_order;
mod out_of_order_formats;
mod pi;
mod platforms;
mod pydantic_ai;
mod qbit;
mod qbit_repair;
mod qwen_code;
mod recorded_http;
mod repeated_ids;
mod samples;
mod scale;
mod session_sizes;
mod sharegpt;
mod smolagents;
mod specstory;
mod stores;
mod swe_agent;
mod tau;
mod texts;
mod traces;
mod unanswered;
mod understood;
mod unrecognized;
mod vscode_copilot;

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use transcript_core::diagnostic::Severity;
use transcript_core::document::{Document, Limits, detection};
use transcript_core::import::{Imported, LogFile, Request, format_named, read, read_as};
use transcript_core::view::{ImportOptions, ImportView, import_log};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("imports/fixtures")
}

fn fixture(path: &str) -> String {
    fs::read_to_string(folder().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All logs of qbit as one session.
fn qbit(files: &[LogFile<'_>]) -> Imported {
    read_as("qbit", files).unwrap().imported(None)
}

/// The text that qbit gives its summarizer for a log.
fn qbit_summary(file: &LogFile<'_>) -> String {
    let format = format_named("qbit").unwrap();
    let request = Request { format, files: vec![(*file, format)], session: None, summary: true };
    read(&request).unwrap().extras.summary.unwrap()
}

/// What is reported of the files, each with its code and its line.
fn diagnostic_lines(view: &ImportView) -> Vec<String> {
    let all = view.files.iter().flat_map(|file| &file.diagnostics);
    all.map(|found| format!("{} {}: {}", found.code, found.place.line, found.message)).collect()
}

/// Why there is no transcript.
fn why(view: &ImportView) -> &str {
    view.problem.as_ref().map_or("", |problem| problem.message.as_str())
}

/// A transcript without errors; each entry is reported once.
fn checked(view: &ImportView) {
    assert_eq!(why(view), "");
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    let report = &view.files[0].report;
    let mut all: Vec<u32> = report.used.iter().chain(&report.streamed).copied().collect();
    all.extend(report.kept.iter().map(|kept| kept.line));
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), report.entries, "{report:?}");
}

/// The run of a session, which is detected with certainty as that kind.
fn import_session(kind: &str, text: &str) -> ImportView {
    let found = detection(text.as_bytes(), &Limits::default());
    assert_eq!((found.kind, found.confidence), (kind, "certain"), "{}", found.reason);
    import_log(&[LogFile { path: "session.jsonl", text }], &ImportOptions::default()).unwrap()
}

/// The errors of a transcript when it is opened as YAML, which is how it is shown.
fn errors(transcript: &Value) -> Vec<String> {
    let text = transcript_core::write::yaml(transcript);
    let document = Document::open(&text, &Limits::default());
    assert!(document.is_readable(), "{:?}", document.diagnostics().first());
    let errors = document.diagnostics().iter().filter(|found| found.severity <= Severity::Warning);
    errors.map(|found| format!("{}: {}", found.code, found.message)).collect()
}

/// The turns of a transcript, one line each: kind, the text or the call, and how it went.
fn outline(transcript: &Value) -> Vec<String> {
    let turns = transcript["execution"].as_array().unwrap();
    let message = |message: &Value| format!("{}: {}", text(&message["role"]), text(&message["content"]));
    let first = transcript["initial_state"]["message_store"].as_array().into_iter().flatten().map(message);
    let turn = |turn: &Value| match turn["type"].as_str().unwrap() {
        "message" => message(&turn["message_created"]),
        "tool_call" => {
            let ran = &turn["tool_call"];
            let name = text(&ran["tool_name"]);
            match ran["success"].as_bool().unwrap() {
                true => format!("{name} -> {}", turn["message_created"]["content"].as_str().unwrap()),
                false => format!("{name} fails: {}", text(&ran["error"])),
            }
        }
        _ if turn.get("llm_error").is_some() => format!("fails: {}", text(&turn["llm_error"]["message"])),
        _ => {
            let answer = &turn["llm_response"];
            let calls = answer["tool_calls"].as_array().into_iter().flatten().map(|call| {
                format!("{}({})", text(&call["function"]["name"]), text(&call["function"]["arguments"]))
            });
            match calls.collect::<Vec<_>>().join(", ") {
                calls if calls.is_empty() => format!("says: {}", text(&answer["content"])),
                calls => format!("calls {calls}"),
            }
        }
    };
    first.chain(turns.iter().map(turn)).collect()
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// All texts, numbers and truth values of a value.
fn leaves(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| leaves(item, out)),
        Value::Object(entries) => entries.values().for_each(|item| leaves(item, out)),
        Value::Null => {}
        other => out.push(text(other)),
    }
}

/// The leaves of `entries` that are nowhere in `transcript`, as a leaf of it or inside of one.
fn lost(entries: &[Value], transcript: &Value) -> Vec<String> {
    let (mut wanted, mut there) = (Vec::new(), Vec::new());
    entries.iter().for_each(|entry| leaves(entry, &mut wanted));
    leaves(transcript, &mut there);
    let all = there.join("\u{0}");
    let is_there =
        |leaf: &String| there.contains(leaf) || all.contains(&serde_json::to_string(leaf).unwrap());
    wanted.into_iter().filter(|leaf| !leaf.is_empty() && !is_there(leaf)).collect()
}
