//! Documents in careless layout; each comment names its place.

/// A small generator of numbers, the same for every seed on every machine.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    /// A number below `sides`.
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides
    }

    fn one_in(&mut self, sides: usize) -> bool {
        self.roll(sides) == 0
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.roll(all.len())]
    }
}

/// Keys of the full form, which have an order; any other key has none.
const KNOWN: [&str; 7] =
    ["version", "metadata", "agent_config", "initial_state", "execution", "final_state", "handlers"];

const WORDS: [&str; 28] = [
    "plain",
    "two words",
    "yes",
    "No",
    "on",
    "~",
    "null",
    "True",
    "012",
    "1.50",
    "1e3",
    "0x1F",
    "12:30:00",
    "2025-01-13",
    "-7",
    "\"\"",
    "''",
    "'it''s'",
    "\"say \\\"hi\\\"\"",
    "\"\\u00e9\\t|\"",
    "'{\"a\": 1}'",
    "!!str 5",
    "! no",
    ".nan",
    "a:b",
    "https://x.org/a?b=c#d",
    "été 東京",
    "\"assistant:call f(a=\\\"b\\\")\"",
];

const FLOW: [&str; 9] = [
    "[]",
    "{}",
    "[a,  b,c]",
    "{a: 1,b:   [x , y]}",
    "[ {k: v}, 'q' ]",
    "{\"a\":1, b: no}",
    "[a: 1, &{A} x]",
    "[\n {I}  a,\n\n {I}b ]",
    "{ long: [aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, ccccccccccccccccccccccccc], z: 1}",
];

const BLOCKS: [&str; 9] = [
    "|\n{I}one\n{I}  two\n",
    "|-\n{I}one\n\n{I}# no comment\n",
    "|+\n{I}keep\n\n\n",
    ">\n{I}fold\n{I}ed\n\n{I}   more\n{I}end\n",
    ">-\n\n{I}late\n",
    "|2\n{2}  indented\n{2}less\n",
    ">2-\n{2} x\n{2}y\n",
    "|\n",
    "|+\n\n\n",
];

const LINES: [&str; 4] = [
    "several words\n{I}on lines\n{I}- of text",
    "\"quoted\n{I}  on \\\n{I}lines\n\n{I}end\"",
    "'it''s\n\n{I}here'",
    "yes: no?",
];

pub(crate) struct Generator {
    dice: Dice,
    out: String,
    names: usize,
    anchors: Vec<String>,
    /// Whether the last line belongs to a block scalar, below which a blank line is text.
    in_block: bool,
}

/// A document.
pub(crate) fn document(seed: u64) -> String {
    let mut generator = Generator {
        dice: Dice::new(seed),
        out: String::new(),
        names: 0,
        anchors: Vec::new(),
        in_block: false,
    };
    for _ in 0..8 {
        generator.dice.roll(2);
    }
    generator.document();
    let mut text = generator.out;
    if seed.is_multiple_of(7) {
        text = text.replace('\n', "\r\n");
    }
    if seed.is_multiple_of(11) {
        text.insert(0, '\u{feff}');
    }
    text
}

impl Generator {
    fn document(&mut self) {
        if self.dice.one_in(5) {
            self.out.push_str("%YAML 1.2\n---  # begins\n");
        }
        if self.dice.one_in(3) {
            self.out.push_str("# head of the file\n# transcript: off=T302\n\n");
        }
        let mut keys: Vec<String> = KNOWN.iter().map(|key| (*key).to_owned()).collect();
        for _ in 0..self.dice.roll(6) {
            let (from, to) = (self.dice.roll(keys.len()), self.dice.roll(keys.len()));
            keys.swap(from, to);
        }
        keys.truncate(2 + self.dice.roll(6));
        for _ in 0..self.dice.roll(3) {
            let key = self.name("k");
            let at = self.dice.roll(keys.len());
            keys.insert(at, key);
        }
        self.map(0, 0, Some(keys));
        if self.dice.one_in(4) {
            self.out.push_str("# foot of the file\n");
        }
        if self.dice.one_in(8) {
            self.out.push_str("...\n# after the end\n");
        }
    }

