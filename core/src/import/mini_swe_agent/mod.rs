//! Trajectories of mini-swe-agent: chat messages, with the response of the vendor next to each answer. Commands are in the text
//! of answers, and what they print is sent as messages of the user, unless the model has tools.

use serde_json::{Map, Value};

use super::formats::{Detection, Format, Words};
use super::keys::{non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{self, Answer, Role, SessionBuilder, SessionFormat, detected};
use crate::parse::{Kind, Node};
use crate::text::JsonMap;

pub(super) static FORMAT: Format = Format {
    kind: "mini-swe-agent-trajectory",
    names: &["mini-swe-agent", "mini-swe-agent-trajectory"],
    title: "mini-swe-agent",
    rank: 61,
    may_be: |kind| matches!(kind, Kind::ChatLog | Kind::Compact | Kind::Unknown),
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "a mini-swe-agent trajectory",
    entry: ("message", "messages"),
    plural: "mini-swe-agent trajectories",
    sentence: "this is a trajectory of mini-swe-agent",
    unit: "messages",
    ..Words::BASE
};

pub(super) static DETECTION: Detection = Detection {
    known_by: &[&["info", "messages", "trajectory_format"]],
    root_of: |root| {
        let name = root.get("trajectory_format").and_then(Node::as_str);
        // The name comes last, so a trajectory that was cut has none.
        let has_costs = || {
            let costs = root.get("info").and_then(|info| info.get("model_stats"));
            let has = |key: &str| costs.is_some_and(|costs| costs.get(key).is_some());
            let first = root.get("messages").and_then(|messages| messages.items().first());
            has("instance_cost") && has("api_calls") && first.is_some_and(|first| first.get("role").is_some())
        };
        match name {
            Some(name) => {
                let is_trajectory = name.starts_with("mini-swe-agent");
                detected(&FORMAT, is_trajectory, "its `trajectory_format` is that of mini-swe-agent")
            }
            None => {
                let reason = "it has `messages` and the costs of a trajectory of mini-swe-agent";
                detected(&FORMAT, has_costs(), reason)
            }
        }
    },
    ..Detection::NONE
};

static SESSIONS: SessionFormat =
    SessionFormat { name: "mini-swe-agent", entries: "messages", read: read_message, ..SessionFormat::BASE };

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    SESSIONS.read_request(request)
}

fn read_message(entry: &Value, session: &mut SessionBuilder) -> Role {
    let extra = entry.get("extra").cloned().unwrap_or_default();
    let is_answer = text(entry, "role") == Some("assistant");
    let response = extra.get("response").filter(|_| is_answer).and_then(session::response);
    let Some(mut answer) = response else {
        return session::chat_message(entry, Map::new(), Answer::default(), session);
    };
    if let Some(content) = text(entry, "content") {
        content.clone_into(&mut answer.content);
    }
    let rest = non_null_except(&extra, &["response"]);
    answer.others.put_some("extra", (!rest.is_empty()).then(|| rest.into()));
    answer.others.extend(non_null_except(entry, &["role", "content", "extra", "tool_calls"]));
    session.answer(answer);
    Role::Step
}
