//! The layout of YAML: the line and column of all data.

use serde_json::{Map, Number, Value};

use super::string::{self, Place};

/// The maximum width of a line with a list in flow, in characters.
const FLOW_WIDTH: usize = 100;

/// The longest text of a list in flow, in characters.
const FLOW_WORD: usize = 40;

/// The longest key, in bytes as written, that may precede its `:` without a `?`.
///
/// Readers stop searching for the `:` after 1024 characters, which some count in code points and
/// some in UTF-16 units; a count of bytes is never less than either.
const SIMPLE_KEY: usize = 1000;

/// Writes `value` as YAML for people to read and edit, with a final newline.
///
/// Maps and lists are in block style, two spaces to a level, with the lists of a map indented too. Two
/// things stay on one line: empty values, and a list below the root of numbers, booleans, nulls and
/// texts without white space of at most 40 characters, if the line stays within 100. A text is plain
/// where every reader takes it for that text, a literal block where it has several lines, and quoted
/// otherwise; lines are never folded. Keys keep their order.
///
/// PyYAML, `yaml`, `js-yaml` and this crate read the result as `value`, except for the lower
/// precision of JavaScript's numbers.
///
/// ```
/// use serde_json::json;
/// use transcript_core::write;
/// let turn = json!({
///     "turn": 1,
///     "tags": ["weather", "no"],
///     "messages": [{"ref": "msg_001"}, {"role": "user", "content": "Where?\nHere: NYC."}],
///     "at": "2025-01-13",
/// });
/// assert_eq!(
///     write::yaml(&turn),
///     r#"turn: 1
/// tags: [weather, "no"]
/// messages:
///   - ref: msg_001
///   - role: user
///     content: |-
///       Where?
///       Here: NYC.
/// at: "2025-01-13"
/// "#
/// );
/// ```
#[must_use]
pub fn yaml(value: &Value) -> String {
    let mut out = String::new();
    match value {
        // A list in flow is short enough to read next to its key; alone it would look like broken
        // JSON.
        Value::Array(items) if !items.is_empty() => push_list(&mut out, items, 0, Start::Here),
        Value::Object(entries) if !entries.is_empty() => push_map(&mut out, entries, 0, Start::Here),
        Value::String(text) => {
            string::push(&mut out, text, Place::Root);
            out.push('\n');
        }
        _ => push_line(&mut out, &atom(value)),
    }
    out
}

/// Writes `value` as after the `:` of a key or, for an `item`, the `-` of a list: with the blank or line end
/// before it and its own line end. The key or dash is at `column`, and `used` bytes of its line are taken.
///
/// ```
/// use serde_json::json;
/// use transcript_core::write;
/// assert_eq!(write::after(&json!({"a": 1}), 2, 6, false), "\n    a: 1\n");
/// assert_eq!(write::after(&json!({"a": 1, "b": 2}), 2, 3, true), " a: 1\n    b: 2\n");
/// ```
#[must_use]
pub fn after(value: &Value, column: usize, used: usize, item: bool) -> String {
    let mut out = String::new();
    // The used width only matters for a list in flow.
    let used = used.min(FLOW_WIDTH);
    string::push_spaces(&mut out, used);
    push_node(&mut out, value, column, if item { Start::Here } else { Start::NextLine });
    out.split_off(used)
}

/// Writes an entry of a map, or an item of a list when there is no key, that begins at `column`: without the
/// indentation of its first line, with its line end.
///
/// ```
/// use serde_json::json;
/// use transcript_core::write;
/// assert_eq!(write::entry(Some("on"), &json!([1]), 2), "\"on\": [1]\n");
/// assert_eq!(write::entry(None, &json!("a\nb"), 2), "- |-\n    a\n    b\n");
/// ```
#[must_use]
pub fn entry(key: Option<&str>, value: &Value, column: usize) -> String {
    let mut out = String::new();
    let Some(key) = key else {
        out.push('-');
        out.push_str(&after(value, column, column + 1, true));
        return out;
    };
    push_key(&mut out, key, column);
    let used = column + out.rsplit('\n').next().map_or(0, str::len);
    out.push_str(&after(value, column, used, false));
    out
}

/// Writes `value` on one line in the flow style, which is valid anywhere.
///
/// ```
/// use serde_json::json;
/// use transcript_core::write;
/// assert_eq!(write::inline(&json!({"city": "New York", "at": [1, "a, b"]})), "{city: New York, at: [1, \"a, b\"]}");
/// ```
#[must_use]
pub fn inline(value: &Value) -> String {
    let mut out = String::new();
    push_inline(&mut out, value);
    out
}

