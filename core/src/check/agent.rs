//! The part of one agent in a run.

use super::run::{Run, RunMessage};
use crate::model::Role;
use crate::text::{Set, Table};

impl Run {
    /// The actions of the agent with that name: its runs inside this one, in order, and its part of a run
    /// shared by several agents. `None` for an unknown agent.
    ///
    /// For a part of a run, the tokens are unknown, and its errors are those of the steps that made its
    /// messages.
    pub(super) fn for_agent(&self, name: &str) -> Option<Run> {
        let is_own = |message: &RunMessage| message.stored.agent.as_deref() == Some(name);
        let all = std::iter::once(self).chain(self.inside().into_iter().map(|(_, run)| run));
        let mut whole: Option<Run> = None;
        for run in all {
            let part = match run.agent.as_deref() == Some(name) {
                true => run.clone(),
                false if run.messages.iter().any(is_own) => run.filter_messages(is_own),
                false => continue,
            };
            whole = Some(match whole {
                None => part,
                Some(whole) => whole.chain(part),
            });
        }
        whole
    }

    fn filter_messages(&self, is_own: impl Fn(&RunMessage) -> bool) -> Run {
        let messages: Vec<RunMessage> =
            self.messages.iter().filter(|message| is_own(message)).cloned().collect();
        let ids: Set<&str> = messages.iter().map(|message| &*message.stored.id.value).collect();
        let steps: Set<&str> = messages.iter().filter_map(|message| message.step.as_deref()).collect();
        let in_step = |step: Option<&str>| step.is_some_and(|step| steps.contains(step));
        let last = messages.iter().rev().find(|message| message.stored.role.value == Role::Assistant);
        Run {
            calls: self
                .calls
                .iter()
                .filter(|call| match &call.message {
                    Some(message) => ids.contains(&**message),
                    None => in_step(call.step.as_deref()),
                })
                .cloned()
                .collect(),
            context: self.context.clone(),
            answer: last.map(|message| super::Answer {
                content: message.stored.content.clone(),
                message: Some(message.stored.id.value.clone()),
                step: message.step.clone(),
            }),
            turns: Some(steps.iter().filter(|step| **step != "0").count() as u64),
            tokens: None,
            errors: self.errors.iter().filter(|error| in_step(error.step.as_deref())).cloned().collect(),
            nested: Table::new(),
            agent: None,
            messages,
        }
    }

    /// This run and then another of the same agent.
    fn chain(mut self, other: Run) -> Run {
        self.messages.extend(other.messages);
        self.calls.extend(other.calls);
        self.context.extend(other.context);
        self.answer = other.answer.or(self.answer);
        self.turns = self.turns.zip(other.turns).map(|(a, b)| a.saturating_add(b));
        self.tokens = self.tokens.zip(other.tokens).map(|(a, b)| a.saturating_add(b));
        self.errors.extend(other.errors);
        for (step, run) in &other.nested {
            self.nested.insert(step.clone(), run.clone());
        }
        self
    }

    /// The names of the agents in it.
    pub(super) fn agents(&self) -> Vec<String> {
        let inside = self.inside();
        let all = std::iter::once(self).chain(inside.iter().map(|(_, run)| *run));
        let names = all.flat_map(|run| {
            run.agent.iter().chain(run.messages.iter().filter_map(|message| message.stored.agent.as_ref()))
        });
        let names: Set<&str> = names.map(|name| &**name).collect();
        names.iter().map(|name| (*name).to_owned()).collect()
    }
}
