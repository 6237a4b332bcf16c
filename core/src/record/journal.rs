//! The journal: a line of JSON for each fact, which can be read wherever it was cut.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::header::{self, Header, START};
use super::{Fact, Problem};
use crate::text::{LineIndex, Place, Span};

/// The line of a fact, its line break included.
///
/// ```
/// use serde_json::json;
/// use transcript_core::record::{Fact, journal_line};
/// let fact = Fact::from_value(&json!({"fact": "agent_left", "run": "r1", "seq": 7})).unwrap();
/// assert_eq!(journal_line(&fact), "{\"v\":1,\"seq\":7,\"fact\":\"agent_left\",\"run\":\"r1\"}\n");
/// ```
#[must_use]
pub fn journal_line(fact: &Fact) -> String {
    let mut line = fact.to_value().to_string();
    line.push('\n');
    line
}

/// The content of a journal about one recording.
#[derive(Clone, Debug, Default)]
pub struct Recovered {
    /// The name of the recording in the journal, if it has one.
    pub id: Option<String>,
    /// How it was recorded, as [`super::Options::from_value`] reads it.
    pub options: Map<String, Value>,
    /// The line of its begin, from 1.
    pub line: u32,
    /// The facts in order.
    pub facts: Vec<Fact>,
    /// The place of the last line, if the recording was cut there.
    pub truncated_at: Option<Place>,
    /// Lines that could not be read, and missing ones.
    pub problems: Vec<LineProblem>,
}

/// A problem in a line of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LineProblem {
    /// The line, from 1.
    pub line: u32,
    /// The problem.
    pub message: String,
    /// The remedy, if one is known.
    pub help: Option<String>,
}

/// Reads a journal: its last recording that has a fact. Only a line that is no fact is lost; an incomplete
/// last line was cut off while it was written and is no fault. Replace bytes that are no UTF-8, as a cut
/// leaves them, beforehand.
///
/// ```
/// use transcript_core::record::recover;
/// let journal = "{\"v\":1,\"fact\":\"agent_left\",\"run\":\"r1\"}\n{\"v\":1,\"fact\":\"agent_l";
/// let recovered = recover(journal);
/// assert_eq!((recovered.facts.len(), recovered.truncated_at.unwrap().line), (1, 2));
/// assert!(recovered.problems.is_empty());
/// ```
#[must_use]
pub fn recover(text: &str) -> Recovered {
    let mut all = recordings(text);
    let at = last(&all);
    if at < all.len() { all.swap_remove(at) } else { Recovered::default() }
}

/// The index of the default recording: the last with a fact, else the last.
pub(crate) fn last(all: &[Recovered]) -> usize {
    let with_facts = all.iter().rposition(|recording| !recording.facts.is_empty());
    with_facts.unwrap_or(all.len().saturating_sub(1))
}

/// Reads all recordings of a journal, in order; an empty journal has one without a fact. A recording begins
/// with its first line, [`super::journal_header`]; where that is missing, with a fact whose number is 1
/// again.
///
/// ```
/// use transcript_core::record::{Options, journal_header, recordings};
/// let left = "{\"v\":1,\"seq\":1,\"fact\":\"agent_left\",\"run\":\"r1\"}\n";
/// let header = journal_header(&Options { recording: Some("second".into()), ..Options::default() });
/// let found = recordings(&format!("{left}{header}{left}{left}"));
/// let counts: Vec<_> = found.iter().map(|found| (found.id.as_deref(), found.line, found.facts.len())).collect();
/// assert_eq!(counts, [(None, 1, 1), (Some("second"), 2, 1), (None, 4, 1)]);
/// ```
#[must_use]
pub fn recordings(text: &str) -> Vec<Recovered> {
    let mut reader =
        Reader { text, lines: LineIndex::new(text), done: Vec::new(), now: None, last: None, broken: None };
    let mut start = 0;
    for (index, whole) in text.split_inclusive('\n').enumerate() {
        let span = Span::new(start, start + whole.len());
        start += whole.len();
        let line = whole.trim_end_matches(['\n', '\r']);
        let line = if index == 0 { line.trim_start_matches('\u{feff}') } else { line };
        if line.trim().is_empty() {
            continue;
        }
        let number = u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1);
        reader.line(line, number, span, whole.ends_with('\n'));
    }
    reader.done.extend(reader.now);
    if reader.done.is_empty() {
        reader.done.push(Recovered { line: 1, ..Recovered::default() });
    }
    reader.done
}

