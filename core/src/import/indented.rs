//! Repairs JSON that has an entry a line and lacks lines: the indentation shows what each line is a part of.

use super::repair::{RepairedText, repair};
use crate::parse::{Parsed, json_tree};
use crate::text::Span;

const MISSING: &str = "a bracket is missing before this line";

/// A bracket that is open.
struct Open {
    /// The indentation of its line.
    indent: usize,
    end: char,
    is_empty: bool,
    /// Whether a comma follows the last entry; `None` if lines after it were left out.
    has_comma: Option<bool>,
    /// The first key of a map.
    first_key: Option<String>,
}

impl Open {
    fn new(indent: usize, end: char) -> Self {
        Self { indent, end, is_empty: true, has_comma: None, first_key: None }
    }
}

struct Line<'t> {
    /// Its place among the lines.
    number: usize,
    /// The place in the text, after the indentation.
    at: usize,
    indent: usize,
    text: &'t str,
}

impl Line<'_> {
    /// Whether it is an entry, or brackets alone. Only lines of these two kinds show by their indentation what they are a part of.
    fn is_plain(&self) -> bool {
        let after = self.text.trim_start_matches(['}', ']', ',', ' ', '\t']).trim_end();
        if self.text.starts_with(['}', ']']) {
            matches!(after, "" | "{" | "[")
        } else {
            let brackets = scan(self.text);
            !brackets.ends_in_text && !brackets.has_other_end && !after.ends_with(':')
        }
    }

    fn key(&self) -> Option<&str> {
        self.text.strip_prefix('"')?.split_once("\":").map(|(key, _)| key)
    }
}

/// Puts brackets and commas where the indentation has them, and leaves out lines that have no place. `None` for a text of one
/// line or without an indentation, for one that has no end, and for one that is not valid even so or loses more than half.
pub(super) fn repair_by_lines(text: &str, base: usize) -> Option<(RepairedText, Parsed)> {
    let lines: Vec<Line<'_>> = lines(text).collect();
    let (first, rest) = lines.split_first()?;
    let mut indents: Vec<usize> = rest.iter().map(|line| line.indent).collect();
    indents.sort_unstable();
    indents.dedup();
    let step = indents.windows(2).filter_map(|pair| pair.last()?.checked_sub(*pair.first()?)).min()?;
    if !lines.iter().all(Line::is_plain) {
        return None;
    }
    // That of the line that ends the whole.
    let indent = *indents.first()?;
    let mut writer = Writer { base, step, open: Vec::new(), last_lost: None, out: RepairedText::default() };
    writer.add_line(&Line { indent, ..*first });
    for line in rest {
        // What follows is another value.
        if writer.open.is_empty() {
            return None;
        }
        writer.add_line(line);
    }
    let out = writer.out;
    let lost: usize = out.lost.iter().map(|span| (span.end - span.start) as usize).sum();
    let parsed = (writer.open.is_empty() && lost * 2 <= text.len()).then(|| json_tree(&out.text))?;
    parsed.well_formed.then_some((out, parsed))
}

fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut end = 0;
    text.split_inclusive('\n').enumerate().filter_map(move |(number, line)| {
        let text = line.trim_start_matches([' ', '\t']);
        let indent = line.len() - text.len();
        let at = end + indent;
        end += line.len();
        (!text.trim_end().is_empty()).then_some(Line { number, at, indent, text })
    })
}

struct Writer {
    base: usize,
    step: usize,
    open: Vec<Open>,
    /// The number of the last line that was left out.
    last_lost: Option<usize>,
    out: RepairedText,
}

impl Writer {
    fn add_line(&mut self, line: &Line<'_>) {
        let is_added = if line.text.starts_with(['}', ']']) {
            self.close_missing(line, line.indent + 1);
            self.add_brackets(line)
        } else {
            let is_first = self.out.text.is_empty();
            self.close_missing(line, line.indent);
            self.add_entry(line, is_first)
        };
        if !is_added {
            self.report_lost(line);
        }
    }

    /// Writes a line of brackets that end what is open, and may open the next entry of a list; `false` if they have no place.
    fn add_brackets(&mut self, line: &Line<'_>) -> bool {
        for (place, bracket) in line.text.char_indices() {
            let at = line.at + place;
            let last = self.open.last();
            match bracket {
                '}' | ']' => {
                    if last.is_none_or(|open| (open.indent, open.end) != (line.indent, bracket)) {
                        return false;
                    }
                    let has_comma = self.open.pop().and_then(|open| open.has_comma);
                    if has_comma == Some(true) {
                        self.report(line, "a comma stands before this bracket: a line may be missing");
                    }
                    self.push_bracket(at, bracket);
                    self.set_comma(Some(false));
                }
                ',' => self.set_comma(Some(true)),
                '{' | '[' => {
                    if last.is_none_or(|open| open.end != ']') {
                        return false;
                    }
                    self.separate(line);
                    self.push_bracket(at, bracket);
                    self.open.push(Open::new(line.indent, if bracket == '{' { '}' } else { ']' }));
                }
                _ => {}
            }
        }
        true
    }

