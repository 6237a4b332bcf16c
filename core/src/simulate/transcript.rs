//! A simulated run as a transcript in the full form.

use serde_json::{Map, Value};

use super::agent::{Fact, Log};
use super::machine::Simulation;
use super::message::SimMessage;
use super::report::{ModelAnswer, ModelCall};
use super::tool::ToolFault;
use crate::model::{
    Agent, Content, Message, Response, ResponseDetails, Role, Sent, SentItem, Spanned, Text, ToolCall,
    ToolResponse, ToolRun, Transcript, Turn, TurnKind,
};
use crate::text::{JsonMap, Set, Span, json};
use crate::wire;
use crate::write::{self, Entries};

/// The maximum number of references to sent messages: it is quadratic in the length of a run, and a longer
/// run is written without them. A call that was sent all visible messages lists none.
const REFERENCES: usize = 500_000;

impl Simulation {
    /// The run so far as a transcript in the full form: one agent as in the documents, several with `agents`
    /// and the agent of each turn. Runs of agents as tools are inside the results of those tools.
    ///
    /// A run in which one agent was sent more than ten thousand messages in all has `visible` in `messages_sent_to_llm`. A
    /// run of several agents that were sent more than half a million is written without, and cannot be replayed strictly.
    #[must_use]
    pub fn transcript(&self) -> Value {
        let mut shown: Vec<usize> = Vec::new();
        for step in self.input.steps.iter().take(self.at.saturating_add(1)) {
            for agent in &step.agents {
                if !shown.contains(agent) {
                    shown.push(*agent);
                }
            }
        }
        shown.sort_unstable();
        if shown.is_empty() {
            shown.push(0);
        }
        self.logs.first().map(|log| self.build_transcript(log, &shown)).unwrap_or_default()
    }

    fn build_transcript(&self, log: &Log, shown: &[usize]) -> Value {
        let several = shown.len() > 1;
        let mut out = Transcript { metadata: self.input.metadata.clone(), ..Transcript::default() };
        // Each agent of the run with its context and its initial messages.
        let mut begin: Vec<(usize, Map<String, Value>, Vec<Message>)> = shown
            .iter()
            .filter_map(|&index| {
                let agent = self.agents.get(index)?;
                let first = agent.messages.iter().take(agent.initial_count);
                let first = first.map(|message| self.to_message(message, several)).collect();
                Some((index, agent.initial_context.clone(), first))
            })
            .collect();
        let lists = self.lists(log, several);
        // The keys of the context that a turn has set.
        let mut changed: Set<String> = Set::new();
        for fact in &log.facts {
            let of = |agent: usize| {
                move |(index, ..): &&mut (usize, Map<String, Value>, Vec<Message>)| *index == agent
            };
            match fact {
                Fact::MessageAppended { agent, message } if !several && out.turns.is_empty() => {
                    let found = self.agents.get(*agent).and_then(|agent| agent.messages.get(*message));
                    if let (Some((.., store)), Some(found)) = (begin.iter_mut().find(of(*agent)), found) {
                        store.push(self.to_message(found, several));
                    }
                }
                Fact::ContextChanged { agent, set, removed } => {
                    let key = self.key(*agent);
                    let own = |turn: &&mut Turn| !several || turn.agent.as_deref() == Some(&key);
                    match out.turns.iter_mut().rev().find(own) {
                        Some(turn) => {
                            turn.changes.context.extend(set.clone());
                            // With several agents, the initial contexts are not part of the fold.
                            let there = removed.iter().filter(|key| !several || changed.contains(*key));
                            turn.changes.removed.extend(there.map(|key| Text::from(key.as_str())));
                            changed.extend(set.keys().cloned());
                        }
                        None => {
                            if let Some((_, context, _)) = begin.iter_mut().find(of(*agent)) {
                                context.extend(set.clone());
                                removed.iter().for_each(|key| {
                                    context.shift_remove(key);
                                });
                            }
                        }
                    }
                }
                fact => {
                    if let Some(mut turn) = self.turn(fact, several, lists) {
                        let number = i64::try_from(out.turns.len() + 1).unwrap_or(i64::MAX);
                        turn.number = Some(number.into());
                        out.turns.push(turn);
                    }
                }
            }
        }
        match begin.as_mut_slice() {
            [(index, context, store)] => {
                out.config = self.config(*index, true);
                out.context = std::mem::take(context);
                out.initial = std::mem::take(store);
            }
            several => {
                for (index, context, store) in several {
                    let tools = self.tool_declarations(*index);
                    let agent = Agent {
                        config: Some(self.config(*index, false)),
                        context: Some(std::mem::take(context)),
                        tools: (!tools.is_empty()).then_some(tools),
                        store: Some(std::mem::take(store)),
                        ..Agent::default()
                    };
                    out.agents.push((Text::from(self.key(*index)).into(), agent));
                }
            }
        }
        write::brief(&out)
    }

