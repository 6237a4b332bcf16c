//! The recorded requests and replies, within bounds.

use std::collections::VecDeque;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::error::MockError;
use super::{MockContext, Response, variables};
use crate::canonical::{CanonicalMessage, Request};
use crate::text::{JsonMap, json};

/// How much of the calls is kept. Counts are exact beyond it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// The last calls.
    pub calls: usize,
    /// The last messages of each call.
    pub messages: usize,
    /// About how many bytes in all.
    pub bytes: usize,
}

impl Default for Retention {
    /// A thousand calls, 256 messages of each, 64 MiB in all.
    fn default() -> Self {
        Self { calls: 1_000, messages: 256, bytes: 64 << 20 }
    }
}

/// One call: the request and its outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchange {
    /// Which call it was, counted from 1.
    pub call: u64,
    /// The agent that made the call.
    pub agent: Option<String>,
    /// The requested model.
    pub model: Option<String>,
    /// The round of the agent's loop, counted from 0.
    pub iteration: u64,
    /// How many messages were sent before the kept ones.
    pub omitted: usize,
    /// The sent messages, or the last ones of a long list. Calls share the messages that they have in common
    /// with the previous call.
    pub messages: Vec<Rc<CanonicalMessage>>,
    /// The tools that the model might call.
    pub tools: Vec<String>,
    /// Other options of the call.
    pub kwargs: Map<String, Value>,
    /// The answer or the error; `None` until there is one.
    pub outcome: Option<Result<Response, Box<MockError>>>,
}

impl Exchange {
    fn new(context: &MockContext<'_>, call: u64, keep: &Retention, before: Option<&Exchange>) -> Self {
        let omitted = context.messages.len().saturating_sub(keep.messages);
        let known =
            |at: usize| before.and_then(|before| before.messages.get(at.checked_sub(before.omitted)?));
        let shared = |(at, message): (usize, &CanonicalMessage)| match known(at) {
            Some(known) if **known == *message => Rc::clone(known),
            _ => Rc::new(message.clone()),
        };
        Self {
            call,
            agent: context.agent.map(str::to_owned),
            model: context.model.map(str::to_owned),
            iteration: context.iteration,
            omitted,
            messages: context.messages.iter().enumerate().skip(omitted).map(shared).collect(),
            tools: context.tools.to_vec(),
            kwargs: context.kwargs.clone(),
            outcome: None,
        }
    }

    /// The call as data: `call`, `agent`, `model`, `iteration`, `messages`, `omitted`, `tools`, `kwargs`, and
    /// `reply` or `error`.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let messages: Vec<Value> = self.messages.iter().map(|message| variables::message(message)).collect();
        let mut value = json!({
            "call": self.call,
            "agent": self.agent,
            "model": self.model,
            "iteration": self.iteration,
            "messages": messages,
            "omitted": self.omitted,
            "tools": self.tools,
            "kwargs": self.kwargs,
        });
        if let (Some(outcome), Some(map)) = (&self.outcome, value.as_object_mut()) {
            let (key, outcome) = match outcome {
                Ok(reply) => ("response", reply.to_value()),
                Err(error) => ("error", error.to_value()),
            };
            map.put(key, outcome);
        }
        value
    }

    /// The approximate size of its answer in bytes.
    fn answer_weight(&self) -> usize {
        match &self.outcome {
            Some(Ok(reply)) => {
                let calls = reply.tool_calls.iter().map(|call| 64 + value_size(&call.arguments));
                value_size(&reply.content)
                    + calls.sum::<usize>()
                    + reply.extra.values().map(value_size).sum::<usize>()
            }
            Some(Err(error)) => error.message.len(),
            None => 0,
        }
    }

    /// Its approximate size in bytes without its answer.
    fn weight(&self) -> usize {
        let of_message = |message: &CanonicalMessage| {
            let calls: usize = message.tool_calls.iter().map(|call| 64 + value_size(&call.arguments)).sum();
            let parts: usize = message.parts.iter().map(value_size).sum();
            128 + message.content.len()
                + calls
                + parts
                + message.result.as_ref().map_or(0, value_size)
                + message.result_text.as_ref().map_or(0, String::len)
        };
        let kwargs: usize = self.kwargs.values().map(value_size).sum();
        256 + self.messages.iter().map(|message| of_message(message)).sum::<usize>() + kwargs
    }
}

