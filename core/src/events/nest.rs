//! Puts the events of a log into a recording of `AgentLoom`, which is otherwise unchanged.

use serde::Serialize;

use super::line::is_event;
use super::{Fields, Log, NESTED};
use crate::encoding::exact::{self, Raw};
use crate::text::LineIndex;

/// Why events are not written into a recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NestProblem {
    /// The problem.
    pub message: String,
    /// The remedy, if one is known.
    pub help: Option<&'static str>,
}

impl NestProblem {
    pub(crate) fn new(message: impl Into<String>, help: Option<&'static str>) -> Self {
        Self { message: message.into(), help }
    }
}

/// The recording with the events of `log` under `_inter_agent_events`, unchanged and in the order of the log.
/// All other bytes of the recording stay. The list has the layout of the recording: on several lines, or on
/// one.
///
/// # Errors
/// When the recording is no map in JSON, or has events already and `replace` is not set.
///
/// ```
/// use transcript_core::events::{Log, nest};
/// let log = Log::read("{\"event_id\": \"a\"}\n{\"event_id\": \"b\"}\n".to_owned());
/// let nested = nest("{\n  \"_version\": 2\n}\n", &log, false).unwrap();
/// let lines = "{\n  \"_version\": 2,\n  \"_inter_agent_events\": [\n    {\"event_id\": \"a\"},\n    {\"event_id\": \"b\"}\n  ]\n}\n";
/// assert_eq!(nested, lines);
/// assert!(nest(&nested, &log, false).unwrap_err().message.contains("already has 2 events"));
/// assert_eq!(nest(&nested, &log, true).unwrap(), lines);
/// ```
pub fn nest(recording: &str, log: &Log, replace: bool) -> Result<String, NestProblem> {
    let start = recording.len() - recording.trim_start_matches('\u{feff}').trim_ascii_start().len();
    let entries = entries(recording, start)?;
    let own = |(key, _): &&(Raw<'_>, Raw<'_>)| key.as_text().as_deref() == Some(NESTED);
    let (before, key, after, lead) = match entries.iter().filter(own).collect::<Vec<_>>().as_slice() {
        [] => {
            let (at, lead) = match entries.last() {
                Some((key, value)) => (value.span().end as usize, blanks_before(recording, key.start)),
                None => (start + 1, ""),
            };
            let comma = if entries.is_empty() { "" } else { "," };
            (recording.get(..at), format!("{comma}{lead}\"{NESTED}\": "), recording.get(at..), lead)
        }
        [(key, value)] => {
            let mut count = 0;
            let end = exact::items(recording, value.start, &mut |_| count += 1);
            let is_empty = value.is_null() || (end.is_ok() && count == 0);
            if !is_empty && !replace {
                let events = if count == 1 { "event" } else { "events" };
                let message = format!("the recording already has {count} {events} under `{NESTED}`");
                return Err(NestProblem::new(message, Some("use `replace` to replace them")));
            }
            let (from, to) = (value.start, value.span().end as usize);
            let lead = blanks_before(recording, key.start);
            (recording.get(..from), String::new(), recording.get(to..), lead)
        }
        _ => {
            let message = format!("the recording has the key `{NESTED}` twice");
            return Err(NestProblem::new(message, Some("remove one of them")));
        }
    };
    // The indent of a key is that of one level.
    let line = lead.rfind('\n').map(|at| {
        let break_at = if lead.get(..at).is_some_and(|before| before.ends_with('\r')) { at - 1 } else { at };
        (lead.get(break_at..).unwrap_or("\n"), lead.get(at + 1..).unwrap_or(""))
    });
    let (before_item, between, behind) = match line {
        Some((line, indent)) => (format!("{line}{indent}"), format!(",{line}{indent}"), line),
        None if lead.is_empty() && entries.len() > 1 => (String::new(), ",".to_owned(), ""),
        None => (String::new(), ", ".to_owned(), ""),
    };
    let events: Vec<&str> = log.events().iter().map(|event| event.span.slice(log.text())).collect();
    let list = events.join(&between);
    let (before, after) = (before.unwrap_or(""), after.unwrap_or(""));
    Ok(format!("{before}{key}[{before_item}{list}{behind}]{after}"))
}

/// The entries of the map that a recording is.
fn entries(recording: &str, start: usize) -> Result<Vec<(Raw<'_>, Raw<'_>)>, NestProblem> {
    let refuse = |at: usize, why: &str| {
        let place = LineIndex::new(recording).line(at);
        let message = format!("the recording is not a complete JSON map: line {place}: {why}");
        NestProblem::new(message, Some("fix or remove the broken part"))
    };
    let mut entries = Vec::new();
    let end = exact::members(recording, start, &mut |key, value| entries.push((key, value)))
        .map_err(|fault| refuse(fault.at, fault.why))?;
    let rest = recording.get(end..).unwrap_or("");
    if !rest.trim_ascii().is_empty() {
        return Err(refuse(recording.len() - rest.trim_ascii_start().len(), "unexpected text after the map"));
    }
    let whole = Raw { text: recording.get(start..).unwrap_or(""), start };
    if is_event(&Fields::read(whole).0) {
        let help = "pass the recording first, then the log";
        return Err(NestProblem::new("the recording is a log event", Some(help)));
    }
    Ok(entries)
}

/// The white space that ends at `at`.
fn blanks_before(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or("");
    before.get(before.trim_ascii_end().len()..).unwrap_or("")
}
