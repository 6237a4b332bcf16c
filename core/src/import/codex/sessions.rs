//! The sessions of a file with several consecutive rollouts.
//!
//! A rollout begins with its `session_meta` and may have more: its own again if it was resumed, and then
//! those of the sessions it was forked from, with their records repeated.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use super::{Record, exec, is_scaffold, mirror};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::import::items::{self, Item};
use crate::import::keys::text;
use crate::import::preview;
use crate::text::{Set, Table};
use crate::time::moment;

/// A session of a file.
#[derive(Debug, Default)]
pub(super) struct Session {
    pub name: String,
    /// The first words of the user in it.
    pub words: String,
    pub records: Vec<Record>,
    /// The lines of duplicates in the file.
    pub again: Vec<u32>,
    /// Its ids, and those of the sessions that it was forked from.
    ids: Set<String>,
    sources: Set<String>,
    /// The texts of users in it, and whether it has any content.
    user_texts: Set<String>,
    has_content: bool,
    /// The indexes of the records that a session may begin with, by content.
    begins: Table<String, usize>,
    /// The same for all records with a time, by a hash of their content.
    timed: Table<u64, Vec<usize>>,
}

/// The sessions of a file in order of their begin, and the records of those without any content.
pub(super) fn split_sessions(
    records: Vec<Record>,
    found: &mut Vec<Diagnostic>,
) -> (Vec<Session>, Vec<Record>) {
    let places: Vec<Option<Place>> = records.iter().map(Place::from_record).collect();
    let first_texts = next_user_texts(&records, &places);
    let mut all: Vec<Session> = Vec::new();
    let mut by_id: Table<String, usize> = Table::new();
    let mut at = 0;
    // The place of the next record among those that may be repeated.
    let mut next: Option<usize> = None;
    for (index, (record, place)) in records.into_iter().zip(&places).enumerate() {
        if let Some(place) = place {
            let is_before_another = places.get(index + 1).is_some_and(Option::is_some);
            let first = first_texts.get(index).and_then(Option::as_deref);
            let repeats = first
                .is_some_and(|user_texts| all.get(at).is_some_and(|one| one.user_texts.contains(user_texts)));
            let here = all.get(at).is_none_or(|one| one.goes_on(place, is_before_another || repeats));
            if !here {
                at = by_id.get(&place.id).copied().unwrap_or(all.len());
            }
            let known = all.get(at).filter(|_| record.time.is_some());
            next = known.and_then(|one| one.begins.get(&record.raw.to_string()).copied());
        }
        if all.len() <= at {
            all.push(Session::default());
        }
        let Some(session) = all.get_mut(at) else { continue };
        if let Some(place) = place
            && session.claim(place)
        {
            by_id.insert(place.id.clone(), at);
        }
        let is_next =
            next.and_then(|next| session.records.get(next)).is_some_and(|known| known.raw == record.raw);
        next = next.filter(|_| is_next).map(|next| next + 1);
        // Nothing happens twice at one time to the letter.
        let is_again = is_next || session.has(&record);
        if !is_again {
            session.add(record, place.is_some());
            continue;
        }
        if session.again.is_empty() {
            let message = "from here on, the records of this session are repeated".to_owned();
            let note = Diagnostic::new(codes::LOG_ENTRY, Severity::Info, record.span, message);
            found.push(note.help("they are read once"));
        }
        session.again.push(record.line);
    }
    let (mut with_content, silent): (Vec<Session>, Vec<Session>) =
        all.into_iter().partition(|one| one.has_content);
    let mut silent = silent.into_iter();
    if with_content.is_empty() {
        with_content.extend(silent.next());
    }
    let mut unmapped = Vec::new();
    for one in silent {
        unmapped.extend(one.records);
        // Repeated records of a session without content are reported with the first session.
        if let Some(first) = with_content.first_mut() {
            first.again.extend(one.again);
        }
    }
    for (at, one) in with_content.iter_mut().enumerate() {
        if one.name.is_empty() {
            one.name = format!("session-{}", at + 1);
        }
        let first = one.records.iter().find_map(user_text).unwrap_or_default();
        one.words = preview::line(&first);
    }
    (with_content, unmapped)
}

impl Session {
    /// Records a place as its own; returns whether this session already has its id.
    fn claim(&mut self, place: &Place) -> bool {
        if self.ids.is_empty() {
            self.name.clone_from(&place.id);
        }
        self.sources.extend(place.source.clone());
        // Later ones are of the repeated sessions, or name the session that continues here.
        let is_own =
            self.ids.is_empty() || place.source.as_ref().is_some_and(|source| self.ids.contains(source));
        match is_own && !self.sources.contains(&place.id) {
            true => self.ids.insert(place.id.clone()),
            false => {
                self.sources.insert(place.id.clone());
                false
            }
        }
    }

    fn add(&mut self, record: Record, is_begin: bool) {
        if is_begin {
            self.begins.entry(record.raw.to_string()).or_insert(self.records.len());
        }
        if let Some(number) = number(&record) {
            self.timed.entry(number).or_default().push(self.records.len());
        }
        self.user_texts.extend(user_text(&record));
        self.has_content = self.has_content || is_part_of_run(&record);
        self.records.push(record);
    }

