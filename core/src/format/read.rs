//! Converts the lossless tree of a text to the tree that is printed, and assigns each comment to an
//! entry.
//!
//! A comment at the end of a line belongs to the entry with its text there. One on a line of its own
//! belongs to the entry below it, unless it is indented like what ended above it: then it ends that list
//! or map, or follows that entry.

use super::tree::{Block, Collection, Comment, Data, Entry, Node, Tree};
use crate::parse::{Group, Piece, PieceKind, Style, SyntaxKind, SyntaxNode, SyntaxTree};
use crate::text::Span;

/// The text around the document itself, which is kept unchanged.
pub(super) struct Frame<'t> {
    /// Directives and the `---` that begins the document.
    pub head: &'t str,
    /// The `...` that ends it, with what follows.
    pub tail: &'t str,
}

/// The frame of the document in `text`.
pub(super) fn frame<'t>(text: &'t str, pieces: &[Piece]) -> Frame<'t> {
    let mut head = "";
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if is_marker(line, "---") {
            let rest = line.get(3..).unwrap_or("").trim_start();
            let length = if rest.is_empty() || rest.starts_with('#') { line.len() } else { 3 };
            head = text.get(..at + length).unwrap_or("");
            break;
        }
        if !(line.trim().is_empty() || line.starts_with('%') || line.trim_start().starts_with('#')) {
            break;
        }
        at += line.len();
    }
    let solid = pieces.iter().filter(|piece| piece.kind != PieceKind::Comment && !piece.span.is_empty());
    let mut at = solid.map(|piece| piece.span.end as usize).max().unwrap_or(0);
    let mut tail = "";
    for line in text.get(at..).unwrap_or("").split_inclusive('\n') {
        let starts_a_line = at == 0 || text.as_bytes().get(at - 1) == Some(&b'\n');
        if starts_a_line && is_marker(line, "...") {
            tail = text.get(at..).unwrap_or("");
            break;
        }
        at += line.len();
    }
    Frame { head, tail }
}

fn is_marker(line: &str, marker: &str) -> bool {
    line.strip_prefix(marker).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\n']))
}

/// The tree of a document; `None` when the document is a single scalar.
pub(super) fn tree<'t>(text: &'t str, pieces: &[Piece], frame: &Frame<'t>) -> Option<Tree<'t>> {
    let within = frame.head.len()..text.len() - frame.tail.len();
    let source = SyntaxTree::from_pieces(text, pieces, within.start)?;
    let root = source.node(0).filter(|root| root.group().is_some())?;
    let is_inside = |comment: &&Span| within.contains(&(comment.start as usize));
    let mut reader = Reader {
        source: &source,
        comments: source.comments.iter().filter(is_inside).copied().collect(),
        next: 0,
        tree: Tree { entries: vec![Entry::default()], same_anchors: source.same_anchors, ..Tree::default() },
        closed: Vec::new(),
        last: 0,
        mark: within.start,
    };
    if !root.is_block() {
        reader.flush(root.start, Target::Value(0));
    }
    reader.node(0, 0, 0, false)?;
    reader.flush(within.end, Target::End);
    reader.split_head();
    Some(reader.tree)
}

struct Reader<'s, 't> {
    source: &'s SyntaxTree<'t>,
    comments: Vec<Span>,
    /// The first comment that has no place yet.
    next: usize,
    tree: Tree<'t>,
    /// The block collections that ended since the last entry began, the innermost first.
    closed: Vec<usize>,
    /// The entry at the end of what was read.
    last: usize,
    /// The end of what was read.
    mark: usize,
}

/// What the comments before a place may belong to.
#[derive(Clone, Copy)]
enum Target {
    /// A new entry of a collection, beginning at that place.
    New { entry: usize, collection: usize, own: usize },
    /// The value of an entry.
    Value(usize),
    /// The end of a collection in brackets.
    Foot(usize),
    /// The end of the document.
    End,
}