/// The approximate size of a value in bytes.
fn value_size(value: &Value) -> usize {
    match value {
        Value::String(text) => 32 + text.len(),
        Value::Array(items) => 32 + items.iter().map(value_size).sum::<usize>(),
        Value::Object(entries) => {
            32 + entries.iter().map(|(key, value)| 32 + key.len() + value_size(value)).sum::<usize>()
        }
        _ => 32,
    }
}

/// The last calls, within bounds.
#[derive(Clone, Debug, Default)]
pub(super) struct ExchangeLog {
    pub keep: Retention,
    exchanges: VecDeque<(Exchange, usize)>,
    bytes: usize,
}

impl ExchangeLog {
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Exchange> {
        self.exchanges.iter().map(|(exchange, _)| exchange)
    }

    /// Keeps a call that is about to be answered.
    pub(super) fn begin(&mut self, context: &MockContext<'_>, call: u64) {
        let before = self.exchanges.back().map(|(exchange, _)| exchange);
        self.push(Exchange::new(context, call, &self.keep, before));
    }

    fn push(&mut self, exchange: Exchange) {
        let weight = exchange.weight() + exchange.answer_weight();
        self.bytes += weight;
        self.exchanges.push_back((exchange, weight));
        self.trim();
    }

    /// Adds the outcome of a call, if the call is still kept.
    pub(super) fn close(&mut self, call: u64, outcome: Result<Response, Box<MockError>>) {
        // Calls are in order; usually it is the last one.
        let Ok(at) = self.exchanges.binary_search_by_key(&call, |(exchange, _)| exchange.call) else {
            return;
        };
        let Some((exchange, weight)) = self.exchanges.get_mut(at) else { return };
        let before = exchange.answer_weight();
        exchange.outcome = Some(outcome);
        let heavier = weight.saturating_sub(before).saturating_add(exchange.answer_weight());
        self.bytes = self.bytes.saturating_sub(*weight).saturating_add(heavier);
        *weight = heavier;
        self.trim();
    }

    /// Drops the last call, which is repeated.
    pub(super) fn remove_last(&mut self) {
        if let Some((_, weight)) = self.exchanges.pop_back() {
            self.bytes = self.bytes.saturating_sub(weight);
        }
    }

    fn trim(&mut self) {
        while self.exchanges.len() > self.keep.calls || self.bytes > self.keep.bytes {
            let Some((_, weight)) = self.exchanges.pop_front() else { break };
            self.bytes = self.bytes.saturating_sub(weight);
        }
    }

    pub(super) fn clear(&mut self) {
        self.exchanges.clear();
        self.bytes = 0;
    }

    pub(super) fn to_value(&self) -> Value {
        self.iter().map(Exchange::to_value).collect()
    }

    /// Reads the data of [`ExchangeLog::to_value`].
    pub(super) fn restored(&self, value: &Value) -> Option<Self> {
        let mut kept = Self { keep: self.keep, ..Self::default() };
        for value in value.as_array()? {
            kept.push(exchange(value)?);
        }
        Some(kept)
    }
}

fn exchange(value: &Value) -> Option<Exchange> {
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let number = |key: &str| value.get(key).and_then(Value::as_u64);
    let outcome = match (value.get("response"), value.get("error")) {
        (Some(reply), _) => Some(Ok(Response::from(&crate::parse::read::response(
            &crate::parse::Node::from_value(reply, crate::text::Span::default()),
        )))),
        (None, Some(error)) => Some(Err(MockError::from_value(error)?)),
        (None, None) => None,
    };
    Some(Exchange {
        call: number("call")?,
        agent: text("agent"),
        model: text("model"),
        iteration: number("iteration")?,
        omitted: usize::try_from(number("omitted")?).ok()?,
        messages: Request::from_value(value).ok()?.messages().into_iter().map(Rc::new).collect(),
        tools: value
            .get("tools")?
            .as_array()?
            .iter()
            .filter_map(|tool| Some(tool.as_str()?.to_owned()))
            .collect(),
        kwargs: value.get("kwargs")?.as_object()?.clone(),
        outcome,
    })
}
