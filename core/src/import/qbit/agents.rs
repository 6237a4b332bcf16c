//! The work of a session's agents, each found by its call.

use super::Notes;
use super::event::{Event, Role};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::text::Table;

/// The work of an agent, as far as the logs show it.
#[derive(Debug, Default)]
pub(super) struct Agent {
    /// Its begin and its end, which are in the log of the session.
    pub frame: Vec<Event>,
    pub events: Vec<(Event, Role)>,
}

/// The agents by the id of the call that began each.
#[derive(Debug, Default)]
pub(super) struct Agents {
    by_call: Table<String, Agent>,
}

impl Agents {
    /// Adds the log of an agent: every event names the call, or else the path does.
    pub(super) fn add_file(&mut self, path: &str, events: Vec<(Event, Role)>, notes: &mut Notes) {
        let named = events.iter().find_map(|(event, _)| event.text("parent_request_id")).map(str::to_owned);
        let folder = || path.rsplit(['/', '\\']).nth(1).unwrap_or_default();
        let call =
            named.unwrap_or_else(|| folder().split_once('-').map_or(folder(), |(_, call)| call).to_owned());
        let _ = notes;
        self.by_call.entry(call).or_default().events.extend(events);
    }

    /// Removes the events about agents from the session's log.
    pub(super) fn take_those_of(&mut self, events: Vec<(Event, Role)>) -> Vec<(Event, Role)> {
        let mut rest = Vec::with_capacity(events.len());
        for (event, role) in events {
            let is_frame = FRAME.contains(&event.kind.as_str());
            let is_inner = event.kind.starts_with("sub_agent_tool_");
            let call = event.text("parent_request_id").filter(|_| matches!(role, Role::Part(_)));
            match call.map(str::to_owned) {
                Some(call) if is_frame => self.by_call.entry(call).or_default().frame.push(event),
                Some(call) if is_inner => self.by_call.entry(call).or_default().events.push((event, role)),
                _ => rest.push((event, role)),
            }
        }
        rest
    }

    /// Removes and returns the agent of the call.
    pub(super) fn take(&mut self, call: &str) -> Option<Agent> {
        self.by_call.remove(call)
    }

    /// Keeps the work of agents without a known call.
    pub(super) fn keep_unclaimed(&mut self, notes: &mut Notes) {
        for (call, agent) in std::mem::take(&mut self.by_call).iter() {
            let mut is_first = true;
            let events = agent.frame.iter().chain(agent.events.iter().map(|(event, _)| event));
            for event in events {
                if std::mem::take(&mut is_first) {
                    let message =
                        format!("the log has no result of the call `{call}` that started this agent");
                    let found = Diagnostic::new(codes::LOG_PAIR, Severity::Warning, event.span, message);
                    notes.add_diagnostic(event, found.help("the steps of the agent are kept in `metadata`"));
                }
                notes.keep(event);
            }
        }
    }
}

/// The kinds of events for the begin and the end of an agent.
const FRAME: [&str; 3] = ["sub_agent_started", "sub_agent_completed", "sub_agent_error"];
