//! The files of a log and the meaning of their paths.

use crate::text::Set;

/// A file of a log.
#[derive(Clone, Copy, Debug)]
pub struct LogFile<'t> {
    /// Its path, if known; only names in it count. Empty if unknown.
    pub path: &'t str,
    /// Its text.
    pub text: &'t str,
}

/// The name of a file without its folders.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or_default()
}

/// The name of a file without its folders and its extension.
pub(super) fn stem(path: &str) -> &str {
    let name = file_name(path);
    let ends = [".jsonl", ".ndjson", ".json", ".yaml", ".yml", ".har"];
    ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

/// The name of a run: that of its file, and its own if the file has several.
pub(super) fn run_name(path: &str, run: Option<&str>) -> Option<String> {
    let words: Vec<&str> =
        [stem(path), run.unwrap_or_default()].into_iter().filter(|word| !word.is_empty()).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// A name that no run has so far: `name`, or `name` with a number behind it.
pub(super) fn unique_name(name: String, number: usize, seen: &mut Set<String>) -> String {
    let mut name = name;
    while !seen.insert(name.clone()) {
        name = format!("{name}-{number}");
    }
    name
}