impl<'t> Reader<'_, 't> {
    /// Reads a node, the key or the value of entry `number`, in a collection of that column. `None` for a
    /// list or map as a key.
    fn node(&mut self, id: usize, number: usize, column: usize, is_key: bool) -> Option<()> {
        let source = self.source;
        let node = source.node(id)?;
        let text = source.text.get(node.start..node.end)?;
        let data = match &node.kind {
            SyntaxKind::Scalar(_) if text.is_empty() => Data::Empty,
            SyntaxKind::Scalar(Style::Literal | Style::Folded) => {
                Data::Block(block(source.rest(node.start), column))
            }
            SyntaxKind::Scalar(style) => Data::Scalar(*style, text),
            SyntaxKind::Alias(target) => {
                self.tree.aliases.push((node.start, source.node(*target)?.begin));
                Data::Alias(text)
            }
            SyntaxKind::List(_) | SyntaxKind::Map(_) if is_key => return None,
            SyntaxKind::List(_) | SyntaxKind::Map(_) => Data::Collection(self.tree.collections.len()),
        };
        self.set_node(number, is_key, Node { props: source.props_of(node), data, is_truth: false });
        match node.group() {
            Some(group) => self.collection(node, group, number),
            None => {
                self.finish(node.start + text.trim_end().len(), number);
                Some(())
            }
        }
    }

    fn collection(&mut self, node: &SyntaxNode, group: &Group, owner: usize) -> Option<()> {
        let number = self.tree.collections.len();
        // Columns in brackets do not matter: all may be on one long line.
        let column = if group.flow { 0 } else { self.source.column(node.start) };
        self.tree.collections.push(Collection {
            is_map: matches!(node.kind, SyntaxKind::Map(_)),
            flow: group.flow,
            column,
            owner,
            start: node.start,
            end: node.end,
            ..Collection::default()
        });
        let brackets = group.flow && self.source.rest(node.start).starts_with(['[', '{']);
        if group.flow {
            self.finish(node.start + usize::from(brackets), owner);
        } else {
            self.last = owner;
        }
        for slot in &group.slots {
            let entry = self.tree.entries.len();
            self.tree.entries.push(Entry { start: slot.start, ..Entry::default() });
            let first = self.source.node(slot.key.unwrap_or(slot.value))?;
            let upto = if first.is_block() { slot.start } else { first.start };
            self.flush(upto, Target::New { entry, collection: number, own: slot.start });
            self.tree.collections.get_mut(number)?.entries.push(entry);
            if let Some(key) = slot.key {
                self.node(key, entry, column, true)?;
                let value = self.source.node(slot.value)?;
                if !value.is_block() {
                    self.flush(value.start, Target::Value(entry));
                }
            }
            self.node(slot.value, entry, column, false)?;
        }
        if brackets {
            self.flush(node.end.saturating_sub(1), Target::Foot(number));
        }
        if group.flow {
            self.finish(node.end, owner);
        } else {
            self.closed.push(number);
        }
        Some(())
    }

    fn set_node(&mut self, number: usize, is_key: bool, node: Node<'t>) {
        let Some(entry) = self.tree.entry(number) else { return };
        if is_key {
            entry.key = Some(node);
        } else {
            entry.value = node;
        }
    }

    fn finish(&mut self, end: usize, entry: usize) {
        self.mark = self.mark.max(end);
        self.last = entry;
    }

    /// Assigns the comments before `upto` to their entries.
    fn flush(&mut self, upto: usize, target: Target) {
        let own = if let Target::New { own, .. } = target { own.min(upto) } else { upto };
        // The collections above that a comment may end, the innermost first; once one comment is
        // outside of a collection, all later ones are too.
        let mut chain = std::mem::take(&mut self.closed);
        if let Target::New { collection, .. } = target {
            chain.push(collection);
        }
        let mut passed = 0;
        while let Some(comment) = self.take(own) {
            match comment {
                (text, None, _) => self.end_line(self.last, text),
                (text, Some(column), blank) => {
                    let comment = Comment { text, blank };
                    self.settle(comment, column, &chain, &mut passed, target);
                }
            }
        }
        let Target::New { entry: number, .. } = target else { return };
        let blank = self.is_blank(own);
        self.mark = self.mark.max(own);
        if let Some(entry) = self.tree.entry(number) {
            entry.blank = blank;
        }
        while let Some(comment) = self.take(upto) {
            match (comment, self.tree.entry(number)) {
                ((text, Some(_), blank), Some(entry)) => entry.lead.push(Comment { text, blank }),
                ((text, ..), _) => self.end_line(number, text),
            }
        }
    }

    /// The next comment before `upto`, with its column if it has a line of its own, and whether a blank
    /// line precedes it.
    fn take(&mut self, upto: usize) -> Option<(&'t str, Option<usize>, bool)> {
        let span = *self.comments.get(self.next)?;
        let start = span.start as usize;
        if start >= upto {
            return None;
        }
        self.next += 1;
        let blank = self.is_blank(start);
        let column = self.column(start);
        self.mark = self.mark.max(span.end as usize);
        Some((span.slice(self.source.text).trim_end(), column, blank))
    }

    /// The column of the comment at `start`, if it has a line of its own.
    fn column(&self, start: usize) -> Option<usize> {
        let from = self.mark.min(start);
        let before = self.source.text.get(from..start)?;
        let line = match before.rfind('\n') {
            Some(at) => before.get(at + 1..)?,
            None if from == 0 || self.source.text.as_bytes().get(from - 1) == Some(&b'\n') => before,
            None => return None,
        };
        line.trim().is_empty().then_some(line.len())
    }

    /// Whether a blank line is between what was read and `to`.
    fn is_blank(&self, to: usize) -> bool {
        let gap = self.source.text.get(self.mark.min(to)..to).unwrap_or("");
        let lines = gap.rsplit_once('\n').and_then(|(lines, _)| lines.split_once('\n'));
        lines.is_some_and(|(_, lines)| lines.split('\n').any(|line| line.trim().is_empty()))
    }

    /// Puts a comment at the end of the first line of an entry, or above it if the line has one.
    fn end_line(&mut self, number: usize, text: &'t str) {
        let Some(entry) = self.tree.entry(number) else { return };
        if entry.eol.is_none() {
            entry.eol = Some(text);
        } else {
            entry.lead.push(Comment { text, blank: false });
        }
    }

    /// Finds the place of a comment on its own line.
    fn settle(
        &mut self,
        comment: Comment<'t>,
        column: usize,
        chain: &[usize],
        passed: &mut usize,
        target: Target,
    ) {
        let (new, flow) = match target {
            Target::Value(entry) => return self.lead(entry, comment),
            Target::Foot(collection) => {
                let is_empty = |all: &Collection<'_>| all.entries.is_empty();
                let Some(collection) = self.tree.collections.get_mut(collection) else { return };
                let owner = collection.owner;
                match (is_empty(collection), owner) {
                    (false, _) => collection.foot.push(comment),
                    (true, 0) => self.tree.tail.push(comment),
                    (true, owner) => self.below(owner, comment),
                }
                return;
            }
            Target::New { entry, collection, .. } => {
                (Some(entry), self.tree.collections.get(collection).is_some_and(|all| all.flow))
            }
            Target::End => (None, false),
        };
        if let Some(entry) = new.filter(|_| flow) {
            return self.lead(entry, comment);
        }
        let column_of =
            |number: &usize| self.tree.collections.get(*number).map_or(0, |collection| collection.column);
        let last = chain.len().saturating_sub(1);
        let is_outside = chain.last().is_none_or(|number| column <= column_of(number));
        let found = (*passed..chain.len())
            .find(|at| !is_outside && chain.get(*at).is_some_and(|number| column_of(number) <= column));
        let at = found.unwrap_or(last);
        let (before, is_deeper) = (*passed, chain.get(at).is_some_and(|number| column_of(number) < column));
        // A comment between the columns of two collections ends the inner one.
        let foot = if is_deeper && at > before { at - 1 } else { at };
        if is_deeper
            && at == 0
            && before == 0
            && new.is_none_or(|entry| self.tree.entries.get(entry).is_some_and(|new| new.lead.is_empty()))
            && let Some(entry) = chain.first().and_then(|number| self.last_line_of(*number))
        {
            return self.below(entry, comment);
        }
        *passed = foot;
        match (new, chain.get(foot)) {
            (Some(entry), _) if foot == last => {
                // Nothing deeper takes what follows.
                *passed = last;
                self.lead(entry, comment);
            }
            (_, Some(number)) => {
                if let Some(collection) = self.tree.collections.get_mut(*number) {
                    collection.foot.push(comment);
                }
            }
            (_, None) => self.tree.tail.push(comment),
        }
    }

    /// The last entry of a collection, unless a comment below it would become part of its text.
    fn last_line_of(&self, collection: usize) -> Option<usize> {
        let collection = self.tree.collections.get(collection)?;
        let number = *collection.entries.last().filter(|_| collection.foot.is_empty())?;
        let entry = self.tree.entries.get(number)?;
        let is_block = |number: usize| self.tree.collections.get(number).is_some_and(|all| !all.flow);
        let ends_open =
            matches!(entry.value.data, Data::Block(_)) || entry.value.collection().is_some_and(is_block);
        (!ends_open).then_some(number)
    }

    fn lead(&mut self, number: usize, comment: Comment<'t>) {
        if let Some(entry) = self.tree.entry(number) {
            entry.lead.push(comment);
        }
    }

    fn below(&mut self, number: usize, comment: Comment<'t>) {
        if let Some(entry) = self.tree.entry(number) {
            entry.below.push(comment);
        }
    }

    /// Separates the comments of the file from those of its first key: all above the last blank line,
    /// and those that configure rules; without a blank line, all of them.
    fn split_head(&mut self) {
        let Some(root) = self.tree.root() else { return };
        let Some(collection) = self.tree.collections.get(root) else { return };
        let first = if collection.flow { Some(0) } else { collection.entries.first().copied() };
        let Some(entry) = first.and_then(|number| self.tree.entries.get_mut(number)) else { return };
        let flags: Vec<bool> = entry.lead.iter().map(|comment| comment.blank).chain([entry.blank]).collect();
        let is_end = |at: &usize| {
            *at > 0
                && (flags.get(*at) == Some(&true)
                    || entry.lead.get(*at - 1).is_some_and(|above| is_configuration(above.text)))
        };
        let is_one_block = !flags.iter().skip(1).any(|blank| *blank);
        let end = if collection.flow || is_one_block {
            entry.lead.len()
        } else {
            (0..flags.len()).rev().find(is_end).unwrap_or(0)
        };
        self.tree.head_blank = end > 0 && flags.get(end) == Some(&true);
        self.tree.head = entry.lead.drain(..end).collect();
    }
}

