//! Sentences about keys and codes, which only some builds carry.

/// The sentence, or nothing without the feature `docs`: a build that only opens and replays documents
/// explains no keys.
///
/// ```
/// use transcript_core::text::doc;
/// assert_eq!(doc("Its description."), "Its description.");
/// ```
#[must_use]
pub const fn doc(sentence: &'static str) -> &'static str {
    if cfg!(feature = "docs") { sentence } else { "" }
}
