//! The state of one agent.

use super::Outcome;
use crate::encoding::exact::{Exact, python_json};
use crate::events::Uuid;
use crate::text::Table;

/// A call that has not returned.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenCall {
    /// The id of the event that made it.
    pub(super) event: Option<Uuid>,
    /// Its outcome, where the host ran the tool.
    pub(super) outcome: Option<Outcome>,
}

/// The state of an agent at a place of the order.
#[derive(Clone, Debug, Default)]
pub(super) struct Agent {
    pub(super) state: Option<String>,
    pub(super) events: usize,
    /// Tasks it took and has not answered.
    pub(super) tasks: usize,
    /// Its open calls by id; a call whose id was reused, by the id of its event.
    pub(super) calls: Table<String, OpenCall>,
    /// The messages it received and sent since its handler was last called; empty without a handler of the
    /// host.
    pub(super) news: Vec<Exact>,
}

impl Agent {
    /// Notes an open call. An earlier one with the same id, or also without one, is kept: its outcome still
    /// counts.
    pub(super) fn open(&mut self, id: String, call: OpenCall) {
        if let Some(earlier) = self.calls.insert(id, call) {
            self.calls.insert(earlier.event.map(|id| id.to_string()).unwrap_or_default(), earlier);
        }
    }

    /// Notes a message. A text is the content itself, data is JSON.
    pub(super) fn add_message(&mut self, role: &str, call: Option<&str>, content: &Exact) {
        let content = match content {
            Exact::Text(_) => content.clone(),
            data => Exact::text(&python_json(data)),
        };
        let mut message = vec![entry("role", Exact::text(role)), entry("content", content)];
        message.extend(call.map(|call| entry("tool_call_id", Exact::text(call))));
        self.news.push(Exact::Map(message));
    }

    /// Removes and returns the messages, as JSON text.
    pub(super) fn take_news(&mut self) -> String {
        python_json(&Exact::List(std::mem::take(&mut self.news)))
    }
}

fn entry(key: &str, value: Exact) -> (Vec<u8>, Exact) {
    (key.as_bytes().to_vec(), value)
}
