//! Texts of which capitals do not count.

/// The text in small letters, letter by letter, so that where it stands in a word changes none of them: the final
/// sigma counts as the other one.
///
/// ```
/// use transcript_core::text::folded;
/// assert_eq!(folded("ΟΔΟΣ"), folded("οδος"));
/// assert!(folded("ΟΔΟΣ").contains(&folded("Σ")));
/// ```
#[must_use]
pub fn folded(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).map(|c| if c == 'ς' { 'σ' } else { c }).collect()
}