/// The start of a recording's first fact in old journals without first lines.
const FIRST: &str = "{\"v\":1,\"seq\":1,";

struct Reader<'t> {
    text: &'t str,
    lines: LineIndex,
    done: Vec<Recovered>,
    now: Option<Recovered>,
    /// The number of the last fact.
    last: Option<u64>,
    /// The last line, if it is no JSON.
    broken: Option<Span>,
}

impl Reader<'_> {
    fn line(&mut self, line: &str, number: u32, span: Span, is_ended: bool) {
        let Ok(value) = crate::text::json_value(line) else {
            self.broken(line, number, span, is_ended);
            return;
        };
        if let Some(header) = header::read(&value) {
            self.begin(header, number);
            self.last = Some(0);
            return;
        }
        match Fact::from_value(&value) {
            Ok(fact) => {
                if fact.seq == Some(1) && self.last.is_some_and(|last| last > 0) {
                    self.begin(Header::default(), number);
                }
                if let (Some(before), Some(now)) = (self.last, fact.seq)
                    && let Some(message) = gap(before, now)
                {
                    self.add_problem(number, Problem::new(message));
                }
                self.last = fact.seq.or(self.last);
                self.current(number).facts.push(fact);
            }
            Err(problem) => self.add_problem(number, problem),
        }
        self.broken = None;
    }

    /// A line that is no JSON.
    fn broken(&mut self, line: &str, number: u32, span: Span, is_ended: bool) {
        // A fact that was cut before the next recording began on the same line.
        let next = [START, FIRST].iter().filter_map(|start| line.find(start).filter(|at| *at > 0)).min();
        if let Some((cut, rest)) = next.and_then(|at| line.split_at_checked(at))
            && serde_json::from_str::<Value>(rest).is_ok()
        {
            self.line(cut, number, span, true);
            self.line(rest, number, span, is_ended);
            return;
        }
        // A truncated fact lacks its end, and so is no JSON.
        if !is_ended {
            let place = Place::new(self.text, &self.lines, span);
            self.current(number).truncated_at = Some(place);
            return;
        }
        if line.contains(START) {
            self.begin(Header::default(), number);
            self.last = Some(0);
            let problem = Problem::new("the first line of a recording is not JSON");
            self.add_problem(number, problem.help("you can pass its data again"));
            return;
        }
        self.add_problem(number, Problem::new("the line is not JSON").help("write one fact per line"));
        self.broken = Some(span);
    }

    fn current(&mut self, number: u32) -> &mut Recovered {
        self.now.get_or_insert_with(|| Recovered { line: number, ..Recovered::default() })
    }

    fn add_problem(&mut self, line: u32, Problem { message, help, .. }: Problem) {
        self.current(line).problems.push(LineProblem { line, message, help });
    }

    fn begin(&mut self, header: Header, number: u32) {
        if let Some(mut before) = self.now.take() {
            // Its last fact was cut before the next recording began.
            if let Some(span) = self.broken {
                before.problems.pop();
                before.truncated_at = Some(Place::new(self.text, &self.lines, span));
            }
            self.done.push(before);
        }
        (self.last, self.broken) = (None, None);
        let now = self.current(number);
        now.id = header.id;
        now.options = header.options;
        for problem in header.problems {
            self.add_problem(number, problem);
        }
    }
}

fn gap(before: u64, now: u64) -> Option<String> {
    let (first, end) = (before.saturating_add(1), now.saturating_sub(1));
    match now {
        now if now <= before => Some(format!("fact {now} comes after fact {before}")),
        _ if first > end => None,
        _ if first == end => Some(format!("fact {first} is missing before it")),
        _ => Some(format!("facts {first} to {end} are missing before it")),
    }
}
