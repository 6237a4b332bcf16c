//! Random documents as people lay them out: comments, blank lines, odd indentation, every style.

use serde_json::{Map, Value, json};

/// A source of choices that depend on its seed alone.
pub(crate) struct Choices(u64);

impl Choices {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    /// A number below `count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % count.max(1)
    }

    pub(crate) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(crate) fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }

    pub(crate) fn scalar(&mut self) -> Value {
        match self.below(8) {
            0 => json!(self.below(100)),
            1 => json!(self.one_in(2)),
            2 => Value::Null,
            3 => json!(format!("first {}\nsecond: x\n\n  third", self.below(9))),
            4 => json!(format!("line {}\nmore\n", self.below(9))),
            5 => json!(self.pick(&[
                "it's",
                "a: b",
                "yes",
                "012",
                "# no",
                "",
                "- x",
                "tab\there",
                "\"q\"",
                "🚀",
                "{x",
                "a, b"
            ])),
            _ => json!(format!("word {}", self.below(1000))),
        }
    }

    pub(crate) fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 1 } else { 3 }) {
            0 => self.scalar(),
            1 => Value::Array((0..self.below(4)).map(|_| self.value(depth - 1)).collect()),
            _ => Value::Object(self.map(depth)),
        }
    }

    fn map(&mut self, depth: usize) -> Map<String, Value> {
        (0..self.below(4)).map(|_| (self.key(), self.value(depth.saturating_sub(1)))).collect()
    }

    pub(crate) fn key(&mut self) -> String {
        let word =
            self.pick(&["name", "execution", "ref", "on", "a b", "it's", "x: y", "k", "content", "metadata"]);
        format!("{word}{}", self.below(30))
    }
}

/// A document and its data.
pub(crate) struct Document {
    pub text: String,
    pub data: Value,
}

pub(crate) fn document(choices: &mut Choices) -> Document {
    let mut data = loop {
        let data = match choices.below(4) {
            0 => Value::Array((0..1 + choices.below(4)).map(|_| choices.value(3)).collect()),
            _ => Value::Object(choices.map(4)),
        };
        if !matches!(&data, Value::Object(map) if map.is_empty()) {
            break data;
        }
    };
    if choices.one_in(6) {
        let text = if choices.one_in(3) { data.to_string() } else { format!("{data:#}\n") };
        let text =
            if choices.one_in(3) { text.replace("\n  ", "\n\t").replace("\t  ", "\t\t") } else { text };
        return Document { text, data };
    }
    let mut writer = Writer { choices, out: String::new(), comments: 0, anchor: None };
    if writer.choices.one_in(8) {
        writer.out.push('\u{feff}');
    }
    if writer.choices.one_in(8) {
        writer.out.push_str("--- # start\n");
    }
    writer.group(&mut data, 0, false);
    let mut text = writer.out;
    match choices.below(8) {
        0 => text = text.trim_end_matches('\n').to_owned(),
        1 => text = text.replace('\n', "\r\n"),
        2 => text.push_str("...\n"),
        _ => {}
    }
    Document { text, data }
}

struct Writer<'c> {
    choices: &'c mut Choices,
    out: String,
    comments: usize,
    anchor: Option<Value>,
}