    /// Writes an entry of what is open, which may open more; `false` if it has no place.
    fn add_entry(&mut self, line: &Line<'_>, is_first: bool) -> bool {
        let (indent, end) = match self.open.last() {
            None if is_first => (line.indent, ' '),
            None => return false,
            Some(open) => (open.indent, open.end),
        };
        let deeper = line.indent.saturating_sub(indent);
        // The line with the bracket of a map in a list is missing.
        let lacks_bracket = end == ']' && deeper == 2 * self.step && line.key().is_some();
        if !is_first && !lacks_bracket && deeper != self.step {
            return false;
        }
        let written = line.text.trim_end();
        let text = written.strip_suffix(',').unwrap_or(written).trim_end();
        let has_comma = Some(text.len() < written.len());
        let mut read = repair(text, self.base + line.at);
        let opened = scan(&read.text).open;
        let ends: String = opened.iter().rev().collect();
        let (around, end) = match end {
            _ if lacks_bracket => ("{", "}"),
            '}' => ("{", "}"),
            ']' => ("[", "]"),
            _ => ("", ""),
        };
        if !json_tree(&format!("{around}{}{ends}{end}", read.text)).well_formed {
            return false;
        }
        if lacks_bracket {
            self.open_missing(line, line.indent - self.step);
        } else if self.is_of_next_map(line) {
            self.close_missing(line, indent);
            self.open_missing(line, indent);
        }
        self.separate(line);
        if !read.faults.is_empty() {
            self.out.damaged.push(self.span(line));
        }
        let from = self.out.text.len();
        self.out.runs.extend(read.runs.iter().map(|(at, place)| (from + at, *place)));
        self.out.text.push_str(read.text.trim_end());
        self.out.faults.append(&mut read.faults);
        if let Some(open) = self.open.last_mut() {
            open.has_comma = has_comma;
            open.first_key = open.first_key.take().or_else(|| line.key().map(str::to_owned));
        }
        self.open.extend(opened.into_iter().map(|end| Open::new(line.indent, end)));
        // Only the last one of several that a line opens can have further entries.
        if let Some((last, others)) = self.open.split_last_mut() {
            others.iter_mut().for_each(|open| open.is_empty = false);
            last.is_empty &= text.ends_with(['{', '[']);
        }
        true
    }

    /// Whether the lines between two maps of a list are missing before this line: its key is there already.
    fn is_of_next_map(&self, line: &Line<'_>) -> bool {
        let [.., list, map] = self.open.as_slice() else { return false };
        list.end == ']'
            && map.end == '}'
            && list.indent < map.indent
            && line.key() == map.first_key.as_deref()
            && line.key().is_some()
    }

    /// Ends everything open with at least that indentation, which the text has not ended before this line.
    fn close_missing(&mut self, line: &Line<'_>, indent: usize) {
        if self.open.last().is_some_and(|open| open.indent >= indent) {
            self.report(line, MISSING);
            while let Some(open) = self.open.pop_if(|open| open.indent >= indent) {
                self.push_bracket(line.at, open.end);
                self.set_comma(None);
            }
        }
    }

    /// Begins a map of a list.
    fn open_missing(&mut self, line: &Line<'_>, indent: usize) {
        self.report(line, MISSING);
        self.separate(line);
        self.push_bracket(line.at, '{');
        self.open.push(Open::new(indent, '}'));
    }

    /// Writes a comma before an entry, unless it is the first.
    fn separate(&mut self, line: &Line<'_>) {
        let Some(open) = self.open.last_mut() else { return };
        let has_comma = open.has_comma.take();
        if !std::mem::take(&mut open.is_empty) {
            self.out.text.push(',');
            if has_comma == Some(false) {
                self.report(line, "a comma is missing before this line");
            }
        }
    }

    fn set_comma(&mut self, has_comma: Option<bool>) {
        if let Some(open) = self.open.last_mut() {
            open.has_comma = has_comma;
        }
    }

    fn push_bracket(&mut self, at: usize, bracket: char) {
        self.out.runs.push((self.out.text.len(), self.base + at));
        self.out.text.push(bracket);
    }

    fn span(&self, line: &Line<'_>) -> Span {
        let begin = self.base + line.at;
        Span::new(begin, begin + line.text.trim_end().len())
    }

