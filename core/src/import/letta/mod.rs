//! Agent files of Letta: agents with their messages; each agent is a session.

use serde_json::Value;

use super::detect::Found;
use super::formats::{Detection, Format, Words};
use super::keys::{list, non_null_except, text};
use super::repair::Tree;
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Role, Session, SessionBuilder, SessionFormat, ToolResult};
use crate::parse::{Node, json_exactly};
use crate::text::JsonMap;
use crate::wire::ToolCall;

pub(super) static FORMAT: Format = Format {
    kind: "letta-agents",
    names: &["letta", "letta-agents"],
    title: "Letta",
    may_be_empty: true,
    rank: 60,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "a Letta agent file",
    entry: ("message", "messages"),
    nouns: ("file has", "agent"),
    plural: "Letta agent files",
    sentence: "this is a Letta agent file",
    unit: "messages",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"agents\"", "\"core_memory\"", "\"in_context_message_ids\""],
    known_by: &[&["agents", "groups", "blocks", "tools"]],
    entry_of: |value, _| found(&|key| value.get(key).is_some()),
    root_of: |root| {
        let inner = packed_root(root);
        let root = inner.as_ref().unwrap_or(root);
        found(&|key| root.get(key).is_some())
    },
    ..Detection::NONE
};

fn found(has: &dyn Fn(&str) -> bool) -> Option<Found> {
    let is_file = has("agents") && has("blocks") && has("tools") || has("core_memory") && has("messages");
    session::detected(&FORMAT, is_file, "it has `agents`, `blocks` and `tools`, like agent files of Letta")
}

/// The root of a file that is JSON in a text.
fn packed_root(root: &Node) -> Option<Node> {
    let text = root.as_str().filter(|text| text.starts_with('{'))?;
    Tree::read(text, 0).placed()
}

static AGENTS: SessionFormat =
    SessionFormat { name: "letta", entries: "messages", read: read_message, ..SessionFormat::BASE };

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    AGENTS.read_parts(request, |records, roots| {
        let mut out = Vec::new();
        for root in roots {
            let inner = packed_root(root);
            let root = inner.as_ref().unwrap_or(root);
            let Some(agents) = root.get("agents") else {
                out.push(Session::from_node(records, root, "messages"));
                continue;
            };
            let shared = non_null_except(&root.to_value(), &["agents"]);
            let session = |agent: &Node| {
                let mut session = Session::from_node(records, agent, "messages");
                session.head.put("file", shared.clone().into());
                session
            };
            out.extend(agents.items().iter().map(session));
        }
        out
    })
}

fn read_message(entry: &Value, session: &mut SessionBuilder) -> Role {
    session.set_moment(entry.get("created_at"));
    let content = session::joined(entry, "content", "text", "text");
    let mut others = non_null_except(entry, &["role", "content", "tool_calls", "model", "created_at"]);
    others.retain(|_, value| !value.as_array().is_some_and(Vec::is_empty));
    others.extend(session::other_parts(entry, "content", &["text", "reasoning"], &["text", "reasoning"]));
    let packed = json_exactly(&content).filter(Value::is_object).unwrap_or_default();
    match text(entry, "role") {
        Some("assistant") => {
            let call = |call: &Value| {
                let function = call.get("function").unwrap_or(call);
                ToolCall {
                    id: text(call, "id").unwrap_or_default().to_owned(),
                    ..ToolCall::from_keys(function, "", "name", &["arguments"])
                }
            };
            let model = session.head.get("llm_config").and_then(|config| text(config, "model"));
            session.model = model.map(str::to_owned);
            session.answer(Answer {
                model: text(entry, "model").map(str::to_owned),
                content,
                reasoning: session::joined(entry, "content", "reasoning", "reasoning"),
                calls: list(entry, "tool_calls").iter().map(call).collect(),
                others,
                ..Answer::default()
            });
        }
        Some("tool") => {
            let status = text(&packed, "status").map(str::to_ascii_lowercase);
            let is_error = status.is_some_and(|status| ["failed", "error"].contains(&status.as_str()));
            others.shift_remove("tool_call_id");
            let result = ToolResult { content: content.into(), is_error, others, time: None };
            session.result(&ToolCall::from_keys(entry, "tool_call_id", "name", &[]), result);
        }
        // What a person writes is packed with its time.
        Some("user") if text(&packed, "type") == Some("user_message") => {
            others.put("packed", non_null_except(&packed, &["message"]).into());
            session.message("user", text(&packed, "message").unwrap_or_default(), others);
        }
        Some(role) => session.message(role, content, others),
        None => return Role::Other,
    }
    Role::Step
}
