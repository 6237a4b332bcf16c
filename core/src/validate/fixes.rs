//! Small text edits for fixes: added and removed items and entries.
//!
//! An edit is `None` if this code does not support the layout of the text; the diagnostic then has
//! no fix.

use crate::diagnostic::{Applicability, Diagnostic, Edit, plain};
pub(super) use crate::diagnostic::{quoted, scalar};
use crate::parse::{Data, Node};
use crate::query::QueryError;
use crate::text::Span;

/// Whether the text is laid out as JSON, so that keys and words need their quotes.
fn is_json(source: &str) -> bool {
    source.trim_start().starts_with(['{', '['])
}

/// A word or a key that may be inserted anywhere in the source.
pub(super) fn word(source: &str, text: &str) -> String {
    if is_json(source) { quoted(text) } else { plain(text) }
}

/// Adds `item` at the end of a list.
pub(super) fn append_item(source: &str, list: &Node, item: &str) -> Option<Edit> {
    let Data::Seq(items) = &list.data else { return None };
    append(source, list.span, items.last().map(|last| last.span), item, true)
}

/// Adds an entry at the end of a map; `value` is already text in the source's syntax.
pub(super) fn append_entry(source: &str, map: &Node, key: &str, value: &str) -> Option<Edit> {
    let Data::Map(entries) = &map.data else { return None };
    let last = entries.last().map(|entry| Span { start: entry.key.span.start, end: entry.value.span.end });
    append(source, map.span, last, &format!("{}: {value}", word(source, key)), false)
}

/// Inserts an entry before the others of a map; `value` is already text in the source's syntax.
pub(super) fn prepend_entry(source: &str, map: &Node, key: &str, value: &str) -> Option<Edit> {
    let at = map.entries().first()?.key.span.start as usize;
    let key = word(source, key);
    if map.span.slice(source).starts_with('{') {
        return Some(Edit { span: Span::empty(at), text: format!("{key}: {value}, ") });
    }
    let line = source.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let before = source.get(line..at)?;
    // The entries of a block are below each other, the first one perhaps behind the dash of an item.
    let is_blank = before.bytes().all(|byte| matches!(byte, b' ' | b'-'));
    let pad = " ".repeat(before.len());
    is_blank.then(|| Edit { span: Span::empty(at), text: format!("{key}: {value}\n{pad}") })
}

fn append(source: &str, whole: Span, last: Option<Span>, piece: &str, is_item: bool) -> Option<Edit> {
    let written = whole.slice(source);
    let Some(last) = last else {
        // An empty list or map is in brackets.
        let open = written.get(..1).filter(|open| matches!(*open, "[" | "{"))?;
        let close = if open == "[" { "]" } else { "}" };
        return Some(Edit { span: whole, text: format!("{open}{piece}{close}") });
    };
    let end = trimmed_end(source, last);
    if written.starts_with(['[', '{']) {
        return Some(Edit { span: Span::empty(end), text: format!(", {piece}") });
    }
    let line = source.get(..last.start as usize)?.rfind('\n').map_or(0, |at| at + 1);
    let before = source.get(line..last.start as usize)?;
    let indent = before.len() - before.trim_start_matches(' ').len();
    let dash = if is_item { "- " } else { "" };
    // In a block, only indentation and the dash of an item precede a piece on its line.
    let fits = if is_item { before.trim() == "-" } else { before.trim().is_empty() };
    let at = end + source.get(end..)?.find(['\r', '\n']).unwrap_or(source.len() - end);
    let ending = if source.get(at..)?.starts_with('\r') { "\r\n" } else { "\n" };
    let pad = " ".repeat(indent);
    fits.then(|| Edit { span: Span::empty(at), text: format!("{ending}{pad}{dash}{piece}") })
}

/// Removes the item at `index` of a list.
pub(super) fn remove_item(source: &str, list: &Node, index: usize) -> Option<Edit> {
    let spans = |at: usize| list.items().get(at).map(|item| item.span);
    remove(source, list, index, spans)
}

/// Removes the entry of `key` from a map.
pub(super) fn remove_entry(source: &str, map: &Node, key: &str) -> Option<Edit> {
    let entries = map.entries();
    let index = entries.iter().position(|entry| &*entry.key.text == key)?;
    let spans = |at: usize| {
        let entry = entries.get(at)?;
        Some(Span { start: entry.key.span.start, end: entry.value.span.end })
    };
    remove(source, map, index, spans)
}

