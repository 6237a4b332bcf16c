//! A log of qbit as qbit writes it today: one event a line, in its own spelling.

use super::super::repaired::{RepairNote, RepairedLog};
use super::super::values::{self, Entry, Values};
use super::event::Event;
use crate::diagnostic::{Diagnostic, codes};
use crate::encoding::exact;
use crate::text::{LineIndex, Set, Span, sort_by_key};
use crate::time::{ParsedTimestamp, read};

/// A kind that qbit wrote in January 2026 and cannot read since.
const REMOVED: &str = "context_pruned";

/// Writes the events of a log one a line, as qbit does since February 2026. Whole events keep their digits
/// and the order of their keys; a list, lines behind a list, the form of the page (`seq`, `ts`) and times in
/// numbers become lines with `_timestamp`. Whatever is broken, cut, or no event of qbit is left out.
///
/// ```
/// use transcript_core::import::repair_as;
/// let log = br#"[{"_timestamp": "2026-01-14T03:00:00Z", "type": "started", "turn_id": "t"}]
/// {"_timestamp":"2026-01-14T03:00:01Z","type":"completed","response":"Hel"#;
/// let repaired = repair_as("qbit", log).unwrap();
/// assert_eq!(repaired.text, "{\"_timestamp\":\"2026-01-14T03:00:00Z\",\"type\":\"started\",\"turn_id\":\"t\"}\n");
/// assert_eq!((repaired.layout, repaired.omitted[0].line), ("array and lines", 2));
/// ```
pub(in super::super) fn repair_qbit(bytes: &[u8]) -> RepairedLog {
    let text = String::from_utf8_lossy(bytes);
    let lines = LineIndex::new(&text);
    let not_text = lines_with_other_bytes(bytes);
    let Values { entries, layout, lost, cut, mut diagnostics, .. } = values::read(&text);
    sort_by_key(&mut diagnostics, |found| found.span.start);
    let mut repair = Repair { text: &text, lines, not_text, diagnostics, out: RepairedLog::default() };
    repair.out.layout = layout.word();
    for piece in &lost {
        let is_cut = cut.is_some_and(|cut| cut == piece.span);
        let why = if is_cut { "the log ends in the middle of it" } else { "it is not a complete JSON value" };
        let note = repair.note(piece.span, why.to_owned());
        repair.out.omitted.push(note);
    }
    if let Some(cut) = cut.filter(|cut| cut.start == cut.end) {
        let note = repair.note(cut, "the list had no end".to_owned());
        repair.out.changed.push(note);
    }
    repair.events(entries);
    sort_by_key(&mut repair.out.omitted, |note| note.line);
    sort_by_key(&mut repair.out.changed, |note| note.line);
    repair.out
}

struct Repair<'t> {
    text: &'t str,
    lines: LineIndex,
    /// The lines with bytes that are no UTF-8.
    not_text: Set<u32>,
    /// In the order of their places.
    diagnostics: Vec<Diagnostic>,
    out: RepairedLog,
}

impl Repair<'_> {
    fn note(&self, span: Span, message: String) -> RepairNote {
        let text = span.slice(self.text).trim_end();
        let line = self.lines.line(span.start as usize);
        let end_line = self.lines.line(span.start as usize + text.len());
        RepairNote { line, end_line, message, text: text.to_owned() }
    }

    fn events(&mut self, entries: Vec<Entry>) {
        let read = entries.into_iter().map(|entry| {
            let mut found = Vec::new();
            let (event, _) = Event::from_entry(entry, 0, &mut found);
            (event, found)
        });
        let read: Vec<(Event, Vec<Diagnostic>)> = read.collect();
        let mut last = read.iter().find_map(|(event, _)| event.at()).map(str::to_owned);
        for (event, mut found) in read {
            let has_no_time = event.raw.is_object() && event.time.is_none();
            // The finding about its time comes first.
            if has_no_time && !found.is_empty() {
                found.remove(0);
            }
            let refused = match found.into_iter().next() {
                Some(found) => Some(found.message),
                None if event.kind == REMOVED => Some(format!("qbit no longer reads `{REMOVED}`")),
                None if last.is_none() => Some("no event of the log has a time".to_owned()),
                None => None,
            };
            if let Some(why) = refused {
                let note = self.note(event.span, why);
                self.out.omitted.push(note);
                continue;
            }
            last = event.at().map(str::to_owned).or(last);
            self.event(&event, last.as_deref().unwrap_or_default());
        }
    }

    /// Writes an event; `time` is its own, or that of the event before it.
    fn event(&mut self, event: &Event, time: &str) {
        let mut why: Vec<String> = Vec::new();
        let first = self.diagnostics.partition_point(|found| found.span.start < event.span.start);
        let own = self.diagnostics.get(first..).unwrap_or_default().iter();
        let own = own.take_while(|found| found.span.start < event.span.end);
        let own = own.filter(|found| found.code != codes::LOSSY_SCALAR);
        why.extend(own.map(|found| found.message.clone()));
        // Numbers beyond 64 bits keep their digits where nothing else is wrong. An event may lack brackets.
        let written = event.span.slice(self.text);
        let is_whole = exact::value(written, 0).is_ok_and(|end| end == written.len());
        let json = if why.is_empty() && is_whole { written.to_owned() } else { event.raw.to_string() };
        let note = self.note(event.span, String::new());
        if (note.line..=note.end_line).any(|line| self.not_text.contains(&line)) {
            why.push("its invalid UTF-8 is replaced by U+FFFD".to_owned());
        }
        let own = event.raw.get("_timestamp").and_then(serde_json::Value::as_str);
        let line = match own.map(read) {
            Some(ParsedTimestamp::Moment(_)) => on_one_line(&json),
            _ => {
                let zone = if matches!(read(time), ParsedTimestamp::Local(_)) { "Z" } else { "" };
                if event.time.is_none() {
                    why.push("it has no time and gets that of the previous event".to_owned());
                } else if !zone.is_empty() {
                    why.push("its time has no time zone and is read as UTC".to_owned());
                }
                with_time(&json, &format!("{time}{zone}"))
            }
        };
        if !why.is_empty() {
            self.out.changed.push(RepairNote { message: why.join("; "), ..note });
        }
        self.out.text.push_str(&line);
        self.out.text.push('\n');
        self.out.events += 1;
    }
}

/// JSON without the white space between its values.
fn on_one_line(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let (mut in_text, mut escaped) = (false, false);
    for c in json.chars() {
        in_text ^= c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        if in_text || !c.is_ascii_whitespace() {
            out.push(c);
        }
    }
    out
}

/// An event with `_timestamp` as its first key, in place of that or of `ts`.
fn with_time(json: &str, time: &str) -> String {
    let mut out = format!("{{\"_timestamp\":\"{time}\"");
    // It is a map that was read before.
    _ = exact::members(json, 0, &mut |key, value| {
        if !matches!(key.text, "\"_timestamp\"" | "\"ts\"") {
            out.push(',');
            out.push_str(&on_one_line(key.text));
            out.push(':');
            out.push_str(&on_one_line(value.text));
        }
    });
    out.push('}');
    out
}

/// The lines, from 1, with bytes that are no UTF-8.
fn lines_with_other_bytes(bytes: &[u8]) -> Set<u32> {
    let mut found = Set::new();
    let mut line: u32 = 1;
    for chunk in bytes.utf8_chunks() {
        let passed = chunk.valid().bytes().filter(|byte| *byte == b'\n').count();
        line = line.saturating_add(u32::try_from(passed).unwrap_or(u32::MAX));
        if !chunk.invalid().is_empty() {
            found.insert(line);
        }
    }
    found
}
