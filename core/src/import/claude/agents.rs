//! The agents that a session called as tools: which call each of them is.

use serde_json::Value;

use super::record::Record;
use crate::text::Table;

/// An agent with its records.
#[derive(Debug, Default)]
pub(super) struct Agent {
    /// Its id; empty if the records have none.
    pub id: String,
    pub members: Vec<usize>,
    /// The call that its records name.
    call: Option<String>,
}

/// The agents of a session, and the call of each.
#[derive(Debug, Default)]
pub(super) struct Agents {
    pub all: Vec<Agent>,
    by_call: Table<String, usize>,
    pub is_used: Vec<bool>,
}

impl Agents {
    /// Finds them among the records of the main conversation. Those of a file of its own, or with one id, are
    /// one; others are separated by the tree that they form.
    pub(super) fn find(records: &[Record], is_main: &[bool]) -> Self {
        let mut out = Self::default();
        let mut by_name: Table<String, usize> = Table::new();
        let mut by_uuid: Table<&str, usize> = Table::new();
        for (at, record) in records.iter().enumerate() {
            if is_main.get(at) == Some(&true) {
                continue;
            }
            let parent = record.text("parentUuid").and_then(|id| by_uuid.get(id)).copied();
            let name = match (record.parent_call(), record.text("agentId")) {
                (Some(call), _) => Some(format!("call {call}")),
                (None, Some(id)) => Some(format!("agent {id}")),
                (None, None) if parent.is_none() && record.file > 0 => Some(format!("file {}", record.file)),
                (None, None) => None,
            };
            let known = name
                .as_ref()
                .and_then(|name| by_name.get(name))
                .copied()
                .or(parent.filter(|_| name.is_none()));
            // A record without a message begins no conversation.
            if known.is_none() && record.message().is_none() {
                continue;
            }
            let agent = known.unwrap_or_else(|| {
                out.all.push(Agent {
                    id: record.text("agentId").unwrap_or_default().to_owned(),
                    members: Vec::new(),
                    call: record.parent_call().map(str::to_owned),
                });
                out.all.len() - 1
            });
            if let Some(name) = name {
                by_name.insert(name, agent);
            }
            if let Some(id) = record.text("uuid") {
                by_uuid.insert(id, agent);
            }
            if let Some(agent) = out.all.get_mut(agent) {
                agent.members.push(at);
            }
        }
        out.is_used = vec![false; out.all.len()];
        out.link(records);
        out
    }

    /// Finds the call of each agent: by the call that its records name, by the agent that a result names, or
    /// by its arguments.
    fn link(&mut self, records: &[Record]) {
        if self.all.is_empty() {
            return;
        }
        let mut by_id: Table<&str, usize> = Table::new();
        let mut by_task: Table<String, Vec<usize>> = Table::new();
        let mut is_linked = vec![false; self.all.len()];
        for (at, agent) in self.all.iter().enumerate() {
            by_id.insert(agent.id.as_str(), at);
            let first =
                agent.members.iter().filter_map(|at| records.get(*at)).find(|one| one.message().is_some());
            if let Some(task) = first.and_then(task) {
                by_task.entry(task).or_default().push(at);
            }
            if let Some(call) = &agent.call {
                self.by_call.insert(call.clone(), at);
                if let Some(linked) = is_linked.get_mut(at) {
                    *linked = true;
                }
            }
        }
        let mut links: Vec<(String, usize)> = Vec::new();
        for record in records {
            let agent_id =
                record.raw.get("toolUseResult").and_then(|agent_id| agent_id.get("agentId")?.as_str());
            let result = agent_id.and_then(|id| Some((record.results().next()?, *by_id.get(id)?)));
            let progress = record.raw.get("data").and_then(|data| data.get("agentId")?.as_str());
            let call = record.text("parentToolUseID").or(record.text("toolUseID"));
            let progress = progress.and_then(|id| Some((call?, *by_id.get(id)?)));
            links.extend(result.or(progress).map(|(call, at)| (call.to_owned(), at)));
        }
        for (call, at) in links {
            if let Some(linked) = is_linked.get_mut(at).filter(|linked| !**linked) {
                *linked = true;
                self.by_call.insert(call, at);
            }
        }
        for record in records {
            for (id, _, arguments) in record.calls() {
                let Some(task) = arguments.and_then(|arguments| arguments.get("prompt")?.as_str()) else {
                    continue;
                };
                let waiting = by_task.get(task.trim()).map_or(&[][..], Vec::as_slice);
                let free = waiting.iter().find(|at| is_linked.get(**at) == Some(&false));
                if let Some(at) = free.copied().filter(|_| !self.by_call.contains_key(id)) {
                    self.by_call.insert(id.to_owned(), at);
                    if let Some(linked) = is_linked.get_mut(at) {
                        *linked = true;
                    }
                }
            }
        }
    }

    /// The agent that a call is, once.
    pub(super) fn take(&mut self, call: &str) -> Option<usize> {
        let at = *self.by_call.get(call)?;
        let is_used = self.is_used.get_mut(at).filter(|is_used| !**is_used)?;
        *is_used = true;
        Some(at)
    }
}

/// The task in the first record of an agent.
fn task(record: &Record) -> Option<String> {
    let content = record.message()?.get("content")?;
    let text = match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks.iter().filter_map(|block| block.get("text")?.as_str()).collect(),
        _ => return None,
    };
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
