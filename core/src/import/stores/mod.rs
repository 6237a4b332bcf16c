//! The SQLite databases in which agents keep their conversations, as JSON: a document for each conversation, with a
//! line for each message. The formats `cursor-store` and `langgraph-checkpoints` read it.

mod cursor;
mod langgraph;
mod msgpack;
mod sqlite;

use serde_json::{Map, Value};

use crate::text::JsonMap;
use sqlite::{BROKEN, Database, MAGIC};

/// A number of entries of the same kind, by that kind.
type Counts = Map<String, Value>;

fn count(counts: &mut Counts, kind: &str) {
    let before = counts.get(kind).and_then(Value::as_u64).unwrap_or_default();
    counts.put(kind, (before + 1).into());
}

/// Whether bytes are an SQLite database.
#[must_use]
pub fn is_store(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The bytes of a database in which the names of its tables are looked for: a page has up to 64 KiB.
const SCHEMA: usize = 1 << 20;

/// The kind of an SQLite database, by the names of tables on its first pages, and the reason.
pub(crate) fn store_kind(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let pages = bytes.get(..bytes.len().min(SCHEMA)).filter(|pages| is_store(pages))?;
    let has = |name: &str| pages.windows(name.len()).any(|bytes| bytes == name.as_bytes());
    if has("checkpoint_ns") {
        return Some((
            "langgraph-checkpoints",
            "it is an SQLite database with the table `checkpoints` of LangGraph",
        ));
    }
    let is_cursor = has("ItemTable") || has("cursorDiskKV");
    is_cursor.then_some(("cursor-store", "it is an SQLite database with the tables of Cursor"))
}

/// The conversations in an SQLite database, a JSON document each.
///
/// # Errors
/// When the database is damaged, or has no conversations of an agent that is supported.
///
/// ```
/// use transcript_core::import::{is_store, store_text};
/// assert!(!is_store(b"{}"));
/// assert!(store_text(b"SQLite format 3\0 and no more").unwrap_err().contains("damaged or cut"));
/// ```
pub fn store_text(bytes: &[u8]) -> Result<String, &'static str> {
    let database = Database::open(bytes)?;
    let tables = database.tables();
    let table = |name: &str| tables.iter().find(|table| table.name == name);
    let mut found = Vec::new();
    let mut is_known = false;
    if table("cursorDiskKV").or(table("ItemTable")).is_some() {
        is_known = true;
        found = cursor::conversations(&database, &[table("ItemTable"), table("cursorDiskKV")])?;
    } else if let Some(checkpoints) = table("checkpoints") {
        is_known = true;
        found = langgraph::conversations(&database, checkpoints, table("writes"))?;
    }
    let unread = database.unread.get();
    if found.is_empty() {
        return Err(match (database.has_log(), is_known) {
            _ if unread > 0 => BROKEN,
            (true, _) => {
                "it is an SQLite database without conversations; the last ones may be in the `-wal` file next to it: close the program that writes it"
            }
            (_, true) => "it is an SQLite database without conversations",
            _ => "it is an SQLite database, but not one of Cursor or LangGraph",
        });
    }
    let mut text = String::new();
    for mut conversation in found {
        if unread > 0 {
            let problem = format!(
                "{unread} of the pages of the database cannot be read, so that messages may be missing"
            );
            conversation.put("unread_pages", problem.into());
        }
        write(&mut text, &mut conversation);
    }
    Ok(text)
}

/// Writes a conversation with its id first, by which a long one is detected, and its messages last, each on a line of its own.
fn write(text: &mut String, conversation: &mut Map<String, Value>) {
    let keys = match conversation.contains_key("composerId") {
        true => ["composerId", "conversation"],
        false => ["thread_id", "messages"],
    };
    let [id, messages] = keys.map(|key| conversation.shift_remove(key).unwrap_or_default());
    let [id_key, messages_key] = keys;
    text.push_str(&format!("{{\"{id_key}\":{id}"));
    for (key, value) in conversation {
        text.push_str(&format!(",{}:{value}", Value::from(key.as_str())));
    }
    text.push_str(&format!(",\"{messages_key}\":["));
    for (index, message) in messages.as_array().into_iter().flatten().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        text.push_str(&format!("{comma}\n {message}"));
    }
    text.push_str("\n]}\n");
}
