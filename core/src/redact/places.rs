//! Where the secrets of a text stand: those of known shapes, and every other place of the same ones.

use std::collections::BTreeMap;

use crate::parse::Node;
use crate::text::secrets::{Search, SecretKind, names};
use crate::text::{Locator, Span};
use crate::validate::texts::{self, Scalar};

/// A place of a secret.
#[derive(Clone, Debug)]
pub(super) struct Found<'t> {
    pub span: Span,
    /// What it is; `None` for a text that the caller named.
    pub kind: Option<SecretKind>,
    pub text: &'t str,
    /// Whether the placeholder needs quotes of its own, since it stands for a number.
    pub quoted: bool,
}

/// The shortest secret that is looked for elsewhere: shorter ones are often words as well.
const SHORTEST: usize = 6;
/// The most secrets with punctuation in them that are looked for elsewhere, one search each.
const MOST: usize = 64;

/// Every place in order, without overlap.
pub(super) fn places<'t>(
    source: &'t str,
    root: Option<&'t Node>,
    search: &Search,
    literals: &'t [String],
) -> Vec<Found<'t>> {
    let scalars = root.map(|root| texts::scalars(source, root)).unwrap_or_default();
    let shaped = texts::secrets(source, &scalars, search);
    let mut found: Vec<Found<'t>> = shaped
        .into_iter()
        .map(|secret| Found { span: secret.span, kind: Some(secret.kind), text: secret.text, quoted: false })
        .collect();
    let again = Again::new(&found, literals);
    for scalar in &scalars {
        match scalar.text {
            Some(text) => {
                let locator = Locator::new(source, scalar.span, text);
                found.extend(again.find(text).into_iter().map(|(start, end, kind)| Found {
                    span: locator.place(start, end),
                    kind,
                    text: text.get(start..end).unwrap_or(""),
                    quoted: false,
                }));
            }
            None if scalar.data.is_none() => {}
            None => found.extend(number(source, scalar, search, &again)),
        }
    }
    for gap in texts::gaps(source, &scalars) {
        let text = gap.slice(source);
        let start = gap.start as usize;
        found.extend(again.find(text).into_iter().map(|(from, to, kind)| Found {
            span: Span::new(start + from, start + to),
            kind,
            text: text.get(from..to).unwrap_or(""),
            quoted: false,
        }));
    }
    without_overlap(found)
}

/// A number or truth value that is a secret by its key, or that the caller named.
fn number<'t>(source: &'t str, scalar: &Scalar<'t>, search: &Search, again: &Again<'t>) -> Option<Found<'t>> {
    let text = scalar.span.slice(source);
    let folded = scalar.key.map(names).unwrap_or_default();
    let is_number = text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'));
    let named = is_number && search.names.iter().any(|name| folded.ends_with(name.as_str()));
    let kind = if named && search.kinds.contains(&SecretKind::Password) {
        Some(SecretKind::Password)
    } else {
        again.find(text).first()?.2
    };
    Some(Found { span: scalar.span, kind, text, quoted: true })
}

/// What is looked for a second time.
struct Again<'t> {
    /// Secrets that are one word each, found by looking words up.
    words: BTreeMap<&'t str, Option<SecretKind>>,
    /// Others, searched for one by one.
    others: Vec<(&'t str, Option<SecretKind>)>,
}

impl<'t> Again<'t> {
    fn new(found: &[Found<'t>], literals: &'t [String]) -> Self {
        let mut words = BTreeMap::new();
        let mut others: BTreeMap<&str, Option<SecretKind>> = BTreeMap::new();
        for secret in found.iter().filter(|secret| secret.text.len() >= SHORTEST) {
            let is_word = secret.text.bytes().all(is_word);
            // An address is found by its shape wherever it stands.
            if is_word {
                words.entry(secret.text).or_insert(secret.kind);
            } else if secret.kind != Some(SecretKind::Email) && others.len() < MOST {
                others.entry(secret.text).or_insert(secret.kind);
            }
        }
        let mut others: Vec<_> = others.into_iter().collect();
        let literals = literals.iter().map(|literal| literal.trim()).filter(|literal| !literal.is_empty());
        others.extend(literals.map(|literal| (literal, None)));
        // The longer of two that begin at one place is taken.
        others.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        Self { words, others }
    }

    fn find(&self, text: &str) -> Vec<(usize, usize, Option<SecretKind>)> {
        let mut found = Vec::new();
        if !self.words.is_empty() {
            let mut start = 0;
            for word in text.split(|c: char| !(c.is_ascii() && is_word(c as u8))) {
                if let Some(kind) = self.words.get(word) {
                    found.push((start, start + word.len(), *kind));
                }
                let separator = text.get(start + word.len()..).and_then(|rest| rest.chars().next());
                start += word.len() + separator.map_or(0, char::len_utf8);
            }
        }
        for (wanted, kind) in &self.others {
            found.extend(text.match_indices(wanted).map(|(start, part)| (start, start + part.len(), *kind)));
        }
        let marks = placeholders(text);
        found.retain(|(start, end, _)| {
            let next = marks.partition_point(|(_, to)| to <= start);
            marks.get(next).is_none_or(|(from, _)| from >= end)
        });
        found
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// The placeholders of an earlier run, in which nothing is looked for.
fn placeholders(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (start, _) in text.match_indices('<') {
        let rest = text.get(start + 1..).unwrap_or("");
        let word = ["secret-", "email-", "phone-", "ip-"].iter().find_map(|word| rest.strip_prefix(*word));
        let Some(number) = word else { continue };
        let digits = number.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 && number.as_bytes().get(digits) == Some(&b'>') {
            found.push((start, start + 1 + (rest.len() - number.len()) + digits + 1));
        }
    }
    found
}

/// The places in order; of two that overlap, the one that begins first, and of those the longer.
fn without_overlap(mut found: Vec<Found<'_>>) -> Vec<Found<'_>> {
    found.retain(|place| !place.span.is_empty());
    found.sort_by_key(|place| (place.span.start, std::cmp::Reverse(place.span.end), place.kind.is_none()));
    let mut end = 0;
    found.retain(|place| {
        let free = place.span.start >= end;
        if free {
            end = place.span.end;
        }
        free
    });
    found
}
