//! Assembles the report of a simulation.

use super::engine::Engine;
use super::input::Profile;
use super::machine::Simulation;
use super::message::SimMessage;
use super::report::{AgentReport, ModelCall, Report, RosterEntry};
use super::tool::Source;

impl Simulation {
    /// The report on the simulation so far.
    #[must_use]
    pub fn report(&self) -> Report {
        let agents = (0..self.sessions.len()).filter_map(|index| self.agent_report(index)).collect();
        Report {
            profile: match self.input.profile {
                Profile::Default => "default",
                Profile::GoodAgent => "good-agent",
            }
            .into(),
            done: self.current.is_none() && self.at >= self.input.steps.len(),
            steps: self.reports.clone(),
            agents,
            tool_executions: self.executions.clone(),
            transcript: self.transcript(),
        }
    }

    fn agent_report(&self, index: usize) -> Option<AgentReport> {
        let session = self.sessions.get(index)?;
        let agent = self.agents.get(index)?;
        let good_agent = self.input.profile == Profile::GoodAgent;
        let (used, left, answered) = match &session.engine {
            Engine::Queue { index, .. } => (*index, session.engine.remaining(), *index),
            // The library does not count the responses of a handler.
            Engine::Handler(handler) if good_agent => (0, Some(0), handler.answer_count),
            Engine::External if good_agent => (0, Some(0), session.used),
            Engine::Handler(handler) => (session.used, session.engine.remaining(), handler.answer_count),
            Engine::External => (session.used, None, session.used),
            Engine::Nobody(_) => (0, Some(0), 0),
        };
        Some(AgentReport {
            key: self.key(index),
            name: self.name(index),
            model_class: session.engine.class().into(),
            messages: agent.messages.clone(),
            context: agent.context.clone(),
            calls: session.calls.clone(),
            call_count: session.call_count,
            responses_used: used,
            responses_remaining: left,
            all_responses_consumed: left.map(|left| left == 0),
            handler_responses_used: answered,
            handler_responses_remaining: session.engine.remaining(),
            pending: agent.pending.clone(),
        })
    }

    /// The agents, with what the host must do for each.
    #[must_use]
    pub fn roster(&self) -> Vec<RosterEntry> {
        let agents = self.input.agents.iter().zip(&self.sessions);
        let entries = agents.map(|(spec, session)| RosterEntry {
            key: spec.key.clone(),
            name: spec.name.clone(),
            external: matches!(session.engine, Engine::External),
            tools: spec
                .tools
                .iter()
                .map(|tool| (tool.name.clone(), matches!(tool.source, Source::Live)))
                .collect(),
        });
        entries.collect()
    }

    /// The model calls of an agent so far; none for an unknown agent.
    #[must_use]
    pub fn calls(&self, agent: &str) -> &[ModelCall] {
        let place = self.input.agents.iter().position(|spec| spec.key == agent);
        let session = place.and_then(|place| self.sessions.get(place));
        session.map(|session| session.calls.as_slice()).unwrap_or_default()
    }

    /// The messages of a model call, in order; empty for an unknown call.
    #[must_use]
    pub fn sent(&self, agent: &str, call: usize) -> Vec<SimMessage> {
        let Some(call) = self.calls(agent).get(call) else { return Vec::new() };
        let history = self.agents.get(call.agent).map(|agent| agent.messages.as_slice()).unwrap_or_default();
        let mut sent: Vec<SimMessage> = history.iter().take(call.sent).cloned().collect();
        if let Some((at, text)) = &call.replacement
            && let Some(message) = sent.get_mut(*at)
        {
            message.content = text.clone().into();
        }
        sent
    }
}
