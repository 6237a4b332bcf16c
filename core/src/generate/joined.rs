//! A transcript in two replies; the first one was cut off.

use super::fences::blocks;
use super::find::{Candidate, Ended};

/// How many lines of a reply may repeat the end of the previous one.
const REPEATED: usize = 20;

/// The kept part of a transcript that was cut off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Its whole lines.
    pub kept: String,
    /// The last of them that is not empty.
    pub last: String,
}

/// What can be kept of a transcript in YAML that was cut off: all lines but the one it ends in; `None`
/// without a message among them, or for JSON, where lines do not show their level.
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

/// The possible transcripts that begin with `kept` and continue with `reply`, the likeliest first; none when
/// the reply begins anew, or has no lines of a transcript. Lines that it repeats occur once, and items are
/// indented as those before. When `kept` ends within a line, the reply writes that line anew or continues
/// within it.
///
/// ```
/// use transcript_core::generate::{Ended, joined};
/// let reply = "```yaml\n- \"user: Hi\"\n- \"assistant: Hello!\"\n```";
/// let whole = joined("messages:\n  - \"user: Hi\"\n", reply, Ended::Stop);
/// assert_eq!(whole[0].text, "messages:\n  - \"user: Hi\"\n  - \"assistant: Hello!\"\n");
/// let whole = joined("messages:\n  - \"user: Hi\"\n  - \"assi", "stant: Hello!\"\n```", Ended::Stop);
/// assert_eq!(whole[0].text, "messages:\n  - \"user: Hi\"\n  - \"assistant: Hello!\"\n");
/// ```
#[must_use]
pub fn joined(kept: &str, reply: &str, ended: Ended) -> Vec<Candidate> {
    let (whole_lines, begun) = kept.split_at(kept.rfind('\n').map_or(0, |end| end + 1));
    let mut out = Vec::new();
    for (body, whole) in continuations(reply, ended) {
        let lines: Vec<&str> = body.lines().skip_while(|line| line.trim().is_empty()).collect();
        let Some(first) = lines.first() else { continue };
        if lines.iter().any(|line| line.starts_with("messages:")) {
            continue;
        }
        // A line that was cut off has no end.
        let open = !whole && !body.ends_with('\n');
        let candidate = |text: String| {
            let text = if open { text.trim_end_matches('\n').to_owned() } else { text };
            Candidate { text, whole }
        };
        let anew = candidate(append_new_lines(whole_lines, &lines));
        if begun.trim().is_empty() {
            out.push(anew);
            continue;
        }
        let rest = lines.get(1..).unwrap_or_default();
        let within = candidate(append_new_lines(&format!("{kept}{first}\n"), rest));
        match is_item(first) || first.starts_with("assertions:") {
            true => out.extend([anew, within]),
            false => out.extend([within, anew]),
        }
    }
    out
}

/// The texts of a reply that may continue a transcript, and whether each is complete: in a fence, before the
/// end of a fence that the previous reply opened, or in prose.
fn continuations(reply: &str, ended: Ended) -> Vec<(String, bool)> {
    if let Some(block) = blocks(reply).into_iter().find(|block| !block.body.trim().is_empty()) {
        let is_of_end = block.info.is_empty() && !block.closed;
        if !is_of_end {
            return vec![(block.body, block.closed || ended == Ended::Stop)];
        }
    }
    let is_fence = |line: &str| line.trim_start().starts_with("```");
    let is_closed = reply.lines().any(is_fence);
    let before: String = reply.split_inclusive('\n').take_while(|line| !is_fence(line)).collect();
    // If only an opening fence precedes, its content follows.
    let text = match before.trim().is_empty() {
        true => reply.split_inclusive('\n').filter(|line| !is_fence(line)).collect(),
        false => before,
    };
    let whole = is_closed || ended != Ended::Length;
    let items: String = text.split_inclusive('\n').skip_while(|line| !is_item(line)).collect();
    match items.is_empty() || items.len() == text.trim_start_matches('\n').len() {
        true => vec![(text, whole)],
        false => vec![(text, whole), (items, whole)],
    }
}

/// Whether a line begins an item of a list.
fn is_item(line: &str) -> bool {
    line.trim_start().starts_with("- ")
}

/// `kept` with its last line, followed by those of `lines` that it does not have.
fn append_new_lines(kept: &str, lines: &[&str]) -> String {
    let before: Vec<&str> = kept.lines().filter(|line| !line.trim().is_empty()).collect();
    let is_same = |count: &usize| {
        let end = before.iter().rev().take(*count).rev().map(|line| line.trim());
        end.eq(lines.iter().take(*count).map(|line| line.trim()))
    };
    let repeated = (1..=REPEATED.min(lines.len()).min(before.len())).rev().find(is_same).unwrap_or(0);
    let indent = |line: &str| line.len() - line.trim_start().len();
    let list_indent = before.iter().rev().find(|line| is_item(line)).map_or(0, |line| indent(line));
    let new_indent = lines.iter().find(|line| is_item(line)).map_or(list_indent, |line| indent(line));
    let mut out = kept.to_owned();
    let mut is_list = true;
    for line in lines.iter().skip(repeated) {
        // Keys of the document follow the list.
        is_list = is_list && (line.trim().is_empty() || line.starts_with([' ', '\t', '-']));
        if is_list {
            out.push_str(&" ".repeat(list_indent.saturating_sub(new_indent)));
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}
