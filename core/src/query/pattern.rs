//! Regular expressions that match in linear time.

use std::ops::Range;

use regex_lite::{Regex, RegexBuilder};

use super::pattern_size::work;
use super::read::fault;
use super::{Budget, QueryError};

/// The maximum length of a pattern in bytes.
const LONGEST: usize = 4 << 10;

/// The maximum work of a pattern for one letter of a text, with its repetitions expanded.
const MOST: u64 = 1 << 12;

/// The bytes that the matcher needs for that much.
const SIZE: usize = 1 << 20;

/// How many states of a pattern count as one step: following a path to a state is that much cheaper than a
/// step of an expression.
const STATES_A_STEP: u64 = 32;

/// The maximum number of quoted letters of a pattern.
const QUOTED: usize = 60;

/// A compiled regular expression.
///
/// The syntax is the common one, without look-around and back-references. `\w`, `\d`, `\s` and `\b` only
/// match letters, digits and spaces of ASCII. `^` and `$` are the ends of the text, those of its lines under
/// `(?m)`; `.` matches no line break unless under `(?s)`.
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    regex: Regex,
    /// The maximum number of states for one letter.
    work: u64,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// With `ignore_case`, case does not matter; letters beyond ASCII at the ends of ranges such as `[à-ü]`
    /// match only as written, and under `(?i)` in the pattern itself all of them do.
    ///
    /// ```
    /// use transcript_core::query::Pattern;
    /// let pattern = Pattern::compile("(sunny|café)", true).unwrap();
    /// assert_eq!(pattern.find("the CAFÉ"), Some(4..9));
    /// let error = Pattern::compile("a(?=b)", false).unwrap_err();
    /// assert_eq!((error.at, error.message.as_str()), (1..4, "look-ahead is not supported"));
    /// ```
    ///
    /// # Errors
    /// When it is invalid, or exceeds the limits of this stage; the help covers look-around and
    /// back-references, which cannot be matched in linear time.
    pub fn compile(text: &str, ignore_case: bool) -> Result<Self, QueryError> {
        if text.len() > LONGEST {
            return Err(fault(0..text.len(), format!("the pattern is longer than {LONGEST} bytes"), ""));
        }
        let spelt = if ignore_case && !text.is_ascii() { in_both_cases(text) } else { text.to_owned() };
        let work = work(&spelt, ignore_case);
        let size = if work > MOST { 0 } else { SIZE };
        match RegexBuilder::new(&spelt).case_insensitive(ignore_case).size_limit(size).build() {
            Ok(regex) => Ok(Self { text: text.to_owned(), regex, work }),
            Err(error) => Err(explained(text, &error.to_string())),
        }
    }

    /// Its text as written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The bytes of the first match in `text`.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Range<usize>> {
        self.regex.find(text).map(|found| found.range())
    }

    /// How many steps of a [`Budget`] a search in `text` takes: its number of states, for each letter, with
    /// 32 states a step.
    ///
    /// ```
    /// use transcript_core::query::Pattern;
    /// let steps = |pattern: &str| Pattern::compile(pattern, false).unwrap().steps(&"a".repeat(1 << 20));
    /// assert!(steps("sunny") < 500_000);
    /// assert!(steps(&"(a*)*".repeat(50)) > 5_000_000);
    /// ```
    #[must_use]
    pub fn steps(&self, text: &str) -> u64 {
        (text.chars().count() as u64).saturating_add(1).saturating_mul(self.work).div_ceil(STATES_A_STEP)
    }

    /// As [`Self::find`], within a budget.
    ///
    /// # Errors
    /// When the text is too long for so large a pattern; the place is the whole pattern.
    pub fn find_within(&self, text: &str, budget: &mut Budget) -> Result<Option<Range<usize>>, QueryError> {
        let Some(left) = budget.steps.checked_sub(self.steps(text)) else {
            let mut quoted: String = self.text.chars().take(QUOTED).collect();
            if quoted.len() < self.text.len() {
                quoted.push('…');
            }
            let letters = text.chars().count();
            let message =
                format!("the pattern `{quoted}` takes too many steps on a text of {letters} letters");
            let help = "use fewer repetitions, or search a shorter text";
            return Err(fault(0..self.text.len(), message, help));
        };
        budget.steps = left;
        Ok(self.find(text))
    }
}

