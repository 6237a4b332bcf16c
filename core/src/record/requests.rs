//! The messages that agents sent in requests of a framework, kept so that a request without the part it
//! shares with the one before costs only what is new.

use serde_json::Value;

use super::delta::LEAST;
use super::{Problem, sent};
use crate::canonical::{LastRequest, Request};
use crate::text::{JsonMap, Table, json};

/// The last request of each run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Requests {
    runs: Table<String, Last>,
}

#[derive(Clone, Debug, Default)]
struct Last {
    sent: LastRequest,
    /// The call that it was, once its fact was taken.
    call: Option<String>,
}

impl Requests {
    /// Replaces a request with `keep`, the number of kept items of the one before, by its messages: the new
    /// ones if the previous call is known, otherwise all. Returns whether it did.
    ///
    /// # Errors
    /// When it keeps more than there are. Other errors in a fact are reported when it is read.
    pub(crate) fn unfold(&mut self, fact: &mut Value) -> Result<bool, Problem> {
        let Some(fact) = fact.as_object_mut().filter(|fact| !fact.contains_key("messages")) else {
            return Ok(false);
        };
        let Some(request) = fact.get("request").filter(|request| request.get("keep").is_some()) else {
            return Ok(false);
        };
        let Ok(request) = Request::from_value(request) else { return Ok(false) };
        let run = fact.get("run").and_then(Value::as_str).unwrap_or_default();
        let last = self.runs.entry(run.to_owned()).or_default();
        if !last.sent.covers(&request) {
            return Err(Problem::new("`request` of `model_called` omits messages that were never reported"));
        }
        last.sent.mark();
        last.sent.update(&request);
        let same = last.sent.unchanged();
        let before = last.call.take().filter(|_| same >= LEAST && !fact.contains_key("after"));
        let first = before.as_ref().map_or(0, |_| same);
        let new = last.sent.as_slice().iter().skip(first);
        fact.put("messages", new.map(|message| sent::from_canonical(message)).collect());
        fact.shift_remove("request");
        if let Some(call) = before {
            fact.put("after", json!({ "call": call, "messages": same }));
        }
        Ok(true)
    }

    /// Notes that a fact was accepted; `unfolded` marks one that [`Requests::unfold`] changed.
    pub(crate) fn note(&mut self, fact: &Value, unfolded: bool) {
        let text = |key: &str| fact.get(key).and_then(Value::as_str).unwrap_or_default();
        if text("fact") == "agent_left" {
            self.runs.remove(text("run"));
        } else if let Some(last) = self.runs.get_mut(text("run")).filter(|_| unfolded) {
            last.call = Some(text("call").to_owned());
        }
    }
}
