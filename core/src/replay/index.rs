//! Recorded requests by content, for calls in any order.

use crate::text::Table;
use std::collections::VecDeque;
use std::rc::Rc;

use serde_json::Value;

use super::lane::Lane;
use super::path::PatternPosition;
use super::session::Session;
use super::settings::Settings;
use crate::canonical::{CanonicalMessage, NormalizedMessages};
use crate::time::mask_timestamps;

/// The recorded calls by a hash of their request. Requests with the same hash may still differ.
#[derive(Debug, Default)]
pub(super) struct RequestIndex {
    /// Each call by its track and its place there.
    calls: Table<u64, VecDeque<(usize, usize)>>,
}

impl RequestIndex {
    pub(super) fn new(session: &Session) -> Self {
        let mut index = Self::default();
        let mut prefix_hashes = PrefixHashes::default();
        let mut last = None;
        session.for_each_expected(|call, messages| {
            // Each track has its own hashes.
            if last.replace(call.0) != Some(call.0) {
                prefix_hashes = PrefixHashes::default();
            }
            let hash = prefix_hashes.update(messages, session.settings());
            index.calls.entry(hash).or_default().push_back(call);
        });
        index
    }

    /// The unused calls that may be this request, in the order of tracks.
    pub(super) fn candidates(
        &self,
        lane: &mut Lane,
        settings: &Settings,
    ) -> Option<&VecDeque<(usize, usize)>> {
        self.calls.get(&lane.prefix_hashes.update(lane.actual.messages(), settings))
    }

    /// Removes a call.
    pub(super) fn mark_used(&mut self, lane: &mut Lane, settings: &Settings, call: (usize, usize)) {
        if let Some(calls) = self.calls.get_mut(&lane.prefix_hashes.update(lane.actual.messages(), settings))
            && let Some(at) = calls.iter().position(|&found| found == call)
        {
            calls.remove(at);
        }
    }
}

/// The hash of every prefix of a list, so that a new message costs only its own hash.
#[derive(Debug, Default)]
pub(super) struct PrefixHashes {
    /// Each message with the hash of the list up to it; consecutive results count in any order.
    known: Vec<(Rc<CanonicalMessage>, u64)>,
}

impl PrefixHashes {
    fn update(&mut self, messages: &NormalizedMessages, settings: &Settings) -> u64 {
        let messages = messages.messages();
        // Equal pointers are equal messages: up to the first difference, nothing changed.
        let limit = self.known.len().min(messages.len());
        let mut same = limit;
        while same > 0
            && !self.known.get(same - 1).zip(messages.get(same - 1)).is_some_and(|(a, b)| Rc::ptr_eq(&a.0, b))
        {
            same -= 1;
        }
        // Usually a list only grows; any other is compared from its beginning.
        if same < limit {
            same = (0..limit)
                .take_while(|&at| {
                    self.known.get(at).zip(messages.get(at)).is_some_and(|(a, b)| Rc::ptr_eq(&a.0, b))
                })
                .count();
        }
        self.known.truncate(same);
        // The patterns of any index, since results may come in another order.
        let position = PatternPosition::new(&settings.ignore.paths);
        let Some(position) = position.below(Some("messages")).and_then(|position| position.below(None))
        else {
            return SEED;
        };
        if position.below(Some("role")).is_none() {
            return SEED;
        }
        for message in messages.iter().skip(same) {
            let before = self.known.last().map_or(SEED, |known| known.1);
            let own = hash_message(message, settings, &position);
            let hash = match message.role == "tool" {
                true => before.wrapping_add(own | 1),
                false => mix_hashes(before, own),
            };
            self.known.push((message.clone(), hash));
        }
        self.known.last().map_or(SEED, |known| known.1)
    }
}

/// A hash of the arguments of a call under the settings.
pub(super) fn hash_data(value: &Value, settings: &Settings) -> u64 {
    match PatternPosition::new(&settings.ignore.paths).below(Some("arguments")) {
        Some(position) => hash_value(SEED, &crate::wire::parse_arguments(Some(value)), settings, &position),
        None => SEED,
    }
}

const SEED: u64 = 0xcbf2_9ce4_8422_2325;

fn mix_hashes(a: u64, b: u64) -> u64 {
    (a ^ b).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Hashes the parts of a message that are compared under all settings, without ignored places.
fn hash_message(message: &CanonicalMessage, settings: &Settings, position: &PatternPosition<'_>) -> u64 {
    let mut hash = hash_text(SEED, &message.role, settings);
    if position.below(Some("content")).is_some() {
        hash = hash_text(hash, &message.content, settings);
    }
    if let Some(calls) = position.below(Some("tool_calls")) {
        for (index, call) in message.tool_calls.iter().enumerate() {
            let Some(position) = calls.at(index) else { continue };
            if position.below(Some("name")).is_some() {
                hash = hash_text(hash, &call.name, settings);
            }
            if let Some(position) = position.below(Some("arguments")) {
                hash = hash_value(hash, &call.arguments, settings, &position);
            }
        }
    }
    // The results of failures are not always compared.
    match (&message.result, position.below(Some("result"))) {
        (Some(result), Some(below)) if !message.is_error && position.below(Some("is_error")).is_some() => {
            hash_value(hash, result, settings, &below)
        }
        _ => hash,
    }
}

fn hash_text(hash: u64, text: &str, settings: &Settings) -> u64 {
    let ignore = &settings.ignore;
    let bytes = |hash: u64, text: &str| text.bytes().fold(hash, |hash, byte| mix_hashes(hash, byte.into()));
    let times;
    let text = match ignore.timestamps {
        true => {
            times = mask_timestamps(text);
            &times
        }
        false => text,
    };
    match ignore.whitespace {
        true => text.split_whitespace().fold(hash, |hash, word| mix_hashes(bytes(hash, word), 32)),
        false => mix_hashes(bytes(hash, text), 7),
    }
}

fn hash_value(hash: u64, value: &Value, settings: &Settings, position: &PatternPosition<'_>) -> u64 {
    match value {
        Value::Null => mix_hashes(hash, 1),
        Value::Bool(value) => mix_hashes(hash, 2 + u64::from(*value)),
        Value::Number(number) => {
            mix_hashes(hash, number.as_f64().map_or(0, |number| (number + 0.0).to_bits()))
        }
        Value::String(value) => hash_text(hash, value, settings),
        Value::Array(items) => items.iter().enumerate().fold(mix_hashes(hash, 4), |hash, (index, item)| {
            position.at(index).map_or(hash, |position| hash_value(hash, item, settings, &position))
        }),
        // Keys in any order.
        Value::Object(entries) => {
            let entry = |(key, value): (&String, &Value)| {
                let position = position.below(Some(key))?;
                Some(hash_value(hash_text(SEED, key, settings), value, settings, &position))
            };
            mix_hashes(hash, entries.iter().filter_map(entry).fold(5, u64::wrapping_add))
        }
    }
}
