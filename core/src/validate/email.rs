//! T702: a text holds an e-mail address.

use super::texts::Placed;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::secrets::SecretKind;

pub(super) fn check(secrets: &[Placed<'_>], found: &mut Vec<Diagnostic>) {
    for secret in secrets.iter().filter(|secret| secret.kind == SecretKind::Email) {
        let message = "the document contains an e-mail address";
        found.push(
            Diagnostic::new(codes::EMAIL, Severity::Info, secret.span, message)
                .help("redact the document before you share it, or use an address at `example.com`"),
        );
    }
}
