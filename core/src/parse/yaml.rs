//! One pass over a YAML text: parser events to a tree.

use std::sync::Arc;

use granit_parser::{Event, Parser, ScalarStyle, StructureStyle, Tag};
use serde_json::{Number, Value};

use super::exact::Numbers;
use super::keys::Keys;
use super::limits::Limits;
use super::node::{Data, Entry, Key, Node};
use super::{non_text_key, scalar, slips, syntax, tags};
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::text::{Span, Table};

/// The result of one pass: the tree up to the first syntax error, and that error.
pub(super) struct Pass {
    pub root: Option<Node>,
    pub diagnostics: Vec<Diagnostic>,
    pub error: Option<Diagnostic>,
}

/// Reads the first document of `text` up to its first syntax error.
pub(super) fn pass(text: &str, limits: &Limits, numbers: Numbers) -> Pass {
    let options = granit_parser::options! {
        emit_unresolved_aliases: true,
        emit_comments: false,
        flow_nesting_limit: limits.max_depth(),
        block_nesting_limit: limits.max_depth(),
        simple_key_max_lookahead: 1024,
    };
    let mut builder = Builder::new(text, limits, numbers);
    let mut error = None;
    for event in Parser::new_from_str_with_options(text, options) {
        match event {
            Ok((event, span)) => {
                if !builder.event(event, byte_span(span)) {
                    break;
                }
            }
            Err(scan_error) => {
                let found = syntax::diagnostic(&scan_error, text, builder.progress(), limits);
                error = Some(builder.slip_before(&found).unwrap_or(found));
                break;
            }
        }
    }
    builder.close_open_frames();
    Pass { root: builder.root, diagnostics: builder.diagnostics, error }
}

/// The span of a scalar; the parser includes the blank lines below a block scalar, and the
/// indentation of a comment there.
pub(super) fn scalar_span(text: &str, span: Span, style: ScalarStyle) -> Span {
    if !matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
        return span;
    }
    let block = span.slice(text).trim_end_matches([' ', '\t', '\n', '\r']);
    Span::new(span.start as usize, span.start as usize + block.len())
}

fn byte_span(span: granit_parser::Span) -> Span {
    let range = span.byte_range().unwrap_or(0..0);
    Span::new(range.start, range.end)
}

enum Frame {
    Seq {
        start: usize,
        is_block: bool,
        anchor: usize,
        items: Vec<Sized>,
    },
    Map {
        start: usize,
        is_block: bool,
        anchor: usize,
        entries: Vec<(Key, Sized)>,
        key: Option<Key>,
        non_text_key: bool,
        /// How many faults were found before it.
        found: usize,
    },
}

/// A node with its expanded size, aliases followed.
#[derive(Clone)]
struct Sized {
    node: Node,
    size: Size,
}

/// The size of a node, itself included.
#[derive(Clone, Copy)]
struct Size {
    nodes: usize,
    /// The bytes of its texts and keys.
    bytes: usize,
    levels: usize,
}

impl Size {
    fn of_scalar(data: &Data) -> Self {
        let bytes = if let Data::Str(text) = data { text.len() } else { 0 };
        Self { nodes: 1, bytes, levels: 0 }
    }

    /// The size of a list or map of these children.
    fn around<'n>(children: impl Iterator<Item = &'n Sized>) -> Self {
        children.fold(Self { nodes: 1, bytes: 0, levels: 1 }, |sum, child| Self {
            nodes: sum.nodes.saturating_add(child.size.nodes),
            bytes: sum.bytes.saturating_add(child.size.bytes),
            levels: sum.levels.max(child.size.levels + 1),
        })
    }
}

struct Builder<'t> {
    text: &'t str,
    limits: &'t Limits,
    numbers: Numbers,
    frames: Vec<Frame>,
    anchors: Table<usize, Sized>,
    alias_nodes: usize,
    alias_bytes: usize,
    documents: usize,
    /// The end of the last event, and the last text in quotes.
    read: usize,
    quoted: Option<Span>,
    root: Option<Node>,
    diagnostics: Vec<Diagnostic>,
}

