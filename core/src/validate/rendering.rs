//! Whether a text that a model sees may come from some data. Tools write their results as JSON, as lines or
//! as sentences, and shorten long ones, so only a real contradiction counts.

use serde_json::Value;

use crate::model::Content;
use crate::parse::{json_text, same};

/// The path to the first contradiction between a content and its data, such as `.city`; `None` when it
/// may come from the data.
pub(super) fn contradiction(value: &Value, content: &Content) -> Option<String> {
    // Some hosts store the parts as JSON.
    let written = match content {
        Content::Data(_) => None,
        content => json_text(&content.to_text()).filter(is_parts).map(Content::Data),
    };
    let shown = match written.as_ref().unwrap_or(content) {
        Content::Data(Value::Array(parts)) if parts.iter().any(is_other_part) => return None,
        Content::Data(data) if !data.is_array() => data.clone(),
        content => Value::String(content.to_text()),
    };
    let found = differs(value, &shown)?;
    match text_by_line(written.as_ref().unwrap_or(content)) {
        Some(text) => differs(value, &Value::String(text)),
        None => Some(found),
    }
}

/// The texts of parts as lines: some hosts join them so, others without a separator.
pub(super) fn text_by_line(content: &Content) -> Option<String> {
    let Content::Data(Value::Array(parts)) = content else { return None };
    let texts: Vec<&str> = parts.iter().filter_map(|part| part.get("text")?.as_str()).collect();
    (texts.len() > 1).then(|| texts.join("\n"))
}

/// Whether data is a list of the parts of a message.
fn is_parts(data: &Value) -> bool {
    let is_part = |part: &Value| part.get("type").is_some_and(Value::is_string);
    data.as_array().is_some_and(|parts| !parts.is_empty() && parts.iter().all(is_part))
}

/// Whether a part of a content is no text, such as an image.
fn is_other_part(part: &Value) -> bool {
    part.get("type").is_some_and(|kind| kind != "text")
}

fn differs(value: &Value, shown: &Value) -> Option<String> {
    let read = |value: &Value| match value {
        Value::String(text) => json_text(text).unwrap_or_else(|| value.clone()),
        other => other.clone(),
    };
    let (data, seen) = (read(value), read(shown));
    let is_same = same(value, shown) || same(&data, &seen);
    if value.is_null() || is_same || holds(&data, shown) || holds(&data, &seen) || holds(&seen, &data) {
        return None;
    }
    match (&data, &seen) {
        (Value::Object(_), Value::Object(seen)) if seen.is_empty() => Some(String::new()),
        (Value::Array(_), Value::Array(seen)) if seen.is_empty() => Some(String::new()),
        // Omitted data is no contradiction, nor are additions to all of the data; otherwise it must come from
        // the data.
        (Value::Object(data), Value::Object(seen)) => {
            let is_whole = !data.is_empty() && data.keys().all(|key| seen.contains_key(key));
            seen.iter().find_map(|(key, seen)| {
                let rest = match data.get(key) {
                    Some(value) => differs(value, seen)?,
                    None if is_whole || seen.is_null() => return None,
                    None => String::new(),
                };
                Some(format!(".{key}{rest}"))
            })
        }
        (Value::Array(data), Value::Array(seen)) => seen.iter().enumerate().find_map(|(at, seen)| {
            let rest = data.get(at).map_or(Some(String::new()), |value| differs(value, seen))?;
            Some(format!("[{at}]{rest}"))
        }),
        // Sentences about data, and data in a sentence of a tool, cannot be compared.
        (Value::Object(entries), Value::String(text)) if text.trim().is_empty() => {
            (!entries.is_empty()).then(String::new)
        }
        (Value::Array(items), Value::String(text)) if text.trim().is_empty() => {
            (!items.is_empty()).then(String::new)
        }
        (Value::Object(_) | Value::Array(_), Value::String(_))
        | (Value::String(_), Value::Object(_) | Value::Array(_)) => None,
        (Value::Number(_), Value::Number(_)) => Some(String::new()),
        (Value::Number(number), Value::String(text)) if !text.trim().is_empty() => {
            (!has_number(text, number.as_f64().unwrap_or_default())).then(String::new)
        }
        (Value::Bool(truth), Value::String(text)) if !text.trim().is_empty() => {
            text.trim().eq_ignore_ascii_case(if *truth { "false" } else { "true" }).then(String::new)
        }
        (Value::Object(_) | Value::Array(_), _) | (_, Value::Object(_) | Value::Array(_)) => {
            Some(String::new())
        }
        _ => {
            let text = |value: &Value| match value {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            (!text_agrees(&text(value), &text(shown))).then(String::new)
        }
    }
}

/// Whether `part` is somewhere in `whole`, as a result is in an envelope.
fn holds(whole: &Value, part: &Value) -> bool {
    let is_part = |value: &Value| match (value, part) {
        (Value::String(text), Value::String(part)) => text.trim() == part.trim(),
        _ => same(value, part),
    };
    let mut values: Box<dyn Iterator<Item = &Value>> = match whole {
        Value::Object(entries) => Box::new(entries.values()),
        Value::Array(items) => Box::new(items.iter()),
        _ => return false,
    };
    values.any(|value| is_part(value) || holds(value, part))
}

/// Whether a sentence has this number, perhaps rounded or with commas, or no number at all.
fn has_number(text: &str, number: f64) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || c == '.' || c == ',' || c == '-';
    let mut numbers = text.split(|c: char| !is_part(c)).filter_map(|word| {
        let word = word.trim_end_matches(['.', ',', '-']).replace(',', "");
        let decimals = word.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        Some((word.parse::<f64>().ok()?, i32::try_from(decimals).ok()?))
    });
    let is_rounded = |(seen, decimals): (f64, i32)| match decimals {
        0 => seen == number || !number.is_normal() || number.fract() != 0.0 && (seen - number).abs() <= 0.5,
        decimals => (seen - number).abs() <= 0.5 * 10_f64.powi(-decimals) + f64::EPSILON,
    };
    let Some(first) = numbers.next() else { return true };
    is_rounded(first) || numbers.any(is_rounded)
}

