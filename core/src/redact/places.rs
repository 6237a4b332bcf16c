//! The places of the secrets of a text: those of known shapes, and all others of the same ones.

use std::borrow::Cow;

use super::fixed::{self, Form};
use super::known::{Known, Memory};
use crate::parse::{Data, Node};
use crate::secrets::{Search, SecretKind, normalize_name};
use crate::text::{Locator, Set, Span, Table, sort_by_key};
use crate::validate::texts::{self, Scalar};

/// A place of a secret.
#[derive(Clone, Debug)]
pub(super) struct Found<'t> {
    pub span: Span,
    /// Its kind; `None` for a text that the caller named.
    pub kind: Option<SecretKind>,
    /// The secret, without the escapes of JSON text.
    pub text: Cow<'t, str>,
    /// The quotes that the placeholder needs, since it replaces a number or another literal without
    /// quotes.
    pub quotes: &'static str,
    /// Whether it was found only because it is known from elsewhere.
    pub again: bool,
}

/// Every place in order, without overlap.
pub(super) fn places<'t>(
    source: &'t str,
    root: Option<&'t Node>,
    search: &Search,
    literals: &'t [String],
) -> Vec<Found<'t>> {
    let scalars = root.map(|root| texts::scalars(source, root)).unwrap_or_default();
    let shorthand = root.map(fixed::shorthand).unwrap_or_default();
    let words = fixed::format_words();
    let mut found: Vec<Found<'t>> = texts::secrets(source, &scalars, search)
        .into_iter()
        .map(|secret| {
            let (kind, text) = (secret.kind, unescaped(secret.text));
            Found { span: secret.span, kind: Some(kind), text, quotes: "", again: false }
        })
        .collect();
    found.extend(scalars.iter().filter_map(|scalar| named(source, scalar, search)));
    // An address that is a password as well is reported as one everywhere.
    let passwords: Table<_, _> = found
        .iter()
        .filter(|place| place.kind.is_some_and(|kind| kind.word() == "secret"))
        .map(|place| (place.text.clone(), place.kind))
        .collect();
    for place in &mut found {
        place.kind = passwords.get(&place.text).copied().unwrap_or(place.kind);
    }
    let mut memory = Memory::default();
    for secret in &found {
        let plain = matches!(&*secret.text, "true" | "false" | "null" | "None");
        // An address is found by its shape at any place; a name such as `password` is no evidence.
        if secret.kind != Some(SecretKind::Email)
            && !plain
            && !search.names.contains(&normalize_name(&secret.text))
        {
            memory.learn(&Known { kind: secret.kind, text: secret.text.clone() });
        }
    }
    for literal in literals.iter().map(|literal| literal.trim()).filter(|literal| !literal.is_empty()) {
        memory.literal(literal);
    }
    let mut fixed_spans: Vec<Span> = Vec::new();
    let mut bare: Vec<(Span, &'static str)> = Vec::new();
    let mut fixed_names: Set<&str> = Set::new();
    for scalar in &scalars {
        let Some(text) = scalar.text else { continue };
        if scalar.data.is_none() {
            if words.contains(text) || search.names.contains(&normalize_name(text)) {
                fixed_spans.push(scalar.span);
            }
            continue;
        }
        let form = form_of(&shorthand, scalar);
        let (parts, calls_at) = fixed::parts(text, form);
        let locator = Locator::new(source, scalar.span, text);
        for (start, end) in parts {
            fixed_spans.push(locator.place(start, end));
            let part = text.get(start..end).unwrap_or("");
            let name = part.strip_prefix("tool:").unwrap_or(part).trim_end_matches([':', '(', '=', '!']);
            fixed_names.insert(name.split('#').next().unwrap_or(name));
        }
        let style = scalar.span.slice(source);
        if let Some(at) = calls_at {
            let quote = if style.starts_with('"') { "'" } else { "\"" };
            bare.push((locator.place(at, text.len()), quote));
        }
    }
    for scalar in &scalars {
        match scalar.text {
            Some(text) => {
                let locator = Locator::new(source, scalar.span, text);
                let whole = words.contains(text) || fixed_names.contains(text);
                if whole {
                    continue;
                }
                found.extend(known_places(&memory, text).into_iter().map(|(start, end, known)| {
                    let span = locator.place(start, end);
                    Found { span, kind: known.kind, text: known.text.clone(), quotes: "", again: true }
                }));
            }
            None if scalar.data.is_none() => {}
            None => {
                let text = scalar.span.slice(source);
                // A number of the format is kept.
                let ours = scalar.key.is_some_and(|key| words.contains(key));
                let hit = known_places(&memory, text)
                    .into_iter()
                    .find(|(start, end, _)| (*start, *end) == (0, text.len()));
                found.extend(hit.filter(|_| !ours).map(|(_, _, known)| Found {
                    span: scalar.span,
                    kind: known.kind,
                    text: known.text.clone(),
                    quotes: "\"",
                    again: true,
                }));
            }
        }
    }
    for gap in texts::gaps(source, &scalars) {
        let start = gap.start as usize;
        found.extend(known_places(&memory, gap.slice(source)).into_iter().map(|(from, to, known)| Found {
            span: Span::new(start + from, start + to),
            kind: known.kind,
            text: known.text.clone(),
            quotes: "",
            again: true,
        }));
    }
    found.retain(|place| {
        let next = fixed_spans.partition_point(|span| span.end <= place.span.start);
        let free = fixed_spans.get(next).is_none_or(|span| span.start >= place.span.end);
        // An address or a key of a known shape is reported at any place.
        free || !(place.again || place.kind == Some(SecretKind::Password))
    });
    for place in found.iter_mut().filter(|place| place.quotes.is_empty()) {
        let next = bare.partition_point(|(span, _)| span.end <= place.span.start);
        let calls = bare.get(next).filter(|(span, _)| span.start <= place.span.start);
        place.quotes = quotes(source, place.span, calls.map(|(_, quote)| *quote));
    }
    without_overlap(found)
}

