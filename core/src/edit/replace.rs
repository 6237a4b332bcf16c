//! A value in the place of another: in the author's style where the new text allows it.

use serde_json::Value;

use super::Refusal;
use super::plan::{Place, Plan};
use crate::parse::{Data, Slot, Style, SyntaxKind, SyntaxNode};
use crate::text::{is_visible_char, json_line};
use crate::write;

impl Plan<'_> {
    /// Replaces the value at `place` by `value`.
    pub(super) fn replace_value(&mut self, place: &Place<'_>, value: &Value) -> Result<(), Refusal> {
        let Some(piece) = self.tree.node(place.id) else { return Ok(()) };
        let (begin, start, end) = (piece.begin, piece.start, piece.end);
        self.check_named(begin, end.max(begin + 1))?;
        if same(place, value) {
            return Ok(());
        }
        let owner = place.owner.and_then(|(id, number)| Some((self.tree.node(id)?, self.slot(id, number)?)));
        let Some((holder, slot)) = owner else {
            let lines = self.tree.text.get(start..end).is_some_and(|old| old.contains('\n'));
            let text = if self.tree.json { self.json(value, start, lines) } else { write::inline(value) };
            self.replace_text(start, self.tree.line_end(end), text);
            return Ok(());
        };
        if holder.is_block() {
            self.put_in_block(place.id, slot, value)
        } else {
            self.put_in_flow(place, slot, value)
        }
        Ok(())
    }

    fn put_in_flow(&mut self, place: &Place<'_>, slot: Slot, value: &Value) {
        let Some(piece) = self.tree.node(place.id) else { return };
        let (start, end) = (self.without_tag(piece), piece.end);
        let lines = self.tree.text.get(start..end).is_some_and(|old| old.contains('\n'));
        let spread = lines || piece.group().is_none() && self.tree.is_first_in_line(slot.start);
        let text = match (value, &piece.kind) {
            _ if self.tree.json => self.json(value, slot.start, spread),
            (Value::String(text), SyntaxKind::Scalar(style)) => self.scalar(Some(*style), text, true),
            _ => write::inline(value),
        };
        if start < end {
            return self.replace_text(start, end, text);
        }
        let before = if slot.intro.is_none() { ": " } else { " " };
        self.replace_text(start, start, format!("{before}{text}"));
    }

    fn put_in_block(&mut self, id: usize, slot: Slot, value: &Value) {
        let tree = &self.tree;
        let Some(piece) = tree.node(id) else { return };
        let (begin, start, end) = (self.without_tag(piece), piece.start, piece.end);
        let intro = slot.intro.unwrap_or(slot.end);
        // The start of the value on the line of its key or dash: after an anchor that stays.
        let at = if begin == start && piece.begin < start {
            let anchor = tree.text.get(piece.begin..start).unwrap_or("");
            piece.begin + anchor.split_whitespace().next().map_or(0, str::len)
        } else {
            intro
        };
        // After an anchor, no list or map begins on the line of its dash.
        let is_item = slot.key.is_none() && at == intro;
        let column = tree.column(slot.start);
        let style = if let SyntaxKind::Scalar(style) = piece.kind { Some(style) } else { None };
        // A list or map on the line of its dash has its further lines at the column after one blank.
        let is_compact = is_item && (value.is_array() || value.is_object());
        let is_empty = start == end;
        let below = !is_empty && tree.line_end(at) < start;
        let header = matches!(style, Some(Style::Literal | Style::Folded)).then(|| {
            let line = tree.text.get(start..tree.line_end(start)).unwrap_or("");
            start + line.split([' ', '\t']).next().map_or(0, str::len)
        });
        let commented = tree.has_comment(if piece.is_block() || below { at } else { end }, {
            if below || header.is_some() { tree.line_end(at) } else { tree.line_end(end) }
        });
        let (mut head, mut tail) = self.written(value, style, column, tree.column(at), is_item);
        if commented && head.ends_with('\\') {
            // No comment can follow the first line of a text in quotes.
            (head, tail) = (format!(" {}", write::inline(value)), String::new());
        }
        if slot.intro.is_none() {
            let text = self.lines(&format!("{}:{head}\n{tail}", " ".repeat(column)));
            let line_end = self.tree.line_end(end);
            return self.replace_text(line_end, line_end, text);
        }
        if is_empty && !below {
            let from = if begin < start { begin } else { start };
            let glue = if begin < start { head.trim_start().to_owned() } else { head };
            return self.finish_line(from, start, glue, tail);
        }
        if let Some(header) = header.filter(|_| !below) {
            let line_end = tree.line_end(start);
            let from = if head.is_empty() || is_compact { at } else { begin };
            let head = if from == at { head } else { head.trim_start().to_owned() };
            self.replace_text(from, header, head);
            let tail = self.lines(&tail);
            return self.replace_text(line_end, end.max(line_end), tail);
        }
        if below && !piece.is_block() && !tail.is_empty() && tree.has_comment(tree.line_end(at), begin) {
            // The comments above the value stay above its replacement.
            let is_lines = !value.is_string();
            let rows = self.lines(&self.written(value, style, column, tree.column(at), false).1);
            let from = if is_lines { self.tree.line_start(begin) } else { begin };
            let text = if is_lines {
                rows.strip_prefix(self.tree.newline).unwrap_or(&rows).to_owned()
            } else {
                write::inline(value)
            };
            return self.replace_text(from, end, text);
        }
        if !piece.is_block() && (!below || tail.is_empty() && !head.is_empty()) {
            let anew = !below && (head.is_empty() || is_compact);
            let from = if anew { at } else { begin };
            let head = if anew { head } else { head.trim_start().to_owned() };
            return self.finish_line(from, end, head, tail);
        }
        let (line_end, last) = (tree.line_end(at), tree.line_end(end));
        if !below {
            let from = if is_compact { at } else { start };
            let head = if is_compact { head.as_str() } else { head.trim_start() };
            let text = format!("{head}{}", self.lines(&tail));
            return self.replace_text(from, last, text);
        }
        if begin < start && piece.begin < at.max(begin) + 1 && begin < line_end {
            // A tag is removed with its value.
            let tag = tree.text.get(begin..start).unwrap_or("").split_whitespace().next().map_or(0, str::len);
            self.replace_text(at, begin + tag, head);
        } else if !head.is_empty() {
            self.replace_text(at, at, head);
        }
        let tail = self.lines(&tail);
        self.replace_text(line_end, last, tail);
    }

    /// Replaces `start..end` by `head`, and writes `tail` below that line.
    fn finish_line(&mut self, start: usize, end: usize, head: String, tail: String) {
        let line_end = self.tree.line_end(end);
        let tail = self.lines(&tail);
        if tail.is_empty() || line_end == end {
            return self.replace_text(start, end, head + &tail);
        }
        self.replace_text(start, end, head);
        self.replace_text(line_end, line_end, tail);
    }

    /// The text after a key or dash, with its blank, and the lines below.
    fn written(
        &self,
        value: &Value,
        style: Option<Style>,
        column: usize,
        used: usize,
        item: bool,
    ) -> (String, String) {
        if let (Value::String(text), Some(style @ (Style::Single | Style::Double))) = (value, style)
            && !text.contains('\n')
        {
            return (format!(" {}", self.scalar(Some(style), text, false)), String::new());
        }
        let whole = write::after(value, column, used, item);
        let (head, tail) = whole.split_once('\n').unwrap_or((&whole, ""));
        (head.to_owned(), tail.to_owned())
    }

    /// The lines that follow another in the line ends of the text; each begins with a line end.
    fn lines(&self, tail: &str) -> String {
        let lines = tail.strip_suffix('\n').unwrap_or(tail).split('\n');
        if tail.is_empty() {
            return String::new();
        }
        lines.fold(String::new(), |out, line| out + self.tree.newline + line)
    }

    /// A text as one scalar in the style of the replaced one, if possible.
    pub(super) fn scalar(&self, style: Option<Style>, text: &str, tight: bool) -> String {
        if self.tree.json {
            return Value::from(text).to_string();
        }
        match style {
            Some(Style::Single) if text.chars().all(is_visible_char) => {
                format!("'{}'", text.replace('\'', "''"))
            }
            Some(Style::Double) => quoted(text),
            _ if !tight && write::is_plain_anywhere(text, false) => text.to_owned(),
            _ => write::inline(&Value::from(text)),
        }
    }

    /// The begin of the replaced text: a tag belongs to the value, an anchor to the place.
    fn without_tag(&self, piece: &SyntaxNode) -> usize {
        let tagged = self.tree.props_of(piece).iter().any(|word| word.starts_with('!'));
        if tagged { piece.begin } else { piece.start }
    }

    /// A value as JSON; on several lines, if `spread`, as deep as the line of `at`.
    pub(super) fn json(&self, value: &Value, at: usize, spread: bool) -> String {
        let has_entries = match value {
            Value::Array(items) => !items.is_empty(),
            Value::Object(entries) => !entries.is_empty(),
            _ => false,
        };
        if !spread || !has_entries {
            return json_line(value);
        }
        let line = self.tree.text.get(self.tree.line_start(at)..).unwrap_or("");
        let indent = line.get(..line.len() - line.trim_start_matches([' ', '\t']).len()).unwrap_or("");
        let step = if indent.starts_with('\t') { "\t" } else { "  " };
        let text = write::json(value);
        let mut out = String::new();
        for (number, line) in text.trim_end().split('\n').enumerate() {
            let body = line.trim_start_matches(' ');
            if number > 0 {
                out.push_str(self.tree.newline);
                out.push_str(indent);
                out.push_str(&step.repeat((line.len() - body.len()) / 2));
            }
            out.push_str(body);
        }
        out
    }
}

/// A text in double quotes, on one line.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    write::push_yaml_escaped(&mut out, text);
    out.push('"');
    out
}

/// Whether the value is already there; lists and maps are compared entry by entry, order included.
fn same(place: &Place<'_>, value: &Value) -> bool {
    match (&place.node.data, value) {
        (Data::Null, Value::Null) => true,
        (Data::Seq(_), Value::Array(_)) => place.node.to_value() == *value,
        (Data::Map(_), Value::Object(new)) => {
            let old = place.node.to_map();
            old == *new && old.keys().eq(new.keys())
        }
        (Data::Null | Data::Seq(_) | Data::Map(_), _) => false,
        _ => place.node.to_value() == *value,
    }
}
