//! T701: a text contains a likely key, token or password.

use super::texts::Placed;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::secrets::SecretKind;

pub(super) fn check(secrets: &[Placed<'_>], found: &mut Vec<Diagnostic>) {
    for secret in secrets.iter().filter(|secret| secret.kind != SecretKind::Email) {
        let message = format!("the document contains {}", secret.kind.title());
        found.push(
            Diagnostic::new(codes::SECRET, Severity::Warning, secret.span, message)
                .label("anyone with the file can use it")
                .help("redact the document before you share it, and revoke it if it was shared"),
        );
    }
}
