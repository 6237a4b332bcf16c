//! Every file of both systems that there is: what it is, what is read of it, what is reported, and that nothing of it is
//! lost. `PRINT=1 cargo test -p transcript-tests --test imports -- --nocapture table` prints the table, and `UPDATE=1` writes it.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use transcript_core::document::{Limits, detection};
use transcript_core::import::{LogFile, formats};
use transcript_core::view::{EventLog, ImportOptions, ImportView, import_log};

use crate::{folder, leaves};

/// All files below a folder by their paths in it, in order.
fn files(folder: &Path) -> Vec<(String, String)> {
    fn below(root: &Path, folder: &Path, out: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                below(root, &path, out);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                out.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let mut out = Vec::new();
    below(folder, folder, &mut out);
    out.sort();
    out
}

pub(crate) fn samples() -> Vec<(String, String)> {
    let mut all = files(&folder());
    let events = files(&folder().join("../../events/samples"));
    all.extend(events.into_iter().map(|(name, text)| (format!("events/{name}"), text)));
    all
}

/// The file with what belongs to it: the recording of calls or a result, the logs of the agents of a session.
fn together<'t>(name: &'t str, text: &'t str, all: &'t [(String, String)]) -> Vec<LogFile<'t>> {
    let mut out = vec![LogFile { path: name, text }];
    let stem = name.strip_suffix(".mock_calls.json").or(name.strip_suffix(".result.json"));
    let recording = stem.map(|stem| format!("{stem}.json"));
    let agents = name.strip_suffix("transcript.json").map(|session| format!("{session}subagents/"));
    for (path, text) in all {
        let is_agent = agents.as_ref().is_some_and(|agents| path.starts_with(agents.as_str()));
        if Some(path) == recording.as_ref() || is_agent {
            out.push(LogFile { path, text });
        }
    }
    out
}

/// The text values in JSON, which may be cut: each between its quotes, and no key.
fn texts(source: &str) -> Vec<String> {
    let bytes = source.as_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    while let Some(begin) = source[at..].find('"').map(|found| at + found) {
        let mut end = begin + 1;
        while end < bytes.len() && bytes[end] != b'"' && bytes[end] != b'\n' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        let end = end.min(source.len());
        let is_whole = bytes.get(end) == Some(&b'"');
        let rest = source.get(end + 1..).unwrap_or("").trim_start();
        if is_whole && !rest.starts_with(':') {
            out.push(serde_json::from_str(&source[begin..=end]).unwrap());
        }
        if !is_whole {
            // The end of a cut text is blank or not.
            out.push(source[begin..end].trim_end().to_owned());
        }
        at = (end + 1).min(source.len());
    }
    out
}

/// What of the texts of a source is nowhere in a transcript.
fn missing(source: &str, transcript: &Value) -> Vec<String> {
    let mut there = Vec::new();
    leaves(transcript, &mut there);
    let set: HashSet<&str> = there.iter().map(String::as_str).collect();
    let all = there.join("\u{0}");
    let is_there = |text: &String| {
        let escaped = serde_json::to_string(text).unwrap();
        set.contains(text.as_str())
            || all.contains(text.as_str())
            || all.contains(&escaped[1..escaped.len() - 1])
    };
    // Data in a text is read.
    let is_read = |text: &String| {
        let mut inner = Vec::new();
        let data = serde_json::from_str::<Value>(text).ok().filter(Value::is_object);
        data.iter().for_each(|data| leaves(data, &mut inner));
        data.is_some() && inner.iter().all(is_there)
    };
    texts(source).into_iter().filter(|text| !is_there(text) && !is_read(text)).collect()
}

struct Row {
    name: String,
    kind: &'static str,
    /// How many entries were read, became a part of the run, are kept next to it, and could not be read.
    entries: [usize; 4],
    messages: usize,
    calls: usize,
    reported: Vec<String>,
    missing: Vec<String>,
}

impl Row {
    fn line(&self) -> String {
        let Self { name, kind, entries: [read, used, kept, lost], messages, calls, reported, .. } = self;
        let reported =
            if reported.is_empty() { String::new() } else { format!(" · {}", reported.join("; ")) };
        match formats().iter().any(|format| format.kind == *kind) {
            true => format!(
                "{name}: {kind}, {read} entries = {used} + {kept}, {lost} lost, {messages} messages, {calls} calls{reported}"
            ),
            false => format!("{name}: {kind}{reported}"),
        }
    }
}

