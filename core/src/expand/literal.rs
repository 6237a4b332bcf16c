//! The literals of a call: texts, numbers, truth values, lists and maps, as Python or JSON write them.

use serde_json::{Map, Number, Value};

use super::shorthand::{Cursor, Fault};

/// The deepest nesting of lists and maps in one literal.
pub(crate) const DEPTH: usize = 32;

/// Reads one literal at the cursor.
pub(super) fn literal(cursor: &mut Cursor<'_>, depth: usize) -> Result<Value, Fault> {
    cursor.skip_blanks();
    let start = cursor.at;
    if depth > DEPTH {
        return Err(cursor.fault(
            start,
            start + 1,
            format!("lists and maps are nested more than {DEPTH} levels deep"),
        ));
    }
    match cursor.peek() {
        Some(quote @ ('"' | '\'')) => text(cursor, quote).map(Value::String),
        Some('[') => list(cursor, depth),
        Some('{') => map(cursor, depth),
        Some('(') => Err(cursor.expected_here("a value").help("write a list in square brackets: `[1, 2]`")),
        Some(c) if !matches!(c, ',' | ')' | ']' | '}' | '=' | ':') => word(cursor),
        _ => Err(cursor
            .expected_here("a value")
            .help("write a value: `'text'`, `5`, `true`, `null`, `[1, 2]` or `{a: 1}`")),
    }
}

fn text(cursor: &mut Cursor<'_>, quote: char) -> Result<String, Fault> {
    let start = cursor.at;
    cursor.bump();
    let mut out = String::new();
    while let Some(c) = cursor.bump() {
        match c {
            '\\' => escape(cursor, quote, &mut out),
            c if c == quote => return Ok(out),
            c => out.push(c),
        }
    }
    Err(cursor
        .fault(start, start + 1, "the quote is not closed")
        .help(format!("add `{quote}`; write `\\{quote}` for a quote in the text")))
}

/// JSON's escapes and the escaped quote; a backslash before anything else stays, as in Python.
fn escape(cursor: &mut Cursor<'_>, quote: char, out: &mut String) {
    match cursor.bump() {
        Some('n') => out.push('\n'),
        Some('t') => out.push('\t'),
        Some('r') => out.push('\r'),
        Some('b') => out.push('\u{8}'),
        Some('f') => out.push('\u{c}'),
        Some('/') => out.push('/'),
        Some('\\') => out.push('\\'),
        Some(c) if c == quote => out.push(c),
        Some('u') => match hex(cursor) {
            Some(high @ 0xd800..0xdc00) if cursor.rest().starts_with("\\u") => {
                let before = cursor.at;
                cursor.at += 2;
                let pair = hex(cursor).filter(|low| (0xdc00..0xe000).contains(low));
                match pair.and_then(|low| char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)))
                {
                    Some(c) => out.push(c),
                    None => {
                        cursor.at = before;
                        out.push('\u{fffd}');
                    }
                }
            }
            Some(code) => out.push(char::from_u32(code).unwrap_or('\u{fffd}')),
            None => out.push_str("\\u"),
        },
        Some(c) => {
            out.push('\\');
            out.push(c);
        }
        None => out.push('\\'),
    }
}

fn hex(cursor: &mut Cursor<'_>) -> Option<u32> {
    let digits =
        cursor.rest().get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    cursor.at += 4;
    u32::from_str_radix(digits, 16).ok()
}

fn word(cursor: &mut Cursor<'_>) -> Result<Value, Fault> {
    let start = cursor.at;
    let word =
        cursor.take_while(|c| !matches!(c, ',' | ')' | ']' | '}' | '=' | ':' | '(') && !c.is_whitespace());
    match word {
        "true" | "True" => return Ok(Value::Bool(true)),
        "false" | "False" => return Ok(Value::Bool(false)),
        "null" | "None" => return Ok(Value::Null),
        _ => {}
    }
    let integer =
        (word.parse::<i64>().ok().map(Number::from)).or_else(|| word.parse::<u64>().ok().map(Number::from));
    let digits = word.trim_start_matches(['-', '+']);
    let is_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_digits && digits.len() > 1 && digits.starts_with('0') {
        // A code or a date, whose zero would be lost.
        let message = format!("`{word}` starts with a zero, so it is not a number");
        return Err(cursor.fault(start, cursor.at, message).help(format!("put it in quotes: `'{word}'`")));
    }
    if integer.is_none() && is_digits {
        let message = format!("`{word}` does not fit in 64 bits");
        return Err(cursor.fault(start, cursor.at, message).help(format!("put it in quotes: `'{word}'`")));
    }
    let number = integer.or_else(|| word.parse::<f64>().ok().and_then(Number::from_f64));
    // Rust reads `inf` and `nan` as numbers, but from_f64 refuses them.
    let lower = word.to_lowercase();
    if number.is_none() && matches!(&*lower, "true" | "false" | "null" | "none") {
        let meant = if lower == "none" { "null" } else { &lower };
        let mut fault = cursor.fault(start, cursor.at, format!("`{word}` is not a value"));
        fault.meant = Some(meant.to_owned());
        return Err(fault.help(format!("write `{meant}`, or `'{word}'` for a string")));
    }
    number.map(Value::Number).ok_or_else(|| {
        if let Some(text) = word.strip_prefix(['‘', '’', '“', '”']) {
            let text = text.trim_end_matches(['‘', '’', '“', '”']);
            let fault = cursor.fault(start, cursor.at, "use straight quotes".to_owned());
            return fault.help(format!("write `'{text}'`"));
        }
        let quote = if word.contains('\'') { '"' } else { '\'' };
        cursor
            .fault(start, cursor.at, format!("`{word}` is not a value"))
            .help(format!("add quotes: `{quote}{word}{quote}`"))
    })
}

fn list(cursor: &mut Cursor<'_>, depth: usize) -> Result<Value, Fault> {
    let start = cursor.at;
    cursor.bump();
    let mut items = Vec::new();
    loop {
        cursor.skip_blanks();
        match cursor.peek() {
            Some(']') => {
                cursor.bump();
                return Ok(Value::Array(items));
            }
            None => return Err(cursor.unclosed(start, ']')),
            _ => items.push(literal(cursor, depth + 1)?),
        }
        cursor.comma_or(']', start)?;
    }
}

fn map(cursor: &mut Cursor<'_>, depth: usize) -> Result<Value, Fault> {
    let start = cursor.at;
    cursor.bump();
    let mut entries = Map::new();
    loop {
        cursor.skip_blanks();
        let key_start = cursor.at;
        let key = match cursor.peek() {
            Some('}') => {
                cursor.bump();
                return Ok(Value::Object(entries));
            }
            None => return Err(cursor.unclosed(start, '}')),
            Some(quote @ ('"' | '\'')) => text(cursor, quote)?,
            Some(_) => cursor
                .take_while(|c| !matches!(c, ',' | ')' | ']' | '}' | '=' | ':') && !c.is_whitespace())
                .to_owned(),
        };
        let key_end = cursor.at;
        cursor.skip_blanks();
        if key_end == key_start || cursor.peek() != Some(':') {
            return Err(cursor.expected_here("`:` after a key"));
        }
        cursor.bump();
        let value = literal(cursor, depth + 1)?;
        if entries.insert(key.clone(), value).is_some() {
            return Err(cursor
                .fault(key_start, key_end, format!("duplicate key `{key}`"))
                .help("keep one of them"));
        }
        cursor.comma_or('}', start)?;
    }
}
