//! Whether a value is of the kind that the tables of the format ask for.

use serde_json::Value;

use super::node::{Data, Node};
use super::plain_scalar;
use crate::diagnostic::{Applicability, Diagnostic};
use crate::model::Shape;

/// What `node` should be, in the author's words, if it is not of the kind; its items and values are not
/// looked at. Null is of the kind of every key.
///
/// ```
/// use transcript_core::{model::Shape, parse};
/// let parsed = parse::parse("[1, two]", &parse::Limits::default());
/// assert_eq!(parse::misfit(&parsed.root.unwrap(), &Shape::Text).as_deref(), Some("a text"));
/// ```
#[must_use]
pub fn misfit(node: &Node, shape: &Shape) -> Option<String> {
    (!node.is_null() && !fits(node, shape)).then(|| wanted(shape))
}

fn fits(node: &Node, shape: &Shape) -> bool {
    let is_text = matches!(node.data, Data::Str(_));
    let is_list = matches!(node.data, Data::Seq(_));
    match shape {
        // What is in these has rules of its own, which tell of the kind as well.
        Shape::Any | Shape::Item | Shape::Expect => true,
        // What may stand in the place of something else is told from a slip of that.
        Shape::OneOf([word]) => node.text().is_some_and(|text| &**text == word.name),
        Shape::Text | Shape::OneOf(_) | Shape::Known(_) | Shape::Name(_) => is_text,
        Shape::Content => is_text || is_list || node.get("$binary").is_some(),
        Shape::Number => matches!(node.data, Data::Number(_)),
        Shape::Integer => node.as_i64().is_some(),
        Shape::Bool => matches!(node.data, Data::Bool(_)),
        Shape::List(_) => is_list,
        Shape::TextOr(_) => node.is_map() || is_text,
        Shape::Either(options) => options.iter().any(|option| fits(node, option)),
        _ => node.is_map(),
    }
}

fn wanted(shape: &Shape) -> String {
    match shape {
        Shape::Any | Shape::Item | Shape::Expect => "anything",
        Shape::OneOf([word]) => return format!("`{}`", word.name),
        Shape::Text | Shape::OneOf(_) | Shape::Known(_) | Shape::Name(_) => "a text",
        Shape::Content => "a text or a list of parts",
        Shape::Number => "a number",
        Shape::Integer => "a whole number",
        Shape::Bool => "true or false",
        Shape::List(_) => "a list",
        Shape::TextOr(_) => "a text or a map",
        Shape::Either(options) => {
            return options.iter().map(|option| wanted(option)).collect::<Vec<_>>().join(" or ");
        }
        _ => "a map",
    }
    .to_owned()
}

/// `diagnostic`, which tells that `node` is not of the kind, with the remedy where that is certain. `place`
/// names the value as messages do: a key in backticks, or `a sent message` and the like.
#[must_use]
pub(crate) fn with_remedy(
    diagnostic: Diagnostic,
    source: &str,
    node: &Node,
    shape: &Shape,
    place: &str,
) -> Diagnostic {
    let written = node.span.slice(source);
    let is_number = matches!(node.data, Data::Number(_));
    if place == "`timestamp`" && is_number {
        let Some(time) = node.as_i64().and_then(rfc_3339) else {
            return diagnostic.help("write the time as `\"2025-01-13T02:43:25Z\"`");
        };
        let text = Value::from(time).to_string();
        return diagnostic.help(format!("write the time as `{text}`")).fix(
            Applicability::Suggested,
            "write it as a time in UTC",
            node.span,
            text,
        );
    }
    if (is_number || matches!(node.data, Data::Bool(_))) && wanted(shape).starts_with("a text") {
        let diagnostic = diagnostic.help("put it in quotes");
        // What was written is quoted, not what it was read as: `001` is not `1`. An alias, and what stands in
        // quotes behind a tag, are read as something else.
        if plain_scalar(written).0 != node.data {
            return diagnostic;
        }
        let quoted = Value::from(written).to_string();
        return diagnostic.fix(Applicability::Safe, "put it in quotes", node.span, quoted);
    }
    let Data::Str(text) = &node.data else {
        return match shape {
            Shape::List(_) if node.entries().is_empty() => {
                diagnostic.help("write a list: `[]`, or each item after `- `")
            }
            Shape::List(_) => diagnostic.help("write a list, each item after `- `"),
            Shape::Bool => diagnostic.help("write `true` or `false`"),
            _ => diagnostic,
        };
    };
    if let Some(meant) = truth(text).filter(|_| matches!(shape, Shape::Bool)) {
        // Without quotes it is that to readers of YAML 1.1; in them it was meant as a text by someone.
        let is_sure = written == &**text;
        let applicability = if is_sure { Applicability::Safe } else { Applicability::Suggested };
        let title = format!("write `{meant}`");
        return diagnostic.help(title.clone()).fix(applicability, title, node.span, meant.to_string());
    }
    let is_quoted = written.len() == text.len() + 2 && written.starts_with(['"', '\'']);
    let meant = Node { span: node.span, data: plain_scalar(text).0 };
    if is_quoted && !matches!(meant.data, Data::Str(_) | Data::Null) && fits(&meant, shape) {
        let title = "remove the quotes";
        return diagnostic.help(title).fix(Applicability::Safe, title, node.span, text.to_string());
    }
    // A word needs no quotes in brackets, and means the same there.
    let is_word = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let is_whole = is_quoted || written == &**text;
    let wrapped = match shape {
        Shape::List(inner) if is_whole && is_word && fits(node, inner) => format!("[{written}]"),
        _ if is_whole && is_word && place == "a sent message" => {
            let key = if written.starts_with('"') { "\"ref\"" } else { "ref" };
            format!("{{{key}: {written}}}")
        }
        _ => return diagnostic,
    };
    diagnostic.help(format!("write `{wrapped}`")).fix(
        Applicability::Safe,
        format!("change to `{wrapped}`"),
        node.span,
        wrapped,
    )
}

/// What a word is to readers of YAML 1.1 that take it for true or false.
pub(crate) fn truth(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "yes" | "y" | "on" => Some(true),
        "no" | "n" | "off" => Some(false),
        _ => None,
    }
}

/// Seconds since 1970, in UTC, as a time of RFC 3339; `None` outside the years 1970 to 9999, and for
/// milliseconds, which would be the year 50000.
fn rfc_3339(seconds: i64) -> Option<String> {
    if !(0..253_402_300_800).contains(&seconds) {
        return None;
    }
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let (mut year, mut left) = (1970, days);
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if left < length {
            break;
        }
        left -= length;
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    Some(format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", left + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_become_times() {
        assert_eq!(rfc_3339(0).as_deref(), Some("1970-01-01T00:00:00Z"));
        assert_eq!(rfc_3339(951_782_400).as_deref(), Some("2000-02-29T00:00:00Z"));
        assert_eq!(rfc_3339(1_736_764_205).as_deref(), Some("2025-01-13T10:30:05Z"));
        assert_eq!(rfc_3339(253_402_300_799).as_deref(), Some("9999-12-31T23:59:59Z"));
        assert_eq!(rfc_3339(253_402_300_800), None);
    }
}
