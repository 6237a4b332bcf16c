//! Results of tau-bench and tau2-bench: a simulation is a session. The customer is a model as well; its own calls are not part
//! of the conversation of the agent.

use serde_json::{Map, Value};

use super::detect::Found;
use super::formats::{Detection, Format, Words};
use super::keys::{list, non_null_except, text};
use super::records::Records;
use super::runs::{Refusal, Request, Runs};
use super::session::{Answer, Role, Session, SessionBuilder, SessionFormat, ToolResult, all};
use crate::parse::Node;
use crate::text::{JsonMap, Set};
use crate::wire::{ToolCall, is_blank};

pub(super) static FORMAT: Format = Format {
    kind: "tau-simulations",
    names: &["tau-bench", "tau2-bench", "tau-simulations"],
    title: "tau-bench",
    rank: 60,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "a simulation of tau-bench",
    entry: ("message", "messages"),
    nouns: ("file has", "simulation"),
    plural: "results of tau-bench",
    sentence: "these are results of tau-bench",
    unit: "messages",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"traj\"", "\"simulations\"", "\"termination_reason\"", "\"messages_display\""],
    known_by: &[&["task_id", "reward", "traj"], &["info", "tasks", "simulations"]],
    entry_of: |value, _| found(&|key| value.get(key).is_some()),
    root_of: |root| {
        let first = root.items().first().unwrap_or(root);
        found(&|key| first.get(key).is_some())
    },
    ..Detection::NONE
};

fn found(has: &dyn Fn(&str) -> bool) -> Option<Found> {
    let reason = if has("traj") && has("task_id") {
        "it has `task_id` and `traj`, like results of tau-bench"
    } else if has("info") && has("tasks") && (has("simulations") || has("timestamp")) {
        "it has `info` and `tasks`, like results of tau2-bench"
    } else if has("task_id") && has("termination_reason") && (has("messages") || has("ticks")) {
        "it has `task_id` and `termination_reason`, like a simulation of tau2-bench"
    } else if has("messages_display") {
        "it has `messages_display`, like examples of tau-bench"
    } else {
        return None;
    };
    Some(Found::certain(&FORMAT, reason))
}

static SIMULATIONS: SessionFormat =
    SessionFormat { name: "tau-bench", choose: all, read: read_message, ..SessionFormat::BASE };

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    SIMULATIONS
        .read_parts(request, |records, roots| roots.iter().flat_map(|root| sessions(records, root)).collect())
}

fn sessions(records: &Records, root: &Node) -> Vec<Session> {
    let Some(simulations) = root.get("simulations") else {
        if root.get("messages_display").is_some() {
            return vec![Session { head: Map::new(), branch: all(vec![records.entry(root)]) }];
        }
        let key = ["traj", "messages", "ticks"].into_iter().find(|key| root.get(key).is_some());
        return vec![Session::from_node(records, root, key.unwrap_or_default())];
    };
    let shared = root.entries().iter().filter(|entry| !["simulations", "tasks"].contains(&&*entry.key.text));
    let shared: Map<String, Value> =
        shared.map(|entry| (entry.key.text.to_string(), entry.value.to_value())).collect();
    let tasks = root.get("tasks").map(Node::to_value).unwrap_or_default();
    let session = |simulation: &Node| {
        let key = if simulation.get("messages").is_some() { "messages" } else { "ticks" };
        let mut session = Session::from_node(records, simulation, key);
        let task = tasks.as_array().into_iter().flatten();
        let task = task.clone().find(|task| task.get("id") == session.head.get("task_id")).cloned();
        session.head.put_some("task", task);
        session.head.put("results", shared.clone().into());
        session
    };
    let mut sessions: Vec<Session> = simulations.items().iter().map(session).collect();
    // Tasks of no simulation, as in a part of a file, are with the first one.
    let used: Set<String> =
        sessions.iter().filter_map(|session| Some(session.head.get("task_id")?.to_string())).collect();
    let is_used = |task: &Value| task.get("id").is_some_and(|id| used.contains(&id.to_string()));
    let others: Value =
        tasks.as_array().into_iter().flatten().filter(|task| !is_used(task)).cloned().collect();
    if !is_blank(&others) {
        if sessions.is_empty() {
            sessions.push(Session::default());
        }
        if let Some(first) = sessions.first_mut() {
            first.head.put("other_tasks", others);
        }
    }
    sessions
}

