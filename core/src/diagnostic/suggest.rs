//! Did-you-mean.

use super::{Diagnostic, Severity, codes};
use crate::text::Span;

/// The longest word, in characters, that is compared; what is longer is no typo of a name.
const LONGEST: usize = 100;

/// The candidate nearest to `word`, if one is near enough to be what was meant.
///
/// Near enough is an edit distance, with transpositions, of at most a third of the longer word,
/// and at least one; letter case alone does not count. Ties go to the earlier candidate.
///
/// ```
/// use transcript_core::diagnostic::closest;
/// assert_eq!(closest("asistant", ["user", "assistant"]), Some("assistant"));
/// assert_eq!(closest("robot", ["user", "assistant"]), None);
/// ```
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST * 4 {
        return None;
    }
    let wanted = word.to_lowercase();
    let length = wanted.chars().count();
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates.into_iter().filter(|candidate| candidate.len() <= LONGEST * 4) {
        let other = candidate.chars().count();
        let limit = (length.max(other) / 3).max(1);
        let limit = best.map_or(limit, |(least, _)| limit.min(least.saturating_sub(1)));
        if length.max(other) > LONGEST || length.abs_diff(other) > limit {
            continue;
        }
        let distance = strsim::damerau_levenshtein(&wanted, &candidate.to_lowercase());
        if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
            if distance == 0 {
                break;
            }
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The diagnostic for a key that is not part of the format, in `place` ("a turn").
///
/// It is a warning when the key is near one that is; otherwise a remark, since a key of the author's
/// own is kept and harms nothing.
#[must_use]
pub fn unknown_key(source: &str, key: &str, span: Span, meant: Option<&str>, place: &str) -> Diagnostic {
    let message = format!("unknown key `{key}` in {place}");
    // Who begins a key so means one of their own.
    match meant.filter(|_| !key.starts_with("x_") && !key.starts_with("x-")) {
        Some(meant) => Diagnostic::new(codes::UNKNOWN_KEY, Severity::Warning, span, message).did_you_mean(
            "rename to",
            source,
            span,
            meant,
        ),
        None => Diagnostic::new(codes::UNKNOWN_KEY, Severity::Info, span, message)
            .help("it is kept as it is and means nothing to a replay"),
    }
}
