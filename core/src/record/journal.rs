//! The journal: a line of JSON for each fact, which can be read wherever it was cut.

use serde::Serialize;
use serde_json::Value;

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

/// What a journal holds.
#[derive(Clone, Debug, Default)]
pub struct Recovered {
    /// The facts in order.
    pub facts: Vec<Fact>,
    /// Where the journal was cut, if its last line is no whole fact: the place of that line.
    pub cut: Option<Place>,
    /// The lines that could not be read, and those that are missing.
    pub problems: Vec<LineProblem>,
}

/// What is wrong with a line of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LineProblem {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong.
    pub message: String,
    /// The remedy, if one is known.
    pub help: Option<String>,
}

/// Reads a journal. A line that is no fact is lost alone; a last line without its end was cut off while it was
/// written and is no fault. Bytes that are no UTF-8, as a cut leaves them, are to be replaced before.
///
/// ```
/// use transcript_core::record::recover;
/// let journal = "{\"v\":1,\"fact\":\"agent_left\",\"run\":\"r1\"}\n{\"v\":1,\"fact\":\"agent_l";
/// let recovered = recover(journal);
/// assert_eq!((recovered.facts.len(), recovered.cut.unwrap().line), (1, 2));
/// assert!(recovered.problems.is_empty());
/// ```
#[must_use]
pub fn recover(text: &str) -> Recovered {
    let mut out = Recovered::default();
    let mut start = 0;
    let mut last = None;
    for (index, whole) in text.split_inclusive('\n').enumerate() {
        let span = Span::new(start, start + whole.len());
        start += whole.len();
        let line = whole.trim_end_matches(['\n', '\r']);
        let line = if index == 0 { line.trim_start_matches('\u{feff}') } else { line };
        if line.trim().is_empty() {
            continue;
        }
        let number = u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1);
        let is_data = serde_json::from_str::<Value>(line);
        match is_data.as_ref().map(Fact::from_value) {
            Ok(Ok(fact)) => {
                if let (Some(before), Some(now)) = (last, fact.seq)
                    && let Some(message) = gap(before, now)
                {
                    out.problems.push(LineProblem { line: number, message, help: None });
                }
                last = fact.seq.or(last);
                out.facts.push(fact);
            }
            // What was cut lacks its end, and so is no JSON.
            Err(_) if !whole.ends_with('\n') => {
                out.cut = Some(Place::new(text, &LineIndex::new(text), span));
            }
            Err(_) => {
                let message = "the line is no JSON".to_owned();
                let help = Some("a fact takes one line, whole".to_owned());
                out.problems.push(LineProblem { line: number, message, help });
            }
            Ok(Err(Problem { message, help, .. })) => {
                out.problems.push(LineProblem { line: number, message, help });
            }
        }
    }
    out
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
