//! A transcript that comes in two replies, the first of which was cut off.

use super::fences::blocks;
use super::find::{Candidate, Ended};

/// How many lines of a reply may repeat the end of the one before.
const REPEATED: usize = 20;

/// What is kept of a transcript that was cut off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Its whole lines.
    pub kept: String,
    /// The last of them that says something.
    pub last: String,
}

/// What can be kept of a transcript in YAML that was cut off: all lines but the one it ends in; `None` when no
/// message is among them, or when it is JSON, whose lines say nothing of where they stand.
///
/// ```
/// use transcript_core::generate::cut;
/// let kept = cut("messages:\n  - \"user: Hi\"\n  - \"assist").unwrap();
/// assert_eq!((kept.kept.as_str(), kept.last.as_str()), ("messages:\n  - \"user: Hi\"\n", "  - \"user: Hi\""));
/// assert_eq!(cut("name: run\nmess"), None);
/// ```
#[must_use]
pub fn cut(text: &str) -> Option<Cut> {
    if text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let end = text.rfind('\n')? + 1;
    let kept = text.get(..end)?;
    let messages = kept.lines().position(|line| line.trim_end() == "messages:")?;
    let last = kept.lines().skip(messages + 1).filter(|line| !line.trim().is_empty()).last()?;
    Some(Cut { kept: kept.to_owned(), last: last.trim_end().to_owned() })
}

/// The transcript that begins with `kept` and goes on with what stands in `reply`; `None` when that begins anew.
/// Lines that it repeats stand there once, and items are indented as those before.
///
/// ```
/// use transcript_core::generate::{Ended, joined};
/// let reply = "```yaml\n- \"user: Hi\"\n- \"assistant: Hello!\"\n```";
/// let whole = joined("messages:\n  - \"user: Hi\"\n", reply, Ended::Stop).unwrap();
/// assert_eq!(whole.text, "messages:\n  - \"user: Hi\"\n  - \"assistant: Hello!\"\n");
/// ```
#[must_use]
pub fn joined(kept: &str, reply: &str, ended: Ended) -> Option<Candidate> {
    let (body, whole) = match blocks(reply).into_iter().next() {
        Some(block) => (block.body, block.closed || ended == Ended::Stop),
        None => (reply.to_owned(), ended != Ended::Length),
    };
    let lines: Vec<&str> = body.lines().skip_while(|line| line.trim().is_empty()).collect();
    if lines.is_empty() || lines.iter().any(|line| line.starts_with("messages:")) {
        return None;
    }
    let before: Vec<&str> = kept.lines().filter(|line| !line.trim().is_empty()).collect();
    let is_same = |count: &usize| {
        let end = before.iter().rev().take(*count).rev().map(|line| line.trim());
        end.eq(lines.iter().take(*count).map(|line| line.trim()))
    };
    let repeated = (1..=REPEATED.min(lines.len()).min(before.len())).rev().find(is_same).unwrap_or(0);
    let indent = |line: &str| line.len() - line.trim_start().len();
    let is_item = |line: &&&str| line.trim_start().starts_with("- ");
    let wanted = before.iter().rev().find(is_item).map_or(0, |line| indent(line));
    let given = lines.iter().find(is_item).map_or(wanted, |line| indent(line));
    let mut out = kept.to_owned();
    let mut is_list = true;
    for line in lines.iter().skip(repeated) {
        // Behind the list stand keys of the document.
        is_list = is_list && (line.trim().is_empty() || line.starts_with([' ', '\t', '-']));
        if is_list {
            out.push_str(&" ".repeat(wanted.saturating_sub(given)));
        }
        out.push_str(line);
        out.push('\n');
    }
    Some(Candidate { text: out, whole })
}