/// How to read the text of a scalar.
fn form_of(shorthand: &[(u32, Form)], scalar: &Scalar<'_>) -> Form {
    let at = shorthand.binary_search_by_key(&scalar.span.start, |(start, _)| *start);
    at.ok().and_then(|at| shorthand.get(at)).map_or(Form::Text, |(_, form)| *form)
}

/// The quotes that a placeholder needs at a place: those of a call's literal or of an unquoted value in
/// JSON text.
fn quotes(source: &str, span: Span, calls: Option<&'static str>) -> &'static str {
    let before = source.get(..span.start as usize).unwrap_or("").trim_end_matches(' ');
    let after = source.get(span.end as usize..).unwrap_or("").trim_start_matches(' ');
    let ends = after.starts_with([',', ')', ']', '}']);
    match calls {
        Some(quote) if ends && before.ends_with(['=', ':', '[']) => quote,
        _ if ends && before.ends_with("\\\":") => "\\\"",
        _ if ends && before.ends_with("\":") => "\"",
        _ => "",
    }
}

/// The text behind the escapes of JSON text.
fn unescaped(text: &str) -> Cow<'_, str> {
    let decoded = text.contains('\\').then(|| serde_json::from_str(&format!("\"{text}\"")).ok()).flatten();
    decoded.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// A number or truth value that is a secret by its key.
fn named<'t>(source: &'t str, scalar: &Scalar<'t>, search: &Search) -> Option<Found<'t>> {
    let is_value = matches!(scalar.data, Some(Data::Number(_) | Data::Bool(_)));
    let folded = normalize_name(scalar.key.filter(|_| is_value)?);
    let is_named = search.names.iter().any(|name| folded.ends_with(name.as_str()));
    (is_named && search.kinds.contains(&SecretKind::Password)).then(|| Found {
        span: scalar.span,
        kind: Some(SecretKind::Password),
        text: Cow::Borrowed(scalar.span.slice(source)),
        quotes: "\"",
        again: false,
    })
}

/// The places of known secrets outside the placeholders of an earlier run.
fn known_places<'m, 't>(memory: &'m Memory<'t>, text: &str) -> Vec<(usize, usize, &'m Known<'t>)> {
    let mut found = memory.find(text);
    let marks = placeholders(text);
    found.retain(|(start, end, _)| {
        let next = marks.partition_point(|(_, to)| to <= start);
        marks.get(next).is_none_or(|(from, _)| from >= end)
    });
    found
}

/// The placeholders of an earlier run, which are not searched.
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

/// The places in order; of two that overlap, the one that begins first, or else the longer.
fn without_overlap(mut found: Vec<Found<'_>>) -> Vec<Found<'_>> {
    found.retain(|place| !place.span.is_empty());
    sort_by_key(&mut found, |place| {
        (place.span.start, std::cmp::Reverse(place.span.end), place.again, place.kind.is_none())
    });
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
