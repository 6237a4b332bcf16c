//! Differences as text: a heading for each step, then the former value and the new one.

use serde_json::Value;

use super::{Change, Counts, Diff, PartKind};
use crate::text::{is_visible_char, json_line};

/// Whether to color the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DiffStyle {
    /// No escape sequences.
    #[default]
    Plain,
    /// ANSI colors.
    Ansi,
}

/// Unchanged lines shown around a change in a text of several lines.
const CONTEXT: usize = 2;

/// The differences of two named transcripts as text, empty when there are none.
///
/// Characters that a terminal would obey or hide are replaced.
#[must_use]
pub fn render(left: &str, right: &str, diff: &Diff, style: DiffStyle) -> String {
    if diff.is_equal() {
        return String::new();
    }
    let mut page = Page { style, out: String::new() };
    page.line('-', "--- ", left);
    page.line('+', "+++ ", right);
    let mut heading = None;
    for change in &diff.changes {
        let steps = (change.left_step, change.right_step);
        if heading != Some(steps) {
            page.line('@', "", &format!("@@ {} @@", name(steps)));
            heading = Some(steps);
        }
        page.change(change);
    }
    let summary = &diff.summary;
    page.line(' ', "", "");
    let turns = counts("turn", summary.turns);
    let messages = counts("initial message", summary.messages);
    page.line(' ', "", &format!("{turns}; {messages}; {} elsewhere", summary.elsewhere));
    for ignored in &diff.ignored {
        page.line(' ', "", &format!("ignored {}: {}", ignored.name, ignored.count));
    }
    page.out
}

fn name(steps: (Option<usize>, Option<usize>)) -> String {
    match steps {
        (Some(0), Some(0)) => "the initial state".to_owned(),
        (Some(a), Some(b)) if a == b => format!("step {a}"),
        (Some(a), Some(b)) => format!("step {a}, now {b}"),
        (Some(a), None) => format!("step {a}, removed"),
        (None, Some(b)) => format!("step {b}, added"),
        (None, None) => "the document".to_owned(),
    }
}

fn counts(what: &str, counts: Counts) -> String {
    let Counts { same, changed, added, removed } = counts;
    format!("{what}s: {same} same, {changed} changed, {added} added, {removed} removed")
}

struct Page {
    style: DiffStyle,
    out: String,
}

impl Page {
    /// Writes a line; `sign` decides its color.
    fn line(&mut self, sign: char, head: &str, text: &str) {
        let color = match (self.style, sign) {
            (DiffStyle::Plain, _) | (_, ' ') => None,
            (_, '-') => Some("31"),
            (_, '+') => Some("32"),
            _ => Some("36"),
        };
        if let Some(color) = color {
            self.out.push_str(&format!("\u{1b}[{color}m"));
        }
        self.out.push_str(head);
        self.out.extend(text.chars().map(|c| if is_visible_char(c) { c } else { '\u{fffd}' }));
        if color.is_some() {
            self.out.push_str("\u{1b}[0m");
        }
        self.out.push('\n');
    }

    fn change(&mut self, change: &Change) {
        self.line(' ', "  ", &change.path);
        let has_lines = |value: &Option<Value>| {
            value.as_ref().and_then(Value::as_str).is_some_and(|text| text.contains('\n'))
        };
        if !change.text.is_empty() && (has_lines(&change.left) || has_lines(&change.right)) {
            self.lines(change);
            return;
        }
        for (sign, value) in [('-', &change.left), ('+', &change.right)] {
            if let Some(value) = value {
                self.line(sign, &format!("{sign}   "), &json_line(value));
            }
        }
    }

    /// A text of several lines, with a few around each change.
    fn lines(&mut self, change: &Change) {
        let last = change.text.len().saturating_sub(1);
        for (at, part) in change.text.iter().enumerate() {
            let lines: Vec<&str> = part.text.lines().collect();
            let sign = match part.kind {
                PartKind::Removed => '-',
                PartKind::Added => '+',
                PartKind::Same => ' ',
            };
            let head = if sign == ' ' && at == 0 { 0 } else { CONTEXT };
            let tail = if sign == ' ' && at == last { 0 } else { CONTEXT };
            let hidden = if sign == ' ' { lines.len().saturating_sub(head + tail) } else { 0 };
            for (number, line) in lines.iter().enumerate() {
                if hidden > 1 && (head..head + hidden).contains(&number) {
                    if number == head {
                        self.line('@', "    ", &format!("... {hidden} lines"));
                    }
                    continue;
                }
                self.line(sign, &format!("{sign}   "), line);
            }
        }
    }
}
