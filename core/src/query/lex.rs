//! The signs, names and values that an expression is made of, with their places.

use std::ops::Range;

use serde_json::Value;

use super::QueryError;

/// The signs; a longer one comes before its prefixes.
const SIGNS: [&str; 25] = [
    "||", "&&", "==", "!=", "<=", ">=", "[?", "[]", "|", "&", "<", ">", "!", "@", ".", ",", ":", "(", ")",
    "[", "]", "{", "}", "*", "=",
];

/// A piece of an expression.
#[derive(Debug)]
pub(super) enum Token {
    Name(String),
    /// A name in double quotes, which is never a function.
    Quoted(String),
    /// A value in backticks, or a text in single quotes.
    Literal(Value),
    Number(i64),
    Sign(&'static str),
    /// A fault in an expression; it counts when the parser reaches it.
    Bad(QueryError),
    End,
}

/// A piece and the bytes of its place.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) at: Range<usize>,
}

/// All pieces of a text, the end included; an unreadable one comes right before the end.
pub(super) fn tokens(text: &str) -> Vec<Placed> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or("");
        if matches!(c, ' ' | '\t' | '\n' | '\r') {
            at += 1;
            continue;
        }
        let (token, length) = token(rest, c, at);
        let is_bad = matches!(token, Token::Bad(_));
        found.push(Placed { token, at: at..at + length });
        at += length;
        if is_bad {
            break;
        }
    }
    found.push(Placed { token: Token::End, at: text.len()..text.len() });
    found
}

/// The piece at the start of `rest` and its length; `c` is its first character and `at` its place.
fn token(rest: &str, c: char, at: usize) -> (Token, usize) {
    match c {
        '\'' | '"' | '`' => match quoted(rest, c) {
            Some(length) => (in_quotes(rest.get(1..length - 1).unwrap_or(""), c, at..at + length), length),
            None => {
                let what = if c == '`' { "the backtick is not closed" } else { "the quote is not closed" };
                (bad(at..at + 1, what.to_owned(), "close it where the value ends"), 1)
            }
        },
        'a'..='z' | 'A'..='Z' | '_' => {
            let length = run(rest, |c| c.is_ascii_alphanumeric() || c == '_');
            (Token::Name(rest.get(..length).unwrap_or("").to_owned()), length)
        }
        '0'..='9' | '-' => {
            let length = 1 + run(rest.get(1..).unwrap_or(""), |c| c.is_ascii_digit());
            let word = rest.get(..length).unwrap_or("");
            match word.parse() {
                Ok(number) => (Token::Number(number), length),
                Err(_) if length == 1 => (stranger(c, at), 1),
                Err(_) => {
                    let message = format!("the number `{word}` is too large for an index");
                    (bad(at..at + length, message, ""), length)
                }
            }
        }
        _ => match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            Some(&"=") => (bad(at..at + 1, "a single `=` compares nothing".to_owned(), "write `==`"), 1),
            Some(sign) => (Token::Sign(sign), sign.len()),
            None => (stranger(c, at), c.len_utf8()),
        },
    }
}

fn stranger(c: char, at: usize) -> Token {
    let help = match c {
        '+' | '-' | '/' | '%' => "arithmetic is not supported; use `sum([a, b])` to add",
        '$' => "start with a name, or write `@` for the whole data",
        _ => "",
    };
    bad(at..at + c.len_utf8(), format!("`{c}` has no place in an expression"), help)
}

fn bad(at: Range<usize>, message: String, help: &str) -> Token {
    Token::Bad(QueryError { at, message, help: help.to_owned(), meant: None })
}

/// The token for the text between quotes.
fn in_quotes(inner: &str, quote: char, at: Range<usize>) -> Token {
    match quote {
        // Any other backslash is literal.
        '\'' => Token::Literal(Value::String(inner.replace("\\'", "'"))),
        '"' => match serde_json::from_str(&format!("\"{inner}\"")) {
            Ok(name) => Token::Quoted(name),
            Err(_) => bad(at, "the name in double quotes is not a JSON string".to_owned(), "fix its escapes"),
        },
        _ => {
            let written = inner.replace("\\`", "`");
            match crate::text::json_value(&written) {
                Ok(value) => Token::Literal(value),
                Err(_) => {
                    let message = format!("`{}` in backticks is not JSON", short(written.trim()));
                    bad(at, message, "write a string in single quotes, without backticks")
                }
            }
        }
    }
}

/// The beginning of a text, for a message.
pub(super) fn short(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or("")),
        None => text.to_owned(),
    }
}

fn run(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.len() - text.trim_start_matches(is_part).len()
}

/// The bytes of the quoted piece at the start of a text.
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
