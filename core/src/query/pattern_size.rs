//! The work of a pattern for each letter of a text.

/// How many states and ways between them the matcher of a pattern may visit on one letter, at most.
///
/// The matcher follows all paths through the pattern at once, so that nested repetitions cost no more than
/// their states; counted ones, such as `a{100}`, are expanded. Letters and ranges of classes are counted with
/// the states. For text that is no pattern, the number means nothing.
pub(super) fn work(pattern: &str, ignore_case: bool) -> u64 {
    let mut reader = Reader { rest: pattern, frames: Vec::new(), frame: Frame::new(ignore_case, false, 0) };
    while let Some(c) = reader.next() {
        reader.read(c);
    }
    while reader.close() {}
    // The begin and the end of a match, and the match itself.
    reader.frame.whole().saturating_add(4)
}

/// A group that is being read.
struct Frame {
    /// The work of all parts except the last.
    before: u64,
    /// The work of the last part, which a following sign repeats.
    last: u64,
    /// The work of the group itself.
    own: u64,
    ignore_case: bool,
    /// Whether white space and comments are ignored.
    verbose: bool,
}

impl Frame {
    fn new(ignore_case: bool, verbose: bool, own: u64) -> Self {
        Self { before: 0, last: 0, own, ignore_case, verbose }
    }

    fn push(&mut self, work: u64) {
        self.before = self.before.saturating_add(self.last);
        self.last = work;
    }

    fn whole(&self) -> u64 {
        self.before.saturating_add(self.last).saturating_add(self.own)
    }
}

struct Reader<'p> {
    rest: &'p str,
    /// The groups around the current one.
    frames: Vec<Frame>,
    frame: Frame,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next()?;
        self.rest = chars.as_str();
        Some(c)
    }

    /// Continues past the first of these letters.
    fn skip_past(&mut self, ends: &[char]) -> char {
        while let Some(c) = self.next() {
            if ends.contains(&c) {
                return c;
            }
        }
        ' '
    }

    fn read(&mut self, c: char) {
        let cases = if self.frame.ignore_case { 2 } else { 1 };
        match c {
            '\\' => {
                let work = self.escape();
                self.frame.push(work.max(cases));
            }
            '[' => {
                let work = self.class(cases);
                self.frame.push(work);
            }
            '(' => self.open(),
            ')' => {
                self.close();
            }
            '|' => {
                self.frame.push(0);
                self.frame.own = self.frame.own.saturating_add(4);
            }
            '*' | '+' | '?' => self.frame.last = self.frame.last.saturating_add(5),
            '{' => self.repeat(),
            '.' => self.frame.push(4),
            '#' if self.frame.verbose => {
                self.skip_past(&['\n']);
            }
            c if c.is_whitespace() && self.frame.verbose => {}
            _ => self.frame.push(cases),
        }
    }

    /// What follows a backslash.
    fn escape(&mut self) -> u64 {
        match self.next() {
            Some('w' | 'W') => 6,
            Some('d' | 'D' | 's' | 'S') => 4,
            // A letter by number, or the end of a word.
            Some('x' | 'u' | 'U' | 'b') if self.rest.starts_with('{') => {
                self.skip_past(&['}']);
                1
            }
            _ => 1,
        }
    }

    /// A class of letters after its `[`: each of its letters may be a range, and two with a hyphen between
    /// them are one.
    fn class(&mut self, cases: u64) -> u64 {
        let mut work = 2_u64;
        let mut depth = 1_u32;
        self.rest = self.rest.strip_prefix('^').unwrap_or(self.rest);
        self.rest = self.rest.strip_prefix(']').unwrap_or(self.rest);
        while depth > 0 {
            match self.next() {
                None => break,
                Some('[') => {
                    depth += 1;
                    self.rest = self.rest.strip_prefix('^').unwrap_or(self.rest);
                    self.rest = self.rest.strip_prefix(']').unwrap_or(self.rest);
                }
                Some(']') => depth -= 1,
                Some('\\') => work += self.escape(),
                Some('-') => work = work.saturating_sub(cases),
                Some(_) => work += cases,
            }
        }
        work.max(2)
    }

    /// A group after its `(`, or flags for the rest of the current group.
    fn open(&mut self) {
        let (ignore_case, verbose) = (self.frame.ignore_case, self.frame.verbose);
        let mut inner = Frame::new(ignore_case, verbose, 2);
        if let Some(rest) = self.rest.strip_prefix('?') {
            self.rest = rest;
            if rest.starts_with("P<") || rest.starts_with('<') {
                self.skip_past(&['>']);
            } else {
                let on = rest.split([':', ')', '-']).next().unwrap_or("");
                let off = rest.split([':', ')']).next().and_then(|flags| flags.split_once('-'));
                let has =
                    |flag, was| (was || on.contains(flag)) && !off.is_some_and(|(_, off)| off.contains(flag));
                (inner.ignore_case, inner.verbose) = (has('i', ignore_case), has('x', verbose));
                if self.skip_past(&[':', ')']) == ')' {
                    (self.frame.ignore_case, self.frame.verbose) = (inner.ignore_case, inner.verbose);
                    return;
                }
            }
        }
        self.frames.push(std::mem::replace(&mut self.frame, inner));
    }

    /// Ends the innermost group; false when there is none.
    fn close(&mut self) -> bool {
        let Some(outer) = self.frames.pop() else { return false };
        let inner = std::mem::replace(&mut self.frame, outer);
        self.frame.push(inner.whole());
        true
    }

    /// A repetition after its `{`.
    fn repeat(&mut self) {
        let Some((inside, after)) = self.rest.split_once('}') else { return self.frame.push(1) };
        let number = |text: &str| text.trim().parse::<u64>().ok();
        let (least, most) = match inside.split_once(',') {
            None => (number(inside), number(inside)),
            Some((least, most)) if most.trim().is_empty() => (number(least), number(least)),
            Some((least, most)) => (number(least), number(most)),
        };
        // The matcher rejects malformed counts as well.
        let (Some(least), Some(most)) = (least, most) else { return self.frame.push(1) };
        self.rest = after;
        // Each optional repetition adds a path.
        let left_out = most.saturating_sub(least).saturating_mul(3);
        let spelt_out = self.frame.last.saturating_mul(most.max(1));
        self.frame.last = spelt_out.saturating_add(left_out).saturating_add(4);
    }
}

