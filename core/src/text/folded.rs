//! Texts without regard to case.

/// The text in lower case, letter by letter, so that the place in a word does not matter: the final sigma
/// equals the other one.
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