    /// Whether sent messages are listed if they are not all visible ones.
    fn lists(&self, log: &Log, several: bool) -> bool {
        let listed = log.facts.iter().filter_map(|fact| {
            let Fact::ModelCalled { session, call, .. } = fact else { return None };
            let call = self.sessions.get(*session)?.calls.get(*call)?;
            (several || call.replacement.is_some()).then_some(call.sent)
        });
        listed.fold(0, usize::saturating_add) <= REFERENCES
    }

    fn tool_declarations(&self, agent: usize) -> Vec<Value> {
        let tools = self.spec(agent).map(|spec| spec.tools.as_slice()).unwrap_or_default();
        tools.iter().map(|tool| tool.declaration()).collect()
    }

    fn config(&self, agent: usize, with_tools: bool) -> Map<String, Value> {
        let mut config = Map::new();
        let spec = self.spec(agent);
        if let Some(model) = spec.and_then(|spec| spec.model.as_ref()) {
            config.put("model", model.as_str().into());
        }
        let tools = self.tool_declarations(agent);
        if with_tools && !tools.is_empty() {
            config.put("tools", tools.into());
        }
        config
    }

    fn to_message(&self, message: &SimMessage, several: bool) -> Message {
        let role = Spanned::from(Role::new(&message.role));
        let mut out = Message::new(Text::from(message.id.as_str()).into(), role, Span::default());
        out.content = Some(Content::from(&message.content));
        out.tool_calls = message.tool_calls.iter().map(ToolCall::from).collect();
        out.tool_call_id = message.tool_call_id.as_deref().map(|id| Text::from(id).into());
        out.tool_name = message.tool_name.as_deref().map(Text::from);
        out.agent = several.then(|| message.agent.as_str().into());
        if let Some(response) = &message.tool_response {
            out.details_mut().tool_response = Some(ToolResponse {
                tool_name: message.tool_name.as_deref().map(Text::from),
                tool_call_id: message.tool_call_id.as_deref().map(Text::from),
                response: response.response.clone(),
                parameters: Some(response.parameters.clone()).filter(Value::is_object),
                success: Some(response.success),
                error: response.error.as_deref().map(|error| Content::Text(error.into())),
                ..ToolResponse::default()
            });
        }
        let own = |key: &str| message.carries.get(key).cloned();
        if !message.carries.is_empty() {
            let details = out.details_mut();
            details.refusal = own("refusal").as_ref().map(Content::from);
            details.reasoning = own("reasoning").as_ref().map(Content::from);
            details.citations = own("citations");
            details.annotations = own("annotations");
            details.usage = own("usage");
            details.metadata = own("metadata").and_then(|metadata| metadata.as_object().cloned());
        }
        out
    }

