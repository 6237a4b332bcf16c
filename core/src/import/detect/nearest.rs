//! The formats nearest to a file of unknown format.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::super::formats::by_registration;
use crate::parse::{Data, Node};
use crate::text::sort_by_key;

/// A format, and which of its keys a file has and lacks.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "NearestFormat"))]
pub struct Nearest {
    /// The format, as `detect` returns it, or `event-log`.
    pub format: Cow<'static, str>,
    /// Its keys that are in the file.
    pub has: Vec<Cow<'static, str>>,
    /// Its keys that are not.
    pub lacks: Vec<Cow<'static, str>>,
}

/// The most formats that are named.
const MOST: usize = 3;

/// How deep and how far into each map keys are looked for.
const DEPTH: usize = 4;
const WIDTH: usize = 64;

/// Keys of so many formats that one alone identifies none.
const COMMON: [&str; 10] =
    ["content", "model", "request", "response", "role", "status", "steps", "timestamp", "type", "usage"];

/// The formats of whose keys the first record has at least half, the nearest first.
pub(crate) fn nearest(root: &Node) -> Vec<Nearest> {
    let mut keys = Vec::new();
    collect(root, DEPTH, &mut keys);
    let mut found: Vec<Nearest> = Vec::new();
    let known = by_registration()
        .flat_map(|(format, detection)| detection.known_by.iter().map(|marks| (format.kind, *marks)));
    for (format, marks) in known {
        let (has, lacks): (Vec<&'static str>, Vec<&'static str>) =
            marks.iter().copied().partition(|key| keys.contains(key));
        let is_near =
            has.len() >= lacks.len() && (has.iter().any(|key| !COMMON.contains(key)) || has.len() > 1);
        if is_near && found.iter().all(|known| known.format != format) {
            let words = |keys: Vec<&'static str>| keys.into_iter().map(Cow::Borrowed).collect();
            found.push(Nearest { format: format.into(), has: words(has), lacks: words(lacks) });
        }
    }
    sort_by_key(&mut found, |near| (near.lacks.len(), usize::MAX - near.has.len()));
    found.truncate(MOST);
    found
}

/// The keys of a node and of the values in it; for lists, those of the first item.
fn collect<'n>(node: &'n Node, depth: usize, out: &mut Vec<&'n str>) {
    if depth == 0 {
        return;
    }
    match &node.data {
        Data::Seq(items) => {
            if let Some(first) = items.first() {
                collect(first, depth - 1, out);
            }
        }
        _ => {
            for entry in node.entries().iter().take(WIDTH) {
                out.push(&entry.key.text);
                collect(&entry.value, depth - 1, out);
            }
        }
    }
}