/// Marks of programs for truncated text.
const MARKS: [&str; 5] = ["…", "...", "truncated", "omitted", "shortened"];

/// Whether a visible text may be another one, perhaps with words around it, cut, or rendered: good-agent
/// fills in templates in a tool's result.
fn text_agrees(text: &str, seen: &str) -> bool {
    let (text, seen) = (lines(text), lines(seen));
    let is_template = text.contains("{{") || text.contains("{%");
    is_template
        || text.is_empty()
        || text.eq_ignore_ascii_case(&seen)
        || stands_in(&seen, &text, false)
        || (!seen.is_empty() && stands_in(&text, &seen, true))
        || is_cut(&text, &seen)
}

/// Whether a text is the beginning, or the beginning and the end, of a longer one, with a mark of the cut.
pub(super) fn is_cut(text: &str, seen: &str) -> bool {
    let marks = || MARKS.iter().flat_map(|mark| seen.match_indices(mark));
    let (Some(first), Some(last)) =
        (marks().map(|(at, _)| at).min(), marks().map(|(at, mark)| at + mark.len()).max())
    else {
        return false;
    };
    let no_word = |c: char| !c.is_alphanumeric();
    let head = seen.get(..first).unwrap_or_default().trim_end_matches(no_word);
    let tail = seen.get(last..).unwrap_or_default().trim_start_matches(no_word);
    // The length of the cut part may be between the two, before the mark or after it.
    let begins = head.lines().next().is_some_and(|line| !line.is_empty() && text.starts_with(line));
    begins || tail.lines().next_back().is_some_and(|line| !line.is_empty() && text.ends_with(line))
}

/// Words that negate what follows.
const NEGATIONS: [&str; 5] = ["not", "no", "never", "without", "n't"];

/// Whether a text is in another as whole words that are not negated. A text that was cut may end within a
/// word.
fn stands_in(whole: &str, part: &str, is_cut: bool) -> bool {
    whole.match_indices(part).take(64).any(|(at, _)| {
        let before = whole.get(..at).unwrap_or_default();
        let after = whole.get(at + part.len()..).and_then(|rest| rest.chars().next());
        let is_negated = NEGATIONS.iter().any(|word| before.trim_end().to_lowercase().ends_with(word));
        !before.chars().next_back().is_some_and(char::is_alphanumeric)
            && (is_cut || !after.is_some_and(char::is_alphanumeric))
            && !is_negated
    })
}

/// The non-empty lines of a text, with single blanks between words; without terminal colors, line numbers
/// and HTML entities, which hosts add and remove.
pub(super) fn lines(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut pieces = text.split("\u{1b}[");
    plain.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let end = piece.find(|c: char| c.is_ascii_alphabetic()).map_or(piece.len(), |at| at + 1);
        plain.push_str(piece.get(end..).unwrap_or_default());
    }
    if plain.contains('&') {
        for (entity, character) in
            [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
        {
            plain = plain.replace(entity, character);
        }
    }
    let unnumbered = |line: &str| {
        let rest = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
        rest.strip_prefix(['→', '\t'])
            .filter(|_| rest.len() < line.trim_start().len())
            .unwrap_or(line)
            .to_owned()
    };
    let lines = plain.lines().map(|line| unnumbered(line).split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}
