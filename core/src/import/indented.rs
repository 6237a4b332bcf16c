//! Repairs JSON that has an entry a line and lacks lines: the indentation shows what each line is a part of.

use super::repair::{RepairedText, repair};
use crate::parse::json_tree;
use crate::text::Span;

/// A bracket that is open.
struct Open {
    /// The indentation of its line.
    indent: usize,
    end: char,
    is_empty: bool,
}

struct Line<'t> {
    /// The place in the text, after the indentation.
    at: usize,
    indent: usize,
    text: &'t str,
}

/// Puts brackets and commas where the indentation has them, and leaves out lines that belong nowhere. `None` for a text without
/// an indentation, for one that has no end, and for one that is not valid even so or loses more than half.
pub(super) fn repair_by_lines(text: &str, base: usize) -> Option<RepairedText> {
    let lines: Vec<Line<'_>> = lines(text).collect();
    let (first, rest) = lines.split_first()?;
    let mut indents: Vec<usize> = rest.iter().map(|line| line.indent).collect();
    indents.sort_unstable();
    indents.dedup();
    let step = indents.windows(2).filter_map(|pair| pair.last()?.checked_sub(*pair.first()?)).min()?;
    // That of the line that ends the whole.
    let indent = *indents.first()?;
    let mut writer = Writer {
        base,
        step,
        open: Vec::new(),
        out: RepairedText { is_by_lines: true, ..RepairedText::default() },
    };
    writer.line(&Line { indent, ..*first });
    for line in rest {
        // What follows is another value.
        if writer.open.is_empty() {
            return None;
        }
        writer.line(line);
    }
    let out = writer.out;
    let lost: usize = out.lost.iter().map(|span| (span.end - span.start) as usize).sum();
    (writer.open.is_empty() && lost * 2 <= text.len() && json_tree(&out.text).well_formed).then_some(out)
}

fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut end = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let text = line.trim_start_matches([' ', '\t']);
        let indent = line.len() - text.len();
        let at = end + indent;
        end += line.len();
        (!text.trim_end().is_empty()).then_some(Line { at, indent, text })
    })
}

struct Writer {
    base: usize,
    step: usize,
    open: Vec<Open>,
    out: RepairedText,
}

impl Writer {
    fn line(&mut self, line: &Line<'_>) {
        let is_first = self.out.text.is_empty();
        match line.text.chars().next() {
            Some('}' | ']') => {
                self.close_missing(line, line.indent + 1);
                self.end(line);
            }
            _ => {
                self.close_missing(line, line.indent);
                if !self.entry(line, is_first) {
                    self.lose(line);
                }
            }
        }
    }

    /// Writes a line of brackets that end what is open.
    fn end(&mut self, line: &Line<'_>) {
        for (place, end) in line.text.char_indices() {
            let at = line.at + place;
            match end {
                '}' | ']'
                    if self.open.last().is_some_and(|open| (open.indent, open.end) == (line.indent, end)) =>
                {
                    self.open.pop();
                    self.put(at, end);
                }
                ',' | ' ' | '\t' | '\r' | '\n' => {}
                '}' | ']' => return self.lose(line),
                _ => {
                    let text = line.text.get(place..).unwrap_or_default();
                    return self.line(&Line { at, text, ..*line });
                }
            }
        }
    }

    /// Writes an entry of what is open, which may open more; `false` if it cannot be one.
    fn entry(&mut self, line: &Line<'_>, is_first: bool) -> bool {
        let (begin, end, deeper) = match self.open.last() {
            None if is_first => ("", "", 0),
            None => return false,
            Some(Open { indent, end: '}', .. }) => ("{", "}", line.indent - indent),
            Some(Open { indent, .. }) => ("[", "]", line.indent - indent),
        };
        // The line with the bracket of a map in a list is missing.
        if deeper == 2 * self.step && begin == "[" && line.text.starts_with('"') {
            self.comma();
            self.miss(line);
            self.put(line.at, '{');
            self.open.push(Open { indent: line.indent - self.step, end: '}', is_empty: true });
            return self.entry(line, false);
        }
        if !is_first && deeper != self.step {
            return false;
        }
        let text = line.text.trim_end();
        let text = text.strip_suffix(',').unwrap_or(text).trim_end();
        // A string ends with its line.
        let mut read = repair(&format!("{text}\n"), self.base + line.at);
        let opened = opened(&read.text);
        let ends: String = opened.iter().rev().collect();
        if !json_tree(&format!("{begin}{}{ends}{end}", read.text)).well_formed {
            return false;
        }
        self.comma();
        if !read.faults.is_empty() {
            self.out.damaged.push(self.span(line));
        }
        let from = self.out.text.len();
        self.out.runs.extend(read.runs.iter().map(|(at, place)| (from + at, *place)));
        self.out.text.push_str(read.text.trim_end());
        self.out.faults.append(&mut read.faults);
        self.open.extend(opened.into_iter().map(|end| Open { indent: line.indent, end, is_empty: true }));
        // Only the last one of several that a line opens can have further entries.
        if let Some((_, others)) = self.open.split_last_mut() {
            others.iter_mut().for_each(|open| open.is_empty = false);
        }
        true
    }

    /// Ends everything open with at least that indentation, which the text has not ended before this line.
    fn close_missing(&mut self, line: &Line<'_>, indent: usize) {
        if self.open.last().is_some_and(|open| open.indent >= indent) {
            self.miss(line);
            while let Some(open) = self.open.pop_if(|open| open.indent >= indent) {
                self.put(line.at, open.end);
            }
        }
    }

    fn comma(&mut self) {
        if let Some(open) = self.open.last_mut()
            && !std::mem::take(&mut open.is_empty)
        {
            self.out.text.push(',');
        }
    }

    fn put(&mut self, at: usize, bracket: char) {
        self.out.runs.push((self.out.text.len(), self.base + at));
        self.out.text.push(bracket);
    }

    fn span(&self, line: &Line<'_>) -> Span {
        let begin = self.base + line.at;
        Span::new(begin, begin + line.text.trim_end().len())
    }

    fn miss(&mut self, line: &Line<'_>) {
        self.out.faults.push((self.span(line), "a bracket is missing before this line".to_owned()));
    }

    fn lose(&mut self, line: &Line<'_>) {
        self.out.lost.push(self.span(line));
    }
}

/// The ends of the brackets that a line opens and does not end.
fn opened(text: &str) -> Vec<char> {
    let (mut open, mut in_text, mut escaped) = (Vec::new(), false, false);
    for letter in text.chars() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if in_text => escaped = true,
            '"' => in_text = !in_text,
            _ if in_text => {}
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' => drop(open.pop()),
            _ => {}
        }
    }
    open
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
        let read = repair_by_lines(&left, 0).expect("it can be repaired");
        let value = json_tree(&read.text).root.map(|root| root.to_value()).unwrap_or_default();
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
        assert_eq!((value.get("usage"), lost), (None, vec!["\"total\": 5".to_owned(), "}".to_owned()]));
    }

    #[test]
    fn what_has_no_indentation_or_no_end_is_not_read_so() {
        for text in
            ["{\"a\": 1, \"b\": tru}", "{\n\"a\": 1,\n\"b\": {\n\"c\": 2\n}\n", "a: 1\nb:\n  c: 2\n", ""]
        {
            assert!(repair_by_lines(text, 0).is_none(), "{text}");
        }
    }
}
