//! The tree as YAML.

use super::read::{Frame, is_configuration};
use super::scalar::{self, Place, Written};
use super::tree::{Block, Comment, Data, Entry, Node, Tree};

/// The maximum width of a line with a list or map in brackets, in characters.
const FLOW_WIDTH: usize = 100;

/// The longest key, in bytes as written, that may precede its `:` without a `?`; see
/// [`crate::write::yaml`].
const SIMPLE_KEY: usize = 1000;

/// The document with the text around it.
pub(super) fn print(tree: &Tree<'_>, frame: &Frame<'_>) -> String {
    let mut printer = Printer { tree, out: String::new(), open_end: false };
    printer.verbatim(frame.head);
    printer.comments(&tree.head, 0, true);
    // The entry that is first after sorting may have comments of its own.
    let first = tree.root().and_then(|root| tree.collections.get(root)?.entries.first());
    let has_lead =
        first.and_then(|number| tree.entries.get(*number)).is_some_and(|entry| !entry.lead.is_empty());
    if tree.head_blank || has_lead && !tree.head.is_empty() {
        printer.blank();
    }
    if let Some(root) = tree.entries.first() {
        printer.root(root);
    }
    printer.comments(&tree.tail, 0, false);
    printer.verbatim(frame.tail);
    printer.out
}

struct Printer<'p, 't> {
    tree: &'p Tree<'t>,
    out: String,
    /// Whether the output ends in a block scalar that would include a following blank line.
    open_end: bool,
}

