//! The position of an added key among the present ones.

use super::op::Part;
use crate::model::{COMPACT, Shape, TRANSCRIPT};
use crate::parse::{Kind, Node, detect};

/// The possible keys of the map at `path` in order; none if the author chooses them.
pub(super) fn keys(root: &Node, path: &[Part]) -> Vec<&'static str> {
    let is_compact = detect(root) == Kind::Compact;
    if is_compact && !path.is_empty() {
        return Vec::new();
    }
    let mut shape = if is_compact { &COMPACT } else { &TRANSCRIPT };
    for part in path {
        if let (Shape::TextOr(inner), Part::Key(_)) = (shape, part) {
            shape = inner;
        }
        shape = match (shape, part) {
            (Shape::Map(fields), Part::Key(key)) => match fields.iter().find(|field| field.name == *key) {
                Some(field) => field.shape,
                None => return Vec::new(),
            },
            (Shape::List(inner), Part::Index(_)) | (Shape::OpenOf(inner), Part::Key(_)) => inner,
            _ => return Vec::new(),
        };
    }
    match shape {
        Shape::Map(fields) | Shape::TextOr(Shape::Map(fields)) => {
            fields.iter().map(|field| field.name).collect()
        }
        _ => Vec::new(),
    }
}

/// The number of the entry of `map` before which `key` belongs.
pub(super) fn index(map: &Node, known: &[&str], key: &str) -> usize {
    let rank = |key: &str| known.iter().position(|name| *name == key);
    let entries = map.entries();
    let Some(own) = rank(key) else { return entries.len() };
    let ranked = || entries.iter().enumerate().filter_map(|(at, entry)| Some((at, rank(&entry.key.text)?)));
    let before = ranked().filter(|(_, other)| *other < own).max_by_key(|(_, other)| *other);
    let after = || ranked().filter(|(_, other)| *other > own).min_by_key(|(_, other)| *other);
    match before {
        Some((at, _)) => at + 1,
        None => after().map_or(entries.len(), |(at, _)| at),
    }
}
