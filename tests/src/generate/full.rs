//! Full transcripts that say more than the compact form can.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::script::{Script, scripts};

/// What is added to a transcript: each is something that the compact form cannot say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    /// When a turn happened.
    Timestamp,
    /// The tokens an answer used.
    Usage,
    /// The ULID of a message that a turn created.
    Ulid,
    /// A key that is not part of the format.
    Unknown,
    /// The settings of one call.
    Config,
    /// A list of messages sent that is not what was visible.
    Sent,
    /// Another final context than the run comes to.
    End,
}

impl Extra {
    const ALL: [Extra; 7] =
        [Extra::Timestamp, Extra::Usage, Extra::Ulid, Extra::Unknown, Extra::Config, Extra::Sent, Extra::End];

    /// Adds it to the `at`-th turn, where that has the place for it; returns the path of what was added.
    pub fn add(self, full: &mut Value, at: usize) -> Option<String> {
        if self == Extra::End {
            full["final_state"]["context"]["never set"] = json!(at);
            return Some("final_state.context[\"never set\"]".to_owned());
        }
        let turn = full["execution"].get_mut(at)?;
        let is_answer = turn["type"] == "llm_call";
        let key = match self {
            Extra::Timestamp => {
                turn["timestamp"] = json!(format!("2025-01-13T10:30:{:02}Z", at % 60));
                "timestamp"
            }
            Extra::Usage if is_answer => {
                turn["llm_response"]["usage"] = json!({"prompt_tokens": 7, "completion_tokens": 2});
                "llm_response.usage"
            }
            Extra::Ulid => {
                turn["message_created"]["ulid"] = json!("01HQZZZ");
                "message_created.ulid"
            }
            Extra::Unknown => {
                turn["x_note"] = json!(null);
                "x_note"
            }
            Extra::Config if is_answer => {
                turn["llm_config"] = json!({"temperature": 0.1});
                "llm_config"
            }
            Extra::Sent if is_answer => {
                turn["messages_sent_to_llm"] = json!([{"role": "user", "content": "never stored"}]);
                "messages_sent_to_llm"
            }
            _ => return None,
        };
        Some(format!("execution[{at}].{key}"))
    }
}

/// Scripts with things to add to them, each at a turn.
pub fn with_extras(size: usize) -> impl Strategy<Value = (Script, Vec<(Extra, usize)>)> {
    let extra = (proptest::sample::select(&Extra::ALL[..]), 0..size.max(1));
    (scripts(size), vec(extra, 1..4))
}
