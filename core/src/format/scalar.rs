//! How a scalar is written: unchanged, unless a reader could misread it.

use std::borrow::Cow;

use super::tree::{Data as Source, Node};
use crate::parse::{self, Data, Style, plain_key, plain_scalar};
use crate::text::is_visible_char;
use crate::write;

/// A scalar on one line, or on several without their indentation.
pub(super) enum Written<'t> {
    Line(Cow<'t, str>),
    Lines(Vec<Cow<'t, str>>),
}

/// The place of a scalar.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Key,
    /// A value in brackets.
    Flow,
    Block,
}

/// The text of a key, if it is written without escapes.
pub(super) fn key_text<'t>(data: &Source<'t>) -> Option<Cow<'t, str>> {
    let Source::Scalar(style, source) = data else { return None };
    let inner = || source.get(1..source.len().saturating_sub(1));
    match style {
        Style::Plain => Some(Cow::Owned(plain_key(source).to_string())),
        Style::Single => inner().map(|text| Cow::Owned(text.replace("''", "'"))),
        Style::Double => inner().filter(|text| !text.contains('\\')).map(Cow::Borrowed),
        _ => None,
    }
}

/// The scalar in canonical style.
pub(super) fn written<'t>(node: &Node<'t>, style: Style, source: &'t str, place: Place) -> Written<'t> {
    if source.contains('\n') {
        return lines(node, style, source);
    }
    Written::Line(match style {
        // In quotes `yes` would no longer be known for a slip of `true`.
        Style::Plain if node.is_truth && parse::truth(source).is_some() => Cow::Borrowed(source),
        Style::Plain if !node.is_tagged() => plain(source, place),
        Style::Single => single(source),
        _ => Cow::Borrowed(source),
    })
}

fn plain(source: &str, place: Place) -> Cow<'_, str> {
    let (data, loss) = plain_scalar(source);
    // A formatter must not decide the meaning of these.
    if loss.is_some() || source == "<<" && place == Place::Key {
        return Cow::Borrowed(source);
    }
    if place == Place::Key {
        return key(source, &data);
    }
    match data {
        Data::Null => Cow::Borrowed("null"),
        Data::Bool(value) => Cow::Borrowed(if value { "true" } else { "false" }),
        Data::Str(_) if !write::is_plain(source, place == Place::Flow) => Cow::Owned(write::quoted(source)),
        Data::Number(number) if is_text_elsewhere(source) => {
            Cow::Owned(write::yaml(&number.into()).trim_end().to_owned())
        }
        _ => Cow::Borrowed(source),
    }
}

/// Whether readers of YAML 1.1 read the number as a text: their exponents require a point and a sign.
/// Numbers padded with zeros stay, since they may be meant as text.
fn is_text_elsewhere(source: &str) -> bool {
    let digits = source.trim_start_matches(['-', '+']);
    let is_padded =
        digits.strip_prefix('0').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let exponent = digits.split_once(['e', 'E']).filter(|_| !digits.starts_with("0x"));
    let is_odd = |(mantissa, power): (&str, &str)| !mantissa.contains('.') || !power.starts_with(['-', '+']);
    !is_padded && (digits.starts_with("0o") || exponent.is_some_and(is_odd))
}

/// Every key is a text here, but to other readers only in quotes.
fn key<'t>(source: &'t str, data: &Data) -> Cow<'t, str> {
    match data {
        Data::Str(_) if is_wordy(source) => Cow::Borrowed(source),
        _ => Cow::Owned(write::quoted(&plain_key(source))),
    }
}

/// Whether every reader reads a key that begins like a word as text, whatever follows.
fn is_wordy(source: &str) -> bool {
    source.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && (write::is_plain(source, false) || source.contains([':', '(', ')', '#', '"', '{', '[']))
}

/// A text in single quotes gets double ones if that needs no escape.
fn single(source: &str) -> Cow<'_, str> {
    let inner = source.get(1..source.len().saturating_sub(1)).unwrap_or("");
    if inner.contains(['"', '\\']) || !inner.chars().all(is_visible_char) {
        return Cow::Borrowed(source);
    }
    Cow::Owned(format!("\"{}\"", inner.replace("''", "'")))
}

/// A scalar of several lines, the blanks around its line breaks left out as readers do.
fn lines<'t>(node: &Node<'t>, style: Style, source: &'t str) -> Written<'t> {
    const BLANKS: [char; 2] = [' ', '\t'];
    let last = source.matches('\n').count();
    let mut lines: Vec<Cow<'t, str>> = Vec::with_capacity(last + 1);
    for (at, line) in source.split('\n').enumerate() {
        let line = if at > 0 { line.trim_start_matches(BLANKS) } else { line };
        let trimmed = line.trim_end_matches(BLANKS);
        let escapes = trimmed.len() - trimmed.trim_end_matches('\\').len();
        let kept = if at == last {
            line
        } else if style == Style::Double && escapes % 2 == 1 && trimmed.len() < line.len() {
            line.get(..=trimmed.len()).unwrap_or(line)
        } else {
            trimmed
        };
        lines.push(Cow::Borrowed(kept));
    }
    if style == Style::Plain && !node.is_tagged() && !write::is_plain(&lines.join(" "), false) {
        for line in &mut lines {
            *line = Cow::Owned(line.replace('\\', "\\\\").replace('"', "\\\""));
        }
        if let Some(first) = lines.first_mut() {
            first.to_mut().insert(0, '"');
        }
        if let Some(last) = lines.last_mut() {
            last.to_mut().push('"');
        }
    }
    Written::Lines(lines)
}