fn push_inline(out: &mut String, value: &Value) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                push_inline(out, item);
            }
            out.push(']');
        }
        Value::Object(entries) => {
            out.push('{');
            for (at, (key, value)) in entries.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                string::push(out, key, Place::Tight);
                out.push_str(": ");
                push_inline(out, value);
            }
            out.push('}');
        }
        Value::String(text) => string::push(out, text, Place::Tight),
        _ => out.push_str(&atom(value)),
    }
}

/// The place of the first entry of a collection.
#[derive(Clone, Copy)]
enum Start {
    /// On the line that is being written.
    Here,
    /// On a line of its own.
    NextLine,
}

fn push_list(out: &mut String, items: &[Value], column: usize, start: Start) {
    for (at, item) in items.iter().enumerate() {
        push_indent(out, column, start, at);
        out.push('-');
        push_node(out, item, column, Start::Here);
    }
}

fn push_map(out: &mut String, entries: &Map<String, Value>, column: usize, start: Start) {
    for (at, (key, value)) in entries.iter().enumerate() {
        push_indent(out, column, start, at);
        push_key(out, key, column);
        push_node(out, value, column, Start::NextLine);
    }
}

/// Appends a key at `column` with its `:`.
fn push_key(out: &mut String, key: &str, column: usize) {
    let begin = out.len();
    string::push(out, key, Place::Tight);
    if out.len() - begin > SIMPLE_KEY {
        out.insert_str(begin, "? ");
        out.push('\n');
        string::push_spaces(out, column);
    }
    out.push(':');
}

/// Indents entry number `at` of a collection, unless it continues a line.
fn push_indent(out: &mut String, column: usize, start: Start, at: usize) {
    if at > 0 || matches!(start, Start::NextLine) {
        string::push_spaces(out, column);
    }
}

/// Appends `value` after the `-` or `:` of an entry at `column`, and ends its line.
fn push_node(out: &mut String, value: &Value, column: usize, start: Start) {
    let inner = column + 2;
    match value {
        Value::Array(items) if !items.is_empty() => {
            let used = out.rsplit('\n').next().map_or(0, |line| line.chars().count());
            if let Some(line) = flow(items, used + 1) {
                out.push(' ');
                return push_line(out, &line);
            }
            out.push(if matches!(start, Start::Here) { ' ' } else { '\n' });
            push_list(out, items, inner, start);
        }
        Value::Object(entries) if !entries.is_empty() => {
            out.push(if matches!(start, Start::Here) { ' ' } else { '\n' });
            push_map(out, entries, inner, start);
        }
        Value::String(text) => {
            out.push(' ');
            string::push(out, text, Place::Block(inner));
            out.push('\n');
        }
        _ => {
            out.push(' ');
            push_line(out, &atom(value));
        }
    }
}

