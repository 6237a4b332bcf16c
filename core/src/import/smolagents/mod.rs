//! The memory of an agent of smolagents, as `agent.memory.get_full_steps` returns it: tasks, plans and actions.

use serde_json::{Map, Value};

use super::detect::Found;
use super::formats::{Detection, Format, Words};
use super::keys::{list, non_null_except, stated_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Branch, Role, SessionBuilder, SessionFormat, ToolResult};
use super::values::Entry;
use crate::text::{JsonMap, Set, json, text_or_json};
use crate::wire::{ToolCall, parse_logged_arguments};

pub(super) static FORMAT: Format = Format {
    kind: "smolagents-steps",
    names: &["smolagents", "smolagents-steps"],
    title: "smolagents",
    rank: 60,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "a smolagents run",
    entry: ("step", "steps"),
    plural: "smolagents runs",
    sentence: "this is a run of smolagents",
    unit: "steps",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"task_images\"", "\"model_output_message\""],
    known_by: &[&["step_number", "model_output_message", "observations", "action_output"]],
    entry_of: |value, _| {
        let step = list(value, "steps").iter().find(|step| is_action(&|key| step.get(key).is_some()));
        found(is_action(&|key| step.unwrap_or(value).get(key).is_some()))
    },
    root_of: |root| {
        let steps = root.get("steps").unwrap_or(root).items();
        found(steps.iter().any(|step| is_action(&|key| step.get(key).is_some())))
    },
    ..Detection::NONE
};

/// Whether these are the keys of an action or a plan. A task has none of its own.
fn is_action(has: &dyn Fn(&str) -> bool) -> bool {
    has("model_output_message") && (has("observations") && has("tool_calls") || has("plan"))
}

fn found(is_run: bool) -> Option<Found> {
    session::detected(&FORMAT, is_run, "its steps have the keys of those of smolagents")
}

static STEPS: SessionFormat =
    SessionFormat { name: "smolagents", entries: "steps", choose, read: read_step, ..SessionFormat::BASE };

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    STEPS.read_request(request)
}

/// The steps with what is new in the input of each. The system prompt, which only inputs have, moves to the first step.
fn choose(mut entries: Vec<Entry>) -> Branch {
    let mut seen = Set::new();
    let mut system = None;
    for entry in &mut entries {
        if let Some(Value::Array(messages)) = entry.value.get_mut("model_input_messages") {
            messages.retain(|message| seen.insert(message.to_string()));
            if system.is_none() && messages.first().and_then(|first| text(first, "role")) == Some("system") {
                system = messages.remove(0).get("content").map(session::plain);
            }
        }
    }
    if let (Some(system), Some(Value::Object(first))) =
        (system, entries.first_mut().map(|entry| &mut entry.value))
    {
        first.put("system_prompt", system);
    }
    session::all(entries)
}

/// The keys of a step that its messages and its answer have.
const TAKEN: &[&str] = &[
    "system_prompt",
    "task",
    "tool_calls",
    "model_output",
    "model_output_message",
    "token_usage",
    "observations",
    "error",
];

fn read_step(entry: &Value, session: &mut SessionBuilder) -> Role {
    session.set_moment(timing(entry, "start_time"));
    let system = entry.get("system_prompt");
    let is_action = TAKEN.iter().skip(2).any(|key| entry.get(*key).is_some());
    let mut others = stated_except(entry, TAKEN);
    if let Some(system) = system {
        let is_all = !is_action && entry.get("task").is_none();
        let own = if is_all { std::mem::take(&mut others) } else { Map::new() };
        session.message("system", system.clone(), own);
    }
    match entry.get("task") {
        _ if is_action => read_action(entry, others, session),
        Some(task) => session.message("user", task.clone(), others),
        None if system.is_none() => return Role::Other,
        None => {}
    }
    Role::Step
}

