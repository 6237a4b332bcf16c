//! The threads in the checkpoints of LangGraph (`langgraph/checkpoint/sqlite`): the messages are in the last checkpoint of each.

use serde_json::{Map, Value};

use super::sqlite::{Column, Database, Table as SqlTable, text_of};
use super::{Counts, count, msgpack};
use crate::encoding::base64;
use crate::parse::json_exactly;
use crate::text::{JsonMap, Table, content_key, json};
use crate::wire::langchain::is_message;

/// A thread, or the part of it that a graph in its graph has.
#[derive(Debug, Default)]
struct Thread {
    name: String,
    space: String,
    last: String,
    checkpoint: Map<String, Value>,
    metadata: Value,
    /// The last of the checkpoints that cannot be read.
    unread: String,
    /// The different messages of all checkpoints, each with its key.
    messages: Vec<(String, Value)>,
    /// Their contents.
    seen: Table<String, ()>,
    /// By id, the time of the first checkpoint that has it.
    times: Table<String, String>,
    writes: Vec<Value>,
}

/// What the serializer of LangGraph wrote.
fn value(kind: Column<'_>, bytes: Column<'_>) -> Value {
    let kind = text_of(kind).unwrap_or("json");
    let read = match kind {
        "msgpack" => msgpack::read(bytes.1),
        "json" => text_of(bytes).and_then(json_exactly),
        "null" => Some(Value::Null),
        _ => None,
    };
    read.unwrap_or_else(|| json!({ "type": kind, "base64": base64::encode(bytes.1) }))
}

/// The fields of a message.
fn fields(message: &Value) -> &Value {
    message.get("kwargs").unwrap_or(message)
}

fn id_of(message: &Value) -> &str {
    fields(message).get("id").and_then(Value::as_str).unwrap_or_default()
}

/// What is the same in all versions of a message: its id, or what it is.
fn key_of(message: &Value) -> String {
    match id_of(message) {
        "" => content_key(message),
        id => id.to_owned(),
    }
}

/// The list of messages among the channels.
fn messages(checkpoint: &mut Map<String, Value>) -> Option<&mut Vec<Value>> {
    let channels = checkpoint.get_mut("channel_values")?.as_object_mut()?;
    let has_messages = |value: &Value| value.get(0).is_some_and(is_message);
    let key = match channels.get("messages").and_then(Value::as_array) {
        Some(list) if !list.is_empty() => "messages".to_owned(),
        _ => channels.iter().find(|(_, value)| has_messages(value))?.0.clone(),
    };
    channels.get_mut(&key)?.as_array_mut()
}

impl Thread {
    /// Takes a checkpoint; those that are later have greater ids.
    fn take(&mut self, id: &str, mut checkpoint: Map<String, Value>, metadata: Value) {
        let time = checkpoint.get("ts").and_then(Value::as_str).unwrap_or_default().to_owned();
        for message in messages(&mut checkpoint).into_iter().flatten() {
            let key = key_of(message);
            if self.seen.insert(content_key(message), ()).is_none() {
                self.messages.push((key, message.clone()));
            }
            let id = id_of(message);
            if id.is_empty() {
                continue;
            }
            match self.times.get_mut(id) {
                Some(first) if *first <= time => {}
                Some(first) => first.clone_from(&time),
                None => drop(self.times.insert(id.to_owned(), time.clone())),
            }
        }
        if *id > *self.last {
            (self.last, self.checkpoint, self.metadata) = (id.to_owned(), checkpoint, metadata);
        }
    }

