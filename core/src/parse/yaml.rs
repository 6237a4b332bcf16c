//! One pass over a YAML text: parser events to a tree.

use std::collections::BTreeMap;
use std::sync::Arc;

use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError, Tag};
use serde_json::{Number, Value};

use super::limits::Limits;
use super::node::{Data, Entry, Key, Node};
use super::{scalar, unclosed};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::text::Span;

/// What one pass gave: the tree up to the first syntax error, and that error.
pub(super) struct Pass {
    pub root: Option<Node>,
    pub diagnostics: Vec<Diagnostic>,
    pub error: Option<Diagnostic>,
}

/// Reads the first document of `text` up to its first syntax error.
pub(super) fn pass(text: &str, limits: &Limits) -> Pass {
    let options = granit_parser::options! {
        emit_unresolved_aliases: true,
        flow_nesting_limit: limits.max_depth(),
        block_nesting_limit: limits.max_depth(),
        simple_key_max_lookahead: 1024,
    };
    let mut builder = Builder::new(text, limits);
    let mut error = None;
    for event in Parser::new_from_str_with_options(text, options) {
        match event {
            Ok((event, span)) => {
                if !builder.event(event, byte_span(span)) {
                    break;
                }
            }
            Err(scan_error) => {
                error = Some(syntax_error(&scan_error, text, limits));
                break;
            }
        }
    }
    builder.close_open_frames();
    Pass { root: builder.root, diagnostics: builder.diagnostics, error }
}

fn byte_span(span: granit_parser::Span) -> Span {
    let range = span.byte_range().unwrap_or(0..0);
    Span::new(range.start, range.end)
}

fn syntax_error(error: &ScanError, text: &str, limits: &Limits) -> Diagnostic {
    if let Some(diagnostic) = unclosed::quote(error, text) {
        return diagnostic;
    }
    let start = error.marker().byte_offset().unwrap_or(0).min(text.len());
    let width = text
        .get(start..)
        .and_then(|rest| rest.chars().next())
        .filter(|c| !c.is_control())
        .map_or(0, char::len_utf8);
    let span = Span::new(start, start + width);
    if matches!(error.kind(), ErrorKind::RecursionLimitExceeded) {
        return limits.too_deep(span);
    }
    let mut diagnostic = Diagnostic::new(codes::SYNTAX, Severity::Error, span, sentence(&error.info()));
    if let Some(help) = remedy(error.kind()) {
        diagnostic = diagnostic.help(help);
    }
    diagnostic
}

/// The parser's words in the form of ours: lower case, without a final stop, on one line.
fn sentence(info: &str) -> String {
    let info = info.lines().next().unwrap_or("").trim_end_matches('.');
    let mut chars = info.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

fn remedy(kind: &ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabAtBlockScalarStart
        | ErrorKind::TabInPlainScalar => "indent with spaces: YAML forbids tabs there",
        ErrorKind::MappingValueNotAllowed | ErrorKind::InvalidColonPlacement => {
            "put a text that holds `: ` in quotes"
        }
        ErrorKind::UnclosedFlowCollection { .. }
        | ErrorKind::UnexpectedEofFlowMapping
        | ErrorKind::UnexpectedEofFlowSequence
        | ErrorKind::ExpectedFlowMappingSeparator
        | ErrorKind::ExpectedFlowSequenceSeparator => "close the bracket, or put a comma between the items",
        ErrorKind::InvalidSimpleKey | ErrorKind::SimpleKeyExpected => "a key needs `: ` after it",
        ErrorKind::UnknownQuotedScalarEscape => "write `\\\\` for a backslash, or use single quotes",
        ErrorKind::InvalidIndentation
        | ErrorKind::ExpectedBlockMappingKey
        | ErrorKind::ExpectedBlockSequenceEntry => "items of one list or map begin at the same column",
        _ => return None,
    })
}

enum Frame {
    Seq { start: Span, anchor: usize, items: Vec<Sized> },
    Map { start: Span, anchor: usize, entries: Vec<(Key, Sized)>, key: Option<Key>, odd_key: bool },
}

/// A node with the number of nodes and levels below it, aliases followed.
#[derive(Clone)]
struct Sized {
    node: Node,
    nodes: usize,
    levels: usize,
}