/// A time of a step; in older versions the step itself has it.
fn timing<'v>(entry: &'v Value, key: &str) -> Option<&'v Value> {
    entry.get("timing").unwrap_or(entry).get(key)
}

fn read_action(entry: &Value, mut others: Map<String, Value>, session: &mut SessionBuilder) {
    let output = entry.get("model_output_message").unwrap_or(&Value::Null);
    let raw = output.get("raw").and_then(session::response);
    let mut rest = stated_except(output, &["role", "content", "tool_calls", "token_usage"]);
    if raw.is_some() {
        rest.shift_remove("raw");
    }
    others.put_some("model_output_message", (!rest.is_empty()).then(|| rest.into()));
    let mut calls = list(entry, "tool_calls");
    // Where a tool failed, only the message of the model has the calls.
    if calls.is_empty() {
        calls = list(output, "tool_calls");
    }
    let calls: Vec<ToolCall> = calls.iter().map(|call| read_call(call, entry)).collect();
    let written = [entry.get("model_output"), output.get("content")].into_iter().flatten();
    let written =
        written.filter(|written| !written.is_null()).map(|written| text_or_json(&session::plain(written)));
    let mut content = written.into_iter().next().unwrap_or_default();
    let error = entry.get("error").unwrap_or(&Value::Null);
    let mut message = text(error, "message").or_else(|| error.as_str());
    let about = non_null_except(error, &["message"]);
    if !calls.is_empty() {
        others.shift_remove("code_action");
    } else if content.is_empty() {
        // The last answer of a run with too many steps is only an output.
        let last = text(entry, "action_output");
        if last.is_none() && message.is_some() {
            let mut all = non_null_except(entry, &["system_prompt", "error"]);
            all.extend(about);
            return session.failure(message, all);
        }
        if let Some(last) = last {
            last.clone_into(&mut content);
            others.shift_remove("action_output");
            others.put_some("error", (!error.is_null()).then(|| error.clone()));
            message = None;
        }
    }
    let count = |key: &str| entry.get("token_usage")?.get(key)?.as_u64();
    let observed = entry.get("observations").filter(|observed| !observed.is_null()).map(text_or_json);
    // Observations of several calls are joined.
    let joined = observed.clone().filter(|_| calls.len() > 1);
    others.put_some("observations", joined.map(Value::from));
    let mut answer = raw.unwrap_or_default();
    others.append(&mut answer.others);
    let usage = answer
        .usage
        .take()
        .or_else(|| session::usage(count("input_tokens"), count("output_tokens"), [None; 2], None));
    session.answer(Answer { content, calls: calls.clone(), usage, others, ..answer });
    session.set_moment(timing(entry, "end_time"));
    let pieces: Vec<&str> = observed.as_deref().into_iter().chain(message).collect();
    if pieces.is_empty() {
        return;
    }
    let all = pieces.join("\n");
    // With a line for each call they can be told apart.
    let lines: Vec<&str> = all.lines().collect();
    for (at, call) in calls.iter().enumerate() {
        let content = match lines.get(at) {
            _ if message.is_some() || calls.len() == 1 => all.as_str(),
            Some(line) if lines.len() == calls.len() => line,
            _ if at == 0 => all.as_str(),
            _ => continue,
        };
        let result = ToolResult {
            content: content.into(),
            is_error: message.is_some(),
            others: about.clone(),
            ..ToolResult::default()
        };
        session.result(call, result);
    }
    if calls.is_empty() {
        session.message("user", all, about);
    }
}

fn read_call(call: &Value, step: &Value) -> ToolCall {
    let function = call.get("function").unwrap_or(call);
    let arguments = match text(step, "code_action") {
        Some(code) => json!({ "code": code }),
        None => parse_logged_arguments(function.get("arguments").unwrap_or(&Value::Null)),
    };
    let id = text(call, "id").unwrap_or_default().to_owned();
    ToolCall { id, arguments, ..ToolCall::from_keys(function, "", "name", &[]) }
}
