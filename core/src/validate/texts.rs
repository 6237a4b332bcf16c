//! The texts of a document with their places, and the secrets in them.

use crate::parse::{Data, Node};
use crate::secrets::{Search, SecretKind};
use crate::text::{Locator, Span, sort_by_key};

/// A scalar of a source, a key or a value; or, with neither text nor data, a part that is not searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scalar<'t> {
    /// Its span, quotes included.
    pub span: Span,
    /// Its text; `None` for anything else.
    pub text: Option<&'t str>,
    /// Its value; `None` for a key.
    pub data: Option<&'t Data>,
    /// The key of the value, or of the list with it.
    pub key: Option<&'t str>,
}

/// A secret and its place in the source.
#[derive(Clone, Debug)]
pub(crate) struct Placed<'t> {
    pub span: Span,
    pub kind: SecretKind,
    /// The secret itself.
    pub text: &'t str,
}

/// Every scalar of the document in order of place, once however many aliases show it.
///
/// The text behind `$binary` is left out: it is encoded, and no place in it could be changed.
pub(crate) fn scalars<'t>(source: &str, root: &'t Node) -> Vec<Scalar<'t>> {
    let mut found = Vec::new();
    walk(source, root, None, &mut found);
    sort_by_key(&mut found, |scalar| (scalar.span, scalar.data.is_some()));
    found.dedup_by_key(|scalar| scalar.span);
    found
}

fn walk<'t>(source: &str, node: &'t Node, key: Option<&'t str>, found: &mut Vec<Scalar<'t>>) {
    match &node.data {
        Data::Seq(items) => {
            for item in items.iter() {
                walk(source, item, key, found);
            }
        }
        Data::Map(entries) => {
            for entry in entries.iter() {
                found.push(Scalar {
                    span: entry.key.span,
                    text: Some(&entry.key.text),
                    data: None,
                    key: None,
                });
                if &*entry.key.text == "$binary" {
                    found.push(Scalar { span: entry.value.span, text: None, data: None, key: None });
                } else {
                    walk(source, &entry.value, Some(&entry.key.text), found);
                }
            }
        }
        Data::Null => {}
        data => {
            let text = node.as_str();
            let raw = node.span.slice(source);
            let first_line = raw.lines().next().unwrap_or("");
            // An alias shows the text of another place, which is visited separately.
            if raw.starts_with('*') && text.is_none_or(|text| !text.starts_with(first_line)) {
                return;
            }
            found.push(Scalar { span: node.span, text, data: Some(data), key });
        }
    }
}

/// The text between the scalars: comments, punctuation and unreadable lines.
pub(crate) fn gaps(source: &str, scalars: &[Scalar<'_>]) -> Vec<Span> {
    let mut gaps = Vec::new();
    let mut at = 0;
    for scalar in scalars {
        let start = scalar.span.start as usize;
        if at < start {
            gaps.push(Span::new(at, start));
        }
        at = at.max(scalar.span.end as usize);
    }
    if at < source.len() {
        gaps.push(Span::new(at, source.len()));
    }
    gaps
}

/// The secrets of a source in order of place, comments included.
pub(crate) fn secrets<'t>(source: &'t str, scalars: &[Scalar<'t>], search: &Search) -> Vec<Placed<'t>> {
    let mut found = Vec::new();
    for scalar in scalars {
        let Some(text) = scalar.text else { continue };
        let secrets = match scalar.key {
            Some(key) => search.find_in_value(key, text),
            None => search.find(text),
        };
        if secrets.is_empty() {
            continue;
        }
        let locator = Locator::new(source, scalar.span, text);
        found.extend(secrets.iter().filter_map(|secret| {
            let span = locator.place(secret.start, secret.end);
            let text = text.get(secret.start..secret.end)?;
            Some(Placed { span, kind: secret.kind, text })
        }));
    }
    for gap in gaps(source, scalars) {
        let text = gap.slice(source);
        found.extend(search.find(text).iter().filter_map(|secret| {
            let start = gap.start as usize;
            let span = Span::new(start + secret.start, start + secret.end);
            let text = text.get(secret.start..secret.end)?;
            Some(Placed { span, kind: secret.kind, text })
        }));
    }
    sort_by_key(&mut found, |secret| secret.span);
    found
}