/// A tick of a simulation by voice may lack the words and the sound.
const WITHOUT_WORDS: &str =
    "this is a simulation by voice without its words: its ticks only say when each side spoke";

fn read_message(entry: &Value, session: &mut SessionBuilder) -> Role {
    if let Some(shown) = text(entry, "messages_display") {
        read_shown(shown, session);
        return Role::Step;
    }
    let has_words = |key: &&str| entry.get(*key).and_then(|chunk| text(chunk, "content")).is_some();
    let is_silent = !["agent_chunk", "user_chunk"].iter().any(has_words);
    if entry.get("tick_id").is_some() && is_silent && list(entry, "agent_tool_calls").is_empty() {
        session.why_empty = Some(WITHOUT_WORDS);
        return Role::Other;
    }
    session.set_moment(entry.get("timestamp"));
    let content = entry.get("content").cloned().unwrap_or_default();
    let others =
        |taken: &[&str]| non_null_except(entry, &[&["role", "content", "timestamp"], taken].concat());
    match text(entry, "role") {
        Some(role @ ("system" | "user")) if !content.is_null() => session.message(role, content, others(&[])),
        Some("assistant") => {
            let call = |call: &Value| match call.get("function") {
                Some(function) => ToolCall {
                    id: text(call, "id").unwrap_or_default().to_owned(),
                    ..ToolCall::from_keys(function, "", "name", &["arguments"])
                },
                None => ToolCall::from_keys(call, "id", "name", &["arguments"]),
            };
            let results = session.head.get("results");
            let model = results.and_then(|results| text(results.get("info")?.get("agent_info")?, "llm"));
            session.model = model.map(str::to_owned);
            let raw = entry.get("raw_data").and_then(|raw| raw.get("message"));
            let reasoning = raw.and_then(|message| text(message, "reasoning_content"));
            session.answer(Answer {
                content: content.as_str().unwrap_or_default().to_owned(),
                reasoning: reasoning.unwrap_or_default().to_owned(),
                calls: list(entry, "tool_calls").iter().map(call).collect(),
                usage: entry.get("usage").filter(|usage| usage.is_object()).cloned(),
                others: others(&["tool_calls", "usage"]),
                ..Answer::default()
            });
        }
        Some("tool") if text(entry, "requestor") != Some("user") => {
            let key = if entry.get("tool_call_id").is_some() { "tool_call_id" } else { "id" };
            let is_error = entry.get("error") == Some(&Value::Bool(true))
                || content.as_str().is_some_and(|content| content.starts_with("Error: "));
            let result =
                ToolResult { content, is_error, others: others(&[key, "name", "error"]), time: None };
            session.result(&ToolCall::from_keys(entry, key, "name", &[]), result);
        }
        _ => return Role::Other,
    }
    Role::Step
}

/// Reads an example: a text with a line for each message, or several where it has several lines.
fn read_shown(shown: &str, session: &mut SessionBuilder) {
    let mut rest = shown;
    while !rest.is_empty() {
        let starts =
            |line: &str| ["user: ", "assistant: ", "tool: "].iter().any(|role| line.starts_with(role));
        let end =
            rest.match_indices('\n').map(|(at, _)| at + 1).find(|at| rest.get(*at..).is_some_and(starts));
        let (message, after) = rest.split_at_checked(end.unwrap_or(rest.len())).unwrap_or((rest, ""));
        let (role, content) = message.split_once(": ").unwrap_or(("user", message));
        let content = content.trim_end();
        match role {
            // Python's word for an answer without text, which had calls; the example has only their results.
            "assistant" if content == "None" => session.answer(Answer::default()),
            "assistant" => session.answer(Answer { content: content.to_owned(), ..Answer::default() }),
            "tool" => {
                let is_error = content.starts_with("Error: ");
                let result = ToolResult { content: content.into(), is_error, ..ToolResult::default() };
                session.result(&ToolCall::from_keys(&Value::Null, "", "", &[]), result);
            }
            role => session.message(role, content, Map::new()),
        }
        rest = after;
    }
}
