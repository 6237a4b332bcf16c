//! The ids of messages in the output.

use super::Ulids;
use crate::model::{IdCounter, message_id};
use crate::text::{Set, Table};

/// The ids of the messages of several runs that are written together.
#[derive(Debug, Default)]
pub(super) struct Ids {
    /// By agent run and place in it: the id that is written, and the ULID of the host, if it is written as well.
    ids: Table<(usize, usize), (String, Option<String>)>,
}

impl Ids {
    /// Assigns ids to messages, which come in the order of the store: their places with the host's ids.
    /// `suffixes` distinguish the agent runs if several use one id, so that the ids of a run do not depend on
    /// other runs.
    pub(super) fn new(messages: &[((usize, usize), &str)], suffixes: &[String], ulids: Ulids) -> Self {
        let keeps = |id: &str| ulids == Ulids::Keep && !is_ulid(id) && is_easy(id);
        let suffix = |agent_run: usize| suffixes.get(agent_run).filter(|suffix| !suffix.is_empty());
        let mut first: Table<&str, usize> = Table::new();
        let mut shared: Set<&str> = Set::new();
        for ((agent_run, _), id) in messages.iter().filter(|(_, id)| keeps(id)) {
            if *first.entry(id).or_insert(*agent_run) != *agent_run {
                shared.insert(id);
            }
        }
        let mut taken: Set<String> = Set::new();
        let mut ids = Table::new();
        for is_shared in [false, true] {
            for (place, id) in messages.iter().filter(|(_, id)| keeps(id)) {
                let suffix = suffix(place.0).filter(|_| shared.contains(id));
                if suffix.is_some() != is_shared {
                    continue;
                }
                let own = suffix.map_or_else(|| (*id).to_owned(), |suffix| format!("{id}_{suffix}"));
                if taken.insert(own.clone()) {
                    ids.insert(*place, (own, suffix.map(|_| (*id).to_owned())));
                }
            }
        }
        let mut numbered = IdCounter::default();
        for (place, id) in messages {
            if ids.contains_key(place) {
                continue;
            }
            let ulid = (ulids == Ulids::Keep).then(|| (*id).to_owned());
            ids.insert(*place, (numbered.next_free(message_id, &|id| taken.contains(id)), ulid));
        }
        Self { ids }
    }

    /// The id that is written.
    pub(super) fn id(&self, agent_run: usize, at: usize) -> Option<&str> {
        self.ids.get(&(agent_run, at)).map(|(id, _)| id.as_str())
    }

    /// The host's id, if it is written as well.
    pub(super) fn ulid(&self, agent_run: usize, at: usize) -> Option<&str> {
        self.ids.get(&(agent_run, at))?.1.as_deref()
    }
}

/// Whether it is 26 letters and digits of Crockford's alphabet within its range.
fn is_ulid(id: &str) -> bool {
    let is_digit =
        |c: char| c.is_ascii_alphanumeric() && !matches!(c.to_ascii_uppercase(), 'I' | 'L' | 'O' | 'U');
    id.len() == 26 && id.chars().all(is_digit) && id.starts_with(|c: char| ('0'..='7').contains(&c))
}

/// The suffix for the ids of a run, made of its agent's name or its own id.
pub(super) fn suffix(name: &str) -> String {
    let easy = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' };
    name.chars().take(40).map(easy).collect()
}

/// Whether it can be written anywhere.
fn is_easy(id: &str) -> bool {
    let is_odd = |c: char| c.is_whitespace() || c.is_control() || "\"'`,#[]{}".contains(c);
    !id.is_empty() && !id.contains(is_odd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ulid_is_added_to_a_short_id_and_other_ids_are_kept() {
        let ulid = "01HQXYZ0123456789ABCDEFGHJ";
        let messages = [((0, 0), ulid), ((0, 1), "m1"), ((1, 0), "m1"), ((0, 2), "msg_001"), ((0, 3), "a b")];
        let suffixes = [String::new(), "bob".to_owned()];
        let ids = Ids::new(&messages, &suffixes, Ulids::Keep);
        let of = |agent_run, at| (ids.id(agent_run, at).unwrap(), ids.ulid(agent_run, at));
        assert_eq!(of(0, 0), ("msg_002", Some(ulid)));
        assert_eq!(of(0, 1), ("m1", None));
        // Another agent has a message of that name.
        assert_eq!(of(1, 0), ("m1_bob", Some("m1")));
        assert_eq!(of(0, 2), ("msg_001", None));
        assert_eq!(of(0, 3), ("msg_003", Some("a b")));
        let ids = Ids::new(&messages, &suffixes, Ulids::Drop);
        assert_eq!((ids.id(0, 0), ids.ulid(0, 0)), (Some("msg_001"), None));
        assert_eq!(ids.id(0, 3), Some("msg_005"));
    }
}
