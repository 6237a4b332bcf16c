//! The lossless tree of a text: the place of every value, with what introduces it.
//!
//! It exists next to the tree of data, which has no dashes, commas, comments and anchors. Formatting
//! and edits use it.

use super::layout::{Piece, PieceKind, Style, layout};
use super::limits::Limits;
use crate::text::{Span, Table};

/// A text with the places of all that it consists of.
pub(crate) struct SyntaxTree<'t> {
    pub text: &'t str,
    /// The values, keys and aliases in the order of the text. The first is the root.
    pub nodes: Vec<SyntaxNode>,
    /// The places of the comments, in order.
    pub comments: Vec<Span>,
    /// Whether the text is JSON, so that the output must be JSON too.
    pub json: bool,
    /// The line end that the text uses.
    pub newline: &'static str,
    /// For every alias, in order, the begin of the value that it names and its own.
    pub aliases: Vec<(usize, usize)>,
    /// Whether one name anchors two nodes.
    pub same_anchors: bool,
}

/// One value, key or alias.
pub(crate) struct SyntaxNode {
    /// Where it begins, with its tag and anchor.
    pub begin: usize,
    /// The start of its own text. For an empty value, where a text would begin.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    pub kind: SyntaxKind,
    /// Whether an alias names it.
    pub is_named: bool,
}

pub(crate) enum SyntaxKind {
    Scalar(Style),
    /// An alias with the node that it names.
    Alias(usize),
    List(Group),
    Map(Group),
}

/// The content of a list or a map.
pub(crate) struct Group {
    /// Whether it is in brackets.
    pub flow: bool,
    pub slots: Vec<Slot>,
}

/// One item of a list or entry of a map.
#[derive(Clone, Copy)]
pub(crate) struct Slot {
    /// The dash, the `?`, or the begin of the value.
    pub start: usize,
    /// The key of an entry.
    pub key: Option<usize>,
    pub value: usize,
    /// After the `-` or `:`, where the value may begin; `None` for a key without a colon.
    pub intro: Option<usize>,
    /// Past everything that belongs to it but comments.
    pub end: usize,
    /// The comma behind it.
    pub comma: Option<usize>,
}

impl SyntaxNode {
    pub(crate) fn group(&self) -> Option<&Group> {
        match &self.kind {
            SyntaxKind::List(group) | SyntaxKind::Map(group) => Some(group),
            _ => None,
        }
    }

    /// Whether it is laid out by indentation.
    pub(crate) fn is_block(&self) -> bool {
        self.group().is_some_and(|group| !group.flow)
    }
}

impl<'t> SyntaxTree<'t> {
    /// The tree of a text; `None` when it is not well-formed.
    pub(crate) fn new(text: &'t str, limits: &Limits) -> Option<Self> {
        let pieces = layout(text, limits)?;
        let is_node = |piece: &&Piece| !matches!(piece.kind, PieceKind::Comment | PieceKind::Anchor);
        let from = pieces.iter().find(is_node)?.span.start as usize;
        Self::from_pieces(text, &pieces, from)
    }

