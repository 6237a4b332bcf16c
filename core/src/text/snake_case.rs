/// A name in snake case.
///
/// ```
/// assert_eq!(transcript_core::text::snake_case("topP"), "top_p");
/// assert_eq!(transcript_core::text::snake_case("max_tokens"), "max_tokens");
/// ```
#[must_use]
pub fn snake_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}
