//! The requests of a rerun.

use crate::text::{JsonMap, Set};
use serde_json::Value;

use super::super::fold::{SentListing, reference};
use super::{ModelRequest, Rerun};
use crate::canonical::{CanonicalMessage, Request};
use crate::model::{Sent, SentItem, Text, Turn, tools};
use crate::replay::canonical_message;

impl Rerun {
    /// The messages of a call that replaces one with such a list, or is an additional one.
    pub(super) fn sent(&self, turn: &Turn, listing: SentListing, is_extra: bool) -> Sent {
        let recorded = match &turn.sent {
            Sent::List(items) => items.as_slice(),
            _ => &[],
        };
        match listing {
            SentListing::Unrecorded | SentListing::Visible => Sent::Visible,
            SentListing::Seen | SentListing::OfAgent => {
                let places = self.fold.resolve_listing(listing, turn.agent.as_ref()).unwrap_or_default();
                Sent::List(self.fold.items(&places, recorded, &self.remade))
            }
            SentListing::Other => {
                let is_there = |item: &&SentItem| {
                    item.reference.as_ref().is_none_or(|id| self.fold.state.position(&id.value).is_some())
                };
                let mut items: Vec<SentItem> = recorded.iter().filter(is_there).cloned().collect();
                for item in &mut items {
                    if item.reference.as_ref().is_some_and(|id| self.remade.contains(&id.value)) {
                        item.content = None;
                    }
                }
                let named: Set<Text> =
                    items.iter().filter_map(|item| Some(item.reference.as_ref()?.value.clone())).collect();
                // The list has nothing about messages that the recording does not have.
                let is_new = |place: &usize| match is_extra {
                    true => *place >= self.last.stored,
                    false => self.fresh.contains(place),
                };
                let new = self.fold.visible().filter(is_new);
                let new = new.filter_map(|place| self.fold.state.store().get(place));
                items.extend(new.filter(|(id, _)| !named.contains(id)).map(|(id, _)| reference(id)));
                Sent::List(items)
            }
        }
    }

    pub(super) fn request(&self) -> ModelRequest {
        let Some((turn, step)) = self.pending.as_deref() else { return ModelRequest::empty() };
        let seen = |place: usize, item: Option<&SentItem>| {
            let content = item.and_then(|item| item.content.as_deref());
            match (content, self.messages.get(place)) {
                (Some(content), Some((message, is_error))) => {
                    Some(canonical_message(message, Some(content), *is_error))
                }
                _ => self.store.get(place).map(|message| CanonicalMessage::clone(message)),
            }
        };
        let messages: Vec<CanonicalMessage> = match &turn.sent {
            Sent::List(items) => {
                let one = |item: &SentItem| match (&item.reference, &item.inline) {
                    (Some(id), _) => seen(self.fold.state.position(&id.value)?, Some(item)),
                    (None, Some(inline)) => Some(canonical_message(inline, inline.content.as_ref(), false)),
                    (None, None) => None,
                };
                items.iter().filter_map(one).collect()
            }
            _ => self.fold.visible().filter_map(|place| seen(place, None)).collect(),
        };
        let agents = &self.work.run.agents;
        let agent =
            agents.iter().find(|(name, _)| Some(&name.value) == turn.agent.as_ref()).map(|(_, agent)| agent);
        let mut config = self.work.run.config.clone();
        config.extend(agent.and_then(|agent| agent.config.clone()).into_iter().flatten());
        if let Some(own) = agent.and_then(|agent| agent.tools.clone()) {
            config.put("tools", own.into());
        }
        let names = tools(&config).map(|tool| tool.name.to_owned()).collect();
        config.shift_remove("tools");
        config.shift_remove("context");
        config.extend(turn.config.clone());
        ModelRequest {
            step: self.path(),
            origin: step.origin.map(|origin| origin.to_string()),
            agent: turn.agent.as_ref().map(ToString::to_string),
            messages: Request::new(messages).messages(),
            iteration: self.last.iteration,
            model: config.get("model").and_then(Value::as_str).map(str::to_owned),
            tools: names,
            context: self.fold.state.context().clone(),
            config,
        }
    }
}
