//! T713: binary data is not base64, or its media type is missing.

use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::{Data, Node};
use crate::text::Span;

/// Searches the whole tree: binary data is wherever a tool returned it.
pub(super) fn check(node: &Node, found: &mut Vec<Diagnostic>) {
    match &node.data {
        Data::Seq(items) => items.iter().for_each(|item| check(item, found)),
        Data::Map(entries) => {
            for entry in entries.iter() {
                match &*entry.key.text {
                    "$binary" => binary(&entry.value, found),
                    _ => check(&entry.value, found),
                }
            }
        }
        _ => {}
    }
}

fn binary(node: &Node, found: &mut Vec<Diagnostic>) {
    if !node.is_map() {
        let message =
            format!("`$binary`: expected a map with `media_type` and `base64`, found {}", node.kind_name());
        found.push(error(node.span, message));
        return;
    }
    match node.present("media_type") {
        Some(Node { data: Data::Str(text), .. }) if text.contains('/') => {}
        Some(other) => {
            let message = "`media_type` is not valid";
            found.push(error(other.span, message.to_owned()));
        }
        None => {
            let message = "binary data has no `media_type`";
            let warning = Diagnostic::new(codes::MALFORMED_BINARY, Severity::Warning, node.span, message);
            found.push(warning.help("write it as in `media_type: image/png`"));
        }
    }
    match node.present("base64") {
        Some(Node { data: Data::Str(text), span }) => {
            if let Some(fault) = fault(text) {
                found.push(error(*span, fault).help("encode the data again"));
            }
        }
        Some(other) => {
            found
                .push(error(other.span, format!("`base64`: expected a string, found {}", other.kind_name())));
        }
        None => found.push(error(node.span, "binary data has no `base64`".to_owned())),
    }
}

fn error(span: Span, message: String) -> Diagnostic {
    Diagnostic::new(codes::MALFORMED_BINARY, Severity::Error, span, message)
}

/// Why a text is not base64: blanks are passed over, both alphabets and missing padding are taken.
fn fault(text: &str) -> Option<String> {
    let (mut digits, mut padding) = (0_usize, 0_usize);
    for c in text.chars().filter(|c| !c.is_ascii_whitespace()) {
        match c {
            '=' => padding += 1,
            _ if padding > 0 => return Some("the base64 continues after its padding".to_owned()),
            c if c.is_ascii_alphanumeric() || "+/-_".contains(c) => digits += 1,
            c => return Some(format!("`{c}` is not a base64 character")),
        }
    }
    let is_whole = digits % 4 != 1 && (padding == 0 || (padding < 3 && (digits + padding) % 4 == 0));
    (!is_whole).then(|| format!("{digits} base64 characters and {padding} of padding are not whole bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_in_every_habit_and_not_otherwise() {
        for good in ["", "Zg==", "Zg", "Zm9v", "Zm9\nvYg==", "-_8", "Zm8="] {
            assert_eq!(fault(good), None, "{good}");
        }
        for bad in ["Z", "Zg=", "Zg===", "Z=g=", "Zm9v=", "Zm 9!", "é"] {
            assert!(fault(bad).is_some(), "{bad}");
        }
    }
}
