//! Full transcripts that lack a key which they could have, or have null there.

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;

use super::script::{Script, scripts};

/// One key of a transcript that is removed, or set to null.
#[derive(Clone, Copy, Debug)]
pub struct Lack {
    /// Which of all keys of the document.
    pub key: Index,
    /// Whether its value becomes null, instead of being taken away with it.
    pub null: bool,
}

impl Lack {
    /// Takes it away; returns its path as a JSON pointer. `None` when the document has no key.
    pub fn apply(self, full: &mut Value) -> Option<String> {
        let mut paths = Vec::new();
        walk(full, &mut String::new(), &mut paths);
        if paths.is_empty() {
            return None;
        }
        let path = self.key.get(&paths).clone();
        let (map, key) = path.rsplit_once('/')?;
        let entries = full.pointer_mut(map)?.as_object_mut()?;
        let key = key.replace("~1", "/").replace("~0", "~");
        if self.null {
            entries.insert(key, Value::Null);
        } else {
            entries.shift_remove(&key);
        }
        Some(path)
    }
}

/// The pointers of all keys.
fn walk(value: &Value, path: &mut String, paths: &mut Vec<String>) {
    let length = path.len();
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                path.push_str(&format!("/{}", key.replace('~', "~0").replace('/', "~1")));
                paths.push(path.clone());
                walk(value, path, paths);
                path.truncate(length);
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                path.push_str(&format!("/{at}"));
                walk(item, path, paths);
                path.truncate(length);
            }
        }
        _ => {}
    }
}

/// Scripts with a key to take away.
pub fn with_lack(size: usize) -> impl Strategy<Value = (Script, Lack)> {
    let lack = (any::<Index>(), any::<bool>()).prop_map(|(key, null)| Lack { key, null });
    (scripts(size), lack)
}