    /// The tree of a text with that layout. What introduces the root comes after `from`.
    pub(crate) fn from_pieces(text: &'t str, pieces: &[Piece], from: usize) -> Option<Self> {
        let mut tree = SyntaxTree {
            text,
            nodes: Vec::new(),
            comments: Vec::new(),
            json: true,
            newline: if text.contains("\r\n") { "\r\n" } else { "\n" },
            aliases: Vec::new(),
            same_anchors: false,
        };
        let mut anchors: Table<&str, usize> = Table::new();
        // The open lists and maps, each with the children so far.
        let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut last = 0;
        for found in pieces {
            let (start, end) = (found.span.start as usize, found.span.end as usize);
            let kind = match found.kind {
                PieceKind::Comment => {
                    tree.comments.push(found.span);
                    tree.json = false;
                    continue;
                }
                PieceKind::Anchor => {
                    let name = found.span.slice(text).trim_start_matches('&');
                    tree.same_anchors |= anchors.insert(name, last).is_some();
                    tree.json = false;
                    continue;
                }
                PieceKind::ListEnd | PieceKind::MapEnd => {
                    let (id, children) = open.pop()?;
                    let slots = slots(&children, matches!(found.kind, PieceKind::MapEnd));
                    if let Some(SyntaxNode {
                        kind: SyntaxKind::List(group) | SyntaxKind::Map(group),
                        end: last,
                        ..
                    }) = tree.nodes.get_mut(id)
                    {
                        group.slots = slots;
                        *last = end;
                    }
                    continue;
                }
                PieceKind::Scalar(style) => {
                    tree.json &=
                        style == Style::Double || style == Style::Plain && is_json(found.span.slice(text));
                    SyntaxKind::Scalar(style)
                }
                PieceKind::Alias => {
                    tree.json = false;
                    let target = anchors.get(found.span.slice(text).trim_start_matches('*')).copied();
                    SyntaxKind::Alias(target?)
                }
                PieceKind::ListStart { flow } => SyntaxKind::List(Group { flow, slots: Vec::new() }),
                PieceKind::MapStart { flow } => SyntaxKind::Map(Group { flow, slots: Vec::new() }),
            };
            tree.json &= !matches!(&kind, SyntaxKind::List(group) | SyntaxKind::Map(group) if !group.flow);
            let id = tree.nodes.len();
            if let Some((_, children)) = open.last_mut() {
                children.push(id);
            }
            if matches!(kind, SyntaxKind::List(_) | SyntaxKind::Map(_)) {
                open.push((id, Vec::new()));
            }
            tree.nodes.push(SyntaxNode { begin: start, start, end, kind, is_named: false });
            last = id;
        }
        let root = tree.nodes.first()?;
        // An edit finds no place in the JSON of a single scalar.
        tree.json &= root.group().is_some();
        tree.place(0, from)?;
        for id in 0..tree.nodes.len() {
            let Some(SyntaxNode { kind: SyntaxKind::Alias(target), start, .. }) = tree.nodes.get(id) else {
                continue;
            };
            let (target, start) = (*target, *start);
            if let Some(named) = tree.nodes.get_mut(target) {
                named.is_named = true;
                tree.aliases.push((named.start, start));
            }
        }
        tree.aliases.sort_unstable();
        Some(tree)
    }

    pub(crate) fn node(&self, id: usize) -> Option<&SyntaxNode> {
        self.nodes.get(id)
    }

    /// Finds what introduces the node and its children after `from`; returns its end.
    ///
    /// It recurses once per level of nesting, which the parser's limit bounds.
    fn place(&mut self, id: usize, from: usize) -> Option<usize> {
        let SyntaxNode { start, end, kind, .. } = self.nodes.get(id)?;
        let (mut start, mut end) = (*start, *end);
        let mut begin = self.skip(from).min(start);
        match kind {
            SyntaxKind::Scalar(Style::Literal | Style::Folded) => end = self.block_end(start, end),
            SyntaxKind::Scalar(_) | SyntaxKind::Alias(_) if end > start => {}
            SyntaxKind::Scalar(_) | SyntaxKind::Alias(_) => {
                begin = from;
                end = self.props(from);
                start = end;
            }
            SyntaxKind::List(group) | SyntaxKind::Map(group) => {
                let is_list = matches!(kind, SyntaxKind::List(_));
                let flow = group.flow;
                let dash = self.skip(self.props(from));
                if is_list && !flow && dash < start && self.rest(dash).starts_with('-') {
                    // The parser places a list at the column of its key behind the first dash.
                    start = dash;
                    begin = begin.min(start);
                }
                let brackets = flow && self.rest(start).starts_with(['[', '{']);
                let mut slots = group.slots.clone();
                let mut at = start + usize::from(brackets);
                for slot in &mut slots {
                    slot.start = self.skip(at);
                    at = self.place_slot(slot, is_list && !flow)?;
                    if flow {
                        let comma = self.skip(at);
                        if brackets && self.rest(comma).starts_with(',') {
                            slot.comma = Some(comma);
                            at = comma + 1;
                        }
                    }
                }
                if !brackets {
                    end = slots.last().map_or(start, |slot| slot.end);
                }
                if let Some(SyntaxNode { kind: SyntaxKind::List(group) | SyntaxKind::Map(group), .. }) =
                    self.nodes.get_mut(id)
                {
                    group.slots = slots;
                }
            }
        }
        let node = self.nodes.get_mut(id)?;
        (node.begin, node.start, node.end) = (begin, start, end);
        Some(end)
    }

