//! Histories: how messages are added, and which other agents get them.

use serde_json::{Map, Value};

use super::agent::{Agent, Fact, Log};
use super::input::{AgentSpec, Profile};
use super::jinja::render;
use super::limits::size;
use super::machine::Simulation;
use super::message::SimMessage;
use crate::mock::MessageHistory;
use crate::model::message_id;
use crate::text::json;
use crate::wire::ToolCall;

impl Simulation {
    /// Makes a history for an agent of the input, with its instructions in it.
    pub(super) fn add_agent(&mut self, spec: usize, log: usize, depth: u64) -> usize {
        let found = self.input.agents.get(spec);
        let context = found.map(|spec| spec.context.clone()).unwrap_or_default();
        let system = found.and_then(|spec| spec.system.clone());
        let first = system.map(|system| self.message("system", system.into()));
        self.history(spec, log, depth, context, first.into_iter().collect())
    }

    /// Makes a history for an agent that runs as a tool: a copy of its own, as the library forks agents, up
    /// to the calls that are still open. Otherwise, an agent that calls itself would answer its own call
    /// again and again.
    pub(super) fn fork(&mut self, spec: usize, depth: u64) -> usize {
        let log = self.logs.len();
        self.logs.push(Log { agent: self.agents.len(), ..Log::default() });
        let (messages, context) = match self.agents.get(spec) {
            Some(base) => {
                let is_open = |call: &ToolCall| base.pending.iter().any(|open| open.id == call.id);
                let before =
                    base.messages.iter().take_while(|message| !message.tool_calls.iter().any(is_open));
                (before.cloned().collect(), base.context.clone())
            }
            None => (Vec::new(), Map::new()),
        };
        self.history(spec, log, depth, context, messages)
    }

    fn history(
        &mut self,
        spec: usize,
        log: usize,
        depth: u64,
        context: Map<String, Value>,
        first: Vec<SimMessage>,
    ) -> usize {
        let index = self.agents.len();
        self.agents.push(Agent {
            spec,
            messages: Vec::new(),
            canonical: MessageHistory::default(),
            instead: None,
            initial_context: context.clone(),
            initial_count: first.len(),
            context,
            pending: Vec::new(),
            log,
            depth,
            yielded: 0,
            reported: (0, None),
        });
        for message in first {
            self.push_message(index, message);
        }
        index
    }

    pub(super) fn spec(&self, agent: usize) -> Option<&AgentSpec> {
        self.input.agents.get(self.agents.get(agent)?.spec)
    }

    pub(super) fn key(&self, agent: usize) -> String {
        self.spec(agent).map(|spec| spec.key.clone()).unwrap_or_default()
    }

    pub(super) fn name(&self, agent: usize) -> String {
        self.spec(agent).map(|spec| spec.name.clone().unwrap_or_else(|| spec.key.clone())).unwrap_or_default()
    }

    /// A message with the next id.
    pub(super) fn message(&mut self, role: &str, content: Value) -> SimMessage {
        let id = self.counts.messages.next_free(message_id, &|_| false);
        SimMessage { id, role: role.to_owned(), content, ..SimMessage::default() }
    }

    /// Appends a message to a history; returns its index.
    fn push_message(&mut self, agent: usize, mut message: SimMessage) -> usize {
        message.agent = self.key(agent);
        let carried = message.carries.values().map(size).sum::<u64>();
        self.counts.bytes = self.counts.bytes.saturating_add(size(&message.content) + carried);
        let by_text = self.input.profile == Profile::GoodAgent;
        let Some(agent) = self.agents.get_mut(agent) else { return 0 };
        if let Some(id) = &message.tool_call_id {
            agent.pending.retain(|call| call.id != *id);
        }
        agent.pending.extend(message.tool_calls.iter().cloned());
        agent.canonical.push(message.canonical(by_text));
        agent.messages.push(message);
        agent.messages.len() - 1
    }

    /// Appends a message to a history. The other agents of a conversation get it as well.
    pub(super) fn append(&mut self, agent: usize, message: SimMessage) -> usize {
        let (role, text) = (message.role.clone(), message.text());
        let at = self.push_message(agent, message);
        self.log_event(agent, "message:append:after", json!({ "role": role }));
        let silent = self.input.profile == Profile::Default && text.is_empty();
        if role == "assistant" && self.participants.contains(&agent) && !silent {
            let group = self.participants.len() > 2;
            let name = self.spec(agent).and_then(|spec| spec.name.clone());
            let name = name.unwrap_or_else(|| match self.input.profile {
                Profile::GoodAgent => "Unknown".to_owned(),
                Profile::Default => self.key(agent),
            });
            let text = match group {
                true => format!("!# section message author=@{name}\n{text}\n!# end section"),
                false => text,
            };
            let others: Vec<usize> =
                self.participants.iter().copied().filter(|other| *other != agent).collect();
            for other in others {
                let text = self.rendered(other, &text);
                self.append_incoming(other, "user", text.into());
            }
        }
        at
    }

    /// A message comes from outside.
    pub(super) fn append_incoming(&mut self, agent: usize, role: &str, content: Value) {
        let message = self.message(role, content);
        // The copies for others come after it, also in the log.
        let at = self.agents.get(agent).map_or(0, |agent| agent.messages.len());
        self.fact(agent, Fact::MessageAppended { agent, message: at });
        self.append(agent, message);
    }

    /// A text as the library renders it in its own messages.
    pub(super) fn rendered(&self, agent: usize, text: &str) -> String {
        match (self.input.profile, self.agents.get(agent)) {
            (Profile::GoodAgent, Some(agent)) => render(text, &agent.context),
            _ => text.to_owned(),
        }
    }
}
