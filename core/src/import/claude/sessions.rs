//! The sessions of a file with records of several.
//!
//! A session that continues another one has its own id. It is one with it if its records follow records of
//! that one, or repeat them.

use serde_json::Value;

use super::record::Record;
use crate::import::preview;
use crate::text::Table;

/// The session of each record of a file.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    /// Their ids, each with the first words of the user.
    pub names: Vec<(String, String)>,
    /// The session of each record; none if it may be of all.
    pub of: Vec<Option<usize>>,
}

impl Sessions {
    pub(super) fn find(records: &[Record]) -> Self {
        let mut ids: Vec<&str> = Vec::new();
        let mut by_name: Table<&str, usize> = Table::new();
        let mut by_uuid: Table<&str, usize> = Table::new();
        for (at, record) in records.iter().enumerate() {
            if let Some(uuid) = record.text("uuid") {
                by_uuid.entry(uuid).or_insert(at);
            }
            if let Some(id) = id(record) {
                by_name.entry(id).or_insert_with(|| {
                    ids.push(id);
                    ids.len() - 1
                });
            }
        }
        let own = |at: usize| records.get(at).and_then(id).and_then(|id| by_name.get(id)).copied();
        let mut joined: Vec<usize> = (0..ids.len()).collect();
        for (at, record) in records.iter().enumerate() {
            let Some(one) = own(at) else { continue };
            let others = ["uuid", "parentUuid", "logicalParentUuid"].into_iter();
            for other in others.filter_map(|key| own(*by_uuid.get(record.text(key)?)?)) {
                let (one, other) = (root(&joined, one), root(&joined, other));
                if let Some(joined) = joined.get_mut(one.max(other)) {
                    *joined = one.min(other);
                }
            }
        }
        // A record without an id belongs to the record that it names, else to the one before it.
        let mut of = Vec::with_capacity(records.len());
        let mut before = None;
        for (at, record) in records.iter().enumerate() {
            let keys = ["parentUuid", "leafUuid", "messageId"];
            let named = || keys.into_iter().find_map(|key| own(*by_uuid.get(record.text(key)?)?));
            let found = own(at).or_else(named).map(|one| root(&joined, one)).or(before);
            before = found;
            of.push(found);
        }
        Self::named(records, &ids, of)
    }

    /// The sessions with content, in order of their begin.
    fn named(records: &[Record], ids: &[&str], mut of: Vec<Option<usize>>) -> Self {
        let has_main = records.iter().any(|record| record.message().is_some() && !record.is_side());
        let mut places: Vec<Option<usize>> = vec![None; ids.len()];
        let mut names: Vec<(String, String)> = Vec::new();
        for (record, session) in records.iter().zip(&of) {
            let Some(id) = session.filter(|_| record.message().is_some() && !(has_main && record.is_side()))
            else {
                continue;
            };
            let Some(place) = places.get_mut(id) else { continue };
            let place = *place.get_or_insert_with(|| {
                names.push((ids.get(id).copied().unwrap_or_default().to_owned(), String::new()));
                names.len() - 1
            });
            if let Some((_, words)) = names.get_mut(place).filter(|(_, words)| words.is_empty()) {
                *words = user_text(record);
            }
        }
        for session in &mut of {
            *session = session.and_then(|id| places.get(id).copied().flatten());
        }
        Self { names, of }
    }

    /// The session requested by its name or one of its records, else the one with the latest message.
    pub(super) fn chosen(&self, records: &[Record], wanted: Option<&str>) -> Option<usize> {
        let by_name = |wanted: &str| self.names.iter().position(|(name, _)| name == wanted);
        let by_record = |wanted: &str| {
            let at = records.iter().position(|record| record.text("uuid") == Some(wanted))?;
            self.of.get(at).copied().flatten()
        };
        // A session that continues another has its own id in its records only.
        let by_own = |wanted: &str| {
            let at = records.iter().position(|record| id(record) == Some(wanted))?;
            self.of.get(at).copied().flatten()
        };
        let last = || {
            let latest = records.iter().zip(&self.of).rev();
            latest.filter(|(record, _)| record.message().is_some()).find_map(|(_, session)| *session)
        };
        wanted
            .and_then(|wanted| by_name(wanted).or_else(|| by_record(wanted)).or_else(|| by_own(wanted)))
            .or_else(last)
    }
}

/// The id of the session to which a record belongs.
pub(super) fn id(record: &Record) -> Option<&str> {
    record.text("sessionId").or(record.text("session_id"))
}

/// The first of the sessions that one is joined with.
fn root(joined: &[usize], mut one: usize) -> usize {
    while let Some(next) = joined.get(one).copied().filter(|next| *next != one) {
        one = next;
    }
    one
}

/// The first words of the user in a record.
fn user_text(record: &Record) -> String {
    let content =
        record.message().filter(|_| record.kind == "user").and_then(|message| message.get("content"));
    let is_meta = record.raw.get("isMeta") == Some(&Value::Bool(true));
    preview::from_content(content.filter(|_| !is_meta))
}