/// The rows of a file: its own, and one for each of the runs that it has where these are several.
fn rows_of(name: &str, text: &str, all: &[(String, String)]) -> Vec<Row> {
    let kind = detection(text.as_bytes(), &Limits::default()).kind;
    let files = together(name, text, all);
    let imported = |session: Option<&String>| {
        let options = ImportOptions { session: session.cloned(), ..ImportOptions::default() };
        import_log(&files, &options).unwrap()
    };
    let view = imported(None);
    let mut own = row(name, kind, &view);
    if kind == "event-log" {
        let card = EventLog::open(text.to_owned()).overview();
        let (events, agents, ordered) = (card.events, card.agents.len(), card.ordered);
        let reported = format!(
            "{events} events of {agents} agents, {ordered} in order, {} errors, {} warnings",
            card.errors, card.warnings
        );
        own.reported = vec![reported];
    }
    if !view.transcript.is_null() {
        own.missing = missing(text, &view.transcript);
        return vec![own];
    }
    let runs: Vec<ImportView> = view.sessions.iter().map(|session| imported(Some(session))).collect();
    if !runs.is_empty() {
        // What is of one run is not of the others.
        own.missing = missing(text, &runs.iter().map(|run| run.transcript.clone()).collect());
    }
    let inner =
        view.sessions.iter().zip(&runs).map(|(session, run)| row(&format!("{name}[{session}]"), kind, run));
    let inner: Vec<Row> = inner.collect();
    std::iter::once(own).chain(inner).collect()
}

fn row(name: &str, kind: &'static str, view: &ImportView) -> Row {
    let path = name.split('[').next().unwrap_or(name);
    let mut row = Row {
        name: name.to_owned(),
        kind,
        entries: [0; 4],
        messages: 0,
        calls: 0,
        reported: view.problem.iter().map(|problem| problem.message.clone()).collect(),
        missing: Vec::new(),
    };
    for file in view.files.iter().filter(|file| file.report.path == path) {
        let report = &file.report;
        row.entries = [report.entries, report.used.len(), report.kept.len(), report.lost.len()];
        row.reported.extend(file.diagnostics.iter().map(|found| format!("{} {}", found.code, found.message)));
    }
    if let Some(turns) = view.transcript["execution"].as_array() {
        let initial = view.transcript["initial_state"]["message_store"].as_array().map_or(0, Vec::len);
        let agents = view.transcript["agents"].as_object().into_iter().flat_map(|agents| agents.values());
        let of_agents: usize =
            agents.map(|agent| agent["message_store"].as_array().map_or(0, Vec::len)).sum();
        row.messages =
            initial + of_agents + turns.iter().filter(|turn| turn.get("message_created").is_some()).count();
        row.calls = turns.iter().filter(|turn| turn["type"] == "tool_call").count();
    }
    row
}

fn rows() -> Vec<Row> {
    let all = samples();
    all.iter().flat_map(|(name, text)| rows_of(name, text, &all)).collect()
}

#[test]
fn table_of_every_sample() {
    let rows = rows();
    let lines: Vec<String> = rows.iter().map(Row::line).collect();
    if std::env::var_os("PRINT").is_some() {
        println!("{}", lines.join("\n"));
    }
    let golden = folder().join("../samples.txt");
    let expected = fs::read_to_string(&golden).unwrap();
    let others = lines.iter().filter(|line| !expected.lines().any(|known| known == *line));
    let others: Vec<&String> = others.collect();
    let is_same = lines.iter().map(String::as_str).eq(expected.lines());
    if !is_same && std::env::var_os("UPDATE").is_some() {
        fs::write(&golden, lines.join("\n") + "\n").unwrap();
    }
    assert!(is_same, "lines that are new, of {}: {others:#?}\nUPDATE=1 writes them all", lines.len());
}

/// Whether a file is a session or a chat: its entries name their kind at each place.
fn is_talk(kind: &str) -> bool {
    [
        "claude-code-session",
        "codex-rollout",
        "chat-log",
        "anthropic-messages",
        "openai-responses",
        "fine-tuning",
        "gemini-cli-session",
        "opencode-session",
        "pi-session",
        "copilot-cli-session",
        "cline-task",
        "openhands-events",
        "swe-agent-trajectory",
        "mini-swe-agent-trajectory",
        "vscode-chat",
        "qwen-code-session",
        "kimi-wire",
        "factory-droid-session",
        "kiro-conversation",
        "continue-session",
        "iflow-session",
        "grok-session",
        "antigravity-transcript",
    ]
    .contains(&kind)
}

/// Whether a text only names the kind of its entry, item or part, which the run shows by its place.
fn is_form(text: &str) -> bool {
    [
        "message",
        "text",
        "thinking",
        "tool_use",
        "tool_result",
        "response_item",
        "event_msg",
        "session_meta",
        "turn_context",
        "token_count",
        "reasoning",
        "summary_text",
        "input_text",
        "output_text",
        "function_call",
        "function_call_output",
        "user_message",
        "exec_command_end",
        // What `codex exec` prints.
        "thread.started",
        "item.started",
        "item.completed",
        "turn.completed",
        "turn.failed",
        "agent_message",
        "in_progress",
        // What other agents write.
        "gemini",
        "success",
        "completed",
        "toolCall",
        "toolResult",
        "system.message",
        "user.message",
        "assistant.message",
        "session.start",
        "tool.execution_complete",
        "task",
        "api_req_started",
        "tool",
        "command",
        "completion_result",
        "response",
        "command_output",
        "user_feedback",
        "chat.completion",
        "context.append_message",
        "context.append_loop_event",
        "content.part",
        "think",
        "tool.call",
        "tool.result",
        "step.end",
        "turn.prompt",
        "turn.steer",
        "metadata",
        "session_start",
        "Success",
        "Error",
        "model",
        "customTitle",
        "inputState",
        "inputText",
        "requests",
        "result",
        // What the SDK of Claude writes of a message, and of a session that has no id yet.
        "send",
        "recv",
        "default",
    ]
    .contains(&text)
}
/// The kinds of parts, and the states of calls that are done.
const FORM_OF_MESSAGES: [&str; 11] = [
    "step-start",
    "text",
    "reasoning",
    "done",
    "dynamic-tool",
    "tool-read_file",
    "output-available",
    "output-error",
    "tool-call",
    "tool-result",
    "json",
];