    fn name(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind}{}", self.names)
    }

    fn indent(&mut self, column: usize) {
        self.out.push_str(&" ".repeat(column));
    }

    fn above(&mut self, name: &str, column: usize) {
        if self.dice.one_in(4) && !self.in_block {
            for _ in 0..=self.dice.roll(2) {
                let blanks = " ".repeat(self.dice.roll(3));
                self.out.push_str(&blanks);
                self.out.push('\n');
            }
        }
        for _ in 0..self.dice.roll(6).saturating_sub(3) {
            self.indent(column);
            self.out.push_str(&format!("# above {name}\n"));
        }
        self.in_block = false;
    }

    fn end_line(&mut self, name: &str) {
        if self.dice.one_in(4) {
            let blanks = " ".repeat(1 + self.dice.roll(4));
            self.out.push_str(&format!("{blanks}# eol {name}"));
        } else if self.dice.one_in(5) {
            self.out.push_str("  ");
        }
        self.out.push('\n');
    }

    fn map(&mut self, column: usize, depth: usize, keys: Option<Vec<String>>) {
        let keys = keys.unwrap_or_else(|| {
            let count = 1 + self.dice.roll(4);
            (0..count).map(|_| self.name("k")).collect()
        });
        for (at, key) in keys.iter().enumerate() {
            // The first line of a map in a list goes on behind the dash.
            if at > 0 || self.out.is_empty() || self.out.ends_with('\n') {
                self.above(key, column);
                self.indent(column);
            }
            self.out.push_str(key);
            self.out.push(':');
            self.value(key, column, depth, true);
        }
        self.foot(column);
    }

    fn foot(&mut self, column: usize) {
        if self.dice.one_in(8) && column > 0 {
            self.indent(column);
            self.out.push_str(&format!("# foot at {column}\n"));
            self.in_block = false;
        }
    }

    fn list(&mut self, column: usize, depth: usize) {
        for at in 0..1 + self.dice.roll(4) {
            let name = self.name("i");
            if at > 0 || self.out.ends_with('\n') {
                self.above(&name, column);
                self.indent(column);
            }
            self.out.push('-');
            self.value(&name, column, depth, false);
        }
        self.foot(column);
    }

    fn value(&mut self, name: &str, column: usize, depth: usize, is_key: bool) {
        let inner = column + 1 + self.dice.roll(4);
        let kinds = if depth > 3 { 6 } else { 10 };
        let kind = self.dice.roll(kinds);
        let anchor = (self.dice.one_in(9) && kind != 5).then(|| self.name("a"));
        if let Some(anchor) = &anchor {
            self.out.push_str(&format!(" &{anchor}"));
        }
        let fill = |template: &str, name: &str| {
            let template =
                template.replace("{I}", &" ".repeat(inner)).replace("{2}", &" ".repeat(column + 2));
            template.replace("{A}", name)
        };
        match kind {
            0 | 1 => {
                let word = self.dice.pick(&WORDS);
                let blanks = " ".repeat(1 + self.dice.roll(3));
                self.out.push_str(&format!("{blanks}{word}"));
                self.end_line(name);
            }
            2 => {
                let flow = self.dice.pick(&FLOW);
                let inside = self.name("a");
                self.out.push(' ');
                self.out.push_str(&fill(flow, &inside));
                self.end_line(name);
            }
            3 => {
                let block = self.dice.pick(&BLOCKS);
                self.out.push(' ');
                self.out.push_str(&fill(block, ""));
                self.in_block = true;
            }
            4 => {
                let lines = self.dice.pick(&LINES[..3]);
                self.out.push(' ');
                self.out.push_str(&fill(lines, ""));
                self.end_line(name);
            }
            5 => {
                if let Some(alias) = self.anchors.last().cloned().filter(|_| self.dice.one_in(2)) {
                    self.out.push_str(&format!(" *{alias}"));
                }
                self.end_line(name);
                if self.dice.one_in(3) {
                    self.indent(column + 1 + inner % 2);
                    self.out.push_str(&format!("# below {name}\n"));
                }
            }
            6 | 7 if is_key || anchor.is_some() || self.dice.one_in(3) => {
                self.end_line(name);
                self.map(inner, depth + 1, None);
            }
            6 | 7 => {
                let blanks = inner - column;
                self.indent(blanks);
                self.map(column + 1 + blanks, depth + 1, None);
            }
            _ if is_key => {
                self.end_line(name);
                let column = if self.dice.one_in(2) { column } else { inner };
                self.list(column, depth + 1);
            }
            _ => {
                if anchor.is_some() {
                    self.end_line(name);
                    self.list(inner, depth + 1);
                } else {
                    let blanks = inner - column;
                    self.indent(blanks);
                    self.list(column + 1 + blanks, depth + 1);
                }
            }
        }
        self.anchors.extend(anchor);
    }
}