#[cfg(test)]
mod tests {
    use regex_lite::RegexBuilder;

    use super::work;

    /// The matcher's states alone, and with the ranges of their classes, from the bytes that it reports on
    /// this machine: a state takes 32 bytes, a range 8.
    fn states(pattern: &str, ignore_case: bool) -> (u64, u64) {
        let fits = |size: usize| {
            let mut builder = RegexBuilder::new(pattern);
            builder.case_insensitive(ignore_case).size_limit(size).build().is_ok()
        };
        let (mut least, mut most) = (0, 1 << 20);
        assert!(fits(most), "{pattern}");
        while least + 1 < most {
            let middle = usize::midpoint(least, most);
            if fits(middle) { most = middle } else { least = middle }
        }
        ((most / 32) as u64, (most / 8) as u64)
    }

    /// No pattern is more work than it is counted for, nor many times less.
    #[test]
    fn what_is_counted_is_what_the_matcher_has() {
        let alternation: String = (0..200).map(|word| format!("word{word}|")).collect();
        let nested = format!("{}a{}", "(".repeat(20), ")*".repeat(20));
        for pattern in [
            "",
            "a",
            "weather",
            "(sunny|rainy|cloudy)",
            &alternation,
            &"(a*)*".repeat(50),
            &"(a?){20}".repeat(10),
            &nested,
            "((a{10}){10}){10}",
            "(?:a?){400}b",
            "a{0,300}",
            "(a|b|ab)*c",
            "(x+x+)+y",
            "[a-z]+@[a-z]+\\.[a-z]{2,4}",
            "\\w+\\s\\d{3}-\\d{4}",
            "[\\w\\d\\s]{100}",
            "[^a-c[:alpha:]]{20}",
            ".{500}",
            "(?s:.{100})",
            "(?i)weather",
            "(?x) a # (\n {40} # )\n ( b c ){10}",
            "(?x:a)(#b){30}",
            "(?P<name>é{3,}){5}",
            "\\x{41}\\u0042{7}",
            "[]a]{10}",
            "a{0}",
        ] {
            for ignore_case in [false, true] {
                let (counted, (states, most)) = (work(pattern, ignore_case), states(pattern, ignore_case));
                assert!(counted >= states, "{pattern}: counted {counted} of {states}");
                assert!(counted <= 3 * most + 20, "{pattern}: counted {counted} of {most}");
            }
        }
    }

    #[test]
    fn what_is_no_pattern_is_counted_too() {
        for invalid in [
            "(",
            ")",
            "a)))(((",
            "[",
            "{",
            "a{x}",
            "{3}",
            "\\",
            "(?",
            "(?i",
            "(?P<",
            "[[[",
            "a{99999999999999999999}",
        ] {
            assert!(work(invalid, true) >= 3, "{invalid}");
        }
    }

    #[test]
    fn repetitions_in_repetitions_grow_as_they_are_spelt_out() {
        assert!(work("((((a{1000}){1000}){1000}){1000}){1000}", false) > 1_000_000_000_000);
        assert!(work(&format!("{}a{}", "(".repeat(30), "){1000}".repeat(30)), false) == u64::MAX);
    }
}