impl Writer<'_> {
    fn comment(&mut self) -> String {
        self.comments += 1;
        format!("# c{}.", self.comments)
    }

    /// Blank lines and comments before an entry at `column`.
    fn before(&mut self, column: usize) {
        for _ in 0..self.choices.below(3) {
            match self.choices.below(6) {
                0 => self.out.push('\n'),
                1 => {
                    let comment = self.comment();
                    self.out.push_str(&format!("{}{comment}\n", " ".repeat(column)));
                }
                2 if self.choices.one_in(4) => {
                    let comment = self.comment();
                    self.out.push_str(&format!("{}{comment}\n", " ".repeat(column + 1)));
                }
                _ => {}
            }
        }
    }

    fn end_line(&mut self) {
        if self.choices.one_in(4) {
            let comment = self.comment();
            let blanks = 1 + self.choices.below(3);
            self.out.push_str(&format!("{}{comment}", " ".repeat(blanks)));
        }
        self.out.push('\n');
    }

    /// A list or map that is not empty; its first entry goes on in the line if `here`.
    fn group(&mut self, value: &mut Value, column: usize, mut here: bool) {
        let indent = " ".repeat(column);
        match value {
            Value::Array(items) => {
                for item in items {
                    if !std::mem::take(&mut here) {
                        self.before(column);
                        self.out.push_str(&indent);
                    }
                    self.out.push('-');
                    self.node(item, column, true);
                }
            }
            Value::Object(entries) => {
                for (key, value) in entries {
                    if !std::mem::take(&mut here) {
                        self.before(column);
                        self.out.push_str(&indent);
                    }
                    let quoted = match self.choices.below(3) {
                        0 => format!("'{}'", key.replace('\'', "''")),
                        1 => Value::from(key.as_str()).to_string(),
                        _ if key.contains(": ") || key.starts_with("on") => format!("\"{key}\""),
                        _ => key.clone(),
                    };
                    if self.choices.one_in(20) {
                        self.out.push_str(&format!("? {quoted}\n{indent}:"));
                    } else {
                        self.out.push_str(&format!("{quoted}:"));
                    }
                    self.node(value, column, false);
                }
            }
            _ => {}
        }
    }

    /// A value behind its dash or colon.
    fn node(&mut self, value: &mut Value, column: usize, item: bool) {
        let is_empty = matches!(value, Value::Array(items) if items.is_empty())
            || matches!(value, Value::Object(map) if map.is_empty());
        if matches!(value, Value::Array(_) | Value::Object(_)) && !is_empty {
            if self.choices.one_in(3) {
                self.out.push(' ');
                self.flow(value, column + 2);
                return self.end_line();
            }
            let inner = match value {
                Value::Array(_) if !item && self.choices.one_in(2) => column,
                _ => column + 2 + self.choices.below(3),
            };
            if item && self.choices.one_in(2) {
                // The first entry is in the line of the dash.
                self.out.push_str(&" ".repeat(inner - column - 1));
                return self.group(value, inner, true);
            }
            self.end_line();
            return self.group(value, inner, false);
        }
        if let (Some(named), true) = (self.anchor.clone(), self.choices.one_in(12)) {
            *value = named;
            self.out.push_str(" *named");
            return self.end_line();
        }
        if let (Value::String(text), true) = (&*value, !item)
            && text.contains('\n')
            && !text.starts_with(' ')
        {
            let (header, body) = match text.strip_suffix('\n') {
                Some(body) => ("|", body),
                None => ("|-", text.as_str()),
            };
            self.out.push_str(&format!(" {header}"));
            self.end_line();
            for line in body.split('\n') {
                let line = if line.is_empty() {
                    "\n".to_owned()
                } else {
                    format!("{}{line}\n", " ".repeat(column + 3))
                };
                self.out.push_str(&line);
            }
            return;
        }
        // After the colon of a `?`, a tree of data does not show the place of a null.
        let is_explicit = self.out.rsplit('\n').next().is_some_and(|line| line.trim() == ":");
        if value.is_null() && !is_explicit && self.choices.one_in(2) {
            return self.end_line();
        }
        let anchored = self.anchor.is_none() && self.choices.one_in(8) && !is_empty;
        if anchored {
            self.out.push_str(" &named");
            self.anchor = Some(value.clone());
        }
        let text = self.scalar(value);
        self.out.push_str(&format!(" {text}"));
        self.end_line();
    }

    fn scalar(&mut self, value: &Value) -> String {
        let Value::String(text) = value else { return value.to_string() };
        if text.starts_with("word") && self.choices.one_in(2) {
            return text.clone();
        }
        if !text.contains(['\n', '\t']) && self.choices.one_in(2) {
            return format!("'{}'", text.replace('\'', "''"));
        }
        value.to_string()
    }

    fn flow(&mut self, value: &Value, column: usize) {
        let entries: Vec<(Option<String>, &Value)> = match value {
            Value::Array(items) => items.iter().map(|item| (None, item)).collect(),
            Value::Object(map) => {
                map.iter().map(|(key, value)| (Some(Value::from(key.as_str()).to_string()), value)).collect()
            }
            _ => {
                let text = self.scalar(value);
                return self.out.push_str(&text);
            }
        };
        let (open, close) = if value.is_array() { ('[', ']') } else { ('{', '}') };
        let spread = !entries.is_empty() && self.choices.one_in(3);
        let count = entries.len();
        self.out.push(open);
        for (at, (key, value)) in entries.into_iter().enumerate() {
            if spread {
                if at == 0 {
                    self.out.push('\n');
                }
                self.out.push_str(&" ".repeat(column));
            } else if at > 0 {
                self.out.push(' ');
            }
            if let Some(key) = key {
                self.out.push_str(&format!("{key}: "));
            }
            self.flow(value, column + 2);
            if at + 1 < count || self.choices.one_in(5) {
                self.out.push(',');
            }
            if spread {
                self.end_line();
            }
        }
        if spread {
            self.out.push_str(&" ".repeat(column));
        }
        self.out.push(close);
    }
}