/// The pattern with each letter beyond ASCII in both of its cases; those of ASCII are the matcher's own work.
fn in_both_cases(text: &str) -> String {
    let mut spelt = String::new();
    let mut is_class = false;
    let mut chars = text.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        match (c, other_case(c)) {
            ('\\', _) => {
                spelt.push(c);
                spelt.extend(chars.next());
                before = ' ';
                continue;
            }
            (_, Some(other)) if !is_class => {
                spelt.extend(["(?:", &c.to_string(), "|", &other.to_string(), ")"])
            }
            (_, Some(other)) if before != '-' && chars.peek() != Some(&'-') => spelt.extend([c, other]),
            _ => {
                is_class = match c {
                    '[' => true,
                    ']' => false,
                    _ => is_class,
                };
                spelt.push(c);
            }
        }
        before = c;
    }
    spelt
}

/// The same letter beyond ASCII in its other case, if that is a single letter.
fn other_case(c: char) -> Option<char> {
    if c.is_ascii() {
        return None;
    }
    let (mut lower, mut upper) = (c.to_lowercase(), c.to_uppercase());
    match (lower.len(), lower.next(), upper.len(), upper.next()) {
        (1, Some(other), ..) | (.., 1, Some(other)) if other != c => Some(other),
        _ => None,
    }
}

/// How a look-around group begins, its meaning, and the alternative to it.
const AROUND: [(&str, &str, &str); 4] = [
    ("(?<=", "look-behind is not supported", "include the text before: `ab` for `(?<=a)b`"),
    ("(?<!", "look-behind is not supported", "include what may come before: `(^|[^a])b` for `(?<!a)b`"),
    ("(?=", "look-ahead is not supported", "include the text after: `ab` for `a(?=b)`"),
    (
        "(?!",
        "look-ahead is not supported",
        "include what may follow: `a([^b]|$)` for `a(?!b)`, or add a second test",
    ),
];

/// Why a pattern cannot be compiled, at the place of it that is known to be at fault. The compiler itself names
/// no places.
fn explained(text: &str, failure: &str) -> QueryError {
    let around = |help: &str| format!("patterns run in linear time: {help}");
    let mut groups = Vec::new();
    let mut class = None;
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or("");
        let place = |length: usize| at..at + length;
        match c {
            '\\' => {
                let next = rest.chars().nth(1);
                let length = 1 + next.map_or(0, char::len_utf8);
                match next {
                    Some('1'..='9' | 'k') if class.is_none() => {
                        let help = around("write out the text of the group");
                        return fault(place(length), "back-references are not supported", help);
                    }
                    Some('p' | 'P') => {
                        let help = "write the letters, such as `[a-zà-ÿ]`";
                        return fault(place(length), "Unicode classes are not supported", help);
                    }
                    None => {
                        return fault(
                            place(1),
                            "there is nothing after `\\`",
                            "write `\\\\` for a backslash",
                        );
                    }
                    Some(_) => at += length,
                }
                continue;
            }
            '[' if class.is_none() => {
                class = Some(at);
                // A `]` at the start belongs to the class.
                let inside = rest.get(1..).unwrap_or("");
                let negated = usize::from(inside.starts_with('^'));
                at += negated
                    + usize::from(inside.get(negated..).is_some_and(|inside| inside.starts_with(']')));
            }
            ']' => class = None,
            '[' if !rest.starts_with("[:") => {
                return fault(
                    place(1),
                    "`[` inside `[…]`",
                    "write `\\[` for the character, or close the first `[`",
                );
            }
            _ if class.is_some() => {}
            '(' => {
                for (sign, message, help) in AROUND {
                    if rest.starts_with(sign) {
                        return fault(place(sign.len()), message, around(help));
                    }
                }
                groups.push(at);
            }
            '*' | '+' if repeats_nothing(text.get(..at).unwrap_or("")) => {
                return fault(
                    place(1),
                    format!("there is nothing to repeat before `{c}`"),
                    format!("write `.{c}` for any text, or `\\{c}` for the character").as_str(),
                );
            }
            ')' if groups.pop().is_none() => {
                return fault(place(1), "unmatched `)`", "write `\\)` for the character");
            }
            _ => {}
        }
        at += c.len_utf8();
    }
    if let Some(at) = class {
        return fault(at..at + 1, "`[` is not closed", "add `]`, or write `\\[` for the character");
    }
    if let Some(at) = groups.pop() {
        return fault(at..at + 1, "`(` is not closed", "add `)`, or write `\\(` for the character");
    }
    if failure.contains("size limit") {
        return fault(0..text.len(), "the pattern has too many repetitions", "use fewer repetitions");
    }
    fault(0..text.len(), format!("invalid pattern: {failure}"), "")
}

/// Whether the begin of a pattern ends in nothing that could be repeated.
fn repeats_nothing(before: &str) -> bool {
    let is_escaped = before.ends_with("\\(") || before.ends_with("\\|");
    before.is_empty() || !is_escaped && before.ends_with(['(', '|'])
}
