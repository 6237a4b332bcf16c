//! The files of a log and what their paths mean.

use crate::text::Set;

/// A file of a log.
#[derive(Clone, Copy, Debug)]
pub struct LogFile<'t> {
    /// Its path, as far as one is known; only names in it count. Empty when there is none.
    pub path: &'t str,
    /// Its text.
    pub text: &'t str,
}

/// The session whose log, or the log of whose agents, a path names; `None` when it names none.
///
/// qbit has `SESSION/transcript.json` and below it `SESSION/subagents/AGENT-CALL/transcript.json`; its first plan had
/// `transcript-SESSION.jsonl`.
///
/// ```
/// use transcript_core::import::session_of;
/// assert_eq!(session_of("logs/abc/transcript.json"), Some("abc"));
/// assert_eq!(session_of("abc/subagents/coder-call_1/transcript.json"), Some("abc"));
/// assert_eq!(session_of("transcript-abc.jsonl"), Some("abc"));
/// assert_eq!(session_of("transcript.json"), None);
/// ```
#[must_use]
pub fn session_of(path: &str) -> Option<&str> {
    let names: Vec<&str> = path.split(['/', '\\']).filter(|name| !name.is_empty() && *name != ".").collect();
    let last = names.len().checked_sub(1)?;
    let above = |levels: usize| names.get(last.checked_sub(levels)?).copied();
    if is_of_agent(path) {
        return above(3);
    }
    let name = above(0)?;
    if name == NAME {
        return above(1);
    }
    name.strip_prefix("transcript-")?.strip_suffix(".jsonl").filter(|session| !session.is_empty())
}

/// Whether the path is that of the log of an agent below a session.
pub(crate) fn is_of_agent(path: &str) -> bool {
    let mut names = path.rsplit(['/', '\\']).filter(|name| !name.is_empty());
    names.next() == Some(NAME) && names.nth(1) == Some("subagents")
}

/// The name that qbit gives all its logs, whatever their format.
pub(super) const NAME: &str = "transcript.json";

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

/// The name of a run: that of its file, and its own where the file has several.
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
