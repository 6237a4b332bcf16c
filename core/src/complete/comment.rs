//! Codes in a comment that sets the levels of rules: `# transcript: off=T302,unknown-key`.

use super::CompletionKind;
use super::offer::{Item, Offer};
use crate::diagnostic::codes;
use crate::text::Span;
use crate::validate::LEVELS;

/// Where the words of the comment begin, if it is one for this program.
pub(super) fn words_start(text: &str, comment: Span) -> Option<usize> {
    let body = comment.slice(text).trim_start_matches('#');
    let lead = comment.slice(text).len() - body.len();
    let words = body.trim_start().strip_prefix("transcript:")?;
    Some(
        comment.start as usize
            + lead
            + (body.len() - body.trim_start().len())
            + (body.trim_start().len() - words.len()),
    )
}

pub(super) fn complete(offer: &mut Offer<'_>) {
    let Some(start) = words_start(offer.text, offer.place.span).filter(|start| *start <= offer.offset) else {
        return;
    };
    let before = offer.text.get(start..offer.offset).unwrap_or("");
    let word = before.rsplit([' ', '\t']).next().unwrap_or("");
    let Some((_, names)) = word.split_once('=') else {
        let span = Span::new(offer.offset - word.len(), offer.offset);
        for level in LEVELS {
            let item =
                Item { label: level.name, kind: CompletionKind::Key, detail: "level", doc: &level.doc };
            let lead = if span.start as usize == start { " " } else { "" };
            let insert = format!("{lead}{}=", level.name);
            let caret = insert.len();
            offer.raw(&item, word, span, insert, caret);
        }
        return;
    };
    let typed = names.rsplit(',').next().unwrap_or("");
    let rest = offer.text.get(offer.offset..offer.place.span.end as usize).unwrap_or("");
    let tail = rest.find([',', ' ', '\t']).unwrap_or(rest.len());
    let span = Span::new(offer.offset - typed.len(), offer.offset + tail);
    let listed: Vec<&str> = names.split(',').filter(|name| *name != typed).collect();
    let by_slug = typed.starts_with(|c: char| c.is_ascii_lowercase() && c != 't')
        || typed.len() > 1 && typed.contains('-');
    for code in codes::ALL.iter().filter(|code| !listed.contains(&code.code)) {
        let slug = code.slug();
        let (label, detail) = if by_slug { (slug.as_str(), code.code) } else { (code.code, slug.as_str()) };
        let item = Item { label, kind: CompletionKind::Code, detail, doc: &code.doc };
        offer.raw(&item, typed, span, label.to_owned(), label.len());
    }
}
