//! The records of a file in written order: each once, and each after its predecessor.
//!
//! A concatenated file may have a record twice, and a reversed one has the last first.

use super::record::Record;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::text::{Table, sort_by_key};
use crate::time::moment;

/// The records of a file in order.
#[derive(Debug, Default)]
pub(super) struct SortedRecords {
    pub records: Vec<Record>,
    /// The lines of exact duplicates.
    pub again: Vec<u32>,
    /// Those with the id of another one, but different content.
    pub others: Vec<Record>,
}

/// Takes each record once, in the order of their tree, and reports deviations from the order of the file.
pub(super) fn ordered(records: Vec<Record>, found: &mut Vec<Diagnostic>) -> SortedRecords {
    let mut out = SortedRecords::default();
    let mut by_id: Table<String, usize> = Table::new();
    let mut first_again = None;
    for record in records {
        let known = record.text("uuid").and_then(|id| by_id.get(id)).copied();
        match known.and_then(|at| out.records.get(at)) {
            Some(known) if known.raw == record.raw => {
                first_again = first_again.or(Some(record.span));
                out.again.push(record.line);
            }
            Some(_) => out.others.push(record),
            None => {
                if let Some(id) = record.text("uuid") {
                    by_id.insert(id.to_owned(), out.records.len());
                }
                out.records.push(record);
            }
        }
    }
    let more = |count: usize| match count {
        0 | 1 => String::new(),
        count => format!(", and {} more", count - 1),
    };
    if let Some(span) = first_again {
        let message = format!("this record is a duplicate{}", more(out.again.len()));
        let note = Diagnostic::new(codes::LOG_ENTRY, Severity::Info, span, message);
        found.push(note.help("it is read once"));
    }
    if let Some(first) = out.others.first() {
        let message = format!(
            "this record has the `uuid` of another record with different content{}",
            more(out.others.len())
        );
        let note = Diagnostic::new(codes::LOG_ENTRY, Severity::Warning, first.span, message);
        found.push(note.help("the first one is used; this one is kept in `metadata`"));
    }
    let parents: Vec<Option<usize>> = out.records.iter().map(|record| parent(record, &by_id)).collect();
    let early = |(at, parent): &(usize, &Option<usize>)| parent.is_some_and(|parent| parent > *at);
    let count = parents.iter().enumerate().filter(early).count();
    let Some((first, _)) = parents.iter().enumerate().find(early) else { return out };
    if let Some(first) = out.records.get(first) {
        let message = format!("this record comes before its parent{}", more(count));
        let note = Diagnostic::new(codes::LOG_ENTRY, Severity::Warning, first.span, message);
        found.push(note.help("the records are sorted by their parents"));
    }
    let links = parents.iter().flatten().count();
    // A few records that come too early are moved behind their parents; in a reversed file all are moved.
    let begin = if count * 4 < links { (0..parents.len()).collect() } else { by_time(&out.records) };
    let mut slots: Vec<Option<Record>> = std::mem::take(&mut out.records).into_iter().map(Some).collect();
    let places = tree_order(&begin, &parents);
    out.records = places.into_iter().filter_map(|at| slots.get_mut(at)?.take()).collect();
    out
}

/// The record that one follows.
fn parent(record: &Record, by_id: &Table<String, usize>) -> Option<usize> {
    let named = record.text("parentUuid").or(record.text("logicalParentUuid"))?;
    by_id.get(named).copied()
}

/// The indexes of records by time; of those with the same time, or none, the last of the file first.
fn by_time(records: &[Record]) -> Vec<usize> {
    let mut last = None;
    let timed = records.iter().enumerate().rev().map(|(at, record)| {
        last = record.raw.get("timestamp").and_then(moment).map(|moment| moment.instant).or(last);
        (last, at)
    });
    let mut timed: Vec<_> = timed.collect();
    sort_by_key(&mut timed, |(time, _)| *time);
    timed.into_iter().map(|(_, at)| at).collect()
}

/// Indexes in an order where each follows its parent.
fn tree_order(begin: &[usize], parents: &[Option<usize>]) -> Vec<usize> {
    let mut is_taken = vec![false; parents.len()];
    let mut out = Vec::with_capacity(parents.len());
    for at in begin {
        let mut way = Vec::new();
        let mut up = Some(*at);
        while let Some(next) = up {
            match is_taken.get_mut(next) {
                Some(is_taken) if !*is_taken => *is_taken = true,
                _ => break,
            }
            way.push(next);
            up = parents.get(next).copied().flatten();
        }
        out.extend(way.into_iter().rev());
    }
    out
}