impl<'t> Builder<'t> {
    fn new(text: &'t str, limits: &'t Limits, numbers: Numbers) -> Self {
        Self {
            text,
            limits,
            numbers,
            frames: Vec::new(),
            anchors: Table::new(),
            alias_nodes: 0,
            alias_bytes: 0,
            documents: 0,
            read: 0,
            quoted: None,
            root: None,
            diagnostics: Vec::new(),
        }
    }

    /// Handles one event; `false` when no more are needed.
    fn event(&mut self, event: Event<'_>, span: Span) -> bool {
        let before = self.read;
        self.read = before.max(span.end as usize);
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    let message = "a second document starts here; only the first is read";
                    self.report(
                        Diagnostic::new(codes::SECOND_DOCUMENT, Severity::Error, span, message)
                            .help("move it to another file"),
                    );
                    return false;
                }
            }
            Event::Scalar(text, style, anchor, tag) => {
                let span = scalar_span(self.text, span, style);
                if text == "<<" && style == ScalarStyle::Plain && tag.is_none() && self.is_at_key() {
                    self.report(merge_key(span));
                }
                if matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted) {
                    self.quoted = Some(span);
                }
                let data = self.scalar(&text, style, tag.as_deref(), span);
                self.tag(tag.as_deref(), before, span, &data, Some(style));
                let size = Size::of_scalar(&data);
                self.finish(Sized { node: Node { span, data }, size }, anchor);
            }
            Event::Alias(id) => self.alias(id, span),
            Event::UnresolvedAlias(name) => {
                if let Some(found) = slips::asterisk(self.text, span) {
                    self.report(found);
                    let data = Data::Str(slips::rest_of_value(self.text, span.start as usize).into());
                    let size = Size::of_scalar(&data);
                    self.finish(Sized { node: Node { span, data }, size }, 0);
                    return true;
                }
                let message = format!("unknown anchor `{name}`");
                let found = Diagnostic::new(codes::UNKNOWN_ALIAS, Severity::Error, span, message)
                    .help(format!("add the anchor `&{name}` to a value above, or put the text in quotes"));
                self.report(found);
                // A list continues without the unknown item; null in its place would be another
                // fault.
                if !matches!(self.frames.last(), Some(Frame::Seq { .. })) {
                    self.finish(null(span), 0);
                }
            }
            Event::SequenceStart(style, anchor, tag) => {
                self.tag(tag.as_deref(), before, span, &Data::Seq([].into()), None);
                let (start, is_block) = (span.start as usize, style == StructureStyle::Block);
                self.frames.push(Frame::Seq { start, is_block, anchor, items: Vec::new() });
            }
            Event::MappingStart(style, anchor, tag) => {
                self.tag(tag.as_deref(), before, span, &Data::Map([].into()), None);
                self.frames.push(Frame::Map {
                    start: span.start as usize,
                    is_block: style == StructureStyle::Block,
                    anchor,
                    entries: Vec::new(),
                    key: None,
                    non_text_key: false,
                    found: self.diagnostics.len(),
                });
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(Some(span.end as usize)),
            _ => {}
        }
        true
    }

    fn tag(&mut self, tag: Option<&Tag>, read: usize, span: Span, data: &Data, style: Option<ScalarStyle>) {
        let Some(tag) = tag else { return };
        let found = tags::check(self.text, tag, read, span, data, style);
        self.diagnostics.extend(found);
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, tag: Option<&Tag>, span: Span) -> Data {
        let core = tag.and_then(Tag::core_suffix);
        let is_text = style != ScalarStyle::Plain && !matches!(core, Some("int" | "float" | "bool" | "null"));
        if core == Some("str") || is_text {
            return Data::Str(text.into());
        }
        let resolved = scalar::resolve(text, self.numbers);
        if let Some(loss) = resolved.loss {
            let found =
                Diagnostic::new(codes::LOSSY_SCALAR, Severity::Warning, span, format!("`{text}` {loss}"));
            let quoted = Value::from(text).to_string();
            self.report(match self.numbers {
                Numbers::Nearest => found.help("put it in quotes to make it a string").fix(
                    Applicability::Suggested,
                    "put it in quotes",
                    span,
                    quoted,
                ),
                // A log is read and not written.
                Numbers::Exact => found,
            });
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
                "the alias is inside its own value",
            )
            .help("write out the value");
            self.report(found);
            return self.finish(null(span), 0);
        };
        self.alias_nodes = self.alias_nodes.saturating_add(target.size.nodes);
        self.alias_bytes = self.alias_bytes.saturating_add(target.size.bytes);
        if let Some(found) = self.limits.too_many_aliases(self.alias_nodes, self.alias_bytes, span) {
            if !self.diagnostics.iter().any(|earlier| earlier.code == found.code) {
                self.report(found);
            }
            return self.finish(null(span), 0);
        }
        if self.frames.len() + target.size.levels > self.limits.max_depth() {
            self.report(self.limits.too_deep(span));
            return self.finish(null(span), 0);
        }
        let node = Node { span, data: target.node.data };
        self.finish(Sized { node, size: target.size }, 0);
    }

    /// Ends the innermost list or map. One in brackets ends at the bracket, where the parser reports it;
    /// any other, or one that is cut off, at the end of its content.
    fn close(&mut self, end: Option<usize>) {
        let Some(frame) = self.frames.pop() else { return };
        let (start, anchor, end, data, size) = match frame {
            Frame::Seq { start, is_block, anchor, items } => {
                let end = end.filter(|_| !is_block).unwrap_or_else(|| self.end_of_items(start, &items));
                let size = Size::around(items.iter());
                let items: Arc<[Node]> = items.into_iter().map(|item| item.node).collect();
                (start, anchor, end, Data::Seq(items), size)
            }
            Frame::Map { start, is_block, anchor, entries, found, .. } => {
                let end = end.filter(|_| !is_block).unwrap_or_else(|| self.end_of_entries(start, &entries));
                let span = Span::new(start, end);
                if let Some(template) = non_text_key::template(self.text, span).filter(|_| entries.is_empty())
                {
                    // The only fault was to read it as maps.
                    self.diagnostics.truncate(found);
                    self.report(template);
                    let data = Data::Str(span.slice(self.text).into());
                    let size = Size::of_scalar(&data);
                    return self.finish(Sized { node: Node { span, data }, size }, anchor);
                }
                let mut size = Size::around(entries.iter().map(|(_, value)| value));
                let keys = entries.iter().map(|(key, _)| key.text.len());
                size.bytes = keys.fold(size.bytes, usize::saturating_add);
                (start, anchor, end, Data::Map(self.without_doubles(entries)), size)
            }
        };
        self.finish(Sized { node: Node { span: Span::new(start, end), data }, size }, anchor);
    }

    /// The end of the last item; an empty one ends at its dash.
    fn end_of_items(&self, start: usize, items: &[Sized]) -> usize {
        let Some(last) = items.last().map(|item| item.node.span) else { return start };
        if !last.is_empty() {
            return last.end as usize;
        }
        start + self.text.get(start..last.start as usize).unwrap_or("").trim_end().len()
    }

    /// The end of the last value; where that is empty, the colon of its key.
    fn end_of_entries(&self, start: usize, entries: &[(Key, Sized)]) -> usize {
        let Some((key, value)) = entries.last() else { return start };
        if !value.node.span.is_empty() {
            return value.node.span.end as usize;
        }
        let end = key.span.end as usize;
        let rest = self.text.get(end..).unwrap_or("");
        let colon = rest.trim_start_matches([' ', '\t']);
        if colon.starts_with(':') { end + (rest.len() - colon.len()) + 1 } else { end }
    }

    /// Whether the next node is a key.
    fn is_at_key(&self) -> bool {
        matches!(self.frames.last(), Some(Frame::Map { key: None, non_text_key: false, .. }))
    }

    /// The entries without repeated keys: the first of each is kept, as the error describes.
    fn without_doubles(&mut self, entries: Vec<(Key, Sized)>) -> Arc<[Entry]> {
        let mut keys = Keys::default();
        let mut kept = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            match keys.place(&kept, &key.text) {
                Some(first) => {
                    let message = format!("duplicate key `{}`", key.text);
                    let found = Diagnostic::new(codes::DUPLICATE_KEY, Severity::Error, key.span, message)
                        .related(first, "first here; this value is used")
                        .help("remove one: parsers disagree on which one to use");
                    self.report(found);
                }
                None => kept.push(Entry { key, value: value.node }),
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
            Some(Frame::Map { entries, key, non_text_key, .. }) => {
                if *non_text_key {
                    *non_text_key = false;
                    return;
                }
                if let Some(key) = key.take() {
                    entries.push((key, done));
                    return;
                }
                let span = done.node.span;
                match key_text(&done.node.data) {
                    Some(text) => {
                        let found = non_text_key::check(self.text, &done.node, &text);
                        *key = Some(Key { text, span });
                        self.diagnostics.extend(found);
                        return;
                    }
                    None => *non_text_key = true,
                }
                span
            }
        };
        self.report(non_text_key::no_text(odd));
    }

    /// Removes the typo found on the line of `error`, which it led to.
    fn slip_before(&mut self, error: &Diagnostic) -> Option<Diagnostic> {
        self.diagnostics.pop_if(|last| {
            let between = Span::new(last.span.end as usize, error.span.start as usize);
            last.code == codes::SYNTAX && !between.slice(self.text).contains('\n')
        })
    }

    fn progress(&self) -> syntax::Progress {
        syntax::Progress { read: self.read, quoted: self.quoted, bracket: self.open_bracket() }
    }

    /// The bracket that opens the innermost list or map, if it has brackets in a document laid out
    /// by indentation.
    fn open_bracket(&self) -> Option<usize> {
        let is_block = |frame: &Frame| match frame {
            Frame::Seq { is_block, .. } | Frame::Map { is_block, .. } => *is_block,
        };
        if !self.frames.first().is_some_and(is_block) {
            return None;
        }
        match self.frames.last() {
            Some(Frame::Seq { start, is_block: false, .. } | Frame::Map { start, is_block: false, .. }) => {
                Some(*start)
            }
            _ => None,
        }
    }

    /// Closes what a syntax error left open, so that the part before it can be used.
    fn close_open_frames(&mut self) {
        while !self.frames.is_empty() {
            self.close(None);
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}

fn null(span: Span) -> Sized {
    Sized { node: Node { span, data: Data::Null }, size: Size::of_scalar(&Data::Null) }
}

fn merge_key(span: Span) -> Diagnostic {
    let message = "parsers disagree on `<<`: some merge the map, others keep the key";
    Diagnostic::new(codes::MERGE_KEY, Severity::Warning, span, message)
        .help("write out the keys; `<<` is kept as a key, as in YAML 1.2")
}

/// The text of a key; scalars of other kinds are keys by their JSON text.
pub(super) fn key_text(data: &Data) -> Option<Arc<str>> {
    match data {
        Data::Str(text) => Some(Arc::clone(text)),
        Data::Null => Some("null".into()),
        Data::Bool(value) => Some(Value::Bool(*value).to_string().into()),
        Data::Number(number) => Some(number.to_string().into()),
        Data::Seq(_) | Data::Map(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The source under the value of `key` in the top-level map.
    fn source_of(text: &str, key: &str) -> String {
        let root = pass(text, &Limits::default(), Numbers::Nearest).root.unwrap();
        root.get(key).unwrap().span.slice(text).to_owned()
    }

    #[test]
    fn a_block_collection_ends_with_its_last_child() {
        assert_eq!(source_of("a:\n  b: 1\n\n  # c\nd: 2\n", "a"), "b: 1");
        assert_eq!(source_of("a:\n  - \"b\n    # c\"\n# d\n", "a"), "- \"b\n    # c\"");
        assert_eq!(source_of("a:\n  - |\n    b\n    # c\n\n\n  # d\n", "a"), "- |\n    b\n    # c");
        assert_eq!(source_of("a:\n  b:\n    c :\n\nd: 2\n", "a"), "b:\n    c :");
        assert_eq!(source_of("a:\n  - b\n  - \n\nd: 2\n", "a"), "- b\n  -");
        assert_eq!(source_of("a:\n  - {b: 1,\n    }\n\nd: 2\n", "a"), "- {b: 1,\n    }");
        assert_eq!(source_of("a: |+\n  b\n\n\n# c\n", "a"), "b");
    }
}
