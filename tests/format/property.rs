//! Invariants of every text and its formatted form.

use serde_json::Value;
use transcript_core::parse::{Limits, PieceKind, layout, parse};

/// A formatter.
pub(crate) type Formatter<'f> = &'f dyn Fn(&str) -> Option<String>;

fn data(text: &str) -> Option<Value> {
    parse(text, &Limits::default()).root.map(|root| root.to_value())
}

/// The comments, anchors and aliases of a text.
fn marks(text: &str) -> Vec<String> {
    let pieces = layout(text, &Limits::default()).unwrap_or_default();
    let is_mark = |kind| matches!(kind, PieceKind::Comment | PieceKind::Anchor | PieceKind::Alias);
    let marks = pieces.into_iter().filter(|piece| is_mark(piece.kind));
    let mut found: Vec<String> = marks.map(|piece| piece.span.slice(text).trim_end().to_owned()).collect();
    found.sort();
    found
}

/// The first rule that the formatted form of `text` violates; `None` when all hold, or the text
/// is refused.
pub(crate) fn fault(formatter: Formatter<'_>, text: &str) -> Option<String> {
    let formatted = formatter(text)?;
    let Some(again) = formatter(&formatted) else { return Some(format!("refuses its own\n{formatted}")) };
    let broken = |what: &str| Some(format!("{what}\n{formatted}"));
    if again != formatted {
        return Some(format!("not idempotent\n{formatted}\n---- again\n{again}"));
    }
    if data(text) != data(&formatted) {
        return broken("other data");
    }
    if marks(text) != marks(&formatted) {
        return broken("other comments, anchors or aliases");
    }
    if !formatted.ends_with('\n') {
        return broken("no final line end");
    }
    if formatted.contains("\r\n") != text.split_once('\n').is_some_and(|(line, _)| line.ends_with('\r')) {
        return broken("other line ends");
    }
    let lines: Vec<&str> = formatted.lines().collect();
    // A blank behind a backslash is text.
    let trails = |line: &&&str| line.ends_with([' ', '\t']) && !line.trim_end().ends_with('\\');
    if let Some(line) = lines.iter().find(trails) {
        return broken(&format!("a trailing blank: {line:?}"));
    }
    lines.iter().enumerate().find_map(|(at, line)| {
        let stays = comment_stays(line, &lines[at + 1..], &lines[..at]);
        (!stays).then(|| format!("a comment out of place: {line:?}\n{formatted}"))
    })
}

/// Whether the comment in `line`, if it names its place, is there.
fn comment_stays(line: &str, below: &[&str], above: &[&str]) -> bool {
    let is_comment = |line: &&&str| line.trim_start().starts_with('#') || line.is_empty();
    // Items are named `i1` and so on; keys are themselves.
    let is_item = |name: &str| {
        name.strip_prefix('i').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let begins = |line: &str, name: &str| {
        let mut rest = line.trim_start();
        if is_item(name) {
            return rest.starts_with('-');
        }
        while let Some(inner) = rest.strip_prefix("- ") {
            rest = inner.trim_start();
        }
        rest.starts_with(&format!("{name}:"))
    };
    // The top of the file stays there.
    if line.starts_with("# above ")
        && above.iter().all(|line| line.starts_with(['#', '%']) || line.starts_with("---") || line.is_empty())
    {
        return true;
    }
    if let Some((text, name)) = line.split_once("# above ") {
        let next = below.iter().find(|line| !is_comment(line)).copied().unwrap_or("");
        return text.trim().is_empty() && begins(next, name);
    }
    if let Some((text, name)) = line.split_once("# eol ") {
        let first = above.iter().rev().find(|line| begins(line, name));
        // Of an item in brackets that becomes a block, the comment goes above it.
        let next = below.iter().find(|line| !is_comment(line)).copied().unwrap_or("");
        if text.trim().is_empty() && is_item(name) && begins(next, name) {
            return true;
        }
        return begins(text, name) || !text.trim().is_empty() && (is_item(name) || first.is_some());
    }
    if let Some((_, name)) = line.split_once("# below ") {
        let last = above.iter().rev().find(|line| !is_comment(line)).copied().unwrap_or("");
        return begins(last, name);
    }
    true
}
