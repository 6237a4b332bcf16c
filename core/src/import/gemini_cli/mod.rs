//! Sessions of Gemini CLI: one JSON document (until 0.39), or a header and then a message on each line.

use serde_json::Value;

use super::detect::Found;
use super::formats::{Detection, Format, Words};
use super::keys::{list, non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Branch, Role, SessionBuilder, SessionFormat, ToolResult};
use super::values::Entry;
use crate::parse::Node;
use crate::wire::ToolCall;

pub(super) static FORMAT: Format = Format {
    kind: "gemini-cli-session",
    names: &["gemini-cli", "gemini-cli-session"],
    title: "Gemini CLI",
    run: "a Gemini CLI session",
    entry: ("message", "messages"),
    rank: 60,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    plural: "Gemini CLI sessions",
    sentence: "this is a Gemini CLI session",
    unit: "messages",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"projectHash\""],
    known_by: &[&["sessionId", "projectHash", "messages"]],
    entry_of: |value, _| found(value.get("sessionId").is_some() && value.get("projectHash").is_some()),
    root_of: |root: &Node| found(root.get("sessionId").is_some() && root.get("projectHash").is_some()),
    ..Detection::NONE
};

fn found(is_session: bool) -> Option<Found> {
    is_session
        .then(|| Found::certain(&FORMAT, "it has `sessionId` and `projectHash`, like sessions of Gemini CLI"))
}

static DOCUMENTS: SessionFormat = SessionFormat {
    name: "gemini-cli",
    entries: "messages",
    head: "",
    choose: session::all,
    read: read_message,
};
static LINES: SessionFormat = SessionFormat { entries: "", choose: last_versions, ..DOCUMENTS };

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    // In the form with lines, no value at the top has messages.
    let has_messages = request.file().text.contains("\"messages\"");
    if has_messages { DOCUMENTS.read_request(request) } else { LINES.read_request(request) }
}

/// The last version of each message, as far as no later line goes back behind it.
fn last_versions(entries: Vec<Entry>) -> Branch {
    let mut branch = Branch::default();
    for entry in entries {
        let id = text(&entry.value, "id");
        if let Some(target) = text(&entry.value, "$rewindTo") {
            let keep = branch.chosen.iter().position(|other| text(&other.value, "id") == Some(target));
            let gone = branch.chosen.split_off(keep.map_or(branch.chosen.len(), |at| at + 1));
            branch.others.extend(gone);
        } else if let Some(older) =
            branch.chosen.iter_mut().find(|other| id.is_some() && text(&other.value, "id") == id)
        {
            branch.others.push(std::mem::replace(older, entry));
            continue;
        }
        branch.chosen.push(entry);
    }
    branch
}

fn read_message(entry: &Value, session: &mut SessionBuilder) -> Role {
    let content = entry.get("content").cloned().unwrap_or_default();
    match text(entry, "type") {
        Some("user") => session.message(
            "user",
            plain(&content),
            non_null_except(entry, &["type", "content", "timestamp"]),
        ),
        Some("gemini") => {
            let thoughts = list(entry, "thoughts").iter().map(|thought| {
                let part = |key: &str| text(thought, key).unwrap_or_default();
                format!("{}\n{}", part("subject"), part("description")).trim().to_owned()
            });
            let calls = list(entry, "toolCalls");
            let call = |call: &Value| ToolCall::from_keys(call, "id", "name", &["args"]);
            let count = |key: &str| entry.get("tokens")?.get(key)?.as_u64();
            let thinking = count("thoughts");
            session.answer(Answer {
                id: text(entry, "id").map(str::to_owned),
                model: text(entry, "model").map(str::to_owned),
                content: plain(&content).as_str().unwrap_or_default().to_owned(),
                reasoning: thoughts.collect::<Vec<_>>().join("\n\n"),
                calls: calls.iter().map(call).collect(),
                usage: session::usage(
                    count("input"),
                    count("output").map(|output| output + thinking.unwrap_or_default()),
                    count("cached"),
                    thinking,
                ),
                ..Answer::default()
            });
            for part in calls {
                let status = text(part, "status").unwrap_or_default();
                let content = result(part);
                if content.is_some() || status != "" {
                    let result = ToolResult {
                        content: content.unwrap_or_default(),
                        is_error: matches!(status, "error" | "cancelled"),
                        others: non_null_except(part, &["id", "name", "args", "result", "status"]),
                    };
                    session.result(&call(part), result);
                }
            }
        }
        _ => return Role::Other,
    }
    Role::Step
}

/// A text for a list of parts that are all texts.
fn plain(content: &Value) -> Value {
    let parts = content.as_array().map_or(&[][..], Vec::as_slice);
    let texts: Option<Vec<&str>> = parts.iter().map(|part| text(part, "text")).collect();
    match texts {
        Some(texts) if content.is_array() => texts.join("\n").into(),
        _ => content.clone(),
    }
}

/// What the tool gave: its only `output` or `error`, or all of its response.
fn result(call: &Value) -> Option<Value> {
    let response = list(call, "result").first()?.get("functionResponse")?.get("response")?;
    let only = response.as_object().filter(|map| map.len() == 1)?;
    Some(only.get("output").or_else(|| only.get("error")).unwrap_or(response).clone())
}