    /// Reports a fault of a line, unless it has one already.
    fn report(&mut self, line: &Line<'_>, message: &str) {
        let span = self.span(line);
        if self.out.faults.last().is_none_or(|(last, _)| *last != span) {
            self.out.faults.push((span, message.to_owned()));
        }
    }

    /// Lines that follow one another are one loss.
    fn report_lost(&mut self, line: &Line<'_>) {
        let span = self.span(line);
        let follows = self.last_lost.is_some_and(|last| last + 1 == line.number);
        match self.out.lost.last_mut().filter(|_| follows) {
            Some(last) => last.end = span.end,
            None => self.out.lost.push(span),
        }
        self.last_lost = Some(line.number);
        self.set_comma(None);
    }
}

/// The brackets of a line.
#[derive(Default)]
struct Brackets {
    /// The ends of those that it opens and does not end.
    open: Vec<char>,
    /// Whether it ends one that another line opens.
    has_other_end: bool,
    ends_in_text: bool,
}

fn scan(text: &str) -> Brackets {
    let mut out = Brackets::default();
    let mut escaped = false;
    for letter in text.chars() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if out.ends_in_text => escaped = true,
            '"' => out.ends_in_text = !out.ends_in_text,
            _ if out.ends_in_text => {}
            '{' => out.open.push('}'),
            '[' => out.open.push(']'),
            '}' | ']' => out.has_other_end |= out.open.pop().is_none(),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// The value of a text without some of its lines, by their numbers, and the texts of the lost lines.
    fn without(text: &str, missing: &[usize]) -> (Value, Vec<String>) {
        let lines = text.split_inclusive('\n').enumerate();
        let left: String =
            lines.filter(|(at, _)| !missing.contains(&(at + 1))).map(|(_, line)| line).collect();
        let (read, parsed) = repair_by_lines(&left, 0).expect("it can be repaired");
        let value = parsed.root.map(|root| root.to_value()).unwrap_or_default();
        let lost = read.lost.iter().map(|span| span.slice(&left).to_owned()).collect();
        (value, lost)
    }

    const TEXT: &str = r#"{
  "name": "run",
  "messages": [
    {
      "role": "user",
      "content": "Hi"
    },
    {
      "role": "assistant",
      "content": "Hello!"
    }
  ],
  "usage": {
    "total": 5
  }
}
"#;

    #[test]
    fn a_missing_line_costs_what_it_has() {
        let whole: Value = serde_json::from_str(TEXT).unwrap();
        assert_eq!(without(TEXT, &[]), (whole.clone(), vec![]));
        // Lines with one bracket cost nothing.
        for line in [7, 8, 11, 12] {
            let expected = if line == 8 {
                json!([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello!"}])
            } else {
                whole["messages"].clone()
            };
            let (value, lost) = without(TEXT, &[line]);
            assert_eq!(
                (&value["messages"], &value["usage"], lost),
                (&expected, &json!({"total": 5}), vec![]),
                "{line}"
            );
        }
        let (value, lost) = without(TEXT, &[6]);
        assert_eq!((&value["messages"][0], lost.len()), (&json!({"role": "user"}), 0));
        // Nothing shows what the lines below a lost key are.
        let (value, lost) = without(TEXT, &[13]);
        assert_eq!((value.get("usage"), lost), (None, vec!["\"total\": 5\n  }".to_owned()]));
    }

    #[test]
    fn a_map_begins_where_a_key_comes_again() {
        let (value, lost) = without(TEXT, &[7, 8]);
        let messages = json!([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello!"}]);
        assert_eq!((&value["messages"], lost), (&messages, vec![]));
    }

    #[test]
    fn brackets_of_several_values_may_share_a_line() {
        let text = "{\n  \"a\": [{\n    \"b\": 1\n  }, {\n    \"b\": 2\n  }, {\n    \"b\": 3\n  }],\n  \"c\": oops\n}\n";
        let (value, lost) = without(text, &[]);
        assert_eq!(value, json!({"a": [{"b": 1}, {"b": 2}, {"b": 3}]}));
        assert_eq!(lost, ["\"c\": oops"]);
    }

    #[test]
    fn what_does_not_show_its_parts_by_indentation_is_not_read_so() {
        for text in [
            "{\"a\": 1, \"b\": tru}",
            "{\n\"a\": 1,\n\"b\": {\n\"c\": 2\n}\n",
            "a: 1\nb:\n  c: 2\n",
            "[{\n  \"a\": 1\n}, \"x\"]",
            "{\n  \"a\": [\n    {\n      \"b\": \"one\n      two\"\n    },\n  ],\n  \"c\": tru\n}\n",
            "",
        ] {
            assert!(repair_by_lines(text, 0).is_none(), "{text}");
        }
    }
}
