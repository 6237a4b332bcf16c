//! Chats of VS Code with Copilot: a list of requests with their responses, in a document or as a log of its changes.

mod changes;
mod response;

use serde_json::{Map, Value};

use super::formats::{Detection, Format, Words};
use super::keys::{non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{Role, SessionBuilder, SessionFormat, detected};
use crate::text::JsonMap;

pub(super) static FORMAT: Format = Format {
    kind: "vscode-chat",
    names: &["vscode-chat", "vscode-copilot"],
    title: "VS Code Copilot Chat",
    rank: 61,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "a chat of VS Code",
    entry: ("request", "requests"),
    plural: "chats of VS Code",
    sentence: "this is a chat of VS Code",
    unit: "requests",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    keys: &["\"requests\""],
    known_by: &[&["version", "responderUsername", "requests", "sessionId"]],
    entry_of: |value, _| {
        let state = value.get("v").filter(|_| value.get("kind").is_some_and(Value::is_number));
        let is_log = state.is_some_and(|state| state.get("requests").is_some_and(Value::is_array));
        detected(&FORMAT, is_log, "it begins with the `requests` of a chat, like logs of VS Code")
    },
    root_of: |root| {
        let is_chat = root.get("requests").is_some() && root.get("responderUsername").is_some();
        detected(&FORMAT, is_chat, "it has `requests` and `responderUsername`, like chats of VS Code")
    },
    ..Detection::NONE
};

static SESSIONS: SessionFormat = SessionFormat {
    name: "vscode-chat",
    entries: "requests",
    has_results: false,
    choose: changes::apply,
    read: read_request,
    end: |session| {
        if let Some(title) = session.head.get("customTitle").cloned() {
            session.head.put("title", title);
        }
    },
    ..SessionFormat::BASE
};

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    SESSIONS.read_request(request)
}

fn read_request(entry: &Value, session: &mut SessionBuilder) -> Role {
    // A change that could not be made.
    if entry.get("kind").is_some() {
        return Role::Other;
    }
    let message = entry.get("message");
    let typed = message.map(|message| text(message, "text").or_else(|| message.as_str()).unwrap_or_default());
    let Some(typed) = typed.or_else(|| text(entry, "prompt")) else {
        session.head.extend(non_null_except(entry, &[]));
        return Role::Head;
    };
    session.set_time(entry.get("timestamp"));
    let taken = ["message", "prompt", "completion", "response", "result", "timestamp"];
    let mut others = non_null_except(entry, &taken);
    let parts: Map<String, Value> =
        message.map(|message| non_null_except(message, &["text"])).unwrap_or_default();
    if !parts.is_empty() {
        others.put("message", parts.into());
    }
    session.message("user", typed, others);
    response::read_response(entry, session);
    Role::Step
}