struct Builder<'t> {
    text: &'t str,
    limits: &'t Limits,
    frames: Vec<Frame>,
    anchors: BTreeMap<usize, Sized>,
    alias_nodes: usize,
    documents: usize,
    root: Option<Node>,
    diagnostics: Vec<Diagnostic>,
}

impl<'t> Builder<'t> {
    fn new(text: &'t str, limits: &'t Limits) -> Self {
        Self {
            text,
            limits,
            frames: Vec::new(),
            anchors: BTreeMap::new(),
            alias_nodes: 0,
            documents: 0,
            root: None,
            diagnostics: Vec::new(),
        }
    }

    /// Takes one event; `false` when no more are wanted.
    fn event(&mut self, event: Event<'_>, span: Span) -> bool {
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    let message = "a second document begins here; only the first is read";
                    self.report(
                        Diagnostic::new(codes::SECOND_DOCUMENT, Severity::Error, span, message)
                            .help("keep one transcript to a file"),
                    );
                    return false;
                }
            }
            Event::Scalar(text, style, anchor, tag) => {
                let data = self.scalar(&text, style, tag.as_deref(), span);
                self.finish(Sized { node: Node { span, data }, nodes: 1, levels: 0 }, anchor);
            }
            Event::Alias(id) => self.alias(id, span),
            Event::UnresolvedAlias(name) => {
                let message = format!("unknown anchor `{name}`");
                let found = Diagnostic::new(codes::UNKNOWN_ALIAS, Severity::Error, span, message)
                    .help(format!("mark the value meant with `&{name}` above, or put the text in quotes"));
                self.report(found);
                self.finish(null(span), 0);
            }
            Event::SequenceStart(_, anchor, _) => {
                self.frames.push(Frame::Seq { start: span, anchor, items: Vec::new() });
            }
            Event::MappingStart(_, anchor, _) => {
                self.frames.push(Frame::Map {
                    start: span,
                    anchor,
                    entries: Vec::new(),
                    key: None,
                    odd_key: false,
                });
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(span),
            _ => {}
        }
        true
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, tag: Option<&Tag>, span: Span) -> Data {
        let core = tag.and_then(Tag::core_suffix);
        let is_text = style != ScalarStyle::Plain && !matches!(core, Some("int" | "float" | "bool" | "null"));
        if core == Some("str") || is_text {
            return Data::Str(text.into());
        }
        let resolved = scalar::resolve(text);
        if let Some(loss) = resolved.loss {
            let found =
                Diagnostic::new(codes::LOSSY_SCALAR, Severity::Warning, span, format!("`{text}` {loss}"))
                    .help("put it in quotes if a text is meant");
            self.report(found);
        }
        match (core, resolved.data) {
            (Some("float"), Data::Number(number)) => {
                Data::Number(number.as_f64().and_then(Number::from_f64).unwrap_or(number))
            }
            (_, data) => data,
        }
    }

    fn alias(&mut self, id: usize, span: Span) {
        let Some(target) = self.anchors.get(&id).cloned() else {
            let found = Diagnostic::new(
                codes::UNKNOWN_ALIAS,
                Severity::Error,
                span,
                "the alias lies inside the value it names",
            )
            .help("write the value out");
            self.report(found);
            return self.finish(null(span), 0);
        };
        self.alias_nodes = self.alias_nodes.saturating_add(target.nodes);
        if self.alias_nodes > self.limits.alias_nodes {
            if !self.diagnostics.iter().any(|found| found.code == codes::ALIAS_LIMIT) {
                self.report(self.limits.too_many_alias_nodes(span));
            }
            return self.finish(null(span), 0);
        }
        if self.frames.len() + target.levels > self.limits.max_depth() {
            self.report(self.limits.too_deep(span));
            return self.finish(null(span), 0);
        }
        let node = Node { span, data: target.node.data };
        self.finish(Sized { node, nodes: target.nodes, levels: target.levels }, 0);
    }

    fn close(&mut self, end: Span) {
        let Some(frame) = self.frames.pop() else { return };
        let (start, anchor, data, nodes, levels) = match frame {
            Frame::Seq { start, anchor, items } => {
                let (nodes, levels) = measure(items.iter());
                let items: Arc<[Node]> = items.into_iter().map(|item| item.node).collect();
                (start, anchor, Data::Seq(items), nodes, levels)
            }
            Frame::Map { start, anchor, entries, .. } => {
                let (nodes, levels) = measure(entries.iter().map(|(_, value)| value));
                let entries = self.without_doubles(entries);
                (start, anchor, Data::Map(entries), nodes, levels)
            }
        };
        let span = Span::new(start.start as usize, self.trimmed_end(start.start as usize, end.end as usize));
        self.finish(Sized { node: Node { span, data }, nodes, levels }, anchor);
    }

    /// The end of a block collection without the line ends, blanks and comments that follow it.
    ///
    /// The parser ends a block collection where the next thing begins.
    fn trimmed_end(&self, start: usize, end: usize) -> usize {
        let Some(mut body) = self.text.get(start..end) else { return end };
        loop {
            body = body.trim_end();
            let line_start = body.rfind('\n').map_or(0, |at| at + 1);
            let last_line = body.get(line_start..).unwrap_or("");
            if line_start > 0 && last_line.trim_start().starts_with('#') {
                body = body.get(..line_start).unwrap_or("");
            } else {
                return start + body.len();
            }
        }
    }

    /// The entries without repeated keys: the first of each is kept, as an error tells.
    fn without_doubles(&mut self, entries: Vec<(Key, Sized)>) -> Arc<[Entry]> {
        let mut seen: BTreeMap<Arc<str>, Span> = BTreeMap::new();
        let mut kept = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            match seen.get(&key.text) {
                Some(&first) => {
                    let message = format!("the key `{}` stands twice in one map", key.text);
                    let found = Diagnostic::new(codes::DUPLICATE_KEY, Severity::Error, key.span, message)
                        .related(first, "first here; this one counts")
                        .help("remove one of the two: readers disagree on which one counts");
                    self.report(found);
                }
                None => {
                    seen.insert(Arc::clone(&key.text), key.span);
                    kept.push(Entry { key, value: value.node });
                }
            }
        }
        kept.into()
    }

    /// Puts a finished node where it belongs.
    fn finish(&mut self, done: Sized, anchor: usize) {
        if anchor != 0 {
            self.anchors.insert(anchor, done.clone());
        }
        let odd = match self.frames.last_mut() {
            None => {
                if self.root.is_none() && !(done.node.is_null() && done.node.span.is_empty()) {
                    self.root = Some(done.node);
                }
                return;
            }
            Some(Frame::Seq { items, .. }) => {
                items.push(done);
                return;
            }
            Some(Frame::Map { entries, key, odd_key, .. }) => {
                if *odd_key {
                    *odd_key = false;
                    return;
                }
                if let Some(key) = key.take() {
                    entries.push((key, done));
                    return;
                }
                let span = done.node.span;
                match key_text(&done.node.data) {
                    Some(text) => {
                        *key = Some(Key { text, span });
                        return;
                    }
                    None => *odd_key = true,
                }
                span
            }
        };
        let found = Diagnostic::new(codes::ODD_KEY, Severity::Error, odd, "a key is a list or a map")
            .help("use a text as the key");
        self.report(found);
    }

    /// Closes what a syntax error left open, so that the part before it can be used.
    fn close_open_frames(&mut self) {
        while !self.frames.is_empty() {
            let end = self.text.len();
            let at = match self.frames.last() {
                Some(Frame::Seq { start, items, .. }) => {
                    items.last().map_or(start.end, |item| item.node.span.end)
                }
                Some(Frame::Map { start, entries, .. }) => {
                    entries.last().map_or(start.end, |(_, value)| value.node.span.end)
                }
                None => 0,
            };
            self.close(Span::empty((at as usize).min(end)));
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}

fn null(span: Span) -> Sized {
    Sized { node: Node { span, data: Data::Null }, nodes: 1, levels: 0 }
}

fn measure<'n>(children: impl Iterator<Item = &'n Sized>) -> (usize, usize) {
    children.fold((1, 1), |(nodes, levels): (usize, usize), child| {
        (nodes.saturating_add(child.nodes), levels.max(child.levels + 1))
    })
}

/// The text of a key; scalars of other kinds are keys by their JSON text.
fn key_text(data: &Data) -> Option<Arc<str>> {
    match data {
        Data::Str(text) => Some(Arc::clone(text)),
        Data::Null => Some("null".into()),
        Data::Bool(value) => Some(Value::Bool(*value).to_string().into()),
        Data::Number(number) => Some(number.to_string().into()),
        Data::Seq(_) | Data::Map(_) => None,
    }
}