    fn into_conversation(self, others: &Counts) -> Option<Map<String, Value>> {
        let mut checkpoint = self.checkpoint;
        let mut all = messages(&mut checkpoint).map(std::mem::take).unwrap_or_default();
        // A message replaces the one with its id (`add_messages`), and may be removed.
        let mut there: Table<String, Value> = Table::new();
        for message in &all {
            there.insert(key_of(message), message.clone());
        }
        for message in &mut all {
            let time = self.times.get(id_of(message)).cloned();
            if let (Some(time), Some(message)) = (time, message.as_object_mut()) {
                message.put("timestamp", time.into());
            }
        }
        for (key, message) in &self.messages {
            let last = there.get(key);
            if last != Some(message) {
                let kind = if last.is_some() { "replaced" } else { "removed" };
                all.push(json!({ "type": kind, "message": message }));
            }
        }
        let unread = (self.unread > self.last).then(|| {
            let shown = match &*self.last {
                "" => "and so are all others".to_owned(),
                last => format!("so that the messages are those of `{last}`"),
            };
            format!(
                "the last checkpoint of the thread, `{}`, is encrypted, pickled or damaged, {shown}",
                self.unread
            )
        });
        if all.is_empty() && unread.is_none() {
            return None;
        }
        let name =
            if self.space.is_empty() { self.name.clone() } else { format!("{} {}", self.name, self.space) };
        let mut out = Map::new();
        let own = [
            ("id", name.into()),
            ("thread_id", self.name.into()),
            ("checkpoint_ns", self.space.into()),
            ("metadata", self.metadata),
            ("checkpoint", checkpoint.into()),
            ("pending_writes", self.writes.into()),
            ("unread_checkpoint", unread.into()),
            ("other_rows", others.clone().into()),
            ("messages", all.into()),
        ];
        for (key, value) in own {
            let is_empty =
                key != "checkpoint_ns" && (value.is_null() || value == json!([]) || value == json!({}));
            if !is_empty || key == "messages" {
                out.put(key, value);
            }
        }
        Some(out)
    }
}

/// The conversations, each with its messages under `messages`.
pub(super) fn conversations(
    database: &Database<'_>,
    checkpoints: &SqlTable,
    writes: Option<&SqlTable>,
) -> Result<Vec<Map<String, Value>>, &'static str> {
    let mut threads: Vec<Thread> = Vec::new();
    let mut places: Table<String, usize> = Table::new();
    let mut others = Counts::new();
    let columns = ["thread_id", "checkpoint_ns", "checkpoint_id", "type", "checkpoint", "metadata"];
    database.rows(checkpoints, &columns, &mut |row| {
        let [thread, space, id, kind, checkpoint, metadata] = *row else { return };
        let [thread, space, id] = [thread, space, id].map(|column| text_of(column).unwrap_or_default());
        let place = *places.entry(format!("{thread}\n{space}")).or_insert(threads.len());
        if place == threads.len() {
            threads.push(Thread { name: thread.to_owned(), space: space.to_owned(), ..Thread::default() });
        }
        let Some(thread) = threads.get_mut(place) else { return };
        match value(kind, checkpoint) {
            Value::Object(checkpoint) if !checkpoint.contains_key("base64") => {
                count(&mut others, "checkpoints");
                let metadata = value((0, &[]), metadata);
                thread.take(id, checkpoint, metadata);
            }
            _ => {
                count(&mut others, "checkpoints that cannot be read");
                if *id > *thread.unread {
                    id.clone_into(&mut thread.unread);
                }
            }
        }
    })?;
    if let Some(writes) = writes {
        let columns = ["thread_id", "checkpoint_ns", "checkpoint_id", "channel", "type", "value"];
        database.rows(writes, &columns, &mut |row| {
            let [thread, space, id, channel, kind, bytes] = *row else { return };
            let [thread, space, id, channel] =
                [thread, space, id, channel].map(|column| text_of(column).unwrap_or_default());
            let place = places.get(&format!("{thread}\n{space}"));
            // Those of earlier checkpoints are in the later ones.
            match place.and_then(|place| threads.get_mut(*place)) {
                Some(thread) if thread.last == id => {
                    thread.writes.push(json!({ "channel": channel, "value": value(kind, bytes) }));
                }
                _ => count(&mut others, "writes"),
            }
        })?;
    }
    let unread =
        others.contains_key("checkpoints that cannot be read") && !others.contains_key("checkpoints");
    if unread {
        return Err("its checkpoints of LangGraph are encrypted, pickled or damaged");
    }
    Ok(threads.into_iter().filter_map(|thread| thread.into_conversation(&others)).collect())
}
