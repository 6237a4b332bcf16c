//! The text that qbit sends to its summarizer.

use serde_json::Value;

use super::super::files::LogFile;
use super::super::values;
use super::event::Event;
use crate::text::sort_by_key;

/// The longest tool result and the longest agent answer that the text has in full, in bytes.
const RESULT: usize = 4000;
const ANSWER: usize = 6000;

/// The text that qbit itself sends to its summarizer for a log, byte for byte. Events of other kinds, and
/// incomplete ones, are left out, where qbit would refuse the whole log.
///
/// ```
/// use transcript_core::import::{LogFile, Request, format_named, read};
/// let format = format_named("qbit").unwrap();
/// let text = r#"{"_timestamp":"2026-01-14T03:00:00Z","type":"started","turn_id":"t"}
/// {"_timestamp":"2026-01-14T03:00:00Z","type":"user_message","content":"Hi"}"#;
/// let files = vec![(LogFile { path: "", text }, format)];
/// let runs = read(&Request { format, files, session: None, summary: true }).unwrap();
/// assert_eq!(runs.extras.summary.unwrap(), "[turn 001] USER:\nHi\n\n");
/// ```
pub(super) fn summary(file: &LogFile<'_>) -> String {
    let mut out = String::new();
    let mut turn = 0_u32;
    for entry in values::read(file.text).entries {
        let (event, _) = Event::from_entry(entry, 0, &mut Vec::new());
        if event.kind == "started" {
            turn = turn.saturating_add(1);
        }
        if let Some((head, body)) = section(&event) {
            out.push_str(&format!("[turn {turn:03}] {head}{body}\n\n"));
        }
    }
    out
}

/// The words that sections begin with after the number of their turn.
const HEADS: [&str; 11] = [
    "USER:",
    "ASSISTANT (",
    "TOOL_REQUEST (",
    "TOOL_RESULT (",
    "TOOL_APPROVAL_REQUEST (",
    "TOOL_AUTO_APPROVED (",
    "TOOL_DENIED (",
    "ERROR (",
    "SUB_AGENT_STARTED (",
    "SUB_AGENT_COMPLETED (",
    "SUB_AGENT_ERROR (",
];

/// Whether a text begins like the one that qbit sends to its summarizer. It cannot be converted back to a
/// log: it lacks the arguments of most calls, and its heads cannot be distinguished from similar text.
pub(super) fn is_summary(text: &str) -> bool {
    let head = text.trim_start_matches('\u{feff}').trim_start().strip_prefix("[turn ");
    let Some((turn, rest)) = head.and_then(|head| head.split_once("] ")) else { return false };
    let is_number = turn.len() >= 3 && turn.len() <= 10 && turn.bytes().all(|digit| digit.is_ascii_digit());
    is_number && HEADS.iter().any(|head| rest.starts_with(head))
}

/// What follows the number of the turn: the head with its colon, and the body.
fn section(event: &Event) -> Option<(String, String)> {
    let text = |key: &str| event.text(key);
    let number = |key: &str| event.fields.get(key).and_then(Value::as_u64).unwrap_or(0);
    let pretty = |key: &str| Some(pretty(event.fields.get(key)?));
    let tool = text("tool_name");
    Some(match event.kind.as_str() {
        "user_message" => ("USER:\n".to_owned(), text("content")?.to_owned()),
        "completed" => {
            let (input, output) = (number("input_tokens"), number("output_tokens"));
            (format!("ASSISTANT ({input} in / {output} out tokens):\n"), text("response")?.to_owned())
        }
        "tool_request" => {
            let (tool, id) = (tool?, text("request_id")?);
            (format!("TOOL_REQUEST (tool={tool}, id={id}):\n"), pretty("args")?)
        }
        "tool_result" => {
            let success = event.fields.get("success")?.as_bool()?;
            let result = match event.fields.get("result")? {
                Value::String(text) => text.clone(),
                other => self::pretty(other),
            };
            (format!("TOOL_RESULT (tool={}, success={success}):\n", tool?), shortened(&result, RESULT))
        }
        "tool_approval_request" => {
            let risk = capitalised(text("risk_level")?);
            (format!("TOOL_APPROVAL_REQUEST (tool={}, risk={risk}):\n", tool?), pretty("args")?)
        }
        "tool_auto_approved" => {
            (format!("TOOL_AUTO_APPROVED (tool={}): ", tool?), text("reason")?.to_owned())
        }
        "tool_denied" => (format!("TOOL_DENIED (tool={}): ", tool?), text("reason")?.to_owned()),
        "error" => (format!("ERROR ({}): ", text("error_type")?), text("message")?.to_owned()),
        "sub_agent_started" => {
            (format!("SUB_AGENT_STARTED (agent={}):\n", text("agent_name")?), text("task")?.to_owned())
        }
        "sub_agent_completed" => {
            let head = format!("SUB_AGENT_COMPLETED (agent={}):\n", text("agent_id")?);
            (head, shortened(text("response")?, ANSWER))
        }
        "sub_agent_error" => {
            (format!("SUB_AGENT_ERROR (agent={}): ", text("agent_id")?), text("error")?.to_owned())
        }
        _ => return None,
    })
}

/// JSON over several lines, keys in order.
fn pretty(value: &Value) -> String {
    format!("{:#}", sorted(value))
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(sorted).collect(),
        Value::Object(entries) => {
            let mut keys: Vec<&String> = entries.keys().collect();
            sort_by_key(&mut keys, |key| *key);
            let sorted = keys.into_iter().filter_map(|key| Some((key.clone(), sorted(entries.get(key)?))));
            Value::Object(sorted.collect())
        }
        other => other.clone(),
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A text of more than `most` bytes without its middle: seven tenths from its beginning and the rest from its
/// end, each cut at whole characters.
fn shortened(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let from_begin = most * 7 / 10;
    let head = text.get(..text.floor_char_boundary(from_begin)).unwrap_or("");
    let tail = text.get(text.ceil_char_boundary(text.len() - (most - from_begin))..).unwrap_or("");
    let left_out = text.len() - head.len() - tail.len();
    format!("{head}\n\n... [truncated {left_out} chars] ...\n\n{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_keeps_whole_characters_of_both_ends() {
        assert_eq!(shortened("abc", 3), "abc");
        let text = "a".repeat(6) + "é" + &"b".repeat(10) + "é" + "ccc";
        // 21 bytes; the seventh byte of the head, and the first of the tail, are within an é.
        assert_eq!(text.len(), 23);
        let short = shortened(&text, 11);
        // 7 bytes from the beginning end within the first é, 4 from the end begin within the second.
        assert_eq!(short, "aaaaaa\n\n... [truncated 14 chars] ...\n\nccc");
    }
}