/// Each text of each file is in the transcript: in the run, next to it, or as unread data.
#[test]
fn no_text_of_a_sample_is_lost() {
    let mut checked = 0;
    for Row { name, kind, missing, .. } in rows() {
        // What a format says by its form alone, the form of the run says.
        let form: &[&str] = match kind {
            "atif-trajectory" => &["agent", "function"],
            "ai-sdk-messages" => &FORM_OF_MESSAGES,
            // The text is in place of its reference.
            "inspect-log" => &["generate", "reasoning", "attachment://0123456789abcdef0123456789abcdef"],
            "langsmith-runs" => &[
                "langchain",
                "schema",
                "messages",
                "HumanMessage",
                "AIMessage",
                "SystemMessage",
                "ToolMessage",
                "ChatGeneration",
                "LLMResult",
                "constructor",
                "tool_call",
                "llm",
            ],
            "claude-ai-conversations" => &["human", "thinking", "tool_use", "tool_result"],
            "crewai-log" => &["started", "completed"],
            "qbit-log" | "chatgpt-conversations" | "google-adk-session" => &[],
            kind if kind.starts_with("agentloom") || is_talk(kind) => &[],
            _ => continue,
        };
        let missing: Vec<String> =
            missing.into_iter().filter(|text| !form.contains(&text.as_str())).collect();
        checked += 1;
        // `source: {type: main}` is what an event without a source means, and `llm_error` says that it is an `error`.
        let missing: Vec<String> = missing
            .into_iter()
            .filter(|text| text != "main" && text != "error" && !(is_talk(kind) && is_form(text)))
            .collect();
        assert_eq!(missing, Vec::<String>::new(), "{name}");
    }
    assert!(checked > 40, "{checked}");
}

/// Whatever byte a file is cut at: each text before the cut is in the result.
#[test]
fn no_text_before_a_cut_is_lost() {
    let all = samples();
    for (name, text) in &all {
        let kind = detection(text.as_bytes(), &Limits::default()).kind;
        let from = match kind {
            "qbit-log" => "qbit",
            "agentloom-recording" => "agentloom",
            "claude-code-session" => "claude-code",
            "codex-rollout" => "codex",
            "chat-log" => "openai-chat",
            "anthropic-messages" => "anthropic",
            "fine-tuning" => "fine-tuning",
            "gemini-cli-session" => "gemini-cli",
            "opencode-session" => "opencode",
            "pi-session" => "pi",
            "copilot-cli-session" => "copilot-cli",
            "cline-task" => "cline",
            "openhands-events" => "openhands",
            "swe-agent-trajectory" => "swe-agent",
            "mini-swe-agent-trajectory" => "mini-swe-agent",
            "vscode-chat" => "vscode-chat",
            "qwen-code-session" => "qwen-code",
            "kimi-wire" => "kimi",
            "factory-droid-session" => "factory-droid",
            "kiro-conversation" => "kiro",
            "continue-session" => "continue",
            "iflow-session" => "iflow",
            "grok-session" => "grok",
            "antigravity-transcript" => "antigravity",
            _ => continue,
        };
        let options = ImportOptions { from: Some(from.to_owned()), ..ImportOptions::default() };
        for at in (1..text.len()).step_by((text.len() / 24).max(1)) {
            let cut = &text[..text.floor_char_boundary(at)];
            let file = [LogFile { path: name, text: cut }];
            let view = import_log(&file, &options).unwrap();
            // What is of one run is not of the others.
            let runs = view.sessions.iter().filter(|_| view.transcript.is_null()).map(|session| {
                let options = ImportOptions { session: Some(session.clone()), ..options.clone() };
                import_log(&file, &options).unwrap().transcript
            });
            let runs: Value = runs.chain([view.transcript.clone()]).collect();
            let mut missing = missing(cut, &runs);
            missing.retain(|text| text != "main" && text != "error" && !(is_talk(kind) && is_form(text)));
            // Of a key that was cut there is nothing to say.
            assert_eq!(missing, Vec::<String>::new(), "{name} at {at}");
        }
    }
}
