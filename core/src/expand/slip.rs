//! Strings that are messages by the grammar but were probably meant as something else.

use crate::diagnostic::{Applicability, Diagnostic, Severity, closest, codes};
use crate::model::Role;
use crate::text::Span;

/// The warning for a message that looks like a call or a result, if it does.
///
/// `text` is the text of the message, `at` its place, and `blank` whether a blank is between the colon and
/// the text.
pub(super) fn check_message_text(
    role: &Role,
    text: &str,
    blank: bool,
    at: impl FnOnce() -> Span,
) -> Option<Diagnostic> {
    match role {
        Role::Tool => {
            let (name, _) = text.split_once(':')?;
            if name.is_empty()
                || name.chars().any(|c| c.is_whitespace() || matches!(c, '{' | '[' | '"' | '\''))
            {
                return None;
            }
            let form = format!("tool:{name}: ");
            let message = format!("`{name}` is read as a part of the result, not as the tool");
            Some(
                Diagnostic::new(codes::BAD_SHORTHAND, Severity::Warning, at(), message)
                    .help(format!("write `{form}...`, without a space or a flag before the name")),
            )
        }
        Role::Assistant if !blank => {
            let word = text.split(|c: char| c.is_whitespace() || c == '(').next()?;
            let rest = text.get(word.len()..)?.trim_start();
            let name =
                rest.split('(').next().filter(|name| !name.is_empty() && !name.contains(char::is_whitespace));
            if !rest.contains('(') || name.is_none() || closest(word, ["call"]).is_none() {
                return None;
            }
            let start = at().start as usize;
            let span = Span::new(start, start + word.len());
            let message = format!("`{word}` is read as text, so nothing is called");
            Some(
                Diagnostic::new(codes::BAD_SHORTHAND, Severity::Warning, span, message)
                    .help("write `assistant:call`, or put a space after the colon for text")
                    .fix(Applicability::Suggested, "change to `call`", span, "call"),
            )
        }
        _ => None,
    }
}
