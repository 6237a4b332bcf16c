//! The entries of a file of chats, with their places.

use serde_json::Value;

use super::shape;
use crate::import::files::LogFile;
use crate::import::numbers;
use crate::import::records::Records;
use crate::import::repair::Tree;
use crate::import::values::{self, Entry};
use crate::parse::{Data, Limits, Node, parse, parse_exactly};
use crate::text::{LineIndex, Span};

/// An entry of a file.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub value: Value,
    pub line: u32,
    pub span: Span,
    /// The number of its list, if each line is one.
    pub list: usize,
}

/// The entries of a file: JSON, one after the other or in a list, or else YAML.
pub(super) fn sources(file: &LogFile<'_>) -> (Vec<Source>, Records) {
    let mut values = values::read(file.text);
    let (mut list, mut end) = (0, 0);
    let mut out: Vec<Source> = Vec::new();
    for Entry { value, span, line } in std::mem::take(&mut values.entries) {
        let between = file.text.get(end..span.start as usize).unwrap_or("").trim_start();
        end = span.end as usize;
        list += usize::from(between.strip_prefix(']').is_some_and(|rest| rest.trim_start().starts_with('[')));
        match is_list(&value) {
            true => list_items(file.text, (line, span), &mut list, &mut out),
            false => out.push(Source { value, line, span, list }),
        }
    }
    // Of a truncated request, what is before the cut is read.
    let cut = values.lost.iter().filter_map(|piece| {
        let value = piece.read.clone()?;
        let is_whole = matches!(shape::classify(&value), Some(shape::Shape::RequestRecord(_)));
        is_whole.then_some(Source { value, line: piece.line, span: piece.span, list: 0 })
    });
    out.extend(cut);
    // The same for a list inside a list.
    for piece in values.lost.iter().filter(|piece| piece.span.slice(file.text).starts_with('[')) {
        list_items(file.text, (piece.line, piece.span), &mut list, &mut out);
    }
    if out.is_empty()
        && let Some(found) = as_yaml(file).or_else(|| read_broken_request(file))
    {
        return found;
    }
    (out, Records::from_values(file, &mut values))
}

/// Whether a value is a list of the parts of a chat, as nested in a list.
fn is_list(value: &Value) -> bool {
    value.as_array().is_some_and(|items| items.iter().any(|item| shape::classify(item).is_some()))
}

/// The items of such a list up to where it is cut; each is a list of its own.
fn list_items(text: &str, (line, span): (u32, Span), list: &mut usize, out: &mut Vec<Source>) {
    let values = values::read(span.slice(text));
    // A separate number for the list, and another one for what follows.
    *list += 1;
    out.extend(values.entries.into_iter().map(|entry| Source {
        span: Span::new((span.start + entry.span.start) as usize, (span.start + entry.span.end) as usize),
        line: line + entry.line - 1,
        value: entry.value,
        list: *list,
    }));
    *list += 1;
}

/// The readable parts of a broken request.
fn read_broken_request(file: &LogFile<'_>) -> Option<(Vec<Source>, Records)> {
    let records = Records::read(file);
    let source = |root: &Node| Source {
        value: root.to_value(),
        line: records.lines.line(root.span.start as usize),
        span: root.span,
        list: 0,
    };
    let out: Vec<Source> = records.roots.iter().map(source).collect();
    out.iter().any(|one| shape::classify(&one.value).is_some()).then_some((out, records))
}

fn as_yaml(file: &LogFile<'_>) -> Option<(Vec<Source>, Records)> {
    let parsed = parse_exactly(file.text);
    let root = parsed.root?;
    let lines = LineIndex::new(file.text);
    let source = |node: &Node, list: usize| Source {
        value: node.to_value(),
        line: lines.line(node.span.start as usize),
        span: node.span,
        list,
    };
    let out: Vec<Source> = match &root.data {
        Data::Seq(items) => {
            let of = |(at, item): (usize, &Node)| match &item.data {
                Data::Seq(items) => items.iter().map(|item| source(item, at + 1)).collect(),
                _ => vec![source(item, 0)],
            };
            items.iter().enumerate().flat_map(of).collect()
        }
        Data::Map(_) => vec![source(&root, 0)],
        _ => return None,
    };
    out.iter().any(|one| shape::classify(&one.value).is_some()).then(|| {
        let mut log = Records::new(file.path, file.text);
        if !parsed.well_formed {
            log.unmapped.keep_text(file.text);
        }
        log.report.layout = if matches!(root.data, Data::Seq(_)) { "array" } else { "object" }.into();
        log.diagnostics = numbers::diagnose_numbers(file.text, &root, parsed.diagnostics);
        (out, log)
    })
}

/// The places of the items of a list in an entry; empty if the entry is on one line, which is then the place
/// of all.
pub(super) fn places(source: &Source, list: &str, text: &str) -> Vec<(u32, Span)> {
    let own = source.span.slice(text);
    if !own.trim_end().contains('\n') {
        return Vec::new();
    }
    let is_json = own.starts_with('{');
    let root = match is_json {
        true => Tree::read_by_lines(own, source.span.start as usize).placed(),
        false => parse(text, &Limits { bytes: usize::MAX, ..Limits::default() }).root,
    };
    let Some(items) = root.as_ref().and_then(|root| found(root, list, 2)) else { return Vec::new() };
    let lines = LineIndex::new(text);
    items.iter().map(|item| (lines.line(item.span.start as usize), item.span)).collect()
}

/// The list under a key of a map, or of a map in it.
fn found<'n>(node: &'n Node, list: &str, depth: usize) -> Option<&'n [Node]> {
    if let Some(items) = node.get(list).map(Node::items).filter(|items| !items.is_empty()) {
        return Some(items);
    }
    if depth == 0 {
        return None;
    }
    node.entries().iter().find_map(|entry| found(&entry.value, list, depth - 1))
}
