//! T012: tags that are lost. The data is that of JSON, which has no tags; those of the core schema only
//! repeat the type of a value.

use granit_parser::{ScalarStyle, Tag};

use super::node::Data;
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes, quoted};
use crate::text::Span;

/// The diagnostic for `tag`, if the value at `span` does not match it. `read` is the end of what
/// precedes it; a style is that of a scalar.
pub(super) fn check(
    text: &str,
    tag: &Tag,
    read: usize,
    span: Span,
    data: &Data,
    style: Option<ScalarStyle>,
) -> Option<Diagnostic> {
    let core = tag.core_suffix();
    let is_so = match (core, data) {
        (Some("str"), Data::Str(_))
        | (Some("bool"), Data::Bool(_))
        | (Some("null"), Data::Null)
        | (Some("float"), Data::Number(_))
        | (Some("seq"), Data::Seq(_))
        | (Some("map"), Data::Map(_)) => true,
        (Some("int"), Data::Number(number)) => !number.is_f64(),
        _ => false,
    };
    if is_so {
        return None;
    }
    let begun = place(text, read, span.start as usize).unwrap_or(span);
    let message = format!("the tag `{}` is ignored", begun.slice(text));
    let found = Diagnostic::new(codes::LOSSY_SCALAR, Severity::Warning, begun, message);
    let between = Span::new(begun.end as usize, span.start as usize);
    let is_text = !begun.slice(text).starts_with("!!")
        && style == Some(ScalarStyle::Plain)
        && between.slice(text) == " ";
    let title = "remove the tag";
    let gap = between.slice(text).len() - between.slice(text).trim_start_matches([' ', '\t']).len();
    let tag = Span::new(begun.start as usize, begun.end as usize + gap);
    if is_text {
        let whole = Span::new(begun.start as usize, span.end as usize);
        return Some(
            found
                .help("remove the tag, or put the text in quotes if it is part of the text")
                .fix(Applicability::Suggested, "put the text in quotes", whole, quoted(whole.slice(text)))
                .fix(Applicability::Suggested, title, tag, ""),
        );
    }
    let found = found.help(title);
    Some(if begun == span { found } else { found.fix(Applicability::Suggested, title, tag, "") })
}

/// The place of the tag between `read` and the value at `start`.
fn place(text: &str, read: usize, start: usize) -> Option<Span> {
    let gap = text.get(read..start)?;
    let at = gap.rmatch_indices('!').map(|(at, _)| at).find(|at| {
        let before = gap.get(..*at).and_then(|head| head.chars().next_back());
        before.is_none_or(|before| before.is_whitespace() || matches!(before, '[' | '{' | ',' | ':'))
    })?;
    let rest = gap.get(at..)?;
    let len = rest.find(char::is_whitespace).unwrap_or(rest.len());
    Some(Span::new(read + at, read + at + len))
}
