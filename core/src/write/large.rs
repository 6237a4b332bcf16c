//! The text of a run that may be large: repeated content is written once, and what follows from the rest is
//! left out.

use serde_json::{Map, Value};

use super::{Dedupe, dedupe, json, json_line, yaml};
use crate::model::message_id;

/// The maximum size in bytes of a text without omissions.
const SPELLED_BYTES: usize = 1 << 20;

/// A full transcript's data as YAML, or as JSON. A text of more than 1 MiB has repeated large content once,
/// under `blobs`, leaves out what [`leave_out_implied`] does, and has no line numbers of the log if all are
/// equal. JSON then has a line for each turn.
///
/// ```
/// use serde_json::json;
/// use transcript_core::write;
/// let run = json!({"version": "1.0", "execution": []});
/// assert_eq!(write::run_text(&run, false), write::yaml(&run));
/// ```
#[must_use]
pub fn run_text(run: &Value, is_json: bool) -> String {
    if bytes_left(run, SPELLED_BYTES).is_some() {
        let spelled = if is_json { json(run) } else { yaml(run) };
        if spelled.len() <= SPELLED_BYTES {
            return spelled;
        }
    }
    let mut run = dedupe(run, &Dedupe::default());
    leave_out_implied(&mut run);
    leave_out_same_line(&mut run);
    if !is_json {
        return yaml(&run);
    }
    let mut out = String::new();
    push_by_line(&mut out, &run, 0);
    out.push('\n');
    out
}

/// What is left of a number of bytes after the texts and keys of a value; `None` if they are more. No form takes less.
pub(super) fn bytes_left(value: &Value, bytes: usize) -> Option<usize> {
    match value {
        Value::String(text) => bytes.checked_sub(text.len()),
        Value::Array(items) => items.iter().try_fold(bytes, |left, item| bytes_left(item, left)),
        Value::Object(entries) => entries
            .iter()
            .try_fold(bytes, |left, (key, value)| bytes_left(value, left.checked_sub(key.len() + 2)?)),
        _ => bytes.checked_sub(1),
    }
}

/// Appends JSON in which a turn, a message of the store and a blob have a line each.
fn push_by_line(out: &mut String, value: &Value, depth: usize) {
    let mut first = true;
    let mut next = |out: &mut String| {
        out.push_str(if std::mem::take(&mut first) { "\n" } else { ",\n" });
        out.extend(std::iter::repeat_n("  ", depth + 1));
    };
    let ends = match value {
        Value::Object(entries) if depth < 2 && !entries.is_empty() => {
            out.push('{');
            for (key, value) in entries {
                next(out);
                out.push_str(&json_line(&Value::from(key.as_str())));
                out.push_str(": ");
                push_by_line(out, value, depth + 1);
            }
            '}'
        }
        Value::Array(items) if !items.is_empty() => {
            out.push('[');
            for item in items {
                next(out);
                out.push_str(&json_line(item));
            }
            ']'
        }
        _ => return out.push_str(&json_line(value)),
    };
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
    out.push(ends);
}

/// Leaves out of a full transcript's data what follows from its absence: numbers of turns and ids of messages
/// that are their positions, `visible: true`, the role of an answer, `success` and `error` of a tool without
/// an error, and the lists of the final state that match the run.
///
/// ```
/// use serde_json::json;
/// use transcript_core::write;
/// let mut run = json!({
///     "version": "1.0",
///     "initial_state": {"message_store": [{"id": "msg_001", "role": "user", "content": "Hi", "visible": true}]},
///     "execution": [{"turn": 1, "type": "message", "message_created": {"id": "b", "role": "user", "content": "Go"}}],
///     "final_state": {"message_store": [{"ref": "msg_001"}, {"ref": "b"}], "visible_messages": ["msg_001", "b"]},
/// });
/// write::leave_out_implied(&mut run);
/// assert_eq!(run, json!({
///     "version": "1.0",
///     "initial_state": {"message_store": [{"role": "user", "content": "Hi"}]},
///     "execution": [{"type": "message", "message_created": {"id": "b", "role": "user", "content": "Go"}}],
///     "final_state": {},
/// }));
/// ```
pub fn leave_out_implied(run: &mut Value) {
    let agents = run.get("agents").and_then(Value::as_object);
    // The messages of agents count for the positions of later ones.
    let has_stores = agents.is_some_and(|all| all.values().any(|agent| agent.get("message_store").is_some()));
    let mut store = Store { ids: Vec::new(), hides: has_stores, has_stores };
    for message in items(run, "initial_state", Some("message_store")) {
        store.take(message);
    }
    for (at, turn) in items(run, "execution", None).iter_mut().enumerate() {
        let Some(turn) = turn.as_object_mut() else { continue };
        if turn.get("turn").is_some_and(|number| number.as_u64() == u64::try_from(at + 1).ok()) {
            turn.shift_remove("turn");
        }
        if let Some(Value::Object(answer)) = turn.get_mut("llm_response") {
            remove_if(answer, "role", &"assistant".into());
        }
        if let Some(Value::Object(ran)) = turn.get_mut("tool_call") {
            remove_if(ran, "error", &Value::Null);
            let succeeds = !ran.contains_key("error");
            remove_if(ran, "success", &succeeds.into());
            if let Some(inner) = ran.get_mut("result").and_then(|result| result.get_mut("nested_transcript"))
            {
                whole(inner);
            }
        }
        store.hides |= turn.get("state_changes").is_some_and(|changes| changes.get("visible").is_some());
        if let Some(message) = turn.get_mut("message_created") {
            store.take(message);
        }
    }
    for inner in run.get_mut("nested").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut) {
        whole(inner);
    }
    if let Some(Value::Object(end)) = run.get_mut("final_state")
        && !store.hides
    {
        let id = |one: &Value| one.as_str().map(str::to_owned);
        let referred = |one: &Value| one.as_object().filter(|one| one.len() == 1)?.get("ref").and_then(id);
        store.remove_list(end, "message_store", &referred);
        store.remove_list(end, "visible_messages", &id);
    }
}

