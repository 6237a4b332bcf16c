//! Did-you-mean.

use super::{Diagnostic, Severity, codes};
use crate::text::Span;

/// The longest word, in characters, that is compared; a longer one is no typo of a name.
const LONGEST: usize = 100;

/// The candidate nearest to `word`, if it is near enough to be meant.
///
/// Near enough is an edit distance, with transpositions, of at most a third of the longer word, or
/// one; a difference in letter case is always near. Ties go to the earlier candidate.
///
/// ```
/// use transcript_core::diagnostic::closest;
/// assert_eq!(closest("asistant", ["user", "assistant"]), Some("assistant"));
/// assert_eq!(closest("robot", ["user", "assistant"]), None);
/// ```
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest(word, &mut candidates.into_iter()).map(|(nearest, _)| nearest)
}

/// The help that suggests the probable word.
pub(crate) fn did_you_mean(meant: &str) -> String {
    format!("did you mean `{meant}`?")
}

/// The candidate nearest to `word` and the next equally near one.
fn nearest<'a>(
    word: &str,
    candidates: &mut dyn Iterator<Item = &'a str>,
) -> Option<(&'a str, Option<&'a str>)> {
    if word.len() > LONGEST * 4 {
        return None;
    }
    let wanted = word.to_lowercase();
    let length = wanted.chars().count();
    let mut best: Option<(usize, &str, Option<&str>)> = None;
    for candidate in candidates.filter(|candidate| candidate.len() <= LONGEST * 4) {
        let other = candidate.chars().count();
        let limit = (length.max(other) / 3).max(1);
        let limit = best.map_or(limit, |(least, ..)| limit.min(least));
        if length.max(other) > LONGEST || length.abs_diff(other) > limit {
            continue;
        }
        let distance = strsim::damerau_levenshtein(&wanted, &candidate.to_lowercase());
        if distance > limit {
            continue;
        }
        match &mut best {
            Some((least, first, second)) if distance == *least => {
                if second.is_none() && *first != candidate {
                    *second = Some(candidate);
                }
            }
            _ => best = Some((distance, candidate, None)),
        }
        if distance == 0 {
            break;
        }
    }
    best.map(|(_, first, second)| (first, second))
}

/// The id nearest to `id`, by the distance of [`closest`], if it was clearly meant.
///
/// Ids such as `msg_009` are all equally near, so one with another final number is no guess, unless it
/// is the only candidate: `msg_9` and `msg009` mean `msg_009`, and not `msg_001`.
///
/// ```
/// use transcript_core::diagnostic::closest_id;
/// assert_eq!(closest_id("msg2", ["msg_001", "msg_002"]), Some("msg_002"));
/// assert_eq!(closest_id("msg_009", ["msg_001", "msg_002"]), None);
/// assert_eq!(closest_id("msg_009", ["msg_001"]), Some("msg_001"));
/// ```
pub fn closest_id<'a>(id: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    closest_ids(id, candidates).map(|(closest, _)| closest)
}

/// The same with another equally near id, if there is one.
pub(crate) fn closest_ids<'a>(
    id: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<(&'a str, Option<&'a str>)> {
    if id.len() > LONGEST * 4 {
        return None;
    }
    let mut candidates = candidates.into_iter();
    let first = candidates.next()?;
    let Some(second) = candidates.next() else { return nearest(id, &mut std::iter::once(first)) };
    let wanted = number(id);
    let mut same = None;
    let mut likely = [first, second].into_iter().chain(candidates).filter(|other| {
        if same.is_none() && (is_slip(id, other) || is_misread(id, other)) {
            same = Some(*other);
        }
        // A letter in place of a digit leaves no number, or another.
        match (&wanted, number(other)) {
            (Some(wanted), Some(other_number)) => *wanted == other_number || is_misread(id, other),
            _ => true,
        }
    });
    let near = nearest(id, &mut likely);
    same.map(|same| (same, None)).or(near)
}

/// The number at the end of an id, without zeros before it, if the rest has none.
fn number(id: &str) -> Option<&str> {
    let stem = id.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = id.get(stem.len()..).filter(|digits| !digits.is_empty())?;
    (!stem.contains(|c: char| c.is_ascii_digit())).then(|| digits.trim_start_matches('0'))
}

/// Whether two ids only differ in letter case, in separators and in leading zeros.
fn is_slip(id: &str, other: &str) -> bool {
    let stem = |id: &str| {
        let stem = id.trim_end_matches(|c: char| c.is_ascii_digit());
        stem.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>()
    };
    let numbers = (number(id), number(other));
    numbers.0.is_some() && numbers.0 == numbers.1 && stem(id) == stem(other)
}

/// Whether two ids only differ in letters that look like the digits 0 and 1.
fn is_misread(id: &str, other: &str) -> bool {
    let read = |c: char| match c {
        'o' | 'O' => '0',
        'l' | 'I' => '1',
        c => c,
    };
    id.chars().map(read).eq(other.chars().map(read))
}

/// The diagnostic for a key that is not part of the format, in `place` ("a turn").
///
/// It is a warning when the key is near a known one; otherwise a remark, since a key of the author's
/// own is kept and does no harm.
#[must_use]
pub fn unknown_key(source: &str, key: &str, span: Span, meant: Option<&str>, place: &str) -> Diagnostic {
    let message = format!("unknown key `{key}` in {place}");
    // A key with this prefix is the author's own.
    match meant.filter(|_| !key.starts_with("x_") && !key.starts_with("x-")) {
        Some(meant) => Diagnostic::new(codes::UNKNOWN_KEY, Severity::Warning, span, message).did_you_mean(
            "rename to",
            source,
            span,
            meant,
        ),
        None => Diagnostic::new(codes::UNKNOWN_KEY, Severity::Info, span, message)
            .help("it is kept, but has no effect"),
    }
}