/// Whether a comment configures rules, so that its line means something.
pub(super) fn is_configuration(comment: &str) -> bool {
    comment.strip_prefix('#').is_some_and(|text| text.trim_start().starts_with("transcript:"))
}

/// The block scalar with the `|` or `>` at the start of `rest`, in a collection of that column.
fn block(rest: &str, column: usize) -> Block<'_> {
    let (header, body) = rest.split_once('\n').unwrap_or((rest, ""));
    let marks: Vec<char> = header.chars().take_while(|c| "|>+-123456789".contains(*c)).collect();
    let style = marks.first().copied().unwrap_or('|');
    let chomp = marks.iter().copied().find(|c| matches!(c, '+' | '-'));
    let digit = marks.iter().find_map(|c| c.to_digit(10)).map(|digit| column + digit as usize);
    let spaces = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let is_blank = |line: &str| line.trim_matches([' ', '\t']).is_empty();
    let found = body.split('\n').find(|line| !is_blank(line)).map(spaces);
    let indent = digit.or(found.filter(|indent| *indent > column)).unwrap_or(usize::MAX);
    let mut lines: Vec<&str> = body
        .split_inclusive('\n')
        .map(|line| line.strip_suffix('\n').unwrap_or(line))
        .take_while(|line| is_blank(line) || spaces(line) >= indent)
        .map(|line| line.get(indent..).unwrap_or(""))
        .collect();
    if chomp != Some('+') {
        while lines.pop_if(|line| line.is_empty()).is_some() {}
    }
    Block { style, chomp, lines }
}