    fn place_slot(&mut self, slot: &mut Slot, dash: bool) -> Option<usize> {
        let mut at = slot.start;
        if let Some(key) = slot.key {
            let is_explicit = self.rest(at).starts_with('?') && self.node(key)?.start > at;
            at = self.place(key, at + usize::from(is_explicit))?;
            let colon = self.skip(at);
            if self.rest(colon).starts_with(':') {
                at = colon + 1;
                slot.intro = Some(at);
            }
        } else {
            at += usize::from(dash);
            slot.intro = Some(at);
        }
        slot.end = self.place(slot.value, at)?;
        Some(slot.end)
    }

    pub(crate) fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or("")
    }

    /// The first byte at or after `at` that is neither white space nor in a comment.
    pub(crate) fn skip(&self, mut at: usize) -> usize {
        loop {
            let rest = self.rest(at);
            at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r', '\u{feff}']).len();
            match self.comments.binary_search_by_key(&at, |comment| comment.start as usize) {
                Ok(found) => at = self.comments.get(found).map_or(at, |comment| comment.end as usize),
                Err(_) => return at,
            }
        }
    }

    /// The end of a tag and an anchor at `at` in the line, or `at` when there is none.
    pub(crate) fn props(&self, at: usize) -> usize {
        let before = self.text.get(..at).and_then(|head| head.chars().next_back());
        let is_apart = before.is_none_or(|before| before.is_whitespace() || "[{,:".contains(before));
        let mut end = at;
        loop {
            let rest = self.rest(end);
            let word = rest.trim_start_matches([' ', '\t']);
            if !word.starts_with(['&', '!']) || end == at && word.len() == rest.len() && !is_apart {
                return end;
            }
            end += (rest.len() - word.len()) + prop_length(word);
        }
    }

    /// The anchor and the tag of a node, in the order of the text.
    pub(crate) fn props_of(&self, node: &SyntaxNode) -> Vec<&'t str> {
        let mut props = Vec::new();
        let mut at = self.skip(node.begin);
        while at < node.start {
            let rest = self.rest(at);
            let length = prop_length(rest).max(1);
            props.extend(rest.get(..length).filter(|word| word.starts_with(['&', '!'])));
            at = self.skip(at + length);
        }
        props
    }

    /// Where a block scalar ends: with its last line or, if it keeps the empty lines below, with those.
    fn block_end(&self, start: usize, end: usize) -> usize {
        let body = self.text.get(start..end).unwrap_or("").trim_end_matches([' ', '\t', '\n', '\r']);
        let mut end = start + body.len();
        let header = body.lines().next().unwrap_or("").split([' ', '\t']).next().unwrap_or("");
        if header.contains('+') {
            loop {
                let next = self.after_line(end);
                if next >= self.text.len()
                    || !self.text.get(next..self.line_end(next)).unwrap_or("x").trim().is_empty()
                {
                    return end;
                }
                end = self.line_end(next);
            }
        }
        end
    }

    /// The start of the line of `at`, after a byte order mark.
    pub(crate) fn line_start(&self, at: usize) -> usize {
        let head = self.text.get(..at).unwrap_or("");
        match head.rfind('\n') {
            Some(end) => end + 1,
            None if self.text.starts_with('\u{feff}') => at.min('\u{feff}'.len_utf8()),
            None => 0,
        }
    }

    /// Where the line of `at` ends, its line end not included.
    pub(crate) fn line_end(&self, at: usize) -> usize {
        let rest = self.rest(at);
        let line = rest.find('\n').and_then(|end| rest.get(..end)).unwrap_or(rest);
        at + line.strip_suffix('\r').unwrap_or(line).len()
    }

    /// Where the line after that of `at` begins, or the end of the text.
    pub(crate) fn after_line(&self, at: usize) -> usize {
        self.rest(at).find('\n').map_or(self.text.len(), |end| at + end + 1)
    }

    pub(crate) fn column(&self, at: usize) -> usize {
        at - self.line_start(at)
    }

    /// Whether only blanks precede `at` in its line.
    pub(crate) fn is_first_in_line(&self, at: usize) -> bool {
        // The line may be the whole of a large JSON text, so its begin is not searched.
        let head = self.text.get(..at).unwrap_or("").trim_end_matches([' ', '\t']);
        head.is_empty() || head.ends_with('\n') || head == "\u{feff}"
    }

    /// Whether a comment begins in `start..end`.
    pub(crate) fn has_comment(&self, start: usize, end: usize) -> bool {
        let first = self.comments.partition_point(|comment| (comment.start as usize) < start);
        self.comments.get(first).is_some_and(|comment| (comment.start as usize) < end)
    }

    /// The start of the lines of a slot that begins its line: with the comments directly above that
    /// are indented like it. Comments above the first entry of a document belong to the document.
    pub(crate) fn leading(&self, start: usize) -> usize {
        let mut at = self.line_start(start);
        if self.nodes.first().is_some_and(|root| root.is_block() && root.start == start) {
            return at;
        }
        let column = start - at;
        while let Some(above) = at.checked_sub(1) {
            let line = self.line_start(above);
            let is_comment =
                self.comments.binary_search_by_key(&(line + column), |found| found.start as usize);
            let blank = self.text.get(line..line + column).is_some_and(|head| head.trim().is_empty());
            if is_comment.is_err() || !blank {
                break;
            }
            at = line;
        }
        at
    }

    /// The end of the lines of a slot: a list or map includes the comments directly below it that are
    /// indented deeper, as its last lines.
    pub(crate) fn trailing(&self, slot: &Slot) -> usize {
        let column = self.column(slot.start);
        let mut end = self.after_line(slot.end);
        if !self.node(slot.value).is_some_and(SyntaxNode::is_block) {
            return end;
        }
        let mut next = self.comments.partition_point(|comment| (comment.start as usize) < end);
        while let Some(comment) = self.comments.get(next) {
            let start = comment.start as usize;
            if self.line_start(start) != end || start - end <= column || !self.is_first_in_line(start) {
                break;
            }
            end = self.after_line(start);
            next += 1;
        }
        end
    }

    /// Whether an alias outside of `start..end` names something inside.
    pub(crate) fn is_named_inside(&self, start: usize, end: usize) -> bool {
        let first = self.aliases.partition_point(|(target, _)| *target < start);
        let inside =
            self.aliases.get(first..).unwrap_or_default().iter().take_while(|(target, _)| *target < end);
        inside.into_iter().any(|(_, alias)| *alias >= end || *alias < start)
    }
}

/// Children in pairs for a map; the rest is found when they are placed.
fn slots(children: &[usize], is_map: bool) -> Vec<Slot> {
    let slot = |key, value| Slot { start: 0, key, value, intro: None, end: 0, comma: None };
    if !is_map {
        return children.iter().map(|&value| slot(None, value)).collect();
    }
    let pairs = children.chunks_exact(2);
    pairs.filter_map(|pair| Some(slot(Some(*pair.first()?), *pair.get(1)?))).collect()
}

/// The length of the anchor or tag at the begin of `rest`.
pub(crate) fn prop_length(rest: &str) -> usize {
    let is_end = |c: char| c.is_whitespace() || ",[]{}".contains(c);
    match rest.find('>') {
        Some(close) if rest.starts_with("!<") => close + 1,
        _ => rest.find(is_end).unwrap_or(rest.len()),
    }
}

fn is_json(plain: &str) -> bool {
    matches!(plain, "true" | "false" | "null") || plain.starts_with(|c: char| c.is_ascii_digit() || c == '-')
}