fn remove(source: &str, whole: &Node, index: usize, spans: impl Fn(usize) -> Option<Span>) -> Option<Edit> {
    let piece = spans(index)?;
    let end = trimmed_end(source, piece);
    let (previous, next) = (index.checked_sub(1).and_then(&spans), spans(index + 1));
    if whole.span.slice(source).starts_with(['[', '{']) {
        let (start, end) = match (previous, next) {
            (_, Some(next)) => (piece.start as usize, next.start as usize),
            (Some(previous), None) => (previous.end as usize, end),
            (None, None) => (piece.start as usize, end),
        };
        let gap = match (previous, next) {
            (_, Some(next)) => source.get(piece.end as usize..next.start as usize)?,
            (Some(previous), None) => source.get(previous.end as usize..piece.start as usize)?,
            (None, None) => "",
        };
        let is_comma = gap.chars().all(|character| character == ',' || character.is_whitespace());
        return is_comma.then(|| Edit { span: Span::new(start, end), text: String::new() });
    }
    // Without its last piece a block would be nothing, which is another value.
    if previous.is_none() && next.is_none() {
        return None;
    }
    let line = source.get(..piece.start as usize)?.rfind('\n').map_or(0, |at| at + 1);
    let before = source.get(line..piece.start as usize)?.trim();
    let wanted = if matches!(whole.data, Data::Seq(_)) { "-" } else { "" };
    let rest = source.get(end..)?;
    let past = end + rest.find('\n').map_or(rest.len(), |at| at + 1);
    (before == wanted).then(|| Edit { span: Span::new(line, past), text: String::new() })
}

/// Adds a remedy to `diagnostic`, which is about `error`. The error is in the text at `node`, `text`.
pub(super) fn query(
    source: &str,
    node: Span,
    text: &str,
    error: QueryError,
    diagnostic: Diagnostic,
) -> Diagnostic {
    let diagnostic = if error.help.is_empty() { diagnostic } else { diagnostic.help(error.help) };
    let span = diagnostic.span;
    // In a text with escapes the place may be that of the whole text, and a plain one cannot begin with any sign.
    let is_sure = span.slice(source) == text.get(error.at).unwrap_or("") && span.start != node.start;
    match error.meant.filter(|_| is_sure) {
        Some(meant) => diagnostic.fix(Applicability::Suggested, format!("write {meant}"), span, meant),
        None => diagnostic,
    }
}

/// Where a piece ends, without line ends that belong to a block text.
fn trimmed_end(source: &str, piece: Span) -> usize {
    piece.start as usize + piece.slice(source).trim_end().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::apply;
    use crate::parse::{Limits, parse};

    fn edited(source: &str, edit: impl Fn(&Node) -> Option<Edit>) -> Option<String> {
        let root = parse(source, &Limits::default()).root.unwrap();
        apply(source, &[edit(root.get("a").unwrap())?])
    }

    #[test]
    fn pieces_come_at_the_end() {
        let item = |source: &str| edited(source, |list| append_item(source, list, "z")).unwrap();
        assert_eq!(item("a: [x, y] # c\n"), "a: [x, y, z] # c\n");
        assert_eq!(item("a: []\n"), "a: [z]\n");
        assert_eq!(item("a:\n  - x\n  - y # why\nb: 1\n"), "a:\n  - x\n  - y # why\n  - z\nb: 1\n");
        assert_eq!(item("a:\r\n- x\r\nb: 1\r\n"), "a:\r\n- x\r\n- z\r\nb: 1\r\n");
        assert_eq!(
            item("a:\n- n: x\n  d: |\n    text\n\nb: 1\n"),
            "a:\n- n: x\n  d: |\n    text\n- z\n\nb: 1\n"
        );
        let entry = |source: &str| edited(source, |map| append_entry(source, map, "k", "1"));
        assert_eq!(entry("a: {x: 2}").unwrap(), "a: {x: 2, k: 1}");
        assert_eq!(entry("{\"a\": {}}").unwrap(), "{\"a\": {\"k\": 1}}");
        assert_eq!(entry("a:\n  x: 2\n").unwrap(), "a:\n  x: 2\n  k: 1\n");
        assert_eq!(entry("a: text"), None);
    }

    #[test]
    fn an_entry_comes_first() {
        let entry =
            |source: &str| edited(source, |list| prepend_entry(source, list.items().first()?, "k", "1"));
        assert_eq!(entry("a: [{x: 2}]").unwrap(), "a: [{k: 1, x: 2}]");
        assert_eq!(entry("a:\n  - x: 2\n    y: 3\n").unwrap(), "a:\n  - k: 1\n    x: 2\n    y: 3\n");
        assert_eq!(entry("a: [{}]"), None);
    }

    #[test]
    fn pieces_go_with_their_line_or_comma() {
        let item = |source: &str, index| edited(source, |list| remove_item(source, list, index));
        assert_eq!(item("a: [x, y, z]", 0).unwrap(), "a: [y, z]");
        assert_eq!(item("a: [x, y, z]", 2).unwrap(), "a: [x, y]");
        assert_eq!(item("a: [x]", 0).unwrap(), "a: []");
        assert_eq!(item("a:\n  - x # c\n  - y\nb: 1\n", 1).unwrap(), "a:\n  - x # c\nb: 1\n");
        assert_eq!(item("a:\n  - x\n", 0), None);
        assert_eq!(item("a: [x, # why\n  y]", 0), None);
        let entry = |source: &str| edited(source, |map| remove_entry(source, map, "k"));
        assert_eq!(entry("a:\n  k: 1\n  x: 2\n").unwrap(), "a:\n  x: 2\n");
        assert_eq!(entry("a: {x: 2, k: 1}").unwrap(), "a: {x: 2}");
    }
}