impl<'t> Printer<'_, 't> {
    /// The text around the document, without blanks at the ends of lines.
    fn verbatim(&mut self, text: &str) {
        for line in text.trim().lines() {
            self.out.push_str(line.trim_end());
            self.out.push('\n');
        }
    }

    fn root(&mut self, root: &Entry<'t>) {
        let Some(number) = root.value.collection() else { return };
        let mut line = root.value.props.join(" ");
        // In brackets it would look like JSON, or like broken JSON.
        let is_empty = self.tree.collections.get(number).is_some_and(|all| all.entries.is_empty());
        if is_empty {
            line.push_str(if line.is_empty() { "" } else { " " });
            self.flow(number, &mut line, None);
        }
        if let Some(eol) = root.eol {
            line.push_str(if line.is_empty() { "" } else { "  " });
            line.push_str(eol);
        }
        if !line.is_empty() {
            self.out.push_str(&line);
            self.out.push('\n');
        }
        if !is_empty {
            self.collection(number, 0, false);
        }
        self.comments(&root.below, 0, false);
    }

    /// The entries of a collection, each on its own line; the first continues the current line, if
    /// `here`.
    fn collection(&mut self, number: usize, column: usize, here: bool) {
        let Some(collection) = self.tree.collections.get(number) else { return };
        let mut is_first = true;
        for number in &collection.entries {
            let Some(entry) = self.tree.entries.get(*number) else { continue };
            self.comments(&entry.lead, column, is_first);
            if entry.blank && !(is_first && entry.lead.is_empty()) {
                self.blank();
            }
            if !(here && is_first) {
                self.spaces(column);
            }
            is_first = false;
            match &entry.key {
                Some(key) => {
                    self.key(key, column);
                    self.out.push(':');
                }
                None => self.out.push('-'),
            }
            self.value(entry, column);
            self.comments(&entry.below, column + 2, false);
        }
        self.comments(&collection.foot, column, false);
    }

    fn key(&mut self, key: &Node<'t>, column: usize) {
        let mut simple = String::new();
        if self.simple_key(key, &mut simple) {
            self.out.push_str(&simple);
            return;
        }
        self.out.push('?');
        self.node(key, column, None);
        if !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        self.spaces(column);
    }

    /// Writes a key on one line; `false` if it needs a `?`.
    fn simple_key(&self, key: &Node<'t>, out: &mut String) -> bool {
        let start = out.len();
        for prop in &key.props {
            out.push_str(prop);
            out.push(' ');
        }
        match &key.data {
            Data::Scalar(style, source) => match scalar::written(key, *style, source, Place::Key) {
                Written::Line(line) => out.push_str(&line),
                Written::Lines(_) => return false,
            },
            Data::Alias(alias) => {
                out.push_str(alias);
                // A colon may be a part of an anchor's name.
                out.push(' ');
            }
            Data::Empty => {}
            Data::Block(_) | Data::Collection(_) => return false,
        }
        out.len() - start <= SIMPLE_KEY
    }

    /// The value of an entry after its `-` or `:`, with the end of its line.
    fn value(&mut self, entry: &Entry<'t>, column: usize) {
        let Some(number) = entry.value.collection() else {
            self.node(&entry.value, column, entry.eol);
            if !self.out.ends_with('\n') {
                self.end_line(if matches!(entry.value.data, Data::Block(_)) { None } else { entry.eol });
            }
            return;
        };
        let mut line = String::from(" ");
        for prop in &entry.value.props {
            line.push_str(prop);
            line.push(' ');
        }
        let bare = line.len();
        if self.flow(number, &mut line, entry.eol) {
            self.out.push_str(&line);
            return self.end_line(entry.eol);
        }
        let collection = self.tree.collections.get(number);
        let first = collection.and_then(|all| all.entries.first()).and_then(|at| self.tree.entries.get(*at));
        let is_apart = first.is_some_and(|first| !first.lead.is_empty());
        let was_flow = collection.is_some_and(|all| all.flow);
        let mut eol = entry.eol;
        if entry.key.is_none()
            && bare == 1
            && was_flow
            && let Some(comment) = eol.take()
        {
            self.above_line(comment);
        }
        if entry.key.is_none() && eol.is_none() && bare == 1 && !is_apart {
            self.out.push(' ');
            return self.collection(number, column + 2, true);
        }
        self.out.push_str(line.get(..bare).unwrap_or("").trim_end());
        self.end_line(eol);
        self.collection(number, column + 2, false);
    }

    /// Puts a comment above the current line, which so far only has dashes.
    fn above_line(&mut self, comment: &str) {
        let start = self.out.rfind('\n').map_or(0, |newline| newline + 1);
        let line = self.out.split_off(start);
        self.spaces(line.len() - line.trim_start().len());
        self.out.push_str(comment);
        self.out.push('\n');
        self.out.push_str(&line);
    }

    /// A scalar or an alias after a `-`, `:` or `?`, up to the end of its last line.
    fn node(&mut self, node: &Node<'t>, column: usize, eol: Option<&str>) {
        for prop in &node.props {
            self.out.push(' ');
            self.out.push_str(prop);
        }
        match &node.data {
            Data::Empty | Data::Collection(_) => {}
            Data::Alias(alias) => {
                self.out.push(' ');
                self.out.push_str(alias);
            }
            Data::Scalar(style, source) => {
                self.out.push(' ');
                match scalar::written(node, *style, source, Place::Block) {
                    Written::Line(line) => self.out.push_str(&line),
                    Written::Lines(lines) => {
                        for (at, line) in lines.iter().enumerate() {
                            if at > 0 {
                                self.out.push('\n');
                                if !line.is_empty() {
                                    self.spaces(column + 2);
                                }
                            }
                            self.out.push_str(line);
                        }
                    }
                }
            }
            Data::Block(block) => {
                self.out.push(' ');
                self.block(block, column + 2, eol);
            }
        }
    }

    fn block(&mut self, block: &Block<'t>, column: usize, eol: Option<&str>) {
        self.out.push(block.style);
        let first = block.lines.iter().find(|line| !line.is_empty());
        if first.is_some_and(|line| line.starts_with([' ', '\t'])) {
            self.out.push('2');
        }
        self.out.extend(block.chomp);
        if let Some(eol) = eol {
            self.out.push_str("  ");
            self.out.push_str(eol);
        }
        for line in &block.lines {
            self.out.push('\n');
            if !line.is_empty() {
                self.spaces(column);
                self.out.push_str(line);
            }
        }
        // Its last line may be blank, and so look like the end of a line.
        if self.out.ends_with('\n') {
            self.out.push('\n');
        }
        self.open_end = block.chomp == Some('+');
    }

    /// Writes a collection in brackets on the current line; `out` is its part not yet printed. `false`
    /// if it does not fit there, or was a block.
    fn flow(&self, number: usize, out: &mut String, eol: Option<&str>) -> bool {
        let start = out.len();
        let used = self.out.rsplit('\n').next().map_or(0, |line| line.chars().count());
        let mut room = FLOW_WIDTH.saturating_sub(used + out.chars().count());
        if eol.is_some_and(is_configuration) {
            room = usize::MAX;
        }
        let fits = self.brackets(number, out, &mut room);
        if !fits {
            out.truncate(start);
        }
        fits
    }

    fn brackets(&self, number: usize, out: &mut String, room: &mut usize) -> bool {
        let Some(collection) = self.tree.collections.get(number) else { return false };
        if !collection.flow || !collection.foot.is_empty() {
            return false;
        }
        let (open, close) = if collection.is_map { ("{", "}") } else { ("[", "]") };
        let mut fits = push(out, open, room);
        for (at, number) in collection.entries.iter().enumerate() {
            let Some(entry) = self.tree.entries.get(*number) else { return false };
            if !fits || !entry.lead.is_empty() || entry.eol.is_some() || !entry.below.is_empty() {
                return false;
            }
            fits = at == 0 || push(out, ", ", room);
            if let Some(key) = &entry.key {
                let mut written = String::new();
                fits = fits && self.simple_key(key, &mut written) && push(out, &written, room);
                fits = fits && push(out, ": ", room);
            }
            fits = fits && self.flow_value(&entry.value, out, room);
        }
        fits && push(out, close, room)
    }

    fn flow_value(&self, node: &Node<'t>, out: &mut String, room: &mut usize) -> bool {
        let mut props = node.props.join(" ");
        let is_all = matches!(node.data, Data::Empty) && node.is_tagged();
        if !(props.is_empty() || is_all) {
            props.push(' ');
        }
        if !push(out, &props, room) {
            return false;
        }
        match &node.data {
            // With a tag, nothing need not be null.
            Data::Empty if node.is_tagged() => true,
            Data::Empty => push(out, "null", room),
            Data::Alias(alias) => push(out, alias, room),
            Data::Scalar(style, source) => match scalar::written(node, *style, source, Place::Flow) {
                Written::Line(line) => push(out, &line, room),
                Written::Lines(_) => false,
            },
            Data::Block(_) => false,
            Data::Collection(number) => self.brackets(*number, out, room),
        }
    }

    fn comments(&mut self, comments: &[Comment<'t>], column: usize, are_first: bool) {
        for (at, comment) in comments.iter().enumerate() {
            if comment.blank && !(are_first && at == 0) {
                self.blank();
            }
            if !self.out.is_empty() && !self.out.ends_with('\n') {
                self.out.push('\n');
            }
            self.spaces(column);
            self.out.push_str(comment.text);
            self.out.push('\n');
            self.open_end = false;
        }
    }

    fn blank(&mut self) {
        if !self.open_end && !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    fn spaces(&mut self, count: usize) {
        self.out.extend(std::iter::repeat_n(' ', count));
        self.open_end = false;
    }

    fn end_line(&mut self, eol: Option<&str>) {
        if let Some(eol) = eol {
            self.out.push_str("  ");
            self.out.push_str(eol);
        }
        self.out.push('\n');
    }
}

/// Appends `text`, if there is room for it on the line.
fn push(out: &mut String, text: &str, room: &mut usize) -> bool {
    let width = text.chars().count();
    if width > *room {
        return false;
    }
    *room -= width;
    out.push_str(text);
    true
}