    fn turn(&self, fact: &Fact, several: bool, lists: bool) -> Option<Turn> {
        let message = |agent: usize, at: usize| {
            let found = self.agents.get(agent)?.messages.get(at)?;
            Some(self.to_message(found, several))
        };
        let new = |kind: TurnKind, agent: usize| {
            let mut turn = Turn::new(kind.into(), Span::default());
            turn.agent = several.then(|| self.key(agent).into());
            turn
        };
        match fact {
            Fact::MessageAppended { agent, message: at } => {
                let mut turn = new(TurnKind::Message, *agent);
                turn.created = message(*agent, *at);
                Some(turn)
            }
            Fact::ModelCalled { session, call, message: at } => {
                let call = self.sessions.get(*session)?.calls.get(*call)?;
                let mut turn = new(TurnKind::LlmCall, call.agent);
                turn.sent = self.sent_of(call, several, lists);
                turn.config.clone_from(&call.kwargs);
                if let Some(schema) = &call.output_schema {
                    turn.config.put("response_schema", schema.clone());
                }
                turn.response = call.response.as_ref().map(response);
                turn.error = call.error.as_ref().map(|error| {
                    let out = Entries::default()
                        .with("type", Value::from(&*error.kind))
                        .with("message", Value::from(&*error.message));
                    let details = error.details.as_deref().cloned().unwrap_or_default();
                    Value::Object(out.0.into_iter().chain(details).collect())
                });
                turn.created = at.and_then(|at| message(call.agent, at));
                Some(turn)
            }
            Fact::ToolCalled { agent, call, outcome, nested, message: at } => {
                let mut turn = new(TurnKind::ToolCall, *agent);
                turn.tool = Some(self.tool_run(call, outcome, *nested));
                turn.created = message(*agent, *at);
                Some(turn)
            }
            Fact::ContextChanged { .. } => None,
        }
    }

    /// What the model was sent: its whole history, which with one agent is all visible messages.
    fn sent_of(&self, call: &ModelCall, several: bool, lists: bool) -> Sent {
        if !several && call.replacement.is_none() {
            return Sent::Visible;
        }
        if !lists {
            return Sent::Unrecorded;
        }
        let history = self.agents.get(call.agent).map(|agent| agent.messages.as_slice()).unwrap_or_default();
        let item = |(at, message): (usize, &SimMessage)| SentItem {
            reference: Some(Text::from(message.id.as_str()).into()),
            content: call
                .replacement
                .as_ref()
                .filter(|(place, _)| *place == at)
                .map(|(_, text)| Box::new(Content::Text(text.as_str().into()))),
            inline: None,
            rest: crate::model::UnknownKeys::default(),
            span: Span::default(),
        };
        Sent::List(history.iter().take(call.sent).enumerate().map(item).collect())
    }

    fn tool_run(
        &self,
        call: &wire::ToolCall,
        outcome: &Result<Value, ToolFault>,
        nested: Option<usize>,
    ) -> ToolRun {
        let answer = outcome.as_ref().ok().cloned().unwrap_or_default();
        let result = match nested.and_then(|log| self.logs.get(log)) {
            None => answer,
            // The depth of agents in each other is bounded, and so is this recursion.
            Some(log) => write::nested_result_entry(Some(&self.key(log.agent)), Some(answer))
                .with("nested_transcript", self.build_transcript(log, &[log.agent]))
                .into_value(),
        };
        // Only a map can be the arguments of a tool; the message with the call keeps anything else
        // unchanged.
        let parameters = if call.arguments.is_object() { call.arguments.clone() } else { json!({}) };
        let error = outcome.as_ref().err().map(|fault| Content::Text(fault.message.as_str().into()));
        ToolRun::new(Some(&call.id), &call.name, parameters, result, error)
    }
}

fn response(answer: &ModelAnswer) -> Response {
    let mut out = Response {
        content: Some(Content::from(&answer.content)),
        tool_calls: answer.tool_calls.iter().map(ToolCall::from).collect(),
        ..Response::default()
    };
    let mut details = ResponseDetails::default();
    for (key, value) in &answer.carries {
        let text = || value.as_str().map(Text::from);
        match key.as_str() {
            "reasoning" => out.reasoning = Some(Content::from(value)),
            "refusal" => out.refusal = Some(Content::from(value)),
            "usage" => out.usage = Some(value.clone()),
            "citations" => details.citations = Some(value.clone()),
            "annotations" => details.annotations = Some(value.clone()),
            "metadata" => details.metadata = value.as_object().cloned(),
            "parsed" => details.parsed = Some(value.clone()),
            "chunks" => details.chunks = value.as_array().cloned(),
            "finish_reason" => details.finish_reason = text(),
            "model" => details.model = text(),
            "id" => details.id = text(),
            other => details.rest.insert(other, value.clone()),
        }
    }
    out.details = Some(Box::new(details)).filter(|details| **details != ResponseDetails::default());
    out
}
