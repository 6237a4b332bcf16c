//! Every text a person can read on the page, in one table, with its translations.
//!
//! `{name}` marks a place that [`fill`] replaces. What the core reports of a document is in English alone.

mod german;
mod language;
mod pseudo;
pub(crate) mod text;

pub(crate) use language::Language;

/// An English text of the table in the language in use.
// It is called from a thousand places, each of which would grow.
#[inline(never)]
fn say(english: &'static str) -> &'static str {
    match Language::in_use() {
        Language::English => english,
        Language::German => german::translate(english),
        Language::Pseudo => pseudo::translate(english),
    }
}

/// Puts values into the places of a template.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(template.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}

/// Picks the form of a template by number and fills `{n}`.
pub(crate) fn count(one: &str, many: &str, n: usize) -> String {
    fill(if n == 1 { one } else { many }, &[("n", &group(n))])
}

/// A number with a thin space between groups of three digits.
pub(crate) fn group(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

/// A number with one digit after the point or the comma of the language in use.
pub(crate) fn tenths(n: f64) -> String {
    let tenths = (n * 10.0).round() as u64;
    let point = if Language::in_use() == Language::German { ',' } else { '.' };
    format!("{}{point}{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_from_the_right() {
        assert_eq!(group(7), "7");
        assert_eq!(group(1234), "1\u{202f}234");
        assert_eq!(count("{n} step", "{n} steps", 1_000_000), "1\u{202f}000\u{202f}000 steps");
    }
}
