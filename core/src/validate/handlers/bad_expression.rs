//! T615: an expression cannot be read, or names what is not there.
//!
//! What is certain is told without reading the expression as a whole: its signs, its brackets, its names.

use super::Surroundings;
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::model::VARIABLES;
use crate::text::{Locator, Span};

/// The functions of JMESPath.
const FUNCTIONS: [&str; 26] = [
    "abs",
    "avg",
    "ceil",
    "contains",
    "ends_with",
    "floor",
    "join",
    "keys",
    "length",
    "map",
    "max",
    "max_by",
    "merge",
    "min",
    "min_by",
    "not_null",
    "reverse",
    "sort",
    "sort_by",
    "starts_with",
    "sum",
    "to_array",
    "to_number",
    "to_string",
    "type",
    "values",
];

/// The signs, longer ones before those they begin with.
const SIGNS: [&str; 24] = [
    "||", "&&", "==", "!=", "<=", ">=", "[?", "[]", "|", "&", "<", ">", "!", "=", ".", ",", ":", "(", ")",
    "[", "]", "{", "}", "*",
];

/// Checks the expression at `start..end` of the scalar that `locator` knows, whose text is `text`.
pub(super) fn check(
    surroundings: &Surroundings<'_>,
    locator: &Locator<'_>,
    text: &str,
    (start, end): (usize, usize),
    found: &mut Vec<Diagnostic>,
) {
    let Some(written) = text.get(start..end) else { return };
    let mut scan = Scan { surroundings, locator, text: written, base: start, frames: Vec::new(), found };
    if let Err(fault) = scan.read() {
        let span = locator.place(start + fault.from, start + fault.to);
        let diagnostic = Diagnostic::new(codes::BAD_EXPRESSION, Severity::Error, span, fault.message);
        scan.found.push(match fault.help.is_empty() {
            true => diagnostic,
            false => diagnostic.help(fault.help),
        });
    }
}

/// What cannot be read, with its place in the expression.
struct Fault {
    from: usize,
    to: usize,
    message: String,
    help: String,
}

/// An open bracket, or the whole expression.
struct Frame {
    /// The sign that opens it.
    sign: &'static str,
    at: usize,
    /// Whether names at its beginning, and at this place, are variables.
    base: bool,
    sees: bool,
}

/// What came last.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    Nothing,
    /// A name that may be that of a function.
    Name,
    Operand,
    /// A sign that something must follow, with its place.
    Sign(&'static str, usize),
}

struct Scan<'s, 'd, 'l> {
    surroundings: &'s Surroundings<'d>,
    locator: &'s Locator<'l>,
    text: &'s str,
    /// Where the expression begins in its scalar.
    base: usize,
    frames: Vec<Frame>,
    found: &'s mut Vec<Diagnostic>,
}

