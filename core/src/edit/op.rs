//! Changes of data: their kinds, and their effect on data without a text.

use crate::text::sort_by_key;
use serde_json::{Map, Value};

/// One part of a path: a key of a map, or the index of an item of a list, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A key.
    Key(String),
    /// An index.
    Index(usize),
}

impl From<&str> for Part {
    fn from(key: &str) -> Self {
        Part::Key(key.to_owned())
    }
}

impl From<usize> for Part {
    fn from(index: usize) -> Self {
        Part::Index(index)
    }
}

/// The way to a value: keys and indices from the root of the document.
pub type Path = Vec<Part>;

/// A change of data.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Op {
    Set(Path, Value),
    Remove(Path),
    Insert(Path, usize, Value),
    Move(Path, usize, usize),
    RenameKey(Path, String),
    /// Sets the note on an item, which is no data.
    SetNote(Path, String),
}

/// The path as a person reads it: `execution[0].type`.
pub(super) fn render_path(path: &[Part]) -> String {
    let mut out = String::new();
    for part in path {
        match part {
            Part::Key(key) => {
                out.push_str(if out.is_empty() { "" } else { "." });
                out.push_str(key);
            }
            Part::Index(index) => out.push_str(&format!("[{index}]")),
        }
    }
    out
}

/// `path` with one part more.
pub(super) fn join(path: &[Part], part: impl Into<Part>) -> Path {
    let mut path = path.to_vec();
    path.push(part.into());
    path
}

/// Applies a round of changes to `root`. Paths are those before the round, so removals come last and from
/// the end. `None` when a path does not exist.
pub(super) fn apply(root: &mut Value, ops: &[Op]) -> Option<()> {
    for op in ops.iter().filter(|op| !matches!(op, Op::Remove(_))) {
        match op {
            Op::Set(path, value) => *reach(root, path)? = value.clone(),
            Op::Insert(path, index, value) => {
                let list = reach(root, path)?;
                if list.is_null() {
                    *list = Value::Array(Vec::new());
                }
                let items = list.as_array_mut()?;
                if *index > items.len() {
                    return None;
                }
                items.insert(*index, value.clone());
            }
            Op::Move(path, from, to) => {
                let items = find(root, path)?.as_array_mut()?;
                if *from >= items.len() || *to >= items.len() {
                    return None;
                }
                let item = items.remove(*from);
                items.insert(*to, item);
            }
            Op::RenameKey(path, new) => {
                let (Part::Key(old), parent) = path.split_last()? else { return None };
                let entries = find(root, parent)?.as_object_mut()?;
                if entries.contains_key(new) {
                    return None;
                }
                let renamed = std::mem::take(entries).into_iter();
                *entries = renamed
                    .map(|(key, value)| (if key == *old { new.clone() } else { key }, value))
                    .collect();
            }
            Op::Remove(_) | Op::SetNote(..) => {}
        }
    }
    let mut removed: Vec<&Path> =
        ops.iter().filter_map(|op| if let Op::Remove(path) = op { Some(path) } else { None }).collect();
    sort_by_key(&mut removed, |path| std::cmp::Reverse(indices(path)));
    for path in removed {
        let (last, parent) = path.split_last()?;
        match (find(root, parent)?, last) {
            (Value::Array(items), Part::Index(index)) if *index < items.len() => drop(items.remove(*index)),
            (Value::Object(entries), Part::Key(key)) => drop(entries.shift_remove(key)?),
            _ => return None,
        }
    }
    Some(())
}

fn indices(path: &Path) -> Vec<usize> {
    path.iter().map(|part| if let Part::Index(index) = part { *index } else { 0 }).collect()
}

fn find<'v>(root: &'v mut Value, path: &[Part]) -> Option<&'v mut Value> {
    path.iter().try_fold(root, |value, part| match part {
        Part::Key(key) => value.get_mut(key.as_str()),
        Part::Index(index) => value.get_mut(*index),
    })
}

/// The value at `path`; missing keys are added on the way, and null turns into a map.
fn reach<'v>(root: &'v mut Value, path: &[Part]) -> Option<&'v mut Value> {
    path.iter().try_fold(root, |value, part| match part {
        Part::Key(key) => {
            if value.is_null() {
                *value = Value::Object(Map::new());
            }
            Some(value.as_object_mut()?.entry(key.as_str()).or_insert(Value::Null))
        }
        Part::Index(index) => value.get_mut(*index),
    })
}
