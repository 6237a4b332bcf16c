//! The paths of logs of qbit: `SESSION/transcript.json` and below it
//! `SESSION/subagents/AGENT-CALL/transcript.json`. Its first plan used `transcript-SESSION.jsonl`.

use super::super::files::file_name;

/// The name of all logs of qbit, whatever their layout.
const NAME: &str = "transcript.json";

/// The session of a path to its log or to that of one of its agents; `None` for any other path.
pub(super) fn session_of(path: &str) -> Option<&str> {
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
pub(super) fn is_of_agent(path: &str) -> bool {
    let mut names = path.rsplit(['/', '\\']).filter(|name| !name.is_empty());
    names.next() == Some(NAME) && names.nth(1) == Some("subagents")
}

/// Whether the path is that of a log, of a session or of an agent.
pub(super) fn is_log(path: &str) -> bool {
    file_name(path) == NAME
}