impl Scan<'_, '_, '_> {
    fn read(&mut self) -> Result<(), Fault> {
        self.frames.push(Frame { sign: "", at: 0, base: true, sees: true });
        let mut last = Last::Nothing;
        let mut at = 0;
        while let Some(c) = self.text.get(at..).and_then(|rest| rest.chars().next()) {
            let rest = self.text.get(at..).unwrap_or("");
            let end = match c {
                _ if c.is_whitespace() => {
                    at += c.len_utf8();
                    continue;
                }
                '\'' | '"' | '`' => at + quoted(rest, c).ok_or_else(|| not_closed(at, c))?,
                'a'..='z' | 'A'..='Z' | '_' => at + length(rest, |c| c.is_ascii_alphanumeric() || c == '_'),
                '0'..='9' | '-' => at + 1 + length(rest.get(1..).unwrap_or(""), |c| c.is_ascii_digit()),
                _ => {
                    let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign)).copied();
                    let end = at + sign.map_or(c.len_utf8(), str::len);
                    last = match sign {
                        Some(sign) => self.sign(sign, at, last)?,
                        None if c == '@' => self.operand(at, end, last)?,
                        None => {
                            return Err(fault(at, end, format!("`{c}` has no place in an expression"), ""));
                        }
                    };
                    at = end;
                    continue;
                }
            };
            let is_number = matches!(c, '0'..='9' | '-');
            if is_number && self.frames.last().is_none_or(|frame| frame.sign != "[") {
                let word = self.text.get(at..end).unwrap_or("");
                let message = format!("the number `{word}` stands without backticks");
                return Err(fault(at, end, message, "write it between backticks"));
            }
            let before = last;
            last = self.operand(at, end, before)?;
            if c.is_ascii_alphabetic() || c == '_' {
                self.name(at, end, before);
                last = Last::Name;
            }
            at = end;
        }
        let whole = self.text.len();
        match (self.frames.pop().filter(|frame| !frame.sign.is_empty()), last) {
            (_, Last::Sign(sign, at)) if !matches!(sign, "(" | "[" | "[?" | "{") => Err(unfinished(sign, at)),
            (Some(open), _) => {
                let message = format!("`{}` is not closed", open.sign);
                Err(fault(
                    open.at,
                    open.at + open.sign.len(),
                    message,
                    format!("close it with `{}`", closer(open.sign)),
                ))
            }
            (None, Last::Nothing) => Err(fault(0, whole, "the expression is empty".to_owned(), "")),
            (None, _) => Ok(()),
        }
    }

    /// Something that has a value, at `at..end`: two of them do not stand side by side.
    fn operand(&self, at: usize, end: usize, last: Last) -> Result<Last, Fault> {
        if !matches!(last, Last::Name | Last::Operand) {
            return Ok(Last::Operand);
        }
        let word = self.text.get(at..end).unwrap_or("");
        let help = match word {
            "and" => "write `&&`",
            "or" => "write `||`",
            "is" | "equals" => "write `==`",
            "in" => "write `contains(list, value)`",
            _ => "a text stands in single quotes; `==`, `&&` and `||` compare and connect",
        };
        Err(fault(at, end, format!("there is no operator before `{word}`"), help))
    }

    /// A sign at `at`.
    fn sign(&mut self, sign: &'static str, at: usize, last: Last) -> Result<Last, Fault> {
        let end = at + sign.len();
        let is_after_value = matches!(last, Last::Name | Last::Operand);
        match sign {
            "(" if last == Last::Operand => return self.operand(at, end, last),
            "(" | "[" | "[?" | "{" => {
                let sees = sign == "(" && self.frames.last().is_some_and(|frame| frame.sees);
                self.frames.push(Frame { sign, at, base: sees, sees });
                return Ok(Last::Sign(sign, at));
            }
            ")" | "]" | "}" => {
                if let Last::Sign(before, place) = last
                    && !matches!(before, ":" | "(" | "[" | "[?" | "{")
                {
                    return Err(unfinished(before, place));
                }
                let fits = self.frames.last().is_some_and(|frame| closer(frame.sign) == sign);
                if !fits {
                    return Err(fault(at, end, format!("`{sign}` closes nothing that is open"), ""));
                }
                self.frames.pop();
                return Ok(Last::Operand);
            }
            "=" => return Err(fault(at, end, "a single `=` compares nothing".to_owned(), "write `==`")),
            "*" => return self.operand(at, end, last),
            "[]" => return Ok(Last::Operand),
            "!" | "&" | ":" => {}
            _ if !is_after_value => {
                return Err(match last {
                    Last::Sign(before, place) if !matches!(before, "(" | "[" | "[?" | "{") => {
                        unfinished(before, place)
                    }
                    _ => fault(at, end, format!("there is nothing before `{sign}`"), "name what it is about"),
                });
            }
            _ => {}
        }
        if let Some(frame) = self.frames.last_mut() {
            match sign {
                // What follows sees what stands before, and no variables.
                "|" | "&" => frame.sees = false,
                "," => frame.sees = frame.base,
                _ => {}
            }
        }
        Ok(Last::Sign(sign, at))
    }

    /// A name at `at..end`, that of a function if a bracket follows.
    fn name(&mut self, at: usize, end: usize, before: Last) {
        let Some(word) = self.text.get(at..end) else { return };
        let is_function = self.text.get(end..).is_some_and(|rest| rest.starts_with('('));
        let is_part = matches!(before, Last::Sign(".", _));
        let sees = !is_part && self.frames.last().is_some_and(|frame| frame.sees);
        let (message, severity, meant) = if is_function {
            if FUNCTIONS.contains(&word) {
                return;
            }
            let meant = self.surroundings.suggest(word, FUNCTIONS.into_iter());
            (format!("there is no function `{word}`"), Severity::Error, meant)
        } else {
            if !sees || VARIABLES.iter().any(|variable| variable.name == word) {
                return;
            }
            let meant = self.surroundings.suggest(word, VARIABLES.iter().map(|variable| variable.name));
            (format!("there is no variable `{word}`"), Severity::Warning, meant)
        };
        let span = self.locator.place(self.base + at, self.base + end);
        let diagnostic = Diagnostic::new(codes::BAD_EXPRESSION, severity, span, message);
        self.found.push(match meant {
            Some(meant) if span.slice(self.surroundings.source) == word => diagnostic
                .help(format!("did you mean `{meant}`?"))
                .fix(Applicability::Suggested, format!("write `{meant}`"), span, meant.to_owned()),
            Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")),
            None if is_function => diagnostic.help("the functions are those of JMESPath"),
            None if matches!(word, "true" | "false" | "null") => diagnostic.help("write it between backticks"),
            None => diagnostic.help(
                "a text stands in single quotes; the variables are listed on the page of handlers, and values \
                 of the context are `context.key`",
            ),
        });
    }
}

fn fault(from: usize, to: usize, message: String, help: impl Into<String>) -> Fault {
    Fault { from, to, message, help: help.into() }
}

fn unfinished(sign: &str, at: usize) -> Fault {
    fault(at, at + sign.len(), format!("there is nothing after `{sign}`"), "finish the expression")
}

fn not_closed(at: usize, quote: char) -> Fault {
    let message = match quote {
        '`' => "the backtick is not closed",
        _ => "the quote is not closed",
    };
    fault(at, at + 1, message.to_owned(), "close it where the value ends")
}

fn closer(sign: &str) -> &'static str {
    match sign {
        "(" => ")",
        "[" | "[?" => "]",
        "{" => "}",
        _ => "",
    }
}

fn length(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.len() - text.trim_start_matches(is_part).len()
}

/// The bytes of the quoted piece that a text begins with.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Checks the expression of a condition.
pub(super) fn condition(
    surroundings: &Surroundings<'_>,
    text: &str,
    span: Span,
    found: &mut Vec<Diagnostic>,
) {
    let locator = Locator::new(surroundings.source, span, text);
    check(surroundings, &locator, text, (0, text.len()), found);
}
