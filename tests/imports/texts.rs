//! Whether each text of a file is in a run that was read of it, next to the run, or kept as it was.

use std::collections::HashSet;

use serde_json::Value;
use transcript_core::import::{LogFile, format_of_kind};
use transcript_core::view::{ImportOptions, import_log};

use crate::leaves;

/// Kinds whose files are not compared: their texts are no strings of JSON, or are made anew.
const OTHER_SYNTAX: [&str; 9] = [
    // YAML, with bodies as escaped or encoded text.
    "http-recording",
    // Markdown.
    "aider-history",
    "specstory-history",
    // Each request repeats the ones before it as JSON in a text.
    "ai-sdk-devtools",
    // Attributes have their names as texts, and ids are written anew.
    "otel-spans",
    "openai-agents-traces",
    // Marks in texts are removed.
    "cursor-transcript",
    "sharegpt-conversations",
    // The sources of answers are not kept.
    "autogen-recording",
];

/// What a text means that only names the kind of its entry, item or part: the run shows it by its place.
const FORM: &[&str] = &[
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
];

/// What formats say by their form alone, and the run by its own.
const FORM_OF_KINDS: [(&str, &[&str]); 9] = [
    ("atif-trajectory", &["agent", "function"]),
    (
        "ai-sdk-messages",
        &[
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
        ],
    ),
    // The text is in place of its reference.
    ("inspect-log", &["generate", "reasoning", "attachment://0123456789abcdef0123456789abcdef"]),
    (
        "langsmith-runs",
        &[
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
    ),
    ("langfuse-trace", &["text", "tool_call", "tool_call_response", "GENERATION", "SPAN"]),
    ("crewai-log", &["started", "completed"]),
    ("mlflow-traces", &["AGENT", "CHAT_MODEL", "TOOL", "chat.completion", "assistant", "function"]),
    (
        "managed-agents-session",
        &[
            "span.model_request_end",
            "agent.tool_result",
            "agent.message",
            "agent.thinking",
            "agent.tool_use",
            "user.message",
            "text",
        ],
    ),
    ("claude-ai-conversations", &["human", "text", "thinking", "tool_use", "tool_result"]),
];

/// Whether a text of a file of that kind is its form.
fn is_form(kind: &str, text: &str) -> bool {
    // `source: {type: main}` is what an event without a source means, and `llm_error` says that it is an `error`.
    if matches!(text, "main" | "error") {
        return true;
    }
    match FORM_OF_KINDS.iter().find(|(known, _)| *known == kind) {
        Some((_, own)) => own.contains(&text),
        None if kind == "qbit-log" || kind.starts_with("agentloom") => false,
        None => FORM.contains(&text),
    }
}

/// Whether the texts of files of that kind are compared.
pub(crate) fn is_compared(kind: &str) -> bool {
    format_of_kind(kind).is_some() && !OTHER_SYNTAX.contains(&kind)
}

/// The transcripts of all runs in files.
pub(crate) fn transcripts(files: &[LogFile<'_>], options: &ImportOptions) -> Vec<Value> {
    let view = import_log(files, options).unwrap();
    if !view.transcript.is_null() {
        return vec![view.transcript];
    }
    let of = |session: &String| {
        let options = ImportOptions { session: Some(session.clone()), ..options.clone() };
        import_log(files, &options).unwrap().transcript
    };
    view.sessions.iter().map(of).filter(|transcript| !transcript.is_null()).collect()
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

/// What of the texts of a file of that kind is nowhere in the transcripts.
pub(crate) fn missing(kind: &str, source: &str, transcripts: &[Value]) -> Vec<String> {
    let mut there = Vec::new();
    transcripts.iter().for_each(|transcript| leaves(transcript, &mut there));
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
        let data = serde_json::from_str::<Value>(text).ok();
        let data = data.filter(|data| data.is_object() || data.is_array() || data.is_string());
        data.iter().for_each(|data| leaves(data, &mut inner));
        data.is_some() && inner.iter().all(|text| is_there(text) || is_form(kind, text))
    };
    texts(source)
        .into_iter()
        .filter(|text| !is_form(kind, text) && !is_there(text) && !is_read(text))
        .collect()
}