/// The same for a nested run; one without a version is partial, where positions have another meaning.
fn whole(run: &mut Value) {
    if run.get("version").is_some() {
        leave_out_implied(run);
    }
}

/// Leaves out the log line of each message and answer if all are equal: logs of one line have it everywhere.
fn leave_out_same_line(run: &mut Value) {
    let mut first = None;
    let is_same = each_metadata(run, &mut |metadata| match metadata.get("line") {
        Some(line) => first.get_or_insert_with(|| line.clone()) == line,
        None => true,
    });
    if first.is_some() && is_same {
        each_metadata(run, &mut |metadata| {
            metadata.shift_remove("line");
            true
        });
    }
}

/// Visits the metadata of each message and answer as long as the visit returns `true`, and removes what is empty then.
fn each_metadata(run: &mut Value, visit: &mut dyn FnMut(&mut Map<String, Value>) -> bool) -> bool {
    let mut look = |holder: Option<&mut Value>| {
        let Some(holder) = holder.and_then(Value::as_object_mut) else { return true };
        let Some(Value::Object(metadata)) = holder.get_mut("metadata") else { return true };
        let goes_on = visit(metadata);
        if metadata.is_empty() {
            holder.shift_remove("metadata");
        }
        goes_on
    };
    items(run, "initial_state", Some("message_store")).iter_mut().all(|message| look(Some(message)))
        && items(run, "execution", None)
            .iter_mut()
            .all(|turn| look(turn.get_mut("llm_response")) && look(turn.get_mut("message_created")))
}

fn items<'v>(run: &'v mut Value, key: &str, inner: Option<&str>) -> &'v mut [Value] {
    let list = run.get_mut(key).and_then(|found| match inner {
        Some(inner) => found.get_mut(inner),
        None => Some(found),
    });
    list.and_then(Value::as_array_mut).map_or(&mut [], Vec::as_mut_slice)
}

fn remove_if(map: &mut Map<String, Value>, key: &str, value: &Value) {
    if map.get(key) == Some(value) {
        map.shift_remove(key);
    }
}

/// The messages so far.
struct Store {
    /// Their ids in order.
    ids: Vec<String>,
    /// Whether the run results in more messages than these, all of them visible.
    hides: bool,
    /// Whether agents have their own messages.
    has_stores: bool,
}

impl Store {
    fn take(&mut self, message: &mut Value) {
        let position = message_id(self.ids.len() + 1);
        let id = message.get("id");
        self.hides |= !message.is_object() || id.is_some_and(|id| !id.is_string());
        self.ids.push(id.and_then(Value::as_str).unwrap_or(&position).to_owned());
        let Some(message) = message.as_object_mut() else { return };
        if !self.has_stores {
            remove_if(message, "id", &position.into());
        }
        remove_if(message, "visible", &Value::Bool(true));
        self.hides |= message.contains_key("visible");
    }

    /// Removes a list of exactly these messages.
    fn remove_list(&self, end: &mut Map<String, Value>, key: &str, id: &dyn Fn(&Value) -> Option<String>) {
        let listed = end.get(key).and_then(Value::as_array);
        let is_same = |listed: &Vec<Value>| {
            listed.len() == self.ids.len()
                && listed.iter().zip(&self.ids).all(|(one, own)| id(one).as_ref() == Some(own))
        };
        if listed.is_some_and(is_same) {
            end.shift_remove(key);
        }
    }
}
