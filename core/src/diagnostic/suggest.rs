//! Did-you-mean.

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
    let wanted = word.to_lowercase();
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let distance = strsim::damerau_levenshtein(&wanted, &candidate.to_lowercase());
        let limit = (wanted.chars().count().max(candidate.chars().count()) / 3).max(1);
        if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}
