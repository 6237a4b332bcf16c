//! Conversations of Kiro CLI: pairs of what was sent and what the model answered.

use serde_json::{Map, Value};

use super::formats::{Detection, Format, Words};
use super::keys::{list, non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Role, SessionBuilder, SessionFormat, ToolResult, detected};
use crate::parse::Node;
use crate::wire::ToolCall;

pub(super) static FORMAT: Format = Format {
    kind: "kiro-conversation",
    names: &["kiro", "kiro-conversation"],
    title: "Kiro CLI",
    rank: 61,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "a Kiro conversation",
    entry: ("pair", "pairs"),
    plural: "Kiro conversations",
    sentence: "this is a conversation of Kiro",
    unit: "pairs",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    known_by: &[&["conversation_id", "history"]],
    root_of: |root| {
        let first = root.get("history").and_then(|history| history.items().first());
        let is_pair =
            first.is_some_and(|first: &Node| first.get("user").is_some() && first.get("assistant").is_some());
        let reason = "its `history` has pairs of `user` and `assistant`, like conversations of Kiro";
        detected(&FORMAT, is_pair && root.get("conversation_id").is_some(), reason)
    },
    ..Detection::NONE
};

static SESSIONS: SessionFormat =
    SessionFormat { name: "kiro", entries: "history", read: read_pair, ..SessionFormat::BASE };

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    SESSIONS.read_request(request)
}

/// The value in a map with one key that names its kind.
fn variant<'v>(value: Option<&'v Value>, key: &str) -> Option<&'v Value> {
    value?.get(key).filter(|value| value.is_object())
}

fn read_pair(entry: &Value, session: &mut SessionBuilder) -> Role {
    let (user, assistant) = (entry.get("user"), entry.get("assistant"));
    if user.is_none() && assistant.is_none() {
        return Role::Other;
    }
    let content = user.and_then(|user| user.get("content"));
    let mut others: Map<String, Value> = non_null_except(entry, &["user", "assistant"]);
    others.extend(user.map(|user| non_null_except(user, &["content"])).unwrap_or_default());
    session.set_time_text(user.and_then(|user| text(user, "timestamp")));
    let results = ["ToolUseResults", "CancelledToolUses"].iter().find_map(|key| variant(content, key));
    for result in results.map(|results| list(results, "tool_use_results")).unwrap_or_default() {
        let parts = list(result, "content").iter();
        let mut parts: Vec<Value> =
            parts.map(|part| part.get("Text").or_else(|| part.get("Json")).unwrap_or(part).clone()).collect();
        let mut more = non_null_except(result, &["tool_use_id", "content", "status"]);
        more.append(&mut others);
        let read = ToolResult {
            content: if parts.len() == 1 { parts.remove(0) } else { parts.into() },
            is_error: text(result, "status") == Some("Error"),
            others: more,
            ..ToolResult::default()
        };
        session.result(&ToolCall::from_keys(result, "tool_use_id", "", &[]), read);
    }
    let prompt = variant(content, "Prompt").or_else(|| variant(content, "CancelledToolUses"));
    match prompt.and_then(|prompt| text(prompt, "prompt")) {
        Some(prompt) => session.message("user", prompt, others),
        None if results.is_none() && content.is_some_and(|content| !content.is_null()) => {
            session.message("user", content.cloned().unwrap_or_default(), others);
        }
        None => {}
    }
    let calls = variant(assistant, "ToolUse");
    if let Some(answer) = calls.or_else(|| variant(assistant, "Response")) {
        session.answer(Answer {
            id: text(answer, "message_id").filter(|id| !id.is_empty()).map(str::to_owned),
            content: text(answer, "content").unwrap_or_default().to_owned(),
            calls: session::calls(list(answer, "tool_uses"), ("id", "name", "args")),
            others: non_null_except(answer, &["message_id", "content", "tool_uses"]),
            ..Answer::default()
        });
        return Role::Step;
    }
    if assistant.is_some_and(|assistant| !assistant.is_null()) { Role::Other } else { Role::Step }
}
