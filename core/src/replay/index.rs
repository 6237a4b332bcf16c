//! Recorded requests by what they say, for calls that come in any order.

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

/// The recorded calls by a number that equal requests share. Requests that share it may still differ.
#[derive(Debug, Default)]
pub(super) struct RequestIndex {
    /// Each call by its track and its place there.
    calls: Table<u64, VecDeque<(usize, usize)>>,
}

impl RequestIndex {
    pub(super) fn new(session: &Session) -> Self {
        let mut index = Self::default();
        let mut prints = PrefixHashes::default();
        let mut last = None;
        session.for_each_expected(|call, messages| {
            // The prints of one track have nothing of those of another.
            if last.replace(call.0) != Some(call.0) {
                prints = PrefixHashes::default();
            }
            let print = prints.update(messages, session.settings());
            index.calls.entry(print).or_default().push_back(call);
        });
        index
    }

    /// The calls not yet used that may be this request, in the order of tracks.
    pub(super) fn candidates(
        &self,
        lane: &mut Lane,
        settings: &Settings,
    ) -> Option<&VecDeque<(usize, usize)>> {
        self.calls.get(&lane.prints.update(lane.actual.messages(), settings))
    }

    /// Takes a call out.
    pub(super) fn mark_used(&mut self, lane: &mut Lane, settings: &Settings, call: (usize, usize)) {
        if let Some(calls) = self.calls.get_mut(&lane.prints.update(lane.actual.messages(), settings))
            && let Some(at) = calls.iter().position(|&found| found == call)
        {
            calls.remove(at);
        }
    }
}

/// The print of every beginning of a list, so that one more message costs no more than itself.
#[derive(Debug, Default)]
pub(super) struct PrefixHashes {
    /// The message and the print of the list up to it; results of one run count in any order.
    known: Vec<(Rc<CanonicalMessage>, u64)>,
}

impl PrefixHashes {
    fn update(&mut self, messages: &NormalizedMessages, settings: &Settings) -> u64 {
        let messages = messages.messages();
        // Equal pointers are equal messages; as long as they are, nothing changed.
        let limit = self.known.len().min(messages.len());
        let mut same = limit;
        while same > 0
            && !self.known.get(same - 1).zip(messages.get(same - 1)).is_some_and(|(a, b)| Rc::ptr_eq(&a.0, b))
        {
            same -= 1;
        }
        // A list that only grew is the usual case; any other is looked at from its beginning.
        if same < limit {
            same = (0..limit)
                .take_while(|&at| {
                    self.known.get(at).zip(messages.get(at)).is_some_and(|(a, b)| Rc::ptr_eq(&a.0, b))
                })
                .count();
        }
        self.known.truncate(same);
        // Of any message, for one result may stand in the place of another.
        let way = PatternPosition::new(&settings.ignore.paths);
        let Some(way) = way.below(Some("messages")).and_then(|way| way.below(None)) else { return SEED };
        if way.below(Some("role")).is_none() {
            return SEED;
        }
        for message in messages.iter().skip(same) {
            let before = self.known.last().map_or(SEED, |known| known.1);
            let own = hash_message(message, settings, &way);
            let print = match message.role == "tool" {
                true => before.wrapping_add(own | 1),
                false => mix_hashes(before, own),
            };
            self.known.push((message.clone(), print));
        }
        self.known.last().map_or(SEED, |known| known.1)
    }
}

/// A number that equal arguments of a call share under the settings.
pub(super) fn hash_data(value: &Value, settings: &Settings) -> u64 {
    match PatternPosition::new(&settings.ignore.paths).below(Some("arguments")) {
        Some(way) => hash_value(SEED, &crate::wire::parse_arguments(Some(value)), settings, &way),
        None => SEED,
    }
}

const SEED: u64 = 0xcbf2_9ce4_8422_2325;

fn mix_hashes(a: u64, b: u64) -> u64 {
    (a ^ b).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Hashes the parts of a message that are compared under all settings, without the ignored places.
fn hash_message(message: &CanonicalMessage, settings: &Settings, way: &PatternPosition<'_>) -> u64 {
    let mut print = hash_text(SEED, &message.role, settings);
    if way.below(Some("content")).is_some() {
        print = hash_text(print, &message.content, settings);
    }
    if let Some(calls) = way.below(Some("tool_calls")) {
        for (index, call) in message.tool_calls.iter().enumerate() {
            let Some(way) = calls.at(index) else { continue };
            if way.below(Some("name")).is_some() {
                print = hash_text(print, &call.name, settings);
            }
            if let Some(way) = way.below(Some("arguments")) {
                print = hash_value(print, &call.arguments, settings, &way);
            }
        }
    }
    // Whether a result is compared hangs on whether it is a failure.
    match (&message.result, way.below(Some("result"))) {
        (Some(result), Some(below)) if !message.is_error && way.below(Some("is_error")).is_some() => {
            hash_value(print, result, settings, &below)
        }
        _ => print,
    }
}

fn hash_text(print: u64, text: &str, settings: &Settings) -> u64 {
    let ignore = &settings.ignore;
    let bytes =
        |print: u64, text: &str| text.bytes().fold(print, |print, byte| mix_hashes(print, byte.into()));
    let times;
    let text = match ignore.timestamps {
        true => {
            times = mask_timestamps(text);
            &times
        }
        false => text,
    };
    match ignore.whitespace {
        true => text.split_whitespace().fold(print, |print, word| mix_hashes(bytes(print, word), 32)),
        false => mix_hashes(bytes(print, text), 7),
    }
}

fn hash_value(print: u64, value: &Value, settings: &Settings, way: &PatternPosition<'_>) -> u64 {
    match value {
        Value::Null => mix_hashes(print, 1),
        Value::Bool(value) => mix_hashes(print, 2 + u64::from(*value)),
        Value::Number(number) => {
            mix_hashes(print, number.as_f64().map_or(0, |number| (number + 0.0).to_bits()))
        }
        Value::String(value) => hash_text(print, value, settings),
        Value::Array(items) => items.iter().enumerate().fold(mix_hashes(print, 4), |print, (index, item)| {
            way.at(index).map_or(print, |way| hash_value(print, item, settings, &way))
        }),
        // Keys in any order.
        Value::Object(entries) => {
            let entry = |(key, value): (&String, &Value)| {
                let way = way.below(Some(key))?;
                Some(hash_value(hash_text(SEED, key, settings), value, settings, &way))
            };
            mix_hashes(print, entries.iter().filter_map(entry).fold(5, u64::wrapping_add))
        }
    }
}
