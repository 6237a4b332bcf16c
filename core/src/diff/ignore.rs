//! What a comparison ignores, and how many differences that hid.

use serde::{Deserialize, Serialize};

/// What is ignored, always by request of the caller.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Compare ids letter by letter. Otherwise the ids of paired messages and calls are equivalent
    /// wherever they are referred to.
    pub literal_ids: bool,
    /// Leave out times: `timestamp`, `created`, `at_ms`.
    pub ignore_timestamps: bool,
    /// Leave out `usage`.
    pub ignore_usage: bool,
    /// Leave out `ulid`.
    pub ignore_ulids: bool,
    /// Leave out `metadata` of the document and of its steps. An import writes line numbers and ids of the log there.
    pub ignore_metadata: bool,
    /// Leave out ids, wherever they are defined or referred to.
    pub ignore_ids: bool,
    /// Leave out everything at or below these paths: keys and numbers with dots between, `*` for any
    /// one, `**` for any number of them, such as `execution.*.llm_config` or `**.seed`. Numbers count
    /// from 0.
    pub ignore_paths: Vec<String>,
}

/// The names of what can be ignored, in addition to paths.
pub const IGNORE_NAMES: [&str; 5] = ["timestamps", "ids", "ulids", "usage", "metadata"];

/// An ignore and the number of differences that it swallowed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "DiffIgnored"))]
pub struct Ignored {
    /// `timestamps`, `usage`, `ulids`, `ids`, `metadata`, or the path as in the options.
    pub name: String,
    /// How many differences.
    pub count: usize,
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Segment {
    Key(String),
    Index(usize),
}

impl Segment {
    fn fits(&self, pattern: &str) -> bool {
        pattern == "*"
            || match self {
                Segment::Key(key) => key == pattern,
                Segment::Index(index) => pattern.parse() == Ok(*index),
            }
    }
}

/// The ignores in force.
pub(super) struct Ignores {
    names: Vec<(&'static str, &'static [&'static str], usize)>,
    paths: Vec<(String, Vec<String>, usize)>,
}

/// The keys that hold ids, outside data that tools and users make.
pub(super) const ID_KEYS: [&str; 4] = ["id", "tool_call_id", "ref", "message"];

impl Ignores {
    pub(super) fn new(options: &Options) -> Self {
        let mut names: Vec<(&'static str, &'static [&'static str], usize)> = Vec::new();
        if options.ignore_timestamps {
            names.push(("timestamps", &["timestamp", "created", "at_ms"], 0));
        }
        if options.ignore_usage {
            names.push(("usage", &["usage"], 0));
        }
        if options.ignore_ulids {
            names.push(("ulids", &["ulid"], 0));
        }
        if options.ignore_metadata {
            names.push(("metadata", &["metadata"], 0));
        }
        if options.ignore_ids {
            names.push(("ids", &ID_KEYS, 0));
        }
        let split = |path: &String| {
            let plain = path.replace('[', ".").replace(']', "");
            plain.split('.').filter(|part| !part.is_empty()).map(str::to_owned).collect()
        };
        let paths = options.ignore_paths.iter().map(|path| (path.clone(), split(path), 0)).collect();
        Self { names, paths }
    }

    /// Whether a difference at `path` is ignored, which is counted. Below the key `data`, where tools and
    /// users choose the keys, only path patterns apply.
    pub(super) fn covers(&mut self, path: &[Segment], data: Option<usize>) -> bool {
        let own = path.get(..data.unwrap_or(path.len())).unwrap_or(path);
        for (_, keys, count) in &mut self.names {
            let hit =
                own.iter().any(|step| matches!(step, Segment::Key(key) if keys.contains(&key.as_str())));
            if hit {
                *count += 1;
                return true;
            }
        }
        for (_, pattern, count) in &mut self.paths {
            if fits(path, pattern) {
                *count += 1;
                return true;
            }
        }
        false
    }

    pub(super) fn report(self) -> Vec<Ignored> {
        let names = self.names.into_iter().map(|(name, _, count)| Ignored { name: name.to_owned(), count });
        let paths = self.paths.into_iter().map(|(name, _, count)| Ignored { name, count });
        names.chain(paths).collect()
    }
}

/// Whether `pattern` fits `path` or a beginning of it.
///
/// The set of places in the pattern that the path so far can reach is carried along, so that many `**`
/// cost no more than their number.
fn fits(path: &[Segment], pattern: &[String]) -> bool {
    let mut at = vec![0_usize];
    for step in path {
        let mut next: Vec<usize> = Vec::new();
        let mut add = |place: usize| {
            if !next.contains(&place) {
                next.push(place);
            }
        };
        for &place in &at {
            let mut place = place;
            while pattern.get(place).is_some_and(|part| part == "**") {
                add(place);
                place += 1;
            }
            match pattern.get(place) {
                None => return !pattern.is_empty(),
                Some(part) if step.fits(part) => add(place + 1),
                Some(_) => {}
            }
        }
        at = next;
    }
    let ends = |place: &usize| pattern.get(*place..).is_some_and(|rest| rest.iter().all(|part| part == "**"));
    !pattern.is_empty() && at.iter().any(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_paths_and_what_lies_below() {
        let path = [
            Segment::Key("execution".to_owned()),
            Segment::Index(2),
            Segment::Key("llm_config".to_owned()),
            Segment::Key("seed".to_owned()),
        ];
        let fits = |pattern: &str| {
            let options = Options { ignore_paths: vec![pattern.to_owned()], ..Options::default() };
            Ignores::new(&options).covers(&path, None)
        };
        for yes in [
            "execution",
            "execution.*.llm_config",
            "execution[2]",
            "**.seed",
            "**",
            "execution.**.llm_config",
        ] {
            assert!(fits(yes), "{yes}");
        }
        for no in ["seed", "execution.3", "*.seed", "execution.*.llm_config.seed.x", "", "**.nothing"] {
            assert!(!fits(no), "{no}");
        }
    }
}
