//! Files of other programs as transcripts.

use serde_json::{Value, json};
use transcript_core::diagnostic::InvalidInput;
use transcript_core::import::{self, LogFile, RepairedLog, drift, prompt_hash_of_json, recording};
use transcript_core::view::{ImportOptions, ImportProblem, ImportView, import_log, repair_log};
// The site does without it.
#[cfg(feature = "runtime")]
use transcript_core::view::{ImportedSessions, import_sessions};

use super::input::{OperationInput, data, with};

/// The conversations in an SQLite database as `text`, or the `problem` with it.
pub(super) fn store_text(input: &OperationInput<'_>) -> Value {
    match import::store_text(input.bytes()) {
        Ok(text) => json!({ "text": text, "problem": null }),
        Err(problem) => json!({ "text": "", "problem": problem }),
    }
}

/// Takes `logs`, a list of `{path, text}` or of `{path, problem}` for a file that cannot be read, and `from`, `session`, `format`, `summary`, `sizes` and `color`.
pub(super) fn run(input: &mut OperationInput<'_>) -> Result<Value, InvalidInput> {
    let options = options(input);
    match logs(input) {
        Ok(logs) => Ok(data(&import_log(&files_of(&logs), &options)?)),
        Err(view) => Ok(data(&view)),
    }
}

/// Takes the same, and `first` and `count`: which of the sessions are wanted.
#[cfg(feature = "runtime")]
pub(super) fn sessions(input: &mut OperationInput<'_>) -> Result<Value, InvalidInput> {
    let options = options(input);
    let mut number =
        |name: &str| usize::try_from(input.take(name).as_u64().unwrap_or_default()).unwrap_or_default();
    let (first, count) = (number("first"), number("count"));
    let places = first..first.saturating_add(count);
    match logs(input) {
        Ok(logs) => Ok(data(&import_sessions(&files_of(&logs), &options, places)?)),
        Err(view) => Ok(data(&ImportedSessions { count: 1, results: vec![*view] })),
    }
}

fn options(input: &mut OperationInput<'_>) -> ImportOptions {
    let word = |value: String| Some(value).filter(|value| !value.is_empty());
    ImportOptions {
        from: word(input.word("from")),
        session: word(input.word("session")),
        format: input.word("format"),
        summary: input.flag("summary"),
        color: input.flag("color"),
        measured: 0..if input.flag("sizes") { usize::MAX } else { 0 },
        limits: input.options.limits.clone(),
    }
}

/// The paths and the texts of the logs; an `Err` is the answer about one that cannot be read.
fn logs(input: &mut OperationInput<'_>) -> Result<Vec<(String, String)>, Box<ImportView>> {
    let logs = list(input.take("logs"));
    let text =
        |log: &'_ Value, key: &str| log.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    if let Some((log, problem)) = logs.iter().find_map(|log| Some((log, log.get("problem")?.as_str()?))) {
        let message = format!("`{}`: {problem}", text(log, "path"));
        let problem = Some(ImportProblem { message, help: None });
        return Err(Box::new(ImportView { kind: "unknown".into(), problem, ..ImportView::default() }));
    }
    Ok(logs.iter().map(|log| (text(log, "path"), text(log, "text"))).collect())
}

fn files_of(logs: &[(String, String)]) -> Vec<LogFile<'_>> {
    logs.iter().map(|(path, text)| LogFile { path, text }).collect()
}

/// The log that the bytes are, repaired.
pub(super) fn repair(input: &OperationInput<'_>) -> Value {
    match repair_log(input.bytes(), &input.options.limits) {
        Ok(repaired) => {
            let ok = repaired.omitted.is_empty();
            with(&repaired, [("ok", ok.into()), ("problem", Value::Null)])
        }
        Err(problem) => {
            let none = RepairedLog { layout: "empty", ..RepairedLog::default() };
            with(&none, [("ok", false.into()), ("text", Value::Null), ("problem", data(&problem))])
        }
    }
}

/// Takes `requests` and `before`, lists of requests; the text is a recording of AgentLoom.
pub(super) fn drifts(input: &mut OperationInput<'_>) -> Result<Value, InvalidInput> {
    let requests = list(input.take("requests"));
    let before = list(input.take("before"));
    Ok(match input.text() {
        Ok(text) => json!({ "ok": true, "requests": data(&drift(&recording(text), &requests, &before)) }),
        Err(refused) => refused,
    })
}

/// Takes `request`, a map of what is hashed, or a list of messages; as JSON text its `1.0` stays a fraction.
pub(super) fn hash(input: &mut OperationInput<'_>) -> Result<Value, InvalidInput> {
    let request = match input.take("request") {
        Value::String(text) => text,
        data => data.to_string(),
    };
    match prompt_hash_of_json(&request) {
        Ok(hash) => Ok(json!({ "hash": hash })),
        Err(fault) => Err(format!("the request is not JSON: {}", fault.why).into()),
    }
}

fn list(value: Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items,
        Value::Null => Vec::new(),
        one => vec![one],
    }
}