    /// Whether it already has the record with the same time.
    fn has(&self, record: &Record) -> bool {
        let alike = number(record).and_then(|number| self.timed.get(&number));
        let mut alike = alike.into_iter().flatten().filter_map(|at| self.records.get(*at));
        alike.any(|known| known.raw == record.raw)
    }

    /// Whether it continues at a place; `is_copy` if what follows there repeats what is here.
    fn goes_on(&self, place: &Place, is_copy: bool) -> bool {
        if self.ids.contains(&place.id) {
            return true;
        }
        if !self.has_content {
            // Older releases do not name the session that they repeat, which was begun before.
            let last = self.records.last().and_then(Place::from_record);
            let is_head = self.ids.is_empty() || self.sources.contains(&place.id);
            return is_head || (!place.is_bare && last.is_some_and(|last| place.is_before(&last)));
        }
        // The source itself may come after the session that repeats it.
        let is_of_source = place.source.as_ref().is_some_and(|source| self.ids.contains(source));
        !is_copy && (is_of_source || self.sources.contains(&place.id))
    }
}

/// An equal number for records with equal content; `None` for a record without a time.
fn number(record: &Record) -> Option<u64> {
    record.time.as_ref()?;
    let mut hasher = DefaultHasher::new();
    record.raw.to_string().hash(&mut hasher);
    Some(hasher.finish())
}

/// The records in order of time if the file has them in reverse; this is reported.
pub(super) fn in_order(mut records: Vec<Record>, found: &mut Vec<Diagnostic>) -> Vec<Record> {
    let time = |record: &Record| record.time.as_ref().and_then(moment).map(|moment| moment.instant);
    let times: Option<Vec<_>> = records.iter().map(time).collect();
    let Some(times) = times.filter(|times| times.len() > 2) else { return records };
    let falls = times.is_sorted_by(|one, next| one >= next) && times.first() > times.last();
    // If its first record comes first, the file is not reversed, though a clock may have been set back.
    let Some(first) = records.first().filter(|first| falls && Place::from_record(first).is_none()) else {
        return records;
    };
    let message = "the records of this file are in reverse order".to_owned();
    let note = Diagnostic::new(codes::LOG_ENTRY, Severity::Warning, first.span, message);
    found.push(note.help("they are sorted by time"));
    records.reverse();
    records
}

/// The details of a record that a session may begin with.
#[derive(Debug)]
struct Place {
    id: String,
    /// The session that it was forked from.
    source: Option<String>,
    time: Option<Value>,
    /// Whether its release could not fork sessions: its records have no envelope.
    is_bare: bool,
}

impl Place {
    fn from_record(record: &Record) -> Option<Self> {
        let id = match record.kind.as_str() {
            "session_meta" => text(&record.payload, "id").or(text(&record.payload, "session_id")),
            "thread.started" => text(&record.raw, "thread_id"),
            _ => None,
        };
        let source = text(&record.payload, "forked_from_id").or(text(&record.payload, "forked_from"));
        let time = record.payload.get("timestamp").cloned();
        let is_bare = record.kind == "session_meta" && record.raw.get("payload").is_none();
        Some(Self { id: id?.to_owned(), source: source.map(str::to_owned), time, is_bare })
    }

    fn is_before(&self, other: &Self) -> bool {
        let time = |place: &Self| place.time.as_ref().and_then(moment).map(|moment| moment.instant);
        match (time(self), time(other)) {
            (Some(own), Some(other)) => own <= other,
            _ => true,
        }
    }
}

/// For each record that a session may begin with, the first text of a user behind it, before the next such record.
fn next_user_texts(records: &[Record], places: &[Option<Place>]) -> Vec<Option<String>> {
    let mut out = vec![None; records.len()];
    let mut first = None;
    for ((record, place), first_texts) in records.iter().zip(places).zip(&mut out).rev() {
        match place {
            Some(_) => *first_texts = first.take(),
            None => first = user_text(record).or(first),
        }
    }
    out
}

/// The text of the user in a record.
fn user_text(record: &Record) -> Option<String> {
    let user_texts = match (record.kind.as_str(), Item::classify(&record.payload)) {
        ("response_item", Item::Message) if text(&record.payload, "role") == Some("user") => {
            let message = items::parse_message(&record.payload, record.line)?;
            mirror::text_of_content(&message.content)
        }
        ("event_msg", _) if record.inner() == "user_message" => text(&record.payload, "message")?.to_owned(),
        _ => return None,
    };
    let user_texts = user_texts.trim();
    (!user_texts.is_empty() && !is_scaffold(user_texts)).then(|| user_texts.to_owned())
}

/// Whether a record is part of a run, so that there is one.
fn is_part_of_run(record: &Record) -> bool {
    match record.kind.as_str() {
        "response_item" => match Item::classify(&record.payload) {
            Item::FromModel | Item::Result => true,
            Item::Message => user_text(record).is_some() || text(&record.payload, "role") != Some("user"),
            Item::Other => false,
        },
        "event_msg" => user_text(record).is_some() || matches!(record.inner(), "agent_message" | "error"),
        "compacted" => true,
        "thread.started" | "turn.started" => false,
        kind => exec::KINDS.contains(&kind),
    }
}
