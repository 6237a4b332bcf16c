//! The answers of a recording as mock handlers.

use serde_json::{Map, Value};

use super::super::imported_response::ImportedResponse;
use super::super::template_text::{plain, without_expressions};
use super::read::Recording;
use crate::text::{JsonMap, Table, json};
use crate::write::Entries;

/// The name of the handler that has the answers without a step.
const UNNAMED: &str = "agent";

/// The answers as a document of handlers, one for each step. A step with one answer repeats it; a step with
/// several turns gives them in order and then repeats the last, as AgentLoom does. Answers by hash have no
/// step: a handler `agent` gives them in file order.
///
/// ```
/// use transcript_core::import::{handlers, recording};
/// let read = recording(r#"{"greet": {"content": "Hi!", "model": "m", "usage": {}}}"#);
/// assert_eq!(handlers(&read)["handlers"]["greet"]["type"], "repeat");
/// ```
#[must_use]
pub fn handlers(recording: &Recording) -> Value {
    let mut steps: Table<&str, usize> = Table::new();
    let mut all: Vec<(&str, Vec<&ImportedResponse>)> = Vec::new();
    for row in recording.rows.iter().filter(|row| row.embeddings.is_none()) {
        let name = if row.is_hash { UNNAMED } else { row.key.as_str() };
        let at = *steps.entry(name).or_insert(all.len());
        match all.get_mut(at) {
            Some((_, rows)) => rows.push(row),
            None => all.push((name, vec![row])),
        }
    }
    let mut out = Map::new();
    for (name, rows) in all {
        out.put(name, handler(&rows));
    }
    json!({ "handlers": out })
}

fn handler(rows: &[&ImportedResponse]) -> Value {
    let (Some(last), responses) = (rows.last(), rows.iter().map(|row| response(row))) else {
        return Value::Null;
    };
    if last.is_hash {
        return json!({"type": "queue", "responses": responses.collect::<Value>()});
    }
    let repeat = json!({"type": "repeat", "respond": response(last)});
    if rows.len() == 1 {
        return repeat;
    }
    let before: Value = responses.take(rows.len() - 1).collect();
    json!({
        "type": "composite",
        "strategy": "in_order",
        "handlers": [{"type": "queue", "responses": before}, repeat],
    })
}

/// An answer as the response of a handler. Braces in it are literal.
fn response(row: &ImportedResponse) -> Value {
    let mut out = Entries::default();
    let content = row.content.as_deref().unwrap_or_default();
    out.put("content", Value::from(plain(content)));
    let calls = row.tool_calls.iter().map(|call| {
        let part = |key: &str| call.get(key).cloned();
        let name = Entries::default().with("id", part("id")).with("name", part("name"));
        name.with("arguments", part("arguments").map(without_expressions)).into_value()
    });
    out.put("tool_calls", (!row.tool_calls.is_empty()).then(|| calls.collect::<Value>()));
    out.put("usage", row.usage.clone());
    out.into_value()
}
