//! The writing of events, one a line.

use super::line;
use super::{Fields, Findings, PayloadHash};
use crate::diagnostic::Severity;
use crate::encoding::exact::{self, Exact, Raw};
use crate::text::Span;

/// Why an event is not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventLineError(pub String);

impl std::fmt::Display for EventLineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EventLineError {}

/// The line of an event in JSON, its line break included, in the spelling of the format: `type` for the
/// type. A missing hash of the payload is computed, if there is a payload. Unknown keys and the digits of
/// numbers are kept.
///
/// # Errors
/// When the text is no event that the reader accepts without an error.
///
/// ```
/// use transcript_core::events::event_line;
/// let line = event_line(r#"{
///     "event_id": "fd29d5f7-409f-4a5d-8098-2ae648766b06", "event_type": "tool_call", "agent_id": "bob",
///     "timestamp_ns": 5, "parent_event_id": null, "tool_name": "lookup", "call_id": "call_1", "arguments": {"q": "x"}
/// }"#).unwrap();
/// assert!(line.contains(r#""type": "tool_call""#) && line.contains(r#""payload_hash": "9fcde69f0e8f40f0""#), "{line}");
/// assert_eq!(event_line(r#"{"type": "tool_call"}"#).unwrap_err().0, "the event has no `agent_id`");
/// ```
pub fn event_line(event: &str) -> Result<String, EventLineError> {
    let mut entries: Vec<(&str, String)> = Vec::new();
    let whole = Raw { text: event.trim_ascii(), start: 0 };
    let end = exact::members(whole.text, 0, &mut |key, value| {
        let is_type = key.text == "\"event_type\"";
        entries.push((if is_type { "\"type\"" } else { key.text }, on_one_line(value.text)));
    });
    if end != Ok(whole.text.len()) {
        return Err(EventLineError("the event is not a JSON map".to_owned()));
    }
    let (fields, _) = Fields::read(whole);
    if fields.kind.is_some() && fields.event_type.is_some() {
        return Err(EventLineError("the event has both `type` and `event_type`".to_owned()));
    }
    if fields.timestamp_ns.is_some_and(|raw| !raw.is_integer()) {
        return Err(EventLineError("`timestamp_ns`: expected an integer".to_owned()));
    }
    if fields.payload_hash.is_none()
        && let Some((_, hashed)) = fields.hashed()
    {
        entries.push(("\"payload_hash\"", format!("\"{}\"", PayloadHash::from_value(&Exact::from(hashed)))));
    }
    let mut line = String::from("{");
    for (at, (key, value)) in entries.iter().enumerate() {
        line.push_str(if at > 0 { ", " } else { "" });
        line.push_str(key);
        line.push_str(": ");
        line.push_str(value);
    }
    line.push('}');
    let mut found = Findings::default();
    let fields = Fields::read(Raw { text: &line, start: 0 }).0;
    line::line(&line, Span::new(0, line.len()), &fields, &mut found);
    let error = found.diagnostics().into_iter().find(|found| found.severity == Severity::Error);
    match error {
        Some(error) => Err(EventLineError(error.message)),
        None => {
            line.push('\n');
            Ok(line)
        }
    }
}

/// JSON without the line breaks between its values; within texts there are none.
fn on_one_line(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let (mut in_text, mut escaped) = (false, false);
    for c in json.chars() {
        match c {
            '"' if !escaped => in_text = !in_text,
            '\n' | '\r' | '\t' => continue,
            ' ' if !in_text && out.ends_with(' ') => continue,
            _ => {}
        }
        escaped = c == '\\' && !escaped;
        out.push(c);
    }
    out
}