fn push_line(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// The list in flow, if it fits on a line with `used` characters taken.
fn flow(items: &[Value], used: usize) -> Option<String> {
    let mut line = String::from("[");
    let mut width = used + 2;
    for (at, item) in items.iter().enumerate() {
        let mut written = String::new();
        match item {
            Value::String(text) => {
                if text.contains(char::is_whitespace) || text.chars().count() > FLOW_WORD {
                    return None;
                }
                string::push(&mut written, text, Place::Tight);
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => written = atom(item),
            Value::Array(_) | Value::Object(_) => return None,
        }
        if at > 0 {
            line.push_str(", ");
            width += 2;
        }
        width += written.chars().count();
        if width > FLOW_WIDTH {
            return None;
        }
        line.push_str(&written);
    }
    line.push(']');
    Some(line)
}

/// The text of data that is neither a text nor has entries.
fn atom(value: &Value) -> String {
    match value {
        Value::Number(number) => number_text(number),
        _ => value.to_string(),
    }
}

/// The number in a form that is also a number in YAML 1.1.
///
/// PyYAML requires a point before an exponent and a sign in it: it reads `1e22` as a string.
fn number_text(number: &Number) -> String {
    let text = number.to_string();
    let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else { return text };
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let sign = if exponent.starts_with(['+', '-']) { "" } else { "+" };
    format!("{mantissa}{point}e{sign}{exponent}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(value: &Value, expected: &str) {
        assert_eq!(yaml(value), expected);
    }

    #[test]
    fn a_document_may_be_a_single_scalar() {
        check(&json!(null), "null\n");
        check(&json!(true), "true\n");
        check(&json!("hello"), "hello\n");
        check(&json!(""), "\"\"\n");
        check(&json!("a\nb"), "\"\\\n  a\\n\\\n  b\"\n");
        check(&json!({}), "{}\n");
        check(&json!([]), "[]\n");
        check(&json!(["a", 1]), "- a\n- 1\n");
    }

    #[test]
    fn numbers_are_numbers_in_both_versions_of_yaml() {
        for (number, text) in [
            (json!(0), "0\n"),
            (json!(-12), "-12\n"),
            (json!(u64::MAX), "18446744073709551615\n"),
            (json!(i64::MIN), "-9223372036854775808\n"),
            (json!(0.1), "0.1\n"),
            (json!(1.0), "1.0\n"),
            (json!(-0.0), "-0.0\n"),
            (json!(1e22), "1.0e+22\n"),
            (json!(1.5e300), "1.5e+300\n"),
            (json!(1e-7), "1.0e-7\n"),
            (json!(5e-324), "5.0e-324\n"),
        ] {
            check(&number, text);
        }
    }

    #[test]
    fn collections_nest_by_two_columns_and_items_start_on_the_line_of_their_dash() {
        check(
            &json!({"a": {"b": {"c": 1}}, "d": [{"e": 1, "f": {"g": [[{"h": 2, "i": 3}], []]}}, {}]}),
            "\
a:
  b:
    c: 1
d:
  - e: 1
    f:
      g:
        - - h: 2
            i: 3
        - []
  - {}
",
        );
    }

    #[test]
    fn lists_of_words_are_in_flow_as_far_as_the_line_reaches() {
        check(
            &json!({"ids": ["msg_001", 2, null, "no", "a,b"]}),
            "ids: [msg_001, 2, null, \"no\", \"a,b\"]\n",
        );
        check(&json!([["a"], ["b c"]]), "- [a]\n- - b c\n");
        let widest = "x".repeat(38);
        check(&json!({"k": [widest, widest, "y".repeat(15)]}), &{
            format!("k: [{widest}, {widest}, {}]\n", "y".repeat(15))
        });
        check(&json!({"k": [widest, widest, "y".repeat(16)]}), &{
            format!("k:\n  - {widest}\n  - {widest}\n  - {}\n", "y".repeat(16))
        });
        check(&json!([["x".repeat(40)]]), &format!("- [{}]\n", "x".repeat(40)));
        check(&json!([["x".repeat(41)]]), &format!("- - {}\n", "x".repeat(41)));
    }

    #[test]
    fn blocks_of_text_stand_two_columns_inside_their_collection() {
        check(
            &json!({"a": ["x\ny", {"b": " x\ny\n", "c": "x \ny"}]}),
            "\
a:
  - |-
    x
    y
  - b: |2
       x
      y
    c: \"\\
      x \\n\\
      y\"
",
        );
    }

    #[test]
    fn keys_are_quoted_by_the_rules_of_texts() {
        check(
            &json!({"on": 1, "a b": 2, "": 3, "12": 4, "x\ny": 5, "<<": 6, "a, b": 7}),
            "\"on\": 1\na b: 2\n\"\": 3\n\"12\": 4\n\"x\\ny\": 5\n\"<<\": 6\n\"a, b\": 7\n",
        );
    }

    #[test]
    fn a_key_too_long_to_be_simple_is_explicit() {
        let key = "k".repeat(1001);
        check(&json!({"k".repeat(1000): 1}), &format!("{}: 1\n", "k".repeat(1000)));
        check(&json!([{key.clone(): 1, "b": 2}]), &format!("- ? {key}\n  : 1\n  b: 2\n"));
        check(&json!({key.clone(): {"a": "x\ny"}}), &format!("? {key}\n:\n  a: |-\n    x\n    y\n"));
    }

    #[test]
    fn deep_data_is_written() {
        let mut value = json!(1);
        for _ in 0..500 {
            value = json!([{ "a": value }]);
        }
        let text = yaml(&value);
        assert_eq!(text.lines().count(), 500);
        assert_eq!(text.lines().last().unwrap().trim_start(), "- a: 1");
    }
}
