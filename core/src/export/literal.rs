//! Texts of a run as literals of a program: none of their characters is code, and each evaluates to
//! itself.

use serde_json::Value;

use crate::text::is_visible_char;

/// The text between backticks of JavaScript, its lines as lines.
pub(super) fn js_template(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('`');
    let mut dollar = false;
    for c in text.chars() {
        match c {
            '`' | '\\' => out.extend(['\\', c]),
            '{' if dollar => out.push_str("\\{"),
            '\n' | '\t' => out.push(c),
            // Without its escape a carriage return would be read as the end of a line.
            _ if !is_visible_char(c) => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            _ => out.push(c),
        }
        dollar = c == '$';
    }
    out.push('`');
    out
}

/// The text in single quotes of JavaScript, on one line.
pub(super) fn js_text(text: &str) -> String {
    quoted(text, '\'', |c| format!("\\u{{{:x}}}", u32::from(c)))
}

/// The text in double quotes of Python, on one line.
pub(super) fn python_text(text: &str) -> String {
    quoted(text, '"', |c| format!("\\U{:08x}", u32::from(c)))
}

fn quoted(text: &str, quote: char, by_number: impl Fn(char) -> String) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\\' => out.push_str("\\\\"),
            _ if c == quote => out.extend(['\\', c]),
            _ if !is_visible_char(c) => out.push_str(&by_number(c)),
            _ => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// A text of Python over several lines: one literal a line, which Python reads as one text.
pub(super) fn python_lines(text: &str) -> String {
    let lines: Vec<String> =
        text.split_inclusive('\n').map(|line| format!("    {}\n", python_text(line))).collect();
    match lines.is_empty() {
        true => "\"\"".to_owned(),
        false => format!("(\n{})", lines.concat()),
    }
}

/// Data as Python writes it.
pub(super) fn python(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => python_text(text),
        Value::Array(items) => format!("[{}]", items.iter().map(python).collect::<Vec<_>>().join(", ")),
        Value::Object(entries) => {
            let entry = |(key, value): (&String, &Value)| format!("{}: {}", python_text(key), python(value));
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_ends_its_text() {
        assert_eq!(js_template("a`${b}\\ $ {"), "`a\\`$\\{b}\\\\ $ {`");
        assert_eq!(js_template("a\r\nb\u{2028}\0"), "`a\\u{d}\nb\\u{2028}\\u{0}`");
        assert_eq!(js_text("it's\n\u{202e}"), "'it\\'s\\n\\u{202e}'");
        assert_eq!(python_text("a\"\\\n😀\u{2029}"), "\"a\\\"\\\\\\n😀\\U00002029\"");
        assert_eq!(python_lines("a\nb"), "(\n    \"a\\n\"\n    \"b\"\n)");
        assert_eq!(python_lines(""), "\"\"");
    }

    #[test]
    fn data_is_written_as_python_reads_it() {
        let data = serde_json::json!({"a": [null, true, false, 1.5], "b": "x"});
        assert_eq!(python(&data), "{\"a\": [None, True, False, 1.5], \"b\": \"x\"}");
    }
}
